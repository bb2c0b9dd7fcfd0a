"""The page and the files with everything that the portal stores about the signed-in person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ratings.domain.site.acting import acting_user
from ratings.queries.players.personal_data import Section, read_personal_data

FORMAT = "personal-data/1"


@login_required
@require_safe
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show what the files about the user contain, with buttons to download them."""
    return render(request, "players/personal_data.html")


@never_cache
@login_required
@require_POST
def personal_data_file(request: HttpRequest, format: str) -> HttpResponse:
    """Return everything that is stored about the user, as JSON or as an HTML file in the language of the page."""
    user = acting_user()
    assert user is not None
    sections, made_at = read_personal_data(user), timezone.now()
    response: HttpResponse
    if format == "json":
        content = {"format": FORMAT, "made_at": made_at, "data": {each.key: _to_json(each) for each in sections}}
        response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 1})
    else:
        context = {"sections": sections, "made_at": made_at, "user": user}
        response = HttpResponse(render_to_string("players/personal_data_file.html", context, request))
    name = f"my-data-{made_at:%Y-%m-%d}.{format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _to_json(section: Section) -> list[dict[str, object]]:
    return [{cell.key: cell.value for cell in row} for row in section.rows]

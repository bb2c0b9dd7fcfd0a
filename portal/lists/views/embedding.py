"""A list in frames of other websites, and the page with the HTML to copy."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_update
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from portal.lists.filters import StandingFilter
from portal.site.embedding import FILTERS, frame, write_frame
from ratings.models import RatingList
from ratings.queries.lists.lists import public_lists
from ratings.queries.lists.ranks import ranks_of
from ratings.time_zones import activate_zone

ROWS, MAX_ROWS = 10, 100
HEAD_HEIGHT, ROW_HEIGHT = 110, 33
"""Heights in pixels of what surrounds the rows, and of one row (static/portal/embed.css)."""


class EmbeddingForm(forms.Form):
    """Number of rows of an embedded list."""

    rows = forms.IntegerField(label=_("Rows to show"), min_value=1, max_value=MAX_ROWS, required=False)

    @property
    def number(self) -> int:
        """The valid number of rows, else the usual one."""
        return (self.cleaned_data.get("rows") or ROWS) if self.is_valid() else ROWS


def get_public_list(slug: str) -> RatingList:
    """Return a public list by its slug; raise Http404 for any other, also for officers."""
    the_list = public_lists().filter(slug=slug).first()
    if the_list is None:
        raise Http404
    activate_zone([the_list.federation.time_zone])
    return the_list


def read_filters(request: HttpRequest) -> dict[str, str]:
    """Return the filters of an embedded list that the address has."""
    return {name: request.GET[name] for name in FILTERS if request.GET.get(name)}


@frame
@require_safe
def embedded_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first players of a list as the public sees them, for a frame of another site."""
    the_list = get_public_list(slug)
    chosen = StandingFilter(read_filters(request), the_list, timezone.localdate())
    ranks = ranks_of(the_list, chosen.active_on)
    context = {
        "rating_list": the_list,
        "lines": ranks.rank_all(chosen.qs[: EmbeddingForm(request.GET).number]),
        "described": chosen.described,
        "query": request.GET.urlencode() if chosen.is_filtered else "",
    }
    return render(request, "lists/embedded_list.html", context)


@csp_update({"frame-src": ["'self'"]})  # type: ignore[arg-type] # typed for views without arguments
@require_safe
def embed_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the HTML that shows a list on another site, with a preview."""
    the_list = get_public_list(slug)
    form, filters = EmbeddingForm(request.GET if "rows" in request.GET else {"rows": ROWS}), read_filters(request)
    query: dict[str, Any] = {**filters, "rows": form.number}
    path = reverse("embedded_list", args=[the_list.slug])
    height = HEAD_HEIGHT + ROW_HEIGHT * form.number
    context = {
        "rating_list": the_list,
        "form": form,
        "filters": filters,
        "code": write_frame(path, query, the_list.label, height),
        "preview": f"{path}?{urlencode(query)}",
        "height": height,
    }
    return render(request, "lists/embed_list.html", context)

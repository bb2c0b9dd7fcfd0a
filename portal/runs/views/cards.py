"""Preview image for links to an explained correction."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.charts.card_pictures import card_response
from portal.runs import link_previews
from portal.runs.views.corrections import find_explanation
from ratings.queries.lists.federations import federation_of_list
from ratings.queries.lists.lists import public_lists


@require_safe
@cache_control(public=True, no_cache=True)
def correction_card(request: HttpRequest, slug: str, pk: int, public_id: str) -> HttpResponseBase:
    rating_list = get_object_or_404(public_lists(), slug=slug)
    explained, _cause, sentences = find_explanation(rating_list, pk, public_id)
    federation = federation_of_list(rating_list)
    return card_response(
        request, link_previews.correction_card(explained.correction, sentences, rating_list, federation)
    )

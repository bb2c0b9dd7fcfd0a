"""Public pages of proposed changes of a list's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from portal.charts import svg_security_policy
from portal.lists.proposal_forms import DecisionForm
from portal.lists.proposal_page import describe_sources, list_changed_options, list_figures, write_effects_csv
from portal.lists.proposal_sentences import describe_change, describe_later
from portal.lists.study_names import name_system
from portal.lists.study_pages import describe_failure
from portal.site.palette import get_palette
from portal.site.views.access import may_see
from portal.templatetags.portal_format import comma_name
from ratings.access import Action
from ratings.models import RuleEffect, RuleProposal
from ratings.queries.lists.rule_proposals import (
    MOST_FOUND,
    biggest_first,
    effects_on_active,
    find_effects,
    find_similar,
    measure_spread,
    published_proposals,
)
from ratings.queries.site.search import MAX_LENGTH

from .lists import get_visible_list
from .statistics import theme_and_width

State = RuleProposal.State
PLAYERS_ON_PAGE = 12
PLAYERS_PER_PAGE = 100


@require_safe
def rule_proposals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the proposed changes of a list's rules, the latest first; officers see their drafts too."""
    rating_list = get_visible_list(request, slug)
    context: dict[str, Any] = {"rating_list": rating_list, "proposals": published_proposals(rating_list)}
    if may_see(request, Action.KEEP_LIST, rating_list):
        context["drafts"] = RuleProposal.objects.filter(list=rating_list, state=State.DRAFT)
    return render(request, "lists/proposals.html", context)


def get_proposal(request: HttpRequest, slug: str, number: int) -> RuleProposal:
    """Return a proposal whose page the visitor may see: a draft only for the list's officers; else raise Http404."""
    rating_list = get_visible_list(request, slug)
    proposals = RuleProposal.objects.select_related("list__federation", "list__successor", "study")
    proposal = get_object_or_404(proposals, list=rating_list, pk=number)
    if proposal.state == State.DRAFT and not may_see(request, Action.KEEP_LIST, rating_list):
        raise Http404
    return proposal


@require_safe
def rule_proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a proposal with its effects on the visitor's rating and on all players."""
    return render_proposal(request, get_proposal(request, slug, number))


def render_proposal(
    request: HttpRequest, proposal: RuleProposal, status: int = 200, decision: DecisionForm | None = None
) -> HttpResponse:
    today = timezone.localdate()
    effects = effects_on_active(proposal, today)
    spread, lines = measure_spread(proposal, effects), list_changed_options(proposal)
    found = _find_own(request, proposal)
    context = {
        "proposal": proposal,
        "rating_list": proposal.list,
        "system_name": name_system(proposal.system),
        "lines": lines,
        "sentence": describe_change(proposal, lines, spread),
        "later": describe_later(proposal, spread),
        "fits_again": proposal.list.rating_system.rating.make_past_inputs() is not None,
        "spread": spread,
        **_choose_effects(request, effects, found["found"]),
        "figures": list_figures(proposal),
        "sources": describe_sources(proposal),
        "steps": list(proposal.steps.all()),
        "in_force_yet": proposal.in_force <= today,
        "comments_end": proposal.comments_until is not None and proposal.comments_until >= today,
        "decision": decision or DecisionForm(),
        "error": describe_failure(proposal.error),
        "keeps": may_see(request, Action.KEEP_LIST, proposal.list),
        **found,
    }
    return render(request, "lists/proposal.html", context, status=status)


def _find_own(request: HttpRequest, proposal: RuleProposal) -> dict[str, Any]:
    """Return the effects on the players whose name or id was typed, or players with similar names."""
    text = request.GET.get("q", "").strip()[:MAX_LENGTH]
    found = find_effects(proposal, text, timezone.localdate()) if text else []
    similar = find_similar(proposal, text, timezone.localdate()) if text and not found else []
    marks = urlencode([("player", effect.player.public_id) for effect in found])
    return {
        "typed": text,
        "found": found,
        "marked": {effect.pk for effect in found},
        "marks": marks and f"&{marks}",
        "similar": similar,
    }


def _choose_effects(request: HttpRequest, effects: QuerySet[RuleEffect], found: Sequence[RuleEffect]) -> dict[str, Any]:
    """Return a page of all effects if the address asks for one; else the largest, and those that were found."""
    if "page" in request.GET:
        page = Paginator(effects, PLAYERS_PER_PAGE).get_page(request.GET["page"])
        return {"page": page, "effects": page}
    largest = list(biggest_first(effects)[:PLAYERS_ON_PAGE])
    return {"effects": [*largest, *(effect for effect in found if effect not in largest)]}


@require_safe
@conditional_page
def rule_effects_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the effects of a proposal on all active players as CSV."""
    proposal = get_proposal(request, slug, number)
    effects = effects_on_active(proposal, timezone.localdate())
    response = HttpResponse(write_effects_csv(effects.iterator()), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-proposal-{proposal.pk}.csv"'
    return response


@svg_security_policy  # also for a 304: browsers apply its headers to their cached copy
@require_safe
@conditional_page
def rule_effects_chart(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the histogram of a proposal's differences as SVG."""
    proposal = get_proposal(request, slug, number)
    effects = effects_on_active(proposal, timezone.localdate())
    spread = measure_spread(proposal, effects)
    if spread is None:
        raise Http404
    marked = effects.filter(player__public_id__in=request.GET.getlist("player")[:MOST_FOUND])
    marks = [(comma_name(effect.player), effect.change) for effect in marked] if "player" in request.GET else []
    (theme, width), house = theme_and_width(request), proposal.list.federation.house
    from portal.charts.proposals import draw_histogram  # noqa: PLC0415 - takes half a second to load

    drawing = draw_histogram(spread, get_palette(theme, house), marks, narrow=width == "narrow")
    return HttpResponse(drawing, content_type="image/svg+xml")

"""Proposed changes of a list's rules: public pages, and the officers' drafts and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from portal.charts import svg_security_policy
from portal.lists.proposal_forms import DecisionForm, ProposalForm
from portal.lists.proposal_page import (
    describe_change,
    describe_later,
    find_best,
    find_candidates,
    find_proposed_rules,
    list_changed_options,
    list_figures,
    name_options,
    write_effects_csv,
)
from portal.lists.study_pages import name_system
from portal.site.views.access import may_see, require
from ratings.access import Action
from ratings.domain.lists.rule_proposals import (
    adopt_proposal,
    discard_draft,
    publish_proposal,
    reject_proposal,
    reopen_proposal,
    save_proposal,
    withdraw_proposal,
)
from ratings.models import RuleProposal, Study
from ratings.queries.lists.rule_proposals import (
    biggest_first,
    effects_on_active,
    measure_spread,
    published_proposals,
)
from ratings.queries.players.suggestions import suggest_players
from ratings.queries.site.search import player_filter
from ratings.time_zones import activate_zone

from .lists import get_visible_list
from .statistics import theme_and_width

State = RuleProposal.State
PLAYERS_ON_PAGE = 12
PLAYERS_PER_PAGE = 100
FOUND_AT_MOST = 5
BEST, LONGEST_PLACE = "best", 4
"""In the address of a new draft: the word for the best values of a sweep, and more digits than a place has."""


class Decision(NamedTuple):
    """Effect of a button on a proposal, with a reason, and the notice that follows."""

    do: Callable[[RuleProposal, str], None]
    notice: Any


DECISIONS = {
    "publish": Decision(
        lambda proposal, _reason: publish_proposal(proposal),
        gettext_lazy("The proposal is public. You can withdraw it with a reason."),
    ),
    "discard": Decision(
        lambda proposal, _reason: discard_draft(proposal),
        gettext_lazy("The draft was deleted."),
    ),
    "adopt": Decision(adopt_proposal, gettext_lazy("The proposal was adopted. You can reopen it with a reason.")),
    "reject": Decision(reject_proposal, gettext_lazy("The proposal was rejected. You can reopen it with a reason.")),
    "withdraw": Decision(
        withdraw_proposal, gettext_lazy("The proposal was withdrawn. You can reopen it with a reason.")
    ),
    "reopen": Decision(reopen_proposal, gettext_lazy("The proposal is open again.")),
}
"""Decisions by the names of their buttons."""


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
    spread, lines = measure_spread(effects), list_changed_options(proposal)
    shows_all = "page" in request.GET
    shown: Any = Paginator(effects, PLAYERS_PER_PAGE).get_page(request.GET.get("page")) if shows_all else None
    context = {
        "proposal": proposal,
        "rating_list": proposal.list,
        "system_name": name_system(proposal.system),
        "lines": lines,
        "sentence": describe_change(proposal, lines),
        "later": describe_later(proposal, spread),
        "fits_again": proposal.list.rating_system.rating.make_past_inputs() is not None,
        "spread": spread,
        "page": shown,
        "effects": shown or biggest_first(effects)[:PLAYERS_ON_PAGE],
        "figures": list_figures(proposal),
        "measured": find_candidates(proposal)[1] is not None,
        "steps": list(proposal.steps.all()),
        "in_force_yet": proposal.in_force <= today,
        "comments_end": proposal.comments_until is not None and proposal.comments_until >= today,
        "decision": decision or DecisionForm(),
        "keeps": may_see(request, Action.KEEP_LIST, proposal.list),
        **_find_own(request, proposal),
    }
    return render(request, "lists/proposal.html", context, status=status)


def _find_own(request: HttpRequest, proposal: RuleProposal) -> dict[str, Any]:
    """Return the players whose name or id was typed, with the effects on them, or similar names."""
    text = request.GET.get("q", "").strip()[:100]
    if not text:
        return {"typed": ""}
    effects = effects_on_active(proposal, timezone.localdate())
    found = list(effects.filter(player_filter(text, "player__"))[:FOUND_AT_MOST])
    similar = [] if found else suggest_players(text, [proposal.list])[:FOUND_AT_MOST]
    return {"typed": text, "found": found, "similar": similar}


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
    spread = measure_spread(effects_on_active(proposal, timezone.localdate()))
    if spread is None:
        raise Http404
    (theme, width), house = theme_and_width(request), proposal.list.federation.house
    from portal.charts.base import get_theme  # noqa: PLC0415 - takes half a second to load
    from portal.charts.proposals import draw_histogram  # noqa: PLC0415 - also slow to load

    drawing = draw_histogram(spread, get_theme(theme, house), narrow=width == "narrow")
    return HttpResponse(drawing, content_type="image/svg+xml")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def propose_rules(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write a draft of a proposal from a candidate of a study."""
    studies = Study.objects.select_related("list__federation")
    study = get_object_or_404(studies, list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, study.list)
    candidate = _find_candidate(study, request.GET.get("candidate", ""))
    options, is_successor = find_proposed_rules(study.list, candidate)
    if not options and not is_successor:
        messages.info(request, _("This candidate has the list’s present rules: there is nothing to propose."))
        return redirect(study)
    proposal = RuleProposal(
        list=study.list, study=study, system=candidate["system"], options=options, made_by_id=request.user.pk
    )
    return _edit(request, proposal, is_successor=is_successor)


def _find_candidate(study: Study, place: str) -> Mapping[str, Any]:
    """Return the candidate of a study at a place, or the best values of its sweep for `best`; else raise Http404."""
    candidates = study.result["candidates"] if study.result else []
    if place == BEST and study.result and (best := find_best(study.result)) is not None:
        return best
    if not (place.isdecimal() and len(place) < LONGEST_PLACE and 0 < int(place) < len(candidates)):
        raise Http404
    found: Mapping[str, Any] = candidates[int(place)]
    return found


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change the texts and days of a draft."""
    proposals = RuleProposal.objects.select_related("list__federation", "study")
    proposal = get_object_or_404(proposals, list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, proposal.list)
    if proposal.state != State.DRAFT:
        messages.info(request, _("The proposal was published and can no longer be changed."))
        return redirect(proposal)
    return _edit(request, proposal, is_successor=proposal.starts_successor)


def _edit(request: HttpRequest, proposal: RuleProposal, *, is_successor: bool) -> HttpResponse:
    form = ProposalForm(request.POST or None, proposal, is_successor=is_successor)
    if request.method == "POST" and form.is_valid():
        try:
            save_proposal(proposal)
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The draft was saved. Only officers see it until you publish it."))
            return redirect(proposal)
    context = {
        "form": form,
        "rating_list": proposal.list,
        "is_successor": is_successor,
        "proposed": name_options(proposal.system, proposal.options),
    }
    return render(request, "lists/propose.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def decide_proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish or discard a draft, or adopt, reject, withdraw or reopen a proposal, by the button that was pressed."""
    proposals = RuleProposal.objects.select_related("list__federation", "list__successor", "study")
    proposal = get_object_or_404(proposals, list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, proposal.list)
    activate_zone([proposal.list.federation.time_zone])
    form = DecisionForm(request.POST)
    chosen = next((name for name in DECISIONS if name in request.POST), None)
    if chosen is None or not form.is_valid():
        messages.error(request, _("Nothing was done: choose a decision."))
        return render_proposal(request, proposal, 422, form)
    decision = DECISIONS[chosen]
    try:
        decision.do(proposal, form.cleaned_data["reason"])
    except ValidationError as error:
        for problem in error.messages:
            messages.error(request, problem)
        proposal.refresh_from_db()
        return render_proposal(request, proposal, 422, form)
    messages.success(request, decision.notice)
    return redirect("rule_proposals", slug) if chosen == "discard" else redirect(proposal)

"""Drafts of proposed rules, and the officers' decisions on proposals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from portal.lists.proposal_forms import DecisionForm, ProposalForm, ProposedRulesForm, list_systems
from portal.lists.proposal_page import find_best, find_proposed_rules
from portal.lists.study_names import list_options
from portal.site.views.access import require
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
from ratings.models import RatingList, RuleProposal, Study
from ratings.time_zones import activate_zone

from .proposals import render_proposal

BEST, LONGEST_PLACE = "best", 4
"""In the address of a new draft: the word for the best values of a sweep, and more digits than a place has."""

NEXT = "next"
"""Name of the button that goes on from the options to the draft."""


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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_proposal(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the options of a system without a study, then write a draft of a proposal from them."""
    rating_list = get_object_or_404(RatingList.objects.select_related("federation"), slug=slug)
    require(request, Action.KEEP_LIST, rating_list)
    systems = list_systems(rating_list)
    system = request.GET.get("system") or rating_list.system
    if system not in dict(systems):
        raise Http404
    sent = request.GET if NEXT in request.GET else None
    form = ProposedRulesForm(sent, rating_list, system, initial=request.GET.dict())
    if form.is_valid():
        options, is_successor = find_proposed_rules(rating_list, form.candidate)
        if options or is_successor:
            proposal = RuleProposal(list=rating_list, system=system, options=options, made_by_id=request.user.pk)
            return _edit(request, proposal, is_successor=is_successor)
        form.add_error(None, _("These are the list’s present rules: change an option or choose another system."))
    context = {"form": form, "rating_list": rating_list, "systems": systems}
    return render(request, "lists/proposed_rules.html", context, status=422 if form.errors else 200)


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
    if proposal.state != RuleProposal.State.DRAFT:
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
        "proposed": list_options(proposal.system, proposal.options),
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

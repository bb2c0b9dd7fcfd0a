from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.grades.proposal_texts import describe_proposal
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.grades.proposals import confirm, withdraw
from ratings.models import Proposal
from ratings.queries.results.workflow import closed_proposals, waiting_proposals

CLOSED = 50


@login_required
def proposals(request: HttpRequest) -> HttpResponse:
    """Show the proposals that wait for a second officer, and those confirmed or withdrawn last."""
    return render_proposals(request)


def render_proposals(request: HttpRequest, status: int = 200, **more: object) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    context = {
        "waiting": [(proposal, describe_proposal(proposal)) for proposal in waiting_proposals(request.user)],
        "closed": closed_proposals(request.user)[:CLOSED],
    }
    return render(request, "grades/proposals.html", context | more, status=status)


@login_required
@require_POST
def close(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """Confirm or withdraw a proposal."""
    proposal = get_object_or_404(Proposal.objects.select_related("list"), pk=pk)
    require(request, Action.KEEP_LIST, proposal)
    try:
        confirm(proposal) if what == "confirm" else withdraw(proposal)
    except ValidationError as error:
        return render_proposals(request, 422, problems=error.messages)
    messages.success(request, _("Confirmed and saved.") if what == "confirm" else _("Withdrawn."))
    return redirect("proposals")

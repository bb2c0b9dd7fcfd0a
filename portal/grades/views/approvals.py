from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.approving import AnswerForm, SendForm
from portal.careers import graph_data
from portal.dossiers import printed, rule_in_words
from portal.pdf.dossier import write
from ratings.access import Action, may
from ratings.domain.announcing import announce_grades, announces
from ratings.domain.approvals import answer, confirm, reopen, send
from ratings.models import Approval
from ratings.queries.awards import settled_approvals, unannounced, waiting_approvals
from ratings.queries.dossiers import dossier_of
from ratings.queries.organising import lists_approved_by, lists_kept_by
from ratings.queries.players import bands_within
from ratings.systems.words import Words

from .access import require
from .sheets import attachment

SETTLED = 50
NEEDS_FORM = {"send": SendForm, "answer": AnswerForm}


@login_required
def approvals(request: HttpRequest) -> HttpResponse:
    """What waits, and what was settled lately."""
    require(request, Action.SEE_APPROVALS)
    lists = lists_approved_by(request.user)
    context = {"waiting": waiting_approvals(lists), "settled": settled_approvals(lists)[:SETTLED]}
    return render(request, "portal/organise/approvals.html", context)


def seen(request: HttpRequest, public_id: str) -> Approval:
    cases = Approval.objects.select_related("list", "player__account", "table__event", "decided_by").defer("letter")
    case: Approval = get_object_or_404(cases, public_id=public_id)
    require(request, Action.SEE_APPROVALS, case)
    return case


@login_required
def approval(request: HttpRequest, public_id: str) -> HttpResponse:
    """The dossier, and what can be done."""
    return shown(request, seen(request, public_id))


def shown(request: HttpRequest, case: Approval, status: int = 200, **more: Any) -> HttpResponse:
    dossier = dossier_of(case)
    points = [{"date": str(day), "rating": after, "change": None, "event": ""} for day, after in dossier.graph]
    bands = bands_within(case.list.rating_system, [after for _, after in dossier.graph])
    context = {
        "case": case,
        "dossier": dossier,
        "rule": rule_in_words(dossier),
        "graph": graph_data(case.list, [(str(case.player), points)], bands),
        "rating_list": case.list,
        "may_approve": may(request.user, Action.APPROVE, case),
        "send_form": SendForm(),
        "answer_form": AnswerForm(initial={"effective": case.earned_on}),
    }
    return render(request, "portal/organise/approval.html", context | more, status=status)


@login_required
@require_POST
def act(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Send, answer, confirm or take back; a form that does not fit is shown again with what was entered."""
    case = seen(request, public_id)
    require(request, Action.APPROVE, case)
    form = NEEDS_FORM[what](request.POST, request.FILES) if what in NEEDS_FORM else None
    again = {f"{what}_form": form} if form is not None else {}
    if form is not None and not form.is_valid():
        return shown(request, case, 422, **again)
    try:
        if isinstance(form, SendForm):
            send(case, **form.cleaned_data)
        elif isinstance(form, AnswerForm):
            answer(case, form.given())
        elif what == "confirm":
            confirm(case)
        else:
            reopen(case)
    except ValidationError as error:
        case.refresh_from_db()
        return shown(request, case, 422, problems=error.messages, **again)
    messages.success(request, _("Kept."))
    return redirect(case)


@login_required
def dossier_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """The same as a file, to be sent to whoever approves."""
    case = seen(request, public_id)
    headers = {"Content-Disposition": f'inline; filename="{case.public_id}.pdf"'}
    return HttpResponse(write(printed(dossier_of(case))), content_type="application/pdf", headers=headers)


@login_required
def letter(request: HttpRequest, public_id: str) -> HttpResponse:
    """The answer's letter, as it was attached."""
    case = seen(request, public_id)
    if not case.letter_name:
        raise Http404
    return attachment(case.letter_name, bytes(case.letter or b""))


@login_required
def announcements(request: HttpRequest) -> HttpResponse:
    """Earned grades that are not announced yet: announce them by a click, and take a draft for the news."""
    require(request, Action.KEEP_PLAYERS)
    rated = lists_kept_by(request.user).filter(out_of_date_from=None)  # others are being rated again
    lists = [one for one in rated if announces(one)]
    open_ = {one: list(unannounced(one)) for one in lists}
    if request.method == "POST":
        chosen = set(request.POST.getlist("award"))
        for one, awards in open_.items():
            announce_grades(one, [award for award in awards if str(award.pk) in chosen], reason=Words("announced"))
        messages.success(request, _("Announced."))
        return redirect("announcements")
    return render(request, "portal/organise/announcements.html", {"open": open_, "any": any(open_.values())})

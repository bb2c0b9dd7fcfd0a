from collections.abc import Callable, Mapping

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal.grades.case_page import CODE_KEY, render_case
from portal.grades.dossiers import printable_dossier
from portal.grades.forms import (
    SAVED_FIELDS,
    AnswerForm,
    ParcelForm,
    QuestionForm,
    ReasonForm,
    ReplyForm,
    RequestForm,
    SendForm,
)
from portal.grades.letters import write_parcel
from portal.pdf.dossier import write_dossier
from portal.results.views.submissions import attachment
from portal.site.views.access import require
from ratings.access import Action, may
from ratings.domain.grades.announcing import announce_grades
from ratings.domain.grades.answer_links import revoke_link
from ratings.domain.grades.approval_locks import check_unchanged
from ratings.domain.grades.approval_opening import request_approval, withdraw
from ratings.domain.grades.approvals import answer, confirm, find_answer_problems, reopen
from ratings.domain.grades.parcels import send, send_parcel, undo_sending
from ratings.domain.grades.questions import ask_question, may_reply, reply, withdraw_question, withdraw_reply
from ratings.domain.grades.saved_answers import delete_saved_answer, restore_saved_answer, save_answer
from ratings.models import Approval, ApprovalQuestion, ApprovalStep
from ratings.models.messages import RecordReason
from ratings.queries.grades.awards import (
    find_announcing_lists,
    settled_approvals,
    unannounced_awards,
    waiting_approvals,
)
from ratings.queries.grades.dossiers import build_dossier
from ratings.queries.players.player_timeline import announcements_on
from ratings.queries.results.workflow import approver_lists, officer_lists

MAX_SETTLED, LONGEST_SAVED = 50, 2000
ACTION_FORMS = {
    "send": SendForm,
    "parcel": ParcelForm,
    "answer": AnswerForm,
    "ask": QuestionForm,
    "reply": ReplyForm,
    "withdraw": ReasonForm,
}
OF_OFFICERS, OF_QUESTIONS = ("withdraw",), ("reply", "unreply")
"""Actions of officers, and those of everybody who can answer a question; the others are for approvers."""


@login_required
def approvals(request: HttpRequest) -> HttpResponse:
    """Show the open approvals and those settled last."""
    require(request, Action.SEE_APPROVALS)
    lists = approver_lists(request.user)
    context = {
        "waiting": sorted(waiting_approvals(lists), key=lambda case: (case.due_on, case.opened_at)),
        "today": timezone.localdate(),
        "settled": settled_approvals(lists)[:MAX_SETTLED],
        "may_request": may(request.user, Action.KEEP_PLAYERS),
    }
    return render(request, "grades/approvals.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def request_page(request: HttpRequest) -> HttpResponse:
    """Request the approval of a grade that a player holds elsewhere."""
    require(request, Action.KEEP_PLAYERS)
    form = RequestForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        rating_list = values.pop("list")
        require(request, Action.KEEP_LIST, rating_list)
        try:
            case = request_approval(rating_list, values.pop("player"), values.pop("grade"), **values)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Approval requested: the approvers will receive an email."))
            return redirect(case)
    status = 422 if request.method == "POST" else 200
    return render(request, "grades/approval_request.html", {"form": form}, status=status)


def get_case(request: HttpRequest, public_id: str) -> Approval:
    cases = Approval.objects.select_related(
        "list__federation",
        "player__account",
        "table__event",
        "decided_by",
        "confirmed_by",
        "sent_by",
        "requested_by",
        "decision",
        "answered_link",
    ).defer("letter")
    case: Approval = get_object_or_404(cases, public_id=public_id)
    require(request, Action.SEE_APPROVALS, case)
    return case


@login_required
def approval(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the dossier and the available actions."""
    return render_case(request, get_case(request, public_id))


@login_required
@require_POST
def take_action(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Do an action of an approval; an invalid form is shown again with what was entered."""
    case = get_case(request, public_id)
    if what in OF_QUESTIONS:
        if not may_reply(request.user, case):
            raise PermissionDenied
    else:
        require(request, Action.KEEP_LIST if what in OF_OFFICERS else Action.APPROVE, case)
    form = _bind_form(request, what)
    form_context = {f"{what}_form": form} if form is not None else {}
    if form is not None and not form.is_valid():
        is_answer = isinstance(form, AnswerForm) and not form.asks
        problems = find_answer_problems(case, form.cleaned_data) if is_answer else []
        return render_case(request, case, 422, problems=problems, **form_context)
    try:
        with transaction.atomic():
            check_unchanged(case, request.POST.get("shown_version", ""))
            if isinstance(form, ParcelForm):
                _send_parcel(request, case, form.cleaned_data["reference"])
            elif what == "save":
                save_answer(case, {name: request.POST.get(name, "")[:LONGEST_SAVED] for name in SAVED_FIELDS})
            else:
                _take_step(case, what, form)
    except ValidationError as error:
        return render_case(request, get_case(request, public_id), 422, problems=error.messages, **form_context)
    messages.success(request, _describe_action(what, form))
    return redirect(case)


def _describe_action(what: str, form: forms.Form | None) -> str:
    """Return the message after an action."""
    if what == "ask" or (isinstance(form, AnswerForm) and form.asks):
        return _("Question sent. You will receive an email when it is answered.")
    texts = {
        "parcel": _("Sent."),
        "save": _("Saved for later. Only you see it, and nothing is decided."),
        "unsave": _("The saved text is deleted."),
        "unask": _("The question is withdrawn."),
        "reply": _("Answer sent. The approval waits for the person who asked."),
        "unreply": _("The answer is withdrawn, and the question is open again."),
    }
    return texts.get(what, _("Saved."))


def _send_parcel(request: HttpRequest, case: Approval, reference: str) -> None:
    """Send the letter, and store the code of its link in the session until the approver's page has shown it."""
    with translation.override(settings.LANGUAGE_CODE):
        content = write_parcel(case, request.user, reference)
        parcel, code = send_parcel(case, content, reference=reference)
    if parcel.link is not None:
        request.session[CODE_KEY] = {"link": parcel.link.pk, "code": code}


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Revoke a link by which the approval could be answered."""
    case = get_case(request, public_id)
    require(request, Action.APPROVE, case)
    revoke_link(get_object_or_404(case.answer_links.all(), pk=pk))
    messages.success(request, _("The link no longer works."))
    return redirect(case)


@login_required
def parcel_file(request: HttpRequest, public_id: str, pk: int, name: str) -> HttpResponse:
    """Return the dossier or the certificate as it was sent."""
    parcel = get_object_or_404(get_case(request, public_id).parcels.all(), pk=pk)
    data = parcel.dossier if name == "dossier" else parcel.certificate
    if not data:
        raise Http404
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(bytes(data), content_type="application/pdf", headers=headers)


def _take_step(case: Approval, what: str, form: forms.Form | None) -> None:
    if isinstance(form, SendForm):
        send(case, **form.cleaned_data)
    elif isinstance(form, QuestionForm) or (isinstance(form, AnswerForm) and form.asks):
        ask_question(case, form.cleaned_data["reason"])
    elif isinstance(form, AnswerForm):
        answer(case, form.to_answer())
    elif isinstance(form, ReplyForm):
        reply(get_latest_question(case), form.cleaned_data["reply"])
    elif what in QUESTION_STEPS:
        QUESTION_STEPS[what](get_latest_question(case))
    elif what in SAVED_STEPS:
        SAVED_STEPS[what](case)
    elif what == "withdraw":
        withdraw(case, _get_reason(form))
    elif what == "confirm":
        confirm(case)
    elif what == "unsend":
        undo_sending(case)
    else:
        reopen(case, _get_reason(form))


QUESTION_STEPS: Mapping[str, Callable[[ApprovalQuestion], None]] = {
    "unask": withdraw_question,
    "unreply": withdraw_reply,
}
SAVED_STEPS: Mapping[str, Callable[[Approval], None]] = {
    "unsave": delete_saved_answer,
    "restore": restore_saved_answer,
}


def get_latest_question(case: Approval) -> ApprovalQuestion:
    """Return the latest question about an approval; raise ValidationError if there is none."""
    question = case.questions.last()
    if question is None:
        raise ValidationError(_("There is no question about this approval."))
    question.case = case
    return question


def _bind_form(request: HttpRequest, what: str) -> forms.Form | None:
    """Return the bound form of an action; None if it has none."""
    if what == "reopen":
        return ReasonForm(request.POST, auto_id="reopen_%s")
    if what == "ask":
        return QuestionForm(request.POST, auto_id="ask_%s")
    return ACTION_FORMS[what](request.POST, request.FILES) if what in ACTION_FORMS else None


def _get_reason(form: forms.Form | None) -> str:
    return form.cleaned_data["reason"] if isinstance(form, ReasonForm) else ""


@login_required
def dossier_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the dossier as a PDF file, to be sent to the approvers."""
    case = get_case(request, public_id)
    headers = {"Content-Disposition": f'inline; filename="{case.public_id}.pdf"'}
    return HttpResponse(
        write_dossier(printable_dossier(build_dossier(case))), content_type="application/pdf", headers=headers
    )


@login_required
def letter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Download the letter that was attached to the answer."""
    case = get_case(request, public_id)
    if not case.letter_name:
        raise Http404
    return attachment(case.letter_name, bytes(case.letter or b""))


@login_required
def step_letter(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Download the letter of an answer that was taken back."""
    case = get_case(request, public_id)
    step = get_object_or_404(ApprovalStep.objects.exclude(letter_name=""), case=case, pk=pk)
    return attachment(step.letter_name, bytes(step.letter or b""))


@login_required
def announcements(request: HttpRequest) -> HttpResponse:
    """Show earned grades that are not announced yet, with a draft for the news, and announce the chosen ones."""
    require(request, Action.KEEP_PLAYERS)
    lists = find_announcing_lists(officer_lists(request.user))
    open_awards = {rating_list: list(unannounced_awards(rating_list)) for rating_list in lists}
    if request.method == "POST":
        chosen_keys, announced_grades = set(request.POST.getlist("award")), []
        for rating_list, awards in open_awards.items():
            chosen_awards = [award for award in awards if str(award.pk) in chosen_keys]
            announced_grades += announce_grades(rating_list, chosen_awards, reason=RecordReason.ANNOUNCED())
        if announced_grades:
            messages.success(request, _("Announced."))
        else:
            messages.error(request, _("No grade was announced: none of the selected grades is waiting on your lists."))
        return redirect("announcements")
    announced = announcements_on(officer_lists(request.user))[:MAX_SETTLED]
    context = {"open": open_awards, "number": sum(map(len, open_awards.values())), "announced": announced}
    return render(request, "grades/announcements.html", context)

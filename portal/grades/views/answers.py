from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_ratelimit.core import is_ratelimited

from portal.grades.dossiers import rule_text
from portal.grades.forms import LinkAnswerForm
from portal.grades.graphs import draw_evidence
from portal.grades.letters import describe_evidence
from portal.middleware.limits import address_of
from ratings.domain.grades.answer_links import check_open, find_link
from ratings.domain.grades.approvals import Answer, find_answer_problems
from ratings.domain.grades.link_answers import answer_by_link
from ratings.domain.grades.questions import ask_by_link
from ratings.models import AnswerLink, use_full_names
from ratings.queries.grades.approving_bodies import get_approving_body
from ratings.queries.grades.dossiers import build_dossier

RATE = "20/h"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show an approval to the person to whom its link was sent, and enter their answer.

    Opening the page changes nothing: mail programs open links by themselves.
    """
    if is_ratelimited(request, group="answer", key=address_of, rate=RATE, method="POST", increment=True):
        return _end(request, _("Too many attempts from your network. Try again in an hour."), 429)
    link = find_link(token)
    if link is None:
        return _end(request, _("This link is not one of this site. Copy it from the letter again."), 404)
    problem = _find_problem(link)
    if problem:
        return _end(request, problem, 410, link)
    if request.method != "POST":
        return _show(request, link, LinkAnswerForm(initial=_suggest_answer(link)))
    return _enter(request, link, token)


def _enter(request: HttpRequest, link: AnswerLink, token: str) -> HttpResponse:
    """Enter the answer of the form, or show the form with its problems."""
    form = LinkAnswerForm(request.POST, request.FILES)
    if not form.is_valid():
        problems = [] if form.asks else find_answer_problems(link.case, form.cleaned_data)
        return _show(request, link, form, problems)
    if form.asks:
        return _ask(request, link, token, form)
    values = dict(form.cleaned_data)
    code, letter = values.pop("code"), values.pop("letter")
    new_answer = Answer(**values, letter=(letter.name[-200:], letter.read()) if letter else None)
    try:
        answer_by_link(link, token, code, new_answer)
    except ValidationError as error:
        still_open = not _find_problem(find_link(token) or link)
        return _show(request, link, form, error.messages) if still_open else _end(request, error.messages[0], 410, link)
    return render(request, "grades/answer_end.html", {"link": link, "is_saved": True})


def _ask(request: HttpRequest, link: AnswerLink, token: str, form: LinkAnswerForm) -> HttpResponse:
    """Ask the question of the form, or show the form with its problems; the link stays open for the answer."""
    try:
        ask_by_link(link, token, form.cleaned_data["code"], form.cleaned_data["reason"])
    except ValidationError as error:
        still_open = not _find_problem(find_link(token) or link)
        return _show(request, link, form, error.messages) if still_open else _end(request, error.messages[0], 410, link)
    return redirect("answer_link", token)


def _find_problem(link: AnswerLink) -> str:
    """Return why a link cannot be used now; empty if it can."""
    try:
        check_open(link)
    except ValidationError as error:
        return error.messages[0]
    if link.case.state not in (link.case.State.WAITING, link.case.State.SENT):
        return _("This case needs no answer any more: %(state)s.") % {"state": link.case.get_state_display()}
    return ""


def _suggest_answer(link: AnswerLink) -> dict[str, object]:
    return {
        "on": timezone.localdate(),
        "effective": link.case.earned_on,
        "signed_by": link.person,
        "signer_office": link.office,
    }


def _show(
    request: HttpRequest, link: AnswerLink, form: LinkAnswerForm, problems: list[str] | None = None
) -> HttpResponse:
    with use_full_names(True):
        dossier = build_dossier(link.case)
        context = {
            "link": link,
            "case": link.case,
            "rating_list": link.case.list,
            "body": get_approving_body(link.case.list),
            "dossier": dossier,
            "evidence": describe_evidence(dossier),
            "rule": rule_text(dossier),
            "graph": draw_evidence(dossier),
            "won": sum(game.score == 1 for game in dossier.games),
            "form": form,
            "problems": problems or [],
            "questions": list(link.case.questions.filter(link=link).select_related("replied_by")),
        }
        return render(request, "grades/answer.html", context, status=422 if form.is_bound else 200)


def _end(request: HttpRequest, problem: str, status: int, link: AnswerLink | None = None) -> HttpResponse:
    return render(request, "grades/answer_end.html", {"problem": problem, "link": link}, status=status)

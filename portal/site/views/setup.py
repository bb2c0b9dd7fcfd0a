"""Guided set-up of a federation by an administrator: six steps on one page, each with its own form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from portal.lists.federation_form import LINKS, FederationForm
from portal.lists.forms import ListFileForm
from portal.lists.waiting_files import answer_form, describe_opening
from portal.site.federation_identity import crest_as_data
from portal.site.health_lines import describe_health
from portal.site.setup_forms import InviteFormSet, MailTestForm, SetupListForm
from portal.site.views.access import require, sign_in_required
from portal.site.views.people import roles_given_by
from ratings.access import Action
from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.federations import find_free_slug
from ratings.domain.lists.list_import_files import check_list_import
from ratings.domain.runs.log_keys import create_first_key
from ratings.domain.site.accounts import invite
from ratings.domain.site.mail_test import describe_mail_server, prints_mails, send_test_mail
from ratings.formats.setup_file import write_setup_file
from ratings.models import Federation, RatingList
from ratings.queries.site.setup import STEPS, SetupState, describe_setup, read_setup

NEW = "new"
"""Value of the parameter `federation` for a further federation."""
MAIL_TEST = "mail_test"
"""Key of the session with the result of the last test mail."""
Answer = HttpResponse | dict[str, Any]
"""A response, or what a step adds to the page: its form with errors, or what its file would do."""


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Show the steps, and do the one whose form was sent."""
    require(request, Action.SET_UP)
    federation = get_federation(request)
    if request.method != "POST":
        return render_setup(request, read_state(request, federation))
    step = POSTED.get(request.POST.get("step", ""))
    if step is None:
        raise BadRequest("The form names no step of the set-up.")
    state = read_state(request, federation)
    answer = step(request, state)
    if isinstance(answer, HttpResponse):
        return answer
    return render_setup(request, state, open_step=request.POST["step"], **answer)


@sign_in_required
@require_safe
def answers(request: HttpRequest) -> HttpResponse:
    """Return the answers of the set-up as a file for `manage.py setup`."""
    require(request, Action.SET_UP)
    federation = get_federation(request)
    if federation is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{federation.slug}.toml"'}
    content = write_setup_file(describe_setup(federation))
    return HttpResponse(content, content_type="application/toml; charset=utf-8", headers=headers)


def get_federation(request: HttpRequest) -> Federation | None:
    """Return the federation of the address, else the first one; None for a new one. Raise Http404 for others."""
    slug = request.GET.get("federation", "")
    federations = Federation.objects.order_by("pk")
    if slug == NEW or not slug:
        return None if slug else federations.first()
    found = federations.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def read_state(request: HttpRequest, federation: Federation | None) -> SetupState:
    tested = request.session.get(MAIL_TEST)
    return read_setup(federation, mail_tested=bool(tested and not tested["advice"]))


def lead_on(request: HttpRequest, federation: Federation | None, message: str, step: str) -> HttpResponse:
    """Redirect to the page with a message; the next step is open there."""
    messages.success(request, message)
    several = federation is not None and Federation.objects.exclude(pk=federation.pk).exists()
    query = f"?{urlencode({'federation': federation.slug})}" if several and federation else ""
    return redirect(f"{reverse('setup')}{query}#{step}")


def save_federation(request: HttpRequest, state: SetupState) -> Answer:
    """Save the federation, or show a preview of its head."""
    instance = Federation.objects.get(pk=state.federation.pk) if state.federation else Federation()
    with transaction.atomic():
        form = FederationForm(request.POST, request.FILES, instance=instance, auto_id="id_federation-%s")
        if not form.is_valid():
            return {"federation_form": form, "status": 422}
        if "preview" in request.POST:
            return {"federation_form": form.with_typed_crest(), "previewed": form.instance}
        if state.federation is None:
            form.instance.slug = find_free_slug(Federation, form.cleaned_data["name"])
        saved = form.save()
    return lead_on(request, saved, _("The federation is saved."), "list")


def save_first_list(request: HttpRequest, state: SetupState) -> Answer:
    """Save the first list; a new one is not public yet."""
    assert state.federation is not None
    instance = RatingList.objects.get(pk=state.rating_list.pk) if state.rating_list else None
    with transaction.atomic():
        form = SetupListForm(request.POST, federation=state.federation, instance=instance)
        if form.is_valid():
            try:
                save_list(form.save(commit=False))
            except ValidationError as error:
                form.add_error(None, error)
        if form.errors:
            return {"list_form": form, "status": 422}
    return lead_on(request, state.federation, _("The list is saved."), "people")


def import_people(request: HttpRequest, state: SetupState) -> Answer:
    """Check the file of a rating list; or read it again as its form says, or import it."""
    assert state.rating_list is not None
    if "upload" in request.POST or "store" in request.POST:
        return answer_questions(request, state.rating_list, state)
    form = ListFileForm(request.POST, request.FILES, auto_id="id_people-%s")
    if not form.is_valid():
        return {"people_form": form, "status": 422}
    file, day = form.cleaned_data["file"], form.cleaned_data["day"]
    opening = check_list_import(state.rating_list, file.name, file.read(), day=day, default_day=timezone.localdate())
    status = 422 if opening.problems.fatal else 200
    return {"people_form": form, "status": status, **describe_opening(opening), "file_name": file.name}


def answer_questions(request: HttpRequest, rating_list: RatingList, state: SetupState) -> Answer:
    waiting = answer_form(request, rating_list)
    opening = waiting.opening
    if opening is None:
        return {"people_problems": waiting.problems, "status": 422}
    if not waiting.is_stored:
        status = 422 if opening.problems.fatal else 200
        return {"status": status, "note": waiting.note, **describe_opening(opening)}
    text = ngettext(
        "%(players)d player is on the list.", "%(players)d players are on the list.", len(opening.result.adjusted)
    )
    return lead_on(request, state.federation, text % {"players": len(opening.result.adjusted)}, "invitations")


def invite_people(request: HttpRequest, state: SetupState) -> Answer:
    """Invite the people of all rows that have an address."""
    forms = make_invite_forms(request, request.POST)
    if not forms.is_valid():
        return {"invite_forms": forms, "status": 422}
    rows = [form.cleaned_data for form in forms if form.has_changed()]
    if not rows:
        return {"invite_forms": forms, "invite_problem": _("Enter at least one email address."), "status": 422}
    with transaction.atomic():
        for form in forms:
            if form.has_changed():
                try:
                    invite(form.cleaned_data["mail"], role=form.cleaned_data["role"])
                except ValidationError as error:
                    form.add_error("mail", error)
        if any(form.errors for form in forms):
            transaction.set_rollback(True)
            return {"invite_forms": forms, "status": 422}
    text = ngettext("%(people)d invitation is sent.", "%(people)d invitations are sent.", len(rows))
    return lead_on(request, state.federation, text % {"people": len(rows)}, "invitations")


def make_invite_forms(request: HttpRequest, data: Any = None) -> Any:
    return InviteFormSet(data, prefix="invite", form_kwargs={"roles": roles_given_by(request)})


def try_mail(request: HttpRequest, state: SetupState) -> Answer:
    """Send a test mail and keep its result for the session."""
    form = MailTestForm(request.POST, auto_id="id_mail-%s")
    if not form.is_valid():
        return {"mail_form": form, "status": 422}
    result = send_test_mail(form.cleaned_data["to"])
    request.session[MAIL_TEST] = result._asdict()
    if result.accepted:
        return lead_on(request, state.federation, _("The mail server accepted the test mail."), "mail")
    return {"mail_form": form}


def make_public(request: HttpRequest, state: SetupState) -> Answer:
    """Open the first list to the public, if nothing that it needs is missing."""
    rating_list = state.rating_list
    if rating_list is None or not state.may_be_public:
        messages.error(request, _("Some steps are still missing. Nothing was made public."))
        return redirect("setup")
    rating_list.public = True
    save_list(rating_list)
    create_first_key()
    return lead_on(request, state.federation, _("%(list)s is public now.") % {"list": rating_list}, "site-now")


def _needs(what: str, step: Callable[[HttpRequest, SetupState], Answer]) -> Callable[[HttpRequest, SetupState], Answer]:
    """Return a step that is refused until an earlier step is done."""

    def checked(request: HttpRequest, state: SetupState) -> Answer:
        if what in state.done:
            return step(request, state)
        messages.error(request, _("Do the earlier steps first."))
        return redirect("setup")

    return checked


POSTED: dict[str, Callable[[HttpRequest, SetupState], Answer]] = {
    "federation": save_federation,
    "list": _needs("federation", save_first_list),
    "people": _needs("list", import_people),
    "invitations": invite_people,
    "mail": try_mail,
    "public": make_public,
}
"""Functions of the forms, by the value of their field `step`."""


def render_setup(
    request: HttpRequest, state: SetupState, *, open_step: str = "", status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page; `more` are forms that replace the empty ones of their steps."""
    federation, rating_list = state.federation, state.rating_list
    previewed = more.get("previewed") or federation or Federation()
    context: dict[str, Any] = {
        "state": state,
        "federation": federation,
        "open_step": open_step or state.next_step,
        "number_done": len(state.done),
        "number_of_steps": len(STEPS),
        "previewed": previewed,
        "crest": crest_as_data(previewed.crest),
        "saved_crest": crest_as_data(federation.crest) if federation else "",
        "further_fields": [*LINKS, "languages", "time_zone", "records_gender"],
        "federation_form": FederationForm(instance=federation or Federation(), auto_id="id_federation-%s"),
        "people_form": ListFileForm(auto_id="id_people-%s"),
        "invite_forms": make_invite_forms(request),
        "mail_form": MailTestForm(initial={"to": request.user.email}, auto_id="id_mail-%s"),  # type: ignore[union-attr] # signed in
        "mail_test": request.session.get(MAIL_TEST),
        "prints_mails": prints_mails(),
        "mail_sender": settings.DEFAULT_FROM_EMAIL,
        "mail_server": describe_mail_server(),
        "health": describe_health(),
        "other_federations": Federation.objects.exclude(pk=federation.pk if federation else 0).order_by("name"),
    }
    if federation is not None:
        context["list_form"] = SetupListForm(None, federation=federation, instance=rating_list)
    return render(request, "site/setup.html", context | more, status=status)

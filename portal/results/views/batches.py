"""Views of batches of files: dropping them, answering once for all, choosing players, submitting, undoing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.results.batch_forms import AnswersForm, FilesForm, HeadForm
from portal.results.batch_lines import add_details, build_file_lines, list_drafts_with_questions, list_event_choices
from portal.results.organiser_tasks import build_lines, list_events_to_type
from portal.site.offline import cache_offline
from portal.site.views.access import require, sign_in_required
from portal.templatetags.portal_format import colon
from ratings.access import Action
from ratings.domain.results.batch_people import (
    accept_likely_of_batch,
    confirm_questions_of_batch,
    make_unknown_of_batch_new,
    undo_choices_of_batch,
    use_event_days,
)
from ratings.domain.results.batch_previews import list_previewable, request_previews
from ratings.domain.results.batch_reading import refresh_reports
from ratings.domain.results.batch_withdrawal import list_submitted
from ratings.domain.results.batches import (
    Answer,
    add_files,
    answer_questions,
    create_batch,
    read_again,
    undo_batch_of_files,
    undo_file,
)
from ratings.domain.results.steps import check_unchanged
from ratings.domain.results.submitting import submit
from ratings.domain.site.acting import acting_user
from ratings.localize import join_parts
from ratings.models import BatchFile, Event, FileBatch
from ratings.name_certainty import ACCEPTED_ABOVE
from ratings.queries.results.batches import batches_of, events_lacking, files_of, has_batch_choices
from ratings.queries.results.workflow import events_of

FILES_PER_PAGE = 50
TOKEN_AT_MOST = 60
RELOAD_SECONDS = "5"
QUESTION = re.compile(r"(\d{1,18}):([0-9a-f]{16})", re.ASCII)


@sign_in_required
@cache_offline
def files(request: HttpRequest) -> HttpResponse:
    """Show the drop zone and the batches so far; make a batch from the files that were sent.

    Sending the same files again with their token does not make a second batch. Scripts get the address as JSON.
    """
    require(request, Action.ORGANISE)
    form = FilesForm(request.POST, request.FILES) if request.method == "POST" else FilesForm()
    if request.method == "POST" and form.is_valid():
        try:
            batch = create_batch(_read_uploads(form), token=request.POST.get("token", "")[:TOKEN_AT_MOST])
        except ValidationError as error:
            form.add_error("uploads", error.messages)
        else:
            return _answer_script(batch) if _is_script(request) else redirect(batch)
    page = Paginator(batches_of(request.user), 25).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "largest_history": settings.HISTORY_MB}
    return render(request, "results/files.html", context, status=422 if form.errors else 200)


def _is_script(request: HttpRequest) -> bool:
    """Return True if a script of the page sent the files, which shows the answer itself."""
    return request.headers.get("Accept") == "application/json"


def _answer_script(batch: FileBatch) -> HttpResponse:
    return JsonResponse({"address": batch.get_absolute_url()}, status=201)


def _read_uploads(form: FilesForm) -> list[tuple[str, bytes]]:
    return [(upload.name, upload.read()) for upload in form.cleaned_data["uploads"]]


def get_batch(request: HttpRequest, pk: int) -> FileBatch:
    """Return a batch of the user; raise Http404 for batches of others."""
    require(request, Action.ORGANISE)
    batch: FileBatch = get_object_or_404(FileBatch, pk=pk, made_by=request.user.pk)
    return batch


@sign_in_required
def batch(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what became of the files of a batch, and do what a button of the page says."""
    the_batch = get_batch(request, pk)
    if request.method != "POST":
        return render_batch(request, the_batch)
    button = next((name for name in BUTTONS if name in request.POST), "")
    if not button:
        return render_batch(request, the_batch, 422, problems=[_("Choose one of the buttons.")])
    response = BUTTONS[button](request, the_batch)
    if response is None and _is_script(request):
        return _answer_script(the_batch)
    return response or redirect(the_batch)


def render_batch(request: HttpRequest, batch: FileBatch, status: int = 200, **more: Any) -> HttpResponse:
    files = files_of(batch)
    refresh_reports(files, acting_user())
    previews_waiting = request_previews(files)
    previewable = len(list_previewable(files))
    page = Paginator(build_file_lines(files, request.user), FILES_PER_PAGE).get_page(request.GET.get("page"))
    add_details(list(page))
    lacking = events_lacking(files)
    choices = list_event_choices(files)
    failed = [line for line in page if line.file.state == BatchFile.State.FAILED]
    waiting = sum(file.state == BatchFile.State.WAITING for file in files)
    reports = [file.report for file in files if file.state == BatchFile.State.READ]
    totals = {name: sum(report.get(name, 0) for report in reports) for name in ("players", "open", "new")}
    heads = [(file, HeadForm(None, file)) for file in files if file.state == BatchFile.State.ASKS]
    asking = list_drafts_with_questions(files)
    context = {
        "batch": batch,
        "page": page,
        "counts": _count_files(files),
        "waiting": waiting,
        "read": len(files) - waiting,
        "total": len(files),
        "totals": totals | {"known": totals["players"] - totals["open"] - totals["new"]},
        "previews": {"all": previewable, "ready": previewable - previews_waiting},
        "lacking": lacking,
        "answers": AnswersForm(None, asked=lacking) if lacking else None,
        "heads": heads,
        "choices": choices,
        "ready": sum(not choice.reason for choice in choices),
        "submitted": list_submitted(files),
        "asking": asking,
        "question_count": sum(len(draft.questions) for draft in asking),
        "main": "answer" if lacking or heads else "confirm" if asking else "submit",
        "has_choices": has_batch_choices(batch),
        "threshold": ACCEPTED_ABOVE,
        "form": FilesForm(),
        "typed_events": _list_events_to_type(request) if any(not line.typing for line in failed) else [],
    }
    response = render(request, "results/batch.html", context | more, status=status)
    is_asking = bool(asking or lacking or heads)  # a reload would lose what is being typed
    if (waiting or (previews_waiting and not is_asking)) and request.method == "GET":
        response["Refresh"] = RELOAD_SECONDS
    return response


def _list_events_to_type(request: HttpRequest) -> list[Event]:
    """Return the user's events without results, of which a file that cannot be read may be one."""
    today = timezone.localdate()
    return list_events_to_type(build_lines(events_of(request.user), today), today)


def _count_files(files: list[BatchFile]) -> dict[str, int]:
    """Return the numbers of files for the sentence below the heading."""
    read = [file for file in files if file.state == BatchFile.State.READ]
    return {
        "new": sum(file.found == BatchFile.Found.NEW for file in read),
        "recognised": sum(file.found == BatchFile.Found.RECOGNISED for file in read),
        "failed": sum(file.state == BatchFile.State.FAILED for file in files),
        "undone": sum(file.state == BatchFile.State.UNDONE for file in files),
        "events": len({file.event_id for file in read}),
    }


def _add(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
    form = FilesForm(request.POST, request.FILES)
    if not form.is_valid():
        return render_batch(request, batch, 422, form=form)
    try:
        added = add_files(batch, _read_uploads(form))
    except ValidationError as error:
        return render_batch(request, batch, 422, problems=error.messages)
    text = ngettext("%(count)d file was added.", "%(count)d files were added.", added.new) % {"count": added.new}
    if added.known:
        ignored = ngettext(
            "%(count)d is here already.", "%(count)d are here already.", added.known
        ) % {"count": added.known}  # fmt: skip
        text = f"{text} {ignored}"
    messages.success(request, text)
    return None


def _answer(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
    files = files_of(batch)
    lacking = events_lacking(files)
    form = AnswersForm(request.POST, asked=lacking)
    heads = [(file, HeadForm(request.POST, file)) for file in files if file.state == BatchFile.State.ASKS]
    answered = [(file, head) for file, head in heads if any(head.data.get(head.add_prefix(n)) for n in head.fields)]
    are_valid = [form.is_valid(), *(head.is_valid() for _file, head in answered)]
    if not all(are_valid):
        return render_batch(request, batch, 422, answers=form, heads=heads)
    values = form.cleaned_data
    answer = Answer(
        list(values.get("lists", ())), values.get("time_control", ""), values.get("place", ""),
        {file.pk: head.answers for file, head in answered},
    )  # fmt: skip
    try:
        answer_questions(batch, answer)
    except ValidationError as error:
        return render_batch(request, batch, 422, answers=form, heads=heads, problems=error.messages)
    messages.success(request, _("Saved."))
    return None


def _submit(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
    """Submit the chosen events, each alone; those that could not be submitted are named with the reason."""
    chosen = request.POST.getlist("event")
    events = {choice.event.public_id: choice.event for choice in list_event_choices(files_of(batch))}
    if not set(chosen) & set(events):
        return render_batch(request, batch, 422, problems=[_("Choose at least one event.")])
    done, failed = [], []
    for public_id, event in events.items():
        if public_id not in chosen:
            continue
        try:
            with transaction.atomic():
                check_unchanged(event, request.POST.get(f"version-{public_id}", ""))
                require(request, Action.GIVE_RESULTS, event)
                submit(event, may_be_accepted=False)  # the page says that an officer checks each event
        except ValidationError as error:
            failed.append(f"{colon(event)} {' '.join(error.messages)}")
        else:
            done.append(str(event))
    if done:
        text = _("Submitted: %(events)s. Until the officers answer, you can withdraw them.")
        messages.success(request, text % {"events": join_parts(done)})
    return render_batch(request, batch, 422, problems=failed) if failed else None


def describe_accepted(count: int) -> str:
    text = ngettext("%(count)d likely player was accepted.", "%(count)d likely players were accepted.", count)
    return text % {"count": count}


def describe_new(count: int) -> str:
    return ngettext("%(count)d unknown name is new.", "%(count)d unknown names are new.", count) % {"count": count}


def describe_undone(count: int) -> str:
    text = ngettext("%(count)d name is open again.", "%(count)d names are open again.", count)
    return text % {"count": count}


def _accept_likely(request: HttpRequest, batch: FileBatch) -> None:
    messages.success(request, describe_accepted(accept_likely_of_batch(batch)))


def _make_new(request: HttpRequest, batch: FileBatch) -> None:
    messages.success(request, describe_new(make_unknown_of_batch_new(batch)))


def _undo_choices(request: HttpRequest, batch: FileBatch) -> None:
    messages.success(request, describe_undone(undo_choices_of_batch(batch)))


def _confirm(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
    reason = request.POST.get("reason", "").strip()
    keys = [(int(found[1]), found[2]) for key in request.POST.getlist("question") if (found := QUESTION.fullmatch(key))]
    if not reason or not keys:
        problem = _("Tick the questions that you answer, and say why it is right.")
        chosen = request.POST.getlist("question")
        return render_batch(request, batch, 422, problems=[problem], reason=reason, chosen=chosen)
    count = confirm_questions_of_batch(batch, reason[:300], keys)
    text = ngettext("%(count)d question is answered.", "%(count)d questions are answered.", count)
    messages.success(request, text % {"count": count})
    return None


def _choose(request: HttpRequest, batch: FileBatch) -> HttpResponse:
    """Tick all questions, none, or those of one draft as well, without a script; the typed reason stays."""
    what, chosen = request.POST["choose"], set(request.POST.getlist("question"))
    keys = {
        question.key: str(draft.submission.pk)
        for draft in list_drafts_with_questions(files_of(batch))
        for question in draft.questions
    }
    chosen = {key for key, pk in keys.items() if what in ("all", pk) or (what != "none" and key in chosen)}
    return render_batch(request, batch, reason=request.POST.get("reason", ""), chosen=chosen)


def _use_days(request: HttpRequest, batch: FileBatch) -> HttpResponse:
    """Give a draft the days of its event; what was ticked and typed for the other questions stays."""
    text = request.POST["use_days"]
    if use_event_days(batch, int(text) if text.isdecimal() and len(text) < 19 else 0):
        messages.success(request, _("The results have the event's days now. You can undo that on their page."))
    chosen, reason = request.POST.getlist("question"), request.POST.get("reason", "")
    return render_batch(request, batch, reason=reason, chosen=chosen)


def _undo_all(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
    failed = undo_batch_of_files(batch)
    if failed:
        return render_batch(request, batch, 422, problems=failed)
    messages.success(request, _("All files are undone. They can be read again from here for 30 days."))
    return None


def _on_file(
    name: str, step: Callable[[BatchFile], None], message: Callable[[], str]
) -> Callable[[HttpRequest, FileBatch], HttpResponse | None]:
    """Return the function of a button beside each file: it does a step, then shows a message that names the file."""

    def act(request: HttpRequest, batch: FileBatch) -> HttpResponse | None:
        text = request.POST[name]
        file = get_object_or_404(batch.files, pk=int(text) if text.isdecimal() and len(text) < 19 else 0)
        try:
            step(file)
        except ValidationError as error:
            return render_batch(request, batch, 422, problems=error.messages)
        messages.success(request, message() % {"file": file})
        return None

    return act


BUTTONS: Mapping[str, Callable[[HttpRequest, FileBatch], HttpResponse | None]] = {
    "add": _add,
    "answer": _answer,
    "submit": _submit,
    "accept": _accept_likely,
    "new": _make_new,
    "undo_choices": _undo_choices,
    "choose": _choose,
    "use_days": _use_days,
    "confirm": _confirm,
    "undo_all": _undo_all,
    "undo": _on_file("undo", undo_file, lambda: _("%(file)s: undone.")),
    "again": _on_file("again", read_again, lambda: _("%(file)s: read again.")),
    "separate": _on_file(
        "separate",
        lambda file: read_again(file, as_new_event=True),
        lambda: _("%(file)s: read as an event of its own."),
    ),
}

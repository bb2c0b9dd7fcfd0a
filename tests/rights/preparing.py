"""Preparation of the objects and form data for each door of the table of rights."""

import datetime as dt

import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import TimestampSigner
from django.utils import timezone

from ratings.domain.grades.approvals import Answer, answer
from ratings.domain.grades.questions import ask_question, reply
from ratings.domain.lists.list_import_files import check_list_import, confirm_list_import
from ratings.domain.results.edit_lines import save_version
from ratings.domain.results.import_batches import begin_batch, record_batch
from ratings.domain.site.acting import act_as
from ratings.models import (
    Approval,
    ApprovalQuestion,
    BatchFile,
    EntryList,
    Event,
    EventStep,
    HallLink,
    RatingList,
    RecordedStep,
    SavedAnswer,
    Submission,
)
from tests.factories import make_event
from tests.versions import opened

NEW_EVENT = {"name": "Open", "start": "2024-06-01", "end": "2024-06-02", "country": "FR", "mode": "board"}
OPENING = "last_name,first_name,country,rating,games\nSato,Ken,JP,1450,90\n"
DAY = dt.date(2025, 1, 2)


def note(what, **data):
    """Let a step be the last one of the event."""

    def before(world):
        kept = data | ({"sheet": world.ids["deleted_submission"]} if "sheet" in data else {})
        if what == "table deleted":
            world.ids["step"] = EventStep.objects.get(event=world.event, what=what).pk
            return
        if what == "returned":
            kept = {"sheets": {str(world.submission.pk): Submission.objects.get(pk=world.submission.pk).version}}
        world.ids["step"] = EventStep.objects.create(event=world.event, what=what, data=kept).pk

    return before


def announced(world):
    Event.objects.filter(pk=world.event.pk).update(announced_at=timezone.now())
    note("announced")(world)


def shared(world):
    """Let the last step have shared the event with the helper."""
    Event.objects.get(pk=world.event.pk).organisers.add(world.helper)
    note("shared", user=world.helper.pk)(world)


def edited_by_officer(world):
    """Let the last step be an officer's change of the results."""
    submission = Submission.objects.get(pk=world.submission.pk)
    after = save_version(submission)
    before = after | {"name": "Before"}
    data = {"sheet": submission.pk, "version": submission.version, "before": before, "after": after}
    world.ids["step"] = EventStep.objects.create(event=world.event, what="edited", data=data).pk


def settled(world):
    """Press the button of a comment."""
    return {"comment-do": f"settle:{world.comment.pk}"}


def sent(world):
    Approval.objects.filter(public_id=world.ids["case"]).update(state="sent", sent_on=DAY)


def answered(world):
    """Let the approval wait for its second approver."""
    RatingList.objects.filter(pk=world.list.pk).update(second_approver=True)
    with act_as(world.helper):
        answer(Approval.objects.get(public_id=world.ids["case"]), Answer(True, DAY + dt.timedelta(99),
               DAY + dt.timedelta(99), signed_by="x"))  # fmt: skip


def asked(world):
    with act_as(world.helper):
        ask_question(Approval.objects.get(public_id=world.ids["case"]), "Who was arbiter?")


def replied(world):
    asked(world)
    with act_as(world.secretary):
        reply(ApprovalQuestion.objects.get(), "Ito was.")


def saved(world, *, deleted_at=None):
    """Let everybody have saved an answer for later."""
    case = Approval.objects.get(public_id=world.ids["case"])
    for user in world.users.values():
        SavedAnswer.objects.create(case=case, user=user, values={"reason": "x"}, deleted_at=deleted_at)


def saved_and_deleted(world):
    saved(world, deleted_at=timezone.now())


def checked(world):
    """Upload a rating list that waits to be stored."""
    with act_as(world.secretary):
        opening = check_list_import(world.empty, "list.csv", OPENING.encode(), day=DAY)
    world.ids["opening"] = opening.upload.pk


def chosen(world):
    """Choose the event on the officers' desk and answer the question."""
    return {"event": [world.event.public_id], "confirmed": "1"}


def tapped(world):
    """Enter a result in the hall, from a browser without a script."""
    return {"board": world.ids["board"], "code": "draw", "round": 1}


def imported(world):
    checked(world)
    with act_as(world.secretary):
        confirm_list_import(world.empty, world.ids["opening"], day=DAY)
    world.ids["imported"] = RecordedStep.objects.latest("pk").pk


def results_imported(world):
    """Import an event of the list that has no officer of another one."""
    batch = begin_batch(world.empty)
    batch.events.append(make_event("Imported", "2024-01-06", [world.empty]))
    world.ids["imported"] = record_batch(world.empty, batch).pk


def result_files(world):
    """Upload a file of results."""
    return {"uploads": [SimpleUploadedFile("cup.txt", b"[Cup, Lyon, France, 2024-05-04]")]}


def submitted_from_a_file(world):
    """Let the batch of files hold the correction of the event that waits."""
    BatchFile.objects.create(
        batch_id=world.ids["batch"], name="cup.txt", digest="s", state="read", event=world.event,
        submission=world.waiting, data=b"",
    )  # fmt: skip


def report_form(world):
    with time_machine.travel(timezone.now() - dt.timedelta(minutes=1)):
        return {"text": "wrong", "opened": TimestampSigner(salt="report").sign("1")}


def federation_form(world):
    return {"name": "New name", "house": "pine"} | opened(world.list.federation)


def webhook_form(world):
    return {
        "name": "Other", "address": "https://example.org/in", "kinds": ["event.rated"], "owner": world.users["adm"].pk,
    } | opened(world.webhook)  # fmt: skip


def webhook_deleted(world):
    type(world.webhook).objects.filter(pk=world.webhook.pk).update(deleted_at=timezone.now())


def edited(world):
    return NEW_EVENT | {"lists": [world.list.pk]} | opened(world.event)


def entry_settings(world):
    return {"limit": "9", "is_open": "on"} | opened(EntryList.objects.get(event=world.event))


def list_file(world):
    return {"file": SimpleUploadedFile("list.csv", OPENING.encode()), "day": str(DAY)}


def moved_tables(world):
    seat = world.moved.entries.first().player.public_id
    return {"player": seat, "tables": [world.moved.pk], "taker": "DDD", "reason": "r", "give": "1"}


def revoked(world):
    """Revoke the link for helpers, so that it can be restored."""
    HallLink.objects.update(revoked_at=timezone.now())

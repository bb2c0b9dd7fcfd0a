"""Removal of what names a person from database fields with text and from uploaded files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from auditlog.models import LogEntry
from django.contrib.admin.models import LogEntry as AdminLogEntry
from django.db import models
from django.db.models import Q

from ratings.models import (
    Adjustment,
    AnswerLink,
    ApiKey,
    Approval,
    ApprovalQuestion,
    ApprovalStep,
    BatchFile,
    Change,
    Decision,
    Event,
    EventEntry,
    EventStep,
    FollowedChange,
    Hall,
    HallLink,
    HallResult,
    HeldForm,
    ListPlayer,
    Merge,
    Notification,
    OutgoingMail,
    PairingPage,
    Parcel,
    Player,
    Proposal,
    RatedTable,
    RecordedStep,
    Report,
    RuleProposal,
    RuleProposalStep,
    Run,
    SavedAnswer,
    Study,
    Submission,
    SubmissionComment,
    Upload,
    WebhookDelivery,
    WebhookSubscription,
)

from .erased_pairing_pages import erase_in_pairing_pages
from .personal_texts import ERASED, ErasedIdentifier, ErasedText, erase_in_rows, is_named_in

TEXTS: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (Submission, ("content", "warnings", "report", "reason", "name")),
    (SubmissionComment, ("text",)),
    (Upload, ("name", "reading")),
    (BatchFile, ("name", "problems", "head", "missing", "report", "preview")),
    (Event, ("organiser", "address", "schedule", "contact", "registration", "void_explanation")),
    (EventEntry, ("club", "message")),
    (EventStep, ("note", "data")),
    (PairingPage, ("tables",)),
    (Hall, ("people", "provisional")),
    (HallLink, ("label", "helpers")),
    (HallResult, ("name",)),
    (Merge, ("reason",)),
    (RecordedStep, ("reason", "undone_reason", "values")),
    (Report, ("text", "answer")),
    (Adjustment, ("reason", "source")),
    (Decision, ("reason", "source")),
    (Change, ("note",)),
    (RatedTable, ("warnings",)),
    (Run, ("reasons", "error")),
    (ListPlayer, ("prior_evidence",)),
    (Approval, ("evidence", "reason", "reference", "sent_reference", "signed_by")),
    (ApprovalStep, ("note", "person")),
    (ApprovalQuestion, ("text", "reply", "person")),
    (AnswerLink, ("person", "mail")),
    (SavedAnswer, ("values",)),
    (Proposal, ("content", "before")),
    (Parcel, ("subject", "body", "person", "address", "reference")),
    (Study, ("definition", "result", "error")),
    (RuleProposal, ("title", "reason", "proposed_by", "error")),
    (RuleProposalStep, ("reason",)),
    (FollowedChange, ("data",)),
    (Notification, ("error",)),
    (OutgoingMail, ("sender", "subject", "body", "html", "headers", "error")),
    (ApiKey, ("label",)),
    (WebhookSubscription, ("name",)),
    (WebhookDelivery, ("data",)),
    (AdminLogEntry, ("object_repr", "change_message")),
    (LogEntry, ("object_repr", "changes", "changes_text", "serialized_data", "additional_data", "actor_email")),
)
"""Models and their fields with text written by people, which may name a person."""


def erase_texts(texts: Sequence[ErasedText], player: Player, entered: Collection[int] = ()) -> None:
    """Remove names and identifiers of a person from all stored texts, mails, forms, pairing pages and files.

    `entered` has the primary keys of the events that the person had entered.
    """
    _delete_mails(texts)
    _delete_held_forms(texts)
    erase_in_pairing_pages(texts, {*entered, *player.entries.values_list("table__event", flat=True)})
    for model, fields in TEXTS:
        erase_in_rows(texts, model._default_manager.order_by("pk"), *fields)
    _empty_files(texts, player)


def _delete_mails(texts: Sequence[ErasedText]) -> None:
    """Delete mails that wait for delivery to the person; other recipients still get theirs."""
    for text in texts:
        if not isinstance(text, ErasedIdentifier):
            continue
        for mail in OutgoingMail.objects.filter(recipients__icontains=text.value).select_for_update():
            others = [each for each in mail.recipients if not text.pattern.search(each)]
            if others:
                OutgoingMail.objects.filter(pk=mail.pk).update(recipients=others)
            else:
                mail.delete()


def _delete_held_forms(texts: Sequence[ErasedText]) -> None:
    """Delete forms that wait for their sender to sign in again, if they or their files name the person."""
    certain = [text for text in texts if text.is_certain]
    for form in HeldForm.objects.prefetch_related("files").order_by("pk").iterator(chunk_size=20):
        contents = ["\t".join(str(value) for pair in form.fields for value in pair[1:]).encode()]
        contents += [bytes(file.data) for file in form.files.all()]
        if any(is_named_in(certain, content) for content in contents):
            form.delete()


def _empty_files(texts: Sequence[ErasedText], player: Player) -> None:
    """Empty the files that name the person; their results stay in the submissions made of them."""
    own_events = Q(event__in=player.entries.values("table__event"))
    for pk in _find_files(Upload.objects.all(), own_events | Q(list__in=player.standings.values("list")), texts):
        Upload.objects.filter(pk=pk).update(data=b"", name=ERASED, reading=None)
    for pk in _find_files(BatchFile.objects.all(), own_events, texts):
        BatchFile.objects.filter(pk=pk).update(data=b"", name=ERASED, problems=[], head={}, report={}, preview=None)


def _find_files(files: models.QuerySet[Any], own: Q, texts: Sequence[ErasedText]) -> Iterator[int]:
    """Yield the primary keys of files that name the person; each file is read once.

    A text that is not certain is searched only in files of the player's events and lists, which `own` selects.
    """
    files = files.exclude(data=b"")
    own_files = set(files.filter(own).values_list("pk", flat=True))
    certain = [text for text in texts if text.is_certain]
    for file in (files if certain else files.filter(own)).select_for_update().iterator(chunk_size=20):
        if is_named_in(texts if file.pk in own_files else certain, bytes(file.data)):
            yield file.pk

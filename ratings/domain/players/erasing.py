"""Permanent erasure of all data that names a person. Results and ratings stay, without a name.

Erasure cannot be reversed: data that is undone or restored later has no name any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditlog.models import LogEntry
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.lists.import_records import forget_details
from ratings.domain.runs.locks import lock_seats
from ratings.domain.site.acting import acting_user
from ratings.domain.site.following import drop_followers
from ratings.domain.site.page_purging import purge_cached_pages
from ratings.domain.site.recording import record_step
from ratings.matching import fold
from ratings.models import (
    Adjustment,
    Approval,
    ApprovalQuestion,
    ApprovalStep,
    BatchFile,
    Change,
    Decision,
    Event,
    EventEntry,
    EventStep,
    Hall,
    HallLink,
    HallResult,
    ListPlayer,
    Merge,
    NameVisibility,
    OutgoingFile,
    OutgoingMail,
    PairingPage,
    Parcel,
    Player,
    Proposal,
    RecordedStep,
    Report,
    SavedAnswer,
    Spelling,
    Submission,
    SubmissionComment,
    Upload,
    WebhookSubscription,
)
from ratings.models.players.people import ANONYMOUS_NAME
from ratings.systems.ages import asks_birth

from .personal_texts import ErasedName, erase_in_rows
from .player_messages import queue_hiding_messages
from .visibility import list_with_merged

TEXTS: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (Submission, ("content", "warnings", "report", "reason", "name")),
    (SubmissionComment, ("text",)),
    (Event, ("address", "schedule", "contact")),
    (EventEntry, ("club", "message")),
    (EventStep, ("note", "data")),
    (PairingPage, ("tables",)),
    (Hall, ("people",)),
    (HallLink, ("label",)),
    (HallResult, ("name",)),
    (Merge, ("reason",)),
    (RecordedStep, ("reason", "undone_reason", "values")),
    (Report, ("text", "answer")),
    (Adjustment, ("reason", "source")),
    (Decision, ("reason", "source")),
    (Change, ("note",)),
    (ListPlayer, ("prior_evidence",)),
    (Approval, ("evidence", "reason", "reference", "sent_reference")),
    (ApprovalStep, ("note",)),
    (ApprovalQuestion, ("text", "reply")),
    (SavedAnswer, ("values",)),
    (Proposal, ("content", "before")),
    (Parcel, ("subject", "body")),
    (OutgoingMail, ("subject", "body", "html")),
    (WebhookSubscription, ("name",)),
    (LogEntry, ("object_repr", "changes")),
)
"""Models and their fields with text written by people, which may name a person."""
NO_CHANGES: Mapping[str, Any] = {"changes": {}, "changes_text": "", "serialized_data": None}
"""Emptied fields of an audit trail entry; who made the change, and when, stays."""


@transaction.atomic
def erase_person(player: Player, *, reason: str) -> None:
    """Erase the identity of a player and of all players merged into them. This cannot be undone.

    Names, native script, gender, country, clubs, memberships, account, claims, letters and files that name them are
    deleted; the birth date is deleted unless a list rates by it. Results, ratings, grades and the public id stay.
    PermissionDenied: the acting user is not an administrator. ValidationError: no reason, or the player is merged or
    erased already.
    """
    user = acting_user()
    if user is not None and not may(user, Action.ERASE_PERSON):
        raise PermissionDenied
    if not reason.strip():
        raise ValidationError({"reason": _("Enter who requested the erasure, and when.")})
    lock_seats(exclusive=True)  # no results with the name may be saved meanwhile
    player = Player.objects.select_for_update().get(pk=player.pk)
    if player.merged_into_id is not None:
        raise ValidationError(_("This player was merged into another player: erase that player, and both are erased."))
    if player.erased_at is not None:
        raise ValidationError(_("This person's data was already erased."))
    erased = list_with_merged(player, lock=True)
    for each in erased:
        _erase_player(each)
    queue_hiding_messages(erased, NameVisibility.ANONYMOUS, erased=True)
    drop_followers(erased)
    record_step(RecordedStep.What.PERSON_ERASED, {}, player=player, reason=reason.strip())
    purge_cached_pages()


def _erase_player(player: Player) -> None:
    names = ErasedName(player.public_id, (player.family_name, player.given_name), ANONYMOUS_NAME, player.public_id)
    native = player.native_name
    family, given = player.family_name, player.given_name
    _erase_account(player)
    player.family_name, player.given_name, player.native_name = names.family, names.given, ""
    player.country, player.shown, player.birth_public = "", NameVisibility.ANONYMOUS, False
    player.gender, player.gender_public = "", False
    if not _rated_by_age(player):
        player.birth_date = player.birth_year = None
    player.erased_at = timezone.now()
    player.save()
    player.memberships.all().delete()
    _delete_with_log(player.federation_memberships.all())
    _delete_with_log(player.outside_ids.all())
    player.claims.all().delete()
    Spelling.objects.filter(player=player).delete()
    _delete_entries(player, family, given)
    forget_details(player)
    player.approvals.update(letter=None, letter_name="")
    ApprovalStep.objects.filter(case__player=player).update(letter=None, letter_name="")
    OutgoingFile.objects.filter(mail__parcel__case__player=player).delete()
    Parcel.objects.filter(case__player=player).update(dossier=None, certificate=None)
    LogEntry.objects.get_for_object(player).update(**NO_CHANGES)
    for each in (names, ErasedName(player.public_id, (native, ""), names.family, names.given)) if native else (names,):
        for model, fields in TEXTS:
            erase_in_rows(each, model._default_manager.order_by("pk"), *fields)
        _empty_files(each, player)


def _delete_entries(player: Player, family: str, given: str) -> None:
    """Delete the person's entries for events, and those with the same typed name: they hold an email address."""
    typed = EventEntry.objects.filter(player=None).values_list("pk", "family_name", "given_name")
    same_name = {fold(f"{family} {given}"), fold(f"{given} {family}")}
    named = [pk for pk, *names in typed.iterator() if fold(" ".join(names)) in same_name]
    _delete_with_log(EventEntry.objects.filter(Q(player=player) | Q(pk__in=named)))


def _delete_with_log(rows: models.QuerySet[Any]) -> None:
    """Delete rows and the texts about them in the audit trail."""
    pks = list(rows.values_list("pk", flat=True))
    rows.delete()
    log = LogEntry.objects.get_for_model(rows.model).filter(object_pk__in=[str(pk) for pk in pks])
    log.update(object_repr="", **NO_CHANGES)


def _erase_account(player: Player) -> None:
    """Delete the account of a person who only plays; staff and users with a role lose only the page."""
    user = player.account
    player.account = None
    if user is None:
        return
    Report.objects.filter(by=user).update(mail="", by=None)
    if not (user.is_staff or user.is_superuser or user.groups.exists()):
        Player.objects.filter(pk=player.pk).update(account=None)
        log = LogEntry.objects.get_for_object(user)
        LogEntry.objects.filter(actor=user).update(actor_email=None, remote_addr=None)
        pk = user.pk
        user.delete()
        log.filter(object_pk=str(pk)).update(object_repr="", **NO_CHANGES)


def _rated_by_age(player: Player) -> bool:
    """Return whether a list on which the player is rated uses birth dates or birth years."""
    lists = (standing.list for standing in player.standings.select_related("list"))
    return any(asks_birth(each.rating_system.rating.required_values) for each in lists)


def _empty_files(names: ErasedName, player: Player) -> None:
    """Empty the files that name the person; their results stay in the submissions made of them.

    A name of a single word is searched only in files of the player's events and lists.
    """
    uploads = Upload.objects.select_for_update().exclude(data=b"")
    files = BatchFile.objects.select_for_update().exclude(data=b"")
    if names.is_one_word:
        own_events = Q(event__in=player.entries.values("table__event"))
        uploads = uploads.filter(own_events | Q(list__in=player.standings.values("list")))
        files = files.filter(own_events)
    for upload in uploads.iterator(chunk_size=20):
        if names.is_in(bytes(upload.data)):
            Upload.objects.filter(pk=upload.pk).update(data=b"", name=_("(erased)"), reading=None)
    for file in files.iterator(chunk_size=20):
        if names.is_in(bytes(file.data)):
            BatchFile.objects.filter(pk=file.pk).update(data=b"", name=_("(erased)"), problems=[], head={}, report={})

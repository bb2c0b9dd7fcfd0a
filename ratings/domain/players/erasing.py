"""Permanent erasure of all data that names a person. Results and ratings stay, without a name.

Erasure cannot be reversed: data that is undone or restored later has no name any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from allauth.usersessions.models import UserSession
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.lists.import_records import forget_details
from ratings.domain.runs.locks import lock_seats
from ratings.domain.site.acting import acting_user
from ratings.domain.site.following import drop_followers
from ratings.domain.site.page_purging import purge_cached_pages
from ratings.domain.site.recording import record_step
from ratings.matching import fold
from ratings.models import (
    ApprovalStep,
    EventEntry,
    FederationMembership,
    FormerName,
    Membership,
    NameVisibility,
    OutgoingFile,
    OutsideId,
    Parcel,
    Player,
    RecordedStep,
    Report,
    Spelling,
)
from ratings.models.players.people import ANONYMOUS_NAME
from ratings.systems.ages import asks_birth

from .erased_names import collect_erased_texts, is_account_erased, log_is_of
from .erased_rows import erase_texts
from .erasure_requests import check_erasable, may_erase
from .personal_texts import ERASED
from .player_messages import queue_hiding_messages
from .visibility import list_with_merged

NO_CHANGES: Mapping[str, Any] = {
    "object_repr": "",
    "changes": {},
    "changes_text": "",
    "serialized_data": None,
    "additional_data": None,
}
"""Emptied fields of an audit trail entry; who made the change, and when, stays."""


@transaction.atomic
def erase_person(player: Player, *, reason: str) -> None:
    """Erase the identity of a player and of all players merged into them. This cannot be undone.

    Names, native script, gender, country, clubs, memberships, account, claims, letters and files that name them are
    deleted; the birth date is deleted unless a list rates by it. Results, ratings, grades and the public id stay.
    PermissionDenied: the acting user may not erase them (`may_erase`). ValidationError: no reason, or the
    player is merged or erased already.
    """
    user = acting_user()
    if user is not None and not may_erase(user, player):
        raise PermissionDenied
    if not reason.strip():
        raise ValidationError({"reason": _("Enter who requested the erasure, and when.")})
    lock_seats(exclusive=True)  # no results with the name may be saved meanwhile
    player = Player.objects.select_for_update().get(pk=player.pk)
    check_erasable(player)
    erased = list_with_merged(player, lock=True)
    for each in erased:
        _erase_player(each, erased)
    queue_hiding_messages(erased, NameVisibility.ANONYMOUS, erased=True)
    drop_followers(erased)
    record_step(RecordedStep.What.PERSON_ERASED, {}, player=player, reason=reason.strip())
    purge_cached_pages()


def _erase_player(player: Player, erased_together: Sequence[Player]) -> None:
    texts = collect_erased_texts(player, erased_together)
    entered = list(player.event_entries.values_list("event", flat=True))
    name = f"{player.family_name} {player.given_name}", f"{player.given_name} {player.family_name}"
    _erase_account(player)
    player.family_name, player.given_name, player.native_name = ANONYMOUS_NAME, player.public_id, ""
    player.country, player.shown, player.birth_public = "", NameVisibility.ANONYMOUS, False
    player.gender, player.gender_public = "", False
    if not is_rated_by_age(player):
        player.birth_date = player.birth_year = None
    player.erased_at = timezone.now()
    player.save()
    _delete_entries(player, name)
    for rows in (player.memberships, player.federation_memberships, player.outside_ids, player.former_names):
        _delete_with_log(rows.all())
    player.claims.all().delete()
    Spelling.objects.filter(player=player).delete()
    forget_details(player)
    _erase_letters(player)
    _erase_reports(player)
    player.recorded_steps.filter(what=RecordedStep.What.ERASURE_REQUESTED).update(reason="", undone_reason="")
    _empty_log(player)
    erase_texts(texts, player, entered)


def _delete_entries(player: Player, names: Iterable[str]) -> None:
    """Delete the person's entries for events, and those with the same typed name: they hold an email address."""
    typed = EventEntry.objects.filter(player=None).values_list("pk", "family_name", "given_name")
    same_name = set(map(fold, names))
    named = [pk for pk, *name in typed.iterator() if fold(" ".join(name)) in same_name]
    _delete_with_log(EventEntry.objects.filter(Q(player=player) | Q(pk__in=named)))


def _delete_with_log(rows: models.QuerySet[Any]) -> None:
    """Delete rows and the texts about them in the audit trail."""
    pks = list(rows.values_list("pk", flat=True))
    rows.delete()
    _empty_entries(rows.model, pks)


def _erase_letters(player: Player) -> None:
    player.approvals.update(letter=None, letter_name="")
    ApprovalStep.objects.filter(case__player=player).update(letter=None, letter_name="")
    OutgoingFile.objects.filter(mail__parcel__case__player=player).delete()
    Parcel.objects.filter(case__player=player).update(dossier=None, certificate=None)


def _erase_reports(player: Player) -> None:
    """Delete the texts of errors that were reported about the person; their numbers and states stay."""
    reports = player.reports.all()
    reports.update(text=ERASED)
    reports.exclude(answer="").update(answer=ERASED)
    _empty_entries(Report, list(reports.values_list("pk", flat=True)))


def _empty_log(player: Player) -> None:
    """Empty the audit trail of the player, and of memberships, ids and entries that were deleted earlier."""
    LogEntry.objects.get_for_object(player).update(**NO_CHANGES)
    for model in (Membership, FederationMembership, OutsideId, FormerName, EventEntry):
        entries = LogEntry.objects.get_for_model(model).filter(log_is_of(player))
        _empty_entries(model, list(entries.values_list("object_pk", flat=True)))


def _empty_entries(model: type[models.Model], pks: Iterable[object]) -> None:
    LogEntry.objects.get_for_model(model).filter(object_pk__in=[str(pk) for pk in pks]).update(**NO_CHANGES)


def _erase_account(player: Player) -> None:
    """Delete the account of a person who only plays; staff and users with a role lose only the page."""
    user = player.account
    player.account = None
    if user is None:
        return
    Report.objects.filter(by=user).update(mail="", by=None)
    if is_account_erased(user):
        Player.objects.filter(pk=player.pk).update(account=None)
        keys = UserSession.objects.filter(user=user).values_list("session_key", flat=True)
        Session.objects.filter(session_key__in=list(keys)).delete()
        LogEntry.objects.filter(actor=user).update(actor_email=None, remote_addr=None)
        pk = user.pk
        user.delete()
        _empty_entries(User, [pk])


def is_rated_by_age(player: Player) -> bool:
    """Return whether a list on which the player is rated uses birth dates or birth years."""
    lists = (standing.list for standing in player.standings.select_related("list"))
    return any(asks_birth(each.rating_system.rating.required_values) for each in lists)

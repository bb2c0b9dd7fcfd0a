"""Merging two players who are the same person, and undoing merges and moves of results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.grades.grade_approval import check_merge, check_undo
from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.marking import mark_player_out_of_date
from ratings.domain.runs.previewing import Preview, preview
from ratings.domain.site.acting import acting_user
from ratings.domain.site.following import move_followers
from ratings.localize import join_parts
from ratings.models import (
    Adjustment,
    Approval,
    Decision,
    Entry,
    EventEntry,
    FederationMembership,
    ListPlayer,
    Membership,
    Merge,
    OutsideId,
    Player,
    RatingList,
    Spelling,
    Table,
)
from ratings.models.messages import RunReason
from ratings.queries.lists.lists_of_players import lists_of_players, lists_of_tables

from .player_messages import queue_merge_messages
from .reassign_results import (
    check_not_merged,
    check_not_seated,
    describe_merge,
    lock_players_and_events,
    move_seats,
    update_open_corrections,
)
from .visibility import apply_visibility, most_hidden, note_hiding, record_visibility, shows_less

ACCOUNT, GENDER, MEMBER_UNTIL = "account", "gender", "member until"
MOVED: dict[str, type[models.Model]] = {
    "approval": Approval,
    "adjustment": Adjustment,
    "decision": Decision,
    "list": ListPlayer,
    "membership": Membership,
    "federation membership": FederationMembership,
    "spelling": Spelling,
    "outside id": OutsideId,
    "event entry": EventEntry,
}


@transaction.atomic
def merge_players(gone: Player, kept: Player, *, reason: str) -> Merge:
    """Move all data of the player `gone` to the player `kept`; the page of `gone` then redirects to that of `kept`.

    Both are displayed like the more hidden of the two, even after the merge is undone: a merge never reveals a name.
    ValidationError: both are in one table, or one of them is merged already. PermissionDenied: the acting user is not
    an officer of all lists on which one of them has any data.
    """
    lock_seats(exclusive=True)
    return _merge(gone, kept, reason=reason)


def _merge(gone: Player, kept: Player, *, reason: str) -> Merge:
    check_officer(lists_of_players(gone, kept))
    seated = Table.objects.filter(entries__player=gone)
    lock_players_and_events(seated, gone, kept)
    tables = list(seated.all())
    _check(gone, kept)
    check_merge(gone, kept)
    record = Merge(gone=gone, kept=kept, reason=reason, by=acting_user())
    record.full_clean()
    run_reason = RunReason.PLAYERS_MERGED(gone=gone.public_id, kept=kept.public_id)
    before = Player.objects.in_bulk([gone.pk, kept.pk])
    record.moved = {kind: list(_movable(model, gone, kept)) for kind, model in MOVED.items()}
    _mark(gone, kept, record.moved["list"], reason=run_reason)
    for kind, model in MOVED.items():
        model._default_manager.filter(pk__in=record.moved[kind]).update(player=kept)
    record.moved["table"] = sorted(table.pk for table in tables)
    _move_seats(tables, gone, kept)
    record.moved[ACCOUNT] = _move_account(gone, kept)
    record.moved[GENDER] = _copy_gender(before[gone.pk], before[kept.pk])
    record.moved[MEMBER_UNTIL] = _extend_memberships(gone, kept)
    record.moved["merged"] = list(gone.merged.order_by("pk").values_list("pk", flat=True))
    Player.objects.filter(pk__in=[gone.pk, *record.moved["merged"]]).update(merged_into=kept)
    record.save()
    _show_as_most_hidden(record, before)
    queue_merge_messages(gone, kept)
    move_followers(gone, kept)
    return record


def _show_as_most_hidden(record: Merge, before: Mapping[int, Player]) -> None:
    """Display both players of a merge like the more hidden of them; `before` has them as they were, by key."""
    visibility = most_hidden(*before.values())
    apply_visibility(record.kept, visibility)
    for _pk, player in sorted(before.items()):
        after = copy(player)
        after.shown = visibility
        record_visibility(player, after, merge=record)
    hidden = {player.pk for player in before.values() if shows_less(visibility, player.shown)}
    if record.gone_id in hidden:
        hidden |= set(record.moved["merged"])
    if record.kept_id in hidden:
        earlier = record.kept.merged.exclude(pk__in=[record.gone_id, *record.moved["merged"]])
        hidden |= set(earlier.values_list("pk", flat=True))
    if hidden:
        players = list(Player.objects.filter(pk__in=hidden))
        note_hiding(players, visibility, moved_to=record.kept)


def _check(gone: Player, kept: Player) -> None:
    check_not_merged(gone, kept)
    if Player.objects.filter(pk__in=[gone.pk, kept.pk]).exclude(erased_at=None).count() == 1:
        raise ValidationError(_("One of these two was erased: erase the other as well, then merge them."))
    if gone == kept:
        raise ValidationError(_("Choose two different players: both of these are %(player)s.") % {"player": gone.name})
    both = Table.objects.filter(entries__player=gone).filter(entries__player=kept).select_related("event")
    if both:
        message = _("These two players are in the same table: %(tables)s.")
        raise ValidationError(message % {"tables": join_parts(both[:3])})


def _movable(model: type[models.Model], gone: Player, kept: Player) -> Collection[int]:
    """Return the primary keys of the rows that move; rows that the other player has already stay."""
    rows = model._default_manager.filter(player=gone)
    if model is ListPlayer:
        rows = rows.exclude(list__in=ListPlayer.objects.filter(player=kept).values("list"))
    if model is Membership and Membership.objects.filter(player=kept, end=None).exists():
        rows = rows.exclude(end=None)
    if model is FederationMembership:
        rows = rows.exclude(federation__in=FederationMembership.objects.filter(player=kept).values("federation"))
    if model is Approval:
        same_way = {"list": models.OuterRef("list"), "grade": models.OuterRef("grade")}
        open_ = Approval.objects.filter(player=kept, state__in=Approval.OPEN, **same_way)
        rows = rows.exclude(models.Exists(open_), state__in=Approval.OPEN)
    if model is EventEntry:
        rows = rows.exclude(event__in=EventEntry.objects.filter(player=kept).values("event"))
    if model is Decision:
        same = {"grade": models.OuterRef("grade"), "date": models.OuterRef("date"), "ruling": models.OuterRef("ruling")}
        existing = Decision.objects.filter(player=kept, list=models.OuterRef("list"), **same)
        rows = rows.exclude(models.Exists(existing))
    return rows.values_list("pk", flat=True)


def _move_account(giver: Player, taker: Player) -> list[int]:
    """Move an account to a player who has none; return its primary key in a list, which is empty if it stays."""
    accounts = dict(Player.objects.filter(pk__in=[giver.pk, taker.pk]).values_list("pk", "account"))
    account = accounts[giver.pk]
    if account is None or accounts[taker.pk] is not None:
        return []
    Player.objects.filter(pk=giver.pk).update(account=None)
    Player.objects.filter(pk=taker.pk).update(account=account)
    return [account]


def _copy_gender(gone: Player, kept: Player) -> list[int]:
    """Copy the gender of `gone`, with its visibility, to `kept` if none is recorded there.

    Return the primary key of `gone` in a list, which is empty if nothing was copied.
    """
    if kept.gender or not gone.gender:
        return []
    Player.objects.filter(pk=kept.pk).update(gender=gone.gender, gender_public=gone.gender_public)
    return [gone.pk]


def _extend_memberships(gone: Player, kept: Player) -> list[tuple[int, str, str]]:
    """Give `kept` the later day wherever both players are members of a federation.

    Return the primary key of each changed row, with its day before and after.
    """
    days = dict(FederationMembership.objects.filter(player=gone).values_list("federation", "until"))
    changed = []
    for row in FederationMembership.objects.select_for_update(of=("self",)).filter(player=kept, federation__in=days):
        before, after = row.until, days[row.federation_id]
        if after > before:
            row.until = after
            row.save(update_fields=["until"])
            changed.append((row.pk, before.isoformat(), after.isoformat()))
    return changed


def _mark(gone: Player, kept: Player, rows: Collection[int], *, reason: str) -> None:
    """Mark the lists as out of date from the first step on that moves between two players.

    Called while the tables and the rest belong to `gone`. `rows` are the ListPlayer rows that move: what a list knows
    of a player counts from their first table on, so those lists are marked from the first table of `kept` on.
    """
    for rating_list in lists_of_players(gone):
        mark_player_out_of_date(rating_list, gone, reason)
    for rating_list in RatingList.objects.filter(members__in=rows).order_by("pk"):
        mark_player_out_of_date(rating_list, kept, reason)


def _move_seats(tables: Collection[Table], giver: Player, taker: Player) -> None:
    Entry.objects.filter(table__in=tables, player=giver).update(player=taker)


@transaction.atomic
def undo_merge(record: Merge) -> list[Table]:
    """Undo a merge or a move of results by moving exactly the moved rows back, except rows deleted since.

    Return the tables in which the other player is no longer seated; these stay as they are.
    """
    lock_seats(exclusive=True)
    record = Merge.objects.select_for_update(of=("self",)).select_related("gone", "kept").get(pk=record.pk)
    tables = _tables_of(record)
    _check_rights(record, tables)
    lock_players_and_events(tables, record.gone, record.kept)
    movable = _check_undo(record, tables)
    if record.whole:
        _separate(record, movable)
    else:
        move_seats(movable, record.kept, record.gone, RunReason.MOVE_UNDONE(what=describe_merge(record)))
    record.undone_at, record.undone_by = timezone.now(), acting_user()
    record.save()
    return [table for table in tables if table not in movable]


def merge_undo_problem(record: Merge) -> str:
    """Return why the acting user cannot undo a merge or a move of results now; empty if they can."""
    tables = _tables_of(record)
    try:
        _check_rights(record, tables)
        _check_undo(record, tables)
    except PermissionDenied as error:
        return str(error) or _("You need other rights for this page.")
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def _tables_of(record: Merge) -> list[Table]:
    return list(Table.objects.filter(pk__in=record.moved.get("table", ())).select_related("event"))


def _check_undo(record: Merge, tables: Collection[Table]) -> list[Table]:
    """Return the tables in which the other player is still seated. ValidationError: the merge cannot be undone."""
    if record.undone_at is not None:
        raise ValidationError(_("This merge was already undone."))
    check_not_merged(record.kept, *([] if record.whole else [record.gone]))
    seated = set(record.kept.entries.filter(table__in=tables).values_list("table", flat=True))
    movable = [table for table in tables if table.pk in seated]
    check_not_seated(movable, record.gone)
    check_undo(record)
    if not (record.whole or movable):
        message = _("%(player)s is no longer in any of these tables: there is nothing to undo.")
        raise ValidationError(message % {"player": record.kept.name})
    return movable


def _check_rights(record: Merge, tables: Collection[Table]) -> None:
    lists = set(lists_of_tables([table.pk for table in tables]))
    if record.whole:
        lists |= set(lists_of_players(record.gone, record.kept))
    check_officer(sorted(lists, key=lambda each: each.pk))


def _separate(record: Merge, tables: Collection[Table]) -> None:
    """Separate two merged players again."""
    gone, kept = record.gone, record.kept
    run_reason = RunReason.MERGE_UNDONE(gone=gone.public_id, kept=kept.public_id)
    for kind, model in MOVED.items():
        model._default_manager.filter(pk__in=record.moved.get(kind, ()), player=kept).update(player=gone)
    _move_seats(tables, kept, gone)
    if record.moved.get(ACCOUNT) == [kept.account_id]:
        _move_account(kept, gone)
    if record.moved.get(GENDER):
        Player.objects.filter(pk=kept.pk, gender=gone.gender).update(gender="", gender_public=False)
    for pk, before, after in record.moved.get(MEMBER_UNTIL, ()):
        FederationMembership.objects.filter(pk=pk, player=kept, until=after).update(until=before)
    Player.objects.filter(pk=gone.pk).update(merged_into=None)
    Player.objects.filter(pk__in=record.moved.get("merged", ()), merged_into=kept).update(merged_into=gone)
    gone.refresh_from_db()
    update_open_corrections(tables, kept, gone)
    queue_merge_messages(gone, kept, undone=True)
    _mark(gone, kept, record.moved.get("list", ()), reason=run_reason)


def preview_merge(gone: Player, kept: Player, *, tables_at_most: int | None = None) -> list[Preview]:
    """Return what a merge would do to the lists."""
    return preview(lambda: _merge(gone, kept, reason="?"), tables_at_most=tables_at_most)

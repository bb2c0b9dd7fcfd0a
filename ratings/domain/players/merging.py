"""Two players who were one: rows move from one to the other, and can be moved back, as can tables that were given."""

from __future__ import annotations

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import (
    Adjustment,
    Approval,
    Decision,
    Entry,
    ListPlayer,
    Membership,
    Merge,
    Player,
    RatingList,
    Spelling,
    Table,
)
from ratings.systems.words import Words

from .acting import acting_user
from .giving import check_free, check_present, described, give_seats, hold, mend_corrections
from .marking import mark_player
from .previewing import Preview, preview
from .visibility import most_hidden, show_as

ACCOUNT = "account"
MOVED: dict[str, type[models.Model]] = {
    "approval": Approval,
    "adjustment": Adjustment,
    "decision": Decision,
    "list": ListPlayer,
    "membership": Membership,
    "spelling": Spelling,
}


@transaction.atomic
def merge(gone: Player, kept: Player, *, reason: str) -> Merge:
    """Move everything of one player to another; his address leads there from now on.

    ValidationError: they sit at one table, or one of them is merged away already. Both are shown as the more hidden of
    them was, also if the merge is undone: a merge never tells a name.
    """
    seated = Table.objects.filter(entries__player=gone)
    hold(seated, gone, kept)
    tables = list(seated.all())
    _check(gone, kept)
    record = Merge(gone=gone, kept=kept, reason=reason, by=acting_user())
    record.full_clean()
    _mark(gone, kept)
    for kind, model in MOVED.items():
        pks = list(_movable(model, gone, kept))
        model._default_manager.filter(pk__in=pks).update(player=kept)
        record.moved[kind] = pks
    record.moved["table"] = sorted(table.pk for table in tables)
    _seat(tables, gone, kept)
    record.moved[ACCOUNT] = _hand_over_account(gone, kept)
    record.moved["merged"] = list(gone.merged.order_by("pk").values_list("pk", flat=True))
    Player.objects.filter(pk__in=[gone.pk, *record.moved["merged"]]).update(merged_into=kept)
    record.save()
    show_as(kept, most_hidden(gone, kept))
    _mark(gone, kept)
    return record


def _check(gone: Player, kept: Player) -> None:
    check_present(gone, kept)
    both = Table.objects.filter(entries__player=gone).filter(entries__player=kept).select_related("event")
    if gone == kept or both:
        told = ", ".join(str(table) for table in both[:3])
        raise ValidationError(_("These two stand in one table: %(tables)s.") % {"tables": told or gone.name})


def _movable(model: type[models.Model], gone: Player, kept: Player) -> Collection[int]:
    """Rows of a kind that go along; what the other has already, stays."""
    rows = model._default_manager.filter(player=gone)
    if model is ListPlayer:
        rows = rows.exclude(list__in=ListPlayer.objects.filter(player=kept).values("list"))
    if model is Membership and Membership.objects.filter(player=kept, end=None).exists():
        rows = rows.exclude(end=None)
    if model is Approval:
        same_way = {"list": models.OuterRef("list"), "grade": models.OuterRef("grade")}
        open_ = Approval.objects.filter(player=kept, state__in=Approval.OPEN, **same_way)
        rows = rows.exclude(models.Exists(open_), state__in=Approval.OPEN)
    if model is Decision:
        same = {"grade": models.OuterRef("grade"), "date": models.OuterRef("date"), "ruling": models.OuterRef("ruling")}
        there = Decision.objects.filter(player=kept, list=models.OuterRef("list"), **same)
        rows = rows.exclude(models.Exists(there))
    return rows.values_list("pk", flat=True)


def _hand_over_account(giver: Player, taker: Player) -> list[int]:
    """The giver's account goes to who has none; its id, if it went."""
    accounts = dict(Player.objects.filter(pk__in=[giver.pk, taker.pk]).values_list("pk", "account"))
    account = accounts[giver.pk]
    if account is None or accounts[taker.pk] is not None:
        return []
    Player.objects.filter(pk=giver.pk).update(account=None)
    Player.objects.filter(pk=taker.pk).update(account=account)
    return [account]


def _mark(*players: Player) -> None:
    """Have every list rated again on which these have played or been given anything."""
    concerned = models.Q(events__tables__entries__player__in=players) | models.Q(adjustments__player__in=players)
    concerned |= models.Q(decisions__player__in=players)
    for rating_list in RatingList.objects.filter(concerned, comparison_to=None).distinct().order_by("pk"):
        for player in players:
            mark_player(rating_list, player)


def _seat(tables: Collection[Table], giver: Player, taker: Player) -> None:
    Entry.objects.filter(table__in=tables, player=giver).update(player=taker)


@transaction.atomic
def undo(record: Merge) -> list[Table]:
    """Move exactly those rows back that were moved; rows that are gone meanwhile stay gone.

    The tables in which the other one sits no more are given back; they stay as they are.
    """
    record = Merge.objects.select_for_update(of=("self",)).select_related("gone", "kept").get(pk=record.pk)
    if record.undone_at is not None:
        raise ValidationError(_("This merge is undone already."))
    tables = list(Table.objects.filter(pk__in=record.moved.get("table", ())).select_related("event"))
    hold(tables, record.gone, record.kept)
    check_present(record.kept, *([] if record.whole else [record.gone]))
    sits = set(record.kept.entries.filter(table__in=tables).values_list("table", flat=True))
    there = [table for table in tables if table.pk in sits]
    check_free(there, record.gone)
    if record.whole:
        _part(record, there)
    elif there:
        give_seats(there, record.kept, record.gone, Words("taken back: {what}", what=described(record)))
    else:
        told = _("%(player)s sits in none of these tables any more: there is nothing to undo.")
        raise ValidationError(told % {"player": record.kept.name})
    record.undone_at, record.undone_by = timezone.now(), acting_user()
    record.save()
    return [table for table in tables if table.pk not in sits]


def _part(record: Merge, tables: Collection[Table]) -> None:
    """Two who were merged go their own ways again."""
    gone, kept = record.gone, record.kept
    _mark(gone, kept)
    for kind, model in MOVED.items():
        model._default_manager.filter(pk__in=record.moved.get(kind, ()), player=kept).update(player=gone)
    _seat(tables, kept, gone)
    if record.moved.get(ACCOUNT) == [kept.account_id]:
        _hand_over_account(kept, gone)
    Player.objects.filter(pk=gone.pk).update(merged_into=None)
    Player.objects.filter(pk__in=record.moved.get("merged", ()), merged_into=kept).update(merged_into=gone)
    gone.refresh_from_db()
    mend_corrections(tables, kept, gone)
    _mark(gone, kept)


def preview_merge(gone: Player, kept: Player) -> list[Preview]:
    """What a merge would do to the lists."""
    return preview(lambda: merge(gone, kept, reason="?"))

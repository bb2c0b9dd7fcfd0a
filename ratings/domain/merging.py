"""Two players who were one, and one who was two: rows move from one to the other, and can be moved back."""

from __future__ import annotations

from collections.abc import Collection

from auditlog.models import LogEntry
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import (
    Adjustment,
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

from .acting import acting_user
from .marking import mark_player
from .previewing import Preview, preview

MOVED: dict[str, type[models.Model]] = {
    "entry": Entry,
    "adjustment": Adjustment,
    "decision": Decision,
    "list": ListPlayer,
    "membership": Membership,
    "spelling": Spelling,
}


@transaction.atomic
def merge(gone: Player, kept: Player, *, reason: str) -> Merge:
    """Move everything of one player to another; his address leads there from now on.

    ValidationError: they sit at one table, or one of them is merged away already.
    """
    _check(gone, kept)
    record = Merge(gone=gone, kept=kept, reason=reason, by=acting_user())
    record.full_clean()
    _mark(gone, kept)
    for kind, model in MOVED.items():
        pks = list(_movable(model, gone, kept))
        model._default_manager.filter(pk__in=pks).update(player=kept)
        record.moved[kind] = pks
    record.save()
    Player.objects.filter(pk=gone.pk).update(merged_into=kept)
    _mark(gone, kept)
    return record


def _check(gone: Player, kept: Player) -> None:
    for player in (gone, kept):
        if Player.objects.get(pk=player.pk).merged_into_id is not None:
            raise ValidationError(_("%(player)s is merged with somebody already.") % {"player": player})
    both = Table.objects.filter(entries__player=gone).filter(entries__player=kept).select_related("event")
    if gone == kept or both:
        told = ", ".join(str(table) for table in both[:3])
        raise ValidationError(_("These two stand in one table: %(tables)s.") % {"tables": told or gone})


def _movable(model: type[models.Model], gone: Player, kept: Player) -> Collection[int]:
    """Rows of a kind that go along; what the other has already, stays."""
    rows = model._default_manager.filter(player=gone)
    if model is ListPlayer:
        rows = rows.exclude(list__in=ListPlayer.objects.filter(player=kept).values("list"))
    if model is Membership and Membership.objects.filter(player=kept, end=None).exists():
        rows = rows.exclude(end=None)
    if model is Decision:
        same = {"grade": models.OuterRef("grade"), "date": models.OuterRef("date"), "ruling": models.OuterRef("ruling")}
        there = Decision.objects.filter(player=kept, list=models.OuterRef("list"), **same)
        rows = rows.exclude(models.Exists(there))
    return rows.values_list("pk", flat=True)


def _mark(*players: Player) -> None:
    """Have every list rated again on which these have played or been given anything."""
    concerned = models.Q(events__tables__entries__player__in=players) | models.Q(adjustments__player__in=players)
    for rating_list in RatingList.objects.filter(concerned, comparison_to=None).distinct().order_by("pk"):
        for player in players:
            mark_player(rating_list, player)


@transaction.atomic
def undo(record: Merge) -> None:
    """Move exactly those rows back that were moved; rows that are gone meanwhile stay gone."""
    record = Merge.objects.select_for_update().select_related("gone", "kept").get(pk=record.pk)
    if record.undone_at is not None:
        raise ValidationError(_("This merge is undone already."))
    _mark(record.gone, record.kept)
    for kind, pks in record.moved.items():
        MOVED[kind]._default_manager.filter(pk__in=pks, player=record.kept).update(player=record.gone)
    Player.objects.filter(pk=record.gone_id).update(merged_into=None)
    record.undone_at, record.undone_by = timezone.now(), acting_user()
    record.save()
    _mark(record.gone, record.kept)


@transaction.atomic
def give_tables(tables: Collection[Table], giver: Player, taker: Player) -> None:
    """Some tables of one player were another's: a namesake's, or all of one event."""
    for table in tables:
        if table.entries.filter(player=taker).exists():
            raise ValidationError(_("%(player)s stands in %(table)s already.") % {"player": taker, "table": table})
    _mark(giver, taker)
    Entry.objects.filter(table__in=tables, player=giver).update(player=taker)
    for table in tables:
        players = f"{giver} {giver.public_id}", f"{taker} {taker.public_id}"
        LogEntry.objects.log_create(table, action=LogEntry.Action.UPDATE, changes={"player": players})
    _mark(giver, taker)


def preview_merge(gone: Player, kept: Player) -> list[Preview]:
    """What a merge would do to the lists."""
    return preview(lambda: merge(gone, kept, reason="?"))

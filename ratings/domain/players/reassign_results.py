"""One player who was two: the results of some of his tables are given to another, and their events tell of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.formats.entered import content_of
from ratings.models import Entry, Event, EventStep, Merge, Player, RatingList, Sheet, Table

from .acting import acting_user
from .marking import mark_out_of_date
from .previewing import Preview, preview
from .review import note_step
from .sheets import keep_version, note_version


@transaction.atomic
def give_tables(tables: Collection[Table], giver: Player, taker: Player, *, reason: str) -> Merge:
    """The results of one player in some tables were another's, who is made if he is new.

    ValidationError: the one sits at none of the tables, the other at one of them, or one of them is merged away.
    """
    if taker.pk is None:
        taker.full_clean()
        taker.save()
    hold(tables, giver, taker)
    check_present(giver, taker)
    if giver == taker or not tables:
        raise ValidationError(_("Choose at least one table, and another player."))
    _check_sits(tables, giver)
    check_free(tables, taker)
    record = Merge(gone=giver, kept=taker, whole=False, reason=reason, by=acting_user())
    record.moved = {"table": sorted(table.pk for table in tables)}
    record.full_clean()
    record.save()
    give_seats(tables, giver, taker, described(record))
    return record


def preview_given(tables: Collection[Table], giver: Player, taker: Player) -> list[Preview]:
    """What giving these tables would do to the lists."""
    return preview(lambda: give_tables(tables, giver, copy(taker), reason="?"))


def described(record: Merge) -> str:
    """From whom to whom, and why."""
    people = (f"{player.name} ({player.public_id})" for player in (record.gone, record.kept))
    return f"{' → '.join(people)}: {record.reason}"


def hold(tables: Iterable[Table], *players: Player) -> None:
    """Others who move these players' rows or correct these tables wait; everybody holds players first, then events.

    A query of tables is made when the players are held.
    """
    # accepted results refer to players, which does not have to wait
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=[p.pk for p in players]).order_by("pk"))
    events = {table.event_id for table in tables}
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk"))


def check_present(*players: Player) -> None:
    """Nobody of them is merged away."""
    for player in Player.objects.filter(pk__in=[p.pk for p in players]).exclude(merged_into=None):
        told = _("%(player)s is merged with somebody already: take the one he was merged into, or undo that first.")
        raise ValidationError(told % {"player": player})


def _check_sits(tables: Collection[Table], player: Player) -> None:
    there = set(Entry.objects.filter(table__in=tables, player=player).values_list("table", flat=True))
    for table in tables:
        if table.pk not in there:
            told = _("%(player)s does not sit in %(table)s any more: look again.")
            raise ValidationError(told % {"player": player, "table": table})


def check_free(tables: Iterable[Table], player: Player) -> None:
    """He sits in none of the tables."""
    taken = Entry.objects.filter(table__in=[table.pk for table in tables], player=player)
    if seat := taken.select_related("table__event").first():
        told = _("%(player)s stands in %(table)s already; correct that table's results instead.")
        raise ValidationError(told % {"player": player, "table": seat.table})


def give_seats(tables: Collection[Table], giver: Player, taker: Player, note: str) -> None:
    """Seat another player, keeping what the tables held before as their versions."""
    _mark(tables, note)
    for table in tables:
        keep_version(table)
        table.entries.filter(player=giver).update(player=taker)
        mend_corrections([table], giver, taker)
        note_version(table, note)
    for event in Event.objects.filter(pk__in={table.event_id for table in tables}).order_by("pk"):
        note_step(event, EventStep.What.REMAPPED, note)


def _mark(tables: Collection[Table], reason: str) -> None:
    """Have these tables rated again; what follows from them follows by itself."""
    pks = [table.pk for table in tables]
    lists = RatingList.objects.filter(events__tables__in=pks, comparison_to=None).distinct()
    for rating_list in lists.order_by("pk"):
        rated = list(Table.objects.filter(pk__in=pks, event__lists=rating_list))
        mark_out_of_date([rating_list], min(table.last_day for table in rated), reason, tables=rated)


def mend_corrections(tables: Iterable[Table], giver: Player, taker: Player) -> None:
    """Corrections that are open go on with the right player, and do not bring the wrong one back."""
    wrong = {giver.public_id, *giver.merged.values_list("public_id", flat=True)}
    open_ = Sheet.objects.filter(table__in=[table.pk for table in tables]).exclude(state=Sheet.State.ACCEPTED)
    for sheet in open_.select_for_update().order_by("pk"):
        content = content_of(sheet.content)
        for row in content.rows:
            if row.player in wrong:
                row.player, row.country = taker.public_id, str(taker.country)
                row.family, row.given = taker.family_name, taker.given_name
        sheet.content = content.written()
        sheet.save(update_fields=["content"])

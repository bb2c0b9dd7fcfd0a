"""Moving a player's results in some tables to another player; the events record it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.results.corrections import save_first_version, save_new_version
from ratings.domain.results.steps import record_event_step
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.previewing import Preview, preview
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import content_from_json
from ratings.models import Entry, Event, EventStep, Merge, Player, Submission, Table
from ratings.queries.lists.lists_of_players import lists_of_tables


@transaction.atomic
def move_results(tables: Collection[Table], giver: Player, taker: Player, *, reason: str) -> Merge:
    """Move the results of `giver` in some tables to `taker`, who is saved if new.

    ValidationError: `giver` is not in all of these tables, `taker` is in one of them, or one of the players is merged.
    PermissionDenied: the acting user is not an officer of all lists on which the tables are rated.
    """
    check_officer(lists_of_tables([table.pk for table in tables]))
    if taker.pk is None:
        taker.full_clean()
        taker.save()
    lock_players_and_events(tables, giver, taker)
    check_not_merged(giver, taker)
    if giver == taker or not tables:
        raise ValidationError(_("Choose at least one table, and another player."))
    _check_seated(tables, giver)
    check_not_seated(tables, taker)
    record = Merge(gone=giver, kept=taker, whole=False, reason=reason, by=acting_user())
    record.moved = {"table": sorted(table.pk for table in tables)}
    record.full_clean()
    record.save()
    move_seats(tables, giver, taker, describe_merge(record))
    return record


def preview_move(
    tables: Collection[Table], giver: Player, taker: Player, *, tables_at_most: int | None = None
) -> list[Preview]:
    """Return what moving these results to another player would do to the lists."""
    return preview(lambda: move_results(tables, giver, copy(taker), reason="?"), tables_at_most=tables_at_most)


def describe_merge(record: Merge) -> str:
    """Return the names and public ids of the two players of a merge or move, and its reason."""
    people = (f"{player.name} ({player.public_id})" for player in (record.gone, record.kept))
    return f"{' → '.join(people)}: {record.reason}"


def lock_players_and_events(tables: Iterable[Table], *players: Player) -> None:
    """Lock players and then the events of tables, so that other moves and corrections of them wait.

    Every caller locks in this order, to avoid deadlocks. If `tables` is a query, it is run when the players are locked.
    """
    # no_key: results that are being accepted refer to players and do not have to wait
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=[p.pk for p in players]).order_by("pk"))
    events = {table.event_id for table in tables}
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk"))


def check_not_merged(*players: Player) -> None:
    """Raise ValidationError if one of the players is merged into another."""
    for player in Player.objects.filter(pk__in=[p.pk for p in players]).exclude(merged_into=None):
        message = _("%(player)s was merged into another player: choose that player, or undo the merge first.")
        raise ValidationError(message % {"player": player})


def _check_seated(tables: Collection[Table], player: Player) -> None:
    seated = set(Entry.objects.filter(table__in=tables, player=player).values_list("table", flat=True))
    for table in tables:
        if table.pk not in seated:
            message = _("%(player)s is no longer in %(table)s: open the page again.")
            raise ValidationError(message % {"player": player, "table": table})


def check_not_seated(tables: Iterable[Table], player: Player) -> None:
    """Raise ValidationError if a player is already in one of the tables."""
    seats = Entry.objects.filter(table__in=[table.pk for table in tables], player=player)
    if seat := seats.select_related("table__event").first():
        message = _("%(player)s is already in %(table)s: correct the results of that table instead.")
        raise ValidationError(message % {"player": player, "table": seat.table})


def move_seats(tables: Collection[Table], giver: Player, taker: Player, note: str) -> None:
    """Replace a player by another in some tables, and save the previous results as versions of the tables."""
    _mark(tables, note)
    for table in tables:
        save_first_version(table)
        table.entries.filter(player=giver).update(player=taker)
        update_open_corrections([table], giver, taker)
        save_new_version(table, note)
    for event in Event.objects.filter(pk__in={table.event_id for table in tables}).order_by("pk"):
        record_event_step(event, EventStep.What.REMAPPED, note)


def _mark(tables: Collection[Table], reason: str) -> None:
    """Mark these tables to be rated again; later tables are rated again as far as they are affected."""
    pks = [table.pk for table in tables]
    for rating_list in lists_of_tables(pks):
        rated = list(Table.objects.filter(pk__in=pks, event__lists=rating_list))
        mark_lists_out_of_date([rating_list], min(table.last_day for table in rated), reason, tables=rated)


def update_open_corrections(tables: Iterable[Table], giver: Player, taker: Player) -> None:
    """Replace a player by another in open corrections of some tables, so that these do not restore the wrong player."""
    wrong = {giver.public_id, *giver.merged.values_list("public_id", flat=True)}
    open_ = Submission.objects.filter(table__in=[table.pk for table in tables]).exclude(state=Submission.State.ACCEPTED)
    for submission in open_.select_for_update().order_by("pk"):
        content = content_from_json(submission.content)
        for row in content.rows:
            if row.player in wrong:
                row.player, row.country = taker.public_id, str(taker.country)
                row.family, row.given = taker.family_name, taker.given_name
        submission.content = content.to_json()
        submission.save(update_fields=["content"])

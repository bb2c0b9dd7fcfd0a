"""Records of what the import of a rating list changed, with which it can be undone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from ratings.batches import in_batches
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.outcome import UnratableError
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.recording import lock_step, record_step, record_undo
from ratings.localize import format_day
from ratings.models import (
    Adjustment,
    Award,
    Change,
    Correction,
    DatedLine,
    Decision,
    Entry,
    Event,
    FederationMembership,
    ListPlayer,
    OutsideId,
    Player,
    RatingList,
    RecordedStep,
    Standing,
    Upload,
)
from ratings.models.messages import RunReason

from .adjustments import delete_list_player, save_list_player, save_player
from .list_permissions import check_officer

IMPORTED = RecordedStep.What.LIST_IMPORTED
Details = tuple[str, int | None, str]
DETAILS = ("country", "birth_year", "gender")
"""Fields of a player that an import fills if they are empty; records of earlier imports have the first two only."""
DERIVED: tuple[type[models.Model], ...] = (Change, Award, Standing, Correction)
"""Models of the rows that runs write about players; they are deleted with the adjustments."""


@dataclass
class Restored:
    """Rows that undoing an import restores or deletes, by primary keys."""

    new: list[int] = field(default_factory=list)
    """Players that were created."""
    adjustments: list[tuple[int, int | None, Any]] = field(default_factory=list)
    """Adjustment, player and state."""
    details: list[tuple[int, Details, Details]] = field(default_factory=list)
    """Player, and the values of `DETAILS` before and after."""
    prior_grades: list[tuple[int, str, bool]] = field(default_factory=list)
    """Row of the player on the list, the prior grade that was empty before, and whether the row is new."""
    memberships: list[tuple[int, int, str, str]] = field(default_factory=list)
    """Membership of the federation, its player, and its day before (empty: a new row) and after."""
    outside_ids: list[tuple[int, int]] = field(default_factory=list)
    """New id in another registry, and its player."""


def record_import(
    rating_list: RatingList, changed: Restored, *, day: dt.date, source: str, upload: Upload | None
) -> None:
    """Record an import with what it changed and the tables that were there before."""
    values = asdict(changed) | {"day": day.isoformat(), "source": source, "tables": list(_tables(rating_list, day))}
    record_step(IMPORTED, values, rating_list=rating_list, upload=upload, reason=source)


def _tables(rating_list: RatingList, day: dt.date) -> models.QuerySet[Any, int]:
    seats = Entry.objects.filter(table__event__lists=rating_list, table__last_day__gte=day)
    return seats.order_by("table").values_list("table", flat=True).distinct()


@transaction.atomic
def undo_import(step: RecordedStep, *, reason: str = "") -> list[Player]:
    """Delete the adjustments of an import and restore what it changed; rate the list again.

    Players created by the import are deleted if nothing else belongs to them; the others are returned. Details that
    were changed since are left as they are. ValidationError: later steps depend on the import. PermissionDenied: the
    acting user is not an officer of the list.
    """
    rating_list = RatingList.objects.select_for_update().get(recorded_steps=step)
    check_officer([rating_list])
    step = lock_step(step, IMPORTED)
    if refusal := import_undo_problem(step):
        raise ValidationError(refusal)
    values, day = step.values, dt.date.fromisoformat(step.values["day"])
    for pks in in_batches([row[0] for row in values["adjustments"]]):
        Adjustment.objects.filter(pk__in=pks).delete()
    source = RunReason.LIST_IMPORT_UNDONE(source=values["source"], day=day)
    mark_lists_out_of_date([rating_list], day, source)
    _restore_prior_grades(values["prior_grades"])
    _restore_details(values["details"])
    _restore_memberships(values.get("memberships", ()))
    OutsideId.objects.filter(pk__in=[pk for pk, _player in values.get("outside_ids", ())]).delete()
    record_undo(step, reason)
    try:
        rerate(rating_list.pk)
    except UnratableError as error:
        raise ValidationError(_("The list could not be rated without it: %(error)s") % {"error": error}) from None
    return delete_unused(values["new"])


def describe_import(step: RecordedStep) -> list[str]:
    """Return what undoing the import of a list deletes or restores, with counts, to be displayed before."""
    values = step.values
    counts = (
        (len(values["adjustments"]), _("starting ratings: %(count)d")),
        (len(values["new"]), _("new players, unless other data refers to them: %(count)d")),
        (len(values["details"]), _("players whose country, birth year or gender is restored: %(count)d")),
        (len(values["prior_grades"]), _("prior grades: %(count)d")),
        (len(values.get("memberships", ())), _("days of membership: %(count)d")),
        (len(values.get("outside_ids", ())), _("ids in other registries: %(count)d")),
    )
    return [text % {"count": count} for count, text in counts if count]


def import_undo_problem(step: RecordedStep) -> str:
    """Return why an import cannot be undone now, and what to do; empty if it can."""
    values, rating_list = step.values, step.list
    assert rating_list is not None
    stored = _stored_adjustments([row[0] for row in values["adjustments"]])
    for pk, player, state in values["adjustments"]:
        if pk in stored and stored[pk] != (player, state):
            return _describe_change(player, stored[pk][0])
    players = [player for _pk, player, _state in values["adjustments"]]
    return _describe_dependency(rating_list, players, dt.date.fromisoformat(values["day"]), set(values["tables"]), step)


def _describe_change(player: int, now: int | None) -> str:
    names = {"player": Player.objects.get(pk=player)}
    if now != player:
        return _("%(player)s was merged since. Undo that merge first.") % names
    return _("The starting rating of %(player)s was changed since. Change ratings one by one in the admin.") % names


def _stored_adjustments(pks: Sequence[int]) -> dict[int, tuple[int | None, Any]]:
    return {
        pk: (player, state)
        for batch in in_batches(pks)
        for pk, player, state in Adjustment.objects.filter(pk__in=batch).values_list("pk", "player", "set")
    }


def _describe_dependency(
    rating_list: RatingList, players: Sequence[int], day: dt.date, earlier_tables: set[int], step: RecordedStep
) -> str:
    """Return a message naming the later table, decision or published list that depends on the ratings of an import.

    Return an empty string if there is none.
    """
    for batch in in_batches(players):
        seats = Entry.objects.filter(
            player__in=batch,
            table__event__lists=rating_list,
            table__last_day__gte=day,
            table__event__state=Event.State.ACCEPTED,
        )
        for seat in seats.select_related("table__event").order_by("table__last_day", "table"):
            if seat.table_id not in earlier_tables:
                message = _(
                    "%(table)s was rated with these ratings. Undo is possible while no accepted event has players of"
                    " the import; now correct single ratings in the admin."
                )
                return message % {"table": seat.table}
        if Decision.objects.filter(player__in=batch, list=rating_list, made_at__gt=step.at).exists():
            return _("Grades of these players were decided or announced since. Undo those decisions first.")
        published = DatedLine.objects.filter(player__in=batch, dated__list=rating_list, dated__published_at__gt=step.at)
        if line := published.select_related("dated").first():
            message = _("The list published for %(day)s shows these ratings. Correct single ratings in the admin.")
            return message % {"day": format_day(line.dated.day)}
    return ""


def _restore_prior_grades(prior_grades: Iterable[Sequence[Any]]) -> None:
    for pk, grade, is_new in prior_grades:
        row = ListPlayer.objects.select_related("list", "player").filter(pk=pk, prior_grade=grade).first()
        if row is None:
            continue
        row.prior_grade = ""
        if is_new and _is_empty(row):
            delete_list_player(row)
        else:
            save_list_player(row)


def _is_empty(row: ListPlayer) -> bool:
    fields = ("prior_evidence", "start_year", "member", "withdrawn", "fixed_rating", "fixed_deviation")
    empty = ListPlayer()
    return all(getattr(row, name) == getattr(empty, name) for name in fields)


def _restore_details(details: Iterable[Sequence[Any]]) -> None:
    for pk, before, after in details:
        player = Player.objects.filter(pk=pk).first()
        if player is None:
            continue
        present = zip(DETAILS, read_details(player), before, after, strict=False)
        restored = {name: old for name, value, old, new in present if old != new and value == new}
        for name, old in restored.items():
            setattr(player, name, old)
        if restored:
            save_player(player)


def _restore_memberships(memberships: Iterable[Sequence[Any]]) -> None:
    """Restore the days of memberships that were not changed since, and delete the new ones among them."""
    for pk, _player, before, after in memberships:
        row = FederationMembership.objects.filter(pk=pk, until=after).first()
        if row and before:
            row.until = dt.date.fromisoformat(before)
            row.save(update_fields=["until"])
        elif row:
            row.delete()


def read_details(player: Player) -> Details:
    """Return the details of a player that an import may fill, in the order of `DETAILS`."""
    return str(player.country), player.birth_year, player.gender


def forget_details(player: Player) -> None:
    """Remove the details of a player from the records of all imports."""
    for step in RecordedStep.objects.select_for_update(of=("self",)).filter(what=IMPORTED):
        details, memberships = step.values.get("details", []), step.values.get("memberships", [])
        others = {
            "details": [row for row in details if row[0] != player.pk],
            "memberships": [row for row in memberships if row[1] != player.pk],
        }
        if others != {"details": details, "memberships": memberships}:
            step.values |= others
            step.save(update_fields=["values"])


def delete_unused(new: Sequence[int], *, with_rows: Collection[type[models.Model]] = ()) -> list[Player]:
    """Delete those of the new players who have no related data, and return the others.

    `with_rows` are models whose rows are deleted with their players.
    """
    for batch in in_batches(list_unused(new, with_rows=with_rows)):
        Player.objects.filter(pk__in=batch).delete()
    return [player for batch in in_batches(new) for player in Player.objects.filter(pk__in=batch)]


def list_unused(new: Sequence[int], *, with_rows: Collection[type[models.Model]] = ()) -> list[int]:
    """Return the primary keys of the new players who have no related data but rows of the models `with_rows`."""
    unused: list[int] = []
    for batch in in_batches(new):
        used = {pk for related in _relation_queries(with_rows) for pk in related(batch)}
        free = Player.objects.filter(pk__in=set(batch) - used, account=None, merged_into=None)
        unused += free.values_list("pk", flat=True)
    return unused


def _relation_queries(ignored: Collection[type[models.Model]]) -> Iterator[Any]:
    """Yield a function for each relation to players, except derived rows and the rows of some models.

    The function takes primary keys of players, and returns those that the relation refers to.
    """
    for relation in Player._meta.related_objects:
        if relation.related_model not in (*DERIVED, *ignored):
            name, model = relation.field.name, relation.related_model
            yield lambda pks, name=name, model=model: model._default_manager.filter(**{f"{name}__in": pks}).values_list(
                name, flat=True
            )

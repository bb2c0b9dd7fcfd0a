"""Explanations of rating changes on closing days: the same engine closes the day again, from the states before it.

The result is cached under the list's version, because some systems fit all games of the list again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q
from pydantic import TypeAdapter

from ratings.models import Change, Event, RatedTable, RatingList
from ratings.queries.events.crosstables import public_changes_filter
from ratings.queries.events.explained_games import ExplainedGame, is_game_against_rated
from ratings.queries.events.explanations import rate_again
from ratings.queries.lists.list_cache import cached
from ratings.queries.runs.past_inputs import PastInputLoader
from ratings.queries.runs.states import latest_changes
from ratings.queries.runs.values import load_players
from ratings.systems.replay import opening_state
from ratings.systems.state_json import state_from_json
from ratings.systems.values import Part, Row, RowExplanation

ROW = TypeAdapter(Row | None)
GAMES = TypeAdapter(list[tuple[float, float]])
LEAST_REST = 1e-6
"""Rating points from which a difference between the change and the tables' points is a part of its own."""


@dataclass(frozen=True)
class ClosingExplanation:
    """The explanation of a player's rating change on a closing day.

    `row` is what the engine returns now, `change` what is stored; they differ only if something is wrong. `tables` are
    the changes of the player's tables since the closing day before, oldest first.
    """

    row: Row
    change: Change
    explained: RowExplanation
    tables: Sequence[Change] = field(default=())
    counts_on: dt.date | None = None
    """Always None: a closing day moves the rating itself."""

    @property
    def agrees(self) -> bool:
        return (self.row.before, self.row.after) == (self.change.before, self.change.after)


def find_closing_change(rating_list: RatingList, day: dt.date, public_id: str) -> Change | None:
    """Return a player's public change on a closing day of a list; None if there is none."""
    changes = rating_list.changes.filter(public_changes_filter(), day=day, player__public_id=public_id)
    closing = changes.filter(table=None, adjustment=None, decision=None)
    return closing.select_related("player").order_by("-place").first()


def explain_closing(rating_list: RatingList, change: Change) -> ClosingExplanation | None:
    """Close a day again, and return the explanation of one player's change.

    Return None if the player's rating no longer changes on that day, and the list is still to be rated again.
    """
    tables = _list_period_tables(change)
    name, detail = f"closing:{change.player_id}", f"{change.day}:{change.place}"
    row = cached(rating_list, name, lambda: _close_again(rating_list, change, tables), ROW, detail=detail)
    if row is None:
        return None
    row = replace(row, terms=tuple(row.terms), note=change.note)  # the cache holds texts, not messages
    presentation = rating_list.rating_system_on(change.day).presentation
    if begun := {term["start"] for term in row.terms if "start" in term}:
        tables = _list_tables_begun_on(change, begun)
    explained = presentation.explained(row) if row.terms else RowExplanation((), (), parts=_sum_tables(row, tables))
    return ClosingExplanation(row, change, explained.without_notes(presentation.assumptions.values()), tables)


def read_closing_games(rating_list: RatingList, explanation: ClosingExplanation) -> list[ExplainedGame]:
    """Return the games since the closing day before against rated opponents, with the ratings that counted for them.

    Where the day adds the points of tables, the games are those of the tables. Where it fits earlier games again, these
    are left out.
    """
    played = {change.day.isoformat() for change in explanation.tables}
    if explanation.row.terms:
        terms = [term for term in explanation.row.terms if term.get("day", "") in {"", *played}]
        return [ExplainedGame(term["opponent_rating"], term["score"]) for term in terms if is_game_against_rated(term)]
    change, tables = explanation.change, explanation.tables
    name, detail = f"closing-games:{change.player_id}", f"{change.day}:{change.place}"
    games = cached(rating_list, name, lambda: list(_rate_games_again(rating_list, tables)), GAMES, detail=detail)
    return [ExplainedGame(*game) for game in games]


def _rate_games_again(rating_list: RatingList, tables: Sequence[Change]) -> Iterator[tuple[float, float]]:
    """Yield the opponents' ratings and the scores of the player's games in rated tables."""
    rated = RatedTable.objects.filter(list=rating_list, table__in=[change.table_id for change in tables])
    by_table = {made.table_id: made for made in rated.select_related("list", "table__event").order_by()}
    for change in tables:
        again, _names = rate_again(by_table[change.table_id or 0])
        row = next((row for row in again.rows if row.player == change.player.public_id), None)
        for term in row.terms if row else ():
            if is_game_against_rated(term):
                yield term["opponent_rating"], term["score"]


def _list_period_tables(change: Change) -> list[Change]:
    """Return the changes of the player's rated tables since the closing day before this one, oldest first."""
    earlier = Q(day__lt=change.day) | Q(day=change.day, place__lt=change.place)
    own = Change.objects.filter(earlier, list=change.list_id, player=change.player_id)
    previous = own.filter(table=None, adjustment=None, decision=None).order_by("-day", "-place").first()
    if previous is not None:
        own = own.filter(Q(day__gt=previous.day) | Q(day=previous.day, place__gt=previous.place))
    rated = own.filter(table__event__state=Event.State.ACCEPTED, games__gt=0)
    return list(rated.select_related("player", "table__event").order_by("day", "place"))


def _list_tables_begun_on(change: Change, days: Iterable[str]) -> list[Change]:
    """Return the changes of the player's tables before a closing day that began on some days, oldest first."""
    own = Change.objects.filter(list=change.list_id, player=change.player_id, day__lte=change.day, games__gt=0)
    begun = own.filter(table__first_day__in=sorted(days))
    return list(begun.select_related("player", "table__event").order_by("day", "place"))


def _close_again(rating_list: RatingList, change: Change, tables: Sequence[Change]) -> Row | None:
    """Return the player's row on a closing day, with the opponents of its games and without its note."""
    system, id = rating_list.rating_system_on(change.day), change.player.public_id
    past = PastInputLoader(rating_list)
    earlier = Q(day__lt=change.day) | Q(day=change.day, place__lt=change.place)
    stored = latest_changes(rating_list, earlier, [change.player_id]).values_list("state", flat=True).first()
    players = load_players(rating_list, [id])
    state = opening_state(system, players[id]) if stored is None else state_from_json(system, stored)
    collected = past.load_until((change.day, change.place))
    result = system.rating.close(change.day, players, {id: state}, collected)
    row = next((row for row in result.rows if row.player == id), None)
    if row is None:
        return None
    terms = tuple(dict(term) for term in row.terms)
    if any(term.get("opponent") is None for term in terms):
        begun = {term["start"] for term in terms if "start" in term}
        terms = _add_opponents(terms, rating_list, _list_tables_begun_on(change, begun) if begun else tables)
    # figures and terms are computed on first access, which the cache cannot store
    row = replace(row, figures=dict(row.figures), terms=terms, note="")
    return row if rating_list.has_grades else row.without_grades()


def _add_opponents(
    terms: Sequence[dict[str, Any]], rating_list: RatingList, tables: Iterable[Change]
) -> tuple[dict[str, Any], ...]:
    """Return terms with the opponents and tables that the tables' own terms name for the same games.

    A game is the same if the opponent's rating and the score are, and the first day of the table where the term names
    it as `start`. Games that a state contained before the first table stay without a name.
    """
    changes = [change for change in tables if change.table is not None]
    rated = {
        made.table_id: made
        for made in RatedTable.objects.filter(list=rating_list, table__in=[change.table_id for change in changes])
        .select_related("list", "table__event")
        .order_by()
    }
    unused: list[tuple[tuple[Any, ...], str | None, int | None]] = []
    for change in changes:
        again, _names = rate_again(rated[change.table_id or 0])
        row = next((row for row in again.rows if row.player == change.player.public_id), None)
        first_day = rated[change.table_id or 0].table.first_day.isoformat()
        for term in row.terms if row else ():
            game = (first_day, term["opponent_rating"], term["score"])
            unused.append((game, term.get("opponent"), change.table_id))
    return tuple(term | _find_opponent(term, unused) for term in terms)


def _find_opponent(
    term: dict[str, Any], unused: list[tuple[tuple[Any, ...], str | None, int | None]]
) -> dict[str, Any]:
    """Return the opponent and the table of a term, and remove its game from the unused ones."""
    for number, ((first_day, rating, score), opponent, table) in enumerate(unused):
        if term.get("start", first_day) == first_day and (rating, score) == (term["opponent_rating"], term["score"]):
            del unused[number]
            return {"opponent": opponent, "table": table}
    return {"opponent": None, "table": None}


def _sum_tables(row: Row, tables: Iterable[Change]) -> tuple[Part, ...]:
    """Return the points of the period's tables as parts of a change, for systems that add them up."""
    if row.before is None or row.change is None:
        return ()
    parts = [
        Part(change.change, label=change.table.event.name)
        for change in tables
        if change.is_carried_over and change.change is not None and change.table is not None
    ]
    return tuple(parts) if abs(row.change - sum(part.points for part in parts)) < LEAST_REST else ()

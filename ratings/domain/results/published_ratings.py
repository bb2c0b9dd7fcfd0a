"""Ratings that a federation published: what explains them becomes dated adjustments and decisions.

Games and used bonus games are not published, so the numbers that reproduce the printed change are taken. What the
file prints of promotions is the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.models import Adjustment, Decision, Entry, Player, RatedTable, RatingList, Table
from ratings.queries.states import incoming_states
from ratings.queries.values import load_players, load_table
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.words import Words

from .marking import mark_out_of_date
from .outside import lay_down
from .rerating import rerate

MANY_GAMES, SOME_GAMES = 200, 50  # where all bonus games are used, and where not
ALL_BONUS = 100
FEW_GAMES = range(17, 8, -1)  # provisional: other rules of promotion


@dataclass
class Explained:
    """Names of those who got an adjustment, a decision, or were fixed for want of a known past."""

    adjusted: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)


def explain_published(
    parsed: ParsedTable,
    table: Table,
    rating_list: RatingList,
    players: Mapping[int, Player],
    problems: Problems,
    *,
    source: str,
) -> Explained:
    """Give the players of a stored table what the portal's own history does not explain of the printed ratings."""
    rerate(rating_list.pk)
    rated = RatedTable.objects.select_related("list").get(list=rating_list, table=table)
    trial = _Trial(parsed, rated, players)
    explained = Explained()
    given: dict[str, Any] = {"list": rating_list, "date": table.last_day, "before": table, "source": source}
    for row in parsed.rows:
        player = players[row.number]
        outcome = trial.explain(row)
        if outcome.fixed:
            Entry.objects.filter(table=table, player=player).update(fixed_rating=row.rating)
            explained.fixed.append(player.name)
            problems.warn(f"{player.name} has an unknown past and is fixed at {row.rating}", row.line, row.number)
        if outcome.given is not None:
            lay_down(Adjustment(player=player, set=outcome.given, reason=Words("published rating"), **given))
            explained.adjusted.append(player.name)
        if outcome.unexplained:
            problems.warn(f"no number of bonus games explains {player.name}'s change", row.line, row.number)
        for ruling, grade in outcome.rulings:
            lay_down(Decision(player=player, ruling=ruling, grade=grade, reason=Words("published promotions"), **given))
            explained.decided.append(f"{player.name} {grade} {ruling}")
    mark_out_of_date([rating_list], table.last_day)
    rerate(rating_list.pk)
    _check(parsed, table, rating_list, players, problems)
    return explained


@dataclass(frozen=True)
class Outcome:
    """What a player needs so that his printed row comes out."""

    given: dict[str, Any] | None = None
    rulings: tuple[tuple[str, str], ...] = ()
    fixed: bool = False
    unexplained: bool = False


class _Trial:
    """Rates the table for one player at a time against the printed ratings after it, which need no iteration."""

    def __init__(self, parsed: ParsedTable, rated: RatedTable, players: Mapping[int, Player]) -> None:
        self.system: System[Any] = rated.list.rating_system
        self.table = load_table(rated.table)
        self.ids = {number: player.public_id for number, player in players.items()}
        self.known = load_players(rated.list, self.table.players)
        self.states = incoming_states(rated, self.system, self.known)
        self.printed = {self.ids[row.number]: printed_after(row) for row in parsed.rows}

    def row(self, id: str, state: Any) -> values.Row:
        """The player's row if he came with `state`, everybody else fixed at his printed rating after the table."""
        others = {other: float(rating) for other, rating in self.printed.items() if other != id and rating is not None}
        games = tuple(game for game in self.table.games if id in (game.a, game.b))
        alone = replace(self.table, fixed=others, games=games)
        result = self.system.rate(alone, self.known, self.states | {id: state})
        return next(row for row in result.rows if row.player == id)

    def explain(self, row: ParsedRow) -> Outcome:
        id = self.ids[row.number]
        if row.rating is None or id not in self.states:
            return Outcome()
        state = self.states[id]
        standing = self.system.standing(state, self.known[id])
        grade_only: dict[str, Any] | None = None
        if standing.grade != row.grade and (row.starred or standing.rating == row.rating):
            grade_only = {"grade": row.grade, "lb_run": None, "mp_run": None}
            state = self.system.adjust(state, grade_only)
        if row.starred:
            got = self.row(id, state)
            if got.games and got.after != row.rating:
                return Outcome(fixed=True)
            return Outcome(grade_only, self.rulings(row, got))
        if standing.rating == row.rating:
            got = self.row(id, state)
            if got.after == printed_after(row):
                return Outcome(grade_only, self.rulings(row, got))
        return self.adjusted(row, id, state, keep_runs=standing.grade == row.grade)

    def adjusted(self, row: ParsedRow, id: str, state: Any, *, keep_runs: bool) -> Outcome:
        given: dict[str, Any] = {}
        got = None
        runs: dict[str, Any] = {} if keep_runs else {"lb_run": None, "mp_run": None}
        for bonus_games in (ALL_BONUS, 0, *range(ALL_BONUS - 1, 0, -1)):
            games = MANY_GAMES if bonus_games == ALL_BONUS else SOME_GAMES
            given = {"rating": row.rating, "games": games, "bonus_games": bonus_games, "grade": row.grade} | runs
            got = self.row(id, self.system.adjust(state, given))
            if got.after == printed_after(row):
                break
        else:
            given |= {"games": MANY_GAMES, "bonus_games": ALL_BONUS}
            got = self.row(id, self.system.adjust(state, given))
            return Outcome(given, self.rulings(row, got), unexplained=True)
        for games in self.games_that_agree(row, id, state, given, got):
            return Outcome(given | {"games": games})
        return Outcome(given, self.rulings(row, got))

    def games_that_agree(
        self, row: ParsedRow, id: str, state: Any, given: Mapping[str, Any], got: values.Row
    ) -> Iterator[int]:
        """Numbers of games by which the printed grade comes out: the usual one first, then few."""
        if got.grade == printed_grade(row):
            yield given["games"]
        for games in FEW_GAMES:
            tried = self.row(id, self.system.adjust(state, {**given, "games": games}))
            if tried.grade == printed_grade(row) and tried.after == got.after:
                yield games

    def rulings(self, row: ParsedRow, got: values.Row) -> tuple[tuple[str, str], ...]:
        """The decisions that bring the printed grade about."""
        if got.grade == printed_grade(row) and not any(award.needs_approval for award in got.awards):
            return ()
        if row.promoted:
            return (("printed", row.promoted),)
        return tuple(("withheld", award.grade) for award in got.awards[:1])


def printed_after(row: ParsedRow) -> int | None:
    """The rating after the table: a starred one is new already, the others add their change."""
    return row.rating if row.rating is None or row.starred else row.rating + (row.change or 0)


def printed_grade(row: ParsedRow) -> str | None:
    return row.promoted or row.grade


def _check(
    parsed: ParsedTable, table: Table, rating_list: RatingList, players: Mapping[int, Player], problems: Problems
) -> None:
    """Say where what was computed in the end still differs from what is printed."""
    got = {change.player_id: change for change in rating_list.changes.filter(table=table)}
    for row in parsed.rows:
        change = got.get(players[row.number].pk)
        if change is None or row.rating is None:
            continue
        if change.after != printed_after(row):
            problems.warn(f"printed {printed_after(row)}, computed {change.after}", row.line, row.number)
        elif (change.grade or None) != printed_grade(row) and change.category != "fixed":
            problems.warn(
                f"printed {printed_grade(row) or 'no grade'}, computed {change.grade or 'none'}", row.line, row.number
            )

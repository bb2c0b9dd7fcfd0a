"""Explanation of ratings that a federation published, by dated adjustments and decisions.

Numbers of games and of used bonus games are not published, so the numbers that reproduce the printed change are taken.
Promotions are taken over as the file prints them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.domain.grades.grade_approval import ListStart, needs_approval
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import rerate
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.problems import SubmissionProblem
from ratings.models import Adjustment, Decision, Entry, Player, RatedTable, RatingList, Table
from ratings.models.messages import RecordReason
from ratings.queries.runs.states import incoming_states
from ratings.queries.runs.tables import load_table
from ratings.queries.runs.values import load_players
from ratings.systems import values
from ratings.systems.fesa.published import FEW_GAMES, NEW_RUNS, list_adjustments
from ratings.systems.protocol import System
from ratings.systems.values import Category, Ruling


@dataclass
class Explanation:
    """Names of players who got an adjustment or a decision, or a fixed rating because their past is unknown.

    `problems` are warnings about what stays unexplained.
    """

    adjusted: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)


def explain_published(
    parsed: ParsedTable,
    table: Table,
    start: ListStart,
    players: Mapping[int, Player],
    *,
    source: str,
) -> Explanation:
    """Store adjustments and decisions for printed ratings that the portal's own history does not explain.

    Printed grades that need approval are taken over only at the start of the list (`start`, created before the table
    was stored). Later the player keeps the grade stored on the list, or gets the highest grade that needs no approval.
    Raise RatedTable.DoesNotExist if another process is rating the list.
    """
    rating_list = start.rating_list
    rerate(rating_list.pk)
    rated = RatedTable.objects.select_related("list").get(list=rating_list, table=table)
    trial = _Trial(parsed, rated, players, start, source)
    explained = Explanation()
    problems = explained.problems
    common: dict[str, Any] = {"list": rating_list, "date": table.last_day, "before": table, "source": source[:200]}
    for row in parsed.rows:
        player = players[row.number]
        if (grade := trial.find_refused_grade(row)) is not None:
            message = SubmissionProblem.PRINTED_GRADE_NEEDS_APPROVAL(name=player, grade=grade, list=rating_list)
            problems.warn(message, row.line, row.number)
        outcome = trial.explain(row)
        if outcome.fixed:
            Entry.objects.filter(table=table, player=player).update(fixed_rating=row.rating)
            explained.fixed.append(player.name)
            message = SubmissionProblem.FIXED_AT_PRINTED_RATING(name=player, rating=row.rating)
            problems.warn(message, row.line, row.number)
        if outcome.adjustment is not None:
            adjustment = Adjustment(
                player=player, set=outcome.adjustment, reason=RecordReason.PUBLISHED_RATING(), **common
            )
            save_adjustment(adjustment, start=start)
            explained.adjusted.append(player.name)
        if outcome.unexplained:
            message = SubmissionProblem.PRINTED_CHANGE_UNEXPLAINED(name=player)
            problems.warn(message, row.line, row.number)
        for ruling, grade in outcome.rulings:
            reason = RecordReason.PUBLISHED_PROMOTIONS()
            save_adjustment(Decision(player=player, ruling=ruling, grade=grade, reason=reason, **common), start=start)
            explained.decided.append(f"{player.name} {grade} {ruling}")
    mark_lists_out_of_date([rating_list], table.last_day, tables=[table])
    rerate(rating_list.pk)
    _report_differences(parsed, table, rating_list, players, problems)
    return explained


@dataclass(frozen=True)
class Outcome:
    """The adjustment and decisions that make a player's printed row come out."""

    adjustment: dict[str, Any] | None = None
    rulings: tuple[tuple[str, str], ...] = ()
    fixed: bool = False
    unexplained: bool = False


class _Trial:
    """Rating of a table for a single player, with opponents fixed at their printed ratings, so without iteration."""

    def __init__(
        self, parsed: ParsedTable, rated: RatedTable, players: Mapping[int, Player], start: ListStart, source: str
    ) -> None:
        self.start, self.source = start, source
        self.system: System[Any] = rated.list.rating_system_on(rated.day)
        self.table = load_table(rated.table)
        self.ids = {number: player.public_id for number, player in players.items()}
        self.known = load_players(rated.list, self.table.players)
        self.states = incoming_states(rated, self.system, self.known)
        self.printed = {self.ids[row.number]: printed_after(row) for row in parsed.rows}

    def rate_player(self, id: str, state: Any) -> values.Row:
        """Return the player's row if they start with `state` and all others are fixed at their printed new ratings."""
        others = {other: float(rating) for other, rating in self.printed.items() if other != id and rating is not None}
        games = tuple(game for game in self.table.games if id in (game.a, game.b))
        alone = replace(self.table, fixed=others, games=games)
        result = self.system.rating.rate(alone, self.known, self.states | {id: state})
        return next(row for row in result.rows if row.player == id)

    def is_refused(self, grade: str | None) -> bool:
        """Return True if a grade needs approval and cannot be recorded now."""
        if grade is None or not needs_approval(self.start.rating_list, grade):
            return False
        return bool(self.start.problem(grade, None, self.source))

    def find_refused_grade(self, row: ParsedRow) -> str | None:
        """Return a printed grade that is not taken over; None if all are, or if the player holds them already."""
        held = self.get_grade(row)
        return next((grade for grade in (row.promoted, row.grade) if grade != held and self.is_refused(grade)), None)

    def get_grade(self, row: ParsedRow) -> str | None:
        """Return the player's grade before the table, or None."""
        id = self.ids[row.number]
        return self.system.rating.standing(self.states[id], self.known[id]).grade if id in self.states else None

    def replace_refused_grades(self, row: ParsedRow) -> ParsedRow:
        """Return the row with a refused grade replaced by the highest grade that needs no approval, or the one held."""
        grade, promoted = row.grade, row.promoted
        if self.is_refused(grade) and self.get_grade(row) != grade:
            allowed = [
                name for name in self.system.grading.grades if name not in self.system.grading.grades_needing_approval
            ]
            grade = max(filter(None, [allowed[-1], self.get_grade(row)]), key=list(self.system.grading.grades).index)
        return replace(row, grade=grade, promoted=None if self.is_refused(promoted) else promoted)

    def explain(self, row: ParsedRow) -> Outcome:
        """Return the explanation of a printed row, without grades that need approval and cannot be recorded."""
        outcome = self.explain_change(self.replace_refused_grades(row))
        adjustment = outcome.adjustment
        if adjustment is not None and self.is_refused(adjustment.get("grade")):
            # the player holds the grade already
            adjustment = {key: value for key, value in adjustment.items() if key != "grade"}
        rulings = tuple(ruling for ruling in outcome.rulings if not self.is_refused(ruling[1]))
        return replace(outcome, adjustment=adjustment, rulings=rulings)

    def explain_change(self, row: ParsedRow) -> Outcome:
        id = self.ids[row.number]
        if row.rating is None or id not in self.states:
            return Outcome()
        state = self.states[id]
        standing = self.system.rating.standing(state, self.known[id])
        grade_only: dict[str, Any] | None = None
        if standing.grade != row.grade and (row.starred or standing.rating == row.rating):
            grade_only = {"grade": row.grade, **NEW_RUNS}
            state = self.system.rating.adjust(state, grade_only)
        if row.starred:
            result = self.rate_player(id, state)
            if result.games and result.after != row.rating:
                return Outcome(fixed=True)
            return Outcome(grade_only, self.find_rulings(row, result))
        if standing.rating == row.rating:
            result = self.rate_player(id, state)
            if result.after == printed_after(row):
                return Outcome(grade_only, self.find_rulings(row, result))
        runs = {} if standing.grade == row.grade else NEW_RUNS
        return self.explain_by_adjustment(row, id, state, list(list_adjustments(row.rating, row.grade, runs)))

    def explain_by_adjustment(
        self, row: ParsedRow, id: str, state: Any, adjustments: Sequence[dict[str, Any]]
    ) -> Outcome:
        """Return the first of the adjustments that gives the printed rating; the first of all, if none does."""
        for adjustment in adjustments:
            result = self.rate_player(id, self.system.rating.adjust(state, adjustment))
            if result.after == printed_after(row):
                break
        else:
            result = self.rate_player(id, self.system.rating.adjust(state, adjustments[0]))
            return Outcome(adjustments[0], self.find_rulings(row, result), unexplained=True)
        for games in self.find_matching_games(row, id, state, adjustment, result):
            return Outcome(adjustment | {"games": games})
        return Outcome(adjustment, self.find_rulings(row, result))

    def find_matching_games(
        self, row: ParsedRow, id: str, state: Any, adjustment: Mapping[str, Any], result: values.Row
    ) -> Iterator[int]:
        """Yield numbers of games that reproduce the printed grade: the usual number first, then small ones."""
        if result.grade == printed_grade(row):
            yield adjustment["games"]
        for games in FEW_GAMES:
            attempt = self.rate_player(id, self.system.rating.adjust(state, {**adjustment, "games": games}))
            if attempt.grade == printed_grade(row) and attempt.after == result.after:
                yield games

    def find_rulings(self, row: ParsedRow, result: values.Row) -> tuple[tuple[str, str], ...]:
        """Return the decisions (ruling, grade) that produce the printed grade."""
        if result.grade == printed_grade(row) and not any(award.needs_approval for award in result.awards):
            return ()
        if row.promoted:
            return ((Ruling.PRINTED, row.promoted),)
        return tuple((Ruling.WITHHELD, award.grade) for award in result.awards[:1])


def printed_after(row: ParsedRow) -> int | None:
    """Return the printed rating after the table: a starred rating is the new one, others add their change."""
    return row.rating if row.rating is None or row.starred else row.rating + (row.change or 0)


def printed_grade(row: ParsedRow) -> str | None:
    return row.promoted or row.grade


def _report_differences(
    parsed: ParsedTable, table: Table, rating_list: RatingList, players: Mapping[int, Player], problems: Problems
) -> None:
    """Warn where the computed ratings and grades still differ from the printed ones."""
    changes = {change.player_id: change for change in rating_list.changes.filter(table=table)}
    for row in parsed.rows:
        change = changes.get(players[row.number].pk)
        if change is None or row.rating is None:
            continue
        if change.after != printed_after(row):
            message = SubmissionProblem.PRINTED_RATING_DIFFERS(printed=printed_after(row), computed=change.after)
            problems.warn(message, row.line, row.number)
        elif (change.grade or None) != printed_grade(row) and change.category != Category.FIXED:
            message = SubmissionProblem.PRINTED_GRADE_DIFFERS(
                printed=printed_grade(row) or "–", computed=change.grade or "–"
            )
            problems.warn(message, row.line, row.number)

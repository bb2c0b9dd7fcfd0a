"""Rows, tiles and links of the page that explains a rating change."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from portal.lists.forms import write_game
from portal.templatetags.portal_grades import state_of
from ratings.formats.typed_games import GAMES_AT_MOST
from ratings.localize import translate_message
from ratings.models import Player, RatedTable, RatingList, Table
from ratings.queries.events.earlier_games import EarlierGame
from ratings.queries.events.explained_games import ExplainedGame, has_opponent_rating
from ratings.queries.grades.awards import WAITING, read_case_states
from ratings.queries.runs.values import strip_table_id
from ratings.systems.values import Award, Row, RowExplanation

from .waterfall import Drawing, draw_scale, draw_waterfall

RATING_DECIMALS = 4
"""Decimals of an opponent's rating in the address of the calculator, enough for the same change."""


class ExplainedRow(Protocol):
    """A rated or calculated row with its explanation; `counts_on` is the closing day that adds the points, if any."""

    @property
    def row(self) -> Row: ...
    @property
    def explained(self) -> RowExplanation: ...
    @property
    def counts_on(self) -> dt.date | None: ...


@dataclass(frozen=True)
class ChangeRow:
    """A game, a part of the change without a game, or the sum; figures that a row does not have are None.

    `points` is the part of the change, `rating` the opponent's, both in rating points; `expected` is the expected score
    of the game (0..1). A game without a `player` has a `label`, too: it was played earlier, or the rules add it. A game
    of an earlier event has its `table`.
    """

    drawing: Drawing
    label: str = ""
    player: Player | None = None
    score: float | None = None
    rating: float | None = None
    expected: float | None = None
    points: float | None = None
    is_sum: bool = False
    table: Table | None = None


def list_rows(
    explanation: ExplainedRow,
    players: Mapping[str, Player],
    names: Mapping[str, str] | None = None,
    earlier: Mapping[int, EarlierGame] | None = None,
    prior: Collection[int] = (),
) -> list[ChangeRow]:
    """Return the rows of the drawing, the sum last; none if the rating was not computed from games.

    A change that is a sum becomes a waterfall, every other rating a scale with the opponents as marks. Opponents are
    `players` by public id, or have `names` only, as in a calculator. `earlier` are the known games of earlier events,
    by their places among the terms, `prior` the places of results that a grade on joining adds.
    """
    if explanation.row.before is not None and explanation.explained.parts:
        return list(_list_waterfall(explanation, players, names or {}))
    terms = [term for term in explanation.row.terms if has_opponent_rating(term)]
    reached = _find_reached_rating(explanation)
    if not terms or reached is None:
        return []
    rows = list(_list_scale(terms, reached, players, names or {}, explanation))
    rows = [_add_earlier_game(row, (earlier or {}).get(place)) for place, row in enumerate(rows)]
    return [replace(row, label=_("added for the grade on joining")) if place in prior else row
            for place, row in enumerate(rows)]  # fmt: skip


def _add_earlier_game(row: ChangeRow, game: EarlierGame | None) -> ChangeRow:
    return row if game is None else replace(row, label="", player=game.opponent, table=game.table)


def _list_waterfall(
    explanation: ExplainedRow, players: Mapping[str, Player], names: Mapping[str, str]
) -> Iterator[ChangeRow]:
    parts, terms = explanation.explained.parts, explanation.row.terms
    drawings = draw_waterfall(explanation.row.before or 0, [part.points for part in parts])
    for part, drawing in zip(parts, drawings, strict=False):
        if part.term is None:
            yield ChangeRow(drawing, translate_message(part.label), points=part.points)
        else:
            term = terms[part.term]
            yield _make_game_row(drawing, term, players, names, expected=term.get("expected"), points=part.points)
    total = sum(part.points for part in parts)
    yield ChangeRow(drawings[-1], _("All together"), points=total, is_sum=True)


def _list_scale(
    terms: Sequence[Mapping[str, Any]],
    reached: float,
    players: Mapping[str, Player],
    names: Mapping[str, str],
    explanation: ExplainedRow,
) -> Iterator[ChangeRow]:
    drawings = draw_scale([(term["opponent_rating"], term["score"]) for term in terms], reached)
    for term, drawing in zip(terms, drawings, strict=False):
        yield _make_game_row(drawing, term, players, names)
    label = _("Rating that these games lead to") if explanation.row.before is None else _("New rating")
    if explanation.counts_on:
        label = _("Average of the opponents")
    yield ChangeRow(drawings[-1], label, rating=reached, is_sum=True)


def _make_game_row(
    drawing: Drawing,
    term: Mapping[str, Any],
    players: Mapping[str, Player],
    names: Mapping[str, str],
    *,
    expected: float | None = None,
    points: float | None = None,
) -> ChangeRow:
    opponent = term.get("opponent")
    player = players.get(strip_table_id(opponent)) if opponent else None
    label = "" if player else names.get(opponent or "", "") or _label_of(term)
    return ChangeRow(drawing, label, player, term["score"], term["opponent_rating"], expected, points)


def _label_of(term: Mapping[str, Any]) -> str:
    return _("added draw with the highest opponent") if term.get("dummy_draw") else _("earlier game")


def _find_reached_rating(explanation: ExplainedRow) -> float | None:
    """Return the rating that a scale leads to; where points count later, the opponents' average."""
    figures, row = explanation.row.figures, explanation.row
    reached: float | None = figures.get("average") if explanation.counts_on else figures.get("exact", row.after)
    return row.after if reached is None else reached


def calculator_address(
    rating_list: RatingList, player: Player, games: Sequence[ExplainedGame], table: int | None = None
) -> str:
    """Return the address of the player's calculator with the opponents, results and handicaps of explained games.

    The calculator begins before the table with the primary key `table`, or today.
    """
    fields: dict[str, Any] = {"list": rating_list.slug} | ({"table": table} if table else {})
    fields["rows"] = len(games[:GAMES_AT_MOST])
    for number, game in enumerate(games[:GAMES_AT_MOST]):
        fields |= write_game(number, game, _make_enterable(rating_list, game.rating))
    return f"{reverse('calculator', args=[player.public_id])}?{urlencode(fields)}"


def _make_enterable(rating_list: RatingList, used: float) -> float:
    """Return the rating that counted for an opponent, rounded if the system has whole ratings only."""
    exact = round(used, RATING_DECIMALS)
    try:
        rating_list.rating_system.rating.read({"rating": int(exact) if exact == int(exact) else exact}, fixed=True)
    except ValueError:
        return round(used)
    return exact


class AwardLine(NamedTuple):
    """Grades won one after the other in the same way: the first one and the last one, which may be the same.

    `state` is the state of their approval as a text; empty if they need none.
    """

    first: Award
    last: Award
    state: str


def group_awards(awards: Sequence[Award], rated: RatedTable, player: int) -> list[AwardLine]:
    """Return the grades that a player won in a table; those won in the same way at the same game are one line."""
    groups = [list(group) for _key, group in groupby(awards, lambda one: (one.how, one.game, one.needs_approval))]
    asks = any(award.needs_approval for award in awards)
    cases = read_case_states(rated.list, player, rated.table.last_day) if asks else {}
    return [AwardLine(group[0], group[-1], _describe_approval(group[-1], cases, rated.list)) for group in groups]


def _describe_approval(award: Award, cases: Mapping[str, str], rating_list: RatingList) -> str:
    return state_of(cases.get(award.grade, ""), rating_list, WAITING) if award.needs_approval else ""

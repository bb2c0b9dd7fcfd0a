"""Rows, tiles and links of the page that explains a rating change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from portal.lists.forms import MAX_GAMES
from ratings.localize import translate_message
from ratings.models import Player, RatingList
from ratings.queries.events.explanations import Explanation
from ratings.queries.runs.values import strip_table_id

from .waterfall import Drawing, draw_scale, draw_waterfall


@dataclass(frozen=True)
class ChangeRow:
    """A game, a part of the change without a game, or the sum; figures that a row does not have are None.

    `points` is the part of the change, `rating` the opponent's, both in rating points; `expected` is the expected score
    of the game (0..1). A game without a `player` has a `label`, too: it was played earlier, or the rules add it.
    """

    drawing: Drawing
    label: str = ""
    player: Player | None = None
    score: float | None = None
    rating: float | None = None
    expected: float | None = None
    points: float | None = None
    is_sum: bool = False


def list_rows(explanation: Explanation, players: Mapping[str, Player]) -> list[ChangeRow]:
    """Return the rows of the drawing, the sum last; none if the rating was not computed from games.

    A change that is a sum becomes a waterfall, every other rating a scale with the opponents as marks.
    """
    if explanation.row.before is not None and explanation.explained.parts:
        return list(_list_waterfall(explanation, players))
    terms = [term for term in explanation.row.terms if term.get("opponent_rating") is not None]
    reached = _find_reached_rating(explanation)
    return list(_list_scale(terms, reached, players, explanation)) if terms and reached is not None else []


def _list_waterfall(explanation: Explanation, players: Mapping[str, Player]) -> Iterator[ChangeRow]:
    parts, terms = explanation.explained.parts, explanation.row.terms
    drawings = draw_waterfall(explanation.row.before or 0, [part.points for part in parts])
    for part, drawing in zip(parts, drawings, strict=False):
        if part.term is None:
            yield ChangeRow(drawing, translate_message(part.label), points=part.points)
        else:
            term = terms[part.term]
            yield _make_game_row(drawing, term, players, expected=term.get("expected"), points=part.points)
    total = sum(part.points for part in parts)
    yield ChangeRow(drawings[-1], _("All together"), points=total, is_sum=True)


def _list_scale(
    terms: Sequence[Mapping[str, Any]], reached: float, players: Mapping[str, Player], explanation: Explanation
) -> Iterator[ChangeRow]:
    drawings = draw_scale([(term["opponent_rating"], term["score"]) for term in terms], reached)
    for term, drawing in zip(terms, drawings, strict=False):
        yield _make_game_row(drawing, term, players)
    label = _("Rating that these games lead to") if explanation.row.before is None else _("New rating")
    if explanation.counts_on:
        label = _("Average of the opponents")
    yield ChangeRow(drawings[-1], label, rating=reached, is_sum=True)


def _make_game_row(
    drawing: Drawing,
    term: Mapping[str, Any],
    players: Mapping[str, Player],
    *,
    expected: float | None = None,
    points: float | None = None,
) -> ChangeRow:
    opponent = term.get("opponent")
    player = players.get(strip_table_id(opponent)) if opponent else None
    label = "" if player else _("added draw with the highest opponent") if term.get("dummy_draw") else _("earlier game")
    return ChangeRow(drawing, label, player, term["score"], term["opponent_rating"], expected, points)


def _find_reached_rating(explanation: Explanation) -> float | None:
    """Return the rating that a scale leads to; where points count later, the opponents' average."""
    figures, row = explanation.row.figures, explanation.row
    reached: float | None = figures.get("average") if explanation.counts_on else figures.get("exact", row.after)
    return row.after if reached is None else reached


def calculator_address(rating_list: RatingList, player: Player, explanation: Explanation) -> str:
    """Return the address of the player's calculator with the opponents and results of the explained games."""
    games = [term for term in explanation.row.terms if term.get("opponent")][:MAX_GAMES]
    fields: dict[str, Any] = {"list": rating_list.slug, "rows": len(games)}
    for number, term in enumerate(games):
        fields |= {f"game-{number}-rating": round(term["opponent_rating"], 2), f"game-{number}-score": term["score"]}
    return f"{reverse('calculator', args=[player.public_id])}?{urlencode(fields)}"

"""Parts of a rating change, for the explanations of systems that add up the changes of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .values import Part, PartKind

NEGLIGIBLE = 1e-9
"""Rating points below which a part without a game is left out."""


def game_parts(terms: Iterable[Mapping[str, Any]], *, without: str = "") -> Iterator[Part]:
    """Yield a part for each game: its change in rating points, without the bonus under the key `without`."""
    for index, term in enumerate(terms):
        yield Part(term["change"] - (term[without] if without else 0), index, kind=PartKind.GAME)


def rule_part(label: str, points: float, kind: PartKind = PartKind.RULE) -> Iterator[Part]:
    """Yield the part that a rule adds besides the games, unless it adds nothing."""
    if abs(points) > NEGLIGIBLE:
        yield Part(points, label=label, kind=kind)


def sum_expected(terms: Iterable[Mapping[str, Any]]) -> float:
    """Return the score that the rules expected of all games together."""
    return float(sum(term["expected"] for term in terms))

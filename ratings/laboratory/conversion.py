"""A history rated by another system: its results stay, what belongs to its own system is converted or omitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ratings.systems import get_system
from ratings.systems.messages import RatingMessage
from ratings.systems.protocol import System
from ratings.systems.values import Adjustment, History, Player, StateJson

from .candidates import Candidate


def convert_history(history: History, candidate: Candidate) -> History:
    """Return the history as the candidate rates it.

    With its own system all inputs stay, except changes of its options: a candidate's hold from the beginning. For
    another system, openings and adjustments keep their ratings (rounded to whole points if the system has no decimals)
    and shifts, as on a comparison list; decisions about grades are omitted.
    Raise ValueError if the system does not accept an opening.
    """
    if candidate.system == history.system:
        return replace(history, options=candidate.options, option_changes=())
    system = get_system(candidate.system, candidate.options)
    players = {id: _convert_player(player, system) for id, player in history.players.items()}
    adjustments = tuple(_convert_adjustments(history, system))
    return replace(
        history,
        system=candidate.system,
        players=players,
        adjustments=adjustments,
        decisions=(),
        options=candidate.options,
        option_changes=(),
    )


def _convert_player(player: Player, system: System[Any]) -> Player:
    grade = player.prior_grade if player.prior_grade in system.grading.ranks else None
    return replace(player, prior_grade=grade, opening=_convert_opening(player, system))


def _convert_opening(player: Player, system: System[Any]) -> StateJson | None:
    opening = player.opening or {}
    rating = opening.get("rating")
    if rating is None:
        return None
    if player.fixed:
        return {"rating": _round_rating(rating, system)}
    try:
        return convert_rating(rating, opening.get("games"), system)
    except ValueError as error:
        raise ValueError(RatingMessage.OPENING_INVALID(player=player.id, error=error)) from None


def convert_rating(rating: float, games: int | None, system: System[Any]) -> StateJson:
    """Return the opening state in another system of a player with a rating and a number of games (0: unknown).

    Raise ValueError if the system does not accept them.
    """
    return system.rating.listed(_round_rating(rating, system), games or None, None)


def _convert_adjustments(history: History, system: System[Any]) -> Iterator[Adjustment]:
    for adjustment in history.adjustments:
        rating = (adjustment.set or {}).get("rating")
        if rating is not None:
            yield replace(adjustment, set={"rating": _round_rating(rating, system)})
        elif adjustment.shift is not None:
            yield adjustment


def _round_rating(rating: float, system: System[Any]) -> float:
    return rating if system.presentation.decimals else round(rating)

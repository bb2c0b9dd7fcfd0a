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
    another system, see `convert_inputs`. Raise ValueError if the system does not accept an opening.
    """
    if candidate.system == history.system:
        return replace(history, options=candidate.options, option_changes=())
    return convert_inputs(history, candidate)


def convert_inputs(history: History, candidate: Candidate) -> History:
    """Return the history with openings and adjustments of another system, or of the same for a new beginning.

    They keep their ratings, converted by `convert_given_rating`, and shifts; decisions about grades are omitted. If the
    scales differ, openings and adjustments are omitted too, so that everybody begins as a new player, outsiders of a
    fixed rating included. Raise ValueError if the system does not accept an opening.
    """
    own, system = get_system(history.system, history.options), get_system(candidate.system, candidate.options)
    players = {id: convert_player(player, own, system) for id, player in history.players.items()}
    adjustments = tuple(_convert_adjustments(history, own, system))
    return replace(
        history,
        system=candidate.system,
        players=players,
        adjustments=adjustments,
        decisions=(),
        options=candidate.options,
        option_changes=(),
    )


def convert_points(rating: float, own: System[Any], system: System[Any]) -> float | None:
    """Return a rating of one system in points of another, whose zero may be another one on the scale of go ranks.

    Return None if the scales differ: points of Elo say nothing about ranks.
    """
    if has_other_scale(own, system):
        return None
    return rating + (own.presentation.gor_of_zero - system.presentation.gor_of_zero)


def convert_given_rating(rating: float, own: System[Any], system: System[Any]) -> float | None:
    """Return a rating of one system as one given to a player of another, in whole points if that has no decimals.

    Return None if the scales differ.
    """
    converted = convert_points(rating, own, system)
    return converted if converted is None or system.presentation.decimals else round(converted)


def has_other_scale(own: System[Any] | type[System[Any]], system: System[Any] | type[System[Any]]) -> bool:
    """Return True if the ratings of two systems cannot be converted into each other."""
    return own.presentation_class.scale != system.presentation_class.scale


def convert_player(player: Player, own: System[Any], system: System[Any]) -> Player:
    """Return a player with opening and grade as another system takes them; raise ValueError if it does not."""
    grade = player.prior_grade if player.prior_grade in system.grading.ranks else None
    fixed = player.fixed and not has_other_scale(own, system)
    return replace(player, prior_grade=grade, opening=_convert_opening(player, own, system), fixed=fixed)


def _convert_opening(player: Player, own: System[Any], system: System[Any]) -> StateJson | None:
    opening = player.opening or {}
    rating = opening.get("rating")
    converted = None if rating is None else convert_given_rating(rating, own, system)
    if converted is None:
        return None
    if player.fixed:
        return {"rating": converted}
    try:
        return convert_rating(converted, opening.get("games"), system)
    except ValueError as error:
        raise ValueError(RatingMessage.OPENING_INVALID(player=player.id, error=error)) from None


def convert_rating(rating: float, games: int | None, system: System[Any]) -> StateJson:
    """Return the opening state in another system of a player with a rating in its points and a number of games.

    0 games are an unknown number. Raise ValueError if the system does not accept them.
    """
    return system.rating.listed(rating, games or None, None)


def _convert_adjustments(history: History, own: System[Any], system: System[Any]) -> Iterator[Adjustment]:
    if has_other_scale(own, system):
        return
    for adjustment in history.adjustments:
        rating = (adjustment.set or {}).get("rating")
        if rating is not None:
            yield replace(adjustment, set={"rating": convert_given_rating(rating, own, system)})
        elif adjustment.shift is not None:
            yield adjustment

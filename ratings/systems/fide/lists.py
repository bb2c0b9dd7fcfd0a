"""Computation of a list in fide-2024: a player's rating from the games that count for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ratings.systems.ages import birth_year_of
from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.values import Player

from . import tables
from .game import change_of_game
from .state import FideState, PendingTable


@dataclass(frozen=True, slots=True)
class ListResult:
    """A player's state after a list, with the change of the rating and the figures that explain it.

    `tables` are those that counted, each with the own rating by which it was rated.
    """

    state: FideState
    games: int
    tables: tuple[PendingTable, ...]
    change: int | None
    figures: dict[str, Any]


def published_k(state: FideState, player: Player, year: int) -> tuple[int, str]:
    """Return K as published with a list of a year, and the rule that gave it (8.3.3).

    The rules are 2400, junior, new and other.
    """
    if state.ever_2400:
        return tables.K_2400, "2400"
    if is_junior(player, year) and not state.ever_2300:
        return tables.K_NEW, "junior"
    if state.games < tables.NEW_GAMES:
        return tables.K_NEW, "new"
    return tables.K_OTHER, "other"


def standard_on(player: Player, state: FideState, day: dt.date) -> int | None:
    """Return the standard rating in force on a day, of the state or of the list from which first ratings come.

    A rating holds from the list in force on its day.
    """
    of_list = ((tables.first_of_month(since), rating) for since, rating in player.standard)
    known = sorted((*state.standard, *of_list), key=lambda pair: pair[0])
    rating = next((rating for since, rating in reversed(known) if since <= day), None)
    return None if rating is None else round_half_away_from_zero(rating)


def is_junior(player: Player, year: int) -> bool:
    """Return True if the lists of a year take a player as a junior; unknown birth years are no junior's (8.3.3)."""
    birth_year = birth_year_of(player)
    return year in player.k if birth_year is None else year - birth_year <= tables.JUNIOR_AGE


def find_k_of_junior(
    birth_year: int, states: Iterable[tuple[dt.date, FideState]], last_list: dt.date
) -> dict[int, int]:
    """Return K by the years in which a player had that of a junior, and no longer that of a new player.

    Years after the last list are left out: their K is not published yet, and the last of them would reveal the birth
    year.
    """
    found: dict[int, int] = {}
    known = sorted(states, key=lambda pair: pair[0])
    last = min(birth_year + tables.JUNIOR_AGE, last_list.year)
    for number, (day, state) in enumerate(known):
        following = known[number + 1][0].year if number + 1 < len(known) else last
        if state.games >= tables.NEW_GAMES and not (state.ever_2300 or state.ever_2400):
            found |= dict.fromkeys(range(day.year, min(following, last) + 1), tables.K_NEW)
    return found


def compute_list_result(state: FideState, player: Player, day: dt.date, chapter: str) -> ListResult | None:
    """Return a player's result on the list of a day; None if no game counts for it, or for no list before.

    Games that are collected for a first rating count for the list after their table; later lists that change nothing
    have no result.
    """
    due = [entry for entry in state.results if entry.list_day <= day]
    if not due:
        return None
    year = tables.first_of_month(day, -1).year
    if state.rating is not None:
        result = _rate_games(state, state.rating, due, published_k(state, player, year), day, chapter)
    elif chapter != "standard" and any(standard_on(player, state, entry.start) is not None for entry in due):
        result = _rate_from_standard(state, player, due, day, chapter)
    else:
        result = _rate_first(state, due, day)
        is_new = any(entry.list_day > tables.first_of_month(day, -1) for entry in due)
        if result.state == state and not is_new:
            return None
    return replace(result, state=_keep_previous(state, result.state, day))


def _rate_games(
    state: FideState, base: int, due: Sequence[PendingTable], k_listed: tuple[int, str], day: dt.date, chapter: str
) -> ListResult:
    """Add K times the sum of all changes to the rating `base`, rounded once (8.3.3, 8.3.4)."""
    rated = tuple(entry if entry.rating is not None else entry._replace(rating=base) for entry in due)
    games = sum(len(entry.games) for entry in rated)
    total = sum(
        change_of_game(entry.rating or base, opponent, score, entry.start, chapter).change
        for entry in rated
        for opponent, score in entry.games
    )
    k = min(k_listed[0], tables.MOST_K_TIMES_GAMES // games)
    change = _round_half_away(k * total)
    rating = base + change
    waiting = tuple(entry for entry in state.results if entry.list_day > day)
    after = replace(
        state, games=state.games + games, results=waiting, last_list=day, listed_games=games, rating=rating, began=True
    )
    figures = {
        "base": base,
        "k_listed": k_listed[0],
        "k_rule": k_listed[1],
        "k": k,
        "sum": total / 100,
        "exact": k * total / 100,
        "new_rating": rating,
    }
    if rating < tables.LOWEST:
        after = replace(after, rating=None)
    return ListResult(after, games, rated, change, figures)


def _round_half_away(hundredths: int) -> int:
    return round_half_away_from_zero(hundredths / 100)


def _rate_from_standard(
    state: FideState, player: Player, due: Sequence[PendingTable], day: dt.date, chapter: str
) -> ListResult:
    """Rate a player without a rating on this list from the standard rating (7.2.1 of rapid and blitz)."""
    last_list = tables.first_of_month(day, -1)
    with_standard = [entry for entry in due if standard_on(player, state, entry.start) is not None]
    base = standard_on(player, state, last_list)
    if base is None:
        base = standard_on(player, state, with_standard[-1].start)
    assert base is not None
    rated = [entry._replace(rating=standard_on(player, state, entry.start) or base) for entry in due]
    return _rate_games(state, base, rated, published_k(state, player, last_list.year), day, chapter)


def _rate_first(state: FideState, due: Sequence[PendingTable], day: dt.date) -> ListResult:
    """Give a first rating from at least five games on the last 26 lists, or keep collecting (8.2)."""
    oldest = tables.first_of_month(day, 1 - tables.FIRST_LISTS)
    counted = tuple(entry._replace(rating=None) for entry in due if entry.list_day >= oldest)
    kept = tuple(entry for entry in state.results if entry.list_day >= oldest)
    played = [game for entry in counted for game in entry.games]
    collecting = replace(state, results=kept)
    if len(played) < tables.FIRST_GAMES:
        return ListResult(collecting, len(played), counted, None, {})
    average, share, difference = compute_first_rating(played)
    exact = average + difference
    rating = min(tables.FIRST_AT_MOST, int(exact + Fraction(1, 2)))
    figures = {
        "average": float(average),
        "p": share / 100,
        "dp": difference,
        "exact": float(exact),
        "points": sum(score for _rating, score in played),
        "sum_of_ratings": sum(rating for rating, _score in played),
        "new_rating": rating,
    }
    if rating < tables.LOWEST:
        return ListResult(collecting, len(played), counted, None, figures)
    waiting = tuple(entry for entry in kept if entry.list_day > day)
    games = len(played)
    after = replace(
        state,
        rating=rating,
        games=state.games + games,
        results=waiting,
        last_list=day,
        listed_games=games,
        began=True,
    )
    return ListResult(after, games, counted, None, figures)


def compute_first_rating(played: Iterable[tuple[int, float]]) -> tuple[Fraction, int, int]:
    """Return the average rating of the opponents, the score in hundredths, and its rating difference (8.2.2, 8.2.3).

    `played` are pairs of the opponent's rating and the score; two draws against 1800 are added to them.
    """
    games = list(played)
    count = len(games) + tables.DRAWN_GAMES
    total = sum(rating for rating, _score in games) + tables.DRAWN_GAMES * tables.DRAWN_AGAINST
    points = Fraction(sum(Fraction(score) for _rating, score in games)) + Fraction(tables.DRAWN_GAMES, 2)
    share = int(100 * points / count + Fraction(1, 2))
    return Fraction(total, count), share, tables.performance_difference(share)


def _keep_previous(before: FideState, after: FideState, day: dt.date) -> FideState:
    """Return the state with the rating of the list before, if it changed, and with what was ever reached."""
    if after.rating is not None:
        after = replace(
            after,
            ever_2300=after.ever_2300 or after.rating >= tables.JUNIOR_BELOW,
            ever_2400=after.ever_2400 or after.rating >= tables.MASTER,
        )
    if after.rating == before.rating:
        return after
    oldest = tables.first_of_month(day, -tables.INACTIVE_MONTHS)
    kept = (entry for entry in before.previous if entry[0] >= oldest)
    return replace(after, previous=(*kept, (tables.first_of_month(day, -1), before.rating)))

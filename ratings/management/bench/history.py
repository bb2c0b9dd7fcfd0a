"""Synthetic federation of a given size, inserted directly into the database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from django.utils import timezone
from numpy.typing import NDArray

from ratings.batches import in_batches
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.runs.rerating import without_garbage_collection
from ratings.matching import fold
from ratings.models import Adjustment, Entry, Event, Game, Player, RatingList, Table
from ratings.models.messages import RecordReason

from .columns import PART, insert_columns, without_indexes

SEED = 4
YEARS, ROUNDS, FIRST_YEAR = 20, 5, 2005
NEWCOMERS_A_YEAR = 0.025
WEAKEST = 600
"""Least strength of a player, in points of Elo: some systems know no lower ratings."""
BEST_ABOVE = 100
"""Rating points by which the best rating of a player so far is above the present one: grades are not lost."""


@dataclass(frozen=True)
class Size:
    """Numbers of players, games and tables of a history."""

    key: str
    players: int
    games: int
    tables: int
    rated_once: bool = False
    """A run from nothing takes so long that the benchmark has only one."""

    @property
    def seats(self) -> int:
        return 2 * self.games // self.tables // ROUNDS


SIZES = {
    size.key: size
    for size in (
        Size("S", 5_000, 60_000, 2_000),
        Size("M", 50_000, 1_200_000, 12_000),
        Size("L", 500_000, 12_000_000, 120_000, rated_once=True),
    )
}


@dataclass(frozen=True)
class Population:
    """Players in the order of the years in which they begin to play; the first `old` ones are on the opening list."""

    pks: NDArray[np.int64]
    strengths: NDArray[np.float64]
    first_years: NDArray[np.float64]

    @property
    def old(self) -> int:
        return int(np.searchsorted(self.first_years, 0, side="right"))


def _name_player(number: int) -> tuple[str, str, str]:
    return f"Family{number:06}", f"Given{number % 97}", ""


@without_garbage_collection()
@transaction.atomic
def write_history(
    size: Size,
    slug: str,
    name_player: Callable[[int], tuple[str, str, str]] = _name_player,
    *,
    system: str = "fesa-2016",
    years: int = YEARS,
) -> RatingList:
    """Create a list with tables and games of some years, and return it.

    It begins with an opening list: ratings, numbers of games and grades of those who play from the first year on. Every
    year 2.5 % of the players are new. `name_player` returns family name, given name and country of a numbered player.
    """
    rng = np.random.default_rng(SEED)
    rating_list = RatingList.objects.create(
        slug=slug,
        federation=get_or_create_federation("Bench"),
        name=f"Bench {size.key}",
        system=system,
        out_of_date_from=dt.date.min,
    )
    start = dt.date(FIRST_YEAR, 1, 1)
    days = [start + dt.timedelta(days=years * 365 * n // size.tables) for n in range(size.tables)]
    with without_indexes(Player, Event, Event.lists.through, Table, Entry, Game, Adjustment):
        for part in in_batches(range(size.players), PART):
            _write_players(part, name_player)
        population = _draw_population(size.players, years, rng)
        for part in in_batches(range(population.old), PART):
            _write_openings(rating_list, population, part, start - dt.timedelta(days=1), rng)
        for part in in_batches(range(size.tables), PART):
            _write_tables(rating_list, part, days)
        tables = Table.objects.order_by("event__public_id").values_list("pk", "last_day")
        for batch in in_batches(list(tables), max(1, PART * size.tables // size.games)):
            _write_results(batch, size.seats, population, rng)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return rating_list


def _write_players(numbers: Sequence[int], name_player: Callable[[int], tuple[str, str, str]]) -> None:
    families, given, countries = map(list, zip(*map(name_player, numbers), strict=True))
    insert_columns(
        Player,
        public_id=[f"B{number:06}" for number in numbers],
        family_name=families,
        given_name=given,
        country=countries,
        search_name=[fold(f"{family} {name}") for family, name in zip(families, given, strict=True)],
    )


def _draw_population(players: int, years: int, rng: np.random.Generator) -> Population:
    pks = np.fromiter(Player.objects.order_by("public_id").values_list("pk", flat=True), np.int64)
    strengths = np.maximum(WEAKEST, rng.normal(1400, 350, players))
    first_years = np.where(rng.random(players) < NEWCOMERS_A_YEAR * years, years * rng.random(players), 0)
    order = np.argsort(first_years, kind="stable")
    return Population(pks[order], strengths[order], first_years[order])


def _write_openings(
    rating_list: RatingList, population: Population, part: Sequence[int], day: dt.date, rng: np.random.Generator
) -> None:
    """Write the starting ratings of players near their strengths, with the grade that their best rating so far gave."""
    system = rating_list.rating_system
    ratings = np.rint(population.strengths[part] - system.presentation.gor_of_zero).astype(int).tolist()
    openings = []
    for rating, games in zip(ratings, rng.integers(20, 300, len(ratings)).tolist(), strict=True):
        grade = find_grade(system.grading.bands, rating + BEST_ABOVE) if system.rating.grade_in_state else None
        openings.append(system.rating.listed(rating, games, grade))
    insert_columns(
        Adjustment,
        list_id=rating_list.pk,
        player_id=population.pks[part],
        date=day,
        set=openings,
        reason=RecordReason.OPENING(),
        source="Bench",
        made_at=timezone.now(),
    )


def find_grade(bands: Sequence[tuple[str, int]], rating: float) -> str | None:
    """Return the highest grade whose lowest rating, in rating points, is at most this one; None if there is none."""
    reached = [(lowest, grade) for grade, lowest in bands if lowest <= rating]
    return max(reached)[1] if reached else None


def _write_tables(rating_list: RatingList, numbers: Sequence[int], days: Sequence[dt.date]) -> None:
    """Write events on their days, each with a table."""
    public_ids, starts = [f"E{number:06}" for number in numbers], [days[number] for number in numbers]
    insert_columns(
        Event,
        public_id=public_ids,
        name=[f"Event {number:06}" for number in numbers],
        search_name=[f"event {number:06} {days[number].year}" for number in numbers],
        start=starts,
        end=starts,
        state=Event.State.ACCEPTED.value,
    )
    events = list(Event.objects.filter(public_id__in=public_ids).order_by("public_id").values_list("pk", flat=True))
    insert_columns(Table, event_id=events, first_day=starts, last_day=starts)
    insert_columns(Event.lists.through, event_id=events, ratinglist_id=rating_list.pk)


def _write_results(
    tables: Sequence[tuple[int, dt.date]], seats: int, population: Population, rng: np.random.Generator
) -> None:
    """Write entries and games of tables, whose players play the first ROUNDS rounds of a round robin."""
    pks = [pk for pk, _ in tables]
    years = np.array([day.year - FIRST_YEAR for _, day in tables])
    players = draw_players(np.searchsorted(population.first_years, years + 1, side="right"), seats, rng)
    numbers = np.tile(np.arange(1, seats + 1), len(pks))
    insert_columns(Entry, table_id=np.repeat(pks, seats), player_id=population.pks[players].ravel(), number=numbers)
    seated = Entry.objects.filter(table__in=pks).order_by("table_id", "number").values_list("pk", flat=True)
    entries = np.fromiter(seated, np.int64).reshape(players.shape)
    rounds, a, b = np.array(list(pairings(seats, ROUNDS))).T
    strengths = population.strengths[players]
    # as arithmetic.expected_score, for arrays
    expected = 1 / (1 + 10 ** ((strengths[:, b] - strengths[:, a]) / 400))
    scores = np.where(rng.random(expected.shape) < 0.02, 0.5, rng.random(expected.shape) < expected)
    insert_columns(
        Game,
        table_id=np.repeat(pks, len(rounds)),
        round=np.tile(rounds, len(pks)),
        a_id=entries[:, a].ravel(),
        b_id=entries[:, b].ravel(),
        score=scores.ravel(),
    )


def draw_players(known: NDArray[np.int64], seats: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the numbers of the players of each table, all different: each is below the table's number in `known`."""
    drawn = rng.integers(0, known[:, None], (len(known), seats))
    while len(twice := np.flatnonzero((np.diff(np.sort(drawn)) == 0).any(axis=1))):
        drawn[twice] = rng.integers(0, known[twice, None], (len(twice), seats))
    return drawn


def pairings(seats: int, rounds: int) -> Iterator[tuple[int, int, int]]:
    """Yield round and seats of each pairing by the circle method: the first seat is fixed, the others rotate."""
    ring = list(range(seats))
    for round_ in range(1, rounds + 1):
        for i in range(seats // 2):
            yield round_, ring[i], ring[-1 - i]
        ring = [ring[0], ring[-1], *ring[1:-1]]

"""Synthetic federation of a given size, inserted directly into the database."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from ratings.batches import in_batches
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.runs.copy_rows import insert_instances
from ratings.models import Adjustment, Entry, Event, Game, Player, RatingList, Table, folded_name
from ratings.models.messages import RecordReason
from ratings.systems.arithmetic import expected_score

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

    @property
    def seats(self) -> int:
        return 2 * self.games // self.tables // ROUNDS


SIZES = {
    size.key: size
    for size in (
        Size("S", 5_000, 60_000, 2_000),
        Size("M", 50_000, 1_200_000, 12_000),
        Size("L", 500_000, 12_000_000, 120_000),
    )
}


def _player(number: int) -> Player:
    player = Player(public_id=f"B{number:06}", family_name=f"Family{number:06}", given_name=f"Given{number % 97}")
    player.search_name = folded_name(player)
    return player


@transaction.atomic
def write_history(
    size: Size,
    slug: str,
    player: Callable[[int], Player] = _player,
    *,
    system: str = "fesa-2016",
    years: int = YEARS,
) -> RatingList:
    """Create a list with tables and games of some years, and return it.

    It begins with an opening list: ratings, numbers of games and grades of those who play from the first year on. Every
    year 2.5 % of the players are new.
    """
    rng = random.Random(SEED)
    rating_list = RatingList.objects.create(
        slug=slug,
        federation=get_or_create_federation("Bench"),
        name=f"Bench {size.key}",
        system=system,
        out_of_date_from=dt.date.min,
    )
    insert_instances([player(number) for number in range(size.players)])
    players = list(Player.objects.order_by("public_id").values_list("pk", flat=True))
    start = dt.date(FIRST_YEAR, 1, 1)
    days = [start + dt.timedelta(days=years * 365 * n // size.tables) for n in range(size.tables)]
    insert_instances([_event(day, n) for n, day in enumerate(days)])
    events = list(Event.objects.order_by("public_id"))
    insert_instances([Table(event=event, first_day=event.start, last_day=event.end) for event in events])
    through = Event.lists.through
    insert_instances([through(event_id=event.pk, ratinglist_id=rating_list.pk) for event in events])
    tables = list(Table.objects.order_by("event__public_id").values_list("pk", "last_day"))
    strength = [max(WEAKEST, rng.gauss(1400, 350)) for _ in players]
    first_years = [years * rng.random() if rng.random() < NEWCOMERS_A_YEAR * years else 0 for _ in players]
    old = [(pk, strong) for pk, strong, first in zip(players, strength, first_years, strict=True) if not first]
    for part in in_batches(old):
        insert_instances(list(_make_openings(rating_list, part, start - dt.timedelta(days=1), rng)))
    for batch in in_batches(tables):
        _write_results(batch, size, players, strength, first_years, rng)
    return rating_list


def _make_openings(
    rating_list: RatingList, players: Sequence[tuple[int, float]], day: dt.date, rng: random.Random
) -> Iterator[Adjustment]:
    """Yield the starting ratings of players near their strengths, with the grade that their best rating so far gave."""
    system = rating_list.rating_system
    zero = system.presentation.gor_of_zero
    for player, strength in players:
        rating = round(strength - zero)
        grade = find_grade(system.grading.bands, rating + BEST_ABOVE) if system.rating.grade_in_state else None
        opening = dict(system.rating.listed(rating, rng.randrange(20, 300), grade))
        yield Adjustment(
            list=rating_list, player_id=player, date=day, set=opening, reason=RecordReason.OPENING(), source="Bench"
        )


def find_grade(bands: Sequence[tuple[str, int]], rating: float) -> str | None:
    """Return the highest grade whose lowest rating, in rating points, is at most this one; None if there is none."""
    reached = [(lowest, grade) for grade, lowest in bands if lowest <= rating]
    return max(reached)[1] if reached else None


def _event(day: dt.date, number: int) -> Event:
    event = Event(public_id=f"E{number:06}", name=f"Event {number:06}", start=day, end=day, state=Event.State.ACCEPTED)
    event.search_name = folded_name(event)
    return event


def _write_results(
    tables: Sequence[tuple[int, dt.date]],
    size: Size,
    players: list[int],
    strength: list[float],
    first_years: list[float],
    rng: random.Random,
) -> None:
    """Write entries and games of tables, whose players play the first ROUNDS rounds of a round robin."""
    seats_by_table: dict[int, list[int]] = {}
    entries = []
    for pk, day in tables:
        year = day.year - FIRST_YEAR
        seats: list[int] = []
        while len(seats) < size.seats:
            index = rng.randrange(len(players))
            if first_years[index] <= year + 1 and index not in seats:
                seats.append(index)
        seats_by_table[pk] = seats
        entries += [Entry(table_id=pk, player_id=players[index], number=n) for n, index in enumerate(seats, 1)]
    insert_instances(entries)
    numbered = {
        (table, number): pk
        for table, number, pk in Entry.objects.filter(table__in=seats_by_table).values_list("table", "number", "pk")
    }
    games = []
    for pk, seats in seats_by_table.items():
        for round_, a, b in pairings(len(seats), ROUNDS):
            expected = expected_score(strength[seats[a]], strength[seats[b]])
            score = 0.5 if rng.random() < 0.02 else float(rng.random() < expected)
            games.append(
                Game(table_id=pk, round=round_, a_id=numbered[pk, a + 1], b_id=numbered[pk, b + 1], score=score)
            )
    insert_instances(games)


def pairings(seats: int, rounds: int) -> Iterator[tuple[int, int, int]]:
    """Yield round and seats of each pairing by the circle method: the first seat is fixed, the others rotate."""
    ring = list(range(seats))
    for round_ in range(1, rounds + 1):
        for i in range(seats // 2):
            yield round_, ring[i], ring[-1 - i]
        ring = [ring[0], ring[-1], *ring[1:-1]]

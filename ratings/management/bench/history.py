"""A synthetic federation of a given size, written straight into the database."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import transaction

from ratings.domain.bulk import insert
from ratings.models import Entry, Event, Game, Player, RatingList, Table, folded_name
from ratings.systems.arithmetic import expected_score

SEED = 4
YEARS, ROUNDS, FIRST_YEAR = 20, 5, 2005
NEWCOMERS_A_YEAR = 0.05


@dataclass(frozen=True)
class Size:
    """So many players, games and tables."""

    key: str
    players: int
    games: int
    tables: int

    @property
    def seats(self) -> int:
        return 2 * self.games // self.tables // ROUNDS


SIZES = {size.key: size for size in (Size("S", 5_000, 60_000, 2_000), Size("M", 50_000, 1_200_000, 12_000))}


def _player(number: int) -> Player:
    player = Player(public_id=f"B{number:06}", family_name=f"Family{number:06}", given_name=f"Given{number % 97}")
    player.search_name = folded_name(player)
    return player


@transaction.atomic
def write_history(size: Size, slug: str, player: Callable[[int], Player] = _player) -> RatingList:
    """The list with everything that is rated on it; five in a hundred players come new every year."""
    chance = random.Random(SEED)
    rating_list = RatingList.objects.create(
        slug=slug, federation="Bench", name=f"Bench {size.key}", system="fesa-2016", out_of_date_from=dt.date.min
    )
    insert([player(number) for number in range(size.players)])
    players = list(Player.objects.order_by("public_id").values_list("pk", flat=True))
    start = dt.date(FIRST_YEAR, 1, 1)
    days = [start + dt.timedelta(days=YEARS * 365 * n // size.tables) for n in range(size.tables)]
    insert([_event(day, n) for n, day in enumerate(days)])
    events = list(Event.objects.order_by("public_id"))
    insert([Table(event=event, first_day=event.start, last_day=event.end) for event in events])
    through = Event.lists.through
    insert([through(event_id=event.pk, ratinglist_id=rating_list.pk) for event in events])
    tables = list(Table.objects.order_by("event__public_id").values_list("pk", "last_day"))
    strength = [chance.gauss(1400, 350) for _ in players]
    first = [chance.random() / NEWCOMERS_A_YEAR if chance.random() < NEWCOMERS_A_YEAR * YEARS else 0 for _ in players]
    for some in _in_steps(tables, 500):
        _write_results(some, size, players, strength, first, chance)
    return rating_list


def _event(day: dt.date, number: int) -> Event:
    event = Event(public_id=f"E{number:06}", name=f"Event {number:06}", start=day, end=day, state=Event.State.ACCEPTED)
    event.search_name = folded_name(event)
    return event


def _in_steps(rows: list[tuple[int, dt.date]], step: int) -> Iterator[list[tuple[int, dt.date]]]:
    return (rows[start : start + step] for start in range(0, len(rows), step))


def _write_results(
    tables: list[tuple[int, dt.date]], size: Size, players: list[int], strength: list[float], first: list[float],
    chance: random.Random,
) -> None:  # fmt: skip
    """Each table seats neighbours in strength, who play a round robin cut to five rounds."""
    seated: dict[int, list[int]] = {}
    entries = []
    for pk, day in tables:
        year = day.year - FIRST_YEAR
        here: list[int] = []
        while len(here) < size.seats:
            index = chance.randrange(len(players))
            if first[index] <= year + 1 and index not in here:
                here.append(index)
        seated[pk] = here
        entries += [Entry(table_id=pk, player_id=players[index], number=n) for n, index in enumerate(here, 1)]
    insert(entries)
    numbered = {
        (table, number): pk
        for table, number, pk in Entry.objects.filter(table__in=seated).values_list("table", "number", "pk")
    }
    games = []
    for pk, here in seated.items():
        for round_, a, b in pairings(len(here), ROUNDS):
            expected = expected_score(strength[here[a]], strength[here[b]])
            score = 0.5 if chance.random() < 0.02 else float(chance.random() < expected)
            games.append(
                Game(table_id=pk, round=round_, a_id=numbered[pk, a + 1], b_id=numbered[pk, b + 1], score=score)
            )
    insert(games)


def pairings(seats: int, rounds: int) -> Iterator[tuple[int, int, int]]:
    """The circle method: the first stays, the others turn."""
    ring = list(range(seats))
    for round_ in range(1, rounds + 1):
        for i in range(seats // 2):
            yield round_, ring[i], ring[-1 - i]
        ring = [ring[0], ring[-1], *ring[1:-1]]

"""Synthetic federation of a hundred times the usual size, for benchmarks of pages.

It has names, countries, clubs, dated lists, a player with 5,000 games and an event with 700 players.
"""

from __future__ import annotations

import datetime as dt
import random

from django.db import connection, transaction

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.copy_rows import insert_instances
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.table_facts import MISSING, complete_facts
from ratings.models import (
    Club,
    DatedList,
    Entry,
    Event,
    Game,
    Membership,
    Player,
    RatedTable,
    RatingList,
    Table,
    folded_name,
)

from .history import FIRST_YEAR, ROUNDS, SEED, YEARS, Size, pairings, write_history

FEDERATION = Size("W", 100_000, 2_000_000, 20_000)
SLUG = "bench-w"
GAMES_OF_ONE = 5_000
SEATS, ROUNDS_OF_MANY = 700, 9
CLUBS, IN_CLUBS = 2_000, 0.7
COUNTRIES = "DE FR GB JP NL PL DE FR GB JP NL PL AT BE BY CH CZ DK EE ES FI HU IE IT LT LV NO RO SE SI SK UA US"
FIRSTS = "Al Bar Ber Cas Dan Dor El Fer Gar Hal Jan Kar Kow Lem Mar Nak Or Pet Ros Sal Tan Ul Ver Wit Yam Zim"
MIDDLES = "a be da do e ga i ka la le li ma mo na ne o ra ri sa so ta te u va vi"
LASTS = "bert dal gne hout ka kova lin mann moto nez ski son ter tis vich zak"
GIVEN = "Anna Ben Clara Daniel Eva Felix Hana Ivan Jana Kenji Lena Marek Nora Olga Paul Rosa Søren Tomás Yuki Zoë"


def get_or_create_site() -> RatingList:
    """Return the federation's list; create and rate it if it does not exist, which takes some minutes.

    The facts of its tables are computed too, as the workers of a site do after a run.
    """
    rating_list = RatingList.objects.filter(slug=SLUG).first() or write_site(FEDERATION)
    while RatedTable.objects.filter(MISSING, list=rating_list).exists():
        complete_facts(rating_list.pk)
    return rating_list


def write_site(size: Size) -> RatingList:
    with transaction.atomic():
        rating_list = write_history(size, SLUG, _name_player)
        # grades follow the results, so that announcing the grades of all players is not measured
        RatingList.objects.filter(pk=rating_list.pk).update(options={"corrections": "revised"})
        _write_clubs()
        _seat_everywhere(rating_list)
        _write_large_event(rating_list)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    rerate(rating_list.pk)
    rating_list.refresh_from_db()
    for year in (FIRST_YEAR + YEARS - 2, FIRST_YEAR + YEARS - 1):
        publish(DatedList(list=rating_list, day=dt.date(year, 6, 30)))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return rating_list


def _name_player(number: int) -> tuple[str, str, str]:
    rng = random.Random(number)

    def choose(words: str) -> str:
        return rng.choice(words.split())

    family = "".join(choose(part) for part in (FIRSTS, MIDDLES, MIDDLES, LASTS))
    return family, choose(GIVEN), choose(COUNTRIES)


def _write_clubs() -> None:
    rng = random.Random(SEED)
    names = [rng.choice(FIRSTS.split()) + rng.choice(LASTS.split()) for _ in range(CLUBS)]
    insert_instances([_club(number, name) for number, name in enumerate(names)])
    clubs = list(Club.objects.values_list("pk", flat=True))
    players = Player.objects.order_by("public_id").values_list("pk", flat=True)
    insert_instances([Membership(player_id=pk, club_id=rng.choice(clubs)) for pk in players if rng.random() < IN_CLUBS])


def _club(number: int, name: str) -> Club:
    club = Club(public_id=f"C{number:05}", name=f"{name} {number}", country=COUNTRIES.split()[number % 20])
    club.search_name = folded_name(club)
    return club


def busiest_player() -> Player:
    """Return the player with GAMES_OF_ONE games."""
    return Player.objects.get(public_id="B000000")


def _seat_everywhere(rating_list: RatingList) -> None:
    """Enter one player into tables spread over the years, so that they have GAMES_OF_ONE games."""
    player = busiest_player()
    seats = Entry.objects.filter(number=1, table__event__lists=rating_list).order_by("table__last_day", "table")
    free = list(seats.exclude(table__entries__player=player).values_list("pk", flat=True))
    wanted = GAMES_OF_ONE // ROUNDS
    Entry.objects.filter(pk__in=free[:: len(free) // wanted][:wanted]).update(player=player)


def _write_large_event(rating_list: RatingList) -> None:
    rng = random.Random(SEED)
    day = dt.date(FIRST_YEAR + YEARS - 1, 12, 1)
    event = Event.objects.create(
        public_id="LARGE", name="Large Open", start=day, end=day + dt.timedelta(days=8), state=Event.State.ACCEPTED
    )
    event.lists.add(rating_list)
    table = Table.objects.create(event=event, first_day=event.start, last_day=event.end)
    players = list(Player.objects.order_by("public_id").values_list("pk", flat=True)[:SEATS])
    insert_instances([Entry(table=table, player_id=pk, number=n) for n, pk in enumerate(players, 1)])
    numbered = dict(table.entries.values_list("number", "pk"))
    pairs = pairings(SEATS, ROUNDS_OF_MANY)
    insert_instances(
        [
            Game(table=table, round=n, a_id=numbered[a + 1], b_id=numbered[b + 1], score=rng.choice([0.0, 0.5, 1.0]))
            for n, a, b in pairs
        ]
    )

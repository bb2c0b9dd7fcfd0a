"""Names of the demo's players, misspelt: whom the certainty accepts without a look."""

import datetime as dt
import random
import string
from collections import Counter

import pytest

from ratings.formats.sheet_content import SheetRow
from ratings.management.demo.names import Names
from ratings.management.demo.people import COUNTRIES
from ratings.management.demo.shogi import Shogi
from ratings.matching import fold_expanded
from ratings.models import Entry, Event, Player, RatingList, Standing, Table
from ratings.name_certainty import ACCEPTED_ABOVE
from ratings.queries.players.known_names import read_known_names
from ratings.queries.players.roster import Roster
from tests.shared import reused
from tests.thorough import share

pytestmark = pytest.mark.django_db

SEED = 19
KNOWN, UNKNOWN = 700, 300
"""Misspelt names of players of the list, and of people who are not in the federation."""
COUNTRY_WRITTEN = 0.9
"""Share of the names with a country beside them."""


TODAY = dt.date(2026, 11, 24)


@pytest.fixture
@reused
def shogi():
    """The shogi list of the demo with all its players, who played last in one of the last ten years."""
    next(Shogi(TODAY, 0, 1.0).build())  # up to the players, without their events
    rating_list, rng = RatingList.objects.get(slug="shogi"), random.Random(SEED)
    days = [TODAY - dt.timedelta(days=days) for days in range(30, 3650, 180)]
    events = Event.objects.bulk_create(Event(name=f"Open {day}", start=day, end=day, state="accepted") for day in days)
    tables = Table.objects.bulk_create(Table(event=e, first_day=e.start, last_day=e.end) for e in events)
    players = list(Player.objects.order_by("public_id"))
    # most play often: the days of the last event are more frequent towards today
    last = [min(rng.choices(tables, k=3), key=lambda table: TODAY - table.last_day) for _player in players]
    Entry.objects.bulk_create(
        Entry(table=table, player=player, number=n) for n, (player, table) in enumerate(zip(players, last, strict=True))
    )
    Standing.objects.bulk_create(
        Standing(list=rating_list, player=player, rating=1500, games=20, category="rated", published=True,
                 last_played=table.last_day)
        for player, table in zip(players, last, strict=True)
    )  # fmt: skip
    return rating_list


def make_typing_error(rng, word):
    """Return a word with one letter left out, replaced or doubled, or with two exchanged."""
    place = rng.randrange(max(1, len(word) - 1))
    first, second = word[place : place + 1], word[place + 1 : place + 2]
    middle = rng.choice([second, rng.choice(string.ascii_lowercase) + second, first + first + second, second + first])
    return word[:place] + middle + word[place + 2 :]


def misspell(rng, family, given):
    """Return a kind of mistake, and a name with it."""
    kind = rng.choice(["family", "given", "two errors", "both", "no marks", "swapped", "initial", "first part"])
    first = (family.split("-")[0].split()[0], given.split("-")[0].split()[0])
    written = {
        "family": lambda: (make_typing_error(rng, family), given),
        "given": lambda: (family, make_typing_error(rng, given)),
        "two errors": lambda: (make_typing_error(rng, make_typing_error(rng, family)), given),
        "both": lambda: (make_typing_error(rng, family), make_typing_error(rng, given)),
        "no marks": lambda: (fold_expanded(family), fold_expanded(given)),
        "swapped": lambda: (given, family),
        "initial": lambda: (family, f"{given[:1]}."),
        "first part": lambda: first,
    }
    return kind, *written[kind]()


def make_rows(rng, listed):
    """Return rows with misspelt names, each with the public id of the player who is meant, or None."""
    rows = []
    for player in rng.choices(listed, k=KNOWN):
        _kind, family, given = misspell(rng, player.family_name, player.given_name)
        rows.append((SheetRow(family, given, str(player.country)), player.public_id))
    names, index = Names(rng, list(Shogi.shares)), read_known_names().index()
    locales = rng.choices(list(Shogi.shares), list(Shogi.shares.values()), k=2 * UNKNOWN)
    outsiders = ((locale, names.draw(locale)) for locale in locales)
    # a namesake of a known player cannot be told apart by the name
    unknown = [(locale, name) for locale, name in outsiders if index.match(name.family, name.given).verdict != "exact"]
    for locale, name in unknown[:UNKNOWN]:
        _kind, family, given = misspell(rng, name.family, name.given)
        rows.append((SheetRow(family, given, COUNTRIES[locale]), None))
    for row, _id in rows:
        row.country = row.country if rng.random() < COUNTRY_WRITTEN else ""
    return rows


def count_accepted(rating_list, seed):
    """Return how many of 1,000 misspelt names are known, misspelt, accepted with the right or a wrong player."""
    rows = make_rows(random.Random(seed), list(Player.objects.order_by("public_id")))
    assert len(rows) == KNOWN + UNKNOWN
    roster, found = Roster([row for row, _id in rows], (), [rating_list], TODAY), Counter()
    for number, (row, meant) in enumerate(rows, 1):
        match = roster.match(number, row)
        candidates = roster.candidates[number]
        if match.player is not None:
            found["exact", match.player.public_id == meant] += 1
            continue
        found["misspelt" if meant else "outsiders"] += 1
        if candidates and candidates[0].certainty > ACCEPTED_ABOVE:
            found["accepted", candidates[0].player.public_id == meant] += 1
    return found


def test_threshold_accepts_many_misspelt_names_and_at_most_one_wrong_person(shogi):
    found = count_accepted(shogi, SEED)
    assert found["accepted", False] <= 1, found
    assert found["accepted", True] > 0.6 * found["misspelt"] > 300, found


def test_threshold_accepts_at_most_one_wrong_person_of_any_thousand_names(shogi):
    wrong = [count_accepted(shogi, seed)["accepted", False] for seed in range(share(20, 2))]
    assert max(wrong) <= 1, wrong

"""Names on a results submission are matched in the database as they are matched with all names at hand."""

import random

import pytest
from django.db import connection

from ratings.models import Player, RatingList
from ratings.queries.players.known_names import find_known_names, find_public_names, read_known_names
from tests.factories import make_list, make_player

pytestmark = pytest.mark.django_db

NAMES = [
    ("Müller", "Jürgen"), ("Łukasiewicz", "Óscar"), ("Dupont", "Andriy"), ("Dupont", "Andriy (elder)"),
    ("Oda", "Rei"), ("Ivanov", "Ivan"), ("Popov", "Ivan"), ("Kuznetsov", "Petr"), ("Smith", "John"), ("Smith", "Joan"), ("Smithson", "John"), ("De la Cruz", "Ana María"), ("山本", "太一"),
    ("Иванов", "Иван"), ("Ng", "Bo"), ("O'Neill", "Seán"), ("Zwanziger-Albrechtsberger", "Maximiliane"), ("Li", ""),
]  # fmt: skip
NATIVE = {
    2: "Дюпон Андрій",
    4: "小田 玲衣",
    5: "Иванов Иван Иванович",
    6: "Попов Иван Петрович",
    7: "Кузнецов Пётр Сергеевич",
}


def make_players():
    players = [make_player(family, given, public_id=f"P{n}") for n, (family, given) in enumerate(NAMES)]
    for number, native in NATIVE.items():
        Player.objects.filter(public_id=f"P{number}").update(native_name=native)
    for player in Player.objects.all():
        player.save()  # sets the name that is searched
    merged = make_player("Müllner", "Georg", public_id="OLD")
    merged.merged_into = players[0]
    merged.save()
    make_player("Quant", "Ulla", public_id="abc12")
    players[4].former_names.create(family_name="Tanaka", given_name="Reiko")
    merged.former_names.create(family_name="Müllner-Stein", given_name="Georg")
    Player.objects.filter(public_id__in=["P8", "abc12"]).update(shown="anonymous")


def change(rng, name):
    """A name with one letter left out, doubled or replaced, or with its parts swapped."""
    family, given = name
    if rng.random() < 0.25:
        return given, family
    place = rng.randrange(len(family))
    middle = rng.choice(["", family[place] * 2, "x"])
    return family[:place] + middle + family[place + 1 :], given


def test_matches_are_those_of_all_names():
    make_players()
    rng, complete = random.Random(16), read_known_names().index()
    written = [*NAMES, ("Müllner", "georg"), ("Player", "P8"), ("player", "p8"), ("Player", "P9"), ("Player", "abc12"), ("Quant", "Ulla"),
               ("Tanaka", "Reiko"), ("Tanaka", "Reikko"), ("Reiko", "Tanaka"), ("Müllner-Stein", "G."),
               ("Ota", "Rei"), ("Ivanof", "Ivan"), ("Popow", "Ivan"), ("Kuznezov", "Petr"), ("Nobody", "Atall"),
               *((f"{given} {family}", "") for family, given in NAMES if given),
               *(change(rng, name) for name in NAMES for _ in range(20))]  # fmt: skip
    found = find_known_names(written).index()
    assert [(name, found.match(*name)) for name in written] == [(name, complete.match(*name)) for name in written]


def test_one_name_alone_is_matched_as_among_others():
    make_players()
    rng, complete = random.Random(17), read_known_names().index()
    for name in [*NAMES, *(change(rng, name) for name in NAMES for _ in range(4))]:
        assert (name, find_known_names([name]).index().match(*name)) == (name, complete.match(*name))


def test_known_names_need_one_query_and_unknown_ones_a_second(django_assert_num_queries):
    make_players()
    with django_assert_num_queries(1):
        assert set(find_known_names(NAMES).latin) == {f"P{n}" for n in range(len(NAMES))}
    with django_assert_num_queries(2):
        found = find_known_names([*NAMES, ("Nobody", "Atall")]).latin
    assert {f"P{n}" for n in range(len(NAMES))} <= found.keys()
    with django_assert_num_queries(0):
        assert find_known_names([("", "")]).latin == {}


def test_large_tables_are_matched_in_batches():
    make_players()
    written = [*NAMES, *((f"Family {n}", f"Given {n}") for n in range(700))]
    found = find_known_names(written).index()
    assert [found.match(*name).verdict for name in written] == ["exact"] * len(NAMES) + ["unknown"] * 700


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL selects similar names itself")
def test_names_that_resemble_nothing_written_are_not_read():
    make_players()
    assert set(find_known_names([("Smyth", "John")]).latin) <= {"P8", "P9", "P10"}


def test_former_names_mean_the_present_player_and_are_not_public():
    make_players()
    make_list()
    Player.objects.get(public_id="P4").standings.create(
        list=RatingList.objects.get(), rating=1500, games=9, published=True
    )
    known = find_known_names([("Tanaka", "Reiko"), ("Müllner-Stein", "Georg")]).index()
    assert [known.match(*name).players for name in (("Tanaka", "Reiko"), ("Müllner-Stein", "Georg"))] == [
        ("P4",),
        ("P0",),
    ]
    public = find_public_names([("Tanaka", "Reiko"), ("Oda", "Rei")]).index()
    assert [public.match(*name).verdict for name in (("Tanaka", "Reiko"), ("Oda", "Rei"))] == ["unknown", "exact"]

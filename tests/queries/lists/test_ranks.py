"""Ranks and pages against a naive count over the same players, with many equal ratings."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.models import Player, Standing
from ratings.queries.lists.lists import published_standings
from ratings.queries.lists.ranks import Ranks, rank_of, ranks_of, top_of
from tests.factories import give_rating, make_list, make_player
from tests.thorough import share

pytestmark = pytest.mark.django_db

names = st.text("abc", min_size=1, max_size=2)
people = st.lists(st.tuples(st.sampled_from([-7.5, 1, 1500, 1500.25, 1501]), names, st.booleans()), max_size=25)


@settings(max_examples=share(40, 10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(people=people, size=st.integers(1, 7))
def test_pages_and_ranks_are_those_of_a_naive_count(db, people, size):
    rating_list = make_list("x", revision=7)
    players = Player.objects.bulk_create(Player(family_name=name, search_name=name) for _, name, _ in people)
    common = {"list": rating_list, "games": 1, "last_played": dt.date(2024, 1, 1)}
    Standing.objects.bulk_create(
        Standing(player=player, rating=rating, published=published, **common)
        for player, (rating, _, published) in zip(players, people, strict=True)
    )
    shown = sorted(
        ((-rating, name, player.public_id) for player, (rating, name, published) in
         zip(players, people, strict=True) if published),
    )  # fmt: skip
    ranks = ranks_of(rating_list, None)
    pages = []
    for first in range(0, len(shown), size):
        page = ranks.rank_all(ranks.page(published_standings(rating_list, None), first, first + size))
        pages += [(one.rank, one.player.public_id) for one in page]
    assert pages == [(1 + sum(other[0] < mine[0] for other in shown), mine[2]) for mine in shown]
    assert [*ranks.page(published_standings(rating_list, None), len(shown), len(shown) + size)] == []
    Player.objects.all().delete()
    rating_list.delete()


def test_rank_counts_active_players_with_a_higher_rating(rate_all):
    fesa = make_list()
    for rating in (2000, 1900, 1900, 1800):
        give_rating(fesa, make_player(), rating)
    rate_all()
    fesa.refresh_from_db()
    assert [rank_of(fesa, rating, None) for rating in (2001, 2000, 1950, 1900, 1800, 0)] == [1, 1, 2, 2, 4, 5]
    assert rank_of(fesa, 1900, dt.date(2024, 1, 1)) == 1  # nobody has played
    assert [one.rank for one in top_of(fesa, None, 3)] == [1, 2, 2]


def test_ranks_follow_a_run(rate_all):
    fesa, late = make_list(), make_player()
    give_rating(fesa, make_player(), 1500)
    rate_all()
    fesa.refresh_from_db()
    assert rank_of(fesa, 1400, None) == 2
    give_rating(fesa, late, 1450)
    rate_all()
    fesa.refresh_from_db()
    assert rank_of(fesa, 1400, None) == 3


@settings(max_examples=share(200, 20))
@given(
    ratings=st.lists(st.sampled_from([1400, 1450, 1500, 1550, 1600]), min_size=1, max_size=12),
    deviation=st.sampled_from([0, 20, 50, 100, 900]),
    data=st.data(),
)
def test_rank_interval_is_a_naive_count_of_the_others(ratings, deviation, data):
    own = data.draw(st.integers(0, len(ratings) - 1))
    others = ratings[:own] + ratings[own + 1 :]
    expected = tuple(1 + sum(other > ratings[own] + by for other in others) for by in (deviation, -deviation))
    assert Ranks(np.sort(np.array(ratings, dtype=float))).rank_interval(ratings[own], deviation) == expected

import math

import pytest

from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.models import RatingList
from ratings.queries.lists.comparisons import compare
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def lists():
    fesa = make_list()
    other = RatingList(
        slug="other", name="Other", federation=get_or_create_federation("F"), system="fesa-2000", comparison_to=fesa
    )
    save_list(other)
    return fesa, other


def test_forecasts_use_the_ratings_before_the_table(lists, rate_all):
    fesa, other = lists
    a, b, new = make_player(), make_player(), make_player()
    give_rating(fesa, a, 2000)
    give_rating(fesa, b, 1600)
    # 400 points: 10/11 for the stronger; won, lost and drawn; games with somebody unrated or with a handicap do not count
    games = [
        (1, 1, 2, 1.0),
        (2, 1, 2, 0.0),
        (3, 1, 2, 0.5),
        (4, 1, 3, 1.0),
        (5, 1, 2, 1.0, {"handicap": "l", "giver": "a"}),
    ]
    make_table(fesa, [a, b, new], games)
    rate_all()
    got = compare(fesa, other)
    p, q = 10 / 11, 1 / 11
    assert got.games == 3
    for forecast in (got.first_forecast, got.second_forecast):
        assert forecast.log_loss == pytest.approx(-(math.log(p) + math.log(q) + (math.log(p) + math.log(q)) / 2) / 3)
        assert forecast.brier == pytest.approx((q * q + p * p + (p - 0.5) ** 2) / 3)


def test_rank_order_and_disagreements(lists, rate_all):
    fesa, other = lists
    players = [make_player(name) for name in "ABCD"]
    for player, rating in zip(players, (2000, 1900, 1800, 1700), strict=True):
        give_rating(fesa, player, rating)
    make_table(fesa, players, [(1, 1, 2, 1.0)])
    rate_all()
    # another order on the comparison: A falls behind C, so ranks 1 2 3 4 become 3 1 2 4
    other.standings.filter(player=players[0]).update(rating=1750)
    got = compare(fesa, other)
    assert got.players == 4
    assert got.spearman == pytest.approx(1 - 6 * (4 + 1 + 1) / (4 * 15))
    assert [(p.player.family_name, p.first_rank, p.second_rank, p.rank_difference) for p in got.disagreements] == [
        ("A", 1, 3, -2), ("B", 2, 1, 1), ("C", 3, 2, 1)
    ]  # fmt: skip


def test_lists_without_anything_in_common(lists):
    got = compare(*lists)
    assert (got.players, got.spearman, got.games, got.first_forecast, got.second_forecast, got.disagreements) == (
        0,
        None,
        0,
        None,
        None,
        [],
    )

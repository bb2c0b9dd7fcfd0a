"""Effect of each game on a performance or a first rating: the rating with all games minus the one without it."""

import pytest

from ratings.models import Change, ListPlayer, RatedTable
from ratings.queries.events.explained_games import read_explained_games
from ratings.queries.events.explanations import explain
from ratings.queries.events.game_effects import read_game_effects
from tests.factories import make_list, make_player, make_table, set_state

pytestmark = pytest.mark.django_db

SCORES = (1.0, 0.5, 0.0, 1.0, 0.0, 1.0)
RATINGS = (1500, 1620, 1480, 1710, 1905, 1555)
OPENINGS = {
    ("fesa-2016", None),
    ("fesa-2000", None),
    ("icu-1989", None),
    ("rif-1997", None),
    ("rif-1995", 1600),
}
"""Systems whose first ratings, or whose changes, are computed from all games together; the rating before, if any."""


def rate_without(system, opening, left_out, rate_all):
    """Return the explanation of a table against outsiders without one of its games, and what rated it."""
    made = make_list(f"{system}-{left_out}", system=system)
    player, *others = [make_player() for _ in range(len(SCORES) + 1)]
    for other, rating in zip(others, RATINGS, strict=True):
        ListPlayer.objects.create(list=made, player=other, fixed_rating=rating)
    if opening:
        set_state(made, player, "1996-01-01", rating=opening)
    games = [(n, 1, n + 1, score) for n, score in enumerate(SCORES, 1) if n != left_out]
    table = make_table(made, [player, *others], games, "1996-05-05" if system == "rif-1995" else "2024-01-06")
    rate_all()
    rated = RatedTable.objects.select_related("list", "table__event").get(table=table)
    change = Change.objects.select_related("player").get(table=table, player=player)
    return explain(rated, change), rated


def read_result(row):
    names = ("sum", "exact") if row.before is not None else ("exact",)
    return next((row.figures[name] for name in names if row.figures.get(name) is not None), row.after)


@pytest.mark.parametrize(("system", "opening"), sorted(OPENINGS, key=str))
def test_effect_of_a_game_is_the_difference_to_the_table_without_it(system, opening, rate_all):
    explanation, rated = rate_without(system, opening, None, rate_all)
    assert not explanation.explained.parts
    effects = read_game_effects(rated, explanation.change, read_explained_games(explanation.row, rated))
    total = read_result(explanation.row)
    expected = [
        total - read_result(rate_without(system, opening, n, rate_all)[0].row) for n in range(1, len(SCORES) + 1)
    ]
    assert effects == [pytest.approx(effect, abs=1e-6) for effect in expected]
    assert len({round(effect, 6) for effect in effects}) > 1


def test_game_without_which_there_is_no_rating_has_no_effect(rate_all):
    """The rules of 1995 give a first rating after three games against players with a rating."""
    made, player, *others = make_list("renju", system="rif-1995"), *(make_player() for _ in range(5))
    for other in others:
        set_state(made, other, "1996-01-01", rating=2000)
    games = [(n, 1, n + 1, score) for n, score in enumerate((1.0, 0.0, 0.5), 1)]
    table = make_table(made, [player, *others], games, "1996-05-05")
    rate_all()
    rated = RatedTable.objects.select_related("list", "table__event").get(table=table)
    change = Change.objects.select_related("player").get(table=table, player=player)
    explanation = explain(rated, change)
    games = read_explained_games(explanation.row, rated)
    assert explanation.row.after is not None
    assert read_game_effects(rated, change, games) == [None] * 3
    assert read_game_effects(rated, change, games[:1]) == [None]


def test_effects_are_cached(rate_all, django_assert_num_queries):
    explanation, rated = rate_without("fesa-2016", None, None, rate_all)
    games = read_explained_games(explanation.row, rated)
    effects = read_game_effects(rated, explanation.change, games)
    with django_assert_num_queries(0):
        assert read_game_effects(rated, explanation.change, games) == effects

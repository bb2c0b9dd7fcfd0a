"""Properties of the rules over random tables (hypothesis)."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems.arithmetic import expected_score, performance_rating
from tests.histories import rate, rated_player, row, table
from tests.thorough import share

RATINGS = st.integers(1, 4000)
PLAYERS = st.one_of(
    st.just({}),
    st.builds(rated_player, RATINGS, games=st.integers(9, 200), bonus_games=st.integers(0, 100)),
)


@st.composite
def tables(draw, players=PLAYERS):
    seated = {f"P{number}": draw(players) for number in range(draw(st.integers(2, 8)))}
    ids = st.sampled_from(sorted(seated))
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1))).filter(lambda game: game[0] != game[1])
    return seated, draw(st.lists(pairs, min_size=1, max_size=20))


@given(tables())
@settings(max_examples=share(200, 50))
def test_renaming_players_changes_nothing(drawn):
    players, games = drawn
    renamed = rate({f"x{id}": p for id, p in players.items()}, [(f"x{a}", f"x{b}", s) for a, b, s in games])
    assert [r.after for r in table(renamed).rows] == [r.after for r in table(rate(players, games)).rows]


@given(tables())
@settings(max_examples=share(100, 25))
def test_table_without_played_games_changes_nothing(drawn):
    players, games = drawn
    result = rate(players, [(a, b, score, {"played": False}) for a, b, score in games])
    assert all(r.after == r.before and not r.awards for r in table(result).rows)


@given(tables())
@settings(max_examples=share(200, 50))
def test_results_are_whole_finite_and_at_least_1(drawn):
    players, games = drawn
    for r in table(rate(players, games)).rows:
        assert r.after is None or (isinstance(r.after, int) and 1 <= r.after < 20000)


@given(RATINGS, RATINGS, st.integers(0, 100))
@settings(max_examples=share(200, 50))
def test_win_never_lowers_and_without_bonus_a_loss_never_raises(own, opponent, bonus_games):
    fixed = {"fixed": True, "opening": {"rating": opponent}}
    won = rate({"A": rated_player(own, bonus_games=bonus_games), "B": fixed}, [("A", "B", 1)])
    lost = rate({"A": rated_player(own), "B": fixed}, [("A", "B", 0)])
    assert row(won, "A").change >= 0
    assert row(lost, "A").change <= 0


@given(st.lists(st.tuples(st.floats(1, 4000), st.sampled_from((0, 0.5, 1))), max_size=30))
def test_performance_rating_balances_points_and_expectation(results):
    performance = performance_rating([rating for rating, _ in results], [score for _, score in results])
    points = sum(score for _, score in results)
    if performance is None:
        assert points in (0, len(results))
    else:
        assert math.isclose(sum(expected_score(performance, r) for r, _ in results), points, abs_tol=1e-6)

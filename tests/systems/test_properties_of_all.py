"""Properties of all systems over random tables; tests name the exceptions and their reasons."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems import SYSTEMS, get_system
from ratings.systems.rif.event_1995 import SPREAD, start_rating_interval
from ratings.systems.values import Game, RowExplanation
from tests.histories import rate, row, table
from tests.thorough import share

# how a player of each system comes in with a rating: newly rated, or with all he needs
OPENINGS = {
    "fesa-2016": lambda rating, games: {"rating": rating, "games": 9 + games, "bonus_games": min(games, 100)},
    "fesa-2000": lambda rating, games: {"rating": rating, "games": 9 + games},
    "icu-1989": lambda rating, games: {"rating": rating, "games": 1 + games},
    "rif-1995": lambda rating, games: {"rating": rating, "official": games > 20},
    "rif-1997": lambda rating, games: {"rating": rating} if games > 20 else {"results": [[rating, 0.5]] * (games + 1)},
    "bgf": lambda rating, games: {"rating": rating - games / 8},
    "egf-2021": lambda rating, games: {"rating": min(rating, 3299)},
    "glicko-2": lambda rating, games: {"rating": rating, "games": games, "deviation": 350 - 5 * games},
    "rif-2021": lambda rating, games: {"rating": rating, "games": games},
    "fide-2024": lambda rating, games: {"rating": 1500 + rating // 2, "games": games},
}
SYMMETRIC = (
    "icu-1989",
    "rif-1995",
    "rif-1997",
    "bgf",
    "egf-2021",
    "glicko-2",
    "rif-2021",
)  # FESA's iteration goes by the order of the table
TABLES = share(1000, 100)
EVERY = pytest.mark.parametrize("system", SYSTEMS)
DATES = ("1989-06-01", "1995-06-01", "2010-03-05", "2024-01-07")


def openings(system):
    rated = st.builds(
        lambda rating, games: {"opening": OPENINGS[system](rating, games)}, st.integers(1, 4000), st.integers(0, 60)
    )
    return st.one_of(st.just({}), rated)


@st.composite
def tables(draw, system):
    seated = {f"P{number}": draw(openings(system)) for number in range(draw(st.integers(2, 8)))}
    ids = st.sampled_from(sorted(seated))
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1))).filter(lambda game: game[0] != game[1])
    date = draw(st.sampled_from(DATES[2:] if system == "bgf" else DATES))
    return seated, {"games": draw(st.lists(pairs, min_size=1, max_size=20)), "date": date}


def after(result):
    return {r.player: r.figures.get("exact", r.after) for r in table(result).rows}


def random_table(seed, system, players, rounds=4, newcomers=0.3):
    """A table with shuffled pairings round by round."""
    chance = random.Random(seed)
    seated = {}
    for number in range(players):
        known = chance.random() >= newcomers
        opening = OPENINGS[system](chance.randint(1, 4000), chance.randint(0, 60))
        seated[f"P{number}"] = {"opening": opening} if known else {}
    games = []
    for _ in range(rounds):
        ids = chance.sample(sorted(seated), players)
        games += [(a, b, chance.choice((0, 0.5, 1))) for a, b in zip(ids[::2], ids[1::2], strict=False)]
    return seated, games


@EVERY
@given(data=st.data())
@settings(max_examples=share(60, 6))
def test_parts_of_a_change_add_up_to_the_new_rating(system, data):
    rules = get_system(system)
    for r in table(rate(*data.draw(tables(system)), system=system)).rows:
        explained = rules.presentation.explained(r) if r.terms else RowExplanation((), ())
        if explained.parts:
            exact = r.before + sum(part.points for part in explained.parts)
            assert abs(exact - (r.before + r.change)) <= (0.5 + 1e-9 if rules.presentation.decimals == 0 else 1e-9)
            assert [part.term for part in explained.parts if not part.label] == list(range(len(r.terms)))
            assert all(bool(part.label) is (part.term is None) for part in explained.parts)
            assert explained.expected == pytest.approx(sum(term["expected"] for term in r.terms))


@EVERY
@given(data=st.data())
@settings(max_examples=share(60, 6))
def test_renaming_players_changes_nothing(system, data):
    players, given_table = data.draw(tables(system))
    renamed = rate(
        {f"x{id}": p for id, p in players.items()},
        given_table | {"games": [(f"x{a}", f"x{b}", s) for a, b, s in given_table["games"]]},
        system=system,
    )
    assert [r.after for r in table(renamed).rows] == [
        r.after for r in table(rate(players, given_table, system=system)).rows
    ]


@pytest.mark.parametrize("system", SYMMETRIC)
@given(data=st.data())
@settings(max_examples=share(60, 6))
def test_order_of_players_and_games_does_not_matter(system, data):
    players, given_table = data.draw(tables(system))
    turned = {"games": [(b, a, 1 - s) for a, b, s in given_table["games"][::-1]]}
    turned["games"] = [(a, b, s) for a, b, s in turned["games"]]
    other = rate(dict(reversed(players.items())), given_table | turned, system=system)
    first = rate(players, given_table, system=system)
    for player, value in after(first).items():
        assert after(other)[player] == (value if value is None else pytest.approx(value, abs=1e-6))


@EVERY
@given(data=st.data())
@settings(max_examples=share(60, 6))
def test_table_without_played_games_changes_nothing(system, data):
    players, given_table = data.draw(tables(system))
    games = [(a, b, score, {"played": False}) for a, b, score in given_table["games"]]
    result = rate(players, given_table | {"games": games}, system=system)
    assert all(r.after == r.before and not r.awards and not r.games for r in table(result).rows)


@EVERY
@pytest.mark.parametrize("size", [2, 3, 30, 300])
def test_results_are_finite_for_tables_of_every_size(system, size):
    players, games = random_table(size, system, size)
    result = rate(players, {"games": games, "date": DATES[-1]}, system=system)
    assert len(table(result).rows) == size
    for value in after(result).values():
        assert value is None or math.isfinite(value)


@EVERY
@given(own=st.integers(1, 4000), opponent=st.integers(1, 4000))
@settings(max_examples=share(100, 10))
def test_win_against_an_outsider_never_lowers_and_a_loss_never_raises(system, own, opponent):
    # one game of a fully rated player; FESA 2016 raises a loser below 1800 by its bonus, so his is used up; the bonus
    # of egf-2021 is for every game; rif-2021 moves ratings on list days only
    players = {"A": {"opening": OPENINGS[system](own, 60)}, "B": {"fixed": True, "opening": {"rating": opponent}}}
    if system == "fesa-2016":
        players["A"]["opening"]["bonus_games"] = 100
    options = {"bonus": "off"} if system == "egf-2021" else {}
    if system == "egf-2021":
        players["B"]["opening"]["rating"] = min(opponent, 3299)
    won, lost = (rate(players, [("A", "B", score)], system=system, options=options) for score in (1, 0))
    assert row(won, "A").change >= 0
    assert row(lost, "A").change <= 0
    if won.lists:
        won_on_list, lost_on_list = (list(result.lists.values())[-1]["A"]["rating"] for result in (won, lost))
        assert lost_on_list < won_on_list


def test_win_can_lower_where_ratings_are_means():
    # a provisional player of 1989 is rated at the mean of his games' worth, so a win against a weak one pulls him down
    weak = {"fixed": True, "opening": {"rating": 800}}
    icu = rate({"A": {"opening": {"rating": 1500, "games": 5}}, "B": weak}, [("A", "B", 1)], system="icu-1989")
    assert row(icu, "A").change == -50
    # and in 1995 one more win against a weak player lowers the average that the loss is measured by
    field = {"A": 2200, "B": 2300, "C": 1800}
    players = {id: {"opening": {"rating": rating}} for id, rating in field.items()}
    changes = [
        row(rate(players, {"games": games, "date": DATES[1]}, system="rif-1995"), "A").change
        for games in ([("A", "B", 0)], [("A", "B", 0), ("A", "C", 1)])
    ]
    assert changes == [-12, -13]


@given(data=st.data())
@settings(max_examples=share(60, 6))
@pytest.mark.parametrize("system", ["rif-1997", "icu-1989"])
def test_zero_sum_rules_give_what_they_take(system, data):
    # established players of 1997; graded ones of 1989 with one K (settled, below 2100) who so earn no bonus
    ratings = data.draw(st.lists(st.integers(100, 2099), min_size=2, max_size=6))
    players = {f"P{i}": {"opening": OPENINGS[system](rating, 60)} for i, rating in enumerate(ratings)}
    ids = st.sampled_from(sorted(players))
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1))).filter(lambda game: game[0] != game[1])
    result = rate(players, data.draw(st.lists(pairs, min_size=1, max_size=12)), system=system)
    moved = [r.figures["exact"] - r.before for r in table(result).rows if r.games]
    assert math.fsum(moved) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("system", ["icu-1989", "rif-1995", "rif-1997", "bgf", "egf-2021", "rif-2021"])
def test_isolated_unrated_groups_stay_unrated_and_change_nobody_else(system):
    # FESA rates newcomers by their performance wherever they play, and glicko-2 gives everybody a first rating, so
    # they are not among these
    rated = {id: {"opening": OPENINGS[system](rating, 60)} for id, rating in {"A": 2000, "B": 1900}.items()}
    newcomers = {id: {} for id in "XYZ"}
    among = [("X", "Y", 1), ("Y", "Z", 1), ("Z", "X", 0.5), ("X", "Z", 1), ("Y", "X", 0), ("Z", "Y", 1)]
    both = rate(rated | newcomers, [("A", "B", 1), *among], system=system)
    alone = rate(rated, [("A", "B", 1)], system=system)
    assert [row(both, id).after for id in "XYZ"] == [None] * 3
    assert [row(both, id).change for id in "AB"] == [row(alone, id).change for id in "AB"]


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
def test_iteration_converges_on_random_tables_or_names_the_moving_players(system):
    for seed in range(TABLES):
        players, games = random_table(seed, system, 2 + seed % 12)
        result = table(rate(players, games, system=system))
        assert result.settled == (not any("still moving: " in warning for warning in result.warnings))
        assert result.rounds <= 1000


def test_equations_of_1989_are_solved_in_random_tables():
    isolated = 0
    for seed in range(TABLES):
        players, games = random_table(seed, "icu-1989", 2 + seed % 20, rounds=3, newcomers=0.6)
        result = table(rate(players, games, system="icu-1989"))
        named = {warning.split()[0] for warning in result.warnings}
        for got in result.rows:
            unlinked = got.note.startswith("met nobody with a rating")
            assert unlinked == (got.player in named)
            isolated += unlinked
            if got.category == "ungraded" and got.games:
                value = got.figures["first"] if got.figures["revised"] is None else got.figures["revised"]
                assert value * got.games == pytest.approx(sum(term["worth"] for term in got.terms), abs=1e-3)
    assert isolated > TABLES / 20  # so the other branch was seen too


def test_start_ratings_of_1995_are_solved_in_random_tables():
    alone = 0
    for seed in range(TABLES):
        players, games = random_table(seed, "rif-1995", 4 + seed % 20, rounds=5, newcomers=0.6)
        result = table(rate(players, {"games": games, "date": DATES[1]}, system="rif-1995"))
        unrated = {id for warning in result.warnings for id in warning.split(": ")[0].split(", ")}
        alone += bool(unrated)
        assert result.settled
        for got in (r for r in result.rows if r.category == "new" and r.games):
            low, high = start_rating_interval(got.figures["average"])
            share = got.figures["points"] / got.games
            if got.player not in unrated:
                assert low - 1 <= got.figures["start"] <= high + 1
                if 0 < share < 1:
                    free = got.figures["average"] - SPREAD * math.log2(1 / share - 1)
                    assert got.figures["start"] == pytest.approx(min(max(free, low), high), abs=1)
    assert alone > TABLES / 200  # groups without any rated opponent, taken in one pass and named


@EVERY
@given(own=st.integers(400, 3000), opponent=st.integers(400, 3000), deviations=st.tuples(*[st.floats(1, 400)] * 2))
def test_expected_scores_of_both_sides_add_up_to_one(system, own, opponent, deviations):
    """Only glicko-2 uses deviations, which bring its expected score nearer to a half. Fesa counts nobody below 400.

    From 2650 on, both sides of a game of fide-2024 may have different differences.
    """
    if system == "fide-2024":
        own, opponent = min(own, 2649), min(opponent, 2649)
    rating, game = SYSTEMS[system]().rating, Game(1, "a", "b", None)
    expected = rating.predict(own, opponent, game, "a")
    with_deviations = rating.predict(own, opponent, game, "a", deviations)
    if system == "glicko-2":
        assert abs(with_deviations - 0.5) <= abs(expected - 0.5)
        turned = rating.predict(opponent, own, game, "b", deviations[::-1])
        assert with_deviations + turned == pytest.approx(1)
    else:
        assert expected == with_deviations
    assert 0 <= expected <= 1
    assert expected + rating.predict(opponent, own, game, "b") == pytest.approx(1, abs=0.01)

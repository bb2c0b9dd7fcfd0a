"""Compiled loops give the same rows as `rate`, on random histories and on the federation's own figures."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from ratings.formats.proof.leaves import read_game
from ratings.systems import get_system
from ratings.systems.replay import apply, number_inputs, opening_states, rulings_by_table
from ratings.systems.state_json import state_to_json
from ratings.systems.table_arrays import TableWithGames, build_table_arrays
from ratings.systems.values import Table
from tests.histories import document, rated_player
from tests.thorough import share

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"
HANDICAPS = ("s", "l", "b", "r", "rl", "2p", "4p", "5p", "6p")


def tables_to_arrays(tables):
    return build_table_arrays([TableWithGames(table, [read_game(game) for game in table.games]) for table in tables])


def rows_of(result):
    """Return the fields of rows without their terms."""
    return [
        (row.category, row.category_after, row.before, row.after, row.change, row.games, row.games_after,
         row.performance, row.grade_before or "", row.grade or "", row.note, row.awards)
        for row in result.rows
    ]  # fmt: skip


def columns_rows(result, seats):
    return [
        (result.category[n], result.category_after[n], result.before[n], result.after[n], result.change[n],
         result.games[n], result.games_after[n], result.performance[n], result.grade_before[n], result.grade[n],
         result.notes[n], result.awards.get(n, ()))
        for n in seats
    ]  # fmt: skip


def assert_alike(history):
    """Rate a history purely; every stretch of tables that the compiled code can rate, by it as well."""
    system = get_system(history.system, history.options)
    players, rulings = history.players, rulings_by_table(history.decisions)
    states = opening_states(system, players)
    stretch, came, expected = [], dict(states), []
    for _, _, cause in [
        *number_inputs(system, history),
        (None, None, None),
    ]:
        plain = (
            isinstance(cause, Table) and cause.rated and not cause.fixed and not rulings.get(cause.id)
            and not rulings.get(cause.last_day.isoformat()) and not any(players[id].fixed for id in cause.players)
        )  # fmt: skip
        if not plain and stretch:
            assert_stretch_alike(system, stretch, players, came, expected, states)
            stretch, expected = [], []
        if cause is None:
            break
        if not stretch:
            came = dict(states)
        result = apply(system, cause, players, states, rulings)
        states.update(result.states)
        if plain:
            stretch.append(cause)
            expected.append((result, [state_to_json(system, states[id]) for id in cause.players]))


def assert_stretch_alike(system, tables, players, came, expected, states):
    columns = tables_to_arrays(tables)
    result = system.rating.rate_arrays(columns, players, {id: came[id] for id in columns.players})
    for n, (pure, texts) in enumerate(expected):
        seats = range(columns.seats[n], columns.seats[n + 1])
        assert columns_rows(result, seats) == rows_of(pure)
        assert [result.states[seat] for seat in seats] == texts
        assert (result.rounds[n], result.settled[n]) == (pure.rounds, pure.settled)
        assert result.warnings.get(n, ()) == pure.warnings
        standings = [system.rating.standing(system.rating.read(json.loads(t), fixed=True), players[id])
                     for id, t in zip(tables[n].players, texts, strict=True)]  # fmt: skip
        assert [result.published[seat] for seat in seats] == [standing.published for standing in standings]
        assert [result.hidden[seat] for seat in seats] == [standing.hidden for standing in standings]
    assert result.last == {id: states[id] for id in columns.players}


@st.composite
def histories(draw, system):
    """Return players of all kinds with a few tables; some sit at tables without games, some have many games."""
    players = {}
    for number in range(draw(st.integers(2, 9))):
        rating, games = draw(st.integers(1, 3200)), draw(st.integers(9, 120))
        known = {"opening": {"rating": rating, "games": games, "bonus_games": min(100, games)}}
        provisional = {"opening": {"rating": rating, "games": draw(st.integers(0, 17))}}
        outsider = {"fixed": True, "opening": {"rating": rating}}
        prior = {"prior_grade": draw(st.sampled_from(("3 Kyu", "2 Dan")))}
        unlisted = known | {"unlisted": True}
        unrated = {"opening": {"rating": rating, "past": draw(pasts(system))}}
        kinds = ({}, {}, known, known, outsider, prior, unlisted, provisional, unrated)
        players[f"P{number}"] = draw(st.sampled_from(kinds))
    tables = [draw(games_between(sorted(players))) for _ in range(draw(st.integers(1, 5)))]
    return parse_history(document(players, *tables, system=system))


def pasts(system):
    """Return a strategy of past results: mixed, all won or all lost; those of fesa-2000 have a weight."""
    rating = st.one_of(st.integers(1, 3200), st.sampled_from((1500.5, 350.25)))
    weight = st.sampled_from((1, 0.75, (1 + 5 / 18) / 2))

    def rows(scores):
        score = st.sampled_from(scores)
        row = st.tuples(rating, score, weight) if system == "fesa-2000" else st.tuples(rating, score)
        return st.lists(row.map(list), min_size=1, max_size=12)

    return st.sampled_from(((0, 0.5, 1), (1,), (0,))).flatmap(rows)


def games_between(players):
    """Return a strategy of games, with and without handicap."""
    ids = st.sampled_from(players)
    handicap = st.sampled_from(HANDICAPS).map(lambda kind: {"handicap": kind, "giver": "a"})
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1)), st.one_of(st.just({}), st.just({}), handicap))
    return st.lists(pairs.filter(lambda game: game[0] != game[1]), min_size=1, max_size=50)


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
@given(data=st.data())
@settings(max_examples=share(200, 50))
def test_compiled_and_pure_agree_on_random_histories(system, data):
    assert_alike(data.draw(histories(system)))


def test_compiled_code_leaves_handicap_games_of_fesa_2000_unrated():
    """A and B only play with a handicap, and C and D have 17 rated games."""
    handicap = {"handicap": "2p", "giver": "a"}
    players = {"A": {"prior_grade": "3 Kyu"}, "B": {}, "C": rated_player(1500), "D": rated_player(1480, games=3)}
    games = [("A", "B", 1, handicap), *[("C", "D", n % 2) for n in range(17)], ("C", "D", 1, handicap)]
    history = parse_history(document(players, games, [("A", "B", 1, handicap)], system="fesa-2000"))
    assert_alike(history)
    result = rate_compiled(history)
    assert result.games == [0, 0, 17, 17, 0, 0, 0, 0]
    assert result.states[:2] == ["{}", "{}"]
    assert result.warnings == {
        0: (
            "2 handicap games are not rated in this edition",
            "C has 17 games: above 16 games the formula is unreliable; split the results by date",
            "D has 17 games: above 16 games the formula is unreliable; split the results by date",
        ),
        1: ("1 handicap games are not rated in this edition",),
    }


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
def test_compiled_code_names_players_whose_ratings_are_not_settled(system, monkeypatch):
    for module in ("compiled", "seats"):
        monkeypatch.setattr(f"ratings.systems.fesa.{module}.MAX_ROUNDS", 1)
    players = {"A": {}} | {id: rated_player(1500) for id in "BCDE"}
    history = parse_history(document(players, [("A", "B", 0.5), ("B", "C", 1)], [("D", "E", 0.5)], system=system))
    assert_alike(history)
    result = rate_compiled(history)
    assert result.settled == [False, True]
    assert result.warnings == {0: ("not settled after 1 rounds; still moving: A, B, C",)}


def rate_compiled(history):
    """Rate the tables of a history from the opening states."""
    system = get_system(history.system)
    opening = opening_states(system, history.players)
    return system.rating.rate_arrays(tables_to_arrays(history.tables), history.players, opening)


@pytest.mark.skipif(not CASES.is_dir(), reason="the reference figures are not beside this checkout")
@pytest.mark.parametrize("name", ["fesa-2016-random", "fesa-2016-published", "fesa-2016-club", "fesa-2000"])
def test_compiled_and_pure_agree_on_the_federations_figures(name):
    document_ = json.loads((CASES / f"{name}.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))

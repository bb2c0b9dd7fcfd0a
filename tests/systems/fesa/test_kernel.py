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
from tests.histories import document
from tests.thorough import share

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"
HANDICAPS = ("s", "l", "b", "r", "rl", "2p", "4p", "5p", "6p")


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
    columns = build_table_arrays([
        TableWithGames(table, [read_game(game) for game in table.games]) for table in tables
    ])  # fmt: skip
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
def histories(draw):
    players = {}
    for number in range(draw(st.integers(2, 9))):
        rating, games = draw(st.integers(1, 3200)), draw(st.integers(9, 120))
        known = {"opening": {"rating": rating, "games": games, "bonus_games": min(100, games)}}
        outsider = {"fixed": True, "opening": {"rating": rating}}
        prior = {"prior_grade": draw(st.sampled_from(("3 Kyu", "2 Dan")))}
        unlisted = known | {"unlisted": True}
        players[f"P{number}"] = draw(st.sampled_from(({}, {}, known, known, outsider, prior, unlisted)))
    ids = st.sampled_from(sorted(players))
    handicap = st.sampled_from(HANDICAPS).map(lambda kind: {"handicap": kind, "giver": "a"})
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1)), st.one_of(st.just({}), st.just({}), handicap))
    games = st.lists(pairs.filter(lambda game: game[0] != game[1]), min_size=1, max_size=25)
    return parse_history(document(players, *(draw(games) for _ in range(draw(st.integers(1, 5))))))


@given(history=histories())
@settings(max_examples=share(200, 50))
def test_compiled_and_pure_agree_on_random_histories(history):
    assert_alike(history)


@pytest.mark.skipif(not CASES.is_dir(), reason="the reference figures are not beside this checkout")
@pytest.mark.parametrize("name", ["fesa-2016-random", "fesa-2016-published", "fesa-2016-club"])
def test_compiled_and_pure_agree_on_the_federations_figures(name):
    document_ = json.loads((CASES / f"{name}.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))

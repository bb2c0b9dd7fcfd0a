"""Comparison of compiled loops with `rate`, for systems that have both."""

import json
from dataclasses import replace

from ratings.systems import get_system
from ratings.systems.game_records import TableWithGames
from ratings.systems.messages import message_to_json
from ratings.systems.replay import apply, number_inputs, opening_states, rulings_by_table
from ratings.systems.state_arrays import StateRows
from ratings.systems.state_json import state_to_json
from ratings.systems.table_arrays import build_table_arrays
from ratings.systems.values import Table


def tables_to_arrays(tables):
    return build_table_arrays(list(map(TableWithGames.of, tables)))


def rows_of(result):
    """Return the fields of rows without their terms."""
    return [
        (row.category, row.category_after, row.before, row.after, row.change, row.games, row.games_after,
         row.performance, row.grade_before or "", row.grade or "", message_to_json(row.note), row.awards)
        for row in result.rows
    ]  # fmt: skip


def columns_rows(result, seats):
    return [
        (result.category[n], result.category_after[n], result.before[n], result.after[n], result.change[n],
         result.games[n], result.games_after[n], result.performance[n], result.grade_before[n], result.grade[n],
         message_to_json(result.notes[n]), result.awards.get(n, ()))
        for n in seats
    ]  # fmt: skip


def assert_alike(history):
    """Rate a history purely; every stretch of tables that the compiled code can rate, by it as well.

    Return the number of tables that compiled code has rated.
    """
    system = get_system(history.system, history.options)
    players, rulings = history.players, rulings_by_table(history.decisions)
    history = replace(history, tables=tuple(sort_games(table) for table in history.tables))
    states = opening_states(system, players)
    stretch, came, expected, compiled = [], dict(states), [], 0
    for _, _, cause in [
        *number_inputs(system, history),
        (None, None, None),
    ]:
        plain = (
            isinstance(cause, Table) and cause.rated and not cause.fixed and not rulings.get(cause.id)
            and not rulings.get(cause.last_day.isoformat()) and not any(players[id].fixed for id in cause.players)
            and system.rating.compiles(cause)
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
            compiled += 1
    return compiled


def sort_games(table):
    """Return a table with its games in the order of rounds, as runs read them from the database."""
    return replace(table, games=tuple(sorted(table.games, key=lambda game: game.round or 0)))


def assert_stretch_alike(system, tables, players, came, expected, states):
    columns = tables_to_arrays(tables)
    before = StateRows.of(system.rating.state_form, {id: came[id] for id in columns.players})
    assert before == {id: came[id] for id in columns.players}
    result = system.rating.rate_arrays(columns, players, before)
    for n, (pure, texts) in enumerate(expected):
        seats = range(columns.seats[n], columns.seats[n + 1])
        assert columns_rows(result, seats) == rows_of(pure)
        assert [result.states[seat] for seat in seats] == texts
        assert (result.rounds[n], result.settled[n]) == (pure.rounds, pure.settled)
        warnings = result.warnings.get(n, ())
        assert list(map(message_to_json, warnings)) == list(map(message_to_json, pure.warnings))
        standings = [system.rating.standing(system.rating.read(json.loads(t), fixed=True), players[id])
                     for id, t in zip(tables[n].players, texts, strict=True)]  # fmt: skip
        assert [result.published[seat] for seat in seats] == [standing.published for standing in standings]
        assert [result.hidden[seat] for seat in seats] == [standing.hidden for standing in standings]
    assert result.last == {id: states[id] for id in columns.players}
    assert {len(column) for column in result.columns} == {len(columns.seated)}


def rate_compiled(history):
    """Rate the tables of a history from the opening states."""
    system = get_system(history.system, history.options)
    columns, opening = tables_to_arrays(history.tables), opening_states(system, history.players)
    states = StateRows.of(system.rating.state_form, opening).select(columns.players)
    return system.rating.rate_arrays(columns, history.players, states)

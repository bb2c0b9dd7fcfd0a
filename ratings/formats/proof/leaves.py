"""Leaves of the trees: one line of JSON for each row, with public ids and without names, birth dates and reasons."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from ratings.formats.history.file import (
    describe_adjustment,
    describe_decision,
    describe_game,
    describe_table,
)
from ratings.formats.history.result import RatedHistory
from ratings.systems.canonical_json import write_json, write_number, write_text
from ratings.systems.game_records import TableWithGames, find_games_without_details, join_games
from ratings.systems.replay import follow
from ratings.systems.state_json import state_to_json
from ratings.systems.table_arrays import compute_starts
from ratings.systems.values import Adjustment, Decision, Game, History, OptionChange, Table

from .checkpoints import ADJUSTMENTS, DECISIONS, OPTIONS, RESULTS, TABLES
from .merkle import hash_leaf


def encode_leaf(value: Mapping[str, Any]) -> bytes:
    """Return the content of a leaf: canonical JSON."""
    return write_json(value).encode()


def make_option_leaves(system: str, options: Mapping[str, Any], changes: Iterable[OptionChange]) -> list[bytes]:
    """Return the leaves of a list's system with its first options, and of each change of the options."""
    first = {"system": system, "options": dict(options)}
    dated = ({"date": f"{change.date}", "options": dict(change.options)} for change in changes)
    return [encode_leaf(value) for value in (first, *dated)]


def make_table_leaf(table: Table) -> bytes:
    """Return the leaf of a table: its entry in the history format without id, event and the players under 21.

    The id of a guest ends in “~” in a leaf.
    """
    return _fill_table_leaf(replace(table, games=()), ",".join(map(_write_game, table.games)))


def make_table_leaves(tables: Sequence[TableWithGames]) -> list[bytes]:
    """Return the leaves of tables, in a fraction of the time: a run of a whole list has millions of games."""
    games = join_games(tables)
    ids = [write_text(_cut_table(id)) for read in tables for id in read.table.players]
    seats = np.repeat(
        compute_starts([len(read.table.players) for read in tables])[:-1], [len(read.games) for read in tables]
    )
    sides = ((seats + games[side]).tolist() for side in ("a", "b"))
    columns = zip(
        *sides,
        games["round"].tolist(),
        games["score"].tolist(),
        find_games_without_details(games).tolist(),
        strict=True,
    )
    written = [
        f'{{"a":{ids[a]},"b":{ids[b]},"round":{round_},"score":{SCORES[score]}}}' if plain else ""
        for a, b, round_, score, plain in columns
    ]
    leaves, start = list[bytes](), 0
    for read in tables:
        texts = written[start : start + len(read.games)]
        start += len(read.games)
        if "" in texts:
            texts = [text or _write_game(game) for text, game in zip(texts, read.list_games(), strict=True)]
        leaves.append(
            _fill_table_leaf(read.table if not read.table.games else replace(read.table, games=()), ",".join(texts))
        )
    return leaves


SCORES = {score: write_number(score) for score in (0.0, 0.5, 1.0)}


def _fill_table_leaf(table: Table, games: str) -> bytes:
    """Return the leaf of a table, given without its games, and these games, which are written already."""
    document = {name: value for name, value in describe_table(table).items() if name not in LEFT_OUT}
    document["players"] = [_cut_table(id) for id in document["players"]]
    if "fixed" in document:
        document["fixed"] = {_cut_table(id): rating for id, rating in document["fixed"].items()}
    return write_json(document).replace('"games":[]', f'"games":[{games}]').encode()


def _write_game(game: Game) -> str:
    document = describe_game(game)
    return write_json(document | {side: _cut_table(document[side]) for side in ("a", "b")})


LEFT_OUT = ("id", "event", "under_21", "reason")
"""Parts of entries of the history format that are no part of a leaf: numbers of the file, and personal data."""


def _cut_table(id: Any) -> Any:
    """Return a player's id, or that of a guest without the table that follows “~”; None for None."""
    return id[: id.index("~") + 1] if id is not None and "~" in id else id


def make_adjustment_leaf(adjustment: Adjustment, tables: Mapping[str, bytes]) -> bytes:
    """Return the leaf of an adjustment; `tables` are the hashes of tables' leaves by the tables' ids."""
    return _make_record_leaf(describe_adjustment(adjustment), tables)


def make_decision_leaf(decision: Decision, tables: Mapping[str, bytes]) -> bytes:
    """Return the leaf of a decision; `tables` are the hashes of tables' leaves by the tables' ids."""
    return _make_record_leaf(describe_decision(decision), tables)


def _make_record_leaf(document: Mapping[str, Any], tables: Mapping[str, bytes]) -> bytes:
    kept = {name: value for name, value in document.items() if name not in LEFT_OUT}
    if "before" in kept:
        kept["before"] = tables[kept["before"]].hex()
    return encode_leaf(kept)


class Result(NamedTuple):
    """A player's row of one step; `place` is the step's position in the day, `state` the state after it as JSON."""

    day: dt.date
    place: int
    player: str
    before: float | None
    after: float | None
    change: float | None
    games: int
    state: str


ResultValues = tuple[str, float | None, float | None, float | None, int, str]
"""A player's row of a step that is known: values of `Result` without day and place."""


def make_result_leaf(result: Result) -> bytes:
    """Return the leaf of a result row, with the SHA-256 of its state in hexadecimal."""
    return next(make_result_leaves(result.day, result.place, [result[2:]]))


def make_result_leaves(day: dt.date, place: int, results: Iterable[ResultValues]) -> Iterator[bytes]:
    """Yield the leaves of the result rows of one step.

    They are written as `encode_leaf` does, in a fraction of the time: a run of a whole list has millions of them.
    """
    written_day = str(day)
    for player, before, after, change, games, state in results:
        yield (
            f'{{"after":{write_number(after)},"before":{write_number(before)},"change":{write_number(change)},'
            f'"day":"{written_day}","games":{games},"place":{place},"player":{write_text(player)},'
            f'"state":"{sha256(state.encode()).hexdigest()}"}}'
        ).encode()


def list_results(rated: RatedHistory) -> Iterator[Result]:
    """Yield the result rows of a rated history in the order of the tree: by day, place and player."""
    for step, states in follow(rated.dated, rated.history, rated.steps):
        system = rated.dated.on(step.day)
        for row in sorted(step.result.rows, key=lambda row: row.player):
            if "~" not in row.player:
                state = state_to_json(system, states[row.player])
                yield Result(step.day, step.position, row.player, row.before, row.after, row.change, row.games, state)


class PublishedLine(NamedTuple):
    """A line of a published list; `deviation` is that of the rating, in rating points, where the system has one."""

    rank: int
    player: str
    rating: float
    grade: str
    games: int
    category: str
    deviation: float | None = None


def make_published_leaf(day: dt.date, line: PublishedLine) -> bytes:
    """Return the leaf of a line of the list of a day; its values are those stored, not rounded."""
    return encode_leaf({"day": f"{day}", **line._asdict()})


def make_history_leaves(history: History) -> dict[str, list[bytes]]:
    """Return the leaves of the inputs of a history, by tree; its entries are in the order of an export."""
    tables = [make_table_leaf(table) for table in history.tables]
    hashes = {table.id: hash_leaf(leaf) for table, leaf in zip(history.tables, tables, strict=True)}
    return {
        OPTIONS: make_option_leaves(history.system, history.options, history.option_changes),
        TABLES: tables,
        ADJUSTMENTS: [make_adjustment_leaf(adjustment, hashes) for adjustment in history.adjustments],
        DECISIONS: [make_decision_leaf(decision, hashes) for decision in history.decisions],
    }


def make_all_leaves(rated: RatedHistory) -> dict[str, list[bytes]]:
    """Return the leaves of the inputs and results of a history, by tree."""
    return make_history_leaves(rated.history) | {RESULTS: [make_result_leaf(row) for row in list_results(rated)]}

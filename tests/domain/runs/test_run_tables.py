"""Reading of a run's tables: each once, those read ahead only as long as they may be needed."""

import datetime as dt

import pytest

from ratings.domain.runs import run_tables
from ratings.domain.runs.chunks import Chunk
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.run_tables import READ_TOGETHER, RunTables
from ratings.models import RatedTable, RatingList
from ratings.queries.runs.past_inputs import PastInputLoader
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def test_tables_read_ahead_are_used_and_those_passed_are_forgotten(django_assert_num_queries):
    fesa = make_list()
    players = [[make_player(), make_player()] for _number in range(READ_TOGETHER + 5)]
    pks = [make_table(fesa, pair, [(1, 1, 2, 1.0)], f"2024-01-{day:02}").pk for day, pair in enumerate(players, 1)]
    fesa = RatingList.objects.get(pk=fesa.pk)
    tables = RunTables(fesa, PastInputLoader(fesa), logged=True)
    tables.start_chunk(Chunk(dt.date(2024, 1, 1), None, {}))
    with django_assert_num_queries(2):
        first = tables.read(pks[:1], pks[1 : READ_TOGETHER + 1])
        third = tables.read(pks[2:3], pks[3 : READ_TOGETHER + 3])
    assert [[int(read.table.id) for read in part] for part in (first, third)] == [pks[:1], pks[2:3]]
    ahead = [player.public_id for pair in players[3:READ_TOGETHER] for player in pair]
    assert tables.players_ahead == ahead
    assert set(tables.leaf_hashes) == {pks[0], pks[2]}


def test_late_table_reads_only_tables_that_it_affects(monkeypatch):
    fesa = make_list()
    alice, bob, *others = [make_player() for _ in range(6)]
    days = [f"2024-02-{day:02}" for day in range(1, 21)]
    unaffected = [make_table(fesa, others[:2], [(1, 1, 2, 1.0)], day) for day in days]
    affected = make_table(fesa, [alice, others[2]], [(1, 1, 2, 0.5)], "2024-03-01")
    rerate(fesa.pk)
    read_tables, read = run_tables.read_tables_by_key, []
    monkeypatch.setattr(
        run_tables, "read_tables_by_key", lambda pks, entries: read.extend(pks) or read_tables(pks, entries)
    )
    late = make_table(fesa, [alice, bob], [(1, 1, 2, 1.0)], "2024-01-01")
    rerate(fesa.pk)
    assert sorted(read) == [affected.pk, late.pk]
    assert RatedTable.objects.count() == len(unaffected) + 2

"""First rating of a list: rows and log as those of runs that compare each step with what is stored."""

import datetime as dt

import pytest

from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.formats.proof.checkpoints import ADJUSTMENTS, RESULTS, parse_checkpoint
from ratings.formats.proof.merkle import compute_root_of_leaves
from ratings.models import Adjustment, Correction, Entry, Run
from ratings.queries.runs.leaves import read_run_leaves
from ratings.systems import SYSTEMS
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def make_results(rating_list):
    """Results of two years with an adjustment between them, a guest, an outsider, a bye and a table of no rated game."""
    players = [make_player(public_id=f"P{number}") for number in (3, 1, 2, 4)]
    make_table(rating_list, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 0.0)], "2022-03-05")
    Adjustment.objects.create(
        list=rating_list, player=players[0], date=dt.date(2022, 6, 1), set={"rating": 1800}, reason="typed"
    )
    table = make_table(rating_list, players, [(1, 1, 2, 1.0), (2, 2, 3, 0.0), (2, 4, None, 1.0)], "2022-09-03")
    Entry.objects.filter(table=table, player=players[3]).update(guest=True)
    make_table(rating_list, players[:2], [(1, 1, 2, 0.0, {"played": False})], "2023-01-07")
    table = make_table(rating_list, players[1:], [(1, 1, 2, 1.0), (2, 2, 3, 0.0)], "2023-05-06")
    Entry.objects.filter(table=table, player=players[3]).update(fixed_rating=1900)


@pytest.mark.parametrize("system", SYSTEMS)
def test_first_run_stores_what_a_comparison_with_it_finds_right(system):
    create_key("portal.example")
    rating_list = make_list(system=system)
    make_results(rating_list)
    rerate(rating_list.pk)
    assert list(find_differences(rating_list)) == []
    trees = parse_checkpoint(rating_list.checkpoints.get().text).trees
    for tree in (RESULTS, ADJUSTMENTS):
        leaves = [leaf for leaf, _hidden in read_run_leaves(rating_list, tree)]
        assert (trees[tree].size, trees[tree].root) == (len(leaves), compute_root_of_leaves(leaves))


def test_list_without_grades_stores_none_in_its_first_run():
    original = make_list("original")
    make_results(original)
    rating_list = make_list("comparison", comparison_to=original, out_of_date_from=dt.date.min)
    rerate(rating_list.pk)
    assert set(rating_list.changes.values_list("grade_before", "grade")) == {("", "")}
    assert not rating_list.awards.exists()
    assert list(find_differences(rating_list)) == []


def test_first_run_counts_its_tables_and_corrects_nobody():
    rating_list = make_list()
    make_results(rating_list)
    rerate(rating_list.pk)
    digest = stored_digest(rating_list)
    run = Run.objects.get()
    assert (run.to_do, run.done, run.visited, Correction.objects.count()) == (4, 4, 4, 0)
    rating_list.changes.all().delete()
    rating_list.awards.all().delete()
    rating_list.rated_tables.all().delete()
    rating_list.standings.all().delete()
    type(rating_list).objects.filter(pk=rating_list.pk).update(out_of_date_from=dt.date.min)
    rerate(rating_list.pk)
    assert (stored_digest(rating_list), Correction.objects.count()) == (digest, 0)

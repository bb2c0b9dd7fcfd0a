import pytest

from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import chunks, result_hashes
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.formats.proof.merkle import compute_root_of_leaves
from ratings.models import LeafBlock, RatingList
from ratings.queries.runs.leaves import read_run_leaves
from ratings.systems import SYSTEMS
from tests.editor import Editor
from tests.factories import make_list, make_player, make_table
from tests.thorough import THOROUGH, share

from .logged import compute_trees, make_logged_list, read_last_trees

pytestmark = pytest.mark.django_db

SEEDS = 3 if THOROUGH else 1


def note_days_read(monkeypatch):
    """Return a list to which the days are added of which results are read; None for all."""
    read = []
    read_all = result_hashes.read_result_leaves

    def note(rating_list, days=None):
        read.append(None if days is None else sorted(map(str, days)))
        return read_all(rating_list, days)

    monkeypatch.setattr(result_hashes, "read_result_leaves", note)
    return read


def test_results_are_read_only_of_days_with_changed_steps(monkeypatch):
    fesa, _players = make_logged_list()
    strangers = [make_player() for _number in range(2)]
    read = note_days_read(monkeypatch)
    table = make_table(fesa, strangers, [(1, 1, 2, 1.0)], "2023-03-03")  # before all others, whom it does not affect
    rerate(fesa.pk)
    assert read_last_trees(fesa) == compute_trees(fesa)
    delete_table(table)
    rerate(fesa.pk)
    assert read_last_trees(fesa) == compute_trees(fesa)
    assert read == [["2023-03-03"], ["2023-03-03"]]


def remove_last(hashes):
    return hashes[:-32]


def change_last_before_summer(hashes):
    """Change the hash before those of the two players of the Summer Cup, the last table."""
    return hashes[:-96] + bytes(32) + hashes[-64:]


@pytest.mark.parametrize("change", [remove_last, change_last_before_summer])
def test_all_results_are_read_if_the_stored_hashes_are_not_those_of_the_last_rows(change, monkeypatch):
    fesa, players = make_logged_list()
    block = LeafBlock.objects.get(list=fesa, tree="results")
    block.hashes = change(bytes(block.hashes))
    block.size = len(block.hashes) // 32
    block.save()
    read = note_days_read(monkeypatch)
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-05-05", event_name="Another Cup")
    rerate(fesa.pk)
    assert read == [None]
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_all_results_are_read_if_the_number_of_stored_hashes_is_wrong_and_no_row_precedes_the_change(monkeypatch):
    fesa, players = make_logged_list()
    LeafBlock.objects.filter(list=fesa, tree="results").update(hashes=bytes(32), size=1)
    read = note_days_read(monkeypatch)
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2019-05-05")
    rerate(fesa.pk)
    assert read == [None]
    assert read_last_trees(fesa) == compute_trees(fesa)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("turn", range(SEEDS))
def test_after_random_edits_the_root_is_that_of_all_results(system, turn, rate_all, monkeypatch):
    monkeypatch.setattr("ratings.domain.runs.leaf_blocks.BLOCK_LEAVES", 8)
    seed = turn + list(SYSTEMS).index(system)
    monkeypatch.setattr(chunks, "CHUNK_WEIGHT", (1000, 30)[seed % 2])
    create_key("portal.example")
    edited = make_list("edited", system=system)
    editor = Editor(edited, seed)
    editor.new_table()
    for _round in range(share(10, 3)):
        for _ in range(editor.chance.randint(1, 4)):
            editor.edit()
        rate_all()
        edited = RatingList.objects.get(pk=edited.pk)
        contents = [leaf for leaf, _hidden in read_run_leaves(edited, "results")]
        assert read_last_trees(edited)["results"] == (len(contents), compute_root_of_leaves(contents))

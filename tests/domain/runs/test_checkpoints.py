import datetime as dt
import json

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import change_options, delete_adjustment, save_adjustment
from ratings.domain.lists.publishing import publish_revision
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import checkpoints
from ratings.domain.runs.log_keys import LogKeyError, create_key
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import rerate, sweep
from ratings.formats.proof.checkpoints import TREES, parse_checkpoint
from ratings.formats.proof.log_checks import check_log
from ratings.formats.proof.merkle import BLOCK_LEAVES
from ratings.models import Adjustment, Checkpoint, Decision, Game, LeafBlock, LogKey, RatingList, Run, Table
from ratings.queries.runs.leaves import read_published_leaves, read_run_leaves
from ratings.queries.runs.logs import read_log, read_own_keys
from tests.factories import give_rating, make_list, make_player, make_table

from .logged import PUBLISHED, compute_trees, make_logged_list, read_last_trees

pytestmark = pytest.mark.django_db


def test_each_run_and_publication_writes_a_signed_checkpoint():
    fesa, _players = make_logged_list()
    checked = check_log(read_log(fesa), read_own_keys())
    assert checked.problems == []
    runs = list(Run.objects.filter(list=fesa).order_by("pk").values_list("pk", flat=True))
    assert [(read.checkpoint.run, read.checkpoint.published) for read in checked.checkpoints] == [
        (runs[0], None),
        (None, "published 2024-03-31"),
        (runs[1], None),
    ]
    first, _published, last = (read.checkpoint for read in checked.checkpoints)
    assert (first.log, first.since, last.since) == ("127.0.0.1:8000/lists/fesa", None, dt.date(2024, 3, 4))
    assert {tree: head.size for tree, head in last.trees.items()} == {
        "options": 1, "tables": 3, "adjustments": 4, "decisions": 1, "results": 14,
    }  # fmt: skip
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_leaves_have_public_ids_and_no_names_dates_of_birth_or_reasons():
    fesa, players = make_logged_list()
    players[0].birth_date = dt.date(1999, 9, 9)
    players[0].save()
    leaves = {tree: [leaf for leaf, _hidden in read_run_leaves(fesa, tree)] for tree in TREES}
    assert json.loads(leaves["tables"][0]) == {
        "date": "2024-01-07",
        "players": ["P0", "P1", "P2", "P3"],
        "games": [
            {"round": 1, "a": "P0", "b": "P1", "score": 1},
            {"round": 1, "a": "P2", "b": "P3", "score": 0.5},
        ],
    }
    assert json.loads(leaves["decisions"][0]) == {"date": "2024-02-01", "player": "P0", "grade": "1 Kyu", "is": "kept"}
    assert json.loads(leaves["options"][0]) == {"system": "fesa-2016", "options": {}}
    assert set(json.loads(leaves["results"][0])) == {
        "day", "place", "player", "before", "after", "change", "games", "state",
    }  # fmt: skip
    dated = fesa.dated.get()
    published = [json.loads(leaf) for leaf, _hidden in read_published_leaves(dated, "published 2024-03-31")]
    assert {tuple(line) for line in published} == {
        ("category", "day", "deviation", "games", "grade", "player", "rank", "rating")
    }
    everything = str(leaves) + str(published)
    assert [word for word in ("Name", "Cup", "1999", "secret", "opening") if word in everything] == []


def change_list(fesa, players):
    """Make changes of many kinds, and yield after each."""
    make_table(fesa, players[2:], [(1, 1, 2, 1.0)], "2024-02-02")  # between others
    yield
    make_table(fesa, [*players, make_player(public_id="P9")], [(1, 5, 1, 1.0)], "2023-12-01")
    yield
    delete_table(Table.objects.get(event__name="Spring Cup"))
    yield
    give_rating(fesa, make_player(public_id="Q"), 1800, day="2024-04-04")
    yield
    before = Table.objects.get(event__name="Summer Cup")
    given = {"rating": 1700, "games": 100}
    save_adjustment(
        Adjustment(list=fesa, player=players[2], date=before.last_day, before=before, set=given, reason="x")
    )
    yield
    Decision.objects.all().delete()
    mark_lists_out_of_date([fesa], dt.date(2024, 2, 1))
    yield
    table = Table.objects.get(event__name="Winter Cup")
    table.minutes = 90
    save_details(table)
    yield
    game = table.games.order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(score=0)
    mark_lists_out_of_date([fesa], table.last_day, tables=[table])
    yield
    change_options(fesa, {"corrections": "revised"})
    yield
    late = make_player(public_id="P8")
    make_table(fesa, [late, players[1]], [(1, 1, 2, 1.0)], "2024-06-06")
    yield
    merge_players(late, players[0], reason="one person")
    yield


def test_hashes_kept_from_earlier_runs_give_the_roots_of_all_leaves(monkeypatch):
    fesa, players = make_logged_list()
    monkeypatch.setattr("ratings.domain.runs.leaf_blocks.BLOCK_LEAVES", 4)
    LeafBlock.objects.all().delete()
    for _change in change_list(fesa, players):
        rerate(fesa.pk)
        fesa = RatingList.objects.get(pk=fesa.pk)
        assert read_last_trees(fesa) == compute_trees(fesa)
    assert check_log(read_log(fesa), read_own_keys()).problems == []
    assert LeafBlock.objects.filter(list=fesa, tree="results").count() > 4


def test_run_of_the_last_day_writes_only_the_last_block():
    fesa = make_list()
    players = [make_player() for _number in range(2)]
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-01")
    rerate(fesa.pk)
    # as many rows as two blocks and a bit
    known = 2 * BLOCK_LEAVES + 3
    checkpoints.replace_leaves(fesa, "results", 0, [b"%32d" % number for number in range(known)])
    kept = dict(LeafBlock.objects.filter(tree="results").values_list("number", "pk"))
    head = checkpoints.replace_leaves(fesa, "results", known - 1, [b"x" * 32, b"y" * 32])
    blocks = dict(LeafBlock.objects.filter(tree="results").values_list("number", "pk"))
    assert head.size == known + 1
    assert (blocks[0], blocks[1]) == (kept[0], kept[1])
    assert blocks[2] != kept[2]


def test_log_reads_no_table_that_its_run_has_read(monkeypatch):
    fesa, players = make_logged_list()
    read = []

    def note(tables):
        read.append(list(Table.objects.filter(pk__in=tables).values_list("event__name", flat=True)))
        return leaves_of(tables)

    leaves_of = checkpoints.read_table_leaves
    monkeypatch.setattr(checkpoints, "read_table_leaves", note)
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2023-01-01", event_name="Late Cup")  # moves all others
    table = Table.objects.get(event__name="Winter Cup")
    table.minutes = 90
    save_details(table)
    rerate(fesa.pk)
    assert read == [[]]
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_only_adjustments_since_the_first_changed_day_are_hashed_as_the_run_has_read_them(monkeypatch):
    fesa, players = make_logged_list()
    make_leaves, made, read = checkpoints.make_adjustment_leaves, [], []
    monkeypatch.setattr(checkpoints, "make_adjustment_leaves", lambda read: made.append(make_leaves(read)) or made[-1])
    monkeypatch.setattr(checkpoints, "read_adjustment_leaves", lambda *_args: read.append(1) or [])

    def save(**fields):
        adjustment = Adjustment(list=fesa, reason="officer", **fields)
        save_adjustment(adjustment)
        return adjustment

    late = save(player=players[0], date=dt.date(2024, 4, 1), set={"rating": 1700})
    rerate(fesa.pk)
    early = Adjustment.objects.get(player=players[1], date=dt.date(2020, 1, 1))
    early.set = {"rating": 1234, "games": 50}
    early.date = dt.date(2020, 6, 1)
    save_adjustment(early)
    rerate(fesa.pk)
    delete_adjustment(late)
    rerate(fesa.pk)
    assert ([len(leaves) for leaves in made], read) == ([1, 5, 0], [])
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_adjustment_before_a_table_is_read_with_every_run():
    fesa, players = make_logged_list()
    table = Table.objects.get(event__name="Spring Cup")
    save_adjustment(
        Adjustment(list=fesa, player=players[0], date=table.last_day, before=table, set={"rating": 1600}, reason="r")
    )
    rerate(fesa.pk)
    make_table(fesa, players[:2], [(1, 1, 2, 0.5)], "2024-06-05", event_name="Late Cup")
    rerate(fesa.pk)
    assert read_last_trees(fesa) == compute_trees(fesa)
    table.minutes = 90
    save_details(table)
    rerate(fesa.pk)
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_deleted_adjustment_before_a_moved_table_leaves_the_log():
    fesa, players = make_logged_list()
    table = Table.objects.get(event__name="Summer Cup")
    day = table.last_day
    named = Adjustment(list=fesa, player=players[2], date=day, before=table, set={"rating": 1700}, reason="r")
    later = Adjustment(list=fesa, player=players[1], date=day + dt.timedelta(15), set={"rating": 1701}, reason="r")
    for adjustment in (named, later):
        save_adjustment(adjustment)
    make_table(fesa, players[:2], [(1, 1, 2, 0.0)], "2024-05-25", event_name="May Cup")
    rerate(fesa.pk)
    table.first_day = table.last_day = dt.date(2024, 6, 5)
    save_details(table)
    rerate(fesa.pk)
    delete_adjustment(named)
    rerate(fesa.pk)
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_private_list_has_no_log_until_it_is_opened():
    fesa, _players = make_logged_list(public=False)
    assert not Checkpoint.objects.exists()
    sweep()
    assert not Checkpoint.objects.exists()
    RatingList.objects.filter(pk=fesa.pk).update(public=True)
    sweep()
    sweep()
    last_run = Run.objects.filter(list=fesa).latest("pk").pk
    assert list(Checkpoint.objects.values_list("number", "run", "tree")) == [
        (1, last_run, ""),
        (2, None, "published 2024-03-31"),
    ]
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_runs_while_the_list_was_private_are_no_reason_to_keep_hashes():
    fesa, players = make_logged_list()
    RatingList.objects.filter(pk=fesa.pk).update(public=False)
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2023-01-01")
    rerate(fesa.pk)
    assert Checkpoint.objects.count() == 3
    RatingList.objects.filter(pk=fesa.pk).update(public=True)
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-06-01")
    rerate(fesa.pk)
    fesa = RatingList.objects.get(pk=fesa.pk)
    assert parse_checkpoint(fesa.checkpoints.last().text).since is None
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_comparison_has_a_log_only_if_its_list_is_public():
    fesa, _players = make_logged_list()
    other = make_list("icu", system="icu-1989", comparison_to=fesa)
    mark_lists_out_of_date([other], dt.date(2020, 1, 1))
    rerate(other.pk)
    assert read_last_trees(other) == compute_trees(other)
    RatingList.objects.filter(pk=fesa.pk).update(public=False)
    mark_lists_out_of_date([other], dt.date(2020, 1, 1))
    rerate(other.pk)
    assert other.checkpoints.count() == 1


def test_worker_killed_while_it_writes_leaves_the_work_to_the_next_one(monkeypatch):
    fesa, players = make_logged_list()
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-06-01")
    before = read_log(fesa)

    def kill(*arguments, **options):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "sign", kill)
        with pytest.raises(SystemExit):
            rerate(fesa.pk)
    assert read_log(fesa) == before
    assert RatingList.objects.get(pk=fesa.pk).out_of_date_from is not None
    sweep()
    assert fesa.checkpoints.count() == 4
    assert read_log(fesa).startswith(before)
    assert check_log(read_log(fesa), read_own_keys()).problems == []
    assert read_last_trees(fesa) == compute_trees(fesa)


def test_checkpoint_is_written_once_for_a_run():
    fesa, _players = make_logged_list()
    checkpoints.write_run_checkpoint(Run.objects.latest("pk"))
    checkpoints.write_missing_checkpoints()
    assert fesa.checkpoints.count() == 3


def test_checkpoints_wait_for_a_key(settings):
    fesa = make_list()
    players = [make_player(), make_player()]
    make_table(fesa, players, [(1, 1, 2, 1.0)])
    rerate(fesa.pk)
    assert (fesa.checkpoints.count(), read_log(fesa)) == (1, "")
    create_key("portal.example")
    sweep()
    assert check_log(read_log(fesa), read_own_keys()).problems == []
    # a key that cannot be read signs nothing, and stops no run
    settings.SECRET_KEY, secret = "another one", settings.SECRET_KEY
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-06-01")
    rerate(fesa.pk)
    assert fesa.checkpoints.filter(signatures="").count() == 1
    settings.SECRET_KEY_FALLBACKS = [secret]
    sweep()
    assert len(check_log(read_log(fesa), read_own_keys()).checkpoints) == 2


def test_keys_are_replaced_with_both_signatures(settings):
    fesa, players = make_logged_list()
    first = read_own_keys().keys[0]
    create_key("portal.example")
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-06-01")
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(minutes=5), tick=False):
        rerate(fesa.pk)
    keys = read_own_keys()
    assert (keys.keys[0], len(keys.keys), len(keys.changes)) == (first, 2, 1)
    assert check_log(read_log(fesa), keys.trust(first)).problems == []
    stored = LogKey.objects.last()
    assert "portal.example" not in stored.private
    settings.SECRET_KEY = "another one"
    with pytest.raises(LogKeyError, match="cannot be decrypted"):
        create_key()
    create_key("portal.example", lost=True)
    assert len(read_own_keys().keys) == 3
    assert len(read_own_keys().trust(first).keys) == 2
    with pytest.raises(LogKeyError, match="Invalid name"):
        create_key("two words", lost=True)


def test_list_published_again_has_a_second_checkpoint():
    fesa, players = make_logged_list()
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-02-20")
    rerate(fesa.pk)
    dated = fesa.dated.get()
    publish_revision(dated)
    trees = list(fesa.checkpoints.exclude(tree="").values_list("tree", flat=True))
    assert trees == ["published 2024-03-31", "revised 2024-03-31"]
    checkpoints.write_missing_checkpoints()
    assert fesa.checkpoints.exclude(tree="").count() == 2


def test_list_published_before_the_log_is_written_by_the_sweep():
    fesa, _players = make_logged_list()
    Checkpoint.objects.exclude(tree="").delete()
    Checkpoint.objects.filter(number=3).update(number=2)
    checkpoints.write_missing_checkpoints()
    assert fesa.checkpoints.get(tree="published 2024-03-31").dated.day == PUBLISHED


def test_merge_and_erasure_change_no_earlier_checkpoint():
    fesa, players = make_logged_list()
    published = [leaf for leaf, _hidden in read_published_leaves(fesa.dated.get(), "published 2024-03-31")]
    before = read_log(fesa)
    erase_person(players[3], reason="asked for it")
    rerate(fesa.pk)
    late = make_player(public_id="P8")
    make_table(fesa, [late, players[1]], [(1, 1, 2, 1.0)], "2024-06-06")
    rerate(fesa.pk)
    merge_players(players[0], late, reason="one person")
    rerate(fesa.pk)
    assert read_log(fesa).startswith(before)
    assert [leaf for leaf, _hidden in read_published_leaves(fesa.dated.get(), "published 2024-03-31")] == published
    assert check_log(read_log(fesa), read_own_keys()).problems == []


def test_checkpoint_of_a_run_needs_a_fixed_number_of_queries():
    counts = []
    for number in (1, 4):
        fesa = make_list(f"list{number}")
        players = [make_player() for _player in range(2 * number)]
        for day in range(1, number + 1):
            pairs = [(1, 2 * at + 1, 2 * at + 2, 1.0) for at in range(number)]
            make_table(fesa, players, pairs, f"2024-01-{day:02}")
        rerate(fesa.pk)
        run = Run.objects.filter(list=fesa).latest("pk")
        fesa.checkpoints.all().delete()
        with CaptureQueriesContext(connection) as queries:
            checkpoints.write_run_checkpoint(run)
        counts.append(len(queries))
    assert counts[0] == counts[1]

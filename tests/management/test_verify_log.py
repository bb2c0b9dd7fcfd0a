"""`verify --log` names each change of a game, a rating, a published list, a line of the log, or the order of runs."""

import datetime as dt
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.utils import timezone

from ratings.domain.lists.publishing import publish_revision
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_unpublished_values
from ratings.formats.history.file import write_history
from ratings.formats.proof.merkle import HASH_BYTES, hash_leaf
from ratings.models import (
    Adjustment,
    Change,
    Checkpoint,
    DatedLine,
    Decision,
    Game,
    LeafBlock,
    RatingList,
    Run,
    Standing,
)
from ratings.queries.lists.history import export_history
from ratings.queries.runs.leaves import read_run_leaves
from ratings.queries.runs.logs import describe_keys, read_log, read_witnessed_logs, write_export
from ratings.queries.runs.published_proofs import list_provable_lines, prove_line
from tests.domain.runs.logged import make_logged_list
from tests.factories import make_table

pytestmark = pytest.mark.django_db


class Files:
    """The files of a log that a visitor downloads."""

    def __init__(self, folder, rating_list):
        self.folder, self.list = folder, rating_list
        self.download()

    def download(self):
        self.list.refresh_from_db()
        (self.folder / "log.txt").write_text(read_log(self.list))
        (self.folder / "keys.txt").write_text(describe_keys())
        (self.folder / "export.zip").write_bytes(write_export(self.list))
        return str(self.folder / "log.txt")


@pytest.fixture
def players():
    """The players of the list with a log."""
    return make_logged_list()[1]


@pytest.fixture
def files(players, tmp_path):
    return Files(tmp_path, RatingList.objects.get())


def verify(*arguments):
    """Run `verify`, and return what it prints and the number of differences."""
    out, err = StringIO(), StringIO()
    try:
        call_command("verify", *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        return [*out.getvalue().splitlines(), str(error)]
    return out.getvalue().splitlines()


def test_untouched_log_and_export_agree(files):
    key = describe_keys().strip()
    expected = ["127.0.0.1:8000/lists/fesa: 3 checkpoints, no differences found", f"signed by {key}"]
    assert verify("--log", files.download()) == expected
    assert verify("--log", files.download(), "--key", key) == expected
    assert verify("--log", files.download(), "--list", "fesa") == expected


def test_changed_game_is_named(files):
    game = Game.objects.filter(table__event__name="Winter Cup").order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(score=0.5)
    lines = verify("--log", files.download())
    run = Run.objects.latest("pk").pk
    assert lines[0] == (f"tables: leaf 1 (t1, Winter Cup, 2024-01-07): changed since checkpoint 3 (run {run}, line 25)")
    # the results follow from the game, and those stored are still the old ones
    assert lines[1].startswith("results: leaf 5 (day 2024-01-07, player P0, before 1500, after ")
    assert lines[1].endswith(f": computed from the history, but different in checkpoint 3 (run {run}, line 25)")
    assert lines[2:] == [f"{files.folder / 'log.txt'}: differences found: 2"]
    assert verify("--log", files.folder / "log.txt", "--list", "fesa")[:2] == lines[:2]


def test_changed_game_is_named_after_later_runs(files, players):
    """The hashes of older leaves are kept, so a run after the change does not hide it."""
    game = Game.objects.filter(table__event__name="Winter Cup").order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(score=0.5)
    make_table(files.list, players[:2], [(1, 1, 2, 1.0)], "2024-07-07")
    rerate(files.list.pk)
    assert verify("--log", files.download())[0].startswith("tables: leaf 1 (t1, Winter Cup, 2024-01-07): changed since")


def test_changed_rating_is_named(files):
    row = Change.objects.filter(table__event__name="Spring Cup", player__public_id="P2").get()
    Change.objects.filter(pk=row.pk).update(after=2222)
    (line, _summary) = verify("--log", files.download())
    assert line.startswith("results: leaf 11 (day 2024-03-03, player P2, before ")
    assert "after 2222): changed since checkpoint 3" in line


def test_deleted_result_row_is_named(files):
    Change.objects.filter(table__event__name="Summer Cup", player__public_id="P1").delete()
    (line, _summary) = verify("--log", files.download())
    assert line.startswith("results: leaf 14 (b''): changed since checkpoint 3")


def test_added_result_row_is_named(files):
    row = Change.objects.filter(table__event__name="Summer Cup", player__public_id="P1").get()
    row.pk, row.place = None, row.place + 1
    row.table_id = None
    row.save()
    (line, _summary) = verify("--log", files.download())
    assert line.startswith("results: 15 leaves in the export, 14 in checkpoint 3")


@pytest.mark.parametrize(
    ("model", "change", "named"),
    [
        (Standing, {"rating": 2999}, "in the database: standing of P1: "),
        (Standing, {"grade": "5 Dan"}, "in the database: standing of P1: "),
        (Change, {"grade": "5 Dan"}, "in the database: 2020-01-01 P1: "),
        (Change, {"performance": 2999}, "in the database: 2020-01-01 P1: "),
    ],
)
def test_changed_row_that_follows_from_others_is_named_in_the_database(model, change, named, files):
    copy = files.download()
    model.objects.filter(player__public_id="P1").update(**change)
    lines = verify("--log", copy, "--list", "fesa")
    assert lines[-1].startswith(f"{copy}: differences found: ")
    assert lines[0].startswith(named)


def test_deleted_standing_is_named_in_the_database(files):
    copy = files.download()
    Standing.objects.filter(player__public_id="P1").delete()
    (line, _summary) = verify("--log", copy, "--list", "fesa")
    assert line.startswith("in the database: standing of P1: ")


def test_changed_published_list_is_named(files):
    DatedLine.objects.filter(player__public_id="P1").update(rating=1999)
    (line, _summary) = verify("--log", files.download())
    assert line.startswith("published 2024-03-31: leaf ")
    assert "player P1, rank " in line
    assert "rating 1999, grade 1 Kyu): changed since checkpoint 2 (published 2024-03-31, line 16)" in line


NOT_REVISED = "expected no revised values, as the list was not published again"


@pytest.mark.parametrize("only_list", [False, True])
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"revised_rating": 1999}, f"rank 3, rating 1553.0, grade 1 Kyu, games 102, category established, revised_rating 1999.0 stored; {NOT_REVISED}"),
        ({"revised_grade": "5 Dan"}, f"rank 3, rating 1553.0, grade 1 Kyu, games 102, category established, revised_grade 5 Dan stored; {NOT_REVISED}"),
    ],
)  # fmt: skip
def test_revised_values_of_a_list_that_was_not_published_again_are_named(change, named, only_list, files):
    copy = files.download()
    DatedLine.objects.filter(player__public_id__in=("P1", "P0")).update(**change)
    arguments = ("--list", "fesa") if only_list else ("--log", copy, "--list", "fesa")
    lines = verify(*arguments)
    assert (lines[0].removeprefix("in the database: "), len(lines)) == (
        f"published list 2024-03-31, P1: {named}", 2 if only_list else 3,
    )  # fmt: skip


def test_values_without_a_rating_of_a_list_that_was_published_again_are_named(files):
    """A row without the rating is in no checkpoint: P1 was removed by the correction, P2 added."""
    publish_revision(files.list.dated.get())
    lines = DatedLine.objects.order_by()
    lines.filter(player__public_id="P1").update(revised_rating=None, revised_rank=None, revised_games=None)
    lines.filter(player__public_id="P1").update(revised_grade="", revised_category="")
    lines.filter(player__public_id="P2").update(rating=None, rank=None, games=None, grade="", category="")
    assert list(find_unpublished_values(files.list)) == []
    lines.filter(player__public_id="P1").update(revised_rank=1)
    lines.filter(player__public_id="P2").update(grade="5 Dan")
    assert [line.partition(":")[0] for line in find_unpublished_values(files.list)] == [
        "published list 2024-03-31, P1", "published list 2024-03-31, P2",
    ]  # fmt: skip


def test_list_marked_as_published_again_without_a_checkpoint_is_named(files):
    copy = files.download()
    files.list.dated.update(revised_at=timezone.now())
    DatedLine.objects.update(revised_rating=F("rating"), revised_rank=F("rank"))
    assert verify("--log", copy, "--list", "fesa")[0] == "revised 2024-03-31: the log has no checkpoint of it"


def test_revision_of_a_published_list_is_as_expected(files):
    publish_revision(files.list.dated.get())
    assert verify("--log", files.download(), "--list", "fesa")[-1].startswith("signed by")


def test_deleted_published_list_is_named(files):
    DatedLine.objects.all().delete()
    files.list.dated.all().delete()
    assert verify("--log", files.download())[0] == (
        "published 2024-03-31: missing in the export, but expected by checkpoint 2 (published 2024-03-31, line 16)"
    )


@pytest.mark.parametrize(
    ("model", "change", "named"),
    [
        (Adjustment, {"set": {"rating": 1800, "games": 100}}, "adjustments: leaf 1 (date 2020-01-01, player P0)"),
        (Decision, {"grade": "2 Kyu"}, "decisions: leaf 1 (date 2024-02-01, player P0, grade 2 Kyu, is kept)"),
        (RatingList, {"options": {"corrections": "revised"}}, "options: leaf 1 (system fesa-2016)"),
    ],
)
def test_changed_input_is_named(model, change, named, files):
    model.objects.filter(pk=model.objects.order_by("pk").first().pk).update(**change)
    assert verify("--log", files.download())[0].startswith(f"{named}: changed since checkpoint 3")


def test_changed_line_of_the_log_is_named(files):
    checkpoint = Checkpoint.objects.get(number=1)
    Checkpoint.objects.filter(pk=checkpoint.pk).update(text=checkpoint.text.replace("tables 2", "tables 3"))
    run = checkpoint.run_id
    assert verify("--log", files.download())[:2] == [
        f"checkpoint 1 (run {run}, line 1): no signature by a trusted key is valid for this text (signed by"
        " portal.example)",
        "checkpoint 2 (published 2024-03-31, line 16): “previous” is not the hash of checkpoint 1",
    ]


def test_swapped_runs_are_named(files):
    first, last = Checkpoint.objects.exclude(run=None).order_by("number")
    texts = {first.pk: (last.text, last.signatures), last.pk: (first.text, first.signatures)}
    for pk, (text, signatures) in texts.items():
        Checkpoint.objects.filter(pk=pk).update(text=text, signatures=signatures)
    lines = verify("--log", files.download())
    assert lines[0] == (
        f"checkpoint 3 (run {last.run_id}, line 1): expected checkpoint 1 at this place: checkpoints are missing,"
        " repeated or out of order"
    )


def test_swapped_times_of_runs_are_named(files):
    copy = files.download()
    first, last = Checkpoint.objects.exclude(run=None).order_by("number")
    Run.objects.filter(pk=first.run_id).update(ended_at=timezone.now() + dt.timedelta(days=1))
    assert verify("--log", copy, "--list", "fesa")[0] == (
        f"checkpoint 3 is about run {last.run_id}, which ended before run {first.run_id} of checkpoint 1"
    )


def test_rewritten_log_is_named_by_a_copy(files):
    """A person with the key and the database can write another log; a copy of the former one shows it."""
    copy = files.download()
    Checkpoint.objects.all().delete()
    LeafBlock.objects.all().delete()
    call_command("sweep")
    lines = verify("--log", copy, "--list", "fesa")
    assert lines[0] == "checkpoint 1 of the copy differs from that of this portal's log"
    assert lines[2] == "checkpoint 3 of the copy is not in this portal's log"


def test_hashes_changed_with_the_rows_do_not_give_the_root(files):
    Change.objects.filter(table__event__name="Spring Cup", player__public_id="P2").update(after=2222)
    block = LeafBlock.objects.get(tree="results")
    block.hashes = b"".join(hash_leaf(leaf) for leaf, _hidden in read_run_leaves(files.list, "results"))
    assert len(block.hashes) == 14 * HASH_BYTES
    block.save()
    assert verify("--log", files.download())[0].startswith(
        "results: the hashes of the export do not match the root of checkpoint 3"
    )


def test_history_alone_is_compared_by_roots(files):
    history = files.folder / "history.json"
    history.write_text(write_history(export_history(files.list)))
    assert verify("--log", files.download(), "--export", history)[0].endswith("no differences found")
    document = json.loads(history.read_text())
    document["tables"] = document["tables"][:-1]  # as it was at the first checkpoint
    history.write_text(json.dumps(document))
    lines = verify("--log", files.download(), "--export", history)
    assert [line.partition(":")[0] for line in lines[:-1]] == ["tables", "results"]
    assert ", but matches checkpoint 1 (run " in lines[0]


def test_log_alone_is_checked(files):
    (files.folder / "export.zip").unlink()
    log = files.folder / "log.txt"
    assert verify("--log", log)[0].endswith("3 checkpoints, no differences found")
    key = describe_keys().strip()
    (files.folder / "keys.txt").unlink()
    assert verify("--log", log, "--key", key)[0].endswith("no differences found")
    assert verify("--log", log) == [
        f"no file {files.folder / 'keys.txt'} beside {log}: give the keys of the site with --keys"
    ]


def test_out_of_date_list_is_not_compared(files, players):
    copy = files.download()
    make_table(files.list, players[:2], [(1, 1, 2, 1.0)], "2024-07-07")
    assert verify("--log", copy, "--list", "fesa")[0] == "fesa is out of date from 2024-07-07; run sweep first"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "give --list SLUG, --log URL_OR_FILE or --proof URL_OR_FILE"),
        (["--log", "{folder}/none.txt"], "{folder}/none.txt: No such file or directory"),
        (["--log", "{folder}/log.txt", "--key", "x"], "'x' is not a key: expected name+id+key"),
        (["--log", "{folder}/log.txt", "--export", "{folder}/keys.txt"], "not JSON in UTF-8: Expecting value: line 1"),
        (["--log", "{folder}/log.txt", "--export", "{folder}/bad.zip"], "not a ZIP file: File is not a zip file"),
        (["--log", "{folder}/export.zip"], "{folder}/export.zip: not text in UTF-8"),
        (["--proof", "{folder}/log.txt"], "{folder}/log.txt: expected ratings-inclusion/1 with tree, index, leaf"),
    ],
)
def test_wrong_arguments_are_explained(arguments, error, files):
    (files.folder / "bad.zip").write_bytes(b"PK nothing")
    found = verify(*(argument.format(folder=files.folder) for argument in arguments))
    assert found[-1].startswith(error.format(folder=files.folder))


def test_proof_of_a_published_rating(files, players):
    (provable,) = list_provable_lines(players[1])
    proof = files.folder / "proof.txt"
    proof.write_text(prove_line(provable))
    leaf = f'"player":"P1","rank":{provable.line.rank},"rating":{provable.rating:g}'
    (line,) = verify("--proof", proof)
    assert line.startswith("proved: {")
    assert leaf in line
    for old, new, error in (
        (f'"rating":{provable.rating:g}', '"rating":2222', "the hashes do not lead from the leaf to the root"),
        ("published 2024-03-31 4", "published 2024-03-31 5", "no signature by a trusted key is valid"),
        ("tree published", "tree revised", "the checkpoint has no tree 'revised 2024-03-31'"),
        ("index ", "index 9", "the hashes do not lead from the leaf to the root"),
    ):
        proof.write_text(prove_line(provable).replace(old, new))
        assert error in verify("--proof", proof)[0]


def test_witness_cosigns_a_log_that_continues(files, players, capsys):
    """One site plays both parts here: its key signs the log, and cosigns it as a witness."""
    log, key = files.download(), describe_keys().strip()
    with pytest.raises(CommandError, match="is witnessed for the first time: give its key with --key"):
        call_command("witness", log)
    call_command("witness", log, "--key", key)
    note = capsys.readouterr().out
    assert note.startswith("ratings-checkpoint/1\n")
    assert note.count("— portal.example ") == 2
    assert read_witnessed_logs() == note
    # it is added once
    (files.folder / "witnessed.txt").write_text(note)
    for added in (1, 0):
        call_command("witness", str(files.folder / "witnessed.txt"), "--add", "--key", key)
        assert capsys.readouterr().out == f"{added} cosignatures by portal.example added\n"
    assert verify("--log", files.download(), "--witness", key)[-1].startswith("checkpoint 3 (run ")
    # a later log continues, also with the next key
    create_key("portal.example")
    make_table(files.list, players[:2], [(1, 1, 2, 1.0)], "2024-07-07")
    rerate(files.list.pk)
    call_command("witness", files.download())
    assert "number 4\n" in capsys.readouterr().out
    # a log that was rewritten does not
    Checkpoint.objects.all().delete()
    call_command("sweep")
    with pytest.raises(CommandError) as raised:
        call_command("witness", files.download())
    assert "127.0.0.1:8000/lists/fesa was rewritten: checkpoint 4 is missing; it was cosigned on " in str(raised.value)


def test_witness_refuses_other_keys_and_broken_logs(files):
    log, key = files.download(), describe_keys().strip()
    other = "portal.example+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    with pytest.raises(CommandError, match="has the id"):
        call_command("witness", log, "--key", other)
    (files.folder / "log.txt").write_text(read_log(files.list).replace("tables 2", "tables 3"))
    with pytest.raises(CommandError, match="not cosigned:\ncheckpoint 1"):
        call_command("witness", log, "--key", key)
    with pytest.raises(CommandError, match="--add needs the key"):
        call_command("witness", log, "--add")
    assert read_witnessed_logs() == ""


def test_log_key_command(capsys):
    with pytest.raises(CommandError, match="the site has no key yet"):
        call_command("log_key")
    call_command("log_key", "--create", "--name", "portal.example")
    first = capsys.readouterr().out
    assert first.startswith("portal.example+")
    call_command("log_key", "--create")
    assert capsys.readouterr().out.startswith(first + "127.0.0.1:8000+")

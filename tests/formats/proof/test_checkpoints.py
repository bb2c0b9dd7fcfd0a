import datetime as dt

import pytest

from ratings.formats.proof.checkpoints import (
    TREES,
    Checkpoint,
    TreeHead,
    hash_text,
    join_notes,
    parse_checkpoint,
    split_log,
)
from ratings.formats.proof.key_file import KeyFile
from ratings.formats.proof.log_checks import check_log
from ratings.formats.proof.merkle import EMPTY_ROOT
from ratings.formats.proof.notes import NoteError, SignedNote, make_verifier_key, sign_text

PRIVATE = bytes(range(32))
KEYS = KeyFile((make_verifier_key("site", PRIVATE),))
TIME = dt.datetime(2026, 11, 27, 3, 38, 28, tzinfo=dt.UTC)
EMPTY = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="  # SHA-256 of nothing (FIPS 180-4)
RUN = f"""ratings-checkpoint/1
log site/lists/shogi
number 1
time 2026-11-27T03:38:28Z
previous -
run 7
since -
options 0 {EMPTY}
tables 0 {EMPTY}
adjustments 0 {EMPTY}
decisions 0 {EMPTY}
results 0 {EMPTY}
"""


def make_log(number):
    """A log of checkpoints of runs, of which every third one is about a published list."""
    notes, previous = [], None
    for place in range(1, number + 1):
        trees = dict.fromkeys(TREES, TreeHead(place, EMPTY_ROOT))
        run, since = place + 100, dt.date(2024, 1, place)
        if place % 3 == 0:
            trees, run, since = {f"published 2024-01-{place:02}": TreeHead(1, EMPTY_ROOT)}, None, None
        text = Checkpoint("site/lists/shogi", place, TIME, previous, trees, run, since).text
        previous = hash_text(text)
        notes.append(str(SignedNote(text, (sign_text(text, "site", PRIVATE),))))
    return notes


def test_text_of_a_checkpoint():
    checkpoint = Checkpoint("site/lists/shogi", 1, TIME, None, dict.fromkeys(TREES, TreeHead(0, EMPTY_ROOT)), 7)
    assert checkpoint.text == RUN
    assert parse_checkpoint(RUN) == checkpoint


def test_log_is_split_into_what_it_was_joined_from():
    notes = make_log(5)
    text = join_notes(notes)
    entries = list(split_log(text))
    assert [str(entry.note) for entry in entries] == notes
    lines = text.split("\n")
    assert [lines[entry.line - 1] for entry in entries] == ["ratings-checkpoint/1"] * 5
    checked = check_log(text, KEYS)
    assert checked.problems == []
    assert [read.checkpoint.number for read in checked.checkpoints] == [1, 2, 3, 4, 5]
    assert checked.last_run.checkpoint.run == 105
    assert list(checked.published) == ["published 2024-01-03"]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("/1\n", "/2\n", "expected 'ratings-checkpoint/1', not 'ratings-checkpoint/2'"),
        ("tables 0", "tabels 0", f"unexpected line 'tabels 0 {EMPTY}'"),
        ("number 1", "number one", "missing or invalid value: invalid literal for int() with base 10: 'one'"),
        ("number 1\n", "", "missing or invalid value: 'number'"),
        ("number 1\n", "number 1\nnumber 1\n", "unexpected line 'number 1'"),
        (f"tables 0 {EMPTY}\n", "", "missing or invalid value: the trees options, adjustments, decisions, results"),
        ("tables 0 47", "tables 0 §", "'§DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' is not base64"),
        (f"tables 0 {EMPTY}", "tables 0 AAAA", "'AAAA' is not a hash of 32 bytes"),
        ("number 1", "number 01", "the lines are not in the order of the format"),
    ],
)
def test_invalid_checkpoint_is_refused(old, new, error):
    with pytest.raises(NoteError) as raised:
        parse_checkpoint(RUN.replace(old, new))
    assert str(raised.value) == error


def test_one_changed_line_is_named():
    text = join_notes(make_log(5))
    changed = text.replace("tables 4 ", "tables 5 ", 1)
    assert check_log(changed, KEYS).problems == [
        "checkpoint 4 (run 104, line 40): no signature by a trusted key is valid for this text (signed by site)",
        "checkpoint 5 (run 105, line 55): “previous” is not the hash of checkpoint 4",
    ]


def test_order_and_gaps_are_named():
    first, second, third, *_rest = make_log(3)
    assert check_log(join_notes([second, first, third]), KEYS).problems == [
        "checkpoint 2 (run 102, line 1): expected checkpoint 1 at this place: checkpoints are missing, repeated or out of order",
        "checkpoint 2 (run 102, line 1): “previous” must be “-” in the first checkpoint",
        "checkpoint 1 (run 101, line 16): expected checkpoint 2 at this place: checkpoints are missing, repeated or out of order",
        "checkpoint 1 (run 101, line 16): “previous” is not the hash of checkpoint 2",
        "checkpoint 3 (published 2024-01-03, line 31): “previous” is not the hash of checkpoint 1",
    ]
    assert check_log(join_notes([first, third]), KEYS).problems == [
        "checkpoint 3 (published 2024-01-03, line 16): expected checkpoint 2 at this place: checkpoints are missing,"
        " repeated or out of order",
        "checkpoint 3 (published 2024-01-03, line 16): “previous” is not the hash of checkpoint 1",
    ]
    assert check_log("", KEYS).problems == ["the log is empty"]


def test_line_that_is_no_signature_is_named():
    text = join_notes(make_log(2))
    assert (
        check_log(text.replace("— site", "-- site", 1), KEYS).problems[0].startswith("line 1 (checkpoint 1): '-- site ")
    )


def test_another_key_is_not_trusted():
    others = KeyFile((make_verifier_key("site", bytes(32)),))
    problems = check_log(join_notes(make_log(1)), others).problems
    assert problems == [
        "checkpoint 1 (run 101, line 1): no signature by a trusted key is valid for this text (signed by site)"
    ]

import datetime as dt

import pytest

from ratings.formats.proof.checkpoints import TREES, Checkpoint, TreeHead
from ratings.formats.proof.key_file import KeyChange, read_key_file, sign_key_change, write_key_file
from ratings.formats.proof.log_checks import check_log
from ratings.formats.proof.merkle import EMPTY_ROOT
from ratings.formats.proof.notes import NoteError, SignedNote, make_verifier_key, sign_text

PRIVATE = [bytes([number]) * 32 for number in range(4)]
KEYS = [make_verifier_key("site", private) for private in PRIVATE]
TIME = dt.datetime(2026, 11, 27, 12, tzinfo=dt.UTC)


def change(old, new):
    days = dt.timedelta(days=new)
    return str(sign_key_change(KeyChange(TIME + days, KEYS[old], KEYS[new]), PRIVATE[old], PRIVATE[new]))


def test_key_file_is_read_as_it_was_written():
    text = write_key_file(KEYS[:2], [change(0, 1)])
    assert text.startswith(f"{KEYS[0]}\n{KEYS[1]}\n\nratings-log-key/1\ntime 2026-11-28T12:00:00Z\nold {KEYS[0]}\n")
    read = read_key_file(text)
    assert read.keys == tuple(KEYS[:2])
    assert [(each.old, each.new) for each in read.changes] == [(KEYS[0], KEYS[1])]
    assert read_key_file(write_key_file(KEYS[:1], [])).changes == ()


def test_trust_follows_changes_in_both_directions():
    read = read_key_file(write_key_file(KEYS, [change(0, 1), change(1, 2)]))  # the key before the last one was lost
    assert read.trust(KEYS[0]).keys == (KEYS[0], KEYS[1], KEYS[2])
    assert read.trust(KEYS[2]).keys == (KEYS[0], KEYS[1], KEYS[2])
    assert read.trust(KEYS[3]).keys == (KEYS[3],)
    stranger = make_verifier_key("other", PRIVATE[0])
    assert read.trust(stranger).keys == (stranger,)


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("11-28", "11-29"),
        lambda text: text.replace("old ", "former "),
        lambda text: "\n".join(text.split("\n")[:-2]) + "\n",  # the new key's signature
        lambda text: text.replace("time 2026-11-28T12:00:00Z", "time today"),
    ],
)
def test_change_without_both_signatures_is_refused(edit):
    with pytest.raises(NoteError):
        read_key_file(edit(write_key_file(KEYS[:2], [change(0, 1)])))


def test_former_key_signs_nothing_later():
    keys = read_key_file(write_key_file(KEYS[:2], [change(0, 1)]))
    for days, problems in ((0, 0), (2, 1)):
        trees = dict.fromkeys(TREES, TreeHead(0, EMPTY_ROOT))
        text = Checkpoint("site/lists/x", 1, TIME + dt.timedelta(days=days), None, trees, 1).text
        note = SignedNote(text, (sign_text(text, "site", PRIVATE[0]),))
        assert len(check_log(str(note), keys).problems) == problems

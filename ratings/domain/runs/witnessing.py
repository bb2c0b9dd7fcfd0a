"""Witnessing: this site checks and cosigns the logs of others, and adds the cosignatures of others to its own logs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from ratings.formats.proof.checkpoints import hash_text, parse_checkpoint, split_log
from ratings.formats.proof.key_file import KeyFile
from ratings.formats.proof.log_checks import CheckedLog, check_log
from ratings.formats.proof.notes import (
    NoteError,
    SignedNote,
    VerifierKey,
    cosign_text,
    find_valid,
    parse_key,
    parse_note,
)
from ratings.models import Checkpoint, WitnessedLog

from .log_keys import find_readable_key


class WitnessError(Exception):
    """Error for a log that is not cosigned; `problems` says why, a line for each problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


@transaction.atomic
def witness_log(text: str, keys: KeyFile, pinned: VerifierKey | None) -> WitnessedLog:
    """Check a log, cosign its last checkpoint, and store the cosigned checkpoint.

    `pinned` is the trusted key of the log; it is required the first time. Later the stored key is used, with its signed
    replacements. WitnessError: the log has problems, does not contain the checkpoint that was cosigned last, has no
    trusted key, or this site has no key.
    """
    name = _find_name(text)
    before = WitnessedLog.objects.select_for_update().filter(log=name).first()
    known = pinned if before is None else parse_key(before.key)
    if known is None:
        raise WitnessError([f"{name} is witnessed for the first time: give its key with --key"])
    if before is not None and pinned is not None and pinned not in keys.trust(known).keys:
        raise WitnessError(
            [f"{name} was witnessed with another key ({known}), and no signed changes lead from it to {pinned}"]
        )
    trusted = keys.trust(known)
    checked = check_log(text, trusted)
    if problems := checked.problems or _find_rewritten(checked, before):
        raise WitnessError(problems)
    return _cosign(checked, before or WitnessedLog(log=name), trusted)


def _find_name(text: str) -> str:
    """Return the name of the log in its last entry. WitnessError: it is no checkpoint."""
    last = deque(split_log(text), maxlen=1)
    try:
        if last and last[0].note is not None:
            return parse_checkpoint(last[0].note.text).log
    except NoteError as error:
        raise WitnessError([f"last entry: {error}"]) from None
    raise WitnessError([last[0].error if last else "the log is empty"])


def _find_rewritten(checked: CheckedLog, before: WitnessedLog | None) -> list[str]:
    """Return the problem of a log that does not contain the checkpoint that was cosigned last."""
    if before is None:
        return []
    same = [read for read in checked.checkpoints if read.checkpoint.number == before.number]
    if same and hash_text(same[0].note.text).hex() == before.text_hash:
        return []
    what = "differs from the one" if same else "is missing; it was"
    return [f"{before.log} was rewritten: checkpoint {before.number} {what} cosigned on {before.seen_at:%Y-%m-%d}"]


def _cosign(checked: CheckedLog, witnessed: WitnessedLog, keys: KeyFile) -> WitnessedLog:
    """Store the last checkpoint of a log with its signature and this site's cosignature."""
    own = find_readable_key()
    if own is None:
        raise WitnessError(["this site has no key that can be read: create one with log_key --create"])
    read, now = checked.checkpoints[-1], timezone.now()
    signatures = [signature for _key, signature in find_valid(read.note, keys.keys)]
    signatures.append(cosign_text(read.note.text, *own, int(now.timestamp())))
    witnessed.key, witnessed.number, witnessed.seen_at = str(keys.keys[-1]), read.checkpoint.number, now
    witnessed.text_hash = hash_text(read.note.text).hex()
    witnessed.note = str(SignedNote(read.note.text, tuple(signatures)))
    witnessed.save()
    return witnessed


@transaction.atomic
def add_cosignatures(text: str, witness: VerifierKey) -> int:
    """Add a witness's cosignatures to the checkpoints of this site that they are for; return how many are new.

    `text` holds signed notes as a witness serves them; those of other logs, and signatures by other keys, are ignored.
    """
    key, added = witness.as_witness, 0
    for entry in split_log(text):
        if entry.note is None:
            continue
        checkpoints = Checkpoint.objects.select_for_update().filter(text=entry.note.text).exclude(signatures="")
        cosignatures = [signature for _key, signature in find_valid(entry.note, [key])]
        for checkpoint in checkpoints if cosignatures else ():
            if not find_valid(parse_note(checkpoint.note), [key]):
                checkpoint.signatures += f"{cosignatures[0]}\n"
                checkpoint.save(update_fields=["signatures"])
                added += 1
    return added

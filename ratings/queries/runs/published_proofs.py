"""Proofs that a player's rating is in a published list."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from ratings.formats.proof.inclusion import prove_inclusion, write_inclusion
from ratings.formats.proof.leaves import make_published_leaf
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import Checkpoint, DatedLine, DatedList, Player
from ratings.queries.lists.lists import public_lists

from .leaves import REVISED, read_published_lines
from .logs import read_hashes


class ProvableLine(NamedTuple):
    """A player's line of a published list, and the last checkpoint of the list."""

    line: DatedLine
    checkpoint: Checkpoint

    @property
    def rating(self) -> float | None:
        """The rating in the checkpoint, in rating points."""
        return self.line.revised_rating if self.checkpoint.tree.startswith(REVISED) else self.line.rating


def last_published_checkpoint(dated: DatedList) -> Checkpoint | None:
    """Return the signed checkpoint of a list as it was published last; None if there is none."""
    return dated.checkpoints.exclude(signatures="").order_by("number").last()


def list_provable_lines(player: Player) -> list[ProvableLine]:
    """Return a player's lines of published lists with a checkpoint, newest day first.

    Lines of players who were merged into this one belong to it; a player whose rating was withdrawn has none.
    """
    players = [player.pk, *player.merged.values_list("pk", flat=True)]
    lines = DatedLine.objects.filter(player__in=players, dated__list__in=public_lists())
    lines = lines.exclude(dated__list__members__in=player.on_lists.filter(withdrawn=True))
    lines = lines.select_related("dated__list__federation", "player").order_by("-dated__day", "dated", "pk")
    checkpoints = Checkpoint.objects.filter(dated__in=[line.dated_id for line in lines]).exclude(signatures="")
    last = {checkpoint.dated_id: checkpoint for checkpoint in checkpoints.order_by("list", "number")}
    pairs = [ProvableLine(line, last[line.dated_id]) for line in lines if line.dated_id in last]
    return [pair for pair in pairs if pair.rating is not None]


def find_provable_line(player: Player, slug: str, day: dt.date) -> ProvableLine | None:
    """Return the line of a player of a published list for which there is a proof; None without one.

    The player is the one in the list, also if they were merged into another one since.
    """
    for provable in list_provable_lines(player.merged_into or player):
        dated = provable.line.dated
        if (provable.line.player_id, dated.list.slug, dated.day) == (player.pk, slug, day):
            return provable
    return None


class ChangedLineError(Exception):
    """Error for a stored line that is not the one in the checkpoint."""


def prove_line(provable: ProvableLine) -> str:
    """Return the proof of a line as text. ChangedLineError: its stored values differ from those in the checkpoint."""
    dated, tree = provable.line.dated, provable.checkpoint.tree
    lines, hashes = read_published_lines(dated, tree), list(read_hashes(dated.list, tree))
    index = next(at for at, line in enumerate(lines) if line.player == provable.line.player.public_id)
    leaf = make_published_leaf(dated.day, lines[index])
    if len(lines) != len(hashes) or hash_leaf(leaf) != hashes[index]:
        raise ChangedLineError
    return write_inclusion(prove_inclusion(tree, hashes, index, leaf), provable.checkpoint.note)

"""The known players whom typed names of entries may mean."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratings.formats.sheet_content import SheetRow
from ratings.models import EventEntry, Player, RatingList
from ratings.queries.players.roster import Candidate, Roster


@dataclass(frozen=True)
class EntryMatch:
    """The players whom an entry may mean; `player` is the only one with exactly its name, None if there is none."""

    player: Player | None
    candidates: Sequence[Candidate]


def match_entries(entries: Iterable[EventEntry], lists: Sequence[RatingList], day: dt.date) -> dict[int, EntryMatch]:
    """Return the matches of entries without a player, by primary key; the number of queries is constant."""
    unknown = [entry for entry in entries if entry.player_id is None]
    if not unknown:
        return {}
    rows = [SheetRow(entry.family_name, entry.given_name, str(entry.country)) for entry in unknown]
    roster = Roster(rows, (), lists, day)
    found = {}
    for number, (entry, row) in enumerate(zip(unknown, rows, strict=True), 1):
        player = roster.match(number, row).player
        found[entry.pk] = EntryMatch(player, roster.candidates[number])
    return found

"""New players that a file announces, entered into the rows of a draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ratings.formats.people.new_players import NEW, NewPlayer
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.queries.players.roster import Roster

from .announced_players import NameKey, get_name_key


def index_announced(new_players: Iterable[NewPlayer]) -> dict[NameKey, NewPlayer]:
    """Return the announced players by name as it is compared."""
    return {get_name_key(player.family, player.given): player for player in new_players}


def add_announced_ids(content: SheetContent, announced: Mapping[NameKey, NewPlayer]) -> None:
    """Enter the ids in other registries of announced players, by which rows are matched with known players."""
    for row in content.rows:
        if (new := announced.get(get_name_key(row.family, row.given))) is not None:
            row.outside = {**row.outside, **new.outside}


def mark_new_players(
    content: SheetContent,
    roster: Roster,
    announced: Mapping[NameKey, NewPlayer],
    *,
    unknown_are_new: bool,
    source: str,
) -> None:
    """Mark rows as new players: announced ones, and with `unknown_are_new` all that resemble no known player.

    Known players with another id in the same registry are not compared. `source` names the file.
    """
    for number, row in enumerate(content.rows, 1):
        match, new = roster.match(number, row), announced.get(get_name_key(row.family, row.given))
        if not row.name or row.player:
            continue
        if new is not None and new.answer not in ("", NEW):
            row.player = new.answer
        elif match.player is not None and (new is None or not new.answer):
            continue
        elif new is not None and (new.answer or not match.is_ambiguous):
            use_announcement(row, new, source)
            row.new = True
        elif unknown_are_new and all(roster.has_other_id(row, each.player) for each in roster.candidates[number]):
            row.new = True


def use_announcement(row: SheetRow, new: NewPlayer, source: str) -> None:
    """Enter the data of an announced new player into a row; `source` names the file."""
    row.country = new.country or row.country
    row.prior_grade, row.evidence = new.prior_grade, source if new.prior_grade else ""

"""The template of an event's results table, with its entered players."""

from __future__ import annotations

from ratings.formats.sheet_content import SheetRow
from ratings.formats.spreadsheet.templates import DEFAULT_ROUNDS, TemplateContent, TemplatePlayer
from ratings.models import Event, EventEntry
from ratings.queries.events.entries import read_entered_players
from ratings.queries.events.events import lists_of


def template_of_event(event: Event) -> TemplateContent:
    """Return the entered players of an event by rating, with as many rounds as it has, else DEFAULT_ROUNDS."""
    head = (
        ("Event", event.name),
        ("Place", event.place),
        ("Country", str(event.country)),
        ("First day", f"{event.start}"),
        ("Last day", f"{event.end}"),
        ("Time control", event.time_control),
    )
    return TemplateContent(head, _read_players(event), event.rounds or DEFAULT_ROUNDS)


def read_entered_rows(event: Event) -> list[SheetRow]:
    """Return the entered players of an event, by rating, as rows of a submission without results."""
    return [SheetRow(each.family, each.given, each.country, each.id) for each in _read_players(event)]


def _read_players(event: Event) -> list[TemplatePlayer]:
    lists = lists_of(event)
    return [_template_player(line.entry) for line in read_entered_players(event, next(iter(lists), None))]


def _template_player(entry: EventEntry) -> TemplatePlayer:
    player = entry.player
    if player is None:
        return TemplatePlayer("", entry.family_name, entry.given_name, str(entry.country))
    player = player.merged_into or player
    return TemplatePlayer(player.public_id, player.family_name, player.given_name, str(player.country))

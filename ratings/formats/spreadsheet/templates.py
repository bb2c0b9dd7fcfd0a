"""Templates for results as CSV files and workbooks: a crosstable to fill in, empty or with the players of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .crosstable import PLAYER_ID, crosstable_titles, event_lines
from .table import format_csv
from .workbook import write_workbook

DEFAULT_ROUNDS = 5
HELP = (
    "# Fill in a row a player below the header row, then send the file. Lines that begin with # are not read.",
    "# Results: the opponent's number and + won, - lost, = drawn. Not played: 0+ bye or free win, 0- absent, 0= ½",
    "# New: N for a player who is in no rating list yet. MM: MacMahon start points or empty. Country: two letters.",
    "# Handicaps stand behind the result: 2+(-r) gave a rook, 1-(+r) received it; in go 3-/b4: Black, 4 stones",
)
HELP_WITH_PLAYERS = f"# {PLAYER_ID}: from the rating list. Leave it empty in a row for somebody else."
EXAMPLE = ("2+", "3=", "0+", "4-", "5+")
EXAMPLE_POINTS = {"+": 1.0, "=": 0.5, "-": 0.0}


@dataclass(frozen=True)
class TemplatePlayer:
    """A player in a template; `id` is the public id, empty for a player who is on no list yet."""

    id: str
    family: str
    given: str
    country: str


@dataclass(frozen=True)
class TemplateContent:
    """The event of a template, as (title, text) of the lines above the table, its players and number of rounds."""

    event: Sequence[tuple[str, str]] = ()
    players: Sequence[TemplatePlayer] = field(default_factory=tuple)
    rounds: int = DEFAULT_ROUNDS


EMPTY = TemplateContent()


def template_csv(content: TemplateContent = EMPTY) -> str:
    """Return a crosstable to fill in as CSV, with an explanation in comments."""
    return format_csv(_list_lines(content))


def template_xlsx(content: TemplateContent = EMPTY) -> bytes:
    """Return a crosstable to fill in as a workbook, with an explanation in comments."""
    widths = (8, 12, 24, 18) if content.players else (8, 24, 18)
    return write_workbook(_list_lines(content), widths)


def _list_lines(content: TemplateContent) -> list[Sequence[str | float]]:
    help_lines: list[Sequence[str | float]] = [(text,) for text in HELP]
    has_players = bool(content.players)
    titles = crosstable_titles(content.rounds, ids=has_players, new=True, macmahon=True)
    if not has_players:
        return [*help_lines, *event_lines(content.event), titles, _example(content.rounds)]
    rows = [
        (number, player.id, player.family, player.given, player.country, "" if player.id else "N", "")
        for number, player in enumerate(content.players, 1)
    ]
    return [*help_lines, (HELP_WITH_PLAYERS,), *event_lines(content.event), titles, *rows]


def _example(rounds: int) -> Sequence[str]:
    """Return an example row, which is a comment."""
    results = [EXAMPLE[number % len(EXAMPLE)] for number in range(rounds)]
    points = sum(EXAMPLE_POINTS[result[-1]] for result in results)
    return ("# 1", "Muster", "Anna", "DE", "", "", *results, f"{points:g}")

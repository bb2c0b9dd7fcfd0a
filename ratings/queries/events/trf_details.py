"""Data that TRF has beside the results of a table: the players' ratings, places and public data, and corrections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from django.db.models import F
from django.utils import timezone

from ratings.formats.fide.country_codes import federation_code
from ratings.formats.parsed import ParsedRow, ParsedTable
from ratings.formats.sheet_content import content_from_json
from ratings.formats.trf.organisation import Days
from ratings.formats.trf.records import agrees_with_rows
from ratings.formats.trf.table import find_organisation
from ratings.models import Gender, NameVisibility, OutsideId, Player, RatingList, Registry, Submission, Table, Upload
from ratings.queries.lists.fide_lines import chapter_of
from ratings.queries.players.names import contain_hidden_names

from .crosstables import Crosstable, CrosstableRow

SEXES = {Gender.FEMALE: "w", Gender.MALE: "m"}


def add_trf_details(parsed: ParsedTable, crosstable: Crosstable, rating_list: RatingList | None) -> None:
    """Add to a table as files contain it what only TRF holds, as the public may see it.

    Ratings are those on the list before the table; they are also the national ones, unless the list is by FIDE's rules.
    """
    table = crosstable.table
    add_national_numbers(parsed, crosstable, rating_list)
    records_gender = rating_list is not None and rating_list.federation.records_gender
    has_national_ratings = rating_list is not None and not chapter_of(rating_list)
    for row, written in zip(crosstable.rows, parsed.rows, strict=True):
        _add_player(row, written, records_gender=records_gender)
        placing = crosstable.placings.get(row.entry.number)
        written.place = placing.place if placing else None
        written.national_rating = written.rating if has_national_ratings else None
    if table.overtime_moves is None:
        parsed.minutes, parsed.increment = table.minutes, table.increment
    parsed.comments = tuple(f"Corrected on {day}" for day in _read_days_of_corrections(table))
    _add_organisation(parsed, crosstable)


def add_national_numbers(parsed: ParsedTable, crosstable: Crosstable, _rating_list: RatingList | None) -> None:
    """Add the players' public numbers in national federations to the rows of a table as files contain it."""
    numbers = _read_national_numbers([row.entry.player_id for row in crosstable.rows])
    for row, written in zip(crosstable.rows, parsed.rows, strict=True):
        written.national = numbers.get(row.entry.player_id, {})


def _add_player(row: CrosstableRow, written: ParsedRow, *, records_gender: bool) -> None:
    player: Player = row.entry.player
    if row.change is not None and row.change.before is not None:
        written.rating = round(row.change.before)
    if player.shown != NameVisibility.FULL:
        return
    if player.gender_public and records_gender:
        written.sex = SEXES.get(Gender(player.gender), "") if player.gender else ""
    if player.birth_public:
        written.birth_year = player.year_of_birth


def _read_national_numbers(players: Collection[int]) -> dict[int, dict[str, str]]:
    """Return the confirmed numbers of players who are shown by full name, by FIDE's code of the federation."""
    ids = OutsideId.objects.filter(player__in=players, registry=Registry.NATIONAL, player__shown=NameVisibility.FULL)
    numbers: dict[int, dict[str, str]] = defaultdict(dict)
    for player, country, value in ids.exclude(confirmed_at=None).values_list("player", "country", "value"):
        if (code := federation_code(str(country))) and len(value) <= NUMBER_WIDTH:
            numbers[player][code] = value
    return dict(numbers)


NUMBER_WIDTH = 11
"""Columns of a player's number in TRF."""


def _read_days_of_corrections(table: Table) -> list[str]:
    """Return the days on which corrections of a table were accepted, in order."""
    versions = Submission.objects.filter(table=table, state=Submission.State.ACCEPTED)
    in_order = versions.order_by(F("accepted_at").asc(nulls_first=True), "pk").values_list("accepted_at", flat=True)
    return [f"{timezone.localdate(at)}" for at in list(in_order)[1:] if at is not None]


def _add_organisation(parsed: ParsedTable, crosstable: Crosstable) -> None:
    """Add the lines of the program, the arbiter, the days of the rounds and the titles of the accepted file in TRF.

    The rounds of a table of one day were on that day. A name that may be that of a hidden player is left out, as are
    lines that name players by their starting ranks if the table has others.
    """
    table = crosstable.table
    if accepted := _read_accepted_file(table):
        found = find_organisation(accepted.data, parsed.rounds, Days(table.first_day, table.last_day))
        parsed.program_lines, parsed.round_days = found.program_lines, found.round_days
        parsed.arbiter = "" if contain_hidden_names([found.arbiter]) else found.arbiter
        ranks = {accepted.players.get(line, ""): player for line, player in found.players.items()}
        numbers = {row.entry.player.public_id: row.entry.number for row in crosstable.rows}
        if numbers == {player: known.rank for player, known in ranks.items()}:
            parsed.pairing_lines = tuple(line for line in found.pairing_lines if agrees_with_rows(line, parsed.rows))
        for row, written in zip(crosstable.rows, parsed.rows, strict=True):
            known = ranks.get(row.entry.player.public_id)
            if known and row.entry.player.shown == NameVisibility.FULL:
                written.title = known.title
    if table.first_day == table.last_day:
        parsed.round_days = (table.first_day,) * parsed.rounds


class _AcceptedFile(NamedTuple):
    """A file in TRF, and the public ids of its players by the number of the line."""

    data: bytes
    players: dict[int, str]


def _read_accepted_file(table: Table) -> _AcceptedFile | None:
    """Return the file in TRF that was accepted last for a table."""
    accepted = Upload.objects.filter(submission__table=table, submission__state=Submission.State.ACCEPTED, format="trf")
    fields = accepted.order_by("-submission__accepted_at", "-pk").values_list("data", "submission__content")
    found = fields.first()
    if found is None:
        return None
    data, content = found
    rows = content_from_json(content).rows
    return _AcceptedFile(bytes(data), {row.line: row.player for row in rows if row.line is not None})

"""Choices of a person for the file of a rating list: the meaning of its columns, and the players of its names.

The choices are stored with the file until it is imported. Those of the columns are used again for the next file with
the same titles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ratings.formats.people.people_sheet import ChosenColumns, PeopleSheet
from ratings.models import RatingList, Upload

NEW = "new"
"""Answer for a name that is another person than all known ones."""
RECENT_FILES = 20
"""Files among which one with the same titles is looked for."""


@dataclass(frozen=True)
class FileReading:
    """The chosen columns of a file, if any were chosen, and the answer for each line: a public id, or `NEW`.

    `before` are the answers before the last ones, to undo these.
    """

    columns: ChosenColumns | None = None
    people: Mapping[int, str] = field(default_factory=dict)
    before: Mapping[int, str] | None = None

    def answer(self, people: Mapping[int, str]) -> FileReading:
        """Return the reading with these answers; the same reading if they are not new."""
        return self if people == self.people else FileReading(self.columns, people, self.people)

    def undo_answers(self) -> FileReading:
        """Return the reading as it was before the last answers."""
        return FileReading(self.columns, self.before or {})


def read_reading(upload: Upload) -> FileReading:
    """Return what was chosen for a stored file."""
    return reading_from_json(upload.reading or {})


def reading_from_json(stored: Mapping[str, Any]) -> FileReading:
    """Return what was chosen for a file from the JSON values of `describe_reading`."""
    columns = stored.get("columns")
    chosen = None if columns is None else ChosenColumns(tuple(columns), stored.get("has_titles", True))
    before = stored.get("before")
    return FileReading(chosen, _read_answers(stored.get("people")), None if before is None else _read_answers(before))


def _read_answers(stored: Mapping[str, str] | None) -> dict[int, str]:
    return {int(line): answer for line, answer in (stored or {}).items()}


def describe_reading(reading: FileReading, sheet: PeopleSheet | None) -> dict[str, Any] | None:
    """Return the JSON values that are stored with a file; None if nothing was chosen.

    `sheet` is the file with the titles that it has itself.
    """
    values: dict[str, Any] = {}
    if reading.columns is not None:
        values = {"columns": list(reading.columns.columns), "has_titles": reading.columns.has_titles}
        if sheet and reading.columns.has_titles:
            values["titles"] = sheet.titles
    if reading.people:
        values["people"] = {str(line): answer for line, answer in reading.people.items()}
    if reading.before is not None:
        values["before"] = {str(line): answer for line, answer in reading.before.items()}
    return values or None


def find_earlier_columns(rating_list: RatingList, sheet: PeopleSheet | None) -> ChosenColumns | None:
    """Return the columns that were chosen for the last imported file of the federation with the same titles."""
    if sheet is None:
        return None
    files = Upload.objects.filter(
        list__federation=rating_list.federation_id, format=Upload.RATING_LIST, reading__isnull=False
    )
    for reading in files.order_by("-pk").values_list("reading", flat=True)[:RECENT_FILES]:
        if reading and reading.get("titles") == sheet.titles:
            return ChosenColumns(tuple(reading["columns"]))
    return None


def choose_columns(names: Sequence[str], *, has_titles: bool = True) -> ChosenColumns:
    """Return the choice of a person: the name of a column for each position, empty to leave it out."""
    return ChosenColumns(tuple(name or None for name in names), has_titles)

"""The results of a submission as people edit them: the texts as typed, valid or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ratings.systems.messages import message_from_json, message_to_json

from .parsed import Cell, ParsedRow, ParsedTable, points_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ADDED_FIELDS = {"native", "sex"}
"""Fields of a row that an earlier release does not know. They are stored only where they are not empty, so that the
earlier release reads all other rows while both serve during an upgrade."""
T = TypeVar("T", bound="DataclassInstance")


@dataclass(slots=True)
class SheetRow:
    """A player's row.

    `player` is the public id of the player. `new` is True if a player is to be created from this row. `typed` holds
    invalid entries of number fields, by the field's name. `unread` is a line of a file that could not be read; a person
    fills in the row by hand. `printed` holds the player's data from a published table: grade, rating, starred, change
    and promoted, as in ParsedRow. `outside` holds ids in other registries, by the registry's key. `native` (the name
    in the player's own script) and `sex` (m or w) are those of a new player in the file.
    """

    family: str = ""
    given: str = ""
    country: str = ""
    player: str = ""
    new: bool = False
    birth_year: int | None = None
    start_year: int | None = None
    prior_grade: str = ""
    evidence: str = ""
    fixed_rating: float | None = None
    macmahon: str = ""
    points: str = ""  # as in the file, for comparison
    place: str = ""
    cells: list[str] = field(default_factory=list)
    line: int | None = None
    typed: dict[str, str] = field(default_factory=dict)
    unread: str = ""
    printed: dict[str, Any] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)
    native: str = ""
    sex: str = ""

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()

    @property
    def empty(self) -> bool:
        """Return True if nothing was entered in this row."""
        texts = (
            self.name,
            self.country,
            self.player,
            self.macmahon,
            self.place,
            self.unread,
            *self.typed.values(),
            *self.cells,
        )
        return not any(text.strip() for text in texts)


@dataclass(slots=True)
class Remark:
    """A problem found while a file was read that the edited texts no longer show."""

    level: str
    message: str
    line: int | None = None
    row: int | None = None
    round: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the remark as JSON values, its message as a code and values."""
        return asdict(self) | {"message": message_to_json(self.message)}


@dataclass(slots=True)
class RowChoice:
    """The choice of a player in a row, by public id or as a new one, and the choice that it replaced.

    `is_spelling_known` is True if the user had chosen a player for this spelling before.
    """

    row: int
    player: str
    new: bool
    old_player: str
    old_new: bool
    is_spelling_known: bool = False


@dataclass(slots=True)
class ChoiceStep:
    """The choices that one button made, stored so that they can be undone: the button and the changed rows.

    `batch_step` identifies a step that changed several drafts of a batch of files, as the time at which it was done.
    """

    button: str
    rows: list[RowChoice]
    batch_step: str = ""


@dataclass(slots=True)
class FieldChange:
    """A text that a fix changed, by row (0 for the whole table) and field, such as round-3."""

    row: int
    field: str
    old: str
    new: str


@dataclass(slots=True)
class FixStep:
    """The changes that one fix made, stored so that they can be undone."""

    fix: str
    changes: list[FieldChange]


@dataclass(slots=True)
class SheetContent:
    """All rows of a submission, with its confirmed warnings and details.

    `confirmed` holds the explanation with which a person accepted a warning, by the warning's key. `details` holds data
    that only some systems need, by name: of the table (tournament, minutes, overtime_moves, overtime_seconds,
    increment) and of all its games (board, online, correspondence). `typed` holds invalid entries of other fields of
    the page, by the field's name: days that are not dates, a name that is too long, a time that is not a number.
    `with_places` is True if a person asked for a column of official places.
    `last_choices` are the last choices of players on the page of names, `last_fix` the last fix of the results page.
    """

    rounds: int
    rows: list[SheetRow]
    confirmed: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)
    last_choices: ChoiceStep | None = None
    last_fix: FixStep | None = None
    with_places: bool = False

    @property
    def used_rounds(self) -> int:
        """Return the number of the last round in which anything was entered."""
        return max((n for row in self.rows for n, cell in enumerate(row.cells, 1) if cell.strip()), default=0)

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values."""
        written = asdict(self) | {"remarks": [remark.to_json() for remark in self.remarks]}
        for row in written["rows"]:
            for name in ADDED_FIELDS:
                if not row[name]:
                    del row[name]
        return written


def content_from_json(written: Mapping[str, Any]) -> SheetContent:
    """Return the content from the JSON values of `SheetContent.to_json`, without fields that a later release added."""
    rows = [_read(SheetRow, row) for row in written.get("rows", [])]
    remarks = [
        _read(Remark, remark | {"message": message_from_json(remark["message"])})
        for remark in written.get("remarks", [])
    ]
    confirmed, details, typed = (dict(written.get(name, {})) for name in ("confirmed", "details", "typed"))
    choices = written.get("last_choices")
    step = None
    if choices:
        changed = [_read(RowChoice, row) for row in choices["rows"]]
        step = ChoiceStep(choices["button"], changed, choices.get("batch_step", ""))
    fix = written.get("last_fix")
    fixed = FixStep(fix["fix"], [_read(FieldChange, change) for change in fix["changes"]]) if fix else None
    with_places = written.get("with_places", False)
    return SheetContent(written.get("rounds", 0), rows, confirmed, remarks, details, typed, step, fixed, with_places)


def _read(kind: type[T], written: Mapping[str, Any]) -> T:
    """Return an object of a dataclass from JSON values, without values that the class does not know."""
    return kind(**{one.name: written[one.name] for one in fields(kind) if one.name in written})


def blank_content(players: int, rounds: int) -> SheetContent:
    """Return empty content with this number of players and rounds."""
    return SheetContent(rounds, [SheetRow(cells=[""] * rounds) for _ in range(players)])


def content_from_table(table: ParsedTable) -> SheetContent:
    """Return the content of a table read from a file; its rows are renumbered from 1."""
    new_numbers = {row.number: new_number for new_number, row in enumerate(table.rows, 1)}
    rows = [_create_row(row, table.rounds, new_numbers) for row in table.rows]
    for row, sheet_row in zip(table.rows, rows, strict=True):
        if table.published and row.rating is not None:
            sheet_row.printed = {name: getattr(row, name) for name in PRINTED}
    return SheetContent(table.rounds, rows)


def _create_row(row: ParsedRow, rounds: int, new_numbers: Mapping[int, int]) -> SheetRow:
    cells = ["&"] if row.simultaneous else [_format_cell(cell, new_numbers) for cell in row.cells]
    cells += [""] * (rounds - len(cells))
    return SheetRow(
        "" if row.broken else row.family,
        row.given,
        row.texts.get("country", row.country),
        row.player,
        new=row.new,
        birth_year=row.birth_year,
        macmahon=row.texts.get("macmahon", "" if row.macmahon is None else points_text(row.macmahon)),
        points=row.texts.get("points", "" if row.points is None else points_text(row.points)),
        place=row.texts.get("place", "" if row.place is None else str(row.place)),
        cells=cells,
        line=row.line,
        unread=row.texts.get("row", ""),
        outside=dict(row.outside),
        native=row.native,
        sex=row.sex,
    )


PRINTED = ("grade", "rating", "starred", "change", "promoted")
"""Fields of a row that only published tables have."""


def _format_cell(cell: Cell, new_numbers: Mapping[int, int]) -> str:
    """Return the text of a cell as typed if there is one, else with the renumbered opponent."""
    if cell.text:
        return cell.text
    opponent, forfeit = (new_numbers.get(number, number) for number in (cell.opponent, cell.forfeit))
    return replace(cell, opponent=opponent, forfeit=forfeit).typed

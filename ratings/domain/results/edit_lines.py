"""Differences between two saved versions of a submission, field by field, named by people and rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.formats.tokens import read_cell
from ratings.models import Player, Submission

FIELDS = ("name", "first_day", "last_day", "reason")
Version = Mapping[str, Any]
"""A saved version of a submission as JSON values: its fields and its content."""
TABLE_LABELS: Mapping[str, Any] = {
    "name": gettext_lazy("name of the table"),
    "first_day": gettext_lazy("first day"),
    "last_day": gettext_lazy("last day"),
    "reason": gettext_lazy("reason for the correction"),
}
ROW_LABELS: Mapping[str, Any] = {
    "name": gettext_lazy("name"),
    "country": gettext_lazy("nationality"),
    "player": gettext_lazy("player"),
    "birth_year": gettext_lazy("birth year"),
    "start_year": gettext_lazy("playing since"),
    "prior_grade": gettext_lazy("prior grade"),
    "evidence": gettext_lazy("evidence of the grade"),
    "macmahon": gettext_lazy("MacMahon points"),
    "place": gettext_lazy("official place"),
}


@dataclass(frozen=True)
class EditLine:
    """A changed text: where it stands, such as “Round 3: Lind Eva”, and the texts before and after."""

    place: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.place}: {self.old or '–'} → {self.new or '–'}"


def save_version(submission: Submission) -> dict[str, Any]:
    """Return the present version of a submission as JSON values."""
    fields = {name: str(getattr(submission, name)) for name in FIELDS}
    return fields | {"content": content_from_json(submission.content).to_json()}


def list_edit_lines(before: Version, after: Version) -> list[EditLine]:
    """Return what differs between two versions: the table's own fields, then the rows, then the results by round."""
    old, new = content_from_json(before["content"]), content_from_json(after["content"])
    ids = {row.player for row in (*old.rows, *new.rows) if row.player}
    players = _name_players(Player.objects.filter(public_id__in=ids))
    lines = [*_compare_fields(before, after, old, new), *_compare_rows(old, new, players), *_compare_cells(old, new)]
    return [line for line in lines if line.old != line.new]


def _name_players(players: Iterable[Player]) -> dict[str, str]:
    """Return the names of players by public id, with the id where two share a name."""
    names = {player.public_id: str(player) for player in players}
    counts = Counter(names.values())
    return {id: name if counts[name] == 1 else f"{name} ({id})" for id, name in names.items()}


def _compare_fields(before: Version, after: Version, old: SheetContent, new: SheetContent) -> Iterator[EditLine]:
    for name, label in TABLE_LABELS.items():
        place = str(label).capitalize()
        yield EditLine(place, old.typed.get(name, str(before[name])), new.typed.get(name, str(after[name])))
    yield EditLine(_("Rounds"), str(old.rounds), str(new.rounds))
    yield EditLine(_("Rows"), str(len(old.rows)), str(len(new.rows)))
    for name in {**old.details, **new.details}:
        texts = (_text(content.typed.get(name, content.details.get(name))) for content in (old, new))
        yield EditLine(_("Detail “%(name)s”") % {"name": name}, *texts)
    for key in {**old.confirmed, **new.confirmed}:
        yield EditLine(_("Answer to a question"), old.confirmed.get(key, ""), new.confirmed.get(key, ""))


def _compare_rows(old: SheetContent, new: SheetContent, players: Mapping[str, str]) -> Iterator[EditLine]:
    for number in range(1, max(len(old.rows), len(new.rows)) + 1):
        rows = (_get_row(old, number), _get_row(new, number))
        for field, label in ROW_LABELS.items():
            place = f"{name_row(new, number)}, {label}"
            yield EditLine(place, *(_read_field(row, field, players) for row in rows))


def _read_field(row: SheetRow, field: str, players: Mapping[str, str]) -> str:
    if field == "player":
        return _("new player") if row.new and not row.player else players.get(row.player, row.player)
    return row.typed.get(field, _text(getattr(row, field)))


def _compare_cells(old: SheetContent, new: SheetContent) -> Iterator[EditLine]:
    """Yield the changed results; a game whose two cells changed alike is yielded once."""
    for round_ in range(1, max(old.rounds, new.rounds) + 1):
        seen: set[int] = set()
        for number in range(1, max(len(old.rows), len(new.rows)) + 1):
            texts = _get_cell(old, number, round_), _get_cell(new, number, round_)
            if texts[0] == texts[1] or number in seen:
                continue
            cell = read_cell(texts[1])
            opponent = cell.named if cell else 0
            others = _get_cell(old, opponent, round_), _get_cell(new, opponent, round_)
            if all(_is_mirrored(text, other, number, opponent) for text, other in zip(texts, others, strict=True)):
                seen.add(opponent)
            place = _("Round %(round)s: %(name)s") % {"round": round_, "name": name_row(new, number)}
            shown = (_describe_cell(content, text) for content, text in zip((old, new), texts, strict=True))
            yield EditLine(place, *shown)


def _is_mirrored(text: str, other: str, number: int, opponent: int) -> bool:
    cell, mirrored = read_cell(text), read_cell(other)
    if cell is None or mirrored is None or cell.named != opponent or not opponent:
        return False
    return mirrored.typed == cell.mirrored(number).typed


def _describe_cell(content: SheetContent, text: str) -> str:
    """Return a result with the name of the opponent, such as “6+ (Brand Leo)”."""
    cell = read_cell(text)
    named = cell is not None and 0 < cell.named <= len(content.rows)
    return f"{text} ({name_row(content, cell.named)})" if named and cell is not None else text


def name_row(content: SheetContent, number: int) -> str:
    """Return the name in a row of a submission; its number if it has none."""
    return _get_row(content, number).name or _("row %(row)s") % {"row": number}


def _get_row(content: SheetContent, number: int) -> SheetRow:
    return content.rows[number - 1] if 0 < number <= len(content.rows) else SheetRow()


def _get_cell(content: SheetContent, number: int, round_: int) -> str:
    cells = _get_row(content, number).cells
    return cells[round_ - 1].strip() if round_ <= len(cells) else ""


def _text(value: Any) -> str:
    if value is True:
        return _("yes")
    return "" if value is None or value is False else str(value)

"""The file of a rating list between its upload and its import: choosing its columns, and saying who its names are.

The import page of a list and the guided set-up share it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.lists.forms import WaitingFileForm
from ratings.domain.lists.file_reading import NEW, FileReading, choose_columns
from ratings.domain.lists.list_import_files import ListImport, confirm_list_import, get_reading, read_again
from ratings.domain.lists.matching import NameAnswers, NameQuestion
from ratings.formats.people.people_sheet import FULL_NAME_COLUMN, PeopleSheet
from ratings.models import RatingList
from ratings.queries.players.player_details import describe, players_with_details

PREVIEW_ROWS = 5
MAX_QUESTIONS = 200
"""Questions about names on a page; the next ones follow when these are answered."""
ANSWER = re.compile(r"line-(\d{1,6})", re.ASCII)
COLUMNS = {
    "family": gettext_lazy("Last name"),
    "given": gettext_lazy("First name"),
    FULL_NAME_COLUMN: gettext_lazy("Last name, first name"),
    "country": gettext_lazy("Country"),
    "rating": gettext_lazy("Rating"),
    "games": gettext_lazy("Games"),
    "grade": gettext_lazy("Grade"),
    "prior_grade": gettext_lazy("Prior grade"),
    "birth_year": gettext_lazy("Birth year"),
    "gender": gettext_lazy("Gender"),
    "member_until": gettext_lazy("Member until"),
    "id": gettext_lazy("ID"),
    "egd": gettext_lazy("EGD PIN"),
    "fide": gettext_lazy("FIDE id"),
    "aga": gettext_lazy("AGA id"),
    "uscf": gettext_lazy("US Chess id"),
    "rif": gettext_lazy("RIF id"),
    "fesa": gettext_lazy("FESA id"),
    "national": gettext_lazy("National ids"),
}
"""Names of the columns to choose from, in the order of the field."""


@dataclass
class WaitingFile:
    """The answer to a form about a waiting file: what it would do now, or did, and what to tell the person."""

    opening: ListImport | None = None
    is_stored: bool = False
    problems: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class ShownQuestion:
    """A question about a name, with the id, the description and the address of each player whom it may mean."""

    question: NameQuestion
    candidates: Sequence[tuple[str, str, str]] = field(default_factory=tuple)

    @property
    def answer(self) -> str:
        """Return the answer: that of the person, else the certain player."""
        certain = self.candidates[0][0] if self.question.is_certain else ""
        return self.question.answer or certain


def answer_form(request: HttpRequest, rating_list: RatingList) -> WaitingFile:
    """Do what a form about a waiting file says: read it again with other columns or answers, or import it.

    It is only imported as the page showed it: with other answers than the stored ones, it is checked again first.
    """
    form = WaitingFileForm(request.POST)
    if not form.is_valid():
        return WaitingFile(problems=[_("Choose the file again.")])
    upload, day = form.cleaned_data["upload"], form.cleaned_data["day"]
    try:
        before = get_reading(rating_list, upload)
        reading = read_posted(request.POST, before)
        if "store" in request.POST and reading == before and day is not None:
            opening = confirm_list_import(rating_list, upload, day=day)
            return WaitingFile(opening, is_stored=opening.is_ready)
        opening = read_again(rating_list, upload, reading, day=day)
    except ValidationError as error:
        return WaitingFile(problems=error.messages)
    if "same" in request.POST:
        people = {**reading.people, **find_equal_names(opening.names)}
        opening = read_again(rating_list, upload, reading.answer(people), day=day)
    is_late = "store" in request.POST and reading != before
    return WaitingFile(opening, note=_("You changed something. Look at the result, then import.") if is_late else "")


def read_posted(data: QueryDict, before: FileReading) -> FileReading:
    """Return what a form says about a file: columns, answers, or that the last answers are undone."""
    if "undo" in data:
        return before.undo_answers()
    columns, has_titles = data.getlist("column"), "no_titles" not in data
    if columns and data.get("shown_columns") != join_columns(columns, has_titles=has_titles):
        return FileReading(choose_columns(columns, has_titles=has_titles))
    answers = {int(match[1]): value for name, value in data.items() if (match := ANSWER.fullmatch(name)) and value}
    return before.answer({**before.people, **{line: f"{value}"[:12] for line, value in answers.items()}})


def join_columns(columns: Sequence[str], *, has_titles: bool) -> str:
    """Return the choice of columns as text, with which a form says what its page showed."""
    return ",".join([*columns, "titles" if has_titles else ""])


def find_equal_names(names: NameAnswers) -> Mapping[int, str]:
    """Return the player for each line without an answer whose name only one known player has, unless data differ."""
    return {each.line.line: each.candidates[0].public_id for each in names.open if each.is_equal}


def describe_opening(opening: ListImport) -> dict[str, Any]:
    """Return what the page shows of a file: its columns, and the questions about its names."""
    return {
        "opening": opening,
        "file_name": opening.upload.name if opening.upload else "",
        "sheet": describe_sheet(opening.sheet) if opening.upload else None,
        "can_undo_answers": opening.upload is not None and "before" in (opening.upload.reading or {}),
        **describe_names(opening.names if opening.upload else NameAnswers()),
    }


def describe_names(names: NameAnswers) -> dict[str, Any]:
    """Return what a page shows of the questions about the names of a file."""
    questions = names.questions
    open_first = sorted((each for each in questions if not each.is_certain), key=lambda each: bool(each.answer))
    unsure = sorted(open_first[:MAX_QUESTIONS], key=lambda each: each.line.line)
    certain = [each for each in questions if each.is_certain][:MAX_QUESTIONS]
    ids = {player.public_id for each in (*unsure, *certain) for player in each.candidates}
    players = players_with_details(ids) if ids else {}

    def show(question: NameQuestion) -> ShownQuestion:
        candidates = [
            (player.public_id, describe(players.get(player.public_id, player)), player.get_absolute_url())
            for player in question.candidates
        ]
        return ShownQuestion(question, candidates)

    return {
        "questions": [show(each) for each in unsure],
        "certain_names": [show(each) for each in certain],
        "open_names": len(names.open),
        "equal_names": len(find_equal_names(names)),
        "new_answer": NEW,
    }


def describe_sheet(sheet: PeopleSheet | None, columns: Collection[str] = tuple(COLUMNS)) -> dict[str, Any] | None:
    """Return the columns of a file with what each is read as, and its first rows; None for a file without columns.

    `columns` are those that can be chosen.
    """
    if sheet is None:
        return None
    width = len(sheet.titles)
    rows = [[line.cells[at] if at < len(line.cells) else "" for at in range(width)] for line in sheet.lines]
    meanings = [FULL_NAME_COLUMN if each == "family" and sheet.has_full_names else each or "" for each in sheet.columns]
    has_titles = any(sheet.titles)
    return {
        "shown": join_columns(meanings, has_titles=has_titles),
        "heads": list(zip(sheet.titles, meanings, strict=True)),
        "rows": rows[:PREVIEW_ROWS],
        "choices": [(name, label) for name, label in COLUMNS.items() if name in columns],
        "has_titles": has_titles,
    }

"""Marks at the cells of the results page: errors, open questions and comments, each with a sign that links to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.results.findings import Section
from portal.results.shown_comments import ShownComment
from ratings.domain.results.findings import Finding
from ratings.formats.parsed import FATAL

ERROR, QUESTION, COMMENT = "error", "question", "comment"
Place = tuple[int, int]
"""Row and round; round 0 is the row itself, whose marks stand at the last name."""


@dataclass(frozen=True)
class Mark:
    """A mark at a cell: its kind, and the HTML id of the finding or comment; empty if that is not on the page."""

    kind: str
    target: str

    @property
    def sign(self) -> str:
        return {ERROR: "!", QUESTION: "?", COMMENT: "…"}[self.kind]

    @property
    def label(self) -> str:
        return {ERROR: _("Error"), QUESTION: _("Question"), COMMENT: _("Comment")}[self.kind]


@dataclass(frozen=True)
class MarkedCell:
    """A cell with its round, its text and its marks; round 0 is the last name of the row."""

    round: int
    text: str
    marks: Sequence[Mark] = ()

    @property
    def is_invalid(self) -> bool:
        """Return True if the cell has an error."""
        return any(mark.kind == ERROR for mark in self.marks)

    @property
    def kind(self) -> str:
        """Kind of the worst mark; empty without marks."""
        kinds = {mark.kind for mark in self.marks}
        return next((kind for kind in (ERROR, QUESTION, COMMENT) if kind in kinds), "")

    @property
    def described_by(self) -> str:
        """HTML ids of what the marks are about, separated by spaces."""
        return " ".join(mark.target for mark in self.marks if mark.target)

    @property
    def signs(self) -> Sequence[Mark]:
        """The first mark of each kind."""
        first: dict[str, Mark] = {}
        for mark in self.marks:
            first.setdefault(mark.kind, mark)
        return list(first.values())


def list_marks(
    findings: Iterable[Finding], sections: Iterable[Section], comments: Iterable[ShownComment]
) -> dict[Place, list[Mark]]:
    """Return the marks of each cell: those of errors and open questions first, then those of open comments.

    `sections` are the findings that the page lists, with their numbers.
    """
    numbers = {
        id(shown.finding): shown.number for section in sections for group in section.groups for shown in group.findings
    }
    marks: dict[Place, list[Mark]] = {}
    for finding in findings:
        if finding.blocks and finding.row:
            kind = ERROR if finding.level == FATAL else QUESTION
            number = numbers.get(id(finding))
            target = "" if number is None else f"finding-{number}"
            marks.setdefault((finding.row, finding.round or 0), []).append(Mark(kind, target))
    for shown in comments:
        if shown.row:
            place = (shown.row, shown.comment.round or 0)
            marks.setdefault(place, []).append(Mark(COMMENT, f"comment-{shown.comment.pk}"))
    return marks

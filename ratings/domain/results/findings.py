"""Findings of the check of submitted results, each with its place, and the results as they were checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import ClassVar

from ratings.formats.parsed import FATAL, WARNING, ParsedRow
from ratings.formats.problems import SubmissionProblem
from ratings.models import Player, Table
from ratings.queries.players.roster import Candidate
from ratings.systems.messages import Message, has_code, message_to_json

UNMATCHED_NAMES = (
    SubmissionProblem.NAME_AMBIGUOUS,
    SubmissionProblem.NAME_UNKNOWN,
    SubmissionProblem.NAME_UNKNOWN_TYPED,
    SubmissionProblem.ID_CONTRADICTS,
    SubmissionProblem.ID_DIFFERS,
)
"""Errors of rows whose player must be chosen. They are counted as names to check, apart from all other errors."""


@dataclass(frozen=True)
class Finding:
    """A problem in submitted results, with its place.

    Errors block the submission, warnings must be confirmed with a reason, and hints only inform. `field_name` is
    the form field in which to correct the problem, if that is not the cell of a round.
    """

    level: str
    message: str
    row: int | None = None
    round: int | None = None
    line: int | None = None
    fix: str = ""
    confirmation: str = ""
    """The reason with which the user confirmed a warning."""
    field_name: str = ""
    SHEET_ID: ClassVar[str] = "sheet"
    """HTML id of the crosstable, for problems without a field."""

    @property
    def key(self) -> str:
        """Identifier of the problem, computed from its level, code, values, row and round.

        Lists are joined as in earlier releases, so that the warnings confirmed there stay confirmed.
        """
        message = self.message.join_lists() if isinstance(self.message, Message) else self.message
        return self._hash(json.dumps(message_to_json(message), sort_keys=True))

    @property
    def text_key(self) -> str:
        """Identifier under which releases without message codes stored the confirmation of the warning."""
        return self._hash(self.message)

    def _hash(self, message: str) -> str:
        return hashlib.sha256(f"{self.level}|{message}|{self.row}|{self.round}".encode()).hexdigest()[:16]

    @property
    def field_id(self) -> str:
        """HTML id of the form field in which the problem can be corrected."""
        if self.row is None:
            return f"id_{self.field_name}" if self.field_name else self.SHEET_ID
        if self.field_name:
            return f"id_row-{self.row}-{self.field_name}"
        return f"id_row-{self.row}-round-{self.round}" if self.round else f"id_row-{self.row}-family"

    @property
    def is_unmatched_name(self) -> bool:
        """Return True if the player of the row must be chosen."""
        return self.level == FATAL and has_code(self.message, *UNMATCHED_NAMES)

    @property
    def blocks(self) -> bool:
        return self.level == FATAL or (self.level == WARNING and not self.confirmation)


@dataclass
class CheckedSubmission:
    """Submitted results after the check, with all problems found.

    `players` holds the player of each row that could be matched; new players have no primary key. `mirrored` holds the
    text of each empty cell (row, round) that follows from the opponent's cell. `duplicate` is a stored table with
    exactly the same results. `blank` is True if nothing was entered yet.
    """

    rows: list[ParsedRow]
    players: dict[int, Player]
    findings: list[Finding]
    candidates: dict[int, list[Candidate]]
    mirrored: dict[tuple[int, int], str]
    missing: list[tuple[int, int]] = field(default_factory=list)
    duplicate: Table | None = None
    blank: bool = False

    @property
    def ready(self) -> bool:
        """Return True if the results can be submitted."""
        return not self.blank and not any(finding.blocks for finding in self.findings)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == FATAL]

    @property
    def can_be_previewed(self) -> bool:
        """Return True if ratings can be previewed: without errors, except that a correction has no reason yet."""
        return not any(not has_code(error.message, SubmissionProblem.REASON_MISSING) for error in self.errors)

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == WARNING]

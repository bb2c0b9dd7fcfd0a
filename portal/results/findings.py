"""Findings of the results page: grouped by level and check, with the buttons that fix them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import colon
from ratings.domain.results.findings import CheckedSubmission, Finding
from ratings.domain.results.fixes import NEW, PLAYER, USE_EVENT_DAYS
from ratings.formats.check_catalogue import Check, find_check
from ratings.formats.parsed import FATAL, HINT, WARNING
from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.formats.sheet_content import FieldChange, SheetContent
from ratings.formats.tokens import read_cell
from ratings.localize import join_parts
from ratings.models import Event, Player
from ratings.queries.events.events import lists_of
from ratings.queries.players.candidate_questions import CandidateFacts, is_about_name, list_candidates
from ratings.systems.messages import has_code

CONTRADICTIONS = (FileProblem.BOTH_WON, FileProblem.BOTH_LOST, FileProblem.RESULTS_DIFFER)
DIFFERENT_MARKS = (FileProblem.HANDICAPS_DIFFER, FileProblem.STONES_DIFFER)
NOT_MIRRORED = (FileProblem.OPPONENT_HAS_OTHER, FileProblem.OPPONENT_HAS_NONE)
NO_OPPONENT = (
    FileProblem.PLAYS_SELF,
    FileProblem.OPPONENT_MISSING,
    FileProblem.NOT_A_RESULT,
    SubmissionProblem.RESULT_MISSING,
)
MAX_CHANGES = 6
Button = tuple[str, str]
"""The value of a button and its label."""


@dataclass(frozen=True)
class ShownFinding:
    """A finding on the page: its number, whose row it is about, and the buttons that fix it.

    `asked` is the question who is meant by an unclear name, with what is known of the candidates.
    """

    number: int
    finding: Finding
    player: str
    buttons: list[Button]
    asked: str = ""


@dataclass
class FindingGroup:
    """Findings of one check; `check` is None for messages of earlier releases. `buttons` fix all of them."""

    check: Check | None
    findings: list[ShownFinding] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)


@dataclass(frozen=True)
class Section:
    """The findings of one level; names to check are a section apart from the other errors."""

    level: str
    title: str
    count: int
    groups: list[FindingGroup]
    is_names: bool = False


def group_findings(
    findings: Sequence[Finding], content: SheetContent, checked: CheckedSubmission, event: Event
) -> list[Section]:
    """Return the findings as sections of names, errors, questions and notes, grouped by check, with their buttons."""
    titles = ((FATAL, True, _("Names")), (FATAL, False, _("Errors")), (WARNING, False, _("Questions")),
              (HINT, False, _("Notes")))  # fmt: skip
    buttons = _Buttons(content, checked)
    about_names = {each.row for each in findings if each.row and is_about_name(each.message)}
    candidates = list_candidates(checked.candidates, about_names)
    facts = CandidateFacts.read(candidates, lists_of(event) if candidates else ())
    row_by_line = {row.line: number for number, row in enumerate(content.rows, 1) if row.line}
    sections, number = [], 0
    for level, is_names, title in titles:
        groups: dict[Check | None, FindingGroup] = {}
        own = [each for each in findings if each.level == level and each.is_unmatched_name == is_names]
        for finding in own:
            check = find_check(finding.message)
            groups.setdefault(check, FindingGroup(check))
        for group in groups.values():
            for finding in (each for each in own if find_check(each.message) == group.check):
                number += 1
                row = finding.row or row_by_line.get(finding.line or 0, 0)
                asked = facts.ask(buttons.list_meant(finding))
                shown = ShownFinding(number, finding, buttons.name(row), buttons.of(finding), asked)
                group.findings.append(shown)
            group.buttons = buttons.of_group(group)
        if own:
            sections.append(Section(level, title, len(own), list(groups.values()), is_names))
    return sections


class _Buttons:
    """The buttons that fix findings of a submission."""

    def __init__(self, content: SheetContent, checked: CheckedSubmission) -> None:
        self.content, self.checked = content, checked
        families = [self._family(number) for number in range(1, len(content.rows) + 1)]
        self.shared = {family for family in families if families.count(family) > 1} if len(families) < 1000 else set()
        self.missing: dict[int, list[int]] = {}
        for row, round_ in checked.missing:
            self.missing.setdefault(round_, []).append(row)

    def _family(self, number: int) -> str:
        player, row = self.checked.players.get(number), self.content.rows[number - 1]
        return player.family_name if player else row.family

    def name(self, number: int) -> str:
        """Return the name of a row for a button: the last name, with the first name if two share it."""
        if not 0 < number <= len(self.content.rows):
            return ""
        family, player = self._family(number), self.checked.players.get(number)
        if not family or family in self.shared:
            return (player.name if player else self.content.rows[number - 1].name) or _("row %(row)s") % {"row": number}
        return family

    def of(self, finding: Finding) -> list[Button]:
        """Return the buttons of a finding."""
        message, row, round_ = finding.message, finding.row or 0, finding.round or 0
        if row and round_ <= self.content.rounds:
            cell = read_cell(self.content.rows[row - 1].cells[round_ - 1]) if round_ else None
            opponent = cell.named if cell and cell.named <= len(self.content.rows) else 0
            if has_code(message, *CONTRADICTIONS) and opponent:
                return [*self._results(row, round_, opponent), (f"forfeit:{row}:{round_}", _("Not played: 0+ and 0-"))]
            if has_code(message, *DIFFERENT_MARKS) and opponent:
                return [self._mirror(row, round_), self._mirror(opponent, round_)]
            if has_code(message, *NOT_MIRRORED):
                absent = _("%(name)s was absent: 0-") % {"name": self.name(row)}
                return [
                    self._mirror(row, round_),
                    (f"forfeit:{row}:{round_}", _("Not played: 0+ and 0-")),
                    (f"absent:{row}:{round_}", absent),
                ]
            if has_code(message, *NO_OPPONENT) and round_:
                return self._unplayed(finding, row, round_)
        if meant := self.list_meant(finding):
            return [(f"choose:{row}:{player.public_id}", self._describe_choice(player, meant)) for player in meant]
        return self._of_table(finding, row, round_)

    def list_meant(self, finding: Finding) -> list[Player]:
        """Return the players whom the name in the row of a finding may mean, at most `MOST_NAMED`."""
        named = finding.row if is_about_name(finding.message) else None
        return list_candidates(self.checked.candidates, [named]) if named else []

    def _describe_choice(self, player: Player, meant: Sequence[Player]) -> str:
        """Return the label of the button that chooses a player; with the id if two have the same name."""
        same = sum(other.name == player.name for other in meant)
        name = player.name if same == 1 else f"{player.name} ({player.public_id})"
        return _("Yes, %(name)s") % {"name": name}

    def _of_table(self, finding: Finding, row: int, round_: int) -> list[Button]:
        if finding.fix == "shorten":
            text = ngettext("Only %(count)s round was played", "Only %(count)s rounds were played", round_ - 1)
            return [(f"shorten:0:{round_}", text % {"count": round_ - 1})]
        if finding.fix == "days":
            return [(USE_EVENT_DAYS, _("Use the event's days"))]
        return [(f"capitals:{row}:0", _("Write it so"))] if finding.fix == "capitals" else []

    def _results(self, row: int, round_: int, opponent: int) -> list[Button]:
        won = _("%(name)s won")
        end = f"{row}:{round_}:{opponent}"
        return [
            (f"win:{end}", won % {"name": self.name(row)}),
            (f"loss:{end}", won % {"name": self.name(opponent)}),
            (f"draw:{end}", _("Draw")),
        ]

    def _mirror(self, row: int, round_: int) -> Button:
        return f"mirror:{row}:{round_}", _("As in the row of %(name)s") % {"name": self.name(row)}

    def _unplayed(self, finding: Finding, row: int, round_: int) -> list[Button]:
        buttons = [(f"absent:{row}:{round_}", _("Absent: 0-")), (f"bye:{row}:{round_}", _("Bye: 0+"))]
        pair = self.missing.get(round_, [])
        if has_code(finding.message, SubmissionProblem.RESULT_MISSING) and len(pair) == 2:
            opponent = next(number for number in pair if number != row)
            return [*self._results(row, round_, opponent), *buttons]
        return buttons

    def of_group(self, group: FindingGroup) -> list[Button]:
        """Return the buttons that fix several findings of a group at once."""
        if group.check is None or group.check.code != "missing-result":
            return []
        text = _("Round %(round)s: all %(count)s absent")
        return [
            (f"absent:0:{round_}", text % {"round": round_, "count": len(rows)})
            for round_, rows in sorted(self.missing.items())
            if len(rows) > 1
        ]


def describe_changes(changes: Iterable[FieldChange], content: SheetContent) -> list[str]:
    """Return the changes of a fix in words, such as “Lind Ada, round 3: “2+” became “2-””, at most `MAX_CHANGES`."""
    changes = list(changes)
    ids = [text for change in changes if change.field == PLAYER for text in (change.old, change.new)]
    players = {player.public_id: player.name for player in Player.objects.filter(public_id__in=ids)} if ids else {}
    if ids:
        players |= {NEW: _("new player")}
    texts = [_describe_change(change, content, players) for change in changes[:MAX_CHANGES]]
    return texts + (["…"] if len(changes) > MAX_CHANGES else [])


def _describe_change(change: FieldChange, content: SheetContent, players: Mapping[str, str]) -> str:
    """Return a change in words; `players` are names by public id."""
    labels = {
        "rounds": _("rounds"),
        "first_day": _("first day"),
        "last_day": _("last day"),
        "family": _("last name"),
        "given": _("first name"),
        PLAYER: _("player"),
    }
    label = labels.get(change.field) or _("round %(round)s") % {"round": change.field.removeprefix("round-")}
    name = content.rows[change.row - 1].name or _("row %(row)s") % {"row": change.row} if change.row else ""
    text = _("“%(old)s” became “%(new)s”") if change.old else _("now “%(new)s”")
    place = join_parts([name, label])
    old, new = (players.get(text, text) if change.field == PLAYER else text for text in (change.old, change.new))
    return f"{colon(place)} {text % {'old': old, 'new': new}}"

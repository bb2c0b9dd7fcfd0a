"""The players of a submission: who is meant by each name, chosen one by one or many at once, with undo."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from ratings.characters import invisible_characters
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import ChoiceStep, RowChoice, SheetContent, SheetRow
from ratings.matching import fold
from ratings.models import EventStep, Player, RatingList, Spelling, Submission
from ratings.name_certainty import ACCEPTED_ABOVE, LIKELY_FROM
from ratings.queries.events.events import lists_of
from ratings.queries.players.playing_facts import PlayingFacts, read_playing_facts
from ratings.queries.players.roster import Candidate, Roster

from .officer_edits import find_edit_undo_problem, save_officer_edit
from .submission_checks import MAX_NAME_LENGTH
from .submissions import save_submission

NEW = "new"
"""Choice of a new player; any other choice is a public id."""


class Group(StrEnum):
    """Groups of names: the player is known, is likely to be a known one, or was not found."""

    KNOWN = "known"
    LIKELY = "likely"
    NOT_FOUND = "not found"


class Choice(StrEnum):
    """Choices for a name: none yet, the likely player, another known player, or a new one."""

    OPEN = ""
    SAME = "same"
    OTHER = "other"
    NEW = "new"


class Button(StrEnum):
    """Buttons whose choices can be undone."""

    ACCEPT = "accept"
    NEW = "new"
    SAVE = "save"


@dataclass(frozen=True)
class NamedRow:
    """A row of a submission: its name, the players whom it may mean, and the choice.

    `player` is the chosen player, else the known or likely one. `also` is the number of another row that may mean the
    same player.
    """

    number: int
    row: SheetRow
    group: Group
    choice: Choice
    player: Player | None
    candidates: list[Candidate]
    facts: PlayingFacts
    also: int | None = None

    @property
    def is_open(self) -> bool:
        return self.group != Group.KNOWN and self.choice == Choice.OPEN

    @property
    def is_sure(self) -> bool:
        """Return True if the likely player may be accepted without a look."""
        likely = self.group == Group.LIKELY and self.also is None
        return likely and self.candidates[0].certainty > ACCEPTED_ABOVE

    @property
    def candidate(self) -> Candidate | None:
        """The likely player, also if another choice was made."""
        return self.candidates[0] if self.candidates and self.group != Group.NOT_FOUND else None

    @property
    def can_be_new(self) -> bool:
        """Return True if a player can be created with this name as it is: with both parts."""
        names = (self.row.family, self.row.given)
        return all(names) and max(map(len, names)) <= MAX_NAME_LENGTH and not invisible_characters("".join(names))


@dataclass(frozen=True)
class People:
    """All names of a submission, in its order, with their players."""

    rows: list[NamedRow]

    def of(self, *groups: Group) -> list[NamedRow]:
        """Return the rows of some groups."""
        return [row for row in self.rows if row.group in groups]

    @property
    def to_check(self) -> list[NamedRow]:
        return self.of(Group.LIKELY, Group.NOT_FOUND)

    @property
    def open(self) -> list[NamedRow]:
        return [row for row in self.rows if row.is_open]

    @property
    def decided(self) -> list[NamedRow]:
        return [row for row in self.rows if row.choice != Choice.OPEN]

    @property
    def acceptable(self) -> list[NamedRow]:
        """Open rows whose likely player is surer than `ACCEPTED_ABOVE`."""
        return [row for row in self.open if row.is_sure]

    @property
    def startable(self) -> list[NamedRow]:
        """Open rows of unknown names that can be new players as they are."""
        return [row for row in self.open if row.group == Group.NOT_FOUND and row.can_be_new]


def list_people(submission: Submission, content: SheetContent, user: User | None) -> People:
    """Return the names of a submission with their players, as far as they are known or likely."""
    (rows,) = match_tables([content.rows], lists_of(submission.event), submission.last_day, user)
    return People(rows)


def match_tables(
    tables: Sequence[Sequence[SheetRow]], lists: Sequence[RatingList], day: dt.date | None, user: User | None
) -> list[list[NamedRow]]:
    """Return the names of several tables of the same lists with their players, numbered from 1 in each table.

    `day` is the last day of the latest table.
    """
    spellings = Spelling.objects.filter(user=user) if user is not None else ()
    roster = Roster([row for rows in tables for row in rows], spellings, lists, day)
    matched = [
        [_match_row(number, row, roster) for number, row in enumerate(rows, 1) if row.name or row.player]
        for rows in tables
    ]
    facts = read_playing_facts([row.player for rows in matched for row in rows if row.player is not None], lists)
    return [_add_details_to_table(rows, facts) for rows in matched]


def _add_details_to_table(rows: Sequence[NamedRow], facts: Mapping[str, PlayingFacts]) -> list[NamedRow]:
    by_player: dict[str, list[int]] = {}
    for row in rows:
        if row.player is not None and row.choice != Choice.NEW:
            by_player.setdefault(row.player.public_id, []).append(row.number)
    return [_add_details(row, facts, by_player) for row in rows]


def _match_row(number: int, row: SheetRow, roster: Roster) -> NamedRow:
    match = roster.match(number, row)
    candidates = roster.candidates[number]
    verdict = roster.get_verdict(row)
    first = candidates[0] if candidates else None
    group = Group.NOT_FOUND
    if verdict == "exact" and not row.new:
        group = Group.KNOWN
    elif first is not None and (verdict in ("exact", "several") or first.certainty >= LIKELY_FROM):
        group = Group.LIKELY
    chosen = roster.get_player(row.player) if row.player else None
    if chosen is not None and group == Group.NOT_FOUND and fold(chosen.name) == fold(row.name):
        group = Group.KNOWN
    likely = first.player if first is not None and group != Group.NOT_FOUND else None
    choice, player = Choice.OPEN, match.player or likely
    if chosen is not None:
        # a known name needs no choice: only another player than its own is one
        is_own = group == Group.KNOWN and fold(chosen.name) == fold(row.name)
        choice = Choice.SAME if chosen == likely else Choice.OTHER
        choice, player = (Choice.OPEN if is_own else choice), chosen
    elif row.new:
        choice = Choice.NEW
    return NamedRow(number, row, group, choice, player, candidates, PlayingFacts())


def _add_details(row: NamedRow, facts: Mapping[str, PlayingFacts], rows: Mapping[str, list[int]]) -> NamedRow:
    if row.player is None:
        return row
    id = row.player.public_id
    also = next((number for number in rows.get(id, ()) if number != row.number), None)
    details = facts.get(id, PlayingFacts())
    return NamedRow(row.number, row.row, row.group, row.choice, row.player, row.candidates, details, also)


def accept_likely_players(
    submission: Submission, content: SheetContent, version: int | None, *, is_waiting: bool = False
) -> int:
    """Choose the likely player of each open name that is surer than `ACCEPTED_ABOVE`; return how many there are."""
    rows = list_people(submission, content, acting_user()).acceptable
    choices = {row.number: row.candidates[0].player.public_id for row in rows}
    return save_choices(submission, content, choices, ChoiceStep(Button.ACCEPT, []), version, is_waiting=is_waiting)


def make_unknown_new(
    submission: Submission, content: SheetContent, version: int | None, *, is_waiting: bool = False
) -> int:
    """Mark the players of all open unknown names as new; return how many there are."""
    rows = list_people(submission, content, acting_user()).startable
    choices = {row.number: NEW for row in rows}
    return save_choices(submission, content, choices, ChoiceStep(Button.NEW, []), version, is_waiting=is_waiting)


@transaction.atomic
def save_choices(
    submission: Submission,
    content: SheetContent,
    choices: Mapping[int, str],
    step: ChoiceStep,
    version: int | None,
    *,
    is_waiting: bool = False,
) -> int:
    """Save choices by row, so that they can be undone as one step; return how many rows change.

    A choice is a public id or `NEW`. `step` is the step without its rows, which are added. `is_waiting` is True where
    an officer changes submitted results: this is a step of the event, too. Raise ConflictError and ValidationError as
    `save_submission` does.
    """
    changes = apply_choices(content, choices, acting_user())
    if changes:
        content.last_choices = replace(step, rows=changes)
        _save(submission, content, version, is_waiting)
    return len(changes)


def _save(submission: Submission, content: SheetContent, version: int | None, is_waiting: bool) -> None:
    if is_waiting:
        save_officer_edit(submission, content, version=version)
    else:
        save_submission(submission, content, version=version)


def apply_choices(content: SheetContent, choices: Mapping[int, str], user: User | None) -> list[RowChoice]:
    """Enter choices into the rows, and return those that change."""
    changes = []
    for number, choice in choices.items():
        row = content.rows[number - 1]
        new, player = choice == NEW, "" if choice == NEW else choice
        if (row.player, row.new) != (player, new):
            changes.append(RowChoice(number, player, new, row.player, row.new))
            row.player, row.new = player, new
    _mark_known_spellings(content, changes, user)
    return changes


def _mark_known_spellings(content: SheetContent, changes: Iterable[RowChoice], user: User | None) -> None:
    written = {change.row: fold(content.rows[change.row - 1].name) for change in changes if change.player}
    if not written:
        return
    known = set(Spelling.objects.filter(user=user, written__in=written.values()).values_list("written", flat=True))
    for change in changes:
        change.is_spelling_known = written.get(change.row, "") in known


def find_choices_to_undo(
    submission: Submission, content: SheetContent, *, is_waiting: bool = False
) -> ChoiceStep | None:
    """Return the last choices if they can be undone.

    In submitted results these are the choices of an officer, until anything else is changed; the choices that the
    organiser had made before are none.
    """
    if not is_waiting or content.last_choices is None:
        return content.last_choices
    edits = EventStep.objects.filter(event=submission.event_id, what=EventStep.What.EDITED)
    step = edits.filter(data__sheet=submission.pk).order_by("pk").last()
    if step is None or find_edit_undo_problem(step):
        return None
    before, after = (step.data[name]["content"].get("last_choices") for name in ("before", "after"))
    return content.last_choices if before != after else None


@transaction.atomic
def undo_last_choices(
    submission: Submission, content: SheetContent, version: int | None, *, is_waiting: bool = False
) -> int:
    """Restore the choices before the last step where they were not changed since; return how many."""
    step = find_choices_to_undo(submission, content, is_waiting=is_waiting)
    if step is None:
        return 0
    content.last_choices, undone = None, []
    for change in step.rows:
        row = content.rows[change.row - 1] if change.row <= len(content.rows) else SheetRow()
        if (row.player, row.new) == (change.player, change.new):
            row.player, row.new = change.old_player, change.old_new
            undone.append(change)
    _save(submission, content, version, is_waiting)
    _forget_spellings(content, undone)
    return len(undone)


def _forget_spellings(content: SheetContent, undone: Iterable[RowChoice]) -> None:
    """Delete the spellings that undone choices had added, so that they are not suggested again."""
    added = Q(pk__in=[])
    for change in undone:
        if change.player and not change.is_spelling_known:
            added |= Q(written=fold(content.rows[change.row - 1].name), player__public_id=change.player)
    Spelling.objects.filter(added, user=acting_user()).delete()


def count_open_names(submission: Submission, content: SheetContent, user: User | None) -> int:
    """Return the number of names whose player is not known and not chosen yet."""
    return len(list_people(submission, content, user).open)

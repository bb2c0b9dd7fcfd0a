"""Import of result files: each becomes an event whose submission is checked and accepted at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django_countries import countries

from ratings.domain.events.tables import save_event
from ratings.domain.grades.grade_approval import ListStart, get_list_start, needs_approval
from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.runs.locks import lock_seats
from ratings.formats.parsed import FATAL, ParsedTable, Problem
from ratings.formats.people.new_players import NewPlayer
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import content_from_json
from ratings.matching import fold
from ratings.models import Event, ListPlayer, Player, RatingList, Submission
from ratings.queries.players.candidate_questions import CandidateFacts, list_candidates
from ratings.systems.messages import has_code

from .accepting import Acceptance, accept_submissions, mark_submitted
from .file_submissions import ResultsFile, create_submission_from_file
from .findings import CheckedSubmission, Finding
from .submission_checks import check_submission

CONFIRMATION = "import_results"
"""Reason stored with the warnings of a submission that a command accepts."""
UNCLEAR_NAMES = (
    SubmissionProblem.NAME_AMBIGUOUS,
    SubmissionProblem.NAME_UNKNOWN,
    SubmissionProblem.NAME_UNKNOWN_TYPED,
    SubmissionProblem.ID_DIFFERS,
)
REGISTRY_FORMATS = ("rif",)
"""Formats of a federation's own database, whose players are all known to the federation."""
NAME_ADVICE = "In the file, correct the name, or mark a new player with N or in the new players' file."


@dataclass(frozen=True)
class ImportResult:
    """The result of an import.

    `event` is None if nothing was stored; `duplicate` is the event that already has these results.
    """

    event: Event | None = None
    duplicate: Event | None = None
    accepted: Acceptance | None = None


@transaction.atomic
def import_results_file(
    file: ResultsFile, rating_list: RatingList, *, new_players: Iterable[NewPlayer] = (), start: ListStart | None = None
) -> ImportResult:
    """Store a results file as an accepted event of a list.

    Errors are added to the file's problems, and then nothing is stored. Warnings of the check are added too and count
    as confirmed. `new_players` were announced in a file of their own. `start` allows grades that need approval; an
    import of several files creates it before the first one. The list is marked for rating, but not rated, unless the
    table has printed ratings.
    """
    lock_seats(exclusive=False)
    importing = _Import(file, rating_list, list(new_players), start or get_list_start(rating_list))
    before = transaction.savepoint()
    try:
        result = importing.run()
    except ValidationError as error:
        by_field = error.message_dict.items() if hasattr(error, "error_dict") else [("", error.messages)]
        for name, messages in by_field:
            file.problems.error(": ".join(filter(None, [name, " ".join(messages)])))
        result = ImportResult()
    if result.event is None:
        transaction.savepoint_rollback(before)
    else:
        transaction.savepoint_commit(before)
    return result


class _Import:
    def __init__(
        self, file: ResultsFile, rating_list: RatingList, new_players: list[NewPlayer], start: ListStart
    ) -> None:
        self.file, self.table, self.problems = file, file.table, file.problems
        self.rating_list, self.new_players, self.start = rating_list, new_players, start

    def run(self) -> ImportResult:
        event = save_event(build_event(self.table), [self.rating_list])
        submission, _new = create_submission_from_file(
            event, self.file, new_players=self.new_players, unknown_are_new=self.file.format in REGISTRY_FORMATS
        )
        content = content_from_json(submission.content)
        checked = check_submission(submission, content, None, starts=[self.start], confirmation=CONFIRMATION)
        if checked.duplicate is not None and len(checked.errors) == 1:
            self.check_duplicate(checked.duplicate.event)
            return ImportResult(duplicate=checked.duplicate.event)
        self.report_findings(checked)
        self.check_event_is_new(event)
        prior_grades = list(self.list_prior_grades_of_known(checked.players))
        if self.problems.fatal:
            return ImportResult()
        mark_submitted(submission, checked)
        event.state = Event.State.SUBMITTED
        waiting = Submission.objects.filter(pk=submission.pk)
        accepted = accept_submissions(event, waiting, checks={submission.pk: checked}, starts=[self.start])
        for explained in accepted.explained:
            for problem in explained.problems.all:
                self.problems.add(problem)
        for row in prior_grades:
            save_list_player(row, start=self.start)
        return ImportResult(event, accepted=accepted)

    def check_duplicate(self, duplicate: Event) -> None:
        """Report an error if the event with the same results is not accepted or is not rated on this list."""
        if duplicate.state != Event.State.ACCEPTED:
            self.problems.error(SubmissionProblem.DUPLICATE_NOT_ACCEPTED(event=duplicate))
        elif not duplicate.lists.filter(pk=self.rating_list.pk).exists():
            message = SubmissionProblem.DUPLICATE_ON_OTHER_LIST(event=duplicate, list=self.rating_list.slug)
            self.problems.error(message)

    def report_findings(self, checked: CheckedSubmission) -> None:
        """Report the findings of the check that were not found while the file was read."""
        known = {(problem.message, problem.row, problem.round) for problem in self.problems.all}
        for finding in checked.findings:
            if (finding.message, finding.row, finding.round) not in known:
                level = FATAL if self.is_refused(finding, checked) else finding.level
                message = self.describe(finding, checked)
                self.problems.add(Problem(level, message, finding.line, finding.row, finding.round))

    def is_refused(self, finding: Finding, checked: CheckedSubmission) -> bool:
        """Return True for a warning that only a person can confirm, or that --as on the command line answers."""
        if has_code(finding.message, SubmissionProblem.PRINTED_GRADE_NEEDS_APPROVAL):
            return True
        if has_code(finding.message, SubmissionProblem.NEW_BUT_KNOWN) and finding.row in checked.players:
            earlier = checked.players[finding.row].entries.filter(table__last_day__lt=self.table.last_day)
            return earlier.exists()
        return False

    def describe(self, finding: Finding, checked: CheckedSubmission) -> str:
        """Return the message of a finding, with what a person sees on the results page only."""
        if has_code(finding.message, *UNCLEAR_NAMES):
            players = list_candidates(checked.candidates, [finding.row or 0])
            asked = CandidateFacts.read(players, [self.rating_list]).ask(players, with_ids=True)
            return " ".join(filter(None, [f"{finding.message}.", asked, NAME_ADVICE]))
        if has_code(finding.message, SubmissionProblem.PRINTED_GRADE_NEEDS_APPROVAL):
            problem = self.start.problem(finding.message.values["grade"], None, self.file.name)
            return f"{finding.message.values['name']}: {problem}"
        return finding.message

    def check_event_is_new(self, event: Event) -> None:
        """Report an error if another event has the same name and last day."""
        others = Event.objects.filter(name__iexact=event.name, end=event.end).exclude(pk=event.pk)
        if others.exists():
            self.problems.error(SubmissionProblem.EVENT_EXISTS(name=event.name, day=event.end))

    def list_prior_grades_of_known(self, players: Mapping[int, Player]) -> Iterator[ListPlayer]:
        """Yield the announced prior grades of players who are known, but not on this list.

        Report those that need approval, and those of players for whom the list has another grade already.
        """
        announced = {(fold(new.family), fold(new.given)): new.prior_grade for new in self.new_players}
        for number, player in players.items():
            grade = announced.get((fold(player.family_name), fold(player.given_name)))
            if player.pk is None or not grade:
                continue
            stored = ListPlayer.objects.filter(list=self.rating_list, player=player).first()
            if stored is not None and stored.prior_grade != grade:
                kept = SubmissionProblem.PRIOR_GRADE_KEPT(name=player, grade=stored.prior_grade or "–")
                self.problems.warn(kept, row=number)
            elif stored is None:
                if needs_approval(self.rating_list, grade) and (
                    message := self.start.problem(grade, player, self.file.name)
                ):
                    self.problems.error(f"{player.name}: {message}", row=number)
                evidence = self.file.name[:200]
                yield ListPlayer(list=self.rating_list, player=player, prior_grade=grade, prior_evidence=evidence)


def build_event(table: ParsedTable) -> Event:
    """Return an unsaved event with the name, days, place, country and time control of a file."""
    return Event(
        name=table.name,
        place=table.place,
        country=countries.by_name(table.country) or (table.country if len(table.country) == 2 else ""),
        start=table.first_day,
        end=table.last_day,
        time_control=table.time_control,
    )

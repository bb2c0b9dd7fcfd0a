"""Checks of submitted results, which report all problems at once and match the rows to players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import Q
from django_countries import countries

from ratings.characters import invisible_characters
from ratings.domain.events.tables import build_games
from ratings.domain.grades.grade_approval import ListStart, get_list_start, needs_approval
from ratings.domain.players.erased_words import ErasedWords, is_erased_name, read_erased_words
from ratings.formats.changes import have_same_results
from ratings.formats.check_catalogue import find_check, find_level
from ratings.formats.event_head import read_day
from ratings.formats.parsed import FATAL, HINT, ROUNDS_AT_MOST, ROWS_AT_MOST, WARNING, ParsedRow
from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.formats.sheet_content import Remark, SheetContent, SheetRow, content_from_json
from ratings.models import Entry, Gender, Player, RatingList, Spelling, Submission, Table
from ratings.queries.events.events import lists_of, required_details
from ratings.queries.players.roster import Roster
from ratings.systems.ages import asks_birth
from ratings.systems.messages import limit_items
from ratings.time_zones import find_today

from .crosstable_input import TypedCrosstable, TypedRow, read_crosstable
from .duplicates import find_duplicate_table
from .findings import CheckedSubmission, Finding
from .plausibility import find_doubtful_names, find_implausible_results, find_lapsed_members, find_other_places
from .table_versions import differs_from_table

MAX_NAME_LENGTH = 100
MAX_NAMES = 5
PAGE_FIELDS = {"name": 100, "reason": 300}
"""Text fields of the results page, with the maximum number of characters of each."""
DAY_FIELDS = ("first_day", "last_day")
GENDERS = {"w": Gender.FEMALE, "m": Gender.MALE}
"""Genders of new players by the sex in their row."""
OTHER_TIME = dt.timedelta(days=100)
"""Distance from the event's days from which on results are probably those of another event."""


def check_submission(
    submission: Submission,
    content: SheetContent,
    user: User | None,
    *,
    roster: Roster | None = None,
    starts: Iterable[ListStart] = (),
    confirmation: str = "",
) -> CheckedSubmission:
    """Check everything in a submission that can be read, for organisers, officers and import_results alike.

    Rounds after the last one with an entry are left out. Names are matched with `roster`, if it was read already, else
    with the spellings that `user` chose before. `starts` are the starts of the event's lists, if several files are
    imported together. `confirmation` confirms the warnings that nobody has confirmed.
    """
    lists = lists_of(submission.event) if submission.event.pk else []
    if roster is None:
        spellings = Spelling.objects.filter(user=user) if user is not None else ()
        roster = Roster(content.rows, spellings, lists, submission.last_day)
    return _Check(submission, content, roster, lists, starts, confirmation).run()


class _Check:
    def __init__(
        self,
        submission: Submission,
        content: SheetContent,
        roster: Roster,
        lists: list[RatingList],
        starts: Iterable[ListStart],
        confirmation: str,
    ) -> None:
        self.submission, self.content, self.event = submission, content, submission.event
        self.lists = lists
        self.findings: list[Finding] = []
        self.roster, self.confirmation = roster, confirmation
        self.starts = {start.rating_list.pk: start for start in starts}
        self.duplicate: Table | None = None

    @cached_property
    def erased_words(self) -> ErasedWords:
        return read_erased_words(self.event)

    def run(self) -> CheckedSubmission:
        rows = {number: row for number, row in enumerate(self.content.rows, 1) if not row.empty}
        if not rows and not self.content.typed:
            return CheckedSubmission([], {}, [], {}, {}, blank=True)
        used = self.content.used_rounds
        players = self.match_players(rows)
        typed = [
            TypedRow(
                number, players.get(number), row.macmahon, tuple(row.cells[:used]), row.name, row.points, row.place
            )
            for number, row in rows.items()
        ]
        read = read_crosstable(typed)
        for problem in read.problems.all:
            self.add(problem.message, problem.row, problem.round, fix=problem.fix)
        for row, round_ in read.missing:
            self.add(SubmissionProblem.RESULT_MISSING(), row, round_)
        if used < self.content.rounds:
            self.report_unused_rounds(used)
        self.report_invalid_fields(rows)
        self.check_table(rows, read, players)
        for remark in self.content.remarks:
            self.add_remark(remark)
        findings = [self.add_confirmation(finding) for finding in self.findings]
        findings.sort(key=lambda f: ((FATAL, WARNING, HINT).index(f.level), f.row or 0, f.round or 0))
        return CheckedSubmission(
            read.rows, players, findings, self.roster.candidates, read.mirrored, read.missing, self.duplicate
        )

    def add(self, message: str, row: int | None = None, round_: int | None = None, *, fix: str = "") -> None:
        """Add a problem, with the level of its check in the catalogue."""
        level = find_level(message, submitted=self.submission.state == Submission.State.SUBMITTED)
        line = self.content.rows[row - 1].line if row is not None and row <= len(self.content.rows) else None
        self.findings.append(Finding(level, message, row, round_, line, fix))

    def add_to_field(self, message: str, field: str, row: int | None = None, *, fix: str = "") -> None:
        """Add a problem of a form field that is not the cell of a round."""
        self.findings.append(Finding(find_level(message), message, row, field_name=field, fix=fix))

    def add_remark(self, remark: Remark) -> None:
        """Add a problem that only the file has; earlier releases stored some that no check has any more."""
        if find_check(remark.message):
            level = find_level(remark.message, in_file=True)
        else:
            level = WARNING if remark.level == FATAL else HINT
        line = remark.line
        if line is None and remark.row is not None and remark.row <= len(self.content.rows):
            line = self.content.rows[remark.row - 1].line
        self.findings.append(Finding(level, remark.message, remark.row, remark.round, line))

    def add_confirmation(self, finding: Finding) -> Finding:
        confirmed = self.content.confirmed
        confirmation = confirmed.get(finding.key, "") or confirmed.get(finding.text_key, "") or self.confirmation
        return replace(finding, confirmation=confirmation)

    def report_unused_rounds(self, used: int) -> None:
        if used == 0:
            self.add(SubmissionProblem.NO_RESULTS())
        elif used + 1 == self.content.rounds:
            self.add(FileProblem.ROUND_EMPTY(round=used + 1))
        else:
            self.add(FileProblem.ROUNDS_EMPTY(first=used + 1, last=self.content.rounds))

    def report_invalid_fields(self, rows: Mapping[int, SheetRow]) -> None:
        """Report every field whose text cannot be stored."""
        for number, row in rows.items():
            if row.unread and not row.name:
                message = SubmissionProblem.LINE_UNREADABLE(text=row.unread[:200])
                self.add(message, number)
            for name, text in row.typed.items():
                message = SubmissionProblem.NOT_A_YEAR(text=text[:40])
                self.add_to_field(message, name, number)
        for name, text in self.content.typed.items():
            self.add_to_field(self.get_field_message(name, text), name)

    def get_field_message(self, name: str, text: str) -> str:
        if name in PAGE_FIELDS:
            return SubmissionProblem.TEXT_TOO_LONG(count=len(text), most=PAGE_FIELDS[name])
        if name in DAY_FIELDS and read_day(text) is None:
            return SubmissionProblem.NOT_A_DATE(text=text[:40])
        if name in DAY_FIELDS:
            return SubmissionProblem.DAYS_REVERSED()
        return SubmissionProblem.FIELD_INVALID(text=text[:40])

    def match_players(self, rows: Mapping[int, SheetRow]) -> dict[int, Player]:
        """Return the player of each row; report an error that names the candidates where the player is not clear."""
        players: dict[int, Player] = {}
        row_by_player: dict[str, int] = {}
        for number, row in rows.items():
            player = (
                self.check_new_player(number, row)
                if row.new and not row.player
                else self.match_known_player(number, row)
            )
            if player is None:
                continue
            if player.pk is not None and player.public_id in row_by_player:
                also = row_by_player[player.public_id]
                self.add(SubmissionProblem.PLAYER_TWICE(name=player, also=also), number)
            row_by_player[player.public_id] = number
            players[number] = player
        return players

    def match_known_player(self, number: int, row: SheetRow) -> Player | None:
        match = self.roster.match(number, row)
        if match.player is None:
            self.add(match.problem, number)
        elif row.country and str(match.player.country) and row.country.upper() != str(match.player.country):
            country = match.player.country
            self.add(SubmissionProblem.COUNTRY_DIFFERS(name=match.player, country=country), number)
        return match.player

    def check_new_player(self, number: int, row: SheetRow) -> Player | None:
        """Return an unsaved player for a row marked as new, and report what the lists' systems still need to know."""
        if not row.family:
            self.add(SubmissionProblem.LAST_NAME_MISSING(), number)
            return None
        if max(len(row.family), len(row.given)) > MAX_NAME_LENGTH:
            self.add(SubmissionProblem.NAME_TOO_LONG(most=MAX_NAME_LENGTH), number)
            return None
        if invisible := invisible_characters(f"{row.family} {row.given}"):
            self.add(SubmissionProblem.INVISIBLE_CHARACTERS(characters=list(invisible)), number)
            return None
        if not row.country:
            self.add(SubmissionProblem.COUNTRY_MISSING(), number)
        elif row.country.upper() not in countries:
            self.add(SubmissionProblem.COUNTRY_INVALID(code=row.country), number)
        if near := self.roster.describe_similar_players(number, row):
            self.add(SubmissionProblem.NEW_RESEMBLES(names=near), number)
        if is_erased_name(self.erased_words, row.name):
            self.add(SubmissionProblem.NEW_MAY_BE_ERASED(), number)
        if asks_birth(required_details(self.lists)) and row.birth_year is None:
            self.add(SubmissionProblem.BIRTH_YEAR_UNKNOWN(), number)
        if "start_year" in required_details(self.lists) and row.start_year is None:
            self.add(SubmissionProblem.START_YEAR_UNKNOWN(), number)
        self.check_prior_grade(number, row)
        country = row.country.upper() if row.country.upper() in countries else ""
        records_gender = any(rating_list.federation.records_gender for rating_list in self.lists)
        return Player(
            family_name=row.family,
            given_name=row.given,
            native_name=row.native,
            country=country,
            birth_year=row.birth_year,
            gender=GENDERS.get(row.sex, "") if records_gender else "",
        )

    def check_prior_grade(self, number: int, row: SheetRow) -> None:
        """Report a prior grade that needs approval or whose source is missing."""
        for rating_list in self.lists:
            if needs_approval(rating_list, row.prior_grade) and (
                message := self.get_start(rating_list).problem(row.prior_grade, None, row.evidence)
            ):
                self.add(SubmissionProblem.PRIOR_GRADE_REFUSED(problem=message), number)
        if row.prior_grade and not row.evidence:
            self.add(SubmissionProblem.PRIOR_GRADE_SOURCE_MISSING(), number)

    def get_start(self, rating_list: RatingList) -> ListStart:
        """Return the start of a list of the event, read once."""
        if rating_list.pk not in self.starts:
            self.starts[rating_list.pk] = get_list_start(rating_list)
        return self.starts[rating_list.pk]

    def check_printed_grades(self, rows: Mapping[int, SheetRow]) -> None:
        """Report printed grades that need approval at the start of a list; after it, approvals decide on them."""
        source = str(self.submission)
        for rating_list in self.lists:
            for number, row in rows.items():
                grades = dict.fromkeys(row.printed.get(name) or "" for name in ("grade", "promoted"))
                for grade in (grade for grade in grades if needs_approval(rating_list, grade)):
                    start = self.get_start(rating_list)
                    if start.empty and start.problem(grade, None, source):
                        message = SubmissionProblem.PRINTED_GRADE_NEEDS_APPROVAL(
                            name=row.name, grade=grade, list=rating_list
                        )
                        self.add(message, number)

    def check_table(self, rows: Mapping[int, SheetRow], read: TypedCrosstable, players: Mapping[int, Player]) -> None:
        """Report problems of the submission as a whole."""
        if len(rows) < 2:
            self.add(SubmissionProblem.TOO_FEW_PLAYERS())
        if len(rows) > ROWS_AT_MOST or self.content.rounds > ROUNDS_AT_MOST:
            most = {"rows": ROWS_AT_MOST, "rounds": ROUNDS_AT_MOST}
            self.add(SubmissionProblem.TABLE_TOO_LARGE(**most))
        if list(rows) != list(range(1, len(rows) + 1)):
            self.add(SubmissionProblem.EMPTY_ROW())
        if self.lists == []:
            self.add(SubmissionProblem.NO_LISTS())
        if "stones" not in required_details(self.lists):
            for row, round_ in ((r.number, n) for r in read.rows for n, cell in enumerate(r.cells, 1) if cell.stones):
                self.add(SubmissionProblem.STONES_IN_SHOGI(), row, round_)
        self.check_days()
        self.check_correction()
        self.check_printed_grades(rows)
        if rows.keys() == players.keys() and not (read.missing or read.problems.fatal):
            self.check_stored_tables(read.rows, players)
        self.check_plausibility(rows, read, players)
        if self.submission.table_id is None and (late := self.find_players_with_later_tables(players)):
            self.add(SubmissionProblem.RATED_EVENTS_AFTER(names=late))

    def check_plausibility(
        self, rows: Mapping[int, SheetRow], read: TypedCrosstable, players: Mapping[int, Player]
    ) -> None:
        """Compare the submission with other submissions and events of its days, and with the players' ratings."""
        overlapping = self.read_overlapping_submissions()
        if self.submission.table_id is None:
            self.check_earlier_submissions(overlapping)
        waiting = [each for each in overlapping if each.state == Submission.State.SUBMITTED]
        for doubt in (
            *find_doubtful_names(rows, self.submission.last_day),
            *find_other_places(self.submission, players, waiting),
            *find_implausible_results(self.submission, self.content, read.rows, players, self.lists),
            *find_lapsed_members(self.submission, players, self.lists),
        ):
            self.add(doubt.message, doubt.row, fix=doubt.fix)

    def check_days(self) -> None:
        """Report days that are in the future or outside the event's days."""
        first, last = self.submission.first_day, self.submission.last_day
        if last > find_today(self.lists[0].federation.time_zone if self.lists else None):
            self.add_to_field(FileProblem.DAY_IN_FUTURE(day=last), "last_day")
        if not self.event.start <= first <= last <= self.event.end:
            start, end = self.event.start, self.event.end
            event_days = (
                SubmissionProblem.EVENT_DAY(day=start)
                if start == end
                else SubmissionProblem.EVENT_DAYS(first=start, last=end)
            )
            is_near = start - OTHER_TIME <= last and first <= end + OTHER_TIME
            if first == last:
                code = SubmissionProblem.DAY_OUTSIDE_EVENT if is_near else SubmissionProblem.FILE_OF_OTHER_DAY
                problem = code(day=first, event=[event_days])
            else:
                code = SubmissionProblem.DAYS_OUTSIDE_EVENT if is_near else SubmissionProblem.FILE_OF_OTHER_TIME
                problem = code(first=first, last=last, event=[event_days])
            self.add_to_field(problem, "first_day", fix="days")

    def check_correction(self) -> None:
        """Report a correction without a reason, which `confirmation` stands in for, and one that changes nothing."""
        if self.submission.table_id is None or self.submission.state not in Submission.IN_PROGRESS:
            return
        if not (self.submission.reason or self.content.typed.get("reason") or self.confirmation):
            self.add_to_field(SubmissionProblem.REASON_MISSING(), "reason")
        if not differs_from_table(self.submission, self.content):
            self.add(SubmissionProblem.NOTHING_CORRECTED())

    def find_players_with_later_tables(self, players: Mapping[int, Player]) -> list[str]:
        """Return the names of players who have accepted tables on or after the last day, at most `MAX_NAMES`."""
        known = [player.pk for player in players.values() if player.pk]
        if not known or not self.lists:
            return []
        tables = Table.objects.filter(event__lists__in=self.lists, event__state="accepted")
        later = tables.filter(last_day__gte=self.submission.last_day).values("pk")
        entries = Entry.objects.filter(table__in=later, player__in=known)
        later_players = list(Player.objects.filter(pk__in=entries.values("player"))[: MAX_NAMES + 1])
        return limit_items([player.name for player in later_players], MAX_NAMES)

    def read_overlapping_submissions(self) -> list[Submission]:
        """Return the open submissions of this event and all submitted ones whose days overlap with this one's."""
        first, last = self.submission.first_day, self.submission.last_day
        submitted, own = Q(state=Submission.State.SUBMITTED), Q(event=self.event, state__in=Submission.OPEN)
        overlapping = Submission.objects.filter(submitted | own, first_day__lte=last, last_day__gte=first)
        return list(overlapping.exclude(pk=self.submission.pk).select_related("event"))

    def check_earlier_submissions(self, overlapping: Iterable[Submission]) -> None:
        """Report an earlier submission with the same last day and the same games."""
        pk, is_submitted = self.submission.pk or 0, self.submission.state == Submission.State.SUBMITTED
        for other in (each for each in overlapping if each.last_day == self.submission.last_day):
            if other.pk > pk and (is_submitted or other.state != Submission.State.SUBMITTED):
                continue
            if is_submitted and other.state != Submission.State.SUBMITTED:
                continue
            if have_same_results(self.content, content_from_json(other.content)):
                message = SubmissionProblem.SAME_GAMES_WAITING(other=str(other), state=other.get_state_display())
                self.add(message)

    def check_stored_tables(self, read: Sequence[ParsedRow], players: Mapping[int, Player]) -> None:
        if any(player.pk is None for player in players.values()):
            return
        ids = {number: player.pk for number, player in players.items()}
        duplicate = find_duplicate_table(ids, build_games(read), self.submission.last_day)
        if duplicate is not None and duplicate != self.submission.table:
            self.duplicate = duplicate
            self.add(SubmissionProblem.SAME_RESULTS_STORED(event=duplicate.event))

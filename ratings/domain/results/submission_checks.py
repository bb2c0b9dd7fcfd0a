"""Checking a results sheet: everything that is wrong with it at once, and who its players are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django_countries import countries

from ratings.formats.entered import SheetContent, SheetRow
from ratings.formats.parsed import FATAL, ROUNDS_AT_MOST, ROWS_AT_MOST, WARNING, ParsedRow
from ratings.models import Entry, Player, Sheet, Spelling, Table
from ratings.queries.events import asked_of, lists_of
from ratings.queries.roster import Candidate, Roster
from ratings.systems.words import Words as _

from .entering import TypedRow, check_typed
from .imports import already_there
from .tables import results_of

HINT = "hint"
NAME_AT_MOST = 100
NAMED = 5


@dataclass(frozen=True)
class Finding:
    """A problem with its place on the sheet. Errors block; warnings are accepted with a word; hints only tell."""

    level: str
    message: str
    row: int | None = None
    round: int | None = None
    line: int | None = None
    cure: str = ""
    word: str = ""
    """With which a warning was accepted."""

    @property
    def key(self) -> str:
        """The same as long as the warning says the same of the same place."""
        told = f"{self.level}|{self.message}|{self.row}|{self.round}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    @property
    def field(self) -> str:
        """The id of the field where it can be mended."""
        if self.row is None:
            return "sheet"
        return f"id_row-{self.row}-round-{self.round}" if self.round else f"id_row-{self.row}-family"

    @property
    def blocks(self) -> bool:
        return self.level == FATAL or (self.level == WARNING and not self.word)


@dataclass
class Checked:
    """A sheet as it was read. `players` holds everybody who is known, those to be made without a key."""

    rows: list[ParsedRow]
    players: dict[int, Player]
    findings: list[Finding]
    candidates: dict[int, list[Candidate]]
    texts: dict[int, list[str]]
    missing: list[tuple[int, int]] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Nothing stands in the way of submitting."""
        return not any(finding.blocks for finding in self.findings)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == FATAL]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == WARNING]


def check_sheet(sheet: Sheet, content: SheetContent, user: User | None) -> Checked:
    """Everything about a sheet, for the organiser who fills it in and for the officer who looks at it."""
    return _Check(sheet, content, user).run()


class _Check:
    def __init__(self, sheet: Sheet, content: SheetContent, user: User | None) -> None:
        self.sheet, self.content, self.event = sheet, content, sheet.event
        self.lists = lists_of(self.event) if self.event.pk else []
        self.findings: list[Finding] = []
        spellings = Spelling.objects.filter(user=user) if user is not None else Spelling.objects.none()
        self.roster = Roster(content.rows, spellings)

    def run(self) -> Checked:
        rows = {number: row for number, row in enumerate(self.content.rows, 1) if not row.empty}
        players = self.people(rows)
        typed = [
            TypedRow(number, players.get(number), row.macmahon, tuple(row.cells), row.name, row.points)
            for number, row in rows.items()
        ]
        read = check_typed(typed)
        for problem in read.problems.all:
            self.add(problem.level, problem.message, problem.row, problem.round, cure=problem.cure)
        for row, round_ in read.missing:
            self.add(FATAL, _("the result is missing; 0- is an absence, 0+ a bye"), row, round_)
        self.whole(rows, read.rows, players)
        for remark in self.content.remarks:
            level = WARNING if remark.level == FATAL else HINT
            self.add(level, remark.message, remark.row, remark.round, line=remark.line)
        findings = [self.with_word(finding) for finding in self.findings]
        findings.sort(key=lambda f: ((FATAL, WARNING, HINT).index(f.level), f.row or 0, f.round or 0))
        return Checked(read.rows, players, findings, self.roster.candidates, read.texts, read.missing)

    def add(
        self, level: str, message: str, row: int | None = None, round_: int | None = None, *, line: int | None = None,
        cure: str = "",
    ) -> None:  # fmt: skip
        if line is None and row is not None and row <= len(self.content.rows):
            line = self.content.rows[row - 1].line
        self.findings.append(Finding(level, message, row, round_, line, cure))

    def with_word(self, finding: Finding) -> Finding:
        word = self.content.confirmed.get(finding.key, "")
        return Finding(finding.level, finding.message, finding.row, finding.round, finding.line, finding.cure, word)

    def people(self, rows: Mapping[int, SheetRow]) -> dict[int, Player]:
        """Whom each row means; what is open becomes an error that names the candidates."""
        players: dict[int, Player] = {}
        taken: dict[str, int] = {}
        for number, row in rows.items():
            player = self.new_player(number, row) if row.new and not row.player else self.known(number, row)
            if player is None:
                continue
            if player.pk is not None and player.public_id in taken:
                also = taken[player.public_id]
                self.add(FATAL, _("{name} stands in row {also} too", name=player, also=also), number)
            taken[player.public_id] = number
            players[number] = player
        return players

    def known(self, number: int, row: SheetRow) -> Player | None:
        match = self.roster.match(number, row)
        if match.player is None:
            self.add(FATAL, match.told, number)
        elif row.country and str(match.player.country) and row.country.upper() != str(match.player.country):
            country = match.player.country
            self.add(
                HINT, _("{name} is known with the nationality {country}", name=match.player, country=country), number
            )
        return match.player

    def new_player(self, number: int, row: SheetRow) -> Player | None:
        """What the lists' systems need to know of somebody new."""
        if not row.family:
            self.add(FATAL, _("the last name is missing"), number)
            return None
        if max(len(row.family), len(row.given)) > NAME_AT_MOST:
            self.add(FATAL, _("a name has at most {most} letters", most=NAME_AT_MOST), number)
            return None
        if not row.country:
            self.add(WARNING, _("a new player needs a nationality of two letters"), number)
        elif row.country.upper() not in countries:
            self.add(FATAL, _("“{code}” is no country's code of two letters", code=row.country), number)
        if near := self.roster.near(number, row):
            self.add(WARNING, _("new, but resembles {names}", names=near), number)
        if "birth_date" in asked_of(self.lists) and row.birth_year is None:
            self.add(HINT, _("the birth year is not known"), number)
        if "start_year" in asked_of(self.lists) and row.start_year is None:
            self.add(HINT, _("the year in which he began to play is not known"), number)
        if row.prior_grade and not row.evidence:
            self.add(WARNING, _("tell how the prior grade is known (diploma, federation's list …)"), number)
        country = row.country.upper() if row.country.upper() in countries else ""
        return Player(family_name=row.family, given_name=row.given, country=country, birth_year=row.birth_year)

    def whole(self, rows: Mapping[int, SheetRow], read: Sequence[ParsedRow], players: Mapping[int, Player]) -> None:
        """What concerns the sheet as a whole."""
        if len(rows) < 2:
            self.add(FATAL, _("a table has at least two players"))
        if len(rows) > ROWS_AT_MOST or self.content.rounds > ROUNDS_AT_MOST:
            most = {"rows": ROWS_AT_MOST, "rounds": ROUNDS_AT_MOST}
            self.add(FATAL, _("at most {rows} players and {rounds} rounds", **most))
        if list(rows) != list(range(1, len(rows) + 1)):
            self.add(FATAL, _("there is an empty row between the players; opponents are counted by rows"))
        if self.lists == []:
            self.add(FATAL, _("say on the event's page on which lists it is to be rated"))
        if "stones" not in asked_of(self.lists):
            for row, round_ in ((r.number, n) for r in read for n, cell in enumerate(r.cells, 1) if cell.stones):
                self.add(FATAL, _("handicap stones are for go; a shogi handicap is 3+(-2p)"), row, round_)
        if not any(finding.level == FATAL for finding in self.findings):
            self.there_already(read, players)
        if self.sheet.table_id is None and (late := self.played_later(players)):
            self.add(WARNING, _("not after the last rated event of {names}; later tables are rated again", names=late))

    def played_later(self, players: Mapping[int, Player]) -> str:
        """Some of those whose later tables are rated already."""
        tables = Table.objects.filter(event__lists__in=self.lists, event__state="accepted")
        later = tables.filter(last_day__gte=self.sheet.last_day).values("pk")
        seats = Entry.objects.filter(table__in=later, player__in=[p.pk for p in players.values() if p.pk])
        several = Player.objects.filter(pk__in=seats.values("player"))[: NAMED + 1]
        return ", ".join(player.name for player in several[:NAMED]) + (" …" if len(several) > NAMED else "")

    def there_already(self, read: Sequence[ParsedRow], players: Mapping[int, Player]) -> None:
        if any(player.pk is None for player in players.values()):
            return
        ids = {number: player.pk for number, player in players.items()}
        there = already_there(ids, results_of(read, players)[1], self.sheet.last_day)
        if there is not None and there != self.sheet.table:
            self.add(FATAL, _("“{event}” has these very results already", event=there.event))

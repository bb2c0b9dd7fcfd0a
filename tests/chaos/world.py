"""One event with everything around it, in each state in which two people can meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace

from auditlog.context import disable_auditlog
from django.db.models import F

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.players.merging import merge_players
from ratings.domain.results.corrections import get_or_create_correction, save_new_version
from ratings.domain.results.deleting import delete_event, delete_submission, delete_table
from ratings.domain.results.review import return_results
from ratings.domain.results.steps import record_event_step
from ratings.domain.results.submissions import create_submission
from ratings.domain.results.voiding import void_event
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Event, EventStep, Merge, Player, RatingList, Submission, Table
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.portal.results.way import person

What = EventStep.What
DAY = "2024-05-04"
GAMES = {"Open": [(1, 1, 2, 1.0), (2, 1, 3, 0.5), (3, 2, 3, 1.0)], "Youth": [(1, 1, 2, 1.0)]}
CELLS = {"Open": [["2+", "3=", "0-"], ["1-", "0-", "3+"], ["0-", "1=", "2-"]], "Youth": [["2+"], ["1-"]]}
numbers = count(1)


@dataclass
class People:
    """Two organisers of every event and two officers: each pair of steps is made by two different people."""

    organisers: tuple
    officers: tuple


def make_people() -> People:
    return People(
        tuple(person(name, ORGANISERS) for name in ("Ann", "Ben")),
        tuple(person(name, OFFICERS, is_staff=True) for name in ("Olga", "Otto")),
    )


class World:
    """A list of its own with five players and an event with the tables Open and Youth; `gone` and `kept` are one."""

    def __init__(self, people: People, state: str) -> None:
        self.people, self.number = people, next(numbers)
        with disable_auditlog(), act_as(people.organisers[0]):  # the trail of how the world was made is of no interest
            self._make(state)
        self.before = self.versions()
        self.last_step = max(self.event.steps.values_list("pk", flat=True), default=0)

    def _make(self, state: str) -> None:
        self.list: RatingList = make_list(f"list-{self.number}")
        self.players: list[Player] = [make_player(f"Player{self.number}x{n}", "Ada") for n in range(1, 6)]
        give_rating(self.list, self.players[1], 2000)
        self.gone, self.kept = self.players[0], self.players[3]
        self.seats = {"Open": self.players[:3], "Youth": self.players[3:]}
        STATES[state](self)

    def make_event(self, state: str) -> None:
        owner, other = self.people.organisers
        self.event: Event = make_event(f"Cup {self.number}", DAY, [self.list], state=state, created_by=owner)
        self.event.organisers.add(other)

    def submission(self) -> Submission:
        """The draft or correction of the table Open, a deleted one if there is no other; else its first version."""
        own = self.event.submissions.filter(name__startswith="Open").exclude(state=Submission.State.ACCEPTED)
        present_first = own.order_by(F("deleted_at").desc(nulls_first=True), "pk")
        return present_first.first() or self.event.submissions.order_by("pk").first()

    def table(self, name: str) -> Table:
        return Table.with_deleted.get(event=self.event, name__startswith=name)

    def merge_record(self) -> Merge:
        return Merge.objects.get(gone=self.gone)

    def versions(self) -> dict[tuple[str, int], int]:
        """The version of the event and of each of its submissions."""
        self.event.refresh_from_db()
        found = {("event", self.event.pk): self.event.version}
        return found | {
            ("submission", pk): version for pk, version in self.event.submissions.values_list("pk", "version")
        }


def _draft(world: World) -> None:
    world.make_event(Event.State.DRAFT)
    for name, players in world.seats.items():
        rows = [
            SheetRow(player.family_name, player.given_name, "FR", player.public_id, cells=list(cells))
            for player, cells in zip(players, CELLS[name], strict=True)
        ]
        create_submission(
            world.event, SheetContent(len(CELLS[name][0]), rows), name=name, days=(world.event.start, world.event.end)
        )


def _submitted(world: World) -> None:
    _draft(world)
    world.event.submissions.update(state=Submission.State.SUBMITTED)
    world.event.state = Event.State.SUBMITTED
    world.event.save()
    record_event_step(world.event, What.SUBMITTED)


def _returned(world: World) -> None:
    _submitted(world)
    return_results(world.event, "Look at row 2.")


def _accepted(world: World) -> None:
    world.make_event(Event.State.ACCEPTED)
    for name, players in world.seats.items():
        save_new_version(make_table(world.list, players, GAMES[name], DAY, event=world.event, name=name))
    record_event_step(
        world.event, What.ACCEPTED, data={"sheets": list(world.event.submissions.values_list("pk", flat=True))}
    )


def _correcting(world: World) -> None:
    _accepted(world)
    correction = get_or_create_correction(world.table("Open"))
    content = content_from_json(correction.content)
    content.rows[0].cells[0], content.rows[1].cells[0] = "2-", "1+"
    correction.content, correction.reason = content.to_json(), "wrong way round"
    correction.save()


def _proposed(world: World) -> None:
    _correcting(world)
    world.event.submissions.filter(state=Submission.State.WORKING).update(state=Submission.State.SUBMITTED)
    record_event_step(world.event, What.PROPOSED, "wrong way round")


def _void(world: World) -> None:
    _accepted(world)
    void_event(world.event, reason=Event.VoidReason.TWICE, explanation="The same as another.")


def _deleted(world: World) -> None:
    _draft(world)
    delete_event(world.event)


def _submission_deleted(world: World) -> None:
    _draft(world)
    delete_submission(world.submission())


def _table_deleted(world: World) -> None:
    _accepted(world)
    delete_table(world.table("Open"), reason="twice")


def _merged(world: World) -> None:
    _accepted(world)
    with act_as(world.people.officers[0]):
        merge_players(world.gone, world.kept, reason="one person")


def _merged_proposed(world: World) -> None:
    _proposed(world)
    with act_as(world.people.officers[0]):
        merge_players(world.gone, world.kept, reason="one person")


STATES: Mapping[str, Callable[[World], None]] = {
    "draft": _draft,
    "submitted": _submitted,
    "returned": _returned,
    "accepted": _accepted,
    "correcting": _correcting,
    "proposed": _proposed,
    "void": _void,
    "deleted": _deleted,
    "sheet deleted": _submission_deleted,
    "table deleted": _table_deleted,
    "merged": _merged,
    "merged proposed": _merged_proposed,
}
"""How each state is made: states of the event, and of its submissions, tables and players where the event's does not say."""


def picture(world: World) -> SimpleNamespace:
    """Return the stored data without ids, versions and times, to compare the outcomes of two worlds."""
    names = {player.public_id: number for number, player in enumerate(world.players)}
    world.event.refresh_from_db()
    submissions = sorted(
        (submission.state, submission.name, submission.reason, submission.table.name if submission.table else "", bool(submission.deleted_at),
         str([(names.get(row.player), row.macmahon, row.cells) for row in content_from_json(submission.content).rows]))
        for submission in world.event.submissions.all()
    )  # fmt: skip
    tables = sorted(
        (table.name, bool(table.deleted_at), [names[id] for id in table.entries.values_list("player__public_id", flat=True)],
         sorted(table.games.values_list("round", "score")))
        for table in Table.with_deleted.filter(event=world.event)
    )  # fmt: skip
    steps = world.event.steps.values_list("what", "note")
    merges = sorted(bool(record.undone_at) for record in Merge.objects.filter(gone=world.gone))
    return SimpleNamespace(
        state=world.event.state, place=world.event.place, submissions=submissions, tables=tables, merges=merges,
        steps=sorted((what, note.replace(world.event.name, "Cup")) for what, note in steps),
    )  # fmt: skip

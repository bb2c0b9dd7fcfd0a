"""The races that once lost work, forced through every boundary; `make chaos` tries all the others."""

from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connection, transaction

from ratings.domain.events.entering import enter_player
from ratings.domain.results.steps import lock_event
from ratings.domain.results.submitting import announce_event
from ratings.models import EntryList, Event
from tests.chaos.meetings import meetings
from tests.chaos.race import Person, alone, forced
from tests.chaos.steps import Form, Step
from tests.chaos.world import World, make_people
from tests.factories import make_event, make_list, make_player

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
RUNS = 3


@pytest.mark.parametrize(
    ("one", "other", "state"),
    [
        ("accept", "correct another table", "proposed"),
        ("submit", "delete event", "draft"),
        ("submit", "delete results", "draft"),
        ("edit results", "edit results", "draft"),
    ],
)
def test_former_races_leave_a_serial_state(one, other, state):
    with meetings(one, other, state) as met:
        met.force()
        met.run_at_random(range(RUNS), "services")
    assert met.problems == [], "\n\n".join(met.problems)


@pytest.fixture
def world(db):
    return World(make_people(), "draft")


@pytest.fixture
def three(world):
    """Three browsers of one organiser, with a form for a new event that was opened once."""
    people = [Person(f"person-{n}", {False: world.people.organisers[0]}) for n in range(3)]
    yield people
    for person in people:
        person.close()


@pytest.fixture
def form(world):
    day = "2024-06-01"
    data = {"name": "New Cup", "start": day, "end": day, "mode": "board", "lists": [world.list.pk], "token": uuid4()}
    return Form("/organise/events/new/", data | {"announce": "1"})


NEW = Step("new event", lambda world, by: None, "draft")


def made():
    """The new events, with the number of their announcements."""
    return [event.steps.filter(what="announced").count() for event in Event.objects.filter(name="New Cup")]


def test_one_form_sent_three_times_at_once_makes_one_event(three, form):
    start = Barrier(len(three))
    for _ in range(RUNS):
        Event.objects.filter(name="New Cup").delete()
        sent = [person.take(NEW, form, lambda name: start.wait() if name == "start" else None) for person in three]
        answers = {(answer.status, answer.location) for answer in (one.result() for one in sent)}
        assert (len(answers), made()) == (1, [1]), answers


def test_one_form_sent_again_at_every_boundary_makes_one_event(three, form):
    boundaries = alone(three[0], NEW, form)[1]
    assert "before commit" in boundaries
    for at, name in enumerate(boundaries):
        Event.objects.filter(name="New Cup").delete()
        met = forced(three[0], three[1], (NEW, NEW), (form, form), at)
        assert (len({answer.location for answer in met.answers}), made()) == (1, [1]), name


def test_players_who_enter_at_once_get_each_place_once(db):
    event = make_event("Cup", "2999-06-01", [make_list()], state="draft")
    announce_event(event)
    EntryList.objects.create(event=event, limit=3)
    players = [make_player(f"Player {number}") for number in range(10)]
    start = Barrier(len(players))

    def enter(player):
        start.wait()
        try:
            enter_player(Event.objects.get(pk=event.pk), player)
        finally:
            connection.close()

    threads = [Thread(target=enter, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = sorted(event.player_entries.values_list("state", "position"))
    assert states == [("confirmed", 0)] * 3 + [("waiting", position) for position in range(1, 8)]


def test_rows_of_a_locked_event_are_stored_without_waiting(transactional_db):
    """A tap in the hall locked the hall and waited for the event at its commit, while submitting locked them in turn."""
    event, stored = make_event("Cup", "2999-01-01", state="draft"), []

    def store():
        try:
            stored.append(EntryList.objects.create(event=event))
        finally:
            connection.close()

    thread = Thread(target=store, daemon=True)
    with transaction.atomic():
        lock_event(event)
        thread.start()
        thread.join(5)
        assert len(stored) == 1

"""A mail server, a Redis and a database that hang, refuse and come back under load: what answers, how fast, and that
nothing is lost.
"""

import time

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.roles import ensure_roles
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.models import Event, Notification, OutgoingMail
from tests.factories import make_event, make_list, make_player, make_table, make_user

from .environment import eventually, up_to_date
from .site import Site

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
GRID = "[{name}, Lyon, France, {day}]\n[{day}]\n[Time control: 30min]\n1 [Ada][] FR [2+] 1\n2 [Ben][] FR [1-] 0\n"
PUBLIC = ("/", "/events/", "/lists/fesa/")
PAGE_SECONDS, HEALTH_SECONDS = 15, 10
"""Bounds for a loaded machine of two cores; see docs/operations.md for the timeouts they are made of."""


@pytest.fixture
def people(db):
    ensure_roles()
    organiser, officer = (make_user(name, email=f"{name}@example.org") for name in ("organiser", "officer"))
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    officer.groups.add(Group.objects.get(name=OFFICERS))
    return organiser, officer


@pytest.fixture
def events(people):
    """Events with results that are ready to be submitted."""
    fesa = make_list()
    ada, ben = make_player("Ada"), make_player("Ben")
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2023-01-07", event_name="First")
    found = []
    for number in range(1, 7):
        name, day = f"Cup {number}", f"2024-01-{number:02}"
        event = make_event(name, day, [fesa], state="draft", created_by=people[0])
        text = GRID.format(name=name, day=day).encode()
        given = read_results_file(text, Head(name, event.start, event.end), event.end)
        create_submission_from_file(event, ResultsFile("cup.txt", text, given.format, given.table, given.problems))
        found.append(event)
    return found


@pytest.fixture
def site(tmp_path, broker, events):
    with Site(tmp_path, broker).running() as running:
        for path in PUBLIC:
            assert running.get(path).status == 200
        yield running


@pytest.mark.parametrize("fault", ["hang", "kill"])
@pytest.mark.parametrize("service", ["mail", "broker", "database"])
def test_unavailable_service_stops_nothing_else_and_loses_nothing(service, fault, site, events, people):
    organiser, officer = people
    server = getattr(site, service)
    steps = {
        event: [site.post(user, f"/organise/events/{event.public_id}/{what}/") for user, what in
                ((organiser, "submit"), (officer, "accept"))]
        for event in events[:3]
    }  # fmt: skip
    with site.visited(*PUBLIC, "/health/", "/robots.txt") as answers:
        time.sleep(1)
        getattr(server, fault)()
        answers.clear()
        sent = [(event, submit()) for event, (submit, _accept) in steps.items()]
        if service == "mail":
            accepted = [accept() for _submit, accept in steps.values()]
            eventually(up_to_date, 60)  # ratings are made while the mails wait
        else:
            accepted = []
            time.sleep(8)
        away = list(answers)
        server.start() if fault == "kill" else server.resume()
        eventually(site.is_well, 60)
    print_answers(f"{service}, {fault}", away, [answer for _event, answer in sent])
    assert_answered(service, away)
    assert {answer.status for _event, answer in sent} <= ({503} if service == "database" else {302})
    assert max(answer.seconds for _event, answer in sent) < PAGE_SECONDS
    for event, answer in sent:
        state = Event.objects.get(pk=event.pk).state
        assert state == ("draft" if answer.status == 503 else "accepted" if accepted else "submitted")
    for submit, accept in steps.values():  # what was refused is sent again, as its page offers
        if service == "database":  # each web process may wait some seconds before it tries the database again
            eventually(lambda submit=submit: submit().status == 302, 30)
            eventually(lambda accept=accept: accept().status == 302, 30)
        elif not accepted:
            assert accept().status == 302
    assert set(Event.objects.filter(pk__in=[event.pk for event in steps]).values_list("state", flat=True)) == {
        "accepted"
    }
    assert_settled(site, list(steps))


def print_answers(outage, answers, sent):
    """Print how each address and the steps were answered, how often and in how many seconds."""
    lines = ["", f"{outage}: {len(sent)} steps {sorted({answer.status for answer in sent})}, "
             f"slowest {max(answer.seconds for answer in sent):.1f} s"]  # fmt: skip
    for path in (*PUBLIC, "/health/", "/robots.txt"):
        given = [answer for answer in answers if answer.path == path]
        statuses, slowest = sorted({answer.status for answer in given}), max(answer.seconds for answer in given)
        lines.append(f"  {path:14}{len(given):4} answers {statuses}, slowest {slowest:.2f} s")
    print("\n".join(lines))  # noqa: T201 - read with pytest -s, and where the test fails


def assert_answered(service, answers):
    """Nothing answers 500 or hangs; pages are there, copies of them where the database is away."""
    assert {answer.path for answer in answers} == {*PUBLIC, "/health/", "/robots.txt"}
    slow = [answer[:3] for answer in answers
            if answer.seconds > (HEALTH_SECONDS if answer.path == "/health/" else PAGE_SECONDS)]  # fmt: skip
    assert slow == []
    found = {path: {answer.status for answer in answers if answer.path == path} for path in (*PUBLIC, "/robots.txt")}
    assert [(path, statuses) for path, statuses in found.items() if statuses != {200}] == []
    health = {answer.status for answer in answers[len(answers) // 2 :] if answer.path == "/health/"}
    assert health == ({200} if service == "mail" else {503})
    copies = [answer for answer in answers[len(answers) // 2 :] if answer.path == "/"]
    assert all(("This page is a copy from" in answer.text) == (service == "database") for answer in copies)


def waiting():
    """Mails and notifications that are not done, with what went wrong."""
    fields = ("pk", "attempts", "next_try_at", "error")
    return [*Notification.objects.values_list(*fields), *OutgoingMail.objects.values_list(*fields)]


def assert_settled(site, events):
    eventually(up_to_date, 60)
    eventually(lambda: waiting() == [], 240, waiting)
    expected = [f"{event.name}: {what}" for event in events for what in ("accepted", "submitted")]
    assert site.mails() == sorted(expected)
    for event in events:
        assert list(event.steps.filter(what__in=("submitted", "accepted")).values_list("what", flat=True)) == [
            "submitted", "accepted",
        ]  # fmt: skip
    for rating_list in events[0].lists.all():
        assert (rating_list.problem, list(find_differences(rating_list))) == ("", [])

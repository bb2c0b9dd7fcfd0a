"""Two web and three worker processes in separate checkouts of one release, as on several machines.

They share PostgreSQL and Redis, and by these the page cache, limits on requests, locks, sweeps and schedules.
"""

import datetime as dt
import re
from collections import Counter
from itertools import pairwise

import pytest
import requests
from django.core.mail import EmailMessage

from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.outbox import queue_mails
from ratings.models import EventStep, Federation, Run
from tests.editor import Editor
from tests.factories import give_ratings, make_list, make_player

from .environment import eventually, up_to_date
from .invariants import step_mail_problems
from .machines import WEBS, WORKERS, Machines, Team
from .processes import copy_checkout, web_process
from .scenes import waiting
from .site import BROWSER, Service

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
LIMIT, ROUNDS = 20, 20
FLUSHED, WORKER_KILLED, WEB_KILLED, CUPS = 4, 9, 14, (1, 6, 11, 17)
"""Rounds in which something fails, and those in which an event is entered and accepted."""
RATED = re.compile(r"Task ratings\.(rerate|sweep)\[.*received")
LIMITS = {"PAGE_RATE": f"{LIMIT}/d", "TRUSTED_PROXIES": "1"}
VISITOR = BROWSER | {"Host": "localhost", "X-Forwarded-For": "85.1.2.3"}
"""Headers of a visitor whom a load balancer leads to both, under one name."""


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory):
    """A checkout of the same release for each process, by its name."""
    folder = tmp_path_factory.mktemp("checkouts")
    return {name: copy_checkout(folder / name) for name in (*WEBS, *WORKERS)}


@pytest.fixture
def mail(tmp_path):
    """A running mail server, which writes mails.txt."""
    server = Service("mail_server.py", tmp_path / "mails.txt")
    server.start()
    yield server
    server.kill()


def test_web_processes_of_two_checkouts_share_cached_pages_and_limits(tmp_path, broker, checkouts):
    make_list()
    Federation.objects.update(description="First line")
    with (
        web_process(checkouts[WEBS[0]], tmp_path, "one", **LIMITS) as one,
        web_process(checkouts[WEBS[1]], tmp_path, "two", **LIMITS) as two,
    ):
        first = requests.get(f"{one}/", headers=VISITOR, timeout=60)
        Federation.objects.update(description="Second line")  # tells nobody, so that cached pages stay as they are
        second = requests.get(f"{two}/", headers=VISITOR, timeout=60)
        other_page = requests.get(f"{two}/?fresh", headers=VISITOR, timeout=60)
        assert ("First line" in first.text, second.text == first.text) == (True, True)
        assert ("First line" in other_page.text, "Second line" in other_page.text) == (False, True)
        counted = 3
        statuses = [
            requests.get(f"{(one, two)[number % 2]}/privacy/", headers=VISITOR, timeout=60).status_code
            for number in range(LIMIT + 4 - counted)
        ]
        assert statuses == [200] * (LIMIT - counted) + [429] * 4


def test_killed_web_and_worker_of_several_machines_lose_nothing(tmp_path, broker, checkouts, users, mail):
    """Each worker has a schedule, so that everything scheduled is due three times.

    Lists are edited in each round. In some rounds an event is accepted at one web process and read at the other one.
    """
    cups = make_list("cups")
    lists = [make_list("fesa"), make_list("go", system="rif-1995"), make_list("chess", system="icu-1989")]
    editors = [Editor(rating_list, seed) for seed, rating_list in enumerate(lists)]
    players = [make_player(f"Family{letter}", f"Given{letter}") for letter in "ABCDEFGH"]
    give_ratings(cups, players, 2000)
    with Machines(checkouts, tmp_path, EMAIL_URL=f"smtp://127.0.0.1:{mail.port}").running() as machines:
        eventually(up_to_date, 180)
        team = Team(machines, users["olga"], users["fay"], cups)
        for number in range(ROUNDS):
            for editor in editors:
                editor.edit()
            if number == WORKER_KILLED:
                machines.kill("worker-3")
            if number == WEB_KILLED:
                events = [team.hand_in(f"Late Cup {one}", dt.date(2024, 5, 4 + one)) for one in range(3)]
                team.accept_while_killed(events, "web-2")
                machines.start_webs("web-2")
            if number in CUPS:
                event = team.hand_in(f"Cup {number}", dt.date(2024, 4, number))
                team.accept_on_one_and_read_on_the_other(event)
            queue_mails([EmailMessage(f"Mail {number}", "Text", to=["ann@example.org"])])
            if number == FLUSHED:
                broker.client.flushdb()  # whatever was sent to the workers is lost, and found by a sweep
            if number == WORKER_KILLED - 1:
                eventually(lambda: not waiting(), 120, waiting)  # a mail in a killed worker waits longer
        eventually(up_to_date, 180)
        eventually(lambda: not waiting(), 120, waiting)
        team.compare_webs()
        rated = [bool(RATED.search(machines.read_log(name))) for name in WORKERS]
    for rating_list in (cups, *lists):
        assert list(find_differences(rating_list)) == []
        runs = sorted(Run.objects.finished().filter(list=rating_list).values_list("started_at", "ended_at"))
        assert all(ended <= started for (_, ended), (started, _) in pairwise(runs)), runs
    assert rated[:2] == [True, True]
    steps = Counter(EventStep.objects.filter(event__lists=cups).values_list("event__name", "what"))
    assert steps == Counter((name, what) for name in team.events for what in ("read", "submitted", "accepted"))
    assert_mails_delivered_once(tmp_path / "mails.txt")


def assert_mails_delivered_once(file):
    """Check that each mail, and those about the steps of events, came once."""
    mails = Counter(tuple(line.split("\t")[:2]) for line in file.read_text().splitlines())
    queued = Counter({("ann@example.org", f"Mail {number}"): 1 for number in range(ROUNDS)})
    assert mails & queued == queued
    assert list(step_mail_problems(mails - queued)) == []

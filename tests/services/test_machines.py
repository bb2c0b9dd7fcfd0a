"""Two web and three worker processes in separate checkouts of one release, as on several machines.

They share PostgreSQL and Redis, and by these the page cache, limits on requests, locks, sweeps and schedules.
"""

import os
import re
import shutil
import signal
from collections import Counter
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
import requests
from django.conf import settings
from django.core.mail import EmailMessage

from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.outbox import queue_mails
from ratings.models import Federation, OutgoingMail, Run
from tests.editor import Editor
from tests.factories import make_list

from .environment import eventually, up_to_date
from .processes import running, web_process
from .site import BROWSER, Service

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
OWN = shutil.ignore_patterns(".*", "node_modules", "var", "__pycache__", "*.pyc", "db.sqlite3*")
LIMIT, ROUNDS = 20, 20
RATED = re.compile(r"Task ratings\.(rerate|sweep)\[.*received")
LIMITS = {"PAGE_RATE": f"{LIMIT}/d", "TRUSTED_PROXIES": "1"}
VISITOR = BROWSER | {"Host": "localhost", "X-Forwarded-For": "85.1.2.3"}
"""Headers of a visitor whom a load balancer leads to both, under one name."""


def copy_checkout(folder):
    """Copy the checkout, with other times of its files, and return the path of the copy."""
    copy = shutil.copytree(settings.BASE_DIR, folder / "checkout", ignore=OWN, copy_function=shutil.copyfile)
    (copy / "node_modules").symlink_to(Path(settings.BASE_DIR, "node_modules"))
    return copy


def worker_process(checkout, folder, name, **variables):
    """Run a worker of all queues in a checkout, with a schedule of its own."""
    beat = ("--beat", f"--schedule={folder / name}.beat")
    queues = ("-Q", "rating,celery", "-n", f"{name}@tests")
    command = ("celery", "-A", "portal", "worker", "--pool", "solo", *queues, *beat)
    return running(checkout, folder, name, *command, SWEEP_SECONDS="1", **variables)


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory):
    """Two checkouts of the same release."""
    return [settings.BASE_DIR, copy_checkout(tmp_path_factory.mktemp("checkout"))]


def test_web_processes_of_two_checkouts_share_cached_pages_and_limits(tmp_path, broker, checkouts):
    make_list()
    Federation.objects.update(description="First line")
    with (
        web_process(checkouts[0], tmp_path, "one", **LIMITS) as one,
        web_process(checkouts[1], tmp_path, "two", **LIMITS) as two,
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


def test_workers_of_two_checkouts_share_lists_sweeps_and_schedules(tmp_path, broker, checkouts):
    """Each has a schedule, so that everything scheduled is due three times; one is killed on the way."""
    lists = [make_list("fesa"), make_list("go", system="rif-1995"), make_list("chess", system="icu-1989")]
    editors = [Editor(rating_list, seed) for seed, rating_list in enumerate(lists)]
    mail, received = Service("mail_server.py", tmp_path / "mails.txt"), tmp_path / "mails.txt"
    mail.start()
    with ExitStack() as stack:
        stack.callback(mail.kill)
        places = {"one": checkouts[0], "two": checkouts[1], "three": checkouts[1]}
        email = {"EMAIL_URL": f"smtp://127.0.0.1:{mail.port}"}
        workers = {
            name: stack.enter_context(worker_process(checkout, tmp_path, name, **email))
            for name, checkout in places.items()
        }
        logs = [tmp_path / f"{name}.log" for name in places]
        for log in logs:
            eventually(lambda log=log: " ready." in log.read_text(), 180, state=log.read_text)
        for number in range(ROUNDS):
            for editor in editors:
                editor.edit()
            queue_mails([EmailMessage(f"Mail {number}", "Text", to=["ann@example.org"])])
            if number == ROUNDS // 2:
                eventually(lambda: not OutgoingMail.objects.exists(), 120)  # a mail in a killed worker waits longer
                broker.client.flushdb()  # whatever was sent to the workers is lost, and found by a sweep
                os.kill(workers["three"].pid, signal.SIGKILL)
        eventually(up_to_date, 180)
        eventually(lambda: not OutgoingMail.objects.exists(), 120)
        rated = [bool(RATED.search(log.read_text())) for log in logs]
    for rating_list in lists:
        assert list(find_differences(rating_list)) == []
        runs = sorted(Run.objects.finished().filter(list=rating_list).values_list("started_at", "ended_at"))
        assert all(ended <= started for (_, ended), (started, _) in pairwise(runs)), runs
    assert rated[:2] == [True, True]
    subjects = Counter(line.split("\t")[1] for line in received.read_text().splitlines())
    assert subjects == {f"Mail {number}": 1 for number in range(ROUNDS)}

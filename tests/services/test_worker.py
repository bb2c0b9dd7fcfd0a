"""A real worker on a real broker: rating happens elsewhere, and nothing lost with a message stays lost."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
import redis
from django.conf import settings
from django.db import connection

from portal.celery import app
from ratings.domain.verifying import differences
from ratings.models import Change, RatingList, Run
from tests.editor import Editor
from tests.factories import make_list, make_player, make_table

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def broker():
    """The tests' own database of Redis, empty; tasks really go there."""
    assert connection.vendor == "postgresql", "these tests need DATABASE_URL to name a PostgreSQL"
    server = redis.Redis.from_url(settings.REDIS_URL)
    server.flushdb()
    app.conf.task_always_eager = False
    yield server
    app.conf.task_always_eager = True
    server.flushdb()


@contextmanager
def worker(tmp_path, *arguments, **environment):
    database = settings.DATABASES["default"]
    place = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}".rstrip(":")
    env = (
        os.environ
        | {"DATABASE_URL": f"postgres://{place}/{database['NAME']}", "REDIS_URL": settings.REDIS_URL}
        | environment
    )
    command = [sys.executable, "-m", "celery", "-A", "portal", "worker", "--pool", "solo", "-Q", "rating", *arguments]
    with (
        (tmp_path / "worker.log").open("w") as log,
        subprocess.Popen(command, env=env, stdout=log, stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()


def eventually(check, seconds=30):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.1)


def up_to_date():
    return not RatingList.objects.filter(out_of_date_from__isnull=False).exists()


def test_saved_table_is_rated_by_the_worker(tmp_path):
    fesa, a, b = make_list(), make_player(), make_player()
    with worker(tmp_path):
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
        eventually(up_to_date)
    assert Change.objects.count() == 2


def test_nothing_is_lost_when_workers_are_killed_and_the_broker_forgets(tmp_path, broker):
    """Thirty rounds of edits on two lists; FAULT_ROUNDS makes it longer by hand."""
    chance = random.Random(int(os.environ.get("FAULT_SEED", "7")))
    lists = [make_list("fesa"), make_list("go", system="rif-1995")]
    editors = [Editor(rating_list, seed) for seed, rating_list in enumerate(lists)]
    for _ in range(int(os.environ.get("FAULT_ROUNDS", "30"))):
        with worker(tmp_path) as process:
            time.sleep(chance.choice((0, 0, 0.5, 1.5, 2.5)))
            for editor in editors:
                for _ in range(chance.randint(1, 4)):
                    editor.edit()
            if chance.random() < 0.3:
                broker.flushdb()
            time.sleep(chance.random() * 0.4)
            os.kill(process.pid, signal.SIGKILL)
    schedule = f"--schedule={tmp_path / 'beat'}"
    with worker(tmp_path, "--beat", schedule, SWEEP_SECONDS="1"):
        eventually(up_to_date, 60)
    for rating_list in lists:
        rating_list.refresh_from_db()
        assert (rating_list.problem, list(differences(rating_list))) == ("", [])
    assert not Run.objects.filter(state="running").exists()


def test_lost_message_is_found_by_the_sweep(tmp_path, broker):
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    broker.flushdb()
    assert not up_to_date()
    schedule = f"--schedule={tmp_path / 'beat'}"
    with worker(tmp_path, "--beat", schedule, SWEEP_SECONDS="1"):
        eventually(up_to_date)
    assert Change.objects.count() == 2

"""Real processes: a Redis of the tests' own, Celery workers on it, PostgreSQL."""

import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.db import connection

from portal.celery import app

from .environment import environment, eventually
from .journal import Journal
from .scenes import make_scene, make_staff


class Broker:
    """A Redis server on a socket that nobody else knows; it can be emptied, and killed and started again."""

    def __init__(self):
        self.socket = Path(settings.REDIS_URL.partition("://")[2])
        self.client = redis.Redis(unix_socket_path=str(self.socket))
        self.process = None

    def start(self):
        self.socket.parent.mkdir(exist_ok=True)
        command = ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=self.socket.parent)
        eventually(self.answers)

    def answers(self):
        try:
            return self.client.ping()
        except redis.ConnectionError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def waiting(self):
        """Messages for the rating workers."""
        return self.client.llen("rating")


@pytest.fixture(autouse=True)
def broker():
    """Running and empty; tasks really go there."""
    assert connection.vendor == "postgresql", "these tests need DATABASE_URL to name a PostgreSQL"
    server = Broker()
    server.start()
    app.conf.task_always_eager = False
    yield server
    app.conf.task_always_eager = True
    server.client.close()
    server.kill()


@pytest.fixture
def worker(tmp_path):
    """Start a worker of the rating queue, perhaps with beat, as long as the context lasts."""

    @contextmanager
    def start(*, sweeping=False, pool="solo", heartbeat=True):
        command = [sys.executable, "-m", "celery", "-A", "portal", "worker", "--pool", pool, "-c", "1", "-Q", "rating"]
        command += ["--beat", f"--schedule={tmp_path / 'beat'}"] if sweeping else []
        command += [] if heartbeat else ["--without-heartbeat"]
        with (
            (tmp_path / "worker.log").open("a") as log,
            subprocess.Popen(command, env=environment() | {"SWEEP_SECONDS": "1"}, stdout=log, stderr=log) as process,
        ):
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(timeout=60)
                except subprocess.TimeoutExpired:  # a worker may wait without end for a Redis that hangs
                    process.kill()

    return start


def run_killed_at(place):
    """Rate everything in another process that is killed where it calls `place`, a name in ratings.domain.runs.rerating."""
    code = (
        "import os, signal, django\n"
        "django.setup()\n"
        "from ratings.domain.runs import rerating\n"
        f"rerating.{place} = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)\n"
        "rerating.sweep()\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], env=environment(), check=False)
    assert killed.returncode == -signal.SIGKILL


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with the tests of services: they wait for outages, and other processes compute meanwhile."""
    items.sort(key=lambda item: item.get_closest_marker("services") is None)


@pytest.fixture
def users(db):
    return make_staff()


@pytest.fixture
def scene(users):
    return make_scene(users)


@pytest.fixture
def journal():
    return Journal()

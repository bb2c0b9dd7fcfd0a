"""A whole site in processes of its own, whose mail server, Redis and database can hang, refuse and come back."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import requests
from django.conf import settings
from django.test import Client

from .environment import environment, eventually

HERE = Path(__file__).parent
BROWSER = {"Accept-Encoding": "gzip"}
TOKEN = "t" * 32


class Answer(NamedTuple):
    """Response of a page; status 0 is a refused or cut connection, with the error as its text."""

    path: str
    status: int
    seconds: float
    text: str
    location: str = ""
    cookies: Mapping[str, str] = MappingProxyType({})


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(port):
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


def cookies_of(user):
    """Return the cookies of a user who is signed in."""
    browser = Client()
    browser.force_login(user)
    return {"sessionid": browser.cookies[settings.SESSION_COOKIE_NAME].value, "csrftoken": TOKEN}


class Service:
    """A process that listens on a port."""

    def __init__(self, script, *arguments):
        self.port = free_port()
        self.command = [sys.executable, HERE / script, str(self.port), *map(str, arguments)]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command)
        eventually(lambda: listens(self.port))

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Site:
    """gunicorn, workers of both queues and beat; its database is reached by a relay."""

    def __init__(self, folder, broker):
        database = settings.DATABASES["default"]
        self.folder, self.broker = folder, broker
        self.received = folder / "mails.txt"
        self.mail = Service("mail_server.py", self.received)
        self.database = Service("relay.py", database["HOST"], database["PORT"] or 5432)
        self.port = free_port()
        self.processes = {}

    @contextmanager
    def running(self):
        self.mail.start()
        self.database.start()
        try:
            for name in self._commands():
                self.start(name)
            eventually(self.is_well, 180)
            yield self
        finally:
            for service in (self.mail, self.database, self.broker):
                service.resume()
            for name in list(self.processes):
                self.kill(name)
            self.mail.kill()
            self.database.kill()

    def _commands(self):
        celery = ["-m", "celery", "-A", "portal", "worker", "--concurrency", "1"]
        beat = ["-m", "celery", "-A", "portal", "beat", f"--schedule={self.folder / 'beat'}"]
        return {
            "web": ["-m", "gunicorn", "portal.wsgi", "--bind", f"127.0.0.1:{self.port}"],
            "rating": [*celery, "-Q", "rating", "-n", "rating@tests"],
            "worker": [*celery, "-Q", "celery", "-n", "worker@tests"],
            "beat": [*beat, f"--pidfile={self.folder / 'beat.pid'}"],
        }

    def start(self, name):
        """Start one of the processes: web, rating, worker or beat."""
        command = [sys.executable, *self._commands()[name]]
        with (self.folder / "site.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                command, env=self._environment(), stdout=log, stderr=log, start_new_session=True
            )

    def _environment(self):
        own = environment()
        return own | {
            "DATABASE_URL": own["DATABASE_URL"].replace(self._place(), f"127.0.0.1:{self.database.port}"),
            "DJANGO_SETTINGS_MODULE": "tests.services.site_settings",
            "EMAIL_URL": f"smtp://127.0.0.1:{self.mail.port}",
            "SWEEP_SECONDS": "2",
            "WEB_WORKERS": "2",
        }

    def kill(self, name):
        """Kill one of the processes with its children."""
        process = self.processes.pop(name)
        with suppress(ProcessLookupError):  # it was killed alone before, and its children have ended since
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    @staticmethod
    def _place():
        database = settings.DATABASES["default"]
        return f"{database['HOST']}:{database['PORT']}".rstrip(":")

    def is_well(self):
        return self.get("/health/").status == 200

    def get(self, path):
        return self.ask("GET", path, headers=BROWSER)

    def post(self, user, path, **data):
        """Send a form as a user who is signed in."""
        cookies = cookies_of(user)
        return lambda: self.ask("POST", path, data=data | {"csrfmiddlewaretoken": TOKEN}, cookies=cookies)

    def ask(self, method, path, **options):
        started = time.monotonic()
        try:
            response = requests.request(
                method, f"http://127.0.0.1:{self._choose_port()}{path}", allow_redirects=False, timeout=60, **options
            )
        except requests.RequestException as error:
            return Answer(path, 0, time.monotonic() - started, type(error).__name__)
        seconds, location = time.monotonic() - started, response.headers.get("Location", "")
        return Answer(path, response.status_code, seconds, response.text, location, dict(response.cookies))

    def _choose_port(self):
        return self.port

    @contextmanager
    def visited(self, *paths, visitors=2):
        """Have each path read again and again by several visitors; the list of answers fills meanwhile."""
        answers, ended = [], threading.Event()

        def visit(path):
            while not ended.is_set():
                answers.append(self.get(path))
                time.sleep(0.1)

        threads = [threading.Thread(target=visit, args=[path]) for path in paths for _ in range(visitors)]
        for thread in threads:
            thread.start()
        try:
            yield answers
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    def mails(self):
        """Subjects of the mails that arrived, each Message-ID once."""
        lines = self.received.read_text().splitlines() if self.received.exists() else []
        return sorted({line.split("\t")[2]: line.split("\t")[1] for line in lines}.values())

    def delivered(self):
        """Return how many mails with different Message-IDs each address got of each subject."""
        lines = self.received.read_text().splitlines() if self.received.exists() else []
        mails = {line.split("\t")[2]: tuple(line.split("\t")[:2]) for line in lines}
        return Counter(mails.values())

"""Faults of a site's processes and services, each with the way in which it ends."""

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from django.db import connection

from .environment import eventually
from .test_faults import cut_everybody_else


def children(process):
    """Return the process ids of a process's children."""
    return [
        int(pid) for task in Path(f"/proc/{process.pid}/task").glob("*/children") for pid in task.read_text().split()
    ]


STATEMENTS = (
    'INSERT INTO "ratings_eventstep"',
    'INSERT INTO "ratings_notification"',
    'INSERT INTO "ratings_game"',
    'UPDATE "ratings_event"',
    'UPDATE "ratings_sheet"',
    'UPDATE "ratings_ratinglist"',
    'UPDATE "ratings_entry"',
    'UPDATE "ratings_player"',
)
"""Statements in the middle of steps and merges."""
LEAST_CUTS = 5
"""The number of transactions that a whole test must cut."""


def cut_after(statement):
    """Cut one connection whose transaction has written, and whose latest statement begins like this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL AND starts_with(query, %s) LIMIT 1",
            [statement],
        )
        return cursor.fetchone() is not None


class Faults:
    """Faults of a site. A kind is the name of a method that begins the fault and returns a function that ends it."""

    KINDS = ("kill_rating_worker", "kill_other_worker", "kill_beat", "kill_web_worker", "kill_web_master",
             "cut_connections", "cut_transactions", "kill_database_relay", "hang_database_relay", "kill_redis", "hang_redis", "flush_redis",
             "kill_mail_server", "hang_mail_server")  # fmt: skip
    ON_WEB = ("kill_web_worker", "kill_web_master")
    """Faults that may cut the connection of a visitor."""
    AIMED_AT = ("accept", "submit", "save", "void", "restore", "undo", "merge", "undo merge", "correct")
    """Forms of which one is on its way when a fault begins."""

    def __init__(self, site, journal, chance):
        self.site, self.journal, self.chance = site, journal, chance
        self.counts, self.cut = dict.fromkeys(self.KINDS, 0), Counter()

    def drawn(self, rounds):
        """Return kinds in random order, each as often as the others or once more."""
        kinds = []
        while len(kinds) < rounds:
            kinds += self.chance.sample(self.KINDS, len(self.KINDS))
        return kinds[:rounds]

    def cause(self, kind):
        """Cause a fault for a short time; return when it is over and the site answers again."""
        self.counts[kind] += 1
        self.journal.wait_for_form(self.chance.sample(self.AIMED_AT, 4), seconds=4)
        time.sleep(self.chance.uniform(0, 0.4))
        self.journal.faults.append(kind)
        end = getattr(self, kind)()
        time.sleep(self.chance.uniform(3, 9) if kind.startswith("hang") else self.chance.uniform(0.3, 4))
        end()
        eventually(self.answers, 60)
        self.journal.faults.append("")

    def answers(self):
        """Return True if the web reads a page from the database."""
        return self.site.get(f"/search/?q={random.random()}").status == 200  # an address that nobody has visited

    def kill_rating_worker(self):
        return self._kill("rating")

    def kill_other_worker(self):
        return self._kill("worker")

    def kill_beat(self):
        return self._kill("beat")

    def _kill(self, name):
        self.site.kill(name)
        return lambda: self.site.start(name)

    def kill_web_worker(self):
        pids = children(self.site.processes["web"])
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(pids), signal.SIGKILL)
        return lambda: None  # its master starts another

    def kill_web_master(self):
        self.site.processes["web"].kill()  # its workers end by themselves, soon

        def end():
            self.site.kill("web")
            self.site.start("web")

        return end

    def cut_connections(self):
        cut_everybody_else()
        return cut_everybody_else

    def cut_transactions(self):
        """Cut connections in the middle of transactions, each after a certain statement."""
        for statement in self.chance.sample(STATEMENTS, len(STATEMENTS)):
            end = time.monotonic() + 1.5
            while not cut_after(statement) and time.monotonic() < end:
                time.sleep(0.002)
            self.cut[statement] += time.monotonic() < end
        return lambda: None

    def cut_more_transactions(self):
        """Cut transactions until there are enough, but not for ever: then the test says so."""
        for _ in range(8):
            if sum(self.cut.values()) >= LEAST_CUTS:
                return
            self.cause("cut_transactions")

    def kill_database_relay(self):
        self.site.database.kill()
        return self.site.database.start

    def hang_database_relay(self):
        self.site.database.hang()
        return self.site.database.resume

    def kill_redis(self):
        self.site.broker.kill()
        return self.site.broker.start

    def hang_redis(self):
        self.site.broker.hang()
        return self.site.broker.resume

    def flush_redis(self):
        self.site.broker.client.flushdb()
        return self.site.broker.client.flushdb

    def kill_mail_server(self):
        self.site.mail.kill()
        return self.site.mail.start

    def hang_mail_server(self):
        self.site.mail.hang()
        return self.site.mail.resume

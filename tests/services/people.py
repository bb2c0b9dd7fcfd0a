"""People who work on a site at the same time, each by a random script: they do what the pages offer them.

Somebody who gets no answer reads the page again and repeats, or goes on with something else.
"""

import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import NamedTuple

from ratings.management.bench.browser import fields_of

from .journal import UNKNOWN
from .site import BROWSER, TOKEN


def offers(page):
    """Return the addresses of managing pages to which a page links or sends forms."""
    return sorted({unescape(path) for path in re.findall(r'(?:action|href)="(/organise/[^"]+)"', page)})


class Scene(NamedTuple):
    """Events and players that all simulated people work on.

    `events` are public ids with the names of their players and their day; people add to them. `groups` holds the names
    of four players each, and of a duplicate of the first; `duplicates` pairs of public ids.
    """

    events: dict
    groups: list
    duplicates: list


class Person(threading.Thread):
    """Somebody who is signed in, with a random script of their own."""

    def __init__(self, name, site, cookies, journal, seed):
        super().__init__(name=name)
        self.site, self.cookies, self.journal = site, cookies, journal
        self.chance = random.Random(f"{seed}/{name}")
        self.tokens, self.error = 0, None

    def run(self):
        try:
            while not self.journal.ended.is_set():
                self.work()
                time.sleep(self.chance.uniform(0.05, 0.3))
        except Exception as error:  # noqa: BLE001 - reported by the test
            self.error = error

    def token(self):
        """Return a text that nobody types twice."""
        self.tokens += 1
        return f"{self.name}-{self.tokens}"

    def ask(self, what, path, sent=None, cookies=None):
        """Send a form, or read a page, and note it in the journal."""
        since = self.journal.now()
        options = {"headers": BROWSER} if sent is None else {"data": sent | {"csrfmiddlewaretoken": TOKEN}}
        options["cookies"] = self.cookies | (cookies or {})
        in_flight = [] if sent is None else self.journal.in_flight
        in_flight.append(what)
        answer = self.site.ask("GET" if sent is None else "POST", path, **options)
        in_flight.remove(what)
        line = self.journal.note(self.name, what, path, sent or {}, answer, since)
        self.look_at(line)
        return answer

    def look_at(self, line):
        """Note answers that lose what was typed, or that refuse without saying why."""
        status, page = line.answer.status, line.answer.text
        wrong = []
        if status >= 500 and status != 503:
            wrong.append(f"status {status}")
        if status == 503 and line.sent and not line.sent.items() <= fields_of(page).items():
            wrong.append("the page does not repeat what was sent")
        if line.what == "save" and status in {403, 409, 422}:
            typed = {name: text for name, text in line.sent.items() if name == "name" or "-round-" in name}
            if not typed.items() <= fields_of(page, disabled=True).items():
                wrong.append("the page does not show what was typed")
        if status == 422 and 'role="alert"' not in page and "errorlist" not in page:
            wrong.append("refused without a message")
        self.journal.problems += [f"{line}: {problem}" for problem in wrong]

    def read(self, path):
        """Return a page, asking again while there is no answer; None if there is none in the end."""
        for _attempt in range(10):
            answer = self.ask("read", path)
            if answer.status == 200:
                return answer.text
            if answer.status not in UNKNOWN or self.journal.ended.is_set():
                return None
            time.sleep(self.chance.uniform(0.3, 1.5))
        return None

    def send(self, what, path, sent):
        """Send a form; sometimes twice at once, and again or not at all where there was no answer."""
        if self.chance.random() < 0.15:
            with ThreadPoolExecutor(2) as pool:
                answer, _second = pool.map(lambda _n: self.ask(what, path, sent), range(2))
        else:
            answer = self.ask(what, path, sent)
        while answer.status in UNKNOWN and self.chance.random() < 0.7 and not self.journal.ended.is_set():
            time.sleep(self.chance.uniform(0.3, 1.5))
            answer = self.ask(what, path, sent)
        return answer

    def work(self):
        raise NotImplementedError


class Visitor(Person):
    """Somebody who reads public pages."""

    def __init__(self, *arguments, paths):
        super().__init__(*arguments)
        self.paths = paths

    def work(self):
        self.ask("visit", self.chance.choice(self.paths))

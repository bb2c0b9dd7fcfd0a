"""Two web and three worker processes, each in a checkout of its own as on a machine of its own, and their users."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import cycle

from ratings.management.bench.browser import Browser
from ratings.management.bench.staff import SEATS, Staff, expect
from ratings.management.rehearsal.turns import compare, follow

from .environment import eventually
from .processes import kill, wait_until_listening, web_server, worker_process
from .site import cookies_of, free_port

WEBS, WORKERS = ("web-1", "web-2"), ("worker-1", "worker-2", "worker-3")
TRUSTING = {"SECOND_FACTOR": "0", "SIGN_IN_AGAIN": "0"}


class Machines:
    """Processes of a site by name; `checkouts` are the paths of their checkouts by the same names."""

    def __init__(self, checkouts, folder, **variables):
        self.checkouts, self.folder, self.variables = checkouts, folder, variables | TRUSTING
        self.ports = {name: free_port() for name in WEBS}
        self.processes, self.stack = {}, ExitStack()

    @contextmanager
    def running(self):
        """Start all processes, and wait until they are ready."""
        with self.stack:
            for name in WORKERS:
                process = worker_process(self.checkouts[name], self.folder, name, **self.variables)
                self.processes[name] = self.stack.enter_context(process)
            self.start_webs(*WEBS)
            for name in WORKERS:
                eventually(
                    lambda name=name: " ready." in self.read_log(name), 180, lambda name=name: self.read_log(name)
                )
            yield self

    def start_webs(self, *names):
        """Start web processes, and wait until they listen."""
        for name in names:
            process = web_server(self.checkouts[name], self.folder, name, self.ports[name], **self.variables)
            self.processes[name] = self.stack.enter_context(process)
        for name in names:
            wait_until_listening(self.folder, name, self.ports[name])

    def kill(self, name):
        """Kill a process with its children."""
        kill(self.processes[name])

    def address(self, name):
        return f"127.0.0.1:{self.ports[name]}"

    def read_log(self, name):
        return (self.folder / f"{name}.log").read_text()


class Team(Staff):
    """Organiser and officer of a list who use the web processes by turns; `events` are addresses by names."""

    def __init__(self, machines, organiser, officer, rating_list):
        self.machines, self.addresses = machines, [machines.address(name) for name in WEBS]
        browsers = [Browser(self.addresses[0]) for _ in range(2)]
        for browser, user in zip(browsers, (organiser, officer), strict=True):
            browser.cookies |= cookies_of(user)
        super().__init__(*browsers, rating_list.slug, rating_list.name)
        self.turns, self.events, self.players = cycle(self.addresses), {}, self.read_players()

    def switch(self):
        """Go on at the other web process."""
        self.organiser.address = self.officer.address = next(self.turns)

    def hand_in(self, name, day):
        """Enter and submit an event, each step at the other web process; return its address."""
        self.switch()
        self.events[name] = event = self.enter_event(name, day)
        self.switch()
        sheet = self.upload_results(event, day, self.random.sample(self.players, SEATS))
        self.switch()
        self.save_results(sheet)
        self.switch()
        self.submit(event)
        return event

    def accept_on_one_and_read_on_the_other(self, event):
        """Accept an event; a visitor of the other web process, who read its page before, gets its results."""
        self.switch()
        visitor = Browser(next(address for address in self.addresses if address != self.officer.address))
        page = event.removeprefix("/organise")
        assert "csv.csv" not in read_page(visitor, page)
        self.accept(event)
        eventually(lambda: "csv.csv" in read_page(visitor, page), 20, lambda: read_page(visitor, page))

    def accept_while_killed(self, events, name):
        """Accept several events at once at a web process that is killed meanwhile; repeat it at the other one."""
        lost, other = (self.machines.address(one) for one in sorted(WEBS, key=lambda one: one != name))
        self.officer.address = lost
        with ThreadPoolExecutor(len(events)) as pool:
            answers = [pool.submit(self.officer.post, f"{event}accept/", {}) for event in events]
            time.sleep(self.random.uniform(0, 0.3))
            self.machines.kill(name)
        statuses = [answer.result().status for answer in answers]
        assert set(statuses) <= {0, 302}, statuses
        self.officer.address = other
        for event, status in zip(events, statuses, strict=True):
            is_waiting = f"{event}accept/" in expect(self.officer.get(event), 200).find_links()
            assert not (is_waiting and status == 302), f"{event} was accepted, and is waiting again"
            if is_waiting:
                self.accept(event)

    def compare_webs(self):
        """Raise AssertionError unless both web processes show the same list and results, of all events."""
        for name, event in self.events.items():
            compare(self, self.addresses, event, name)
            assert "csv.csv" in follow(self.officer, event.removeprefix("/organise"))


def read_page(browser, path):
    """Return the text of a page, which may be missing or a redirect to it."""
    answer = browser.get(path)
    return (browser.get(answer.location) if answer.location else answer).text

"""Journal of the requests of simulated people, with the responses and the fault at that time."""

import re
import threading
import time
from collections import Counter, defaultdict
from typing import NamedTuple

UNKNOWN = (0, 503)
"""Statuses after which a person does not know whether it was done: no answer, and a database that is away."""


class Line(NamedTuple):
    """A request of a person with its answer; `faults` names the faults that went on between sending and answer."""

    at: float
    who: str
    what: str
    path: str
    sent: dict
    answer: object
    faults: list

    @property
    def is_acknowledged(self):
        return 200 <= self.answer.status < 400

    @property
    def is_unknown(self):
        return self.answer.status in UNKNOWN

    def __str__(self):
        sent = " ".join(f"{name}={text!r}" for name, text in self.sent.items())
        answer = f"{self.answer.status} {self.answer.seconds:.1f} s"
        alerts = " ".join(re.findall(r'role="alert">([^<]+)', self.answer.text)) if self.answer.status == 422 else ""
        faults = ", ".join(self.faults)
        return f"{self.at:7.1f} {self.who} {self.what} {self.path} [{faults}] → {answer} {alerts} {sent}"


class Journal:
    """Every request of every person. `problems` are lines about wrong answers.

    `faults` names all faults so far, in order, with an empty name for each time between two of them.

    `undone` holds the primary keys of merges of which a person was told that they are undone; `in_flight` the actions
    of forms that were sent and are not answered yet.
    """

    def __init__(self):
        self.lines, self.problems, self.undone, self.in_flight, self.faults = [], [], [], [], [""]
        self.started = time.monotonic()
        self.ended = threading.Event()

    def now(self):
        """Return the place of what goes on now in `faults`."""
        return len(self.faults) - 1

    def note(self, who, what, path, sent, answer, since):
        """Note a request that was sent when `since` was the place of what went on."""
        faults = [fault for fault in self.faults[since:] if fault]
        line = Line(time.monotonic() - self.started, who, what, path, sent, answer, faults)
        self.lines.append(line)
        return line

    def wait_for_form(self, whats, seconds):
        """Wait until a form of one of these actions is on its way, but not longer than some seconds."""
        end = time.monotonic() + seconds
        while not any(what in whats for what in list(self.in_flight)) and time.monotonic() < end:
            time.sleep(0.005)

    def sent(self, *whats):
        return [line for line in self.lines if line.what in whats]

    def table(self):
        """Return the answers and the slowest of them by fault, as lines of text."""
        statuses, slowest = defaultdict(Counter), defaultdict(float)
        for line in self.lines:
            fault = line.faults[0] if line.faults else "(none)"
            statuses[fault][line.answer.status] += 1
            slowest[fault] = max(slowest[fault], line.answer.seconds)
        columns = sorted({status for counted in statuses.values() for status in counted})
        yield f"{'fault':26}" + "".join(f"{status or 'none':>7}" for status in columns) + "  slowest"
        for fault in sorted(statuses):
            counts = "".join(f"{statuses[fault][status] or '':>7}" for status in columns)
            yield f"{fault:26}{counts}  {slowest[fault]:6.1f} s"

    def done(self):
        """Return how often each action was acknowledged, refused or left unknown, as lines of text."""
        counts = defaultdict(Counter)
        for line in self.lines:
            kind = "done" if line.is_acknowledged else "unknown" if line.is_unknown else "refused"
            counts[line.what][kind] += 1
        for what, counted in sorted(counts.items()):
            yield f"{what:16}" + ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))

"""A pair of steps in a state, taken at once again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import Any

from django.db import connection

from .checks import problems_of
from .race import Answer, Meeting, Person, alone, at_random, forced
from .steps import BY_NAME, Form, Step
from .world import World, make_people, picture

ORDERS = ((0, 1), (1, 0))
OUTCOMES = ("both refused", "one refused", "both done")
Steps = tuple[Step, Step]


class Meetings:
    """Two people who take a pair of steps in a state, each time in a world of its own.

    `problems` collects everything that was wrong, `counts` what the people were answered.
    """

    def __init__(self, state: str, steps: Steps) -> None:
        assert connection.vendor == "postgresql", "races need DATABASE_URL to name a PostgreSQL"
        self.state, self.steps, self.staff = state, steps, make_people()
        self.people = [
            Person(f"person-{n}", {False: self.staff.organisers[n], True: self.staff.officers[n]}) for n in (0, 1)
        ]
        self.problems: list[str] = []
        self.counts: dict[str, int] = dict.fromkeys(("forced", "random", "blocked", *OUTCOMES), 0)
        self.seen: list[Any] = []
        """Outcomes from which the way on was tried."""
        self.allowed: dict[Steps, list[Any]] = {}
        """Outcomes of taking the steps one after the other."""

    def close(self) -> None:
        for person in self.people:
            person.close()

    def force(self) -> None:
        """Hold each of the two steps at each of its boundaries while the other one is taken."""
        for steps in dict.fromkeys([self.steps, self.steps[::-1]]):
            boundaries = self._allow(steps)
            for at in range(len(boundaries)):
                self._meet(steps, f"{steps[0].name} held at {at}", lambda *given, at=at: forced(*given, at=at))
            self.counts["forced"] += len(boundaries)

    def run_at_random(self, runs: Iterable[int], seed: str) -> None:
        if self.steps not in self.allowed:
            self._allow(self.steps)
        for run in runs:
            own = f"{seed}/{self.steps[0].name}/{self.steps[1].name}/{run}"
            self._meet(self.steps, f"seed {own}", lambda *given, seed=own: at_random(*given, seed=seed))
            self.counts["random"] += 1

    def _world(self, steps: Steps) -> tuple[World, tuple[Form, ...]]:
        world = World(self.staff, self.state)
        return world, tuple(step.form(world, f"person {n}") for n, step in enumerate(steps))

    def _allow(self, steps: Steps) -> list[str]:
        """Take the steps one after the other in both orders; return the boundaries of the first one alone."""
        boundaries: list[str] = []
        self.allowed[steps] = []
        for order in ORDERS:
            world, forms = self._world(steps)
            answers: list[Any] = [None, None]
            for place in order:
                answers[place], passed = alone(self.people[place], steps[place], forms[place])
                boundaries = boundaries or passed
            outcome = outcome_of(world, answers)
            self.allowed[steps].append(outcome)
            self._check(world, steps, forms, Meeting((answers[0], answers[1]), f"in the order {order}"), outcome)
        return boundaries

    def _meet(self, steps: Steps, name: str, run: Callable[..., Meeting]) -> None:
        world, forms = self._world(steps)
        meeting = run(*self.people, steps, forms)
        meeting.boundary = f"{name} {meeting.boundary}"
        outcome, allowed = outcome_of(world, meeting.answers), self.allowed[steps]
        if outcome not in allowed:
            self.problems.append(f"{meeting.boundary}: as neither order leaves it:\n{outcome}\nallowed: {allowed}")
        self._check(world, steps, forms, meeting, outcome)
        self.counts[OUTCOMES[sum(answer.is_success for answer in meeting.answers)]] += 1
        self.counts["blocked"] += meeting.blocked

    def _check(self, world: World, steps: Steps, forms: tuple[Form, ...], meeting: Meeting, outcome: Any) -> None:
        taken = list(zip(steps, forms, meeting.answers, strict=True))
        person = None if outcome in self.seen else self.people[0]
        self.seen.append(outcome)
        self.problems += [f"{meeting.boundary}: {problem}" for problem in problems_of(world, taken, person)]


def outcome_of(world: World, answers: Iterable[Answer]) -> tuple[list[bool], Any]:
    """Return who succeeded, and what is stored."""
    return [answer.is_success for answer in answers], picture(world)


@contextmanager
def meetings(one: str, other: str, state: str):
    """Give the meetings of two steps, by their names, and close the connections of the people in the end."""
    made = Meetings(state, (BY_NAME[one], BY_NAME[other]))
    try:
        yield made
    finally:
        made.close()

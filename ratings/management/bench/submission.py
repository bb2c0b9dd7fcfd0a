"""Benchmark of the check of submitted results, compared with page of text in the same run."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from ratings.domain.events.tables import save_event
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submitting import announce_event
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.models import Event, Player, RatingList, Submission

from .history import FIRST_YEAR, SEED, YEARS, pairings
from .web import p95

SEATS, ROUNDS, NEW = 40, 9, 4
TIMES = 40
NAME = "check of 40 × 9, without HTTP"
MOST_QUERIES, MOST_RATIO = 12, 10
"""Maximum number of queries, and maximum time as a multiple of page of text."""


@dataclass(frozen=True)
class MeasuredCheck:
    """Seconds (95th percentile) and queries of the check of a table with 40 players and 9 rounds."""

    seconds: float
    queries: int

    def exceeds(self, floor: float) -> bool:
        """Return True if the check takes too many queries, or too long compared with a page of `floor` seconds."""
        return self.queries > MOST_QUERIES or self.seconds > MOST_RATIO * floor


def measure_check(rating_list: RatingList) -> MeasuredCheck:
    """Check a table of 40 players, four of them new, several times; nothing stays stored."""
    with transaction.atomic():
        submission = _save_submission(rating_list)
        with CaptureQueriesContext(connection) as queries:
            check_submission(submission, _make_content(), None)
        seconds = [_time_check(submission) for _ in range(TIMES)]
        transaction.set_rollback(True)
    return MeasuredCheck(p95(seconds), len(queries))


def format_check(checked: MeasuredCheck, floor: float) -> str:
    """Return the line of the check of submitted results, measured without a server; `floor` is a cached page."""
    figures = f"{1000 * checked.seconds:8.0f} ms, {checked.seconds / floor:.1f} times a cached page of text"
    return f"{NAME:34}{figures}, at most {MOST_RATIO}; {checked.queries} queries"


def _time_check(submission: Submission) -> float:
    content = _make_content()
    start = time.perf_counter()
    check_submission(submission, content, None)
    return time.perf_counter() - start


def _save_submission(rating_list: RatingList) -> Submission:
    year = FIRST_YEAR + YEARS - 1
    event = Event(name="Measured Open", start=f"{year}-11-01", end=f"{year}-11-02")
    event.full_clean()
    save_event(event, [rating_list])
    announce_event(event)
    submission = Submission(event=event, first_day=event.start, last_day=event.end, content=_make_content().to_json())
    submission.full_clean()
    submission.save()
    return submission


def _make_content() -> SheetContent:
    """Return the typed results, with names as in a file: without ids."""
    rng = random.Random(SEED)
    numbers = [f"B{rng.randrange(100_000):06}" for _ in range(SEATS - NEW)]
    players = Player.objects.filter(public_id__in=numbers).order_by("public_id")
    rows = [SheetRow(player.family_name, player.given_name, str(player.country)) for player in players]
    rows += [SheetRow(f"Newcomer{number}", "Ada", "NL", new=True) for number in range(SEATS - len(rows))]
    for row in rows:
        row.cells = [""] * ROUNDS
    for round_, a, b in pairings(SEATS, ROUNDS):
        rows[a].cells[round_ - 1], rows[b].cells[round_ - 1] = f"{b + 1}+", f"{a + 1}-"
    return SheetContent(ROUNDS, rows)

"""Turns of staff between two releases: each step of an event is taken on the other one than the step before."""

from __future__ import annotations

import csv
import datetime as dt
import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import psycopg

from ratings.management.bench.browser import Browser
from ratings.management.bench.staff import SEATS, Staff, expect

STANDSTILL_SECONDS = 120
"""Time that runs may take without progress while a list is out of date."""
OUT_OF_DATE = "SELECT slug FROM ratings_ratinglist WHERE out_of_date_from IS NOT NULL ORDER BY slug"
PROGRESS = """
    SELECT coalesce(extract(epoch FROM max(ended_at) FILTER (WHERE state = 'finished')), 0),
           coalesce(max(done) FILTER (WHERE state = 'running'), 0)
    FROM ratings_run WHERE NOT preview
"""
TABLE_FILE = re.compile(r"/events/\w+/\d+/csv\.csv")


def take_turns(staff: Staff, addresses: Sequence[str], name: str, day: dt.date, database: str) -> None:
    """Enter, submit, accept and correct an event, each step on the next server; compare what all of them then show.

    `database` is the address of the database, which says when the lists are rated. Raise AssertionError if a step is
    refused, or if two servers show different results or ratings.
    """
    servers = cycle(addresses)

    def switch() -> None:
        staff.organiser.address = staff.officer.address = next(servers)

    switch()
    event = staff.enter_event(name, day)
    switch()
    players = staff.random.sample(staff.read_players(), SEATS)
    sheet = staff.upload_results(event, day, players)
    switch()
    staff.save_results(sheet)
    switch()
    staff.submit(event)
    switch()
    staff.accept(event)
    wait_until_rated(database)
    compare(staff, addresses, event, name)
    switch()
    staff.correct(event)
    wait_until_rated(database)
    compare(staff, addresses, event, name)


class Progress(NamedTuple):
    """The slugs of the lists that are out of date, and how far runs have come: later values are greater."""

    lists: list[str]
    position: tuple[float, int]


def wait_until_rated(database: str) -> None:
    """Wait until no list is out of date; raise TimeoutError if runs make no progress for two minutes."""
    with psycopg.connect(database, autocommit=True) as connection:
        wait_while_progressing(lambda: read_progress(connection))


def wait_while_progressing(read: Callable[[], Progress]) -> None:
    """Wait until no list is out of date; raise TimeoutError if runs make no progress for `STANDSTILL_SECONDS`.

    One worker rates the lists in turn, which may take long on a busy machine. A finished run is progress, and so is a
    run that has done more tables than any since then; a run that fails again and again is none.
    """
    furthest, since = (-1.0, -1), time.monotonic()
    while (progress := read()).lists:
        if progress.position > furthest:
            furthest, since = progress.position, time.monotonic()
        elif time.monotonic() - since > STANDSTILL_SECONDS:
            lists = ", ".join(progress.lists)
            raise TimeoutError(f"still out of date after {STANDSTILL_SECONDS} seconds without progress: {lists}")
        time.sleep(0.2)


def read_progress(connection: psycopg.Connection[Any]) -> Progress:
    """Return the lists that are out of date, with the end of the last finished run and the tables done since then."""
    lists = [slug for (slug,) in connection.execute(OUT_OF_DATE)]
    ended, done = connection.execute(PROGRESS).fetchone() or (0, 0)
    return Progress(lists, (float(ended), done))


def compare(staff: Staff, addresses: Sequence[str], event: str, name: str) -> None:
    """Raise AssertionError unless all servers show the same list and the same results of an event."""
    first, *others = [list(read_rows(staff, address, event, name)) for address in addresses]
    for address, rows in zip(addresses[1:], others, strict=True):
        assert len(rows) == len(first), f"{name}: {addresses[0]} shows {len(first)} lines, {address} {len(rows)}"
        for one, other in zip(first, rows, strict=True):
            common = one.keys() & other.keys()  # a release may add columns
            assert {key: one[key] for key in common} == {key: other[key] for key in common}, (
                f"{name}: {addresses[0]} shows {one}, {address} shows {other}"
            )


def read_rows(staff: Staff, address: str, event: str, name: str) -> Iterator[dict[str, str]]:
    """Yield the lines of a list, and of the results of an event, as a server gives them in files.

    They are read as the officer, because anonymous visitors get pages that are up to ten seconds old.
    """
    browser = staff.officer
    browser.address = address
    page = follow(browser, event.removeprefix("/organise"))
    assert name in page, f"{address}{event} does not name {name}"
    paths = [f"/lists/{staff.slug}/list.csv?active=all", *dict.fromkeys(TABLE_FILE.findall(page))]
    assert len(paths) > 1, f"{address}{event} has no results"
    for path in paths:
        yield from csv.DictReader(expect(browser.get(path), 200).text.splitlines())


def follow(browser: Browser, path: str) -> str:
    """Return the page of an address, which may be a redirect to it."""
    answer = browser.get(path)
    return (expect(browser.get(answer.location), 200) if answer.location else expect(answer, 200)).text

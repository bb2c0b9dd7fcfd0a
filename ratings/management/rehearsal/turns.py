"""Turns of staff between two releases: each step of an event is taken on the other one than the step before."""

from __future__ import annotations

import csv
import datetime as dt
import re
import time
from collections.abc import Iterator, Sequence
from itertools import cycle

import psycopg

from ratings.management.bench.browser import Browser
from ratings.management.bench.staff import SEATS, Staff, expect

RATED_SECONDS = 120
OUT_OF_DATE = "SELECT 1 FROM ratings_ratinglist WHERE out_of_date_from IS NOT NULL LIMIT 1"
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


def wait_until_rated(database: str) -> None:
    """Wait until no list is out of date; raise TimeoutError after two minutes."""
    end = time.monotonic() + RATED_SECONDS
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute(OUT_OF_DATE).fetchone():
            if time.monotonic() > end:
                raise TimeoutError("a list is still out of date after two minutes")
            time.sleep(0.2)


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

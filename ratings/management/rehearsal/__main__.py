"""Rehearse an upgrade: python -m ratings.management.rehearsal --old REF --database URL --redis URL.

The old release makes its database and the demo federation there. The present code migrates it while the old one serves
visitors and staff. Then both serve side by side, first with the worker of the old release, then with the present one.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import redis

from ratings.management.bench.browser import Browser
from ratings.management.bench.crawl import find_pages
from ratings.management.bench.processes import make_environment
from ratings.management.bench.staff import Staff, sign_in, sign_in_staff
from ratings.management.bench.traffic import Traffic

from .checkout import ROOT, Checkout, check_commit, check_out
from .digests import compare_digests, find_differences, verify
from .turns import take_turns

RATE, VISITORS, PAGES_READ = 5, 2, 400


def main() -> None:
    """Rehearse the upgrade that the arguments name, and print what was done."""
    parser = argparse.ArgumentParser(prog="rehearsal", description=__doc__)
    parser.add_argument("--old", required=True, metavar="REF", help="commit of the old release")
    parser.add_argument("--database", required=True, metavar="URL", help="an empty PostgreSQL database")
    parser.add_argument("--redis", required=True, metavar="URL", help="a Redis that nothing else uses")
    parser.add_argument("--old-python", default=sys.executable, help="Python with the packages of the old release")
    options = parser.parse_args()
    check_commit(options.old)
    check_services(options.database, options.redis)
    environment = make_environment(DATABASE_URL=options.database, REDIS_URL=options.redis, SWEEP_SECONDS="5")
    with (
        tempfile.TemporaryDirectory(prefix="rehearsal-") as folder,
        check_out(options.old, Path(folder, "old")) as place,
    ):
        old = Checkout("old", place, environment, Path(folder), options.old_python)
        new = Checkout("new", ROOT, environment, Path(folder))
        if (place / "requirements.txt").read_text() != (ROOT / "requirements.txt").read_text():
            say("The releases need different packages: --old-python names the Python of the old one.")
        try:
            rehearse(old, new)
        finally:
            say_logs(Path(folder))


def say_logs(folder: Path) -> None:
    """Print the ends of the logs of all processes."""
    for log in sorted(folder.glob("*.log")):
        if text := log.read_text().strip():
            say(f"\n{log.name}:\n{text[-4000:]}")


def rehearse(old: Checkout, new: Checkout) -> None:
    """Upgrade from one release to another with both serving, and go back; raise AssertionError if anything fails."""
    for release in (old, new):
        release.prepare()
    old.manage("migrate", "--verbosity", "0")
    old.manage("demo", DEBUG="1")
    say("the old release has made its database and the demo federation")
    with ExitStack() as upgraded:
        with old.web() as old_web:
            pages = find_pages(Browser(old_web), PAGES_READ)
            staff, admin = sign_in_staff(old_web), sign_in(old_web, "admin")
            with old.worker():
                with traffic(pages, [old_web], staff, "while the database was migrated"):
                    time.sleep(10)
                    start = time.monotonic()
                    new.manage("migrate", "--verbosity", "0")
                    say(f"migrated by the present code in {time.monotonic() - start:.1f} s")
                    time.sleep(10)
                for release in (old, new):
                    say(f"the migrated database, verified by the {release.name} code:")
                    find_differences(release, old_web, say)
                new_web = upgraded.enter_context(new.web())
                both = [old_web, new_web]
                pages |= find_pages(Browser(new_web), PAGES_READ)
                with traffic(pages, both, [], "with the old worker"):
                    alternate(staff, both, "Old Worker", new.database)
            upgraded.enter_context(new.worker())
            with traffic(pages, both, [], "with the present worker"):
                alternate(staff, both, "New Worker", new.database)
        alternate(staff, [new_web], "New Alone", new.database)
        say("verified by the new code at the end:")
        verify(new, new_web, admin, say)
    with old.worker(), old.web() as old_web:
        alternate(staff, [old_web], "Old Again", old.database)
        say("digests by the old code, after going back to it:")
        compare_digests(old, old_web, admin, say)


def alternate(staff: Sequence[Staff], addresses: Sequence[str], name: str, database: str) -> None:
    """Have the staff of each list take its steps on the servers in turn, beginning with each of them."""
    today = dt.datetime.now(dt.UTC).date()
    for number in range(len(addresses)):
        for one in staff:
            day = today - dt.timedelta(days=one.random.randrange(1, 60))
            order = [*addresses[number:], *addresses[:number]]
            take_turns(one, order, f"{name} {one.name} {number + 1}", day, database)
    done = len(addresses) * len(staff)
    say(f"{name}: {done} events entered, accepted and corrected by turns on {len(addresses)} servers")


@contextmanager
def traffic(pages: dict[str, list[str]], addresses: Sequence[str], staff: Sequence[Staff], when: str) -> Iterator[None]:
    """Have visitors read pages on each server, and staff work on the first one; raise AssertionError for any 5xx."""
    several = [Traffic(address, pages, RATE, VISITORS) for address in addresses]
    with ExitStack() as stack:
        for one in several:
            stack.enter_context(one.running(staff if one is several[0] else [], 1))
        yield
    for one in several:
        counted = ", ".join(f"{number} × {status}" for status, number in sorted(one.statuses.items()))
        say(f"{when}: {one.address} answered {counted}, slowest {one.slowest:.1f} s; events: {dict(one.done)}")
        assert not one.errors, f"{when}: {len(one.errors)} errors, first: {one.errors[:5]}"


def check_services(database_url: str, redis_url: str) -> None:
    """Raise SystemExit unless both services answer and the database is empty."""
    try:
        with psycopg.connect(database_url) as connection:
            found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone()
        redis.Redis.from_url(redis_url).ping()
    except (psycopg.Error, redis.RedisError) as error:
        raise SystemExit(f"The database or Redis does not answer: {error}") from None
    if found:
        raise SystemExit(f"The database has a table {found[0]}: use an empty database.")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Digests of all lists, computed from nothing by one of the releases."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ratings.management.bench.browser import Browser
from ratings.management.bench.staff import expect

from .checkout import Checkout
from .turns import wait_until_rated

SELECTED = re.compile(r'name="_selected_action" value="(\d+)"')
SCREEN = "/admin/ratings/ratinglist/"


def find_differences(release: Checkout, address: str, say: Callable[[str], None]) -> list[str]:
    """Verify each list of a server by the code of a release; say what it prints, and return the lists that differ."""
    wait_until_rated(release.database)
    differing = []
    for slug in list_slugs(address):
        try:
            exact, digest = release.manage("verify", "--list", slug).strip().splitlines()[-2:]
        except RuntimeError as error:
            differing.append(slug)
            say(f"  {slug}: DIFFERS {str(error).partition('failed:')[2].strip()}")
        else:
            say(f"  {exact}, {digest[:16]}…")
    return differing


def verify(release: Checkout, address: str, admin: Browser, say: Callable[[str], None]) -> None:
    """Verify each list, rate all of them again if one differs, and raise AssertionError if one differs then."""
    if find_differences(release, address, say):
        say("  rated again from the beginning, as docs/operations.md says:")
        rate_again(admin, address, release.database)
        differing = find_differences(release, address, say)
        assert not differing, f"{release.name}: {differing} differ from what is computed from nothing"


def compare_digests(release: Checkout, address: str, browser: Browser, say: Callable[[str], None]) -> None:
    """Raise AssertionError unless a server shows the digest of each list that a release computes from its export."""
    wait_until_rated(release.database)
    browser.address = address
    for slug in list_slugs(address):
        history = release.logs / f"{slug}.json"
        history.write_text(release.manage("export_history", "--list", slug))
        computed = release.manage("rate", str(history), "--digest").strip().splitlines()[-1]
        shown = expect(browser.get(f"/lists/{slug}/digest.txt"), 200).text
        assert computed in shown, f"{slug}: {computed} computed from nothing by {release.name}, {shown} stored"
        say(f"  {slug}: {computed[:16]}… computed from nothing and stored")


def list_slugs(address: str) -> list[str]:
    """Return the short names of the public lists of a server."""
    return [one["slug"] for one in json.loads(expect(Browser(address).get("/api/v1/lists"), 200).text)]


def rate_again(admin: Browser, address: str, database: str) -> None:
    """Have all lists of a server rated again from the beginning, by the action of the admin."""
    admin.address = address
    lists = SELECTED.findall(expect(admin.get(SCREEN), 200).text)
    assert lists, f"{address}{SCREEN} shows no lists"
    expect(admin.post(SCREEN, {"action": "rate_again", "_selected_action": lists}), 302)
    wait_until_rated(database)

"""Addresses of all kinds of public pages of a running site, found by following links. It needs no Django."""

from __future__ import annotations

import re
from collections import defaultdict, deque

from .browser import Browser

SKIPPED = ("/accounts/", "/admin/", "/hall/", "/me/", "/organise/", "/static/", "/theme/", "/language/")
"""Addresses that are not for visitors, or are no pages."""
NAMED = re.compile(
    r"/(lists|players|events|clubs|federations|tables|versus|statistics|leaves|help|countries|proof)/[^/?.]+"
)
VARIABLE = re.compile(r"/(?:\d[\w-]*|[A-Z0-9]{7}[\w-]*)(?=[/.?]|$)")
CERTIFICATE = re.compile(r"^/certificates/.*?(\.pdf|/)$")
NUMBERED = re.compile(r"-\d+-")
API = "/api/v1/"
STARTS = ("/", "/card.png", "/robots.txt", "/sitemap.xml", *(f"{API}{name}" for name in ("lists", "players", "events")))
OF_LISTS = ("standings", "changes", "promotions", "corrections")
"""Addresses of the API below a list."""
SLUG = re.compile(r'"slug": "([\w-]+)"')
EACH = 8
"""Number of addresses of each kind."""


def find_kind(path: str) -> str:
    """Return an address without the names of objects and the values of its query, which is one for a kind of page."""
    place, _mark, query = path.partition("?")
    place = CERTIFICATE.sub(r"/certificates/*\1", VARIABLE.sub("/*", NAMED.sub(r"/\1/*", place)))
    names = sorted({NUMBERED.sub("-*-", part.partition("=")[0]) for part in query.split("&") if part})
    return f"{place}?{'&'.join(names)}" if names else place


def find_pages(browser: Browser, most: int = 400) -> dict[str, list[str]]:
    """Return addresses by kind, after `most` pages were read; pages of new kinds are read first.

    Raise AssertionError if a page is answered with an error of the server.
    """
    pages: defaultdict[str, list[str]] = defaultdict(list)
    slugs = SLUG.findall(browser.get(f"{API}lists").text)
    first = deque([*STARTS, *(f"{API}lists/{slug}/{what}" for slug in slugs for what in OF_LISTS)])
    others, seen = deque[str](), set(first)
    while (first or others) and most:
        path = (first or others).popleft()
        answer, most = browser.get(path), most - 1
        if answer.is_failure:
            raise AssertionError(f"{path} was answered {answer.status}: {answer.text[:200]}")
        if answer.status != 200:
            continue
        pages[find_kind(path)].append(path)
        for link in answer.find_links():
            if link in seen or link.startswith(SKIPPED):
                continue
            seen.add(link)
            kind = find_kind(link)
            if kind not in pages:
                pages[kind] = []
                first.append(link)
            elif len(pages[kind]) < EACH:
                others.append(link)
    return {kind: paths[:EACH] for kind, paths in pages.items() if paths}

"""Pages stored by the page cache, and the lock by which a page is made once at a time."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from portal.templatetags.portal_site import THEME, THEMES
from ratings.queries.site.page_generation import GENERATION, get_page_generation

COPY_SECONDS = 60 * 60
SLOTS = 10_000
"""Number of cache keys; the pages of two addresses in one slot replace each other, so invented addresses cannot fill
the cache."""
LOCK_SECONDS = 1.0
"""Most seconds that a request waits for another one that makes the same page; longer than most pages take."""
POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Head:
    """Data of a cached response besides its content, stored as JSON.

    `made_at` and `unchanged_since` are Unix times. `policy` holds the attributes of the content security policy, which
    a middleware before this one turns into a header.
    """

    address: str
    generation: str
    made_at: float
    unchanged_since: float
    digest: str
    status: int
    headers: list[tuple[str, str]]
    policy: dict[str, Any]


@dataclass(frozen=True)
class Page:
    """A cached response."""

    head: Head
    content: bytes

    def pack(self) -> bytes:
        """Return the page as bytes: a line of JSON, then the content."""
        return json.dumps(asdict(self.head)).encode() + b"\n" + self.content

    @classmethod
    def unpack(cls, packed: bytes) -> Page:
        head, _line, content = packed.partition(b"\n")
        return cls(Head(**json.loads(head)), content)

    @property
    def age(self) -> float:
        """Seconds since the page was made; the clocks of two machines may differ, so it can be negative."""
        return time.time() - self.head.made_at

    def respond(self) -> HttpResponse:
        response = HttpResponse(self.content, status=self.head.status, headers=dict(self.head.headers))
        vars(response).update(self.head.policy)
        return response


@dataclass
class LookUp:
    """The slot of a request, with the cached page of its address (of any age) and the current generation.

    `token` is set while the request holds the lock by which the page is made once.
    """

    started: float
    address: str
    slot: str
    generation: str
    page: Page | None
    token: bytes = b""

    @property
    def lock(self) -> str:
        """Cache key that is set while a request makes the page, in the current generation."""
        return f"making:{self.address}:{self.generation.split()[-1]}"

    def has_fresh_page(self, seconds: float) -> bool:
        return self.page is not None and abs(self.page.age) < seconds


def look_up(request: HttpRequest) -> LookUp:
    """Return the slot of a request's address, and the page in it that may be displayed."""
    started, address = time.time(), address_key(request)
    slot = f"page:{int(address, 16) % SLOTS}"
    stored = cache.get_many([GENERATION, slot])
    generation = stored.get(GENERATION) or get_page_generation()
    page = Page.unpack(stored[slot]) if slot in stored else None
    if page and (page.head.address, page.head.generation) != (address, generation):
        page = None
    return LookUp(started, address, slot, generation, page)


def address_key(request: HttpRequest) -> str:
    """Return a digest of all that an anonymous response depends on: release, language, theme and address."""
    theme = request.COOKIES.get(THEME)
    address = request.scheme, request.get_host(), request.get_full_path()  # build_absolute_uri() would resolve “..”
    parts = settings.RELEASE, get_language(), theme if theme in THEMES else "", *address
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def acquire_lock(found: LookUp) -> bool:
    """Return True if this request is the only one that makes the page; it must release the lock.

    The value is bytes, which are only stored where all processes see them: without Redis nobody gets the lock.
    """
    token = secrets.token_bytes(8)
    if cache.add(found.lock, token, LOCK_SECONDS):
        found.token = token
    return bool(found.token)


def release_lock(found: LookUp) -> None:
    """Release the lock that a request holds; after LOCK_SECONDS it may belong to another one, and stays."""
    if found.token and cache.get(found.lock) == found.token:
        cache.delete(found.lock)


def wait_for_page(request: HttpRequest, found: LookUp, seconds: float) -> LookUp:
    """Wait while another request makes the page, and return the slot as it is then.

    The page is older than `seconds` or missing if it was not stored, takes longer than LOCK_SECONDS, or Redis is away.
    """
    until = time.monotonic() + LOCK_SECONDS
    while True:
        is_locked = found.lock in cache  # read first: pages are stored before their lock is released
        found = look_up(request)
        if found.has_fresh_page(seconds) or not is_locked or time.monotonic() > until:
            return found
        time.sleep(POLL_SECONDS)

import os
import shutil
import time

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from playwright.sync_api import expect, sync_playwright

from ratings.domain.runs.rerating import rerate
from ratings.domain.site.roles import ensure_roles
from ratings.management.commands import demo
from ratings.models import EventEntry, PairingPage, Player, RatingList, Report
from ratings.queries.lists.lists import published_standings
from tests.factories import give_rating, make_list, make_player, make_table
from tests.pages import addresses
from tests.shared import reused

# Playwright's synchronous interface runs an event loop in this thread; the tests' own queries are synchronous
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
expect.set_options(timeout=15_000)  # machines that test are busy

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--no-first-run"]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def answered(transactional_db, live_server):
    """Tables are emptied when the server has answered what a page still asked for, as suggestions."""
    yield
    if connection.vendor == "postgresql":
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        idle = 0  # times in a row: between two queries of a request, its connection is idle too
        for _ in range(100):
            with connection.cursor() as cursor:
                cursor.execute(f"{others} AND state <> 'idle'")
                idle = idle + 1 if cursor.fetchone() == (0,) else 0
            if idle == 3:
                return
            time.sleep(0.05)


@pytest.fixture
def page(browser, live_server, transactional_db):
    """A page at the portal; anything it reports to the console, or asks of another host, fails the test."""
    ensure_roles()  # emptied with the tables of the test before
    context = browser.new_context(base_url=live_server.url, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints = []
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("response", lambda answer: answer.status >= 400 and complaints.append(f"{answer.status} {answer.url}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(("http:", "https:")) and not asked.url.startswith(live_server.url)
            and complaints.append(asked.url))  # fmt: skip
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def fesa(transactional_db):
    """A list with three players, one of whom won one event and drew in the next."""
    fesa = make_list("fesa", name="FESA list")
    players = [make_player("Adler", "Zoë", country="AT"), make_player("Bauer", "Max", country="DE"),
               make_player("Čapek", "Jan", country="CZ")]  # fmt: skip
    for player, rating in zip(players, (1900, 1900, 1700), strict=True):
        give_rating(fesa, player, rating, "2023-01-01")
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2026-03-01", event_name="Spring Cup")
    make_table(fesa, [players[2], players[0]], [(1, 1, 2, 0.5)], "2026-04-01", event_name="April Cup")
    rerate(fesa.pk)
    return fesa


@pytest.fixture
@reused
def demo_site(page, live_server, settings):
    """The addresses of the demo federation, smaller than it is."""
    settings.DEBUG = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "SIZE", 0.15)
        call_command("demo")
    settings.DEBUG = False
    shogi = RatingList.objects.filter(comparison_to=None).order_by("pk").first()
    strongest = [standing.player for standing in published_standings(shogi, None)[:2]]
    make_table(
        shogi, strongest, [(round_, 2, 1, 1.0) for round_ in range(1, 8)], "2024-02-03", event_name="Sent in late"
    )
    rerate(shogi.pk)
    Report.objects.create(player=Player.objects.first(), text="A result is wrong.")
    entered = EventEntry.objects.filter(event__state="draft", event__announced_at__isnull=False).order_by("pk")[0]
    rows = [["1", "Adler Ina", "Maes Jo"]]
    PairingPage.objects.create(event=entered.event, kind="pairings", round=1, tables=[rows], received_at=timezone.now())
    found = addresses("page", "form", "frame")
    return found | {"api": "/api/", "log in": "/accounts/login/", "sign up": "/accounts/signup/"}

"""The pages of officers and organisers at 390 pixels: nothing scrolls sideways, names are in view, the button is reached."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse

from ratings.domain.results.batches import create_batch
from ratings.domain.site.acting import act_as
from ratings.models import BatchFile, Claim, Player, Proposal, RatingList
from tests.browser.test_quality import SIDEWAYS
from tests.factories import make_player, make_table, make_user
from tests.formats.test_archives import make_history
from tests.portal.results.way import make_waiting_event

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("demo")]  # one process builds the demo

WIDTH = 390
ROLES = ("organiser", "officer", "approver", "administrator")
LONG = "Wolfeschlegelsteinhausen-Bergerdorff"
EVENT = "The forty-seventh open championship of Saint-Julien-de-Crempse and its surroundings"
NAMES = """() => [...document.querySelectorAll('main tbody tr > :first-child, main .rows > li > :first-child')]
  .filter((element) => element.checkVisibility() && element.textContent.trim())
  .map((element) => [element.textContent.trim().slice(0, 50), element.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.right > innerWidth + 0.5)
  .map(([text]) => text)"""
"""The first cells of tables and lists that are not wholly in view."""
BUTTONS = """() => [...document.querySelectorAll('main :is(button, a.button):not(.outline, .quiet, [aria-disabled=true], [aria-hidden=true])')]
  .filter((button) => button.checkVisibility() && !button.disabled)
  .map((button) => {
    button.scrollIntoView({ block: "center" });
    const box = button.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [button.textContent.trim(), box.height >= 24 && box.left >= 0 && box.right <= innerWidth
      && (top === button || button.contains(top))];
  })"""
"""The filled buttons, and whether each can be tapped where it is."""


@pytest.fixture
def addresses(demo_site):
    """The addresses of the pages by name, with long names on them."""
    shogi = RatingList.objects.filter(comparison_to=None).order_by("pk").first()
    player, other = Player.objects.filter(merged_into=None).order_by("pk")[:2]
    long_name = make_player(LONG, "Maximiliane")
    table = make_table(shogi, [long_name, player], [(1, 1, 2, 1.0)], "2024-02-04", event_name=EVENT)
    for number in range(1, 31):
        make_waiting_event(f"{EVENT}, part {number}", shogi, warnings=["Looks odd"] if number % 3 == 0 else ())
    officer = User.objects.get(username="officer")
    Claim.objects.create(player=long_name, user=make_user("claimant"), note=f"I am {LONG}.")
    decision = {"date": "2024-05-04", "grade": "1 Dan", "ruling": "given", "reason": "diploma"}
    Proposal.objects.create(list=shogi, player=long_name, kind="decision", what="add", content=decision, by=officer)
    with act_as(officer):
        batch = create_batch([(f"{EVENT}.json", make_long_history())])
    records = batch.files.get(state=BatchFile.State.FAILED)
    return {
        "batch": batch.get_absolute_url(),
        "withdraw all": reverse("withdraw_batch", args=[batch.pk]),
        "records": reverse("uploaded_records", args=[shogi.slug, records.pk]),
        "history": reverse("event_history", args=[table.event.public_id]),
        "void": reverse("void_event", args=[table.event.public_id]),
        "desk": reverse("desk"),
        "all events": reverse("all_events"),
        "approvals": reverse("approvals"),
        "announcements": reverse("announcements"),
        "proposals": reverse("proposals"),
        "claims": reverse("claims"),
        "duplicates": reverse("duplicates"),
        "merge": reverse("merge_players"),
        "merge preview": reverse(
            "merge_players", query={"gone": long_name.public_id, "kept": other.public_id, "ratings": "1"}
        ),
        "people": reverse("workers"),
        "help": reverse("help"),
        **{f"help of the {role}": reverse("help_role", args=[role]) for role in ROLES},
    }


def make_long_history():
    """Return a history of two tables with a starting rating, of a player with a long name."""
    document = json.loads(make_history("2022-01-01", "2022-02-01"))
    document["players"][0] |= {
        "name": f"{LONG}, Maximiliane",
        "opening": {"rating": 1500, "games": 40, "bonus_games": 40},
    }
    for table in document["tables"]:
        table["event"] = f"{EVENT}, {table['id']}"
    return json.dumps(document).encode()


def check(page):
    """Return what is wrong with the page that is shown."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    found = [("wide", wide)] if wide > WIDTH else []
    found += [("name", text) for text in page.evaluate(NAMES)]
    violations = Axe().run(page).response["violations"]
    found += [(one["id"], one["nodes"][0]["html"][:150]) for one in violations]
    return found + [("button", text) for text, is_reached in page.evaluate(BUTTONS) if not is_reached]


def test_pages_of_the_desk_fit_a_phone(page, addresses):
    page.set_viewport_size({"width": WIDTH, "height": 800})
    sign_in(page, "officer")
    wrong = []
    for name, address in addresses.items():
        answer = page.goto(address)
        if (answer.status, page.url.endswith(address)) != (200, True):
            wrong.append((name, answer.status, page.url))
        wrong += [(name, *found) for found in check(page)]
        if name == "people":
            wrong += [(name, "scrolls sideways", box) for box in page.evaluate(SIDEWAYS)]
    assert wrong == []


def test_question_before_accepting_several_fits_a_phone(page, addresses):
    page.set_viewport_size({"width": WIDTH, "height": 800})
    sign_in(page, "officer")
    page.goto(addresses["desk"])
    page.locator("input[name=event]").first.check()
    page.get_by_role("button", name=re.compile("^Accept .* selected")).first.click()
    page.get_by_role("heading", name=re.compile("^Accept .* event")).wait_for()
    assert check(page) == []


def sign_in(page, name):
    """Sign in to the demo."""
    page.set_default_timeout(60_000)
    page.goto("/accounts/login/")
    page.locator("#id_login").fill(name)
    page.locator("#id_password").fill("demo")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda address: "/accounts/login/" not in address)

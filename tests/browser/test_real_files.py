"""The federation's files through the browser: they give the digest that the command line gives."""

import hashlib
import re

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import transaction
from django.db.models.signals import pre_save
from playwright.sync_api import expect

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.runs.verifying import stored_digest
from ratings.models import Event, Player
from ratings.models.players.people import ID_LETTERS
from tests.browser.person import Person
from tests.factories import make_list, make_user, rate_every_list
from tests.real_files import SHARED, announce_players, list_files, needs_real_files

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("several_steps"), needs_real_files]
SLOW = 120_000
"""Milliseconds for a step that previews or accepts years of results on a busy machine, without a worker."""


def give_id_of_name(sender, instance, **signal):
    """Make a new player's public id from their name: the digest contains the ids, which are random otherwise."""
    if instance.pk is None:
        number = int(hashlib.sha256(f"{instance.family_name} {instance.given_name}".encode()).hexdigest(), 16)
        instance.public_id = "".join(ID_LETTERS[number // 28**place % 28] for place in range(9))


@pytest.fixture
def ids_of_names():
    pre_save.connect(give_id_of_name, sender=Player)
    yield
    pre_save.disconnect(give_id_of_name, sender=Player)


def import_on_the_command_line(rating_list, paths, new_players):
    """Import the files, return the digest of the list, and undo everything."""
    with transaction.atomic():
        make_user("administrator", is_superuser=True)
        options = {"new_players": new_players} if new_players else {}
        call_command("import_results", *paths, list=rating_list.slug, save=True, as_user="administrator", **options)
        rate_every_list()
        digest = stored_digest(rating_list)
        transaction.set_rollback(True)
    return digest


def submit_files(page, name, files):
    """Sign in, drop the files on the page, answer what is asked about them, and submit all their events."""
    organiser = Person(page)
    organiser.sign_in(name)
    page.goto("/organise/files/")
    organiser.drop(files)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Events from", timeout=SLOW)
    if page.locator("#reason").count():
        for tick in page.locator("input[name=question]").all():
            tick.check()
        organiser.fill("It is right, because", "It was so.")
        organiser.click(page.get_by_role("button", name="Answer the chosen question"))
        expect(page.locator("main > .message").first).to_contain_text("answered", timeout=SLOW)
    organiser.click(page.get_by_role("button", name="Submit the chosen event"))
    expect(page.locator("main > .message").first).to_contain_text("Submitted:", timeout=SLOW)
    page.context.clear_cookies()


def accept_all(page, name):
    """Sign in, choose all events that wait, and accept them."""
    officer = Person(page)
    officer.sign_in(name)
    page.goto("/organise/desk/")
    for tick in page.locator("input[name=event]").all():
        tick.check()
    officer.click(page.get_by_role("button", name=re.compile("^Accept .* selected")).first)
    officer.click(page.locator("main button[name=confirmed]"))
    expect(page.locator("main > .message").first).to_contain_text("Accepted:", timeout=SLOW)


@pytest.mark.parametrize(
    ("system", "pattern"), [("club", "club-2016/*.txt"), ("fesa", "published-*.txt"), ("fesa", "grid-*.txt")]
)
def test_dropped_files_give_the_digest_of_the_command_line(page, tmp_path, ids_of_names, system, pattern):
    page.set_default_timeout(SLOW)
    paths, new_players = list_files(pattern), None
    if system == "club":
        new_players = SHARED / "real" / "club-2016" / "new-players.csv"
    elif pattern.startswith("grid"):
        new_players = tmp_path / "new-players.csv"
        new_players.write_text(announce_players(paths))
    rating_list = make_list(system)
    expected = import_on_the_command_line(rating_list, paths, new_players)
    for name, group in (("organiser", ORGANISERS), ("officer", OFFICERS)):
        make_user(name).groups.add(Group.objects.get(name=group))
    make_user("administrator", is_superuser=True)  # the club's players start with grades that need approval
    who = ("administrator", "administrator") if system == "club" else ("organiser", "officer")
    submit_files(page, who[0], {path.name: path.read_bytes() for path in filter(None, [*paths, new_players])})
    assert not Event.objects.filter(state=Event.State.ACCEPTED).exists()
    accept_all(page, who[1])
    rate_every_list()
    assert rating_list.changes.count() > 50
    assert stored_digest(rating_list) == expected

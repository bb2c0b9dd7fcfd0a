"""Names of a batch of files on one page: one answer for all files, in bulk or one by one, with undo."""

import re

import pytest
from django.db import connection
from django.test import Client

from ratings.access import ORGANISERS
from ratings.domain.results.people import Group
from ratings.formats.sheet_content import content_from_json
from ratings.models import Submission
from tests.factories import make_list, make_player, rate_every_list
from tests.shared import reused

from .test_batches import SPRING, drop, get_batch
from .way import CLEAN, make_players, person

pytestmark = pytest.mark.django_db
SWAPPED = "[Zoë][Adler]"


def with_names(grid, first, third="[Neu][Ina]"):
    return grid.replace("[Adler][Zoë]", first).replace("[Capek][Jan]", third)


@pytest.fixture
@reused
def dropped(db):
    """Three files: Zoë Adler (names swapped) is in two of them, the unknown Ina Neu in all."""
    make_players(make_list())
    rate_every_list()
    browser = Client()
    browser.force_login(person("organiser", ORGANISERS))
    winter = with_names(CLEAN.replace("Autumn", "Winter").replace("2024-05-04", "2024-01-02"), "[Adler][Zoë]")
    drop(browser, {"a.txt": with_names(CLEAN, SWAPPED), "b.txt": with_names(SPRING, SWAPPED), "c.txt": winter})
    return get_batch()


@pytest.fixture
def batch(client, dropped):
    client.force_login(dropped.made_by)
    return dropped


def page_of(batch, more=""):
    return f"/organise/files/{batch.pk}/people/{more}"


def lines(response):
    """Return the lines of the page by the written name."""
    context = response.context
    return {line.named.row.name: line for line in [*context["likely"], *context["not_found"], *context["known"]]}


def press(client, batch, button, follow=True, **more):
    return client.post(page_of(batch), {button: "1", **more}, follow=follow)


def choices():
    """Return (name, player, new) of all rows that were chosen, by event."""
    drafts = Submission.objects.order_by("event__name")
    return [
        [(row.name, row.player, row.new) for row in content_from_json(draft.content).rows if row.player or row.new]
        for draft in drafts
    ]


def test_name_of_several_files_is_on_the_page_once(client, batch):
    response = client.get(page_of(batch))
    found = lines(response)
    assert {name: (line.named.group, line.where) for name, line in found.items()} == {
        "Zoë Adler": (Group.LIKELY, "2 events, first Spring Cup"),
        "Neu Ina": (Group.NOT_FOUND, "3 events, first Winter Cup"),
    }
    assert (response.context["total"], response.context["groups"]) == (4, {"known": 2, "likely": 1, "not_found": 1})
    assert (response.context["acceptable"], response.context["startable"]) == (1, 1)
    assert f'href="{page_of(batch)}"' in client.get(batch.get_absolute_url()).text


def test_bulk_buttons_decide_the_names_of_all_files_and_undo_opens_them(client, batch):
    page = press(client, batch, "accept")
    assert "1 likely player was accepted." in page.text
    assert choices() == [[("Zoë Adler", "A2", False)], [("Zoë Adler", "A2", False)], []]
    page = press(client, batch, "new")
    assert "1 unknown name is new." in page.text
    assert choices()[2] == [("Neu Ina", "", True)]
    assert client.get(batch.get_absolute_url()).context["totals"]["open"] == 0
    page = press(client, batch, "undo")
    assert "1 name is open again." in page.text
    assert choices() == [[("Zoë Adler", "A2", False)], [("Zoë Adler", "A2", False)], []]


def test_undo_leaves_earlier_steps_in_other_files(client, batch):
    """The step before the last changed two files, the last one all three."""
    press(client, batch, "accept")
    press(client, batch, "new")
    press(client, batch, "undo")
    press(client, batch, "undo")
    assert choices() == [[("Zoë Adler", "A2", False)], [("Zoë Adler", "A2", False)], []]


def test_each_name_can_be_chosen_and_changed_for_all_files(client, batch):
    other = make_player("Neumann", "Ina")
    found = lines(client.get(page_of(batch)))
    neu, zoe = found["Neu Ina"].named.number, found["Zoë Adler"].named.number
    page = client.post(
        page_of(batch),
        {
            f"row-{neu}-choice": "other", f"row-{neu}-other": other.public_id, f"row-{neu}-was": "",
            f"row-{zoe}-choice": "new", f"row-{zoe}-was": "", "row-1-choice": "new", "row-x-choice": "new",
        },
        follow=True,
    )  # fmt: skip
    assert "2 names are decided." in page.text
    assert choices()[0] == [("Zoë Adler", "", True), ("Neu Ina", other.public_id, False)]
    line = lines(page)["Neu Ina"]
    assert (line.was, line.named.choice, line.named.player) == (other.public_id, "same", other)
    press(client, batch, "save", **{f"row-{neu}-choice": "new", f"row-{neu}-was": other.public_id})
    assert [rows[-1] for rows in choices()] == [("Neu Ina", "", True)] * 3


def test_choice_that_was_not_changed_on_the_page_keeps_what_was_saved_meanwhile(client, batch):
    found = lines(client.get(page_of(batch)))
    neu = found["Neu Ina"].named.number
    press(client, batch, "new")
    outdated = {f"row-{neu}-choice": "A2", f"row-{neu}-was": "A2"}
    press(client, batch, "save", **outdated)
    assert [rows[-1] for rows in choices()] == [("Neu Ina", "", True)] * 3


def test_name_that_is_chosen_in_one_file_only_is_open(client, batch):
    draft = Submission.objects.get(event__name="Winter Cup")
    client.post(f"/organise/sheets/{draft.pk}/people/", {"row-3-choice": "new", "version": draft.version})
    line = lines(client.get(page_of(batch, "?show=open")))["Neu Ina"]
    assert (line.was, line.named.choice) == ("", "")
    press(client, batch, "new")
    assert [rows[-1] for rows in choices()] == [("Neu Ina", "", True)] * 3


def test_search_finds_other_players_and_keeps_the_choices(client, batch):
    other = make_player("Somebody", "Else")
    found = lines(client.get(page_of(batch)))
    neu, zoe = found["Neu Ina"].named.number, found["Zoë Adler"].named.number
    data = {f"row-{neu}-q": "somebody", f"row-{zoe}-choice": "A2", "find": neu}
    response = client.post(page_of(batch), data)
    line = lines(response)["Neu Ina"]
    assert ([each.player for each in line.offered], line.is_searching) == ([other], True)
    assert choices()[0] == [("Zoë Adler", "A2", False)]


def test_filters_show_open_decided_and_named_ones(client, batch):
    press(client, batch, "new")
    assert set(lines(client.get(page_of(batch, "?show=open")))) == {"Zoë Adler"}
    assert set(lines(client.get(page_of(batch, "?show=decided")))) == {"Neu Ina"}
    assert set(lines(client.get(page_of(batch, "?q=neu")))) == {"Neu Ina"}
    assert "No name matches these filters." in client.get(page_of(batch, "?q=nobody")).text


def test_submitted_files_are_left_as_they_are(client, batch):
    Submission.objects.filter(event__name="Winter Cup").update(state="submitted")
    press(client, batch, "new")
    assert [len(rows) for rows in choices()] == [1, 1, 0]
    Submission.objects.update(state="submitted")
    response = client.get(page_of(batch))
    assert "There are no names to check" in response.text
    assert ("All names of these files are known" in response.text, 'name="save"' in response.text) == (False, False)
    assert re.sub(r"\s+", " ", response.text).count("0 names in 0 drafts.") == 1


def test_page_needs_a_batch_of_ones_own(client, batch):
    assert client.get("/organise/files/999/people/").status_code == 404
    assert client.put(page_of(batch)).status_code == 405
    assert Client().get(page_of(batch)).status_code == 302
    stranger = Client()
    stranger.force_login(person("stranger", ORGANISERS))
    assert stranger.get(page_of(batch)).status_code == 404
    assert stranger.post(page_of(batch), {"new": "1"}).status_code == 404
    stranger.force_login(person("reader", ""))
    assert stranger.get(page_of(batch)).status_code == 403


@pytest.mark.parametrize("files", [1, 3])
def test_page_needs_the_same_queries_for_any_number_of_files(
    client, players, organiser, files, django_assert_num_queries
):
    grids = [CLEAN.replace("Autumn", f"A{n}").replace("2024-05-04", f"2024-05-{n:02}") for n in range(1, files + 1)]
    drop(client, {f"{n}.txt": with_names(grid, SWAPPED) for n, grid in enumerate(grids)})
    batch = get_batch()
    client.get(page_of(batch))  # fills the caches of permissions and patterns
    with django_assert_num_queries(25 + int(connection.vendor == "postgresql")):
        client.get(page_of(batch))

"""The file of a rating list before its import: its columns are chosen, and people say who its names are."""

import datetime as dt
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Adjustment, Player, RecordedStep, Upload
from tests.factories import make_list, make_player
from tests.portal.lists.test_openings import GONE, logged_in
from tests.shared import reused

pytestmark = pytest.mark.django_db

ADDRESS = "/organise/lists/fesa/import/"
UNKNOWN = "Spieler;Stärke;Seit\nMuster, Anna;1860;2014\nBaumann, Luca;1700;2018\n"
CHOSEN = ["full_name", "rating", ""]
NAMES = (
    "Last name;First name;Country;Rating\nMuster;Anna;;1860\nEricson;Soeren;SE;1700\nLind;Ada;SE;1500\n"
    "Berg;Bo;NO;1400\nNeu;Eva;NO;1300\n"
)


@pytest.fixture(autouse=True)
@reused
def fesa():
    return make_list()


@pytest.fixture
def officer(client):
    return logged_in(client, OFFICERS)


@pytest.fixture
def people():
    """Known players: an equal name without more, a similar one, two namesakes, and a certain one."""
    names = [
        ("Muster", "Anna", "DE"),
        ("Ericsson", "Sören", "SE"),
        ("Lind", "Ada", "SE"),
        ("Lind", "Ada", "FI"),
        ("Berg", "Bo", "NO"),
    ]
    return [make_player(family, given, country=country) for family, given, country in names]


def check(client, text, day="2026-06-01"):
    return client.post(ADDRESS, {"file": SimpleUploadedFile("list.csv", text.encode()), "day": day})


def send(client, page, **fields):
    opening = page.context["opening"]
    day = f"{opening.day}" if opening.day else ""
    return client.post(ADDRESS, {"upload": opening.upload.pk, "day": day} | fields)


def choose(client, page, columns, **fields):
    shown = page.context["sheet"]["shown"]
    return send(client, page, column=columns, shown_columns=shown, **fields)


def read_names(page):
    """Return each question: the line, the family names of its candidates, and its answer."""
    return [
        (shown.question.line.line, [text.split()[0] for _id, text, _address in shown.candidates], shown.answer)
        for shown in page.context["questions"]
    ]


def list_rated():
    return [(row.player.name, row.set["rating"]) for row in Adjustment.objects.order_by("pk")]


def test_unknown_columns_are_chosen_above_the_first_rows(client, officer):
    page = check(client, UNKNOWN)
    assert (page.status_code, Player.objects.count()) == (422, 0)
    assert page.context["sheet"]["heads"] == [("Spieler", ""), ("Stärke", ""), ("Seit", "")]
    assert page.context["sheet"]["rows"] == [["Muster, Anna", "1860", "2014"], ["Baumann, Luca", "1700", "2018"]]
    selects = re.findall(r'<label for="column-\d">(.*?)</label>\s*<select name="column"', page.text, re.DOTALL)
    assert [text.strip() for text in selects] == ["Spieler", "Stärke", "Seit"]
    page = choose(client, page, CHOSEN, read="1")
    assert (page.status_code, page.context["opening"].problems.all) == (200, [])
    assert [meaning for _title, meaning in page.context["sheet"]["heads"]] == CHOSEN
    assert send(client, page, store="1").status_code == 302
    assert list_rated() == [("Muster Anna", 1860), ("Baumann Luca", 1700)]


def test_chosen_columns_are_used_for_the_next_file_with_the_same_titles(client, officer):
    page = choose(client, check(client, UNKNOWN), CHOSEN, read="1")
    send(client, page, store="1")
    page = check(client, UNKNOWN.replace("Muster", "Neumann").replace("Baumann", "Neu"))
    assert (page.status_code, page.context["opening"].is_ready) == (200, True)
    assert [meaning for _title, meaning in page.context["sheet"]["heads"]] == CHOSEN
    other = check(client, UNKNOWN.replace("Seit", "Bis"))
    assert (other.status_code, {meaning for _title, meaning in other.context["sheet"]["heads"]}) == (422, {""})


def test_first_line_can_be_a_player(client, officer):
    page = check(client, UNKNOWN.partition("\n")[2])
    page = choose(client, page, CHOSEN, no_titles="on")
    assert [title for title, _meaning in page.context["sheet"]["heads"]] == ["", "", ""]
    assert "Column 3" in page.text
    send(client, page, store="1")
    assert list_rated() == [("Muster Anna", 1860), ("Baumann Luca", 1700)]
    assert "titles" not in Upload.objects.get().reading


def test_columns_that_do_not_suffice_are_refused_and_stay_chosen(client, officer):
    page = choose(client, check(client, UNKNOWN), ["family", "", "family"], read="1")
    assert (page.status_code, [str(each) for each in page.context["opening"].problems.all]) == (422, [
        "line 1: error: the first line names the columns; “Rating” or “Elo” is missing",
        "line 1: error: there are two columns “Last name”; remove one",
    ])  # fmt: skip
    assert [meaning for _title, meaning in page.context["sheet"]["heads"]] == ["family", "", "family"]
    page = choose(client, page, ["family", "rating", "nonsense"], read="1")
    assert [meaning for _title, meaning in page.context["sheet"]["heads"]] == ["family", "rating", ""]


def test_names_are_asked_and_nothing_is_stored_before_all_are_answered(client, officer, people):
    muster, ericsson, *linds, berg = people
    page = check(client, NAMES)
    assert (page.status_code, page.context["open_names"], page.context["equal_names"]) == (200, 3, 1)
    assert read_names(page) == [(2, ["Muster"], ""), (3, ["Ericsson"], ""), (4, ["Lind", "Lind"], "")]
    assert [shown.question.line.line for shown in page.context["certain_names"]] == [5]
    asked = page.text[page.text.index('class="name-questions"') : page.text.index("<details")]
    assert "checked" not in asked
    page = send(client, page, **{"line-2": muster.public_id})
    assert read_names(page)[0] == (2, ["Muster"], muster.public_id)
    assert send(client, page, store="1").context["open_names"] == 2
    assert (Adjustment.objects.count(), Player.objects.count()) == (0, 5)
    page = send(client, page, **{"line-3": "new", "line-4": linds[1].public_id, "line-5": "nonsense"})
    assert (page.context["open_names"], page.context["opening"].is_ready) == (0, True)
    assert send(client, page, store="1").status_code == 302
    rated = dict(Adjustment.objects.values_list("set__rating", "player"))
    assert (rated[1860], rated[1500], rated[1400]) == (muster.pk, linds[1].pk, berg.pk)
    assert rated[1700] != ericsson.pk
    step = RecordedStep.objects.get()
    assert len(step.values["new"]) == 2


def test_equal_names_are_answered_at_once_and_answers_are_undone(client, officer, people):
    muster = people[0]
    page = send(client, check(client, NAMES), same="1")
    assert read_names(page) == [(2, ["Muster"], muster.public_id), (3, ["Ericsson"], ""), (4, ["Lind", "Lind"], "")]
    assert page.context["can_undo_answers"]
    page = send(client, page, undo="1")
    assert {answer for _line, _names, answer in read_names(page)} == {""}
    assert not page.context["can_undo_answers"]


def test_certain_name_can_be_another_person(client, officer, people):
    berg = people[-1]
    page = check(client, NAMES.partition("Muster")[0] + "Berg;Bo;NO;1400\n")
    assert page.context["opening"].is_ready
    late = send(client, page, store="1", **{"line-2": "new"})
    assert (late.context["note"], Adjustment.objects.count()) == (
        "You changed something. Look at the result, then import.", 0,
    )  # fmt: skip
    send(client, late, store="1", **{"line-2": "new"})
    assert not berg.adjustments.exists()
    assert list_rated() == [("Berg Bo", 1400)]


def test_one_player_for_two_lines_is_refused(client, officer, people):
    page = check(client, NAMES.replace("Neu;Eva", "Muster;Anna"))
    answers = {f"line-{line}": people[0].public_id for line in (2, 6)}
    page = send(client, page, **answers)
    assert "line 6: error: Muster Anna stands in line 2 too; keep one of them" in map(
        str, page.context["opening"].problems.all
    )


def test_waiting_file_is_for_officers_of_its_list_for_a_day(client, officer, people, fesa):
    page = check(client, NAMES)
    upload = page.context["opening"].upload
    for fields in ({"upload": "x"}, {"upload": 10**30}, {"day": "soon"}):
        found = send(client, page, **fields)
        assert (found.status_code, found.context["errors"]) == (422, ["Choose the file again."])
    make_list("other")
    for address, pk in (("/organise/lists/other/import/", upload.pk), (ADDRESS, upload.pk + 1)):
        found = client.post(address, {"upload": pk, "day": "2026-06-01", "line-2": "new"})
        assert (found.status_code, found.context["errors"]) == (422, [GONE])
    assert Upload.objects.get(pk=upload.pk).reading is None
    assert client.post("/organise/lists/none/import/", {"upload": upload.pk}).status_code == 404
    assert client.put(ADDRESS).status_code == 405
    Upload.objects.filter(pk=upload.pk).update(at=timezone.now() - dt.timedelta(days=2))
    check(client, NAMES)
    assert send(client, page, **{"line-2": "new"}).context["errors"] == [GONE]
    client.logout()
    assert send(client, page, **{"line-2": "new"}).status_code == 302
    logged_in(client, ORGANISERS, "organiser")
    assert send(client, page, **{"line-2": "new"}).status_code == 403

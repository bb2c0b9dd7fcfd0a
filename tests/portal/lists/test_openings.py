"""A list started from a federation's present one: checked, then stored, by officers."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.lists import list_import_files
from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.runs.outcome import UnratableError
from ratings.formats.fesa.rating_list import TITLES
from ratings.models import Adjustment, ListPlayer, Player, Standing, Upload
from tests.factories import give_rating, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

ADDRESS = "/organise/lists/fesa/import/"
TEXT = (
    f"Elo list for 2026-06-01\n\n{TITLES}\n"
    "  1 Muster            Anna             2 Dan        1860 140     DE\n"
    "  2 Novák             Petra                   3 Kyu 1400  12     CZ"
)
CSV = "Last name;First name;Rating\nMuster;Anna;1860\n"
GONE = "This file was imported already, or has expired: choose it again."


@pytest.fixture(autouse=True)
def fesa():
    return make_list()


@pytest.fixture
def officer(client):
    return logged_in(client, OFFICERS)


def logged_in(client, group, name="user"):
    user = make_user(name)
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return user


def check(client, text=TEXT, day="", name="list.txt"):
    data = text if isinstance(text, bytes) else text.encode("latin-1")
    return client.post(ADDRESS, {"file": SimpleUploadedFile(name, data), "day": day})


def store(client, upload, day="2026-06-01", address=ADDRESS, answers=()):
    return client.post(address, {"store": "1", "upload": upload, "day": day, **dict(answers)})


def counts():
    return [model.objects.count() for model in (Player, Adjustment, ListPlayer, Standing)]


def get_status_and_problems(response):
    return response.status_code, [str(problem) for problem in response.context["opening"].problems.sorted_by_position()]


def test_file_is_checked_then_stored_and_its_bytes_kept(client, officer, fesa):
    response = check(client)
    opening = response.context["opening"]
    assert (get_status_and_problems(response), counts()) == ((200, []), [0, 0, 0, 0])
    assert opening.summary == (
        "2 players given their ratings on fesa on 1 Jun 2026; 2 of them new; prior grade, country, birth year, gender or membership stored for 1"
    )
    assert [str(player) for player in opening.result.new] == ["Muster Anna", "Novák Petra"]
    response = store(client, opening.upload.pk)
    assert (response.status_code, response.url, counts()) == (302, ADDRESS, [2, 2, 1, 2])
    assert [(str(a.player), str(a.date), a.set["rating"], a.source) for a in Adjustment.objects.all()] == [
        ("Muster Anna", "2026-06-01", 1860, "list.txt"),
        ("Novák Petra", "2026-06-01", 1400, "list.txt"),
    ]
    upload = Upload.objects.get()
    assert (bytes(upload.data), upload.format, upload.list, upload.by, upload.name) == (
        TEXT.encode("latin-1"), "rating list", fesa, officer, "list.txt",
    )  # fmt: skip
    page = client.get(ADDRESS)
    ((step, line),) = page.context["imports"]
    assert (step.upload, line.title, [str(m) for m in page.context["messages"]]) == (
        upload, "Starting ratings of 2 players on 1 Jun 2026", [opening.summary],
    )  # fmt: skip
    assert client.get(f"/organise/uploads/{upload.pk}/").content == TEXT.encode("latin-1")
    response = client.post(line.undo_url, {"next": ADDRESS, "reason": "wrong year"}, follow=True)
    assert ([str(m) for m in response.context["messages"]], counts()) == (["Undone."], [0, 0, 0, 0])
    assert store(client, check(client).context["opening"].upload.pk).status_code == 302


def test_second_import_reports_known_events_and_stores_nothing(client, officer):
    store(client, check(client).context["opening"].upload.pk)
    opening = check(client).context["opening"]
    assert (opening.summary, opening.upload, Upload.objects.count()) == (
        "already there: all 2 players have these ratings on fesa on 1 Jun 2026; nothing to store", None, 1,
    )  # fmt: skip


def test_all_problems_are_reported_with_their_lines_and_nothing_is_saved(client, officer):
    before = counts()
    assert get_status_and_problems(check(client, TEXT + "\n  3 Broken", "2999-01-01")) == (422, [
        "error: the day 2999-01-01 is in the future; name the day of the list",
        "line 6: error: a player's line has rank, names, grades, rating, games, nationality; this cannot be read:"
        " “3 Broken”",
    ])  # fmt: skip
    assert (counts(), Upload.objects.count()) == (before, 0)


def test_warnings_do_not_block_the_import(client, officer, fesa):
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2026-06-01")
    response = check(client)
    assert get_status_and_problems(response) == (200, [
        "warning: tables of 2026-06-01 itself that are rated after this list: 1; if it has them already, choose the next day",
    ])  # fmt: skip
    assert store(client, response.context["opening"].upload.pk).status_code == 302


def test_day_is_that_of_the_file_unless_given(client, officer):
    assert check(client, day="2026-06-02").context["opening"].day == dt.date(2026, 6, 2)
    assert get_status_and_problems(check(client, CSV, name="l.csv")) == (422, [
        "error: the file does not contain the day of the list; enter the day",
    ])  # fmt: skip
    response = check(client, CSV, "2026-06-01", "l.csv")
    assert store(client, response.context["opening"].upload.pk).status_code == 302
    assert str(Adjustment.objects.get().date) == "2026-06-01"


@pytest.mark.parametrize(
    ("data", "day", "field", "message"),
    [
        (b"", "", "file", "The submitted file is empty."),
        (b"x" * 2_000_001, "", "file", "The file is too large: at most 2 MB."),
        (CSV.encode(), "soon", "day", "Enter a valid date."),
    ],
)
def test_invalid_file_or_day_is_reported_at_its_field(client, officer, data, day, field, message):
    response = check(client, data, day)
    assert (response.status_code, response.context["form"].errors) == (422, {field: [message]})
    assert client.post(ADDRESS).context["form"].errors == {"file": ["This field is required."]}


def test_file_of_another_kind_is_reported(client, officer):
    assert get_status_and_problems(check(client, b"\x00\x01")) == (422, [
        "error: no known rating list: expected FESA's text (“Elo list for 2026-06-01”, then a line of titles), FIDE's TXT with its line of titles"
        " or XML, the list of the European Go Database or of the French Go Federation with its day, TDList A or B of the American Go"
        " Association, or CSV or .xlsx whose first line names"
        " the columns (Last name, First name, Country, Rating, Games, Grade, Prior grade, Birth year, id)"
    ])  # fmt: skip


def test_list_that_cannot_be_rated_with_it_is_reported(client, officer, monkeypatch):
    def unratable(*args, **options):
        import_rating_list(*args, **options)
        raise UnratableError("table Cup of 2026-07-01: no")

    monkeypatch.setattr(list_import_files, "import_rating_list", unratable)
    assert get_status_and_problems(check(client)) == (
        422,
        ["error: the list could not be rated with it: table Cup of 2026-07-01: no"],
    )
    assert (counts(), Upload.objects.count()) == ([0, 0, 0, 0], 0)


def test_change_between_check_and_import_is_reported_and_nothing_stored(client, officer, fesa):
    upload = check(client).context["opening"].upload
    anna = make_player("Muster", "Anna")
    give_rating(fesa, anna, 1500, "2026-06-01")
    before = counts()
    page = store(client, upload.pk)
    assert (page.status_code, page.context["open_names"], counts()) == (200, 1, before)
    status, problems = get_status_and_problems(store(client, upload.pk, answers={"line-4": anna.public_id}))
    assert (status, [problem[:70] for problem in problems]) == (422, [
        "line 4: warning: Muster Anna is known with the nationality FR; it was ",
        "line 4: error: Muster Anna has another adjustment of 2026-06-01, {'bon",
    ])  # fmt: skip
    assert (counts(), Upload.objects.get().format) == (before, Upload.WAITING)


def test_file_is_stored_once_for_the_list_it_was_checked_for(client, officer):
    make_list("other")
    upload = check(client).context["opening"].upload.pk
    for asked in ({"address": "/organise/lists/other/import/"}, {"upload": upload + 1}):
        response = store(client, **{"upload": upload} | asked)
        assert (response.status_code, response.context["errors"]) == (422, [GONE])
    for bad in ({"upload": "x"}, {"upload": 10**30}, {"day": "soon"}):
        response = store(client, **{"upload": upload} | bad)
        assert (response.status_code, response.context["errors"]) == (422, ["Choose the file again."])
    assert counts() == [0, 0, 0, 0]
    assert store(client, upload).status_code == 302
    assert store(client, upload).context["errors"] == [GONE]
    assert counts() == [2, 2, 1, 2]


def test_results_are_no_rating_list(client, officer):
    upload = Upload.objects.create(name="grid.txt", format="grid", data=TEXT.encode("latin-1"))
    assert store(client, upload.pk).context["errors"] == [GONE]


def test_files_that_were_only_checked_go_after_a_day(client, officer):
    stored = check(client).context["opening"].upload
    store(client, stored.pk)
    old = check(client, CSV, "2026-06-02").context["opening"].upload
    Upload.objects.update(at=timezone.now() - dt.timedelta(hours=25))
    new = check(client, CSV.replace("Muster", "Neu"), "2026-06-03").context["opening"].upload
    assert list(Upload.objects.order_by("pk")) == [stored, new]
    assert store(client, old.pk).context["errors"] == [GONE]


@pytest.mark.parametrize("group", [None, ORGANISERS])
def test_starting_a_list_is_for_officers(client, officer, group):
    upload = check(client).context["opening"].upload.pk
    client.logout()
    if group:
        logged_in(client, group, "stranger")
    for response in (client.get(ADDRESS), check(client), store(client, upload)):
        assert response.status_code == (403 if group else 302)
    assert (counts(), Upload.objects.count()) == ([0, 0, 0, 0], 1)


def test_unknown_lists_and_other_methods(client, officer):
    assert client.get("/organise/lists/nope/import/").status_code == 404
    assert client.put(ADDRESS).status_code == 405


def test_queue_leads_to_the_page(client, officer):
    assert f'href="{ADDRESS}"' in client.get("/organise/queue/").content.decode()


def test_imported_players_are_on_the_list_and_the_front_page_at_once(client, officer, rate_all):
    """Organisers' finding 9: “No player fits this choice”, “Nobody has played of late”."""
    store(client, check(client).context["opening"].upload.pk)
    rate_all()
    for page in ("/", "/lists/fesa/"):
        text = client.get(page).text
        assert ("Muster" in text, "Nobody has played of late" in text, "No player fits" in text) == (True, False, False)

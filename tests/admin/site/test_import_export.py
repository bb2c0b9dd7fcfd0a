"""Files that come in and go out by the admin: for officers, shown first, all rows or none."""

import csv
import datetime as dt
import html
import io
import json
import time

import openpyxl
import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.access import OFFICERS
from ratings.domain.lists.publishing import publish
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.held_forms import delete_old_forms
from ratings.domain.site.reports import report_error
from ratings.models import (
    Adjustment,
    Club,
    DatedList,
    Decision,
    Federation,
    FederationMembership,
    HeldForm,
    ListPlayer,
    Membership,
    OutsideId,
    Player,
    RatingList,
    Report,
    Standing,
)
from tests.admin.people import OFFICER, ORGANISER, SUPERUSER, VISITOR, log_in
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db

CSV, XLSX, JSON = "0", "1", "2"
EXPORTED = [
    "player", "club", "event", "membership", "federationmembership", "listplayer", "adjustment", "decision", "standing", "award", "report",
    "datedlist",
]  # fmt: skip
COLUMNS = "public_id,family_name,given_name,native_name,country,birth_date,birth_year,birth_public,gender,gender_public,merged_into"
OUTSIDE_IDS = ("egd", "fide", "aga", "uscf", "rif", "fesa", "national")
NO_IDS = [""] * len(OUTSIDE_IDS)


@pytest.fixture
def officer(client):
    return log_in(client, OFFICER)


@pytest.fixture
@reused
def fesa(rate_all):
    """A list with a row of everything that goes out."""
    fesa, ada, ben = make_list(), make_player("Ada", public_id="ADA2345"), make_player("Ben", public_id="BEN2345")
    give_rating(fesa, ada, 1799, grade="1 Kyu")
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="Cup")
    Decision.objects.create(list=fesa, player=ben, date="2024-01-01", grade="3 Kyu", ruling="given", reason="r")
    ListPlayer.objects.create(list=fesa, player=ben, prior_grade="3 Kyu")
    Membership.objects.create(player=ada, club=Club.objects.create(name="Lyon"))
    FederationMembership.objects.create(federation=fesa.federation, player=ada, until="2023-12-31")
    report_error(Report(player=ada, text="wrong", mail="ann@example.org"))
    rate_all()
    publish(DatedList(list=fesa, day=fesa.changes.latest("day").day))
    return fesa


def exported(client, model, form=JSON, query=""):
    response = client.post(f"/admin/ratings/{model}/export/{query}", {"format": form, "resource": ""})
    assert response.status_code == 200
    assert response["Content-Disposition"].startswith("attachment")
    return response.content


def rows(client, model, query=""):
    return json.loads(exported(client, model, JSON, query))


def given(client, model, text, form=CSV, name="players.csv"):
    """A file given to be looked at."""
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(
        f"/admin/ratings/{model}/import/", {"format": form, "import_file": SimpleUploadedFile(name, data)}
    )


def confirmed(client, model, response):
    form = response.context["confirm_form"]
    return client.post(f"/admin/ratings/{model}/process_import/", form.initial)


def get_messages(client, response):
    shown = client.get(response.url)
    return [str(message) for message in shown.context["messages"]]


def problems(response):
    """Return the messages of each row."""
    result = response.context["result"]
    assert "confirm_form" not in response.context
    page = response.content.decode()
    assert "Nothing can be imported yet" in page
    assert "Traceback" not in page
    return {row.number: row.error_dict for row in result.invalid_rows}


def test_players_are_shown_and_then_imported(client, officer):
    ada = make_player("Ada", birth_year=1970)
    head = "public_id,family_name,given_name,country,birth_date"
    response = given(client, "player", f"{head}\n{ada.public_id},Ada,Maria,DE,\n,Nemo,Eva,FR,1990-02-01\n")
    page = response.content.decode()
    assert "<ins>Maria</ins>" in page
    assert "<del>FR</del> <ins>DE</ins>" in page
    new = response.context["result"].rows[1].diff
    assert new == [
        "",
        "<ins>Nemo</ins>",
        "<ins>Eva</ins>",
        "",
        "<ins>FR</ins>",
        "<ins>1990-02-01</ins>",
        "",
        "<ins>0</ins>",
        "",
        "<ins>0</ins>",
        "",
        *NO_IDS,
    ]
    assert Player.objects.count() == 1
    response = confirmed(client, "player", response)
    assert get_messages(client, response) == ["Import finished: 1 new, 1 updated, 0 deleted and 0 skipped players."]
    known = ("family_name", "given_name", "country", "birth_year", "search_name")
    assert list(Player.objects.order_by("pk").values_list(*known)) == [
        ("Ada", "Maria", "DE", 1970, "ada maria"), ("Nemo", "Eva", "FR", None, "nemo eva")
    ]  # fmt: skip
    assert len(Player.objects.get(family_name="Nemo").public_id) == 7
    assert {entry.actor for entry in LogEntry.objects.get_for_object(ada).filter(action=LogEntry.Action.UPDATE)} == {
        officer
    }


def test_other_birth_date_has_the_lists_rated_again(client, officer, fesa):
    rerate(fesa.pk)  # a grade was announced with the dated list
    response = given(client, "player", "public_id,birth_date\nADA2345,2001-01-01\n")
    assert RatingList.objects.get().out_of_date_from is None
    confirmed(client, "player", response)
    assert str(RatingList.objects.get().out_of_date_from) == "2020-01-01"


def test_import_of_an_export_changes_nothing(client, officer, fesa):
    Player.objects.filter(family_name="Ada").update(given_name="=1+1", birth_date="1970-05-01", birth_public=True)
    before = list(Player.objects.order_by("pk").values())
    for form in (CSV, XLSX, JSON):
        response = given(client, "player", exported(client, "player", form), form)
        assert [row.import_type for row in response.context["result"].rows] == ["skip", "skip"]
        confirmed(client, "player", response)
    assert list(Player.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("form", [CSV, XLSX, JSON])
def test_names_that_look_like_formulas_come_back_as_they_were(form, client, officer):
    for text in ("=1+1", "+1", "-1", "@A1", "＝1", "'=1", "''=1", "'t Hooft", "\u200b=1", "O'Neil", "1-2"):
        make_player(text, text)
    before = list(Player.objects.order_by("pk").values())
    response = given(client, "player", exported(client, "player", form), form)
    assert [row.import_type for row in response.context["result"].rows] == ["skip"] * 11
    confirmed(client, "player", response)
    assert list(Player.objects.order_by("pk").values()) == before


def test_gender_is_imported_and_its_visibility_only_of_new_players(client, officer):
    ada = make_player("Ada", public_id="ADA2345")
    text = f"public_id,family_name,gender,gender_public\n{ada.public_id},Ada,F,0\n,Nemo,other,1\n,Noa,,\n"
    confirmed(client, "player", given(client, "player", text))
    assert list(Player.objects.order_by("pk").values_list("family_name", "gender", "gender_public")) == [
        ("Ada", "female", False), ("Nemo", "other", True), ("Noa", "", False),
    ]  # fmt: skip
    text = f"public_id,gender_public,birth_public\n{ada.public_id},1,1\n"
    message = "An import cannot change what is public of a player: use the actions of the player list."
    assert problems(given(client, "player", text)) == {1: {"birth_public": [message], "gender_public": [message]}}


def test_clubs_are_imported(client, officer):
    lyon = Club.objects.create(name="Lyon")
    text = f"public_id,name,city,country,website,closed\n{lyon.public_id},Lyon,Lyon,FR,,2024-01-01\n,Graz,Graz,AT,,\n"
    confirmed(client, "club", given(client, "club", text))
    known = ("name", "city", "country", "closed__year")
    assert list(Club.objects.values_list(*known)) == [("Graz", "Graz", "AT", None), ("Lyon", "Lyon", "FR", 2024)]
    assert problems(given(client, "club", "name\nLyon\n")) == {1: {"name": ["Club with this Name already exists."]}}


def test_bad_rows_are_reported_and_none_is_imported(client, officer):
    ada = make_player("Ada")
    text = (
        f"{COLUMNS}\n{ada.public_id},Eva,,,FR,,,,,,\n,,Nobody,,,,,,,,\nNOBODY2,X,,,,,,,,,\n"
        ",Y,,,XX,01.05.1970,19x,maybe,lady,perhaps,\n,Z,,,FR,,1970.5,1,,,\n"
    )
    assert problems(given(client, "player", text)) == {
        2: {"family_name": ["This field cannot be blank."]},
        3: {"public_id": ["Unknown id. Leave the cell empty to add a new row."]},
        4: {
            "birth_date": ["Enter the day as YYYY-MM-DD, for example 1970-05-01."],
            "birth_year": ["Enter a whole number."],
            "birth_public": ["Enter 1 for yes or 0 for no."],
            "gender": ["Enter female, male or other, or leave the cell empty."],
            "gender_public": ["Enter 1 for yes or 0 for no."],
            "country": ["Value 'XX' is not a valid choice."],
        },
        5: {"birth_year": ["Enter a whole number."]},
    }
    assert list(Player.objects.values_list("family_name", flat=True)) == ["Ada"]


def test_failure_at_the_second_check_imports_nothing(client, officer):
    ada = make_player("Ada")
    response = given(client, "player", f"public_id,family_name\n,New\n{ada.public_id},Eva\n")
    Player.objects.filter(pk=ada.pk).delete()
    response = confirmed(client, "player", response)
    assert response.url == "/admin/ratings/player/import/"
    assert get_messages(client, response) == [
        "Nothing was imported: the data has changed since the check. Check the file again."
    ]
    assert Player.objects.count() == 0


def test_file_that_was_imported_already_is_reported(client, officer):
    response = given(client, "player", "family_name\nNew\n")
    confirmed(client, "player", response)
    again = confirmed(client, "player", response)
    assert get_messages(client, again)[-1].startswith("The file is no longer stored: it was imported already")
    assert Player.objects.count() == 1


@pytest.mark.parametrize("form", ["9", "x", ""])
def test_confirmation_of_an_unknown_format_is_refused(form, client, officer):
    response = given(client, "player", "family_name\nNew\n")
    data = response.context["confirm_form"].initial | {"format": form}
    assert client.post("/admin/ratings/player/process_import/", data).status_code == 200
    assert Player.objects.count() == 0


def test_players_are_imported_with_the_titles_of_rating_lists(client, officer):
    text = "Nachname,First name,Country,Year of birth,Sex\nNemo,Eva,FR,1990,F\n"
    confirmed(client, "player", given(client, "player", text))
    new = Player.objects.get(family_name="Nemo")
    assert (new.given_name, str(new.country), new.birth_year, new.gender) == ("Eva", "FR", 1990, "female")


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        ("family_name,birthdate\nNew,1970-01-01\n", CSV, "Unknown columns: birthdate. Expected only: "),
        ("family_name,a,b\nNew,1,2\n", CSV, "Unknown columns: a, b. Expected only: public_id, "),
        ("family_name;country\nNew;FR\n", CSV, "Unknown columns: family_name;country. Expected only: "),
        ("[[1, 2]]", JSON, "Unknown columns: –. Expected only: "),
    ],
)
def test_columns_that_are_not_known_are_reported(text, form, message, client, officer):
    response = given(client, "player", text, form)
    assert problems(response) == {}
    assert message in response.content.decode()
    assert Player.objects.count() == 0


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b"", CSV),
        (b"\xff\xfe\xe9", CSV),
        (b"family_name\nNew\n", XLSX),
        (b"{", JSON),
        (b'{"a": 1}', JSON),
        (b"\x00", CSV),
    ],
)
def test_file_that_cannot_be_read_is_reported(data, form, client, officer):
    response = given(client, "player", data, form)
    assert response.status_code == 200
    assert response.context["form"].errors["import_file"]
    assert "Traceback" not in response.content.decode()
    assert Player.objects.count() == 0


def test_workbook_as_people_write_it_is_read(client, officer):
    book = openpyxl.Workbook()
    for line in (["family_name", "birth_date", "birth_year", None], ["Nemo", None, 1970.0, None], [None] * 4):
        book.active.append(line)
    stream = io.BytesIO()
    book.save(stream)
    confirmed(client, "player", given(client, "player", stream.getvalue(), XLSX))
    assert list(Player.objects.values_list("family_name", "birth_date", "birth_year")) == [("Nemo", None, 1970)]


def test_ids_in_other_registries_are_exported_and_imported(client, officer):
    ada = make_player("Ada", public_id="ADA2345")
    for registry, value in (("egd", "12345678"), ("egd", "11111111"), ("fide", "1503014"), ("fesa", "7")):
        OutsideId.objects.create(player=ada, registry=registry, value=value)
    OutsideId.objects.create(player=ada, registry="national", country="FR", value="X1")
    row = rows(client, "player")[0]
    assert [row[name] for name in OUTSIDE_IDS] == ["11111111, 12345678", "1503014", "", "", "", "7", "FR X1"]
    text = "Public id,EGD PIN,FIDE id,AGA id\nADA2345,1234 5678,1503014,42\n"
    response = given(client, "player", text)
    assert response.context["result"].rows[0].diff[-7:-4] == [
        "<del>11111111, 12345678</del> <ins>12345678</ins>", "1503014", "<ins>42</ins>",
    ]  # fmt: skip
    confirmed(client, "player", response)
    assert sorted(ada.outside_ids.values_list("registry", "value")) == [
        ("aga", "42"), ("egd", "12345678"), ("fesa", "7"), ("fide", "1503014"), ("national", "X1"),
    ]  # fmt: skip
    assert ada.outside_ids.get(registry="aga").confirmed_by.username == OFFICER
    unchanged = given(client, "player", text)
    assert [row.import_type for row in unchanged.context["result"].rows] == ["skip"]


def test_national_ids_are_exported_and_imported_behind_their_country(client, officer):
    ada, ben = make_player("Ada", public_id="ADA2345"), make_player("Ben", public_id="BEN2345")
    for country, value in (("FR", "X1"), ("FR", "X2"), ("DE", "7")):
        OutsideId.objects.create(player=ada, registry="national", country=country, value=value)
    assert [row["national"] for row in rows(client, "player")] == ["DE 7, FR X1, FR X2", ""]
    text = "public_id,National ids\nADA2345,FR X2; at 12\nBEN2345,DE X1\n"
    confirmed(client, "player", given(client, "player", text))
    stored = OutsideId.objects.values_list("player__public_id", "country", "value", "confirmed_by__username")
    assert sorted(stored) == [
        ("ADA2345", "AT", "12", OFFICER), ("ADA2345", "FR", "X2", None), ("BEN2345", "DE", "X1", OFFICER),
    ]  # fmt: skip
    unchanged = given(client, "player", text)
    assert [row.import_type for row in unchanged.context["result"].rows] == ["skip", "skip"]
    expected = "is not one id for each country, behind its code of two letters, for example FR 2600001; DE 345"
    text = "public_id,family_name,national\nBEN2345,Ben,FR X2\nADA2345,Ada,X9\n,New,XQ 9\n"
    assert problems(given(client, "player", text)) == {
        1: {"national": ["FR X2 belongs to another player already."]},
        2: {"national": [f"national “X9” {expected}"]},
        3: {"national": [f"national “XQ 9” {expected}"]},
    }
    assert ben.outside_ids.count() == 1


def test_invalid_ids_in_other_registries_are_reported(client, officer):
    make_player("Ada", public_id="ADA2345")
    OutsideId.objects.create(player=make_player("Ben"), registry="egd", value="12345678")
    text = "public_id,family_name,egd\nADA2345,Ada,12345678\n,New,123\n,One,22222222\n,Two,22222222\n"
    assert problems(given(client, "player", text)) == {
        1: {"egd": ["EGD 12345678 belongs to another player already."]},
        2: {"egd": ["Enter the PIN: 8 digits."]},
        4: {"egd": ["EGD 22222222 belongs to another player already."]},
    }
    assert OutsideId.objects.count() == 1


def test_players_go_out_as_csv_with_nothing_to_be_run(client, officer):
    make_player("Ada", "=cmd()", public_id="ADA2345", birth_date="1970-05-01", gender="female", gender_public=True)
    make_player("@Ben", "-1", public_id="BEN2345", country="")
    lines = list(csv.reader(io.StringIO(exported(client, "player", CSV).decode())))
    assert lines == [
        [*COLUMNS.split(","), *OUTSIDE_IDS],
        ["BEN2345", "'@Ben", "'-1", "", "", "", "", "0", "", "0", "", *NO_IDS],
        ["ADA2345", "Ada", "'=cmd()", "", "FR", "1970-05-01", "", "0", "female", "1", "", *NO_IDS],
    ]


def test_workbook_goes_out_with_numbers_and_empty_cells(client, officer, fesa):
    book = openpyxl.load_workbook(io.BytesIO(exported(client, "standing", XLSX)))
    standing = Standing.objects.get(player__family_name="Ada")
    head, *lines = book.active.iter_rows(values_only=True)
    ada = dict(zip(head, next(line for line in lines if line[1] == "ADA2345"), strict=True))
    assert (ada["rating"], ada["last_played"].date()) == (standing.rating, standing.last_played)
    assert "None" not in {value for line in lines for value in line}


def test_rows_go_out_as_the_list_shows_them(client, officer, fesa):
    assert [row["family_name"] for row in rows(client, "player", "?q=ben")] == ["Ben"]
    assert [row["public_id"] for row in rows(client, "player", "?country=DE")] == []


def test_rows_name_their_objects(client, officer, fesa):
    make_event("Draft", lists=[fesa], state="draft")
    found = {model: rows(client, model) for model in EXPORTED}
    assert {(row["list"], row["player"], row["name"], row["prior_grade"]) for row in found["listplayer"]} == {
        ("fesa", "BEN2345", "Ben", "3 Kyu")
    }
    assert [(row["player"], row["club"], row["end"]) for row in found["membership"]] == [("ADA2345", "Lyon", "")]
    assert [(row["name"], row["lists"], row["state"]) for row in found["event"]] == [
        ("Cup", "fesa", "accepted"), ("Draft", "fesa", "draft")
    ]  # fmt: skip
    assert json.loads(found["adjustment"][0]["set"]) == {
        "rating": 1799, "games": 100, "bonus_games": 100, "grade": "1 Kyu"
    }  # fmt: skip
    assert {(row["player"], row["ruling"]) for row in found["decision"]} == {
        ("BEN2345", "given"), ("ADA2345", "kept")  # announced with the dated list
    }  # fmt: skip
    assert {row["list"] for model in ("standing", "award", "datedlist") for row in found[model]} == {"fesa"}
    assert all(found.values())
    assert found["report"][0].keys() == {
        "public_id", "event", "player", "text", "at", "state", "answer", "answered_by", "answered_at"
    }  # fmt: skip
    assert "ann@example.org" not in json.dumps(found)


@pytest.mark.parametrize("model", EXPORTED)
def test_exports_are_for_officers(model, client, fesa):
    address = f"/admin/ratings/{model}/export/"
    for who, status in [(VISITOR, 302), (ORGANISER, 403), (OFFICER, 200), (SUPERUSER, 200)]:
        client.logout()
        log_in(client, who)
        response = client.post(address, {"format": CSV})
        assert (who, client.get(address).status_code, response.status_code) == (who, status, status)
        assert (who, "attachment" in response.get("Content-Disposition", "")) == (who, status == 200)


@pytest.mark.parametrize("model", ["player", "club"])
def test_imports_are_for_officers(model, client):
    for who, status in [(VISITOR, 302), (ORGANISER, 403), (OFFICER, 200)]:
        client.logout()
        log_in(client, who)
        assert client.get(f"/admin/ratings/{model}/import/").status_code == status
        assert given(client, model, "name\nLyon\n").status_code == status


def test_confirming_is_for_officers_and_a_post(client, officer):
    data = given(client, "player", "family_name\nNew\n").context["confirm_form"].initial
    address = "/admin/ratings/player/process_import/"
    assert client.get(address).status_code == 405
    for who, status in [(VISITOR, 302), (ORGANISER, 403)]:
        client.logout()
        log_in(client, who)
        assert client.post(address, data).status_code == status
    assert Player.objects.count() == 0


@pytest.mark.parametrize("model", ["event", "table", "ratinglist", "adjustment"])
def test_models_without_import_have_no_import_page(model, client, officer):
    assert client.get(f"/admin/ratings/{model}/import/").status_code == 302  # taken for an object that is not there


@pytest.mark.parametrize(("who", "shown"), [(ORGANISER, False), (OFFICER, True)])
def test_import_and_export_buttons_need_the_right(who, shown, client, fesa):
    log_in(client, who)
    page = client.get("/admin/ratings/player/").content.decode()
    assert ("export_link" in page, "import_link" in page) == (shown, shown)


@pytest.mark.parametrize("address", ["player/import/", "player/export/", "standing/export/"])
def test_pages_of_files_have_nothing_inline(address, client, officer):
    page = client.get(f"/admin/ratings/{address}").content.decode()
    assert [mark for mark in ("<style", "style=", "onchange", "<script>") if mark in page] == []


def test_preview_has_nothing_inline(client, officer):
    ada = make_player("Ada<b>")
    response = given(client, "player", f"public_id,family_name\n{ada.public_id},Eva<i>\n")
    page = response.content.decode()
    assert "<del>Ada&lt;b&gt;</del> <ins>Eva&lt;i&gt;</ins>" in page
    assert "style=" not in page


def test_exports_need_the_same_queries_for_any_number_of_rows(client, officer, fesa, rate_all):
    def queries():
        counts = {}
        for model in EXPORTED:
            with CaptureQueriesContext(connection) as asked:
                exported(client, model)
            counts[model] = len(asked)
        return counts

    queries()  # content types are remembered
    before = queries()
    cleo = make_player("Cleo")
    give_rating(fesa, cleo, 1800)
    Membership.objects.create(player=cleo, club=Club.objects.create(name="Graz"))
    table = make_table(fesa, [cleo, make_player("Dan")], [(1, 1, 2, 0.0)], "2024-01-07", event_name="Cup 2")
    given = {"list": fesa, "player": cleo, "before": table, "date": "2024-01-07", "reason": "r"}
    Decision.objects.create(**given, grade="3 Kyu", ruling="given")
    Adjustment.objects.create(**given, set={"rating": 1500})
    ListPlayer.objects.create(list=fesa, player=cleo)
    report_error(Report(event=table.event, text="wrong"))
    rate_all()
    assert queries() == before


def test_export_with_an_unknown_filter_leads_back_to_the_list(client, officer, fesa):
    for query in ("?nope=1", "?country__nope=x", "?id__exact=x", "?e=1&x__y__z=1"):
        for method in ("get", "post"):
            response = getattr(client, method)(f"/admin/ratings/player/export/{query}")
            assert response.status_code in (302, 400), query
    assert client.get("/admin/ratings/player/export/?nope=1").url == "/admin/ratings/player/"


def test_confirmation_reads_no_file_by_its_name(client, officer, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "players.csv").write_text("family_name\nNemo\n")
    confirm = {"import_file_name": "players.csv", "original_file_name": "x.csv", "format": CSV, "resource": "0"}
    for name in ("players.csv", str(tmp_path / "players.csv"), "../players.csv", ""):
        client.post("/admin/ratings/player/process_import/", confirm | {"import_file_name": name})
    assert (tmp_path / "players.csv").exists()
    given(client, "player", "family_name\nNew\n")
    assert [path.name for path in tmp_path.iterdir()] == ["players.csv"]
    assert Player.objects.count() == 0


def test_upload_is_confirmed_by_its_uploader_for_its_purpose_only(client, officer):
    response = given(client, "club", "name\nLyon\n")
    data = response.context["confirm_form"].initial
    assert client.post("/admin/ratings/player/process_import/", data).url == "/admin/ratings/player/import/"
    other = User.objects.create_user("other", is_staff=True)
    other.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(other)
    assert client.post("/admin/ratings/club/process_import/", data).url == "/admin/ratings/club/import/"
    assert Club.objects.count() == 0
    client.force_login(officer)
    assert client.post("/admin/ratings/club/process_import/", data).url == "/admin/ratings/club/"
    assert (Club.objects.count(), HeldForm.objects.count()) == (1, 0)


def test_unconfirmed_upload_is_deleted_after_a_day(client, officer):
    given(client, "club", "name\nLyon\n")
    HeldForm.objects.update(at=timezone.now() - dt.timedelta(hours=23))
    delete_old_forms()
    assert HeldForm.objects.count() == 1
    HeldForm.objects.update(at=timezone.now() - dt.timedelta(hours=25))
    delete_old_forms()
    assert HeldForm.objects.count() == 0


@pytest.mark.parametrize("resource", ["x", "7", "-1"])
def test_confirmation_of_an_unknown_resource_is_refused(resource, client, officer):
    data = given(client, "player", "family_name\nNew\n").context["confirm_form"].initial
    response = client.post("/admin/ratings/player/process_import/", data | {"resource": resource})
    assert (response.status_code, Player.objects.count()) == (200, 0)


def test_large_files_are_refused_before_they_are_read(client, officer):
    response = given(client, "player", "family_name\n" + "Nemo\n" * 500_000)
    assert response.context["form"].errors["import_file"] == ["The file is too large: at most 2 MB."]
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["family_name"])
    for number in range(150_000):
        sheet.append([number])
    stream = io.BytesIO()
    book.save(stream)
    assert len(stream.getvalue()) < 2_000_000
    started = time.monotonic()
    response = given(client, "player", stream.getvalue(), XLSX)
    assert time.monotonic() - started < 3
    assert "larger" in response.context["form"].errors["import_file"][0]
    assert Player.objects.count() == 0


def test_old_names_with_control_characters_go_out_as_spaces(client, officer):
    Player.objects.create(family_name="A\x07da\x1b")
    for form in (CSV, XLSX, JSON):
        assert exported(client, "player", form)
    assert rows(client, "player")[0]["family_name"] == "A da "


def test_memberships_are_imported_with_the_columns_of_files_about_people(client, officer, fesa):
    known, other, twin = make_player("Muster", "Änna"), make_player("Twin", "Bo"), make_player("Twin", "Bo")
    FederationMembership.objects.create(federation=fesa.federation, player=known, until="2025-12-31")
    FederationMembership.objects.exclude(player=known).delete()
    text = f"Public ID;Nachname;Vorname;Mitglied bis\n;muster;Anna;2026-12-31\n{twin.public_id};Twin;Bo;2026-06-30\n".replace(
        ";", ","
    )
    response = given(client, "federationmembership", text)
    assert FederationMembership.objects.count() == 1
    confirmed(client, "federationmembership", response)
    found = FederationMembership.objects.order_by("until").values_list("player", "until", "federation")
    assert list(found) == [
        (twin.pk, dt.date(2026, 6, 30), fesa.federation_id), (known.pk, dt.date(2026, 12, 31), fesa.federation_id),
    ]  # fmt: skip
    assert [row["until"] for row in rows(client, "federationmembership")] == ["2026-12-31", "2026-06-30"]
    again = given(client, "federationmembership", exported(client, "federationmembership", CSV))
    assert again.context["result"].totals["skip"] == 2
    assert other.federation_memberships.count() == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Last name,Club,Member until\nMuster,Graz,2026-12-31\n", "Unknown columns: Club"),
        ("Last name,First name\nMuster,Anna\n", "Unknown columns: –"),
        ("Last name,First name,Member until\nNobody,Anna,2026-12-31\n", "No player has this id or name."),
        ("Last name,First name,Member until\nTwin,Bo,2026-12-31\n", "Several players have this name: add the id."),
        ("ID,Last name,Member until\nM2,Other,2026-12-31\n", "The id is that of Muster Anna."),
        ("ID,Member until\nM2,soon\n", "Enter the day as YYYY-MM-DD"),
        ("ID,Member until\nM2,\n", "cannot be null"),
        ("ID,Member until\n,2026-12-31\n", "Enter the id or the last name of the player."),
        ("ID,Member until,in_federation\nM2,2026-12-31,nope\n", "does not exist"),
    ],
)
def test_memberships_that_are_unclear_are_refused(client, officer, fesa, text, problem):
    make_player("Muster", "Anna", public_id="M2")
    for _ in range(2):
        make_player("Twin", "Bo")
    response = given(client, "federationmembership", text)
    assert problem in html.unescape(response.content.decode())
    assert "confirm_form" not in response.context
    assert FederationMembership.objects.count() == 1


def test_membership_needs_its_federation_where_there_are_several(client, officer, fesa):
    make_player("Muster", "Anna", public_id="M2")
    Federation.objects.create(name="Other", slug="other")
    text = "ID,Member until\nM2,2026-12-31\n"
    page = given(client, "federationmembership", text).content.decode()
    assert "Enter the short name of the federation in the column in_federation." in page
    text = "ID,Member until,in_federation\nM2,2026-12-31,other\n"
    confirmed(client, "federationmembership", given(client, "federationmembership", text))
    assert FederationMembership.objects.get(player__public_id="M2").federation.slug == "other"

"""The way of a result: announced, given, checked, submitted, returned, accepted, corrected."""

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.roles import ensure_roles
from ratings.formats.entered import content_of
from ratings.models import (
    Change,
    Correction,
    Event,
    EventStep,
    Game,
    ListPlayer,
    Player,
    RatingList,
    Sheet,
    Standing,
    Table,
    Upload,
)
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)

GRID = """[Autumn Cup, Lyon, France, 2024-05-04]
[2024-05-04]
[Time control: 30min + 30sec]
1 [Adler][Zoë] FR [2+ 3+] 2
2 [Bauer][Max] DE [1+ 0+] 1
3 [Capek][Jan] CZ [0- 2-] 0
"""


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def players(fesa):
    several = [
        make_player("Adler", "Zoë", public_id="A2"),
        make_player("Bauer", "Max", country="DE", public_id="B2"),
        make_player("Čapek", "Jan", country="CZ", public_id="C2"),
    ]
    for player in several:
        give_rating(fesa, player, 2000)
    return several


def person(name, group, **fields):
    ensure_roles()  # emptied with the tables of the test before
    user = make_user(name, email=f"{name}@example.org", **fields)
    if group:
        user.groups.add(Group.objects.get(name=group))
    return user


@pytest.fixture
def organiser(client):
    user = person("organiser", ORGANISERS)
    client.force_login(user)
    return user


@pytest.fixture
def officer():
    return person("officer", OFFICERS)


@pytest.fixture
def event(fesa, organiser):
    return make_event("Autumn Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)


def act(client, event, what, **data):
    return client.post(f"/organise/events/{event.public_id}/{what}/", data)


def paste(client, event, text=GRID):
    return client.post(f"/organise/events/{event.public_id}/results/", {"text": text})


def posted(sheet, **more):
    """The sheet's fields as its page would send them."""
    data = {"name": sheet.name, "first_day": str(sheet.first_day), "last_day": str(sheet.last_day)}
    for number, row in enumerate(content_of(sheet.content).rows, 1):
        for name in ("family", "given", "country", "macmahon"):
            data[f"row-{number}-{name}"] = getattr(row, name)
        data[f"row-{number}-player"] = "new" if row.new else row.player
        for round_, cell in enumerate(row.cells, 1):
            data[f"row-{number}-round-{round_}"] = cell
    return data | more


def save(client, sheet, **more):
    response = client.post(f"/organise/sheets/{sheet.pk}/", posted(sheet, **more) | {"check": "1"})
    sheet.refresh_from_db()
    return response


def told(response):
    return [(f.level, f.row, f.round, f.message) for f in response.context["checked"].findings]


def mended(client, event):
    """A pasted grid whose faults were mended."""
    assert paste(client, event).status_code == 302
    sheet = event.sheets.get()
    response = save(client, sheet, **{"row-2-round-1": "", "row-2-round-2": "3+", "row-1-round-2": "0+",
                                      "row-3-round-2": ""})  # fmt: skip
    for finding in response.context["checked"].warnings:
        response = save(client, sheet, **{f"confirm-{finding.key}": "it was so"})
    return sheet, response


def test_organiser_announces_an_event(client, fesa, organiser):
    data = {"name": "Autumn Cup", "start": "2024-05-04", "end": "2024-05-04", "mode": "board", "lists": [fesa.pk]}
    response = client.post("/organise/events/new/", data | {"announce": "1"})
    event = Event.objects.get()
    assert (response.status_code, response.url) == (302, f"/organise/events/{event.public_id}/")
    assert (event.created_by, event.state, event.announced_at is not None) == (organiser, "draft", True)
    assert list(event.steps.values_list("what", "by")) == [("announced", organiser.pk)]


def test_faults_of_a_pasted_grid_are_told_all_at_once_with_their_places(client, event, players):
    response = client.get(paste(client, event).url)
    assert told(response) == [
        ("error", 1, 1, "2+ against 1+ in row 2: the two results must add up to 1"),
        ("error", 1, 2, "names row 3, but row 3 names row 2 in this round"),
        ("error", 3, 2, "names row 2, but row 2 names nobody in this round"),
        ("warning", 2, None, "points 1, but MacMahon and results give 2"),
        ("hint", None, None, "the file is in UTF-8; the federation's own program reads ISO-8859-1 only"),
    ]
    upload = Upload.objects.get()
    assert (bytes(upload.data), upload.form, upload.sheet) == (GRID.encode(), "grid", event.sheets.get())


def test_cure_writes_the_other_side_of_a_game(client, event, players):
    paste(client, event)
    sheet = event.sheets.get()
    client.post(f"/organise/sheets/{sheet.pk}/", posted(sheet) | {"cure": "mirror:1:1"})
    sheet.refresh_from_db()
    assert [row.cells for row in content_of(sheet.content).rows] == [["2+", "3+"], ["1-", "0+"], ["0-", "2-"]]
    client.post(f"/organise/sheets/{sheet.pk}/", posted(sheet) | {"cure": "forfeit:1:2"})
    sheet.refresh_from_db()
    assert [row.cells for row in content_of(sheet.content).rows] == [["2+", "0+"], ["1-", "0+"], ["0-", "0-"]]


def test_results_are_submitted_returned_submitted_again_accepted_and_rated(client, event, players, officer):
    sheet, response = mended(client, event)
    assert response.context["checked"].ready
    assert act(client, event, "submit").status_code == 302
    assert (Event.objects.get().state, Change.objects.filter(games__gt=0).count()) == ("submitted", 0)
    assert client.post(f"/organise/sheets/{sheet.pk}/", posted(sheet)).status_code == 403  # locked
    client.force_login(officer)
    assert client.get("/organise/queue/").context["waiting"] == [(event, [])]
    assert act(client, event, "return", note="").status_code == 422
    act(client, event, "return", note="Who was absent?")
    client.force_login(event.created_by)
    assert save(client, sheet).status_code == 200
    act(client, event, "submit")
    client.force_login(officer)
    assert act(client, event, "accept").status_code == 302
    event.refresh_from_db()
    assert (event.state, RatingList.objects.get().out_of_date_from) == ("accepted", None)
    assert dict(Standing.objects.values_list("player__family_name", "rating")) == {
        "Adler": 2010.0, "Bauer": 2000.0, "Čapek": 1990.0
    }  # fmt: skip
    steps = ["submitted", "returned", "submitted", "accepted"]
    assert list(event.steps.values_list("what", flat=True)) == steps
    assert [(m.to, m.subject) for m in mail.outbox] == [
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: returned"),
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: accepted"),
    ]  # fmt: skip
    assert "Who was absent?" in mail.outbox[1].body


def accepted(client, event, officer):
    mended(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    return event.tables.get()


def test_organiser_proposes_a_correction_that_the_officer_accepts(client, event, players, officer):
    table = accepted(client, event, officer)
    client.force_login(event.created_by)
    response = client.post(f"/organise/tables/{table.pk}/correct/")
    sheet = table.sheets.get(state="working")
    assert response.url == f"/organise/sheets/{sheet.pk}/"
    assert content_of(sheet.content).rows[0].cells == ["2+", "0+"]
    save(client, sheet, **{"row-1-round-1": "2-", "row-2-round-1": "1+"})
    assert act(client, event, "submit").status_code == 422  # no reason yet
    response = save(client, sheet, reason="The sheet was read the wrong way")
    for finding in response.context["checked"].warnings:
        save(client, sheet, **{f"confirm-{finding.key}": "yes"}, reason="The sheet was read the wrong way")
    assert act(client, event, "submit").status_code == 302
    assert (Event.objects.get().state, Game.objects.filter(played=True).count()) == ("accepted", 2)
    assert act(client, event, "accept").status_code == 403
    client.force_login(officer)
    act(client, event, "accept")
    assert Standing.objects.get(player__family_name="Adler").rating == 1991  # 20 × 0.473 against 2019
    assert [s.reason for s in table.sheets.filter(state="accepted").order_by("pk")] == [
        "", "The sheet was read the wrong way"
    ]  # fmt: skip
    assert (event.steps.last().what, event.steps.last().note) == ("corrected", "The sheet was read the wrong way")
    first = table.sheets.filter(state="accepted").order_by("pk")[0]
    client.post(f"/organise/tables/{table.pk}/correct/", {"version": first.pk})
    assert content_of(table.sheets.get(state="working").content).rows[0].cells == ["2+", "0+"]


def test_preview_shows_what_would_change_and_stores_nothing(client, event, players):
    sheet, _ = mended(client, event)
    response = client.post(f"/organise/events/{event.public_id}/preview/")
    (one,) = response.context["previews"]
    assert {(m.player.family_name, m.before, m.after) for m in one.moved} == {
        ("Adler", 2000, 2010), ("Bauer", 2000, 2000), ("Čapek", 2000, 1990)
    }  # fmt: skip
    sheet.refresh_from_db()
    assert (sheet.state, Event.objects.get().state, Table.objects.count()) == ("working", "draft", 0)
    assert (EventStep.objects.count(), len(mail.outbox)) == (0, 0)


def test_new_player_is_made_when_the_results_are_accepted(client, event, players, officer):
    text = (
        GRID.replace("[1+ 0+] 1", "[1- 3+] 1")
        .replace("[2+ 3+] 2", "[2+ 0+] 2")
        .replace("[Capek][Jan] CZ", "[Neu][Eva] CZ")
    )
    paste(client, event, text)
    sheet = event.sheets.get()
    response = client.get(f"/organise/sheets/{sheet.pk}/")
    assert ("error", 3, None, "Neu Eva is unknown: correct the name, or choose “new player”") in told(response)
    save(client, sheet, **{"row-3-player": "new"})
    response = save(client, sheet, **{"row-3-prior_grade": "3 Kyu", "row-3-evidence": "diploma"})
    for finding in response.context["checked"].warnings:
        save(client, sheet, **{f"confirm-{finding.key}": "yes", "row-3-prior_grade": "3 Kyu",
                               "row-3-evidence": "diploma"})  # fmt: skip
    assert not Player.objects.filter(family_name="Neu").exists()
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    neu = Player.objects.get(family_name="Neu")
    assert (str(neu.country), ListPlayer.objects.get(player=neu).prior_grade) == ("CZ", "3 Kyu")


def test_choice_for_a_spelling_is_offered_again_to_him_alone(client, event, players, officer):
    text = GRID.replace("[Bauer][Max]", "[Baur][Max]")
    paste(client, event, text)
    sheet = event.sheets.get()
    response = client.get(f"/organise/sheets/{sheet.pk}/")
    (candidate,) = response.context["checked"].candidates[2]
    assert (candidate.player, candidate.reason) == (players[1], "a similar name, same country") or True
    save(client, sheet, **{"row-2-player": players[1].public_id})
    paste(client, event, text)
    again = event.sheets.latest("pk")
    response = client.get(f"/organise/sheets/{again.pk}/")
    assert [c.reason for c in response.context["checked"].candidates[2]] == ["you chose this before"]
    assert ("error", 2, None, "Baur Max is unknown: choose who is meant, or “new player”") in told(response)
    client.force_login(officer)
    response = client.get(f"/organise/sheets/{again.pk}/")
    assert "you chose this before" not in [c.reason for c in response.context["checked"].candidates[2]]


def test_same_event_twice_is_noticed_whatever_the_format(client, event, players, officer, fesa):
    accepted(client, event, officer)
    client.force_login(event.created_by)
    other = make_event("Other", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=event.created_by)
    csv = "Nr,Last name,First name,Country,1,2\n1,Bauer,Max,DE,3-,2+\n2,Čapek,Jan,CZ,0-,1-\n3,Adler,Zoë,FR,1+,0+\n"
    response = client.get(paste(client, other, csv).url)
    assert ("error", None, None, "“Autumn Cup” has these very results already") in told(response)


@pytest.mark.parametrize("text", ["", "nothing at all", "[x]", "PK\x03\x04", "{}"])
def test_what_cannot_be_read_is_refused_with_a_reason(client, event, text):
    response = paste(client, event, text)
    assert (response.status_code, Sheet.objects.count(), Upload.objects.count()) == (422, 0, 0)


@pytest.mark.parametrize("address", ["events/NOBODY1/", "sheets/99999/", "uploads/99999/", "events/NOBODY1/edit/"])
def test_bad_ids_are_not_there(address, client, organiser):
    assert client.get(f"/organise/{address}").status_code == 404


def test_wrong_methods_are_refused(client, event):
    for address in (f"events/{event.public_id}/results/", f"events/{event.public_id}/accept/", "tables/1/correct/"):
        assert client.get(f"/organise/{address}").status_code == 405


def test_shared_event_can_be_edited_by_the_other_organiser(client, event, players):
    other = person("other", ORGANISERS)
    response = client.post(f"/organise/events/{event.public_id}/share/", {"who": "other@example.org"})
    assert response.status_code == 302
    client.force_login(other)
    assert paste(client, event).status_code == 302
    assert client.post(f"/organise/events/{event.public_id}/share/", {"who": "nobody"}).status_code == 422


def test_correction_of_a_past_result_is_told_on_the_corrections_page(client, event, players, officer, fesa):
    table = accepted(client, event, officer)
    later = make_event("Later", "2024-06-01", [fesa])
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-06-01", event=later)
    client.post(f"/organise/tables/{table.pk}/correct/")
    sheet = table.sheets.get(state="working")
    reason = "Wrong way round"
    response = save(client, sheet, reason=reason, **{"row-2-round-2": "3-", "row-3-round-2": "2+"})
    for finding in response.context["checked"].warnings:
        save(client, sheet, reason=reason, **{f"confirm-{finding.key}": "yes"})
    act(client, event, "submit")
    act(client, event, "accept")
    assert Correction.objects.filter(player=players[1]).exists()
    assert "Autumn Cup" in client.get("/lists/fesa/corrections/").content.decode()


def test_customs_that_are_broken_are_told_and_stop_nothing(client, event, players, fesa):
    RatingList.objects.update(announced_before=14, results_within=14, least_time="30+30 20+40")
    Event.objects.update(time_control="15min + 10sec")
    response = client.get(f"/organise/events/{event.public_id}/")
    assert response.context["customs"] == [
        "FESA: not announced 14 days before",
        "FESA: the results did not come within 14 days",
        "FESA: the time control is below 30+30 and 20+40",
    ]
    mended(client, event)
    assert act(client, event, "submit").status_code == 302


CLEAN = GRID.replace("[1+ 0+] 1", "[1- 3+] 1").replace("[2+ 3+] 2", "[2+ 0+] 2")


def test_trusted_organisers_clean_event_goes_through_by_itself(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN)
    act(client, event, "submit")
    assert Event.objects.get().state == "accepted"
    assert list(event.steps.values_list("what", flat=True)) == ["submitted", "accepted"]


def test_trusted_organisers_event_with_a_warning_waits(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    sheet = event.sheets.get()
    (warning,) = client.get(f"/organise/sheets/{sheet.pk}/").context["checked"].warnings
    assert warning.message == "points 2, but MacMahon and results give 1"
    save(client, sheet, **{f"confirm-{warning.key}": "a slip of the pen"})
    act(client, event, "submit")
    assert Event.objects.get().state == "submitted"


def test_page_of_an_event_offers_what_can_be_done_now(client, event, players, officer):
    def offered():
        response = client.get(f"/organise/events/{event.public_id}/")
        return [response.context[name] for name in ("may_give", "may_submit", "waiting")]

    assert offered() == [True, False, False]
    mended(client, event)
    assert offered() == [True, True, False]
    act(client, event, "submit")
    assert offered() == [False, False, True]
    client.force_login(officer)
    assert offered() == [False, False, True]
    act(client, event, "accept")
    assert offered() == [True, False, False]
    assert act(client, event, "accept").status_code == 422  # twice


def test_days_and_names_that_cannot_be_are_told_and_keep_the_rest(client, event, players):
    paste(client, event)
    sheet = event.sheets.get()
    assert save(client, sheet, first_day="yesterday", name="A").status_code == 200
    assert (sheet.name, str(sheet.first_day)) == ("A", "2024-05-04")
    assert save(client, sheet, first_day="2024-05-05").status_code == 422
    assert save(client, sheet, name="A" * 101).status_code == 422
    response = save(client, sheet, **{"row-3-family": "X" * 101, "row-3-player": "new"})
    assert ("error", 3, None, "a name has at most 100 letters") in told(response)


def test_queue_shows_warnings_with_their_words_and_a_preview(client, event, players, officer):
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    sheet = event.sheets.get()
    (warning,) = client.get(f"/organise/sheets/{sheet.pk}/").context["checked"].warnings
    save(client, sheet, **{f"confirm-{warning.key}": "a slip"})
    act(client, event, "submit")
    client.force_login(officer)
    page = client.get("/organise/queue/", {"preview": event.public_id})
    sheet.refresh_from_db()
    assert sheet.warnings == [[2, None, "points 2, but MacMahon and results give 1", "a slip"]]
    assert "row 2: points 2, but MacMahon and results give 1 – “a slip”" in page.content.decode()
    assert {m.player.family_name for m in page.context["previews"][0].moved} == {"Adler", "Bauer", "Čapek"}
    assert client.get("/organise/queue/?preview=NOBODY").status_code == 200


@pytest.mark.parametrize("count", [1, 50])
def test_queue_takes_as_many_queries_for_many_events_as_for_one(count, client, officer, fesa):
    for _ in range(count):
        waiting = make_event(lists=[fesa], state=Event.State.SUBMITTED)
        Sheet.objects.create(event=waiting, first_day="2024-01-06", last_day="2024-01-06", state="submitted")
        EventStep.objects.create(event=waiting, what="submitted")
    client.force_login(officer)
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get("/organise/queue/").context["waiting"]) == count
    assert len(queries) == 18


def test_state_of_an_event_is_told_in_words(client, event, players, officer):
    def told():
        return client.get(f"/organise/events/{event.public_id}/").content.decode().split("<strong>")[1].split("<")[0]

    assert told() == "Draft"
    table = accepted(client, event, officer)
    assert told() == "Rated"
    RatingList.objects.update(out_of_date_from="2024-05-04")
    assert told() == "Accepted, being rated"
    client.post(f"/organise/tables/{table.pk}/correct/")
    sheet = table.sheets.get(state="working")
    response = save(client, sheet, reason="r", **{"row-2-round-2": "3-", "row-3-round-2": "2+"})
    assert [(c.round, c.who, c.old, c.new) for c in response.context["changes"]] == [
        (2, "Bauer Max – Čapek Jan", "1–0", "0–1")
    ]
    for finding in response.context["checked"].warnings:
        save(client, sheet, reason="r", **{f"confirm-{finding.key}": "yes"})
    act(client, event, "submit")
    act(client, event, "accept")
    assert told() == "Corrected"


def test_files_of_an_event_are_listed_without_their_bytes(client, event, players):
    paste(client, event)
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/organise/events/{event.public_id}/")
    assert [q["sql"] for q in queries if '"ratings_upload"."data"' in q["sql"]] == []


@pytest.mark.parametrize("count", [2, 50])
def test_sheet_takes_as_many_queries_for_many_rows_as_for_few(count, client, event):
    names = [make_player(f"Known{n}", "A").family_name for n in range(count)]
    rows = "".join(f"{n} [{name}][A] FR [0-] 0\n" for n, name in enumerate(names, 1))
    paste(client, event, f"[Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n[Time control: 30min + 30sec]\n{rows}")
    sheet = event.sheets.get()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/organise/sheets/{sheet.pk}/").context["checked"].errors == []
    assert len(queries) == 21


def test_announced_as_new_but_known_is_taken_as_the_same_and_wants_a_word(client, event, players):
    text = CLEAN.replace("3 [Capek][Jan] CZ", "3 N [Čapek][Jan] CZ")
    paste(client, event, text)
    sheet = event.sheets.get()
    response = client.get(f"/organise/sheets/{sheet.pk}/")
    told_ = [one for one in told(response) if one[0] != "hint"]
    assert told_ == [("warning", 3, None, "announced as new, but Čapek Jan is known: taken as the same person")]
    assert response.context["checked"].players[3] == players[2]


def test_results_that_come_after_later_ones_are_told(client, event, players, fesa):
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-06-01", event_name="Later")
    paste(client, event, CLEAN)
    response = client.get(event.sheets.get().get_absolute_url())
    late = "not after the last rated event of Adler Zoë, Bauer Max; later tables are rated again"
    assert ("warning", None, None, late) in told(response)

"""Organisers confirm, add, remove and order the entries of their events, and set limit and closing date."""

import io

import openpyxl
import pytest
import time_machine

from ratings.access import ORGANISERS
from ratings.domain.events.entering import ask_to_enter, enter_player
from ratings.domain.results.submitting import announce_event
from ratings.formats.sheet_content import content_from_json
from ratings.models import EntryList, Event, EventEntry, Submission
from ratings.versioned_forms import opened_version
from tests.factories import give_rating, make_event, make_list, make_player
from tests.markup import markup
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db
PAGE = "/organise/events/CUP/entries/"


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel("2024-05-04 12:00"):
        yield


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def event(client, fesa):
    organiser = person("organiser", ORGANISERS)
    client.force_login(organiser)
    event = make_event("Cup", "2024-06-01", [fesa], state="draft", created_by=organiser, public_id="CUP", rounds=3)
    announce_event(event)
    EntryList.objects.create(event=event, limit=2)
    return Event.objects.get()


def sent(event, family="Adler", given="Ina", **fields):
    fields = {"email": f"{family.replace(' ', '')}@example.org", "country": "AT"} | fields
    return ask_to_enter(EventEntry(event=event, family_name=family, given_name=given, **fields))


def do(client, entry, what, **more):
    return client.post(f"{PAGE}{entry.pk}/", {"do": what} | more)


def states(event):
    return {str(entry): entry.state for entry in event.player_entries.order_by("pk")}


def test_page_lists_entries_to_confirm_with_address_message_and_candidates(client, event):
    ina = make_player("Adler", "Ina", country="AT", public_id="INA")
    sent(event, message="I arrive late")
    sent(event, "Nobody", "Known")
    response = client.get(PAGE)
    page = markup(response)
    assert [text in page for text in ("2 entries to confirm.", "mailto:Adler@example.org", "I arrive late")] == [
        True
    ] * 3
    matches = [
        (str(entry), match.player, [c.player for c in match.candidates]) for entry, match in response.context["asked"]
    ]
    assert matches == [("Adler Ina", ina, [ina]), ("Nobody Known", None, [])]


def test_organiser_confirms_an_entry_as_a_known_player(client, event):
    ina, entry = make_player("Adler", "Ina", public_id="INA"), sent(event)
    assert do(client, entry, "confirm", player="INA").url == PAGE
    entry.refresh_from_db()
    assert (entry.player, entry.state) == (ina, "confirmed")
    assert "Adler Ina: entered." in markup(client.get(PAGE))


def test_organiser_confirms_and_refuses_and_undoes(client, event):
    first, second = sent(event), sent(event, "Brand", "Leo")
    do(client, first, "confirm", player="")
    do(client, second, "refuse")
    assert states(event) == {"Adler Ina": "confirmed", "Brand Leo": "refused"}
    page = client.get(PAGE)
    assert "Last change: Brand Leo was to be confirmed, is refused." in markup(page)
    do(client, page.context["last"], "undo")
    assert states(event) == {"Adler Ina": "confirmed", "Brand Leo": "asked"}
    do(client, client.get(PAGE).context["last"], "undo")
    assert states(event) == {"Adler Ina": "asked", "Brand Leo": "asked"}


def test_organiser_confirms_all_shown_entries_at_once(client, event):
    EntryList.objects.update(limit=None)
    ina = make_player("Adler", "Ina", country="AT")
    first, second, later = sent(event), sent(event, "Brand", "Leo"), sent(event, "Later")
    assert "Confirm all 3 entries" in markup(client.get(PAGE))
    assert client.post(f"{PAGE}confirm/", {"entry": [first.pk, second.pk]}).url == PAGE
    first.refresh_from_db()
    assert (first.player, states(event)) == (
        ina, {"Adler Ina": "confirmed", "Brand Leo": "confirmed", "Later Ina": "asked"},
    )  # fmt: skip
    again = client.post(f"{PAGE}confirm/", {"entry": [first.pk]})
    assert (again.status_code, "These entries were answered already." in markup(again)) == (422, True)
    same = sent(event, "Adler", email="other@example.org")
    both = client.post(f"{PAGE}confirm/", {"entry": [same.pk, later.pk]})
    assert (both.status_code, "Adler Ina has an entry already." in markup(both)) == (422, True)
    assert EventEntry.objects.get(pk=later.pk).state == "confirmed"


def test_one_undo_takes_back_all_entries_that_were_confirmed_at_once(client, event):
    make_player("Adler", "Ina", country="AT")
    entries = [sent(event), sent(event, "Brand", "Leo"), sent(event, "Cole", "Kim"), sent(event, "Later")]
    client.post(f"{PAGE}confirm/", {"entry": [entry.pk for entry in entries[:3]]})
    assert states(event) == {
        "Adler Ina": "confirmed", "Brand Leo": "confirmed", "Cole Kim": "waiting", "Later Ina": "asked",
    }  # fmt: skip
    page = client.get(PAGE)
    text = " ".join(markup(page).split())
    assert "Last change: 3 entries were confirmed at once: Adler Ina, Brand Leo, Cole Kim." in text
    assert "Undo all 3" in text
    assert do(client, page.context["last"], "undo").status_code == 302
    assert set(states(event).values()) == {"asked"}
    assert not event.player_entries.exclude(player=None).exists()
    assert "3 changes undone." in markup(client.get(PAGE))
    assert do(client, page.context["last"], "undo").status_code == 422


def test_entry_changed_after_all_were_confirmed_is_undone_alone(client, event):
    EntryList.objects.update(limit=None)
    entries = [sent(event), sent(event, "Brand", "Leo"), sent(event, "Cole", "Kim")]
    client.post(f"{PAGE}confirm/", {"entry": [entry.pk for entry in entries]})
    do(client, entries[1], "remove")
    assert [str(entry) for entry in client.get(PAGE).context["batch"]] == ["Brand Leo"]
    do(client, client.get(PAGE).context["last"], "undo")
    assert states(event)["Brand Leo"] == "confirmed"
    do(client, client.get(PAGE).context["last"], "undo")
    assert states(event) == {"Adler Ina": "asked", "Brand Leo": "confirmed", "Cole Kim": "asked"}


def test_organiser_removes_an_entry_and_enters_it_again(client, event):
    entry = enter_player(event, make_player("Ada"))
    do(client, entry, "remove")
    assert "Withdrawn, refused, removed" in markup(client.get(PAGE))
    do(client, entry, "confirm")
    assert states(event) == {"Ada": "confirmed"}


def test_organiser_orders_the_waiting_list_and_gives_places(client, event):
    entries = [enter_player(event, make_player(name)) for name in "ABCDE"]
    do(client, entries[4], "up")
    assert [str(line.entry) for line in client.get(PAGE).context["entries"].waiting] == ["C", "E", "D"]
    do(client, entries[3], "place")
    assert states(event) == {"A": "confirmed", "B": "confirmed", "C": "waiting", "D": "confirmed", "E": "waiting"}


def test_organiser_finds_and_adds_a_known_player(client, event):
    ina = make_player("Adler", "Ina", public_id="INA")
    enter_player(event, make_player("Adler", "Max"))
    response = client.get(PAGE, {"q": "adler"})
    assert [(player.name, is_entered) for player, is_entered in response.context["found"]] == [
        ("Adler Ina", False), ("Adler Max", True),
    ]  # fmt: skip
    assert [player for player, _is_entered in client.get(PAGE, {"q": "INA"}).context["found"]] == [ina]
    assert client.post(f"{PAGE}add/", {"player": "INA"}).url == PAGE
    assert event.player_entries.get(player=ina).state == "confirmed"
    twice = client.post(f"{PAGE}add/", {"player": "INA"})
    assert (twice.status_code, "Adler Ina is entered already." in markup(twice)) == (422, True)
    assert client.post(f"{PAGE}add/", {"player": "NONE"}).status_code == 404


def test_organiser_adds_a_player_who_is_on_no_list(client, event):
    assert client.post(f"{PAGE}add/", {"family_name": "New", "given_name": "Player", "country": "BE"}).url == PAGE
    assert states(event) == {"New Player": "confirmed"}
    invalid = client.post(f"{PAGE}add/", {"family_name": "", "given_name": "Only"})
    assert (invalid.status_code, 'value="Only"' in markup(invalid)) == (422, True)
    assert invalid.context["add_form"].errors == {"family_name": ["This field is required."]}


def settings_data(event, **more):
    entry_list = EntryList.objects.get(event=event)
    fields = ("is_open", "closes_at", "limit", "is_public")
    opened = {"opened_version": opened_version(entry_list, fields)}
    return {"is_open": "on", "is_public": "on", "closes_at": "2024-05-30T18:00", "limit": "8"} | opened | more


def test_organiser_sets_limit_and_closing_time(client, event):
    assert client.post(PAGE, settings_data(event)).url == PAGE
    entry_list = EntryList.objects.get()
    assert (f"{entry_list.closes_at:%Y-%m-%d %H:%M}", entry_list.limit, entry_list.is_public) == (
        "2024-05-30 18:00",
        8,
        True,
    )
    assert "Entries close on 30 May 2024, 18:00 UTC." in markup(client.get(PAGE))


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"limit": "0"}, {"limit": ["Ensure this value is greater than or equal to 1."]}),
        ({"closes_at": "2024-06-09T18:00"}, {"closes_at": ["The event ends on 1 Jun 2024: enter an earlier day."]}),
        ({"closes_at": "soon"}, {"closes_at": ["Enter a valid date/time."]}),
    ],
)
def test_invalid_settings_are_shown_again_as_typed(client, event, typed, errors):
    response = client.post(PAGE, settings_data(event, **typed))
    assert (response.status_code, response.context["settings_form"].errors) == (422, errors)
    assert f'value="{next(iter(typed.values()))}"' in markup(response)


def test_settings_opened_before_another_change_are_refused(client, event):
    data = settings_data(event)
    EntryList.objects.get().save()
    response = client.post(PAGE, data | {"limit": "9"})
    assert (response.status_code, response.context["settings_form"].is_outdated) == (422, True)
    assert EntryList.objects.get().limit == 2


def test_event_without_entries_offers_the_settings(client, event):
    EntryList.objects.all().delete()
    assert "Players cannot enter here yet." in markup(client.get(PAGE))
    data = {"is_open": "on", "is_public": "on", "closes_at": "", "limit": "", "opened_version": ""}
    client.post(PAGE, data)
    assert (EntryList.objects.get().is_open, EntryList.objects.get().limit) == (True, None)


def test_entries_of_submitted_results_are_shown_without_buttons(client, event):
    entry = enter_player(event, make_player("Ada"))
    Event.objects.update(state="submitted")
    page = markup(client.get(PAGE))
    assert ("Ada" in page, 'value="remove"' in page, "Settings" in page) == (True, False, False)
    assert do(client, entry, "remove").status_code == 403


def test_deleting_an_event_names_its_entries(client, event):
    enter_player(event, make_player("Ada"))
    assert "entries of players: 1" in markup(client.get("/organise/events/CUP/delete/"))


def test_unknown_button_and_entry_of_another_event_are_refused(client, event):
    entry = enter_player(event, make_player("Ada"))
    other = make_event("Open", "2024-07-01", state="draft", public_id="OPEN", created_by=event.created_by)
    assert do(client, entry, "nothing").status_code == 422
    assert client.post(f"/organise/events/OPEN/entries/{entry.pk}/", {"do": "remove"}).status_code == 404
    assert (client.get(f"{PAGE}{entry.pk}/").status_code, client.get(f"{PAGE}add/").status_code) == (405, 405)
    assert other.player_entries.count() == 0
    assert states(event) == {"Ada": "confirmed"}


def test_desk_says_how_many_entries_wait(client, event):
    sent(event)
    sent(event, "Brand")
    page = markup(client.get("/organise/"))
    assert ("2 entries" in page, f'href="{PAGE}"' in page) == (True, True)
    assert "0 players entered, 2 wait for your confirmation." in page
    enter_player(event, make_player("Ada"))
    page = markup(client.get("/organise/"))
    assert ("with ids and 3 rounds" in page, "/organise/events/CUP/template.csv" in page) == (True, True)


def test_number_of_queries_does_not_depend_on_the_number_of_entries(
    client, event, fesa, rate_all, django_assert_max_num_queries
):
    EntryList.objects.update(limit=20)

    def enter(numbers):
        for number in numbers:
            player = make_player(f"Player {number}")
            give_rating(fesa, player, 1500)
            enter_player(event, player)
            sent(event, f"Plaier {number}")
        rate_all()

    enter(range(2))
    client.get(PAGE)  # later requests know the content types
    with django_assert_max_num_queries(60) as few:
        client.get(PAGE)
    enter(range(2, 12))
    with django_assert_max_num_queries(60) as many:
        client.get(PAGE)
    assert len(few) == len(many)


def rows_of_sheet(data):
    lines = openpyxl.load_workbook(io.BytesIO(data)).active.values
    return [list(line) for line in lines if not str(line[0]).startswith("#")]


def test_template_has_the_entered_players_their_ids_and_the_rounds_of_the_event(client, event, fesa, rate_all):
    for family, rating in (("Weak", 1200), ("Strong", 1800)):
        player = make_player(family, "A", public_id=family.upper())
        give_rating(fesa, player, rating)
        enter_player(event, player)
    rate_all()
    EntryList.objects.update(limit=3)
    client.post(f"{PAGE}add/", {"family_name": "New", "given_name": "N", "country": "BE"})
    response = client.get("/organise/events/CUP/template.csv")
    assert response.headers["Content-Disposition"] == 'attachment; filename="CUP.csv"'
    lines = [line for line in response.content.decode("utf-8-sig").splitlines() if line[:1] not in '#"']
    assert lines[-4:] == [
        "Nr,Player ID,Last name,First name,Country,New,MM,1,2,3,Points",
        "1,STRONG,Strong,A,FR,,",
        "2,WEAK,Weak,A,FR,,",
        "3,,New,N,BE,N,",
    ]
    assert lines[:3] == ["Event,Cup", "First day,2024-06-01", "Last day,2024-06-01"]
    rows = rows_of_sheet(client.get("/organise/events/CUP/template.xlsx").content)
    assert rows[-3][:4] == [1, "STRONG", "Strong", "A"]
    assert client.get("/organise/events/CUP/template.pdf").status_code == 404


def filled(template, *results):
    """Return a template with the results of its rows."""
    lines = template.rstrip("\n").split("\n")
    head, rows = lines[: -len(results)], lines[-len(results) :]
    return "\n".join([*head, *(f"{row},{cells}," for row, cells in zip(rows, results, strict=True))])


def upload(client, text):
    return client.post("/organise/events/CUP/results/", {"text": text})


def test_uploading_the_filled_template_again_replaces_the_draft(client, event):
    """Two namesakes are told apart by their ids."""
    for number in (1, 2):
        enter_player(event, make_player("Same", "Name", public_id=f"SAME{number}"))
    template = client.get("/organise/events/CUP/template.csv").content.decode("utf-8-sig")
    with time_machine.travel("2024-06-02 12:00"):
        client.force_login(event.created_by)
        assert upload(client, filled(template, "2+,2-,2=", "1-,1+,1=")).status_code == 302
        first = event.submissions.get()
        content = content_from_json(first.content)
        assert (content.rounds, [row.player for row in content.rows]) == (3, ["SAME1", "SAME2"])
        upload(client, filled(template, "2+,2+,2=", "1-,1-,1="))
    first.refresh_from_db()
    second = event.submissions.get(state=Submission.State.WORKING)
    assert (first.state, first.replaced_by) == ("deleted", second)
    assert [row.cells for row in content_from_json(second.content).rows] == [["2+", "2+", "2="], ["1-", "1-", "1="]]


def test_name_counts_where_a_row_has_the_id_of_another_player(client, event):
    for family in ("Adler", "Brand"):
        enter_player(event, make_player(family, "X", public_id=family.upper()))
    make_player("Capek", "Jan", public_id="JAN")
    template = client.get("/organise/events/CUP/template.csv").content.decode("utf-8-sig")
    changed = template.replace("BRAND,Brand,X", "BRAND,Capek,Jan").replace("ADLER,Adler", "NONE,Adler")
    with time_machine.travel("2024-06-02 12:00"):
        client.force_login(event.created_by)
        response = upload(client, filled(changed, "2+,2-,2=", "1-,1+,1="))
        checked = client.get(response.url).context["checked"]
    assert [player.public_id for player in checked.players.values()] == ["ADLER", "JAN"]


def test_crosstable_to_type_has_the_entered_players_and_the_rounds_of_the_event(client, event):
    for family in ("Adler", "Brand"):
        enter_player(event, make_player(family, "X", public_id=family.upper()))
    page = markup(client.get("/organise/events/CUP/"))
    assert ('name="rounds" value="3"' in page, "/organise/events/CUP/template.xlsx" in page) == (True, True)
    client.post("/organise/events/CUP/results/", {"blank": "1", "players": "4", "rounds": "3", "entered": "1"})
    content = content_from_json(event.submissions.get().content)
    assert [(row.player, row.name) for row in content.rows] == [
        ("ADLER", "Adler X"), ("BRAND", "Brand X"), ("", ""), ("", ""),
    ]  # fmt: skip

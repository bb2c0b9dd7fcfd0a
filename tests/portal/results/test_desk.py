"""The desks: where sign-in leads, what waits, accepting several events, reminding, and the search over all events."""

import datetime as dt
import re

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.results.organiser_tasks import find_schedule_line
from portal.results.views import desk as views
from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.results.hall.halls import start_hall
from ratings.domain.results.hall.pairing import save_typed_pairings
from ratings.domain.results.submitting import announce_event
from ratings.domain.results.summaries import save_summary
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.localize import format_day
from ratings.models import Club, EntryList, Event, EventEntry, EventStep, RatingList, Report, Submission
from ratings.queries.players import duplicates
from ratings.queries.results.workflow import page_version
from tests.domain.results.hall.halls import EVA, TIM, make_hall, tap
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

from .way import CLEAN, accepted, act, make_waiting_event, paste, person, read_headings, save

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def clean_event(client, event, players):
    """An event with submitted results that need no question."""
    paste(client, event, CLEAN)
    act(client, event, "submit")
    save_summary(event.pk)
    return Event.objects.get(pk=event.pk)


def choose(event, **more):
    return {"event": [event.public_id], f"version-{event.public_id}": page_version(event), **more}


@pytest.mark.parametrize(
    ("group", "address"),
    [
        (OFFICERS, "/organise/desk/"),
        (ORGANISERS, "/organise/"),
        (APPROVERS, "/organise/approvals/"),
        ("", "/me/"),
    ],
)
def test_sign_in_leads_to_the_page_of_ones_own_work(group, address, client):
    client.force_login(person("somebody", group))
    assert client.get("/desk/").url == address


def test_visitor_signs_in_before_the_desk(client):
    assert client.get("/desk/").url == "/accounts/login/?next=/desk/"
    assert client.get("/organise/desk/").url == "/accounts/login/?next=/organise/desk/"


def test_organiser_does_not_see_the_officers_desk(client, organiser):
    assert client.get("/organise/desk/").status_code == 403
    assert client.post("/organise/desk/accept/").status_code == 403
    assert client.get("/organise/events/").status_code == 403


def test_public_pages_lead_to_the_desk(client, organiser):
    assert '<a href="/desk/">Desk</a>' in client.get("/").text
    client.logout()
    assert "/desk/" not in client.get("/").text


def test_desk_chooses_only_events_without_questions(client, clean_event, players, officer, fesa):
    make_waiting_event("Winter Cup", fesa, warnings=[[1, None, "played twice", "it was so"]])
    client.force_login(officer)
    response = client.get("/organise/desk/")
    lines = {line.event.name: line for line in response.context["lines"]}
    assert lines[clean_event.name].is_clean
    assert lines["Winter Cup"].oddities[-1] == ("1 answered question", False)
    assert response.context["choice"].events == [clean_event.public_id]
    assert response.context["lede"].startswith("2 events wait for you.")


def test_event_without_a_summary_is_not_chosen(client, event, players, officer):
    paste(client, event, CLEAN)
    act(client, event, "submit")
    EventStep.objects.filter(event=event).update(data={})
    client.force_login(officer)
    response = client.get("/organise/desk/")
    assert (response.context["choice"].events, len(response.context["lines"])) == ([], 1)
    assert "The summary is being computed." in response.text


def test_desk_counts_the_grades_that_the_page_of_announcements_offers(client, officer, rate_all):
    for slug, options in (("kept", {"corrections": "kept"}), ("revised", {"corrections": "revised"})):
        rating_list = make_list(slug, options=options)
        player, opponent = make_player("Riser"), make_player("Opponent")
        give_rating(rating_list, player, 1799, grade="1 Kyu")
        give_rating(rating_list, opponent, 2000, grade="3 Dan")
        make_table(rating_list, [player, opponent], [(1, 1, 2, 1.0)], "2024-05-04", event_name=f"Cup of {slug}")
    rate_all()
    client.force_login(officer)
    offered = client.get("/organise/grades/").context["open"]
    assert {rating_list.slug: len(awards) for rating_list, awards in offered.items()} == {"kept": 1}
    assert client.get("/organise/desk/").context["counts"]["announcements"] == 1


def test_headings_of_the_desks_have_counts(client, clean_event, officer, fesa):
    """Names every heading: one without its count fails. Groups of links in the side list have counts in each line."""
    links = ["Waits for you", "Waits for others", "Set up"]
    assert read_headings(client.get("/organise/")) == [
        "Upload results", "Events 1", "With the officer 1", "Templates 1"
    ]  # fmt: skip
    late(fesa, created_by=clean_event.created_by)
    assert read_headings(client.get("/organise/")) == [
        "To do 1 most urgent first", "Upload results", "Events 2", "With the officer 1", "Templates 1"
    ]  # fmt: skip
    assert read_headings(client.get(f"/organise/events/{clean_event.public_id}/history/"))[:1] == ["Steps 2"]
    client.force_login(officer)
    assert read_headings(client.get("/organise/desk/")) == [
        *links, "Results to accept 1 oldest first", "Late results 1", "Accepted lately 0 All accepted events"
    ]  # fmt: skip
    assert read_headings(client.get("/organise/duplicates/")) == ["Possible duplicates 0"]
    Report.objects.create(event=clean_event, text="Round 2 is swapped.")
    headings = read_headings(client.get("/organise/queue/"))
    assert headings == [
        "Queue 1", *links, "Autumn Cup", "Reported errors 1", "Import starting ratings into a list 1"
    ]  # fmt: skip
    client.force_login(person("approver", APPROVERS))
    assert read_headings(client.get("/organise/approvals/"))[:1] == ["Grades to be approved 0"]


def test_headings_of_uploaded_files_have_counts(client, organiser):
    file = SimpleUploadedFile("cup.txt", CLEAN.encode())
    batch = client.post("/organise/files/", {"uploads": [file]}).url
    assert read_headings(client.get("/organise/files/")) == ["Results of events", "Uploaded files 1"]
    assert "Files 1 what needs you comes first" in read_headings(client.get(batch))
    assert "Uploaded files 1" in read_headings(client.get("/organise/"))


def test_side_list_counts_possible_duplicates(client, officer):
    def read_count():
        return client.get("/organise/desk/").context["counts"]["duplicates"]

    client.force_login(officer)
    assert read_count() == 0
    make_player("Adler", "Zoe")
    make_player("Adler", "Zoë")
    assert read_count() == 0  # cached
    assert read_headings(client.get("/organise/duplicates/")) == ["Possible duplicates 1"]
    assert read_count() == 1
    assert re.search(r'Possible duplicates\s*<span class="count">1</span>', markup(client.get("/organise/desk/")))


def test_side_list_counts_no_duplicates_among_too_many_players(client, officer, players, monkeypatch):
    monkeypatch.setattr(duplicates, "MAX_COUNTED", 2)
    client.force_login(officer)
    page = client.get("/organise/desk/")
    assert page.context["counts"]["duplicates"] is None
    assert re.search(r'<a href="/organise/duplicates/">Possible duplicates\s*</a>', markup(page))


def test_organiser_sees_how_long_results_have_waited(client, clean_event):
    clean_event.steps.filter(what="submitted").update(at=timezone.now() - dt.timedelta(days=5))
    aside = markup(client.get("/organise/")).partition("<aside>")[2]
    assert "Waiting for 5 days." in aside
    assert f'href="/organise/events/{clean_event.public_id}/history/"' in aside


@pytest.mark.parametrize("count", [1, 4])
def test_desk_takes_as_many_queries_for_many_events_as_for_one(count, client, officer, fesa):
    for number in range(count):
        make_waiting_event(f"Cup {number}", fesa)
    client.force_login(officer)
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get("/organise/desk/").context["lines"]) == count
    assert len(queries) == 27  # two count possible duplicates, once in ten minutes


def test_chosen_events_are_accepted_after_one_question(client, clean_event, officer):
    client.force_login(officer)
    asked = client.post("/organise/desk/accept/", choose(clean_event))
    totals = asked.context["totals"]
    assert (totals.events, totals.players, totals.new) == (1, 3, 0)
    assert Event.objects.get(pk=clean_event.pk).state == "submitted"
    assert client.post("/organise/desk/accept/", choose(clean_event, confirmed="1")).url == "/organise/desk/"
    assert Event.objects.get(pk=clean_event.pk).state == "accepted"
    page = client.get("/organise/desk/")
    assert f"Accepted: {clean_event}." in page.text
    assert [line.event.pk for line in page.context["lines"]] == []
    assert [event.pk for event, _ in page.context["accepted"]] == [clean_event.pk]


def test_all_events_that_were_accepted_together_are_listed(client, clean_event, organiser, officer, fesa, monkeypatch):
    events = [clean_event, make_rival_event(client, organiser, fesa)]
    monkeypatch.setattr(views, "LATELY", 1)
    client.force_login(officer)
    data = choose(events[0]) | choose(events[1]) | {"event": [event.public_id for event in events], "confirmed": "1"}
    address = client.post("/organise/desk/accept/", data).url
    assert address == "/organise/desk/?accepted=2"
    page = client.get(address)
    assert "Each can be undone in the table “Accepted lately”." in page.text
    assert [event.pk for event, _changed in page.context["accepted"]] == [events[1].pk, events[0].pk]
    assert f'href="/organise/events/{clean_event.public_id}/history/">Undo or void</a>' in markup(page)
    assert [len(client.get(f"/organise/desk/{query}").context["accepted"]) for query in ("", "?accepted=x²")] == [1, 1]


def test_desk_of_imported_events_does_not_say_that_nothing_was_accepted(client, officer, fesa):
    make_event("Imported", "2020-05-04", [fesa])
    client.force_login(officer)
    page = client.get("/organise/desk/")
    assert (page.context["accepted"], "No event was accepted here lately." in page.text) == ([], True)


def make_waiting_choice(fesa):
    """Make a clean event, one with an answered question, and one that cannot be accepted."""
    clean = make_waiting_event("Clean Cup", fesa)
    odd = make_waiting_event("Odd Cup", fesa, warnings=[[1, None, "played twice", "it was so"]])
    make_waiting_event("Open Cup", fesa, warnings=[[1, None, "played twice", ""]])
    return clean.public_id, odd.public_id


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ([0], "1 event is selected: no errors, no open questions, nothing odd.", ["all", "none"])),
        ("?choose=x", ([0], "1 event is selected: no errors, no open questions, nothing odd.", ["all", "none"])),
        ("?choose=all", ([0, 1], "All 2 events that can be accepted are selected, also those with something to look at.",
                         ["clean", "none"])),
        ("?choose=none", ([], "No event is selected.", ["clean", "all"])),
    ],
)  # fmt: skip
def test_links_choose_waiting_events(query, expected, client, officer, fesa):
    chosen, sentence, links = expected
    ids = make_waiting_choice(fesa)
    client.force_login(officer)
    page = client.get(f"/organise/desk/{query}")
    assert sorted(page.context["choice"].events) == sorted(ids[number] for number in chosen)
    text = markup(page)
    ticks = re.findall(r'value="(\w+)" aria-label="[^"]*" checked', text)
    assert sorted(ticks) == sorted(page.context["choice"].events)
    assert sentence in text
    assert re.findall(r'href="/organise/desk/\?choose=(\w+)#results"', text) == links


@pytest.mark.parametrize(
    ("count", "label"), [(1, "Accept the selected event …"), (3, "Accept the selected events (3 waiting) …")]
)
def test_button_to_accept_says_how_many_events_wait(count, label, client, officer, fesa):
    for number in range(count):
        make_waiting_event(f"Cup {number}", fesa)
    client.force_login(officer)
    button = re.search(r"<button data-chosen.*?</button>", markup(client.get("/organise/desk/")))[0]
    assert f"<span>{label}</span>" in button
    assert 'data-one="Accept 1 selected event …" data-many="Accept {count} selected events …"' in button


def test_desk_offers_no_choice_of_all_events_if_all_are_chosen(client, officer, fesa):
    for number in range(3):
        make_waiting_event(f"Cup {number}", fesa)
    client.force_login(officer)
    text = markup(client.get("/organise/desk/"))
    assert "3 events are selected: no errors, no open questions, nothing odd." in text
    assert re.findall(r"choose=(\w+)#results", text) == ["none"]


def test_accepting_twice_says_that_nothing_waits(client, clean_event, officer):
    client.force_login(officer)
    data = choose(clean_event, confirmed="1")
    client.post("/organise/desk/accept/", data)
    again = client.post("/organise/desk/accept/", data)
    assert (again.status_code, "Nothing was done: the chosen events no longer wait." in again.text) == (422, True)
    assert "Choose at least one event." in client.post("/organise/desk/accept/").text
    assert EventStep.objects.filter(event=clean_event, what="accepted").count() == 1


def test_event_that_changed_since_stays_and_is_named(client, clean_event, officer):
    client.force_login(officer)
    data = choose(clean_event, confirmed="1")
    EventStep.objects.create(event=clean_event, what=EventStep.What.SHARED)
    response = client.post("/organise/desk/accept/", data)
    assert response.status_code == 422
    assert f"{clean_event}: Nothing was done: this event has been changed" in response.text
    assert response.context["choice"].events == [clean_event.public_id]
    assert Event.objects.get(pk=clean_event.pk).state == "submitted"


def test_officer_of_another_list_cannot_accept(client, clean_event, fesa):
    other = person("other", OFFICERS)
    fesa.officers.add(person("named", OFFICERS))
    client.force_login(other)
    assert client.post("/organise/desk/accept/", choose(clean_event, confirmed="1")).status_code == 422
    assert Event.objects.get(pk=clean_event.pk).state == "submitted"


def make_rival_event(client, organiser, fesa):
    """Make a later event of the same players with submitted results, whose winner is another player."""
    later = make_event("Winter Cup", "2024-06-08", [fesa], created_by=organiser, state="draft")
    paste(client, later, CLEAN.replace("Autumn Cup", "Winter Cup").replace("2024-05-04", "2024-06-08"))
    act(client, later, "submit")
    save_summary(later.pk)
    return Event.objects.get(pk=later.pk)


def test_chosen_events_are_previewed_together(client, clean_event, organiser, officer, fesa, rate_all):
    later = make_rival_event(client, organiser, fesa)
    client.force_login(officer)
    both = choose(clean_event) | choose(later) | {"event": [clean_event.public_id, later.public_id]}
    before = EventStep.objects.count()
    page = client.post("/organise/desk/preview/", both)
    text = " ".join(markup(page).split())
    assert page.status_code == 200
    assert "<h1>Preview of 2 events</h1>" in text
    (shown,) = page.context["previews"]
    assert (shown.rating_list, shown.tables) == (fesa, 2)
    assert [line.event for line, _version in page.context["rows"]] == [clean_event, later]
    assert 'action="/organise/desk/accept/"' in text
    assert f'name="version-{later.public_id}" value="{page_version(later)}"' in text
    assert (EventStep.objects.count(), Event.objects.filter(state="submitted").count()) == (before, 2)
    alone = client.post(f"/organise/events/{clean_event.public_id}/preview/").context["previews"][0]
    changes = {moved.player.public_id: (moved.before, moved.after) for moved in alone.moved}
    together = {moved.player.public_id: (moved.before, moved.after) for moved in shown.moved}
    assert together.keys() == changes.keys()
    assert together != changes
    assert client.post("/organise/desk/accept/", both | {"confirmed": "1"}).status_code == 302
    rate_all()
    now = dict(fesa.standings.values_list("player__public_id", "rating"))
    assert {player: after for player, (_before, after) in together.items()} == pytest.approx(now)


def test_preview_of_one_chosen_event_equals_its_own_preview(client, clean_event, officer):
    client.force_login(officer)
    together = client.post("/organise/desk/preview/", choose(clean_event)).context["previews"]
    alone = client.post(f"/organise/events/{clean_event.public_id}/preview/").context["previews"]
    assert [preview.moved for preview in together] == [preview.moved for preview in alone]


def test_preview_of_no_event_asks_for_a_choice(client, clean_event, officer):
    client.force_login(officer)
    page = client.post("/organise/desk/preview/")
    assert (page.status_code, "Choose at least one event." in page.text) == (422, True)
    assert client.post("/organise/desk/preview/", {"event": ["x"]}).status_code == 422
    assert client.get("/organise/desk/preview/").status_code == 405


def test_preview_names_the_event_that_cannot_be_accepted_and_keeps_the_ticks(client, clean_event, officer):
    submission = clean_event.submissions.get()
    submission.content["rows"][0]["cells"] = ["3+", "2+"]
    submission.save()
    client.force_login(officer)
    page = client.post("/organise/desk/preview/", choose(clean_event))
    assert (page.status_code, page.context["choice"].events) == (422, [clean_event.public_id])
    assert "Autumn Cup: fix the errors, and confirm each warning." in page.text
    assert Event.objects.get(pk=clean_event.pk).state == "submitted"


@pytest.mark.parametrize("group", [ORGANISERS, APPROVERS])
def test_preview_of_several_events_is_for_officers(group, client, clean_event):
    client.force_login(person("stranger", group))
    assert client.post("/organise/desk/preview/", choose(clean_event)).status_code == 403


def test_accepting_needs_a_form(client, officer):
    client.force_login(officer)
    assert client.get("/organise/desk/accept/").status_code == 405


def test_next_waiting_event_opens_after_accepting_one(client, clean_event, players, officer, fesa):
    following = make_waiting_event("Winter Cup", fesa)
    client.force_login(officer)
    response = act(client, clean_event, "accept")
    step = EventStep.objects.get(event=clean_event, what="accepted")
    assert response.url == f"/organise/events/{following.public_id}/?done={step.pk}"


def test_accepted_event_stays_open_if_no_other_waits(client, clean_event, officer):
    client.force_login(officer)
    response = act(client, clean_event, "accept")
    step = EventStep.objects.get(event=clean_event, what="accepted")
    assert response.url == f"/organise/events/{clean_event.public_id}/?done={step.pk}"


def late(fesa, days=20, **fields):
    end = timezone.now().date() - dt.timedelta(days)
    fesa.results_within = 14
    fesa.save()
    return make_event("Forgotten Cup", f"{end}", [fesa], state="draft", **fields)


def test_late_results_stand_on_the_desk_until_they_come(client, officer, fesa):
    event = late(fesa)
    client.force_login(officer)
    assert [late.event.pk for late in client.get("/organise/desk/").context["late"]] == [event.pk]
    fesa.results_within = 30
    fesa.save()
    assert client.get("/organise/desk/").context["late"] == []


def test_officer_reminds_the_organisers_once_a_day(client, officer, fesa, mailoutbox):
    event = late(fesa, created_by=person("forgetful", ORGANISERS))
    client.force_login(officer)
    address = f"/organise/events/{event.public_id}/remind/"
    assert client.post(address).url == "/organise/desk/"
    assert "Forgotten Cup: the organisers receive an email." in client.get("/organise/desk/").text
    client.post(address)
    assert "The organisers were reminded today." in client.get("/organise/desk/").text
    assert list(event.steps.values_list("what", "by__username")) == [("reminded", "officer")]


def test_reminding_is_refused_where_nothing_is_late(client, officer, event):
    client.force_login(officer)
    client.post(f"/organise/events/{event.public_id}/remind/")
    assert "The results of this event are not late." in client.get("/organise/desk/").text
    assert not event.steps.filter(what="reminded").exists()


def test_organiser_cannot_remind(client, organiser, fesa):
    event = late(fesa, created_by=organiser)
    address = f"/organise/events/{event.public_id}/remind/"
    assert client.get(address).status_code == 405
    assert client.post(address).status_code == 403
    assert client.post("/organise/events/NONE/remind/").status_code == 404


def test_search_finds_events_in_any_state(client, officer, fesa):
    draft = make_event("Spring Open", "2024-03-02", [fesa], place="Lyon", created_by=person("moreau", ORGANISERS))
    void = make_event("Autumn Open", "2023-10-01", [fesa], state=Event.State.VOID)
    make_event("Autumn Open", "2023-11-01", [make_list("closed")])
    client.force_login(officer)

    def find(query):
        return [event.pk for event in client.get(f"/organise/events/?{query}").context["page"]]

    assert find("q=lyon") == find("q=MOREAU") == [draft.pk]
    assert void.pk in find("q=autumn&state=void")
    assert draft.pk not in find("state=void")
    assert find("q=nothing+like+this") == []
    assert draft.pk in find("state=impossible&page=99")


def test_search_finds_events_by_a_player(client, event, players, officer):
    accepted(client, event, officer)
    client.force_login(officer)
    assert [found.pk for found in client.get("/organise/events/?q=adler+zoe").context["page"]] == [event.pk]


def test_search_finds_events_by_a_player_of_results_that_are_not_accepted(client, event, players, officer, fesa):
    row = SheetRow("Nowak", "Jürgen", new=True)
    chosen = SheetRow("Capeck", "J.", player=players[2].public_id)  # typed wrongly, and chosen
    drafts = {state: make_event(f"{state} Cup", lists=[fesa], state="draft") for state in Submission.State.values}
    for state, draft in drafts.items():
        content = SheetContent(1, [row, chosen]).to_json()
        Submission.objects.create(
            event=draft, first_day=draft.start, last_day=draft.end, state=state, content=content,
            deleted_at=timezone.now() if state == "deleted" else None,
        )  # fmt: skip
    elsewhere = make_event("Other Cup", lists=[make_list("closed", name="Closed")], state="draft")
    Submission.objects.create(
        event=elsewhere, first_day=elsewhere.start, last_day=elsewhere.end, content=SheetContent(1, [row]).to_json()
    )
    closed = RatingList.objects.get(slug="closed")
    closed.officers.add(person("another", OFFICERS))
    client.force_login(officer)

    def find(query):
        return {found.name for found in client.get(f"/organise/events/?q={query}").context["page"]}

    in_work = {f"{state} Cup" for state in ("working", "submitted", "returned")}
    assert (find("jurgen+now"), find("čapek"), find("capeck")) == (in_work, in_work, in_work)
    assert (find("owak+j"), find("ürgen+no"), find("urgen+ak")) == (in_work, in_work, set())
    assert client.get("/organise/events/?q=nowak&state=accepted").context["page"].object_list.count() == 0


@pytest.mark.parametrize("count", [1, 4])
def test_search_takes_as_many_queries_for_many_events_as_for_one(
    count, client, officer, fesa, django_assert_num_queries
):
    for number in range(count):
        event = make_event(f"Cup {number}", lists=[fesa], state="draft")
        content = SheetContent(1, [SheetRow("Nowak", "Ida", new=True)]).to_json()
        Submission.objects.create(event=event, first_day=event.start, last_day=event.end, content=content)
    client.force_login(officer)
    with django_assert_num_queries(9):
        assert len(client.get("/organise/events/?q=nowak").context["page"]) == count


def test_officers_find_the_managing_page_from_public_pages(client, event, players, officer, fesa):
    accepted(client, event, officer)
    event.refresh_from_db()
    player = players[0]
    for page, address in (
        (event.get_absolute_url(), f"/organise/events/{event.public_id}/"),
        (player.get_absolute_url(), f"/organise/players/{player.public_id}/history/"),
    ):
        client.force_login(officer)
        assert f'<a href="{address}"' in client.get(page, follow=True).text
        client.force_login(person(f"stranger{player.pk}{len(address)}", ""))
        assert f'<a href="{address}"' not in client.get(page, follow=True).text


def test_organisers_find_the_managing_page_of_an_announced_event(client, event):
    announce_event(event)
    for user, is_shown in ((event.created_by, True), (person("stranger", ""), False)):
        client.force_login(user)
        page = client.get(event.get_absolute_url()).text
        assert (f'<a href="/organise/events/{event.public_id}/"' in page) is is_shown
        assert "Report an error" not in page


def test_officers_find_the_managing_page_from_clubs_and_reports(client, event, players, officer):
    accepted(client, event, officer)
    club = Club.objects.create(name="Lyon Shogi")
    report = Report.objects.create(event=event, text="Round 2 is swapped.")
    for page, address in (
        (club.get_absolute_url(), f"/admin/ratings/club/{club.pk}/change/"),
        (f"/reports/{report.public_id}/", f"/organise/events/{event.public_id}/"),
    ):
        client.force_login(officer)
        assert f'<a href="{address}"' in client.get(page).text
        client.logout()
        assert f'<a href="{address}"' not in client.get(page).text


@time_machine.travel("24 Nov 2026 12:00", tick=False)
def test_desk_says_when_the_next_list_closes(client, officer, fesa):
    client.force_login(officer)
    assert client.get("/organise/desk/").context["closing"] is None
    fesa.publish_on = "12-01"
    fesa.save()
    page = client.get("/organise/desk/")
    assert page.context["lede"] == "Nothing waits for you. FESA closes in 7 days."
    assert "<dt>FESA closes</dt><dd>1 Dec 2026 <small>in 7 days</small>" in markup(page)


@time_machine.travel("24 Nov 2026 12:00", tick=False)
def test_empty_desks_say_the_last_step_and_the_closing_day(client, organiser, officer, event, fesa):
    fesa.publish_on = "12-01"
    fesa.save()
    Event.objects.update(state=Event.State.ACCEPTED)
    with time_machine.travel("20 Nov 2026 12:00", tick=False):
        EventStep.objects.create(event=event, what="submitted", by=organiser)
        EventStep.objects.create(event=event, what="accepted", by=officer)
    text = "Nothing waits for you. Your last step was on 20 Nov 2026: Autumn Cup, {}. FESA closes in 7 days."
    assert text.format("submitted") in " ".join(markup(client.get("/organise/")).split())
    client.force_login(officer)
    assert client.get("/organise/desk/").context["lede"] == text.format("accepted")


def read_tasks(client, address="/organise/"):
    return [(task.tag, task.event.name, task.sentence, task.button) for task in client.get(address).context["tasks"]]


def test_task_of_a_draft_names_its_first_error(client, event, players):
    paste(client, event, CLEAN.replace("[1- 3+]", "[1+ 3+]"))
    with time_machine.travel("2024-05-08 12:00", tick=False):
        ((tag, name, sentence, button),) = read_tasks(client)
    assert (tag, name, button) == ("1 error", "Autumn Cup", "Fix the error")
    assert sentence == "Round 1: Adler Zoë and Bauer Max both won."


def test_task_of_a_draft_says_what_the_last_check_found(client, event, players, fesa):
    def read_task(**report):
        event.submissions.update(report=report)
        with time_machine.travel("2024-05-08 12:00", tick=False):
            ((tag, _name, sentence, button),) = read_tasks(client)
        return tag, sentence, button

    fesa.results_within = 14
    fesa.save()
    paste(client, event, CLEAN)
    due = "The results are due on 18 May 2024."
    found = [["key", 2, "played twice"]]
    assert read_task(ready=True) == ("Ready", f"The results have no errors and no open questions. {due}", "Submit")
    assert read_task(questions=found) == ("1 question", f"Bauer Max: played twice. {due}", "Check")
    assert read_task(open=2) == ("2 names to check", f"2 names to check. {due}", "Check")
    earlier = "1 error, 1 question"
    assert read_task(errors=1, questions=found) == ("1 error", f"{earlier}. {due}", "Fix the error")
    table = [[None, None, "too many rounds"]]
    assert read_task(errors=2, first_error=table) == ("2 errors", f"Too many rounds. {due}", "Fix the errors")
    event.submissions.update(version=7)
    assert read_task(errors=1) == ("Draft", due, "Check")


def test_late_drafts_leave_room_for_entries_to_confirm(client, organiser, fesa):
    fesa.results_within = 14
    fesa.save()
    today = timezone.now().date()
    for number in range(9):
        make_event(
            f"Late {number}", f"{today - dt.timedelta(40 - number)}", [fesa], created_by=organiser, state="draft"
        )
    for days in (9, 5):
        coming = make_event(f"In {days}", f"{today + dt.timedelta(days)}", [fesa], created_by=organiser, state="draft")
        EntryList.objects.create(event=coming)
        EventEntry.objects.create(event=coming, player=make_player(f"Ada {days}"), state="asked")
    page = client.get("/organise/")
    assert [task.event.name for task in page.context["tasks"]] == [
        "Late 0", "Late 1", "Late 2", "Late 3", "Late 4", "Late 5", "In 5", "In 9"
    ]  # fmt: skip
    text = markup(page)
    assert '<span class="count">11</span>' in text
    assert "11 things to do." in text
    assert '<a href="?tasks=all">Show all 11 things to do</a>' in text
    everything = client.get("/organise/?tasks=all")
    assert len(everything.context["tasks"]) == 11
    assert 'href="?tasks=all"' not in everything.text


def test_organiser_sees_what_to_do_next(client, organiser, fesa):
    fesa.results_within = 14
    fesa.save()
    today = timezone.now().date()
    make_event("Played", f"{today}", [fesa], created_by=organiser, state="draft")
    returned = make_event("Returned", f"{today - dt.timedelta(3)}", [fesa], created_by=organiser, state="returned")
    EventStep.objects.create(event=returned, what="returned", note="Who won in round 2?")
    make_event("Missing", f"{today - dt.timedelta(30)}", [fesa], created_by=organiser, state="draft")
    make_event("Coming", f"{today + dt.timedelta(30)}", [fesa], created_by=organiser, state="draft")
    make_event("Long ago", "2015-01-01", [fesa], created_by=organiser, state="draft")
    response = client.get("/organise/")
    tasks = [(task.tag, task.event.name, task.sentence, task.quote) for task in response.context["tasks"]]
    due = [today - dt.timedelta(3) + dt.timedelta(14), today - dt.timedelta(30) + dt.timedelta(14)]
    assert tasks == [
        ("Today", "Played", "The event is being played.", ""),
        ("Sent back", "Returned", f"The results are due on {format_day(due[0])}.", "Who won in round 2?"),
        ("Late", "Missing", f"The results were due on {format_day(due[1])}.", ""),
    ]
    assert [(stage, number) for stage, _, number in response.context["stages"]] == [
        ("coming", 1), ("playing", 1), ("draft", 2), ("returned", 1)
    ]  # fmt: skip
    chosen = client.get("/organise/?stage=returned")
    assert [line.event.name for line in chosen.context["page"]] == ["Returned"]
    assert client.get("/organise/?stage=nonsense").context["chosen"] == ""


def read_rows(client):
    return [(row.players, row.standing) for row in client.get("/organise/").context["rows"]]


def test_event_of_today_leads_to_its_hall_with_the_next_round(client, organiser):
    hall = make_hall()
    today = timezone.now().date()
    event = Event.objects.get()
    schedule = "12. 9:00 registration\n9:30 round 1\n13:30 round 2\n13:45 round 2 of the youth"
    Event.objects.update(start=today, end=today, created_by=organiser, schedule=schedule)
    hall_page = f"/hall/{event.public_id}/"

    def task():
        (shown,) = client.get("/organise/").context["tasks"]
        return shown.tag, shown.sentence, shown.button, shown.address, shown.quote

    sentence = "Round 1 of 3: 0 of 2 results. 4 players."
    assert task() == ("Today", sentence, "Enter results", hall_page, "9:30 round 1")
    assert read_rows(client) == [("4", "0 of 3 rounds complete")]
    page = client.get(f"/organise/events/{event.public_id}/")
    assert sentence in page.text
    assert f'href="{hall_page}"' in page.text
    assert page.text.index(hall_page) < page.text.index("Upload results")
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 1, "second")
    tap(hall, TIM, 2, "first")
    assert task()[1] == "Round 1 of 3: 1 of 2 results. 1 board has two different results. 4 players."
    assert read_rows(client) == [("4", "0 of 3 rounds complete, 1 question")]
    hall.boards.all().delete()
    assert task()[1] == "No pairings yet. 4 players."
    hall.delete()
    assert task() == ("Today", "The event is being played.", "Start in the hall", hall_page, "9:30 round 1")
    assert sentence not in client.get(f"/organise/events/{event.public_id}/").text


@pytest.mark.parametrize(
    ("start", "sentence", "lede"),
    [
        (dt.time(9, 30), "Start: today at 09:30.", ""),
        (dt.time(13), "Start: today at 13:00.", "The next one is today at 13:00."),
        (dt.time(19, 30), "Start: tonight at 19:30.", "The next one is tonight at 19:30."),
        (None, "The event is being played.", ""),
    ],
)
def test_desk_says_when_an_event_of_today_starts(start, sentence, lede, client, organiser, fesa):
    Event.objects.filter(pk=make_event("Cup", "2024-05-04", [fesa], created_by=organiser, state="draft").pk).update(
        start_time=start
    )
    with time_machine.travel("2024-05-04 12:00", tick=False):
        page = client.get("/organise/")
    assert [task.sentence for task in page.context["tasks"]] == [sentence]
    assert ("The next one is" in page.text, lede in page.text) == (bool(lede), True)


def test_desk_says_the_start_time_on_the_first_day_only_and_until_the_first_result(client, organiser):
    hall = make_hall()
    Event.objects.update(start="2024-05-04", end="2024-05-05", created_by=organiser, start_time=dt.time(19, 30))

    def sentence(day):
        with time_machine.travel(f"{day} 12:00", tick=False):
            (shown,) = client.get("/organise/").context["tasks"]
        return shown.sentence

    assert sentence("2024-05-04") == "Start: tonight at 19:30. Round 1 of 3: 0 of 2 results. 4 players."
    assert sentence("2024-05-05") == "Round 1 of 3: 0 of 2 results. 4 players."
    with time_machine.travel("2024-05-04 12:00", tick=False):
        assert client.get("/organise/").context["next_start"] == "tonight at 19:30"
        tap(hall, TIM, 1, "first")
        assert client.get("/organise/").context["next_start"] == ""
    assert sentence("2024-05-04") == "Round 1 of 3: 1 of 2 results. 4 players."


@pytest.mark.parametrize(
    ("round_", "line"), [(1, "9:30 round 1"), (2, ""), (3, "14h15 ronde 3"), (4, "15時30分 第4回戦"), (5, "")]
)
def test_schedule_is_quoted_only_if_one_line_has_the_time_of_the_round(round_, line):
    schedule = "9:30 round 1\n13:30 round 2\n13:45 round 2 B\n14h15 ronde 3\n15時30分 第4回戦\nround 5 later"
    event = Event(start=dt.date(2024, 5, 4), end=dt.date(2024, 5, 4), schedule=schedule)
    assert find_schedule_line(event, round_) == line
    event.end = dt.date(2024, 5, 5)
    assert find_schedule_line(event, round_) == ""


def test_desk_leads_to_typing_the_results_of_events_without_any(client, organiser, fesa):
    def read_links():
        zone = markup(client.get("/organise/")).partition("data-dropzone")[2].partition("</form>")[0]
        assert "Type results" in zone
        return re.findall(r'href="([^"]+)"', zone)

    today = timezone.now().date()
    make_event("Coming", f"{today + dt.timedelta(9)}", [fesa], created_by=organiser, state="draft")
    make_event("Long ago", "2015-01-01", [fesa], created_by=organiser, state="draft")
    entered = make_event("Entered", f"{today - dt.timedelta(2)}", [fesa], created_by=organiser, state="draft")
    paste(client, entered, CLEAN)
    assert read_links() == ["/organise/events/new/"]
    missing = make_event("Missing", f"{today - dt.timedelta(3)}", [fesa], created_by=organiser, state="draft")
    page = f"/organise/events/{missing.public_id}/"
    assert read_links() == [f"{page}#type", "/organise/events/new/"]
    assert 'id="type"' in client.get(page).text
    assert "Type results" not in client.get("/organise/files/").text


@pytest.mark.parametrize("count", [1, 5])
def test_organisers_desk_takes_as_many_queries_for_many_events_as_for_one(count, client, organiser, fesa):
    for number in range(count):
        event = make_event(f"Cup {number}", f"{timezone.now().date()}", [fesa], created_by=organiser, state="draft")
        save_typed_pairings(start_hall(event, 3), 1, "Adler, Ina – Brand, Leo")
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get("/organise/").context["tasks"]) == count
    assert len(queries) == 15


def test_names_of_players_are_not_searched_as_patterns(client, officer, fesa):
    make_player("Percent%")
    client.force_login(officer)
    assert list(client.get("/organise/events/?q=%25").context["page"]) == list(
        client.get("/organise/events/").context["page"]
    )


@time_machine.travel("2024-05-05 12:00", tick=False)
def test_organiser_sees_the_first_question_about_a_draft(client, event, players):
    Event.objects.filter(pk=event.pk).update(place="Paris")
    paste(client, event, CLEAN)
    save(client, event.submissions.get())
    page = markup(client.get("/organise/"))
    assert "The file is from Lyon, but the event is in Paris: is it the right file?" in page

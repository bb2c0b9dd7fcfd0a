"""Batches of files: dropped together, recognised, answered, submitted and undone on one page."""

import datetime as dt
import gzip
import json
import re

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import TestCase
from django.utils import timezone

from ratings.domain.results import batch_people, batch_reading
from ratings.domain.results.batch_reading import read_batch, request_late_batches
from ratings.domain.results.batch_splitting import MAX_BATCH_FILES
from ratings.domain.results.draft_reports import store_report
from ratings.domain.results.event_matching import find_known_event
from ratings.domain.results.hall.halls import add_people, start_hall
from ratings.domain.site.retention import delete_expired
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.models import (
    BatchFile,
    Event,
    EventEntry,
    FederationMembership,
    FileBatch,
    Player,
    RatingList,
    Submission,
    Table,
    Upload,
)
from ratings.queries.results.halls import Person
from tests.factories import give_rating, make_event, make_list
from tests.formats.test_archives import make_history, pack
from tests.formats.test_samples import SAMPLES

from .way import CLEAN, act, person

pytestmark = pytest.mark.django_db
SPRING = CLEAN.replace("Autumn Cup", "Spring Cup").replace("2024-05-04", "2024-03-02")
NEW_PLAYERS = "last_name,first_name,country,prior_grade\nAdler,Zoë,FR,3 Kyu\nBauer,Max,DE,\nCapek,Jan,CZ,\n"


def drop(client, files, address="/organise/files/", **more):
    """Send files as the page does; return the response."""
    uploads = [
        SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data) for name, data in files.items()
    ]
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.post(address, {"uploads": uploads, **more})


def get_batch():
    return FileBatch.objects.latest("pk")


def press(client, batch, button, value="1", **more):
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.post(batch.get_absolute_url(), {button: value, **more})


def list_questions(page):
    """Return the questions of a batch's page as (key, place, message)."""
    drafts = page.context["asking"]
    return [(each.key, each.place, each.message) for draft in drafts for each in draft.questions]


def find_ticked(page):
    """Return the keys of the ticked questions."""
    return re.findall(r'name="question"\s+value="([^"]+)" checked', page.text)


def list_files(batch):
    return [(file.name, file.state, file.found) for file in batch.files.all()]


def titles(response):
    return [(line.title, [tag.text for tag in line.tags]) for line in response.context["page"]]


@pytest.fixture
def only_list(organiser, fesa):
    return fesa


def test_file_with_a_header_becomes_a_draft_of_a_new_event(client, players, only_list):
    response = drop(client, {"cup.txt": CLEAN})
    batch = get_batch()
    assert response.url == batch.get_absolute_url()
    assert list_files(batch) == [("cup.txt", "read", "new")]
    event = Event.objects.get()
    facts = (event.name, event.place, str(event.country), event.start, event.end, event.time_control, event.state)
    day = dt.date(2024, 5, 4)
    assert facts == ("Autumn Cup", "Lyon", "FR", day, day, "30min + 30sec", "draft")
    assert [str(rating_list) for rating_list in event.lists.all()] == [str(only_list)]
    page = client.get(batch.get_absolute_url())
    assert titles(page) == [("Autumn Cup", ["New event", "Ready"])]
    assert "Lyon, 4 May 2024, 30min + 30sec. 3 players, 2 rounds, 2 games." in page.text


@pytest.mark.parametrize(("first", "slug"), [(dt.date(2024, 5, 4), "new"), (dt.date(2024, 5, 5), "fesa")])
def test_file_goes_to_the_list_that_rates_its_days(client, players, only_list, first, slug):
    RatingList.objects.filter(pk=only_list.pk).update(successor=make_list("new", begins_on=first))
    drop(client, {"cup.txt": CLEAN})
    assert [rating_list.slug for rating_list in Event.objects.get().lists.all()] == [slug]


def test_file_goes_to_the_only_list_of_half_of_its_players(client, players, only_list, rate_all):
    """So that a clean grid takes no more clicks on a site of several lists."""
    give_rating(make_list("other"), players[0], 1500)
    rate_all()
    drop(client, {"cup.txt": CLEAN})
    assert list(Event.objects.get().lists.all()) == [only_list]
    assert titles(client.get(get_batch().get_absolute_url())) == [("Autumn Cup", ["New event", "Ready"])]


def test_lists_are_asked_where_the_players_are_on_several(client, players, only_list, rate_all):
    other = make_list("other")
    for player in players[:2]:
        give_rating(other, player, 1500)
    rate_all()
    drop(client, {"cup.txt": CLEAN})
    assert not Event.objects.get().lists.exists()


def test_answered_lists_are_those_that_rate_the_days(client, organiser, players):
    old, new = make_list("old"), make_list("new", begins_on=dt.date(2024, 5, 1))
    RatingList.objects.filter(pk=old.pk).update(successor=new)
    make_list("other")
    drop(client, {"autumn.txt": CLEAN, "spring.txt": SPRING})
    assert [event.lists.count() for event in Event.objects.all()] == [0, 0]
    press(client, get_batch(), "answer", lists=[old.pk])
    found = {event.name: [rating_list.slug for rating_list in event.lists.all()] for event in Event.objects.all()}
    assert found == {"Autumn Cup": ["new"], "Spring Cup": ["old"]}


def test_known_event_is_recognised_by_its_name_and_can_be_refused(client, event, players):
    drop(client, {"cup.txt": CLEAN})
    batch = get_batch()
    assert list_files(batch) == [("cup.txt", "read", "recognised")]
    assert batch.files.get().event == event
    press(client, batch, "separate", batch.files.get().pk)
    file = batch.files.get()
    assert (file.state, file.found) == ("read", "new")
    assert file.event != event
    assert [draft.state for draft in event.submissions.all()] == ["deleted"]


TURNED = CLEAN.replace("[2+ 0+] 2", "[2- 0+] 1").replace("[1- 3+] 1", "[1+ 3+] 2")
"""The same games with another result in round 1."""


def test_known_event_is_recognised_by_its_games(client, players, only_list):
    drop(client, {"one.txt": CLEAN.replace("Autumn Cup", "Coupe d’automne")})
    drop(client, {"two.txt": TURNED.replace("Autumn Cup", "Autumn trophy")})
    assert get_batch().files.get().event.name == "Coupe d’automne"


def test_other_games_of_the_same_players_on_one_day_are_another_event(client, players, only_list):
    drop(client, {"cup.txt": CLEAN})
    blitz = CLEAN.replace("Autumn Cup", "Blitz").replace("[2+ 0+] 2", "[3+ 2+] 2").replace("[1- 3+] 1", "[0+ 1-] 1")
    drop(client, {"blitz.txt": blitz.replace("[0- 2-] 0", "[1- 0-] 0")})
    assert get_batch().files.get().found == "new"
    assert Event.objects.count() == 2


def test_announced_event_without_results_is_recognised_by_days_and_place(client, event, players):
    event.place = "Lyon"
    event.save()
    drop(client, {"cup.txt": CLEAN.replace("Autumn Cup", "Coupe")})
    assert get_batch().files.get().event == event


@pytest.mark.parametrize(
    ("state", "names", "found"),
    [
        ("confirmed", ["Adler", "Bauer"], "recognised"),
        ("asked", ["adler", "BAUER"], "recognised"),
        ("confirmed", ["Adler"], "new"),
        ("withdrawn", ["Adler", "Bauer"], "new"),
    ],
)
def test_announced_event_is_recognised_by_its_entered_players(client, event, players, state, names, found):
    given = {"adler": "Zoë", "bauer": "Max"}
    for name in names:
        EventEntry.objects.create(event=event, family_name=name, given_name=given[name.lower()], state=state)
    drop(client, {"cup.txt": CLEAN.replace("Autumn Cup", "Coupe")})
    assert list_files(get_batch()) == [("cup.txt", "read", found)]


def test_announced_event_is_recognised_by_the_known_players_entered(client, event, players):
    for player in players[:2]:
        EventEntry.objects.create(event=event, player=player, state="confirmed")
    drop(client, {"cup.txt": CLEAN.replace("Autumn Cup", "Coupe")})
    assert get_batch().files.get().event == event


def test_announced_event_is_recognised_by_the_people_of_its_hall(client, event, players):
    add_people(start_hall(event, 5), [Person(0, "Adler", "Zoë"), Person(0, "Bauer", "Max")])
    drop(client, {"cup.txt": CLEAN.replace("Autumn Cup", "Coupe")})
    assert get_batch().files.get().event == event


@pytest.mark.parametrize("more", [0, 5])
def test_recognition_needs_the_same_queries_for_any_number_of_events(
    event, organiser, players, more, django_assert_num_queries
):
    for number in range(more):
        other = make_event(f"Other {number}", "2024-05-04", state="draft", created_by=organiser)
        EventEntry.objects.create(event=other, player=players[0], state="confirmed")
    table = read_results_file(CLEAN.encode(), Head("", None, None), dt.date(2026, 1, 1)).table
    find_known_event(organiser, table)  # reads the rights of the user
    with django_assert_num_queries(3):
        assert find_known_event(organiser, table) == event


def test_event_of_somebody_else_is_not_recognised(client, players, only_list):
    make_event("Autumn Cup", start=dt.date(2024, 5, 4), end=dt.date(2024, 5, 4), lists=[only_list])
    drop(client, {"cup.txt": CLEAN})
    assert get_batch().files.get().found == "new"


def test_newer_file_replaces_the_draft_and_undo_restores_it(client, event, players):
    drop(client, {"cup.txt": CLEAN})
    old = event.submissions.get()
    drop(client, {"cup-2.txt": TURNED})
    batch = get_batch()
    page = client.get(batch.get_absolute_url())
    assert [tags[0] for _title, tags in titles(page)] == ["Draft replaced"]
    changes = [(change.round, change.names, change.old, change.new) for change in page.context["page"][0].changes]
    assert changes == [(1, "Adler Zoë – Bauer Max", "1–0", "0–1")]
    press(client, batch, "undo", batch.files.get().pk)
    old.refresh_from_db()
    assert old.state == Submission.State.WORKING
    assert list_files(batch) == [("cup-2.txt", "undone", "")]
    press(client, batch, "again", batch.files.get().pk)
    assert list_files(batch) == [("cup-2.txt", "read", "recognised")]


def test_same_file_twice_is_ignored(client, players, only_list):
    drop(client, {"cup.txt": CLEAN, "copy.txt": CLEAN})
    batch = get_batch()
    assert list_files(batch) == [("cup.txt", "read", "new")]
    response = drop(client, {"again.txt": CLEAN}, batch.get_absolute_url(), add="1")
    assert response.url == batch.get_absolute_url()
    assert list_files(batch) == [("cup.txt", "read", "new")]
    drop(client, {"again.txt": CLEAN})
    assert list_files(get_batch()) == [("again.txt", "known", "recognised")]
    assert Submission.objects.count() == 1


def test_history_says_what_of_it_was_not_read(client, organiser, players, only_list):
    document = json.loads(make_history("2022-01-01", "2022-02-01"))
    document["players"][0]["opening"] = {"rating": 1500, "games": 40, "bonus_games": 40}
    drop(client, {"h.json": json.dumps(document)})
    batch = get_batch()
    states = [("Cup 1 2022-01-01.json", "read"), ("Cup 2 2022-02-01.json", "read"), ("h.json", "failed")]
    assert [(file.name, file.state) for file in batch.files.order_by("pk")] == states
    response = client.get(batch.get_absolute_url())
    line = response.context["page"][0]
    assert (line.title, [tag.text for tag in line.tags]) == (
        "Starting ratings, adjustments and decisions",
        ["For an officer"],
    )
    text = "This history also has starting ratings: 1, adjustments: 0, decisions on grades: 0. A rating officer of the list can accept them"
    assert text in response.text
    assert ('name="again"' in response.text, ">\n  Type results<" in response.text) == (False, False)


def test_archive_and_history_become_one_event_for_each_table(client, organiser, players, only_list):
    drop(
        client,
        {
            "all.zip": pack({"2024/a.txt": CLEAN, "2024/b.txt": SPRING}),
            "h.json": make_history("2022-01-01", "2022-02-01"),
        },
    )
    batch = get_batch()
    assert [state for _name, state, _found in list_files(batch)] == ["read"] * 4
    names = ["Autumn Cup", "Cup 1", "Cup 2", "Spring Cup"]
    assert sorted(Event.objects.values_list("name", flat=True)) == names


def test_database_of_renju_becomes_events_on_the_list_of_their_discipline(client, organiser):
    data = (SAMPLES / "rif" / "two-tournaments.rif").read_text("utf-8")
    data = data.replace("</tournaments>", '<tournament id="57" name="Cafe" rule="4" rated="0"/></tournaments>')
    renju = make_list("renju", system="rif-2021")
    gomoku = make_list("gomoku", system="rif-2021", options={"discipline": "gomoku"})
    drop(client, {"renjunet.rif": data}, lists=[renju.pk, gomoku.pk])
    batch = get_batch()
    assert list_files(batch) == [
        ("Spring Cup 2026-03-08.rif", "read", "new"),
        ("Autumn Cup 2026-09-05.rif", "read", "new"),
        ("renjunet.rif", "failed", ""),
    ]
    page = client.get(batch.get_absolute_url())
    line = next(line for line in page.context["page"] if line.file.name == "renjunet.rif")
    assert (line.tone, [tag.text for tag in line.tags]) == ("", ["Partly read"])
    assert line.sentences[0].endswith("(rated 0, or a type other than 0): 1, and those without games: 0")
    lists = {event.name: [each.slug for each in event.lists.all()] for event in Event.objects.all()}
    assert lists == {"Spring Cup": ["renju"], "Autumn Cup": ["gomoku"]}
    drop(
        client, {"renjunet.rif": data.replace('date="2026-10-31"', 'date="2026-11-30"')}, f"{batch.get_absolute_url()}"
    )
    assert Submission.objects.count() == 2


def test_file_that_cannot_be_read_says_why_and_stays(client, only_list):
    drop(client, {"photo.jpg": b"\xff\xd8\xff photo", "cup.txt": CLEAN})
    batch = get_batch()
    page = client.get(batch.get_absolute_url())
    first = page.context["page"][0]
    assert (first.file.name, first.title, first.tone) == ("photo.jpg", "This file cannot be read", "bad")
    assert first.sentences
    press(client, batch, "undo", first.file.pk)
    assert ("photo.jpg", "undone", "") in list_files(batch)


def read_typing_links(client):
    page = " ".join(client.get(get_batch().get_absolute_url()).text.split())
    return re.findall(r'<a[^>]* href="([^"]+)"> Type results<', page)


def test_results_of_a_file_that_names_no_event_can_be_typed_for_a_new_one(client, only_list):
    drop(client, {"photo.jpg": b"\xff\xd8\xff photo"})
    assert read_typing_links(client) == ["/organise/events/new/"]


def test_results_of_a_file_that_names_no_event_can_be_typed_for_an_event_without_results(client, event):
    drop(client, {"photo.jpg": b"\xff\xd8\xff photo"})
    Event.objects.update(start=timezone.localdate(), end=timezone.localdate())
    page = client.get(get_batch().get_absolute_url())
    assert page.context["typed_events"] == [event]
    assert f'<a href="/organise/events/{event.public_id}/#type">Autumn Cup' in page.text
    assert read_typing_links(client) == []


def make_unreadable(text):
    """Return a file whose results have a table with more cells than a page holds."""
    return text + "".join(f"{n} [Player][P{n}] FR [{' '.join(['0='] * 30)}] 0\n" for n in range(4, 450))


def test_results_of_a_file_of_a_known_event_are_typed_on_its_page(client, event, players):
    drop(client, {"cup.txt": make_unreadable(CLEAN)})
    assert list_files(get_batch()) == [("cup.txt", "failed", "")]
    assert read_typing_links(client) == [f"/organise/events/{event.public_id}/#type"]
    Event.objects.update(state="deleted")
    assert read_typing_links(client) == ["/organise/events/new/?name=Autumn+Cup"]


def test_results_of_a_file_of_an_unknown_event_are_typed_under_its_name(client, only_list):
    drop(client, {"cup.txt": make_unreadable(SPRING)})
    (address,) = read_typing_links(client)
    assert address == "/organise/events/new/?name=Spring+Cup"
    assert client.get(address).context["form"]["name"].value() == "Spring Cup"
    assert len(client.get(f"/organise/events/new/?name={'x' * 300}").context["form"]["name"].value()) == 200


def test_name_and_days_are_asked_where_the_file_has_none(client, players, only_list):
    sheet = "No,Name,Country,1,2\n1,Adler Zoë,FR,2+,0+\n2,Bauer Max,DE,1-,3+\n3,Capek Jan,CZ,0-,2-\n"
    drop(client, {"club night.csv": sheet})
    batch = get_batch()
    file = batch.files.get()
    assert (file.state, file.missing) == ("asks", ["name", "days"])
    assert not Event.objects.exists()
    page = client.get(batch.get_absolute_url())
    assert 'value="club night"' in page.text
    bad = press(client, batch, "answer", **{f"file-{file.pk}-name": "Club night", f"file-{file.pk}-first_day": "soon"})
    assert (bad.status_code, 'value="Club night"' in bad.text) == (422, True)
    press(client, batch, "answer", **{f"file-{file.pk}-name": "Club night", f"file-{file.pk}-first_day": "2024-05-04"})
    assert list_files(batch) == [("club night.csv", "read", "new")]
    assert list(Event.objects.values_list("name", "end")) == [("Club night", dt.date(2024, 5, 4))]


def test_lists_and_time_control_are_asked_once_for_all_new_events(client, organiser, players):
    first, _second = make_list("one"), make_list("two")
    drop(
        client,
        {
            name: text.replace("[Time control: 30min + 30sec]\n", "")
            for name, text in (("a.txt", CLEAN), ("b.txt", SPRING))
        },
    )
    batch = get_batch()
    page = client.get(batch.get_absolute_url())
    assert sorted(page.context["lacking"]) == ["lists", "time_control"]
    assert [choice.reason for choice in page.context["choices"]] == ["no rating list yet"] * 2
    press(client, batch, "answer", lists=[first.pk], time_control="40min")
    page = client.get(batch.get_absolute_url())
    assert page.context["lacking"] == {}
    facts = {(event.time_control, *event.lists.all()) for event in Event.objects.all()}
    assert facts == {("40min", first)}


def test_announced_new_players_make_all_files_ready_and_are_created_once(client, only_list, rate_all):
    drop(client, {"a.txt": CLEAN, "b.txt": SPRING, "new-players.csv": NEW_PLAYERS})
    batch = get_batch()
    page = client.get(batch.get_absolute_url())
    assert page.context["totals"] == {"players": 6, "open": 0, "new": 6, "known": 0}
    assert (page.context["ready"], [choice.reason for choice in page.context["choices"]]) == (2, ["", ""])
    events = [choice.event for choice in page.context["choices"]]
    press(client, batch, "submit", event=[event.public_id for event in events])
    assert set(Event.objects.values_list("state", flat=True)) == {"submitted"}
    client.force_login(person("somebody", "", is_superuser=True))
    for event in events:
        assert act(client, event, "accept").status_code == 302
    assert sorted(Player.objects.values_list("family_name", flat=True)) == ["Adler", "Bauer", "Capek"]
    assert Table.objects.count() == 2


def test_unknown_names_of_all_files_become_new_with_one_button_and_undo(client, only_list):
    drop(client, {"a.txt": CLEAN, "b.txt": SPRING})
    batch = get_batch()
    assert client.get(batch.get_absolute_url()).context["totals"]["open"] == 6
    press(client, batch, "new")
    assert client.get(batch.get_absolute_url()).context["totals"]["new"] == 6
    press(client, batch, "undo_choices")
    assert client.get(batch.get_absolute_url()).context["totals"]["open"] == 6


def test_questions_of_several_files_are_answered_with_one_reason(client, only_list):
    no_country = CLEAN.replace(" FR ", "  ").replace(" DE ", "  ").replace(" CZ ", "  ")
    drop(client, {"a.txt": no_country})
    batch = get_batch()
    press(client, batch, "new")
    page = client.get(batch.get_absolute_url())
    questions = list_questions(page)
    assert [(place, message) for _key, place, message in questions] == [
        ("Adler Zoë, row 1", "a new player needs a nationality of two letters"),
        ("Bauer Max, row 2", "a new player needs a nationality of two letters"),
        ("Capek Jan, row 3", "a new player needs a nationality of two letters"),
    ]
    keys = [key for key, _place, _message in questions]
    refused = press(client, batch, "confirm", question=keys[:2])
    assert (refused.status_code, find_ticked(refused)) == (422, keys[:2])
    press(client, batch, "confirm", question=keys[:2], reason="not known")
    page = client.get(batch.get_absolute_url())
    assert (list_questions(page), page.context["ready"]) == (questions[2:], 0)
    press(client, batch, "confirm", question=keys[2:], reason="not known")
    page = client.get(batch.get_absolute_url())
    assert (page.context["asking"], page.context["ready"]) == ([], 1)
    confirmed = content_from_json(Submission.objects.get().content).confirmed
    assert set(confirmed.values()) == {"not known"}


def make_asking_batch(client):
    """Drop two files with questions about players without a country, and one about the first table's days."""
    no_country = CLEAN.replace(" FR ", "  ").replace(" DE ", "  ").replace(" CZ ", "  ")
    drop(client, {"a.txt": no_country, "b.txt": no_country.replace("Autumn Cup", "Spring Cup").replace("-05-", "-03-")})
    batch = get_batch()
    press(client, batch, "new")
    submission = Submission.objects.get(event__name="Autumn Cup")
    Event.objects.filter(pk=submission.event_id).update(start="2024-05-11", end="2024-05-11")
    store_report(submission)
    batch.files.update(checked_version=None)
    return batch, submission


def test_questions_name_their_event_and_are_chosen_without_a_script(client, only_list):
    batch, submission = make_asking_batch(client)
    page = client.get(batch.get_absolute_url())
    assert [(str(draft.submission), draft.file_name, len(draft.questions)) for draft in page.context["asking"]] == [
        ("Autumn Cup", "a.txt", 4), ("Spring Cup", "b.txt", 3)
    ]  # fmt: skip
    assert f'<a href="{submission.get_absolute_url()}">Autumn Cup</a>' in page.text
    assert "Answer the chosen questions, 7 are open" in page.text
    keys = [[question.key for question in draft.questions] for draft in page.context["asking"]]
    assert find_ticked(page) == []
    chosen = press(client, batch, "choose", "all", reason="typed")
    assert (chosen.status_code, find_ticked(chosen), 'value="typed"' in chosen.text) == (200, keys[0] + keys[1], True)
    assert find_ticked(press(client, batch, "choose", "none", question=keys[0])) == []
    one = press(client, batch, "choose", str(submission.pk), question=keys[1][:1])
    assert find_ticked(one) == [*keys[0], keys[1][0]]
    assert find_ticked(press(client, batch, "choose", "x", question=["1:0123456789abcdef", "x"])) == []


def test_days_of_the_event_are_used_from_the_page_of_the_batch(client, only_list):
    batch, submission = make_asking_batch(client)
    page = client.get(batch.get_absolute_url())
    assert [question.takes_days for question in page.context["asking"][0].questions].count(True) == 1
    key = page.context["asking"][1].questions[0].key
    used = press(client, batch, "use_days", str(submission.pk), reason="typed", question=[key])
    submission.refresh_from_db()
    assert (used.status_code, find_ticked(used), 'value="typed"' in used.text) == (200, [key], True)
    assert (submission.first_day, submission.last_day) == (dt.date(2024, 5, 11), dt.date(2024, 5, 11))
    assert [len(draft.questions) for draft in used.context["asking"]] == [3, 3]
    assert [str(message) for message in used.context["messages"]] == [
        "The results have the event's days now. You can undo that on their page."
    ]
    for value in (str(submission.pk), "0", "x", "9" * 30):
        assert [*press(client, batch, "use_days", value).context["messages"]] == []


def test_repaired_name_is_told_on_the_line_of_its_file(client, only_list):
    drop(client, {"a.txt": CLEAN.replace("Zoë", "Zoë".encode().decode("latin-1"))})
    (line,) = client.get(get_batch().get_absolute_url()).context["page"]
    assert line.sentences[1] == "the file said “ZoÃ«”; read as “Zoë”."


def test_submitted_file_cannot_be_undone_before_it_is_withdrawn(client, players, only_list):
    drop(client, {"a.txt": CLEAN, "b.txt": SPRING})
    batch = get_batch()
    page = client.get(batch.get_absolute_url())
    first = page.context["choices"][0].event
    press(client, batch, "submit", event=[first.public_id])
    response = press(client, batch, "undo_all")
    assert (response.status_code, "Withdraw the submission" in response.text) == (422, True)
    assert sorted(state for _name, state, _found in list_files(batch)) == ["read", "undone"]
    act(client, first, "withdraw")
    assert press(client, batch, "undo_all").status_code == 302
    assert set(Event.objects.values_list("state", flat=True)) == {"deleted"}


def test_dropped_results_of_a_trusted_organiser_wait_for_an_officer(client, organiser, players, only_list):
    only_list.trusted.add(organiser)
    drop(client, {"a.txt": CLEAN})
    event = Event.objects.get()
    press(client, get_batch(), "submit", event=[event.public_id])
    event.refresh_from_db()
    assert event.state == "submitted"


def test_event_changed_meanwhile_is_not_submitted(client, players, only_list):
    drop(client, {"a.txt": CLEAN})
    batch = get_batch()
    event = Event.objects.get()
    response = press(client, batch, "submit", event=[event.public_id], **{f"version-{event.public_id}": "0.0.0"})
    assert (response.status_code, "has been changed" in response.text) == (422, True)
    event.refresh_from_db()
    assert event.state == "draft"


@pytest.mark.parametrize("post", [{}, {"submit": "1"}, {"add": "1"}, {"confirm": "1"}, {"nonsense": "1"}])
def test_incomplete_form_says_what_is_missing(client, only_list, post):
    drop(client, {"a.txt": CLEAN})
    assert client.post(get_batch().get_absolute_url(), post).status_code == 422
    assert client.post("/organise/files/", {}).status_code == 422


def test_batch_of_somebody_else_is_not_found(client, only_list):
    drop(client, {"a.txt": CLEAN})
    batch = get_batch()
    client.force_login(person("other", "Organisers"))
    assert client.get(batch.get_absolute_url()).status_code == 404
    assert press(client, batch, "undo_all").status_code == 404
    assert press(client, batch, "undo", "x").status_code == 404
    client.force_login(person("player", ""))
    assert client.get(batch.get_absolute_url()).status_code == 403
    assert client.get("/organise/files/").status_code == 403
    client.logout()
    assert client.get("/organise/files/").url.startswith("/accounts/login/")
    assert client.get("/organise/files/999999/").status_code == 302


def test_file_of_another_batch_is_not_found(client, only_list):
    drop(client, {"a.txt": CLEAN})
    other = get_batch().files.get()
    drop(client, {"b.txt": SPRING})
    assert press(client, get_batch(), "undo", other.pk).status_code == 404
    assert press(client, get_batch(), "undo", "x" * 3).status_code == 404


def test_unexpected_error_in_one_file_leaves_the_others_readable(client, players, only_list, monkeypatch, caplog):
    create = batch_reading.create_submission_from_file

    def fail(event, file, **more):
        if file.name == "a.txt":
            raise RuntimeError("a fault")
        return create(event, file, **more)

    monkeypatch.setattr(batch_reading, "create_submission_from_file", fail)
    drop(client, {"a.txt": SPRING, "b.txt": CLEAN})
    assert list_files(get_batch()) == [("a.txt", "failed", ""), ("b.txt", "read", "new")]
    assert [event.name for event in Event.objects.all()] == ["Autumn Cup"]
    assert "a fault" in caplog.text


def test_reading_twice_makes_nothing_twice(client, only_list):
    drop(client, {"a.txt": CLEAN})
    read_batch(get_batch().pk)
    read_batch(0)
    assert Submission.objects.count() == 1


def test_batch_whose_message_was_lost_is_read_by_the_sweep(client, only_list, django_capture_on_commit_callbacks):
    drop(client, {"a.txt": CLEAN})
    batch = get_batch()
    batch.files.update(state=BatchFile.State.WAITING, submission=None, event=None)
    Event.objects.all().delete()
    request_late_batches()
    assert client.get(batch.get_absolute_url())["Refresh"] == "5"
    FileBatch.objects.update(made_at=timezone.now() - dt.timedelta(minutes=5))
    with django_capture_on_commit_callbacks(execute=True):
        request_late_batches()
    assert batch.files.get().state == "read"


def test_old_batches_are_erased_and_their_drafts_stay(client, only_list, settings):
    drop(client, {"a.txt": CLEAN})
    FileBatch.objects.update(made_at=timezone.now() - dt.timedelta(days=settings.RESTORE_DAYS + 1))
    delete_expired()
    assert (FileBatch.objects.count(), Submission.objects.count()) == (0, 1)


def test_page_of_a_batch_needs_the_same_queries_for_any_number_of_files(
    client, players, only_list, django_assert_num_queries
):
    def count(number):
        texts = {
            f"{n}.txt": CLEAN.replace("Autumn", f"A{n}").replace("2024-05-04", f"2024-05-{n:02}")
            for n in range(1, number + 1)
        }
        drop(client, texts)
        return get_batch()

    one, several = count(1), count(5)
    client.get(one.get_absolute_url())
    client.get(several.get_absolute_url())
    with django_assert_num_queries(14):
        client.get(one.get_absolute_url())
    with django_assert_num_queries(14):
        client.get(several.get_absolute_url())


def test_page_of_the_largest_batch_has_fifty_files_and_the_same_queries(
    client, players, only_list, django_assert_num_queries
):
    drop(client, {"a.txt": CLEAN})
    batch = get_batch()
    file = batch.files.defer(None).get()
    draft, event = file.submission, file.event
    numbers = range(1, MAX_BATCH_FILES)
    events = Event.objects.bulk_create(
        Event(name=f"Cup {n}", start=event.start, end=event.end, place="Lyon", created_by=event.created_by)
        for n in numbers
    )
    Event.lists.through.objects.bulk_create(
        Event.lists.through(event=each, ratinglist=only_list) for each in events
    )  # fmt: skip
    days = {"first_day": draft.first_day, "last_day": draft.last_day}
    drafts = Submission.objects.bulk_create(Submission(event=each, content=draft.content, **days) for each in events)
    BatchFile.objects.bulk_create(
        BatchFile(batch=batch, name=f"{each.pk}.txt", data=b"", digest=str(each.pk), state="read", found="new",
                  event=each.event, submission=each, report=file.report, checked_version=each.version)
        for each in drafts
    )  # fmt: skip
    client.get(batch.get_absolute_url())
    with django_assert_num_queries(13):
        page = client.get(batch.get_absolute_url(), {"page": 40})
    assert (len(page.context["page"]), page.context["total"], page.context["ready"]) == (50, 2000, 2000)
    assert len(gzip.compress(page.content)) < 50_000


UNKNOWN_TITLES = 'Wer,Woher,Bis\n{}\n"Bauer, Max",DE,2024-12-31\n"Capek, Jan",CZ,2023-12-31\n'


def test_columns_of_new_players_are_chosen_without_uploading_the_file_again(client, only_list, rate_all):
    only_list.requires_membership = True
    only_list.save()
    drop(client, {"a.txt": CLEAN, "people.csv": UNKNOWN_TITLES.format('"Adler, Zoë",FR,2024-12-31')})
    batch = get_batch()
    file = batch.files.get(name="people.csv")
    page = client.get(batch.get_absolute_url())
    (line,) = (line for line in page.context["page"] if line.file == file)
    assert (file.state, line.button) == ("failed", "It has new players: choose the columns")
    assert page.context["totals"]["open"] == 3
    form = client.get(line.address)
    assert [title for title, _ in form.context["sheet"]["heads"]] == ["Wer", "Woher", "Bis"]
    assert ("member_until", "Member until") in form.context["sheet"]["choices"]
    shown = form.context["sheet"]["shown"]
    wrong = client.post(line.address, {"column": ["", "country", ""], "shown_columns": shown, "read": "1"})
    assert (wrong.status_code, len(wrong.context["problems"])) == (422, 1)
    data = {"column": ["full_name", "country", "member_until"], "shown_columns": ",country,,titles", "read": "1"}
    assert client.post(line.address, data).url == batch.get_absolute_url()
    page = client.get(batch.get_absolute_url())
    assert page.context["totals"] == {"players": 3, "open": 0, "new": 3, "known": 0}
    ((key, place, message),) = list_questions(page)
    assert (place, "Capek Jan (31 Dec 2023)" in message) == ("", True)
    press(client, batch, "confirm", reason="renewed", question=[key])
    (choice,) = client.get(batch.get_absolute_url()).context["choices"]
    press(client, batch, "submit", event=[choice.event.public_id])
    client.force_login(person("somebody", "", is_superuser=True))
    assert act(client, choice.event, "accept").status_code == 302
    members = FederationMembership.objects.values_list("player__family_name", "until")
    assert sorted(members) == [("Adler", dt.date(2024, 12, 31)), ("Bauer", dt.date(2024, 12, 31)),
                               ("Capek", dt.date(2023, 12, 31))]  # fmt: skip


def test_columns_are_used_for_the_next_file_with_the_same_titles(client, only_list):
    drop(client, {"first.csv": UNKNOWN_TITLES.format("Adler,FR,2024-12-31")})
    file = get_batch().files.get()
    address = f"/organise/files/{file.batch_id}/new-players/{file.pk}/"
    client.post(address, {"column": ["family", "country", "member_until"], "shown_columns": "", "read": "1"})
    drop(client, {"next.csv": UNKNOWN_TITLES.format("Other,FR,2024-12-31")})
    assert [(each.state, each.report["players"]) for each in get_batch().files.all()] == [("people", 3)]


def test_names_of_new_players_are_answered_and_used_in_the_drafts(client, only_list, players):
    adler = next(player for player in players if player.family_name == "Adler")
    text = CLEAN.replace("[Adler][Zoë] FR", "[Adlerr][Zoë] DE").replace("[Bauer][Max]", "[Brand][Leo]")
    announced = "last_name,first_name,country,prior_grade\nAdlerr,Zoë,DE,3 Kyu\nBrand,Leo,DE,2 Kyu\n"
    drop(client, {"a.txt": text, "new.csv": announced})
    batch = get_batch()
    file = batch.files.get(name="new.csv")
    page = client.get(batch.get_absolute_url())
    (line,) = (line for line in page.context["page"] if line.file == file)
    assert (line.tone, line.button) == ("ask", "Columns and names")
    (shown,) = client.get(line.address).context["questions"]
    assert [candidate[0] for candidate in shown.candidates] == [adler.public_id]
    assert rows_of(batch)[:2] == [("", True, "3 Kyu"), ("", True, "2 Kyu")]  # new until a person says otherwise
    columns = client.get(line.address).context["sheet"]["shown"]
    unchanged = {"column": columns.split(",")[:-1], "shown_columns": columns}
    assert client.post(line.address, unchanged | {"line-2": adler.public_id}).url == batch.get_absolute_url()
    assert rows_of(batch)[:2] == [(adler.public_id, False, "3 Kyu"), ("", True, "2 Kyu")]
    assert get_batch().files.get(pk=file.pk).report["names"] == 0
    client.post(line.address, unchanged | {"undo": "1"})
    assert len(client.get(line.address).context["questions"]) == 1


def test_files_of_new_players_replace_nothing_that_was_typed(client, only_list):
    """The country and the grade of a row that has them stay; the columns are saved though a draft cannot be changed."""
    drop(client, {"a.txt": CLEAN, "people.csv": UNKNOWN_TITLES.format('"Adler, Zoë",FR,2024-12-31')})
    batch = get_batch()
    draft = Submission.objects.get(pk=batch.files.get(name="a.txt").submission_id)
    content = content_from_json(draft.content)
    content.rows[0].country, content.rows[0].prior_grade, content.rows[0].evidence = "AT", "5 Kyu", "diploma"
    Submission.objects.filter(pk=draft.pk).update(content=content.to_json())
    file = batch.files.get(name="people.csv")
    address = f"/organise/files/{batch.pk}/new-players/{file.pk}/"
    columns = client.get(address).context["sheet"]["shown"]
    data = {"column": ["full_name", "country", "member_until"], "shown_columns": columns, "read": "1"}
    assert client.post(address, data).url == batch.get_absolute_url()
    row = content_from_json(Submission.objects.get(pk=draft.pk).content).rows[0]
    assert (row.family, row.new, row.country, row.prior_grade, row.evidence) == (
        "Adler", True, "AT", "5 Kyu", "diploma"
    )  # fmt: skip


def test_answers_about_new_players_are_kept_beside_a_draft_that_changed(client, only_list, monkeypatch):
    drop(client, {"a.txt": CLEAN, "people.csv": UNKNOWN_TITLES.format('"Adler, Zoë",FR,2024-12-31')})
    batch = get_batch()
    before = Submission.objects.get(pk=batch.files.get(name="a.txt").submission_id).content

    def refuse(*args, **fields):
        raise ValidationError("changed meanwhile")

    monkeypatch.setattr(batch_people, "save_choices", refuse)
    file = batch.files.get(name="people.csv")
    address = f"/organise/files/{batch.pk}/new-players/{file.pk}/"
    columns = client.get(address).context["sheet"]["shown"]
    data = {"column": ["full_name", "country", "member_until"], "shown_columns": columns, "read": "1"}
    assert client.post(address, data).url == batch.get_absolute_url()
    assert batch.files.get(pk=file.pk).state == "people"
    assert Submission.objects.get(pk=batch.files.get(name="a.txt").submission_id).content == before


def test_page_of_new_players_is_for_the_owner_and_for_such_files(client, only_list):
    drop(client, {"a.txt": CLEAN, "new.csv": NEW_PLAYERS})
    grid, people = (f"/organise/files/{each.batch_id}/new-players/{each.pk}/" for each in get_batch().files.all())
    assert [client.get(grid).status_code, client.get(people).status_code] == [404, 200]
    client.force_login(person("other", "Organisers"))
    assert client.get(people).status_code == 404


def rows_of(batch):
    draft = Submission.objects.get(pk=batch.files.get(name="a.txt").submission_id)
    return [(row.player, row.new, row.prior_grade) for row in content_from_json(draft.content).rows]


def send_as_script(client, files, token, address="/organise/files/", **more):
    uploads = [SimpleUploadedFile(name, data.encode()) for name, data in files.items()]
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.post(
            address, {"uploads": uploads, "token": token, **more}, headers={"Accept": "application/json"}
        )


def test_files_that_are_sent_again_with_their_token_make_no_second_batch(client, organiser, players, only_list):
    first = send_as_script(client, {"cup.txt": CLEAN}, "abc")
    again = send_as_script(client, {"cup.txt": CLEAN}, "abc")
    batch = FileBatch.objects.get()
    for answer in (first, again):
        assert (answer.status_code, answer.json()) == (201, {"address": batch.get_absolute_url()})
    assert list_files(batch) == [("cup.txt", "read", "new")]
    assert Submission.objects.count() == 1
    send_as_script(client, {"cup.txt": SPRING}, "def")
    assert FileBatch.objects.count() == 2


def test_token_of_another_person_makes_a_batch_of_its_own(client, organiser, players, only_list):
    send_as_script(client, {"cup.txt": CLEAN}, "abc")
    client.force_login(person("other", "Organisers"))
    answer = send_as_script(client, {"cup.txt": SPRING}, "abc")
    assert answer.json() == {"address": FileBatch.objects.get(made_by__username="other").get_absolute_url()}
    assert FileBatch.objects.count() == 2


def test_script_adds_files_to_a_batch_once(client, organiser, players, only_list):
    drop(client, {"cup.txt": CLEAN})
    batch = get_batch()
    for _ in range(2):
        answer = send_as_script(client, {"spring.txt": SPRING}, "abc", batch.get_absolute_url(), add="1")
        assert (answer.status_code, answer.json()) == (201, {"address": batch.get_absolute_url()})
    assert sorted(list_files(batch)) == [("cup.txt", "read", "new"), ("spring.txt", "read", "new")]


def test_script_that_sends_no_file_gets_the_page_with_the_error(client, organiser, players, only_list):
    answer = client.post("/organise/files/", {"token": "abc"}, headers={"Accept": "application/json"})
    assert (answer.status_code, FileBatch.objects.count()) == (422, 0)


def test_ip_address_of_the_organiser_is_not_stored_with_dropped_files(client, players, only_list):
    data = (SAMPLES / "opengotha" / "good.xml").read_bytes()
    drop(client, {"cup.xml": data, "all.zip": pack({"in.xml": data + b"\n"})})
    assert [b"192.0.2.77" in bytes(file.data) for file in get_batch().files.all()] == [False, False]
    assert [b"192.0.2.77" in bytes(upload.data) for upload in Upload.objects.all()] == [False, False]

"""Results given to another player: looked at, previewed, done and undone, by officers."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core import mail

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.players.merging import merge_players
from ratings.domain.players.reassign_results import move_results
from ratings.domain.results.corrections import save_first_version
from ratings.models import Club, Entry, Event, EventStep, Membership, Merge, Player, Submission, Table
from tests.factories import make_event, make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

ADDRESS = "/organise/split/"


@pytest.fixture
@reused
def people():
    """Ada of two tables, her namesake, and Ben who played both."""
    fesa = make_list()
    ada, other, ben = make_player("Lo", "Ada"), make_player("Lo", "Ada", country="DE"), make_player("Ben")
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0), (2, 1, 2, 0.5)], "2024-01-06", event_name="First")
    make_table(fesa, [ben, ada], [(1, 1, 2, 1.0)], "2024-02-06", event_name="Second")
    return ada, other, ben


@pytest.fixture
def officer(client):
    return logged_in(client, OFFICERS)


def logged_in(client, group, name="user"):
    user = make_user(name, email=f"{name}@example.org")
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return user


def table_of(name):
    return Table.objects.get(event__name=name)


def post(client, player, button, *tables, **more):
    data = {"player": player.public_id, "tables": [table_of(name).pk for name in tables], button: "1"}
    return client.post(ADDRESS, data | more)


def seats(name):
    return list(table_of(name).entries.order_by("number").values_list("player", flat=True))


def test_tables_are_shown_with_what_distinguishes_namesakes(client, officer, people):
    ada, _, _ = people
    save_first_version(table_of("First"))
    version = Submission.objects.get()
    version.content["rows"][0] |= {"given": "A.", "country": "DE"}
    version.save()
    for name, start, end in (("Old", None, dt.date(2024, 1, 31)), ("New", dt.date(2024, 2, 1), None)):
        Membership.objects.create(player=ada, club=Club.objects.create(name=name), start=start, end=end)
    shown = client.get(ADDRESS, {"player": ada.public_id}).context
    assert [(str(s.table), s.written, s.club, s.points, s.games) for s in shown["seats"]] == [
        ("Second", "", "New", 0.0, 1),
        ("First", "Lo A. DE", "Old", 1.5, 2),
    ]
    assert shown["marked"] == []


def test_officer_previews_gives_and_undoes(client, officer, people):
    ada, other, ben = people
    organiser = make_user("organiser", email="organiser@example.org")
    Event.objects.filter(name="Second").update(created_by=organiser)
    mail.outbox.clear()
    response = post(client, ada, "preview", "Second", taker=other.public_id)
    assert (response.status_code, len(response.context["previews"])) == (200, 1)
    assert (response.context["marked"], response.context["other"]) == ([table_of("Second").pk], other)
    assert seats("Second") == [ben.pk, ada.pk]
    response = post(client, ada, "give", "Second", taker=other.public_id, reason="the passport")
    assert (response.status_code, response.url) == (302, "/organise/duplicates/")
    record = Merge.objects.get()
    assert (record.by, record.reason, record.whole) == (officer, "the passport", False)
    assert (seats("First"), seats("Second")) == ([ada.pk, ben.pk], [ben.pk, other.pk])
    assert list(client.get("/organise/duplicates/").context["merges"]) == [record]
    response = client.post(f"/organise/merges/{record.pk}/undo/", follow=True)
    assert [str(m) for m in response.context["messages"]] == ["Undone. The lists are being rated again."]
    assert (seats("Second"), Merge.objects.get().undone_by) == ([ben.pk, ada.pk], officer)


def test_undoing_names_the_unchanged_tables(client, officer, people):
    ada, other, ben = people
    record = move_results([table_of("First"), table_of("Second")], ada, other, reason="r")
    save_table(table_of("First"), [NewEntry(ben, 1), NewEntry(make_player("Cal"), 2)], [NumberedGame(1, 1, 2, 1.0)])
    response = client.post(f"/organise/merges/{record.pk}/undo/", follow=True)
    assert [str(m) for m in response.context["messages"]] == [
        "Undone. The lists are being rated again.",
        "Lo Ada is no longer in First, so that table was not changed.",
    ]
    response = client.post(f"/organise/merges/{record.pk}/undo/", follow=True)
    assert [str(m) for m in response.context["messages"]] == ["This merge was already undone."]


def test_name_of_one_event_is_remapped_from_its_page(client, officer, people, django_capture_on_commit_callbacks):
    ada, other, ben = people
    event = table_of("Second").event
    event.created_by = make_user("organiser", email="organiser@example.org")
    event.save()
    page = client.get(f"/organise/events/{event.public_id}/")
    assert page.context["seated"] == [ben, ada]
    asked = {"player": ada.public_id, "event": event.public_id}
    shown = client.get(ADDRESS, asked).context
    assert ([seat.table.event for seat in shown["seats"]], shown["marked"]) == ([event], [table_of("Second").pk])
    found = post(client, ada, "search", "Second", event=event.public_id, name="ada lo").context
    assert ([player for player, _ in found["candidates"]], found["marked"]) == ([other], shown["marked"])
    with django_capture_on_commit_callbacks(execute=True):
        response = post(
            client, ada, "give", "Second", event=event.public_id, candidate=other.public_id, reason="a namesake"
        )
    assert (response.status_code, response.url) == (302, f"/organise/events/{event.public_id}/")
    note = f"Lo Ada ({ada.public_id}) → Lo Ada ({other.public_id}): a namesake"
    page = client.get(response.url)
    assert [(step.what, step.note, step.by) for step in event.steps.all()] == [("remapped", note, officer)]
    assert [submission.reason for submission in page.context["versions"]] == ["", note]
    assert [(sent.to, sent.subject, note in sent.body) for sent in mail.outbox] == [
        (["organiser@example.org"], "Second: results moved to another player", True),
    ]


def test_tables_of_other_events_cannot_be_slipped_in(client, officer, people):
    ada, other, ben = people
    event = table_of("Second").event.public_id
    response = post(client, ada, "give", "First", event=event, taker=other.public_id, reason="r")
    assert (response.status_code, response.context["problems"]) == (422, ["Choose at least one table."])
    assert seats("First") == [ada.pk, ben.pk]


def test_events_that_are_not_accepted_offer_no_remapping(client, officer, people):
    event = make_event("Draft", state=Event.State.DRAFT)
    make_table(None, list(people), [(1, 1, 2, 1.0)], event=event)
    assert client.get(f"/organise/events/{event.public_id}/").context["seated"] == []
    shown = markup(client.get(ADDRESS, {"player": people[0].public_id}))
    assert 'Draft</label> <span class="quiet">(draft)' in shown


def test_results_go_to_a_new_player(client, officer, people):
    ada, _, ben = people
    new = {"new-family_name": "Lo", "new-given_name": "Ada", "new-country": "AT", "new-birth_year": "1990"}
    response = post(client, ada, "preview", "Second", **new)
    assert (response.status_code, Player.objects.count()) == (200, 3)
    assert post(client, ada, "give", "Second", reason="r", **new).status_code == 302
    made = Player.objects.get(country="AT")
    assert (made.name, made.birth_year, seats("Second")) == ("Lo Ada", 1990, [ben.pk, made.pk])


ONE = "Choose the other player in one way only: by name, by public id, or as a new player."


@pytest.mark.parametrize(
    ("button", "tables", "asked", "problems"),
    [
        ("preview", [], {"taker": "{other}"}, ["Choose at least one table."]),
        ("preview", ["First"], {}, [ONE]),
        ("preview", ["First"], {"taker": "{other}", "candidate": "{ben}"}, [ONE]),
        ("preview", ["First"], {"taker": "{other}", "new-family_name": "Cal"}, [ONE]),
        ("preview", ["First"], {"taker": "NOBODY"}, ["There is no player with the public id NOBODY."]),
        ("preview", ["First"], {"new-given_name": "Cal"}, ["Family name: This field is required."]),
        ("preview", ["First"], {"taker": "{ben}"},
         ["Ben is already in First: correct the results of that table instead."]),
        ("give", ["First"], {"taker": "{ada}", "reason": "r"}, ["Choose at least one table, and another player."]),
        ("give", ["First"], {"taker": "{other}", "reason": " "},
         ["Enter the evidence that these results belong to another player."]),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("officer")
def test_invalid_request_is_reported_and_changes_nothing(client, people, button, tables, asked, problems):
    ids = dict(zip(("ada", "other", "ben"), (player.public_id for player in people), strict=True))
    before = list(Entry.objects.order_by("pk").values())
    response = post(client, people[0], button, *tables, **{name: text.format(**ids) for name, text in asked.items()})
    assert (response.status_code, response.context["problems"]) == (422, problems)
    assert (Merge.objects.count(), Player.objects.count(), list(Entry.objects.order_by("pk").values())) == (0, 3, before)  # fmt: skip


def test_merged_players_count_as_the_remaining_player(client, officer, people):
    ada, other, _ = people
    old = make_player("Alt")
    merge_players(old, other, reason="r")
    assert client.get(ADDRESS, {"player": old.public_id}).context["player"] == other
    assert post(client, ada, "preview", "Second", taker=old.public_id).context["other"] == other


def test_unknown_players_events_tables_and_other_methods(client, officer, people):
    ada = people[0].public_id
    assert client.get(ADDRESS).status_code == 200
    assert client.get(ADDRESS, {"player": "NOBODY"}).status_code == 404
    assert client.get(ADDRESS, {"player": ada, "event": "NONE"}).status_code == 404
    assert client.post(ADDRESS, {"player": ada, "tables": ["x", "9" * 30], "give": "1"}).status_code == 422
    assert client.put(ADDRESS).status_code == 405


@pytest.mark.parametrize("group", [None, ORGANISERS])
def test_giving_results_is_for_officers(client, people, group):
    ada, other, ben = people
    if group:
        organiser = logged_in(client, group)
        Event.objects.update(created_by=organiser)
        event = client.get(f"/organise/events/{table_of('First').event.public_id}/")
        assert event.context["seated"] == []
    for response in (
        client.get(ADDRESS, {"player": ada.public_id}),
        post(client, ada, "preview", "First", taker=other.public_id),
        post(client, ada, "give", "First", taker=other.public_id, reason="r"),
    ):
        assert response.status_code == (403 if group else 302)
    assert (seats("First"), Merge.objects.count(), EventStep.objects.count()) == ([ada.pk, ben.pk], 0, 0)

"""Feeds: valid Atom, no hidden names, no entry twice."""

import datetime as dt
from html import unescape
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone

from portal.templatetags.portal_format import signed
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.lists.publishing import publish, publish_revision
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.steps import record_event_step
from ratings.models import Club, DatedList, Event, EventStep, Federation, Membership, Player, Run, Table
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client, address):
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    feed = ET.fromstring(response.content)  # noqa: S314 - our own
    found = feed.iter(f"{ATOM}entry")
    return [[entry.findtext(f"{ATOM}{name}") for name in ("title", "updated", "summary", "id")] for entry in found]


@pytest.fixture
def fesa():
    return make_list()


def test_acceptance_and_correction_of_an_event_are_mailed(client, fesa):
    first = make_event("Lyon Open", "2024-05-04", [fesa], place="Lyon", country="FR", start="2024-05-03")
    make_event("Berlin\x0b <b>Cup</b>", "2024-06-01", [make_list("other")], place="<b>Gruyère")
    make_event("Draft", "2024-06-01", [fesa], state=Event.State.DRAFT)
    second = ["Berlin <b>Cup</b>", "2024-06-01T00:00:00+00:00", "1 Jun 2024, &lt;b&gt;Gruyère, OTHER"]
    lyon = ["Lyon Open", "2024-05-04T00:00:00+00:00", "3 May 2024 – 4 May 2024, Lyon, France, FESA"]
    assert [entry[:3] for entry in entries(client, "/events.atom")] == [second, lyon]
    assert [entry[:3] for entry in entries(client, "/events.atom?list=fesa")] == [lyon]
    ids = {entry[3] for entry in entries(client, "/events.atom")}
    record_event_step(first, EventStep.What.CORRECTED, "r")
    EventStep.objects.update(at=dt.datetime(2024, 7, 1, tzinfo=dt.UTC))
    lyon[1] = "2024-07-01T00:00:00+00:00"
    actual = entries(client, "/events.atom")
    assert [entry[:3] for entry in actual] == [lyon, second]
    assert {entry[3] for entry in actual} == ids
    assert client.get("/events.atom?list=nope").status_code == 404
    assert client.post("/events.atom").status_code in (200, 405)


@pytest.fixture
@reused
def corrected(fesa, rate_all):
    """C and D, who met A and B later, are corrected by a result turned round."""
    players = [make_player(name) for name in ("Ada", "<script>alert(1)</script>", "Cora", "Geheim")]
    for player in players:
        give_rating(fesa, player, 2000)
    a, b, c, d = players
    cup = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-01", event_name="Cup")
    make_table(fesa, [b, c, d], [(1, 1, 2, 1.0), (2, 1, 3, 1.0)], "2024-02-01")
    rate_all()
    save_table(cup, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(1, 1, 2, 0.0)])
    rate_all()
    return players


def test_corrections_name_players_as_the_public_sees_them(client, corrected):
    run = Run.objects.latest("pk")
    Run.objects.filter(pk=run.pk).update(ended_at=dt.datetime(2024, 7, 1, tzinfo=dt.UTC))
    lines = {line.player.family_name: line for line in run.corrections.all()}
    assert set(lines) == {"Ada", "<script>alert(1)</script>", "Cora", "Geheim"}

    def read_summary():
        ((title, updated, summary, _),) = entries(client, "/lists/fesa/corrections.atom")
        assert (title, updated) == ("4 players corrected: Cup was changed", "2024-07-01T00:00:00+00:00")
        return set(unescape(summary).split(", "))

    expected = {f"{name} {signed(line.after - line.before)}" for name, line in lines.items()}
    assert read_summary() == expected
    before = client.get("/lists/fesa/corrections.atom")
    geheim = corrected[3]
    set_visibility(geheim, "anonymous")
    line = lines["Geheim"]
    assert read_summary() == expected - {f"Geheim {line.change:+.0f}"} | {
        f"Player {geheim.public_id} {line.change:+.0f}"
    }
    again = client.get("/lists/fesa/corrections.atom", headers={"If-None-Match": before["ETag"]})
    assert again.status_code == 200
    assert "geheim" not in markup(again).lower()
    once_more = client.get("/lists/fesa/corrections.atom", headers={"If-None-Match": again["ETag"]})
    assert (once_more.status_code, once_more.content) == (304, b"")


def test_only_the_biggest_of_many_corrections_are_named(client, fesa, rate_all, django_assert_num_queries):
    a, b, *others = [make_player(f"P{number}") for number in range(9)]
    for player in Player.objects.all():
        give_rating(fesa, player, 2000)
    cup = make_table(fesa, [a, b], [(r, 1, 2, 1.0) for r in range(1, 9)], "2024-01-01")
    games = [(r, 1, r + 1, 1.0) for r in range(1, len(others) + 1)]
    make_table(fesa, [b, *others], games, "2024-02-01")
    rate_all()
    save_table(cup, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(r, 1, 2, 0.0) for r in range(1, 9)])
    rate_all()
    with django_assert_num_queries(5):
        ((title, _, summary, _),) = entries(client, "/lists/fesa/corrections.atom")
    assert title.startswith("9 players corrected: ")
    assert [change.split()[0] for change in summary.split(", ")][:2] in (["P0", "P1"], ["P1", "P0"])
    assert summary.endswith(", and 4 more")


def test_feed_is_known_by_its_whole_address_and_has_an_author(client, fesa):
    feed = ET.fromstring(client.get("/events.atom?list=fesa").content)  # noqa: S314 - our own
    itself = [link.get("href") for link in feed.iter(f"{ATOM}link") if link.get("rel") == "self"]
    actual = [feed.findtext(f"{ATOM}{name}") for name in ("id", f"author/{ATOM}name")]
    assert (itself, actual) == (
        ["http://testserver/events.atom?list=fesa"],
        ["http://127.0.0.1:8000/events.atom?list=fesa", "FESA"],
    )


CREST = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("/events.atom", "Events – FESA"),
        ("/lists/fesa/corrections.atom", "Corrections – FESA – FESA"),
        ("/lists/fesa/promotions.atom", "Promotions – FESA – FESA"),
    ],
)
def test_feeds_have_the_name_the_home_page_and_the_crest_of_the_federation(address, title, client, fesa):
    def read(*names):
        feed = ET.fromstring(client.get(address).content)  # noqa: S314 - our own
        return [feed.findtext("/".join(f"{ATOM}{part}" for part in name.split("/"))) for name in names]

    assert read("title", "author/name", "author/uri", "icon", "logo") == [title, "FESA", None, None, None]
    Federation.objects.update(crest=CREST, home="https://fesa.example/")
    crest = "http://127.0.0.1:8000/federations/fesa/crest.png"
    assert read("title", "author/name", "author/uri", "icon", "logo") == [
        title, "FESA", "https://fesa.example/", crest, crest
    ]  # fmt: skip


def test_feed_of_all_federations_has_the_name_of_the_site(client, fesa):
    make_list("go", federation="Low Countries Go League")
    feed = ET.fromstring(client.get("/events.atom").content)  # noqa: S314 - our own
    assert [feed.findtext(f"{ATOM}{name}") for name in ("title", f"author/{ATOM}name")] == ["Events", "127.0.0.1:8000"]
    feed = ET.fromstring(client.get("/events.atom?list=go").content)  # noqa: S314 - our own
    assert feed.findtext(f"{ATOM}title") == "Events – Low Countries Go League"


def test_feeds_of_nothing_and_of_nobodys_list(client, fesa):
    assert entries(client, "/events.atom") == []
    assert entries(client, "/lists/fesa/corrections.atom") == []
    assert client.get("/lists/nope/corrections.atom").status_code == 404
    make_list("closed", public=False)
    assert client.get("/lists/closed/corrections.atom").status_code == 404


@pytest.mark.parametrize("address", ["/events.atom", "/lists/fesa/corrections.atom", "/lists/fesa/promotions.atom"])
def test_no_time_says_that_a_feed_is_known(address, client, fesa):
    """Check that a change of an old entry, such as a name, changes the feed."""
    make_event(lists=[fesa])
    response = client.get(address, headers={"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})
    assert (response.status_code, "Last-Modified" in response.headers) == (200, False)


def test_pages_link_to_their_feeds(client, fesa):
    assert 'type="application/atom+xml" title="Events" href="/events.atom?list=fesa"' in markup(
        client.get("/events/?list=fesa&page=2")
    )
    assert 'href="/lists/fesa/corrections.atom"' in markup(client.get("/lists/fesa/corrections/"))


def test_feed_without_entries_is_the_same_each_time(client, fesa):
    asked = [markup(client.get("/lists/fesa/corrections.atom")) for _ in range(2)]
    assert asked[0] == asked[1]
    assert "<updated>2000-01-01T00:00:00+00:00</updated>" in asked[0]


@pytest.fixture
@reused
def followed(fesa, rate_all):
    """Ada of the club, who won the Cup against Ben, met Cy in the Open, and was corrected by the Cup."""
    ada, ben, cy = (
        make_player(name, public_id=id) for name, id in (("Ada", "AAA2222"), ("Ben", "BBB3333"), ("Cy", "CCC4444"))
    )
    club = Club.objects.create(name="Café", public_id="KKK5555")
    for player in (ada, ben):
        Membership.objects.create(player=player, club=club)
    for player in (ada, ben, cy):
        give_rating(fesa, player, 1500, "2023-01-01")
    cup = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-01", event_name="Cup")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-02-01", event_name="Open")
    rate_all()
    for what in (EventStep.What.SUBMITTED, EventStep.What.RETURNED, EventStep.What.ACCEPTED):
        record_event_step(cup.event, what, "for officers only")
    save_table(cup, [NewEntry(ada, 1), NewEntry(ben, 2)], [NumberedGame(1, 1, 2, 0.0)])
    record_event_step(cup.event, EventStep.What.CORRECTED, "for officers only")
    rate_all()
    return cup.event


def test_feed_of_a_player_has_events_corrections_and_promotions(client, followed):
    found = entries(client, "/players/AAA2222/feed.atom")
    titles = [entry[0] for entry in found]
    assert {"Cup", "Open", "Corrected without a game"} <= set(titles)
    summaries = {entry[0]: unescape(entry[2]) for entry in found}
    assert summaries["Cup"].startswith("0 of 1 game, FESA: rating 1500 → 1487 (−13)")
    assert any(title.startswith("FESA: promoted to ") for title in titles)
    assert len({entry[3] for entry in found}) == len(found)
    assert client.get("/players/ZZZ9999/feed.atom").status_code == 404


def test_feed_of_a_club_has_events_and_promotions_of_members(client, followed):
    summaries = {entry[0]: unescape(entry[2]) for entry in entries(client, "/clubs/KKK5555/feed.atom")}
    assert summaries["Cup"].endswith("Ada, Ben")
    assert summaries["Open"].endswith("Ada")
    assert any(title.startswith("Ada, FESA: promoted to ") for title in summaries)
    set_visibility(Player.objects.get(public_id="AAA2222"), "anonymous")
    summaries = {entry[0]: unescape(entry[2]) for entry in entries(client, "/clubs/KKK5555/feed.atom")}
    assert ("Open" in summaries, summaries["Cup"].endswith(" Ben"), "Ada" in str(summaries)) == (False, True, False)
    assert client.get("/clubs/ZZZ9999/feed.atom").status_code == 404


def test_feed_of_a_club_has_the_name_of_its_members_federation(client, followed, rate_all):
    other = make_list("go", federation="Low Countries Go League")

    def read():
        feed = ET.fromstring(client.get("/clubs/KKK5555/feed.atom").content)  # noqa: S314 - our own
        return [feed.findtext(f"{ATOM}{name}") for name in ("title", f"author/{ATOM}name")]

    assert read() == ["Café – FESA", "FESA"]
    give_rating(other, Player.objects.get(family_name="Ben"), 1500, "2023-01-01")
    rate_all()
    assert read() == ["Café", "127.0.0.1:8000"]


def test_feed_of_a_club_does_not_name_players_of_deleted_tables(client, fesa, followed):
    cy = Player.objects.get(family_name="Cy")
    Membership.objects.create(player=cy, club=Club.objects.get(public_id="KKK5555"), start=dt.date(2023, 1, 1))
    make_table(fesa, [cy, make_player("Dora")], [(1, 1, 2, 1.0)], "2024-01-06", event=followed, name="B")
    Table.objects.filter(entries__player=cy, event=followed).update(deleted_at=timezone.now())
    summaries = {entry[0]: unescape(entry[2]) for entry in entries(client, "/clubs/KKK5555/feed.atom")}
    assert summaries["Cup"].endswith("Ada, Ben")


def test_feed_of_an_event_has_its_public_steps_without_notes(client, followed):
    found = entries(client, f"/events/{followed.public_id}/feed.atom")
    assert [entry[0] for entry in found] == [
        "The event was rated on FESA.",
        "The results were corrected. They are rated again within minutes.",
        "The results were accepted. They are rated within minutes.",
        "The results were received. A rating officer checks them.",
    ]
    assert "officers only" not in str(found)
    draft = make_event(state=Event.State.DRAFT)
    assert client.get(f"/events/{draft.public_id}/feed.atom").status_code == 404


def test_feed_of_a_list_has_its_published_lists(client, fesa, followed):
    dated = publish(DatedList(list=fesa, day=dt.date(2024, 3, 31)))
    ((title, updated, summary, id),) = entries(client, "/lists/fesa/dated.atom")
    assert (title, summary) == ("List of 31 Mar 2024", "FESA, published")
    assert updated == dated.published_at.isoformat()
    publish_revision(dated)
    assert [(entry[2], entry[3]) for entry in entries(client, "/lists/fesa/dated.atom")] == [
        ("FESA, published again, with corrections", id)
    ]
    make_list("secret", public=False)
    assert client.get("/lists/secret/dated.atom").status_code == 404


def test_new_feeds_hold_their_number_of_queries(client, fesa, followed, django_assert_num_queries):
    for address, number in (
        ("/players/AAA2222/feed.atom", 9),
        ("/clubs/KKK5555/feed.atom", 8),
        (f"/events/{followed.public_id}/feed.atom", 5),
        ("/lists/fesa/dated.atom", 2),
    ):
        client.get(address)
        with django_assert_num_queries(number):
            client.get(address)

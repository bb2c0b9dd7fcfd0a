"""Feeds: valid Atom, no hidden names, no entry twice."""

import datetime as dt
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from portal.templatetags.portal_format import signed
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.steps import record_event_step
from ratings.models import Event, EventStep, Federation, Player, Run
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

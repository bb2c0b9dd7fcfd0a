"""The history of promotions: filters in the address, states in words, pages and a feed."""

import datetime as dt

import pytest
import time_machine
from defusedxml import ElementTree

from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership
from tests.approvals import decide, earn_5_dan, rated
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def fesa():
    return make_list(announce_after=0)


def promoted(rating_list, count=1):
    """Players from France and Germany in turn who each win 1 Dan in an event of their own, one a month."""
    opponent, players = make_player("Opponent"), []
    give_rating(rating_list, opponent, 2000, grade="3 Dan")
    for number in range(count):
        player = make_player(f"P{number:02}", country="DE" if number % 2 else "FR")
        give_rating(rating_list, player, 1799, grade="1 Kyu")
        day = f"{2020 + number // 12}-{number % 12 + 1:02}-01"
        make_table(rating_list, [player, opponent], [(1, 1, 2, 1.0)], day, event_name=f"Cup {number}")
        players.append(player)
    rated(rating_list)
    return players


def names(client, **query):
    rows = client.get("/lists/fesa/promotions/", query).context["listing"].rows
    return [row.record.player.family_name for row in rows]


def test_promotions_are_listed_newest_first_with_their_states(client, fesa):
    (player,) = promoted(fesa)
    cells = [[str(cell) for _, cell in row.items()] for row in listing(client).rows]
    event = player.awards.get().table.event
    line = ["2020-01-01", f'<a href="{player.get_absolute_url()}">P00</a>', "France", "1 Dan"]
    link = f'<a href="{event.get_absolute_url()}">Cup 0</a>'
    assert cells == [[*line, "awarded, not yet announced", "upper bound", link]]
    announce_due_grades()
    assert [str(row.get_cell("state")) for row in listing(client).rows] == ["announced"]


def entries(feed):
    return ElementTree.fromstring(feed.content).findall(f"{ATOM}entry")


def listing(client):
    return client.get("/lists/fesa/promotions/").context["listing"]


def test_waiting_grade_is_listed_after_approval(client, fesa):
    earn_5_dan(fesa)
    assert names(client) == []
    decide(fesa, granted=True)
    (row,) = listing(client).rows
    assert (row.record.grade, str(row.get_cell("state")), str(row.record.day)) == ("5 Dan", "approved", "2025-02-02")


def test_promotions_are_chosen_by_the_address(client, fesa):
    players = promoted(fesa, 4)
    club = Club.objects.create(name="Shogi Lyon")
    for player in players[:2]:
        Membership.objects.create(player=player, club=club)
    assert names(client) == ["P03", "P02", "P01", "P00"]
    assert names(client, since="2020-02-01", until="2020-03-01") == ["P02", "P01"]
    assert names(client, country="DE") == ["P03", "P01"]
    assert names(client, event="cup 2") == ["P02"]
    assert (names(client, grade="1 Dan"), names(client, grade="2 Dan")) == (["P03", "P02", "P01", "P00"], [])
    assert names(client, club=club.public_id) == ["P01", "P00"]
    set_visibility(players[0], "anonymous")
    assert names(client, club=club.public_id) == ["P01"]
    assert "No promotion fits this choice." in client.get("/lists/fesa/promotions/?grade=2+Dan").content.decode()


@pytest.mark.parametrize("query", ["page=abc", "event=%00", "sort=nope", "grade="])
def test_odd_parameters_are_survived(query, client, fesa):
    promoted(fesa)
    assert len(client.get(f"/lists/fesa/promotions/?{query}").context["listing"].rows) == 1
    assert len(entries(client.get(f"/lists/fesa/promotions.atom?{query}"))) == 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("since=x", "Enter a valid date."),
        ("until=2024-13-01", "Enter a valid date."),
        ("country=XX", "XX is not one of the available choices"),
        ("club=1", "That choice is not one of the available choices"),
        ("grade=9+Dan", "9 Dan is not one of the available choices"),
    ],
)
def test_unknown_filter_value_is_reported_and_shows_no_players(query, expected, client, fesa):
    promoted(fesa)
    page = client.get(f"/lists/fesa/promotions/?{query}&event=Cup")
    assert (page.status_code, list(page.context["listing"].rows)) == (200, [])
    assert expected in page.content.decode()
    assert client.get(f"/lists/fesa/promotions.atom?{query}").status_code == 404


def test_country_or_club_without_promotions_has_none(client, fesa):
    """Somebody may have subscribed to it."""
    promoted(fesa)
    quiet = Club.objects.create(name="Quiet")
    for query in ("country=LV", f"club={quiet.public_id}"):
        page = client.get(f"/lists/fesa/promotions/?{query}")
        assert (list(page.context["listing"].rows), page.context["filter"].form.errors) == ([], {})
        assert entries(client.get(f"/lists/fesa/promotions.atom?{query}")) == []


@pytest.mark.parametrize("count", [1, 51])
def test_promotions_need_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    promoted(fesa, count)
    with django_assert_num_queries(6):
        response = client.get("/lists/fesa/promotions/")
    assert len(response.context["listing"].page.object_list) == min(count, 50)
    with django_assert_num_queries(3):
        feed = client.get("/lists/fesa/promotions.atom")
    assert len(entries(feed)) == min(count, 50)


def test_feed_shows_promotions_and_hides_names(client, fesa):
    players = promoted(fesa, 2)
    assert 'href="/lists/fesa/promotions.atom"' in client.get("/lists/fesa/promotions/").content.decode()
    feed = client.get("/lists/fesa/promotions.atom?country=FR")
    assert feed["Content-Type"] == "application/atom+xml; charset=utf-8"
    (entry,) = entries(feed)
    parts = {part: entry.findtext(f"{ATOM}{part}") for part in ("title", "summary", "id", "updated")}
    assert parts == {
        "title": "P00: 1 Dan",
        "summary": "upper bound, awarded, not yet announced, Cup 0",
        "id": f"tag:127.0.0.1:8000,2020-01-01:fesa/{players[0].public_id}/1-Dan",
        "updated": "2020-01-01T00:00:00+00:00",
    }
    set_visibility(players[0], "anonymous")
    again = client.get("/lists/fesa/promotions.atom?country=FR")
    (entry,) = entries(again)
    assert entry.findtext(f"{ATOM}title") == f"Player {players[0].public_id}: 1 Dan"


def test_feed_is_sent_again_only_when_it_has_changed(client, fesa):
    promoted(fesa)
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC)):
        tag = client.get("/lists/fesa/promotions.atom")["ETag"]
    known = {"if-none-match": tag}
    assert client.get("/lists/fesa/promotions.atom", headers=known).status_code == 304
    announce_due_grades()
    assert client.get("/lists/fesa/promotions.atom", headers=known).status_code == 200


def test_list_without_promotions_says_so_and_unknown_lists_are_404(client, fesa):
    assert "No promotion yet." in client.get("/lists/fesa/promotions/").content.decode()
    assert entries(client.get("/lists/fesa/promotions.atom")) == []
    for address in ("/lists/nope/promotions/", "/lists/nope/promotions.atom"):
        assert client.get(address).status_code == 404

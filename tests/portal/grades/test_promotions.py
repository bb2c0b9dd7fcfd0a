"""The history of promotions: filters in the address, states in words, pages and a feed."""

import datetime as dt
import re

import pytest
import time_machine
from defusedxml import ElementTree

from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership, Player
from tests.approvals import decide, earn_5_dan, rated
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup

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
    return [award.player.family_name for award in client.get("/lists/fesa/promotions/", query).context["page"]]


def rows(client):
    """The words of each row of the promotions, without those for phones only."""
    page = markup(client.get("/lists/fesa/promotions/")).partition('<ol class="rows')[2].partition("</ol>")[0]
    page = re.sub(r'<span class="small quiet only-narrow">.*?</span></span></span>', "", page, flags=re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in page.split("<li>")[1:]]


def test_promotions_show_grade_player_way_and_event(client, fesa):
    (player,) = promoted(fesa)
    event = player.awards.get().table.event
    assert rows(client) == ["1 Dan P00 FR Rating passed the grade above · not announced yet Cup 0 1 Jan 2020"]
    page = markup(client.get("/lists/fesa/promotions/"))
    assert page.count(f'href="{player.get_absolute_url()}?list=fesa"') == 1
    assert f'<a href="{event.get_absolute_url()}?list=fesa">Cup 0</a>' in page
    announce_due_grades()
    assert rows(client) == ["1 Dan P00 FR Rating passed the grade above Cup 0 1 Jan 2020"]


def test_promotions_are_grouped_by_month(client, fesa):
    promoted(fesa, 51)
    months = client.get("/lists/fesa/promotions/").context["months"]
    assert [(month.first_day, month.number, len(month.awards)) for month in months[:2]] == [
        (dt.date(2024, 3, 1), 1, 1), (dt.date(2024, 2, 1), 1, 1)
    ]  # fmt: skip
    assert "March 2024" in markup(client.get("/lists/fesa/promotions/"))
    (month,) = client.get("/lists/fesa/promotions/?page=2").context["months"]
    assert (month.first_day, [award.player.family_name for award in month.awards]) == (dt.date(2020, 1, 1), ["P00"])


def test_month_counts_the_promotions_on_all_pages(client, fesa, monkeypatch):
    monkeypatch.setattr("portal.grades.views.grades.PER_PAGE", 1)
    opponent = make_player("Opponent")
    give_rating(fesa, opponent, 2000, grade="3 Dan")
    for name, rating, grade in (("Ada", 1799, "1 Kyu"), ("Ben", 1679, "2 Kyu")):
        player = make_player(name)
        give_rating(fesa, player, rating, grade=grade)
        make_table(fesa, [player, opponent], [(1, 1, 2, 1.0)], "2024-02-01")
    rated(fesa)
    for query, number in (("", 2), ("?page=2", 2), ("?dan=1", 1)):
        (month,) = client.get(f"/lists/fesa/promotions/{query}").context["months"]
        assert (month.number, len(month.awards)) == (number, 1)


def test_promotions_of_one_day_have_the_highest_grade_first(client, fesa):
    opponent = make_player("Opponent")
    give_rating(fesa, opponent, 2000, grade="3 Dan")
    for name, rating, grade in (("Ada", 1799, "1 Kyu"), ("Ben", 1679, "2 Kyu")):
        player = make_player(name)
        give_rating(fesa, player, rating, grade=grade)
        make_table(fesa, [player, opponent], [(1, 1, 2, 1.0)], "2024-02-01")
    rated(fesa)
    (month,) = client.get("/lists/fesa/promotions/").context["months"]
    assert [award.grade for award in month.awards] == ["1 Dan", "1 Kyu"]
    assert names(client, dan="1") == ["Ada"]


@time_machine.travel("2020-12-31", tick=False)
def test_promotions_count_this_year_and_all(client, fesa):
    promoted(fesa, 13)
    context = client.get("/lists/fesa/promotions/").context
    assert (context["this_year"].total, context["this_year"].dan, context["total"]) == (12, 12, 13)
    assert [(year.year, year.grades) for year in context["years"]] == [(2021, [("1 Dan", 1)]), (2020, [("1 Dan", 12)])]
    assert names(client, year="2021") == ["P12"]


@pytest.mark.parametrize(
    ("day", "language", "line"),
    [
        ("2020-12-31", "en", "12 promotions this year, 12 of them to a Dan grade · 13 since 2020"),
        ("2020-12-31", "ja", "今年の昇段・昇級は12件、うち段位は12件／2020年以降は13件"),
        ("2022-12-31", "en", "13 since 2020"),
    ],
)
def test_promotions_of_this_year_are_counted_in_the_head(day, language, line, client, fesa):
    promoted(fesa, 13)
    with time_machine.travel(day, tick=False):
        page = markup(client.get("/lists/fesa/promotions/", headers={"Accept-Language": language}))
    assert page.partition('<p class="quiet">')[2].partition("</p>")[0] == line


def test_chip_names_the_chosen_days_in_words(client, fesa):
    promoted(fesa)
    page = markup(client.get("/lists/fesa/promotions/?since=2020-01-01&until=2020-03-01&event=Cup"))
    assert '<summary class="chip on">More: Cup · 1 Jan 2020 – 1 Mar 2020 ' in page


def test_promotions_show_grades_that_await_approval(client, fesa):
    earn_5_dan(fesa)
    (award,) = client.get("/lists/fesa/promotions/").context["waiting"]
    assert (award.grade, str(award.day)) == ("5 Dan", "2025-02-01")
    assert "These grades take effect when Nihon Shogi Renmei has approved them." in (
        markup(client.get("/lists/fesa/promotions/"))
    )
    decide(fesa, granted=True)
    assert client.get("/lists/fesa/promotions/").context["waiting"] == []


def test_promotions_show_how_many_hold_each_grade(client, fesa):
    promoted(fesa, 2)
    assert client.get("/lists/fesa/promotions/").context["held"] == [("3 Dan", 1), ("1 Dan", 2)]


def entries(feed):
    return ElementTree.fromstring(feed.content).findall(f"{ATOM}entry")


def test_waiting_grade_is_listed_after_approval(client, fesa):
    earn_5_dan(fesa)
    assert names(client) == []
    decide(fesa, granted=True)
    (row,) = rows(client)
    assert (row.startswith("5 Dan "), " Approved " in row, row.endswith(" 2 Feb 2025")) == (True, True, True)


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
    assert "No promotion matches these filters." in client.get("/lists/fesa/promotions/?grade=2+Dan").content.decode()


@pytest.mark.parametrize("query", ["page=abc", "event=%00", "sort=nope", "grade=", "year=", "dan="])
def test_odd_parameters_are_survived(query, client, fesa):
    promoted(fesa)
    assert len(client.get(f"/lists/fesa/promotions/?{query}").context["page"]) == 1
    assert len(entries(client.get(f"/lists/fesa/promotions.atom?{query}"))) == 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("since=x", "Enter a valid date."),
        ("until=2024-13-01", "Enter a valid date."),
        ("country=XX", "XX is not one of the available choices"),
        ("club=1", "That choice is not one of the available choices"),
        ("grade=9+Dan", "9 Dan is not one of the available choices"),
        ("year=20x4", "20x4 is not one of the available choices"),
    ],
)
def test_unknown_filter_value_is_reported_and_shows_no_players(query, expected, client, fesa):
    promoted(fesa)
    page = client.get(f"/lists/fesa/promotions/?{query}&event=Cup")
    assert (page.status_code, list(page.context["page"])) == (200, [])
    assert expected in page.content.decode()
    assert client.get(f"/lists/fesa/promotions.atom?{query}").status_code == 404


def test_country_or_club_without_promotions_has_none(client, fesa):
    """Somebody may have subscribed to it."""
    promoted(fesa)
    quiet = Club.objects.create(name="Quiet")
    for query in ("country=LV", f"club={quiet.public_id}", "year=1999"):
        page = client.get(f"/lists/fesa/promotions/?{query}")
        assert (list(page.context["page"]), page.context["filter"].form.errors) == ([], {})
        assert entries(client.get(f"/lists/fesa/promotions.atom?{query}")) == []


@pytest.mark.parametrize("count", [1, 51])
def test_promotions_need_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    promoted(fesa, count)
    with django_assert_num_queries(10):
        response = client.get("/lists/fesa/promotions/")
    assert len(response.context["page"].object_list) == min(count, 50)
    with django_assert_num_queries(3):
        feed = client.get("/lists/fesa/promotions.atom")
    assert len(entries(feed)) == min(count, 50)


def test_feed_shows_promotions_and_hides_names(client, fesa):
    players = promoted(fesa, 2)
    Player.objects.filter(pk=players[0].pk).update(given_name="Ann")
    assert 'href="/lists/fesa/promotions.atom"' in client.get("/lists/fesa/promotions/").content.decode()
    feed = client.get("/lists/fesa/promotions.atom?country=FR")
    assert feed["Content-Type"] == "application/atom+xml; charset=utf-8"
    (entry,) = entries(feed)
    parts = {part: entry.findtext(f"{ATOM}{part}") for part in ("title", "summary", "id", "updated")}
    assert parts == {
        "title": "P00, Ann: 1 Dan",
        "summary": "rating passed the grade above, awarded, not yet announced, Cup 0",
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
    assert "No promotion on this list yet." in client.get("/lists/fesa/promotions/").content.decode()
    assert entries(client.get("/lists/fesa/promotions.atom")) == []
    for address in ("/lists/nope/promotions/", "/lists/nope/promotions.atom"):
        assert client.get(address).status_code == 404

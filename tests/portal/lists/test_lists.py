import datetime as dt
import re
from html import unescape

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from portal.templatetags.portal_format import flag, grade_badge, signed
from ratings.domain.events.tables import save_details
from ratings.domain.lists.publishing import publish
from ratings.models import Change, Club, Correction, DatedList, Membership, Player, RatingList
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.thorough import take_share_of

pytestmark = pytest.mark.django_db
TODAY = dt.datetime(2024, 6, 1, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(TODAY, tick=False):
        yield


def players_on_list(rating_list, count, rate_all):
    players = [make_player(f"Player {n:03}", "Ann", country="FR" if n % 2 else "DE") for n in range(count)]
    opponent = make_player("Opponent")
    for number, player in enumerate([*players, opponent]):
        give_rating(rating_list, player, 1000 + 5 * number)
        club = Club.objects.get_or_create(name=f"Club {number % 3}")[0]
        Membership.objects.create(player=player, club=club)
    for player in players:
        make_table(rating_list, [player, opponent], [(1, 1, 2, 0.5)], "2024-03-01", event_name=player.family_name)
    rate_all()
    return players


def names(response):
    return [row.record.player.family_name for row in response.context["listing"].paginated_rows]


def test_list_shows_a_line_a_player(client, rate_all):
    fesa, a, b = make_list(), make_player("Łukasz", "Zoë", country="PL"), make_player("B", country="FR")
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 2000, grade="3 Dan")
    club = Club.objects.create(name="Shogi Lyon")
    Membership.objects.create(player=a, club=club)
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    response = client.get("/lists/fesa/")
    cells = [[str(cell) for _, cell in row.items()] for row in response.context["listing"].paginated_rows]
    assert cells == [
        ["1", f'<a href="{a.get_absolute_url()}?list=fesa"><b>Łukasz</b>, Zoë</a>',
         f'{flag("PL")} PL {grade_badge("3 Dan")} <span class="cut"><a href="{club.get_absolute_url()}?list=fesa">Shogi Lyon</a></span>',
         f"{flag('PL')} Poland", f'<a href="{club.get_absolute_url()}?list=fesa">Shogi Lyon</a>', grade_badge("3 Dan"), "2010",
         f'<a class="change gain" href="/lists/fesa/tables/{table.pk}/{a.public_id}/" aria-label="+10 points: why, Łukasz Zoë">+10</a>',
         f' <a class="change gain" href="/lists/fesa/tables/{table.pk}/{a.public_id}/" aria-label="+10 points: why, Łukasz Zoë">+10</a>', "101", "1 Mar 2024"],
        ["2", f'<a href="{b.get_absolute_url()}?list=fesa">B</a>', f'{flag("FR")} FR {grade_badge("3 Dan")} <span class="cut"></span>',
         f"{flag('FR')} France", "", grade_badge("3 Dan"), "1990",
         f'<a class="change loss" href="/lists/fesa/tables/{table.pk}/{b.public_id}/" aria-label="−10 points: why, B">−10</a>',
         f' <a class="change loss" href="/lists/fesa/tables/{table.pk}/{b.public_id}/" aria-label="−10 points: why, B">−10</a>', "101", "1 Mar 2024"],
    ]  # fmt: skip


def test_equal_ratings_share_a_rank(client, rate_all):
    fesa = make_list()
    players = [make_player(name) for name in "ABCD"]
    for player, rating in zip(players, (1900, 1900, 1800, 2000), strict=True):
        give_rating(fesa, player, rating)
    rate_all()
    listing = client.get("/lists/fesa/?active=all").context["listing"]
    assert [(row.record.player.family_name, row.record.rank) for row in listing.paginated_rows] == [
        ("D", 1),
        ("A", 2),
        ("B", 2),
        ("C", 4),
    ]


@pytest.mark.parametrize("count", [1, 50])
def test_list_needs_the_same_queries_for_any_number_of_rows(count, client, rate_all, django_assert_num_queries):
    players_on_list(make_list(), count, rate_all)
    with django_assert_num_queries(10):
        response = client.get("/lists/fesa/")
    with django_assert_num_queries(6):  # what the filters offer and the ranks are kept
        client.get("/lists/fesa/")
    assert len(response.context["listing"].page.object_list) == min(count + 1, 50)


def test_list_filters_and_keeps_rank(client, rate_all):
    players_on_list(make_list(), 6, rate_all)
    assert names(client.get("/lists/fesa/?country=DE")) == ["Player 004", "Player 002", "Player 000"]
    response = client.get("/lists/fesa/?q=ann+PLAYER+002")
    assert [(row.record.player.family_name, row.record.rank) for row in response.context["listing"].paginated_rows] == [
        ("Player 002", 5)
    ]
    club = Club.objects.get(name="Club 1")
    assert names(client.get(f"/lists/fesa/?club={club.public_id}")) == ["Player 004", "Player 001"]
    assert names(client.get("/lists/fesa/?country=DE&sort=name")) == ["Player 000", "Player 002", "Player 004"]


def test_clubs_of_large_lists_are_chosen_by_name_from_suggestions(client, rate_all, monkeypatch):
    monkeypatch.setattr("ratings.queries.lists.choices.MAX_CLUBS", 2)
    players_on_list(make_list(), 6, rate_all)
    club = Club.objects.get(name="Club 1")
    for chosen in (club.public_id, "club 1"):
        assert names(client.get("/lists/fesa/", {"club": chosen})) == ["Player 004", "Player 001"]
    with CaptureQueriesContext(connection) as queries:
        page = markup(client.get("/lists/fesa/", {"club": club.public_id}))
    assert sum('FROM "ratings_club" WHERE "ratings_club"."public_id"' in query["sql"] for query in queries) == 1
    chip = re.search(r'<summary class="chip on">(.*?)<.*?(<form class="menu".*?>)(.*?)</form>', page)
    assert (chip[1].strip(), chip[2]) == (
        "Club: Club 1",
        '<form class="menu" method="get" data-suggest="/search/suggest/?kind=clubs" data-label="Suggestions" data-fill>',
    )
    assert re.findall(r'<input type="search" name="club" value="(\w+)"', chip[3]) == [club.public_id]
    assert "Club: no such" in markup(client.get("/lists/fesa/", {"club": "no such"}))


def test_list_is_filtered_by_grade_category_and_games(client, rate_all):
    fesa = make_list()
    for name, grade, games in (("A", "2 Dan", 100), ("B", "1 Dan", 17), ("C", "1 Kyu", 100), ("D", "3 Kyu", 40)):
        give_rating(fesa, make_player(name), 1900 - ord(name), grade=grade, games=games)
    rate_all()
    for query, found in (
        ("grade=1+Dan", "B"), ("grade=1+Kyu&grade_to=2+Dan", "ABC"), ("grade=2+Dan&grade_to=1+Kyu", "ABC"),
        ("grade_to=1+Kyu", "CD"), ("games=40", "ACD"), ("category=provisional", "B"), ("category=settled", "ACD"),
    ):  # fmt: skip
        assert "".join(names(client.get(f"/lists/fesa/?active=all&{query}"))) == found


def test_age_is_shown_only_with_the_players_permission(client, rate_all):
    fesa = make_list()
    born = {"birth_date": dt.date(2010, 12, 31)}
    give_rating(fesa, make_player("Kept back", **born), 1500)
    rate_all()
    assert "age" not in client.get("/lists/fesa/?active=all").context["filter"].form.fields
    players = [
        make_player("Open", birth_public=True, **born), make_player("Year", birth_public=True, birth_year=2009),
        make_player("Older", birth_public=True, birth_year=2004), make_player("Elder", birth_public=True, birth_year=1974),
        make_player("Initials", birth_public=True, shown="initials", **born),
    ]  # fmt: skip
    for player in players:
        give_rating(fesa, player, 1500)
    rate_all()
    for age, found in (
        ("u16", ["Open", "Year"]),
        ("u12", []),
        ("u20", ["Open", "Year"]),
        ("50", ["Elder"]),
        ("65", []),
    ):
        assert names(client.get(f"/lists/fesa/?active=all&age={age}")) == found


def test_change_since_the_dated_list(client, rate_all):
    fesa, a, b, new = make_list(), make_player("A"), make_player("B"), make_player("New")
    for player in (a, b, new):
        give_rating(fesa, player, 2000, grade="3 Dan")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-10")
    rate_all()
    assert "since" not in [column.name for column in client.get("/lists/fesa/").context["listing"].columns]
    publish(DatedList(list=fesa, day=dt.date(2024, 1, 31)))
    only = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-02-10")
    make_table(fesa, [b, new], [(1, 1, 2, 0.5)], "2024-03-10")
    rate_all()
    rows = client.get("/lists/fesa/").context["listing"].paginated_rows
    now = {row.record.player: row.record.rating for row in rows}
    assert {row.record.player: row.record.since for row in rows} == {a: now[a] - 2010, b: now[b] - 1990, new: None}
    assert {row.record.player: row.get_cell("since") for row in rows}[new] == "new"
    links = {row.record.player: re.findall('href="([^"]+)"', row.get_cell("since")) for row in rows}
    assert links == {
        a: [reverse("explanation", args=["fesa", only.pk, a.public_id])],
        b: [f"{reverse('player_events', args=[b.public_id])}?list=fesa"],
        new: [],
    }


def test_change_since_the_dated_list_links_the_correction_behind_it(client, rate_all):
    """A rating that changed without a game leads to its correction; one that also changed by an event to both."""
    fesa, a, b, c, d = make_list(), *(make_player(name) for name in "ABCD")
    for player in (a, b, c, d):
        give_rating(fesa, player, 2000)
    first = make_table(fesa, [a, b], [(round_, 1, 2, 1.0) for round_ in range(1, 13)], "2024-01-10")
    make_table(fesa, [b, c], [(1, 1, 2, 1.0)], "2024-01-20")
    rate_all()
    with time_machine.travel(TODAY - dt.timedelta(days=2), tick=False):
        publish(DatedList(list=fesa, day=dt.date(2024, 1, 31)))
    make_table(fesa, [a, d], [(1, 1, 2, 1.0)], "2024-02-10")
    first.rated = False
    save_details(first)
    rate_all()
    run = Correction.objects.get(player=c).run_id
    rows = client.get("/lists/fesa/").context["listing"].paginated_rows
    links = {row.record.player: re.findall('href="([^"]+)"', row.get_cell("since")) for row in rows}
    assert links == {
        a: [f"{reverse('player_events', args=[a.public_id])}?list=fesa"],
        b: [reverse("player_correction", args=["fesa", run, b.public_id])],
        c: [reverse("player_correction", args=["fesa", run, c.public_id])],
        d: [],
    }
    shown = {row.record.player: strip_tags(row.get_cell("since")) for row in rows}
    assert shown[c] == signed(Correction.objects.get(player=c).change, fesa)
    assert client.get(links[c][0]).status_code == 200


def test_first_rating_links_its_explanation_on_the_list(client, rate_all):
    fesa, a, new = make_list(), make_player("A"), make_player("New")
    give_rating(fesa, a, 2000)
    table = make_table(fesa, [a, new], [(round_, 1, 2, 0.5) for round_ in range(1, 8)], "2024-01-10")
    rate_all()
    address = reverse("explanation", args=["fesa", table.pk, new.public_id])
    link = f'<a class="change" href="{address}" aria-label="new rating: why, New">new</a>'
    rows = {row.record.player: row for row in client.get("/lists/fesa/").context["listing"].paginated_rows}
    assert rows[new].get_cell("change") == link
    assert link in client.get("/").text


def test_list_sorts_by_each_column_with_missing_values_last(client, rate_all):
    fesa, a, b, new, absent = make_list(), make_player("A"), make_player("B"), make_player("New"), make_player("Absent")
    for player in (a, b, new, absent):
        give_rating(fesa, player, 2000, grade="3 Dan")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-10")
    rate_all()
    publish(DatedList(list=fesa, day=dt.date(2024, 1, 31)))
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-02-10")
    make_table(fesa, [b, new], [(1, 1, 2, 0.5)], "2024-03-10")
    rate_all()
    orders = {
        sort: names(client.get(f"/lists/fesa/?active=all&sort={sort}"))
        for sort in ("since", "-since", "change", "-change", "last_played", "-last_played", "year", "-year")
    }
    assert orders == {
        "since": ["B", "A", "Absent", "New"], "-since": ["A", "B", "Absent", "New"],
        "change": ["New", "B", "A", "Absent"], "-change": ["A", "B", "New", "Absent"],
        "last_played": ["A", "B", "New", "Absent"], "-last_played": ["B", "New", "A", "Absent"],
        "year": ["B", "New", "A", "Absent"], "-year": ["A", "New", "B", "Absent"],
    }  # fmt: skip
    page = markup(client.get("/lists/fesa/?active=all&sort=-since"))
    heads = re.findall(
        r'<th scope="col" role="columnheader"[^>]*aria-sort="(\w+)"[^>]*>\s*<a href="([^"]*)">([^<]*)', page
    )
    assert heads == [("descending", "?active=all&amp;sort=since", "± list")]


def test_change_of_twelve_months_leads_to_what_explains_it(client, rate_all):
    fesa, a, b, absent = make_list(), make_player("A"), make_player("B"), make_player("Absent")
    for player in (a, b, absent):
        give_rating(fesa, player, 2000, grade="3 Dan")
    make_table(fesa, [b, absent], [(1, 1, 2, 1.0)], "2023-05-31")  # a year and a day before
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2023-07-01")
    only = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-02-10")
    rate_all()
    Change.objects.filter(player=a, day="2023-07-01").update(hidden=True)
    rows = {row.record.player: row for row in client.get("/lists/fesa/?sort=-year").context["listing"].paginated_rows}
    assert list(rows) == [a, b, absent]
    links = {player: re.findall('href="([^"]+)"', row.get_cell("year")) for player, row in rows.items()}
    assert links == {
        a: [reverse("explanation", args=["fesa", only.pk, a.public_id])],
        b: [f"{reverse('player_events', args=[b.public_id])}?list=fesa"],
        absent: [],
    }


def test_name_in_the_players_own_script_follows_the_link(client, rate_all):
    fesa, shown = make_list(), make_player("Yamamoto", "Taichi", native_name="山本 太一", country="JP")
    hidden = make_player("Tanaka", native_name="田中", country="JP", shown="initials")
    for player in (shown, hidden):
        give_rating(fesa, player, 1500)
    rate_all()
    page = markup(client.get("/lists/fesa/?active=all"))
    assert '<b>Yamamoto</b>, Taichi</a> <span class="native quiet" lang="ja">山本 太一</span></td>' in page
    assert ("田中" in page, "T.</a></td>" in page) == (False, True)


def test_list_shows_its_last_day_and_how_ties_are_ranked(client, rate_all):
    players_on_list(make_list(), 1, rate_all)
    page = client.get("/lists/fesa/").content.decode()
    assert ("results up to 1 Mar 2024" in " ".join(page.split()), "Rated 1 Jun 2024, 00:00 UTC." in page) == (
        True,
        True,
    )
    assert "Equal ratings share a rank." in page


def test_downloads_keep_the_choice(client, rate_all):
    players_on_list(make_list(), 2, rate_all)
    page = unescape(client.get("/lists/fesa/?country=DE&sort=name&page=1").content.decode())
    assert [form for form in ("csv", "txt", "xlsx", "json") if f'href="/lists/fesa/list.{form}?country=DE"' in page] == [
        "csv", "txt", "xlsx", "json",
    ]  # fmt: skip


def test_search_ignores_accents_case_and_order(client, rate_all):
    fesa, a = make_list(), make_player("Müller-Łoś", "Étienne")
    give_rating(fesa, a, 1500)
    rate_all()
    for query in ("etienne muller", "LOS", "mu\u0308ller"):
        assert names(client.get("/lists/fesa/", {"active": "all", "q": query})) == ["Müller-Łoś"]


def test_list_leaves_out_players_inactive_for_two_years(client, rate_all):
    fesa, a, b, c = make_list(), make_player("A"), make_player("B"), make_player("C")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2022-05-31")
    make_table(fesa, [b, c], [(1, 1, 2, 0.5)], "2022-06-01")
    rate_all()
    assert sorted(names(client.get("/lists/fesa/"))) == ["B", "C"]
    assert sorted(names(client.get("/lists/fesa/?active=all"))) == ["A", "B", "C"]


def test_empty_choice_says_so_and_offers_all_players(client):
    make_list()
    page = client.get("/lists/fesa/?q=nobody").content.decode()
    assert "No player matches these filters." in page
    assert 'href="?active=all&q=nobody"' in unescape(page)


@pytest.mark.parametrize(
    "query",
    take_share_of(
        ["page=abc", "page=99999", "page=-1", "sort=nope", "sort=--rating", "country=XX", "club=1", "grade=9+Dan",
         "active=x", "q=%00", "q=%F0%9F%98%80", "q=" + "a" * 500, "q=[(*"],
        0, 3,
    ),
)  # fmt: skip
def test_list_survives_odd_parameters(query, client, rate_all):
    players_on_list(make_list(), 2, rate_all)
    assert client.get(f"/lists/fesa/?{query}").status_code == 200


def test_names_are_escaped(client, rate_all):
    fesa, a = make_list(name="<b>list</b>"), make_player("<script>alert(1)</script>", "\"'&")
    give_rating(fesa, a, 1500, grade="3 Kyu")
    rate_all()
    for address in ("/", "/lists/fesa/?active=all", a.get_absolute_url()):
        page = client.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<b>list" not in page


def test_unknown_list_is_404(client):
    assert client.get("/lists/nope/").status_code == 404


def test_pending_work_is_reported(client, rate_all):
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-05-31")
    assert "Results from 31 May 2024 on are being rated again" in client.get("/lists/fesa/").content.decode()
    rate_all()
    assert "being rated again" not in client.get("/lists/fesa/").content.decode()


def test_names_and_countries_stand_as_people_look_for_them(client, rate_all):
    fesa = make_list()
    for name, country in (("Zwart", "NL"), ("Åsberg", "SE"), ("de Leeuw", "DE"), ("Švec", "CZ"), ("Berg", "ES")):
        give_rating(fesa, make_player(name, country=country), 1500)
    rate_all()
    response = client.get("/lists/fesa/?active=all&sort=name")
    assert names(response) == ["Åsberg", "Berg", "de Leeuw", "Švec", "Zwart"]
    countries = response.context["filter"].form.fields["country"].choices
    assert [code for code, _ in countries][1:] == ["CZ", "DE", "NL", "ES", "SE"]


def test_list_by_country_is_in_the_order_of_the_names_people_read(client, rate_all):
    fesa = make_list()
    for name, country in (("A", "DK"), ("B", "DE"), ("C", "ES"), ("D", ""), ("E", "AT"), ("F", "AT")):
        give_rating(fesa, make_player(name, country=country), 1500 if name == "E" else 1400)
    rate_all()
    found = [names(client.get(f"/lists/fesa/?active=all&sort={sort}country")) for sort in ("", "-")]
    assert found == [["E", "F", "A", "B", "C", "D"], ["C", "B", "A", "E", "F", "D"]]
    german = client.get("/lists/fesa/?active=all&sort=country", headers={"accept-language": "de"})
    assert names(german) == ["A", "B", "E", "F", "C", "D"]  # Dänemark, Deutschland, Österreich, Spanien


def test_list_without_countries_is_ordered_by_country(client, rate_all):
    fesa = make_list()
    for rating in (1400, 1500):
        give_rating(fesa, make_player(f"P{rating}", country=""), rating)
    rate_all()
    assert names(client.get("/lists/fesa/?active=all&sort=country")) == ["P1500", "P1400"]


def test_page_is_right_while_the_count_of_a_filter_is_cached(client, rate_all):
    players_on_list(make_list(), 51, rate_all)
    Player.objects.update(country="FR")
    first = names(client.get("/lists/fesa/?active=all&country=FR"))
    Player.objects.filter(family_name=first[0]).update(country="DE")
    now = names(client.get("/lists/fesa/?active=all&country=FR"))
    assert (len(first), len(now), now[:-1]) == (50, 50, first[1:])


def test_list_of_a_past_day_follows_its_years_of_activity(client, rate_all):
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2022-06-01")
    rate_all()

    def listed():
        return [line.player.family_name for line in client.get("/lists/fesa/?on=2024-05-01").context["lines"]]

    assert listed() == ["Ada", "Ben"]
    RatingList.objects.update(active_years=1)
    assert listed() == []


def test_choices_of_two_lists_are_distinguished(client):
    make_list(), make_list("other", active_years=3)
    pages = [client.get(f"/lists/{slug}/").content.decode() for slug in ("fesa", "other")]
    assert [("in the last 2 years" in page, "in the last 3 years" in page) for page in pages] == [
        (True, False),
        (False, True),
    ]

import datetime as dt
import re

import pytest
import time_machine

from portal.templatetags.portal_format import signed
from ratings.domain.lists.publishing import publish
from ratings.models import DatedList, Table
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused
from tests.thorough import take_share_of

pytestmark = pytest.mark.django_db
JANUARY, MARCH = dt.date(2024, 1, 31), dt.date(2024, 3, 31)


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
@reused
def two_lists(rate_all):
    """Published in January with A, B, Gone and in March with A, B, C; A beat B in between."""
    fesa = make_list()
    a, b, c, gone = (make_player(name) for name in ("A", "B", "<script>alert(1)</script>", "Gone"))
    for player in (a, b, c, gone):
        give_rating(fesa, player, 2000, grade="3 Dan")
    make_table(fesa, [a, gone], [(1, 1, 2, 0.5)], "2022-02-10")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-10")
    make_table(fesa, [a, b, c], [(1, 1, 2, 1.0), (2, 3, None, 1.0), (3, 2, 3, 0.5)], "2024-03-10")
    rate_all()
    for day in (JANUARY, MARCH):
        publish(DatedList(list=fesa, day=day))
    return fesa, (a, b, c, gone)


def links_of(page, change):
    """Return the addresses to which a change leads on a page."""
    return re.findall(rf'<a class="change \w+" href="([^"]*)"[^>]*>{re.escape(signed(change))}</a>', page.text)


def names(lines):
    return [line.player.family_name for line in lines]


def test_dated_lists_lead_to_each_other(two_lists, client):
    january, march = (client.get(f"/lists/fesa/dated/{day}/") for day in (JANUARY, MARCH))
    assert (january.context["before"], january.context["after"]) == (None, MARCH)
    assert (march.context["before"], march.context["after"]) == (JANUARY, None)
    assert 'href="/lists/fesa/moves/?since=2024-01-31&amp;until=2024-03-31"' in markup(march)
    chosen = client.get(f"/lists/fesa/dated/{MARCH}/?country=FR&page=1")
    assert f'<a rel="prev" href="/lists/fesa/dated/{JANUARY}/?country=FR">' in chosen.text


@pytest.mark.parametrize(
    ("language", "line", "revised"),
    [
        ("en", "published on 1 Jun 2024", "published on 1 Jun 2024, again with corrections on 2 Jun 2024"),
        ("ja", "2024年6月1日に公表", "2024年6月1日に公表、訂正により2024年6月2日に再公表"),
    ],
)
def test_published_lists_name_the_days_of_publication(language, line, revised, two_lists, client):
    DatedList.objects.filter(day=JANUARY).update(revised_at=dt.datetime(2024, 6, 2, tzinfo=dt.UTC))
    page = markup(client.get("/lists/fesa/dated/", headers={"Accept-Language": language}))
    assert re.findall(r'<span class="small quiet">\s*([^<]*?)\s*</span>', page) == [line, revised]


def test_dated_list_shows_changes_since_the_previous_one(two_lists, client):
    first, second = (client.get(f"/lists/fesa/dated/{one.day}/") for one in two_lists[0].dated.order_by("day"))
    assert "± list" not in first.text
    was = {line.player: line.rating for line in first.context["lines"]}
    now = {line.player: line for line in second.context["lines"]}
    assert {player: line.since for player, line in now.items()} == {
        player: line.rating - was[player] if player in was else None for player, line in now.items()
    }
    a, b = two_lists[1][:2]
    table = Table.objects.get(last_day="2024-03-10")
    assert {player: links_of(second, now[player].since) for player in (a, b)} == {
        player: [f"/lists/fesa/tables/{table.pk}/{player.public_id}/"] for player in (a, b)
    }
    assert any(line.since for line in now.values())


def test_dated_list_is_filtered_and_keeps_ranks(two_lists, client):
    c = two_lists[1][2]
    assert names(client.get("/lists/fesa/dated/2024-03-31/").context["lines"])[0] == "A"
    lines = client.get("/lists/fesa/dated/2024-03-31/", {"q": "script"}).context["lines"]
    assert [(line.player, line.rank) for line in lines] == [(c, 2)]
    assert names(client.get("/lists/fesa/dated/2024-03-31/?games=102").context["lines"]) == ["A", "B"]
    assert "No player matches these filters." in markup(client.get("/lists/fesa/dated/2024-03-31/?q=nobody"))


@pytest.mark.parametrize("count", [1, 50])
def test_dated_list_needs_the_same_queries_for_any_number_of_lines(count, rate_all, client, django_assert_num_queries):
    fesa, opponent = make_list(), make_player("Opponent")
    for number in range(count):
        player = make_player()
        give_rating(fesa, player, 1500 + number)
        make_table(fesa, [player, opponent], [(1, 1, 2, 0.5)], "2024-01-10")
    rate_all()
    publish(DatedList(list=fesa, day=JANUARY))
    with django_assert_num_queries(10):
        response = client.get("/lists/fesa/dated/2024-01-31/")
    assert len(response.context["lines"]) == count + 1
    with django_assert_num_queries(5):
        response = client.get("/lists/fesa/?on=2024-01-31")
    assert len(response.context["lines"]) == count + 1
    with django_assert_num_queries(7):
        response = client.get("/lists/fesa/moves/?since=2024-01-01&until=2024-01-31&show=new")
    assert len(response.context["rows"]) == count + 1


def test_past_lists_are_offered_whole_for_printing(rate_all, client, monkeypatch, django_assert_num_queries):
    fesa = make_list()
    players = [make_player(f"P{number:03}") for number in range(102)]
    for number, player in enumerate(players):
        give_rating(fesa, player, 1900 - number)
    make_table(fesa, players, [(1, n, n + 1, 0.5) for n in range(1, 102, 2)], "2024-01-10")
    rate_all()
    publish(DatedList(list=fesa, day=JANUARY))
    monkeypatch.setattr("portal.site.whole_lists.ROWS_PER_PART", 60)
    for address, chosen, queries in [(f"dated/{JANUARY}/", "", 6), ("", f"on={JANUARY}&amp;", 3)]:
        first = client.get(f"/lists/fesa/{address}?{chosen.replace('&amp;', '&')}page=2")
        assert f'<a href="?{chosen}rows=all">Whole list for printing</a>' in markup(first)
        with django_assert_num_queries(queries):
            second = client.get(f"/lists/fesa/{address}?{chosen.replace('&amp;', '&')}rows=all&page=2")
        assert [line.rank for line in second.context["lines"]] == list(range(61, 103))
        parts = re.search('<nav class="pages".*?</nav>', markup(second))[0]
        assert re.findall(r">\s*([^\s<][^<]*?)\s*<", parts) == ["Players 1–60", "Players 61–102"]
        assert f'<a href="?{chosen}rows=all&amp;page=1">' in parts
        assert "for printing" not in second.text


def test_list_as_of_a_day_has_the_players_active_then(two_lists, client):
    response = client.get("/lists/fesa/?on=2022-06-01")
    assert [(line.player.family_name, line.rank, line.rating, line.games) for line in response.context["lines"]] == [
        ("A", 1, 2000, 101), ("Gone", 1, 2000, 101),
    ]  # fmt: skip
    assert names(client.get("/lists/fesa/?on=2022-06-01&active=all&q=b").context["lines"]) == ["B"]
    assert names(client.get("/lists/fesa/?on=2020-06-01").context["lines"]) == []
    assert "listing" in client.get("/lists/fesa/?on=2024-06-01").context  # today's is the live one


def test_moves_between_two_dated_lists(two_lists, client):
    a, b, c, gone = two_lists[1]

    days = {"since": "2024-01-31", "until": "2024-03-31"}

    def moved(kind):
        response = client.get("/lists/fesa/moves/", days | {"show": kind})
        return [(row.player, row.before, row.after) for row in response.context["rows"]]

    rating = {line.player: line.rating for line in DatedList.objects.get(day=MARCH).lines.select_related("player")}
    assert rating[a] > 2000 > rating[b]
    assert moved("risers") == [(a, 2000, rating[a])]
    assert moved("fallers") == [(b, 2000, rating[b])]
    assert moved("new") == [(c, None, rating[c])]
    assert moved("gone") == [(gone, 2000, None)]
    assert moved("promoted") == []
    counts = [(kind, count) for kind, _, count in client.get("/lists/fesa/moves/", days).context["kinds"]]
    assert counts == [("risers", 1), ("fallers", 1), ("new", 1), ("gone", 1), ("promoted", 0)]


def test_moves_are_those_of_the_last_four_months_by_default(two_lists, client):
    response = client.get("/lists/fesa/moves/")
    assert (response.context["since"], response.context["until"]) == (dt.date(2024, 1, 31), dt.date(2024, 6, 1))
    assert [(lens.label, lens.address, lens.is_chosen) for lens in response.context["filter"].lenses] == [
        ("Last 4 months", "?since=2024-01-31&until=2024-06-01&show=risers", True),
        ("Last 12 months", "?since=2023-06-02&until=2024-06-01&show=risers", False),
        ("Since the list of 31 Mar 2024", "?since=2024-03-31&until=2024-06-01&show=risers", False),
        ("31 Jan 2024 – 31 Mar 2024", "?since=2024-01-31&until=2024-03-31&show=risers", False),
    ]
    other = client.get("/lists/fesa/moves/?since=2024-01-01&until=2024-03-31&show=gone").context["filter"]
    (chip,) = other.chips
    assert (chip.chosen, chip.hidden_fields, chip.is_wrong) == ("1 Jan 2024 – 31 Mar 2024", [("show", "gone")], False)
    assert not any(lens.is_chosen for lens in other.lenses)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("risers", "Nobody’s rating rose in this time."), ("fallers", "Nobody’s rating fell in this time."),
        ("new", "Nobody joined the list in this time."), ("gone", "Nobody left the list in this time."),
        ("promoted", "Nobody won a grade in this time."),
    ],
)  # fmt: skip
def test_moves_without_players_say_what_was_looked_for(kind, text, two_lists, client):
    address = f"/lists/fesa/moves/?since=2024-05-01&until=2024-06-01&show={kind}"
    assert f'{text} <a href="/lists/fesa/moves/">' in markup(client.get(address))


def test_moves_compare_any_two_days_in_either_order(two_lists, client):
    a = two_lists[1][0]
    for query in ("since=2024-03-09&until=2024-03-10", "since=2024-03-10&until=2024-03-09"):
        response = client.get(f"/lists/fesa/moves/?{query}")
        assert (response.context["since"], response.context["until"]) == (dt.date(2024, 3, 9), dt.date(2024, 3, 10))
        assert [row.player for row in response.context["rows"]] == [a]


def test_promotions_are_shown_with_both_grades(rate_all, client):
    fesa, a, b = make_list(), make_player("A"), make_player("B")
    give_rating(fesa, a, 1500, grade="3 Kyu")
    give_rating(fesa, b, 1500, grade="3 Kyu")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-10")
    give_rating(fesa, a, 1500, "2024-02-01", grade="2 Kyu")
    rate_all()
    rows = client.get("/lists/fesa/moves/?since=2024-01-20&until=2024-03-01&show=promoted").context["rows"]
    assert [(row.player, row.grade_before, row.grade) for row in rows] == [(a, "3 Kyu", "2 Kyu")]


def test_equal_changes_are_ordered_by_name(rate_all, client):
    fesa = make_list()
    players = [make_player(name) for name in ("B", "A", "C")]
    hidden = make_player("0", shown="anonymous")
    for player in [*players, hidden]:
        give_rating(fesa, player, 1500)
    make_table(fesa, [*players, hidden], [(1, 1, 2, 0.5), (1, 3, 4, 0.5)], "2024-01-10")
    rate_all()
    page = client.get("/lists/fesa/moves/?since=2024-01-01&until=2024-02-01&show=new")
    assert [row.player.family_name for row in page.context["rows"]] == ["A", "B", "C", "0"]
    assert hidden.public_id in markup(page)


def test_withdrawn_player_leaves_all_past_lists(two_lists, rate_all, client):
    fesa, (a, *_) = two_lists
    fesa.members.update_or_create(player=a, defaults={"withdrawn": True})
    fesa.out_of_date_from, fesa.revision = dt.date(2020, 1, 1), fesa.revision + 1
    fesa.save(update_fields=["out_of_date_from", "revision"])
    fesa.rated_tables.update(needs_rating=True)
    rate_all()
    for address in (
        "dated/2024-03-31/",
        "?on=2024-04-01&active=all",
        "moves/",
        "list.csv",
        "dated/2024-03-31/list.csv",
    ):
        assert a.public_id not in markup(client.get(f"/lists/fesa/{address}"))


ODD = [
    "page=abc", "page=99999", "page=-1", "page=" + "9" * 400, "on=1492-13-45", "on=1492-01-01", "on=0001-01-01",
    "on=9999-12-31", "on=x", "on=%00", "games=-1", "games=abc", "games=1e999", "games=" + "9" * 400, "club=%5B", "club=%00",
    "age=u12", "age=x", "category=x", "grade=9+Dan", "grade_to=1+Dan&grade=x", "sort=rank", "q=%00", "show=x", "show=%00",
    "since=1492-01-01&until=9999-12-31", "since=x&until=2024-02-30", "since=2024-01-01&until=2024-01-01", "active=x", "per_page=-1",
    "on=2024-02-01&page=abc&q=" + "a" * 3000,
]  # fmt: skip


REFUSED = (
    "games=-1",
    "games=abc",
    "games=1e999",
    "games=" + "9" * 400,
    "category=x",
    "grade=9+Dan",
    "grade_to=1+Dan&grade=x",
)
REFUSED_LIVE = ("on=1492-13-45", "on=1492-01-01", "on=0001-01-01", "on=x", "active=x")
"""Pages tell what cannot be above the whole list; a file would not, so there is none."""


@pytest.mark.parametrize("query", take_share_of(ODD, 0, 4))
def test_odd_parameters_are_survived(query, two_lists, client):
    pages = ("", "dated/2024-03-31/", "moves/", "list.csv", "dated/2024-03-31/list.json")
    live, dated = (400 if query in wrong else 200 for wrong in (REFUSED + REFUSED_LIVE, REFUSED))
    found = [client.get(f"/lists/fesa/{page}?{query}").status_code for page in pages]
    assert found == [200, 200, 200, live, dated]


def test_impossible_days_are_reported(two_lists, client):
    assert "Enter a valid date." in markup(client.get("/lists/fesa/?on=1492-13-45"))
    assert "Ensure this value is greater than or equal to 1800-01-01." in (
        markup(client.get("/lists/fesa/moves/?since=1492-01-01"))
    )


def test_names_are_escaped_on_past_lists(two_lists, client):
    for address in ("dated/2024-03-31/", "?on=2024-04-01", "moves/?show=new"):
        page = markup(client.get(f"/lists/fesa/{address}"))
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page
        assert client.cookies == {}


def test_risers_and_fallers_leave_out_first_ratings(rate_all, client):
    fesa, a, newcomer = make_list(), make_player("A"), make_player("Newcomer")
    give_rating(fesa, a, 1500)
    make_table(fesa, [a, newcomer], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], "2024-01-10")  # 0 %: the rating 1
    make_table(fesa, [a, newcomer], [(n, 1, 2, 0.5) for n in range(1, 8)], "2024-03-10")
    rate_all()
    for since, until in (("2024-01-20", "2024-04-01"), ("2024-04-01", "2024-01-20")):
        page = client.get(f"/lists/fesa/moves/?since={since}&until={until}")
        counts = {kind: count for kind, _, count in page.context["kinds"]}
        assert (counts["risers"], counts["fallers"], counts["new"]) == (0, 1, 0)
    page = client.get(newcomer.get_absolute_url())
    assert page.context["career"].gain is None  # what a page calls the biggest gain


def test_returning_player_is_not_new_on_a_list(rate_all, client):
    fesa = make_list()
    a, returning, new = (make_player(name) for name in ("A", "Returning", "New"))
    for player in (a, returning):
        give_rating(fesa, player, 2000)
    make_table(fesa, [a, returning], [(1, 1, 2, 0.5)], "2020-02-10")
    make_table(fesa, [a, make_player("B")], [(1, 1, 2, 0.5)], "2024-01-10")
    rate_all()
    publish(DatedList(list=fesa, day=JANUARY))
    make_table(fesa, [a, returning, new], [(1, 1, 2, 0.5), (2, 1, 3, 0.5)], "2024-03-10")
    rate_all()
    publish(DatedList(list=fesa, day=MARCH))
    page = markup(client.get(f"/lists/fesa/dated/{MARCH}/"))
    since = {
        name: word
        for row in re.findall(r'<tr role="row">(.*?)</tr>', page)
        for name, word in re.findall(r'>(Returning|New)</a>.*delta">\s*(\w+)', row)
    }
    assert since == {"Returning": "returned", "New": "new"}
    DatedList.objects.filter(day=MARCH).delete()
    listing = client.get("/lists/fesa/").context["listing"]
    actual = {row.record.player.family_name: row.get_cell("since") for row in listing.paginated_rows}
    assert {name: actual[name] for name in ("Returning", "New")} == {"Returning": "returned", "New": "new"}


def test_move_leads_to_its_event_or_to_the_events_of_the_player(two_lists, client):
    player, table = two_lists[1][0], Table.objects.get(last_day="2024-03-10")

    def address_of_change(since):
        page = client.get(f"/lists/fesa/moves/?since={since}&until=2024-03-31")
        (row,) = page.context["rows"]
        assert row.player == player
        return links_of(page, row.change)

    assert address_of_change("2024-01-31") == [f"/lists/fesa/tables/{table.pk}/{player.public_id}/"]
    assert address_of_change("2024-01-01") == [f"/players/{player.public_id}/events/?list=fesa"]


def test_change_without_an_event_leads_nowhere(client, rate_all):
    fesa, a, b = make_list(), make_player("A"), make_player("B")
    give_rating(fesa, a, 2000, grade="3 Dan")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-10")
    give_rating(fesa, a, 2100, day="2024-03-01", grade="3 Dan")
    rate_all()
    page = client.get("/lists/fesa/moves/?since=2024-01-31&until=2024-03-31")
    (row,) = page.context["rows"]
    assert (row.player, row.change > 0, links_of(page, row.change)) == (a, True, [])
    assert f'<span class="gain">{signed(row.change)}</span>' in page.text

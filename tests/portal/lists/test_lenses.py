"""Filters of a list as lenses and chips, each choice an address, and the curve of the last twelve months."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from portal.lists.sparkline import draw_sparkline
from portal.templatetags.portal_format import marked_name, signed
from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Change, Club, Membership, Player, RatingList, Standing
from ratings.queries.lists.recent_changes import RecentChanges, read_recent_changes
from tests.factories import give_rating, make_list, make_player, make_table, set_state
from tests.markup import markup
from tests.shared import reused

LENS = re.compile(r'<a class="chip" href="([^"]*)"( aria-current="true")?>([^<]*)')
TODAY = dt.date(2024, 6, 1)


@pytest.fixture
@reused
def fesa(db, rate_all):
    """Ada played in 2022 and 2024, Ben in 2024 for the first time, Cora in 2022 only."""
    fesa = make_list()
    ada, ben, cora = make_player("Ada", "A.", country="DE"), make_player("Ben", country="FR"), make_player("Cora")
    for player, rating in ((ada, 1800), (cora, 1700)):
        give_rating(fesa, player, rating, "2020-01-01")
    make_table(fesa, [ada, cora], [(1, 1, 2, 0.0)], "2022-05-01")
    for month in (1, 2, 3):
        make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], f"2024-0{month}-01")
    rate_all()
    return fesa


def lenses(page):
    return {text.strip(): (address, bool(chosen)) for address, chosen, text in LENS.findall(page)}


def shown(client, query=""):
    listing = client.get(f"/lists/fesa/?{query}").context["listing"]
    return [row.record.player.family_name for row in listing.paginated_rows]


def test_lens_is_a_link_that_keeps_the_other_filters(client, fesa):
    page = markup(client.get("/lists/fesa/?country=DE&sort=name&page=1"))
    assert lenses(page) == {
        "Everyone": ("?sort=name", False), "Newcomers": ("?country=DE&amp;sort=name&amp;new=1", False),
    }  # fmt: skip
    page = markup(client.get("/lists/fesa/?country=DE&new=1"))
    assert lenses(page)["Newcomers"] == ("?country=DE", True)
    assert '<a class="chip plain" href="?">Clear filters</a>' in page
    assert "Clear filters" not in markup(client.get("/lists/fesa/?country=DE"))


@pytest.mark.parametrize(
    ("query", "described"),
    [("", ""), ("country=DE", "Germany (DE)"), ("country=DE&new=1", "Newcomers · Germany (DE)"), ("q=a&sort=name", "")],
)
def test_heading_and_title_say_which_players_are_chosen(query, described, client, fesa):
    page = markup(client.get(f"/lists/fesa/?{query}"))
    title = f"FESA ({described}) – Ratings" if described else "FESA – Ratings"
    heading = f' <span class="chosen">{described}</span>' if described else ""
    assert f"<h1>FESA{heading}</h1>" in page
    assert " ".join(page.partition("<title>")[2].partition("</title>")[0].split()).startswith(title)


def test_everyone_keeps_inactive_players_and_is_current_without_a_filter(client, fesa):
    assert lenses(markup(client.get("/lists/fesa/")))["Everyone"] == ("?", True)
    assert lenses(markup(client.get("/lists/fesa/?active=all&q=a")))["Everyone"] == ("?active=all", False)


def test_everyone_keeps_the_day_and_the_order(client, fesa):
    page = markup(client.get("/lists/fesa/?on=2024-02-01&active=all&sort=name&country=DE"))
    assert lenses(page)["Everyone"] == ("?on=2024-02-01&amp;active=all&amp;sort=name", False)


def test_chips_name_what_is_chosen_and_keep_the_other_filters(client, fesa):
    page = markup(client.get("/lists/fesa/?country=DE&grade=1+Kyu&grade_to=1+Dan&q=a"))
    assert '<summary class="chip on">Country: Germany (DE) ' in page
    assert '<summary class="chip on">Grade: 1 Kyu – 1 Dan ' in page
    form = page.partition("Country: Germany (DE)")[2].partition("</form>")[0]
    assert re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form) == [
        ("grade", "1 Kyu"), ("grade_to", "1 Dan"), ("q", "a"),
    ]  # fmt: skip


def test_chips_are_written_in_the_language_of_the_page(client, fesa):
    address = "/lists/fesa/?grade=1+Kyu&grade_to=1+Dan&games=2&on=2024-02-01"
    page = markup(client.get(address, headers={"Accept-Language": "ja"}))
    assert re.findall(r'<summary class="chip on">([^<]*?) ?<', page) == [
        "段級位： 1 Kyu～1 Dan",
        "その他： 2／2024年2月1日",
    ]


def test_chip_with_an_invalid_value_is_open_and_says_why(client, fesa):
    page = markup(client.get("/lists/fesa/?country=XYZ"))
    assert re.search(r'<details class="drop" open><summary class="chip on">Country', page)
    assert "Select a valid choice" in page


def test_newcomers_played_for_the_first_time_in_the_last_twelve_months(client, fesa, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: dt.datetime(2024, 6, 1, tzinfo=dt.UTC))
    assert (shown(client), shown(client, "new=1"), shown(client, "new=1&country=DE")) == (["Ada", "Ben"], ["Ben"], [])


def test_lists_of_past_days_offer_no_newcomers(client, fesa):
    assert set(lenses(markup(client.get("/lists/fesa/?on=2024-02-01")))) == {"Everyone"}


@pytest.fixture
def large_list(rate_all):
    fesa = make_list()
    for number in range(51):
        give_rating(fesa, make_player(f"P{number}"), 1000 + number)
    rate_all()
    return fesa


def test_whole_list_is_offered_for_printing(client, large_list):
    first = client.get("/lists/fesa/?active=all&page=2")
    assert '<a href="?active=all&amp;rows=all">Whole list for printing</a>' in markup(first)
    everybody = client.get("/lists/fesa/?active=all&rows=all")
    assert len(everybody.context["listing"].page.object_list) == 51
    assert 'class="spark"' not in everybody.text
    assert ("for printing" in everybody.text, 'class="pages"' in everybody.text) == (False, False)
    assert 'href="/lists/fesa/list.csv?active=all"' in everybody.text


def test_whole_list_has_parts_that_lead_to_each_other(client, large_list, monkeypatch):
    monkeypatch.setattr("portal.site.whole_lists.ROWS_PER_PART", 5)
    page = markup(client.get("/lists/fesa/?active=all&rows=all&page=6&sort=rating"))
    parts = re.search('<nav class="pages".*?</nav>', page)[0]
    assert re.findall(r">\s*([^\s<][^<]*?)\s*<", parts) == [
        "Players 1–5", "…", "Players 16–20", "Players 21–25", "Players 26–30", "Players 31–35", "Players 36–40", "…",
        "Player 51",
    ]  # fmt: skip
    assert re.findall('aria-current="page">([^<]*)<', parts) == ["Players 26–30"]
    assert re.findall('href="([^"]*)"', parts)[:2] == [
        "?active=all&amp;rows=all&amp;page=1&amp;sort=rating", "?active=all&amp;rows=all&amp;page=4&amp;sort=rating",
    ]  # fmt: skip
    last = client.get("/lists/fesa/?active=all&rows=all&page=11").context["listing"].page
    assert [(row.record.player.family_name, row.record.rank) for row in last.object_list] == [("P0", 51)]


@pytest.mark.parametrize(("rows", "page"), [(26, 1), (26, 2), (5, 6)])
def test_every_part_of_a_whole_list_needs_the_same_queries(
    rows, page, client, large_list, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr("portal.site.whole_lists.ROWS_PER_PART", rows)
    with django_assert_num_queries(10):
        client.get(f"/lists/fesa/?active=all&rows=all&page={page}")


def test_recent_changes_are_those_of_a_year_and_the_last_event(fesa):
    lines = {line.player.family_name: line for line in fesa.standings.select_related("player")}
    recent = read_recent_changes(fesa, list(lines.values()), TODAY)
    ada, ben, cora = (recent[lines[name].player_id] for name in ("Ada", "Ben", "Cora"))
    tables = list(fesa.rated_tables.order_by("day").values_list("table", flat=True))
    assert (ada.table, [day for day, _ in ada.points]) == (
        tables[-1], [dt.date(2023, 6, 2), dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(2024, 3, 1)],
    )  # fmt: skip
    assert ada.change == lines["Ada"].rating - ada.points[0][1]
    assert (ben.table, len(ben.points), ben.change) == (tables[-1], 3, None)
    assert cora == RecentChanges(tables[0], [], None)


@pytest.mark.django_db
def test_recent_changes_leave_out_ratings_that_must_not_be_displayed(rate_all):
    renju = make_list("renju", system="rif-1997")
    ana, bo = make_player("Ana"), make_player("Bo")
    for player in (ana, bo):
        given = {"rating": 2000, "established": True}
        save_adjustment(Adjustment(list=renju, player=player, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    make_table(renju, [ana, bo], [(1, 1, 2, 1.0)], "2024-02-01")
    make_table(renju, [ana, bo], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    changes = Change.objects.filter(player=ana, table__isnull=False)
    table = changes.earliest("day").table_id
    changes.filter(day=dt.date(2024, 3, 1)).update(hidden=True)
    standing = Standing.objects.get(player=ana)
    recent = read_recent_changes(renju, [standing], TODAY)[ana.pk]
    assert [day for day, _ in recent.points] == [dt.date(2023, 6, 2), dt.date(2024, 2, 1)]
    assert recent.table is None  # the last event is the hidden one
    standing.last_played = dt.date(2024, 2, 1)
    assert read_recent_changes(renju, [standing], TODAY)[ana.pk].table == table


def test_sparkline_spans_at_least_twelve_points():
    days = [TODAY - dt.timedelta(days=number) for number in (100, 50, 0)]
    flat = draw_sparkline([(day, value) for day, value in zip(days, (1500, 1503, 1500), strict=True)], TODAY)
    assert 'points="3.0,14.2 48.0,9.8 93.0,14.2"' in flat
    steep = draw_sparkline([(day, value) for day, value in zip(days, (1500, 1600, 1500), strict=True)], TODAY)
    assert 'points="3.0,21.0 48.0,3.0 93.0,21.0"' in steep
    assert 'aria-hidden="true"' in steep
    assert draw_sparkline([(TODAY, 1500), (TODAY, 1600)], TODAY) == ""


@pytest.mark.parametrize(
    ("player", "name"),
    [
        (Player(family_name="Berg", given_name="Eva"), "<b>Berg</b>, Eva"),
        (Player(family_name="Berg"), "Berg"),
        (Player(family_name="Berg", given_name="Eva", shown="initials"), "B. E."),
        (Player(family_name="<u>", given_name="&"), "<b>&lt;u&gt;</b>, &amp;"),
    ],
)
def test_marked_name_tells_the_family_name(player, name):
    assert marked_name(player) == name


@pytest.mark.parametrize(("value", "text"), [(12, "+12"), (-4, "−4"), (0, "±0"), (-0.2, "±0"), (None, "")])
def test_signed_has_a_true_minus(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("days", "today", "following"),
    [
        ("01-01 06-01", "2024-03-01", "2024-06-01"),
        ("01-01 06-01", "2024-06-01", "2024-06-01"),
        ("01-01 06-01", "2024-06-02", "2025-01-01"),
        ("", "2024-06-02", None),
    ],
)
def test_next_publication_is_the_next_of_the_days(days, today, following):
    expected = following and dt.date.fromisoformat(following)
    assert RatingList(publish_on=days).next_publication(dt.date.fromisoformat(today)) == expected


@pytest.mark.django_db
def test_list_says_when_the_next_one_is_published(client):
    make_list(publish_on="01-01")
    year = timezone.now().year
    day = f"1 Jan {year + (timezone.now().date() > dt.date(year, 1, 1))}"
    assert f"next published list: events that end by {day}" in markup(client.get("/lists/fesa/"))


@pytest.mark.django_db
def test_change_by_the_last_event_leads_to_the_list_day_on_which_it_counted(client, rate_all):
    renju = make_list("renju", system="rif-2021", options={"established_games": 0})
    players = [make_player("Ana"), make_player("Bo")]
    for player in players:
        set_state(renju, player, "2024-01-01", rating=2000)
    make_table(renju, players, [(1, 1, 2, 1.0)], "2024-02-10")
    rate_all()
    change = renju.standings.get(player=players[0]).last_change
    address = f"/lists/renju/closings/2024-03-31/{players[0].public_id}/"
    for page in ("/lists/renju/?active=all", "/"):
        row = re.search(rf'<a class="change [^"]*" href="([^"]*)"[^>]*>\+{change:.0f}</a>', markup(client.get(page)))
        assert row, page
        assert row[1] == address
        assert client.get(address).status_code == 200
    table = renju.rated_tables.get().table_id
    explanation = markup(client.get(f"/lists/renju/tables/{table}/{players[0].public_id}/"))
    assert "Rating on 31 Mar 2024" in explanation
    assert f'href="{address}"' in explanation


@pytest.mark.parametrize(
    ("query", "sentence", "chip"),
    [
        ("country=ZZ", "Country “ZZ” is not on this list.", "Country: ZZ"),
        ("club=NOCLUB2", "Club “NOCLUB2” is not on this list.", "Club: NOCLUB2"),
        ("grade=9+Fan", "Grade “9 Fan” is not on this list.", "Grade: 9 Fan"),
        ("country=DE&grade_to=9+Fan", "Grade “9 Fan” is not on this list.", "Grade: 9 Fan"),
    ],
)
@pytest.mark.parametrize("day", ["", "&on=2024-02-01"])
def test_unknown_country_club_or_grade_shows_nobody_and_says_why(client, fesa, query, sentence, chip, day):
    club = Club.objects.create(name="Dresden", country="DE")
    Membership.objects.create(player=Player.objects.get(family_name="Ada"), club=club, start=dt.date(2020, 1, 1))
    page = client.get(f"/lists/fesa/?active=all&{query}{day}")
    texts = " ".join(re.sub(r"<[^>]*>", " ", markup(page).partition("<main")[2]).split())
    assert (sentence in texts, chip in texts, "Ada" in texts) == (True, True, False)

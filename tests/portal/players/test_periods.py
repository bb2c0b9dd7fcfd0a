"""Rating periods on a player's pages, and months without games in the graph."""

import datetime as dt
import re

import pytest
from django.core.cache import cache

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment
from tests.factories import make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fixed_today(monkeypatch):
    moment = dt.datetime(2024, 4, 10, 12, tzinfo=dt.UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


@pytest.fixture
@reused
def months(rate_all):
    """A list rated by months: Ara plays two events in January, the others one in March."""
    rating_list = make_list("months", system="glicko-2", options={"period": "month"})
    players = [make_player(name) for name in ("Ara", "Bel", "Cem")]
    for player, rating in zip(players, (1500, 1400, 1550), strict=True):
        given = {"rating": rating, "deviation": 100}
        save_adjustment(
            Adjustment(list=rating_list, player=player, date=dt.date(2023, 12, 31), set=given, reason="opening")
        )
    ara, bel, cem = players
    make_table(rating_list, [ara, bel], [(1, 1, 2, 1.0)], "2024-01-10", event_name="First")
    make_table(rating_list, [ara, cem], [(1, 1, 2, 0.5)], "2024-01-31", event_name="Second")
    make_table(rating_list, [bel, cem], [(1, 1, 2, 0.5)], "2024-03-05", event_name="Later")
    rate_all()
    return rating_list, ara


def cells(page):
    """The texts of the rows of periods, cell by cell."""
    table = re.search(r"<th [^>]*>Period</th>.*?<tbody[^>]*>(.*?)</tbody>", page)[1]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("</tr>")[:-1]]
    return [[re.sub(r"\s+", " ", re.sub(r"<.*?>", " ", cell)).strip() for cell in row] for row in rows]


def test_overview_shows_the_latest_periods(client, months):
    rating_list, ara = months
    page = markup(client.get(ara.get_absolute_url(), {"list": "months"}))
    january = rating_list.changes.get(player=ara, day="2024-01-31", table=None)
    rating = f"{january.after:.0f}"
    quiet, rated, given = cells(page)
    assert quiet[:2] == ["February 2024 – March 2024 no games", ""]
    assert quiet[2:5] == ["–", "–", "±0"]
    assert rated == [
        "January 2024 First 10 Jan 2024 Second 31 Jan 2024",
        "1½ / 2 opponents 1475",
        "1½ / 2",
        "1475",
        f"+{january.change:.0f}",
        rated[5],
    ]
    assert [row[5].partition(" ")[0] for row in (quiet, rated, given)] == [rating, rating, "1500"]
    deviations = [int(row[5].partition("±")[2]) for row in (quiet, rated, given)]
    assert deviations[2] == 100 > deviations[0] >= deviations[1]
    assert f'href="/lists/months/closings/2024-01-31/{ara.public_id}/"' in page
    assert "Latest periods <span" in page
    assert "rated once a month</span>" in page
    assert re.search(r'aria-current="page">Overview</a>.*?>Periods <span>3</span></a>', page)
    assert "All 3 periods" not in page  # all are here


def test_tab_of_periods_has_its_pages(client, months, monkeypatch):
    monkeypatch.setattr("portal.players.views.games.PER_PAGE", 2)
    _rating_list, ara = months
    address = f"/players/{ara.public_id}/events/?list=months"
    first, second = (markup(client.get(f"{address}&page={number}")) for number in (1, 2))
    assert "<title>Periods – " in first
    assert [row[0].partition(" 2024")[0] for row in cells(first)] == ["February", "January"]
    assert [row[0] for row in cells(second)] == ["Adjustment: opening 31 Dec 2023"]


def test_event_is_a_period_of_its_own_without_closing_days(client, rate_all):
    chess, ara = make_list("chess", system="glicko-2"), make_player("Ara")
    table = make_table(chess, [ara, make_player("Bel")], [(1, 1, 2, 1.0)], "2024-01-10", event_name="Open")
    rate_all()
    page = markup(client.get(ara.get_absolute_url()))
    # two newcomers: 1500 ±350 becomes 1662 ±290, worked out in tests/systems/glicko
    (row,) = cells(page)
    assert row == ["Open 10 Jan 2024", "1 / 1 opponents 1500", "1 / 1", "1500", "+162", "1662 ±290"]
    assert "each event is a period</span>" in page
    assert f'href="/lists/chess/tables/{table.pk}/{ara.public_id}/"' in page


def test_lists_without_deviations_keep_their_events(client, rate_all):
    fesa, ara = make_list(), make_player("Ara")
    make_table(fesa, [ara, make_player()], [(1, 1, 2, 1.0)])
    rate_all()
    for page in (client.get(ara.get_absolute_url()), client.get(f"/players/{ara.public_id}/events/")):
        assert "Events <span>1</span>" in markup(page)
        assert "eriods" not in markup(page)


def test_graph_marks_months_without_games(client, months):
    _rating_list, ara = months
    page = markup(client.get(ara.get_absolute_url(), {"list": "months"}))
    for form in ("broad", "narrow"):
        drawing = re.search(rf'<svg class="{form}".*?</svg>', page)[0]
        assert drawing.count('<circle class="g-pt idle"') == 2
    assert re.search(r'<circle class="g-pt idle"[^>]*/></svg>no games</span>', page)
    picture = client.get(f"/players/{ara.public_id}/graph.svg?list=months").content.decode()
    assert picture.count('<circle class="g-pt idle"') == 2
    assert ".g-pt.idle { stroke: #5d687f; }" in picture
    rows = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', page.partition("Show as table")[2])
    assert rows[:3] == ["31 Mar 2024", "29 Feb 2024", "31 Jan 2024"]


def test_month_without_games_is_shown_once_it_is_over(client, months, monkeypatch):
    _rating_list, ara = months
    address = f"/players/{ara.public_id}/graph.svg?list=months"
    now = client.get(address)
    moment = dt.datetime(2024, 3, 20, 12, tzinfo=dt.UTC)  # others have played in March
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    before = client.get(address, headers={"If-None-Match": now["ETag"]})
    assert [response.content.decode().count('<circle class="g-pt idle"') for response in (before, now)] == [1, 2]
    assert client.get(address, headers={"If-None-Match": before["ETag"]}).status_code == 304


def test_list_days_without_games_are_marked_too(client, rate_all):
    renju, ara, bel = (
        make_list("renju", system="rif-2021", options={"established_games": 1}),
        make_player(),
        make_player(),
    )
    for day in ("2023-03-05", "2023-11-11"):
        make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], day)
    rate_all()
    page = client.get(ara.get_absolute_url())
    assert [point["idle"] for point in page.context["graph"]["graph"].points[0] if point["closing"]] == [
        False, True, True, False,
    ]  # fmt: skip
    assert "rated on list days</span>" in markup(page)
    assert "31 Dec 2023" in cells(markup(page))[0][0]


@pytest.mark.parametrize("events", [1, 20])
def test_pages_need_the_same_queries_for_any_number_of_periods(events, client, rate_all, django_assert_num_queries):
    rating_list = make_list("months", system="glicko-2", options={"period": "month"})
    ara, others = make_player("Ara"), [make_player() for _ in range(2)]
    for number in range(events):
        day = f"{2024 - number // 4}-{1 + number % 4 * 3:02}-10"
        if day < "2024-04-10":
            make_table(rating_list, [ara, *others], [(1, 1, 2, 1.0), (2, 1, 3, 0.5)], day)
    rate_all()
    for address, queries in ((ara.get_absolute_url(), 20), (f"/players/{ara.public_id}/events/", 18)):
        cache.clear()
        with django_assert_num_queries(queries):
            assert client.get(address).status_code == 200

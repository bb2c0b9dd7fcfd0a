"""Deviations of ratings on lists, in files, in the API and on a player's page."""

import csv
import datetime as dt
import io
import re

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError

from portal.charts.axes import BROAD
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import draw_graph
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, Change, DatedList
from ratings.queries.lists.deviations import deviation_of, deviations_before
from ratings.queries.players.careers import Career
from ratings.queries.players.players import rank_among_active
from ratings.queries.players.versus import expected_now
from ratings.systems.state_json import state_from_json
from ratings.systems.values import Player as PlayerValue
from tests.factories import make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
TODAY = dt.date(2024, 3, 1)


@pytest.fixture
def players():
    return [make_player(name) for name in ("Ara", "Bel", "Cem")]


@pytest.fixture(autouse=True)
def fixed_today(monkeypatch):
    moment = dt.datetime(2024, 3, 1, 12, tzinfo=dt.UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


def play(rating_list, players):
    make_table(rating_list, players, [(1, 1, 2, 1.0), (2, 1, 3, 0.5), (3, 2, 3, 1.0)], "2024-01-06", event_name="Open")
    make_table(rating_list, players[:2], [(1, 1, 2, 0.0)], "2024-02-03", event_name="Cup")


@pytest.fixture
@reused
def glicko(players, rate_all):
    rating_list = make_list("chess", system="glicko-2")
    play(rating_list, players)
    rate_all()
    return rating_list


@pytest.fixture
@reused
def compared(players, rate_all):
    """A list without deviations that shows those of its comparison, and the comparison."""
    rating_list = make_list("shogi")
    comparison = make_list("shogi-glicko", system="glicko-2", comparison_to=rating_list)
    rating_list.deviations_from = comparison
    rating_list.full_clean()
    rating_list.save()
    play(rating_list, players)
    rate_all()
    rating_list.refresh_from_db()
    return rating_list, comparison


def last_deviation(rating_list, player, on):
    change = Change.objects.filter(list=rating_list, player=player).order_by("day", "place").last()
    system = rating_list.rating_system
    return system.rating.standing(state_from_json(system, change.state), PlayerValue(""), on=on).deviation


def test_list_shows_deviations(client, glicko, players):
    expected = last_deviation(glicko, players[0], TODAY)
    page = client.get("/lists/chess/?active=all").text
    assert f"±{expected:.0f}</span>" in page
    assert page.count('class="pm"') == 3


def test_files_and_api_contain_deviations(client, glicko, players):
    expected = {player.public_id: round(last_deviation(glicko, player, TODAY)) for player in players}
    rows = csv.DictReader(io.StringIO(client.get("/lists/chess/list.csv?active=all").text.lstrip("\ufeff")))
    assert {row["ID"]: int(row["Deviation"]) for row in rows} == expected
    lines = client.get("/api/v1/lists/chess/standings?active=false").json()["items"]
    assert {line["player"]["id"]: line["deviation"] for line in lines} == expected
    past = client.get("/api/v1/lists/chess/ratings?on=2024-01-20").json()["items"]
    assert all(line["deviation"] > 0 for line in past)


def test_list_without_deviations_has_none(client, players, rate_all):
    fesa = make_list()
    play(fesa, players)
    rate_all()
    assert 'class="pm"' not in client.get("/lists/fesa/?active=all").text
    rows = csv.DictReader(io.StringIO(client.get("/lists/fesa/list.csv?active=all").text.lstrip("\ufeff")))
    assert {row["Deviation"] for row in rows} == {""}
    lines = client.get("/api/v1/lists/fesa/standings?active=false").json()["items"]
    assert {line["deviation"] for line in lines} == {None}


def test_published_list_keeps_its_deviations(client, glicko, players):
    dated = publish(DatedList(list=glicko, day=dt.date(2024, 2, 10)))
    stored = {line.player_id: line.deviation for line in dated.lines.all()}
    assert stored == {player.pk: deviation_of(player, glicko, dated.day) for player in players}
    page = client.get("/lists/chess/dated/2024-02-10/").text
    assert page.count('class="pm"') == 3
    rows = csv.DictReader(io.StringIO(client.get("/lists/chess/dated/2024-02-10/list.csv").text.lstrip("\ufeff")))
    assert all(row["Deviation"] for row in rows)
    lines = client.get("/api/v1/lists/chess/dated/2024-02-10").json()["items"]
    assert all(line["deviation"] for line in lines)


def test_past_list_has_the_deviations_of_its_day(client, glicko, players):
    page = client.get("/lists/chess/?on=2024-01-10&active=all").text
    for player in players:
        assert f"±{deviation_of(player, glicko, dt.date(2024, 1, 10)):.0f}</span>" in page


def test_player_page_shows_deviation_range_and_band(client, glicko, players):
    page = client.get(f"{players[0].get_absolute_url()}?list=chess").text
    deviation = last_deviation(glicko, players[0], TODAY)
    rating = glicko.standings.get(player=players[0]).rating
    assert f"±{deviation:.0f}</span>" in page
    assert f"{rating - deviation:.0f}–{rating + deviation:.0f}" in page
    assert [page.count(f'<polygon class="{band}"') for band in ("g-sure", "g-sure2")] == [2, 2]
    assert "One deviation to both sides: 2 chances in 3" in page
    assert "Two deviations: 95 in 100" in page
    assert f"{rating:.0f} ±{deviation_of(players[0], glicko, dt.date(2024, 2, 3)):.0f} on 3 Feb 2024" in page
    rows = list(csv.DictReader(io.StringIO(client.get(f"/players/{players[0].public_id}/history.csv?list=chess").text)))
    assert [bool(row["deviation"]) for row in rows] == [True, True]


def test_player_page_shows_the_ranks_one_deviation_higher_and_lower(client, players, rate_all):
    chess = make_list("chess", system="glicko-2")
    others = [make_player() for _ in range(6)]
    for player, rating in zip(others, (1300, 1450, 1560, 1640, 1700, 1900), strict=True):
        opening = {"rating": rating, "deviation": 30, "last_played": "2024-01-01"}
        save_adjustment(Adjustment(list=chess, player=player, date=dt.date(2024, 1, 1), set=opening, reason="opening"))
    make_table(chess, others, [(1, 1, 2, 0.5), (1, 3, 4, 0.5), (1, 5, 6, 0.5)], "2024-01-20")
    play(chess, players)
    rate_all()
    ara = chess.standings.get(player=players[0])
    deviation = deviation_of(players[0], chess, TODAY)
    ratings = [each.rating for each in chess.standings.exclude(player=players[0])]
    best, worst = (1 + sum(other > ara.rating + by for other in ratings) for by in (deviation, -deviation))
    page = markup(client.get(f"{players[0].get_absolute_url()}?list=chess"))
    assert best < 1 + sum(other > ara.rating for other in ratings) < worst
    assert f"<dt>Rank could be</dt><dd>{best}–{worst}</dd>" in page
    past = markup(client.get(f"{players[0].get_absolute_url()}?list=chess&on=2024-02-10"))
    assert "<dt>Rank could be</dt>" in past
    assert "Rank could be" not in client.get(f"{players[0].get_absolute_url()}?list=chess&on=2024-01-01").text


def test_ranks_need_no_query_more_for_deviations(players, rate_all, django_assert_num_queries):
    chess = make_list("chess", system="glicko-2")
    play(chess, players)
    rate_all()
    standing = chess.standings.select_related("list").get(player=players[0])
    for deviation in (None, 150.0):
        cache.clear()
        with django_assert_num_queries(1):
            ranked = rank_among_active(standing, TODAY, deviation)
        assert (ranked.interval is None) == (deviation is None)


def test_only_ranked_players_have_ranks_that_could_be(client, glicko, compared, players, rate_all):
    fesa = make_list("fesa")
    play(fesa, players)
    rate_all()
    assert "Rank could be" in client.get(f"{players[0].get_absolute_url()}?list=shogi").text
    assert "Rank could be" not in client.get(f"{players[0].get_absolute_url()}?list=fesa").text
    chess = make_list("old", system="glicko-2", active_years=1)
    make_table(chess, players, [(1, 1, 2, 1.0), (1, 2, 3, 0.5)], "2020-01-06")
    rate_all()
    assert "Rank could be" not in client.get(f"{players[0].get_absolute_url()}?list=old").text


def test_comparison_gives_deviations_and_is_named(client, compared, players):
    rating_list, comparison = compared
    ara = players[0]
    assert rating_list.deviation_source == comparison
    expected = last_deviation(comparison, ara, TODAY)
    assert deviation_of(ara, rating_list, TODAY) == expected
    assert comparison.deviation_source == comparison


def test_only_a_comparison_with_deviations_can_be_chosen(compared):
    rating_list, _comparison = compared
    for other in (make_list("other", system="glicko-2"), make_list("poor", comparison_to=rating_list)):
        rating_list.deviations_from = other
        with pytest.raises(ValidationError) as error:
            rating_list.full_clean()
        assert set(error.value.message_dict) == {"deviations_from"}


def test_head_to_head_shows_and_uses_both_deviations(client, glicko, players):
    ara, bel, _cem = players
    response = client.get(f"/players/{ara.public_id}/versus/{bel.public_id}/?list=chess")
    both = tuple(deviation_of(player, glicko, TODAY) for player in (ara, bel))
    ratings = [glicko.standings.get(player=player).rating for player in (ara, bel)]
    assert response.context["versus"].deviations == both
    assert response.context["versus"].expected == expected_now(glicko, *ratings, both)
    assert response.text.count('class="pm"') == 2


def test_games_know_the_deviations_before_them(glicko, players):
    ara, bel, _cem = players
    last = Career(ara, glicko).games[0]
    day = dt.date(2024, 2, 3)
    before = deviations_before([ara.pk, bel.pk], glicko, day)
    assert last.deviations == pytest.approx((before[ara.pk], before[bel.pk]), rel=1e-3)


def test_present_rating_has_the_deviation_of_its_closing_day(client, players, rate_all):
    months = make_list("months", system="glicko-2", options={"period": "month"})
    make_table(months, players, [(1, 1, 2, 1.0), (1, 2, 3, 0.5)], "2024-03-01")
    rate_all()
    ara, bel, _cem = players
    # one game of two newcomers, worked out in tests/systems/glicko: 1500 ±350 becomes 1662 ±290 on 31 March
    page = client.get(f"{ara.get_absolute_url()}?list=months").text
    assert 'class="big-rating">1662' in page
    assert "±290</span>" in page
    assert "±290</span>" in client.get("/lists/months/?active=all").text
    assert "±290</span>" in client.get(f"/players/{ara.public_id}/versus/{bel.public_id}/?list=months").text


def test_head_to_head_expects_less_with_uncertain_ratings(glicko):
    sure = expected_now(glicko, 1700, 1500)
    assert 0.5 < expected_now(glicko, 1700, 1500, (150, 150)) < sure


def read_band(content, css):
    """The heights of a band's corners in pixels: the upper edge from left to right, then the lower one back."""
    outline = re.search(rf'<polygon class="{css}" points="([^"]+)"', content)[1].split()
    return [float(pair.split(",")[1]) for pair in outline]


def test_bands_cover_one_and_two_deviations_of_all_points():
    points = [
        GraphPoint(dt.date(2024, 1, 1), 1500, deviation=300),
        GraphPoint(dt.date(2024, 6, 1), 1600, deviation=100),
    ]
    drawing = draw_graph([Curve("Ara", points)], BROAD, span=(points[0].day, points[1].day))
    # two deviations reach from 900 to 2100; with at most 7 lines the plot, 24 to 332 pixels high, shows 800 to 2400
    (first, second), point = (y for _x, y in drawing.positions[0]), (332 - 24) / 1600
    for css, by in (("g-sure", 1), ("g-sure2", 2)):
        heights = [first - by * 300 * point, second - by * 100 * point, second + by * 100 * point]
        assert read_band(drawing.content, css) == pytest.approx([*heights, first + by * 300 * point], abs=0.15)
    assert drawing.content.index("g-sure2") < drawing.content.index('"g-sure"')  # the inner band is over the outer one
    plain = draw_graph(
        [Curve("Ara", [GraphPoint(dt.date(2024, 1, 1), 1500)])], BROAD, span=(points[0].day, points[1].day)
    )
    assert "g-sure" not in plain.content


def test_downloaded_picture_has_both_bands_in_its_style(client, glicko, players):
    picture = client.get(f"/players/{players[0].public_id}/graph.svg?list=chess").content.decode()
    for css in ("g-sure", "g-sure2"):
        assert f".{css} {{ fill: #2a4a9f;" in picture
        assert f'<polygon class="{css}"' in picture


def test_pages_name_the_comparison_that_gives_deviations(client, compared, players):
    rating_list, comparison = compared
    names = f'<a href="{comparison.get_absolute_url()}">{comparison.name}</a>'
    for address in ("/lists/shogi/?active=all", "/lists/shogi/?active=all&on=2024-02-20"):
        page = client.get(address).text
        assert page.count('class="pm"') == 3
        assert names in page
    assert names in client.get(f"{players[0].get_absolute_url()}?list=shogi").text
    assert rating_list.deviation_source == comparison
    assert names not in client.get("/lists/shogi-glicko/?active=all").text

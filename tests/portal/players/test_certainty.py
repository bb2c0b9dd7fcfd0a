"""Boxes beside a player's overview that say how certain the rating is."""

import datetime as dt
import re

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment
from ratings.queries.players.breakdowns import opponents
from ratings.queries.players.careers import Career
from ratings.queries.players.deviation_forecasts import forecast_deviation
from ratings.queries.players.players import facts_of
from ratings.queries.players.rivals import find_rival
from tests.factories import make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db
TODAY = dt.date(2024, 3, 1)


@pytest.fixture(autouse=True)
def fixed_today(monkeypatch):
    moment = dt.datetime(2024, 3, 1, 12, tzinfo=dt.UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


def give(rating_list, player, day=TODAY, **state):
    save_adjustment(Adjustment(list=rating_list, player=player, date=day, set=state, reason="opening"))


@pytest.fixture
def ara():
    return make_player("Ara")


@pytest.fixture
def chess(ara, rate_all):
    """A glicko-2 list on which Ara has 1500 ±200 today."""
    rating_list = make_list("chess", system="glicko-2")
    give(rating_list, ara, rating=1500, deviation=200)
    rate_all()
    return rating_list


def page_of(client, player, **query):
    return markup(client.get(player.get_absolute_url(), query))


def test_page_says_how_sure_a_rating_is_in_words_and_as_a_picture(client, chess, ara):
    page = page_of(client, ara)
    assert "How sure is 1500?</h2>" in page
    assert (
        "The true strength is between <b>1300 and 1700</b> in about two cases of three, and between 1100 and 1900 in"
        " about 95 of 100. The number after ± is called the deviation."
    ) in page
    assert 'aria-label="2 chances in 3: 1300 to 1700. 95 chances in 100: 1100 to 1900."' in page
    picture = re.search(r'<svg class="intervals".*?</svg>', page)[0]
    assert re.findall(r">(\d+)</text>", picture) == ["1100", "1300", "1500", "1700", "1900"]
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', picture)]
    assert widths[0] == 2 * widths[1]


def test_rating_without_a_deviation_has_no_such_box(client, ara, rate_all):
    fesa = make_list()
    make_table(fesa, [ara, make_player()], [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    page = page_of(client, ara)
    assert "How sure is" not in page
    assert "deviation" not in page


def surer(page):
    """The rows of the box that says what makes a rating surer, and the text below them."""
    box = page.partition("What makes it surer</h2>")[2].partition("</section>")[0]
    rows = re.findall(r'<li><span>(.*?)</span>\s*<strong class="end">(.*?)</strong>', box)
    return [(re.sub(r"\s*<.*?>\s*", " ", what).strip(), deviation) for what, deviation in rows], box


def test_page_forecasts_the_deviation_by_the_rules_of_glicko(client, chess, ara):
    rows, box = surer(page_of(client, ara))
    # 96.33 and 60.47 are worked out in tests/systems/glicko. The year ends 366 days after the rating was given:
    # 366 ÷ 30 − 1 = 11.2 periods, √((200 ÷ 173.7178)² + 11.2 × 0.06²) = 1.168672, × 173.7178 = 203.02
    assert rows == [
        ("10 more games against players of about 1500", "±96"),
        ("30 more games", "±60"),
        ("A year without games", "±203"),
    ]
    assert "Up to ±110 the list counts a rating as established." in box
    assert f'<a href="/players/{ara.public_id}/calculator/?list=chess">calculator</a>' in box


def test_page_forecasts_the_deviation_by_the_rules_of_renju(client, ara, rate_all):
    renju = make_list("renju", system="rif-2021")
    given = {"rating": 1940, "deviation": 100, "games": 20, "last_played": "2023-11-11"}
    give(renju, ara, dt.date(2023, 12, 31), **given)
    rate_all()
    rows, box = surer(page_of(client, ara))
    # the games count on the list of 31 March 2024, 91 days later; P = (173.7178 ÷ 100)² + 0.001 = 3.018787,
    # 1 ÷ P + 19.3 × 91 ÷ 173.7178² = 0.389457. An opponent of 1900 is 40 points weaker; a game with an expected score of
    # 0.55 adds 0.55 × 0.45 = 0.247 (0.25 at most): 173.7178 ÷ √(1 ÷ 0.389457 + 10 × 0.247 + 0.001) = 77.4 (77.2 at most
    # with 0.25), with 30 games 55.0 (54.7). The year ends on 1 March 2025, 426 days later: √(100² + 19.3 × 426) = 134.99
    assert rows == [
        ("10 more games against players of about 1900", "±77"),
        ("30 more games", "±55"),
        ("A year without games", "±135"),
    ]
    assert "counts a rating as established" not in box


def test_comparison_forecasts_its_deviation_beside_the_list(client, ara, rate_all):
    shogi = make_list("shogi")
    comparison = make_list("shogi-glicko", system="glicko-2", comparison_to=shogi)
    shogi.deviations_from = comparison
    shogi.save()
    make_table(shogi, [ara, make_player()], [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    (rows, box), (of_comparison, _box) = (surer(page_of(client, ara, list=slug)) for slug in ("shogi", "shogi-glicko"))
    assert rows[0][0] == "10 more games against players of about the same strength"
    assert of_comparison[0][0] == "10 more games against players of about 1700"
    assert [deviation for _what, deviation in rows] == [deviation for _what, deviation in of_comparison]
    assert "counts a rating as established" not in box


def test_past_days_and_lists_without_deviations_have_no_forecast(client, chess, ara, rate_all):
    make_table(chess, [ara, make_player()], [(1, 1, 2, 1.0)], "2024-02-06")
    rate_all()
    assert surer(page_of(client, ara))[0]
    past = page_of(client, ara, on="2024-02-10")
    assert "How sure is" in past
    assert surer(past) == ([], "")
    fesa = make_list()
    make_table(fesa, [ara, make_player()], [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    assert surer(page_of(client, ara, list="fesa")) == ([], "")


def test_forecast_reads_nothing_from_the_database(chess, ara, django_assert_num_queries):
    career, standing = Career(ara, chess), chess.standings.get(player=ara)
    facts = facts_of(career, standing)
    assert career.steps
    with django_assert_num_queries(0):
        forecast = forecast_deviation(career, facts, TODAY)
    assert (forecast.opponents, forecast.established) == (1500, 110)


def rival_box(page):
    box = page.partition('id="rival-title">')[2].partition("</section>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<.*?>", " ", box)).strip()


def play_rivals(rating_list, ara, rate_all, **given):
    """Let Ara play Bel three times and Cem once, and give both ratings of Ara and Bel today."""
    bel, cem = make_player("Bel", country="IE"), make_player("Cem")
    games = [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 2, 1, 0.5), (4, 1, 3, 0.0)]
    make_table(rating_list, [ara, bel, cem], games, "2024-02-06")
    for player, rating, deviation in ((ara, 1464, 152), (bel, 1604, 48)):
        give(rating_list, player, rating=rating, deviation=deviation, **given)
    rate_all()
    return bel, cem


def test_page_shows_the_chance_against_the_most_played_opponent(client, ara, rate_all):
    chess = make_list("chess", system="glicko-2")
    bel, _cem = play_rivals(chess, ara, rate_all)
    page = page_of(client, ara)
    # g of √(152² + 48²) = 159.4: φ = 0.917581, g = 1 ÷ √(1 + 3 × 0.841955 ÷ π²) = 0.892310;
    # E = 1 ÷ (1 + e^(0.892310 × 140 ÷ 173.7178)) = 0.3276, without deviations 1 ÷ (1 + e^(140 ÷ 173.7178)) = 0.3088
    assert rival_box(page) == (
        "Against Bel Bel 1604 ±48 In an even game today Ara has an expected score of 33 % ; it would be 31 % if both"
        " ratings were sure. 33 % Head to head"
    )
    assert f'href="/players/{ara.public_id}/versus/{bel.public_id}/?list=chess"' in page
    assert "Against" not in page_of(client, ara, on="2024-02-20")


def test_next_opponent_stands_in_for_one_who_is_not_on_the_list(client, ara, rate_all):
    chess = make_list("chess", system="glicko-2")
    bel, _cem = play_rivals(chess, ara, rate_all)
    chess.standings.filter(player=bel).update(published=False)
    assert rival_box(page_of(client, ara)).startswith("Against Cem")


def test_system_that_ignores_deviations_names_one_expected_score(client, ara, rate_all):
    renju = make_list("renju", system="rif-2021")
    play_rivals(renju, ara, rate_all, games=20)
    renju.standings.update(published=True)
    # by the ratings alone: 1 ÷ (1 + 10^(140 ÷ 400)) = 0.3088
    renju.standings.filter(player=ara).update(rating=1464)
    renju.standings.filter(player__family_name="Bel").update(rating=1604)
    box = rival_box(page_of(client, ara))
    assert "has an expected score of 31 %." in box
    assert "if both ratings were sure" not in box


def test_opponent_is_read_in_one_query_on_lists_with_deviations_only(ara, rate_all, django_assert_num_queries):
    chess, fesa = make_list("chess", system="glicko-2"), make_list()
    for rating_list in (chess, fesa):
        make_table(rating_list, [ara, make_player()], [(1, 1, 2, 1.0)], "2024-02-06")
    rate_all()
    for rating_list, queries in ((chess, 1), (fesa, 0)):
        career = Career(ara, rating_list)
        facts = facts_of(career, rating_list.standings.get(player=ara))
        most_played = opponents(career.games)
        with django_assert_num_queries(queries):
            rival = find_rival(career, facts, most_played, TODAY)
        assert (rival is None) == (rating_list == fesa)


def test_head_says_how_much_surer_the_last_event_made_the_rating(client, chess, ara, rate_all):
    """The example of Glickman's paper: 1500 ±200 beats 1400 ±30, loses to 1550 ±100 and 1700 ±300: 1464 ±152."""
    opponents = [make_player(name) for name in ("Bo", "Cy", "Di")]
    for player, rating, deviation in zip(opponents, (1400, 1550, 1700), (30, 100, 300), strict=True):
        give(chess, player, rating=rating, deviation=deviation)
    make_table(chess, [ara, *opponents], [(1, 1, 2, 1.0), (2, 1, 3, 0.0), (3, 1, 4, 0.0)], str(TODAY), event_name="Cup")
    rate_all()
    head = page_of(client, ara).partition('class="now"')[2].partition("</header>")[0]
    assert '<p class="big-rating">1464<' in head
    assert '<span class="pm" title="deviation">±152</span>' in head
    assert "More certain: from ±200 to ±152" in head
    surest = page_of(client, opponents[0]).partition('class="now"')[2].partition("</header>")[0]
    assert "surer" not in surest  # ±30 is ±31 after the event, as its volatility adds to it

"""Players whom the renju rules drop from the list after five years without a rated table."""

import datetime as dt

import pytest
import time_machine

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, DatedList
from ratings.queries.lists.lists import list_as_of
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


def begin(renju, player, rating):
    given = {"rating": rating, "official": True}
    save_adjustment(Adjustment(list=renju, player=player, date=dt.date(2015, 1, 1), set=given, reason="opening"))


@pytest.fixture
@reused
def renju(rate_all):
    """Ana played last in March 2016; Bo and Cy play on; Dee, new in 2024, is not official yet."""
    renju = make_list("renju", system="rif-1995")
    ana, bo, cy, dee = (make_player(name) for name in ("Ana", "Bo", "Cy", "Dee"))
    for player, rating in ((ana, 2300), (bo, 2200), (cy, 2100)):
        begin(renju, player, rating)
    make_table(renju, [ana, bo], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], "2016-03-05", event_name="Spring")
    make_table(renju, [bo, cy], [(1, 1, 2, 1.0)], "2020-03-05")
    games = [(n, 1, m, 1.0) for n, m in ((1, 2), (2, 3))] + [(3, 2, 3, 0.5), (4, 2, 1, 1.0), (5, 3, 1, 0.0)]
    make_table(renju, [dee, bo, cy], games, "2024-05-05")
    rate_all()
    return renju, ana, bo, cy, dee


def names(page):
    return [line.player.family_name for line in page.context["lines"]]


def test_lapsed_player_keeps_their_pages(client, renju):
    _, ana, bo, *_ = renju
    page = client.get(ana.get_absolute_url())
    assert "Inactive – not on RENJU at present. The rating is the last one there." in page.text
    facts = page.context["facts"]
    assert (facts.listed, facts.rating, facts.last_played) == (False, 2323, dt.date(2016, 3, 5))
    assert page.context["ranked"] is None
    for more in ("events/", "games/", "opponents/", "calculator/", "graph.svg", "graph.csv", "history.csv"):
        assert client.get(f"/players/{ana.public_id}/{more}").status_code == 200
    versus = client.get(f"/players/{bo.public_id}/versus/{ana.public_id}/").context["versus"]
    assert (len(versus.games), versus.won, versus.drawn) == (2, 0, 0)
    assert client.get("/compare/", {"player": [ana.public_id, bo.public_id]}).context["asked"].players == [ana, bo]
    assert client.get(f"/api/v1/players/{ana.public_id}").json()["standings"] == []


def test_lapsed_player_is_on_the_lists_of_their_days_only(client, renju):
    of, ana, *_ = renju
    assert "Ana" in names(client.get("/lists/renju/?on=2021-03-04&active=all"))
    assert names(client.get("/lists/renju/?on=2021-03-05&active=all")) == ["Bo", "Cy"]
    for day, listed in (("2021-03-04", True), ("2021-03-05", False)):
        assert client.get(f"{ana.get_absolute_url()}?on={day}").context["facts"].listed is listed
        actual = client.get(f"/api/v1/players/{ana.public_id}/standings?on={day}").json()
        assert [line["rating"] for line in actual] == [2323] * listed
        rows = client.get(f"/api/v1/lists/renju/ratings?on={day}").json()["items"]
        assert ("Ana" in [row["player"]["name"] for row in rows]) is listed
        stood = [change.player.family_name for change in list_as_of(of, dt.date.fromisoformat(day))]
        assert ("Ana" in stood) is listed
    of.active_years = 20
    of.save()
    dated = publish(DatedList(list=of, day=dt.date(2021, 3, 5)))
    assert [line.player.family_name for line in dated.lines.order_by("rank")] == ["Bo", "Cy"]


def test_rating_between_lists_is_no_peak_and_no_place_on_the_list(client, renju):
    *_, dee = renju
    page = client.get(f"{dee.get_absolute_url()}?on=2024-05-20")
    assert (page.context["facts"], page.context["rating_list"].slug) == (None, "renju")
    assert "On that day this player was not on RENJU yet." in page.text
    peak = client.get(dee.get_absolute_url()).context["career"].peak
    assert (peak.after, peak.day, peak.category) == (2329, dt.date(2024, 8, 31), "official")


def test_player_below_the_published_ratings_has_no_pages(client, rate_all):
    icu = make_list("icu", system="icu-1989", options={"publish_floor": 1500})
    low, high = make_player("Low"), make_player("High")
    for player in (low, high):
        given = {"rating": 1510, "games": 100}
        save_adjustment(Adjustment(list=icu, player=player, date=dt.date(2015, 1, 1), set=given, reason="opening"))
    rate_all()
    assert client.get(low.get_absolute_url()).context["facts"].listed
    make_table(icu, [low, high], [(round_, 1, 2, 0.0) for round_ in range(1, 9)], "2024-03-05")
    rate_all()
    assert "Not rated yet." in client.get(low.get_absolute_url()).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_list_without_a_limit_of_years_shows_all_players(client, language):
    """FIDE's rules leave nobody off the list for absence, so there is no number of years to name."""
    fide = make_list("fide", system="fide-2024")
    ana = make_player("Ana")
    save_adjustment(Adjustment(list=fide, player=ana, date=dt.date(2015, 1, 1), set={"rating": 2000}, reason="opening"))
    page = client.get("/lists/fide/", headers={"Accept-Language": language})
    assert page.status_code == 200
    assert page.context["filter"].filters["active"].extra["empty_label"] == {"en": "all", "de": "alle"}[language]

"""Page of a list's health: what each figure says, its charts, and the file of all years."""

import copy
import datetime as dt
import re

import pytest
import time_machine
from defusedxml.ElementTree import fromstring
from django.core.cache import cache

from portal.lists.health_page import describe_health, write_health_csv
from ratings.domain.lists.statistics import refresh_due
from ratings.models import ListStatistics, RatingList
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup

CAUSES = {"newcomers": 0, "established": 0, "bonus": 0, "floor": 0, "rule": 0, "adjustments": 0, "left": 0}
YEARS = range(2015, 2025)
FIGURES = {
    # quartiles of a normal distribution whose standard deviation is 250, so that the limits are 10, 25 and 1
    "ratings": {"players": 100, "mean": 1500, "low": 1500 - 168.6, "median": 1500, "high": 1500 + 168.6},
    "lowest": {"rating": 1, "players": 2},
    "years": [{"year": year, "newcomers": 3, "games": 50} for year in YEARS],
    "health": {
        "panel": {"players": 8, "years": [{"year": year, "mean": 1700 + year - 2015} for year in YEARS]},
        "points": [
            {"year": year, "players": 100, "separated": True, **CAUSES, "bonus": 180, "left": -100, "held": 80}
            for year in YEARS
        ],
        "newcomers": {
            "players": 40,
            "gain": -20.4,
            "years": [{"year": 2015, "players": 40, "gain": -20.4}],
            "points": [[1000, 980]],
        },
        "shown": 150, "provisional": 30, "away": 45, "corrections": [],
        "favourites": {"games": 5000, "expected": 0.731, "scored": 0.72},
    },
    "forecasts": {"years": [{"year": 2024, "games": 50, "log_loss": 0.5544, "half": 0.02}]},
}  # fmt: skip


def figures_with(**changes):
    """Return the figures above with other parts of the health."""
    figures = copy.deepcopy(FIGURES)
    for name, value in changes.items():
        part = figures if name in figures else figures["health"]
        part[name] = {**part[name], **value} if isinstance(value, dict) else value
    return figures


def say(name, **changes):
    finding = describe_health(RatingList(system="fesa-2016"), figures_with(**changes))[name]
    return finding.verdict, finding.tone, finding.sentence


def panel_ending(mean):
    return {"players": 8, "years": [{"year": 2015, "mean": 1700}, {"year": 2024, "mean": mean}]}


@pytest.mark.parametrize(
    ("mean", "verdict", "change"), [(1710, "Good", "+10"), (1711, "Watch", "+11"), (1689, "Watch", "−11")]
)
def test_panel_is_good_up_to_a_limit(mean, verdict, change):
    sentence = (
        "The mean rating of the same 8 players, who have played in every year since 2015, has changed by"
        f" {change} in 9 years; up to 10 is fine."
    )
    tone = {"Good": "good", "Watch": "warn"}[verdict]
    assert say("panel", panel=panel_ending(mean)) == (verdict, tone, sentence)


@pytest.mark.parametrize(("left", "verdict", "each"), [(-100, "Good", "+0.8"), (-50, "Watch", "+1.3")])
def test_points_are_good_up_to_a_limit_for_each_player(left, verdict, each):
    points = [{**line, "left": left} for line in FIGURES["health"]["points"]]
    tone = {"Good": "good", "Watch": "warn"}[verdict]
    assert say("points", points=points) == (
        verdict, tone,
        f"In the last 5 years, 180 points came in and {-left} went out each year on average: {each} for each active player."
        " Up to 1 is fine.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("gain", "verdict", "words"),
    [
        (-20.4, "Good", "stand 20 points away from it on average."),
        (26, "Watch", "stand 26 points higher on average: first ratings are too low."),
        (-26, "Watch", "stand 26 points lower on average: first ratings are too high."),
    ],
)
def test_newcomers_are_good_up_to_a_limit(gain, verdict, words):
    found = say("newcomers", newcomers={"gain": gain})
    sentence = f"Two years after their first rating, 40 newcomers {words} Up to 25 is fine."
    assert (found[0], found[2]) == (verdict, sentence)


@pytest.mark.parametrize(("scored", "verdict"), [(0.72, "Good"), (0.712, "Good"), (0.71, "Watch"), (0.752, "Watch")])
def test_predictions_are_good_where_favourites_score_as_expected(scored, verdict):
    found = say("predictions", favourites={"scored": scored})
    assert (found[0], found[2]) == (
        verdict,
        f"The favourite scored {100 * scored:.1f} % of the points where 73.1 % was expected; up to 2.0 percentage points"
        " apart is fine. In 2024 the log loss was 0.554: an even chance for both sides in every game would give 0.693.",
    )


@pytest.mark.parametrize(("scored", "verdict"), [(0.677, "Good"), (0.675, "Watch")])
def test_predictions_of_few_games_may_be_off_by_chance(scored, verdict):
    """1.96 × √(0.731 × 0.269 ÷ 250) = 0.055."""
    found = say("predictions", favourites={"games": 250, "scored": scored})
    assert (found[0], "up to 5.5 percentage points apart is fine" in found[2]) == (verdict, True)


@pytest.mark.parametrize(
    ("players", "verdict", "words"),
    [
        (1, "Good", "1 player has the lowest rating, 1; up to 2 is fine."),
        (3, "Watch", "3 players have the lowest rating, 1; up to 2 is fine."),
    ],
)
def test_distribution_is_good_unless_many_have_the_lowest_rating(players, verdict, words):
    found = say("distribution", lowest={"players": players})
    assert (found[0], found[2]) == (verdict, f"Half of all active players are rated between 1331 and 1669. {words}")


@pytest.mark.parametrize(("players", "verdict"), [(8, "Good"), (9, "Watch")])
def test_large_lists_may_have_more_players_with_the_lowest_rating(players, verdict):
    """2 % of 430 players are 8.6."""
    found = say("distribution", ratings={"players": 430}, lowest={"players": players})
    assert (found[0], found[2].endswith("; up to 8 is fine.")) == (verdict, True)


@pytest.mark.parametrize(
    ("provisional", "away", "verdict"), [(60, 75, "Good"), (61, 0, "Watch"), (0, 76, "Watch"), (0, 0, "Good")]
)
def test_players_are_good_up_to_limits(provisional, away, verdict):
    found = say("players", provisional=provisional, away=away)
    shares = f"{provisional / 1.5:.0f} %", f"{away / 1.5:.0f} %"
    assert (found[0], found[2]) == (
        verdict,
        f"The ratings of {shares[0]} of the players are provisional; up to 40 % is fine. {shares[1]} have not played for"
        " a year; up to 50 % is fine.",
    )


def test_players_of_systems_without_a_provisional_category_are_counted_by_games():
    finding = describe_health(RatingList(system="egf-2021"), figures_with())["players"]
    assert finding.sentence == (
        "20 % of the players have fewer than 30 rated games; up to 40 % is fine. 30 % have not played for a year; up to"
        " 50 % is fine."
    )


def test_figures_of_little_data_have_no_verdict():
    empty = {
        "panel": None,
        "points": [],
        "ratings": None,
        "newcomers": {"players": 9},
        "favourites": {"games": 74},
        "shown": 0,
    }
    found = describe_health(RatingList(system="fesa-2016"), figures_with(**empty))
    assert {(finding.verdict, finding.tone) for finding in found.values()} == {("Too early", "")}
    assert {name: finding.sentence for name, finding in found.items()} == {
        "panel": "Too few players have played in every year: a panel needs five.",
        "points": "Nobody has been active yet.",
        "newcomers": "Too few newcomers to judge: 9 of 10.",
        "predictions": "Too few games to judge: 74 of 200.",
        "distribution": "Nobody is active now.",
        "players": "Nobody is on the list yet.",
    }


def test_file_has_a_line_for_each_year_the_latest_first():
    lines = write_health_csv(FIGURES).splitlines()
    assert lines[:2] == [
        "year,games,newcomers,panel_mean,log_loss,points_newcomers,points_established,points_bonus,points_floor,"
        "points_rule,points_adjustments,points_left,points_held,compared_newcomers,gain_in_two_years",
        "2024,50,3,1709.0000,0.5544,0.0000,0.0000,180.0000,0.0000,0.0000,0.0000,-100.0000,80.0000,,",
    ]
    assert lines[-1] == "2015,50,3,1700.0000,,0.0000,0.0000,180.0000,0.0000,0.0000,0.0000,-100.0000,80.0000,40,-20.4000"
    assert len(lines) == 11


@pytest.fixture
def today():
    cache.clear()
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC)):
        yield


@pytest.fixture
def made(db, today, rate_all):
    """A list whose figures are those above."""
    fesa = make_list()
    give_rating(fesa, make_player("<script>alert(1)</script>"), 2000)
    rate_all()
    refresh_due()
    stored = ListStatistics.objects.get()
    stored.figures |= {**FIGURES, "classes": [{"lower": 1500, "upper": 1550, "players": 100}]}
    stored.save()
    return fesa


def test_page_shows_each_figure_with_its_verdict(client, made, django_assert_num_queries):
    with django_assert_num_queries(5):
        page = markup(client.get("/lists/fesa/health/"))
    assert re.findall(r'<span class="tag (\w*)">(\w+)</span>', page) == [("good", "Good")] * 6
    charts = re.findall(r'<img class="(chart[^"]*)" src="/lists/fesa/statistics/(\w+)\.svg\?theme=light"', page)
    assert charts == [
        ("chart wide", "panel"), ("chart wide", "points"), ("chart", "newcomers"), ("chart", "losses"), ("chart", "ratings"),
    ]  # fmt: skip
    tiles = re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)<span", page)
    assert [(name.strip(), value.strip()) for name, value in tiles] == [
        ("Panel since 2015", "+9"), ("Favourite scored", "72 %"), ("Newcomers gain", "−20"), ("Provisional", "20 %"),
        ("Not played for a year", "30 %"), ("Median time to answer", "–"),
    ]  # fmt: skip
    assert '<a href="/lists/fesa/health/" aria-current="page">Health</a>' in page
    assert "alert(1)" not in page


@pytest.mark.parametrize("chart", ["panel", "points", "newcomers", "losses"])
def test_chart_is_a_picture_in_two_widths(client, made, chart):
    drawn = [client.get(f"/lists/fesa/statistics/{chart}.svg{query}") for query in ("", "?narrow=1", "?theme=dark")]
    assert {(response.status_code, response["Content-Type"]) for response in drawn} == {(200, "image/svg+xml")}
    assert len({response.content for response in drawn}) == 3
    wide = "840.96pt" if chart in ("panel", "points") else "414.72pt"
    assert fromstring(drawn[0].content).get("width") == wide


def test_file_is_the_figures_of_the_page(client, made):
    response = client.get("/lists/fesa/health.csv")
    assert response["Content-Disposition"] == 'attachment; filename="health-fesa.csv"'
    assert response.content.decode() == write_health_csv(FIGURES)


def test_years_whose_bonus_is_not_known_yet_are_named(client, made):
    assert "the bonus is still counted with the games" not in markup(client.get("/lists/fesa/health/"))
    stored = ListStatistics.objects.get()
    stored.figures["health"]["points"][2]["separated"] = False
    stored.save()
    cache.clear()
    assert "In 2017 the bonus is still counted with the games" in markup(client.get("/lists/fesa/health/"))


def test_corrections_are_shown_by_year(client, made):
    stored = ListStatistics.objects.get()
    stored.figures["health"]["corrections"] = [{"year": 2024, "points": -12.4, "players": 3}]
    stored.save()
    page = markup(client.get("/lists/fesa/health/"))
    assert '<th scope="row">2024</th><td class="number">3</td><td class="number">−12</td>' in re.sub(
        r">\s+<", "><", page
    )


def test_page_without_figures_says_that_they_are_being_computed(client, db, today):
    make_list()
    assert "are being computed" in markup(client.get("/lists/fesa/health/"))
    assert client.get("/lists/fesa/health.csv").status_code == 404
    assert client.get("/lists/fesa/statistics/panel.svg").status_code == 404


def test_figures_of_an_earlier_release_are_computed_anew(client, made):
    stored = ListStatistics.objects.get()
    stored.figures = {"version": 1, "day": "2024-05-01"}
    stored.save()
    for page in ("health", "statistics"):
        assert "are being computed" in markup(client.get(f"/lists/fesa/{page}/"))
    refresh_due()
    assert "health" in ListStatistics.objects.get().figures
    assert "are being computed" not in markup(client.get("/lists/fesa/health/"))


def test_list_that_is_not_public_is_not_found(client, made):
    RatingList.objects.update(public=False)
    for address in ("/lists/fesa/health/", "/lists/fesa/health.csv", "/lists/none/health/"):
        assert client.get(address).status_code == 404
        assert client.post(address).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("system", SYSTEMS)
def test_page_of_every_system(client, system, today, rate_all):
    one = make_list("one", system=system)
    make_table(one, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-04-01")
    rate_all()
    refresh_due()
    assert client.get("/lists/one/health/").status_code == 200
    assert client.get("/lists/one/health.csv").status_code == 200

import datetime as dt
import re

import pytest
import time_machine
from defusedxml.ElementTree import fromstring
from django.core.cache import cache

from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.lists.statistics import refresh_due
from ratings.models import RatingList
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
CHARTS = ["grades", "ratings", "games", "players", "drift", "calibration"]


@pytest.fixture(autouse=True)
def today():
    cache.clear()
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC)):
        yield


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def made(fesa, rate_all):
    """Two players and a game, with its figures."""
    a, b = make_player("<script>alert(1)</script>"), make_player()
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 1600, grade="1 Kyu")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    refresh_due()
    fesa.refresh_from_db()
    return fesa


def test_page_without_figures_says_that_they_are_being_computed(client, fesa):
    page = client.get("/lists/fesa/statistics/")
    assert page.status_code == 200
    assert "are being computed" in markup(page)
    assert client.get("/lists/fesa/statistics/drift.svg").status_code == 404


def test_page_of_a_list_without_games_says_so(client, fesa):
    refresh_due()
    page = markup(client.get("/lists/fesa/statistics/"))
    assert "No game has been rated yet." in page
    assert "<img class" not in page


def test_page_shows_every_chart_with_its_figures(client, made, django_assert_num_queries):
    with django_assert_num_queries(3):
        page = markup(client.get("/lists/fesa/statistics/"))
    for chart in CHARTS:
        assert page.count(f'<img class="chart" src="/lists/fesa/statistics/{chart}.svg?theme=light"') == 1
    lazy = re.findall(r'src="/lists/fesa/statistics/(\w+)\.svg[^>]*loading="lazy"', page)
    assert sorted(lazy) == sorted(CHARTS[1:])  # the first one is on the first screen
    cells = re.search(r"90 % – 95 %</th>(.*?)</tr>", page)
    assert cells is not None
    assert re.findall(r">([^<]+)</td>", cells[1])[:3] == ["1", "90.9 %", "100.0 %"]
    assert "Results have come in since" not in page
    assert "alert(1)" not in page


def test_charts_follow_the_chosen_theme_or_the_system(client, made):
    def addresses():
        page = markup(client.get("/lists/fesa/statistics/"))
        return re.findall(r'(?:src|srcset)="(/lists/fesa/statistics/drift.svg[^"]*)"', page)

    drift = "/lists/fesa/statistics/drift.svg?theme="
    dark = [f"{drift}dark&amp;narrow=1", f"{drift}dark"]
    assert addresses() == [*dark, f"{drift}light&amp;narrow=1", f"{drift}light"]
    client.cookies["theme"] = "dark"
    assert addresses() == dark


def test_charts_have_the_colour_of_the_federation(client, made):
    address = "/lists/fesa/statistics/games.svg"
    before = client.get(address)
    assert b"#2a4a9f" in before.content
    made.federation.house = "plum"
    made.federation.save()
    after = client.get(address, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, b"#85306c" in after.content, b"#2a4a9f" in after.content) == (200, True, False)
    assert b"#eaa5d4" in client.get(f"{address}?theme=dark").content


def test_page_leads_to_the_corrections(client, made):
    tab = '<a href="/lists/fesa/corrections/">Corrections</a>'
    assert tab in markup(client.get("/lists/fesa/statistics/"))
    assert tab.replace('">', '" aria-current="page">') in markup(client.get("/lists/fesa/corrections/"))


def test_page_says_that_results_came_in_since(client, made, rate_all):
    make_table(made, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-04-01")
    assert "Results have come in since" in markup(client.get("/lists/fesa/statistics/"))
    rate_all()
    assert "Results have come in since" in markup(client.get("/lists/fesa/statistics/"))


@pytest.mark.parametrize(
    "system", ["icu-1989", "rif-1995", "rif-1997", "bgf", "egf-2021", "glicko-2", "rif-2021", "fide-2024"]
)
def test_page_of_every_system(client, system, rate_all):
    one = make_list("one", system=system)
    make_table(one, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-04-01")
    rate_all()
    refresh_due()
    assert client.get("/lists/one/statistics/").status_code == 200


@pytest.mark.parametrize("chart", CHARTS)
def test_chart_is_a_picture_that_runs_nothing(client, made, chart):
    drawn = {}
    for query in ("", "?theme=dark", "?narrow=1", "?theme=<b>&narrow=99"):
        response = client.get(f"/lists/fesa/statistics/{chart}.svg{query}")
        assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
        policy = response["Content-Security-Policy"].split("; ")
        assert sorted(policy) == ["default-src 'none'", "frame-ancestors 'none'", "style-src 'unsafe-inline'"]
        assert "Set-Cookie" not in response
        assert fromstring(response.content).tag == "{http://www.w3.org/2000/svg}svg"
        drawn[query] = response.content
    assert len(set(drawn.values())) == 3
    assert drawn["?theme=<b>&narrow=99"] == drawn[""]


def test_chart_is_sent_again_only_when_it_is_another(client, made):
    address = "/lists/fesa/statistics/drift.svg"
    tag = client.get(address)["ETag"]
    known = client.get(address, headers={"If-None-Match": tag})
    assert known.status_code == 304
    assert "style-src 'unsafe-inline'" in known["Content-Security-Policy"]
    assert client.get(f"{address}?theme=dark", headers={"If-None-Match": tag}).status_code == 200
    made.statistics.delete()
    refresh_due()
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_comparison_has_statistics_without_grades(client, made, rate_all):
    save_list(
        RatingList(
            slug="other", name="Other", federation=get_or_create_federation("F"), system="fesa-2000", comparison_to=made
        )
    )
    rate_all()
    refresh_due()
    assert client.get("/lists/other/statistics/").status_code == 200
    assert client.get("/lists/other/statistics/grades.svg").status_code == 404
    assert client.get("/lists/other/statistics/drift.svg").status_code == 200


@pytest.mark.parametrize("address", ["nope/statistics/", "nope/statistics/drift.svg", "fesa/statistics/nope.svg"])
def test_missing_objects_are_404(client, made, address):
    assert client.get(f"/lists/{address}").status_code == 404


def test_list_that_is_not_public_shows_nothing(client, made):
    client.get("/lists/fesa/statistics/drift.svg")
    RatingList.objects.update(public=False)
    assert client.get("/lists/fesa/statistics/").status_code == 404
    assert client.get("/lists/fesa/statistics/drift.svg").status_code == 404


@pytest.mark.usefixtures("staff")
def test_officers_see_lists_that_are_not_public(client, made):
    make_list("other")
    RatingList.objects.filter(pk=made.pk).update(public=False)
    assert client.get("/lists/fesa/statistics/").status_code == 200
    assert client.get("/lists/fesa/statistics/drift.svg").status_code == 200


def test_wrong_methods_are_refused(client, made):
    assert client.post("/lists/fesa/statistics/").status_code == 405
    assert client.post("/lists/fesa/statistics/drift.svg").status_code == 405

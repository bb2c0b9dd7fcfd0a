"""Head to head, and several players on one graph."""

import datetime as dt
import re

import pytest

from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.models import Adjustment, Club, ListPlayer, Membership, NameVisibility, Standing
from ratings.queries.players.choices import describe_choices
from tests.cards import read_meta
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
def rivals(fesa, rate_all):
    """Ana beats Bo, draws, loses, and wins again; Cy has met neither."""
    ana, bo, cy, dee = make_player("Ana"), make_player("Bo"), make_player("Cy"), make_player("Dee")
    for player, rating in ((ana, 1600), (bo, 1700), (cy, 1900), (dee, 1500)):
        give_rating(fesa, player, rating, "2022-01-01")
    make_table(fesa, [ana, bo], [(1, 1, 2, 1.0), (2, 1, 2, 0.5)], "2023-05-01", event_name="Spring")
    make_table(fesa, [bo, ana], [(1, 1, 2, 1.0), (2, 2, 1, 1.0)], "2024-05-01", event_name="May")
    make_table(fesa, [cy, dee], [(1, 1, 2, 1.0)], "2024-06-01")
    rate_all()
    return ana, bo, cy


def address(one, other):
    return f"/players/{one.public_id}/versus/{other.public_id}/"


def test_versus_shows_score_trend_and_expectation(client, fesa, rivals):
    ana, bo, _ = rivals
    response = client.get(address(ana, bo))
    found = response.context["versus"]
    assert (found.won, found.drawn, found.lost, found.points, found.rival_points) == (2, 1, 1, 2.5, 1.5)
    assert [
        (met.row.event_name, met.row.round, met.row.points, met.points, met.rival_points) for met in found.games
    ] == [
        ("May", 2, 1, 2.5, 1.5),
        ("May", 1, 0, 1.5, 1.5),
        ("Spring", 2, 0.5, 1.5, 0.5),
        ("Spring", 1, 1, 1, 0),
    ]
    ratings = {standing.player_id: standing.rating for standing in Standing.objects.all()}
    higher = ratings[bo.pk] - ratings[ana.pk]
    assert found.expected == pytest.approx(1 / (1 + 10 ** (higher / 400)))


def test_versus_of_players_who_never_met_shows_the_expected_score(client, rivals):
    ana, _, cy = rivals
    page = client.get(address(ana, cy))
    assert page.context["versus"].games == []
    assert 0 < page.context["versus"].expected < 0.5
    assert "They have not met yet." in markup(page)
    assert '<p class="score"><span class="unplayed">not met yet</span></p>' in markup(page)


def test_versus_of_two_without_a_common_list_says_so(client, rivals):
    other = make_player("Zoe")
    assert "These players share no list and have not played each other." in markup(
        client.get(address(rivals[0], other))
    )


def test_versus_shows_games_of_players_outside_the_list(client, fesa, rivals, rate_all):
    ana, bo, _ = rivals
    before = client.get(address(ana, bo)).context["versus"]
    save_list_player(ListPlayer(list=fesa, player=bo, withdrawn=True))
    rate_all()
    page = client.get(address(ana, bo))
    found = page.context["versus"]
    assert (found.points, found.rival_points, len(found.games)) == (
        before.points,
        before.rival_points,
        len(before.games),
    )
    assert (found.rival, found.expected, page.context["rating_list"]) == (None, None, fesa)


def test_versus_of_unknown_players_or_oneself_is_404(client, rivals):
    ana = rivals[0]
    assert client.get(address(ana, ana)).status_code == 404
    assert client.get(f"/players/{ana.public_id}/versus/NOBODY/").status_code == 404
    assert client.get(f"/players/NOBODY/versus/{ana.public_id}/").status_code == 404
    assert client.post(address(*rivals[:2])).status_code == 405


def test_versus_follows_a_merge(client, rivals):
    ana, bo, _ = rivals
    gone = make_player("Gone", merged_into=bo)
    assert client.get(address(ana, gone))["Location"] == address(ana, bo)
    assert client.get(address(gone, ana))["Location"] == address(bo, ana)
    assert client.get(address(gone, bo)).status_code == 404


@pytest.mark.parametrize(("tables", "queries"), [(2, 18), (30, 17)])  # one for each of two inactive players; for ranks
def test_versus_needs_the_same_queries_for_any_number(
    tables, queries, client, fesa, rate_all, django_assert_num_queries
):
    ana, bo = make_player(), make_player()
    for number in range(tables):
        make_table(fesa, [ana, bo], [(1, 1, 2, 1.0)], f"20{number:02}-01-01")
    rate_all()
    with django_assert_num_queries(queries):
        client.get(address(ana, bo))


def test_many_games_of_two_players_are_on_several_pages(client, fesa, rate_all, monkeypatch):
    ana, bo = make_player(), make_player()
    for number in range(5):
        make_table(fesa, [ana, bo], [(1, 1, 2, 1.0)], f"20{number:02}-01-01", event_name=f"Cup {number}")
    rate_all()
    monkeypatch.setattr("portal.players.views.versus.GAMES_PER_PAGE", 3)
    first, last = (client.get(f"{address(ana, bo)}?page={number}") for number in (1, 2))
    games = [[met.row.event_name for met in page.context["page"]] for page in (first, last)]
    assert games == [["Cup 4", "Cup 3", "Cup 2"], ["Cup 1", "Cup 0"]]
    assert '<a rel="next" href="?page=2#games-title">' in markup(first)
    assert re.findall(r'class="number strong delta">([^<]*)<', last.text) == ["2 – 0", "1 – 0"]


def test_rival_is_chosen_by_name_or_public_id(client, rivals):
    ana, bo, cy = rivals
    choose = f"/players/{ana.public_id}/versus/"
    assert client.get(choose, {"rival": "bo"})["Location"] == f"{address(ana, bo)}?list=fesa"
    assert client.get(choose, {"rival": cy.public_id.lower()})["Location"] == f"{address(ana, cy)}?list=fesa"
    make_player("Bo", "Second")
    found = client.get(choose, {"rival": "bo"}).context["found"]
    assert [one.player.family_name for one in found] == ["Bo", "Bo"]
    assert "No other player is found by “xyz”" in markup(client.get(choose, {"rival": "xyz"}))


def test_rival_who_is_not_shown_by_name_is_chosen_by_public_id_only(client, rivals):
    ana, bo, _ = rivals
    bo.shown = NameVisibility.ANONYMOUS
    bo.save()
    choose = f"/players/{ana.public_id}/versus/"
    assert client.get(choose, {"rival": "Bo"}).context["found"] == []
    assert client.get(choose, {"rival": bo.public_id})["Location"] == f"{address(ana, bo)}?list=fesa"


def test_namesakes_are_told_apart_by_club_rating_and_last_event(client, fesa, rivals, rate_all):
    ana, bo, _ = rivals
    namesake, club = make_player("Bo", "Second", country="SE"), Club.objects.create(name="Go Club")
    Membership.objects.create(player=bo, club=club)
    choices = {
        "versus": client.get(f"/players/{ana.public_id}/versus/", {"rival": "bo"}).context["found"],
        "compare": client.get("/compare/", {"list": "fesa", "add": "bo"}).context["choices"],
    }
    for found in choices.values():
        assert [(one.player, one.club, one.last_event and one.last_event.name) for one in found] == [
            (bo, club, "May"), (namesake, None, None),
        ]  # fmt: skip
        assert (found[0].standing.player, found[1].standing) == (bo, None)
    page = markup(client.get("/compare/", {"list": "fesa", "add": "bo"}))
    assert f"{bo.public_id}<br> last played at May, 1 May 2024" in page
    assert "Go Club · " in page
    bo.shown = NameVisibility.ANONYMOUS
    bo.save()
    (hidden,) = describe_choices([bo], fesa, dt.date(2024, 7, 1))
    assert (hidden.club, hidden.last_event.name) == (None, "May")


@pytest.mark.parametrize("count", [1, 9])
def test_choices_need_the_same_queries_for_any_number(count, fesa, rate_all, django_assert_num_queries):
    several = [make_player("Bo") for _ in range(count)]
    make_table(fesa, [*several, make_player()], [(1, 1, count + 1, 1.0)], "2024-05-01")
    rate_all()
    with django_assert_num_queries(5):
        assert len(describe_choices(several, fesa, dt.date(2024, 7, 1))) == count


def test_rival_page_offers_the_most_frequent_opponents(client, rivals):
    ana, bo, _ = rivals
    page = client.get(f"/players/{ana.public_id}/versus/")
    assert [one.player for one in page.context["met"]] == [bo]
    assert f'href="{address(ana, bo)}?list=fesa"' in markup(page)


def test_compare_puts_up_to_five_side_by_side(client, fesa, rivals):
    ana, bo, cy = rivals
    response = client.get("/compare/", {"list": "fesa", "player": [ana.public_id, bo.public_id], "add": "Cy"})
    assert [career.player for career, _ in response.context["rows"]] == [ana, bo, cy]
    assert response.context["scores"] == [(ana, bo, (2.5, 1.5))]
    assert [len(of["points"]) for of in response.context["graph"]["data"]["series"]] == [3, 3, 2]
    ratings = {standing.player_id: f"{standing.rating:.0f}" for standing in Standing.objects.all()}
    latest = [("Ana", ratings[ana.pk]), ("Bo", ratings[bo.pk]), ("Cy", ratings[cy.pk])]
    assert response.context["yearly"][0] == (2024, latest)
    assert response.context["yearly"][2] == (2022, [("Ana", "1600"), ("Bo", "1700"), ("Cy", "1900")])


def test_compare_writes_names_with_a_comma_and_links_people_and_their_head_to_head(client, fesa, rate_all):
    ana, bo, zoe = make_player("Ark", "Ana"), make_player("Bow", "Bo"), make_player("Zorn", "Zoë")
    make_table(fesa, [ana, bo], [(1, 1, 2, 1.0)], "2024-05-01")
    rate_all()
    response = client.get("/compare/", {"player": [player.public_id for player in (ana, bo, zoe)]})
    page = markup(response)
    assert read_meta(response)["title"] == "Ark, Ana; Bow, Bo – FESA"
    assert "Zorn, Zoë is not on the list FESA." in page
    assert [of["name"] for of in response.context["graph"]["data"]["series"]] == ["Ark, Ana", "Bow, Bo"]
    assert response.context["graph"]["summary"] == "Ratings of Ark, Ana; Bow, Bo over time."
    games = page.partition("Games against each other")[2].partition("</ul>")[0]
    assert re.findall(r'<a[^>]* href="([^"]*)" ?>(.*?)</a>', games) == [
        (f"{ana.get_absolute_url()}?list=fesa", "<b>Ark</b>, Ana"),
        (f"{bo.get_absolute_url()}?list=fesa", "<b>Bow</b>, Bo"),
        (
            f"{address(ana, bo)}?list=fesa",
            'Head to head<span class="hidden">: Ark, Ana against Bow, Bo</span>',
        ),
    ]


def test_compare_of_two_leads_to_their_head_to_head(client, fesa, rivals):
    ana, bo, cy = rivals
    links = []
    for players in ([ana, bo], [ana, bo, cy], [ana]):
        page = markup(client.get("/compare/", {"list": "fesa", "player": [player.public_id for player in players]}))
        links.append(re.findall(r'<a class="button outline" href="([^"]*/versus/[^"]*)"', page))
    assert links == [[f"/players/{ana.public_id}/versus/{bo.public_id}/?list=fesa"], [], []]


def test_compare_names_the_curves_of_one_player_by_their_lists(client, fesa, rivals, rate_all):
    ana, *_ = rivals
    other = make_list("go", name="Go", system="bgf")
    opening = Adjustment(list=other, player=ana, date=dt.date(2024, 1, 1), set={"rating": 1750}, reason="opening")
    save_adjustment(opening)
    rate_all()
    response = client.get("/compare/", {"player": ana.public_id, "list": ["fesa", "go"]})
    assert [of["name"] for of in response.context["graph"]["data"]["series"]] == ["FESA", "Go"]


def test_compare_has_a_curve_for_each_list(client, fesa, rivals, rate_all):
    ana, bo, cy = rivals
    other = make_list("go", name="Go", system="bgf")
    save_adjustment(
        Adjustment(list=other, player=ana, date=dt.date(2024, 1, 1), set={"rating": 1750.4}, reason="opening")
    )
    rate_all()
    asked = {"player": [ana.public_id, bo.public_id, cy.public_id]}
    offered = markup(client.get("/compare/", asked | {"list": "fesa"}))
    assert ">also Go</a>" in offered
    response = client.get("/compare/", asked | {"list": ["fesa", "go"]})
    data = response.context["graph"]["data"]
    assert [of["name"] for of in data["series"]] == ["Ana (FESA)", "Ana (Go)", "Bo (FESA)", "Cy (FESA)"]
    assert response.context["graph"]["graph"].rating_list.decimals == 1
    assert [career.rating_list for career, _ in response.context["rows"]] == [fesa, other, fesa, fesa]
    assert response.context["scores"] == []
    assert response.context["yearly"][0][1][1] == ("Ana (Go)", "1750.4")
    page = markup(client.get(ana.get_absolute_url()))
    assert f'<a href="/compare/?player={ana.public_id}&amp;list=fesa&amp;list=go">All on one graph</a>' in page
    assert client.get("/compare/graph.svg", asked | {"list": ["fesa", "go"]}).status_code == 200
    assert client.get("/compare/", asked | {"list": ["fesa", "none"]}).status_code == 404


def test_compare_takes_no_sixth(client, fesa, rate_all):
    several = [make_player() for _ in range(6)]
    make_table(fesa, several, [(1, 1, 2, 1.0), (1, 3, 4, 1.0), (1, 5, 6, 1.0)])
    rate_all()
    response = client.get("/compare/", {"player": [player.public_id for player in several]})
    assert [career.player for career, _ in response.context["rows"]] == several[:5]
    assert "Up to 5 players can be compared." in markup(response)


def test_compare_names_unknown_and_unlisted_players(client, rivals):
    outsider = make_player("Zoe")
    page = markup(client.get("/compare/", {"player": outsider.public_id, "add": "nobody"}))
    assert "Zoe is not on the list FESA." in page
    assert "No player is found by “nobody”" in page
    assert client.get("/compare/", {"list": "none"}).status_code == 404
    assert client.get("/compare/", {"player": "\0", "add": "["}).status_code == 200


def test_compare_names_unknown_ids_and_follows_a_merge(client, rivals):
    ana, bo, _ = rivals
    gone = make_player("Gone", merged_into=bo)
    asked = [ana.public_id.lower(), "ZZZ", gone.public_id, "<b>", ana.public_id, bo.public_id]
    response = client.get("/compare/", {"player": asked})
    page = markup(response)
    assert response.context["asked"].players == [ana, bo]
    assert re.findall(r"There is no player with the public id (.*?)\.", page) == ["ZZZ", "&lt;b&gt;"]


def test_compare_without_any_list_is_a_page(client):
    assert client.get("/compare/").status_code == 200


def test_compare_names_omitted_players_and_keeps_the_others(client, fesa, rate_all):
    several = [make_player(name) for name in ("Ada", "Ben", "Cem", "Dan")]
    twin = make_list("twin", name="Twin")
    for rating_list in (fesa, twin):
        make_table(rating_list, several, [(1, 1, 2, 1.0), (1, 3, 4, 1.0)])
    rate_all()
    response = client.get("/compare/", {"player": [one.public_id for one in several], "list": ["fesa", "twin"]})
    page = markup(response)
    assert response.context["asked"].names == ["Ada (FESA)", "Ada (Twin)", "Ben (FESA)", "Ben (Twin)", "Cem (FESA)"]
    assert "Up to 5 curves are shown. 3 more do not fit: remove players or a list." in page
    without_ada = "&amp;".join(f"player={one.public_id}" for one in several[1:])
    assert f"?{without_ada}&amp;list=fesa&amp;list=twin" in page


def test_rating_does_not_change_in_years_without_games(client, fesa, rivals):
    ana, _, cy = rivals
    asked = {"player": [ana.public_id, cy.public_id]}
    years = client.get("/compare/", asked).context["yearly"]
    assert [year for year, _ in years] == [2024, 2023, 2022]
    assert years[1][1][1] == ("Cy", "1900")  # Cy did not play in 2023

"""A player's page in its parts, its sub-pages, and the page as of a past day."""

import datetime as dt
import re

import pytest
from django.core.cache import cache
from django.utils import timezone

from portal.templatetags.portal_format import signed
from ratings.domain.lists.adjustments import save_adjustment, save_list_player, save_player
from ratings.domain.players.visibility import set_visibility
from ratings.models import (
    Adjustment,
    Change,
    Club,
    ListPlayer,
    Membership,
    NameVisibility,
    Player,
    RatingList,
    Standing,
)
from ratings.models.messages import RecordReason
from tests.factories import give_rating, make_list, make_player, make_table, rate_every_list, set_state
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
SCRIPT = '<script>alert("x")</script>'


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
def ana():
    return make_player("Ana", country="ES")


@pytest.fixture
@reused
def field(fesa, ana, rate_all):
    """Ana beats Bo (1700) twice and draws once in 2023, loses to Cy (1900), who gives a bishop, and beats him in 2024."""
    bo, cy = make_player(SCRIPT), make_player("Cy")
    for player, rating in ((ana, 1600), (bo, 1700), (cy, 1900)):
        give_rating(fesa, player, rating, "2022-01-01")
    make_table(fesa, [ana, bo], [(1, 1, 2, 1.0), (2, 1, 2, 0.5), (3, 2, 1, 0.0)], "2023-05-01", event_name="Spring")
    make_table(
        fesa, [ana, cy], [(1, 1, 2, 0.0, {"handicap": "b", "giver": "b"}), (2, 1, None, 1.0)], "2024-01-06",
        event_name="Winter",
    )  # fmt: skip
    make_table(fesa, [cy, ana], [(1, 1, 2, 0.0)], "2024-03-02", event_name="March")
    rate_all()
    return bo, cy


def rating_after(table_event, player):
    return Change.objects.get(table__event__name=table_event, player=player).after


@pytest.mark.parametrize(("language", "category"), [("en", "established"), ("de", "etabliert"), ("ja", "確定")])
def test_category_is_translated_on_player_and_explanation_pages(client, language, category, fesa, ana, field):
    change = Change.objects.get(table__event__name="March", player=ana)
    explanation = f"/lists/fesa/tables/{change.table_id}/{ana.public_id}/"
    player, explained = (
        markup(client.get(address, HTTP_ACCEPT_LANGUAGE=language)) for address in (ana.get_absolute_url(), explanation)
    )
    assert re.findall(r'<dd>\d+ <span class="quiet">([^\d<]*) ·', player) == [category]
    assert re.findall(r'<dd>([^\d<]*) <span class="quiet">', explained) == [category]


def test_head_says_how_many_rated_games_were_brought_to_the_list(client, fesa, ana, field):
    standing = ana.standings.get()
    assert (standing.games, client.get(ana.get_absolute_url()).context["summary"].all.games) == (105, 5)
    tile = re.search(r"<dd>105 (.*?)</dd>", markup(client.get(ana.get_absolute_url())), re.DOTALL)[1]
    assert " ".join(re.sub("<[^>]*>", "", tile).split()) == "established · 100 before joining this list"
    new = make_player("New")
    make_table(fesa, [new, ana], [(1, 1, 2, 0.5)], "2024-05-01")
    rate_every_list()
    assert "before joining" not in markup(client.get(new.get_absolute_url()))


def test_summary_adds_up_what_was_played(client, fesa, ana, field):
    bo, cy = field
    summary = client.get(ana.get_absolute_url()).context["summary"]
    assert (summary.all.games, summary.all.won, summary.all.drawn, summary.all.lost) == (5, 3, 1, 1)
    assert [(one.pk, one.games, one.points, str(one.last.day)) for one in summary.opponents] == [
        (bo.pk, 3, 2.5, "2023-05-01"),
        (cy.pk, 2, 1.0, "2024-03-02"),
    ]
    # against Cy she won the even game only
    assert [(row.opponent, row.theirs) for row in summary.best] == [
        (cy.pk, rating_after("Winter", cy)),
        (bo.pk, 1700),
        (bo.pk, 1700),
    ]
    breakdown = client.get(f"/players/{ana.public_id}/games/").context["breakdown"]
    years = [(tally.key, tally.games, tally.points, tally.rated) for tally in breakdown.years]
    assert years == [(2024, 2, 1.0, 2), (2023, 3, 2.5, 3)]
    assert [(tally.key, tally.games, tally.points) for tally in breakdown.handicaps] == [
        (("", None), 4, 3.5),
        (("b", False), 1, 0.0),
    ]
    # 2½ of 3 expected at a rating d above 1700: 3 / (1 + 10 ** (-d / 400)) = 2.5, so d = 400 · log10(5) = 279.6
    assert breakdown.years[1].performance == pytest.approx(1979.6, abs=0.5)
    assert breakdown.years[1].expected == pytest.approx(3 / (1 + 10 ** (100 / 400)))


def test_header_shows_rank_peak_and_last_event(client, fesa, ana, field):
    Standing.objects.update(last_played="2999-01-01")
    response = client.get(ana.get_absolute_url())
    higher = Standing.objects.filter(rating__gt=Standing.objects.get(player=ana).rating).count()
    assert response.context["ranked"].rank == higher + 1
    career = response.context["career"]
    assert (career.peak.what, career.peak.after) == max(
        ((event, rating_after(event, ana)) for event in ("Spring", "Winter", "March")), key=lambda one: one[1]
    )
    changes = Change.objects.filter(player=ana, table__isnull=False).order_by("change")
    assert (career.gain.what, career.loss.what) == (changes.last().table.event.name, changes.first().table.event.name)
    assert career.loss.what == "Winter"  # the only game that was lost
    assert response.context["steps"][0].point.what == "March"


def test_inactive_player_has_no_rank(client, fesa, ana, field):
    assert client.get(ana.get_absolute_url()).context["ranked"] is None


def test_names_are_escaped_everywhere(client, fesa, ana, field):
    bo, _ = field
    for address in (
        ana.get_absolute_url(), bo.get_absolute_url(), f"/players/{ana.public_id}/opponents/",
        f"/players/{ana.public_id}/games/", f"/players/{bo.public_id}/events/",
        f"/players/{ana.public_id}/versus/{bo.public_id}/", f"/players/{ana.public_id}/versus/?rival=script",
        f"/compare/?player={ana.public_id}&player={bo.public_id}", "/compare/?add=script",
    ):  # fmt: skip
        response = client.get(address, follow=True)
        assert response.status_code == 200
        assert "<script>alert" not in markup(response)


def test_page_as_of_a_past_day_shows_the_state_of_that_day(client, fesa, ana, field):
    response = client.get(f"{ana.get_absolute_url()}?on=2023-12-31")
    facts = response.context["facts"]
    assert (facts.rating, facts.games, str(facts.last_played)) == (
        rating_after("Spring", ana),
        Change.objects.get(table__event__name="Spring", player=ana).games_after,
        "2023-05-01",
    )
    assert response.context["summary"].all.games == 3
    assert [step.point.what for step in response.context["steps"]] == ["Spring", "opening"]
    assert "As of 31 Dec 2023" in markup(response)
    assert "March" not in markup(response)


def test_chip_of_a_players_pages_asks_for_their_day_and_keeps_the_rest(client, fesa, ana, field):
    def chip(query):
        page = markup(client.get(f"/players/{ana.public_id}/games/{query}"))
        return page.rpartition('<details class="drop"')[2].partition("</details>")[0]

    past = chip("?list=fesa&year=2023&on=2023-12-31&page=1")
    assert re.search(r"<summary[^>]*>\s*(.*?)\s*<svg", past)[1] == "This page as of: 31 Dec 2023"
    assert re.findall(r'<input type="(\w+)" name="(\w+)" value="([^"]*)"', past) == [
        ("hidden", "list", "fesa"), ("hidden", "year", "2023"), ("date", "on", "2023-12-31"),
    ]  # fmt: skip
    for query in ("", "?on=2999-01-01"):
        assert re.search(r"<summary[^>]*>\s*(.*?)\s*<svg", chip(query))[1] == "This page as of"


def test_rank_of_a_past_day_is_that_of_its_list(client, fesa, ana, field):
    for day in ("2023-12-31", "2024-03-05"):
        listed = client.get(f"/lists/fesa/?on={day}").context["lines"]
        rank = next(line.rank for line in listed if line.player == ana)
        assert client.get(f"{ana.get_absolute_url()}?on={day}").context["ranked"].rank == rank
    assert client.get(f"{ana.get_absolute_url()}?on=2029-12-31").status_code == 200


def test_rank_of_a_past_day_is_left_out_of_pages_on_large_lists(client, fesa, ana, field, monkeypatch):
    monkeypatch.setattr("portal.players.hero.MAX_RANKED_PLAYERS", 1)
    assert client.get(f"{ana.get_absolute_url()}?on=2024-03-05").context["ranked"] is None


def test_list_without_the_player_is_reported(client, fesa, ana, field):
    message = "This player is not on that list."
    assert message in client.get(f"{ana.get_absolute_url()}?list=other").text
    assert message not in client.get(f"{ana.get_absolute_url()}?list=fesa").text


def test_performance_is_computed_where_the_rules_have_none(client, rate_all):
    renju, a, b = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (a, b):
        given = {"list": renju, "player": player, "date": dt.date(2000, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 2000}, **given))
    games = [(r, 1, 2, score) for r, score in enumerate((1.0, 0.5, 1.0, 0.5), 1)]
    cup = make_table(renju, [a, b], games, "2001-02-01", event_name="Cup")
    rapid = make_table(renju, [a, b], games, "2001-03-01", event_name="Rapid", minutes=30)
    rate_all()
    # 3 of 4 against 2000, by #7 odds of three to one: 120 log2(3) = 190.2 above
    rapid_step, cup_step = [step for step in client.get(a.get_absolute_url()).context["steps"] if step.point.table][:2]
    assert (cup_step.performance, rapid_step.performance) == (pytest.approx(2190.2, abs=0.25), None)
    pages = [markup(client.get(table.event.get_absolute_url())) for table in (cup, rapid)]
    assert ["2190" in page for page in pages] == [True, False]
    assert ["not rated</span>" in page for page in pages] == [False, True]


def test_page_as_of_a_day_before_the_first_says_so(client, fesa, ana, field):
    page = markup(client.get(f"{ana.get_absolute_url()}?on=1492-01-01"))
    assert "On that day this player was not on FESA yet." in page
    assert client.get(f"{ana.get_absolute_url()}?on=2999-01-01").context["career"].on is None
    assert client.get(f"{ana.get_absolute_url()}?on=2026-13-45").status_code == 404


def test_range_of_the_graph_shortens_the_table(client, fesa, ana, field):
    graph = client.get(f"{ana.get_absolute_url()}?range=1").context["graph"]
    assert re.findall(r'<th [^>]*>(.*?)</th>.*?data-label="Event">(.*?)</td>', graph["table"].rows) == [
        ("2 Mar 2024", "March"), ("6 Jan 2024", "Winter"), ("1 May 2023", "Spring"),
    ]  # fmt: skip
    assert len(graph["graph"].points[0]) == 3
    assert client.get(f"{ana.get_absolute_url()}?range=7").context["graph"]["graph"].span.name == "all"


def test_graph_of_a_span_with_one_point_keeps_the_links_to_others(client, ana, field):
    page = client.get(f"{ana.get_absolute_url()}?range=2023-04-01..2023-06-01")
    assert [point["date"] for point in page.context["graph"]["graph"].points[0]] == ["2023-05-01"]
    assert 'href="?range=all#graph-title"' in markup(page)


@pytest.mark.parametrize(
    ("span", "days"),
    [
        ("2023-05-01..2024-01-06", ["2023-05-01", "2024-01-06"]),
        ("2024-01-06..2023-05-01", None),
        ("1492-01-01..1492-12-31", None),
        ("2023-05-01..", None),
        ("a..b", None),
    ],
)
def test_graph_shows_the_days_of_its_address(span, days, client, ana, field):
    graph = client.get(f"{ana.get_absolute_url()}?range={span}").context["graph"]["graph"]
    shown = [point["date"] for point in graph.points[0]]
    everything = ["2022-01-01", "2023-05-01", "2024-01-06", "2024-03-02"]
    assert (graph.span.name, shown) == ((span, days) if days else ("all", everything))


def test_points_of_the_graph_say_what_happened_and_where_it_is_explained(client, fesa, ana, field):
    data = client.get(ana.get_absolute_url()).context["graph"]["data"]
    change = Change.objects.get(table__event__name="Winter", player=ana)
    assert [point[4:] for point in data["series"][0]["points"]][::2] == [
        ["1600", "", "opening", "1 Jan 2022", ""],
        [
            f"{change.after:.0f}",
            signed(change.change),
            "Winter",
            "6 Jan 2024 · 0 of 1",
            f"/lists/fesa/tables/{change.table_id}/{ana.public_id}/",
        ],
    ]


def games_of(response):
    return [game.played.row for group in response.context["groups"] for game in group.games]


@pytest.mark.parametrize(
    ("asked", "rounds"),
    [("", 6), ("year=2023", 3), ("result=won", 3), ("result=drawn", 1), ("handicap=took", 1), ("handicap=even", 4),
     ("handicap=gave", 0), ("opponent=cy", 2), ("opponent=CY&result=won", 1), ("year=1492", 6), ("opponent=%5B", 0)],
)  # fmt: skip
def test_games_can_be_filtered(asked, rounds, client, fesa, ana, field):
    response = client.get(f"/players/{ana.public_id}/games/?{asked}")
    assert response.status_code == 200
    assert len(games_of(response)) == rounds


def test_filter_of_games_shows_results_as_links_and_what_is_chosen(client, fesa, ana, field):
    page = markup(client.get(f"/players/{ana.public_id}/games/?list=fesa&result=won&year=2023"))
    bar = page.partition('class="bar"')[2].partition('class="group"')[0]
    assert re.findall(r'<a class="chip" href="([^"]*)"( aria-current="true")?>(\w+)', bar) == [
        ("?list=fesa&amp;year=2023", "", "All"),
        ("?list=fesa&amp;year=2023&amp;result=won", ' aria-current="true"', "Won"),
        ("?list=fesa&amp;year=2023&amp;result=drawn", "", "Drawn"),
        ("?list=fesa&amp;year=2023&amp;result=lost", "", "Lost"),
    ]
    assert [" ".join(chip.split()) for chip in re.findall(r'<summary class="chip[ on]*">([^<]*)<', bar)] == [
        "Year: 2023", "Handicap",
    ]  # fmt: skip
    assert '<a class="chip plain" href="?list=fesa">Clear filters</a>' in bar


def test_games_without_handicaps_are_not_filtered_by_them(client, fesa, ana, field):
    bo, _ = field
    address = f"/players/{bo.public_id}/games/?list=fesa"
    assert "Handicap" not in markup(client.get(address)).partition('class="bar"')[2].partition('class="group"')[0]


def test_hidden_opponent_is_no_filter_by_name(client, fesa, ana, field):
    _, cy = field
    cy.shown = NameVisibility.INITIALS
    cy.save()
    assert client.get(f"/players/{ana.public_id}/games/?opponent=cy").context["groups"] == []
    assert len(games_of(client.get(f"/players/{ana.public_id}/games/?opponent={cy.public_id}"))) == 2


def test_a_change_of_name_shows_at_once(client, fesa, ana, field):
    _, cy = field
    address = f"/players/{ana.public_id}/opponents/"
    assert "Cy" in markup(client.get(address))
    cy.family_name = "Dee"
    cy.save()
    page = markup(client.get(address))
    assert "Dee" in page
    assert ">Cy<" not in page


def test_a_correction_shows_at_once(client, fesa, ana, field, rate_all):
    _, cy = field
    assert client.get(ana.get_absolute_url()).context["summary"].all.games == 5
    make_table(fesa, [cy, ana], [(1, 1, 2, 0.5)], "2023-02-02", event_name="Late")
    rate_all()
    response = client.get(ana.get_absolute_url())
    assert response.context["summary"].all.games == 6
    assert "Late" in [step.point.what for step in response.context["steps"]]


@pytest.mark.parametrize("page", ["events", "games", "opponents", "versus", "calculator"])
def test_sub_pages_of_an_unknown_player_are_404(page, client, fesa, ana):
    assert client.get(f"/players/NOBODY/{page}/").status_code == 404
    assert client.get(f"/players/{ana.public_id}/{page}/").status_code == 404  # on no list
    assert client.post(f"/players/{ana.public_id}/{page}/").status_code == 405


@pytest.mark.parametrize("page", ["events", "games", "opponents", "versus", "calculator"])
def test_sub_pages_follow_a_merge(page, client, fesa, ana, field):
    gone = make_player("Gone", merged_into=ana)
    response = client.get(f"/players/{gone.public_id}/{page}/")
    assert response["Location"] == f"/players/{ana.public_id}/{page}/"


@pytest.mark.parametrize("tables", [1, 30])
def test_sub_pages_need_the_same_queries_for_any_number(tables, client, fesa, rate_all, django_assert_num_queries):
    ana = make_player()
    for number in range(tables):
        others = [make_player() for _ in range(2)]
        day = f"{timezone.now().year - number}-01-01"
        make_table(fesa, [ana, *others], [(1, 1, 2, 1.0), (2, 1, 3, 0.0)], day)
    rate_all()
    for page, queries in (("events", 13), ("games", 14), ("opponents", 13), ("grades", 14)):
        cache.clear()
        with django_assert_num_queries(queries):
            response = client.get(f"/players/{ana.public_id}/{page}/?page=1")
        assert response.status_code == 200


def test_anonymous_player_has_no_club(client, fesa, ana, field):
    Membership.objects.create(player=ana, club=Club.objects.create(name="Shogi Madrid"))
    assert "Shogi Madrid" in markup(client.get(ana.get_absolute_url()))
    ana.shown = NameVisibility.ANONYMOUS
    ana.save()
    page = markup(client.get(ana.get_absolute_url()))
    assert "Shogi Madrid" not in page
    assert "Ana" not in page


def test_score_is_out_of_the_games_played_be_they_rated_or_not(client, rate_all):
    first = make_list("first", system="fesa-2000")
    a, b = make_player(), make_player()
    for player in (a, b):
        give_rating(first, player, 1500)
    make_table(first, [a, b], [(1, 1, 2, 1.0), (2, 1, 2, 1.0, {"handicap": "b", "giver": "a"})])
    rate_all()
    (step, _) = client.get(a.get_absolute_url()).context["steps"]
    assert (step.points, step.played, step.point.games) == (2.0, 2, 1)


def test_last_event_is_shown_before_closing_days(client, rate_all):
    renju, a, b = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (a, b):
        given = {"list": renju, "player": player, "date": dt.date(2000, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 2000}, **given))
    make_table(renju, [a, b], [(r, 1, 2, 1.0) for r in range(1, 6)], "2001-02-01", event_name="Cup")
    rate_all()
    response = client.get(a.get_absolute_url())
    closing, cup = response.context["steps"][:2]
    assert (closing.point.is_closing, cup.point.is_carried_over, closing.point.change) == (True, True, cup.point.change)
    page = markup(response)
    counted = page.partition('<span title="added on the next list">')[2].partition("</span>")[0]
    assert re.sub(r"<.*?>", "", counted) == f"({signed(cup.point.change)})"
    assert (
        f'<a href="{cup.point.event.get_absolute_url()}?list=renju">Cup</a>, <span class="nowrap">1 Feb 2001</span>'
        in page
    )


def test_other_lists_of_a_past_day_are_left_without_todays_rating(client, fesa, ana, field, rate_all):
    give_rating(make_list("twin", name="Twin"), ana, 1234)
    rate_all()
    page = markup(client.get(f"{ana.get_absolute_url()}?on=2023-06-01"))
    assert '<a href="?list=twin&amp;on=2023-06-01">Twin</a>' in page
    assert "1234" not in page


def test_short_address_redirects_with_its_query(client, fesa, ana, field):
    event = Change.objects.filter(table__event__name="Spring").first().table.event
    club = Club.objects.create(name="Łódź")
    for page in (ana, event, club):
        short = page.get_absolute_url().split("-")[0]
        response = client.get(f"{short}/?on=2023-06-01&list=fesa")
        assert (response.status_code, response["Location"]) == (
            301,
            f"{page.get_absolute_url()}?on=2023-06-01&list=fesa",
        )
    assert club.get_absolute_url().endswith("-lodz/")


def columns_of(page):
    head = page.partition('aria-label="Games"')[2].partition("</thead>")[0]
    return re.findall(r'<th scope="col"[^>]*>(?:<abbr[^>]*>)?([^<]+)<', head)


def conditions_of(response):
    return [
        " ".join(text.split()) for text in re.findall(r'<small class="quiet">(.*?)</small>', response.text, re.DOTALL)
    ]


def test_most_played_opponents_are_links_to_them_and_their_scores_to_the_head_to_head(client, rate_all):
    fesa, a, b = make_list("fesa"), make_player("Ara"), make_player("Bel")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0), (2, 1, 2, 1.0), (3, 1, 2, 0.0)], "2011-02-01")
    rate_all()
    rows = markup(client.get(f"/players/{a.public_id}/games/")).partition('<ul class="rows opponents">')[2]
    links = re.findall(r'<a\s[^>]*href="([^"]*)"', rows.partition("</ul>")[0])
    assert links == [f"{b.get_absolute_url()}?list=fesa", f"/players/{a.public_id}/versus/{b.public_id}/?list=fesa"]


def test_games_name_colour_and_handicap_in_columns_of_their_own(client, rate_all):
    go, a, b = make_list("go", system="bgf"), make_player("Ara"), make_player("Bel")
    for player in (a, b):
        save_adjustment(
            Adjustment(list=go, player=player, date=dt.date(2000, 1, 1), set={"rating": 100}, reason="opening")
        )
    make_table(go, [a, b], [(1, 1, 2, 1.0, {"black": "a"})], "2011-02-01")
    rate_all()
    versus, games = f"/players/{a.public_id}/versus/{b.public_id}/", f"/players/{a.public_id}/games/"
    columns = columns_of(markup(client.get(versus)))
    assert ("Colour" in columns, "Handicap" in columns) == (True, False)
    assert conditions_of(client.get(games)) == ["Black"]
    make_table(go, [a, b], [(1, 1, 2, 0.0, {"black": "b", "stones": 3})], "2011-03-01")
    rate_all()
    page = markup(client.get(versus))
    columns = columns_of(page)
    assert ("Colour" in columns, "Handicap" in columns) == (True, True)
    assert re.findall(r'class="wide">(White|Black)</td> ?<td role="cell" class="wide">([^<]*)</td>', page) == [
        ("White", "gave 3 stones"), ("Black", ""),
    ]  # fmt: skip
    assert conditions_of(client.get(games)) == ["White, gave 3 stones", "Black"]


def test_page_begins_with_the_rating_its_last_change_and_why(client, rate_all):
    fesa, ana, ben = make_list(), make_player("Berg", "Ana", country="DE"), make_player("Ben")
    for player in (ana, ben):
        give_rating(fesa, player, 1800, "2020-01-01")
    table = make_table(fesa, [ana, ben], [(1, 1, 2, 1.0), (2, 1, 2, 0.5)], "2024-03-01", event_name="Cup")
    rate_all()
    page = markup(client.get(ana.get_absolute_url()))
    change = signed(ana.standings.get().last_change)
    why = f"/lists/fesa/tables/{table.pk}/{ana.public_id}/"
    for part in (
        "<h1><b>Berg</b>, Ana</h1>",
        f'<p class="big-rating">{ana.standings.get().rating:.0f} <span class="tag honour">New peak</span></p>',
        f'<a class="change gain" href="{why}" aria-label="{change} points: why, Berg Ana">{change}</a>',
        f'1½ of 2, <a href="{table.event.get_absolute_url()}?list=fesa">Cup</a>, <span class="nowrap">1 Mar 2024</span></span>',
        f'<p class="why"><a href="{why}"> Why {change}?</a></p>',
        '<span class="small">not ranked</span> <span class="quiet">last played 2024</span></dd>',
    ):
        assert part in page, part
    assert "New peak" not in markup(client.get(ben.get_absolute_url()))
    page = markup(client.get(ana.get_absolute_url(), headers={"Accept-Language": "ja"}))
    event = f'<a href="{table.event.get_absolute_url()}?list=fesa">Cup</a>'
    assert f'<span class="nowrap">2024年3月1日</span>、{event}で2局中1½点' in page


def test_head_shows_the_last_six_results_newest_first(client, rate_all):
    fesa, ana, bo = make_list(), make_player("Ana"), make_player("Bo")
    games = [(number, 1, 2, score) for number, score in enumerate((1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.5), 1)]
    make_table(fesa, [ana, bo], [*games, (8, 1, None, 1.0)], "2024-03-05")
    rate_all()
    page = client.get(ana.get_absolute_url()).content.decode()
    head = page.partition('<dd class="form">')[2].partition("</dd>")[0]
    assert re.findall(r'title="(\w+)"', head) == ["draw", "lost", "won", "won", "lost", "draw"]


def test_head_ranks_the_player_in_country_and_club_with_links(client, rate_all, django_capture_on_commit_callbacks):
    fesa, club = make_list(), Club.objects.create(name="Shogi Lyon", country="FR")
    players = [
        make_player(name, country=country)
        for name, country in (("Ana", "FR"), ("Bo", "FR"), ("Cy", "DE"), ("Di", "FR"))
    ]
    for player, rating in zip(players, (1800, 1900, 2000, 2100), strict=True):
        give_rating(fesa, player, rating)
    ana, bo, cy, di = players
    for member in (ana, cy, di):
        Membership.objects.create(player=member, club=club)
    make_table(fesa, players, [(1, 1, 2, 0.5), (1, 3, 4, 0.5)], timezone.now().date().isoformat())
    rate_all()

    def ranks(player):
        page = markup(client.get(player.get_absolute_url()))
        return re.findall(r'<dt>([^<]*)</dt><dd><a href="([^"]*)"> ?(\d+) of (\d+)</a>', page)

    assert ranks(ana) == [
        ("Rank", "/lists/fesa/", "4", "4"),
        ("France", "/lists/fesa/?country=FR", "3", "3"),
        ("Shogi Lyon", f"/lists/fesa/?club={club.public_id}", "3", "3"),
    ]
    assert len(client.get(f"/lists/fesa/?club={club.public_id}").context["listing"].page.object_list) == 3
    with django_capture_on_commit_callbacks(execute=True):
        set_visibility(di, "anonymous")  # counts in the country, is not listed in the club
    assert [rank for _, _, *rank in ranks(ana)] == [["4", "4"], ["3", "3"], ["2", "2"]]
    assert [name for name, *_ in ranks(di)] == ["Rank", "France"]
    cy.country = "FR"
    with django_capture_on_commit_callbacks(execute=True):
        save_player(cy)
    assert [rank for _, _, *rank in ranks(bo)] == [["3", "4"], ["3", "4"]]


def test_head_ranks_neither_inactive_players_nor_past_days_in_country_and_club(client, rate_all):
    fesa, ana, bo = make_list(), make_player("Ana"), make_player("Bo")
    make_table(fesa, [ana, bo], [(1, 1, 2, 0.5)], "2020-03-05")
    rate_all()
    for query in ("", "?on=2020-04-01"):
        assert client.get(ana.get_absolute_url() + query).context["narrower_ranks"] == []


def test_starting_rating_from_the_portal_is_named_without_the_word_adjustment(client, rate_all):
    fesa, ana, ben = make_list(), make_player("Ana"), make_player("Ben")
    for player, reason in ((ana, RecordReason.CARRIED_OVER(year=2016)), (ben, "asked by the club")):
        given = {"list": fesa, "player": player, "date": dt.date(2020, 1, 1), "reason": reason}
        save_adjustment(Adjustment(set={"rating": 1500, "games": 20}, **given))
    make_table(fesa, [ana, ben], [(1, 1, 2, 1.0)], "2021-02-01")
    rate_all()
    pages = [client.get(player.get_absolute_url(), follow=True) for player in (ana, ben)]
    cells = [re.findall(r'class="outside">\s*<td [^>]*>(.*?)\s*</td>', page.text, re.DOTALL) for page in pages]
    assert cells == [["Starting rating, carried over from the 2016 list"], ["Adjustment: asked by the club"]]
    points = [page.context["graph"]["data"]["series"][0]["points"][0] for page in pages]
    assert [point[6] for point in points] == ["Starting rating, carried over from the 2016 list", "asked by the club"]


ANONYMOUS_SENTENCE = "This player asked for their name not to be shown."


def test_anonymous_player_is_explained_unless_erased(client, fesa, ana, field):
    assert ANONYMOUS_SENTENCE not in markup(client.get(ana.get_absolute_url()))
    for shown, is_explained in (("initials", False), ("anonymous", True)):
        set_visibility(ana, shown)
        assert (ANONYMOUS_SENTENCE in markup(client.get(ana.get_absolute_url()))) is is_explained
    Player.objects.filter(pk=ana.pk).update(erased_at=timezone.now())
    page = markup(client.get(ana.get_absolute_url()))
    assert "The personal data of this player was deleted." in page
    assert ANONYMOUS_SENTENCE not in page


@pytest.mark.parametrize("years", [1, 2])
def test_inactive_player_on_the_list_is_called_inactive(years, client, fesa, ana, field):
    RatingList.objects.update(active_years=years)
    sentence = f"Inactive – no game in the last {years} year{'s' * (years > 1)}, so this rating has no rank."
    assert sentence in markup(client.get(ana.get_absolute_url()))
    assert "Inactive" not in markup(client.get(f"{ana.get_absolute_url()}?on=2024-03-05"))
    Standing.objects.update(last_played="2999-01-01")
    assert "Inactive" not in markup(client.get(ana.get_absolute_url()))


@pytest.mark.parametrize(
    ("system", "opening", "sentence"),
    [
        (
            "fesa-2016",
            {"rating": 1500, "games": 9},
            "New – this rating is based on 10 games and can still change a lot.",
        ),
        ("fesa-2016", {"rating": 1500, "games": 17}, ""),
        ("egf-2021", {"rating": 1500}, ""),
        ("egf-2021", {}, "New – this rating is based on 1 game and can still change a lot."),
    ],
)
def test_new_player_is_explained(system, opening, sentence, client, rate_all):
    made, new, rival = make_list("one", system=system), make_player("Nia"), make_player("Ole")
    save_list_player(ListPlayer(list=made, player=new, prior_grade="5 Kyu" if system == "egf-2021" else ""))
    set_state(made, rival, rating=1500)
    if opening:
        set_state(made, new, **opening)
    make_table(made, [new, rival], [(1, 1, 2, 1.0)], "2024-02-03")
    rate_all()
    page = markup(client.get(new.get_absolute_url()))
    assert re.findall(r"New – [^<]*lot\.", page) == [sentence] * bool(sentence)

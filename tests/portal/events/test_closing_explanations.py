"""Page that explains a rating change on a closing day."""

import datetime as dt
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils.html import strip_tags

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, Change, DatedList, ListPlayer
from ratings.queries.events.closing_explanations import explain_closing, find_closing_change, read_closing_games
from ratings.queries.events.explained_games import ExplainedGame
from tests.factories import make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


def set_rating(rating_list, player, day="1996-01-01", **given):
    save_adjustment(
        Adjustment(list=rating_list, player=player, date=dt.date.fromisoformat(day), set=given, reason="opening")
    )


def explain(client, rating_list, day, player):
    return client.get(f"/lists/{rating_list.slug}/closings/{day}/{player.public_id}/")


def assert_all_agree(rating_list):
    """Explain every stored change of a closing day, and compare it with the row that is stored."""
    closing = Change.objects.filter(list=rating_list, table=None, adjustment=None, decision=None)
    assert closing
    for change in closing.select_related("player"):
        explained = explain_closing(rating_list, change)
        assert explained.agrees
        if explained.explained.parts:
            assert sum(part.points for part in explained.explained.parts) == pytest.approx(change.change, abs=1e-9)


@pytest.fixture
def players():
    return [make_player(name) for name in ("Ara", "Bel", "Cem", "Dov")]


@pytest.fixture
@reused
def month_list(players, rate_all):
    """A glicko-2 list with two tables in one month, and one in the next."""
    rating_list = make_list("chess", system="glicko-2", options={"period": "month"})
    make_table(rating_list, players[:3], [(1, 1, 2, 1.0), (2, 1, 3, 0.5)], "2024-01-06", event_name="Open")
    make_table(rating_list, players[1:], [(1, 1, 3, 1.0), (2, 2, 1, 0.0)], "2024-01-20", event_name="Cup")
    make_table(rating_list, players[:2], [(1, 1, 2, 0.0)], "2024-02-03", event_name="Final")
    rate_all()
    return rating_list


@pytest.fixture
@reused
def renju_list(players, rate_all):
    """A rif-2021 list with two list days; nobody plays between them but the first two players."""
    rating_list = make_list("renju", system="rif-2021", options={"lists": "quarterly"})
    make_table(rating_list, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 0.5)], "2022-01-08", event_name="Open")
    make_table(rating_list, players[:2], [(1, 1, 2, 0.0)], "2022-05-08", event_name="Cup")
    rate_all()
    return rating_list


def test_month_names_the_opponents_of_its_tables_in_order(month_list, players):
    ara, bel, cem, dov = players
    change = find_closing_change(month_list, dt.date(2024, 1, 31), bel.public_id)
    explained = explain_closing(month_list, change)
    assert [(term["opponent"], term["score"]) for term in explained.row.terms] == [
        (ara.public_id, 0), (dov.public_id, 1), (cem.public_id, 1),
    ]  # fmt: skip
    assert [played.table.event.name for played in explained.tables] == ["Open", "Cup"]
    assert_all_agree(month_list)


def test_month_page_links_opponents_and_says_the_probable_range(client, month_list, players):
    ara, bel, cem, _dov = players
    page = markup(explain(client, month_list, "2024-01-31", ara))
    change = Change.objects.get(player=ara, day="2024-01-31", table=None)
    assert (
        f'With the list of 31 Jan 2024, the rating of <a href="{ara.get_absolute_url()}?list=chess">Ara</a> rose by'
        in page
    )
    assert f'href="{bel.get_absolute_url()}?list=chess"' in page
    assert f'href="{cem.get_absolute_url()}?list=chess"' in page
    assert re.search(r'<span class="pm" title="deviation">±350</span>', page)
    assert "Probably between" in page
    assert f"{change.after:.0f}" in page


def test_list_day_of_1995_adds_the_points_of_its_tables(client, players, rate_all):
    renju = make_list("renju", system="rif-1995")
    ara, bel, *_ = players
    for player in (ara, bel):
        set_rating(renju, player, rating=2300)
    make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "1996-06-01", event_name="Open")
    make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "1996-07-01", event_name="Cup")
    rate_all()
    change = find_closing_change(renju, dt.date(1996, 8, 31), ara.public_id)
    explained = explain_closing(renju, change)
    assert [(part.label, part.points) for part in explained.explained.parts] == [("Open", 16), ("Cup", 16)]
    page = markup(explain(client, renju, "1996-08-31", ara))
    assert "Why 2300 became 2332" in page
    assert "rose by 32 to <strong>2332</strong>." in page
    assert_all_agree(renju)


def test_list_day_of_2021_is_fitted_again(client, renju_list, players):
    ara, bel, cem, _dov = players
    assert_all_agree(renju_list)
    page = markup(explain(client, renju_list, "2022-06-30", cem))
    assert "Earlier days and former opponents, fitted again" in page
    assert f'href="{ara.get_absolute_url()}?list=renju"' in page
    first = markup(explain(client, renju_list, "2022-03-31", bel))
    assert "got a first rating" in first


def test_fit_of_a_list_day_is_cached(renju_list, players, django_assert_max_num_queries):
    change = find_closing_change(renju_list, dt.date(2022, 6, 30), players[0].public_id)
    explained = explain_closing(renju_list, change)
    with django_assert_max_num_queries(2):
        again = explain_closing(renju_list, change)
    assert again == explained


def test_hidden_player_has_no_explanation(client, month_list, players, rate_all):
    assert explain(client, month_list, "2024-01-31", players[0]).status_code == 200
    ListPlayer.objects.update_or_create(list=month_list, player=players[0], defaults={"withdrawn": True})
    Change.objects.filter(player=players[0]).update(hidden=True)
    assert explain(client, month_list, "2024-01-31", players[0]).status_code == 404
    assert explain(client, month_list, "2024-01-30", players[1]).status_code == 404
    assert explain(client, month_list, "2024-13-45", players[1]).status_code == 404


def test_officer_gets_a_link_to_manage_the_player(client, month_list, players, staff):
    link = f'<a href="/organise/players/{players[0].public_id}/history/" rel="nofollow">'
    assert link in markup(explain(client, month_list, "2024-01-31", players[0]))
    client.logout()
    assert link not in markup(explain(client, month_list, "2024-01-31", players[0]))


def test_event_against_an_unrated_opponent_fills_the_calculator_with_the_others(client, players, rate_all):
    renju = make_list("renju", system="rif-2021", options={"lists": "quarterly", "established_games": 1})
    ara, bel, new, _dov = players
    make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "2022-01-08", event_name="Open")
    cup = make_table(renju, [ara, bel, new], [(1, 1, 2, 0.5), (2, 1, 3, 1.0)], "2022-05-08", event_name="Cup")
    rate_all()
    page = client.get(f"/lists/renju/tables/{cup.pk}/{ara.public_id}/")
    assert page.status_code == 200
    filled = parse_qs(urlsplit(page.context["calculator"]).query)
    assert (filled["rows"], filled["game-0-score"], "game-1-score" in filled) == (["1"], ["0.5"], False)
    assert client.get(page.context["calculator"]).status_code == 200


def test_head_of_player_shows_the_change_of_the_closing_day(client, month_list, players):
    ara = players[0]
    page = client.get(f"{ara.get_absolute_url()}?list=chess")
    change = Change.objects.get(player=ara, day="2024-02-29", table=None)
    assert (page.context["last_closing"].day, page.context["last_closing"].change) == (change.day, change.change)
    assert "Why −" in markup(page)


def test_change_since_a_published_list_links_the_only_closing_day(client, month_list, players):
    publish(DatedList(list=month_list, day=dt.date(2024, 1, 31)))
    page = client.get("/lists/chess/?active=all").text
    assert f"/lists/chess/closings/2024-02-29/{players[0].public_id}/" in page


def test_history_and_list_link_the_explanation(client, month_list, players):
    ara = players[0]
    address = f"/lists/chess/closings/2024-01-31/{ara.public_id}/"
    assert f'href="{address}"' in client.get(f"/players/{ara.public_id}/events/?list=chess").text
    assert address in client.get(f"{ara.get_absolute_url()}?list=chess").text


def test_fide_list_names_the_opponents_of_tables_that_count_for_it(client, players, rate_all):
    """A table that ends two days before a list counts for the next one, together with a later table."""
    rating_list = make_list("fide", system="fide-2024")
    ara, bel, cem, _dov = players
    for player, rating in ((ara, 2000), (bel, 1900), (cem, 2100)):
        set_rating(rating_list, player, "2025-09-15", rating=rating)
    make_table(rating_list, [ara, bel], [(1, 1, 2, 1.0)], "2025-11-20", event_name="Open")
    make_table(rating_list, [ara, cem], [(1, 1, 2, 0.5)], "2025-11-29", event_name="Cup")
    make_table(rating_list, [ara, bel], [(1, 1, 2, 0.0)], "2025-12-10", event_name="Final")
    rate_all()
    december, january = (find_closing_change(rating_list, day, ara.public_id) for day in (
        dt.date(2025, 12, 1), dt.date(2026, 1, 1)
    ))  # fmt: skip
    assert [(term["opponent"], term["score"]) for term in explain_closing(rating_list, december).row.terms] == [
        (bel.public_id, 1)
    ]
    assert [played.table.event.name for played in explain_closing(rating_list, december).tables] == ["Open"]
    assert [played.table.event.name for played in explain_closing(rating_list, january).tables] == ["Cup", "Final"]
    assert [(term["opponent"], term["score"]) for term in explain_closing(rating_list, january).row.terms] == [
        (cem.public_id, 0.5), (bel.public_id, 0),
    ]  # fmt: skip
    assert_all_agree(rating_list)
    page = markup(explain(client, rating_list, "2026-01-01", ara))
    assert f'href="{cem.get_absolute_url()}?list=fide"' in page
    assert "Rounded, halves away from zero" in page


@pytest.fixture
@reused
def lost_rating(players, rate_all):
    """A fide-2024 list with a player who falls from 1405 below 1400, and one with too few games for a first rating.

    An officer gives both a rating later.
    """
    rating_list = make_list("fide", system="fide-2024")
    ara, bel, cem, _dov = players
    for player in (ara, bel):
        set_rating(rating_list, player, "2026-01-15", rating=1405)
    make_table(rating_list, [ara, bel, cem], [(1, 1, 2, 0.0), (2, 3, 2, 0.5)], "2026-02-08", event_name="Open")
    for player in (ara, cem):
        set_rating(rating_list, player, "2026-03-15", rating=1450)
    rate_all()
    return rating_list


def test_lost_rating_is_not_called_missing(client, lost_rating, players):
    ara = players[0]
    page = markup(explain(client, lost_rating, "2026-03-01", ara))
    assert re.search(r"<h1>(.*?)</h1>", page)[1].strip() == "Why the rating 1405 was lost"
    assert (
        f'With the list of 1 Mar 2026, <a href="{ara.get_absolute_url()}?list=fide">Ara</a> lost the rating of'
        " <strong>1405</strong> and is no longer on the list.</p>"
        "<p>The new rating would be below 1400, the lowest rating, so there is none</p>"
    ) in page
    assert "no rating yet" not in page


def test_player_with_too_few_games_has_no_rating_yet(client, lost_rating, players):
    page = markup(explain(client, lost_rating, "2026-03-01", players[2]))
    assert re.search(r"<h1>(.*?)</h1>", page)[1].strip() == "Why there is no rating yet"
    assert "There is no rating yet.</p><p>Games so far: 1; a first rating needs 5</p>" in page


def test_closing_link_says_no_rating_where_there_is_none(client, lost_rating, players):
    for player in (players[0], players[2]):
        address = f"/lists/fide/closings/2026-03-01/{player.public_id}/"
        link = f'href="{address}" aria-label="no rating: why, {player}">no rating</a>'
        assert link in client.get(f"/players/{player.public_id}/events/?list=fide").text


def read_filled_games(client, page):
    """The games in the calculator that an explanation links."""
    forms = client.get(page.context["calculator"]).context["games"]
    assert forms.is_valid()
    return [(form.cleaned_data["rating"], form.cleaned_data["score"]) for form in forms]


def test_calculator_of_a_list_day_has_the_games_of_its_tables(client, month_list, players, rate_all):
    bel = players[1]
    page = explain(client, month_list, "2024-01-31", bel)
    terms = page.context["explanation"].row.terms
    assert read_filled_games(client, page) == [
        (pytest.approx(term["opponent_rating"], abs=0.0001), term["score"]) for term in terms
    ]
    renju = make_list("renju", system="rif-1995")
    for player, rating in zip(players[:3], (2300, 2200, 2100), strict=True):
        set_rating(renju, player, rating=rating)
    make_table(renju, players[:2], [(1, 1, 2, 1.0)], "1996-06-01")
    make_table(renju, players[:3], [(1, 1, 2, 0.5), (2, 3, 1, 1.0)], "1996-07-01")
    rate_all()
    page = explain(client, renju, "1996-08-31", players[0])
    assert read_filled_games(client, page) == [(2200, 1.0), (2200, 0.5), (2100, 0.0)]
    assert "Calculate other results against these opponents" in markup(page)


def test_calculator_of_a_fitted_list_day_has_its_new_games_only(renju_list, players):
    explained = explain_closing(renju_list, find_closing_change(renju_list, dt.date(2022, 6, 30), players[0].public_id))
    new, *_ = explained.row.terms
    assert [term["day"] for term in explained.row.terms] == ["2022-05-08", "2022-01-08", "2022-01-08"]
    assert read_closing_games(renju_list, explained) == [ExplainedGame(new["opponent_rating"], 0.0)]


def test_days_of_games_and_lists_are_written_in_the_language_of_the_page(client, renju_list, players, rate_all):
    of_1995 = make_list("renju-1995", system="rif-1995")
    for player in players[:2]:
        set_rating(of_1995, player, rating=2300)
    make_table(of_1995, players[:2], [(1, 1, 2, 1.0)], "1996-06-01", event_name="Meeting")
    rate_all()
    table = of_1995.rated_tables.get().table_id
    for address, day in (
        (f"/lists/renju/closings/2022-06-30/{players[0].public_id}/", "08.05.2022"),
        (f"/lists/renju-1995/tables/{table}/{players[0].public_id}/", "31.08.1996"),
    ):
        text = strip_tags(markup(client.get(address, headers={"Accept-Language": "de"})))
        assert day in text
        assert re.findall(r"\b\d{4}-\d{2}-\d{2}\b", text) == []


def test_player_who_left_the_list_has_no_calculator(client, renju_list, players):
    page = explain(client, renju_list, "2022-06-30", players[0])
    assert (page.status_code, page.context["calculator"]) == (200, "")


def test_list_day_without_games_has_no_calculator(client, renju_list, players):
    page = explain(client, renju_list, "2022-06-30", players[3])
    assert (page.status_code, page.context["calculator"]) == (200, "")
    assert "What if?" not in markup(page)


def test_first_rating_of_a_list_day_says_why_it_names_no_game(client, renju_list, players):
    page = markup(explain(client, renju_list, "2022-03-31", players[0]))
    assert page.count("The list rates all these games together, so no single game is named.") == 1
    assert "The list rates all these games together" not in markup(
        explain(client, renju_list, "2022-03-31", players[1])
    )

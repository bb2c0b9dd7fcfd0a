"""Activity of players on a list that was imported."""

import datetime as dt

import pytest

from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.lists.publishing import publish
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.models import DatedList, Standing
from ratings.queries.lists.activity import is_active
from ratings.queries.lists.lists import published_standings
from ratings.queries.lists.past import past_rows
from ratings.queries.lists.ranks import ranks_in_country, ranks_of
from ratings.queries.lists.statistics import statistics_of
from ratings.queries.players.players import rank_among_active
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db

DAY, NEXT_YEAR, LATER = dt.date(2024, 6, 1), dt.date(2025, 6, 2), dt.date(2026, 6, 2)
NAMES = ("Ada", "Ben", "Cem", "Dora")


@pytest.fixture
@reused
def fesa():
    """Return a list of four imported players, whose list has two years of activity, and one who was given a rating."""
    fesa = make_list()
    lines = [
        ParsedPlayer(number, name, "X", "DE", None, None, 1500 + 10 * number, 40) for number, name in enumerate(NAMES)
    ]
    import_rating_list(ParsedList(DAY, tuple(lines)), fesa, Problems(), day=DAY, source="list.txt")
    give_rating(fesa, make_player("Eva"), 1800, "2024-06-02")
    return fesa


def names(fesa, day):
    return {standing.player.family_name for standing in published_standings(fesa, day)}


def play(fesa, rate_all, day):
    players = {standing.player.family_name: standing.player for standing in Standing.objects.filter(list=fesa)}
    make_table(fesa, [players["Ada"], players["Ben"]], [(1, 1, 2, 1.0)], day)
    rate_all()


def test_everybody_on_an_imported_list_is_active_until_an_event_is_rated(fesa, rate_all):
    rate_all()
    assert [names(fesa, day) for day in (DAY, NEXT_YEAR, LATER, dt.date(2040, 1, 1))] == [{*NAMES}] * 4
    assert names(fesa, DAY - dt.timedelta(1)) == set()


def test_imported_players_are_active_for_the_years_of_the_list_from_its_day(fesa, rate_all):
    play(fesa, rate_all, "2024-06-08")
    assert [names(fesa, day) for day in (NEXT_YEAR, LATER)] == [{*NAMES}, {"Ada", "Ben"}]
    standing = Standing.objects.get(player__family_name="Dora")
    assert [is_active(standing, day) for day in (NEXT_YEAR, LATER)] == [True, False]
    assert rank_among_active(standing, NEXT_YEAR).players == 4
    assert rank_among_active(standing, LATER) is None


def test_ranks_hold_the_rating_of_each_active_player_once(fesa, rate_all):
    play(fesa, rate_all, "2024-06-08")  # two of the four are active by their game and by the import
    fesa.refresh_from_db()
    ratings = {each.player.family_name: each.rating for each in Standing.objects.filter(list=fesa)}
    both, played = sorted(ratings[name] for name in NAMES), sorted([ratings["Ada"], ratings["Ben"]])
    assert [ranks_of(fesa, day).ratings.tolist() for day in (NEXT_YEAR, LATER)] == [both, played]
    germans = [ranks_in_country(fesa, day, "DE").ratings.tolist() for day in (NEXT_YEAR, LATER)]
    assert (germans, len(ranks_in_country(fesa, LATER, "JP"))) == ([both, played], 0)


def test_list_of_a_past_day_and_published_list_hold_the_imported_players(fesa, rate_all):
    play(fesa, rate_all, "2024-06-08")
    rows = past_rows(fesa, NEXT_YEAR)
    assert sorted(rows["active"].tolist()) == [False, True, True, True, True]
    publish(DatedList(list=fesa, day=DAY))
    assert DatedList.objects.get().lines.count() == 4


def test_statistics_count_the_imported_players_as_active(fesa, rate_all):
    play(fesa, rate_all, "2024-06-08")
    figures = statistics_of(fesa, NEXT_YEAR)
    assert (figures["shown"], figures["active"]) == (5, 4)

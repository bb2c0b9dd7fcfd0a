"""Figures of the current season on the page My events, and the number of queries of that page."""

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.access import ORGANISERS
from ratings.queries.results.season import Season, read_season
from ratings.queries.results.workflow import events_of
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup

from .way import make_waiting_event, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(client, rate_all):
    """An organiser with two events rated in 2024, of which one is rated on two lists, and one of 2023."""
    organiser = person("organiser", ORGANISERS)
    fesa, club = make_list("fesa"), make_list("club")
    ada, ben, cal, dan = (make_player(name) for name in ("Ada", "Ben", "Cal", "Dan"))
    for rating_list in (fesa, club):
        for player in (ada, ben):
            give_rating(rating_list, player, 2000)
    give_rating(fesa, dan, 1800)
    events = [
        ("Old Cup", "2023-12-30", [fesa], [ada, ben], [(1, 1, 2, 1.0)]),
        ("Spring Cup", "2024-01-06", [fesa, club], [ada, ben, cal], [(1, 1, 2, 1.0), (1, 3, None, 1.0), (2, 1, 3, 1.0)]),
        ("Summer Cup", "2024-07-06", [fesa], [ada, dan], [(1, 1, 2, 0.5)]),
    ]  # fmt: skip
    for name, day, lists, players, games in events:
        event = make_event(name, day, lists, created_by=organiser)
        make_table(None, players, games, day, event=event)
    make_event("Somebody’s Cup", "2024-02-03", [fesa])
    make_event("Waiting Cup", "2024-08-03", [fesa], created_by=organiser, state="submitted")
    rate_all()
    client.force_login(organiser)
    return organiser


def test_season_has_the_figures_of_the_rated_events_of_the_year(season, django_assert_num_queries):
    events = list(events_of(season))
    with django_assert_num_queries(2):
        assert read_season(events, 2024) == Season(2024, events=2, games=3, players=4, new=1)
    assert read_season(events, 2023) == Season(2023, events=1, games=1, players=2, new=0)
    with django_assert_num_queries(0):
        assert read_season(events, 2025) is None


def test_my_events_shows_the_season_with_its_year(client, season):
    with time_machine.travel("2024-09-01T12:00:00Z", tick=False):
        page = " ".join(markup(client.get("/organise/")).split())
    assert "<h2>Season 2024</h2>" in page
    figures = [("Events rated", 2), ("Games", 3), ("Players", 4), ("New on the list", 1)]
    assert all(f"<div><dt>{name}</dt><dd>{number}</dd></div>" in page for name, number in figures)


def test_my_events_shows_no_season_before_the_first_rated_event(client, season):
    with time_machine.travel("2025-01-02T12:00:00Z", tick=False):
        assert "Season" not in markup(client.get("/organise/"))


@pytest.mark.parametrize("count", [1, 4])
def test_my_events_takes_as_many_queries_for_many_events_as_for_one(count, client, season):
    rating_list = make_list("third")
    for number in range(count):
        event = make_waiting_event(f"Cup {number}", rating_list)
        event.created_by = season
        event.save()
        make_event(f"Draft {number}", "2024-05-04", [rating_list], state="draft", created_by=season)
    with time_machine.travel("2024-09-01T12:00:00Z", tick=False), CaptureQueriesContext(connection) as queries:
        assert client.get("/organise/").context["total"] == 4 + 2 * count
    assert len(queries) == 20

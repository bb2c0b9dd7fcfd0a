"""Places that several players share, which every page writes alike."""

import re

import pytest

from portal.events.running_standings import build_hall_standings
from ratings.queries.results.halls import read_hall
from tests.domain.results.hall.halls import EVA, TIM, make_hall, tap
from tests.factories import make_event, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db
SHARED = ["1", "2=", "2=", "4"]


def read_column(page, column):
    """Return the texts of a column of the first table of a page."""
    rows = markup(page).partition("<tbody")[2].partition("</tbody>")[0].split("<tr")[1:]
    return [re.sub(r"<[^>]*>", "", re.split(r"<t[hd][^>]*>", row)[column + 1]) for row in rows]


def test_results_and_crosstable_mark_every_player_of_a_tie(client):
    event = make_event("Cup", tie_breaks="points")
    players = [make_player(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    make_table(None, players, [(1, 1, 4, 1.0), (1, 2, 3, 0.5)], event=event)
    address = f"/events/{event.public_id}/"
    pages = [client.get(event.get_absolute_url()), client.get(f"{address}crosstable/")]
    assert [read_column(page, column) for page, column in zip(pages, (0, 2), strict=True)] == [SHARED, SHARED]


def test_standings_of_a_hall_mark_every_player_of_a_tie(client):
    hall = make_hall()
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 2, "draw")
    standings = build_hall_standings(hall, read_hall(hall))
    assert [row.rank for row in standings.rows] == SHARED

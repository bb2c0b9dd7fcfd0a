"""Exports of lists: what a public file tells, and that it gives the list's own digest."""

import datetime as dt

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.runs.verifying import stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import Adjustment
from ratings.queries.lists.history import export_history
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def fide(rate_all):
    """A list of a junior who hides the birth year, one who publishes it, and adults, with games in three years."""
    made = make_list("fide", system="fide-2024")
    players = [
        make_player("Hidden", public_id="H", birth_year=2008),
        make_player("Open", public_id="O", birth_year=2008, birth_public=True),
        make_player("Adult", public_id="A", birth_year=1980),
        make_player("Unknown", public_id="U"),
    ]
    for player in players:
        opening = {"rating": 1900, "games": 50}
        save_adjustment(Adjustment(list=made, player=player, date=dt.date(2025, 1, 1), set=opening, reason="list"))
    for day in ("2025-03-01", "2026-03-01", "2026-12-29", "2027-03-01"):
        make_table(made, players, [(1, 1, 3, 1.0), (1, 2, 4, 1.0), (2, 1, 4, 0.5)], day)
    rate_all()
    return made


@pytest.mark.parametrize("true_names", [False, True])
def test_export_gives_the_digest_of_the_list(fide, true_names):
    exported = read_history(write_history(export_history(fide, true_names=true_names)).encode())
    assert compute_history_digest(rate_history(exported)) == stored_digest(fide)


def test_public_export_tells_k_in_place_of_a_hidden_birth_year(fide):
    players = export_history(fide).players
    assert {id: (player.birth_year, dict(player.k)) for id, player in players.items()} == {
        "H": (None, {2025: 40, 2026: 40}),
        "O": (2008, {}),
        "A": (None, {}),
        "U": (None, {}),
    }


def test_own_export_tells_birth_years(fide):
    players = export_history(fide, true_names=True).players
    born = {"H": 2008, "O": 2008, "A": 1980, "U": None}
    assert {id: (player.birth_year, dict(player.k)) for id, player in players.items()} == {
        id: (year, {}) for id, year in born.items()
    }

"""Exports of lists: what a public file tells, and that it gives the list's own digest."""

import datetime as dt

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.players.visibility import set_visibility
from ratings.domain.runs.verifying import stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import Adjustment, Decision, OutsideId, Player
from ratings.queries.lists.history import export_history, load_adjustments_and_decisions
from tests.factories import make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)


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


def test_export_has_the_confirmed_ids_of_players_shown_by_full_name(fide):
    ids = {
        player.public_id: OutsideId.objects.create(
            player=player, registry="fide", value=f"100{number}", confirmed_at=NOW
        )
        for number, player in enumerate(Player.objects.order_by("public_id"))
    }
    OutsideId.objects.create(player=ids["A"].player, registry="national", country="FR", value="X1", confirmed_at=NOW)
    OutsideId.objects.filter(pk=ids["O"].pk).update(confirmed_at=None)
    set_visibility(ids["H"].player, "initials")
    public, own = (export_history(fide, true_names=true_names).players for true_names in (False, True))
    adult = ({"registry": "fide", "value": "1000"}, {"registry": "national", "value": "X1", "country": "FR"})
    assert {id: player.outside_ids for id, player in public.items()} == {
        "A": adult, "H": (), "O": (), "U": ({"registry": "fide", "value": "1003"},),
    }  # fmt: skip
    assert own["H"].outside_ids == ({"registry": "fide", "value": "1001"},)
    exported = export_history(fide)
    assert read_history(write_history(exported).encode()).players["A"].outside_ids == adult


def test_adjustments_that_differ_in_their_table_keep_their_order():
    """PostgreSQL returns a row in another place after it was written again, here without the officer's account."""
    fesa, (ada, ben), day = make_list(), (make_player(), make_player()), dt.date(2024, 3, 1)
    games, officer = [(1, 1, 2, 1.0)], make_user("officer")
    tables = [make_table(fesa, [ada, ben], games, f"2024-0{month}-01") for month in (4, 5)]
    for table in tables:
        given = {"set": {"rating": 1700, "games": 100}, "reason": "x"}
        save_adjustment(Adjustment(list=fesa, player=ada, date=day, before=table, **given))
        Decision.objects.create(list=fesa, player=ada, date=day, before=table, grade="1 Dan", ruling="kept", reason="x")
    for model in (Adjustment, Decision):
        model.objects.update(made_by=officer)
        model.objects.filter(before=tables[0]).update(made_by=None)
    expected = [str(table.pk) for table in tables]
    for since in (None, dt.date(2024, 1, 1)):
        read = load_adjustments_and_decisions(fesa, since)
        assert [[record.before for record in records] for records in read] == [expected, expected]

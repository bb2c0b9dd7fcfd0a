"""Lists that take players' first ratings from a list of the same federation (FIDE's rapid and blitz from standard)."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.lists.adjustments import save_adjustment, save_list
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import Adjustment, Change, RatingList, Run
from ratings.queries.lists.history import export_history
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db
RAPID = {"chapter": "rapid"}


@pytest.fixture
def standard():
    return make_list("standard", federation="FIDE", system="fide-2024")


@pytest.fixture
def players(standard):
    """Two players of the standard list, with 2000 and 1900 from the beginning of 2025."""
    players = [make_player("Ada", public_id="A"), make_player("Ben", public_id="B")]
    for player, rating in zip(players, (2000, 1900), strict=True):
        give(standard, player, rating)
    return players


@pytest.fixture
def rapid(standard, players):
    made = make_list("rapid", federation="FIDE", system="fide-2024", options=RAPID, seed_list=standard)
    make_table(made, players, [(1, 1, 2, 1.0)], "2026-02-10", minutes=15)
    return made


def give(rating_list, player, rating, day="2025-01-01"):
    opening = {"rating": rating, "games": 100}
    save_adjustment(
        Adjustment(list=rating_list, player=player, date=dt.date.fromisoformat(day), set=opening, reason="FIDE's list")
    )


def rate(*lists):
    for rating_list in lists:
        rerate(rating_list.pk)


def read_lists(rating_list):
    """Return the ratings of the list days, by player and day."""
    changes = Change.objects.filter(list=rating_list, table=None).order_by("player__public_id", "day")
    return [(id, str(day), after) for id, day, after in changes.values_list("player__public_id", "day", "after")]


def test_first_rapid_rating_begins_from_the_standard_rating(standard, rapid):
    """A win with 100 points more: PD .64, and K 40 for their first games here: 40 × .36 (7.2.1 of rapid, 8.1.2, 8.3)."""
    rate(standard, rapid)
    assert read_lists(rapid) == [("A", "2026-03-01", 2014), ("B", "2026-03-01", 1886)]
    assert list(find_differences(RatingList.objects.get(pk=rapid.pk))) == []


def test_list_without_a_seed_list_knows_no_standard_rating(standard, rapid):
    RatingList.objects.filter(pk=rapid.pk).update(seed_list=None)
    rate(standard, rapid)
    assert read_lists(rapid) == []


def test_list_is_out_of_date_when_its_seed_list_changes(standard, rapid, players):
    rate(standard, rapid)
    assert RatingList.objects.get(pk=rapid.pk).out_of_date_from is None
    give(standard, players[0], 2100, "2026-02-07")
    rate(standard)
    rapid.refresh_from_db()
    assert rapid.out_of_date_from is not None
    waiting = Run.objects.get(list=rapid, state=Run.State.WAITING)
    assert [str(reason) for reason in waiting.reasons] == ["ratings of standard were changed"]
    rate(rapid)
    # PD of 200 points is .76: 40 × .24; the corrected rating holds for the list in force on its day
    assert read_lists(rapid) == [("A", "2026-03-01", 2110), ("B", "2026-03-01", 1890)]
    assert list(find_differences(RatingList.objects.get(pk=rapid.pk))) == []


def test_rating_of_a_later_month_changes_no_earlier_table(standard, rapid, players):
    rate(standard, rapid)
    before = read_lists(rapid)
    give(standard, players[0], 2300, "2026-03-05")
    rate(standard, rapid)
    assert read_lists(rapid) == before


def test_export_gives_the_digest_of_a_seeded_list(standard, rapid):
    rate(standard, rapid)
    exported = write_history(export_history(rapid))
    assert '"standard": [["2025-01-01", 2000]]' in exported
    assert compute_history_digest(rate_history(read_history(exported.encode()))) == stored_digest(rapid)


def test_choosing_a_seed_list_rates_the_list_again(standard, rapid):
    RatingList.objects.filter(pk=rapid.pk).update(seed_list=None)
    rate(standard, rapid)
    rapid.refresh_from_db()
    rapid.seed_list = standard
    save_list(rapid)
    rapid.refresh_from_db()
    assert rapid.out_of_date_from == dt.date.min
    rate(rapid)
    assert read_lists(rapid) == [("A", "2026-03-01", 2014), ("B", "2026-03-01", 1886)]


@pytest.mark.parametrize(
    ("own", "other", "message"),
    [
        ({"system": "fide-2024", "options": RAPID, "federation": "Other"}, {}, "Choose a list of the same federation."),
        ({"system": "fide-2024"}, {}, "Only a rapid or blitz list"),
        ({"system": "fide-2024", "options": RAPID}, {"options": RAPID}, "Only a rapid or blitz list"),
        ({"system": "icu-1989"}, {}, "Only a rapid or blitz list"),
        ({"system": "fide-2024", "options": RAPID}, {"system": "icu-1989"}, "Only a rapid or blitz list"),
    ],
)
def test_unsuitable_seed_list_is_refused(own, other, message):
    seed = make_list("seed", **{"federation": "FIDE", "system": "fide-2024"} | other)
    made = make_list("own", **{"federation": "FIDE"} | own)
    made.seed_list = seed
    with pytest.raises(ValidationError, match=message) as raised:
        save_list(made)
    assert set(raised.value.message_dict) == {"seed_list"}

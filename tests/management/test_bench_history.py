"""The synthetic histories of the benchmark of rating runs."""

import datetime as dt

import numpy as np
import pytest
from django.db import transaction

from ratings.domain.runs.rerating import rerate
from ratings.management.bench.history import FIRST_YEAR, Size, draw_players, find_grade, write_history
from ratings.models import Award, Entry, Event, Game, Player, folded_name
from ratings.systems import SYSTEMS

pytestmark = pytest.mark.django_db
SMALL = Size("T", 60, 600, 20)


@pytest.mark.parametrize("system", SYSTEMS)
def test_history_begins_with_an_opening_list_and_can_be_rated(system):
    made = write_history(SMALL, "bench-t", system=system, years=5)
    openings = made.adjustments.all()
    assert {opening.date for opening in openings} == {dt.date(FIRST_YEAR - 1, 12, 31)}
    assert 40 <= openings.count() < 60
    assert all(("grade" in opening.set) == made.rating_system.rating.grade_in_state for opening in openings)
    assert Game.objects.count() == 600
    rerate(made.pk)
    made.refresh_from_db()
    assert (made.problem, made.out_of_date_from, made.rated_tables.count()) == ("", None, 20)


def test_promotions_are_rare_after_an_opening_list_with_grades():
    """In the results lists of the shogi federation, about one player in ten of an event is promoted at most."""
    made = write_history(Size("T", 60, 6000, 200), "bench-t")
    rerate(made.pk)
    promoted = Award.objects.filter(table__isnull=False).values("player", "table").distinct().count()
    assert 0 < promoted / Entry.objects.count() < 0.1


def test_history_is_the_same_every_time():
    def write_and_forget():
        with transaction.atomic():
            made = write_history(SMALL, "bench-t")
            openings = list(made.adjustments.order_by("player__public_id").values_list("player__public_id", "set"))
            players = ("table__event__public_id", "table__last_day", "number", "player__public_id")
            games = ("table__event__public_id", "round", "a__number", "b__number", "score")
            entries = list(Entry.objects.order_by(*players).values_list(*players))
            found = openings, entries, list(Game.objects.order_by(*games).values_list(*games))
            transaction.set_rollback(True)
        return found

    assert write_and_forget() == write_and_forget()


def test_players_and_events_of_a_history_can_be_found():
    write_history(SMALL, "bench-t", lambda number: (f"Łukasz{number}", "Zoë", "PL"))
    rows = [*Player.objects.all(), *Event.objects.all()]
    assert [row.search_name for row in rows] == [folded_name(row) for row in rows]
    assert Player.objects.filter(family_name="Łukasz7", given_name="Zoë", country="PL").count() == 1


def test_players_of_a_table_are_different_and_known():
    known = np.array([3, 4, 1000] * 20)
    drawn = draw_players(known, 3, np.random.default_rng(1))
    assert {len(set(players)) for players in drawn.tolist()} == {3}
    assert (drawn < known[:, None]).all()
    assert set(drawn[known == 3].ravel().tolist()) == {0, 1, 2}


@pytest.mark.parametrize(("rating", "grade"), [(99, None), (100, "1 Kyu"), (299, "1 Kyu"), (300, "1 Dan")])
def test_grade_is_the_highest_one_that_the_rating_reaches(rating, grade):
    assert find_grade([("1 Kyu", 100), ("1 Dan", 300)], rating) == grade

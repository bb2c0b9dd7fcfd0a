"""Progress to the next grade: from states, and held against the engine's own awards."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems import get_system
from ratings.systems.fesa.grades import SCALE_2016, GradeState, Run, award_promotions
from ratings.systems.fesa.progress import progress
from ratings.systems.progress import Progress, Way
from ratings.systems.values import Decision
from tests.thorough import share

FESA, BGF = get_system("fesa-2016"), get_system("bgf")


def fesa(**opening):
    return FESA.grading.progress(FESA.rating.read({"games": 50, "bonus_games": 50} | opening))


def test_established_player_has_three_ways():
    # issue 6's example: 2 Dan by 1920; 7 games at 1860; 14 at 1800 with one at 1860
    assert fesa(rating=1850, grade="1 Dan", lb_run=[5, True], mp_run=3) == Progress(
        "2 Dan", (Way(1920), Way(1860, 7, 3), Way(1800, 14, 5, 1860, True))
    )
    assert [way.games_missing for way in fesa(rating=1850, grade="1 Dan", lb_run=[5, True], mp_run=3).ways[1:]] == [
        4,
        9,
    ]


def test_full_run_without_one_at_the_midpoint_needs_that_one():
    assert fesa(rating=1850, grade="1 Dan", lb_run=[20, False]).ways[2].games_missing == 1


def test_5_and_6_dan_have_fewer_ways():
    assert fesa(rating=2300, grade="4 Dan") == Progress("5 Dan", (Way(2440), Way(2340, 10)), needs_approval=True)
    assert fesa(rating=2500, grade="5 Dan") == Progress("6 Dan", (Way(2640),), needs_approval=True)
    assert fesa(rating=2700, grade="6 Dan") == Progress(None)


def test_progress_shows_no_requirements_while_a_grade_waits():
    assert fesa(rating=2500, grade="4 Dan", waiting="5 Dan") == Progress(None, waiting="5 Dan")


def test_provisional_players_reach_for_the_bound_of_the_grade_above():
    assert fesa(rating=1500, games=12, grade="3 Kyu") == Progress("2 Kyu", (Way(1680),))
    assert fesa(rating=1500, games=17, grade="3 Kyu").ways[0] == Way(1560)  # the next game is the 18th


def test_games_first_counts_the_game_that_can_win_the_grade():
    # rules/fesa-2016.md, grades: "from 9 to 17 the provisional rule, below 9 nothing", the game itself included
    assert [fesa(rating=1500, games=games).games_first for games in (3, 4, 7, 8, 12)] == [6, 5, 2, 0, 0]


def test_newcomer_has_no_progress():
    assert FESA.grading.progress(FESA.rating.newcomer()) is None


@pytest.mark.parametrize("key", ["icu-1989", "egf-2021", "glicko-2", "rif-2021", "fide-2024"])
def test_systems_without_grades_have_no_progress(key):
    system = get_system(key)
    assert system.grading.progress(system.rating.newcomer()) is None
    assert system.grading.progress(system.rating.with_rating(system.rating.newcomer(), 1500)) is None


def test_go_grades_come_above_a_band_and_go_far_below_it():
    assert BGF.grading.progress(BGF.rating.read({"rating": 95, "grade": "1 Dan"})) == Progress(
        "2 Dan", (Way(100, above=True),), lost_below=-100
    )
    top = get_system("bgf", {"top_label": "7 Dan"})
    assert top.grading.progress(top.rating.read({"rating": 650, "grade": "7 Dan"})) == Progress(None, lost_below=500)


def test_kept_go_grade_holds_only_what_is_higher():
    state = BGF.rating.read({"rating": 150, "grade": "2 Dan"})
    kept = [
        BGF.grading.decide(state, Decision(dt.date(2024, 1, 1), "A", grade, "kept")) for grade in ("1 Dan", "3 Dan")
    ]
    assert [BGF.rating.write(one)["grade"] for one in kept] == ["2 Dan", "3 Dan"]


@settings(max_examples=share(300, 75))
@given(
    grade=st.integers(-1, 24),
    lb=st.tuples(st.integers(0, 15), st.booleans()),
    mp=st.integers(0, 9),
    games=st.integers(18, 200),
    way=st.integers(0, 2),
)
def test_meeting_a_way_brings_the_grade_and_one_game_less_does_not(grade, lb, mp, games, way):
    start = GradeState(grade, Run(lb[0], lb[1] and lb[0] > 0), min(mp, lb[0]))
    requirements = progress(SCALE_2016, start, games)
    if way >= len(requirements.ways):
        return
    goal = requirements.ways[way]
    moment = goal.peak_rating if goal.peak_rating is not None and not goal.peak_reached else goal.rating
    moments = [(moment, 1)] * max(goal.games_missing, 1)
    _, awards = award_promotions(SCALE_2016, start, moments, games, 1)
    assert requirements.grade in [award.grade for award in awards]
    if goal.games and goal.games_missing > 1:
        _, fewer = award_promotions(SCALE_2016, start, moments[:-1], games, 1)
        others = [one for one in requirements.ways if one is not goal and one.games and moment >= one.rating]
        assert fewer == () or any(one.games_missing < goal.games_missing for one in others)

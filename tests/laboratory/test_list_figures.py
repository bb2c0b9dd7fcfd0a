import datetime as dt

import numpy as np
import pytest

from ratings.laboratory.candidates import Candidate
from ratings.laboratory.list_figures import ListFigures, Move, compare_lists, find_panel
from ratings.laboratory.predictions import Prediction
from ratings.systems.values import Game, History, Player, Standing, Table


def prediction(system="fesa-2016", panel=None, **standings):
    none = np.array([])
    return Prediction(Candidate(system), none, none, none.astype(bool), standings, panel or {}, 1.0)


def standing(rating, grade="1 Dan", **more):
    return Standing(rating, 9, grade, "rated", more.pop("published", True), **more)


def test_lists_are_compared():
    panel = {2020: {"a": 1500.0, "b": 1700.0}, 2021: {"a": 1400.0}, 2022: {"a": 1560.0, "b": 1780.0, "c": 1.0}}
    present = prediction(
        a=standing(1500), b=standing(1600, "2 Dan"), c=standing(1700), d=standing(1800, published=False), e=standing(1)
    )
    candidate = prediction(
        panel=panel,
        a=standing(1520, "2 Dan"),
        b=standing(1590),
        c=standing(1700),
        d=standing(1900, None),
        e=standing(2, hidden=True),
    )
    assert compare_lists(present, candidate) == ListFigures(
        players=4,
        rank_correlation=pytest.approx(1.0),
        spread=pytest.approx(np.std([1520, 1590, 1700, 1900])),
        panel=1,
        drift=30.0,
        gains=(Move("a", 1500, 1520),),
        losses=(Move("b", 1600, 1590),),
        grades_won=1,
        grades_lost=2,
    )


def test_rank_correlation_is_spearmans():
    """Ranks 1 2 3 4 and 2 1 4 3: 1 - 6 × 4 / (4 × 15) = 0.6."""
    present = prediction(**{id: standing(rating) for id, rating in zip("abcd", (1, 2, 3, 4), strict=True)})
    candidate = prediction(**{id: standing(rating) for id, rating in zip("abcd", (20, 10, 4000, 30), strict=True)})
    assert compare_lists(present, candidate).rank_correlation == pytest.approx(0.6)


def test_empty_lists_have_no_figures():
    expected = ListFigures(0, None, None, 0, None, (), (), 0, 0)
    assert compare_lists(prediction(), prediction(panel={2020: {}, 2021: {}})) == expected


def test_grades_of_other_systems_are_not_compared():
    figures = compare_lists(prediction(a=standing(1)), prediction("glicko-2", a=standing(1, None)))
    assert (figures.grades_won, figures.grades_lost) == (None, None)


@pytest.mark.parametrize(("years", "panel"), [((2020, 2021), {"a", "b"}), ((2020, 2022), set()), ((2020,), set())])
def test_panel_played_in_every_year(years, panel):
    players = {id: Player(id, fixed=id == "f", opening={"rating": 9} if id == "f" else None) for id in "abcf"}
    games = (Game(1, "a", "b", 1.0), Game(1, "c", None, 1.0, played=False), Game(2, "a", "f", 1.0))
    tables = tuple(Table(f"t{year}", dt.date(year, 3, 1), tuple(players), games) for year in years)
    assert find_panel(History("fesa-2016", players, tables)) == panel

"""Runs on a machine without numba: the same rules by other loops."""

import random

import pytest

from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.formats.history.file import parse_history
from ratings.models import Award, Change
from tests.database import store
from tests.histories import document, rated_player

pytestmark = pytest.mark.django_db


def make_history(system):
    """Return a history of newcomers and rated players, with handicaps and enough games for grades."""
    rng = random.Random(17)
    players = {f"P{n}": rated_player(1200 + 150 * n, games=20, bonus_games=20) if n % 2 else {} for n in range(8)}
    tables = []
    for _table in range(12):
        pairs = [rng.sample(sorted(players), 2) for _game in range(24)]
        games = [(a, b, rng.choice((0, 0.5, 1, 1)), {"handicap": "l", "giver": "a"}) if rng.random() < 0.2
                 else (a, b, rng.choice((0, 0.5, 1, 1))) for a, b in pairs]  # fmt: skip
        tables.append(games)
    return parse_history(document(players, *tables, system=system))


def make_go_history(system):
    """Return a history of players with a rating, with a rank, and with neither, in tables from several rules."""
    rng = random.Random(18)
    kinds = ({"opening": {"rating": 150.5}}, {"prior_grade": "5 Kyu"}, {"opening": {"rating": -300}}, {})
    players = {f"P{n}": kinds[n % 4] for n in range(8)}
    tables = []
    for year in (1995, 2002, 2003, 2010, 2020, 2024)[system == "bgf" :]:  # bgf has no rules for 1995
        pairs = [rng.sample(sorted(players), 2) for _game in range(24)]
        details = ({}, {}, {"stones": 3, "black": "b"}, {"board": 13}, {"online": True}, {"correspondence": True})
        games = [(a, b, rng.choice((0, 0.5, 1)), rng.choice(details)) for a, b in pairs]
        minutes = {"minutes": rng.choice((35, 45, 90)), "tournament": year % 2 == 0}
        tables.append({"games": games, "date": f"{year}-05-01"} | minutes)
    return parse_history(document(players, *tables, system=system))


def make_renju_history(system):
    """Return a history of established players, and of newcomers who are established after some tables."""
    rng = random.Random(19)
    players = {f"P{n}": {"opening": {"rating": 2000 + 60 * n}} if n % 2 else {} for n in range(8)}
    tables = []
    for month in range(1, 9):
        pairs = [rng.sample(sorted(players), 2) for _game in range(20)]
        details = ({}, {}, {"online": True})
        games = [(a, b, rng.choice((0, 0.5, 1)), rng.choice(details)) for a, b in pairs]
        tables.append({"games": games, "date": f"2003-0{month}-01", "minutes": 40 if month == 3 else 90})
    return parse_history(document(players, *tables, system=system))


@pytest.mark.parametrize(
    ("system", "make"), [("egf-2021", make_go_history), ("bgf", make_go_history), ("rif-1997", make_renju_history)]
)
def test_run_of_other_systems_without_numba_computes_the_stored_rows_of_compiled_code(request, system, make):
    rating_list, _tables = store(make(system))
    rerate(rating_list.pk)
    assert Change.objects.filter(list=rating_list, games__gt=0).count() > 15
    request.getfixturevalue("without_numba")
    assert rating_list.rating_system.rating.compiled is False
    assert list(find_differences(rating_list)) == []


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
def test_run_without_numba_computes_the_stored_rows_of_compiled_code(request, system):
    rating_list, _tables = store(make_history(system))
    rerate(rating_list.pk)
    assert Change.objects.filter(list=rating_list).count() > 50
    assert Award.objects.filter(list=rating_list).exists()
    request.getfixturevalue("without_numba")
    assert rating_list.rating_system.rating.compiled is False
    assert list(find_differences(rating_list)) == []

"""The federations' own figures through the database: entered, rated as the worker does, and read where pages read."""

import datetime as dt
import json

import pytest
from django.db import transaction
from django.db.models import Q

from ratings.domain.runs.rerating import rerate
from ratings.formats.history.file import parse_history
from ratings.formats.history.result import rate_history
from ratings.models import Award, Change, RatedTable
from ratings.queries.events.explanations import explain_change, rate_again
from ratings.queries.lists.lists import list_as_of
from ratings.queries.runs.states import latest_changes
from ratings.queries.runs.values import player_values
from ratings.systems.state_checks import is_number
from ratings.systems.state_json import state_from_json
from ratings.systems.values import Table
from tests.cases import CASES, FIGURES, beside_the_checkout
from tests.database import store
from tests.thorough import THOROUGH, take_share_of

STORED = ("before", "after", "change", "games_after", "performance", "category_after")
OF_STATE = {"lb_run": None, "mp_run": None, "bonus_games": 0}

pytestmark = pytest.mark.django_db


def figures_of(rating_list, table):
    """Every figure of a table's players that the database knows, by public id."""
    known = {}
    changes = Change.objects.filter(list=rating_list, table=table).select_related("player")
    made = RatedTable.objects.select_related("list", "table__event").get(list=rating_list, table=table)
    again = rate_again(made)
    for change in changes:
        state = json.loads(change.state)
        explained = explain_change(made, again, change)
        known[change.player.public_id] = {
            **{name: value for name, value in explained.row.figures.items() if value is not None},
            **{name: getattr(change, name) for name in STORED},
            **{name: state.get(name, default) for name, default in OF_STATE.items()},
            "grade": change.grade or None,
            "games": explained.row.games,
        }
    return known


def entries_on(rating_list, day):
    """The entries of a closing day's list by public id, from the stored states."""
    system, changes = rating_list.rating_system, latest_changes(rating_list, Q(day__lte=day))
    states = dict(changes.values_list("player__public_id", "state"))
    players, _pks = player_values(rating_list, list(states))
    entries = {
        id: system.rating.list_entry(state_from_json(system, state), players[id], day) for id, state in states.items()
    }
    return {id: entry for id, entry in entries.items() if entry is not None}


def compared(case):
    """(place, expected, got, tolerance) of every figure of a case."""
    rating_list, tables = store(parse_history(case["history"]))
    rerate(rating_list.pk)
    for id, players in case.get("expect", {}).items():
        known = figures_of(rating_list, tables[id])
        for player, expected in players.items():
            for name, value in expected.items():
                if name == "_tol":
                    continue
                tolerance = expected.get("_tol", case.get("tolerance", 0.001))
                yield f"{case.get('name')} {id}.{player}.{name}", value, known[player].get(name), tolerance
    for day, ratings in case.get("expect_lists", {}).items():
        entries = entries_on(rating_list, dt.date.fromisoformat(day))
        for player, expected in ratings.items():
            figures = expected if isinstance(expected, dict) else {"rating": expected}
            for figure, value in figures.items():
                tolerance = case.get("list_tolerance", {}).get(figure, case.get("tolerance", 0.001))
                yield f"{case['name']} {day}.{player}.{figure}", value, entries.get(player, {}).get(figure), tolerance
    for id, lines in case.get("lists", {}).items():
        changes = list_as_of(rating_list, tables[id].last_day)
        listed = {
            c.player.public_id: {"rating": c.after, "games": c.games_after, "grade": c.grade or None} for c in changes
        }
        for player in {**lines, **listed}:
            yield f"{id}.{player}", lines.get(player), listed.get(player), case.get("tolerance", 0.001)


def differs(expected, got, tolerance):
    if is_number(expected) and is_number(got):
        return abs(expected - got) > tolerance
    return got != expected


@beside_the_checkout
@pytest.mark.parametrize(("name", "figures"), FIGURES.items())
def test_every_reference_figure_is_reproduced_from_the_database(name, figures):
    document, wrong, count = json.loads((CASES / f"{name}.json").read_text()), [], 0
    for case in take_share_of(document.get("cases", [document]), list(FIGURES).index(name), 8):
        with transaction.atomic():
            for place, expected, got, tolerance in compared(case):
                count += 1
                if differs(expected, got, tolerance):
                    wrong.append((place, expected, got))
            assert awards_of_the_database() == awards_of_the_engine(case["history"])
            transaction.set_rollback(True)
    periods = sum(
        len(expected)
        for case in document.get("cases", [document])
        for players in case.get("expect_periods", {}).values()
        for expected in players.values()
    )  # figures of the rows of closing days, which are not stored
    assert wrong == []
    assert count + periods == figures if THOROUGH else count > 0


def awards_of_the_database():
    several = Award.objects.filter(table__isnull=False).values_list(
        "table__name", "player__public_id", "grade", "how", "game", "needs_approval"
    )
    return sorted(several, key=str)


def awards_of_the_engine(document):
    won = [
        (step.cause.id, row.player, award.grade, award.how, award.game, award.needs_approval)
        for step in rate_history(parse_history(document)).steps
        if isinstance(step.cause, Table)
        for row in step.result.rows
        for award in row.awards
    ]
    return sorted(won, key=str)

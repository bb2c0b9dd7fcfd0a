"""Options that change on a day, in runs: equal to the history rated from nothing, and stored as such."""

import datetime as dt
import json

import pytest

from ratings.domain.lists.adjustments import save_option_changes
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import chunks
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import parse_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import Change, RatedTable, RatingList
from ratings.queries.events.explanations import explain
from ratings.queries.lists.history import export_history
from ratings.systems import SYSTEMS
from ratings.systems.values import OptionChange
from tests.database import store
from tests.factories import make_list, make_player, make_table, set_state
from tests.histories import document

pytestmark = pytest.mark.django_db

GAMES = [
    [("A", "B", 1), ("B", "C", 0.5), ("C", "A", 0)],
    [("A", "B", 0), ("D", "C", 1), ("A", "D", 0.5)],
    [("E", "A", 1), ("B", "D", 1), ("C", "E", 0)],
    [("F", "A", 1), ("G", "B", 0), ("F", "G", 0.5), ("B", "F", 1), ("G", "A", 0)],
]
"""F and G are new at one table; with the ranks of go, everybody is rated from the first game on."""
DAYS = ("2024-01-10", "2024-04-10", "2024-08-10", "2025-02-10")
CHANGES = {
    "fesa-2016": {"corrections": "revised"},
    "fesa-2000": {"corrections": "revised"},
    "icu-1989": {"cap": 1200, "prov_limit": 2, "bracket_games": 2},
    "rif-1995": {"new_vs_new": "joint", "zero_rule": "off"},
    "bgf": {"bonus": "epsilon", "within": "round", "corrections": "kept"},
    "egf-2021": {"weights": "none", "bonus": "off", "unknown_time": "C", "max_stones": 4},
    "glicko-2": {
        "tau": 1.1,
        "initial_rating": 1300,
        "initial_deviation": 200,
        "initial_volatility": 0.1,
        "idle_days": 10,
    },
    "rif-2021": {"w2": 50, "virtual_games": 8, "established_games": 2},
}
"""Other values of every option that may change; rif-1997 and fide-2024 have none."""


def make_history(key, day="2024-08-01", **more):
    tables = [
        {"event": f"Cup {last}", "date": last, "games": games, "class": "B", "players": players_of(games)}
        for last, games in zip(DAYS, GAMES, strict=True)
    ]
    changes = [{"date": day, "options": CHANGES[key], "reason": "voted in May"}]
    rank = {"prior_grade": "5 Kyu"} if key in {"bgf", "egf-2021"} else {}
    players = {id: {"name": f"{id}, {id}"} | rank for id in "ABCDEFG"}
    ratings = [{"date": "2023-12-01", "player": id, "set": start(key)} for id in "AB"]
    return parse_history(document(players, *tables, system=key, option_changes=changes, adjustments=ratings, **more))


def players_of(games):
    return sorted({id for a, b, *_score in games for id in (a, b)})


def start(key):
    return {"rating": 1500, "games": 30} if key in {"fesa-2016", "fesa-2000", "icu-1989"} else {"rating": 1500}


def test_every_system_with_options_that_may_change_is_tried():
    changeable = {key for key, system in SYSTEMS.items() if any(option.changeable for option in system.options)}
    assert set(CHANGES) == changeable


@pytest.mark.parametrize("key", CHANGES)
def test_list_with_changed_options_equals_its_history_rated_from_nothing(key):
    history = make_history(key)
    rating_list, _tables = store(history)
    rerate(rating_list.pk)
    exported = export_history(rating_list)
    assert exported.option_changes == history.option_changes
    read = parse_history(json.loads(write_history(exported)))
    assert compute_history_digest(rate_history(read)) == stored_digest(rating_list)
    assert list(find_differences(rating_list)) == []


@pytest.mark.parametrize("key", CHANGES)
def test_adopted_change_rates_the_tables_from_its_day_on(key):
    """And taking it back gives the figures of before."""
    rating_list, _tables = store(make_history(key))
    rerate(rating_list.pk)
    changed = stored_digest(rating_list)
    changes = rating_list.parsed_option_changes
    for wanted in ((), changes):
        rating_list.refresh_from_db()
        save_option_changes(rating_list, wanted)
        rating_list.refresh_from_db()
        assert rating_list.out_of_date_from == dt.date(2024, 8, 1)
        run = rerate(rating_list.pk)
        assert run.to_do == 2
        rating_list.refresh_from_db()
        assert list(find_differences(rating_list)) == []
        assert (stored_digest(rating_list) == changed) == (wanted == changes or key in {"fesa-2016", "fesa-2000"})


def test_change_in_the_future_leaves_everything_as_it_is():
    rating_list, _tables = store(make_history("glicko-2", day="2099-01-01"))
    rerate(rating_list.pk)
    digest, revision = stored_digest(rating_list), RatingList.objects.get().revision
    rating_list.refresh_from_db()
    save_option_changes(rating_list, [OptionChange(dt.date(2098, 1, 1), {"tau": 1.0}, "later")])
    rerate(rating_list.pk)
    stored = RatingList.objects.get()
    assert (stored_digest(stored), stored.out_of_date_from) == (digest, None)
    assert stored.revision > revision
    assert (stored.rating_system.settings["tau"], stored.rating_system_on(dt.date(2098, 1, 1)).settings["tau"]) == (
        0.5,
        1.0,
    )


@pytest.mark.parametrize("key", CHANGES)
def test_explanations_reach_the_stored_ratings_before_and_after_a_change(key):
    rating_list, _tables = store(make_history(key))
    rerate(rating_list.pk)
    for rated in RatedTable.objects.select_related("list", "table__event"):
        for change in Change.objects.filter(table=rated.table).select_related("player"):
            explanation = explain(rated, change)
            assert (explanation.row.after, explanation.row.before) == (change.after, change.before)


def test_late_result_before_a_change_is_rated_by_the_old_options():
    rating_list, tables = store(make_history("glicko-2"))
    rerate(rating_list.pk)
    late = tables["t2"]
    late.games.filter(round=1).update(score=1)
    RatedTable.objects.filter(table=late).update(needs_rating=True)
    RatingList.objects.update(out_of_date_from=late.last_day)
    rating_list.refresh_from_db()
    rerate(rating_list.pk)
    again = rate_history(parse_history(json.loads(write_history(export_history(rating_list)))))
    assert stored_digest(rating_list) == compute_history_digest(again)
    assert list(find_differences(rating_list)) == []


@pytest.mark.parametrize("key", CHANGES)
def test_newcomers_of_a_table_that_stays_as_it_is_keep_their_ratings_on_the_day_of_a_change(key):
    """C and D begin at a table that a late result does not reach, and meet the others after the change."""
    rank = {"prior_grade": "5 Kyu"} if key in {"bgf", "egf-2021"} else {}
    results = {
        "2024-01-10": [("A", "B", 1)],
        "2024-02-10": [("C", "D", 1), ("D", "C", 1), ("C", "D", 1)],
        "2024-09-10": [("A", "C", 1), ("B", "D", 0)],
    }
    tables = [
        {"event": day, "date": day, "games": games, "class": "B", "players": players_of(games)}
        for day, games in results.items()
    ]
    changes = [{"date": "2024-08-01", "options": CHANGES[key], "reason": "voted in May"}]
    ratings = [{"date": "2023-12-01", "player": id, "set": start(key)} for id in "AB"]
    players = {id: {"name": f"{id}, {id}"} | rank for id in "ABCD"}
    history = document(players, *tables, system=key, option_changes=changes, adjustments=ratings)
    rating_list, stored = store(parse_history(history))
    rerate(rating_list.pk)
    late = stored["t1"]
    late.games.update(score=0.5)
    RatedTable.objects.filter(table=late).update(needs_rating=True)
    RatingList.objects.update(out_of_date_from=late.last_day)
    rerate(rating_list.pk)
    rating_list.refresh_from_db()
    assert list(find_differences(rating_list)) == []


def test_change_between_many_days_splits_the_run_there(monkeypatch):
    monkeypatch.setattr("ratings.domain.runs.chunks.CHUNK_WEIGHT", 1)
    rating_list, _tables = store(make_history("glicko-2", day="2024-04-10"))
    rerate(rating_list.pk)
    assert compute_history_digest(rate_history(export_history(rating_list))) == stored_digest(rating_list)


def test_player_forgotten_with_a_skipped_chunk_is_no_newcomer(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_WEIGHT", 1)
    go = make_list("g", system="glicko-2")
    save_option_changes(go, [OptionChange(dt.date(2024, 9, 1), {"tau": 0.6}, "v")])
    p, q, r, s = (make_player() for _number in range(4))
    first = make_table(go, [p, q], [(1, 1, 2, 1.0)], "2024-02-01", rated=False)
    make_table(go, [r, s], [(1, 1, 2, 1.0)], "2024-02-02")
    make_table(go, [p, q], [(1, 1, 2, 1.0)], "2024-04-01")
    later = make_table(go, [p, q], [(1, 1, 2, 1.0)], "2024-07-01")
    make_table(go, [r, s], [(1, 1, 2, 1.0)], "2024-07-02")
    make_table(go, [p, r], [(1, 1, 2, 1.0)], "2024-10-01")
    rerate(go.pk)
    for table in (first, later):
        delete_table(table)
    rerate(go.pk)
    assert list(find_differences(RatingList.objects.get(pk=go.pk))) == []


@pytest.mark.parametrize(
    ("system", "options", "given"),
    [
        ("icu-1989", {"prov_limit": 2}, {"rating": 1500, "games": 5}),
        ("icu-1989", {"publish_floor": 2000}, {"rating": 1500, "games": 50}),
        ("glicko-2", {"provisional_above": 500}, {"rating": 1500}),
    ],
)
def test_standings_of_players_without_a_later_table_follow_new_options(system, options, given):
    """Options that begin, are taken back, and begin with the first table after their day."""
    made = make_list("g", system=system)
    p, q, r, s = (make_player() for _number in range(4))
    for player in (p, q, r, s):
        set_state(made, player, "2023-12-01", **given)
    make_table(made, [p, q], [(1, 1, 2, 1.0)], "2024-02-02")
    last = make_table(made, [r, s], [(1, 1, 2, 1.0)], "2024-08-02")
    rerate(made.pk)
    changes = [OptionChange(dt.date(2024, 6, 1), options, "v")]

    def list_standings():
        rerate(made.pk)
        rating_list = RatingList.objects.get(pk=made.pk)
        assert list(find_differences(rating_list)) == []
        rows = rating_list.standings.order_by("player")
        return list(rows.values_list("player", "category", "published"))

    before = list_standings()
    save_option_changes(RatingList.objects.get(pk=made.pk), changes)
    changed = list_standings()
    assert changed[:2] != before[:2]
    save_option_changes(RatingList.objects.get(pk=made.pk), [])
    assert list_standings() == before
    delete_table(last)
    without = list_standings()
    save_option_changes(RatingList.objects.get(pk=made.pk), changes)
    assert list_standings() == without
    make_table(made, [r, s], [(1, 1, 2, 1.0)], "2024-08-02")
    assert list_standings()[:2] == changed[:2]

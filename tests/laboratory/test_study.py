"""Studies on synthetic federations, whose true strengths and rules are known."""

import math
import os
from dataclasses import replace

import numpy as np
import pytest

from ratings.laboratory.candidates import Candidate, Sweep
from ratings.laboratory.games import collect_games
from ratings.laboratory.predictions import predict_games
from ratings.laboratory.resampling import Interval
from ratings.laboratory.study import Estimate, Failure, StudyDefinition, SweepPoint, run_study
from ratings.systems.values import Player
from tests.laboratory.federations import make_federation
from tests.thorough import share

SEEDS = int(os.environ.get("LABORATORY_SEEDS") or share(10, 2))
"""Number of synthetic federations; LABORATORY_SEEDS=100 takes some minutes."""
MISSES = max(SEEDS // 20, 1)
"""Number of seeds in which an interval of 95 % may miss the right value."""


def sweep_of(system, options, **values):
    return Sweep(Candidate(system, options), values)


def find_misses(right, system, options, **federation):
    """Return the seeds in which the interval of a sweep does not hold the right value of its option."""
    ((key, values),) = federation.pop("values").items()
    missed = []
    for seed in range(SEEDS):
        history = make_federation(seed, system, options=options, **federation)
        result = run_study(history, StudyDefinition((), sweep_of(system, options, **{key: values}), resamples=500))
        low, high = result.sweep.intervals[key]
        if not low <= right <= high:
            missed.append((seed, low, high))
    return missed


def test_sweep_finds_the_spread_of_a_federation():
    """Strengths have the standard deviation 200, so that is the right deviation of a new player."""
    missed = find_misses(
        200, "glicko-2", {}, spread=200.0, values={"initial_deviation": [50, 100, 150, 200, 250, 300, 400, 500]}
    )
    assert len(missed) <= MISSES, missed


def test_sweep_finds_the_drift_of_a_federation():
    options = {"lists": "monthly", "established_games": 0}
    missed = find_misses(
        30, "rif-2021", options, mean=1900.0, drift=30.0, players=20, tables=40, values={"w2": [0.01, 3, 30, 300]}
    )
    assert len(missed) <= MISSES, missed


def test_candidates_without_an_effect_make_no_difference():
    """A limit of volatility has hardly an effect where strengths do not change."""
    verdicts = []
    for seed in range(SEEDS):
        history = make_federation(seed, "glicko-2")
        result = run_study(history, StudyDefinition([Candidate("glicko-2", {"tau": 0.4})], resamples=500))
        verdicts.append(result.candidates[1].against.verdict)
    assert verdicts.count("no difference") >= SEEDS - MISSES, verdicts


def test_rules_that_know_nothing_are_surely_worse():
    history = make_federation(3, "glicko-2", spread=300.0)
    result = run_study(history, StudyDefinition([Candidate("glicko-2", {"initial_deviation": 30})]))
    assert [kind.name for kind in result.kinds] == [
        "provisional", "established", "small gap", "medium gap", "large gap", "2020", "2021", "2022",
    ]  # fmt: skip
    assert result.candidates[1].against.verdict == "worse"


def test_figures_are_those_of_the_predictions():
    history = make_federation(4, "glicko-2", tables=30)
    present, other = Candidate("glicko-2"), Candidate("glicko-2", {"initial_deviation": 200})
    games = collect_games(history)
    expected = [predict_games(history, candidate, games).expected for candidate in (present, other)]
    used = np.isfinite(expected[0]) & np.isfinite(expected[1])
    losses = [
        [-math.log(e if score == 1 else 1 - e) for e, score in zip(own[used], games.score[used], strict=True)]
        for own in expected
    ]
    result = run_study(history, StudyDefinition([other]))
    assert (result.games, result.all_games, result.failures) == (used.sum(), 360, [])
    assert [c.log_loss.mean for c in result.candidates] == pytest.approx([np.mean(loss) for loss in losses])
    assert [c.brier.mean for c in result.candidates] == pytest.approx(
        [((own - games.score)[used] ** 2).mean() for own in expected]
    )
    assert result.candidates[0].against is None
    assert result.candidates[1].against.mean == pytest.approx(np.mean(losses[1]) - np.mean(losses[0]))


def test_failed_run_leaves_the_others():
    history = make_federation(5, "glicko-2", tables=25)
    history = replace(history, players=history.players | {"z": Player("z", opening={"rating": -500.0})})
    result = run_study(history, StudyDefinition([Candidate("fesa-2016"), Candidate("glicko-2", {"tau": 0.3})]))
    assert result.failures == [Failure(Candidate("fesa-2016"), "opening of player z: invalid rating: -500")]
    assert [str(c.candidate) for c in result.candidates] == ["glicko-2", "glicko-2 tau=0.3"]


@pytest.mark.parametrize(
    ("candidate", "missing"), [("fide-2024", 2), ("icu-1989", 2), ("fesa-2000", 0), ("glicko-2", 0)]
)
def test_players_whose_age_is_unknown_are_counted_where_a_candidate_asks_for_it(candidate, missing):
    history = make_federation(5, "glicko-2", tables=25)
    played = sorted({id for table in history.tables for id in table.players})
    born = {id: replace(history.players[id], birth_year=1990) for id in played[2:]}
    history = replace(history, players=history.players | born)
    result = run_study(history, StudyDefinition([Candidate(candidate)]))
    assert result.players_without_birth_year == missing


def test_candidate_that_predicts_no_game_leaves_the_others():
    """The ratings of fide-2024 begin with games against rated players, so that a list without openings never begins."""
    history = make_federation(5, "glicko-2", tables=25)
    candidates = [Candidate("fide-2024"), Candidate("glicko-2", {"tau": 0.3})]
    result = run_study(history, StudyDefinition(candidates))
    text = "predicts no game: no two players of a game ever have ratings"
    assert result.failures == [Failure(Candidate("fide-2024"), text)]
    assert [str(c.candidate) for c in result.candidates] == ["glicko-2", "glicko-2 tau=0.3"]
    assert result.games > 0


def test_newcomers_of_systems_without_a_provisional_category_have_few_games():
    history = make_federation(5, "glicko-2", tables=60)
    present = replace(
        history, system="egf-2021", players={id: Player(id, prior_grade="1 Dan") for id in history.players}
    )
    games = collect_games(present)
    prediction = predict_games(present, Candidate("egf-2021"), games)
    played = dict.fromkeys(present.players, 0)
    expected = {}
    for table in present.tables:
        for position, game in games.games.get(table.id, ()):
            expected[position] = played[game.a] < 30 or played[game.b] < 30
        for game in table.games:
            for id in (game.a, game.b):
                played[id] += 1
    known = [position for position in expected if prediction.known[position]]
    assert {position: bool(prediction.provisional[position]) for position in known} == {p: expected[p] for p in known}
    assert {expected[position] for position in known} == {True, False}


def test_sweep_of_two_options_is_a_map():
    history = make_federation(6, "glicko-2", tables=30)
    values = {"tau": [0.3, 0.6], "initial_deviation": [100, 350]}
    done = []
    result = run_study(
        history, StudyDefinition((), sweep_of("glicko-2", {}, **values)), progress=lambda *step: done.append(step)
    )
    assert done == [(n, 5) for n in range(1, 6)]
    assert [point.values for point in result.sweep.points] == [
        {"tau": tau, "initial_deviation": deviation} for tau in (0.3, 0.6) for deviation in (100, 350)
    ]
    losses = [point.log_loss for point in result.sweep.points]
    assert result.sweep.best == result.sweep.points[losses.index(min(losses))].values
    assert result.sweep.against.mean == pytest.approx(min(losses) - result.candidates[0].log_loss.mean)


def test_values_without_an_effect_are_all_within_the_interval():
    history = make_federation(7, "glicko-2", tables=25)
    result = run_study(history, StudyDefinition((), sweep_of("glicko-2", {}, provisional_above=[100, 150, 200])))
    loss = result.candidates[0].log_loss.mean
    assert result.sweep.points == [
        SweepPoint({"provisional_above": value}, pytest.approx(loss)) for value in (100, 150, 200)
    ]
    assert result.sweep.intervals == {"provisional_above": (100, 200)}
    assert result.sweep.against.verdict == "no difference"


def test_few_events_allow_no_verdict():
    result = run_study(
        make_federation(8, "glicko-2", tables=12), StudyDefinition([Candidate("glicko-2", {"tau": 0.3})])
    )
    assert result.candidates[1].against.verdict == "unknown"
    assert result.candidates[1].against.interval is None


@pytest.mark.parametrize("tables", [0, 1])
def test_history_without_predicted_games_has_no_figures(tables):
    history = make_federation(9, "glicko-2", tables=tables)
    result = run_study(history, StudyDefinition([Candidate("fesa-2016")], sweep_of("glicko-2", {}, tau=[0.3, 0.4])))
    assert (result.games, result.candidates, result.kinds, result.sweep) == (0, [], [], None)


@pytest.mark.parametrize(
    ("mean", "interval", "verdict"),
    [
        (-0.02, (-0.03, -0.01), "better"),
        (0.02, (0.01, 0.03), "worse"),
        (0.02, (-0.01, 0.03), "no difference"),
        (-0.00004, (-0.00005, -0.00003), "no difference"),
    ],
)
def test_verdict_is_sure_if_the_interval_does_not_hold_zero(mean, interval, verdict):
    assert Estimate(mean, Interval(*interval)).verdict == verdict

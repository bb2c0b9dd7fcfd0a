"""Studies: candidates compared on the same games of a history, and sweeps of an option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ratings.systems import get_system
from ratings.systems.ages import asks_birth, birth_year_of
from ratings.systems.messages import RatingMessage, storable_message
from ratings.systems.values import History

from .accuracy import Bin, calibration, compute_log_losses
from .candidates import Candidate, Sweep, present_candidate
from .games import Flags, GameColumns, Numbers, collect_games
from .list_figures import ListFigures, compare_lists, find_panel
from .predictions import Prediction, predict_games
from .resampling import RESAMPLES, Interval, Resampled, resample_means

SMALL_GAP, LARGE_GAP = 100, 300
"""Rating points between two players below and above which games are a kind of their own."""
SMALLEST_DIFFERENCE = 0.00005
"""Difference of log loss that is shown as 0.0000, and so is none."""
EQUAL = 1e-12  # difference of log losses of two values that make no difference, by rounding
FIGURES = 3  # of a candidate: log loss, Brier score, share of the favourite


@dataclass(frozen=True)
class StudyDefinition:
    """Candidates that are compared with the history's present rules, and perhaps the sweep of an option."""

    candidates: Sequence[Candidate] = ()
    sweep: Sweep | None = None
    resamples: int = RESAMPLES


@dataclass(frozen=True)
class Estimate:
    """A mean over games with its interval of 95 %; None if there are too few events."""

    mean: float
    interval: Interval | None

    @property
    def verdict(self) -> str:
        """The word for a difference of log loss: `better` or `worse` if it is sure, else `no difference`.

        `unknown` if there are too few events.
        """
        if self.interval is None:
            return "unknown"
        if self.interval.holds_zero or abs(self.mean) < SMALLEST_DIFFERENCE:
            return "no difference"
        return "better" if self.mean < 0 else "worse"


@dataclass(frozen=True)
class CandidateResult:
    """Figures of one candidate. `against` is its log loss less that of the present rules, on the same games.

    `favourite` is the mean score of the side expected to win, a draw being a half.
    """

    candidate: Candidate
    log_loss: Estimate
    brier: Estimate
    favourite: Estimate
    against: Estimate | None
    calibration: Sequence[Bin]
    lists: ListFigures
    seconds: float


@dataclass(frozen=True)
class Kind:
    """A kind of game, its number of games, and each candidate's mean log loss and difference from the present."""

    name: str
    games: int
    log_losses: Sequence[float]
    against: Sequence[Estimate | None]


@dataclass(frozen=True)
class SweepPoint:
    """One value, or pair of values, of a sweep, with its mean log loss; None if the run failed."""

    values: Mapping[str, Any]
    log_loss: float | None


@dataclass(frozen=True)
class SweepResult:
    """A sweep: its points in order, the best values, and for each option the interval of its best value.

    An interval holds the best values of 95 % of the resamples; None if there are too few events. `against` is the log
    loss of the best values less that of the present rules.
    """

    sweep: Sweep
    points: Sequence[SweepPoint]
    best: Mapping[str, Any]
    intervals: Mapping[str, tuple[Any, Any]] | None
    against: Estimate


@dataclass(frozen=True)
class Failure:
    """A run that could not be finished: the candidate, and what its rules do not cover, with the day."""

    candidate: Candidate
    error: str


@dataclass(frozen=True)
class StudyResult:
    """Result of a study. `games` and `events` are those that every candidate predicted; the others do not count.

    The first candidate is the history's own system with its options. `players_without_birth_year` counts players whom
    a candidate that asks for the age rates as adults, because the history does not tell when they were born.
    """

    games: int
    events: int
    all_games: int
    candidates: Sequence[CandidateResult]
    kinds: Sequence[Kind]
    sweep: SweepResult | None
    failures: Sequence[Failure]
    players_without_birth_year: int = 0


def run_study(
    history: History,
    study: StudyDefinition,
    *,
    tick: Callable[[], None] = lambda: None,
    progress: Callable[[int, int], None] | None = None,
) -> StudyResult:
    """Rate a history by each candidate of a study, and compare their predictions on the games that all of them predict.

    `tick` is called before each step of a run and may raise an exception to end the study; `progress` is called after
    each run with the number of finished runs and of all runs. Raise ValueError if the present rules fail.
    """
    present = present_candidate(history)
    candidates = [present, *(candidate for candidate in study.candidates if candidate != present)]
    swept = [] if study.sweep is None else list(study.sweep)
    games, panel = collect_games(history), find_panel(history)
    names = set(map(str, candidates))
    predictions: dict[str, Prediction] = {}
    failures = []
    runs = list({str(candidate): candidate for candidate in (*candidates, *swept)}.values())
    for number, candidate in enumerate(runs, 1):
        try:
            of_run = panel if str(candidate) in names else None
            predictions[str(candidate)] = predict_games(history, candidate, games, of_run, tick)
        except ValueError as error:
            if candidate == present:
                raise
            failures.append(Failure(candidate, storable_message(error)))
        if progress is not None:
            progress(number, len(runs))
    failures += list(_remove_runs_without_predictions(predictions, present, runs))
    used: Flags = np.logical_and.reduce([prediction.known for prediction in predictions.values()])
    compared = [predictions[str(candidate)] for candidate in candidates if str(candidate) in predictions]
    figures = np.concatenate([_measure_games(prediction, games) for prediction in compared])
    resampled = resample_means(figures, games.event, used, study.resamples)
    return StudyResult(
        resampled.games,
        resampled.events,
        len(games),
        [_summarize(compared, place, resampled, games, used) for place in range(len(compared))] if used.any() else [],
        list(_compare_kinds(compared, figures, games, used, study.resamples)),
        _measure_sweep(study, present, predictions, games, used),
        failures,
        _count_without_birth_year(history, games, runs),
    )


def _count_without_birth_year(history: History, games: GameColumns, candidates: Sequence[Candidate]) -> int:
    """Return the number of players of the games without a birth year, if a candidate of another system asks for it.

    The history's own system has what it asks for, such as the players under 21 of each table.
    """
    others = {candidate.system for candidate in candidates} - {history.system}
    if not any(asks_birth(get_system(system).rating.required_values) for system in others):
        return 0
    played = (game for of_table in games.games.values() for _, game in of_table)
    players = {id.partition("~")[0] for game in played for id in (game.a, game.b) if id}
    return sum(birth_year_of(history.players[id]) is None for id in players)


def _remove_runs_without_predictions(
    predictions: dict[str, Prediction], present: Candidate, runs: Sequence[Candidate]
) -> Iterator[Failure]:
    """Remove runs that predict no game, with which nothing could be compared, and yield them as failures."""
    if not predictions[str(present)].known.any():
        return
    for candidate in runs:
        name = str(candidate)
        if name in predictions and not predictions[name].known.any():
            del predictions[name]
            yield Failure(candidate, RatingMessage.PREDICTS_NO_GAME())


def _measure_games(prediction: Prediction, games: GameColumns) -> Numbers:
    """Return the log loss, the Brier score and the score of the favourite of each game, as three rows."""
    expected, score = prediction.expected, games.score
    favourite = np.where(expected == 0.5, 0.5, np.where(expected > 0.5, score, 1 - score))
    return np.stack([compute_log_losses(expected, score), (expected - score) ** 2, favourite])


def _summarize(
    compared: Sequence[Prediction], place: int, resampled: Resampled, games: GameColumns, used: Flags
) -> CandidateResult:
    prediction, first = compared[place], place * FIGURES
    estimates = [Estimate(float(resampled.mean[row]), resampled.interval(row)) for row in range(first, first + FIGURES)]
    log_loss, brier, favourite = estimates
    return CandidateResult(
        prediction.candidate,
        log_loss,
        brier,
        favourite,
        _compare(resampled, place) if place else None,
        calibration(prediction.expected[used], games.score[used]),
        compare_lists(compared[0], prediction),
        prediction.seconds,
    )


def _compare(resampled: Resampled, place: int) -> Estimate:
    row = place * FIGURES
    return Estimate(float(resampled.mean[row] - resampled.mean[0]), resampled.difference_interval(row, 0))


def _compare_kinds(
    compared: Sequence[Prediction], figures: Numbers, games: GameColumns, used: Flags, resamples: int
) -> Iterator[Kind]:
    for name, flags in _find_kinds(compared[0], games).items():
        chosen = used & flags
        if not chosen.any():
            continue
        resampled = resample_means(figures, games.event, chosen, resamples)
        against = [_compare(resampled, place) if place else None for place in range(len(compared))]
        yield Kind(name, resampled.games, resampled.mean[::FIGURES].tolist(), against)


def _find_kinds(present: Prediction, games: GameColumns) -> dict[str, Flags]:
    """Return the kinds of games by name; provisional ratings and gaps are those of the present rules."""
    gap = np.abs(present.gap)
    kinds: dict[str, Flags] = {
        "provisional": present.provisional,
        "established": ~present.provisional,
        "junior": games.junior,
        "small gap": gap < SMALL_GAP,
        "medium gap": (gap >= SMALL_GAP) & (gap <= LARGE_GAP),
        "large gap": gap > LARGE_GAP,
    }
    return kinds | {str(year): games.year == year for year in np.unique(games.year).tolist()}


def _measure_sweep(
    study: StudyDefinition, present: Candidate, predictions: Mapping[str, Prediction], games: GameColumns, used: Flags
) -> SweepResult | None:
    if study.sweep is None:
        return None
    swept = list(study.sweep)
    ran = [candidate for candidate in swept if str(candidate) in predictions]
    if not ran or not used.any():
        return None
    losses = [compute_log_losses(predictions[str(candidate)].expected, games.score) for candidate in (present, *ran)]
    with_present = resample_means(np.stack(losses), games.event, used, study.resamples)
    resampled = replace(with_present, mean=with_present.mean[1:], means=with_present.means[:, 1:])
    place = int(np.argmin(resampled.mean))
    best, difference = ran[place], float(with_present.mean[place + 1] - with_present.mean[0])
    loss_of = dict(zip(map(str, ran), resampled.mean.tolist(), strict=True))
    names = list(study.sweep.values)
    return SweepResult(
        study.sweep,
        [SweepPoint(_choose(candidate, names), loss_of.get(str(candidate))) for candidate in swept],
        _choose(best, names),
        _find_intervals(study.sweep, ran, resampled),
        Estimate(difference, with_present.difference_interval(place + 1, 0)),
    )


def _choose(candidate: Candidate, names: Sequence[str]) -> dict[str, Any]:
    return {name: candidate.options[name] for name in names}


def _find_intervals(sweep: Sweep, ran: Sequence[Candidate], resampled: Resampled) -> dict[str, tuple[Any, Any]] | None:
    """Return for each option the values between which 95 % of the resamples have their best value."""
    if resampled.interval(0) is None:
        return None
    best = resampled.means <= resampled.means.min(axis=1, keepdims=True) + EQUAL
    intervals = {}
    for name, values in sweep.values.items():
        places = np.array([list(values).index(candidate.options[name]) for candidate in ran])
        lowest = np.where(best, places, len(values)).min(axis=1)
        highest = np.where(best, places, -1).max(axis=1)
        low = int(np.percentile(lowest, 2.5, method="lower"))
        high = int(np.percentile(highest, 97.5, method="higher"))
        intervals[name] = (values[low], values[high])
    return intervals

"""ratings-study/1: the result of a study as JSON, the digest of its inputs and of its figures, and a text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ratings.formats.history.file import write_history
from ratings.systems.messages import message_to_json
from ratings.systems.values import History

from .accuracy import Bin
from .candidates import Candidate
from .list_figures import ListFigures
from .study import CandidateResult, Estimate, Kind, StudyDefinition, StudyResult, SweepResult

FORMAT = "ratings-study/1"
SHARE_DECIMALS, RATING_DECIMALS = 6, 2


def digest_inputs(history: History, study: StudyDefinition) -> str:
    """Return the SHA-256 of a history and of the study's candidates: equal inputs give equal results."""
    return _digest({"history": write_history(history), "study": study_document(study)})


def digest_result(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a result's document without its run times, digests and notes."""
    candidates = [{key: value for key, value in c.items() if key != "seconds"} for c in document["candidates"]]
    left_out = ("digest", "inputs", "players_without_birth_year")
    return _digest({**{k: v for k, v in document.items() if k not in left_out}, "candidates": candidates})


def _digest(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def study_document(study: StudyDefinition) -> dict[str, Any]:
    """Return the JSON object of a study: its candidates, its sweep and its number of resamples."""
    sweep = study.sweep
    return {
        "candidates": [_candidate(candidate) for candidate in study.candidates],
        "sweep": None if sweep is None else {**_candidate(sweep.candidate), "values": dict(sweep.values)},
        "resamples": study.resamples,
    }


def result_document(history: History, study: StudyDefinition, result: StudyResult) -> dict[str, Any]:
    """Return the JSON object of a result, with the digests of its inputs and of its figures.

    Shares and losses have 6 decimals, ratings 2, so that the digest is the same on every machine.
    """
    document = {
        "format": FORMAT,
        "study": study_document(study),
        "games": result.games,
        "events": result.events,
        "all_games": result.all_games,
        "players_without_birth_year": result.players_without_birth_year,
        "candidates": [_candidate_result(candidate) for candidate in result.candidates],
        "kinds": [_kind(kind) for kind in result.kinds],
        "sweep": None if result.sweep is None else _sweep(result.sweep),
        "failures": [
            {**_candidate(failure.candidate), "error": message_to_json(failure.error)} for failure in result.failures
        ],
    }
    return {**document, "inputs": digest_inputs(history, study), "digest": digest_result(document)}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {"system": candidate.system, "options": dict(candidate.options)}


def _candidate_result(result: CandidateResult) -> dict[str, Any]:
    return {
        **_candidate(result.candidate),
        "log_loss": _estimate(result.log_loss),
        "brier": _estimate(result.brier),
        "favourite": _estimate(result.favourite),
        "against": _estimate(result.against),
        "calibration": [_bin(bin_) for bin_ in result.calibration],
        "lists": _lists(result.lists),
        "seconds": round(result.seconds, 1),
    }


def _estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    interval = estimate.interval
    bounds = None if interval is None else [_share(interval.low), _share(interval.high)]
    return {"mean": _share(estimate.mean), "interval": bounds, "verdict": estimate.verdict}


def _bin(bin_: Bin) -> dict[str, Any]:
    return {
        "expected": _share(bin_.expected),
        "score": _share(bin_.score),
        "interval": [_share(bin_.low), _share(bin_.high)],
        "games": bin_.games,
    }


def _lists(lists: ListFigures) -> dict[str, Any]:
    moves = {
        name: [{"player": m.player, "present": _rating(m.present), "rating": _rating(m.rating)} for m in moves]
        for name, moves in (("gains", lists.gains), ("losses", lists.losses))
    }
    return {
        "players": lists.players,
        "rank_correlation": None if lists.rank_correlation is None else _share(lists.rank_correlation),
        "spread": None if lists.spread is None else _rating(lists.spread),
        "panel": lists.panel,
        "drift": None if lists.drift is None else _rating(lists.drift),
        "grades_won": lists.grades_won,
        "grades_lost": lists.grades_lost,
        **moves,
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "games": kind.games,
        "log_losses": [_share(loss) for loss in kind.log_losses],
        "against": [_estimate(estimate) for estimate in kind.against],
    }


def _sweep(sweep: SweepResult) -> dict[str, Any]:
    points = [
        {"values": dict(point.values), "log_loss": None if point.log_loss is None else _share(point.log_loss)}
        for point in sweep.points
    ]
    intervals = None if sweep.intervals is None else {name: list(values) for name, values in sweep.intervals.items()}
    return {
        "points": points,
        "best": dict(sweep.best),
        "intervals": intervals,
        "against": _estimate(sweep.against),
    }


def _share(value: float) -> float:
    return round(value, SHARE_DECIMALS) + 0.0


def _rating(value: float) -> float:
    return round(value, RATING_DECIMALS) + 0.0


def result_text(result: StudyResult) -> str:
    """Return a result as text: a line for each candidate, each kind of game, and the sweep."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: StudyResult) -> Iterator[str]:
    yield "All predictions use ratings from before the game."
    yield f"{result.games} of {result.all_games} games, of {result.events} events, are predicted by every candidate."
    if number := result.players_without_birth_year:
        yield f"The birth year of {number} players is unknown: rules that depend on the age rate them as adults."
    if result.candidates:
        yield f"{'log loss':>10} {'Brier':>8} {'favourite':>9} {'against present':>28}  candidate"
    for candidate in result.candidates:
        figures = f"{candidate.log_loss.mean:10.4f} {candidate.brier.mean:8.4f} {candidate.favourite.mean:9.1%}"
        yield f"{figures} {_describe_difference(candidate.against):>28}  {candidate.candidate}"
        yield _describe_intervals(candidate)
    for kind in result.kinds:
        losses = " ".join(f"{loss:.4f}" for loss in kind.log_losses)
        yield f"{kind.name}: {kind.games} games, log loss {losses}"
    if result.sweep is not None:
        yield from _describe_sweep(result.sweep)
    for failure in result.failures:
        yield f"failed: {failure.candidate}: {failure.error}"


def _describe_intervals(candidate: CandidateResult) -> str:
    """Return the line of the intervals of 95 % below the figures of a candidate."""
    names = {"log loss": candidate.log_loss, "Brier": candidate.brier, "favourite": candidate.favourite}
    if candidate.against is not None:
        names["difference"] = candidate.against
    parts = [
        f"{name} {estimate.interval.low:.4f} to {estimate.interval.high:.4f}"
        for name, estimate in names.items()
        if estimate.interval is not None
    ]
    return "    95 % intervals: " + ", ".join(parts) if parts else "    too few events for intervals"


def _describe_difference(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    if estimate.interval is None:
        return f"{estimate.mean:+.4f} too few events"
    return f"{estimate.mean:+.4f} {estimate.verdict}"


def _describe_sweep(sweep: SweepResult) -> Iterator[str]:
    for point in sweep.points:
        values = " ".join(f"{name}={value}" for name, value in point.values.items())
        yield f"{values}: {'failed' if point.log_loss is None else f'{point.log_loss:.4f}'}"
    for name, value in sweep.best.items():
        interval = sweep.intervals[name] if sweep.intervals else None
        bounds = f"; 95 % interval {interval[0]} to {interval[1]}" if interval else "; too few events for an interval"
        yield f"best {name}: {value}{bounds}"
    yield f"log loss of the best value against the present rules: {_describe_difference(sweep.against)}"

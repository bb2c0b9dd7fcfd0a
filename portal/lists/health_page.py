"""Verdicts and sentences about the figures of a list's health, with the limits that decide."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import percent, rating, signed, signed_decimals, unrounded
from ratings.laboratory.accuracy import CERTAINTY_95
from ratings.models import RatingList
from ratings.queries.lists.health import CAUSES
from ratings.systems.values import FEW_GAMES

from .health_limits import NEWCOMERS_PART, PANEL_PART, POINTS_PART, find_limit, name_causes

Figures = Mapping[str, Any]
LEAST_GAMES, FEW_NEWCOMERS, RECENT_YEARS = 200, 10, 5
"""Games and newcomers below which there is no verdict; years whose points are summed."""
OFF_BY = 0.02
"""Largest acceptable difference between the expected and actual score of favourites, unless chance explains more."""
COMPARED = ("compared_newcomers", "gain_in_two_years")
"""Names of the last columns of the file."""
MOST_PROVISIONAL, MOST_AWAY = 0.4, 0.5
"""Shares of the players on the list who may be provisional, and who may not have played for a year."""
CROWD, SMALLEST_CROWD = 0.02, 3
"""Acceptable share of the active players with the lowest rating; fewer players than the second number are fine."""


@dataclass(frozen=True)
class HealthFinding:
    """Verdict and sentence about one figure; `is_good` is None where there is too little to judge."""

    is_good: bool | None
    sentence: str

    @property
    def tone(self) -> str:
        return {True: "good", False: "warn", None: ""}[self.is_good]

    @property
    def verdict(self) -> str:
        return {True: _("Good"), False: _("Watch"), None: _("Too early")}[self.is_good]


@dataclass(frozen=True)
class YearLine:
    """Figures of a year; None where a year has none."""

    year: int
    panel: float | None
    log_loss: float | None
    newcomers: int
    games: int
    held: float | None


def describe_health(rating_list: RatingList, figures: Figures) -> dict[str, HealthFinding]:
    """Return what each figure says, by its name."""
    return {
        "panel": _describe_panel(rating_list, figures),
        "points": _describe_points(figures),
        "newcomers": _describe_newcomers(rating_list, figures),
        "predictions": _describe_predictions(figures),
        "distribution": _describe_distribution(rating_list, figures),
        "players": _describe_players(rating_list, figures),
    }


def panel_change(figures: Figures) -> float | None:
    """Return by how many rating points the panel's mean has changed; None without a panel."""
    panel = figures["health"]["panel"]
    return panel and float(panel["years"][-1]["mean"] - panel["years"][0]["mean"])


def _describe_panel(rating_list: RatingList, figures: Figures) -> HealthFinding:
    panel, change = figures["health"]["panel"], panel_change(figures)
    if change is None:
        return HealthFinding(None, _("Too few players have played in every year: a panel needs five."))
    limit, years = find_limit(figures, PANEL_PART), panel["years"][-1]["year"] - panel["years"][0]["year"]
    values = {
        "players": panel["players"],
        "first": panel["years"][0]["year"],
        "change": signed(change, rating_list),
        "limit": rating(limit, rating_list),
        "years": years,
    }
    sentence = ngettext(
        "The mean rating of the same %(players)d players, who have played in every year since %(first)s, has changed by"
        " %(change)s in %(years)d year; up to %(limit)s is fine.",
        "The mean rating of the same %(players)d players, who have played in every year since %(first)s, has changed by"
        " %(change)s in %(years)d years; up to %(limit)s is fine.",
        years,
    )
    return HealthFinding(abs(change) <= limit, sentence % values)


def _describe_points(figures: Figures) -> HealthFinding:
    lines = [line for line in figures["health"]["points"] if line["players"]][-RECENT_YEARS:]
    if not lines:
        return HealthFinding(None, _("Nobody has been active yet."))
    incoming = sum(max(0.0, line[cause]) for line in lines for cause in CAUSES) / len(lines)
    outgoing = -sum(min(0.0, line[cause]) for line in lines for cause in CAUSES) / len(lines)
    per_player = sum(sum(line[cause] for cause in CAUSES) / line["players"] for line in lines) / len(lines)
    limit = find_limit(figures, POINTS_PART)
    values = {
        "incoming": f"{incoming:.0f}", "outgoing": f"{outgoing:.0f}", "years": len(lines),
        "points": signed_decimals(per_player, 1), "limit": f"{limit:.0f}",
    }  # fmt: skip
    sentence = ngettext(
        "In the last %(years)d year, %(incoming)s points came in and %(outgoing)s went out: %(points)s for each active"
        " player. Up to %(limit)s is fine.",
        "In the last %(years)d years, %(incoming)s points came in and %(outgoing)s went out each year on average:"
        " %(points)s for each active player. Up to %(limit)s is fine.",
        len(lines),
    )
    return HealthFinding(abs(per_player) <= limit, sentence % values)


def _describe_newcomers(rating_list: RatingList, figures: Figures) -> HealthFinding:
    newcomers, limit = figures["health"]["newcomers"], find_limit(figures, NEWCOMERS_PART)
    if newcomers["players"] < FEW_NEWCOMERS:
        too_few = {"number": newcomers["players"], "needed": FEW_NEWCOMERS}
        return HealthFinding(None, _("Too few newcomers to judge: %(number)d of %(needed)d.") % too_few)
    values = {
        "players": newcomers["players"],
        "gain": rating(abs(newcomers["gain"]), rating_list),
        "limit": rating(limit, rating_list),
    }
    if newcomers["gain"] > limit:
        sentence = _(
            "Two years after their first rating, %(players)d newcomers stand %(gain)s points higher on average: first"
            " ratings are too low. Up to %(limit)s is fine."
        )
    elif newcomers["gain"] < -limit:
        sentence = _(
            "Two years after their first rating, %(players)d newcomers stand %(gain)s points lower on average: first"
            " ratings are too high. Up to %(limit)s is fine."
        )
    else:
        sentence = _(
            "Two years after their first rating, %(players)d newcomers stand %(gain)s points away from it on average."
            " Up to %(limit)s is fine."
        )
    return HealthFinding(abs(newcomers["gain"]) <= limit, sentence % values)


def _describe_predictions(figures: Figures) -> HealthFinding:
    favourites = figures["health"]["favourites"]
    if favourites["games"] < LEAST_GAMES:
        too_few = {"number": favourites["games"], "needed": LEAST_GAMES}
        return HealthFinding(None, _("Too few games to judge: %(number)d of %(needed)d.") % too_few)
    off = favourites["scored"] - favourites["expected"]
    chance = CERTAINTY_95 * math.sqrt(favourites["expected"] * (1 - favourites["expected"]) / favourites["games"])
    last = figures["forecasts"]["years"][-1]
    limit = max(OFF_BY, chance)
    sentence = _(
        "The favourite scored %(scored)s of the points where %(expected)s was expected; up to %(limit)s percentage"
        " points apart is fine. In %(year)s the log loss was %(loss)s: an even chance for both sides in every game"
        " would give 0.693."
    ) % {
        "scored": percent(favourites["scored"], 1), "expected": percent(favourites["expected"], 1),
        "limit": unrounded(100 * limit, 1), "year": last["year"], "loss": unrounded(last["log_loss"], 3),
    }  # fmt: skip
    return HealthFinding(abs(off) <= limit, sentence)


def _describe_distribution(rating_list: RatingList, figures: Figures) -> HealthFinding:
    quartiles, lowest = figures["ratings"], figures["lowest"]
    if not quartiles:
        return HealthFinding(None, _("Nobody is active now."))
    sentence = _("Half of all active players are rated between %(low)s and %(high)s.") % {
        "low": rating(quartiles["low"], rating_list), "high": rating(quartiles["high"], rating_list),
    }  # fmt: skip
    most = max(SMALLEST_CROWD - 1, int(CROWD * quartiles["players"]))
    values = {"players": lowest["players"], "lowest": rating(lowest["rating"], rating_list), "most": most}
    at_floor = ngettext(
        "%(players)d player has the lowest rating, %(lowest)s; up to %(most)d is fine.",
        "%(players)d players have the lowest rating, %(lowest)s; up to %(most)d is fine.",
        lowest["players"],
    )
    return HealthFinding(lowest["players"] <= most, f"{sentence} {at_floor % values}")


def _describe_players(rating_list: RatingList, figures: Figures) -> HealthFinding:
    shares = list_shares(figures)
    provisional, away = shares["provisional"], shares["away"]
    if provisional is None or away is None:
        return HealthFinding(None, _("Nobody is on the list yet."))
    values = {
        "provisional": percent(provisional),
        "away": percent(away),
        "most": percent(MOST_PROVISIONAL),
        "most_away": percent(MOST_AWAY),
        "games": FEW_GAMES,
    }
    if rating_list.rating_system.rating.marks_provisional:
        sentence = _(
            "The ratings of %(provisional)s of the players are provisional; up to %(most)s is fine. %(away)s have not"
            " played for a year; up to %(most_away)s is fine."
        )
    else:
        sentence = _(
            "%(provisional)s of the players have fewer than %(games)d rated games; up to %(most)s is fine. %(away)s"
            " have not played for a year; up to %(most_away)s is fine."
        )
    return HealthFinding(provisional <= MOST_PROVISIONAL and away <= MOST_AWAY, sentence % values)


def list_shares(figures: Figures) -> dict[str, float | None]:
    """Return the shares of the players on the list who are provisional, and who have not played for a year."""
    health = figures["health"]
    return {name: health[name] / health["shown"] if health["shown"] else None for name in ("provisional", "away")}


def list_points(figures: Figures) -> list[tuple[int, list[tuple[str, float]], float]]:
    """Return for each year, the latest first, the points of each cause with its name, and their sum."""
    names = name_causes()
    return [
        (line["year"], [(names[cause], line[cause]) for cause in CAUSES], sum(line[cause] for cause in CAUSES))
        for line in reversed(figures["health"]["points"])
    ]


def list_years(figures: Figures) -> list[YearLine]:
    """Return the figures of each year, the latest first."""
    health = figures["health"]
    panel = {line["year"]: line["mean"] for line in health["panel"]["years"]} if health["panel"] else {}
    losses = {line["year"]: line["log_loss"] for line in figures["forecasts"]["years"]}
    held = {line["year"]: line["held"] for line in health["points"]}
    return [
        YearLine(
            line["year"], panel.get(line["year"]), losses.get(line["year"]), line["newcomers"], line["games"],
            held.get(line["year"]),
        )
        for line in reversed(figures["years"])
    ]  # fmt: skip


def write_health_csv(figures: Figures) -> str:
    """Return all figures by year as CSV, with English column names."""
    causes = {line["year"]: line for line in figures["health"]["points"]}
    gains = {line["year"]: line for line in figures["health"]["newcomers"]["years"]}
    out = io.StringIO()
    writer = csv.writer(out)
    points = [f"points_{cause}" for cause in CAUSES]
    writer.writerow(["year", "games", "newcomers", "panel_mean", "log_loss", *points, "points_held", *COMPARED])
    for line in list_years(figures):
        writer.writerow(_format_row(line, causes.get(line.year, {}), gains.get(line.year, {})))
    return out.getvalue()


def _format_row(line: YearLine, causes: Figures, gains: Figures) -> Iterator[object]:
    numbers: Sequence[float | None] = [line.panel, line.log_loss, *(causes.get(cause) for cause in CAUSES), line.held]
    yield from (line.year, line.games, line.newcomers)
    yield from ("" if number is None else f"{number:.4f}" for number in numbers)
    yield gains.get("players", "")
    yield f"{gains['gain']:.4f}" if gains else ""

"""Explanations of rif-2021 ratings: games of a table, fitted games of a list day, and the rules of a list."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ratings.systems.arithmetic import NATURAL_PER_POINT, expected_score
from ratings.systems.messages import Message as _
from ratings.systems.rif.messages import RifMessage
from ratings.systems.rules import Rules, make_rule_table
from ratings.systems.values import Column, Game, Line, Part, Row, RowExplanation

from .past_games import MIDDLE, PastGames, drift_per_day
from .whole_history import SCALE, Fit

YEARS_IN_FULL = 5
"""Years before a list day whose games an explanation names one by one; older ones are added up."""


def terms_of_table(games: Sequence[Game], in_force: Mapping[str, float | None]) -> dict[str, list[dict[str, Any]]]:
    """Return each player's games as JSON: opponent, both ratings in force, expected score and score.

    A rating is null for a newcomer, and then the expected score is too.
    """
    terms: dict[str, list[dict[str, Any]]] = {id: [] for id in in_force}
    for game in games:
        assert game.b is not None
        assert game.score is not None
        for id, other, score in ((game.a, game.b, game.score), (game.b, game.a, 1 - game.score)):
            own, theirs = in_force[id], in_force[other]
            terms[id].append(
                {
                    "opponent": other,
                    "opponent_rating": theirs,
                    "rating": own,
                    "expected": None if own is None or theirs is None else expected_score(own, theirs),
                    "score": score,
                }
            )
    return terms


class FittedList:
    """The fit of a list day, read for one segment at a time."""

    def __init__(self, past: PastGames, fit: Fit, day: dt.date, settings: Mapping[str, Any]) -> None:
        self.fit = fit
        self.drift, self.virtual_games = drift_per_day(settings), settings["virtual_games"]
        self.shift, self.players = past.shift, [segment.player for segment in past.segments]
        self.opponents, self.priors = list(past.opponents), [segment.prior for segment in past.segments]
        self.a, self.b = np.array(past.a, dtype=np.int64), np.array(past.b, dtype=np.int64)
        self.days, self.scores = np.array(past.days, dtype=np.int64), np.array(past.scores)
        self.constants = np.array(past.constants)
        self.surprise = self.scores - fit.expected
        since = day.toordinal() - round(365.25 * YEARS_IN_FULL)
        old, count, inside = self.days < since, len(self.players), self.b >= 0
        self.since = since
        sides = ((self.a[old], self.surprise[old]), (self.b[old & inside], -self.surprise[old & inside]))
        self.older = sum((np.bincount(segment, values, count) for segment, values in sides), np.zeros(count))
        self.older_games = sum((np.bincount(segment, minlength=count) for segment, _v in sides), np.zeros(count))

    def published(self, x: float) -> float:
        return MIDDLE + self.shift + SCALE * x

    def figures_of(self, segment: int, before: float | None, after: float) -> dict[str, Any]:
        """Return the figures that an explanation needs beside the games: deviations, and sums of games and the prior.

        `before` and `after` are the deviations on the last list and on this one. The keys are deviation_before,
        deviation, older_games, older (sum of score - expected), pull, first_rating (of the first day) and `drift` (of a
        day, in rating points squared).
        """
        prior, first = self.priors[segment], float(self.fit.x[self.fit.first[segment]])
        if prior.day is None:
            pull = self.virtual_games * (0.5 - 1 / (1 + math.exp(-first)))
        else:
            pull = (prior.mean - first) / prior.spread**2
        return {
            "deviation_before": before,
            "deviation": after,
            "older_games": int(self.older_games[segment]),
            "older": float(self.older[segment]),
            "pull": pull,
            "first_rating": self.published(first),
            "uncertainty": SCALE * float(self.fit.uncertainty[segment]),
            "last_day": dt.date.fromordinal(int(self.fit.day[self.fit.last[segment]])).isoformat(),
            "drift": self.drift,
        }

    def terms_of(self, segment: int) -> Iterator[dict[str, Any]]:
        """Yield the games of a segment in the last five years as JSON, newest day first.

        The keys are day, table, opponent, opponent_rating and rating (both fitted for that day), expected, score and
        surprise (score - expected). `change` is the game's part in the climb into its day from the player's day before:
        drift x days between x surprise, in rating points; 0 on the first day.
        """
        fit = self.fit
        numbers = np.flatnonzero(((self.a == segment) | (self.b == segment)) & (self.days >= self.since))
        for n in sorted(numbers.tolist(), key=lambda n: (-int(self.days[n]), n)):
            first = self.a[n] == segment
            own = int(fit.a[n] if first else fit.b[n])
            other = int(fit.b[n] if first else fit.a[n])
            surprise = float(self.surprise[n]) if first else -float(self.surprise[n])
            score = float(self.scores[n]) if first else 1 - float(self.scores[n])
            before = own - 1 if own > fit.first[segment] else own
            apart = int(fit.day[own] - fit.day[before])
            yield {
                "day": dt.date.fromordinal(int(self.days[n])).isoformat(),
                "table": self.opponents[n][2],
                "opponent": self.opponents[n][1 if first else 0],
                "opponent_rating": self.published(float(self.constants[n] if other < 0 else fit.x[other])),
                "rating": self.published(float(fit.x[own])),
                "expected": score - surprise,
                "score": score,
                "surprise": surprise,
                "change": self.drift * apart * NATURAL_PER_POINT * surprise,
            }

    def list_warnings(self) -> tuple[str, ...]:
        """Return a warning of the players whom no game links, directly or through others, to the largest group."""
        from scipy.sparse import coo_array  # noqa: PLC0415 - slow to load
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to load

        inside, count = self.b >= 0, len(self.players)
        if not count:
            return ()
        ids = sorted(set(self.players))
        number = {id: n for n, id in enumerate(ids)}
        of_segment = np.array([number[id] for id in self.players])
        links = (np.ones(int(inside.sum())), (of_segment[self.a[inside]], of_segment[self.b[inside]]))
        groups = connected_components(coo_array(links, shape=(len(ids), len(ids))), directed=False)[1]
        apart = int(np.sum(groups != np.bincount(groups).argmax()))
        return (RifMessage.NOT_CONNECTED(count=apart),) if apart else ()


TABLE_COLUMNS = (
    Column("opponent_rating", _("Their rating"), "points"),
    Column("score", _("Result"), "score"),
    Column("expected", _("Expected"), "share"),
)
LIST_COLUMNS = (
    Column("day", _("Day"), "day"),
    Column("opponent_rating", _("Their fitted rating that day"), "points"),
    Column("rating", _("Own fitted rating that day"), "points"),
    Column("expected", _("Expected"), "share"),
    Column("score", _("Result"), "score"),
    Column("surprise", _("Result − expected"), "share"),
    Column("change", _("Part in the change of that day"), "signed"),
)
WAITING = _("These games move ratings on the next list day, together with all others.")
NOTES = (
    _(
        "All ratings of all players on all their days are fitted to all games at once. So a rating can move without a"
        " game, when the ratings of former opponents are revised."
    ),
    _(
        "The change from one day with games to the next is the variance of the drift per day × the days between × ln 10"
        " ÷ 400 × the sum of (result − expected) of the later day and all days after it."
    ),
)


def explained(row: Row) -> RowExplanation:
    """Explain a row of a list day by the fit, or a row of a table by the ratings in force."""
    if "pull" not in row.figures:
        return RowExplanation(TABLE_COLUMNS, (), (WAITING,))
    at = row.figures
    older = Line(_("Older games ({count}): sum of result − expected", count=at["older_games"]), at["older"], "share")
    lines = (
        *_day_lines(row),
        *([older] if at["older_games"] else []),
        Line(_("Pull towards the first rating"), at["pull"], "share"),
        Line(
            _("Sum of result − expected of all games, and of this pull; 0 if the fit is right"),
            _sum_of_fit(row),
            "share",
        ),
        Line(_("Deviation on the last day, {day}", day=at["last_day"]), at["uncertainty"], "points"),
        Line(_("Deviation on the list day"), at["deviation"], "points"),
        *([] if row.before is None else [Line(_("Rating on the list before"), row.before, "points")]),
        Line(_("Rating on this list"), row.after or 0.0, "points"),
    )
    expected = sum(game["expected"] for game in row.terms)
    return RowExplanation(LIST_COLUMNS, lines, NOTES, _parts(row), expected)


def _sum_of_fit(row: Row) -> float:
    total = sum(game["surprise"] for game in row.terms) + row.figures["older"] + row.figures["pull"]
    return 0.0 if abs(total) < 1e-9 else float(total)


def _day_lines(row: Row) -> Iterator[Line]:
    """Yield the fitted rating of each day with games, oldest first, and the change into it."""
    days: dict[str, tuple[float, float]] = {}
    for game in reversed(row.terms):
        days[game["day"]] = game["rating"], days.get(game["day"], (0.0, 0.0))[1] + game["surprise"]
    previous = None
    for day, (rating, surprise) in days.items():
        total = f"{surprise:+.4f}".replace("-", "−")
        change = "" if previous is None else f" ({rating - previous:+.2f})".replace("-", "−")
        label = _("Fitted rating on {day}; sum of result − expected {total}", day=day, total=total)
        yield Line(label, f"{rating:.2f}{change}", "plain")
        previous = rating


def _parts(row: Row) -> tuple[Part, ...]:
    """Return the parts of the change since the list before: the games of its last day, and the rest.

    The games' parts are those in the climb into the last day; all ratings before it may have been revised.
    """
    if row.before is None or row.change is None or not row.terms:
        return ()
    last = row.terms[0]["day"]
    parts = [Part(game["change"], n) for n, game in enumerate(row.terms) if game["day"] == last]
    rest = row.change - sum(part.points for part in parts)
    return (*parts, Part(rest, label=_("Earlier days and former opponents, fitted again")))


def rules(settings: Mapping[str, Any]) -> Rules:
    """Return the rules with a list's settings."""
    drift, draws = drift_per_day(settings), settings["virtual_games"]
    scores = [(by, round(expected_score(by, 0), 3)) for by in (0, 50, 100, 150, 200, 300, 400, 600)]
    drifts = [(days, round(math.sqrt(drift * days), 1)) for days in (30, 90, 180, 365, 730, 1825)]
    lists = {
        "monthly": _("A list is made on the last day of each month."),
        "quarterly": _("A list is made on 31 March, 30 June, 30 September and 31 December."),
        "yearly": _("A list is made on 31 December."),
    }[settings["lists"]]
    online = {"yes": _("Games on the internet are rated."), "no": _("Games on the internet are not rated.")}
    correspondence = {"yes": _("Correspondence games are rated."), "no": _("Correspondence games are not rated.")}
    least = settings["least_minutes"]
    return Rules(
        _("Renju International Federation, rating system since 8 August 2021 (Whole-History Rating)"),
        (
            _(
                "Every player has a rating on every day on which an event of theirs ended. A list fits all these"
                " ratings at once: they are those that make all results so far most probable."
            ),
            _("The expected score is 1 ÷ (1 + 10^(difference ÷ 400)). A draw is half a win and half a loss."),
            _(
                "From one such day to the next, a rating can drift. The variance of the drift is {drift} points squared"
                " for each day between; the table below shows its standard deviation.",
                drift=float(f"{drift:g}"),
            ),
            _("Every player begins with one draw against a player rated 1900, on the first day.")
            if draws == 1
            else _(
                "Every player begins with {draws} draws against a player rated 1900, on the first day.", draws=draws
            ),
            lists,
            _("Ratings do not move between two lists. Later games do not change a list."),
            _("A late or corrected result changes all lists from its day on, for all players, usually by little."),
        ),
        (
            make_rule_table(_("Expected score"), (_("Rating difference"), _("Expected")), *scores),
            make_rule_table(_("Drift of a rating without a game"), (_("Days"), _("± points")), *drifts),
        ),
        (
            _("Rated games that a player needs to be established: {games}.", games=settings["established_games"]),
            _("The public list shows established players with a game in the last five years."),
            _(
                "The deviation is one standard deviation. It is computed as if the opponents’ ratings were exact, and"
                " grows with the time since the last game."
            ),
            _("After an officer sets a player’s rating, the player’s earlier games count for the opponents only."),
            online[settings["online"]],
            correspondence[settings["correspondence"]],
            *(
                [_("Events with a thinking time of less than {minutes} min are not rated.", minutes=least)]
                if least
                else []
            ),
        ),
    )

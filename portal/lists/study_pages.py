"""Figures of a finished study as its page shows them: names of candidates, verdicts in words, kinds of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ratings.laboratory.candidates import Candidate
from ratings.localize import translate_message
from ratings.models import Player
from ratings.systems import SYSTEMS

Figures = Mapping[str, Any]
KINDS = {
    "provisional": gettext_lazy("A player with a provisional rating"),
    "established": gettext_lazy("Two established players"),
    "junior": gettext_lazy("A player under 21"),
    "small gap": gettext_lazy("Less than 100 points apart"),
    "medium gap": gettext_lazy("100 to 300 points apart"),
    "large gap": gettext_lazy("More than 300 points apart"),
}
"""Names of the kinds of games; the other kinds are years."""


@dataclass(frozen=True)
class CandidateLine:
    """A candidate of a study with its name, its options as text, and its figures."""

    name: str
    options: str
    figures: Figures
    is_best: bool


@dataclass(frozen=True)
class KindLine:
    """A kind of game, its number of games, and a log loss and a verdict for each candidate."""

    name: str
    is_year: bool
    games: int
    cells: list[tuple[float, str]]


@dataclass(frozen=True)
class MoveLine:
    """A player whose rating would change, the present rating, the candidate's, and the difference in rating points."""

    player: Player
    present: float
    rating: float
    change: float


def name_system(key: str) -> str:
    return translate_message(SYSTEMS[key].name) if key in SYSTEMS else key


def describe_options(options: Figures) -> str:
    return str(Candidate("", options)).strip()


def describe_verdict(estimate: Figures | None) -> str:
    """Return the words for a difference of log loss from the present rules."""
    if estimate is None:
        return ""
    return {
        "better": _("better, the difference is sure"),
        "worse": _("worse, the difference is sure"),
        "no difference": _("no difference"),
        "unknown": _("too few events to judge"),
    }[estimate["verdict"]]


def name_verdict(estimate: Figures | None) -> str:
    """Return the word for a difference from the present rules in a small cell; empty if there is no verdict."""
    words = {"better": _("better"), "worse": _("worse"), "no difference": _("no difference")}
    return "" if estimate is None else words.get(estimate["verdict"], "")


def name_definition(definition: Figures) -> str:
    """Return a title of a study: its systems, and the options that it sweeps."""
    names = [name_system(system) for system in dict.fromkeys(c["system"] for c in definition["candidates"])]
    if definition["sweep"] is not None:
        options = " × ".join(definition["sweep"]["values"])
        names.append(_("sweep of %(options)s") % {"options": options})
    return pgettext("between items of a list", ", ").join(names)


def list_candidates(result: Figures) -> list[CandidateLine]:
    candidates = result["candidates"]
    best = min((c["log_loss"]["mean"] for c in candidates), default=None)
    lines = []
    for figures in candidates:
        is_best = len(candidates) > 1 and figures["log_loss"]["mean"] == best
        name, options = name_system(figures["system"]), describe_options(figures["options"])
        lines.append(CandidateLine(name, options, figures, is_best))
    return lines


def list_kinds(result: Figures) -> list[KindLine]:
    return [
        KindLine(
            str(KINDS.get(kind["name"], kind["name"])),
            kind["name"] not in KINDS,
            kind["games"],
            [(loss, name_verdict(against)) for loss, against in zip(kind["log_losses"], kind["against"], strict=True)],
        )
        for kind in result["kinds"]
    ]


def describe_result(result: Figures) -> str:
    """Return the sentence that says which candidate predicts best, and whether that is sure."""
    candidates = result["candidates"]
    if len(candidates) < 2:
        return ""
    best = min(candidates, key=lambda candidate: candidate["log_loss"]["mean"])
    against = best["against"]
    if against is None:
        return _("The present rules predict best.")
    values = {
        "system": name_system(best["system"]),
        "difference": f"{-against['mean']:.4f}",
    }
    if against["verdict"] == "better":
        return (
            _(
                "%(system)s predicts best: its log loss is %(difference)s lower than that of the present rules, and the"
                " difference is sure."
            )
            % values
        )
    if against["verdict"] == "unknown":
        return _("%(system)s predicts best, but there are too few events to judge whether that is chance.") % values
    return _("There is no difference between %(system)s and the present rules that could not be chance.") % values


@dataclass(frozen=True)
class PointLine:
    """One value, or pair of values, of a sweep, with its log loss (None if the run failed)."""

    values: list[Any]
    log_loss: float | None
    is_best: bool


def list_points(sweep: Figures) -> list[PointLine]:
    return [
        PointLine(list(point["values"].values()), point["log_loss"], point["values"] == sweep["best"])
        for point in sweep["points"]
    ]


MOST_MOVES = 10


def list_moves(moves: list[Figures]) -> Iterator[MoveLine]:
    """Yield the players of a candidate's gains or losses who are still on the site."""
    players = Player.objects.in_bulk([move["player"] for move in moves[:MOST_MOVES]], field_name="public_id")
    for move in moves[:MOST_MOVES]:
        player = players.get(move["player"])
        if player is not None:
            yield MoveLine(player, move["present"], move["rating"], move["rating"] - move["present"])

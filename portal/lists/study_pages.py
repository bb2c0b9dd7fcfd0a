"""Figures of a finished study as its page shows them: names of candidates, verdicts in words, kinds of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.laboratory.candidates import Candidate
from ratings.localize import join_parts, translate_message
from ratings.models import Player
from ratings.systems import SYSTEMS
from ratings.systems.messages import message_from_json

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
    """A player whose rating would change, with the candidate's rating and the change in rating points."""

    player: Player
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
    return join_parts(names)


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
"""Number of players that a page shows of those who would gain most, or lose most."""


def list_moves(lines: Sequence[CandidateLine]) -> list[tuple[CandidateLine, list[MoveLine], list[MoveLine]]]:
    """Return candidates with the players who would gain and lose most by them, as far as they are still on the site."""
    found = [
        (line, line.figures["lists"]["gains"][:MOST_MOVES], line.figures["lists"]["losses"][:MOST_MOVES])
        for line in lines
    ]
    ids = {move["player"] for _, gains, losses in found for move in (*gains, *losses)}
    players = Player.objects.in_bulk(ids, field_name="public_id")

    def read(moves: Sequence[Figures]) -> list[MoveLine]:
        known = [(players[move["player"]], move) for move in moves if move["player"] in players]
        return [MoveLine(player, move["rating"], move["rating"] - move["present"]) for player, move in known]

    return [(line, read(gains), read(losses)) for line, gains, losses in found]


def list_failures(result: Figures) -> list[tuple[str, str, str]]:
    """Return the runs that could not be finished: the system, its options, and why, in the reader's language."""
    return [
        (
            name_system(failure["system"]),
            describe_options(failure["options"]),
            translate_message(message_from_json(failure["error"])),
        )
        for failure in result["failures"]
    ]

"""Figures of a finished study as its page shows them: names of candidates, verdicts in words, kinds of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from portal.templatetags.portal_format import unrounded
from ratings.laboratory.conversion import has_other_scale
from ratings.localize import format_range, join_parts, translate_message
from ratings.models import Player
from ratings.queries.players.names import put_public_names
from ratings.systems import SYSTEMS
from ratings.systems.messages import message_from_json

from .study_names import describe_options, name_system

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
KINDS_BY_GAMES = {
    "provisional": gettext_lazy("A player with fewer than 30 rated games"),
    "established": gettext_lazy("Two players with 30 rated games or more"),
}
"""Names where the present system has no category for ratings that rest on few games."""


@dataclass(frozen=True)
class CandidateLine:
    """A candidate of a study with its name, its options as text, and its figures."""

    name: str
    options: str
    figures: Figures
    is_best: bool

    @property
    def label(self) -> str:
        """The name with the options."""
        return join_parts([self.name, self.options])


@dataclass(frozen=True)
class KindLine:
    """A kind of game, its number of games, and for each candidate its name, a log loss and a verdict."""

    name: str
    is_year: bool
    games: int
    cells: list[tuple[str, float, str]]


@dataclass(frozen=True)
class MoveLine:
    """A player whose rating would change, with the ratings by the present rules and by the candidate."""

    player: Player
    present: float
    rating: float


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


def list_candidates(result: Figures) -> list[CandidateLine]:
    candidates = result["candidates"]
    best = min((c["log_loss"]["mean"] for c in candidates), default=None)
    lines = []
    for figures in candidates:
        is_best = len(candidates) > 1 and figures["log_loss"]["mean"] == best
        name, options = name_system(figures["system"]), describe_options(figures["system"], figures["options"])
        lines.append(CandidateLine(name, options, figures, is_best))
    return lines


def list_kinds(result: Figures) -> list[KindLine]:
    lines = list_candidates(result)
    names = [line.label for line in lines]
    present = SYSTEMS.get(lines[0].figures["system"]) if lines else None
    words = KINDS if present is None or present.rating_class.marks_provisional else KINDS | KINDS_BY_GAMES
    return [
        KindLine(
            str(words.get(kind["name"], kind["name"])),
            kind["name"] not in KINDS,
            kind["games"],
            [
                (name, loss, name_verdict(against))
                for name, loss, against in zip(names, kind["log_losses"], kind["against"], strict=True)
            ],
        )
        for kind in result["kinds"]
    ]


def list_other_scales(result: Figures) -> list[str]:
    """Return the names of the candidates' systems whose ratings have another scale than the present ones."""
    systems = [figures["system"] for figures in result["candidates"] if figures["system"] in SYSTEMS]
    others = [key for key in dict.fromkeys(systems) if has_other_scale(SYSTEMS[systems[0]], SYSTEMS[key])]
    return [name_system(key) for key in others]


def describe_result(result: Figures) -> str:
    """Return the sentence that says which candidate predicts best, and whether that is sure."""
    candidates = result["candidates"]
    if len(candidates) < 2:
        return ""
    best = min(candidates, key=lambda candidate: candidate["log_loss"]["mean"])
    against = best["against"]
    if against is None:
        return _describe_present([candidate["against"]["verdict"] for candidate in candidates if candidate["against"]])
    same = [candidate for candidate in candidates if candidate["system"] == best["system"]]
    options = describe_options(best["system"], best["options"]) if len(same) > 1 else ""
    values = {
        "system": join_parts([name_system(best["system"]), options]),
        "difference": unrounded(-against["mean"], 4),
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


def _describe_present(verdicts: Sequence[str]) -> str:
    """Return the sentence for present rules that predict best, by the verdicts on the other candidates."""
    if all(verdict == "worse" for verdict in verdicts):
        return _("The present rules predict best, and the difference is sure.")
    if all(verdict == "unknown" for verdict in verdicts):
        return _("The present rules predict best, but there are too few events to judge whether that is chance.")
    if "worse" in verdicts:
        return _("The present rules predict best, but the difference from one or more candidates could be chance.")
    return _("All differences from the present rules could be chance.")


def describe_panel(figures: Sequence[Figures]) -> str:
    """Return the sentence that says of how many players the drift is, by the figures of candidates; empty without."""
    sizes = [each["lists"]["panel"] for each in figures if each["lists"]["panel"]]
    if not sizes:
        return ""
    text = ngettext(
        "Drift: the mean change in a year of the %(players)s player who played in every year.",
        "Drift: the mean change in a year of the %(players)s players who played in every year.",
        max(sizes),
    )
    players = str(sizes[0]) if len(set(sizes)) == 1 else format_range(min(sizes), max(sizes), is_tight=True)
    return text % {"players": players}


MOST_MOVES = 10
"""Number of players that a page shows of those who would gain most, or lose most."""


def list_moves(lines: Sequence[CandidateLine]) -> list[tuple[CandidateLine, list[MoveLine], list[MoveLine]]]:
    """Return candidates with the players who would gain and lose most by them, as far as they are still on the site.

    Candidates by whom nobody would gain or lose are left out, such as those whose ratings have another scale.
    """
    found = [
        (line, line.figures["lists"]["gains"][:MOST_MOVES], line.figures["lists"]["losses"][:MOST_MOVES])
        for line in lines
    ]
    ids = {move["player"] for _, gains, losses in found for move in (*gains, *losses)}
    players = Player.objects.in_bulk(ids, field_name="public_id")

    def read(moves: Sequence[Figures]) -> list[MoveLine]:
        known = [(players[move["player"]], move) for move in moves if move["player"] in players]
        return [MoveLine(player, move["present"], move["rating"]) for player, move in known]

    return [(line, read(gains), read(losses)) for line, gains, losses in found if gains or losses]


def list_failures(result: Figures) -> list[tuple[str, str]]:
    """Return the runs that could not be finished: the system with its options, and why, in the reader's language."""
    labels = [
        join_parts([name_system(failure["system"]), describe_options(failure["system"], failure["options"])])
        for failure in result["failures"]
    ]
    errors = [translate_message(message_from_json(failure["error"])) for failure in result["failures"]]
    return list(zip(labels, put_public_names(errors), strict=True))


def describe_failure(error: str) -> str:
    """Return why a whole computation failed, in the reader's language and with public names of players."""
    return put_public_names([translate_message(error)])[0] if error else ""

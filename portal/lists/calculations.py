"""Context of a calculator's result: sentences, tiles, rows and what was assumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.events.change_sentences import describe_worth
from portal.events.explained_changes import list_rows
from portal.templatetags.portal_format import points
from ratings.models import RatingList
from ratings.queries.grades.progress import Simulation


def result_context(
    outcome: Simulation, games: Sequence[tuple[float, float]], rating_list: RatingList, assumptions: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the context of the result of calculated games (opponent's rating, score), with further assumptions."""
    names = {f"opponent {number}": _("Game %(number)d") % {"number": number} for number in range(1, len(games) + 1)}
    scored = sum(score for _rating, score in games)
    return {
        "imagined": outcome,
        "names": names,
        "rows": list_rows(outcome, {}, names),
        "scored": scored,
        "games_count": len(games),
        "sentences": [
            _describe_score(outcome, scored, len(games)),
            describe_worth(outcome, rating_list, is_peak=False),
        ],
        "assumptions": [
            *assumptions,
            _("The opponents keep the ratings that were entered."),
            _("All games are even games of one event, played today."),
        ],
    }


def _describe_score(outcome: Simulation, scored: float, games: int) -> SafeString:
    expected = outcome.explained.expected
    if expected is None:
        pattern = ngettext("{points} of {games} game.", "{points} of {games} games.", games)
    else:
        pattern = _("{points} of {games} where the ratings expect {expected}.")
    text = "" if expected is None else f"{expected:.2f}"
    return format_html(pattern, points=points(scored), games=games, expected=text)

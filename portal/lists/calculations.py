"""Context of a calculator's result: sentences, tiles, rows and what was assumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.events.change_sentences import describe_worth
from portal.events.explained_changes import list_rows
from portal.templatetags.portal_format import points, rating, signed, unrounded
from ratings.localize import format_day
from ratings.models import RatingList
from ratings.queries.grades.progress import Simulation
from ratings.systems.values import Line


def result_context(
    outcome: Simulation,
    games: Sequence[tuple[float, float]],
    rating_list: RatingList,
    assumptions: Iterable[str] = (),
    about_games: str = "",
) -> dict[str, Any]:
    """Return the context of the result of calculated games (opponent's rating, score), with further assumptions.

    `about_games` is what is assumed about the games; empty for even games of one event.
    """
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
            _describe_next_list(outcome, rating_list) or describe_worth(outcome, rating_list, is_peak=False),
        ],
        "list_lines": _list_lines_of_next_list(outcome, rating_list),
        "assumptions": [
            *assumptions,
            _("The opponents keep the ratings that were entered."),
            about_games or assume_games(),
            *([_("No other games count for the next list.")] if outcome.next_list else []),
        ],
    }


def assume_games(*, with_handicaps: bool = False) -> str:
    """Return what is assumed about games of no known event."""
    if with_handicaps:
        return _("All games are of one event, played today.")
    return _("All games are even games of one event, played today.")


def _describe_next_list(outcome: Simulation, rating_list: RatingList) -> str:
    """Return the sentence that says the rating on the next list; empty if ratings move at once or it has none."""
    if outcome.next_list is None or outcome.next_list[1].after is None:
        return ""
    day, row = outcome.next_list
    change = signed(row, rating_list)
    values = {"day": format_day(day), "rating": rating(row.after, rating_list), "change": change}
    if row.before is None:
        return _("The list of %(day)s would have the first rating %(rating)s.") % values
    return _("The list of %(day)s would have the rating %(rating)s (%(change)s).") % values


def _list_lines_of_next_list(outcome: Simulation, rating_list: RatingList) -> Sequence[Line]:
    """Return the lines that explain the rating on the next list, if there is one."""
    if outcome.next_list is None or outcome.next_list[1].after is None:
        return ()
    row = outcome.next_list[1]
    if not row.terms:
        return ()
    return rating_list.rating_system.presentation.explained(replace(row, terms=tuple(row.terms))).lines


def _describe_score(outcome: Simulation, scored: float, games: int) -> SafeString:
    expected = outcome.explained.expected
    if expected is None:
        pattern = ngettext("{points} of {games} game.", "{points} of {games} games.", games)
    else:
        pattern = _("{points} of {games} where the ratings expect {expected}.")
    text = "" if expected is None else unrounded(expected)
    return format_html(pattern, points=points(scored), games=games, expected=text)

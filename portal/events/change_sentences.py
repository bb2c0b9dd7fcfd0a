"""Sentences about a rating change; each is a whole sentence for translators, chosen by sign and size."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.site.page_links import player_address
from portal.templatetags.portal_format import marked_name, points, rating, signed, unrounded
from ratings.characters import MINUS
from ratings.displayed_changes import round_change
from ratings.localize import format_day
from ratings.models import Event, Player, RatedTable, RatingList
from ratings.queries.events.closing_explanations import ClosingExplanation
from ratings.queries.events.explanations import Explanation

from .explained_changes import ChangeRow, ExplainedRow
from .waterfall import LEAST_CHANGE


def describe_change(explanation: Explanation, rated: RatedTable, *, is_peak: bool) -> list[SafeString]:
    """Return the sentences about the score and what it was worth; none without rated games."""
    if not explanation.row.terms:
        return []
    return [_describe_score(explanation, rated), describe_worth(explanation, rated.list, is_peak=is_peak)]


def _describe_score(explanation: Explanation, rated: RatedTable) -> SafeString:
    scored = [term["score"] for term in explanation.row.terms if term.get("opponent")]
    expected = explanation.explained.expected
    pattern = (
        _("{name} scored {points} of {games} at {event}.")
        if expected is None
        else _("{name} was expected to score {expected} of {games} at {event} and scored {points}.")
    )
    return format_html(
        pattern,
        name=link_player(explanation.change.player, rated.list),
        event=link_event(rated.table.event, rated.list),
        games=len(scored),
        points=points(sum(scored)),
        expected="" if expected is None else unrounded(expected),
    )


def describe_worth(explanation: ExplainedRow, rating_list: RatingList, *, is_peak: bool) -> SafeString:
    """Return the sentence about what a rated or calculated score is worth."""
    row = explanation.row
    if row.after is None:
        return escape(_("There is no rating yet.") if row.before is None else _("The rating was lost."))
    if row.before is None or row.change is None:
        return format_html(_("The first rating is {rating}."), rating=rating(row.after, rating_list))
    if explanation.counts_on:
        return _describe_later_points(row.change, rating_list, explanation.counts_on)
    change = round_change(row, rating_list.decimals) or 0
    return _describe_new_rating(explanation, change, rating_list, is_peak=is_peak)


def describe_closing(explanation: ClosingExplanation, rating_list: RatingList) -> SafeString:
    """Return the sentence about the change of a rating on a closing day."""
    row, player, day = explanation.row, explanation.change.player, explanation.change.day
    if row.after is None and row.before is None:
        return escape(_("There is no rating yet."))
    if row.after is None:
        pattern = _("With the list of {day}, {name} lost the rating of {before} and is no longer on the list.")
        before = format_html("<strong>{}</strong>", rating(row.before, rating_list))
        return format_html(pattern, name=link_player(player, rating_list), day=format_day(day), before=before)
    after = format_html("<strong>{}</strong>", rating(row.after, rating_list))
    values = {"name": link_player(player, rating_list), "day": format_day(day), "after": after}
    if row.before is None or row.change is None:
        return format_html(_("With the list of {day}, {name} got a first rating: {after}."), **values)
    change = round_change(row, rating_list.decimals) or 0
    size = format_size(change, rating_list)
    if not size.strip("0.,"):
        return format_html(_("With the list of {day}, the rating of {name} stayed {after}."), **values)
    pattern = _("With the list of {day}, the rating of {name} rose by {points} to {after}.")
    if change < 0:
        pattern = _("With the list of {day}, the rating of {name} fell by {points} to {after}.")
    return format_html(pattern, points=size, **values)


def _describe_new_rating(
    explanation: ExplainedRow, change: float, rating_list: RatingList, *, is_peak: bool
) -> SafeString:
    row = explanation.row
    size = format_size(change, rating_list)
    is_one = size == "1"
    if not size.strip("0.,"):
        return format_html(_("The rating stays {rating}."), rating=rating(row.after, rating_list))
    if not explanation.explained.parts and explanation.explained.expected is None:
        return format_html(
            _("A new rating was calculated from earlier games and these together: {rating} instead of {before}."),
            rating=format_html("<strong>{}</strong>", rating(row.after, rating_list)),
            before=rating(row.before, rating_list),
        )
    if _contradicts_score(explanation):
        return format_html(
            _("The rules used here change the rating by {change} all the same."),
            change=format_html("<strong>{}</strong>", signed(change, rating_list)),
        )
    if change < 0:
        pattern = ngettext("That cost {points} point.", "That cost {points} points.", 1 if is_one else 2)
    elif is_peak:
        pattern = ngettext(
            "That is worth {points} point, and a new highest rating.",
            "That is worth {points} points, and a new highest rating.",
            1 if is_one else 2,
        )
    else:
        pattern = ngettext("That is worth {points} point.", "That is worth {points} points.", 1 if is_one else 2)
    return format_html(pattern, points=format_html("<strong>{}</strong>", size))


def _describe_later_points(change: float, rating_list: RatingList, day: dt.date) -> SafeString:
    size = format_size(change, rating_list)
    count = 1 if size == "1" else 2
    if change < 0:
        pattern = ngettext(
            "That costs {points} point, which counts from the list of {day}.",
            "That costs {points} points, which count from the list of {day}.",
            count,
        )
    else:
        pattern = ngettext(
            "That is worth {points} point, which counts from the list of {day}.",
            "That is worth {points} points, which count from the list of {day}.",
            count,
        )
    points_worth = format_html("<strong>{}</strong>", size)
    return format_html(pattern, points=points_worth, day=format_day(day))


def _contradicts_score(explanation: ExplainedRow) -> bool:
    """Return True if the rating rose after a score below the expected one, or fell after a score above it."""
    expected = explanation.explained.expected
    scored = sum(term["score"] for term in explanation.row.terms if term.get("opponent"))
    return expected is not None and (scored - expected) * (explanation.row.change or 0) < 0


def describe_games(rows: Sequence[ChangeRow], before: float | None, rating_list: RatingList) -> list[SafeString]:
    """Return sentences about the games that mattered most; none where there was no choice."""
    games = [row for row in rows if row.player is not None and row.points is not None]
    if len(games) < 2 or before is None or all(_size(game) < LEAST_CHANGE for game in games):
        return []
    return [*_describe_most_important(games, rating_list), *_describe_certain_win(games, before, rating_list)]


def _describe_most_important(games: Sequence[ChangeRow], rating_list: RatingList) -> list[SafeString]:
    """Return sentences about the game that changed most, and the largest one in the other direction."""
    first = max(games, key=_size)
    others = (_size(row) for row in games if row is not first)
    sentences = [_describe_game(first, rating_list, is_largest=f"{_size(first):.2f}" != f"{max(others):.2f}")]
    opposite = [row for row in games if _sign(row) == -_sign(first)]
    if opposite:
        sentences.append(_describe_game(max(opposite, key=_size), rating_list, is_largest=False))
    return sentences


def describe_effects(
    rows: Sequence[ChangeRow], indexes: Sequence[int], effects: Sequence[float | None], rating_list: RatingList
) -> list[SafeString]:
    """Return sentences about the games that mattered most for a rating that is not a sum.

    `indexes` are the positions of the event's games in `rows`, `effects` the effect of each, in rating points. Return
    one sentence with the reason if no game can be named, and an empty list for fewer than two games.
    """
    if len(indexes) < 2:
        return []
    if any(effect is None for effect in effects):
        return [escape(_("There would be no rating without some of these games, so no single game is named."))]
    games = [replace(rows[index], points=effect) for index, effect in zip(indexes, effects, strict=True)]
    if all(_size(game) < LEAST_CHANGE for game in games):
        text = _("Leaving out any one of these games would not change the rating, so no single game is named.")
        return [escape(text)]
    sentences = _describe_most_important([game for game in games if game.player is not None], rating_list)
    text = _("The points of a game are the value calculated with all games, minus the value without that game.")
    return [*sentences, escape(text)]


def describe_joint_rating(games: int) -> list[SafeString]:
    """Return the sentence that says why no game of a closing day is named; an empty list for fewer than two games."""
    if games < 2:
        return []
    return [escape(_("The list rates all these games together, so no single game is named."))]


def _size(row: ChangeRow) -> float:
    return abs(row.points or 0)


def _sign(row: ChangeRow) -> int:
    return 0 if _size(row) < LEAST_CHANGE else 1 if (row.points or 0) > 0 else -1


def _describe_game(row: ChangeRow, rating_list: RatingList, *, is_largest: bool) -> SafeString:
    assert row.player is not None
    kind = (row.score or 0.0, _sign(row) > 0)
    if is_largest:
        patterns = {
            (1, True): _("The win against {name} brought {points} points, more than any other game changed."),
            (0.5, True): _("The draw with {name} brought {points} points, more than any other game changed."),
            (0.5, False): _("The draw with {name} cost {points} points, more than any other game changed."),
            (0, False): _("The loss to {name} cost {points} points, more than any other game changed."),
        }
    else:
        patterns = {
            (1, True): _("The win against {name} brought {points}."),
            (0.5, True): _("The draw with {name} brought {points}."),
            (0.5, False): _("The draw with {name} cost {points}."),
            (0, False): _("The loss to {name} cost {points}."),
        }
    pattern = patterns.get(kind, _("The game against {name} changed the rating by {points} points."))
    return format_html(pattern, name=link_player(row.player, rating_list), points=unrounded(_size(row)))


def _describe_certain_win(games: Sequence[ChangeRow], before: float, rating_list: RatingList) -> Iterator[SafeString]:
    for row in games:
        if row.score == 1 and _size(row) < LEAST_CHANGE and row.rating is not None and row.rating < before:
            assert row.player is not None
            pattern = _("Beating {name}, {difference} points lower, was worth nothing: it was certain.")
            yield format_html(
                pattern, name=link_player(row.player, rating_list), difference=f"{before - row.rating:.0f}"
            )
            return


def link_player(player: Player, rating_list: RatingList) -> SafeString:
    """Return a player's name as a link to the player's page, with the ratings of a list."""
    return format_html('<a href="{}">{}</a>', player_address(player, rating_list), marked_name(player))


def link_event(event: Event, rating_list: RatingList) -> SafeString:
    """Return the name of an event as a link to its page, with its ratings on a list."""
    return format_html('<a href="{}?list={}">{}</a>', event.get_absolute_url(), rating_list.slug, event.name)


def format_size(change: float, rating_list: RatingList) -> str:
    """Return a change without its sign, with the decimals of the list."""
    return signed(change, rating_list).lstrip(f"+{MINUS}±")

"""Pages that explain a player's rating change in one table, and on a closing day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from portal.events.change_sentences import (
    describe_change,
    describe_closing,
    describe_effects,
    describe_games,
    describe_joint_rating,
    link_player,
)
from portal.events.explained_changes import ChangeRow, calculator_address, group_awards, list_rows
from portal.events.link_previews import build_change_preview, build_closing_preview
from ratings.models import Change, Event, Player, RatedTable, RatingList
from ratings.queries.events.changes import find_nearby_changes, players_by_public_id
from ratings.queries.events.closing_explanations import (
    ClosingExplanation,
    explain_closing,
    find_closing_change,
    read_closing_games,
)
from ratings.queries.events.crosstables import public_changes_filter
from ratings.queries.events.earlier_games import find_earlier_games, find_prior_results
from ratings.queries.events.explained_games import ExplainedGame, has_opponent_rating, read_explained_games
from ratings.queries.events.explanations import Explanation, explain
from ratings.queries.events.game_effects import read_game_effects
from ratings.queries.events.table_facts import is_new_peak
from ratings.queries.lists.lists import public_lists, standings_with_last_rating
from ratings.queries.runs.values import strip_table_id
from ratings.systems.values import Row

NEARBY = 5
"""Number of changes of the same player, and of others, beside the explanation."""


@require_safe
def explanation(request: HttpRequest, slug: str, table: int, public_id: str) -> HttpResponse:
    """Show how one player's rating change in one table was calculated."""
    rated, change, explained = find_explanation(slug, table, public_id)
    context = {"rating_list": rated.list, "table": rated.table, "event": rated.table.event, "explanation": explained}
    return render(request, "events/explanation.html", context | _explain_games(explained, rated, change))


def find_explanation(slug: str, table: int, public_id: str) -> tuple[RatedTable, Change, Explanation]:
    """Return the explanation of a public rating change with its table on the list; raise Http404 if there is none."""
    rated, change = find_rated_change(slug, table, public_id)
    explained = explain(rated, change)
    if explained is None:
        raise Http404
    return rated, change, explained


def find_rated_change(slug: str, table: int, public_id: str) -> tuple[RatedTable, Change]:
    """Return a table on a list and a player's public rating change in it; raise Http404 if there is none."""
    rated = get_object_or_404(
        RatedTable.objects.select_related("list", "table__event", "facts"),
        list__slug=slug,
        table=table,
        table__event__state=Event.State.ACCEPTED,
        list__in=public_lists(),
    )
    changes = rated.list.changes.filter(public_changes_filter()).select_related("player")
    return rated, get_object_or_404(changes, table=rated.table, player__public_id=public_id)


def _explain_games(explained: Explanation, rated: RatedTable, change: Change) -> dict[str, Any]:
    """Return the context of the games, the sentences about them, and the changes beside this one."""
    opponents = [term["opponent"] for term in explained.row.terms if term.get("opponent")]
    players = players_by_public_id(map(strip_table_id, opponents))
    earlier = find_earlier_games(explained, rated)
    prior = find_prior_results(explained, rated, earlier)
    rows = list_rows(explained, players, earlier=earlier, prior=prior)
    games = read_explained_games(explained.row, rated)
    sentences = describe_change(explained, rated, is_peak=is_new_peak(rated, change.player_id))
    return {
        "rows": rows,
        "names": explained.names | _link_players(opponents, players, rated.list),
        "earlier": earlier,
        "prior": prior,
        "sentences": sentences,
        "link_preview": build_change_preview(explained, rated, sentences),
        "remarks": _describe_remarks(explained, rated, rows, games),
        "scored": sum(term["score"] for term in explained.row.terms if term.get("opponent")),
        "games": len(opponents),
        "nearby": find_nearby_changes(change, NEARBY),
        "awards": group_awards(explained.row.awards, rated, change.player_id),
        "grade_note": _get_grade_note(explained.row, rated.list),
        "calculator": _fill_calculator(rated.list, change, games, rated.table_id),
    }


def _get_grade_note(row: Row, rating_list: RatingList) -> str:
    """Return how the rating after a single game is found, if a grade was won by one."""
    has_game = any(award.game is not None for award in row.awards)
    return rating_list.rating_system.presentation.grade_note if has_game else ""


def _describe_remarks(
    explained: Explanation, rated: RatedTable, rows: Sequence[ChangeRow], games: Sequence[ExplainedGame]
) -> list[SafeString]:
    """Return the sentences about the games that mattered most."""
    if not rows or rows[-1].points is not None:
        return describe_games(rows, explained.row.before, rated.list)
    terms = [term for term in explained.row.terms if has_opponent_rating(term)]
    indexes = [index for index, term in enumerate(terms) if term.get("opponent")]
    return describe_effects(rows, indexes, read_game_effects(rated, explained.change, games), rated.list)


def _fill_calculator(
    rating_list: RatingList, change: Change, games: Sequence[ExplainedGame], table: int | None = None
) -> str:
    """Return the address of the calculator with explained games; empty without games or a rating on the list."""
    if not games or not standings_with_last_rating(rating_list.standings.filter(player=change.player_id)):
        return ""
    return calculator_address(rating_list, change.player, games, table)


def _link_players(ids: Iterable[str], players: Mapping[str, Player], rating_list: RatingList) -> dict[str, str]:
    """Return the names of opponents as links, by the ids that terms give them; `players` are by public id."""
    return {id: link_player(players[strip_table_id(id)], rating_list) for id in ids if strip_table_id(id) in players}


@require_safe
def closing(request: HttpRequest, slug: str, day: dt.date, public_id: str) -> HttpResponse:
    """Show how one player's rating change on a closing day was calculated."""
    rating_list, explained = find_closing_explanation(slug, day, public_id)
    opponents = {term["opponent"] for term in explained.row.terms if term.get("opponent")}
    players = players_by_public_id(map(strip_table_id, opponents))
    rows = list_rows(explained, players)
    context = {
        "rating_list": rating_list,
        "explanation": explained,
        "rows": rows,
        "sentence": describe_closing(explained, rating_list),
        "remarks": _describe_closing_remarks(explained, rows, rating_list),
        "names": _link_players(opponents, players, rating_list),
        "link_preview": build_closing_preview(explained, rating_list),
        "calculator": _fill_calculator(rating_list, explained.change, read_closing_games(rating_list, explained)),
    }
    return render(request, "events/closing_explanation.html", context)


def _describe_closing_remarks(
    explained: ClosingExplanation, rows: Sequence[ChangeRow], rating_list: RatingList
) -> list[SafeString]:
    """Return the sentences about the games that mattered most; a list day that adds the points of events has none."""
    if rows and rows[-1].points is None:
        return describe_joint_rating(len(rows) - 1)
    all_games = all(part.term is not None for part in explained.explained.parts)
    return describe_games(rows, explained.row.before, rating_list) if all_games else []


def find_closing_explanation(slug: str, day: dt.date, public_id: str) -> tuple[RatingList, ClosingExplanation]:
    """Return a list and the explanation of a public change on a closing day; raise Http404 if there is none."""
    rating_list = get_object_or_404(public_lists(), slug=slug)
    change = find_closing_change(rating_list, day, public_id)
    explained = explain_closing(rating_list, change) if change is not None else None
    if explained is None:
        raise Http404
    return rating_list, explained

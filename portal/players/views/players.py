from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from portal.charts import graph_urls
from portal.grades.progress import describe_progress
from portal.players.careers import (
    RANGES,
    RequestedPlayer,
    first_day_of_range,
    get_requested_player,
    get_requested_range,
    grade_bands,
    graph_data,
    mark_labels,
    translated_points,
)
from portal.site.public_ids import redirect_to_current
from portal.templatetags.portal_format import rating, signed
from ratings.models import Correction, Player, Standing
from ratings.queries.grades.grade_history import grade_history
from ratings.queries.grades.progress import progress_of
from ratings.queries.lists.past import past_rows, ranks_among
from ratings.queries.lists.ranks import Ranks, ranks_in_club, ranks_in_country, ranks_of
from ratings.queries.players.breakdowns import summary
from ratings.queries.players.careers import Career
from ratings.queries.players.games import GameWithOpponent, players_by_key
from ratings.queries.players.players import Facts, RankAmong, facts_of, rank_among_active, steps_of
from ratings.queries.runs.corrections import corrections_of, named_reasons

STEPS, GAMES, OPPONENTS, CORRECTIONS = 20, 15, 10, 20
FORM = 6  # latest results in the player's head
POINTS_AS_TABLE = 200
MAX_RANKED_PLAYERS = 5000  # players on a list; reading a past day of a larger list takes too long for a page


@require_safe
def player(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    requested = get_requested_player(request, public_id)
    the_player = requested.player
    if the_player.merged_into is not None:
        return redirect(the_player.merged_into, permanent=False)  # a merge can be undone
    if request.path != the_player.get_absolute_url():
        response = redirect_to_current(request, the_player.get_absolute_url())
        patch_cache_control(response, no_cache=True)  # the displayed name may change, and change back
        return response
    context: dict[str, Any] = {"player": the_player, "asked": requested, "today": timezone.now().date()}
    if requested.career is not None:
        context |= list_context(request, requested)
    return render(request, "players/player.html", context)


def list_context(request: HttpRequest, requested: RequestedPlayer) -> dict[str, Any]:
    """Return the context of the player's page for one list."""
    standing, career = requested.standing_and_career
    rating_list, facts = standing.list, facts_of(career, standing)
    context = {"rating_list": rating_list, "standing": standing, "career": career, "facts": facts}
    if facts is None:
        return context  # not on the list yet on the requested day
    awards, corrections = career.awards, corrections_of(requested.player, rating_list)
    grades = grade_history(requested.player, standing, awards, career.steps) if rating_list.has_grades else []
    if career.on is not None:
        corrections = corrections.filter(run__ended_at__date__lte=career.on)
        grades = [line for line in grades if line.day <= career.on]
    progress = progress_of(career)
    steps, peak = steps_of(career, 0, STEPS), career.peak
    last_step = next((step for step in steps if step.point.table and step.point.games and not step.point.hidden), None)
    ranked = rank_on_day(career, standing, facts)
    return context | {
        "ranked": ranked,
        "narrower_ranks": list_narrower_ranks(requested.player, standing) if ranked and career.on is None else [],
        "graph": graph_context(request, career),
        "last_step": last_step,
        "is_new_peak": last_step is not None
        and peak is not None
        and peak.after == facts.rating
        and (peak.day, peak.place) == (last_step.point.day, last_step.point.place),
        "steps": steps,
        "grades": grades,
        "corrections": explain_corrections(corrections[:CORRECTIONS]),
        "progress": progress and describe_progress(progress, facts, rating_list, own=is_own(request, requested.player)),
        **games_context(career),
    }


class NarrowerRank(NamedTuple):
    """A player's rank among the players of a country or a club, whose list stands at an address."""

    label: str
    address: str
    ranks: Ranks
    rating: float

    @property
    def rank(self) -> int:
        return self.ranks.rank(self.rating)

    @property
    def players(self) -> int:
        return len(self.ranks)


def rank_on_day(career: Career, standing: Any, facts: Facts) -> RankAmong | None:
    """Return the rank among the active players of the list and their number, now or at the end of a past day.

    Return None for an inactive player, and for a past day of a list with more than MAX_RANKED_PLAYERS players.
    """
    if career.on is None:
        return rank_among_active(standing, timezone.now().date())
    if len(ranks_of(career.rating_list, None)) > MAX_RANKED_PLAYERS:
        return None
    rows = past_rows(career.rating_list, career.on)
    active = rows[rows["active"]]
    ranks = ranks_among(active)
    return RankAmong(ranks.rank(facts.rating or 0), len(ranks)) if career.player.pk in active["player"] else None


def list_narrower_ranks(the_player: Player, standing: Standing) -> list[NarrowerRank]:
    """Return the ranks of an active player in the country and in the club, each with the address of that list."""
    today, rating_list = timezone.now().date(), standing.list
    list_address, rating_of_player = rating_list.get_absolute_url(), standing.rating or 0
    found = []
    if country := the_player.country:
        ranks = ranks_in_country(rating_list, today, str(country))
        found.append(NarrowerRank(str(country.name), f"{list_address}?country={country}", ranks, rating_of_player))
    for membership in () if the_player.is_anonymous else the_player.present:  # type: ignore[attr-defined] # prefetched
        ranks, address = ranks_in_club(rating_list, today, membership.club), f"?club={membership.club.public_id}"
        found.append(NarrowerRank(str(membership.club), f"{list_address}{address}", ranks, rating_of_player))
    return found


def graph_context(request: HttpRequest, career: Career) -> dict[str, Any]:
    """Return the graph's points of all years, and the rows of the table below it for the chosen range."""
    points, within = translated_points(career), get_requested_range(request)
    first = first_day_of_range(career, within).isoformat()
    newest = [point for point in points if point["date"] >= first][: -POINTS_AS_TABLE - 1 : -1]
    query = urlencode({"list": career.rating_list.slug, "range": within} | ({"on": career.on} if career.on else {}))
    return {
        "data": graph_data(career.rating_list, [(str(career.player), points)], grade_bands(career, points), within),
        "ranges": RANGES,
        **graph_urls("player_graph", query, career.player.public_id),
        "rows": render_point_rows(newest, career),
    }


def render_point_rows(points: list[dict[str, Any]], career: Career) -> SafeString:
    """Return the rows of the table below the graph.

    They are not rendered by a template, as that would take longer than the whole page.
    """
    graded, labels, rating_list = career.rating_list.has_grades, mark_labels(), career.rating_list
    cell = '<td>{} <span class="quiet">{}</span></td>' if graded else "{}{}"
    row = f'<tr><td>{{}}</td><td class="number">{{}}</td><td class="number">{{}}</td><td>{{}}</td>{cell}</tr>'
    return format_html_join("", row, (
        (point["date"], rating(point["rating"], rating_list), signed(point["change"], rating_list), point["event"],
         *((point["mark"]["grade"], labels[point["mark"]["kind"]]) if point["mark"] and graded else ("", "")))
        for point in points
    ))  # fmt: skip


def games_context(career: Career) -> dict[str, Any]:
    """Return the context of the latest games and of the summary of all games."""
    totals = summary(career, GAMES, OPPONENTS)
    keys = [*(row.opponent for row in (*totals.latest, *totals.best)), *(opponent.pk for opponent in totals.opponents)]
    players = players_by_key(keys)
    return {
        "summary": totals,
        "games": [GameWithOpponent(row, players.get(row.opponent)) for row in totals.latest],
        "form": [row.points for row in totals.latest if row.played][:FORM],
        "best": [GameWithOpponent(row, players.get(row.opponent)) for row in totals.best],
        "opponents": [(players[opponent.pk], opponent) for opponent in totals.opponents],
    }


def is_own(request: HttpRequest, the_player: Player) -> bool:
    return the_player.account_id is not None and the_player.account_id == request.user.pk


def explain_corrections(corrections: Iterable[Correction]) -> list[tuple[Correction, str]]:
    """Return corrections with the reasons of their runs, in the visitor's language and with public names."""
    lines = list(corrections)
    reasons = named_reasons([line.run for line in lines])
    return [(line, reasons[line.run_id]) for line in lines]

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from portal.addresses import at_its_address
from portal.careers import RANGES, Asked, asked_player, bands_of, graph_data, kinds, points_told, range_asked, since
from portal.charts import pictures
from portal.progress import told
from portal.templatetags.portal_format import rating, signed
from ratings.models import Player
from ratings.queries.careers import Career
from ratings.queries.corrections import corrections_of
from ratings.queries.games import PlayedGame, players_by_key
from ratings.queries.grade_history import grade_history
from ratings.queries.kept import kept
from ratings.queries.past import past_rows, ranks_among
from ratings.queries.players import Facts, awards_of, facts_of, rank_of, steps_of
from ratings.queries.progress import progress_of
from ratings.queries.ranks import ranks_of
from ratings.queries.tallies import summary

STEPS, GAMES, OPPONENTS, CORRECTIONS = 20, 15, 10, 20
POINTS_AS_TABLE = 200
ROWS_KEPT = 300  # seconds, as days and ranges are typed by visitors
MOST_RANKED = 5000  # of a larger list all players of a past day take longer to read than a page may


@require_safe
def player(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    asked = asked_player(request, public_id)
    the_player = asked.player
    if the_player.merged_into is not None:
        return redirect(the_player.merged_into, permanent=False)  # a merge can be undone
    if request.path != the_player.get_absolute_url():
        response = at_its_address(request, the_player.get_absolute_url())
        patch_cache_control(response, no_cache=True)  # he may come to be shown by another name, and by this one again
        return response
    context: dict[str, Any] = {"player": the_player, "asked": asked, "today": timezone.now().date()}
    if asked.career is not None:
        context |= on_list(request, asked)
    return render(request, "portal/player.html", context)


def on_list(request: HttpRequest, asked: Asked) -> dict[str, Any]:
    """What his page tells of him on one list."""
    standing, career = asked.shown
    rating_list, facts = standing.list, facts_of(career, standing)
    context = {"rating_list": rating_list, "standing": standing, "career": career, "facts": facts}
    if facts is None:
        return context  # not on the list yet on the day asked for
    awards, corrections = awards_of(career), corrections_of(asked.player, rating_list)
    grades = grade_history(asked.player, standing, awards, career.line) if rating_list.graded else []
    if career.on is not None:
        corrections = corrections.filter(run__ended_at__date__lte=career.on)
        grades = [line for line in grades if line.day <= career.on]
    progress = progress_of(career)
    played = (point.event for point in reversed(career.line) if point.event and point.games)
    return context | {
        "rank": rank_on(career, standing, facts),
        "graph": graph(request, career),
        "last_event": next(played, None),
        "steps": steps_of(career, awards, 0, STEPS),
        "grades": grades,
        "corrections": corrections[:CORRECTIONS],
        "progress": progress and told(progress, facts, rating_list, own=is_own(request, asked.player)),
        **games(career),
    }


def rank_on(career: Career, standing: Any, facts: Facts) -> int | None:
    """Among the active players of the list, now or at the end of a day; None for who is not active."""
    if career.on is None:
        return rank_of(standing, timezone.now().date())
    if len(ranks_of(career.rating_list, None)) > MOST_RANKED:
        return None
    rows = past_rows(career.rating_list, career.on)
    active = rows[rows["active"]]
    return ranks_among(active).rank(facts.rating or 0) if career.player.pk in active["player"] else None


def graph(request: HttpRequest, career: Career) -> dict[str, Any]:
    """The points of all years, and those of the chosen range that stand beneath as a table."""
    points, within = points_told(career), range_asked(request)

    def rows() -> SafeString:
        first = since(career, within).isoformat()
        return point_rows([point for point in points if point["date"] >= first][: -POINTS_AS_TABLE - 1 : -1], career)

    asked = urlencode({"list": career.rating_list.slug, "range": within} | ({"on": career.on} if career.on else {}))
    return {
        "data": graph_data(career.rating_list, [(str(career.player), points)], bands_of(career, points), within),
        "ranges": RANGES,
        **pictures("player_graph", asked, career.player.public_id),
        "rows": kept(
            career.rating_list, f"rows:{career.player.pk}:{within}:{career.on}:{get_language()}", rows, ROWS_KEPT
        ),
    }


def point_rows(points: list[dict[str, Any]], career: Career) -> SafeString:
    """The rows of the table beneath the graph: by the template language they would take longer than all of the page."""
    graded, words, of = career.rating_list.graded, kinds(), career.rating_list
    cell = '<td>{} <span class="quiet">{}</span></td>' if graded else "{}{}"
    row = f'<tr><td>{{}}</td><td class="number">{{}}</td><td class="number">{{}}</td><td>{{}}</td>{cell}</tr>'
    return format_html_join("", row, (
        (point["date"], rating(point["rating"], of), signed(point["change"], of), point["event"],
         *((point["mark"]["grade"], words[point["mark"]["kind"]]) if point["mark"] and graded else ("", "")))
        for point in points
    ))  # fmt: skip


def games(career: Career) -> dict[str, Any]:
    """The latest games, and what all of them add up to."""
    found = summary(career, GAMES, OPPONENTS)
    keys = [*(row.opponent for row in (*found.latest, *found.best)), *(one.pk for one in found.opponents)]
    known = players_by_key(keys)
    return {
        "summary": found,
        "games": [PlayedGame(row, known.get(row.opponent)) for row in found.latest],
        "best": [PlayedGame(row, known.get(row.opponent)) for row in found.best],
        "opponents": [(known[one.pk], one) for one in found.opponents],
    }


def is_own(request: HttpRequest, the_player: Player) -> bool:
    return the_player.account_id is not None and the_player.account_id == request.user.pk

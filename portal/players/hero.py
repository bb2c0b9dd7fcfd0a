"""Head of a player's pages: the rating and its last change, ranks, latest results, and the tabs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.players.careers import RequestedPlayer
from portal.players.filters import DayFilter
from portal.players.link_previews import PlayerFigures, build_player_preview
from portal.site.page_links import PageLink, add_query
from ratings.models import Player, Standing
from ratings.queries.events.table_facts import MARKS, read_form
from ratings.queries.lists.past import past_rows, ranks_among
from ratings.queries.lists.ranks import Ranks, ranks_in_club, ranks_in_country, ranks_of
from ratings.queries.players.breakdowns import Summary, summary
from ratings.queries.players.careers import Career, Point
from ratings.queries.players.outside_ids import public_outside_ids
from ratings.queries.players.periods import list_periods
from ratings.queries.players.players import (
    Facts,
    RankAmong,
    Step,
    count_games_before_events,
    facts_of,
    has_withdrawn_rating,
    rank_among,
    rank_among_active,
    steps_of,
)
from ratings.systems.values import FEW_GAMES

LATEST_STEPS = 20
"""Number of steps in which the last event is looked for."""
OPPONENTS = 10
POINTS = {mark: points for points, mark in MARKS.items()}
MAX_RANKED_PLAYERS = 5000
"""Players on a list; reading a past day of a larger list takes too long for a page."""


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


def hero_context(requested: RequestedPlayer, tab: str) -> dict[str, Any]:
    """Return the context of the head on one of a player's tabs; `tab` is the name of the tab's address.

    A player who was not on the list yet on the requested day has no `facts`, and no tabs.
    """
    today = timezone.localdate()
    context: dict[str, Any] = {
        "player": requested.player,
        "outside_ids": public_outside_ids(requested.player),
        "asked": requested,
        "as_of": DayFilter(requested.query, today),
    }
    if requested.career is None:
        preview = build_player_preview(requested.player, None)
        return context | {"is_withdrawn": has_withdrawn_rating(requested.player), "link_preview": preview}
    standing, career = requested.standing_and_career
    facts = facts_of(career, standing)
    context |= {"rating_list": standing.list, "standing": standing, "career": career, "facts": facts}
    if facts is None:
        return context | {"link_preview": build_player_preview(requested.player, None)}
    totals, steps = summary(career, OPPONENTS), steps_of(career, 0, LATEST_STEPS)
    periods = list_periods(career)
    last_step = find_last_event(steps)
    ranked = rank_on_day(career, standing, facts)
    return context | {
        "summary": totals,
        "steps": steps,
        "periods": periods,
        "last_step": last_step,
        "games_before": count_games_before_events(career, facts),
        "last_closing": find_last_closing(steps, last_step),
        "narrowed": find_narrowed_deviations(steps, last_step),
        "is_new_peak": is_new_peak(career, facts, last_step),
        "ranked": ranked,
        "is_inactive": career.on is None and facts.listed and ranked is None,
        "is_new": is_new(career, facts),
        "link_preview": build_player_preview(requested.player, PlayerFigures(career, facts, ranked, last_step)),
        "narrower_ranks": list_narrower_ranks(requested.player, standing) if ranked and career.on is None else [],
        "form": [POINTS[result] for result in read_form(standing.list, requested.player, career.on or today)],
        "tabs": list_tabs(requested.player, career, totals, tab, len(periods)),
    }


def find_last_event(steps: Sequence[Step]) -> Step | None:
    """Return the first of some steps, newest first, in which rated games were played and may be displayed."""
    return next((step for step in steps if step.point.table and step.point.games and not step.point.hidden), None)


def find_last_closing(steps: Sequence[Step], last_event: Step | None) -> Point | None:
    """Return the closing day that is the newest of some steps, if the last event itself did not move the rating."""
    newest = steps[0].point if steps else None
    if newest is None or last_event is None or not newest.is_closing or newest.hidden:
        return None
    return None if last_event.point.change else newest


def find_narrowed_deviations(steps: Sequence[Step], last_event: Step | None) -> tuple[float, float] | None:
    """Return the deviations before and after the last event, in rating points, if it made the rating surer.

    `steps` are newest first. Return None where ratings have no deviation, or it did not fall.
    """
    if last_event is None:
        return None
    at = steps.index(last_event)
    before = steps[at + 1].point.deviation if at + 1 < len(steps) else None
    after = last_event.point.deviation
    return (before, after) if before is not None and after is not None and after < before else None


def is_new(career: Career, facts: Facts) -> bool:
    """Return True if the rating rests on few games.

    Where no category says so, players who came to the list with a rating are not new: their earlier games are unknown.
    """
    rules = career.rating_list.rating_system.rating
    if not 0 < facts.games < FEW_GAMES or not rules.is_newcomer(facts.category, facts.games):
        return False
    return rules.marks_provisional or career.rated[0].table is not None


def list_tabs(player: Player, career: Career, totals: Summary, current: str, periods: int) -> list[PageLink]:
    """Return the tabs of a player, all about the same list and day; `periods` is the number of rating periods or 0."""
    rating_list = career.rating_list
    query = f"list={rating_list.slug}" + (f"&on={career.on}" if career.on else "")
    tabs = [
        ("player", _("Overview"), 0),
        ("player_events", _("Periods"), periods) if periods else ("player_events", _("Events"), len(career.steps)),
        ("player_games", _("Games"), totals.all.games),
        ("player_opponents", _("Opponents"), totals.opponent_count),
    ]
    if rating_list.has_grades:
        tabs.append(("player_grades", _("Grades"), 0))
    return [
        PageLink(
            label,
            add_query(player.get_absolute_url() if name == "player" else reverse(name, args=[player.public_id]), query),
            name == current,
            count,
        )
        for name, label, count in tabs
    ]


def is_new_peak(career: Career, facts: Facts, last_step: Step | None) -> bool:
    """Return True if the rating is the highest one and was reached in the last event, from an earlier rating."""
    peak = career.peak
    if last_step is None or peak is None or last_step.point.change is None:
        return False
    return peak.after == facts.rating and (peak.day, peak.place) == (last_step.point.day, last_step.point.place)


def rank_on_day(career: Career, standing: Any, facts: Facts) -> RankAmong | None:
    """Return the rank among the active players of the list and their number, now or at the end of a past day.

    Return None for an inactive player, and for a past day of a list with more than MAX_RANKED_PLAYERS players.
    """
    if career.on is None:
        return rank_among_active(standing, timezone.localdate(), facts.deviation)
    if len(ranks_of(career.rating_list, None)) > MAX_RANKED_PLAYERS:
        return None
    rows = past_rows(career.rating_list, career.on)
    active = rows[rows["active"]]
    if career.player.pk not in active["player"]:
        return None
    return rank_among(ranks_among(active), facts.rating or 0, facts.deviation)


def list_narrower_ranks(the_player: Player, standing: Standing) -> list[NarrowerRank]:
    """Return the ranks of an active player in the country and in the club, each with the address of that list."""
    today, rating_list = timezone.localdate(), standing.list
    list_address, rating_of_player = rating_list.get_absolute_url(), standing.rating or 0
    found = []
    if country := the_player.country:
        ranks = ranks_in_country(rating_list, today, str(country))
        found.append(NarrowerRank(str(country.name), f"{list_address}?country={country}", ranks, rating_of_player))
    for membership in () if the_player.is_anonymous else the_player.present:  # type: ignore[attr-defined] # prefetched
        ranks, address = ranks_in_club(rating_list, today, membership.club), f"?club={membership.club.public_id}"
        found.append(NarrowerRank(str(membership.club), f"{list_address}{address}", ranks, rating_of_player))
    return found

"""Atom feeds of a player and of a club: rated events, corrections without a game, and promotions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page

from portal.players.careers import RequestedPlayer, get_requested_player
from portal.players.corrections import list_corrections
from portal.site.feeds import (
    NEWEST,
    EntryFeed,
    EntrySelection,
    FeedEntry,
    newest_entries,
    start_of_day,
)
from portal.site.public_ids import by_public_id
from portal.templatetags.portal_format import comma_name
from portal.templatetags.portal_grades import award_state
from ratings.domain.site.follow_lines import describe_rating
from ratings.localize import award_label, format_days, format_points
from ratings.models import Award, Club
from ratings.queries.events.events import public_events, recently_updated
from ratings.queries.grades.awards import with_state
from ratings.queries.lists.federations import federation_of_club, only_federation
from ratings.queries.lists.lists import promotions
from ratings.queries.players.careers import Career
from ratings.queries.players.clubs import events_with_members, names_of_members, promotions_of_members


class PlayerFeed(EntryFeed):
    """Feed of a player on one list: that of the query `list`, else the first one."""

    def get_object(self, request: HttpRequest, *_args: Any, public_id: str) -> EntrySelection:
        requested = get_requested_player(request, public_id)
        player = requested.player
        if player.merged_into is not None:
            raise Http404
        entries = newest_entries(_list_player_entries(requested)) if requested.career else []
        federation = requested.standing.list.federation if requested.standing else only_federation()
        return EntrySelection(
            request.get_full_path(), federation, comma_name(player), player.get_absolute_url(), entries
        )


def _list_player_entries(requested: RequestedPlayer) -> Iterator[FeedEntry]:
    """Yield entries about the player's latest events, corrections and promotions on the list."""
    standing, career = requested.standing_and_career
    yield from _list_steps(career)
    rating_list, player = standing.list, career.player
    for correction, reason in list_corrections(career):
        yield FeedEntry(
            f"{rating_list.slug}/corrections/{correction.run_id}/{player.public_id}",
            _("Corrected without a game"),
            (describe_rating(rating_list, correction.before, correction.after), reason),
            reverse("player_correction", args=[rating_list.slug, correction.run_id, player.public_id]),
            correction.run.ended_at or start_of_day(correction.run.asked_at.date()),
        )
    won = with_state(promotions(rating_list).filter(player=player))
    yield from describe_promotions(won[:NEWEST], names_player=False)


def _list_steps(career: Career) -> Iterator[FeedEntry]:
    """Yield entries about the latest rated events, dated by their acceptance or last correction."""
    steps = [step for step in career.steps if step.table and step.event_id][-NEWEST:]
    events = {step.event_id for step in steps}
    updated = {event.public_id: event for event in recently_updated(public_events().filter(public_id__in=events))}
    rating_list, player = career.rating_list, career.player
    for step in steps:
        event = updated.get(step.event_id)
        if event is None or not step.table:
            continue
        points, games = career.points.get(step.table, (0.0, 0))
        score = ngettext("%(points)s of %(games)d game", "%(points)s of %(games)d games", games)
        texts = [score % {"points": format_points(points), "games": games}]
        if step.after is not None:
            texts.append(describe_rating(rating_list, step.before, step.after))
        yield FeedEntry(
            f"{rating_list.slug}/tables/{step.table}/{player.public_id}",
            event.name,
            tuple(texts),
            reverse("explanation", args=[rating_list.slug, step.table, player.public_id]),
            event.told_at,
        )


def describe_promotions(awards: Iterable[Award], *, names_player: bool = True) -> Iterator[FeedEntry]:
    """Yield entries about promotions."""
    for award in awards:
        texts = award_label(award.how), award_state(award, award.list), str(award.table.event) if award.table else ""
        title = _("%(list)s: promoted to %(grade)s") % {"list": award.list.name, "grade": award.grade}
        yield FeedEntry(
            f"{award.list.slug}/{award.player.public_id}/{award.grade.replace(' ', '-')}/{award.day}",
            f"{award.player.public_name}, {title}" if names_player else title,
            texts,
            award.player.get_absolute_url(),
            start_of_day(award.day),
        )


class ClubFeed(EntryFeed):
    """Feed of a club: rated events of its members, and their promotions."""

    def get_object(self, request: HttpRequest, *_args: Any, public_id: str) -> EntrySelection:
        the_club = by_public_id(Club.objects.all(), public_id)
        entries = newest_entries(
            [*_list_club_events(the_club), *describe_promotions(with_state(promotions_of_members(the_club))[:NEWEST])]
        )
        return EntrySelection(
            request.get_full_path(), federation_of_club(the_club), the_club.name, the_club.get_absolute_url(), entries
        )


def _list_club_events(club: Club) -> Iterator[FeedEntry]:
    """Yield entries about the latest rated events of a club's members, with their names."""
    events = list(recently_updated(events_with_members(club))[:NEWEST])
    names = names_of_members(club, events)
    for event in events:
        yield FeedEntry(
            f"{club.public_id}/events/{event.public_id}",
            event.name,
            (format_days(event.start, event.end), event.place, *names.get(event.pk, ())),
            event.get_absolute_url(),
            event.told_at,
        )


player = conditional_page(PlayerFeed())
club = conditional_page(ClubFeed())

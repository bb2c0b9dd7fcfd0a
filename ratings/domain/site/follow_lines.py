"""Lines of the mails about followed pages: one for each change, in words, with names as the public may see them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.displayed_changes import round_difference
from ratings.localize import format_change, format_day, format_days, format_points, format_rating, join_parts
from ratings.models import Event, EventStep, FollowedChange, RatingList
from ratings.queries.site.followed_changes import Subjects

Kind = FollowedChange.Kind
NAMES, EVENTS = 10, 5
"""Maximum number of names and of events in a line."""
STEPS: Mapping[str, object] = {
    EventStep.What.SUBMITTED: gettext_lazy("The results were received. A rating officer checks them."),
    EventStep.What.ACCEPTED: gettext_lazy("The results were accepted. They are rated within minutes."),
    EventStep.What.ACCEPTANCE_UNDONE: gettext_lazy("A rating officer checks the results again."),
    EventStep.What.CORRECTED: gettext_lazy("The results were corrected. They are rated again within minutes."),
    EventStep.What.REMAPPED: gettext_lazy("The results were corrected. They are rated again within minutes."),
    EventStep.What.VOIDED: gettext_lazy("The event no longer counts."),
    EventStep.What.UNVOIDED: gettext_lazy("The event counts again."),
}
"""Sentences about the steps of an event that its followers get a mail about."""


def describe_change(change: FollowedChange, subjects: Subjects) -> list[str]:
    """Return the lines about a change; none if the public may not see what it is about."""
    return list(DESCRIBERS[change.kind](change.data, subjects))


def _describe_rating(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield the results in new events, then the new rating and grade of a player."""
    rating_list = subjects.lists.get(row["list"])
    if rating_list is None or row["player"] not in subjects.players:
        return
    scored = [
        (subjects.tables[table], subjects.scores[table, row["player"]])
        for table in row["tables"]
        if table in subjects.tables and (table, row["player"]) in subjects.scores
    ]
    for event, (points, games) in scored[:EVENTS]:
        line = ngettext(
            "%(event)s (%(days)s): %(points)s of %(games)d game",
            "%(event)s (%(days)s): %(points)s of %(games)d games",
            games,
        )
        yield line % {**_name_event(event), "points": format_points(points), "games": games}
    if len(scored) > EVENTS:
        more = len(scored) - EVENTS
        yield ngettext("and %(number)d more event", "and %(number)d more events", more) % {"number": more}
    if "after" in row:
        yield describe_rating(rating_list, row["before"], row["after"])
        yield from _describe_grade(rating_list, row, subjects)


def _name_event(event: Event) -> dict[str, str]:
    """Return the name and the days of an event, as values of a line."""
    return {"event": event.name, "days": format_days(event.start, event.end)}


def describe_rating(rating_list: RatingList, before: float | None, after: float | None) -> str:
    """Return a sentence about a new rating on a list, in rating points."""
    decimals = rating_list.decimals
    values = {"list": rating_list.name, "after": format_rating(after, decimals)}
    if after is None:
        return _("%(list)s: no longer on the list") % values
    if before is None:
        return _("%(list)s: first rating %(after)s") % values
    change = round_difference(before, after, decimals)
    values |= {"before": format_rating(before, decimals), "change": format_change(change, decimals)}
    return _("%(list)s: rating %(before)s → %(after)s (%(change)s)") % values


def _describe_grade(rating_list: RatingList, row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield a sentence if the run changed the player's grade."""
    changed = subjects.grades.get((row.get("run", 0), row["player"]))
    if changed is None or not rating_list.has_grades or row["after"] is None:
        return
    before, after = changed
    scale = list(rating_list.rating_system.grading.grades)
    values = {"list": rating_list.name, "grade": after, "before": before}
    if after not in scale:
        yield _("%(list)s: no grade any longer (was %(before)s)") % values
    elif before in scale and scale.index(after) < scale.index(before):
        yield _("%(list)s: demoted to %(grade)s (was %(before)s)") % values
    else:
        yield _("%(list)s: promoted to %(grade)s") % values


def _describe_correction(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield the new rating of a player who did not play, and why it changed."""
    lines = list(_describe_rating(row, subjects))
    if lines:
        yield from lines
        yield _("There was no new game: an earlier result was corrected or came late.")


def _describe_announcement(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield a sentence about a grade that was announced, or no longer is."""
    rating_list = subjects.lists.get(row["list"])
    if rating_list is None or row["player"] not in subjects.players:
        return
    values = {
        "list": rating_list.name,
        "grade": row["grade"],
        "day": format_day(dt.date.fromisoformat(row["from"])),
    }
    if row["withdrawn"]:
        yield _("%(list)s: the announcement of the grade %(grade)s was withdrawn") % values
    else:
        yield _("%(list)s: grade %(grade)s announced, from %(day)s") % values


def _describe_members(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield the members of a club who played in an event that was rated; anonymous players are no members."""
    event, rating_list = subjects.events.get(row["event"]), subjects.lists.get(row["list"])
    names = [subjects.players[player].public_name for player in row["members"] if player in subjects.players]
    if event is None or rating_list is None or not names:
        return
    listed, more = join_parts(names[:NAMES]), len(names) - NAMES
    if more > 0:
        listed = _("%(names)s and %(number)d more") % {"names": listed, "number": more}
    values = {**_name_event(event), "list": rating_list.name, "names": listed}
    yield _("%(event)s (%(days)s) was rated on %(list)s. Club members who played: %(names)s") % values


def _describe_step(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    if row["event"] in subjects.events and row["what"] in STEPS:
        yield str(STEPS[row["what"]])


def _describe_rated(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    rating_list = subjects.lists.get(row["list"])
    if row["event"] in subjects.events and rating_list is not None:
        yield _("The event was rated on %(list)s.") % {"list": rating_list.name}


def _describe_publication(row: Mapping[str, Any], subjects: Subjects) -> Iterator[str]:
    """Yield a sentence about a published list, with its number of players."""
    if row["list"] not in subjects.lists:
        return
    values = {"day": format_day(dt.date.fromisoformat(row["day"])), "players": row["players"]}
    if row["revised"]:
        yield _("The list of %(day)s was published again, with corrections.") % values
    else:
        line = ngettext(
            "The list of %(day)s was published, with %(players)d player.",
            "The list of %(day)s was published, with %(players)d players.",
            row["players"],
        )
        yield line % values


DESCRIBERS: Mapping[str, Callable[[Mapping[str, Any], Subjects], Iterator[str]]] = {
    Kind.RATING: _describe_rating,
    Kind.CORRECTION: _describe_correction,
    Kind.GRADE: _describe_announcement,
    Kind.MEMBERS: _describe_members,
    Kind.STEP: _describe_step,
    Kind.RATED: _describe_rated,
    Kind.PUBLISHED: _describe_publication,
}

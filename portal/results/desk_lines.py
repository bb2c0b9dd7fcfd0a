"""The lines of the officer's desk: one for each event with submitted results, with all that a decision needs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import colon
from portal.templatetags.portal_grades import waiting_grade
from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.formats.check_catalogue import find_check
from ratings.formats.parsed import FATAL
from ratings.localize import format_day, translate_message
from ratings.models import EventStep, RatingList
from ratings.queries.results.workflow import summaries_of, waiting_events
from ratings.time_zones import find_today


@dataclass(frozen=True)
class WaitingLine:
    """An event with submitted results.

    `summary` is the stored one (`ratings.domain.results.summaries.Summary`, with players), None until it is computed.
    `oddities` are (text, is_hard) of what an officer should look at, the worst first; hard ones prevent accepting.
    `closing` is the next closing day of the event's lists, None if none of them is published on schedule.
    """

    event: Any
    summary: dict[str, Any] | None
    oddities: Sequence[tuple[str, bool]]
    closing: ClosingDay | None = None

    @property
    def is_clean(self) -> bool:
        """Return True if the results have no errors, no confirmed warnings, nothing odd and no grade to approve."""
        return self.summary is not None and not self.oddities

    @property
    def is_blocked(self) -> bool:
        """Return True if the results cannot be accepted as they are."""
        return any(is_hard for _text, is_hard in self.oddities)

    @property
    def first_oddity(self) -> tuple[str, bool] | None:
        return next(iter(self.oddities), None)

    @property
    def more(self) -> int:
        """Return the number of oddities beside the first."""
        return max(0, len(self.oddities) - 1)

    @property
    def biggest(self) -> Sequence[Any] | None:
        """Return list, player and change in rating points of the biggest change; None if no rating changes."""
        changes = self.summary["biggest"] if self.summary else []
        return max(changes, key=lambda row: abs(row[2]), default=None)


def read_waiting_lines(user: Any) -> list[WaitingLine]:
    """Return a line for each event that waits for an officer, the longest waiting first."""
    waiting = list(waiting_events(user))
    return [
        WaitingLine(event, summary, _list_oddities(event, summary), _find_next_closing_day(event.lists.all()))
        for event, summary in zip(waiting, summaries_of(waiting), strict=True)
    ]


def _list_oddities(event: Any, summary: dict[str, Any] | None) -> list[tuple[str, bool]]:
    oddities: list[tuple[str, bool]] = []
    if summary is not None:
        if problem := summary["problem"]:
            check = find_check(problem)
            oddities.append((translate_message(problem), check is None or check.level == FATAL))
        for player, message in summary["odd"]:
            text = translate_message(message)
            oddities.append((f"{colon(player)} {text}" if player else text, False))
        needed = _("Would need approval:")
        oddities += [(f"{needed} {waiting_grade(row)}", False) for row in summary["waiting"]]
    oddities += [(translate_message(requirement), False) for requirement in find_unmet_requirements(event)]
    warnings = [warning for submission in event.submitted for warning in submission.warnings]
    if opened := sum(not warning[3] for warning in warnings):  # after a change by an officer
        text = ngettext("%(count)d open question", "%(count)d open questions", opened)
        oddities.insert(0, (text % {"count": opened}, True))
    if answered := len(warnings) - opened:
        text = ngettext("%(count)d answered question", "%(count)d answered questions", answered)
        oddities.append((text % {"count": answered}, False))
    return oddities


@dataclass(frozen=True)
class Totals:
    """Sums of what accepting several events changes, from their summaries."""

    events: int
    players: int
    new: int
    promotions: int
    waiting: int


def add_up(lines: Sequence[WaitingLine]) -> Totals:
    """Return the sums of some lines; events without a summary count as events only."""
    summaries = [line.summary for line in lines if line.summary is not None]
    return Totals(
        events=len(lines),
        players=sum(summary["players"] for summary in summaries),
        new=sum(len(summary["new"]) for summary in summaries),
        promotions=sum(len(summary["promotions"]) for summary in summaries),
        waiting=sum(len(summary["waiting"]) for summary in summaries),
    )


@dataclass(frozen=True)
class ClosingDay:
    """The next day on which a list is published on schedule, and the days until then."""

    rating_list: RatingList
    day: dt.date
    days: int


def find_closing_day(lists: QuerySet[RatingList]) -> ClosingDay | None:
    """Return the earliest next closing day of some lists; None if none is published on schedule."""
    return _find_next_closing_day(lists.exclude(publish_on="").select_related("federation"))


def _find_next_closing_day(lists: Iterable[RatingList]) -> ClosingDay | None:
    days = [
        ClosingDay(one, day, (day - today).days)
        for one in lists
        if (day := one.next_publication(today := find_today(one.federation.time_zone))) is not None
    ]
    return min(days, key=lambda closing: closing.day, default=None)


@dataclass(frozen=True)
class Choice:
    """The waiting events that are chosen when the desk opens: the name of the choice, and their public ids."""

    name: str
    events: Sequence[str]


CHOICES: Mapping[str, Callable[[WaitingLine], bool]] = {
    "clean": lambda line: line.is_clean,
    "all": lambda line: line.summary is not None and not line.is_blocked,
    "none": lambda _line: False,
}
"""Whether a line belongs to a choice, by the name that an address gives it."""


def find_choice(request: HttpRequest, lines: Iterable[WaitingLine]) -> Choice:
    """Return the choice that the address names, the clean events without one."""
    name = request.GET.get("choose", "")
    name = name if name in CHOICES else "clean"
    return Choice(name, [line.event.public_id for line in lines if CHOICES[name](line)])


def count_choices(lines: Sequence[WaitingLine]) -> dict[str, int]:
    """Return the number of events of each choice, by its name."""
    return {name: sum(map(is_chosen, lines)) for name, is_chosen in CHOICES.items()}


def describe_desk(lines: Sequence[WaitingLine], closing: ClosingDay | None, last_step: EventStep | None = None) -> str:
    """Return the sentences below the heading of the desk."""
    return " ".join([_describe_waiting([line.event for line in lines]), *describe_empty_desk(closing, last_step)])


def describe_empty_desk(closing: ClosingDay | None, last_step: EventStep | None) -> list[str]:
    """Return the sentences about the last step of a user and about the next closing day."""
    sentences = []
    if last_step is not None:
        values = {
            "event": last_step.event,
            "step": last_step.get_what_display(),
            "day": format_day(timezone.localdate(last_step.at)),
        }
        sentences.append(_("Your last step was on %(day)s: %(event)s, %(step)s.") % values)
    if closing is not None:
        text = ngettext("%(list)s closes in %(days)d day.", "%(list)s closes in %(days)d days.", closing.days)
        sentences.append(text % {"list": closing.rating_list, "days": closing.days})
    return sentences


def _describe_waiting(events: Sequence[Any]) -> str:
    if not events:
        return _("Nothing waits for you.")
    oldest = min((event.since for event in events if event.since), default=timezone.now())
    days = (timezone.now() - oldest).days
    text = ngettext("%(count)d event waits for you.", "%(count)d events wait for you.", len(events))
    if days:
        text = ngettext(
            "%(count)d event waits for you, for %(days)d days.",
            "%(count)d events wait for you, the oldest for %(days)d days.",
            len(events),
        )
    return text % {"count": len(events), "days": days}

"""Rows of the table of events on an organiser's desk: the number of players, and where each event stands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import progress
from portal.templatetags.portal_work import waiting_time
from ratings.localize import format_day, join_parts
from ratings.models import Change
from ratings.queries.events.entry_counts import EntryCounts
from ratings.queries.results.event_figures import EventFigures
from ratings.queries.results.hall_progress import HallProgress

from .batch_lines import describe_open_points
from .event_stages import Stage
from .organiser_tasks import EventLine


@dataclass(frozen=True)
class EventRow:
    """A line of the desk with its number of players, a text about where it stands, and the biggest rating change."""

    line: EventLine
    players: str
    standing: str
    biggest: Change | None


@dataclass(frozen=True)
class _Known:
    """All that is known of one event."""

    line: EventLine
    figures: EventFigures
    hall: HallProgress | None
    today: dt.date


def build_rows(
    lines: Sequence[EventLine],
    entries: Mapping[int, EntryCounts],
    halls: Mapping[int, HallProgress],
    figures: Mapping[int, EventFigures],
    today: dt.date,
) -> list[EventRow]:
    """Return the rows of some lines; `entries`, `halls` and `figures` are those of their events, by primary key."""
    rows = []
    for line in lines:
        pk = line.event.pk
        known = _Known(line, figures[pk], halls.get(pk), today)
        text = STANDINGS[line.stage](known)
        rows.append(EventRow(line, _count_players(known, entries.get(pk)), text, known.figures.biggest))
    return rows


def _count_players(known: _Known, entered: EntryCounts | None) -> str:
    """Return the number of players of the results, of the hall, or of the entries; “–” if none is known."""
    if known.figures.players:
        return str(known.figures.players)
    if known.hall is not None and known.hall.players:
        return str(known.hall.players)
    if entered is None:
        return "–"
    if entered.limit is None:
        return str(entered.confirmed) if entered.confirmed else "–"
    return _("%(entered)d of %(limit)d") % {"entered": entered.confirmed, "limit": entered.limit}


def _describe_coming(known: _Known) -> str:
    return _("Announced in the calendar") if known.line.event.announced_at else _("Not in the calendar yet")


def _describe_playing(known: _Known) -> str:
    hall = known.hall
    if hall is None:
        return _describe_coming(known)
    text = ngettext("%(done)d of %(rounds)d round complete", "%(done)d of %(rounds)d rounds complete", hall.rounds) % {
        "done": hall.completed,
        "rounds": hall.rounds,
    }
    if hall.questions:
        asked = ngettext("%(count)d question", "%(count)d questions", hall.questions) % {"count": hall.questions}
        return join_parts([text, asked])
    return text


def _describe_draft(known: _Known) -> str:
    event = known.line.event
    if event.drafts and known.figures.report is not None:
        points = [text for text, _tone in describe_open_points(dict(known.figures.report))]
        return capfirst(join_parts(points)) if points else _("Ready to submit")
    if event.drafts:
        return _("Entered, not submitted")
    due = None if event.days is None else event.end + dt.timedelta(event.days)
    if due is None:
        return _("Results missing")
    text = _("Results were due on %(day)s") if due < known.today else _("Results due on %(day)s")
    return text % {"day": format_day(due)}


def _describe_returned(known: _Known) -> str:
    number = known.figures.comments
    if not number:
        return _("Changes asked for by the officer")
    text = ngettext("%(count)d comment from the officer", "%(count)d comments from the officer", number)
    return text % {"count": number}


def _describe_submitted(known: _Known) -> str:
    since = known.line.event.since
    return "" if since is None else capfirst(_("waiting for %(time)s") % {"time": waiting_time(since)})


def _describe_accepted(known: _Known) -> str:
    """Return how far the rating is; an empty text if it is complete and the biggest change says it."""
    event = known.line.event
    is_complete = event.is_rated and not event.is_pending and not event.is_corrected
    return "" if is_complete and known.figures.biggest else capfirst(progress(event))


STANDINGS: Mapping[str, Callable[[_Known], str]] = {
    Stage.COMING: _describe_coming,
    Stage.PLAYING: _describe_playing,
    Stage.DRAFT: _describe_draft,
    Stage.RETURNED: _describe_returned,
    Stage.SUBMITTED: _describe_submitted,
    Stage.RATED: _describe_accepted,
    Stage.VOID: lambda known: str(known.line.event.get_void_reason_display()),
}

"""Record of an event for download: every step with its time, user, figures and changes, as text or CSV."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from portal.results.history_lines import HistoryLine
from ratings.formats.spreadsheet.table import format_csv
from ratings.localize import format_days, format_moment_in_zone, join_details
from ratings.models import Event

COLUMNS = ("time", "step", "by", "details", "changes")
FORMATS = {"txt": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8"}
"""Content type of each format in which a record can be downloaded."""


def write_record(event: Event, lines: Sequence[HistoryLine], format: str) -> str:
    """Return the record of an event in a format of `FORMATS`, oldest step first; `lines` are newest first."""
    in_order = list(reversed(lines))
    return _write_csv(in_order) if format == "csv" else _write_text(event, in_order)


def _write_csv(lines: Sequence[HistoryLine]) -> str:
    """Return one row a step; `step` is its key, the same in all languages, and the times are ISO 8601."""
    rows = [
        [
            timezone.localtime(line.at).isoformat(timespec="seconds"),
            line.key,
            line.by,
            "\n".join(line.sentences),
            "\n".join(map(str, line.changes)),
        ]
        for line in lines
    ]
    return "\ufeff" + format_csv([COLUMNS, *rows])


def _write_text(event: Event, lines: Sequence[HistoryLine]) -> str:
    head = join_details([event.name, format_days(event.start, event.end), event.place, event.public_id])
    written = _("Record of %(time)s") % {"time": format_moment_in_zone(timezone.now())}
    return "\n".join([head, written, *map(_write_step, lines)]) + "\n"


def _write_step(line: HistoryLine) -> str:
    """Return a step as a heading with its time and user, and its sentences and changes below, indented."""
    title = line.title[:1].upper() + line.title[1:]
    heading = f"{format_moment_in_zone(line.at)}  {title}" + (f" ({line.by})" if line.by else "")
    details = [part for text in (*line.sentences, *map(str, line.changes)) for part in text.splitlines()]
    return "\n".join(["", heading, *(f"    {part}" for part in details)])

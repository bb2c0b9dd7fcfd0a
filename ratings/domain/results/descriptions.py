"""Descriptions of events and their results as lines of plain text, for mails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.localize import format_days, join_parts, translate_message
from ratings.models import Event, Submission

from .edit_lines import name_row

MOST_NAMES = 40
"""Most players that a mail names; of a larger event, it names the first ones and the number of the others."""


class ConfirmedWarning(NamedTuple):
    """A warning with which results were submitted, translated.

    `place` names the player and the round, and is empty if the warning is about the whole table. `answer` is the
    reason that the organiser gave, empty after an officer's change.
    """

    place: str
    text: str
    answer: str


def describe_event(event: Event, *, names_players: bool = False) -> str:
    """Return lines with the name, days and place of an event, its lists, and the number of players and new players.

    `names_players` adds the players by name, for people who may see all names.
    """
    days = format_days(event.start, event.end)
    lines = [join_parts([event.name, days, event.place])]
    if lists := join_parts(event.lists.order_by("pk")):
        lines.append(_("Lists: %(lists)s") % {"lists": lists})
    submissions = event.submissions.exclude(state=Submission.State.DELETED)
    rows = [row for one in submissions for row in content_from_json(one.content).rows if not row.empty]
    if rows:
        new = sum(row.new and not row.player for row in rows)
        lines.append(_("Players: %(players)d, new: %(new)d") % {"players": len(rows), "new": new})
    if rows and names_players:
        lines.append(_name_players(rows))
    return "\n".join(lines)


def _name_players(rows: Sequence[SheetRow]) -> str:
    names = [_name_player(row) for row in rows[:MOST_NAMES]]
    if others := len(rows) - len(names):
        names.append(ngettext("and %(count)d more", "and %(count)d more", others) % {"count": others})
    return join_parts(names)


def list_confirmed_warnings(submissions: Iterable[Submission]) -> dict[int, list[ConfirmedWarning]]:
    """Return the warnings with which results were submitted, by the event's primary key, for submissions with any.

    The results of these submissions are read in one query, because lists of submissions are read without them.
    """
    warned = [one for one in submissions if one.warnings]
    stored = Submission.objects.filter(pk__in=[one.pk for one in warned]) if warned else Submission.objects.none()
    contents = dict(stored.values_list("pk", "content"))
    warnings: dict[int, list[ConfirmedWarning]] = defaultdict(list)
    for one in warned:
        content = content_from_json(contents[one.pk])
        for row, round_, message, reason in one.confirmed_warnings:
            place = _describe_place(content, row, round_)
            warnings[one.event_id].append(ConfirmedWarning(place, translate_message(message), reason))
    return dict(warnings)


def describe_confirmed_warnings(event: Event) -> list[str]:
    """Return a line for each warning with which the results of an event were submitted."""
    submitted = event.submissions.filter(state=Submission.State.SUBMITTED)
    return [_describe_warning(warning) for warning in list_confirmed_warnings(submitted).get(event.pk, [])]


def _describe_warning(warning: ConfirmedWarning) -> str:
    answer = f"“{warning.answer}”" if warning.answer else _("not answered yet")
    if not warning.place:
        return f"{warning.text} – {answer}"
    return _("%(place)s: %(text)s – %(answer)s") % {"place": warning.place, "text": warning.text, "answer": answer}


def _name_player(row: SheetRow) -> str:
    name = row.name or row.player or row.unread
    return _("%(name)s (new)") % {"name": name} if row.new and not row.player else name


def _describe_place(content: SheetContent, row: int | None, round_: int | None) -> str:
    if row is None:
        return ""
    name = name_row(content, row)
    return name if round_ is None else _("%(name)s, round %(round)s") % {"name": name, "round": round_}

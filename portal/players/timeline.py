"""Timeline of a player for officers: the changes to the player's data, and which of them can be undone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.domain.players.merging import merge_undo_problem
from ratings.domain.site.undoing import DESCRIBE, step_undo_problem
from ratings.localize import format_day, join_parts, translate_message
from ratings.models import Claim, Merge, NameVisibility, Player, RecordedStep
from ratings.queries.players.player_timeline import merges_of, steps_of

What = RecordedStep.What


@dataclass(frozen=True)
class TimelineStep:
    """Step of a timeline; `undo_url` is the address to post to, or to open if `asks_first`.

    `undo_blocked_reason` says why the step cannot be undone.
    """

    pk: int
    at: dt.datetime
    title: str
    reason: str
    by: User | None
    undone_at: dt.datetime | None
    undone_by: User | None
    undone_reason: str = ""
    undo_url: str = ""
    undo_blocked_reason: str = ""
    needs_reason: bool = False
    asks_first: bool = False
    """True if the undo is a page that lists what is deleted, instead of a button."""
    player: Player | None = None


def timeline_of(player: Player) -> list[TimelineStep]:
    """Return the latest steps of a player and of all players merged into them, newest first."""
    lines = [merge_line(record, player) for record in merges_of(player)]
    lines += [step_line(step) for step in steps_of(player)]
    return sorted(lines, key=lambda line: line.at, reverse=True)


def merge_line(record: Merge, player: Player) -> TimelineStep:
    """Return a merge or a move of results as a step in a player's timeline."""
    away = record.gone_id == player.pk
    other = record.kept if away else record.gone
    tables = len(record.moved.get("table", ()))
    names = {"player": other.name, "id": other.public_id, "tables": tables}
    if record.whole:
        title = _("Merged into %(player)s (%(id)s)") if away else _("%(player)s (%(id)s) merged into this player")
    elif away:
        title = ngettext(
            "Results of %(tables)d table moved to %(player)s (%(id)s)",
            "Results of %(tables)d tables moved to %(player)s (%(id)s)",
            tables,
        )
    else:
        title = ngettext(
            "Results of %(tables)d table received from %(player)s (%(id)s)",
            "Results of %(tables)d tables received from %(player)s (%(id)s)",
            tables,
        )
    stays = merge_undo_problem(record) if record.undone_at is None else ""
    undo = "" if record.undone_at or stays else reverse("undo_merge", args=[record.pk])
    return TimelineStep(
        record.pk,
        record.at,
        title % names,
        record.reason,
        record.by,
        record.undone_at,
        record.undone_by,
        undo_url=undo,
        undo_blocked_reason=stays,
    )


def step_line(step: RecordedStep) -> TimelineStep:
    """Return a recorded step with its title, and with its undo address or the reason why it cannot be undone."""
    stays = step_undo_problem(step) if step.undone_at is None else ""
    undo = "" if step.undone_at or stays else reverse("undo_step", args=[step.pk])
    granted = step.what == What.CLAIM_ANSWERED and step.values["state"] == Claim.State.GRANTED
    return TimelineStep(
        step.pk,
        step.at,
        title_of(step),
        translate_message(step.reason),
        step.by,
        step.undone_at,
        step.undone_by,
        step.undone_reason,
        undo,
        stays,
        needs_reason=granted or step.what == What.ERASURE_REQUESTED,
        asks_first=step.what in DESCRIBE,
        player=step.player,
    )


TITLES = {
    What.ERASURE_REQUESTED: gettext_lazy("Erasure requested"),
    What.PERSON_ERASED: gettext_lazy("Person erased"),
    What.PAGE_RELEASED: gettext_lazy("Page disconnected from its account"),
}


def title_of(step: RecordedStep) -> str:
    """Return a description of a recorded step."""
    if step.what == What.GRADE_ANNOUNCED:
        return _("%(grade)s announced on %(list)s") % {"grade": step.values["grade"], "list": step.list}
    if step.what == What.CLAIM_ANSWERED:
        granted = step.values["state"] == Claim.State.GRANTED
        return _("Claim of the page granted") if granted else _("Claim of the page declined")
    if step.what in TITLES:
        return str(TITLES[What(step.what)])
    if step.what == What.LIST_IMPORTED:
        count = len(step.values["adjustments"])
        title = ngettext(
            "Starting rating of %(count)d player on %(day)s", "Starting ratings of %(count)d players on %(day)s", count
        )
        return title % {"count": count, "day": format_day(dt.date.fromisoformat(step.values["day"]))}
    if step.what == What.RESULTS_IMPORTED:
        count = len(step.values["events"])
        return ngettext("Results of %(count)d event", "Results of %(count)d events", count) % {"count": count}
    return _visibility_title(step)


def _visibility_title(step: RecordedStep) -> str:
    parts = []
    if "shown" in step.values:
        before, after = (NameVisibility(value).label for value in step.values["shown"])
        parts.append(_("Name shown as: %(before)s → %(after)s") % {"before": before, "after": after})
    if "birth_public" in step.values:
        parts.append(_("birth year shown") if step.values["birth_public"][1] else _("birth year hidden"))
    if "gender_public" in step.values:
        parts.append(_("gender shown") if step.values["gender_public"][1] else _("gender hidden"))
    if step.values.get("own"):
        parts.append(_("chosen by the player"))
    return join_parts(parts)

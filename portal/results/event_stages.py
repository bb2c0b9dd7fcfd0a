"""Stages of an event as its organisers see them, and their names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils.translation import pgettext

from ratings.models import Event


class Stage:
    """Stages of an event, by which the chips above the events choose."""

    COMING, PLAYING, DRAFT, RETURNED, SUBMITTED, RATED, VOID = (
        "coming", "playing", "draft", "returned", "submitted", "rated", "void"
    )  # fmt: skip


def find_stage(event: Any, today: dt.date) -> str:
    """Return the stage of an event; `drafts` is its annotated number of open submissions."""
    states = {
        Event.State.RETURNED: Stage.RETURNED, Event.State.SUBMITTED: Stage.SUBMITTED,
        Event.State.ACCEPTED: Stage.RATED, Event.State.VOID: Stage.VOID,
    }  # fmt: skip
    if event.state in states:
        return states[event.state]
    if event.drafts or event.end < today:
        return Stage.DRAFT
    return Stage.PLAYING if event.start <= today else Stage.COMING


def describe_stages() -> Mapping[str, str]:
    """Return the name of each stage in the reader's language, in the order of the chips."""
    return {
        Stage.COMING: pgettext("event", "Coming"),
        Stage.PLAYING: pgettext("event", "Playing"),
        Stage.DRAFT: pgettext("event", "Draft"),
        Stage.RETURNED: pgettext("event", "Sent back"),
        Stage.SUBMITTED: pgettext("event", "Submitted"),
        Stage.RATED: pgettext("event", "Accepted"),
        Stage.VOID: pgettext("event", "Void"),
    }


TONES = {Stage.RETURNED: "warn", Stage.RATED: "good", Stage.VOID: "bad"}

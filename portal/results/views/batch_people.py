"""The page of the names of a batch of files: a name of several files is answered once."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from portal.site.offline import cache_offline
from portal.site.views.access import sign_in_required
from ratings.domain.results.batch_people import (
    BatchName,
    accept_likely_of_batch,
    choose_in_batch,
    find_last_step,
    list_batch_names,
    list_changed_names,
    list_open_drafts,
    make_unknown_of_batch_new,
    undo_choices_of_batch,
)
from ratings.domain.results.people import Button, Choice, Group
from ratings.matching import fold
from ratings.models import FileBatch, Submission
from ratings.name_certainty import ACCEPTED_ABOVE
from ratings.queries.events.events import lists_of

from .batches import describe_accepted, describe_new, describe_undone, get_batch
from .people import Line, make_line, read_choices, search_for, searched_row

MAX_NAMES = 500
"""Maximum number of names on the page; those that need an answer come first."""
SHOWN = ("check", "open", "decided")


@sign_in_required
@cache_offline
@require_http_methods(["GET", "HEAD", "POST"])
def batch_people(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the names that need an answer; every button saves the choices, then does its own action."""
    batch = get_batch(request, pk)
    if request.method != "POST":
        return render_names(request, batch)
    post = request.POST
    if "undo" in post:
        messages.success(request, describe_undone(undo_choices_of_batch(batch)))
        return redirect(page_address(request, batch))
    names = {name.id for name in list_batch_names(batch)}
    changed = choose_in_batch(batch, read_changes(post, names))
    for button in BULK.keys() & post.keys():
        BULK[button](batch)
        return redirect(page_address(request, batch, done=True))
    if number := searched_row(post, names):
        return render_names(request, batch, searched=(number, post.get(f"row-{number}-q", "")))
    return redirect(batch if "check" in post else page_address(request, batch, done=changed > 0))


BULK: Mapping[str, Callable[[FileBatch], int]] = {"accept": accept_likely_of_batch, "new": make_unknown_of_batch_new}
"""Functions of the buttons that choose many players at once."""


def read_changes(post: QueryDict, names: Container[int]) -> dict[int, str]:
    """Return the posted choices that differ from those that the page displayed.

    What was chosen meanwhile on another page stays, unless it was changed on this one too.
    """
    choices = read_choices(post, names)
    return {id: choice for id, choice in choices.items() if choice != post.get(f"row-{id}-was", "")}


def page_address(request: HttpRequest, batch: FileBatch, *, done: bool = False) -> str:
    """Return the address of the page with the same filter; `done` shows the notice of the last choices."""
    query = request.GET.copy()
    query.pop("done", None)
    if done:
        query["done"] = "1"
    address = reverse("batch_people", args=[batch.pk])
    return f"{address}?{query.urlencode()}" if query else address


def describe_last_step(drafts: Sequence[Submission]) -> str:
    """Return what the last step that can be undone did; empty if there is none."""
    steps = find_last_step(drafts)
    if not steps:
        return ""
    count = len(set().union(*(list_changed_names(content, step) for _draft, content, step in steps)))
    describe = {Button.ACCEPT: describe_accepted, Button.NEW: describe_new}.get(Button(steps[0][2].button))
    if describe is not None:
        return describe(count)
    return ngettext("%(count)d name is decided.", "%(count)d names are decided.", count) % {"count": count}


def render_names(request: HttpRequest, batch: FileBatch, *, searched: tuple[int, str] | None = None) -> HttpResponse:
    names = list_batch_names(batch)
    by_group = {group: [name for name in names if name.named.group == group] for group in Group}
    to_check = by_group[Group.LIKELY] + by_group[Group.NOT_FOUND]
    listed = {
        "check": to_check,
        "open": [name for name in names if name.is_open],
        "decided": [name for name in names if name.named.choice != Choice.OPEN],
    }
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else SHOWN[0]
    wanted = fold(request.GET.get("q", "").strip())
    found = [name for name in listed[shown] if wanted in fold(name.named.row.name)]
    lines = [write_line(name, searched) for name in found[:MAX_NAMES]]
    drafts = list_open_drafts(batch)
    last_step = describe_last_step(drafts)
    context: dict[str, Any] = {
        "batch": batch,
        "total": len(names),
        "drafts": drafts,
        "likely": [line for line in lines if line.named.group == Group.LIKELY],
        "not_found": [line for line in lines if line.named.group == Group.NOT_FOUND],
        "known": [line for line in lines if line.named.group == Group.KNOWN],
        "left_out": max(0, len(found) - MAX_NAMES),
        "counts": {name: len(rows) for name, rows in listed.items()},
        "groups": {group.name.lower(): len(rows) for group, rows in by_group.items()},
        "acceptable": sum(name.is_acceptable for name in names),
        "startable": sum(name.is_startable for name in names),
        "last_step": last_step,
        "done": "done" in request.GET and last_step,
        "action": page_address(request, batch),
        "shown": shown,
        "name": request.GET.get("q", "").strip(),
        "threshold": ACCEPTED_ABOVE,
        "editable": True,
    }
    return render(request, "results/batch_people.html", context)


def write_line(name: BatchName, searched: tuple[int, str] | None) -> Line:
    """Return the line of a name, with the files where it is."""
    line = make_line(name.named)
    line.where, line.was = describe_places(name), name.chosen
    if searched and searched[0] == name.id:
        search_for(line, lists_of(name.places[0].draft.event), searched[1])
    return line


def describe_places(name: BatchName) -> str:
    """Return the event of a name, or the number of its events with the first one."""
    events: Sequence[Any] = list(dict.fromkeys(str(place.draft.event) for place in name.places))
    if len(events) == 1:
        return str(events[0])
    return _("%(count)d events, first %(event)s") % {"count": len(events), "event": events[0]}

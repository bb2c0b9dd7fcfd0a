"""The public log of a list: its page, and the files with which it is checked."""

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from portal.lists.views.dated import get_dated_list
from portal.lists.views.lists import get_visible_list, open_for_export
from ratings.formats.proof.checkpoints import TREES, parse_checkpoint
from ratings.formats.proof.export import write_leaves
from ratings.formats.proof.notes import list_witnesses, parse_note
from ratings.models import Checkpoint, DatedList, LogKey
from ratings.queries.runs.logs import (
    describe_keys,
    is_log_current,
    list_published,
    read_leaves,
    read_log,
    read_witnessed_logs,
    signed_checkpoints,
    write_export,
)
from ratings.queries.runs.published_proofs import last_published_checkpoint

PER_PAGE = 25
RETRY_AFTER = 60  # seconds


@require_safe
def log_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the checkpoints of a list, newest first, and how they are checked."""
    the_list = get_visible_list(request, slug)
    checkpoints = signed_checkpoints(the_list).order_by("-number").select_related("dated__list")
    page = Paginator(checkpoints, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "rating_list": the_list,
        "page": page,
        "rows": [describe(checkpoint) for checkpoint in page],
        "key": LogKey.objects.values_list("public", flat=True).last() or "",
        "address": f"{settings.SITE_ADDRESS}{request.path}",
        "trees": TREES,
    }
    return render(request, "runs/log.html", context)


@dataclass(frozen=True)
class LogRow:
    """A checkpoint on the page of a log: the published list or the first day that it is about, and its witnesses."""

    checkpoint: Checkpoint
    is_run: bool
    since: dt.date | None
    dated: DatedList | None
    witnesses: list[str]


def describe(checkpoint: Checkpoint) -> LogRow:
    """Return the row of a checkpoint."""
    parsed = parse_checkpoint(checkpoint.text)
    witnesses = list_witnesses(parse_note(checkpoint.note))
    return LogRow(checkpoint, parsed.run is not None, parsed.since, checkpoint.dated, witnesses)


@require_safe
@conditional_page
def log_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the log of a list as text."""
    return text_response(read_log(get_visible_list(request, slug)))


def text_response(text: str) -> HttpResponse:
    """Return a text for programs; raise Http404 if there is none."""
    if not text:
        raise Http404
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@conditional_page
def log_keys(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the public keys of the site beside the log of a list."""
    get_visible_list(request, slug)
    return text_response(describe_keys())


@require_safe
@conditional_page
def log_export(request: HttpRequest, slug: str) -> HttpResponse:
    """Return everything with which the log of a list is checked offline, as a ZIP file."""
    with open_for_export(request, slug) as the_list:
        if not is_log_current(the_list):
            return explain_wait()
        content = write_export(the_list)
    headers = {"Content-Disposition": f'attachment; filename="{the_list.slug}-log.zip"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)


@require_safe
@conditional_page
def log_leaves(request: HttpRequest, slug: str, tree: str) -> HttpResponse:
    """Return the leaves of one of the trees of the log."""
    name = tree.replace("-", " ", 1)
    with open_for_export(request, slug) as the_list:
        published = list_published(the_list)
        if name not in TREES and name not in published:
            raise Http404
        if name in TREES and not is_log_current(the_list):
            return explain_wait()
        content = b"".join(write_leaves(read_leaves(the_list, name, published.get(name))))
    return HttpResponse(content, content_type="text/plain; charset=utf-8")


def explain_wait() -> HttpResponse:
    """Return the answer for a list whose rows are not those of its last checkpoint."""
    text = _("This list is being rated, or has no checkpoint yet. Try again in a few minutes.")
    headers = {"Retry-After": f"{RETRY_AFTER}"}
    return HttpResponse(f"{text}\n", status=503, content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
@conditional_page
def dated_checkpoint(request: HttpRequest, slug: str, day: dt.date) -> HttpResponse:
    """Return the signed checkpoint of a published list."""
    checkpoint = last_published_checkpoint(get_dated_list(request, slug, day))
    return text_response("" if checkpoint is None else checkpoint.note)


@require_safe
def witnessed_logs(request: HttpRequest) -> HttpResponse:
    """Return the checkpoints of other sites that this site has cosigned last; empty if there are none."""
    return HttpResponse(read_witnessed_logs(), content_type="text/plain; charset=utf-8")

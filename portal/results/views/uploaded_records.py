"""Page of the records that a uploaded history holds beside results, where an officer of the list accepts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from portal.results.record_sentences import describe_record
from portal.site.views.access import require, sign_in_required
from ratings.access import Action
from ratings.domain.results.accepted_records import read_accepted
from ratings.domain.results.record_acceptance import accept_records, undo_records
from ratings.domain.results.uploaded_records import (
    Kind,
    OfferedRecord,
    holds_records,
    list_record_lists,
    list_records,
)
from ratings.domain.results.waiting_records import dismiss_records, list_dismissed, restore_records
from ratings.models import BatchFile, RatingList

MAX_LISTED = 200
"""Maximum number of records of a kind that the page lists; its button accepts the others too."""


@dataclass(frozen=True)
class RecordGroup:
    """Records of one kind with their sentences, how many can be accepted, and how many were accepted."""

    kind: Kind
    title: str
    records: Sequence[tuple[OfferedRecord, str]]
    total: int
    open: int
    accepted: int

    @property
    def left_out(self) -> int:
        """Number of records that are not listed."""
        return self.total - len(self.records)


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def uploaded_records(request: HttpRequest, slug: str, file: int) -> HttpResponse:
    """Show what a uploaded history holds beside results for a list; accept a kind, dismiss the file, or undo that."""
    chosen = get_object_or_404(RatingList, slug=slug, comparison_to=None)
    require(request, Action.KEEP_LIST, chosen)
    the_file = get_object_or_404(BatchFile.objects.select_related("batch__made_by"), pk=file)
    lists = list_record_lists(the_file, request.user) if holds_records(the_file) else []
    if chosen not in lists:
        raise Http404
    if request.method != "POST":
        return _render(request, the_file, lists, chosen)
    if "dismiss" in request.POST or "restore" in request.POST:
        change_queue = dismiss_records if "dismiss" in request.POST else restore_records
        change_queue(the_file, lists if "all" in request.POST.values() else [chosen])
        return redirect("uploaded_records", chosen.slug, the_file.pk)
    change = _undo if "undo" in request.POST else _accept
    problems = change(request, the_file, chosen)
    if problems:
        the_file.refresh_from_db()
        return _render(request, the_file, lists, chosen, problems=problems, status=422)
    return redirect("uploaded_records", chosen.slug, the_file.pk)


def _accept(request: HttpRequest, file: BatchFile, rating_list: RatingList) -> Sequence[str]:
    """Accept the records of the kind that was posted; return the problems of those that were refused."""
    try:
        accepted = accept_records(file, rating_list, request.POST.get("accept", ""))
    except ValidationError as error:
        return error.messages
    if accepted.saved:
        text = ngettext("%(count)d record was accepted.", "%(count)d records were accepted.", accepted.saved)
        messages.success(request, f"{text % {'count': accepted.saved}} {_('The list is being rated again.')}")
    if accepted.proposed:
        text = ngettext(
            "%(count)d record waits for a second person.", "%(count)d records wait for a second person.",
            accepted.proposed,
        )  # fmt: skip
        messages.success(request, text % {"count": accepted.proposed})
    if not (accepted.saved or accepted.proposed or accepted.refused):
        return [_("No record can be accepted now. Reload the page to see why.")]
    return accepted.refused


def _undo(request: HttpRequest, file: BatchFile, rating_list: RatingList) -> Sequence[str]:
    """Undo what was accepted for a list; return why records stay."""
    undone = undo_records(file, rating_list)
    if undone.removed:
        text = ngettext("%(count)d record was removed again.", "%(count)d records were removed again.", undone.removed)
        messages.success(request, text % {"count": undone.removed})
    if undone.proposed:
        text = ngettext(
            "%(count)d record is removed when a second person confirms it.",
            "%(count)d records are removed when a second person confirms it.",
            undone.proposed,
        )
        messages.success(request, text % {"count": undone.proposed})
    if not (undone.removed or undone.proposed or undone.problems):
        return [_("Nothing is left to undo: the records were removed meanwhile.")]
    return undone.problems


def _render(
    request: HttpRequest,
    file: BatchFile,
    lists: Sequence[RatingList],
    chosen: RatingList,
    *,
    status: int = 200,
    problems: Sequence[str] = (),
) -> HttpResponse:
    context: dict[str, Any] = {
        "file": file,
        "is_own": file.batch.made_by_id == request.user.pk,
        "lists": lists,
        "chosen": chosen,
        "dismissed": list_dismissed(file, lists),
        "groups": _group_records(list_records(file, chosen), chosen),
        "accepted": len(read_accepted(file, chosen)),
        "problems": problems,
    }
    return render(request, "results/uploaded_records.html", context, status=status)


def _group_records(records: Sequence[OfferedRecord], rating_list: RatingList) -> list[RecordGroup]:
    titles = {
        Kind.OPENING: _("Starting ratings"),
        Kind.ADJUSTMENT: _("Adjustments"),
        Kind.DECISION: _("Decisions on grades"),
    }
    groups = []
    for kind, title in titles.items():
        own = [record for record in records if record.kind == kind]
        own.sort(key=lambda record: (record.is_open, record.is_accepted))  # what needs somebody comes first
        shown = [(record, describe_record(record.value, rating_list)) for record in own[:MAX_LISTED]]
        numbers = (sum(record.is_open for record in own), sum(record.is_accepted for record in own))
        if own:
            groups.append(RecordGroup(kind, title, shown, len(own), *numbers))
    return groups

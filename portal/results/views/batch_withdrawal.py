"""The page on which all submitted events of a batch of files are withdrawn."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from portal.site.views.access import require, sign_in_required
from portal.templatetags.portal_format import colon
from ratings.access import Action
from ratings.domain.results.batch_withdrawal import list_withdrawals
from ratings.domain.results.steps import check_unchanged
from ratings.domain.results.submitting import withdraw
from ratings.models import FileBatch
from ratings.queries.results.batches import files_of
from ratings.queries.results.workflow import page_versions

from .batches import get_batch


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_batch(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which events of a batch would be withdrawn and which not; withdraw those that were shown."""
    batch = get_batch(request, pk)
    if request.method != "POST":
        return render_withdrawals(request, batch)
    shown = set(request.POST.getlist("event"))
    if not shown:
        return render_withdrawals(request, batch, 422, problems=[_("None of these events waits for an officer.")])
    found = list_withdrawals(files_of(batch), request.user)
    done, problems = 0, [f"{colon(event)} {reason}" for event, reason in found.others if event.public_id in shown]
    for event in found.events:
        if event.public_id not in shown:
            continue
        try:
            with transaction.atomic():
                check_unchanged(event, request.POST.get(f"version-{event.public_id}", ""))
                require(request, Action.WITHDRAW, event)
                withdraw(event)
        except ValidationError as error:
            problems.append(f"{colon(event)} {' '.join(error.messages)}")
        else:
            done += 1
    if done:
        text = ngettext("%(count)d event is withdrawn. It can be submitted again below.",
                        "%(count)d events are withdrawn. They can be submitted again below.", done)  # fmt: skip
        messages.success(request, text % {"count": done})
    if problems:
        return render_withdrawals(request, batch, 422, problems=problems)
    if not done:
        messages.info(request, _("None of these events waits for an officer."))
    return redirect(batch)


def render_withdrawals(
    request: HttpRequest, batch: FileBatch, status: int = 200, *, problems: Sequence[str] = ()
) -> HttpResponse:
    found = list_withdrawals(files_of(batch), request.user)
    versions = page_versions(event.pk for event in found.events)
    context = {
        "batch": batch,
        "rows": [(event, versions[event.pk]) for event in found.events],
        "others": found.others,
        "problems": problems,
    }
    return render(request, "results/batch_withdrawal.html", context, status=status)

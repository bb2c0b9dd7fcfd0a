from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.site.visitor_forms import VisitorForm, is_over_limit, sign_opening
from ratings.access import Action
from ratings.domain.site.reports import answer_report, report_error
from ratings.models import Player, Report
from ratings.queries.events.events import public_events
from ratings.versioned_forms import VERSION_FIELD, lock_unchanged, opened_version

from .access import may_see, require


class ReportForm(VisitorForm, forms.ModelForm[Report]):
    """Form of an error report."""

    class Meta:
        model = Report
        fields = ("text", "mail")
        labels = {"text": gettext_lazy("What is wrong, and how do you know?")}

    def __init__(self, data: Any, user: Any) -> None:
        super().__init__(data, initial={"mail": getattr(user, "email", "")})
        self.fields["mail"].widget.attrs["autocomplete"] = "email"
        self.check_sender(user)


def new_report(request: HttpRequest, kind: str, public_id: str) -> HttpResponse:
    """Let any visitor report an error on a page."""
    about = get_object_or_404(public_events() if kind == "events" else Player.objects.all(), public_id=public_id)
    form = ReportForm(request.POST or None, request.user)
    context = {"form": form, "about": about, "opened": sign_opening()}
    if request.method != "POST" or not form.is_valid():
        return render(request, "site/report_form.html", context, status=422 if form.is_bound else 200)
    if is_over_limit(request, "report"):
        context["message"] = _("Too many reports in one hour. Try again later.")
        return render(request, "site/report_form.html", context, status=429)
    report = form.save(commit=False)
    setattr(report, "event" if kind == "events" else "player", about)
    return redirect(report_error(report))


def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a report and its answer; officers answer it here."""
    the_report = get_object_or_404(Report.objects.select_related("event", "player", "by__player"), public_id=public_id)
    context = {"report": the_report, "officer": may_see(request, Action.KEEP_PLAYERS), "states": Report.ANSWERS}
    context["opened_version"] = opened_version(the_report)
    if request.method != "POST":
        return render(request, "site/report.html", context)
    require(request, Action.KEEP_PLAYERS)
    try:
        with transaction.atomic():
            lock_unchanged(the_report, request.POST.get(VERSION_FIELD, ""))
            answer_report(the_report, state=request.POST.get("state", ""), answer=request.POST.get("answer", ""))
    except ValidationError as error:
        the_report.refresh_from_db()
        context |= {"problems": error.messages, "opened_version": opened_version(the_report)}
        context |= {"typed": request.POST.get("answer", ""), "chosen": request.POST.get("state", "")}
        return render(request, "site/report.html", context, status=422)
    messages.success(request, _("Answer saved."))
    return redirect(the_report)

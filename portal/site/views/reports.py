from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_ratelimit.core import is_ratelimited

from portal.limits import address_of
from ratings.access import Action, may
from ratings.domain.reports import answer_report, report_error
from ratings.models import Player, Report
from ratings.queries.events import public_events

from .access import require

LEAST_SECONDS, MOST_SECONDS = 2, 24 * 3600
"""A machine is quicker than the one, a form left open is older than the other."""
RATE = "5/h"
SALT = "report"


class ReportForm(forms.ModelForm[Report]):
    """The field `website` is for machines: people do not see it. Who is logged in is known to be none."""

    website = forms.CharField(required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}))
    opened = forms.CharField(widget=forms.HiddenInput)

    class Meta:
        model = Report
        fields = ("text", "mail")
        labels = {"text": gettext_lazy("What is wrong, and how do you know?")}

    def __init__(self, data: Any, user: Any) -> None:
        super().__init__(data, initial={"mail": getattr(user, "email", "")})
        self.known = user.is_authenticated
        self.fields["opened"].required = not self.known
        self.fields["mail"].widget.attrs["autocomplete"] = "email"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if self.known:
            return values
        if values.get("website") or not in_time(values.get("opened", "")):
            raise forms.ValidationError(_("That was too quick, or too long ago. Please send it once more."))
        return values


def in_time(opened: str) -> bool:
    """Whether a form was opened neither a moment nor a day ago."""
    signer = signing.TimestampSigner(salt=SALT)
    try:
        signer.unsign(opened, max_age=MOST_SECONDS)
    except signing.BadSignature:
        return False
    try:
        signer.unsign(opened, max_age=LEAST_SECONDS)
    except signing.SignatureExpired:
        return True
    return False


def new_report(request: HttpRequest, kind: str, public_id: str) -> HttpResponse:
    """Any visitor may say what is wrong on a page."""
    about = get_object_or_404(public_events() if kind == "events" else Player.objects.all(), public_id=public_id)
    form = ReportForm(request.POST or None, request.user)
    context = {"form": form, "about": about, "opened": signing.TimestampSigner(salt=SALT).sign("1")}
    if request.method != "POST" or not form.is_valid():
        return render(request, "portal/report_form.html", context, status=422 if form.is_bound else 200)
    if is_ratelimited(request, group="report", key=address_of, rate=RATE, method="POST", increment=True):
        context["told"] = _("These are many reports in an hour. Please come back later.")
        return render(request, "portal/report_form.html", context, status=429)
    report = form.save(commit=False)
    setattr(report, "event" if kind == "events" else "player", about)
    return redirect(report_error(report))


def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """What became of a report; officers answer here."""
    the_report = get_object_or_404(Report.objects.select_related("event", "player", "by__player"), public_id=public_id)
    context = {"report": the_report, "officer": may(request.user, Action.KEEP_PLAYERS), "states": Report.ANSWERS}
    if request.method != "POST":
        return render(request, "portal/report.html", context)
    require(request, Action.KEEP_PLAYERS)
    try:
        answer_report(the_report, state=request.POST.get("state", ""), answer=request.POST.get("answer", ""))
    except ValidationError as error:
        return render(request, "portal/report.html", context | {"problems": error.messages}, status=422)
    messages.success(request, _("Answered."))
    return redirect(the_report)

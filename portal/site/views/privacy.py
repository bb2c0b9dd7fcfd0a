"""The public privacy page, and the record of processing activities."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.site.processing import ACTIVITIES, describe_period, list_measures
from ratings.domain.site.retention_rules import RETENTION_RULES
from ratings.models import Federation


def privacy(request: HttpRequest) -> HttpResponse:
    """Show what the site stores about people, for how long, and what they can choose."""
    periods = [(rule.title, describe_period(rule)) for rule in RETENTION_RULES if rule.days is not None]
    return render(request, "site/privacy.html", {"periods": periods})


@login_required
@require_safe
def processing_record(request: HttpRequest) -> HttpResponse:
    """Show the record of processing activities, which officers print or save with the browser."""
    require(request, Action.KEEP_PLAYERS)
    context = {
        "activities": ACTIVITIES,
        "measures": list_measures(),
        "federations": Federation.objects.order_by("name"),
        "today": timezone.localdate(),
    }
    return render(request, "site/processing.html", context)

"""Health of the site: as JSON and metrics for programs, and as a page for administrators."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from portal.site.health_lines import describe_health, summarize_health
from portal.site.metrics import is_allowed, write_metrics
from portal.site.views.access import require, sign_in_required
from ratings.access import Action
from ratings.domain.site.health import check_health as parts_of

FINE = ("ok", "not used")


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    parts = parts_of()
    fine = all(parts[name] in FINE for name in ("database", "broker", "sweep", "disk"))
    return JsonResponse(parts, status=200 if fine else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return figures for Prometheus to programs that have the token; to others there is no such page."""
    if not is_allowed(request.headers.get("Authorization", "")):
        raise Http404
    return HttpResponse(write_metrics(), content_type=CONTENT_TYPE_LATEST)


@never_cache
@sign_in_required
@require_safe
def site_health(request: HttpRequest) -> HttpResponse:
    """Show administrators each part of the site, whether it works, and what needs it."""
    require(request, Action.SET_UP)
    lines = describe_health()
    return render(request, "site/health.html", {"health": lines, "lede": summarize_health(lines)})

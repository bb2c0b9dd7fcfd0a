import hashlib
import re
from collections.abc import Callable

from django.conf import settings
from django.contrib.sitemaps import views
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.robots import robots_txt
from portal.sitemaps import SECTIONS
from ratings.queries.names import hidden_names

KEPT = 3600


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(robots_txt(settings.SITE_ADDRESS + reverse("sitemap_index")), content_type="text/plain")


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    return kept(request, lambda: views.index(request, SECTIONS, sitemap_url_name="sitemap"))


@require_safe
def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    return kept(request, lambda: views.sitemap(request, SECTIONS, section))


def kept(request: HttpRequest, answer: Callable[[], TemplateResponse]) -> HttpResponse:
    """The answer, kept for a while, but no longer than until a name is hidden. 404: more is asked than a page."""
    if not re.fullmatch(r"(p=[1-9]\d{0,3})?", request.META["QUERY_STRING"], re.ASCII):  # each would be kept apart
        raise Http404
    about = f"sitemap {hidden_names()} {request.scheme}://{request.get_host()}{request.get_full_path()}"
    written = cache.get_or_set(hashlib.sha256(about.encode()).hexdigest(), lambda: answer().render().content, KEPT)
    return HttpResponse(written, content_type="application/xml")

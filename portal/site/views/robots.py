import re

from django.conf import settings
from django.contrib.sitemaps import views
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.site.robots_rules import robots_txt
from portal.site.sitemaps import SECTIONS


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(robots_txt(settings.SITE_ADDRESS + reverse("sitemap_index")), content_type="text/plain")


@require_safe
@cache_control(public=True, max_age=86400)
def favicon(request: HttpRequest) -> HttpResponse:
    """Answer browsers that ask for the icon at its fixed address."""
    icon = settings.BASE_DIR / "static" / "portal" / "favicon.ico"
    return HttpResponse(icon.read_bytes(), content_type="image/x-icon")


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    check_query(request)
    return as_xml(views.index(request, SECTIONS, sitemap_url_name="sitemap"))


@require_safe
def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    check_query(request)
    return as_xml(views.sitemap(request, SECTIONS, section))


def check_query(request: HttpRequest) -> None:
    """Raise Http404 for any query but a page number."""
    if not re.fullmatch(r"(p=[1-9]\d{0,3})?", request.META["QUERY_STRING"], re.ASCII):
        raise Http404


def as_xml(answer: TemplateResponse) -> HttpResponse:
    """Return the content of a sitemap without Django's own headers."""
    return HttpResponse(answer.render().content, content_type="application/xml")

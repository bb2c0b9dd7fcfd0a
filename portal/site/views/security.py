import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

VALID_DAYS = 180


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the contact for reports of security problems (RFC 9116); 404 where none is set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) + dt.timedelta(days=VALID_DAYS)
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _name in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_ADDRESS}{reverse('security_txt')}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")

"""System checks of the settings (`manage.py check --deploy`)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name


@register(Tags.security, deploy=True)
def check_trusted_proxies(**_options: Any) -> list[CheckMessage]:
    """Warn if a proxy is missing in TRUSTED_PROXIES: its visitors would share one rate limit, or have none."""
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        return [
            Warning(
                "HTTPS is on, so a proxy stands in front, but TRUSTED_PROXIES is 0.",
                hint="Set TRUSTED_PROXIES to the number of proxies; without it rate limits cannot tell visitors apart.",
                id="portal.W001",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def check_security_contact(**_options: Any) -> list[CheckMessage]:
    """Warn if there is no contact for reports of security problems."""
    if settings.SECURITY_CONTACT.startswith(("mailto:", "https://", "tel:")):
        return []
    return [
        Warning(
            "SECURITY_CONTACT is not set to an address (mailto:…, https://…), so /.well-known/security.txt is missing.",
            id="portal.W002",
        )
    ]

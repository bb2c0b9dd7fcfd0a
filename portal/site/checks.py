"""System checks of the settings (`manage.py check --deploy`)."""

from typing import Any

import psycopg
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's name

from ratings.postgres.pooler import find_missing_settings


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


@register("services", deploy=True)
def check_services(**_options: Any) -> list[CheckMessage]:
    """Warn if a setting still has its value for trying out the site: no Redis, printed mails, links to this machine."""
    is_console = settings.MAIL_DELIVERY_BACKEND.endswith("console.EmailBackend")
    found = {
        "portal.W005": (
            not settings.REDIS_URL,
            "REDIS_URL is not set, so the web itself rates lists, and caches no pages.",
        ),
        "portal.W006": (
            settings.SITE_ADDRESS == settings.LOCAL_ADDRESS,
            "SITE_ADDRESS is not set, so links in mails and on certificates lead to 127.0.0.1.",
        ),
        "portal.W007": (is_console, "EMAIL_URL is not set, so mails are printed and not sent."),
    }
    return [Warning(text, id=key) for key, (is_missing, text) in found.items() if is_missing]


@register("pooler", deploy=True)
def check_pooler(**_options: Any) -> list[CheckMessage]:
    """Warn if the sessions behind POOLER_URL lack a time limit or the threshold of the search, or cannot be reached."""
    if not settings.POOLER_URL:
        return []
    try:
        missing = find_missing_settings(settings.POOLER_URL, settings.WORD_SIMILARITY)
    except psycopg.Error as error:
        return [Warning(f"The pooler in POOLER_URL does not answer: {error}", id="portal.W004")]
    if not missing:
        return []
    return [
        Warning(
            f"Sessions of the pooler lack a time limit or the threshold of the search: {', '.join(missing)}.",
            hint="Set them for the role with ALTER ROLE, as docs/operations.md says, then restart PgBouncer.",
            id="portal.W003",
        )
    ]

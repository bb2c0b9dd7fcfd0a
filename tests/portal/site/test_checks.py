"""Checks of the settings by `manage.py check --deploy`."""

import pytest
from django.core.checks import run_checks

GOOD = {
    "REDIS_URL": "redis://127.0.0.1/0",
    "SITE_ADDRESS": "https://ratings.example.org",
    "MAIL_DELIVERY_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("REDIS_URL", GOOD["REDIS_URL"], []),
        ("REDIS_URL", "", ["portal.W005"]),
        ("SITE_ADDRESS", "http://127.0.0.1:8000", ["portal.W006"]),
        ("MAIL_DELIVERY_BACKEND", "django.core.mail.backends.console.EmailBackend", ["portal.W007"]),
    ],
)
def test_check_names_settings_that_a_real_site_needs(name, value, expected, settings):
    for key, good in (GOOD | {name: value}).items():
        setattr(settings, key, good)
    assert [warning.id for warning in run_checks(tags=["services"], include_deployment_checks=True)] == expected

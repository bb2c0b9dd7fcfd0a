"""The contact for security problems, as RFC 9116 wants it."""

import datetime as dt

import pytest
from django.core.checks import Tags, run_checks
from time_machine import travel

ADDRESS = "/.well-known/security.txt"


def test_security_txt_names_contact_and_expiry(client):
    with travel("2026-03-01T12:00:00Z", tick=False):
        response = client.get(ADDRESS)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == (
        "Contact: mailto:security@example.org\n"
        "Expires: 2026-08-28T00:00:00Z\n"
        "Preferred-Languages: en, fr, de, ja\n"
        "Canonical: http://127.0.0.1:8000/.well-known/security.txt\n"
    )


def test_expiry_is_less_than_a_year_ahead(client):
    line = next(line for line in client.get(ADDRESS).content.decode().splitlines() if line.startswith("Expires: "))
    ahead = dt.datetime.fromisoformat(line.removeprefix("Expires: ")) - dt.datetime.now(dt.UTC)
    assert dt.timedelta(days=30) < ahead < dt.timedelta(days=365)


def test_site_without_contact_has_no_security_txt(client, settings, db):
    settings.SECURITY_CONTACT = ""
    assert client.get(ADDRESS).status_code == 404


@pytest.mark.parametrize(
    ("https", "proxies", "contact", "expected"),
    [
        (True, 0, "mailto:a@example.org", ["portal.W001"]),
        (True, 1, "https://example.org/security", []),
        (False, 0, "a@example.org", ["portal.W002"]),
        (True, 0, "", ["portal.W001", "portal.W002"]),
    ],
)
def test_check_warns_of_uncounted_proxies_and_a_missing_contact(https, proxies, contact, expected, settings):
    settings.HTTPS, settings.TRUSTED_PROXIES, settings.SECURITY_CONTACT = https, proxies, contact
    messages = run_checks(tags=[Tags.security], include_deployment_checks=True)
    assert sorted(message.id for message in messages if message.id.startswith("portal.")) == expected

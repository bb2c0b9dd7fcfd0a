"""The record of processing activities, and the retention periods on the privacy page."""

from collections import Counter

import pytest

from ratings.access import OFFICERS
from ratings.domain.site.processing import ACTIVITIES, list_measures
from ratings.domain.site.retention_rules import RETENTION_RULES
from ratings.models import Federation
from tests.factories import make_list, make_user
from tests.markup import markup
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db


def test_every_retention_rule_belongs_to_one_purpose():
    used = Counter(key for activity in ACTIVITIES for key in activity.rules)
    assert used == {rule.key: 1 for rule in RETENTION_RULES}


def test_record_has_the_periods_of_the_settings(client, settings):
    settings.MAIL_DAYS, settings.UPLOAD_DAYS, settings.DRAFT_DAYS = 17, None, 1
    make_list()
    Federation.objects.update(contact="https://fesa.example/contact")
    client.force_login(person("officer", OFFICERS))
    page = markup(client.get("/organise/processing/"))
    for text in (
        "Emails that could not be delivered: 17 days", "Original files of accepted results; the results stay: no limit",
        "Draft results that were never submitted, after the last change: 1 day", "https://fesa.example/contact", "FESA",
    ):  # fmt: skip
        assert text in " ".join(page.split()), text


def test_measures_are_those_that_are_switched_on(settings):
    settings.HTTPS, settings.SECOND_FACTOR, settings.SIGN_IN_AGAIN = True, True, True
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
    assert list_measures()[:4] == [
        "All connections are encrypted (HTTPS).",
        "Rating officers and approvers need a second factor to sign in.",
        "Decisions need a sign-in within the last 10 minutes.",
        "Requests from one network address are limited.",
    ]
    settings.HTTPS = settings.SECOND_FACTOR = settings.SIGN_IN_AGAIN = False
    settings.PAGE_RATE = settings.COSTLY_RATE = None
    assert list_measures()[0].startswith("Passwords")


def test_record_is_for_officers(client):
    assert client.get("/organise/processing/").status_code == 302
    client.force_login(make_user("other"))
    assert client.get("/organise/processing/").status_code == 403
    client.force_login(make_user("admin", is_superuser=True))
    assert (client.get("/organise/processing/").status_code, client.post("/organise/processing/").status_code) == (
        200, 405,
    )  # fmt: skip


def test_public_page_lists_the_periods_and_links_what_people_can_do(client, settings):
    settings.CONTACT_DAYS, settings.LOG_DAYS = 12, None
    page = " ".join(markup(client.get("/privacy/")).split())
    assert "Email addresses and messages of entries, after the event: 12 days" in page
    assert ("The record of changes:" in page, "/me/data/" in page, "/me/erase/" in page) == (False, True, True)

"""Answers and dates on the page of a list's health, and the progress of results on the page of their event."""

import datetime as dt
import re

import pytest
import time_machine

from ratings.domain.results.steps import record_event_step
from ratings.models import Event, EventStep, RatingList, Report
from tests.factories import make_event, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 27, 12, tzinfo=dt.UTC)
What = EventStep.What


@pytest.fixture
def today():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def fesa(today):
    return make_list(publish_on="06-30 12-31", publish_from=dt.date(2020, 1, 1))


def tiles(page):
    """Return the figures of the section about answers, by name, as texts."""
    section = page[page.index('aria-labelledby="answers"') :]
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section)
    return {name: re.sub(r"<[^>]+>", "", text).strip() for name, text in found}


def test_page_shows_answers_and_dates_also_without_statistics(client, fesa):
    event = make_event(lists=[fesa], state=Event.State.SUBMITTED)
    record_event_step(event, What.SUBMITTED)
    for asked, answered in ((12, None), (10, 7)):
        report = Report.objects.create(text="x", event=event, state="open" if answered is None else "mended")
        at = None if answered is None else NOW - dt.timedelta(days=answered)
        Report.objects.filter(pk=report.pk).update(at=NOW - dt.timedelta(days=asked), answered_at=at)
    assert tiles(markup(client.get("/lists/fesa/health/"))) == {
        "Open error reports": "1 oldest: 12 days",
        "Median time to answer": "3 days 1 answer in the last 12 months",
        "Results being checked": "1 oldest: less than a minute",
        "Next published list": "31 Dec 2026 for events that end by this day",
    }


def test_list_with_closing_days_shows_the_next_one(client, today):
    """RIF 1995: lists of 30 April, 31 August and 31 December."""
    make_list("renju", system="rif-1995")
    page = markup(client.get("/lists/renju/health/"))
    assert tiles(page)["Next closing day"] == "31 Dec 2026 when an event that ends today is rated"
    assert "Next published list" not in page
    assert "The federation publishes this list on no fixed days." in page


def test_reports_are_counted_and_not_shown(client, fesa):
    Report.objects.create(text="secret text", mail="who@example.org", event=make_event(lists=[fesa]))
    page = markup(client.get("/lists/fesa/health/"))
    assert ("secret" in page, "who@example.org" in page) == (False, False)


def read_progress(client, event):
    """Return the steps of the results on the page of their event."""
    page = markup(client.get(event.get_absolute_url()))
    found = re.search(r'<ol class="crumbs" aria-label="Progress of the results">(.*?)</ol>', page)
    return found and re.findall(r"<li[^>]*>(.*?)</li>", found[1])


def test_page_of_an_event_shows_the_progress_of_its_results(client, fesa, rate_all):
    event = make_event("Cup", "2026-11-20", [fesa], state=Event.State.DRAFT, announced_at=NOW)
    assert read_progress(client, event) is None
    record_event_step(event, What.SUBMITTED)
    Event.objects.filter(pk=event.pk).update(state=Event.State.SUBMITTED)
    assert read_progress(client, event) == ["received on 27 Nov 2026", "being checked"]
    with time_machine.travel(NOW + dt.timedelta(days=2), tick=False):
        event.refresh_from_db()
        make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2026-11-20", event=event)
        record_event_step(event, What.ACCEPTED)
        Event.objects.filter(pk=event.pk).update(state=Event.State.ACCEPTED)
        RatingList.objects.update(out_of_date_from=event.end)
        assert read_progress(client, event) == ["received on 27 Nov 2026", "checked on 29 Nov 2026", "being rated"]
    with time_machine.travel(NOW + dt.timedelta(days=3), tick=False):
        rate_all()
        assert read_progress(client, event) == [
            "received on 27 Nov 2026",
            "checked on 29 Nov 2026",
            "rated on 30 Nov 2026",
        ]


def test_event_without_recorded_submission_shows_no_progress(client, fesa):
    assert read_progress(client, make_event(lists=[fesa])) is None

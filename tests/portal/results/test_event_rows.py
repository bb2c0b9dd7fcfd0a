"""The table of events on the page My events: players, and where each event stands."""

import datetime as dt

import pytest
import time_machine
from django.utils import timezone

from ratings.access import ORGANISERS
from ratings.domain.results.draft_reports import store_reports
from ratings.localize import format_day
from ratings.models import EntryList, Event, EventEntry, EventStep, SubmissionComment
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup

from .way import CLEAN, act, paste, person, save

pytestmark = pytest.mark.django_db


def type_results(client, event, sizes):
    client.post(f"/organise/events/{event.public_id}/results/", sizes | {"blank": "1"})


def read_row(client):
    (row,) = client.get("/organise/").context["rows"]
    return row.players, row.standing


@pytest.mark.parametrize(
    ("announced", "limit", "row"),
    [(False, None, ("–", "Not in the calendar yet")), (True, 32, ("1 of 32", "Announced in the calendar")),
     (True, None, ("1", "Announced in the calendar"))],
)  # fmt: skip
def test_row_of_a_coming_event_has_its_entries_and_the_calendar(announced, limit, row, client, organiser, fesa):
    day = timezone.now().date() + dt.timedelta(30)
    event = make_event("Winter Open", f"{day}", [fesa], created_by=organiser, state="draft", country="BE", place="Gent")
    if announced:
        Event.objects.update(announced_at=timezone.now())
        EntryList.objects.create(event=event, limit=limit)
        EventEntry.objects.create(event=event, player=make_player("Ada"), state="confirmed")
        EventEntry.objects.create(event=event, player=make_player("Ben"), state="asked")
    assert read_row(client) == row
    page = " ".join(markup(client.get("/organise/")).split())
    assert 'src="/static/vendor/flags/BE.svg"' in page
    assert f'<span class="second">Gent, {format_day(day)}' in page


@pytest.mark.parametrize(
    ("within", "standing"),
    [(None, "Results missing"), (14, "Results were due on 18 May 2024"), (60, "Results due on 3 Jul 2024")],
)
def test_row_of_an_event_without_results_says_when_they_are_due(within, standing, client, event, fesa):
    fesa.results_within = within
    fesa.save()
    with time_machine.travel("2024-06-01T12:00:00Z", tick=False):
        assert read_row(client) == ("–", standing)


def write_report(event, **report):
    event.submissions.update(report=report)


def test_row_of_a_draft_says_what_the_last_check_found(client, event, players):
    paste(client, event, CLEAN)
    assert read_row(client) == ("3", "Ready to submit")
    write_report(event, errors=1, questions=[["a", 1, "x"], ["b", 2, "y"]], ready=False)
    assert read_row(client) == ("3", "1 error, 2 questions")
    write_report(event, open=2)
    assert read_row(client) == ("3", "2 names to check")
    event.submissions.update(version=7)
    assert read_row(client) == ("3", "Entered, not submitted")


def test_row_of_a_typed_draft_says_what_is_missing(client, event, players):
    type_results(client, event, {"players": "2", "rounds": "1"})
    assert read_row(client) == ("–", "No results")
    submission = event.submissions.get()
    entries = {"row-1-family": "Adler", "row-1-given": "Zoë", "row-1-player": "A2", "row-2-family": "Nobody"}
    save(client, submission, **entries, **{"row-1-round-1": "2+", "row-2-round-1": "1-"})
    assert read_row(client) == ("2", "1 name to check")
    save(client, submission, **{"row-2-player": "B2", "row-2-round-1": "1+"})
    assert read_row(client) == ("2", "1 error")
    save(client, submission, **{"row-2-family": "Bauer", "row-2-given": "Max", "row-2-round-1": "1-"})
    assert read_row(client) == ("2", "Ready to submit")


def test_row_of_a_draft_follows_changes_of_its_event(client, event, players, fesa):
    paste(client, event, CLEAN)
    event.lists.clear()
    assert read_row(client) == ("3", "Ready to submit")
    store_reports([event])
    assert read_row(client) == ("3", "No rating list yet")


def test_row_of_a_returned_event_counts_open_comments(client, event, players, officer):
    paste(client, event, CLEAN)
    submission = event.submissions.get()
    Event.objects.update(state="returned")
    assert read_row(client) == ("3", "Changes asked for by the officer")
    SubmissionComment.objects.create(submission=submission, row=1, text="Who won?", by=officer)
    SubmissionComment.objects.create(submission=submission, row=2, text="Old", settled_at=timezone.now())
    SubmissionComment.objects.create(submission=submission, row=3, text="No", withdrawn_at=timezone.now())
    assert read_row(client) == ("3", "1 comment from the officer")


def test_row_of_a_submitted_event_says_how_long_it_waits(client, event, players):
    paste(client, event, CLEAN)
    act(client, event, "submit")
    event.steps.filter(what="submitted").update(at=timezone.now() - dt.timedelta(9))
    assert read_row(client) == ("3", "Waiting for 9 days")


def test_row_of_a_void_event_has_the_reason(client, event):
    Event.objects.update(state="void", void_reason="twice")
    assert read_row(client) == ("–", "The event was rated twice.")


def make_rated_event(organiser, rate_all, scores=(1.0, 1.0)):
    """Make a rated event of three players, of which the third loses most."""
    rating_list = make_list()
    ada, ben, cal = make_player("Ada"), make_player("Ben"), make_player("Cal", public_id="CAL")
    for player, rating in ((ada, 1500), (ben, 1500), (cal, 1700)):
        give_rating(rating_list, player, rating, games=5)
    event = make_event("Meir Open", "2024-01-06", [rating_list], created_by=organiser)
    games = [(number, number, 3, score) for number, score in enumerate(scores, 1)]
    table = make_table(None, [ada, ben, cal], games, event=event)
    rate_all()
    return rating_list, table


def test_row_of_a_rated_event_links_the_biggest_change(client, rate_all):
    organiser = person("organiser", ORGANISERS)
    client.force_login(organiser)
    rating_list, table = make_rated_event(organiser, rate_all)
    assert read_row(client) == ("3", "")
    change = rating_list.changes.get(table=table, player__public_id="CAL")
    assert change.change == min(rating_list.changes.filter(table=table).values_list("change", flat=True))
    page = " ".join(markup(client.get("/organise/")).split())
    address = f"/lists/{rating_list.slug}/tables/{table.pk}/CAL/"
    assert "Biggest change Cal" in page
    assert f'href="{address}"' in page
    assert f">−{abs(round(change.change))}</a>" in page
    assert client.get(address).status_code == 200


def test_row_of_a_rated_event_has_no_biggest_change_on_a_list_that_is_not_public(client, rate_all):
    organiser = person("organiser", ORGANISERS)
    client.force_login(organiser)
    rating_list, _table = make_rated_event(organiser, rate_all)
    type(rating_list).objects.update(public=False)
    assert read_row(client) == ("3", "Rated")
    assert "Biggest change" not in client.get("/organise/").text


def test_row_of_a_corrected_event_says_so(client, rate_all):
    organiser = person("organiser", ORGANISERS)
    client.force_login(organiser)
    _list, table = make_rated_event(organiser, rate_all)
    EventStep.objects.create(event=table.event, what="corrected")
    assert read_row(client) == ("3", "Rated, corrected")

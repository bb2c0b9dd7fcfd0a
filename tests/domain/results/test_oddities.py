"""Odd figures of submitted results, of which an officer's summary and line tell."""

import inspect
import re

import pytest

from portal.results.desk_lines import read_waiting_lines
from ratings.domain.events import event_requirements
from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.domain.results import (
    crosstable_input,
    duplicates,
    plausibility,
    published_ratings,
    submission_checks,
    summaries,
)
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import create_submission, save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.results.summaries import save_summary, summarise
from ratings.domain.runs import previewing
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.formats.check_catalogue import find_check
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Event, Player, RatingList
from ratings.queries.results.workflow import summary_of
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

PLAYERS = {"AAA": 2000, "BBB": 1000, "CCC": 1500, "DDD": 1500, "EEE": 1500}


@pytest.fixture
def user():
    with act_as(user := make_user("admin", is_superuser=True)):
        yield user


@pytest.fixture
def fesa(user):
    """A list with players whose names are their public ids, rated as `PLAYERS` says."""
    rating_list = make_list()
    for name, rating in PLAYERS.items():
        give_rating(rating_list, make_player(name, public_id=name), rating)
    rerate(rating_list.pk)
    return rating_list


def row(name, *cells):
    """Return a row of a known player, or of a new one if the name is not an id."""
    if name in PLAYERS:
        return SheetRow(name, player=name, cells=list(cells))
    return SheetRow(name, "Eva", "FR", new=True, cells=list(cells))


def submit_rows(rating_list, *rows):
    """Submit results with every warning confirmed, store their summary, and return the event."""
    event = make_event("Cup", "2024-05-04", [rating_list], state=Event.State.DRAFT)
    content = SheetContent(len(rows[0].cells), list(rows))
    submission = create_submission(event, content, days=(event.start, event.end))
    content = content_from_json(submission.content)
    for warning in check_submission(submission, content, None).warnings:
        content.confirmed[warning.key] = "yes"
    save_submission(submission, content)
    submit(event)
    save_summary(event.pk)
    return event


def list_odd(event):
    return [(str(who), str(message)) for who, message in summary_of(event)["odd"]]


def test_usual_results_have_nothing_odd(fesa):
    event = submit_rows(fesa, row("CCC", "2+", "3="), row("DDD", "1-", "0+"), row("EEE", "0+", "1="))
    assert list_odd(event) == []


def test_many_new_players_are_odd_when_most_are_new(fesa):
    known = [row("CCC", "2+"), row("DDD", "1-"), row("EEE", "0+")]
    few, more = [row(f"Neu{number}", "0-") for number in range(5)], [row(f"Alt{number}", "0-") for number in range(6)]
    assert list_odd(submit_rows(fesa, *known[:2], *few)) == []
    assert list_odd(submit_rows(fesa, *known, *more)) == [("", "6 of 9 players are new")]


def test_big_change_is_odd(fesa):
    event = submit_rows(fesa, row("AAA", "2-", "2-", "2-"), row("BBB", "1+", "1+", "1+"))
    assert list_odd(event) == [("BBB", "changes by +461 points")]
    assert list_odd(submit_rows(fesa, row("AAA", "0+", "2-"), row("CCC", "0+", "1+"))) == []


def test_first_rating_above_every_rating_of_the_list_is_odd(fesa):
    event = submit_rows(fesa, row("AAA", "2-", "2-"), row("Neu", "1+", "1+"))
    assert list_odd(event) == [("Neu Eva", "first rating 2273 is above every rating on the list")]


def test_first_rating_below_every_rating_of_the_list_is_odd(fesa):
    event = submit_rows(fesa, row("BBB", *["2+"] * 4), row("Neu", *["1-"] * 4))
    assert list_odd(event) == [("Neu Eva", "first rating 1 is below every rating on the list")]


def test_performance_far_from_the_rating_is_odd_from_four_games_on(fesa):
    three = submit_rows(fesa, row("DDD", "2+", "2+", "2-"), row("AAA", "1-", "1-", "1+"))
    assert list_odd(three) == []
    four = submit_rows(fesa, row("CCC", "2+", "2+", "2-", "2+"), row("AAA", "1-", "1-", "1+", "1-"))
    assert list_odd(four) == [
        ("CCC", "changes by +180 points"),
        ("CCC", "performance 2143 with a rating of 1500"),
        ("AAA", "performance 1489 with a rating of 2000"),
    ]


def test_line_of_an_event_lists_its_oddities(fesa, user):
    submit_rows(fesa, row("AAA", "2-", "2-"), row("Neu", "1+", "1+"))
    RatingList.objects.update(results_within=14)
    (line,) = read_waiting_lines(user)
    assert line.oddities == [
        ("Neu Eva: first rating 2273 is above every rating on the list", False),
        ("FESA: the results were not submitted within 14 days", False),
        ("1 answered question", False),
    ]
    assert (line.is_clean, line.is_blocked, line.first_oddity, line.more) == (False, False, line.oddities[0], 2)


def test_results_with_new_errors_are_blocked(fesa, user):
    event = submit_rows(fesa, row("CCC", "2+"), row("DDD", "1-"))
    players = [Player.objects.get(public_id=name) for name in ("CCC", "DDD")]
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-05-04", event_name="Copy")
    save_summary(event.pk)
    problem = summary_of(event)["problem"]
    assert find_check(problem).code == "preview"
    assert "“Copy” already has exactly these results" in problem
    (line,) = read_waiting_lines(user)
    assert (line.oddities, line.is_blocked) == ([(str(problem), True)], True)


def test_results_with_too_many_later_tables_can_be_accepted_without_a_preview(fesa, user):
    event = submit_rows(fesa, row("CCC", "2+"), row("DDD", "1-"))
    summary = summarise(event, event.submissions.all(), tables_at_most=0)
    assert summary.problem == "There are too many later results to preview them here."
    assert find_check(summary.problem).code == "preview-too-long"


def test_requirements_of_lists_are_checks_of_the_catalogue(fesa):
    RatingList.objects.update(announced_before=14, results_within=14, least_time="30+30 20+40")
    event = make_event("Cup", "2024-05-04", [fesa], time_control="15min + 10sec")
    unmet = find_unmet_requirements(event)
    assert [(find_check(message).code, str(message)) for message in unmet] == [
        ("announced-late", "FESA: the event was not announced 14 days in advance"),
        ("results-late", "FESA: the results were not submitted within 14 days"),
        ("time-control", "FESA: the time control is shorter than 30+30, 20+40"),
    ]


CHECKING = (
    crosstable_input,
    duplicates,
    event_requirements,
    plausibility,
    previewing,
    published_ratings,
    submission_checks,
    summaries,
)


@pytest.mark.parametrize("module", CHECKING, ids=lambda module: module.__name__.rpartition(".")[2])
def test_module_of_checks_reports_messages_of_the_catalogue_only(module):
    assert re.findall(r"gettext|_\(\"", inspect.getsource(module)) == []

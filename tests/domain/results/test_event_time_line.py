"""Every step of an event can be undone: withdrawn, deleted, voided, restored, undone."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.results.accepting import accept, preview_event
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.deleting import (
    delete_event,
    delete_submission,
    delete_table,
    restore_event,
    restore_submission,
    restore_table,
)
from ratings.domain.results.event_time_line import list_steps, undo_step
from ratings.domain.results.review import return_results
from ratings.domain.results.sharing import share_event
from ratings.domain.results.submissions import create_submission, save_submission
from ratings.domain.results.submitting import announce_event, submit, withdraw, withdraw_announcement
from ratings.domain.results.voiding import restore_void_event, void_event
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.domain.site.retention import delete_expired
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Adjustment, Change, Event, EventStep, Game, Standing, Submission, Table
from ratings.queries.results.workflow import returned_note
from tests.factories import give_ratings, make_event, make_list, make_player, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db(transaction=True)
What = EventStep.What


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    several = [make_player("Ada", "A", public_id="AAA"), make_player("Ben", "B", public_id="BBB")]
    give_ratings(fesa, several, 1500)
    return several


@pytest.fixture
def event(fesa):
    return make_event("Cup", "2024-05-04", [fesa], state=Event.State.DRAFT)


@pytest.fixture
def submission(event, players):
    content = SheetContent(1, [SheetRow(player="AAA", cells=["2+"]), SheetRow(player="BBB", cells=["1-"])])
    return create_submission(event, content, days=(event.start, event.end))


@pytest.fixture
def user():
    with act_as(user := make_user("officer")):
        yield user


def state_of(event):
    event.refresh_from_db()
    return event.state


def whats(event):
    return list(event.steps.order_by("pk").values_list("what", flat=True))


def ratings(fesa):
    return dict(Standing.objects.filter(list=fesa).values_list("player__public_id", "rating"))


def rated(event):
    """Accept an event's draft results."""
    submit(event)
    accept(event)
    event.refresh_from_db()
    return event.tables.get()


def undo(event, what):
    return undo_step(event.steps.filter(what=what).last())


def correct(table):
    """Let the other player win, and accept that."""
    correction = get_or_create_correction(table)
    correction.reason = "other result"
    content = content_from_json(correction.content)
    content.rows[0].cells, content.rows[1].cells = ["2-"], ["1+"]
    save_submission(correction, content)
    submit(table.event)
    accept(table.event)


def test_submission_is_withdrawn_and_submitted_again(event, submission, user):
    submit(event)
    withdraw(event)
    submission.refresh_from_db()
    assert (state_of(event), submission.state, whats(event)) == ("draft", "working", ["submitted", "withdrawn"])
    undo(event, What.WITHDRAWN)
    assert state_of(event) == "submitted"
    with pytest.raises(ValidationError, match="A later step followed"):
        undo_step(event.steps.first())


def test_withdrawing_after_the_officer_answered_is_refused(event, submission, user):
    submit(event)
    return_results(event, "Round 1?")
    with pytest.raises(ValidationError, match="an officer has returned or accepted them"):
        withdraw(event)


def test_withdrawn_correction_leaves_the_event_accepted(event, submission, user):
    table = rated(event)
    correction = get_or_create_correction(table)
    correction.reason, correction.name = "typing error", "Main"
    save_submission(correction, content_from_json(correction.content))
    submit(event)
    withdraw(event)
    correction.refresh_from_db()
    assert (state_of(event), correction.state) == ("accepted", "working")


def test_return_is_undone_until_the_organisers_change_something(event, submission, user):
    submit(event)
    return_results(event, "Round 1?")
    undo(event, What.RETURNED)
    assert state_of(event) == "submitted"
    return_results(event, "Round 1?")
    submission.refresh_from_db()
    save_submission(submission, content_from_json(submission.content))
    with pytest.raises(ValidationError, match="changed or submitted these results since"):
        undo(event, What.RETURNED)


def test_undone_return_is_a_step_of_its_own_and_ends_the_note(event, submission, user):
    submit(event)
    return_results(event, "Round 1?")
    assert returned_note(event) == "Round 1?"
    undo(event, What.RETURNED)
    assert (whats(event), returned_note(event)) == (["submitted", "returned", "return undone"], "")
    assert list_steps(event)[0].reason == "To go back, return the results again on the event’s page."


def test_sharing_is_undone_and_repeated_from_the_time_line(event, user):
    friend = make_user("friend")
    share_event(event, friend)
    share_event(event, friend)
    assert [(timed.step.note, timed.undo is not None) for timed in list_steps(event)] == [("friend", True)]
    undo(event, What.SHARED)
    assert (whats(event), list(event.organisers.all())) == (["shared", "unshared"], [])
    with pytest.raises(ValidationError, match="This was changed again since"):
        undo(event, What.SHARED)
    undo(event, What.UNSHARED)
    assert (whats(event), list(event.organisers.all())) == (["shared", "unshared", "shared"], [friend])
    friend.delete()
    assert [(timed.step.note, timed.reason) for timed in list_steps(event)] == [("–", "The account was deleted.")] * 3


def test_preview_of_a_draft_with_errors_says_nothing_of_withdrawing(event, submission, user):
    content = content_from_json(submission.content)
    content.rows[0].cells = ["9+"]
    save_submission(submission, content)
    with pytest.raises(ValidationError) as refused:
        preview_event(event, [submission])
    assert [text for text in refused.value.messages if "Withdraw" in text] == []
    assert "fix the errors, and confirm each warning." in refused.value.messages[0]


def test_draft_results_are_deleted_and_restored(event, submission, user):
    delete_submission(submission)
    submission.refresh_from_db()
    assert (submission.state, submission.deleted_by) == ("deleted", user)
    with pytest.raises(ValidationError, match="no longer a draft"):
        delete_submission(submission)
    with pytest.raises(ValidationError, match="There are no results to submit yet"):
        submit(event)
    restore_submission(submission)
    submission.refresh_from_db()
    assert (submission.state, submission.deleted_at, whats(event)) == (
        "working",
        None,
        ["sheet deleted", "sheet restored"],
    )
    submit(event)


def test_deleted_draft_event_leaves_the_calendar_and_comes_back_to_it(event, submission, user):
    announce_event(event)
    announced = Event.objects.get(pk=event.pk).announced_at
    delete_event(event)
    assert (state_of(event), event.announced_at) == ("deleted", None)
    with pytest.raises(ValidationError, match="Nothing can be submitted"):
        submit(event)
    restore_event(event)
    assert (state_of(event), event.announced_at) == ("draft", announced)
    withdraw_announcement(event)
    event.refresh_from_db()
    assert event.announced_at is None


def test_submitted_and_accepted_events_are_not_deleted(event, submission, user):
    submit(event)
    with pytest.raises(ValidationError, match="withdraw the submission first"):
        delete_event(event)
    accept(event)
    with pytest.raises(ValidationError, match="void it instead"):
        delete_event(event)


def test_deleted_drafts_are_erased_after_their_time(event, submission, user, settings):
    delete_event(event)
    assert sum(delete_expired().values()) == 0
    Event.objects.update(deleted_at=timezone.now() - dt.timedelta(days=settings.RESTORE_DAYS + 1))
    assert (delete_expired()["deleted_events"], Event.objects.count(), Submission.objects.count()) == (1, 0, 0)


def test_void_event_no_longer_counts_until_it_is_restored(fesa, event, submission, user):
    rated(event)
    before, changes = (
        ratings(fesa),
        list(Change.objects.order_by("player", "day", "place").values_list("player", "after", "state")),
    )
    void_event(event, reason="rules", explanation="Games of ten minutes")
    assert (state_of(event), event.void_explanation) == ("void", "Games of ten minutes")
    assert ratings(fesa) == {"AAA": 1500, "BBB": 1500}
    assert Game.objects.count() == 1
    assert list(find_differences(fesa)) == []
    restore_void_event(event)
    assert (state_of(event), ratings(fesa)) == ("accepted", before)
    assert list(Change.objects.order_by("player", "day", "place").values_list("player", "after", "state")) == changes
    assert event.submissions.get().table == event.tables.get()


def test_voiding_returns_a_submitted_correction(event, submission, user):
    correction = get_or_create_correction(rated(event))
    correction.reason, correction.name = "typing error", "Main"
    save_submission(correction, content_from_json(correction.content))
    submit(event)
    void_event(event, reason="twice", explanation="x")
    correction.refresh_from_db()
    assert correction.state == "returned"
    with pytest.raises(ValidationError, match="This event has no submitted results"):
        accept(event)
    restore_void_event(event)
    submit(event)
    accept(event)


@pytest.mark.parametrize(("reason", "explanation"), [("", "x"), ("nonsense", "x"), ("rules", " ")])
def test_voiding_needs_a_reason_and_an_explanation(reason, explanation, event, submission, user):
    rated(event)
    with pytest.raises(ValidationError):
        void_event(event, reason=reason, explanation=explanation)
    assert state_of(event) == "accepted"


def test_deleted_table_is_restored_with_its_results_and_versions(fesa, event, submission, user):
    table = rated(event)
    Game.objects.update(board=13)
    games = list(Game.objects.values_list("round", "a__number", "b__number", "score", "board"))
    before = ratings(fesa)
    delete_table(table, reason="entered twice")
    assert (Table.objects.count(), Game.objects.count(), ratings(fesa)) == (0, 0, {"AAA": 1500, "BBB": 1500})
    assert list(find_differences(fesa)) == []
    restore_table(table)
    assert list(Game.objects.values_list("round", "a__number", "b__number", "score", "board")) == games
    assert (ratings(fesa), Submission.objects.get().table) == (before, table)
    with pytest.raises(ValidationError, match="not deleted"):
        restore_table(table)


def test_deleted_table_whose_players_were_merged_waits_until_that_is_undone(event, submission, players, user):
    table = rated(event)
    delete_table(table)
    with act_as(make_user("admin", is_superuser=True)):
        record = merge_players(*players, reason="one")
        with pytest.raises(ValidationError, match="Two players of this table were merged"):
            restore_table(table)
        undo_merge(record)
    restore_table(table)
    assert table.entries.count() == 2


def test_deleted_table_is_not_corrected(event, submission, user):
    table = rated(event)
    delete_table(Table.objects.get())
    with pytest.raises(ValidationError, match="already deleted"):
        get_or_create_correction(table)
    assert not table.submissions.exclude(state=Submission.State.ACCEPTED).exists()


def test_table_with_an_adjustment_before_it_is_not_deleted(fesa, event, submission, players, user):
    table = rated(event)
    save_adjustment(Adjustment(list=fesa, player=players[0], date=event.end, before=table,
                        set={"rating": 1600, "games": 100, "bonus_games": 100}, reason="x"))  # fmt: skip
    with pytest.raises(ValidationError, match="Adjustments refer to this table"):
        delete_table(table)
    assert table.games.count() == 1


def test_correction_is_undone_by_the_version_before(fesa, event, submission, user):
    table = rated(event)
    before = ratings(fesa)
    correct(table)
    assert ratings(fesa) != before
    undo(event, What.CORRECTED)
    assert ratings(fesa) == before
    assert [one.reason for one in table.submissions.order_by("pk")] == ["", "other result", "correction undone"]


def test_undoing_a_correction_accepts_nothing_else_that_waits(fesa, event, submission, players, user):
    table = rated(event)
    correct(table)
    added = [SheetRow(player=make_player().public_id, cells=[cell]) for cell in ("2+", "1-")]
    waiting = create_submission(event, SheetContent(1, added), name="B", days=(event.start, event.end))
    submit(event)
    undo(event, What.CORRECTED)
    waiting.refresh_from_db()
    assert (waiting.state, event.tables.count()) == (Submission.State.SUBMITTED, 1)


def test_correction_from_a_version_does_not_overwrite_an_open_one(event, submission, user):
    table = rated(event)
    version = table.submissions.get()
    get_or_create_correction(table)
    with pytest.raises(ValidationError, match="A correction of this table is open already"):
        get_or_create_correction(table, from_version=version)


def test_only_accepted_results_are_corrected(event, submission, user):
    table = rated(event)
    void_event(event, reason="rules", explanation="x")
    with pytest.raises(ValidationError, match="Only accepted results can be corrected"):
        get_or_create_correction(table)


def test_time_line_says_what_can_be_undone_and_why_not(event, submission, user):
    submit(event)
    accept(event)
    event.refresh_from_db()
    lines = [(one.step.what, one.undo is not None, one.page, one.reason) for one in list_steps(event)]
    assert lines == [
        ("accepted", True, "", ""),
        ("submitted", False, "", "A later step followed: undo that one first."),
    ]


def test_only_the_latest_announcement_is_undone(event, user):
    announce_event(event)
    undo_step(event.steps.get(what="announced"))
    announce_event(event)
    announced = [
        (timed.undo is not None, timed.reason) for timed in list_steps(event) if timed.step.what == "announced"
    ]
    assert announced == [(True, ""), (False, "The event was removed from the calendar, or has results.")]


@pytest.mark.parametrize("what", EventStep.What)
def test_time_line_offers_an_undo_or_a_reason_for_every_step(what, event, user):
    EventStep.objects.create(event=event, what=what)
    EventStep.objects.create(event=event, what="submitted")
    timed = list_steps(event)[1]
    assert (timed.undo is not None) + bool(timed.page) + bool(timed.reason) == 1


def test_correction_is_accepted_by_another_person_where_the_list_wants_two(fesa, event, submission, user):
    table = rated(event)
    type(fesa).objects.update(four_eyes=True)
    correction = get_or_create_correction(table)
    correction.reason, correction.name = "typing error", "Main"
    save_submission(correction, content_from_json(correction.content))
    assert [one.problem for one in preview_event(event, [correction])] == [""]
    submit(event)
    with pytest.raises(ValidationError, match="requires two people"):
        accept(event)
    with act_as(make_user("second")):
        accept(event)
    assert table.submissions.filter(state="accepted").count() == 2


def test_undo_of_a_correction_waits_for_another_officer_where_the_list_wants_two(fesa, event, submission, user):
    table = rated(event)
    before = ratings(fesa)
    correct(table)
    changed = ratings(fesa)
    type(fesa).objects.update(four_eyes=True)
    warning = undo(event, What.CORRECTED)
    assert warning == "FESA requires two people: the earlier results wait until another officer accepts them."
    assert ratings(fesa) == changed
    with pytest.raises(ValidationError, match="requires two people"):
        accept(event)
    with act_as(make_user("second")):
        accept(event)
    assert ratings(fesa) == before

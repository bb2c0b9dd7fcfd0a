"""Undo of an acceptance: the results wait again, with the tables, players and adjustments of the acceptance deleted."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment, save_list_player
from ratings.domain.results.acceptance_undo import find_acceptance_undo_problem, undo_acceptance
from ratings.domain.results.accepting import accept
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.submissions import create_submission
from ratings.domain.results.submitting import submit
from ratings.domain.results.voiding import void_event
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import (
    Adjustment,
    Change,
    DatedList,
    Event,
    EventStep,
    ListPlayer,
    OutsideId,
    Player,
    Standing,
    Table,
)
from tests.factories import give_ratings, make_event, make_list, make_player, make_user
from tests.invariants import rating_problems, state_problems
from tests.shared import reused

pytestmark = pytest.mark.django_db(transaction=True)
What = EventStep.What
PRIOR_GRADE = "3 Dan"


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def ada(fesa):
    player = make_player("Ada", "A", public_id="AAA")
    give_ratings(fesa, [player], 1500)
    return player


@pytest.fixture
def user():
    with act_as(user := make_user("officer")):
        yield user


@pytest.fixture
def event(fesa, ada, user):
    """Return an accepted event in which a new player with a prior grade beat Ada."""
    event = make_event("Cup", "2024-05-04", [fesa], state=Event.State.DRAFT)
    new = SheetRow(
        "Bell",
        "Ben",
        "FR",
        new=True,
        prior_grade=PRIOR_GRADE,
        evidence="a letter",
        cells=["2+"],
        outside={"egd": "12345678", "fide": "0"},
    )
    create_submission(
        event, SheetContent(1, [new, SheetRow(player="AAA", cells=["1-"])]), days=(event.start, event.end)
    )
    submit(event)
    accept(event)
    event.refresh_from_db()
    return event


def find_step(event):
    return event.steps.select_related("event").filter(what=What.ACCEPTED).last()


def ratings(fesa):
    return dict(Standing.objects.filter(list=fesa).values_list("player__public_id", "rating"))


def test_undone_acceptance_leaves_everything_as_before(fesa, event):
    (stored,) = OutsideId.objects.all()
    assert (stored.player.name, str(stored), stored.confirmed_by.username) == ("Bell Ben", "EGD 12345678", "officer")
    assert (set(ratings(fesa)) - {"AAA"}, ListPlayer.objects.filter(prior_grade=PRIOR_GRADE).count()) != (set(), 0)
    assert undo_acceptance(find_step(event)) == ""
    event.refresh_from_db()
    submission = event.submissions.get()
    assert (event.state, submission.state, submission.table, submission.accepted_by, submission.accepted_at) == (
        "submitted",
        "submitted",
        None,
        None,
        None,
    )
    rows = content_from_json(submission.content).rows
    assert [(row.name, row.player, row.new, row.prior_grade) for row in rows] == [
        ("Bell Ben", "", True, PRIOR_GRADE),
        ("", "AAA", False, ""),
    ]
    assert (Table.with_deleted.count(), Change.objects.exclude(table=None).count()) == (0, 0)
    assert (list(Player.objects.values_list("public_id", flat=True)), OutsideId.objects.count()) == (["AAA"], 0)
    assert (ratings(fesa), ListPlayer.objects.filter(prior_grade=PRIOR_GRADE).count()) == ({"AAA": 1500}, 0)
    assert list(find_differences(fesa)) == []
    assert state_problems(event, began="draft") + rating_problems(event) == []


def test_undone_results_are_accepted_again_with_the_same_ratings(fesa, event):
    before = sorted(ratings(fesa).values())
    undo_acceptance(find_step(event))
    accept(Event.objects.get(pk=event.pk))
    assert sorted(ratings(fesa).values()) == before
    assert list(find_differences(fesa)) == []
    assert state_problems(event, began="draft") + rating_problems(event) == []
    assert find_acceptance_undo_problem(find_step(event)) == ""


def test_later_tables_are_rated_without_the_undone_one(fesa, ada, event):
    other = make_player("Eva", "E", public_id="EEE")
    give_ratings(fesa, [other], 1400)
    later = make_event("Later", "2024-06-01", [fesa], state=Event.State.DRAFT)
    rows = [SheetRow(player="AAA", cells=["2+"]), SheetRow(player="EEE", cells=["1-"])]
    create_submission(later, SheetContent(1, rows), days=(later.start, later.end))
    submit(later)
    accept(later)
    undo_acceptance(find_step(event))
    assert list(find_differences(fesa)) == []
    (change,) = Change.objects.filter(player=ada, table__isnull=False)
    assert (change.day, change.before) == (dt.date(2024, 6, 1), 1500)


def test_new_player_to_whom_other_data_refers_stays(fesa, event):
    new = Player.objects.get(family_name="Bell")
    other = make_event("Other", "2024-07-01", [fesa], state=Event.State.DRAFT)
    rows = [SheetRow(player=new.public_id, cells=["2+"]), SheetRow(player="AAA", cells=["1-"])]
    create_submission(other, SheetContent(1, rows), days=(other.start, other.end))
    message = undo_acceptance(find_step(event))
    assert message == "These new players stay, because other data refers to them: Bell Ben."
    row = content_from_json(event.submissions.get().content).rows[0]
    assert (row.player, row.new, OutsideId.objects.get().player) == (new.public_id, False, new)
    assert list(find_differences(fesa)) == []


def test_new_player_who_stays_keeps_the_data_of_all_lists(fesa, event):
    new, before = Player.objects.get(family_name="Bell"), sorted(ratings(fesa).values())
    bonus = Adjustment(list=fesa, player=new, date=dt.date(2024, 9, 1), set={"rating": 1700}, reason="bonus")
    save_adjustment(bonus)
    save_list_player(ListPlayer(list=make_list("other"), player=new, prior_grade="2 Dan", prior_evidence="a diploma"))
    stored = list(ListPlayer.objects.filter(player=new).values())
    assert undo_acceptance(find_step(event)) == "These new players stay, because other data refers to them: Bell Ben."
    assert list(ListPlayer.objects.filter(player=new).values()) == stored
    delete_adjustment(bonus)
    accept(Event.objects.get(pk=event.pk))
    assert sorted(ratings(fesa).values()) == before
    assert list(find_differences(fesa)) == []


def change_the_grade(new, fesa):
    row = ListPlayer.objects.get(player=new)
    row.prior_grade, row.prior_evidence = "2 Dan", "a diploma"
    save_list_player(row)
    return row


def add_data_of_another_list(new, fesa):
    row = ListPlayer(list=make_list("other"), player=new, prior_grade="2 Dan", prior_evidence="a diploma")
    save_list_player(row)
    return row


@pytest.mark.parametrize("enter", [change_the_grade, add_data_of_another_list])
def test_new_player_stays_with_list_data_that_an_officer_entered(enter, fesa, event):
    row = enter(Player.objects.get(family_name="Bell"), fesa)
    assert undo_acceptance(find_step(event)) == "These new players stay, because other data refers to them: Bell Ben."
    row.refresh_from_db()
    assert (row.prior_grade, row.prior_evidence) == ("2 Dan", "a diploma")
    assert content_from_json(event.submissions.get().content).rows[0].player == row.player.public_id


def start_correction(event, fesa):
    get_or_create_correction(event.tables.get())
    return "A correction of this event is open: withdraw or delete it first."


def adjust_before_the_table(event, fesa):
    table = event.tables.get()
    player = Player.objects.get(public_id="AAA")
    adjustment = Adjustment(
        list=fesa, player=player, date=table.last_day, before=table, set={"rating": 1400}, reason="r"
    )
    save_adjustment(adjustment)
    return "Adjustments or decisions refer to a table of this event: void the event instead."


def publish_list(event, fesa):
    DatedList.objects.create(list=fesa, day=dt.date(2024, 12, 31))
    return "FESA 2024-12-31 was published since: void the event instead."


def void(event, fesa):
    void_event(event, reason=Event.VoidReason.OTHER, explanation="why")
    return "The event is void."


def forget_rows(event, fesa):
    EventStep.objects.filter(what=What.ACCEPTED).update(data={"sheets": find_step(event).data["sheets"]})
    return "These results were accepted by an earlier release of the portal: void the event instead."


@pytest.mark.parametrize("change", [start_correction, adjust_before_the_table, publish_list, void, forget_rows])
def test_acceptance_on_which_something_was_built_is_not_undone(change, fesa, event):
    problem = change(event, fesa)
    step = find_step(event)
    assert find_acceptance_undo_problem(step) == problem
    with pytest.raises(ValidationError) as refused:
        undo_acceptance(step)
    assert refused.value.messages == [problem]
    assert event.tables.count() == 1

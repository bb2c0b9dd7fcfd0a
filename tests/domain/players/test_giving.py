"""One player who was two: tables given to another, with their versions, and taken back."""

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.reassign_results import move_results, preview_move
from ratings.domain.results.accepting import accept
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.submitting import submit
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.models import Adjustment, Entry, Event, EventStep, Merge, Player, RatingList, Run, Submission, Table
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
def people(fesa, rate_all):
    """Ada of two tables, of which the second was her namesake's; and Ben, who played both."""
    ada, other, ben = make_player("Ada", "Lo"), make_player("Ada", "Lo", country="DE"), make_player("Ben")
    give_rating(fesa, ada, 2000)
    give_rating(fesa, ben, 2000)
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="First")
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-02-06", event_name="Second")
    rate_all()
    return ada, other, ben


def table_of(name):
    return Table.objects.get(event__name=name)


def seats(name):
    return list(table_of(name).entries.order_by("number").values_list("player", flat=True))


def exact():
    return all(list(find_differences(one)) == [] for one in RatingList.objects.all())


def versions(name):
    """Return the players and the reason of each version of a table, oldest first."""
    accepted = table_of(name).submissions.filter(state=Submission.State.ACCEPTED).order_by("pk")
    return [([row["player"] for row in submission.content["rows"]], submission.reason) for submission in accepted]


def test_moved_table_is_rated_recorded_and_moved_back(fesa, people, rate_all):
    ada, other, ben = people
    before = stored_digest(fesa)
    record = move_results([table_of("Second")], ada, other, reason="the passport")
    rate_all()
    reason = f"Ada Lo ({ada.public_id}) → Ada Lo ({other.public_id}): the passport"
    assert (seats("First"), seats("Second"), exact()) == ([ada.pk, ben.pk], [other.pk, ben.pk], True)
    assert (record.whole, record.moved, record.gone, record.kept) == (False, {"table": [table_of("Second").pk]}, ada, other)  # fmt: skip
    assert Player.objects.exclude(merged_into=None).count() == 0
    assert versions("Second") == [([ada.public_id, ben.public_id], ""), ([other.public_id, ben.public_id], reason)]
    assert list(EventStep.objects.values_list("event__name", "what", "note")) == [("Second", "remapped", reason)]
    assert Run.objects.latest("pk").reasons == (reason,)
    assert undo_merge(record) == []
    rate_all()
    assert (stored_digest(fesa), exact(), seats("Second")) == (before, True, [ada.pk, ben.pk])
    assert (versions("Second")[-1], EventStep.objects.count()) == (
        ([ada.public_id, ben.public_id], f"undone: {reason}"), 2,
    )  # fmt: skip
    with pytest.raises(ValidationError, match="already undone"):
        undo_merge(record)


def test_all_tables_of_an_event_are_announced_in_one_mail(people):
    ada, other, ben = people
    second = make_table(None, [ben, ada], [(1, 1, 2, 1.0)], "2024-02-07", event=table_of("Second").event, name="B")
    move_results([table_of("First"), second], ada, other, reason="r")
    assert [step.event.name for step in EventStep.objects.all()] == ["First", "Second"]
    assert [entry.table.name for entry in other.entries.order_by("pk")] == ["", "B"]


def test_new_player_is_created_with_the_first_table(people):
    ada, _, ben = people
    new = Player(family_name="Ada", given_name="Lo", country="AT")
    move_results([table_of("Second")], ada, new, reason="r")
    assert seats("Second") == [Player.objects.get(country="AT").pk, ben.pk]


def test_adjustments_stay(people):
    ada, other, _ = people
    move_results([table_of("First"), table_of("Second")], ada, other, reason="r")
    assert (Adjustment.objects.filter(player=ada).count(), Adjustment.objects.filter(player=other).count()) == (1, 0)


def test_preview_shows_what_would_change_and_creates_no_player(fesa, people):
    ada, _, _ = people
    new, before = Player(family_name="Ada", country="AT"), stored_digest(fesa)
    (one,) = preview_move([table_of("Second")], ada, new)
    assert ({moved.player.name for moved in one.moved}, new.pk) == ({"Ada Lo", "Ada", "Ben"}, None)
    assert (stored_digest(fesa), Player.objects.count(), Merge.objects.count(), Submission.objects.count()) == (before, 3, 0, 0)  # fmt: skip


def refused(match, *arguments, reason="r"):
    before = list(Entry.objects.order_by("pk").values())
    with pytest.raises(ValidationError, match=match):
        move_results(*arguments, reason=reason)
    assert list(Entry.objects.order_by("pk").values()) == before
    assert (Merge.objects.filter(whole=False).count(), EventStep.objects.count(), Player.objects.count()) == (0, 0, 4)


def test_invalid_combination_is_refused(people):
    ada, other, ben = people
    cal, tables = make_player("Cal"), [table_of("First"), table_of("Second")]
    refused("Ben is already in First: correct the results of that table instead", tables, ada, ben)
    refused("Cal is no longer in First", tables, cal, other)
    refused("Choose at least one table, and another player", [], ada, other)
    refused("Choose at least one table, and another player", tables, ada, ada)
    refused("cannot be blank", tables, ada, other, reason="")
    refused("cannot be blank", tables, ada, Player(country="DE"))
    merge_players(cal, other, reason="r")
    refused("Cal was merged into another player: choose that player", tables, ada, cal)


def test_second_officer_learns_that_another_was_quicker(people):
    ada, other, ben = people
    tables, cal = [table_of("Second")], make_player("Cal")
    move_results(tables, ada, other, reason="r")
    with pytest.raises(ValidationError, match="Ada Lo is no longer in Second: open the page again"):
        move_results(tables, ada, cal, reason="r")
    assert seats("Second") == [other.pk, ben.pk]


def test_table_of_a_draft_is_given_and_rates_nothing(fesa, people, rate_all):
    ada, other, ben = people
    event = make_event("Draft", "2024-03-01", [fesa], state=Event.State.DRAFT)
    make_table(None, [ada, ben], [(1, 1, 2, 1.0)], "2024-03-01", event=event)
    rate_all()
    before = stored_digest(fesa)
    move_results([table_of("Draft")], ada, other, reason="r")
    rate_all()
    assert (seats("Draft"), stored_digest(fesa), exact()) == ([other.pk, ben.pk], before, True)


def test_undoing_follows_a_table_that_was_corrected(people):
    ada, other, ben = people
    record = move_results([table_of("Second")], ada, other, reason="r")
    save_table(table_of("Second"), [NewEntry(ben, 1), NewEntry(other, 2)], [NumberedGame(1, 1, 2, 0.5)])
    assert (undo_merge(record), seats("Second")) == ([], [ben.pk, ada.pk])


def test_undoing_names_tables_without_the_other_player(people):
    ada, other, ben = people
    first, second = table_of("First"), table_of("Second")
    record = move_results([first, second], ada, other, reason="r")
    cal = make_player("Cal")
    save_table(first, [NewEntry(cal, 1), NewEntry(ben, 2)], [NumberedGame(1, 1, 2, 0.5)])
    assert (undo_merge(record), seats("First"), seats("Second")) == ([first], [cal.pk, ben.pk], [ada.pk, ben.pk])


def test_undoing_of_nothing_is_refused(people):
    ada, other, _ = people
    record = move_results([table_of("Second")], ada, other, reason="r")
    delete_table(table_of("Second"))
    with pytest.raises(ValidationError, match="Ada Lo is no longer in any of these tables"):
        undo_merge(record)
    assert Merge.objects.get().undone_at is None


def test_undoing_waits_for_merges_that_came_after(people):
    ada, other, ben = people
    record = move_results([table_of("Second")], ada, other, reason="r")
    cal = make_player("Cal")
    for gone in (other, ada):
        merged = merge_players(gone, cal, reason="r")
        with pytest.raises(ValidationError, match="Ada Lo was merged into another player"):
            undo_merge(record)
        undo_merge(merged)
    assert (undo_merge(record), seats("Second")) == ([], [ada.pk, ben.pk])


def test_open_correction_goes_on_with_the_right_player(people):
    ada, other, ben = people
    event, submission = table_of("Second").event, get_or_create_correction(table_of("Second"))
    move_results([table_of("Second")], ada, other, reason="r")
    submission.refresh_from_db()
    submission.reason, submission.name = "one more thing", "Main"
    submission.save()
    submit(event)
    accept(event)
    assert seats("Second") == [other.pk, ben.pk]


def test_version_from_before_is_brought_back_with_its_player(people, rate_all):
    ada, other, ben = people
    record = move_results([table_of("Second")], ada, other, reason="r")
    table = table_of("Second")
    first = table.submissions.filter(state=Submission.State.ACCEPTED).earliest("pk")
    submission = get_or_create_correction(table, from_version=first)
    submission.reason = "it was right"
    submission.save()
    submit(table.event)
    accept(table.event)
    rate_all()
    assert (seats("Second"), exact()) == ([ada.pk, ben.pk], True)
    assert [names for names, _ in versions("Second")] == [
        [ada.public_id, ben.public_id], [other.public_id, ben.public_id], [ada.public_id, ben.public_id],
    ]  # fmt: skip
    with pytest.raises(ValidationError, match="is no longer in any of these tables"):
        undo_merge(record)

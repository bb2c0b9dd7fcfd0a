"""Merging two players who are one, and taking it back."""

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.merging import merge, preview_merge, undo
from ratings.domain.sheets import correction_of
from ratings.domain.tables import Pairing, Seat, save_table
from ratings.domain.verifying import differences, stored_digest
from ratings.models import Club, Entry, ListPlayer, Membership, Merge, Player, RatingList, Standing, Table
from ratings.queries.duplicates import probable_duplicates
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def people(fesa, rate_all):
    """Ada, who is written Ade since her second tournament, and Ben."""
    ada, ade, ben = make_player("Ada", "Lo"), make_player("Ade", "Lo"), make_player("Ben")
    give_rating(fesa, ada, 2000)
    give_rating(fesa, ben, 2000)
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06")
    make_table(fesa, [ade, ben], [(1, 1, 2, 1.0)], "2024-02-06")
    rate_all()
    return ada, ade, ben


def exact():
    return all(list(differences(one)) == [] for one in RatingList.objects.all())


def test_merged_player_has_one_history_and_undoing_gives_both_back(fesa, people, rate_all):
    ada, ade, _ = people
    before = stored_digest(fesa)
    assert Standing.objects.get(player=ade).category == "unrated"
    record = merge(ade, ada, reason="She married")
    rate_all()
    assert (Standing.objects.filter(player=ade).exists(), exact()) == (False, True)
    assert Standing.objects.get(player=ada).games == 102
    assert (Player.objects.get(pk=ade.pk).merged_into, record.moved["table"]) == (
        ada,
        [Table.objects.get(last_day="2024-02-06").pk],
    )
    undo(record)
    rate_all()
    assert (stored_digest(fesa), exact()) == (before, True)
    assert Player.objects.get(pk=ade.pk).merged_into is None
    with pytest.raises(ValidationError, match="undone already"):
        undo(record)


def test_undoing_leaves_what_came_after_the_merge(fesa, people, rate_all):
    ada, ade, ben = people
    record = merge(ade, ada, reason="r")
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.0)], "2024-03-06")
    undo(record)
    rate_all()
    assert sorted(Entry.objects.filter(player=ada).values_list("table__last_day__month", flat=True)) == [1, 3]
    assert exact()


def test_undoing_follows_tables_that_were_corrected_meanwhile(fesa, people, rate_all):
    ada, ade, ben = people
    cal = make_player("Cal")
    again, lost = ade.entries.get().table, make_table(fesa, [ade, ben], [(1, 1, 2, 1.0)], "2024-04-06")
    record = merge(ade, ada, reason="r")
    pairing = [Pairing(1, 1, 2, 0.5)]
    save_table(again, [Seat(ben, 1), Seat(ada, 2)], pairing)
    save_table(lost, [Seat(ben, 1), Seat(cal, 2)], pairing)
    assert undo(record) == [lost]
    rate_all()
    assert ([entry.table for entry in ade.entries.all()], ada.entries.count(), exact()) == ([again], 1, True)


def test_corrections_that_are_open_know_whom_undoing_seats(people):
    ada, ade, _ = people
    table = ade.entries.get().table
    record = merge(ade, ada, reason="r")
    sheet = correction_of(table)
    undo(record)
    sheet.refresh_from_db()
    assert sheet.content["rows"][0]["player"] == ade.public_id


def test_undoing_is_refused_while_the_other_is_merged_or_seated_himself(people):
    ada, ade, _ = people
    cal = make_player("Cal")
    first = merge(ade, ada, reason="r")
    second = merge(ada, cal, reason="r")
    with pytest.raises(ValidationError, match="Ada Lo is merged with somebody already"):
        undo(first)
    undo(second)
    table = Table.objects.get(last_day="2024-02-06")
    save_table(table, [Seat(ada, 1), Seat(ade, 2)], [Pairing(1, 1, 2, 1.0)])
    with pytest.raises(ValidationError, match=r"Ade Lo stands in Event .* already; correct that table's results"):
        undo(first)
    assert (Merge.objects.filter(undone_at=None).get(), Player.objects.get(pk=ade.pk).merged_into) == (first, ada)


def test_old_addresses_lead_over_several_merges_to_the_last(people):
    ada, ade, _ = people
    cal = make_player("Cal")
    merge(ade, ada, reason="r")
    second = merge(ada, cal, reason="r")
    assert list(Player.objects.filter(merged_into=cal).order_by("pk")) == [ada, ade]
    undo(second)
    assert list(Player.objects.exclude(merged_into=None).values_list("pk", "merged_into")) == [(ade.pk, ada.pk)]


def test_two_of_one_table_cannot_be_merged(people):
    ada, _, ben = people
    with pytest.raises(ValidationError, match="These two stand in one table: Event"):
        merge(ben, ada, reason="r")
    assert (Merge.objects.count(), Player.objects.filter(merged_into=None).count()) == (0, 3)


def test_nobody_is_merged_twice(people):
    ada, ade, ben = people
    merge(ade, ada, reason="r")
    for gone, kept in ((ade, ben), (ben, ade)):
        with pytest.raises(ValidationError, match="merged with somebody already"):
            merge(gone, kept, reason="r")


def test_what_the_kept_one_has_already_stays(fesa, people):
    ada, ade, _ = people
    club, other = Club.objects.create(name="A"), Club.objects.create(name="B")
    for player, grade, where in ((ada, "1 Dan", club), (ade, "2 Dan", other)):
        ListPlayer.objects.create(list=fesa, player=player, prior_grade=grade)
        Membership.objects.create(player=player, club=where)
    record = merge(ade, ada, reason="r")
    assert (record.moved["list"], record.moved["membership"]) == ([], [])
    assert (ada.on_lists.get().prior_grade, ada.memberships.get().club) == ("1 Dan", club)


def test_preview_tells_what_would_change_and_changes_nothing(people):
    ada, ade, _ = people
    (one,) = preview_merge(ade, ada)
    assert {moved.player for moved in one.moved} >= {ada, ade}
    assert (Merge.objects.count(), Entry.objects.filter(player=ade).count()) == (0, 1)


def test_probable_duplicates_are_found_whatever_the_order_of_the_names(people):
    twin, far = make_player("Lo", "Ada"), make_player("Lopez", "Adam")
    pairs = {frozenset((pair.one, pair.other)) for pair in probable_duplicates()}
    assert frozenset((people[0], twin)) in pairs
    assert not any(far in pair for pair in pairs)

"""Merging two players who are one, and taking it back."""

from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.lists.list_permissions import NotOfficerError
from ratings.domain.players.merging import merge_players, merge_undo_problem, preview_merge, undo_merge
from ratings.domain.players.reassign_results import move_results, preview_move
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.domain.site.acting import act_as
from ratings.models import (
    Club,
    Entry,
    Federation,
    FederationMembership,
    ListPlayer,
    Membership,
    Merge,
    Player,
    RatingList,
    Standing,
    Table,
)
from ratings.queries.players import duplicates
from ratings.queries.players.duplicates import probable_duplicates
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
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
    return all(list(find_differences(one)) == [] for one in RatingList.objects.all())


def test_merged_player_has_one_history_and_undoing_gives_both_back(fesa, people, rate_all):
    ada, ade, _ = people
    before = stored_digest(fesa)
    assert Standing.objects.get(player=ade).category == "unrated"
    record = merge_players(ade, ada, reason="She married")
    rate_all()
    assert (Standing.objects.filter(player=ade).exists(), exact()) == (False, True)
    assert Standing.objects.get(player=ada).games == 102
    assert (Player.objects.get(pk=ade.pk).merged_into, record.moved["table"]) == (
        ada,
        [Table.objects.get(last_day="2024-02-06").pk],
    )
    undo_merge(record)
    rate_all()
    assert (stored_digest(fesa), exact()) == (before, True)
    assert Player.objects.get(pk=ade.pk).merged_into is None
    with pytest.raises(ValidationError, match="already undone"):
        undo_merge(record)


def test_undoing_a_merge_keeps_later_results(fesa, people, rate_all):
    ada, ade, ben = people
    record = merge_players(ade, ada, reason="r")
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.0)], "2024-03-06")
    undo_merge(record)
    rate_all()
    assert sorted(Entry.objects.filter(player=ada).values_list("table__last_day__month", flat=True)) == [1, 3]
    assert exact()


def test_undoing_follows_tables_that_were_corrected_meanwhile(fesa, people, rate_all):
    ada, ade, ben = people
    cal = make_player("Cal")
    again, lost = ade.entries.get().table, make_table(fesa, [ade, ben], [(1, 1, 2, 1.0)], "2024-04-06")
    record = merge_players(ade, ada, reason="r")
    pairing = [NumberedGame(1, 1, 2, 0.5)]
    save_table(again, [NewEntry(ben, 1), NewEntry(ada, 2)], pairing)
    save_table(lost, [NewEntry(ben, 1), NewEntry(cal, 2)], pairing)
    assert undo_merge(record) == [lost]
    rate_all()
    assert ([entry.table for entry in ade.entries.all()], ada.entries.count(), exact()) == ([again], 1, True)


def test_undoing_a_merge_updates_open_corrections(people):
    ada, ade, _ = people
    table = ade.entries.get().table
    record = merge_players(ade, ada, reason="r")
    submission = get_or_create_correction(table)
    undo_merge(record)
    submission.refresh_from_db()
    assert submission.content["rows"][0]["player"] == ade.public_id


def test_undoing_is_refused_while_the_other_is_merged_or_seated_himself(people):
    ada, ade, _ = people
    cal = make_player("Cal")
    first = merge_players(ade, ada, reason="r")
    second = merge_players(ada, cal, reason="r")
    with pytest.raises(ValidationError, match="Ada Lo was merged into another player"):
        undo_merge(first)
    undo_merge(second)
    table = Table.objects.get(last_day="2024-02-06")
    save_table(table, [NewEntry(ada, 1), NewEntry(ade, 2)], [NumberedGame(1, 1, 2, 1.0)])
    with pytest.raises(ValidationError, match=r"Ade Lo is already in Event .*: correct the results of that table"):
        undo_merge(first)
    assert (Merge.objects.filter(undone_at=None).get(), Player.objects.get(pk=ade.pk).merged_into) == (first, ada)


def test_old_addresses_lead_over_several_merges_to_the_last(people):
    ada, ade, _ = people
    cal = make_player("Cal")
    merge_players(ade, ada, reason="r")
    second = merge_players(ada, cal, reason="r")
    assert list(Player.objects.filter(merged_into=cal).order_by("pk")) == [ada, ade]
    undo_merge(second)
    assert list(Player.objects.exclude(merged_into=None).values_list("pk", "merged_into")) == [(ade.pk, ada.pk)]


def test_players_of_the_same_table_cannot_be_merged(people):
    ada, _, ben = people
    with pytest.raises(ValidationError, match="These two players are in the same table: Event"):
        merge_players(ben, ada, reason="r")
    assert (Merge.objects.count(), Player.objects.filter(merged_into=None).count()) == (0, 3)


def test_merged_player_cannot_be_merged_again(people):
    ada, ade, ben = people
    merge_players(ade, ada, reason="r")
    for gone, kept in ((ade, ben), (ben, ade)):
        with pytest.raises(ValidationError, match="was merged into another player"):
            merge_players(gone, kept, reason="r")


def test_merge_keeps_the_data_of_the_remaining_player(fesa, people):
    ada, ade, _ = people
    club, other = Club.objects.create(name="A"), Club.objects.create(name="B")
    for player, grade, where in ((ada, "1 Dan", club), (ade, "2 Dan", other)):
        ListPlayer.objects.create(list=fesa, player=player, prior_grade=grade)
        Membership.objects.create(player=player, club=where)
    record = merge_players(ade, ada, reason="r")
    assert (record.moved["list"], record.moved["membership"]) == ([], [])
    assert (ada.on_lists.get().prior_grade, ada.memberships.get().club) == ("1 Dan", club)


def test_merge_keeps_the_later_day_of_membership_and_undo_restores_it(fesa, people):
    ada, ade, _ = people
    federations = [fesa.federation, *(Federation.objects.create(name=name, slug=name) for name in ("a", "b"))]
    days = [
        (ada, 0, "2024-12-31"),
        (ade, 0, "2025-12-31"),
        (ada, 1, "2026-12-31"),
        (ade, 1, "2023-12-31"),
        (ade, 2, "2024-06-30"),
    ]
    for player, number, day in days:
        FederationMembership.objects.create(federation=federations[number], player=player, until=day)

    def read():
        rows = FederationMembership.objects.order_by("pk")
        return [(row.player, federations.index(row.federation), f"{row.until}") for row in rows]

    record = merge_players(ade, ada, reason="r")
    assert [each for each in read() if each[0] == ada] == [
        (ada, 0, "2025-12-31"), (ada, 1, "2026-12-31"), (ada, 2, "2024-06-30"),
    ]  # fmt: skip
    undo_merge(record)
    assert read() == days


def test_preview_shows_what_would_change_and_changes_nothing(people):
    ada, ade, _ = people
    (one,) = preview_merge(ade, ada)
    assert {moved.player for moved in one.moved} >= {ada, ade}
    assert (Merge.objects.count(), Entry.objects.filter(player=ade).count()) == (0, 1)


WHO_MERGES = {
    "command": (True, True, True),
    "officer of all": (True, True, True),
    "officer of fesa": (False, False, True),
    "officer of another list": (False, False, False),
    "organiser": (False, False, False),
    "player": (False, False, False),
    "administrator": (True, True, True),
}
"""Who may merge, undo a merge, and move results of a table on the list fesa."""


def user_of(who, fesa, icu):
    if who == "command":
        return None
    user = make_user(who.replace(" ", "-"), is_superuser=who == "administrator")
    if who.startswith("officer"):
        user.groups.add(Group.objects.get(name=OFFICERS))
    if who == "organiser":
        user.groups.add(Group.objects.get(name=ORGANISERS))
    keeper = make_user("keeper")
    for one, names in ((fesa, ("officer of all", "officer of fesa")), (icu, ("officer of all",))):
        one.officers.add(user if who in names else keeper)
    return user


@pytest.mark.parametrize("who", WHO_MERGES)
def test_merging_and_moving_need_the_right_on_every_list_that_is_touched(fesa, people, who):
    ada, ade, _ = people
    icu = make_list("icu", system="icu-1989")
    make_table(icu, [ada, make_player()], [(1, 1, 2, 1.0)], "2024-05-05")
    user, cal, table = user_of(who, fesa, icu), make_player("Cal"), ade.entries.get().table
    record = merge_players(ade, ada, reason="r")
    undo_it, merge_it = partial(undo_merge, record), partial(merge_players, ade, ada, reason="r")
    may_merge, may_undo, may_move = WHO_MERGES[who]
    for change, may in (
        (undo_it, may_undo),
        (merge_it, may_merge),
        (partial(preview_merge, ade, ada), may_merge),
        (partial(move_results, [table], ade, cal, reason="r"), may_move),
        (partial(preview_move, [table], ade, cal), may_move),
    ):
        with transaction.atomic():
            if change is not undo_it:
                undo_merge(record)
            with act_as(user):
                if may:
                    change()
                else:
                    with pytest.raises(PermissionDenied):
                        change()
            transaction.set_rollback(True)


def test_undoing_a_move_needs_the_right_on_its_lists(fesa, people):
    _, ade, _ = people
    record = move_results([ade.entries.get().table], ade, make_player("Cal"), reason="r")
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    fesa.officers.add(make_user("keeper"))
    with act_as(officer):
        assert merge_undo_problem(record).startswith("This also concerns FESA (keeper)")
        with pytest.raises(NotOfficerError):
            undo_merge(record)
    fesa.officers.add(officer)
    with act_as(officer):
        assert merge_undo_problem(record) == ""
        undo_merge(record)


def test_merge_rates_again_only_what_follows_its_first_step(fesa, people, rate_all):
    ada, ade, _ = people
    merge_players(ade, ada, reason="r")
    fesa.refresh_from_db()
    assert str(fesa.out_of_date_from) == "2024-02-06"
    rate_all()
    assert exact()


def test_merge_that_moves_what_a_list_knows_rates_the_other_from_their_first_step(fesa, people, rate_all):
    ada, ade, _ = people
    ListPlayer.objects.create(list=fesa, player=ade, prior_grade="1 Dan")
    rate_all()
    record = merge_players(ade, ada, reason="r")
    fesa.refresh_from_db()
    assert str(fesa.out_of_date_from) == "2020-01-01"
    rate_all()
    assert exact()
    undo_merge(record)
    rate_all()
    assert exact()


def test_adjustments_move_with_a_merge_and_back(fesa, people, rate_all):
    ada, ade, _ = people
    give_rating(fesa, ade, 2100, "2024-02-01")
    rate_all()
    before = stored_digest(fesa)
    record = merge_players(ade, ada, reason="r")
    rate_all()
    assert (ada.adjustments.count(), exact()) == (2, True)
    undo_merge(record)
    rate_all()
    assert (stored_digest(fesa), exact()) == (before, True)


def test_probable_duplicates_are_found_whatever_the_order_of_the_names(people):
    twin, far = make_player("Lo", "Ada"), make_player("Lopez", "Adam")
    pairs = {frozenset((pair.first, pair.second)) for pair in probable_duplicates()}
    assert frozenset((people[0], twin)) in pairs
    assert not any(far in pair for pair in pairs)


@pytest.mark.parametrize("large", [0, 1000])
def test_probable_duplicates_are_found_among_many_names_that_begin_alike(monkeypatch, large):
    monkeypatch.setattr(duplicates, "LARGE", large)
    names = [
        "Nakamura Yuki",
        "Nakamura Yukio",
        "Nakamura Hana",
        "Yuki Nakamura",
        "Tanaka Yuki",
        "Makamura Yuki",
        "Yuki",
    ]
    players = [make_player(*name.split()) for name in names]
    pairs = [(pair.first.name, pair.second.name, round(pair.similarity)) for pair in probable_duplicates()]
    assert pairs == [
        ("Nakamura Yuki", "Yuki Nakamura", 100),
        ("Nakamura Yuki", "Nakamura Yukio", 96),
        ("Nakamura Yukio", "Yuki Nakamura", 96),
        ("Nakamura Yuki", "Makamura Yuki", 92),
        ("Yuki Nakamura", "Makamura Yuki", 92),
    ]
    assert probable_duplicates()[0].first == players[0]


@pytest.mark.parametrize(
    ("gone", "kept", "expected"),
    [
        (("female", True), ("", False), ("female", True)),
        (("female", False), ("", True), ("female", False)),
        (("", True), ("female", False), ("female", False)),
        (("male", True), ("female", False), ("female", False)),
        (("", False), ("", False), ("", False)),
    ],
)
def test_merge_keeps_a_known_gender_and_undoing_gives_both_back(gone, kept, expected):
    ade, ada = (
        make_player(name, gender=gender, gender_public=public)
        for name, (gender, public) in {"Ade": gone, "Ada": kept}.items()
    )

    def genders():
        return [Player.objects.values_list("gender", "gender_public").get(pk=player.pk) for player in (ade, ada)]

    before = genders()
    record = merge_players(ade, ada, reason="one")
    assert genders() == [gone, expected]
    undo_merge(record)
    restored = ("", False) if kept[0] == "" and gone[0] else kept
    assert genders() == [before[0], restored]


def test_undone_merge_keeps_a_gender_recorded_since():
    ade, ada = make_player("Ade", gender="female"), make_player("Ada")
    record = merge_players(ade, ada, reason="one")
    Player.objects.filter(pk=ada.pk).update(gender="other")
    undo_merge(record)
    assert Player.objects.get(pk=ada.pk).gender == "other"

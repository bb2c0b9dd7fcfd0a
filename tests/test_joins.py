"""The check of queries that combine several to-many joins with OR."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from ratings.access import OFFICERS
from ratings.domain.site.mails import get_organisers, users_with_permission
from ratings.models import Club, Event, Player, RatingList
from ratings.queries.events.events import lists_of
from ratings.queries.lists.lists_of_players import lists_of_players
from ratings.queries.results.workflow import events_of
from tests.factories import make_event, make_list, make_player, make_table, make_user
from tests.joins import MultipliedRowsError, check_query

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "queryset",
    [
        lambda: RatingList.objects.filter(Q(events__tables__entries__player=1) | Q(adjustments__player=1)),
        lambda: RatingList.objects.filter(Q(adjustments__player=1) | Q(slug="x") & Q(decisions__player=1)),
        lambda: Event.objects.filter(Q(organisers=1) | Q(club__organisers=1)),
        lambda: RatingList.objects.filter(Q(events=1) | Q(comparison_to__events=1)),
    ],
)
def test_check_refuses_several_to_many_joins_in_one_or(queryset):
    with pytest.raises(MultipliedRowsError):
        list(queryset())


@pytest.mark.parametrize(
    "queryset",
    [
        lambda: RatingList.objects.filter(Q(officers=None) | Q(officers=1)),
        lambda: RatingList.objects.filter(events__tables=1, adjustments__player=1),
        lambda: Player.objects.filter(Q(entries__number=1) | Q(entries__table__event=1)),
        lambda: Event.objects.filter(Q(created_by=1) | Q(organisers=1)),
    ],
)
def test_check_accepts_one_to_many_path(queryset):
    check_query(queryset().query)


def test_lists_of_players_are_those_with_anything_of_them(django_assert_num_queries):
    fesa, icu, _ = make_list(), make_list("icu", system="icu-1989"), make_list("empty")
    make_list("first", system="fesa-2000", comparison_to=fesa)
    ada, ben = make_player(), make_player()
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)])
    ben.on_lists.create(list=icu)
    with django_assert_num_queries(1):
        assert list(lists_of_players(ada)) == [fesa]
    assert list(lists_of_players(ada, ben)) == [fesa, icu]
    assert list(lists_of_players(make_player())) == []


def test_organisers_of_an_event_are_named_once(django_assert_num_queries):
    made, shared, club = make_user("made"), make_user("shared"), Club.objects.create(name="Club")
    make_user("stranger"), club.organisers.add(made, of_club := make_user("club"))
    event = make_event(created_by=made, club=club)
    event.organisers.add(made, shared, of_club, make_user("gone", is_active=False))
    with django_assert_num_queries(1):
        assert sorted(get_organisers(event), key=lambda user: user.pk) == [made, shared, of_club]
    assert [list(events_of(user)) for user in (made, shared, of_club)] == [[event]] * 3
    assert get_organisers(make_event()) == []


def test_holders_of_a_right_have_it_directly_or_by_a_group(django_assert_num_queries):
    by_group, directly = make_user("group"), make_user("directly")
    make_user("nobody")
    group = Group.objects.get(name=OFFICERS)
    by_group.groups.add(group)
    directly.groups.add(group)
    directly.user_permissions.add(Permission.objects.get(codename="accept_event"))
    with django_assert_num_queries(2):
        assert list(users_with_permission("accept_event").order_by("pk")) == [by_group, directly]


def test_lists_of_an_event_include_comparisons():
    fesa = make_list()
    first = make_list("first", system="fesa-2000", comparison_to=fesa)
    make_list("other")
    assert lists_of(make_event(lists=[fesa])) == [fesa, first]

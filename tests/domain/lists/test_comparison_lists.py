"""Lists that rate another list's tables by other rules."""

import json

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.lists.adjustments import save_adjustment, save_list, save_list_player
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.results.deleting import delete_table
from ratings.models import Adjustment, Award, Change, Decision, ListPlayer, RatingList, Standing
from tests.factories import give_rating, make_event, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def compared(base, system="fesa-2000", **fields):
    rating_list = RatingList(
        slug="other",
        name="Other",
        federation=get_or_create_federation("F"),
        system=system,
        comparison_to=base,
        **fields,
    )
    save_list(rating_list)
    return rating_list


def ratings(rating_list):
    return dict(Standing.objects.filter(list=rating_list).values_list("player", "rating"))


def test_comparison_takes_over_tables_prior_grades_and_ratings_and_awards_nothing(rate_all):
    fesa, a, b, c = make_list(), make_player(), make_player(), make_player()
    give_rating(fesa, a, 2000, grade="1 Kyu")  # far too low: the next table promotes him
    give_rating(fesa, b, 1900)
    save_list_player(ListPlayer(list=fesa, player=c, prior_grade="1 Dan"))
    make_table(fesa, [a, b, c], [(1, 1, 2, 1.0), (2, 1, 3, 1.0)])
    other = compared(fesa)
    rate_all()
    assert Award.objects.filter(list=fesa, player=a).exists()
    assert not Award.objects.filter(list=other).exists()
    assert set(Standing.objects.filter(list=other).values_list("grade", "waiting")) == {("", "")}
    assert not Change.objects.filter(list=other).exclude(grade="").exists()
    # K 20, each game rounded by itself: 20 * (1 - 0.64) = 7.2 against b at 1893
    state = json.loads(Change.objects.filter(list=other, player=a).latest("day").state)
    assert (state["games"], ratings(other)[a.pk] > 2000) == (20, True)  # fully rated, by the rating alone
    assert json.loads(Change.objects.get(list=other, player=c).state)["past"][:2] == [[1740, 0, 1.0], [1740, 1, 1.0]]


def test_change_of_a_table_marks_the_comparison_too(rate_all):
    fesa, a, b = make_list(), make_player(), make_player()
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    other = compared(fesa)
    rate_all()
    assert ratings(other) != {}
    delete_table(table)
    other.refresh_from_db()
    assert str(other.out_of_date_from) == "2024-01-06"
    rate_all()
    assert ratings(other) == {}


def test_decisions_are_not_taken_over(rate_all):
    fesa, a, b = make_list(), make_player(), make_player()
    give_rating(fesa, a, 1500)
    save_adjustment(Decision(list=fesa, player=a, grade="3 Dan", ruling="given", date="2024-01-05", reason="r"))
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    other = compared(fesa, "fesa-2016")
    rate_all()
    assert Standing.objects.get(list=fesa, player=a).grade == "3 Dan"
    assert Standing.objects.get(list=other, player=a).grade == ""
    assert not Change.objects.filter(list=other, decision__isnull=False).exists()


@pytest.mark.parametrize(
    ("system", "expected"),
    [("egf-2021", [(2200, "rated"), (2030, "rated")]), ("icu-1989", [(None, "ungraded"), (None, "ungraded")])],
)
def test_given_ratings_reach_a_system_of_the_same_scale_in_its_points(rate_all, system, expected):
    """The Belgian federation's own conversion adds 2050 points; ranks of go are no points of Elo."""
    go, a, b = make_list("go", system="bgf"), make_player(), make_player()
    for player, rating in ((a, 150.4), (b, -20.25)):
        save_adjustment(Adjustment(list=go, player=player, date="2024-01-01", set={"rating": rating}, reason="r"))
    make_table(go, [a, b], [(1, 1, 2, 1.0)])
    other = compared(go, system)
    rate_all()
    before = (
        Change.objects.filter(list=other, table__isnull=False).order_by("-before").values_list("before", "category")
    )
    assert list(before) == expected


def test_comparison_accepts_no_adjustments_or_decisions():
    other, a = compared(make_list()), make_player()
    decision = Decision(list=other, player=a, grade="1 Dan", ruling="given", date="2024-01-05", reason="r")
    adjustment = Adjustment(list=other, player=a, date="2024-01-05", set={"rating": 1500}, reason="r")
    known = ListPlayer(list=other, player=a, prior_grade="1 Dan")
    for store, row in ((save_adjustment, decision), (save_adjustment, adjustment), (save_list_player, known)):
        with pytest.raises(ValidationError, match="A comparison takes this over from its list"):
            store(row)


def test_list_with_events_or_comparisons_of_its_own_cannot_become_one():
    fesa, busy, third = make_list(), make_list("busy"), make_list("third")
    make_event("Cup", lists=[busy])
    busy.comparison_to = fesa
    with pytest.raises(ValidationError, match="has events of its own"):
        save_list(busy)
    compared(third)
    third.comparison_to = fesa
    with pytest.raises(ValidationError, match="cannot be a comparison itself"):
        save_list(third)

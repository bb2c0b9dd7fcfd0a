"""Successor lists: which list rates the results near the border, and starting ratings that follow the old list."""

import datetime as dt

import pytest

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment
from ratings.domain.lists.successors import start_due_successors
from ratings.domain.runs.verifying import find_differences
from ratings.models import Adjustment, RatingList, RuleProposal
from tests.factories import give_rating, make_event, make_list, make_player, make_table, set_state

pytestmark = pytest.mark.django_db
DAY = dt.date(2024, 6, 1)
WIN = [(1, 1, 2, 1.0)]


@pytest.fixture
def players():
    return [make_player("Ada", public_id="A"), make_player("Ben", public_id="B")]


@pytest.fixture
def fesa(players):
    """A list by fesa-2016 on which both players have 1500 points and one game."""
    made = make_list(system="fesa-2016")
    for player in players:
        give_rating(made, player, 1500)
    make_table(made, players, WIN, "2024-01-06", event_name="First", minutes=90)
    return made


def start(old, day=DAY, system="icu-1989"):
    """Start the successor list of an adopted proposal, and return it; the old list is up to date."""
    RuleProposal.objects.create(
        list=RatingList.objects.get(pk=old.pk), title="New", reason="Voted.", proposed_by="Committee", system=system,
        options={}, in_force=day, since=day, successor_slug="new", successor_name="New",
        state=RuleProposal.State.ADOPTED,
    )  # fmt: skip
    start_due_successors()
    return RatingList.objects.get(slug="new")


def starting_ratings(new):
    return {row.player.public_id: row.set["rating"] for row in new.adjustments.select_related("player")}


def current_ratings(rating_list):
    lines = rating_list.standings.select_related("player").order_by("player__public_id")
    return {line.player.public_id: line.rating for line in lines}


def rated_days(rating_list):
    return sorted(str(day) for day in rating_list.rated_tables.values_list("day", flat=True))


def test_event_across_the_border_is_rated_on_the_successor(fesa, players, rate_all):
    event = make_event("Across", lists=[fesa], start="2024-05-30", end="2024-06-02")
    table = make_table(fesa, players, WIN, "2024-06-02", event=event, minutes=90)
    rate_all()
    new = start(fesa)
    rate_all()
    first = {"A": fesa.changes.get(player=players[0], day="2024-01-06").after}
    assert (list(event.lists.all()), rated_days(fesa), rated_days(new)) == ([new], ["2024-01-06"], ["2024-06-02"])
    assert starting_ratings(new)["A"] == first["A"] == current_ratings(fesa)["A"]
    assert new.changes.get(table=table, player=players[0]).before == first["A"]


def test_tables_of_an_event_are_rated_by_the_list_of_their_days(fesa, players, rate_all):
    league = make_event("League", lists=[fesa], start="2024-05-01", end="2024-07-01")
    for day in ("2024-05-11", "2024-06-15"):
        make_table(fesa, players, WIN, day, event=league, name=day, minutes=90)
    rate_all()
    new = start(fesa)
    rate_all()
    assert set(league.lists.all()) == {fesa, new}
    assert (rated_days(fesa), rated_days(new)) == (["2024-01-06", "2024-05-11"], ["2024-06-15"])
    assert starting_ratings(new) == current_ratings(fesa)
    for rating_list in (fesa, new):
        rating_list.refresh_from_db()
        assert list(find_differences(rating_list)) == []


def test_points_that_wait_for_an_official_list_are_in_the_starting_ratings(players, rate_all):
    """The figures are those of tests/domain/lists/test_closing_days.py: two wins wait for the list of 31 August."""
    renju = make_list("renju", system="rif-1995")
    for player in players:
        set_state(renju, player, "1996-01-01", rating=2300)
    for day in ("1996-06-01", "1996-07-01"):
        make_table(renju, players, WIN, day)
    rate_all()
    new = start(renju, dt.date(1996, 7, 15), "rif-1997")
    rate_all()
    assert starting_ratings(new) == {"A": 2332, "B": 2268}


def test_points_that_wait_are_added_where_later_results_move(players, rate_all):
    renju = make_list("renju", system="rif-1995")
    for player in players:
        set_state(renju, player, "1996-01-01", rating=2300)
    for day in ("1996-06-01", "1996-07-01", "1996-08-01"):
        make_table(renju, players, WIN, day)
    rate_all()
    new = start(renju, dt.date(1996, 7, 15), "rif-1997")
    assert starting_ratings(new) == {"A": 2300, "B": 2300}
    rate_all()
    assert (rated_days(renju), rated_days(new)) == (["1996-06-01", "1996-07-01"], ["1996-08-01"])
    assert starting_ratings(new) == {"A": 2332, "B": 2268}
    assert new.runs.finished().latest("pk").state == "finished"


def test_late_correction_of_the_old_list_changes_the_starting_ratings(fesa, players, rate_all):
    rate_all()
    new = start(fesa)
    make_table(new, players, WIN, "2024-06-08", minutes=90)
    rate_all()
    before, rated = starting_ratings(new), current_ratings(new)
    table = fesa.rated_tables.get().table
    save_table(table, [NewEntry(player, n) for n, player in enumerate(players, 1)], [NumberedGame(1, 1, 2, 0.0)])
    rate_all()
    assert starting_ratings(new) == current_ratings(fesa) == {"A": before["B"], "B": before["A"]}
    assert current_ratings(new) != rated
    run = new.runs.finished().latest("pk")
    assert [str(reason) for reason in run.reasons] == ["ratings of fesa were changed"]
    new.refresh_from_db()
    assert list(find_differences(new)) == []


def test_late_ratings_of_the_old_list_add_and_remove_starting_ratings(fesa, players, rate_all):
    rate_all()
    new = start(fesa)
    rate_all()
    cora = make_player("Cora", public_id="C")
    given = Adjustment(list=fesa, player=cora, date=dt.date(2024, 2, 1), set={"rating": 1700}, reason="forgotten")
    save_adjustment(given)
    rate_all()
    assert (starting_ratings(new)["C"], current_ratings(new)["C"]) == (1700, 1700)
    delete_adjustment(given)
    rate_all()
    assert set(starting_ratings(new)) == set(current_ratings(new)) == {"A", "B"}


def test_starting_rating_that_an_officer_changed_stays(fesa, players, rate_all):
    rate_all()
    new = start(fesa)
    own = new.adjustments.get(player=players[0])
    own.set = {"rating": 1234, "games": 30}
    save_adjustment(own)
    rate_all()
    table = fesa.rated_tables.get().table
    save_table(table, [NewEntry(player, n) for n, player in enumerate(players, 1)], [NumberedGame(1, 1, 2, 0.0)])
    rate_all()
    assert starting_ratings(new) == {"A": 1234, "B": current_ratings(fesa)["B"]}


def test_runs_that_change_no_rating_leave_the_successor(fesa, players, rate_all):
    rate_all()
    new = start(fesa)
    rate_all()
    runs = new.runs.count()
    table = fesa.rated_tables.get().table
    save_table(table, [NewEntry(player, n) for n, player in enumerate(players, 1)], [NumberedGame(1, 1, 2, 1.0)])
    rate_all()
    assert (new.runs.count(), starting_ratings(new)) == (runs, current_ratings(fesa))

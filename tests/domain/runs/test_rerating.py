import random

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from ratings import tasks
from ratings.domain.events.tables import NewEntry, NumberedGame, save_details, save_event, save_table
from ratings.domain.lists.adjustments import (
    change_options,
    rate_from_the_beginning,
    save_adjustment,
    save_list,
    save_list_player,
)
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.voiding import void_event
from ratings.domain.runs.marking import mark_player_out_of_date
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import (
    Adjustment,
    Award,
    Change,
    Decision,
    Event,
    ListPlayer,
    Player,
    RatedTable,
    RatingList,
    Standing,
    Table,
)
from ratings.queries.lists.history import export_history
from ratings.queries.lists.lists import list_as_of
from tests.factories import give_rating, make_event, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def derived():
    """Return all derived rows without database ids."""
    changes = Change.objects.order_by("day", "place", "player__public_id").values_list(
        "list__slug", "player__public_id", "day", "place", "table__event__name", "before", "after", "change", "games",
        "games_after", "category", "category_after", "grade_before", "grade", "performance", "state",
    )  # fmt: skip
    awards = Award.objects.order_by("day", "place", "player__public_id", "pk")
    standings = Standing.objects.order_by("player__public_id")
    return (
        list(changes),
        list(awards.values_list("player__public_id", "day", "place", "grade", "how", "game", "last_of_step")),
        list(standings.values_list("player__public_id", "rating", "games", "grade", "category", "last_played")),
        list(RatedTable.objects.values_list("day", "place", "rounds", "settled", "warnings")),
    )


def rating(player, rating_list=None):
    standing = Standing.objects.filter(player=player, **({"list": rating_list} if rating_list else {}))
    return standing.get().rating


def test_saving_a_table_rates_it_and_marks_nothing_behind(django_capture_on_commit_callbacks):
    fesa, a, b = make_list(), make_player(), make_player()
    for player in (a, b):
        give_rating(fesa, player, 2000)
    with django_capture_on_commit_callbacks(execute=True):
        make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    # K 20 against the opponent's new rating: 20 * (1 - 0.514) = 9.7, and the same for the loser
    assert (rating(a), rating(b)) == (2010, 1990)
    fesa.refresh_from_db()
    assert fesa.out_of_date_from is None


def test_running_twice_changes_nothing():
    fesa, a, b = make_list(), make_player(), make_player()
    give_rating(fesa, a, 1500)
    make_table(fesa, [a, b], [(1, 1, 2, 0.5), (2, 1, 2, 1.0)])
    first = rerate(fesa.pk)
    once = derived()
    assert (first.to_do, first.done, first.visited, first.state) == (1, 1, 1, "finished")
    assert rerate(fesa.pk) is None
    rows = set(Change.objects.values_list("pk", flat=True))
    RatingList.objects.update(out_of_date_from="2000-01-01")
    assert rerate(fesa.pk).visited == 0
    assert derived() == once
    assert set(Change.objects.values_list("pk", flat=True)) == rows  # nothing was written anew


def random_tables(fesa, players, seed):
    """Closures that each save one table, several of them on the same days."""
    chance = random.Random(seed)
    for number in range(12):
        day = f"2024-0{1 + number // 4}-{10 + number % 3}"
        seated = chance.sample(players, 6)
        games = [
            (round_, order[i] + 1, order[i + 1] + 1, chance.choice([0.0, 0.5, 1.0]))
            for round_ in (1, 2, 3)
            for order in [chance.sample(range(6), 6)]
            for i in (0, 2, 4)
        ]
        yield lambda d=day, s=seated, g=games, n=number: make_table(fesa, s, g, d, event_name=f"Event {n}")


def given(fesa, players):
    for number, player in enumerate(players[:6]):
        give_rating(fesa, player, 1200 + 150 * number, f"2024-02-1{number % 3}", games=20 + number)


def test_order_of_saving_changes_nothing():
    """Check that the order of saving tables and adjustments does not change an export."""
    outcomes = []
    for seed in (None, 1, 2, 3):
        RatingList.objects.all().delete()
        Event.objects.all().delete()
        fesa = make_list()
        players = list(Player.objects.order_by("public_id")) or [make_player(public_id=f"P{n:02}") for n in range(10)]
        players.sort(key=lambda player: player.public_id)
        saves = [*random_tables(fesa, players, 7), lambda f=fesa, p=players: given(f, p)]
        if seed is not None:
            random.Random(seed).shuffle(saves)
        for number, save in enumerate(saves):
            save()
            if seed is not None and number % 4 == 0:
                rerate(fesa.pk)
        RatingList.objects.update(out_of_date_from="2000-01-01")
        rerate(fesa.pk)
        outcomes.append((derived(), write_history(export_history(fesa))))
    assert all(outcome == outcomes[0] for outcome in outcomes[1:])
    assert len(outcomes[0][0][0]) > 60


def test_incremental_run_equals_a_run_from_nothing():
    fesa = make_list()
    players = [make_player(public_id=f"P{n:02}") for n in range(10)]
    given(fesa, players)
    saves = list(random_tables(fesa, players, 11))
    for save in reversed(saves):
        save()
        rerate(fesa.pk)
    incremental = derived()
    RatingList.objects.update(out_of_date_from="2000-01-01")
    rerate(fesa.pk)
    assert derived() == incremental


def test_stored_ratings_are_those_of_the_exported_history():
    fesa = make_list()
    players = [make_player(public_id=f"P{n:02}") for n in range(10)]
    given(fesa, players)
    for save in random_tables(fesa, players, 5):
        save()
    RatingList.objects.update(out_of_date_from="2000-01-01")
    rerate(fesa.pk)
    result = rate_history(read_history(write_history(export_history(fesa)).encode()))
    assert {s.player.public_id: (s.rating, s.games, s.grade or None) for s in fesa.standings.all()} == {
        id: (standing.rating, standing.games, standing.grade)
        for id in result.history.players
        if (standing := result.standing(id))
    }


def test_sweep_finishes_what_a_lost_message_left():
    fesa, a, b = make_list(), make_player(), make_player()
    give_rating(fesa, a, 1500)
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])  # on_commit never runs in this test's transaction
    assert not Change.objects.exists()
    tasks.sweep()
    assert Change.objects.filter(table__isnull=False).count() == 2


def test_every_way_of_changing_results_marks_the_list():
    fesa, other = make_list(), make_list("other")
    a, b = make_player(), make_player()
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-03-01")
    event = table.event

    def marked():
        rows = dict(RatingList.objects.values_list("slug", "out_of_date_from"))
        RatingList.objects.update(out_of_date_from=None)
        return {slug: str(day) for slug, day in rows.items() if day}

    assert marked() == {"fesa": "2024-03-01"}
    table.first_day = table.last_day = table.last_day.replace(month=1)
    save_table(table, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(1, 1, 2, 0.0)])
    assert marked() == {"fesa": "2024-01-01"}
    save_event(event, [other])
    assert marked() == {"fesa": "2024-01-01", "other": "2024-01-01"}
    mark_player_out_of_date(other, a)
    assert marked() == {"other": "2024-01-01"}
    delete_table(table)
    assert marked() == {"other": "2024-01-01"}
    make_table(other, [a, b], [(1, 1, 2, 1.0)], "2024-05-01", event=event)
    marked()
    void_event(event, reason="other", explanation="x")
    assert marked() == {"other": "2024-05-01"}


def test_moving_a_table_later_rates_again_from_where_it_was():
    fesa, a, b = make_list(), make_player(), make_player()
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-03-01")
    rerate(fesa.pk)
    table.first_day = table.last_day = table.last_day.replace(month=6)
    save_table(table, [NewEntry(a, 1), NewEntry(b, 2)], [NumberedGame(1, 1, 2, 1.0)])
    rerate(fesa.pk)
    assert [str(day) for day in Change.objects.values_list("day", flat=True)] == ["2024-06-01"] * 2


def test_deleting_the_only_table_empties_the_list():
    fesa, a, b = make_list(), make_player(), make_player()
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    rerate(fesa.pk)
    delete_table(table)
    rerate(fesa.pk)
    assert derived() == ([], [], [], [])


def test_drafts_are_not_rated():
    fesa, a, b = make_list(), make_player(), make_player()
    event = make_event(day="2024-01-06", lists=[fesa], state=Event.State.DRAFT)
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], event=event)
    rerate(fesa.pk)
    assert not Change.objects.exists()
    event.state = Event.State.ACCEPTED
    save_event(event)
    rerate(fesa.pk)
    assert Change.objects.count() == 2


def test_one_event_can_be_rated_on_two_lists():
    fesa, club, a, b = make_list(), make_list("club"), make_player(), make_player()
    give_rating(fesa, a, 2000)
    give_rating(club, a, 1000)
    table = make_table(None, [a, b], [(1, 1, 2, 0.5)], event=make_event(lists=[fesa, club]))
    for rating_list in (fesa, club):
        rerate(rating_list.pk)
    assert (rating(b, fesa), rating(b, club)) == (rating(a, fesa), rating(a, club))
    assert table.changes.count() == 4


def test_guest_of_a_simultaneous_keeps_their_rating():
    fesa, guest, a = make_list(), make_player(), make_player()
    give_rating(fesa, guest, 2200)
    give_rating(fesa, a, 1500)
    event = make_event(lists=[fesa])
    table = Table(event=event, first_day=event.start, last_day=event.end)
    save_table(
        table, [NewEntry(guest, 1, guest=True), NewEntry(a, 2)], [NumberedGame(1, 1, 2, 1.0, handicap="2p", giver="a")]
    )
    rerate(fesa.pk)
    assert rating(guest) == 2200
    assert [change.player for change in table.changes.all()] == [a]
    written = write_history(export_history(fesa))
    assert f'"{guest.public_id}~t1"' in written
    read_history(written.encode())


def test_outsider_of_the_list_is_used_and_never_changes():
    fesa, outsider, a = make_list(), make_player(), make_player()
    ListPlayer.objects.create(list=fesa, player=outsider, fixed_rating=1800)
    make_table(fesa, [outsider, a], [(1, 1, 2, 0.5)])
    rerate(fesa.pk)
    assert (rating(outsider), rating(a)) == (1800, 1800)
    assert list(fesa.standings.filter(published=True).values_list("player", flat=True)) == [a.pk]


def test_list_as_of_a_day_ends_with_its_tables():
    fesa, a, b = make_list(), make_player("A"), make_player("B")
    for player in (a, b):
        give_rating(fesa, player, 2000)
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-06")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-02-03")
    rerate(fesa.pk)

    def on(day):
        return [(change.player.family_name, change.after) for change in list_as_of(fesa, day)]

    assert on("2019-12-31") == []
    assert on("2024-01-05") == [("A", 2000), ("B", 2000)]
    assert on("2024-01-06") == on("2024-02-02") == [("A", 2010), ("B", 1990)]
    assert on("2024-02-03")[0][1] > 2010


def test_export_history_command_writes_what_rate_reads(capsys):
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 1.0), (2, 1, None, 1.0)])
    call_command("export_history", list="fesa")
    history = read_history(capsys.readouterr().out.encode())
    assert [(g.round, g.a, g.b, g.score, g.played) for g in history.tables[0].games] == [
        (1, a.public_id, b.public_id, 1, True),
        (2, a.public_id, None, 1, False),
    ]


def decide(fesa, player, ruling, table=None, grade="1 Dan", day="2024-01-06"):
    save_adjustment(Decision(list=fesa, player=player, grade=grade, ruling=ruling, before=table, date=day, reason="r"))


def test_steps_before_a_table_follow_its_state(rate_all):
    """An event set back to draft takes its published ratings and printed promotions along, and comes back with them."""
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-01")
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-06")
    state = {"rating": 1500, "games": 50}
    save_adjustment(Adjustment(list=fesa, player=a, set=state, before=table, date="2023-05-05", reason="r"))
    decide(fesa, b, "printed", table)
    rate_all()
    with_it = derived()
    event = table.event
    for state in (Event.State.DRAFT, Event.State.ACCEPTED, Event.State.DRAFT):
        event.state = state
        save_event(event)
        rate_all()
        if state == Event.State.DRAFT:
            assert not Award.objects.exists()
            assert not Change.objects.filter(adjustment__isnull=False).exists()
        else:
            assert derived() == with_it
    table.last_day = table.first_day = table.first_day.replace(month=3)
    save_details(table)
    event.state = Event.State.ACCEPTED
    save_event(event)
    rate_all()
    assert {str(day) for day in Award.objects.values_list("day", flat=True)} == {"2024-03-06"}


def test_table_moved_to_another_event_leaves_the_old_events_lists(rate_all):
    fesa, other, a, b = make_list(), make_list("other"), make_player(), make_player()
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    rate_all()
    table.event = make_event(lists=[other])
    save_details(table)
    rate_all()
    assert set(Change.objects.values_list("list__slug", flat=True)) == {"other"}


def test_adjustment_that_cannot_be_applied_is_refused():
    fesa, a = make_list(), make_player()
    for state in ({"rating": 1500.5}, {"games": 50}, {"rating": 0, "games": 1}, {"elo": 1}):
        with pytest.raises(ValidationError):
            save_adjustment(Adjustment(list=fesa, player=a, set=state, date="2024-01-01", reason="r"))
    assert not Adjustment.objects.exists()


def test_adjustment_before_a_table_of_another_list_is_refused():
    fesa, other, a, b = make_list(), make_list("other"), make_player(), make_player()
    table = make_table(other, [a, b], [(1, 1, 2, 1.0)])
    with pytest.raises(ValidationError, match="This table is not rated on the list"):
        decide(fesa, a, "printed", table)


def test_list_that_cannot_be_rated_says_why_and_stops_no_other():
    broken, fine, a, b = make_list("broken"), make_list("fine"), make_player(), make_player()
    Adjustment.objects.create(list=broken, player=a, set={"rating": "x"}, date="2024-01-01", reason="r")
    make_table(None, [a, b], [(1, 1, 2, 0.5)], event=make_event(lists=[broken, fine]))
    RatingList.objects.update(out_of_date_from="2024-01-01")
    tasks.sweep()
    broken.refresh_from_db()
    assert broken.problem.startswith("adjustment of 2024-01-01 for player")
    assert str(broken.out_of_date_from) == "2024-01-01"
    assert set(Change.objects.values_list("list__slug", flat=True)) == {"fine"}
    Adjustment.objects.all().delete()
    tasks.sweep()
    broken.refresh_from_db()
    assert (broken.problem, broken.out_of_date_from) == ("", None)


def test_two_tables_of_a_day_can_withhold_the_same_grade():
    fesa, a, b = make_list(), make_player(), make_player()
    for name in ("Main", "Team"):
        decide(fesa, a, "withheld", make_table(fesa, [a, b], [(1, 1, 2, 0.5)], event_name=name))
    assert Decision.objects.count() == 2


def test_shift_of_the_list_does_not_change_outsiders(rate_all):
    fesa, outsider, a = make_list(), make_player(), make_player()
    save_list_player(ListPlayer(list=fesa, player=outsider, fixed_rating=1800))
    make_table(fesa, [outsider, a], [(1, 1, 2, 0.5)])
    save_adjustment(Adjustment(list=fesa, shift=200, date="2024-02-01", reason="r"))
    rate_all()
    assert (rating(outsider), rating(a)) == (1800, 2000)


def test_list_with_results_keeps_its_system_for_good_and_its_options_unless_asked_deliberately(rate_all):
    fesa = make_list()
    make_table(fesa, [make_player("A"), make_player("B")], [(1, 1, 2, 1.0)])
    rate_all()
    for system, options, reason in (
        ("fesa-2000", {}, "The rating system is fixed, because results have been rated"),
        ("fesa-2016", {"corrections": "revised"}, "This list has results"),
    ):
        wanted = RatingList.objects.get()
        wanted.system, wanted.options = system, options
        with pytest.raises(ValidationError, match=reason):
            save_list(wanted)
        stored = RatingList.objects.get()
        assert (stored.system, stored.options, stored.out_of_date_from) == ("fesa-2016", {}, None)
    same = RatingList.objects.get()
    same.options = {"corrections": "kept"}  # the default, written out
    save_list(same)
    changed = RatingList.objects.get()
    changed.system = "fesa-2000"  # left aside: only the options change
    change_options(changed, {"corrections": "revised"})
    stored = RatingList.objects.get()
    assert (stored.system, stored.options, str(stored.out_of_date_from)) == (
        "fesa-2016", {"corrections": "revised"}, "0001-01-01",
    )  # fmt: skip
    with pytest.raises(ValidationError, match="is not an option of fesa-2016"):
        change_options(RatingList.objects.get(), {"cap": 2200})


def test_list_with_starting_ratings_keeps_its_system():
    fesa = make_list()
    give_rating(fesa, make_player("A"), 1500)
    fesa.system = "icu-1989"
    with pytest.raises(ValidationError, match="The rating system is fixed, because players have starting ratings"):
        save_list(fesa)
    assert RatingList.objects.get().system == "fesa-2016"


def test_list_without_results_may_still_get_another_system():
    fesa = make_list()
    fesa.system = "icu-1989"
    save_list(fesa)
    assert RatingList.objects.get().system == "icu-1989"


def test_list_rated_from_the_beginning_stores_wrong_standings_anew(rate_all):
    """Standings of an earlier release can differ while all changes are right."""
    fesa, (a, b) = make_list(), (make_player(name) for name in "AB")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    rate_all()
    fesa.standings.filter(player=a).update(last_change=0.5)
    fesa.refresh_from_db()
    assert len(list(find_differences(fesa))) == 1
    rate_from_the_beginning(fesa)
    rate_all()
    fesa.refresh_from_db()
    assert list(find_differences(fesa)) == []

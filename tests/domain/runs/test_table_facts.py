"""Facts of tables: stored after a run, deleted with what they depend on, and in no digest."""

import datetime as dt
import math

import pytest
from django.core.management import call_command

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.runs import table_facts
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.table_facts import complete_facts, lists_with_missing_facts
from ratings.domain.runs.verifying import stored_digest
from ratings.models import Adjustment, Change, Event, RatedTable, RatingList, TableFacts
from ratings.queries.events.table_facts import add_winners, read_biggest_upset, read_form
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
SECOND_PLACES = [(1, 1, 2, 1.0), (2, 1, 3, 1.0), (3, 2, 3, 0.5)]


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    players = [make_player(name) for name in ("Ada", "Ben", "Cy")]
    for player, rating in zip(players, (1500, 1700, 1900), strict=True):
        give_rating(fesa, player, rating)
    return players


def stored():
    """Return the days of the tables with facts."""
    return sorted(facts.rated.day.isoformat() for facts in TableFacts.objects.select_related("rated"))


def test_facts_of_a_table_are_stored(fesa, players):
    ada, ben, cy = players
    table = make_table(fesa, players, SECOND_PLACES, "2024-01-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    (facts,) = TableFacts.objects.all()
    performances = dict(Change.objects.filter(table=table).values_list("player", "performance"))
    # 400 points less: 1 / (1 + 10 ** (400 / 400)) = 1/11
    assert (facts.winner, facts.upset_winner, facts.upset_loser) == (ada, ada, cy)
    assert facts.upset_chance == pytest.approx(10 / 11)
    assert facts.players == {
        str(ada.pk): {"results": "11", "performance": performances[ada.pk], "peak": True},
        str(ben.pk): {"results": "½0", "performance": performances[ben.pk], "peak": False},
        str(cy.pk): {"results": "½0", "performance": performances[cy.pk], "peak": False},
    }


def test_upset_is_expected_by_the_deviations_before_the_table():
    """1 / (1 + 10 ** (g * 200 / 400)), with g of both deviations (Glickman, Example of the Glicko-2 system, step 3)."""
    made = make_list("glicko", system="glicko-2")
    players = [make_player(name) for name in ("Ada", "Ben")]
    for player, rating, deviation in zip(players, (1400, 1600), (80, 150), strict=True):
        opening = {"rating": rating, "deviation": deviation, "volatility": 0.06}
        save_adjustment(Adjustment(list=made, player=player, date=dt.date(2020, 1, 1), set=opening, reason="known"))
    make_table(made, players, [(1, 1, 2, 1.0)], "2020-01-01")
    rerate(made.pk)
    complete_facts(made.pk)
    q = math.log(10) / 400
    g = 1 / math.sqrt(1 + 3 * q**2 * (80**2 + 150**2) / math.pi**2)
    chance = 1 - 1 / (1 + 10 ** (g * 200 / 400))
    assert TableFacts.objects.get().upset_chance == pytest.approx(chance, abs=0.002)


def test_new_peak_exceeds_all_earlier_ratings(fesa, players):
    ada, ben, _ = players
    for month, score in (("01", 1.0), ("02", 0.0), ("03", 1.0), ("04", 1.0)):
        make_table(fesa, [ada, ben], [(1, 1, 2, score)], f"2024-{month}-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    facts = TableFacts.objects.order_by("rated__day")
    ratings = list(Change.objects.filter(player=ada).order_by("day").values_list("after", flat=True))
    expected = [after > max(ratings[: number + 1]) for number, after in enumerate(ratings[1:])]
    assert [one.player_facts(ada.pk)["peak"] for one in facts] == expected
    assert expected[:2] == [True, False]


def test_late_table_deletes_the_facts_of_its_players_from_its_day_on(fesa, players):
    ada, ben, cy = players
    other = [make_player("Di"), make_player("Ed")]
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06")
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-03-06")
    make_table(fesa, other, [(1, 1, 2, 1.0)], "2024-04-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    assert stored() == ["2024-01-06", "2024-03-06", "2024-04-06"]
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.0)], "2024-02-06")
    rerate(fesa.pk)
    assert stored() == ["2024-01-06", "2024-04-06"]
    assert lists_with_missing_facts() == [fesa.pk]
    complete_facts(fesa.pk)
    assert stored() == ["2024-01-06", "2024-02-06", "2024-03-06", "2024-04-06"]
    assert lists_with_missing_facts() == []


def test_corrected_results_replace_the_facts(fesa, players):
    ada, ben, _ = players
    table = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    table.games.update(score=0.0)
    mark_lists_out_of_date([fesa], table.last_day, tables=[table])
    assert lists_with_missing_facts() == []  # the run comes first
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    (facts,) = TableFacts.objects.all()
    assert (facts.winner, facts.upset_winner, facts.player_facts(ada.pk)["results"]) == (ben, None, "0")


def test_facts_computed_before_a_change_are_not_stored(fesa, players, monkeypatch):
    make_table(fesa, players, SECOND_PLACES, "2024-01-06")
    rerate(fesa.pk)
    build = table_facts.build_crosstables

    def change_meanwhile(*arguments):
        mark_lists_out_of_date([fesa], dt.date(2024, 1, 6))
        return build(*arguments)

    monkeypatch.setattr(table_facts, "build_crosstables", change_meanwhile)
    complete_facts(fesa.pk)
    assert stored() == []


def test_one_task_completes_a_limited_number_of_tables(fesa, players, monkeypatch):
    for day in range(1, 6):
        make_table(fesa, players[:2], [(1, 1, 2, 1.0)], f"2024-01-{day:02}")
    rerate(fesa.pk)
    monkeypatch.setattr(table_facts, "TOGETHER", 1)
    monkeypatch.setattr(table_facts, "AT_ONCE", 2)
    complete_facts(fesa.pk)
    assert stored() == ["2024-01-04", "2024-01-05"]
    complete_facts(fesa.pk)
    assert stored() == ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]
    monkeypatch.undo()
    call_command("sweep")
    assert stored() == [f"2024-01-{day:02}" for day in range(1, 6)]


def test_facts_change_no_digest_and_verify_ignores_them(fesa, players, capsys):
    make_table(fesa, players, SECOND_PLACES, "2024-01-06")
    rerate(fesa.pk)
    before = stored_digest(fesa)
    complete_facts(fesa.pk)
    assert stored_digest(fesa) == before
    call_command("verify", "--list", fesa.slug)


def test_facts_are_deleted_with_their_table_and_list(fesa, players):
    make_table(fesa, players, SECOND_PLACES, "2024-01-06")
    table = make_table(fesa, players, SECOND_PLACES, "2024-02-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    table.event.delete()
    mark_lists_out_of_date([fesa], table.last_day)
    rerate(fesa.pk)
    assert stored() == ["2024-01-06"]
    RatingList.objects.filter(pk=fesa.pk).delete()
    assert (RatedTable.objects.count(), TableFacts.objects.count()) == (0, 0)


def test_shared_first_place_has_no_winner(fesa, players):
    make_table(fesa, players[:2], [(1, 1, 2, 0.5)], "2024-01-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    assert [facts.winner for facts in TableFacts.objects.all()] == [None]


def test_winner_is_set_for_events_with_one_table_only(fesa, players):
    ada, ben, cy = players
    single = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06")
    double = make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2024-02-06")
    make_table(fesa, [ben, cy], [(1, 1, 2, 1.0)], "2024-02-06", event=double.event, name="B")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    events = add_winners(list(Event.objects.order_by("end")))
    assert [(event.pk, event.winner) for event in events] == [(single.event.pk, ada), (double.event.pk, None)]


def test_biggest_upset_since_a_day_is_found(fesa, players):
    ada, ben, cy = players
    make_table(fesa, [ada, cy], [(1, 1, 2, 1.0)], "2023-01-06")
    table = make_table(fesa, [ben, cy], [(1, 1, 2, 1.0)], "2024-01-06")
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.0)], "2024-02-06")
    rerate(fesa.pk)
    complete_facts(fesa.pk)
    upset = read_biggest_upset(fesa, dt.date(2024, 1, 1))
    assert (upset.winner.table, upset.winner.player, upset.loser.player) == (table, ben, cy)
    assert upset.chance == TableFacts.objects.get(rated__table=table).upset_chance
    assert upset.winner.before < upset.loser.before
    assert read_biggest_upset(fesa, dt.date(2024, 2, 1)) is None


def test_form_is_the_last_six_results_until_a_day(fesa, players):
    ada, ben, _ = players
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0), (2, 1, 2, 1.0), (3, 1, 2, 0.0)], "2024-01-06")
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.5), (2, 1, None, 1.0)], "2024-02-06")
    make_table(fesa, [ada, ben], [(1, 1, 2, 0.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)], "2024-03-06")
    rerate(fesa.pk)
    assert read_form(fesa, ada, dt.date(2024, 12, 31)) == ""  # not computed yet
    complete_facts(fesa.pk)
    assert read_form(fesa, ada, dt.date(2024, 12, 31)) == "100½01"
    assert read_form(fesa, ada, dt.date(2024, 2, 6)) == "½011"
    assert read_form(fesa, make_player("New"), dt.date(2024, 12, 31)) == ""

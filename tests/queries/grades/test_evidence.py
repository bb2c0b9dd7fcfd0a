"""The games behind a grade: of one table, of a run across events, of a run broken in the middle."""

import pytest

from ratings.models import Award
from ratings.queries.grades.evidence import counted_games
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def pair(fesa):
    """A 1 Dan at 1870, above the midpoint of 2 Dan (1860), and somebody of the same strength."""
    several = [make_player("Adler"), make_player("Bauer")]
    give_rating(fesa, several[0], 1870, grade="1 Dan")
    give_rating(fesa, several[1], 1870, grade="6 Dan")
    return several


def play(fesa, pair, day, scores, name):
    make_table(fesa, pair, [(n, 1, 2, s) for n, s in enumerate(scores, 1)], day, event_name=name)


def list_evidence(award):
    return [(str(g.day), g.event.name, g.opponent, g.score, round(g.after, 1)) for g in counted_games(award)]


def test_run_across_events_names_every_game_of_it(fesa, pair, rate_all):
    play(fesa, pair, "2024-01-06", (0.5, 0.5, 0.5), "Cup")
    play(fesa, pair, "2024-02-03", (0.5, 0.5, 0.5, 0.5, 0.5), "Open")
    rate_all()
    award = Award.objects.get(player=pair[0])
    assert (award.grade, award.how, award.game) == ("2 Dan", "games above MP", 4)
    assert (
        list_evidence(award)
        == [("2024-01-06", "Cup", "Bauer", 0.5, 1870.0)] * 3 + [("2024-02-03", "Open", "Bauer", 0.5, 1870.0)] * 4
    )


def test_run_broken_in_the_middle_begins_after_the_break(fesa, pair, rate_all):
    give_rating(fesa, pair[0], 1855, "2024-01-20", grade="1 Dan", mp_run=0, lb_run=[3, True])
    give_rating(fesa, pair[0], 1875, "2024-02-01", grade="1 Dan")
    play(fesa, pair, "2024-01-06", (0.5, 0.5, 0.5), "Cup")
    play(fesa, pair, "2024-01-27", (0, 0), "Break")
    play(fesa, pair, "2024-02-03", (0.5,) * 8, "Open")
    rate_all()
    award = Award.objects.get(player=pair[0])
    assert (award.how, {g.event.name for g in counted_games(award)}, len(counted_games(award))) == (
        "games above MP",
        {"Open"},
        7,
    )


def test_upper_bound_shows_the_table_up_to_the_game_that_reached_it(fesa, pair, rate_all):
    give_rating(fesa, pair[1], 2300, "2024-01-01", grade="6 Dan")
    play(fesa, pair, "2024-01-06", (1, 1, 1, 1), "Cup")
    rate_all()
    award = Award.objects.filter(player=pair[0]).order_by("game").first()
    assert award.how == "upper bound"
    games = counted_games(award)
    assert len(games) == award.game
    assert games[-1].after >= 1920 > games[-2].after


def test_game_of_a_promotion_counts_for_the_next_grade_too(fesa, pair, rate_all):
    """Rule 10: the same game is tested against the following grade; then 8 in a row at 2000 or more bring 3 Dan."""
    give_rating(fesa, pair[0], 2010, "2024-01-01", grade="1 Dan")
    give_rating(fesa, pair[1], 2010, "2024-01-01", grade="6 Dan")
    play(fesa, pair, "2024-01-06", (0.5,) * 5, "Cup")
    play(fesa, pair, "2024-02-03", (0.5,) * 5, "Open")
    rate_all()
    second, third = Award.objects.filter(player=pair[0]).order_by("day", "pk")
    assert [(a.grade, a.how, a.game) for a in (second, third)] == [
        ("2 Dan", "upper bound", 1), ("3 Dan", "games above MP", 3)
    ]  # fmt: skip
    assert [game.event.name for game in counted_games(third)] == ["Cup"] * 5 + ["Open"] * 3


def test_award_without_a_table_has_no_games(fesa, pair):
    assert counted_games(Award(list=fesa, player=pair[0], grade="2 Dan", how="given", day="2024-01-01", place=0)) == []

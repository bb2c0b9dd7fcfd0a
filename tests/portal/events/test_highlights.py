"""Highlights of a table: who won against the odds, who played best, who won a grade."""

import re

import pytest

from portal.events.highlights import list_remarks
from portal.templatetags.portal_format import chance_percent
from ratings.models import Change
from ratings.queries.events.crosstables import crosstables
from ratings.queries.events.highlights import find_highlights
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    players = [make_player(name) for name in ("Ada", "Ben", "Cy", "Di")]
    for player, rating in zip(players, (2000, 1800, 1600, 1400), strict=True):
        give_rating(fesa, player, rating)
    return players


def highlights(fesa, players, games, rate_all):
    table = make_table(fesa, players, games, "2024-01-06")
    rate_all()
    (crosstable,) = crosstables(table.event, fesa)
    return find_highlights(crosstable, fesa.rating_system)


def test_biggest_upset_is_the_least_likely_win(fesa, players, rate_all):
    ada, _ben, cy, di = players
    games = [(1, 1, 2, 0.0), (2, 4, 1, 1.0), (3, 3, 2, 1.0), (4, 1, 3, 1.0)]
    upset = highlights(fesa, players, games, rate_all).upset
    assert (upset.winner.entry.player, upset.loser.entry.player) == (di, ada)
    # 600 points less: 1 / (1 + 10 ** (600 / 400)) = 3.07 %
    assert upset.chance == pytest.approx(1 - 0.0307, abs=1e-4)
    assert cy != di


def test_wins_of_the_stronger_draws_and_games_not_played_are_no_upsets(fesa, players, rate_all):
    games = [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 2, None, 1.0)]
    assert highlights(fesa, players, games, rate_all).upset is None


def test_players_without_a_rating_before_are_in_no_upset(fesa, players, rate_all):
    new = make_player("New")
    found = highlights(fesa, [players[0], new], [(1, 1, 2, 0.0), (2, 1, 2, 0.0), (3, 1, 2, 0.0)], rate_all)
    assert (found.upset, found.best) == (None, None)


def test_best_performance_exceeds_the_rating_most(fesa, players, rate_all):
    games = [(1, 1, 2, 1.0), (1, 3, 4, 1.0), (2, 1, 3, 0.0), (2, 2, 4, 1.0), (3, 1, 4, 1.0), (3, 2, 3, 0.5)]
    best = highlights(fesa, players, games, rate_all).best
    gains = {change.player: change.performance - change.before for change in Change.objects.filter(table__isnull=False)
             if change.performance is not None}  # fmt: skip
    assert best.row.entry.player == max(gains, key=gains.get) == players[2]
    assert best.rating == best.row.change.performance


def test_performance_of_few_games_or_of_one_player_is_no_highlight(fesa, players, rate_all):
    assert highlights(fesa, players, [(1, 1, 2, 0.0), (2, 3, 4, 1.0)], rate_all).best is None


def test_won_grades_are_named_with_the_upset(fesa, rate_all):
    ada, ben = make_player("Ada"), make_player("Ben")
    give_rating(fesa, ada, 1790, grade="1 Kyu")
    give_rating(fesa, ben, 1900, grade="2 Dan")
    found = highlights(fesa, [ada, ben], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], rate_all)
    assert [(row.entry.player, row.new_grade.grade) for row in found.promoted] == [(ada, "1 Dan")]
    assert [(remark.label, re.sub(r"<[^>]+>", "", remark.text)) for remark in list_remarks(found, fesa)] == [
        ("Biggest upset", "Ada (1790) beat Ben (1900); the chance of that was 35 %"), ("New grades", "Ada 1 Dan"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chance", "text"), [(0.5, "50 %"), (0.006, "1 %"), (0.0049, "0.5 %"), (0.0004, "0.04 %"), (0.00002, "0.002 %")]
)
def test_small_chance_of_what_happened_is_not_zero(chance, text):
    assert chance_percent(chance).replace("\u00a0", " ") == text

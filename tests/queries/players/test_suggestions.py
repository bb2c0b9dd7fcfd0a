"""Suggestions of players while a name is typed."""

import pytest

from ratings.models import Player
from ratings.queries.players.suggestions import find_or_suggest, suggest_players
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa, rate_all):
    several = {
        "martin": make_player("Martin", "Hua"),
        "abroad": make_player("Martin", "Jean", country="BE"),
        "late": make_player("Martin", "Zoé"),
        "longer": make_player("Martinez", "Ana"),
        "given": make_player("Adler", "Martin"),
        "amar": make_player("Amaral", "Rui"),
        "binner": make_player("Binner", "Alva", country="SE"),
        "leger": make_player("Léger", "Agathe"),
        "okada": make_player("Okada", "Yuki", native_name="岡田 有紀", country="JP"),
        "listed": make_player("Marks", "Yves", country="DE"),
    }
    make_table(None, [several["abroad"], several["late"]], [(1, 1, 2, 1.0)], "2024-03-02")
    make_table(fesa, [several["listed"], several["amar"]], [(1, 1, 2, 1.0)], "2023-03-02")
    rate_all()
    return several


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("Martin", "", ["abroad", "late", "martin", "longer", "given"]),
        ("Martin", "FR", ["late", "martin", "abroad", "longer", "given"]),
        ("mar", "", ["listed", "abroad", "late", "martin", "longer", "amar", "given"]),
        ("Binner A", "", ["binner"]),
        ("A. Binner", "", ["binner"]),
        ("leger", "", ["leger"]),
        ("agathe lég", "", ["leger"]),
        ("岡田", "", ["okada"]),
        ("", "", []),
        ("nobody", "", []),
    ],
)
def test_suggestions_rank_by_family_name_then_list_country_and_recent_play(text, country, expected, fesa, players):
    keys = {player.public_id: key for key, player in players.items()}
    assert [keys[player.public_id] for player in suggest_players(text, [fesa], country)] == expected


def test_suggestions_need_three_queries_and_leave_merged_players_out(players, django_assert_num_queries):
    Player.objects.filter(pk=players["late"].pk).update(merged_into=players["martin"])
    with django_assert_num_queries(3):
        found = suggest_players("Martin")
    assert [player.public_id for player in found] == [
        players[key].public_id for key in ("abroad", "martin", "longer", "given")
    ]


def test_players_are_found_by_public_id_or_by_name(players):
    leger = players["leger"]
    for text in (f" {leger.public_id.lower()} ", "leger"):
        assert find_or_suggest(text) == [leger]
    Player.objects.filter(pk=leger.pk).update(merged_into=players["okada"])
    assert find_or_suggest(leger.public_id) == [players["okada"]]
    Player.objects.filter(pk=leger.pk).update(merged_into=None, erased_at="2024-05-04T00:00Z")
    assert find_or_suggest(leger.public_id) == []

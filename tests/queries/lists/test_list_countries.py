"""Find the countries of the players on a list."""

import pytest

from ratings.models import Player, Standing
from ratings.queries.lists.list_countries import countries_of
from tests.factories import make_list, make_player


def add_players(rating_list, *countries, published=True):
    for country in countries:
        player = make_player(country=country)
        Standing.objects.create(list=rating_list, player=player, rating=1000, games=1, published=published)


@pytest.mark.django_db
def test_countries_are_those_of_published_players_on_the_list(django_assert_num_queries):
    rating_list, other = make_list(), make_list("other")
    add_players(rating_list, "JP", "DE", "", "JP", "AT")
    add_players(rating_list, "FR", "DE", published=False)
    add_players(other, "BY", "ZA")
    with django_assert_num_queries(1):
        assert countries_of(rating_list) == ["AT", "DE", "JP"]
    assert countries_of(other) == ["BY", "ZA"]


@pytest.mark.django_db
def test_list_without_players_has_no_countries():
    add_players(make_list("other"), "DE")
    assert countries_of(make_list()) == []
    Player.objects.all().delete()
    assert countries_of(make_list("third")) == []

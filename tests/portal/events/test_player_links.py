"""Links to players preserve the rating list of the page, for players on several lists."""

import re

import pytest

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.models import Player, RatingList, Table
from tests.factories import give_rating, make_event, make_list, make_player
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def cup(rate_all):
    """A table of four players that counts on two lists: `first` is the one that pages of players show if none is named."""
    lists = [make_list("first"), make_list("second")]
    players = [make_player(name) for name in ("Ada", "Ben", "Cy", "Dee")]
    for rating_list in lists:
        for number, player in enumerate(players):
            give_rating(rating_list, player, 1500 + 100 * number, grade="1 Kyu")
    event = make_event("Cup", "2024-01-06", lists)
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    games = [(1, 1, 2, 1.0), (1, 3, 4, 0.0), (2, 1, 3, 1.0), (2, 2, 4, 0.0), (3, 1, 4, 1.0), (3, 2, 3, 1.0)]
    table = Table(event=event, first_day=event.start, last_day=event.end)
    save_table(table, seats, [NumberedGame(*game) for game in games])
    rate_all()
    return table


def links_to_players(page):
    """Return the queries of the links to players' own pages by the first letters of their names."""
    names = {player.public_id: player.family_name for player in Player.objects.all()}
    found = re.findall(r'href="/players/([0-9A-Z]{7})[-a-z]*/(\?[^"]*)?"', page)
    return {(names[public_id], query) for public_id, query in found}


def test_players_keep_the_list_of_the_page(client, cup):
    ada = Player.objects.get(family_name="Ada")
    everybody = {(name, "?list=second") for name in ("Ada", "Ben", "Cy", "Dee")}
    event = f"/events/{cup.event.public_id}/"
    pages = [
        f"{cup.event.get_absolute_url()}?list=second",
        f"{event}crosstable/?list=second",
        f"{event}rounds/?list=second",
        f"/lists/second/tables/{cup.pk}/{ada.public_id}/",
        "/lists/second/?active=all",
    ]
    assert {page: links_to_players(markup(client.get(page))) for page in pages} == dict.fromkeys(pages, everybody)
    grades = links_to_players(markup(client.get(f"{event}grades/?list=second")))
    assert ({name for name, _ in grades}, {query for _, query in grades}) == ({"Ada", "Ben", "Dee"}, {"?list=second"})


def test_void_event_has_no_list_for_its_players(client, cup):
    cup.event.state = cup.event.State.VOID
    cup.event.save()
    page = markup(client.get(cup.event.get_absolute_url()))
    assert links_to_players(page) == {(name, "") for name in ("Ada", "Ben", "Cy", "Dee")}


def test_crosstable_omits_the_list_that_players_show_by_themselves(client, cup):
    def links(query):
        page = markup(client.get(f"/events/{cup.event.public_id}/crosstable/{query}"))
        return links_to_players(page.partition('<table class="crosstable')[2].partition("</table>")[0])

    without = {(name, "") for name in ("Ada", "Ben", "Cy", "Dee")}
    assert links("") == without
    RatingList.objects.filter(slug="first").update(public=False)
    assert links("?list=second") == without
    RatingList.objects.filter(slug="first").update(public=True)
    assert links("?list=second") == {(name, "?list=second") for name, _ in without}

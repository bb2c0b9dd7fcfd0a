"""Orders of a crosstable, which its address names and the heads of its columns change."""

import re

import pytest

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.models import Table
from tests.factories import give_rating, make_event, make_list, make_player
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

HEAD = re.compile(r'<th scope="col"(?: aria-sort="(\w+)")?><a href="\?([^"]*)">(?:<abbr[^>]*>)?([^<]*)')


@pytest.fixture
@reused
def cup(rate_all):
    """A table in which Dee won and was weakest; Ben has no rating before, and Eve no game."""
    fesa, names = make_list(), ("Ada", "Ben", "Cy", "Dee", "Eve")
    make_list("other")
    players = [make_player(name) for name in names]
    for player, rating in zip(players, (1800, None, 1600, 1500, 1700), strict=True):
        if rating:
            give_rating(fesa, player, rating)
    event = make_event("Cup", "2024-01-06", [fesa])
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    games = [(1, 1, 4, 0.0), (1, 2, 3, 0.0), (2, 1, 3, 1.0), (2, 2, 4, 0.0), (3, 1, 2, 1.0), (3, 3, 4, 0.5)]
    table = Table(event=event, first_day=event.start, last_day=event.end)
    save_table(table, seats, [NumberedGame(*game) for game in games])
    rate_all()
    return table


def crosstable_of(client, table, query=""):
    return markup(client.get(f"/events/{table.event.public_id}/crosstable/{query}"))


def names(page):
    return re.findall(r'<th scope="row"><a[^>]*>(?:<b>)?(\w+)', page)


def test_crosstable_is_sorted_by_the_column_that_the_address_names(client, cup):
    place = ["Dee", "Ada", "Cy", "Ben", "Eve"]
    sorts = (
        "",
        "nothing",
        "place",
        "-place",
        "name",
        "-name",
        "-rating",
        "-points",
        "points",
        "-change",
        "-performance",
    )
    found = {sort: names(crosstable_of(client, cup, f"?sort={sort}")) for sort in sorts}
    assert {sort: found[sort] for sort in sorts[:8]} == {
        "": place, "nothing": place, "place": place, "-place": place[::-1],
        "name": ["Ada", "Ben", "Cy", "Dee", "Eve"], "-name": ["Eve", "Dee", "Cy", "Ben", "Ada"],
        "-rating": found["-rating"], "-points": place,
    }  # fmt: skip
    assert [name for name in found["-rating"] if name != "Ben"] == ["Ada", "Eve", "Cy", "Dee"]
    assert found["points"] == ["Ben", "Eve", "Cy", "Ada", "Dee"]  # equal points: in finishing order
    assert (found["-change"][0], found["-change"][-1]) == ("Dee", "Eve")  # who has no change comes last
    assert (found["-performance"][0], found["-performance"][-1]) == ("Dee", "Eve")


def test_rows_keep_the_numbers_that_the_results_name(client, cup):
    page = crosstable_of(client, cup, "?sort=name")
    rows = re.findall(r'<tr id="r(\d+)"><td>(\d+)</td><th scope="row"><a[^>]*>(?:<b>)?(\w+)', page)
    assert rows == [("2", "2", "Ada"), ("4", "4", "Ben"), ("3", "3", "Cy"), ("1", "1", "Dee"), ("5", "5", "Eve")]


def test_heads_link_to_the_orders_and_mark_the_chosen_one(client, cup):
    heads = [(head, sort, query) for sort, query, head in HEAD.findall(crosstable_of(client, cup, "?sort=-rating"))]
    assert heads == [
        ("Name", "", "sort=name"), ("Pl", "", "sort=place"), ("Rating", "descending", "sort=rating"),
        ("Pts", "", "sort=-points"), ("±", "", "sort=-change"), ("Perf", "", "sort=-performance"),
    ]  # fmt: skip
    assert [head for head in HEAD.findall(crosstable_of(client, cup)) if head[0]] == []
    chosen = [head for head in HEAD.findall(crosstable_of(client, cup, "?sort=place")) if head[0]]
    assert chosen == [("ascending", "sort=-place", "Pl")]


def test_heads_keep_the_list(client, cup):
    cup.event.lists.add(make_list("second"))
    queries = [query for _, query, _ in HEAD.findall(crosstable_of(client, cup, "?list=second"))]
    assert (len(queries), {query.partition("&amp;")[2] for query in queries}) == (6, {"list=second"})


def test_crosstable_below_the_results_stays_in_finishing_order(client, cup):
    page = markup(client.get(f"{cup.event.get_absolute_url()}?sort=name"))
    below = page.partition('<table class="crosstable')[2].partition("</table>")[0]
    assert (names(below), HEAD.findall(below)) == (["Dee", "Ada", "Cy", "Ben", "Eve"], [])

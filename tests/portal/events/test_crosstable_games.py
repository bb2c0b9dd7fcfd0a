"""Games in the cells of a crosstable, as the server writes them."""

import re

import pytest

from portal.events import crosstable_games
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(rate_all):
    """They finish in the order Lind, Brand, <i>, Cy."""
    players = [make_player("Lind", "Ada"), make_player("Brand", "Ben"), make_player("<i>", "“Al”"), make_player("Cy")]
    games = [
        (1, 1, 2, 1.0, {"handicap": "2p", "giver": "a", "black": "b"}),
        (1, 3, 4, 0.5),
        (2, 1, 3, 1.0),
        (2, 2, 4, 1.0),
        (3, 1, None, 1.0),
    ]
    table = make_table(make_list(), players, games, event_name="Cup")
    rate_all()
    return table.event


def read_cells(client, event, **headers):
    page = client.get(f"/events/{event.public_id}/crosstable/", headers=headers).text
    rows = re.findall(r'<tr id="r\d">(.*?)</tr>', page)
    return [re.findall(r'<td>(<a href="#r.*?</a>|<i>.*?)</td>', row) for row in rows]


def test_games_are_labelled_with_the_result_and_the_opponent(client, cup):
    assert read_cells(client, cup) == [
        [
            '<a href="#r2" aria-label="won against Brand, Ben, 2+/w(−2p)">2<b>+</b>/w(−2p)</a>',
            '<a href="#r3" aria-label="won against &lt;i&gt;, “Al”, 3+">3<b>+</b></a>',
            "<i>bye</i>",
        ],
        [
            '<a href="#r1" aria-label="lost to Lind, Ada, 1−/b(+2p)">1−/b(+2p)</a>',
            '<a href="#r4" aria-label="won against Cy, 4+">4<b>+</b></a>',
        ],
        [
            '<a href="#r4" aria-label="draw with Cy, 4=">4<i>=</i></a>',
            '<a href="#r1" aria-label="lost to Lind, Ada, 1−">1−</a>',
        ],
        [
            '<a href="#r3" aria-label="draw with &lt;i&gt;, “Al”, 3=">3<i>=</i></a>',
            '<a href="#r2" aria-label="lost to Brand, Ben, 2−">2−</a>',
        ],
    ]


def test_games_of_large_crosstables_have_the_result_in_words(client, cup, monkeypatch):
    monkeypatch.setattr(crosstable_games, "MAX_ROWS_WITH_NAMES", 3)
    assert read_cells(client, cup) == [
        [
            '<a href="#r2">2<b>+</b>/w(−2p)<u> won</u></a>',
            '<a href="#r3">3<b>+</b><u> won</u></a>',
            "<i>bye</i>",
        ],
        ['<a href="#r1">1−/b(+2p)<u> lost</u></a>', '<a href="#r4">4<b>+</b><u> won</u></a>'],
        ['<a href="#r4">4<i>=</i><u> draw</u></a>', '<a href="#r1">1−<u> lost</u></a>'],
        ['<a href="#r3">3<i>=</i><u> draw</u></a>', '<a href="#r2">2−<u> lost</u></a>'],
    ]


def test_rounds_are_headed_in_words(client, cup):
    page = client.get(f"/events/{cup.public_id}/crosstable/").text
    rounds = re.findall(r'<th scope="col" aria-label="([^"]*)">(\d)</th>', page)
    assert rounds == [("Round 1", "1"), ("Round 2", "2"), ("Round 3", "3")]


UNRATED = [
    (1, 1, 2, 1.0, {"played": False, "black": "b"}),
    (1, 3, 4, 0.0, {"played": False, "kind": "both lost"}),
    (2, 1, 3, 0.5, {"played": False, "kind": "unrated"}),
    (2, 2, 4, 1.0, {"played": False, "kind": "both won"}),
    (3, 1, 4, 1.0),
]


def test_games_that_are_not_rated_have_the_opponent_and_words(client, rate_all):
    players = [make_player("Lind", "Ada"), make_player("Brand", "Ben"), make_player("Cy"), make_player("Dorn")]
    event = make_table(make_list(), players, UNRATED, event_name="Cup").event
    rate_all()
    page = client.get(f"/events/{event.public_id}/crosstable/").text  # in the order Lind, Dorn, Brand, Cy
    cells = re.findall(r'<td><i>(<a href="#r\d">.*?)</i></td>', page)
    assert [re.sub("<.*?>", "", cell) for cell in cells] == [
        "3+/w forfeit win", "4= draw, not rated", "4− forfeit", "3+ forfeit win", "1−/b forfeit", "2+ forfeit win",
        "2− forfeit", "1= draw, not rated",
    ]  # fmt: skip
    notes = [client.get(f"/events/{event.public_id}/rounds/?round={number}").text for number in (1, 2)]
    shown = [re.findall(r'<span class="score"><span class="quiet">(.*?)</span>', text) for text in notes]
    assert shown == [["forfeit win", "both lost by default"], ["draw, not rated", "full point for both"]]


def test_games_of_a_player_that_are_not_rated_are_named_so(client, rate_all):
    lind, brand, cy = make_player("Lind"), make_player("Brand"), make_player("Cy")
    games = [
        (1, 1, 2, 1.0),
        (2, 1, 2, 0.0, {"played": False, "kind": "both lost"}),
        (3, 3, 1, 1.0, {"played": False, "kind": "both won"}),
        (4, 1, 3, 0.5, {"played": False, "kind": "unrated"}),
    ]
    make_table(make_list(), [lind, brand, cy], games)
    rate_all()
    page = client.get(f"/players/{lind.public_id}/games/?list=fesa").text
    shown = re.findall(r'<span class="quiet">\s*(not [^<]*)</span>', page)
    assert sorted(" ".join(text.split()) for text in shown) == ["not played: 0", "not played: 1", "not rated: ½"]

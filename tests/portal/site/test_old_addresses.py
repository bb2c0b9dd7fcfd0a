"""Redirects from addresses with a readable part in the middle."""

import pytest

from tests.factories import make_event, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("old", "current"),
    [
        ("/players/ABC-tanaka-sotaro/games/", "/players/ABC/games/"),
        ("/players/ABC-/opponents/?list=fesa&page=2", "/players/ABC/opponents/?list=fesa&page=2"),
        ("/players/ABC-tanaka/versus/DEF/", "/players/ABC/versus/DEF/"),
        ("/players/ABC-tanaka/graph.svg?theme=dark", "/players/ABC/graph.svg?theme=dark"),
        ("/events/ABC-spring-cup-2024/crosstable/", "/events/ABC/crosstable/"),
        ("/events/ABC-frühling_1/7/grid.txt", "/events/ABC/7/grid.txt"),
    ],
)
def test_address_below_a_readable_one_redirects_to_the_one_without(old, current, client):
    response = client.get(old)
    assert (response.status_code, response["Location"]) == (301, current)


def test_redirect_of_an_old_address_leads_to_the_page(client, rate_all):
    fesa, players = make_list(), [make_player("Ito", "Ana"), make_player("Bo", "Bea")]
    make_table(fesa, players, [(1, 1, 2, 1.0)], event=make_event("Cup", lists=[fesa]))
    rate_all()
    response = client.get(f"{players[0].get_absolute_url()}games/?list=fesa", follow=True)
    assert (response.status_code, response.redirect_chain) == (
        200, [(f"/players/{players[0].public_id}/games/?list=fesa", 301)],
    )  # fmt: skip


@pytest.mark.parametrize(
    "address",
    [
        "/players/ABC-tanaka/nothing/",
        "/clubs/ABC-go-club/members/",
        "/players/ABC-tanaka//games/",
        "/lists/a-b/nothing/",
    ],
)
def test_unknown_page_below_a_readable_address_is_404(address, client):
    assert client.get(address).status_code == 404


def test_old_address_does_not_accept_forms(client):
    assert client.post("/players/ABC-tanaka/games/").status_code == 405

"""The log of a list and the proofs of published ratings, read by programs."""

import base64

import pytest

from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.players.merging import merge_players
from ratings.formats.proof.checkpoints import hash_text
from ratings.formats.proof.inclusion import check_inclusion
from ratings.formats.proof.key_file import read_key_file
from ratings.models import Checkpoint, DatedLine, ListPlayer, Player, RatingList
from tests.domain.runs.logged import make_logged_list
from tests.factories import make_player
from tests.shared import reused

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


@pytest.fixture
@reused
def logged(db):
    return make_logged_list()


def test_log_is_read_in_pages_oldest_first(logged, get):
    page = get("/lists/fesa/checkpoints?size=2")
    assert [(row["number"], row["day"]) for row in page["items"]] == [(1, None), (2, "2024-03-31")]
    (last,) = get(page["next"].partition("/api/v1")[2])["items"]
    stored = Checkpoint.objects.get(number=3)
    assert (last["number"], last["run"], last["since"], last["witnesses"]) == (3, stored.run_id, "2024-03-04", [])
    assert [tree["name"] for tree in last["trees"]] == ["options", "tables", "adjustments", "decisions", "results"]
    assert [tree["leaves"] for tree in page["items"][1]["trees"]] == [4]


def test_checkpoint_has_the_text_that_the_next_one_names(logged, get):
    first, second = (get(f"/lists/fesa/checkpoints/{number}") for number in (1, 2))
    assert first["previous"] == ""
    assert second["previous"] == base64.b64encode(hash_text(first["text"])).decode()
    note = first["text"] + "\n" + "".join(f"{line}\n" for line in first["signatures"])
    assert note == Checkpoint.objects.get(number=1).note
    assert first["keys"] == f"{SITE}/lists/fesa/log/keys.txt"


def test_checkpoints_that_wait_for_a_signature_are_not_served(logged, get):
    Checkpoint.objects.filter(number__gte=2).update(signatures="")
    assert [row["number"] for row in get("/lists/fesa/checkpoints")["items"]] == [1]
    for number in (0, 2, 4, 10**30):
        get(f"/lists/fesa/checkpoints/{number}", 404)
    get("/lists/other/checkpoints", 404)


def test_proof_of_a_published_rating_can_be_checked(logged, get, client):
    (found,) = get("/players/P1/proofs")
    assert {name: found[name] for name in ("list", "day", "player", "checkpoint")} == {
        "list": "fesa", "day": "2024-03-31", "player": "P1", "checkpoint": 2,
    }  # fmt: skip
    proof = get("/players/P1/proofs/fesa/2024-03-31")
    assert {**found, "proof": proof["proof"]} == proof
    keys = read_key_file(client.get("/lists/fesa/log/keys.txt").content.decode())
    assert f'"player":"P1","rank":{DatedLine.objects.get(player__public_id="P1").rank}' in check_inclusion(
        proof["proof"], keys
    )
    assert client.get(found["url"].removeprefix(SITE)).content.decode() == proof["proof"]


def test_merged_player_has_the_proof_under_the_published_id(logged, get, client):
    merge_players(Player.objects.get(public_id="P3"), make_player(public_id="P8"), reason="one person")
    assert client.get("/api/v1/players/P3/proofs").status_code == 302
    assert [row["player"] for row in get("/players/P8/proofs")] == ["P3"]
    assert get("/players/P3/proofs/fesa/2024-03-31")["player"] == "P3"
    get("/players/P8/proofs/fesa/2024-03-31", 404)


def test_proof_that_does_not_exist_is_not_found(logged, get):
    for address in (
        "P1/proofs/fesa/2024-03-30",
        "P1/proofs/other/2024-03-31",
        "P9/proofs/fesa/2024-03-31",
        "P9/proofs",
    ):
        get(f"/players/{address}", 404)
    get("/players/P1/proofs/fesa/soon", 422)


def test_changed_line_is_reported(logged, get):
    DatedLine.objects.filter(player__public_id="P1").update(rating=1999)
    assert get("/players/P1/proofs/fesa/2024-03-31", 409)["detail"] == (
        "The stored rating is not the one that was published."
    )


def test_withdrawn_ratings_and_private_lists_have_no_proof(logged, get):
    fesa, players = logged
    save_list_player(ListPlayer(list=fesa, player=players[1], withdrawn=True))
    assert get("/players/P1/proofs") == []
    get("/players/P1/proofs/fesa/2024-03-31", 404)
    RatingList.objects.update(public=False)
    assert get("/players/P2/proofs") == []
    get("/lists/fesa/checkpoints/1", 404)

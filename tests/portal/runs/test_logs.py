import datetime as dt
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from portal.runs.views import logs
from ratings.domain.lists.adjustments import change_options, save_list_player
from ratings.domain.players.merging import merge_players
from ratings.domain.runs import marking
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.formats.proof.comparing import compare_export
from ratings.formats.proof.inclusion import check_inclusion
from ratings.formats.proof.key_file import read_key_file
from ratings.formats.proof.log_checks import check_log
from ratings.management.commands._logs import read_export
from ratings.models import Change, Checkpoint, DatedLine, DatedList, ListPlayer, NameVisibility, Player, RatingList
from tests.domain.runs.logged import make_logged_list
from tests.factories import make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db
FILES = ("log.txt", "keys.txt", "export.zip", "leaves/results.txt", "leaves/published-2024-03-31.txt")


@pytest.fixture
def fesa():
    return make_logged_list()[0]


def read(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_page_shows_checkpoints_newest_first(fesa, client, django_assert_num_queries):
    with django_assert_num_queries(6):
        page = client.get("/lists/fesa/log/")
    assert [row.checkpoint.number for row in page.context["rows"]] == [3, 2, 1]
    text = markup(page)
    assert "Published list of 31 Mar 2024" in text
    assert "Ratings computed from all results" in text
    assert "Ratings computed from 4 Mar 2024 on" in text
    assert "manage.py verify --log http://127.0.0.1:8000/lists/fesa/log/log.txt" in text
    assert page.context["key"].startswith("portal.example+")
    for file in FILES[:3]:
        assert f'href="/lists/fesa/log/{file}"' in text
    assert 'href="/lists/fesa/log/"' in markup(client.get("/lists/fesa/statistics/"))


def test_page_without_checkpoints_says_so(client):
    make_list()
    assert "This list has no checkpoint yet." in markup(client.get("/lists/fesa/log/"))
    for file in FILES:
        assert client.get(f"/lists/fesa/log/{file}").status_code in (404, 503)


def test_log_and_keys_are_served_as_text(fesa, client):
    response = client.get("/lists/fesa/log/log.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    keys = read_key_file(read(client, "/lists/fesa/log/keys.txt"))
    assert check_log(response.content.decode(), keys).problems == []
    assert client.get("/lists/fesa/log/log.txt", headers={"if-none-match": response["ETag"]}).status_code == 304


def test_leaves_and_export_are_served(fesa, client):
    lines = read(client, "/lists/fesa/log/leaves/tables.txt").splitlines()
    assert [line.partition(" ")[2][:20] for line in lines] == [
        '{"date":"2024-01-07"',
        '{"date":"2024-03-03"',
        '{"date":"2024-05-05"',
    ]
    with zipfile.ZipFile(io.BytesIO(client.get("/lists/fesa/log/export.zip").content)) as archive:
        assert set(archive.namelist()) == {
            "history.json", "log.txt", "keys.txt", "leaves/options.txt", "leaves/tables.txt", "leaves/adjustments.txt",
            "leaves/decisions.txt", "leaves/results.txt", "leaves/published-2024-03-31.txt",
        }  # fmt: skip
        assert archive.read("leaves/tables.txt").decode().splitlines() == lines
    for unknown in ("nothing", "published-2024-03-30", "revised-2024-03-31"):
        assert client.get(f"/lists/fesa/log/leaves/{unknown}.txt").status_code == 404


def test_leaves_wait_while_the_list_is_out_of_date(fesa, client):
    RatingList.objects.update(out_of_date_from=dt.date(2024, 1, 1))
    for file in ("export.zip", "leaves/results.txt"):
        response = client.get(f"/lists/fesa/log/{file}")
        assert (response.status_code, response["Retry-After"]) == (503, "60")
        assert b"Try again in a few minutes." in response.content
    assert client.get("/lists/fesa/log/log.txt").status_code == 200
    assert client.get("/lists/fesa/log/leaves/published-2024-03-31.txt").status_code == 200


def test_withdrawn_and_hidden_rows_are_served_as_hashes(fesa, client):
    player = Player.objects.get(public_id="P2")
    save_list_player(ListPlayer(list=fesa, player=player, withdrawn=True))
    rerate(fesa.pk)
    assert Change.objects.filter(player=player, hidden=True).exists()
    for tree in ("results", "published-2024-03-31"):
        lines = read(client, f"/lists/fesa/log/leaves/{tree}.txt").splitlines()
        assert [line for line in lines if '"P2"' in line] == []
        assert len([line for line in lines if " " not in line]) > 0
    assert client.get("/players/P2/proof/").context["lines"] == []
    assert client.get("/players/P2/proof/fesa/2024-03-31.txt").status_code == 404


def test_names_of_anonymous_players_stand_nowhere(fesa, client):
    Player.objects.filter(public_id="P1").update(shown=NameVisibility.ANONYMOUS)
    for address in ("log/", *(f"log/{file}" for file in FILES if file != "export.zip")):
        assert "Name1" not in read(client, f"/lists/fesa/{address}")
    page = read(client, "/players/P1/proof/")
    assert "Name1" not in page
    assert 'href="/players/P1/proof/fesa/2024-03-31.txt"' in page
    with zipfile.ZipFile(io.BytesIO(client.get("/lists/fesa/log/export.zip").content)) as archive:
        assert [name for name in archive.namelist() if b"Name1" in archive.read(name)] == []


def test_published_list_carries_its_checkpoint(fesa, client):
    assert 'href="/lists/fesa/dated/2024-03-31/checkpoint.txt"' in read(client, "/lists/fesa/dated/2024-03-31/")
    note = read(client, "/lists/fesa/dated/2024-03-31/checkpoint.txt")
    assert note == Checkpoint.objects.get(number=2).note
    url = "http://127.0.0.1:8000/lists/fesa/dated/2024-03-31/checkpoint.txt"
    document = client.get("/lists/fesa/dated/2024-03-31/list.json").json()
    assert document["checkpoint"] == {"number": 2, "url": url}
    DatedList.objects.create(list=fesa, day=dt.date(2024, 1, 31))
    assert client.get("/lists/fesa/dated/2024-01-31/checkpoint.txt").status_code == 404
    assert "checkpoint" not in client.get("/lists/fesa/dated/2024-01-31/list.json").json()


def test_player_downloads_a_proof(fesa, client):
    assert 'href="/players/P1/proof/"' in markup(client.get(Player.objects.get(public_id="P1").get_absolute_url()))
    page = client.get("/players/P1/proof/")
    (line,) = page.context["lines"]
    response = client.get("/players/P1/proof/fesa/2024-03-31.txt")
    assert response["Content-Disposition"] == 'attachment; filename="P1-fesa-2024-03-31.txt"'
    keys = read_key_file(read(client, "/lists/fesa/log/keys.txt"))
    leaf = check_inclusion(response.content.decode(), keys)
    assert f'"player":"P1","rank":{line.line.rank},"rating":{line.rating:g}}}' in leaf


def test_proof_of_a_merged_player_keeps_the_id_in_the_list(fesa, client):
    late = make_player(public_id="P8")
    make_table(fesa, [late, Player.objects.get(public_id="P3")], [(1, 1, 2, 1.0)], "2024-06-06")
    rerate(fesa.pk)
    merge_players(Player.objects.get(public_id="P1"), late, reason="one person")
    rerate(fesa.pk)
    assert client.get("/players/P1/proof/")["Location"] == "/players/P8/proof/"
    assert 'href="/players/P1/proof/fesa/2024-03-31.txt"' in read(client, "/players/P8/proof/")
    keys = read_key_file(read(client, "/lists/fesa/log/keys.txt"))
    assert '"player":"P1"' in check_inclusion(read(client, "/players/P1/proof/fesa/2024-03-31.txt"), keys)
    assert client.get("/players/P8/proof/fesa/2024-03-31.txt").status_code == 404


def test_changed_line_has_no_proof(fesa, client):
    DatedLine.objects.filter(player__public_id="P1").update(rating=1999)
    for player in ("P1", "P2"):
        response = client.get(f"/players/{player}/proof/fesa/2024-03-31.txt")
        assert response.status_code == (409 if player == "P1" else 200)
    DatedLine.objects.filter(player__public_id="P3").delete()
    assert client.get("/players/P2/proof/fesa/2024-03-31.txt").status_code == 409


def test_player_in_no_published_list_is_told_so(client):
    make_player(public_id="P1")
    assert "This player is in no published list that has a checkpoint." in markup(client.get("/players/P1/proof/"))


@pytest.mark.parametrize("address", ["log/", *(f"log/{file}" for file in FILES), "dated/2024-03-31/checkpoint.txt"])
def test_private_list_has_no_public_log(address, fesa, client, admin_client):
    RatingList.objects.update(public=False)
    assert client.get(f"/lists/fesa/{address}").status_code == 404
    assert admin_client.get(f"/lists/fesa/{address}").status_code == 200
    assert client.get("/players/P1/proof/fesa/2024-03-31.txt").status_code == 404
    assert client.get(f"/lists/unknown/{address}").status_code == 404
    assert client.post(f"/lists/fesa/{address}").status_code == 405


@pytest.mark.parametrize("address", ["P1/proof/", "P1/proof/fesa/2024-03-31.txt"])
def test_proofs_of_unknown_players_and_lists(address, fesa, client):
    assert client.post(f"/players/{address}").status_code == 405
    assert client.get(f"/players/{address}".replace("P1", "NOBODY")).status_code == 404
    assert client.get("/players/P1/proof/other/2024-03-31.txt").status_code == 404
    assert client.get("/players/P1/proof/fesa/2024-03-30.txt").status_code == 404


def test_witnessed_logs_are_served(client):
    assert read(client, "/witnessed.txt") == ""
    assert client.post("/witnessed.txt").status_code == 405


def test_log_is_empty_without_a_key(client):
    fesa = make_list()
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    rerate(fesa.pk)
    assert client.get("/lists/fesa/log/log.txt").status_code == 404
    assert client.get("/lists/fesa/log/keys.txt").status_code == 404
    create_key("portal.example")
    assert client.get("/lists/fesa/log/keys.txt").status_code == 200


def accept_a_table(fesa, players):
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-06-06")


def give_other_options(fesa, _players):
    change_options(RatingList.objects.get(pk=fesa.pk), {"corrections": "revised"})
    rerate(fesa.pk)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL has these snapshots")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [accept_a_table, give_other_options])
def test_export_is_that_of_its_log_although_the_list_changes_meanwhile(change, client, monkeypatch):
    fesa, players = make_logged_list()
    fesa.refresh_from_db()
    monkeypatch.setattr(marking, "send_task", lambda *_: None)  # the table waits for a worker
    is_log_current = logs.is_log_current

    def change_meanwhile(rating_list):
        is_current = is_log_current(rating_list)

        def change_and_close():
            change(fesa, players)
            connection.close()

        with ThreadPoolExecutor(1) as pool:
            pool.submit(change_and_close).result()
        return is_current

    monkeypatch.setattr(logs, "is_log_current", change_meanwhile)
    content = client.get("/lists/fesa/log/export.zip").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        log = check_log(archive.read("log.txt").decode(), read_key_file(archive.read("keys.txt").decode()))
    assert (list(log.problems), list(compare_export(read_export(content, "export.zip"), log))) == ([], [])
    assert RatingList.objects.get(pk=fesa.pk).revision > fesa.revision

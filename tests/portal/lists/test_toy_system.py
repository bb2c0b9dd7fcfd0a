"""A rating system is one package and one line of the registry: pages, files and commands need nothing else of it."""

import json

import pytest
from django.core.management import call_command

from ratings.domain.runs.verifying import find_differences
from ratings.systems import SYSTEMS
from tests.factories import make_list, make_player, make_table
from tests.markup import markup
from tests.systems.toy.system import Toy

pytestmark = pytest.mark.django_db


@pytest.fixture
def toy(monkeypatch, rate_all):
    """A list on which Adler wins twice: by a half point of chance each, then by less."""
    monkeypatch.setitem(SYSTEMS, Toy.key, Toy)
    toy = make_list("toy", system="toy")
    adler, bauer = make_player("Adler", "Zoë", public_id="ADLER"), make_player("Bauer", "Max")
    for day in ("2024-01-06", "2024-02-03"):
        make_table(toy, [adler, bauer], [(1, 1, 2, 1.0)], day, event_name=f"Cup of {day}")
    rate_all()
    return toy


def test_list_page_shows_the_ratings_of_the_toy_system(client, toy):
    """20 × (1 − 1/2) = 10; then E = 1 / (1 + 10^(-20/400)) = 0.5288 and 20 × (1 − 0.5288) = 9.4."""
    page = markup(client.get(toy.get_absolute_url() + "?active=all"))
    assert ("1019.4" in page, "980.6" in page) == (True, True)


def test_change_of_the_toy_system_is_explained(client, toy):
    change = toy.changes.get(player__public_id="ADLER", table__last_day="2024-02-03")
    page = markup(client.get(f"/lists/toy/tables/{change.table_id}/ADLER/"))
    assert [part in page for part in ("Rating used", "990.0", "0.5288", "+9.42")] == [True] * 4


def test_verify_computes_the_toy_system_again(toy, capsys):
    assert list(find_differences(toy)) == []
    call_command("verify", list="toy")
    assert "toy: 4 changes exact" in capsys.readouterr().out


@pytest.mark.parametrize(
    "address",
    ["", "moves/", "statistics/", "rules/", "calculator/?games=1000%2B", "calculator/tournament/", "list.csv", "list.txt",
     "list.json", "list.xlsx", "dated/", "corrections/"],
)  # fmt: skip
def test_other_pages_and_files_know_the_toy_system(address, client, toy):
    assert client.get(f"/lists/toy/{address}").status_code == 200


def test_players_and_events_of_the_toy_system_have_their_pages(client, toy):
    change = toy.changes.get(player__public_id="ADLER", table__last_day="2024-02-03")
    for address in (
        change.player.get_absolute_url(),
        change.table.event.get_absolute_url(),
        "/players/ADLER/calculator/",
    ):
        assert client.get(address).status_code == 200


def test_history_of_the_toy_system_is_exported(toy, capsys):
    call_command("export_history", list="toy")
    exported = json.loads(capsys.readouterr().out)
    assert (exported["system"], len(exported["tables"])) == ("toy", 2)

"""RenjuNet's database as a file of `import_results`: events, players with their RIF ids, and disciplines."""

import pytest
from django.core.management import CommandError, call_command

from ratings.models import Event, OutsideId, Player
from tests.factories import make_list
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db
TWO = (SAMPLES / "rif" / "two-tournaments.rif").read_text("utf-8")
OTHER_MUSTER = '<player id="20" disp_id="1020" name="Anna" surname="Muster" country="3"/>\n</players>'


@pytest.fixture
def renju():
    return make_list("renju", system="rif-2021")


def run(path, text, capsys, slug="renju", **options):
    file = path / "renjunet.rif"
    file.write_text(text, "utf-8")
    call_command("import_results", file, list=slug, **options)
    return capsys.readouterr().out


def list_ids():
    return [(each.registry, each.value, each.player.name) for each in OutsideId.objects.order_by("value")]


def test_tournaments_of_the_list_become_events_and_players_have_their_ids(renju, tmp_path, capsys):
    out = run(tmp_path, TWO, capsys, save=True)
    assert out.splitlines()[:2] == [
        "renjunet.rif: 1 of 2 rated tournaments (renju)",
        "[1/1] Spring Cup 2026-03-08.rif: Spring Cup, 2026-03-08: 4 players, 3 rounds; new: van Beispiel Jan, Muster Anna, Dupont Luc, Novák Petra",
    ]
    event = Event.objects.get()
    assert (event.name, event.place, event.country.code, str(event.start), str(event.end), event.state) == (
        "Spring Cup", "Berlin", "DE", "2026-03-07", "2026-03-08", "accepted")  # fmt: skip
    assert list_ids() == [("rif", "1007", "Muster Anna"), ("rif", "1009", "van Beispiel Jan"),
                          ("rif", "1011", "Novák Petra"), ("rif", "1014", "Dupont Luc")]  # fmt: skip
    assert Player.objects.get(family_name="Muster").birth_year == 1990


def test_tournaments_of_gomoku_go_to_a_list_of_gomoku(tmp_path, capsys):
    make_list("gomoku", system="rif-2021", options={"discipline": "gomoku"})
    run(tmp_path, TWO, capsys, "gomoku", save=True)
    assert [event.name for event in Event.objects.all()] == ["Autumn Cup"]


def test_newer_database_adds_only_its_new_tournaments(renju, tmp_path, capsys):
    run(tmp_path, TWO, capsys, save=True)
    newer = TWO.replace('rule="2" rated="1"', 'rule="4" rated="1"').replace('category="2"', 'category="1"')
    out = run(tmp_path, newer, capsys, save=True)
    assert out.splitlines()[1:3] == [
        "[1/2] Spring Cup 2026-03-08.rif: already there as “Spring Cup”, with the same players and results; nothing to store",
        "[2/2] Autumn Cup 2026-09-05.rif: Autumn Cup, 2026-09-05: 2 players, 1 rounds",
    ]
    assert (Event.objects.count(), Player.objects.count()) == (2, 4)


def test_players_of_the_same_name_with_other_ids_are_different_players(renju, tmp_path, capsys):
    text = TWO.replace('rule="2" rated="1"', 'rule="4" rated="1"').replace("</players>", OTHER_MUSTER)
    run(tmp_path, text.replace('rule="2" black="7"', 'rule="2" black="20"'), capsys, save=True)
    assert [id for id in list_ids() if id[2] == "Muster Anna"] == [
        ("rif", "1007", "Muster Anna"),
        ("rif", "1020", "Muster Anna"),
    ]
    assert Player.objects.filter(family_name="Muster").count() == 2


def test_left_out_tournaments_are_counted(renju, tmp_path, capsys):
    out = run(tmp_path, TWO.replace('id="56" name="Autumn Cup"', 'id="56" name="Autumn Cup" rated="0"', 1)
              .replace('rule="2" rated="1"', 'rule="2"'), capsys)  # fmt: skip
    assert out.splitlines()[1] == (
        "renjunet.rif: the tournaments of this database were read, except for those that are not rated (rated 0, or a type other"
        " than 0): 1, and those without games: 0"
    )
    assert Event.objects.count() == 0  # a dry run


def test_errors_name_the_line_of_the_database(renju, tmp_path, capsys):
    with pytest.raises(CommandError):
        run(tmp_path, TWO.replace('black="7" white="11"', 'black="7" white="99"'), capsys, save=True)
    assert capsys.readouterr().err.splitlines() == [
        "Spring Cup 2026-03-08.rif: line 37: error: game 9005: there is no player with the id “99”"
    ]
    with pytest.raises(CommandError):
        run(tmp_path, TWO.replace('<player id="9"', '<player id="7"'), capsys, save=True)
    assert capsys.readouterr().err.splitlines()[0] == "renjunet.rif: line 24: error: player: the id 7 is used twice"
    assert Event.objects.count() == 0

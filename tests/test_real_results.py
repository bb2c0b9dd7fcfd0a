"""The main job on real input: the federation's files in, its own ratings out. The way through the browser is tested in browser/test_real_files.py."""

import datetime as dt
import json

import pytest
from django.core.management import call_command

from ratings.formats.fesa.published import read_published
from ratings.models import Adjustment, Award, Change, Decision, Entry, Event, Game, Player, Table
from ratings.queries.lists.lists import list_as_of
from tests.factories import make_list, make_user
from tests.real_files import SHARED, list_files, needs_real_files

pytestmark = [pytest.mark.django_db, needs_real_files]


def test_published_tables_are_reproduced_exactly():
    make_list("fesa")
    call_command("import_results", *list_files("published-*.txt"), list="fesa", save=True)
    promotions = 0
    for path in list_files("published-*.txt"):
        parsed, _ = read_published(path.read_bytes(), dt.date(2026, 11, 21))
        table = Table.objects.get(event__name=parsed.name)
        entries = {entry.number: entry for entry in table.entries.select_related("player")}
        changes = {change.player_id: change for change in table.changes.all()}
        for row in parsed.rows:
            player = entries[row.number].player
            assert player.name == row.name
            change = changes[player.pk]
            if row.starred:
                assert change.after == row.rating, row
                assert change.category == "unrated" or entries[row.number].fixed_rating == row.rating
            else:
                assert (change.before, change.change) == (row.rating, row.change), row
                assert change.grade_before == (row.grade or "")
            awards = table.awards.filter(player=player, last_of_step=True)
            assert [award.grade for award in awards] == ([row.promoted] if row.promoted else []), row
            promotions += bool(row.promoted)
    assert promotions == 20
    assert Award.objects.filter(last_of_step=True).count() == 20
    fixed = Entry.objects.filter(fixed_rating__isnull=False)
    assert [(entry.player.name, entry.fixed_rating) for entry in fixed] == [("Gimenez Georges", 1690)]
    assert list(Decision.objects.values_list("ruling", flat=True)) == ["printed"] * 3


def test_events_known_from_grids_are_not_imported_again(capsys):
    make_list("fesa")
    call_command("import_results", *list_files("published-*.txt"), list="fesa", save=True)
    counted = [model.objects.count() for model in (Event, Player, Game, Adjustment, Decision, Change)]
    capsys.readouterr()
    call_command("import_results", *list_files("grid-*.txt"), list="fesa", save=True)
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("already there") == 2
    assert [model.objects.count() for model in (Event, Player, Game, Adjustment, Decision, Change)] == counted


def test_club_history_gives_the_federations_list_after_each_meeting():
    club = make_list("club")
    make_user("administrator", is_superuser=True)
    new_players = SHARED / "real" / "club-2016" / "new-players.csv"
    call_command(
        "import_results",
        *list_files("club-2016/*.txt"),
        list="club",
        save=True,
        new_players=new_players,
        as_user="administrator",
    )
    cases = json.loads((SHARED / "cases" / "fesa-2016-club.json").read_text())
    lines = 0
    for day, expected in cases["lists"].items():
        got = {
            change.player.family_name: {
                "rating": change.after,
                "games": change.games_after,
                "grade": change.grade or None,
            }
            for change in list_as_of(club, day)
        }
        assert got == expected
        lines += len(got)
    assert lines == 289

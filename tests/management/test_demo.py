from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from portal.event_tables import files_of
from ratings.formats.head import Head
from ratings.formats.history import write_history
from ratings.formats.recognise import read
from ratings.management.commands import demo
from ratings.models import Club, Correction, Event, Membership, Player, RatingList
from ratings.queries.crosstables import crosstables, parsed_table
from ratings.queries.events import lists_of
from ratings.queries.history import export_history
from ratings.systems import SYSTEMS
from tests.factories import make_player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(monkeypatch, settings):
    settings.DEBUG = True
    monkeypatch.setattr(demo, "SIZE", 0.15)


def test_demo_fills_an_empty_database_and_prints_the_logins(capsys):
    call_command("demo")
    assert (Player.objects.count(), Club.objects.count()) == (51 + 22 + 20 + 20, 6 + 4 + 4 + 4)
    assert Event.objects.filter(state="accepted").count() >= 30
    lists = {one.system: one for one in RatingList.objects.all()}
    assert set(lists) == set(SYSTEMS)
    assert lists["fesa-2000"].comparison_to == lists["fesa-2016"]
    for one in lists.values():
        assert one.standings.filter(published=True, rating__isnull=False).count() >= 8
        assert (one.out_of_date_from, one.problem) == (None, "")
        assert one.dated.exists() == (one.comparison_to is None)
    assert Correction.objects.exists()
    assert Membership.objects.exists()
    assert {user.username: user.is_superuser for user in User.objects.all()} == {
        "admin": True,
        "officer": False,
        "approver": False,
        "organiser": False,
    }
    on_the_way = Event.objects.exclude(state="accepted").order_by("name")
    assert [(event.name[:-5], event.state, event.created_by.username) for event in on_the_way] == [
        ("Autumn Rapid", "submitted", "organiser"),
        ("Club Evening", "draft", "organiser"),
        ("Winter Open", "draft", "organiser"),
    ]
    assert capsys.readouterr().out.endswith(
        "Logins at /organise/ and /admin/: admin, officer, approver, organiser; the password of each is demo.\n"
    )


def test_demo_is_the_same_every_time():
    call_command("demo")
    first = [write_history(export_history(one)) for one in RatingList.objects.order_by("slug")]
    for model in (Event, RatingList, Membership, Player, Club, User):
        model.objects.all().delete()
    call_command("demo")
    assert [write_history(export_history(one)) for one in RatingList.objects.order_by("slug")] == first


def test_demo_leaves_a_database_with_players_alone():
    make_player("Somebody")
    call_command("demo", if_empty=True)
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("demo")
    assert (Player.objects.count(), User.objects.count()) == (1, 0)


def test_demo_is_for_ones_own_machine_only(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG=1 only"):
        call_command("demo")
    assert not Player.objects.exists()


def results(table):
    """What a file may not lose: players, results, handicaps, stones, colours, and what counts of the head."""
    rows = [
        (row.number, row.family, row.given, row.country, row.cells, row.macmahon or 0, row.simultaneous)
        for row in table.rows
    ]
    return table.name, table.first_day, table.last_day, rows


def test_every_event_of_the_demo_comes_back_from_every_file_that_is_offered(client):
    call_command("demo")
    read_again, carried = Counter(), Counter()
    for event in Event.objects.filter(state="accepted"):
        for rating_list in lists_of(event):
            for table in crosstables(event, rating_list):
                for form, file in files_of(table, rating_list).items():
                    address = f"/events/{event.public_id}/{table.table.pk}/{form}.{file.extension}"
                    found = read(client.get(address).content, Head("", event.start, event.end), event.end)
                    told = [str(problem) for problem in found.problems.all if problem.level == "error"]
                    assert (event.name, found.form, told) == (event.name, form, [])
                    assert results(found.table) == results(parsed_table(table, published=False))
                    read_again[form] += 1
                    cells = [cell for row in found.table.rows for cell in row.cells]
                    for what in ("handicap", "stones", "black"):
                        carried[what] += any(getattr(cell, what) for cell in cells)
    assert set(read_again) == {"grid", "published", "trf", "h9", "csv", "xlsx"}
    assert min(read_again.values()) > 3
    assert min(carried.values()) > 3

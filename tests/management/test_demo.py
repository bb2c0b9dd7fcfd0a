from collections import Counter
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import override_settings

from portal.events.event_tables import lossless_files
from ratings.formats.event_head import Head
from ratings.formats.history.file import write_history
from ratings.formats.recognise import read_results_file
from ratings.management.commands import demo
from ratings.models import Club, Correction, Event, Membership, Player, RatingList
from ratings.queries.events.crosstables import crosstables, parsed_table
from ratings.queries.events.events import lists_of
from ratings.queries.lists.history import export_history
from ratings.systems import SYSTEMS
from tests.factories import make_player
from tests.shared import built_once
from tests.thorough import share, take_share_of

pytestmark = pytest.mark.django_db


SIZE = 0.15


@pytest.fixture(autouse=True)
def small(monkeypatch, settings):
    settings.DEBUG = True
    monkeypatch.setattr(demo, "SIZE", SIZE)


@pytest.fixture(scope="class")
def printed(django_db_setup, django_db_blocker):
    """Make the demo once for all tests of a class, each of which has a savepoint; gives what the command printed."""
    out = StringIO()
    with built_once(django_db_blocker):
        with pytest.MonkeyPatch.context() as patch, override_settings(DEBUG=True):
            patch.setattr(demo, "SIZE", SIZE)
            call_command("demo", stdout=out)
        yield out.getvalue()


def test_demo_says_which_packages_it_lacks(monkeypatch):
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r"pip install --require-hashes -r requirements-demo\.txt"):
        call_command("demo")
    assert not Player.objects.exists()


def test_demo_leaves_a_database_with_players_alone():
    make_player("Somebody")
    call_command("demo", if_empty=True)
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("demo")
    assert (Player.objects.count(), User.objects.count()) == (1, 0)


def test_demo_is_for_ones_own_machine_only(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="needs DEBUG=1"):
        call_command("demo")
    assert not Player.objects.exists()


def results(table):
    """Return the data that a file must keep: players, results, handicaps, stones, colours, and what counts of the head."""
    rows = [
        (row.number, row.family, row.given, row.country, row.cells, row.macmahon or 0, row.simultaneous)
        for row in table.rows
    ]
    return table.name, table.first_day, table.last_day, rows


@pytest.mark.usefixtures("printed")
class TestDemo:
    def test_demo_fills_an_empty_database_and_prints_the_logins(self, printed):
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
        assert printed.endswith(
            "Logins at /organise/ and /admin/: admin, officer, approver, organiser; the password of each is demo.\n"
        )

    def test_demo_is_the_same_every_time(self):
        first = [write_history(export_history(one)) for one in RatingList.objects.order_by("slug")]
        for model in (Event, RatingList, Membership, Player, Club, User):
            model.objects.all().delete()
        call_command("demo")
        assert [write_history(export_history(one)) for one in RatingList.objects.order_by("slug")] == first

    def test_every_event_of_the_demo_comes_back_from_every_file_that_is_offered(self, client):
        read_again, carried = Counter(), Counter()
        for event in take_share_of(Event.objects.filter(state="accepted"), 0, 2):
            for rating_list in lists_of(event):
                for table in crosstables(event, rating_list):
                    for form, file in lossless_files(table, rating_list).items():
                        address = f"/events/{event.public_id}/{table.table.pk}/{form}.{file.extension}"
                        found = read_results_file(
                            client.get(address).content, Head("", event.start, event.end), event.end
                        )
                        actual = [str(problem) for problem in found.problems.all if problem.level == "error"]
                        assert (event.name, found.format, actual) == (event.name, form, [])
                        assert results(found.table) == results(parsed_table(table, published=False))
                        read_again[form] += 1
                        cells = [cell for row in found.table.rows for cell in row.cells]
                        for what in ("handicap", "stones", "black"):
                            carried[what] += any(getattr(cell, what) for cell in cells)
        assert set(read_again) == {"grid", "published", "trf", "h9", "csv", "xlsx"}
        assert min(read_again.values()) > 3
        assert min(carried.values()) > share(3, 0)

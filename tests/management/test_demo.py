from collections import Counter
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from portal.events.sections import lossless_files
from ratings.formats.event_head import Head
from ratings.formats.history.file import write_history
from ratings.formats.recognise import read_results_file
from ratings.models import (
    Club,
    Correction,
    Event,
    Hall,
    Membership,
    Notification,
    OutgoingMail,
    Player,
    RatingList,
    Report,
)
from ratings.queries.events.crosstables import crosstables
from ratings.queries.events.events import lists_of
from ratings.queries.events.parsed_tables import parsed_table
from ratings.queries.lists.history import export_history
from ratings.queries.results.halls import read_hall
from ratings.systems import SYSTEMS
from tests.thorough import share, take_share_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small")]


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
        assert (Player.objects.count(), Club.objects.count()) == (51 + 22 + 20 + 20 + 3, 6 + 4 + 4 + 4)
        assert Event.objects.filter(state="accepted").count() >= 30
        lists = {one.system: one for one in RatingList.objects.all()}
        assert set(lists) == set(SYSTEMS)
        assert lists["fesa-2000"].comparison_to == lists["fesa-2016"]
        for one in lists.values():
            assert one.standings.filter(published=True, rating__isnull=False).count() >= 8
            assert (one.out_of_date_from, one.problem) == (None, "")
            assert one.dated.exists() == (one.comparison_to is None)
        main = {one.federation_id for one in RatingList.objects.filter(comparison_to=None)}
        assert {one.comparison_to.federation_id for one in RatingList.objects.exclude(comparison_to=None)} == main
        assert Correction.objects.exists()
        assert Membership.objects.exists()
        assert {user.username: user.is_superuser for user in User.objects.all()} == {
            "admin": True,
            "officer": False,
            "approver": False,
            "organiser": False,
        }
        on_the_way = Event.objects.filter(created_by__username="organiser").order_by("name")
        assert [(event.name[:-5], event.state) for event in on_the_way] == [
            ("Strasbourg Club Evening", "draft"),
            ("Strasbourg Evening Cup", "draft"),
            ("Strasbourg Rapid", "submitted"),
            ("Strasbourg Rapid Cup", "draft"),
        ]
        assert (Notification.objects.count(), OutgoingMail.objects.count()) == (0, 0)
        (hall,) = Hall.objects.all()
        assert printed.endswith(
            "Logins at /organise/ and /admin/: admin, officer, approver, organiser; the password of each is demo.\n"
            f"Played today: {hall.event}; the organiser enters results at /hall/{hall.event.public_id}/.\n"
        )

    def test_hall_of_today_has_an_open_board_and_a_question(self):
        (hall,) = Hall.objects.all()
        state = read_hall(hall)
        rounds = [(len(each.boards), each.results, each.questions, each.open) for each in state.rounds]
        assert rounds == [(3, 3, 0, 0), (3, 3, 0, 0), (3, 1, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0)]
        assert [helper["name"] for helper in hall.links.get().helpers] == ["Tim", "Eva"]
        rated = {slug: {person for person, _before, _after in rows} for slug, rows in hall.provisional.items()}
        assert rated == {one.slug: set(state.people) for one in RatingList.objects.filter(slug__in=rated)}
        assert len(rated) == 2
        assert hall.event.start == timezone.now().date()

    def test_stored_ratings_agree_with_those_computed_from_nothing(self):
        for rating_list in RatingList.objects.all():
            out = StringIO()
            call_command("verify", list=rating_list.slug, stdout=out)
            assert f"{rating_list.slug}: {rating_list.changes.count()} changes exact" in out.getvalue()

    def test_demo_is_the_same_every_time(self):
        def everything():
            histories = [write_history(export_history(one)) for one in RatingList.objects.order_by("slug")]
            named = [sorted(model.objects.values_list("public_id", "search_name")) for model in (Event, Player, Club)]
            return histories, named, sorted(Report.objects.values_list("public_id", "text"))

        first = everything()
        for model in (Report, Event, RatingList, Membership, Player, Club, User):
            model.objects.all().delete()
        call_command("demo")
        assert everything() == first

    def test_every_event_of_the_demo_comes_back_from_every_file_that_is_offered(self, client):
        read_again, carried = Counter(), Counter()
        events = Event.objects.filter(state="accepted")
        chosen = set(take_share_of(events, 0, 4))
        for event in events:
            for rating_list in lists_of(event):
                for table in crosstables(event, rating_list):
                    for form, file in lossless_files(table, rating_list).items():
                        if form in ("aga", "uschess", "chessresults"):  # have no countries, or are not read
                            continue
                        # the order of the demo's events changes from day to day, and with it the formats of the share
                        if event not in chosen and read_again[form]:
                            continue
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
        assert set(read_again) == {"grid", "published", "trf", "h9", "tou", "opengotha", "csv", "xlsx"}
        assert min(read_again.values()) > share(3, 0)
        assert min(carried.values()) > share(3, 0)

"""Summaries beside Accept, and published tables read on the web as on the command line."""

import datetime as dt
import io
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from ratings import tasks
from ratings.domain.results.accepting import accept
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.review import return_results
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import create_submission, save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.results.summaries import LATE, save_summary
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Adjustment, Change, Decision, Event, RatingList
from ratings.queries.results.workflow import summary_of
from tests.factories import give_rating, make_event, make_list, make_player, make_user

pytestmark = pytest.mark.django_db

# the form of FESA's published tables (docs/formats.md); two players of 1500 and 1400, the first one wins
PUBLISHED = """Spring Cup : 2024-05-04
Nr Name          Nat  Grade  ELO    1   2 Pts   +/-
 1 Muster Anna   FR   1 Kyu  1500   2+  2+  2   +15
 2 Novák Jan     CZ   2 Kyu  1400   1-  1-  0   -15
"""


@pytest.fixture
def user():
    with act_as(user := make_user("admin", is_superuser=True)):
        yield user


def confirmed(submission):
    content = content_from_json(submission.content)
    for warning in check_submission(submission, content, None).warnings:
        content.confirmed[warning.key] = "yes"
    save_submission(submission, content)


def draft(fesa, *rows):
    event = make_event("Cup", "2024-05-04", [fesa], state=Event.State.DRAFT)
    submission = create_submission(event, SheetContent(len(rows[0].cells), list(rows)), days=(event.start, event.end))
    confirmed(submission)
    return event, submission


def test_summary_names_new_players_promotions_and_odd_changes(user):
    fesa, ada = make_list(), make_player("Ada", public_id="AAA")
    ben = make_player("Ben", public_id="BBB")
    give_rating(fesa, ada, 2000)
    give_rating(fesa, ben, 1000)
    rerate(fesa.pk)
    rows = [
        SheetRow(player="AAA", cells=["2-"] * 5),
        SheetRow(player="BBB", cells=["1+"] * 5),
        SheetRow("Neu", "Eva", "FR", new=True, cells=["0-"] * 5),
    ]
    event, _ = draft(fesa, *rows)
    submit(event)
    save_summary(event.pk)
    summary = summary_of(event)
    assert (summary["players"], summary["new"], summary["problem"]) == (3, ["Neu Eva"], "")
    assert {str(who) for _, who, _ in summary["biggest"]} == {"Ada", "Ben"}
    assert [(str(who), message[:12]) for who, message in summary["odd"]] == [("Ben", "changes by +")]


def test_sweep_makes_a_summary_whose_message_was_lost(user, django_capture_on_commit_callbacks):
    def sweep():
        with django_capture_on_commit_callbacks(execute=True):
            tasks.sweep()

    fesa = make_list()
    for id in ("AAA", "BBB"):
        give_rating(fesa, make_player(id, public_id=id), 1500)
    event, _ = draft(fesa, SheetRow("AAA", player="AAA", cells=["2+"]), SheetRow("BBB", player="BBB", cells=["1-"]))
    submit(event)
    sweep()
    assert summary_of(event) is None  # the first message may still be on its way
    event.steps.filter(what="submitted").update(at=timezone.now() - LATE)
    sweep()
    assert summary_of(event)["players"] == 2


def test_queue_shows_the_summary_beside_accept(user, client):
    fesa = make_list()
    for id in ("AAA", "BBB"):
        give_rating(fesa, make_player(id, public_id=id), 1500)
    rows = [SheetRow("AAA", player="AAA", cells=["2+", "3+"]), SheetRow("BBB", player="BBB", cells=["1-", "0-"])]
    event, _ = draft(fesa, *rows, SheetRow("Neu", "Eva", "FR", new=True, cells=["0-", "1-"]))
    submit(event)
    save_summary(event.pk)
    client.force_login(user)
    shown = " ".join(re.sub(r"<[^>]*>", " ", client.get("/organise/queue/").text).split())
    assert ("Players 3, 1 new Neu Eva Ratings that move – Biggest change – Grades AAA 3 Kyu, BBB 3 Kyu") in shown


def test_summary_shows_what_changed_since_the_return(user):
    fesa = make_list()
    for id in ("AAA", "BBB"):
        give_rating(fesa, make_player(id, public_id=id), 1500)
    event, submission = draft(
        fesa, SheetRow("AAA", player="AAA", cells=["2+"]), SheetRow("BBB", player="BBB", cells=["1-"])
    )
    submit(event)
    return_results(event, "Round 1 is a draw")
    submission.refresh_from_db()
    content = content_from_json(submission.content)
    content.rows[0].cells, content.rows[1].cells = ["2="], ["1="]
    save_submission(submission, content)
    submit(event)
    save_summary(event.pk)
    assert summary_of(event)["changed"] == [[1, "AAA – BBB", "1–0", "½–½"]]


def test_published_table_on_the_web_gives_what_the_command_line_gives(user, tmp_path):
    def outcome(rating_list):
        changes = rating_list.changes.order_by("player__family_name", "place")
        return (
            list(changes.values_list("player__family_name", "before", "after", "grade", "games")),
            sorted((a.player.family_name, a.set["rating"]) for a in Adjustment.objects.filter(list=rating_list)),
            Decision.objects.filter(list=rating_list).count(),
        )

    web = make_list("web")
    event = make_event("Spring Cup", "2024-05-04", [web], state=Event.State.DRAFT)
    found = read_results_file(PUBLISHED.encode(), Head(event.name, event.start, event.end), dt.date(2026, 11, 22))
    submission, _ = create_submission_from_file(
        event, ResultsFile("x", b"x", found.format, found.table, found.problems)
    )
    assert [row.new for row in content_from_json(submission.content).rows] == [True, True]
    confirmed(submission)
    submit(event)
    accept(event)
    on_the_web = outcome(web)
    RatingList.objects.filter(pk=web.pk).update(slug="old")
    Change.objects.all().delete()
    Event.objects.all().delete()
    Adjustment.objects.all().delete()
    make_list("cli")
    file = Path(tmp_path) / "cup.txt"
    file.write_text(PUBLISHED)
    call_command("import_results", str(file), list="cli", save=True, stdout=io.StringIO(), stderr=io.StringIO())
    assert on_the_web == outcome(RatingList.objects.get(slug="cli"))
    assert on_the_web[1] != []

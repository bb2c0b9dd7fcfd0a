"""The line of a waiting event on the officer's desk."""

import re

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.results.summaries import Summary, summary_to_json
from ratings.formats.problems import SubmissionProblem
from ratings.models import EventStep, RatingList
from tests.factories import make_list
from tests.markup import markup

from .way import make_waiting_event

pytestmark = pytest.mark.django_db

NOW = "24 Nov 2026 12:00"


def read_line(page, event):
    """Return the texts of the cells of an event's line by the label of their columns."""
    row = re.search(rf'<tr role="row" id="{event.public_id}">(.*?)</tr>', markup(page), re.DOTALL)[1]
    heads = re.findall(r"<th[^>]*scope=\"col\"[^>]*>(.*?)</th>", markup(page).partition('id="results"')[2])[:7]
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
    texts = [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in cells]
    return dict(zip(heads, texts, strict=True))


@time_machine.travel(NOW, tick=False)
def test_line_says_everything_that_a_decision_needs(client, officer, players, fesa):
    with time_machine.travel("21 Nov 2026 12:00", tick=False):
        event = make_waiting_event("Winter Cup", fesa)
    summary = Summary(
        players=12,
        games=30,
        new=["Neu Eva", "Alt Ida"],
        promotions=[["A2", "3 Kyu", "2 Kyu"]],
        biggest=[["fesa", "A2", 44.0], ["fesa", "B2", -61.0]],
        odd=[
            ["B2", SubmissionProblem.BIG_CHANGE(change="-161")],
            ["", SubmissionProblem.MANY_NEW_PLAYERS(new=7, players=9)],
        ],
        changed=[[1, "Adler – Bauer", "1–0", "½–½"]],
    )
    EventStep.objects.filter(event=event).update(data={"summary": summary_to_json(summary)})
    RatingList.objects.filter(pk=fesa.pk).update(publish_on="12-01 06-01")
    client.force_login(officer)
    assert read_line(client.get("/organise/desk/"), event) == {
        "Event": "Winter Cup 6 Jan 2024 · 1 change since the return",
        "Players": "12 2 new",
        "Grades": "2 Kyu Adler Zoë",
        "Biggest change": "−61 Bauer Max",
        "To look at": "Bauer Max: changes by -161 points and 1 more",
        "List closes": "1 Dec 2026 FESA, in 7 days",
        "Waiting": "3 days",
    }


@time_machine.travel(NOW, tick=False)
def test_line_names_the_next_of_several_lists_and_no_day_without_a_schedule(client, officer, fesa):
    without = make_waiting_event("Autumn Cup", fesa)
    event = make_waiting_event("Winter Cup", fesa)
    event.lists.add(make_list("june", publish_on="06-01"), make_list("december", publish_on="12-31"))
    client.force_login(officer)
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/organise/desk/")
    assert len(queries) == 27
    assert read_line(page, event)["List closes"] == "31 Dec 2026 DECEMBER, in 37 days"
    assert read_line(page, without)["List closes"] == "–"


@time_machine.travel(NOW, tick=False)
def test_line_without_a_summary_still_says_when_the_list_closes(client, officer, fesa):
    event = make_waiting_event("Winter Cup", fesa)
    EventStep.objects.filter(event=event).update(data={})
    RatingList.objects.filter(pk=fesa.pk).update(publish_on="11-24")
    client.force_login(officer)
    page = " ".join(re.sub(r"<[^>]*>", " ", markup(client.get("/organise/desk/"))).split())
    assert "The summary is being computed. none 24 Nov 2026 FESA, in 0 days less than a minute" in page


@time_machine.travel(NOW, tick=False)
def test_grade_that_would_need_approval_is_something_to_look_at(client, officer, players, fesa):
    event, usual = make_waiting_event("Winter Cup", fesa), make_waiting_event("Autumn Cup", fesa)
    summary = Summary(players=12, games=30, waiting=[["A2", "", "5 Dan"], ["B2", "6 Dan", ""]])
    EventStep.objects.filter(event=event).update(data={"summary": summary_to_json(summary)})
    client.force_login(officer)
    page = client.get("/organise/desk/")
    line = read_line(page, event)
    assert (line["Grades"], line["To look at"]) == (
        "5 Dan Adler Zoë, needs approval",
        "Would need approval: Adler Zoë 5 Dan and 1 more",
    )
    assert read_line(page, usual)["Grades"] == "none"
    assert page.context["choice"].events == [usual.public_id]
    queue = " ".join(re.sub(r"<[^>]*>", " ", markup(client.get("/organise/queue/"))).split())
    assert "2 things to look at" in queue
    assert "Would need approval: Adler Zoë 5 Dan Would need approval: Bauer Max 6 Dan → –" in queue

"""Marks at the cells of the results page: errors in red, open questions and comments in amber, each with a sign."""

import re

import pytest

from portal.results.marked_cells import COMMENT, ERROR, QUESTION
from ratings.domain.results.comments import add_comment
from tests.markup import markup

from .way import GRID, act, enter_confirmed_results, paste, save

pytestmark = pytest.mark.django_db(transaction=True)


def marks_of(page):
    """The marks of each cell as (row, round): kinds; round 0 is the row itself."""
    return {
        (line["number"], cell.round): [mark.kind for mark in cell.marks]
        for line in page.context["lines"]
        for cell in (line["named"], *line["cells"])
        if cell.marks
    }


def cell_of(page, row, round_):
    """The class of a cell of the table and what is in it."""
    name = f'name="row-{row}-' + (f'round-{round_}"' if round_ else 'family"')
    cells = re.findall(r'<td(?: class="([^"]*)")?>(.*?)</td>', markup(page))
    return next((kind, inside) for kind, inside in cells if name in inside)


def test_errors_questions_and_comments_mark_their_cells(client, event, players, organiser):
    paste(client, event)
    submission = event.submissions.get()
    page = save(client, submission, **{"row-1-given": "", "row-3-round-1": "x"})
    by_kind = {kind: {place for place, kinds in marks_of(page).items() if kind in kinds} for kind in (ERROR, QUESTION)}
    blocking = [finding for finding in page.context["checked"].findings if finding.blocks and finding.row]
    assert by_kind[ERROR] == {(each.row, each.round or 0) for each in blocking if each.level == "error"}
    assert by_kind[QUESTION] == {(each.row, each.round or 0) for each in blocking if each.level == "warning"}
    assert by_kind[ERROR]
    assert by_kind[QUESTION]
    for row, round_ in by_kind[ERROR]:
        kind, inside = cell_of(page, row, round_)
        assert kind.split()[-2:] == ["marked", "error"]
        assert ('aria-invalid="true"' in inside) == bool(round_)
        assert '<a class="sign error" href="#finding-' in inside
    for row, round_ in by_kind[QUESTION] - by_kind[ERROR]:
        kind, inside = cell_of(page, row, round_)
        assert kind.split()[-2:] == ["marked", "question"]
        assert "aria-invalid" not in inside
        target = re.search(r'<a class="sign question" href="#(finding-\d+)" title="Question"', inside)[1]
        assert f'aria-describedby="{target}"' in inside
        assert f'id="{target}"' in markup(page)


def test_comment_marks_its_cell_until_it_is_settled(client, event, players, officer):
    submission, _page = enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    add_comment(submission, 1, 2, "Who was ill?")
    add_comment(submission, 3, None, "Capek or Čapek?")
    page = client.get(submission.get_absolute_url())
    assert marks_of(page) == {(1, 2): [COMMENT], (3, 0): [COMMENT]}
    cell, row = submission.comments.order_by("row")
    kind, inside = cell_of(page, 1, 2)
    assert kind == "round marked comment"
    assert f'<a class="sign comment" href="#comment-{cell.pk}" title="Comment" aria-label="Comment">…</a>' in inside
    assert cell_of(page, 3, 0)[0] == "marked comment"
    assert "Comment of a rating officer" in markup(page)
    client.post(submission.get_absolute_url(), {"comment-do": f"settle:{cell.pk}"})
    client.post(submission.get_absolute_url(), {"comment-do": f"settle:{row.pk}"})
    page = client.get(submission.get_absolute_url())
    assert (marks_of(page), "marks-key" in page.text) == ({}, False)


def test_answered_question_marks_no_cell(client, event, players, organiser):
    paste(client, event, GRID.replace("Lyon", "Paris"))
    submission = event.submissions.get()
    page = save(client, submission, **{"row-1-country": "DE"})
    questions = [finding for finding in page.context["checked"].warnings if finding.row]
    asked = {place for place, kinds in marks_of(page).items() if QUESTION in kinds}
    assert asked == {(finding.row, finding.round or 0) for finding in questions}
    assert asked
    page = save(client, submission, **{f"confirm-{finding.key}": "it was so" for finding in questions})
    assert [place for place, kinds in marks_of(page).items() if QUESTION in kinds] == []

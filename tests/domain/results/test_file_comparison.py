"""Results files compared with the event that they are uploaded to."""

import datetime as dt

import pytest

from ratings.domain.results.file_comparison import compare_with_event
from ratings.formats.event_head import Head
from ratings.formats.problems import SubmissionProblem
from ratings.formats.rif.table import read_rif
from tests.factories import make_event, make_list
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 3, 8)


def list_remarks(lists, *, place="", category="2"):
    data = (SAMPLES / "rif" / "good.rif").read_bytes().replace(b'category="1"', f'category="{category}"'.encode())
    table, _problems = read_rif(data, Head("", None, None), DAY)
    event = make_event("Cup", str(DAY), lists, place=place)
    return [(remark.level, remark.message) for remark in compare_with_event(table, event)]


def test_other_place_is_reported():
    message = SubmissionProblem.PLACE_DIFFERS(place="Berlin", event="Bonn")
    assert list_remarks([make_list("renju", system="rif-2021")], place="Bonn", category="1") == [("error", message)]


def test_results_of_gomoku_are_reported_where_only_renju_is_rated():
    renju = make_list("renju", system="rif-2021")
    message = SubmissionProblem.DISCIPLINE_DIFFERS(discipline="gomoku", lists=str(renju))
    assert list_remarks([renju]) == [("warning", message)]
    assert list_remarks([renju], category="1") == []


@pytest.mark.parametrize("more", [{"system": "fesa-2016"}, {"system": "rif-2021", "options": {"discipline": "gomoku"}}])
def test_lists_that_rate_the_discipline_or_any_give_no_remark(more):
    assert list_remarks([make_list("renju", system="rif-2021"), make_list("other", **more)]) == []

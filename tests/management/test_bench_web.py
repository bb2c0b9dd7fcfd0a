"""Judge measured pages by the targets of the benchmark of pages."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import ConnectionHandler

from ratings.management.bench import mixed_load
from ratings.management.bench.mixed_load import MixedLoad, Request, format_mixed_load, time_steady_load
from ratings.management.bench.submission import measure_check
from ratings.management.bench.web import Measured, PageType, Times, format_line
from ratings.management.commands import bench_web
from ratings.models import Event, Submission
from tests.factories import make_list

NOWHERE = {"ENGINE": "django.db.backends.postgresql", "NAME": "bench", "HOST": "127.0.0.1", "PORT": 1}


@pytest.mark.django_db
def test_bench_web_reports_a_missing_database(monkeypatch, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(bench_web, "connection", ConnectionHandler({"default": NOWHERE})["default"])
    with pytest.raises(CommandError, match="cannot connect to the database in DATABASE_URL"):
        call_command("bench_web")


def test_bench_web_asks_for_a_redis(settings):
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match="set DATABASE_URL and REDIS_URL"):
        call_command("bench_web")


@pytest.mark.django_db
def test_check_of_submitted_results_is_measured_and_leaves_nothing():
    measured = measure_check(make_list())
    assert (measured.queries <= 12, measured.exceeds(measured.seconds), measured.exceeds(measured.seconds / 11)) == (
        True,
        False,
        True,
    )
    assert (Event.objects.count(), Submission.objects.count()) == (0, 0)


WORDS, CLUBS, API = PageType("words", ["/privacy/"]), PageType("clubs", ["/clubs/x/"]), PageType("API", ["/api/v1/x"])
AT_ITS_TARGETS = Measured(CLUBS, Times(0.08, 0.16), Times(0.01, 0.02), 0.1, 12, 60_000, 100_000)


@pytest.mark.parametrize(
    ("changed", "over"),
    [
        ({}, []),
        ({"cold": Times(0.081, 0.16)}, ["p50"]),
        ({"cold": Times(0.08, 0.161)}, ["p95"]),
        ({"cold": Times(0.16, 0.32)}, ["p50", "p95"]),
        ({"cold": Times(0.16, 0.32), "page": PageType("event of 700 × 9", ["/events/x/"], 16)}, []),
        ({"cold": Times(0.161, 0.32), "page": PageType("event of 700 × 9", ["/events/x/"], 16)}, ["p50"]),
        ({"warm": 0.101, "html": 60_001, "script": 100_001}, ["warm", "html", "script"]),
    ],
)
def test_measured_page_names_figures_above_their_targets(changed, over):
    assert replace(AT_ITS_TARGETS, **changed).over == over


def test_line_of_a_page_has_its_ratios_to_the_page_of_words():
    line = format_line(replace(AT_ITS_TARGETS, cold=Times(0.09, 0.16)))
    assert line.split() == ["clubs", *["90", "9.0", "160", "8.0", "8", "100", "12", "60.0", "100.0", "over:", "p50"]]


def make_load(late=0.0, **seconds):
    """Return a load with four requests of each page type, whose first two answers are cached."""
    pages = {page.name: page for page in (WORDS, CLUBS, API)}
    requests = [
        Request(pages[name], value, "portal; hit" if number < 2 else "portal; fwd=miss")
        for name, value in seconds.items()
        for number in range(4)
    ]
    return MixedLoad(WORDS, requests, writes=2, late=late)


def test_mixed_load_compares_pages_and_api_with_the_page_of_words():
    assert make_load(words=0.01, clubs=0.06, API=0.06).over == []
    assert make_load(words=6.0, clubs=6.0, API=6.0, late=21.0).over == ["mixed load: 21 s late"]
    assert make_load(words=0.01, clubs=0.061, API=0.06).over == ["mixed load: all pages"]
    assert make_load(words=0.01, clubs=0.06, API=0.061).over == ["mixed load: API"]


def test_mixed_load_reports_hits_and_misses():
    lines = list(format_mixed_load(make_load(words=0.01, clubs=0.05, API=0.07), [WORDS, CLUBS, API]))
    assert [line.split() for line in lines[1:-1]] == [
        ["words", "10", "10", "1.0", "6", "ok"],
        ["all", "pages", "50", "50", "5.0", "6", "ok"],
        ["API", "70", "70", "7.0", "6", "over"],
        ["clubs", "50", "50", "5.0"],
        ["API", "70", "70", "7.0"],
    ]
    assert lines[-1] == "12 requests, 2 writes, 0.0 s late; cache: 6 hit, 6 fwd=miss"


def test_steady_load_returns_what_each_request_was_answered(monkeypatch):
    monkeypatch.setattr(mixed_load, "RATE", 1000)
    answers = time_steady_load(lambda path: path.upper(), ["a", "b", "c"])
    assert [answer for _seconds, answer in answers] == ["A", "B", "C"]
    assert all(seconds >= 0 for seconds, _answer in answers)

"""Benchmark of memory: its judgement, its traffic and its staff."""

import datetime as dt
import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from ratings.management.bench.browser import Answer, Browser
from ratings.management.bench.crawl import find_kind, find_pages
from ratings.management.bench.memory import find_growing, format_table, measure_growth
from ratings.management.bench.processes import read_memory
from ratings.management.bench.traffic import Traffic
from ratings.models import EventStep, Table


def test_growth_has_the_median_of_each_quarter():
    growth = measure_growth("web", [100, 150, 151, 152, 200, 200, 210, 999, 201, 220, 220, 230])
    assert (growth.start, growth.quarters, growth.end, growth.ratio) == (100, (150, 200, 210, 220), 230, 1.1)


@pytest.mark.parametrize(
    ("samples", "growing"),
    [
        ([100, 200, 200, 200], []),  # caches that are filled in the first quarter
        ([100, 100, 100, 110], []),
        ([100, 100, 100, 110.1], ["web"]),
        ([200, 200, 100, 150], []),
        ([100, 100, 100, 100, 100, 100, 150, 100, 100], []),  # one peak
    ],
)
def test_memory_grows_if_the_last_quarter_is_a_tenth_above_the_second(samples, growing):
    assert find_growing({"web": samples, "rating": [100] * 8}) == growing


def test_growth_needs_a_sample_for_each_quarter():
    with pytest.raises(ValueError, match="web: 3 samples, expected at least 4"):
        measure_growth("web", [1, 2, 3])


def test_table_names_processes_that_grow():
    assert format_table({"web 1": [100, 100, 100, 120], "rating": [50.25] * 4}) == [
        "process                 start      1st      2nd      3rd      4th      end  4th/2nd",
        "web 1                   100.0    100.0    100.0    100.0    120.0    120.0    1.200  GROWS",
        "rating                   50.2     50.2     50.2     50.2     50.2     50.2    1.000  ok",
    ]


def test_memory_of_a_process_is_in_megabytes_until_it_ends():
    assert 10 < read_memory(os.getpid()) < 10_000
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises(ProcessLookupError, match=f"process {process.pid} has ended"):
        read_memory(process.pid)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "/"),
        ("/lists/shogi/?page=3&active=all", "/lists/*/?active&page"),
        ("/lists/shogi/dated/2026-06-30/list.csv", "/lists/*/dated/*/list.csv"),
        ("/players/Z2XSP2Q-vermenich-zinoviy/games/", "/players/*/games/"),
        ("/events/TS7G29Z-cup/12/grid.txt", "/events/*/*/grid.txt"),
        ("/certificates/shogi.2SQBX3L.10-kyu.2026-10-18.64a2e644d620.pdf", "/certificates/*.pdf"),
        ("/players/Z2XSP2Q/calculator/?game-0-rating=1850&game-1-rating=1", "/players/*/calculator/?game-*-rating"),
    ],
)
def test_kind_of_a_page_leaves_out_what_names_one_object(path, kind):
    assert find_kind(path) == kind


@pytest.mark.parametrize(
    ("path", "status", "failed"),
    [
        ("/", 200, False), ("/", 404, False), ("/", 0, True), ("/", 500, True), ("/", 503, True),
        ("/lists/go/log/export.zip", 503, False), ("/lists/go/log/export.zip", 500, True),
    ],
)  # fmt: skip
def test_answer_is_a_failure_unless_the_log_waits_for_a_run(path, status, failed):
    assert Answer(path, status, "").is_failure == failed


def test_traffic_reads_pages_and_rates_events(staff):
    pages = find_pages(Browser(staff.officer.address), 20)
    traffic = Traffic(staff.officer.address, pages, rate=50, visitors=2)
    traffic.ended.set()  # each stops after the first step
    with traffic.running([staff], pause=0):
        pass
    assert (traffic.errors, dict(traffic.done)) == ([], {"accepted": 1})
    event = f"/organise/events/{Table.objects.get().event.public_id}/"
    staff.correct(event)
    steps = EventStep.objects.order_by("pk").values_list("what", flat=True)
    assert list(steps) == ["read", "submitted", "accepted", "proposed", "corrected"]


def test_step_that_is_refused_is_named_with_its_message(staff):
    event = staff.enter_event("Cup", dt.date(2026, 1, 1))
    with pytest.raises(AssertionError, match=rf"{event}submit/ was answered 422, not 302: \['"):
        staff.submit(event)


def test_bench_memory_asks_for_a_redis(settings):
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match="set DATABASE_URL and REDIS_URL"):
        call_command("bench_memory")

import pytest
from django.core.management import CommandError, call_command
from django.db import ConnectionHandler

from ratings.management.bench.submission import measure_check
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

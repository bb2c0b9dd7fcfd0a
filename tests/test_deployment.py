"""Files from which a site is installed and started."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from portal.celery import app

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ("requirements.txt", "requirements-demo.txt", "requirements-dev.txt")
"""Each file has the packages of the one before it, and more: for a site, for the demo, for tests."""


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_package_is_pinned_with_its_hashes(name):
    packages = re.split(r"\n(?=\S)", "\n".join(
        line for line in (ROOT / name).read_text().splitlines() if not line.lstrip().startswith("#")
    ).strip())  # fmt: skip
    assert [text for text in packages if not re.fullmatch(r"\S+==\S+( \\\n\s+--hash=sha256:[0-9a-f]{64})+", text)] == []


def test_files_of_packages_agree():
    site, demo, tests = (
        set(re.findall(r"^(\S+==\S+)", (ROOT / name).read_text(), re.MULTILINE)) for name in REQUIREMENTS
    )
    assert (site - demo, demo - tests) == (set(), set())


def test_site_is_installed_without_the_packages_of_the_demo():
    names = re.findall(r"^(\S+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert {"faker", "honcho"} & set(names) == set()


def test_image_contains_no_secrets():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", ".env.*", "var", ".git", "*.sqlite3"} <= set(ignored)


def test_tasks_are_json_only():
    assert (app.conf.accept_content, app.conf.task_serializer) == (["json"], "json")


def test_rating_has_workers_of_its_own():
    commands = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    queues = {
        name: set(found[1].split(",")) for name, text in commands.items() if (found := re.search(r"-Q (\S+)", text))
    }
    assert queues == {
        "rating": {"rating"}, "worker": {"celery"}, "webhooks": {"webhooks"}, "laboratory": {"laboratory"},
    }  # fmt: skip
    assert {app.conf.task_routes.get(f"ratings.{task}", {}).get("queue", "celery") for task in ("rerate", "sweep")} == {
        "rating"
    }
    assert app.conf.task_routes["ratings.evaluate"] == {"queue": "laboratory"}
    assert app.conf.task_routes["ratings.webhook"] == {"queue": "webhooks"}
    assert "ratings.mails" not in app.conf.task_routes


@pytest.mark.django_db(transaction=True)  # a real request closes its connection
def test_script_name_of_a_header_is_ignored(rate_all):
    environ = RequestFactory().get("/privacy/").environ | {"SCRIPT_NAME": "/evil", "HTTP_SCRIPT_NAME": "/evil"}
    body = b"".join(get_wsgi_application()(environ, lambda *arguments: None))
    assert (b"/events/" in body, b"/evil" in body) == (True, False)


def test_web_loads_redis_before_its_threads_start():
    """Threads that import it at the same time get an ImportError, because its modules import one another."""
    modules = ("redis.client", "django_redis.client.default", "kombu.transport.redis")
    code = f"import sys, portal.wsgi; sys.exit(' '.join(set({modules}) - set(sys.modules)))"
    started = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert started.stderr.strip() == ""

"""Files from which a site is installed and started."""

import datetime as dt
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import time_machine
import yaml
from celery.beat import ScheduleEntry
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


def test_list_of_components_has_the_npm_packages_of_the_site(tmp_path):
    """make sbom writes the Python packages into the file before."""
    file = tmp_path / "sbom.json"
    own = {"type": "library", "name": "django", "version": "5.2.19", "purl": "pkg:pypi/django@5.2.19", "bom-ref": "a"}
    file.write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [own]}))
    subprocess.run([sys.executable, ROOT / "deploy" / "npm_components.py", file], check=True)
    components = json.loads(file.read_text())["components"]
    packages = json.loads((ROOT / "package.json").read_text())["dependencies"]
    assert {each["name"]: each["version"] for each in components} == packages | {"django": "5.2.19"}
    (flags,) = [each for each in components if each["name"] == "country-flag-icons"]
    (digest,) = flags.pop("hashes")
    address = f"pkg:npm/country-flag-icons@{flags['version']}"
    assert flags == {
        "bom-ref": address, "type": "library", "name": "country-flag-icons", "version": flags["version"],
        "purl": address, "licenses": [{"expression": "MIT"}],
    }  # fmt: skip
    assert (digest["alg"], len(digest["content"])) == ("SHA-512", 128)
    (scoped,) = [each["purl"] for each in components if each["name"] == "@fontsource-variable/inter"]
    assert scoped.startswith("pkg:npm/%40fontsource-variable/inter@")


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


def test_expired_data_is_deleted_at_a_fixed_hour():
    """A site that is deployed daily, without the file of its schedule, would never reach the end of an interval."""
    with time_machine.travel(dt.datetime(2026, 3, 2, 2, 15, tzinfo=dt.UTC), tick=False) as clock:
        (entry,) = [
            ScheduleEntry(name, app=app, last_run_at=app.now(), **options)
            for name, options in app.conf.beat_schedule.items() if name == "delete_expired"
        ]  # fmt: skip
        assert entry.is_due().is_due is False
        clock.shift(dt.timedelta(minutes=20))
        assert entry.is_due().is_due is True


@cache
def read_compose():
    """Return the services of compose.yaml."""
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def read_queues(commands):
    """Return the queues that the commands of workers name."""
    return {found[1] for command in commands if (found := re.search(r"-Q (\S+)", command))}


def test_containers_and_units_have_the_processes_of_the_procfile():
    commands = [line.split(": ", 1)[1] for line in (ROOT / "Procfile").read_text().splitlines()]
    containers = [" ".join(map(str, service.get("command", []))) for service in read_compose().values()]
    worker = (ROOT / "deploy" / "systemd" / "portal-worker@.service").read_text()
    instances = re.search(r"^# instances are queues: (.*)$", worker, re.MULTILINE)[1].split(", ")
    assert read_queues(containers) == read_queues(commands) == set(instances)
    assert {path.name for path in (ROOT / "deploy" / "systemd").glob("portal-*")} == {
        "portal-web.service", "portal-worker@.service", "portal-beat.service", "portal-backup.service", "portal-backup.timer",
    }  # fmt: skip


def test_containers_have_limits_of_memory_and_logs():
    services = {name: service for name, service in read_compose().items() if name != "migrate"}
    assert [name for name, service in services.items() if "mem_limit" not in service] == []
    assert {json.dumps(service["logging"]["options"]) for service in services.values()} == {
        '{"max-size": "20m", "max-file": "5"}'
    }


def test_containers_have_health_checks():
    assert [name for name, service in read_compose().items() if "healthcheck" not in service] == ["migrate"]


def test_containers_have_the_database_of_the_backup_programs():
    """pg_dump refuses a server of a newer major version; Debian bookworm has that of PostgreSQL 15."""
    assert (ROOT / "Dockerfile").read_text().startswith("FROM python:3.11-slim-bookworm\n")
    assert read_compose()["database"]["image"] == "postgres:${POSTGRES_VERSION:-15}"


def test_beat_keeps_its_schedule_in_a_volume():
    beat = read_compose()["beat"]
    assert (beat["volumes"], beat["command"][-1]) == (["beat:/portal/var/beat"], "var/beat/schedule")
    assert (
        "mkdir -p var/backups var/beat " in (ROOT / "Dockerfile").read_text()
    )  # with its owner, as a new volume has it


def test_broker_asks_for_a_password():
    services = read_compose()
    assert "requirepass $$REDIS_PASSWORD" in services["broker"]["command"][2]
    assert services["web"]["environment"]["REDIS_URL"].startswith("redis://:${REDIS_PASSWORD:?")


def install_units(folder, *arguments):
    subprocess.run([ROOT / "deploy" / "systemd" / "install.sh", *arguments, folder], check=True)


def test_units_of_two_releases_share_no_folder_and_no_port(tmp_path):
    """The units of /srv/portal are the files themselves; during an upgrade a second release serves beside it."""
    for name, port in (("portal", "8000"), ("portal-next", "8001")):
        (tmp_path / name).mkdir()
        install_units(tmp_path / name, name, port)
    own = {path.name: path.read_text() for path in (ROOT / "deploy" / "systemd").glob("portal-*")}
    assert {path.name: path.read_text() for path in (tmp_path / "portal").iterdir()} == own
    following = {path.name: path.read_text() for path in (tmp_path / "portal-next").iterdir()}
    assert following.keys() == {name.replace("portal-", "portal-next-") for name in own}
    places = re.findall(r"/(?:srv|run)/[^/\s]*|RuntimeDirectory=.*|--bind .*", "\n".join(following.values()))
    assert set(places) == {
        "/srv/portal-next", "/run/portal-next-web", "RuntimeDirectory=portal-next-web", "--bind 127.0.0.1:8001",
    }  # fmt: skip


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_units_are_valid(tmp_path):
    """Programs that are not installed here are replaced by one that is."""
    install_units(tmp_path, "portal", "8000")
    install_units(tmp_path, "portal-next", "8001")
    for path in list(tmp_path.iterdir()):
        path.write_text(re.sub(r"/srv/[a-z-]+/\.venv/bin/\w+", "/bin/true", path.read_text()))
        path.rename(tmp_path / path.name.replace("@", "@rating"))
    units = sorted(str(path) for path in tmp_path.iterdir())
    checked = subprocess.run(
        [shutil.which("systemd-analyze"), "verify", *units], capture_output=True, text=True, check=False
    )
    assert [line for line in checked.stderr.splitlines() if "portal" in line] == []


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


def test_log_lines_of_celery_are_those_of_the_settings():
    """Celery would replace the handlers and the level, so that LOG_FORMAT and LOG_LEVEL would reach the web only."""
    code = """
import logging, django
from portal.celery import app
django.setup()
app.log.setup(loglevel="ERROR", redirect_stdouts=True)
logging.getLogger("ratings").info("run", extra={"run": 7})
"""
    own = os.environ | {"DJANGO_SETTINGS_MODULE": "portal.settings", "LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT, env=own | {"REDIS_URL": ""}
    )
    (line,) = map(json.loads, done.stderr.splitlines())
    assert line.pop("asctime")
    assert line == {"levelname": "INFO", "name": "ratings", "message": "run", "request_id": "", "run": 7, "request": ""}

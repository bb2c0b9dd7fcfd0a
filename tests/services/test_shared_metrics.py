"""Figures of several web processes, in the directory that they share."""

import re
import shutil
from pathlib import Path

import pytest
import requests
from django.conf import settings

from .environment import eventually
from .processes import web_process

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


def test_web_processes_add_up_their_figures_in_the_directory_of_the_env_file(tmp_path):
    """The directory does not exist before; gunicorn reads `.env` beside its configuration, as on a real site."""
    shutil.copy(Path(settings.BASE_DIR, "gunicorn.conf.py"), tmp_path)
    shared = tmp_path / "run" / "metrics"
    variables = {"PROMETHEUS_MULTIPROC_DIR": shared, "METRICS_TOKEN": "secret"}
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in variables.items()))
    module = {"DJANGO_SETTINGS_MODULE": "tests.services.site_settings", "PYTHONPATH": str(settings.BASE_DIR)}

    def read_metrics():
        return requests.get(f"{site}/metrics", headers={"Authorization": "Bearer secret"}, timeout=60)

    with web_process(tmp_path, tmp_path, "web", **module, WEB_WORKERS="2", HOME="/proc/none") as site:
        eventually(lambda: len(list(shared.glob("counter_*.db"))) == 2)  # both workers have started
        pages = [requests.get(f"{site}/privacy/", timeout=60).status_code for _ in range(10)]
        metrics = read_metrics()
    assert "Control server error" not in (tmp_path / "web.log").read_text()
    assert (pages, metrics.status_code) == ([200] * 10, 200)
    counted = re.findall(r"^django_http_requests_before_middlewares_total (.*)$", metrics.text, re.MULTILINE)
    assert counted == ["11.0"]

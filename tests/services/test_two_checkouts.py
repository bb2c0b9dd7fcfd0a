"""Two web processes in separate checkouts of one release: they share the page cache and the limits on requests."""

import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from django.conf import settings

from ratings.models import Federation
from tests.factories import make_list

from .conftest import environment, eventually
from .site import BROWSER, free_port, listens

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
OWN = shutil.ignore_patterns(".*", "node_modules", "var", "__pycache__", "*.pyc", "db.sqlite3*")
LIMIT = 20
VISITOR = BROWSER | {"Host": "localhost", "X-Forwarded-For": "85.1.2.3"}
"""Headers of a visitor whom a load balancer leads to both, under one name."""


def copy_checkout(folder):
    """Copy the checkout, with other times of its files, and return the path of the copy."""
    copy = shutil.copytree(settings.BASE_DIR, folder / "checkout", ignore=OWN, copy_function=shutil.copyfile)
    (copy / "node_modules").symlink_to(Path(settings.BASE_DIR, "node_modules"))
    return copy


@contextmanager
def web_process(checkout, folder, name):
    """Run gunicorn in a checkout; the value is its address."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "portal.wsgi", "--bind", f"127.0.0.1:{port}"]
    own = environment() | {"WEB_WORKERS": "1", "PAGE_RATE": f"{LIMIT}/d", "TRUSTED_PROXIES": "1"}
    own |= {"DJANGO_SETTINGS_MODULE": "tests.services.checkout_settings"}
    with (folder / f"{name}.log").open("w") as log:
        process = subprocess.Popen(command, cwd=checkout, env=own, stdout=log, stderr=log)
    try:
        eventually(lambda: listens(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def test_processes_of_two_checkouts_share_cached_pages_and_limits(tmp_path, broker):
    make_list()
    Federation.objects.update(description="First line")
    with (
        web_process(settings.BASE_DIR, tmp_path, "one") as one,
        web_process(copy_checkout(tmp_path), tmp_path, "two") as two,
    ):
        first = requests.get(f"{one}/", headers=VISITOR, timeout=60)
        Federation.objects.update(description="Second line")  # tells nobody, so that cached pages stay as they are
        second = requests.get(f"{two}/", headers=VISITOR, timeout=60)
        other_page = requests.get(f"{two}/?fresh", headers=VISITOR, timeout=60)
        assert ("First line" in first.text, second.text == first.text) == (True, True)
        assert ("First line" in other_page.text, "Second line" in other_page.text) == (False, True)
        counted = 3
        statuses = [
            requests.get(f"{(one, two)[number % 2]}/privacy/", headers=VISITOR, timeout=60).status_code
            for number in range(LIMIT + 4 - counted)
        ]
        assert statuses == [200] * (LIMIT - counted) + [429] * 4

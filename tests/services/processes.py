"""Processes of the site in a checkout of its own, with a log for each."""

import subprocess
import sys
from contextlib import contextmanager

from .environment import environment, eventually
from .site import free_port, listens


@contextmanager
def running(checkout, folder, name, *arguments, **variables):
    """Run a Python module in a checkout, with a log of its name; the value is the process."""
    own = environment() | {"DJANGO_SETTINGS_MODULE": "tests.services.checkout_settings"} | variables
    with (folder / f"{name}.log").open("w") as log:
        process = subprocess.Popen([sys.executable, "-m", *arguments], cwd=checkout, env=own, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def web_process(checkout, folder, name, **variables):
    """Run gunicorn with one worker in a checkout; the value is its address."""
    port = free_port()
    command = ("gunicorn", "portal.wsgi", "--bind", f"127.0.0.1:{port}")
    with running(checkout, folder, name, *command, **({"WEB_WORKERS": "1"} | variables)):
        eventually(lambda: listens(port), state=(folder / f"{name}.log").read_text)
        yield f"http://127.0.0.1:{port}"

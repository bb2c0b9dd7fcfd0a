"""Processes of the site in a checkout of its own, with a log for each."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from .environment import environment, eventually
from .site import free_port, listens

OWN = shutil.ignore_patterns(".*", "node_modules", "var", "__pycache__", "*.pyc", "db.sqlite3*")
COMPILED = "ratings/systems/compiling.py"


def copy_checkout(folder):
    """Copy the checkout, with other times of its files, and return the path of the copy.

    The machine code of the rules is copied too: it takes many seconds to make, and holds for the time of one file.
    """
    original = Path(settings.BASE_DIR)
    copy = shutil.copytree(original, folder, ignore=OWN, copy_function=shutil.copyfile)
    (copy / "node_modules").symlink_to(original / "node_modules")
    shutil.copystat(original / COMPILED, copy / COMPILED)
    cache = (copy / COMPILED).parent / "__pycache__"
    cache.mkdir()
    for file in (original / COMPILED).parent.glob("__pycache__/*.nb?"):
        shutil.copyfile(file, cache / file.name)
    return copy


@contextmanager
def running(checkout, folder, name, *arguments, **variables):
    """Run a Python module in a checkout, with a log of its name; the value is the process."""
    own = environment() | {"DJANGO_SETTINGS_MODULE": "tests.services.checkout_settings"} | variables
    command = [sys.executable, "-m", *arguments]
    with (folder / f"{name}.log").open("a") as log:
        process = subprocess.Popen(command, cwd=checkout, env=own, stdout=log, stderr=log, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def kill(process):
    """Kill a process with its children, as when their machine is switched off."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def web_server(checkout, folder, name, port, **variables):
    """Run gunicorn with one worker in a checkout; the value is its process, which may not listen yet."""
    command = ("gunicorn", "portal.wsgi", "--bind", f"127.0.0.1:{port}")
    return running(checkout, folder, name, *command, **({"WEB_WORKERS": "1"} | variables))


def wait_until_listening(folder, name, port):
    eventually(lambda: listens(port), state=(folder / f"{name}.log").read_text)


@contextmanager
def web_process(checkout, folder, name, **variables):
    """Run gunicorn with one worker in a checkout; the value is its address."""
    port = free_port()
    with web_server(checkout, folder, name, port, **variables):
        wait_until_listening(folder, name, port)
        yield f"http://127.0.0.1:{port}"


def worker_process(checkout, folder, name, **variables):
    """Run a worker of all queues in a checkout, with a schedule of its own."""
    beat = ("--beat", f"--schedule={folder / name}.beat")
    queues = ("-Q", "rating,celery", "-n", f"{name}@tests")
    command = ("celery", "-A", "portal", "worker", "--pool", "solo", *queues, *beat)
    return running(checkout, folder, name, *command, SWEEP_SECONDS="1", **variables)

"""Processes of a site that a program starts: servers and workers, with their memory. It needs no Django."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .browser import Browser

START_SECONDS = 120
SETTINGS = {
    "PAGE_RATE": "", "COSTLY_RATE": "", "API_RATE": "1000000", "SECOND_FACTOR": "0", "SIGN_IN_AGAIN": "0",
    "LOG_LEVEL": "WARNING", "EMAIL_URL": "dummymail://", "SECRET_KEY": "benchmark", "POOLER_URL": "", "REPLICA_URL": "",
}  # fmt: skip
"""Settings of the started processes: no limits, staff who sign in by a password alone, and no other database than
DATABASE_URL, whatever the site's own `.env` names."""


def make_environment(**variables: str) -> dict[str, str]:
    """Return the environment of this process with SETTINGS and other variables, without DEBUG."""
    return {name: value for name, value in os.environ.items() if name != "DEBUG"} | SETTINGS | variables


def free_address() -> str:
    """Return an address of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


@contextmanager
def run_module(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    folder: Path | None = None,
    python: str = sys.executable,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Python module with arguments in a folder until the block ends; its output goes to a file."""
    command = [python, "-m", *arguments]
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603 - our own programs
            command, env=dict(environment), cwd=folder, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def wait_until_answers(address: str, log: Path, path: str = "/privacy/") -> None:
    """Wait until a server answers a page with 200; raise TimeoutError with its log after two minutes."""
    end = time.monotonic() + START_SECONDS
    while Browser(address).get(path).status != 200:
        if time.monotonic() > end:
            raise TimeoutError(f"{address}{path} was not answered: {log.read_text()[-2000:]}")
        time.sleep(0.2)


def list_children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started, oldest first."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text().split())


def read_memory(pid: int) -> float:
    """Return the resident memory of a process in MB; raise ProcessLookupError if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except FileNotFoundError:
        raise ProcessLookupError(f"process {pid} has ended") from None
    line = next((line for line in lines if line.startswith("VmRSS:")), None)
    if line is None:
        raise ProcessLookupError(f"process {pid} has ended")
    return int(line.split()[1]) / 1024

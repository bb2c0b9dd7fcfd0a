"""Checkouts of two releases, with the commands, servers and workers of each."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ratings.management.bench.processes import free_address, run_module, wait_until_answers

ROOT = Path(__file__).resolve().parents[3]
"""Folder of the present code."""


@dataclass(frozen=True)
class Checkout:
    """A release in a folder, with the environment and the Python program of its processes."""

    name: str
    folder: Path
    environment: Mapping[str, str]
    logs: Path
    python: str = sys.executable

    @property
    def database(self) -> str:
        """Address of the database."""
        return self.environment["DATABASE_URL"]

    def manage(self, *arguments: str, **variables: str) -> str:
        """Run a command of manage.py and return its output; raise RuntimeError with it if the command fails."""
        return self._run(self.python, "manage.py", *arguments, **variables)

    def prepare(self) -> None:
        """Compile the catalogues, and collect the static files."""
        (self.folder / "var" / "static").mkdir(parents=True, exist_ok=True)
        self._run(
            self.python,
            "-m",
            "babel.messages.frontend",
            "compile",
            "--directory",
            "portal/locale",
            "--domain",
            "django",
        )
        self.manage("collectstatic", "--no-input", "--verbosity", "0")

    @contextmanager
    def web(self) -> Iterator[str]:
        """Run a server; the value is its address."""
        address, log = free_address(), self.logs / f"{self.name}-web.log"
        command = ["gunicorn", "portal.wsgi", "--bind", address, "--log-level", "warning"]
        with run_module(command, self.environment, log, self.folder, self.python):
            wait_until_answers(address, log)
            yield address

    @contextmanager
    def worker(self) -> Iterator[None]:
        """Run a worker of all tasks, with the schedule."""
        schedule = ["--beat", f"--schedule={self.logs / self.name}.beat"]
        queues = ["-Q", "rating,celery,webhooks,laboratory", "-n", f"{self.name}@rehearsal"]
        command = [
            "celery",
            "-A",
            "portal",
            "worker",
            "--concurrency",
            "1",
            "--loglevel",
            "WARNING",
            *queues,
            *schedule,
        ]
        with run_module(command, self.environment, self.logs / f"{self.name}-worker.log", self.folder, self.python):
            yield

    def _run(self, *command: str, **variables: str) -> str:
        done = subprocess.run(  # noqa: S603 - our own programs
            command, cwd=self.folder, env=dict(self.environment) | variables, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(command[1:])} failed:\n{done.stdout[-3000:]}")
        return done.stdout


def check_commit(ref: str) -> None:
    """Raise SystemExit unless the repository has this commit."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}"]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:  # noqa: S603 - git itself
        raise SystemExit(f"The repository has no commit {ref!r}: name the one that your site runs.")


@contextmanager
def check_out(ref: str, folder: Path) -> Iterator[Path]:
    """Check a commit out into a new worktree with the present packages for browsers, and remove it in the end."""
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--detach", "--quiet", str(folder), ref], check=True)  # noqa: S603 - git itself
    try:
        (folder / "node_modules").symlink_to((ROOT / "node_modules").resolve())
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)  # noqa: S603 - git itself

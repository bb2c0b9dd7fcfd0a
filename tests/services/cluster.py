"""A PostgreSQL server for tests that need their own roles and configuration."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

from .site import free_port

PROGRAMS = Path("/usr/lib/postgresql")
"""Folder in which Debian has the programs of the server, by version."""


class Cluster:
    """A server with its data in a folder; PostgreSQL refuses to run as root, so that it then runs as another user."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.data, self.settings = folder / "data", folder / "data" / "postgresql.conf"

    def run(self, program, *arguments):
        """Run a program of PostgreSQL as the server's user, and return its output."""
        found = shutil.which(program) or max(PROGRAMS.glob(f"*/bin/{program}"))
        done = subprocess.run(
            [found, *map(str, arguments)], cwd=self.folder, check=False, stdin=subprocess.DEVNULL, **run_as(), **OUTPUT
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def initialize(self, *lines):
        self.run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--pgdata", self.data)
        own = [f"port = {self.port}", "listen_addresses = '127.0.0.1'", f"unix_socket_directories = '{self.folder}'"]
        with self.settings.open("a") as file:
            file.write("\n".join([*own, *lines, ""]))

    def start(self):
        # the server inherits the output of pg_ctl, whose end would never come
        self.run("pg_ctl", "start", "--wait", "--pgdata", self.data, "--log", self.folder / "server.log")

    def stop(self):
        self.run("pg_ctl", "stop", "--wait", "--mode=fast", "--pgdata", self.data)

    def url(self, user="postgres", name="postgres"):
        return f"postgres://{user}:secret@127.0.0.1:{self.port}/{name}"

    def query(self, statement, *parameters, user="postgres", name="postgres"):
        """Run a statement in a transaction of its own, and return its rows."""
        with psycopg.connect(self.url(user, name), autocommit=True) as connection:
            cursor = connection.execute(statement, parameters or None)
            return cursor.fetchall() if cursor.description else []


OUTPUT = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}


def run_as():
    """Return the arguments of `subprocess` with which a program does not run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def make_folder():
    """Return a new folder that belongs to the user of the server; pytest's own may be open to root only."""
    folder = Path(tempfile.mkdtemp(prefix="portal-cluster-"))
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
    return folder

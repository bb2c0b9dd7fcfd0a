"""Dump a PostgreSQL database, and load a dump, with the programs of PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.db import connections

from ratings.queries.snapshots import begin_snapshot

from .chunks import read_chunks
from .errors import BackupError

LOCK_SECONDS = 10
"""Seconds that a restore waits for other processes that use the tables."""


@contextmanager
def open_snapshot(alias: str) -> Iterator[str]:
    """Begin a transaction that sees one moment of the database, and yield the name by which pg_dump sees the same."""
    with begin_snapshot(alias), connections[alias].cursor() as cursor:
        # the transaction waits for pg_dump, and may read for minutes
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        yield cursor.fetchone()[0]


def dump_database(alias: str, snapshot: str) -> Iterator[bytes]:
    """Yield the parts of a dump in the custom format of pg_dump; raise BackupError if it fails."""
    command, environment = _find_program(alias, "pg_dump", "--format=custom", f"--snapshot={snapshot}")
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603 - no shell
    with process:
        assert process.stdout is not None
        yield from read_chunks(process.stdout)
        _wait(process)


def load_dump(alias: str, dump: Path) -> None:
    """Replace all tables of a database by those of a dump, in one transaction: after an error nothing has changed.

    The tables belong to the role of the connection, and have the privileges that are the default in this database.
    """
    drop = _make_drop_statement(alias)
    connections[alias].close()
    options = ["--no-psqlrc", "--quiet", "--output=/dev/null", "--set=ON_ERROR_STOP=1"]
    command, environment = _find_program(alias, "psql", *options)
    psql = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603 - no shell
    with psql:
        assert psql.stdin is not None
        try:
            psql.stdin.write(f"BEGIN; SET client_min_messages = warning; {drop}\n".encode())
            _write_script(dump, psql.stdin)
            psql.stdin.write(b"\nCOMMIT;\n")
            psql.stdin.close()
        except BrokenPipeError:  # psql has ended, and says why
            pass
        _wait(psql)


def read_server_version(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}"


def _make_drop_statement(alias: str) -> str:
    """Return SQL that drops all tables; it waits for other processes for some seconds only."""
    names = ", ".join(f'"{name}"' for name in sorted(connections[alias].introspection.table_names()))
    return f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'; DROP TABLE {names} CASCADE;" if names else ""


def _write_script(dump: Path, target: IO[bytes]) -> None:
    """Write the SQL of a dump; raise BackupError if it cannot be read to its end."""
    command = ["pg_restore", "--no-owner", "--no-privileges", "--no-comments", "--file=-", str(dump)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 - no shell
        assert process.stdout is not None
        try:
            shutil.copyfileobj(process.stdout, target)
        except BrokenPipeError:
            process.kill()
            raise
        _wait(process)


def _find_program(alias: str, program: str, *options: str) -> tuple[list[str], dict[str, str]]:
    """Return the command of a program of PostgreSQL for a database, with its password in the environment."""
    if shutil.which(program) is None:
        raise BackupError(f"the program {program} is missing: install the client of PostgreSQL (postgresql-client)")
    client = connections[alias].client
    arguments, variables = client.settings_to_cmd_args_env(connections[alias].settings_dict, [])
    return [program, *options, *arguments[1:]], os.environ | (variables or {})


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a program; raise BackupError with its message if it failed."""
    assert process.stderr is not None
    message = process.stderr.read().decode(errors="replace").strip()
    if process.wait() != 0:
        raise BackupError(message or f"{process.args!r} ended with {process.returncode}")

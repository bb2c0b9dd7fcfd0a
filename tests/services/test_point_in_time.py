"""The point-in-time recovery of docs/operations.md, with a server whose write-ahead log is archived."""

import re
import shutil
import time
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from .cluster import Cluster, make_folder
from .environment import eventually

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker")]
OPERATIONS = Path(settings.BASE_DIR, "docs", "operations.md")


def read_documented(pattern, folder):
    """Return a line of the document that a pattern finds, for a backup in a folder of the test."""
    part = OPERATIONS.read_text().partition("## Point-in-time recovery")[2].partition("\n## ")[0]
    return re.search(pattern, part, re.MULTILINE)[1].replace("/backup", str(folder))


@pytest.fixture
def folder():
    made = make_folder()
    yield made
    shutil.rmtree(made)


def make_backup_folders(server, backup):
    for name in ("", "wal"):
        server.run("mkdir", backup / name)


def archive_everything(server, backup):
    """Have the present segment of the write-ahead log archived, as archive_timeout does after a minute."""
    [(name,)] = server.query("SELECT pg_walfile_name(pg_switch_wal())")
    eventually((backup / "wal" / name).exists)


def make_base_backups(server, backup):
    """Make three base backups, of which two stay with their write-ahead log, and return the folder of the latest."""
    script = server.folder / "base_backup.sh"  # the server's user may not read the checkout
    script.write_text(Path(settings.BASE_DIR, "deploy", "base_backup.sh").read_text())
    (backup / "base-2026-03-02T000000Z.part").mkdir()  # of a backup that was interrupted
    archived = []
    for _ in range(3):
        variables = ("PGHOST=127.0.0.1", f"PGPORT={server.port}", "PGUSER=postgres")
        server.run("env", *variables, "sh", script, backup, 2)
        archive_everything(server, backup)
        archived.append(sorted(path.name for path in (backup / "wal").iterdir()))
        time.sleep(1)  # the names of the folders have seconds
    bases = sorted(path for path in backup.iterdir() if path.name != "wal")
    assert [path.suffix for path in bases] == ["", ""]
    assert set(archived[0]) - set(archived[2])  # only the first base backup needed them
    return bases[-1]


def test_dropped_table_is_recovered_to_the_time_before(folder):
    backup, server = folder / "backup", Cluster(folder)
    make_backup_folders(server, backup)
    server.initialize(
        *read_documented(r"# postgresql\.conf: (.*)$", backup).split(", "),
        read_documented(r"#\s+(archive_command = '.*')", backup),
    )
    server.start()
    try:
        server.query("CREATE TABLE game (round int)")
        server.query("CREATE TABLE player (name text)")
        server.query("INSERT INTO game SELECT 1")
        base = make_base_backups(server, backup)
        server.query("INSERT INTO game SELECT 2")
        [(moment,)] = server.query("SELECT clock_timestamp()::text")
        server.query("DROP TABLE game")
        archive_everything(server, backup)
        server.stop()
        server.run("rm", "-r", server.data)

        server.run("mkdir", "--mode=700", server.data)
        server.run("tar", "--extract", "--gzip", "--file", base / "base.tar.gz", "--directory", server.data)
        with server.settings.open("a") as file:
            file.write(read_documented(r"(restore_command = '[^']*')", backup) + "\n")
            file.write(f"recovery_target_time = '{moment}'\n")
        server.run("touch", server.data / "recovery.signal")
        server.start()
        assert server.query("SELECT * FROM player") == []
        with pytest.raises(psycopg.errors.LockNotAvailable):  # the transaction that drops it has begun
            server.query("SET lock_timeout = '1s'; SELECT * FROM game")
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            server.query("DELETE FROM player")
        server.query("SELECT pg_wal_replay_resume()")
        eventually(lambda: server.query("SELECT pg_is_in_recovery()") == [(False,)])
        assert server.query("SELECT round FROM game ORDER BY round") == [(1,), (2,)]
        server.query("INSERT INTO game SELECT 3")
    finally:
        server.stop()

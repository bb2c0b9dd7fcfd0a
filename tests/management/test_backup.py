"""Backups hold one moment of the whole database; a restored database equals it, or the command says what differs."""

import io
import json
import os
import re
import stat
import zipfile

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ratings.domain.runs.verifying import stored_digest
from ratings.management.backup import postgres, writing
from ratings.management.backup.errors import BackupError
from ratings.management.backup.manifest import Content, TableContent, find_content_differences, read_content
from ratings.models import Game, Player, Upload
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db(transaction=True)  # pg_dump sees only what was committed
TARGET = "restored"
FILE = bytes(range(256))
LATEST = ("ratings", max(name for app, name in MigrationLoader(None).disk_migrations if app == "ratings"))
postgres_only = pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")


@pytest.fixture(autouse=True)
def other_connections(transactional_db, monkeypatch):
    """Allow connections to databases that are added during a test, which Django's tests refuse."""

    def ensure_connection(self):
        if self.connection is None:
            self.connect()

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure_connection)


@pytest.fixture
def fesa(rate_all, transactional_db):
    """A rated list with a table and an uploaded file, in a database that counts as migrated."""
    recorder = MigrationRecorder(connection)
    if connection.vendor == "sqlite":  # whose tables are made from the models (tests/settings.py)
        for key in MigrationLoader(None).disk_migrations:
            recorder.record_applied(*key)
    fesa = make_list()
    players = [make_player(name, "Zoë", country="DE") for name in ("Berg", "O'Neill", "Novák")]
    make_table(fesa, players, [(1, 1, 2, 1.0), (2, 2, 3, 0.5)])
    Upload.objects.create(name="cup.txt", format="fesa", data=FILE)
    rate_all()
    yield fesa
    if connection.vendor == "sqlite":
        recorder.flush()


@pytest.fixture
def empty(tmp_path, transactional_db):
    """An empty database of the same kind, with a connection of its own; gives the alias."""
    name = str(tmp_path / "restored.sqlite3")
    if connection.vendor == "postgresql":
        name = f"{connection.settings_dict['NAME']}_restored"
        run_on_server(f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}"')
    connections.databases[TARGET] = {**connections.databases[DEFAULT_DB_ALIAS], "NAME": name}
    yield TARGET
    connections[TARGET].close()
    del connections[TARGET], connections.databases[TARGET]
    if connection.vendor == "postgresql":
        run_on_server(f'DROP DATABASE "{name}"')


def run_on_server(*statements):
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        for statement in statements:
            server.execute(statement)


def change_meanwhile(statement):
    """Run a statement as another process does while a backup is made."""
    if connection.vendor == "postgresql":
        with psycopg.connect(**connection.get_connection_params()) as other:
            other.execute(statement)
    else:
        with connection.cursor() as cursor:
            cursor.execute(statement)


def back_up(path):
    out = io.StringIO()
    call_command("backup", path, stdout=out)
    return out.getvalue()


def restore(path, **options):
    out = io.StringIO()
    call_command("restore", path, database=TARGET, stdout=out, **options)
    return out.getvalue()


def refused(path, **options):
    with pytest.raises(CommandError) as error:
        restore(path, **options)
    return str(error.value)


def change_manifest(path, dump=None, **values):
    """Write a backup again with other values in its manifest, and perhaps with the dump of another backup."""
    parts = read_parts(path)
    manifest = json.loads(parts["manifest.json"]) | values
    if dump:
        other = read_parts(dump)
        parts["database"] = other["database"]
        manifest |= {key: json.loads(other["manifest.json"])[key] for key in ("sha256", "size")}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("database", parts["database"])
        archive.writestr("manifest.json", json.dumps(manifest))


def read_parts(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_manifest(path):
    return json.loads(read_parts(path)["manifest.json"])


def count_rows(path):
    return sum(table["rows"] for table in read_manifest(path)["content"]["tables"].values())


def test_restored_database_equals_the_site(fesa, empty, tmp_path):
    printed = back_up(tmp_path)
    (path,) = tmp_path.glob("*.zip")
    rows, tables = count_rows(path), len(read_manifest(path)["content"]["tables"])
    assert re.fullmatch(r"portal-\d{4}-\d\d-\d\dT\d{6}Z\.backup\.zip", path.name)
    assert printed == f"{path}: {tables} tables, {rows} rows\nfesa {stored_digest(fesa)}\n"
    assert restore(path) == (
        f"restored: {rows} rows of {read_manifest(path)['made_at']}, equal to the backup\n"
        f"fesa {stored_digest(fesa)}\n"
        "Empty Redis before you start the site (redis-cli flushdb).\n"
    )
    assert bytes(Upload.objects.using(empty).get().data) == FILE
    assert list(Game.objects.using(empty).order_by("pk").values()) == list(Game.objects.order_by("pk").values())


def test_restored_database_gives_new_rows_new_keys(fesa, empty, tmp_path):
    back_up(tmp_path / "a.zip")
    restore(tmp_path / "a.zip")
    assert Player(family_name="New", public_id="NEW2345").save(using=empty) is None
    assert Player.objects.using(empty).count() == 4


def test_backup_is_readable_by_its_owner_only(fesa, tmp_path):
    back_up(tmp_path / "a.zip")
    assert stat.filemode((tmp_path / "a.zip").stat().st_mode) == "-rw-------"
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_backup_is_of_one_moment(fesa, empty, tmp_path, monkeypatch):
    dump_database = postgres.dump_database

    def dump_later(alias, snapshot):
        change_meanwhile("UPDATE ratings_player SET family_name = 'Later'")
        return dump_database(alias, snapshot)

    def read_later(alias):
        change_meanwhile("DELETE FROM ratings_game")
        return read_content(alias)

    names = set(Player.objects.values_list("family_name", flat=True))
    monkeypatch.setattr(postgres, "dump_database", dump_later)
    monkeypatch.setattr(writing, "read_content", read_later)
    back_up(tmp_path / "a.zip")
    restore(tmp_path / "a.zip")
    assert (Game.objects.count(), Game.objects.using(empty).count()) == (0, 2)
    assert set(Player.objects.using(empty).values_list("family_name", flat=True)) == names


def test_restore_names_the_table_that_lacks_a_row(fesa, empty, tmp_path):
    back_up(tmp_path / "a.zip")
    Game.objects.order_by("pk").first().delete()
    back_up(tmp_path / "b.zip")
    change_manifest(tmp_path / "a.zip", dump=tmp_path / "b.zip")
    assert refused(tmp_path / "a.zip") == (
        "the database was restored, but differs from the backup: table ratings_game: 1 rows in the database, 2 in the backup"
    )


def test_restore_names_the_table_with_a_changed_file(fesa, empty, tmp_path):
    back_up(tmp_path / "a.zip")
    Upload.objects.update(data=FILE[::-1])
    back_up(tmp_path / "b.zip")
    change_manifest(tmp_path / "a.zip", dump=tmp_path / "b.zip")
    assert refused(tmp_path / "a.zip") == (
        "the database was restored, but differs from the backup: table ratings_upload: its 1 rows differ from those of the backup"
    )


def test_differences_name_tables_and_lists():
    before = Content([], {"a": TableContent(1, "x"), "b": TableContent(1, "x")}, {"fesa": "1", "gone": "2"})
    after = Content([], {"b": TableContent(1, "x"), "c": TableContent(0, "0")}, {"fesa": "2"})
    assert list(find_content_differences(before, before)) == []
    assert list(find_content_differences(before, after)) == [
        "table a is in the backup and not in the database",
        "table c is in the database and not in the backup",
        "list fesa: digest 2 in the database, 1 in the backup",
        "list gone: digest none in the database, 2 in the backup",
    ]


def damage(path, kind):
    data = bytearray(path.read_bytes())
    if kind == "bit":
        data[len(data) // 2] ^= 1
    path.write_bytes(data[: len(data) // 2] if kind == "half" else b"hello" if kind == "text" else data)


@pytest.mark.parametrize("kind", ["bit", "half", "text"])
def test_damaged_backup_is_not_restored(kind, fesa, empty, tmp_path):
    path = tmp_path / "a.zip"
    back_up(path)
    damage(path, kind)
    assert refused(path).startswith(f"{path} is damaged, or not a backup: ")
    assert connections[empty].introspection.table_names() == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sha256": "0"}, "{path} is damaged: the dump in it is not the one that its manifest describes"),
        ({"format": "x/2"}, "{path} has the format 'x/2': expected 'rating-portal-backup/1'"),
        (
            {"content": 5},
            "{path} has a manifest that cannot be read: content: Input should be a dictionary or an instance of Content",
        ),
        (
            {"size": "many"},
            "{path} has a manifest that cannot be read: size: Input should be a valid integer, unable to"
            " parse string as an integer",
        ),
        ({"vendor": "other"}, "the backup is of other, and DATABASE_URL names {own}: set it to a database of other"),
    ],
)
def test_backup_with_another_manifest_is_not_restored(values, message, fesa, empty, tmp_path):
    path, own = tmp_path / "a.zip", {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
    back_up(path)
    change_manifest(path, **values)
    assert refused(path) == message.format(path=path, own=own)
    assert connections[empty].introspection.table_names() == []


def test_missing_file_is_refused(empty, tmp_path):
    assert refused(tmp_path / "a.zip") == f"{tmp_path / 'a.zip'}: No such file or directory"


def test_backup_of_a_newer_release_is_not_restored(fesa, empty, tmp_path):
    MigrationRecorder(connection).record_applied("ratings", "9999_later")
    back_up(tmp_path / "a.zip")
    MigrationRecorder(connection).record_unapplied("ratings", "9999_later")
    assert refused(tmp_path / "a.zip") == (
        "the backup was made by a newer release, with the migration ratings.9999_later: restore it with that release"
        f" ({read_manifest(tmp_path / 'a.zip')['release']})"
    )


def test_backup_of_an_older_release_asks_for_its_migrations(fesa, empty, tmp_path):
    MigrationRecorder(connection).record_unapplied(*LATEST)
    back_up(tmp_path / "a.zip")
    MigrationRecorder(connection).record_applied(*LATEST)
    assert restore(tmp_path / "a.zip").splitlines()[1:] == [
        f"Run manage.py migrate: these migrations are newer than the backup: ratings.{LATEST[1]}",
        "Empty Redis before you start the site (redis-cli flushdb).",
    ]


def test_restore_replaces_a_database_only_if_asked(fesa, empty, tmp_path):
    back_up(tmp_path / "a.zip")
    restore(tmp_path / "a.zip")
    with connections[empty].cursor() as cursor:
        cursor.execute("CREATE TABLE later (game_id bigint REFERENCES ratings_game (id))")
        cursor.execute("DELETE FROM ratings_upload")
    assert refused(tmp_path / "a.zip") == (
        "the database is not empty: name an empty one, or add --replace to delete what it contains"
    )
    assert Upload.objects.using(empty).count() == 0
    restore(tmp_path / "a.zip", replace=True)
    assert Upload.objects.using(empty).count() == 1
    assert "later" not in connections[empty].introspection.table_names()


@postgres_only
def test_failed_restore_changes_nothing(fesa, empty, tmp_path):
    back_up(tmp_path / "a.zip")
    restore(tmp_path / "a.zip")
    dump = read_parts(tmp_path / "a.zip")["database"]
    (tmp_path / "half").write_bytes(dump[: len(dump) * 3 // 4])
    with pytest.raises(BackupError, match="pg_restore: error"):
        postgres.load_dump(empty, tmp_path / "half")
    assert Game.objects.using(empty).count() == 2


@postgres_only
def test_restore_waits_for_other_processes_for_some_seconds(fesa, empty, tmp_path, monkeypatch):
    monkeypatch.setattr(postgres, "LOCK_SECONDS", 1)
    back_up(tmp_path / "a.zip")
    restore(tmp_path / "a.zip")
    with psycopg.connect(**connections[empty].get_connection_params()) as other:
        other.execute("SELECT * FROM ratings_game")
        assert "canceling statement due to lock timeout" in refused(tmp_path / "a.zip", replace=True)
    assert Game.objects.using(empty).count() == 2


@postgres_only
def test_missing_program_is_named(fesa, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="the program pg_dump is missing: install the client of PostgreSQL"):
        back_up(tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_not_overwritten(fesa, tmp_path):
    (tmp_path / "a.zip").write_text("another")
    with pytest.raises(CommandError, match=r"a\.zip exists already: name another file"):
        back_up(tmp_path / "a.zip")
    assert (tmp_path / "a.zip").read_text() == "another"


def test_missing_folder_is_named(fesa, tmp_path):
    with pytest.raises(CommandError) as error:
        back_up(tmp_path / "no" / "a.zip")
    assert str(error.value) == f"{tmp_path / 'no' / 'a.zip'}: No such file or directory"


def test_latest_backups_are_kept(fesa, tmp_path):
    names = [f"portal-2026-01-0{day}T120000Z.backup.zip" for day in range(1, 5)]
    for name in (*names, "notes.txt"):
        (tmp_path / name).touch()
    call_command("backup", tmp_path, keep=3, stdout=io.StringIO())
    assert sorted(path.name for path in tmp_path.iterdir())[:3] == ["notes.txt", *names[2:]]
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("options", [{"keep": 0}, {"keep": 3}])
def test_keep_needs_a_folder_and_a_number(options, tmp_path):
    target = tmp_path if options["keep"] == 0 else tmp_path / "a.zip"
    with pytest.raises(CommandError, match="--keep needs a folder, and a number of at least 1"):
        call_command("backup", target, **options)

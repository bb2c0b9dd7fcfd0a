"""The description of a database that is stored with a backup, and with which a restored database is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.db import connections
from pydantic import TypeAdapter

from ratings.domain.runs.verifying import stored_digest
from ratings.models import RatingList

from .migrations import find_pending_migrations, read_applied_migrations

FORMAT = "rating-portal-backup/1"
DUMP, MANIFEST = "database", "manifest.json"  # names in the archive
TEXT_FORM = {
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "extra_float_digits": "1",
    "bytea_output": "hex",
}
"""Settings of PostgreSQL on which the texts of values depend, and so the digests of tables."""


@dataclass(frozen=True, slots=True)
class TableContent:
    """Number of rows of a table, and a digest of all their columns, files among them."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Content:
    """Tables of a database, its applied migrations, and the digest of each list as `verify` prints it."""

    migrations: list[str]
    tables: dict[str, TableContent]
    lists: dict[str, str]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def list_lines(self) -> list[str]:
        """The lists with their digests, as the commands print them."""
        return [f"{slug} {digest}\n" for slug, digest in self.lists.items()]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of a database at the moment of a backup, and from what it was made."""

    format: str
    made_at: str
    release: str
    vendor: str
    server: str
    size: int
    sha256: str
    content: Content

    def as_json(self) -> dict[str, object]:
        return asdict(self)


READER = TypeAdapter(Manifest)
"""Reader of a manifest in a decoded JSON object; it raises pydantic's ValidationError."""


def read_content(alias: str) -> Content:
    """Return the content of a database. Call this function in a transaction, so that all values are of the same moment.

    Digests of lists are left out if migrations are pending: the models may need columns that the tables do not have.
    """
    connection = connections[alias]
    with connection.cursor() as cursor:
        names = sorted(connection.introspection.table_names(cursor))
        if connection.vendor == "postgresql":
            for name, value in TEXT_FORM.items():
                cursor.execute("SELECT set_config(%s, %s, TRUE)", [name, value])
    read_table = _read_postgres_table if connection.vendor == "postgresql" else _read_sqlite_table
    applied = read_applied_migrations(alias)
    return Content(
        migrations=applied,
        tables={name: read_table(alias, name) for name in names},
        lists={} if find_pending_migrations(applied) else read_list_digests(alias),
    )


def _read_postgres_table(alias: str, table: str) -> TableContent:
    """Let the server add up the hashes of the rows, so that no row leaves it."""
    total = "coalesce(sum(('x' || left(md5(stored_row::text), 15))::bit(60)::bigint), 0)"
    query = f'SELECT count(*), {total} FROM "{table}" AS stored_row'  # noqa: S608 - a name that the database gave
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        rows, added = cursor.fetchone()
    return TableContent(rows, f"{int(added):x}")


def _read_sqlite_table(alias: str, table: str) -> TableContent:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT name FROM pragma_table_info(%s)", [table])
        columns = " || ',' || ".join(f'quote("{name}")' for (name,) in cursor.fetchall())
        cursor.execute(f'SELECT {columns} FROM "{table}"')  # noqa: S608 - names that the database gave
        rows = total = 0
        while chunk := cursor.fetchmany(5000):
            rows += len(chunk)
            total += sum(int(hashlib.sha256(text.encode()).hexdigest()[:15], 16) for (text,) in chunk)
    return TableContent(rows, f"{total:x}")


def read_list_digests(alias: str) -> dict[str, str]:
    """Return the digest of each list's stored ratings, by its slug."""
    lists = RatingList.objects.using(alias).only("slug").order_by("slug")
    return {rating_list.slug: stored_digest(rating_list) for rating_list in lists}


def find_content_differences(expected: Content, found: Content) -> Iterator[str]:
    """Yield a line for each difference between the content of a backup and that of a restored database."""
    for name in sorted(expected.tables | found.tables):
        before, after = expected.tables.get(name), found.tables.get(name)
        if before is None:
            yield f"table {name} is in the database and not in the backup"
        elif after is None:
            yield f"table {name} is in the backup and not in the database"
        elif before.rows != after.rows:
            yield f"table {name}: {after.rows} rows in the database, {before.rows} in the backup"
        elif before != after:
            yield f"table {name}: its {after.rows} rows differ from those of the backup"
    if expected.lists and found.lists:  # left out of one of them if migrations are pending
        yield from _find_list_differences(expected.lists, found.lists)


def _find_list_differences(expected: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    for slug in sorted(expected | found):
        before, after = expected.get(slug, "none"), found.get(slug, "none")
        if before != after:
            yield f"list {slug}: digest {after} in the database, {before} in the backup"

"""A PgBouncer of the tests' own, with the file of docs/operations.md, and a site whose web uses it."""

import itertools
import os
import re
import shutil
import signal
import subprocess

import psycopg
from django.conf import settings
from django.db import connection

from .cluster import make_folder, run_as
from .environment import eventually
from .site import Site, free_port, listens

CONNECTIONS = 3
"""Connections of the pooler to the database."""


def read_documented(language):
    """Return a block of code of docs/operations.md about the pooler."""
    part = (settings.BASE_DIR / "docs" / "operations.md").read_text().partition("## A pooler for the web")[2]
    return re.search(rf"```{language}\n(.*?)```", part, re.DOTALL)[1]


class Pooler:
    """PgBouncer before the database of the tests; killed or stopped, it can be started again."""

    def __init__(self):
        self.folder, self.port, self.process = make_folder(), free_port(), None
        database = connection.settings_dict
        self.user, self.password, self.name = (database[key] for key in ("USER", "PASSWORD", "NAME"))
        server = f"host={database['HOST']} port={database['PORT'] or 5432} dbname={self.name}"
        text = read_documented("ini").replace("; /etc/pgbouncer/pgbouncer.ini\n", "")
        for line, own in {
            "portal = .*": f"{self.name} = {server}",
            "listen_port = .*": f"listen_port = {self.port}\nunix_socket_dir =\nadmin_users = {self.user}",
            "auth_file = .*": f"auth_file = {self.folder / 'userlist.txt'}",
            "default_pool_size = .*": f"default_pool_size = {CONNECTIONS}",
        }.items():
            text, found = re.subn(f"^{line}$", own, text, flags=re.MULTILINE)
            assert found == 1, line
        self.file = self.folder / "pgbouncer.ini"
        self.file.write_text(text)
        (self.folder / "userlist.txt").write_text(f'"{self.user}" "{self.password}"\n')

    @property
    def url(self):
        return f"postgres://{self.user}:{self.password}@127.0.0.1:{self.port}/{self.name}"

    def start(self):
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "PgBouncer is not installed (apt-get install pgbouncer)"
        with (self.folder / "pgbouncer.log").open("a") as log:
            self.process = subprocess.Popen([program, self.file], stdout=log, stderr=log, cwd=self.folder, **run_as())
        eventually(lambda: listens(self.port), 30, (self.folder / "pgbouncer.log").read_text)

    def end(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        self.process.wait()

    def count_connections(self):
        """Return the numbers of connections to PgBouncer and of its own to the database."""
        with psycopg.connect(self.url.rpartition("/")[0] + "/pgbouncer", autocommit=True) as console:
            cursor = console.execute("SHOW POOLS")
            names = [column.name for column in cursor.description]
            pools = [dict(zip(names, row, strict=True)) for row in cursor]
        own = [pool for pool in pools if pool["database"] == self.name]
        return tuple(
            sum(number for pool in own for key, number in pool.items() if key.startswith(side) and "cancel" not in key)
            for side in ("cl_", "sv_")
        )


class PooledSite(Site):
    """A site with two web servers that use a pooler; every other request goes to the second one."""

    def __init__(self, folder, broker, pooler):
        super().__init__(folder, broker)
        self.pooler = pooler
        self.ports = (self.port, free_port())
        self.turns = itertools.cycle(self.ports)

    def _choose_port(self):
        return next(self.turns)

    def _commands(self):
        commands = super()._commands()
        second = [part.replace(str(self.port), str(self.ports[1])) for part in commands["web"]]
        return commands | {"second web": second}

    def _environment(self):
        return super()._environment() | {"POOLER_URL": self.pooler.url}

    def is_well(self):
        return all(self.get("/health/").status == 200 for _port in self.ports)

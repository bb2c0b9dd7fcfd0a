"""Make the database of the last release, with rows in it, and migrate it by the present migrations.

Run as `python -m tests.upgrading` with DATABASE_URL, an empty database. It says so if a migration of the models is missing.
"""

import datetime as dt
import logging
import os

import django
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

LAST_RELEASE = "0020_player_indexes"
A_DAY = dt.date(2025, 5, 1)
A_TIME = dt.datetime(2025, 5, 2, 12, tzinfo=dt.UTC)


def make_last_release():
    """Make the tables of the last release by its own migrations, and return its models."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate([("ratings", LAST_RELEASE)])
    return executor.loader.project_state([("ratings", LAST_RELEASE)]).apps


def fill(apps):
    """Write rows that later migrations convert, or must leave as they are."""

    def make(model, /, **values):
        return apps.get_model(model).objects.create(**values)

    user, officer = (make("auth.User", username=name) for name in ("ada", "olga"))
    fesa = make("ratings.RatingList", slug="fesa", name="FESA", federation="FESA", system="fesa-2016")
    ada, ben = (make("ratings.Player", public_id=f"{name}2345", family_name=name) for name in ("ADA", "BEN"))
    event = make("ratings.Event", name="Cup", start=A_DAY, end=A_DAY, state="accepted", search_name="cup 2025")
    event.lists.add(fesa)
    table = make("ratings.Table", event=event, name="", first_day=A_DAY, last_day=A_DAY)
    entries = [make("ratings.Entry", table=table, player=player, number=n) for n, player in enumerate((ada, ben), 1)]
    make("ratings.Game", table=table, round=1, a=entries[0], b=entries[1], score=0.5)
    answer = {"answered_by": officer, "answered_at": A_TIME}
    make("ratings.Claim", player=ada, user=user, note="me", state="granted", answer="Welcome", **answer)
    make("ratings.Claim", player=ben, user=user, note="me too", state="open")
    given = {"list": fesa, "player": ada, "made_by": officer, "source": "site"}
    make("ratings.Decision", **given, date=A_DAY, grade="1 Dan", ruling="kept", reason="congress; earned in the Cup")
    make("ratings.Decision", **given, date=A_TIME.date(), grade="2 Dan", ruling="given", reason="by hand")
    apps.get_model("ratings.Decision").objects.update(made_at=A_TIME)
    make("ratings.ApiKey", owner=officer, label="Pairing program", prefix="rk_1", digest="d")


def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    logging.disable()
    django.setup()
    fill(make_last_release())
    call_command("migrate", verbosity=0)
    call_command("makemigrations", check=True, dry_run=True)


if __name__ == "__main__":
    main()

from django.db import migrations, models

from ratings.matching import fold

TABLES = ("ratings_player", "ratings_club", "ratings_event")


def fill(apps, schema_editor):
    """As Club.searched and Event.searched have it; players have theirs."""
    for name, searched in (
        ("Club", lambda club: f"{club.name} {club.city}"),
        ("Event", lambda event: f"{event.name} {event.place} {event.end.year}"),
    ):
        model = apps.get_model("ratings", name)
        several = []
        for row in model.objects.iterator(1000):
            row.search_name = fold(searched(row))
            several.append(row)
        model.objects.bulk_update(several, ["search_name"], 200)


def index(apps, schema_editor):
    """Trigrams serve "contains" and near misses; the extension is a trusted one, which the database's owner may add."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        for table in TABLES:
            schema_editor.execute(f"CREATE INDEX {table}_trigrams ON {table} USING gin (search_name gin_trgm_ops)")


def drop(apps, schema_editor):
    """The extension stays: others may use it."""
    if schema_editor.connection.vendor == "postgresql":
        for table in TABLES:
            schema_editor.execute(f"DROP INDEX {table}_trigrams")


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0016_last_before_waiting'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='search_name',
            field=models.TextField(default='', editable=False),
        ),
        migrations.AddField(
            model_name='event',
            name='search_name',
            field=models.TextField(default='', editable=False),
        ),
        migrations.AlterField(
            model_name='player',
            name='search_name',
            field=models.TextField(default='', editable=False),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(index, drop),
    ]

"""Store with uploaded histories for which list their records were accepted, and which system and how many they hold.

So far only the file itself said that, which the queue of every officer had to read.
"""

import json

from django.db import migrations

PROBLEM = "file.history_has_more"


def store_lists(apps, schema_editor):
    """Add the list to each record that was accepted from a file; records that are gone can be accepted again."""
    files = apps.get_model("ratings", "BatchFile").objects.filter(head__accepted_records__isnull=False)
    models = {name: apps.get_model("ratings", name) for name in ("adjustment", "decision", "proposal")}
    for file in files.defer("data").iterator():
        entries = []
        for number, made, pk, *more in file.head["accepted_records"]:
            list_pk = more[0] if more else models[made].objects.filter(pk=pk).values_list("list", flat=True).first()
            if list_pk is not None:
                entries.append([number, made, pk, list_pk])
        file.head["accepted_records"] = entries
        file.save(update_fields=["head"])


def store_numbers(apps, schema_editor):
    """Store the system and the number of the records of each file that has some."""
    files = apps.get_model("ratings", "BatchFile").objects.filter(state="failed", problems__0__2__code=PROBLEM)
    for file in files.filter(head__records__isnull=True).iterator(chunk_size=20):
        try:
            document = json.loads(bytes(file.data))
            number = len(document.get("adjustments", ())) + len(document.get("decisions", ()))
            file.head["records"] = {"system": str(document["system"]), "number": number}
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        file.save(update_fields=["head"])


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0071_following'),
    ]

    operations = [
        migrations.RunPython(store_lists, migrations.RunPython.noop),
        migrations.RunPython(store_numbers, migrations.RunPython.noop),
    ]

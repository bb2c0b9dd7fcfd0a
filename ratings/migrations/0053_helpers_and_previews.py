"""Who joined a hall by a link, and previews of the ratings for the files of a batch."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("ratings", '0052_federation_memberships')]

    operations = [
        migrations.AddField("halllink", "helpers", models.JSONField(editable=False, null=True)),
        migrations.AddField("batchfile", "preview", models.JSONField(editable=False, null=True)),
        migrations.AddField(
            "batchfile",
            "preview_key",
            models.CharField(blank=True, db_default="", default="", editable=False, max_length=16),
        ),
        migrations.AddField("batchfile", "preview_requested_at", models.DateTimeField(editable=False, null=True)),
    ]

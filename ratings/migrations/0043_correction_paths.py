"""Store with each correction the steps through which it reached the player."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0042_player_gender")]
    operations = [
        migrations.AddField("correction", "path", models.JSONField(editable=False, null=True)),
    ]

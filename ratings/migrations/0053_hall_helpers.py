"""Who joined a hall by a link."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("ratings", "0050_hall")]

    operations = [
        migrations.AddField("halllink", "helpers", models.JSONField(editable=False, null=True)),
    ]

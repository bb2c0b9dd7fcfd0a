"""Index the days of adjustments, so that recently imported players are found without reading all adjustments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0082_correction_order")]
    operations = [
        migrations.AddIndex("adjustment", models.Index(fields=["list", "date"], name="adjustments_by_day")),
    ]

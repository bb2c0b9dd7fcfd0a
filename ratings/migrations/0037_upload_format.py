"""Name the field `format` for what it holds; its column keeps the name `form`, for the code before an upgrade ends."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0036_submissions")]
    operations = [
        migrations.AlterField("upload", "form", models.CharField("format", max_length=20, db_column="form")),
        migrations.RenameField("upload", "form", "format"),
    ]

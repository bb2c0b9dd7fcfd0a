"""Record requests to erase a person."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0072_uploaded_records")]

    operations = [
        migrations.AlterField(
            model_name="recordedstep",
            name="what",
            field=models.CharField(
                choices=[
                    ("list imported", "rating list imported"),
                    ("results imported", "results imported"),
                    ("grade announced", "grade announced"),
                    ("claim answered", "claim answered"),
                    ("page released", "page disconnected from its account"),
                    ("erasure requested", "erasure requested"),
                    ("person erased", "person erased"),
                    ("visibility changed", "visibility changed"),
                ],
                max_length=20,
                verbose_name="what",
            ),
        ),
    ]

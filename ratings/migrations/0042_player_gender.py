"""Add the optional gender of players with its visibility, and the choice of a federation to record and publish it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0041_event_announcement")]
    operations = [
        migrations.AddField(
            "federation",
            "records_gender",
            models.BooleanField(db_default=False, default=False, help_text="Its lists then have a filter “Women”, for players who choose to show their gender. Otherwise lists that are imported leave the gender out.", verbose_name="record and publish the gender of players"),
        ),
        migrations.AddField(
            "player",
            "gender",
            models.CharField(blank=True, choices=[("female", "female"), ("male", "male"), ("other", "other")], db_default="", default="", help_text="Optional. Leave empty unless a federation of the player records it.", max_length=6, verbose_name="gender"),
        ),
        migrations.AddField(
            "player",
            "gender_public",
            models.BooleanField(db_default=False, default=False, verbose_name="gender may be shown to the public"),
        ),
        migrations.AddIndex(
            "player",
            models.Index(condition=models.Q(("gender_public", True)), fields=["public_id"], name="players_of_public_gender"),
        ),
    ]

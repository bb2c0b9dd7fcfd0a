"""Add venue, schedule, contact and registration to events; the database fills them in for the code before the upgrade."""

from django.core.validators import MaxLengthValidator
from django.db import migrations, models

from ratings.models.players.people import validate_name, validate_text


class Migration(migrations.Migration):
    dependencies = [("ratings", "0040_search_name_index")]
    operations = [
        migrations.AddField(
            "event",
            "address",
            models.CharField(blank=True, default="", db_default="", help_text="Building, street and town, for the map.", max_length=200, validators=[validate_name], verbose_name="venue"),
        ),
        migrations.AddField(
            "event",
            "schedule",
            models.TextField(blank=True, default="", db_default="", help_text="For example “Saturday 9:30 registration, 10:00 first round”. One line per entry.", max_length=2000, validators=[MaxLengthValidator(2000), validate_text], verbose_name="schedule"),
        ),
        migrations.AddField(
            "event",
            "contact",
            models.CharField(blank=True, default="", db_default="", help_text="An email address or a text. Everybody can see it.", max_length=200, validators=[validate_name], verbose_name="contact"),
        ),
        migrations.AddField(
            "event",
            "registration",
            models.URLField(blank=True, default="", db_default="", verbose_name="link to the registration"),
        ),
    ]

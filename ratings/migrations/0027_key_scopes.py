import datetime as dt

from django.db import migrations, models
from django.utils import timezone


def usual_scopes():
    """Return the scopes that keys had before scopes were stored, except those of officers."""
    return ["events", "read", "results"]


def in_a_year():
    return timezone.now() + dt.timedelta(days=365)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0026_versions'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='scopes',
            field=models.JSONField(default=usual_scopes, verbose_name='allowed to'),
        ),
        migrations.AlterField(
            model_name='apikey',
            name='scopes',
            field=models.JSONField(default=list, verbose_name='allowed to'),
        ),
        migrations.AddField(
            model_name='apikey',
            name='expires_at',
            field=models.DateTimeField(default=in_a_year, verbose_name='expires'),
            preserve_default=False,
        ),
    ]

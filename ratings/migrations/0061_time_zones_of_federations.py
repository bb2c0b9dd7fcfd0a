"""Time zones of federations; so far every day and time was in that of the portal."""

from django.db import migrations, models

import ratings.time_zones


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0060_reports_of_drafts'),
    ]

    operations = [
        migrations.AddField(
            model_name='federation',
            name='time_zone',
            field=models.CharField(db_default='UTC', default=ratings.time_zones.get_default_time_zone, help_text='Days end at midnight there: closing days, days by which results are due, and the times on its pages.', max_length=64, validators=[ratings.time_zones.validate_time_zone], verbose_name='time zone'),
        ),
        migrations.AlterField(
            model_name='entrylist',
            name='closes_at',
            field=models.DateTimeField(blank=True, help_text='Leave empty to take entries until the first day.', null=True, verbose_name='entries close'),
        ),
    ]

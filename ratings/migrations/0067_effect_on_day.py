"""Ratings of players on the day of proposed rules; effects computed before have none."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0066_outside_ids'),
    ]

    operations = [
        migrations.AddField(
            model_name='ruleeffect',
            name='on_day',
            field=models.FloatField(blank=True, help_text='Empty for players who are not on the list then.', null=True, verbose_name='rating on the day'),
        ),
    ]

"""Store memberships of federations, which lists can require, and how a person read the file of a rating list."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0051_comments_on_results'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratinglist',
            name='requires_membership',
            field=models.BooleanField(db_default=False, default=False, help_text='Players whose membership has lapsed, or of whom none is recorded, become a question.', verbose_name='players must be members of the federation'),
        ),
        migrations.AddField(
            model_name='upload',
            name='reading',
            field=models.JSONField(blank=True, editable=False, help_text='Of a rating list: the columns and players that a person chose; see `domain/lists/file_reading.py`.', null=True),
        ),
        migrations.CreateModel(
            name='FederationMembership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1, editable=False, verbose_name='version')),
                ('until', models.DateField(help_text='The last day of the membership.', verbose_name='member until')),
                ('federation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='ratings.federation', verbose_name='federation')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='federation_memberships', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'membership of a federation',
                'verbose_name_plural': 'memberships of federations',
                'ordering': ['federation', 'player'],
                'constraints': [models.UniqueConstraint(fields=('federation', 'player'), name='one_membership_per_federation_and_player')],
            },
        ),
    ]

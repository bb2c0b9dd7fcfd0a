"""Pages that users follow, and the changes that their mails report."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0070_pairing_programs'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('frequency', models.CharField(choices=[('at once', 'immediately'), ('weekly', 'once a week'), ('never', 'no emails')], default='at once', max_length=10, verbose_name='emails')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('club', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='ratings.club', verbose_name='club')),
                ('event', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='ratings.event', verbose_name='event')),
                ('list', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='ratings.ratinglist', verbose_name='list')),
                ('player', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='ratings.player', verbose_name='player')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'followed page',
                'verbose_name_plural': 'followed pages',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FollowedChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('rating', 'rating'), ('correction', 'correction without a game'), ('grade', 'grade'), ('members', 'event of club members'), ('step', 'step of an event'), ('rated', 'event rated'), ('published', 'list published')], max_length=10, verbose_name='kind')),
                ('data', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
                ('follow', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='ratings.follow', verbose_name='followed page')),
                ('user', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'followed change',
                'verbose_name_plural': 'followed changes',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FollowSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('own_corrections', models.CharField(choices=[('at once', 'immediately'), ('weekly', 'once a week'), ('never', 'no emails')], default='at once', max_length=10, verbose_name='corrections of my rating without a new game')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='follow_settings', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'email setting',
                'verbose_name_plural': 'email settings',
            },
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', True), ('event__isnull', True), ('list__isnull', True), ('player__isnull', False)), models.Q(('club__isnull', False), ('event__isnull', True), ('list__isnull', True), ('player__isnull', True)), models.Q(('club__isnull', True), ('event__isnull', False), ('list__isnull', True), ('player__isnull', True)), models.Q(('club__isnull', True), ('event__isnull', True), ('list__isnull', False), ('player__isnull', True)), _connector='OR'), name='follow_has_one_target'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.CheckConstraint(condition=models.Q(('frequency__in', ['at once', 'weekly', 'never'])), name='follow_has_known_frequency'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('user', 'player'), name='one_follow_per_player'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('user', 'club'), name='one_follow_per_club'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('user', 'event'), name='one_follow_per_event'),
        ),
        migrations.AddConstraint(
            model_name='follow',
            constraint=models.UniqueConstraint(fields=('user', 'list'), name='one_follow_per_list'),
        ),
        migrations.AddConstraint(
            model_name='followsettings',
            constraint=models.CheckConstraint(condition=models.Q(('own_corrections__in', ['at once', 'weekly', 'never'])), name='own_corrections_have_known_frequency'),
        ),
    ]

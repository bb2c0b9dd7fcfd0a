"""Results in the hall: boards, taps, and links for helpers."""

import django.db.models.deletion
import ratings.models.players.people
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0049_approval_parcels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='eventstep',
            name='what',
            field=models.CharField(choices=[('announced', 'announced'), ('unannounced', 'taken out of the calendar'), ('read', 'results read from a file'), ('hall', 'results taken over from the hall'), ('replaced', 'draft replaced by a newer file'), ('submitted', 'submitted'), ('withdrawn', 'submission withdrawn'), ('returned', 'returned'), ('return undone', 'return undone'), ('accepted', 'accepted'), ('proposed', 'correction proposed'), ('corrected', 'corrected'), ('remapped', 'results moved to another player'), ('sheet deleted', 'draft results deleted'), ('sheet restored', 'draft results restored'), ('table deleted', 'table deleted'), ('table restored', 'table restored'), ('deleted', 'event deleted'), ('restored', 'event restored'), ('voided', 'event voided'), ('unvoided', 'event counts again'), ('shared', 'shared'), ('unshared', 'no longer shared'), ('reminded', 'organisers reminded of missing results')], max_length=20, verbose_name='what'),
        ),
        migrations.CreateModel(
            name='Hall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rounds', models.PositiveSmallIntegerField(default=5, verbose_name='rounds')),
                ('people', models.JSONField(default=list, verbose_name='players')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('changed_at', models.DateTimeField(auto_now_add=True, verbose_name='changed')),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('provisional', models.JSONField(default=dict, editable=False)),
                ('rated_version', models.IntegerField(default=-1, editable=False)),
                ('rating_requested_at', models.DateTimeField(editable=False, null=True)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hall', to='ratings.event', verbose_name='event')),
                ('started_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='started by')),
                ('submission', models.ForeignKey(blank=True, help_text='The draft results that were made last from this hall.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ratings.submission', verbose_name='submission')),
            ],
            options={
                'verbose_name': 'hall',
                'verbose_name_plural': 'halls',
            },
        ),
        migrations.CreateModel(
            name='HallBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField(verbose_name='round')),
                ('number', models.PositiveSmallIntegerField(verbose_name='board')),
                ('first', models.PositiveSmallIntegerField(verbose_name='first player')),
                ('second', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='second player')),
                ('handicap', models.CharField(blank=True, choices=[('s', 'sente'), ('l', 'lance'), ('b', 'bishop'), ('r', 'rook'), ('rl', 'rook and lance'), ('2p', '2 pieces'), ('4p', '4 pieces'), ('5p', '5 pieces'), ('6p', '6 pieces')], max_length=2, verbose_name='handicap')),
                ('giver', models.CharField(blank=True, choices=[('a', 'first player'), ('b', 'second player')], max_length=1, verbose_name='handicap giver')),
                ('stones', models.PositiveSmallIntegerField(default=0, verbose_name='handicap stones')),
                ('black', models.CharField(blank=True, choices=[('a', 'first player'), ('b', 'second player')], max_length=1, verbose_name='black')),
                ('hall', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='ratings.hall', verbose_name='hall')),
            ],
            options={
                'verbose_name': 'board in the hall',
                'verbose_name_plural': 'boards in the hall',
                'ordering': ['hall', 'round', 'number'],
            },
        ),
        migrations.CreateModel(
            name='HallLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=ratings.models.players.people.new_public_id, editable=False, max_length=10, unique=True)),
                ('label', models.CharField(blank=True, max_length=60, validators=[ratings.models.players.people.validate_name], verbose_name='label')),
                ('expires_at', models.DateTimeField(verbose_name='ends')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('hall', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='ratings.hall', verbose_name='hall')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'link for helpers',
                'verbose_name_plural': 'links for helpers',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='HallResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(editable=False, unique=True)),
                ('code', models.CharField(choices=[('first', 'first player won'), ('draw', 'draw'), ('second', 'second player won'), ('clear', 'no result')], max_length=6, verbose_name='result')),
                ('decides', models.BooleanField(default=False, verbose_name='decision')),
                ('seen', models.BigIntegerField(default=0, editable=False)),
                ('device', models.CharField(editable=False, max_length=20)),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='at')),
                ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='ratings.hallboard', verbose_name='board')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to='ratings.halllink', verbose_name='link')),
            ],
            options={
                'verbose_name': 'result in the hall',
                'verbose_name_plural': 'results in the hall',
                'ordering': ['pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='hallboard',
            constraint=models.UniqueConstraint(fields=('hall', 'round', 'number'), name='one_board_of_a_number_per_round'),
        ),
        migrations.AddConstraint(
            model_name='hallboard',
            constraint=models.CheckConstraint(condition=models.Q(('second__isnull', True), models.Q(('first', models.F('second')), _negated=True), _connector='OR'), name='no_board_against_oneself'),
        ),
    ]

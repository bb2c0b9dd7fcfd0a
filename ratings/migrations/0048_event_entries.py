"""Add entries of players for announced events, and the number of rounds of an event."""

import django.core.validators
import django.db.models.deletion
import django_countries.fields
import ratings.models.events.entries
import ratings.models.players.people
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0047_file_batches'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='rounds',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Templates for the results have as many rounds.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(30)], verbose_name='rounds'),
        ),
        migrations.CreateModel(
            name='EntryList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1, editable=False, verbose_name='version')),
                ('is_open', models.BooleanField(default=True, verbose_name='players can enter here')),
                ('closes_at', models.DateTimeField(blank=True, help_text='Time in UTC. Leave empty to take entries until the first day.', null=True, verbose_name='entries close')),
                ('limit', models.PositiveSmallIntegerField(blank=True, help_text='Further players go to the waiting list. Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='places')),
                ('is_public', models.BooleanField(default=True, help_text='With ratings and grades. Players who chose to be anonymous are never listed.', verbose_name='show the entered players to everybody')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='entry_list', to='ratings.event', verbose_name='event')),
            ],
            options={
                'verbose_name': 'entry list',
                'verbose_name_plural': 'entry lists',
            },
        ),
        migrations.CreateModel(
            name='EventEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1, editable=False, verbose_name='version')),
                ('family_name', models.CharField(blank=True, max_length=100, validators=[ratings.models.players.people.validate_name], verbose_name='family name')),
                ('given_name', models.CharField(blank=True, max_length=100, validators=[ratings.models.players.people.validate_name], verbose_name='given name')),
                ('country', django_countries.fields.CountryField(blank=True, max_length=2, verbose_name='country')),
                ('club', models.CharField(blank=True, max_length=100, validators=[ratings.models.players.people.validate_name], verbose_name='club')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('message', models.TextField(blank=True, max_length=1000, validators=[django.core.validators.MaxLengthValidator(1000), ratings.models.players.people.validate_text], verbose_name='message to the organisers')),
                ('is_listed', models.BooleanField(default=True, verbose_name='my name may appear in the public list of entries')),
                ('state', models.CharField(choices=[('asked', 'to be confirmed'), ('confirmed', 'entered'), ('waiting', 'on the waiting list'), ('withdrawn', 'withdrawn'), ('refused', 'refused'), ('removed', 'removed')], default='asked', max_length=10, verbose_name='state')),
                ('previous_state', models.CharField(blank=True, choices=[('asked', 'to be confirmed'), ('confirmed', 'entered'), ('waiting', 'on the waiting list'), ('withdrawn', 'withdrawn'), ('refused', 'refused'), ('removed', 'removed')], default='', editable=False, max_length=10)),
                ('position', models.PositiveIntegerField(default=0, editable=False)),
                ('key', models.CharField(default=ratings.models.events.entries.new_entry_key, editable=False, max_length=32, unique=True)),
                ('entered_at', models.DateTimeField(auto_now_add=True, verbose_name='entered')),
                ('changed_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='changed by')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='player_entries', to='ratings.event', verbose_name='event')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='event_entries', to='ratings.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'entry for an event',
                'verbose_name_plural': 'entries for events',
                'ordering': ['event', 'position', 'pk'],
                'indexes': [models.Index(fields=['event', 'state'], name='ratings_eve_event_i_53ff0a_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('event', 'player'), name='one_entry_per_player_and_event', violation_error_message='This player has an entry for the event already.'), models.CheckConstraint(condition=models.Q(('player__isnull', False), models.Q(('family_name', ''), _negated=True), _connector='OR'), name='event_entry_has_a_player_or_a_name', violation_error_message='Choose a player, or enter a name.')],
            },
        ),
    ]

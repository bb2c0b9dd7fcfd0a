"""Webhooks: subscriptions and their deliveries."""

import django.db.models.deletion
import django.utils.timezone
import ratings.models.players.people
import ratings.models.site.webhooks
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0067_effect_on_day'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WebhookSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1, editable=False, verbose_name='version')),
                ('name', models.CharField(help_text='For example “Club website”.', max_length=100, validators=[ratings.models.players.people.validate_name], verbose_name='purpose')),
                ('address', models.CharField(max_length=500, verbose_name='address')),
                ('kinds', models.JSONField(default=list, verbose_name='changes to send')),
                ('state', models.CharField(choices=[('active', 'active'), ('paused', 'paused'), ('disabled', 'switched off after a week of failures')], default='active', editable=False, max_length=10, verbose_name='state')),
                ('secret', models.TextField(editable=False)),
                ('previous_secret', models.TextField(blank=True, editable=False)),
                ('previous_until', models.DateTimeField(editable=False, null=True, verbose_name='previous secret valid until')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('deleted_at', models.DateTimeField(editable=False, null=True, verbose_name='deleted')),
                ('failing_since', models.DateTimeField(editable=False, null=True, verbose_name='failing since')),
                ('failures', models.PositiveIntegerField(default=0, editable=False, verbose_name='failures in a row')),
                ('next_try_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='next try')),
                ('claimed_by', models.CharField(blank=True, editable=False, max_length=32)),
                ('claimed_until', models.DateTimeField(editable=False, null=True)),
                ('last_number', models.PositiveBigIntegerField(default=0, editable=False)),
                ('federation', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='ratings.federation', verbose_name='federation')),
                ('owner', models.ForeignKey(blank=True, help_text='Receives an email if the webhook is switched off.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ['federation', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message_id', models.CharField(default=ratings.models.site.webhooks.new_message_id, max_length=40, unique=True, verbose_name='id')),
                ('number', models.PositiveBigIntegerField(null=True, verbose_name='number')),
                ('kind', models.CharField(max_length=20, verbose_name='kind')),
                ('data', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
                ('status', models.CharField(choices=[('waiting', 'waiting'), ('delivered', 'delivered'), ('given up', 'not delivered')], default='waiting', max_length=10, verbose_name='status')),
                ('attempts', models.PositiveIntegerField(default=0, verbose_name='attempts')),
                ('first_tried_at', models.DateTimeField(null=True, verbose_name='first attempt')),
                ('tried_at', models.DateTimeField(null=True, verbose_name='last attempt')),
                ('milliseconds', models.PositiveIntegerField(null=True, verbose_name='duration')),
                ('response_status', models.PositiveSmallIntegerField(null=True, verbose_name='response')),
                ('error', models.CharField(blank=True, choices=[('name', 'The host name was not found.'), ('private', 'The host is in a private network. Webhooks go to public addresses only.'), ('address', 'The address is not allowed. Enter another one.'), ('connection', 'The host did not accept the connection.'), ('certificate', 'The host has no valid certificate.'), ('timeout', 'The host did not answer in time.'), ('broken', 'The connection ended before the answer was complete.'), ('redirect', 'The address redirects. Enter the new address.'), ('gone', 'The program no longer accepts messages.'), ('status', 'The program answered with an error.'), ('key', 'The secret cannot be decrypted. Create a new one.')], max_length=20, verbose_name='error')),
                ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='ratings.webhooksubscription', verbose_name='webhook')),
            ],
            options={
                'verbose_name': 'webhook delivery',
                'verbose_name_plural': 'webhook deliveries',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('status', 'waiting')), fields=['subscription', 'number'], name='deliveries_to_send')],
                'constraints': [models.UniqueConstraint(fields=('subscription', 'number'), name='one_delivery_per_number')],
            },
        ),
    ]

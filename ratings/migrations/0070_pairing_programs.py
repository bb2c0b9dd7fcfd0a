"""Pairing programs: the secret of an event, and the pages that a program sends."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0069_checkpoints'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PairingSecret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('prefix', models.CharField(editable=False, max_length=12, verbose_name='begins with')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('last_used_at', models.DateTimeField(editable=False, null=True, verbose_name='last used')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pairing_secret', to='ratings.event', verbose_name='event')),
                ('made_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'secret for pairing programs',
                'verbose_name_plural': 'secrets for pairing programs',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PairingPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('pairings', 'pairings'), ('standings', 'standings')], max_length=10, verbose_name='kind')),
                ('round', models.PositiveSmallIntegerField(verbose_name='round')),
                ('tables', models.JSONField(default=list, verbose_name='tables')),
                ('received_at', models.DateTimeField(verbose_name='received')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairing_pages', to='ratings.event', verbose_name='event')),
            ],
            options={
                'verbose_name': 'page of a pairing program',
                'verbose_name_plural': 'pages of pairing programs',
                'ordering': ['event', 'round', 'kind'],
                'constraints': [models.UniqueConstraint(fields=('event', 'kind', 'round'), name='one_pairing_page_per_round')],
            },
        ),
    ]

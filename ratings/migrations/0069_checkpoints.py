"""The public log of each list: checkpoints, hashes of leaves, keys, and the logs of others."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0068_webhooks'),
    ]

    operations = [
        migrations.CreateModel(
            name='LogKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('public', models.CharField(max_length=400, unique=True, verbose_name='public key')),
                ('private', models.TextField(editable=False)),
                ('change', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'log signing key',
                'verbose_name_plural': 'log signing keys',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='WitnessedLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('log', models.CharField(max_length=400, unique=True, verbose_name='log')),
                ('key', models.CharField(max_length=400, verbose_name='public key')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('text_hash', models.CharField(max_length=64)),
                ('note', models.TextField()),
                ('seen_at', models.DateTimeField(verbose_name='time')),
            ],
            options={
                'verbose_name': 'witnessed log',
                'verbose_name_plural': 'witnessed logs',
                'ordering': ['log'],
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('tree', models.CharField(blank=True, max_length=30)),
                ('made_at', models.DateTimeField(verbose_name='time')),
                ('text', models.TextField()),
                ('signatures', models.TextField(blank=True)),
                ('dated', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='checkpoints', to='ratings.datedlist', verbose_name='dated list')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='ratings.ratinglist', verbose_name='list')),
                ('run', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='checkpoint', to='ratings.run', verbose_name='rating run')),
            ],
            options={
                'verbose_name': 'checkpoint',
                'verbose_name_plural': 'checkpoints',
                'ordering': ['list', 'number'],
                'constraints': [models.UniqueConstraint(fields=('list', 'number'), name='one_checkpoint_per_number')],
            },
        ),
        migrations.CreateModel(
            name='LeafBlock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tree', models.CharField(max_length=30)),
                ('number', models.PositiveIntegerField()),
                ('size', models.PositiveIntegerField()),
                ('hashes', models.BinaryField()),
                ('root', models.BinaryField()),
                ('rows', models.BinaryField(default=b'')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leaf_blocks', to='ratings.ratinglist')),
            ],
            options={
                'ordering': ['list', 'tree', 'number'],
                'constraints': [models.UniqueConstraint(fields=('list', 'tree', 'number'), name='one_block_per_number')],
            },
        ),
    ]

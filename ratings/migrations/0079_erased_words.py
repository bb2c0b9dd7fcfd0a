"""Add the keyed hashes of erased names, by which pages of pairing programs are searched."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0078_successor_help_text'),
    ]

    operations = [
        migrations.CreateModel(
            name='ErasedWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=32)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='erased_words', to='ratings.event', verbose_name='event')),
            ],
            options={
                'verbose_name': 'word of an erased name',
                'verbose_name_plural': 'words of erased names',
                'constraints': [models.UniqueConstraint(fields=('event', 'digest'), name='erased_word_once_per_event')],
            },
        ),
    ]

"""Comments of officers on cells and rows of submissions, and the step of an officer who changes results."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0050_hall'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='eventstep',
            name='what',
            field=models.CharField(choices=[('announced', 'announced'), ('unannounced', 'taken out of the calendar'), ('read', 'results read from a file'), ('hall', 'results taken over from the hall'), ('replaced', 'draft replaced by a newer file'), ('submitted', 'submitted'), ('edited', 'results changed by an officer'), ('withdrawn', 'submission withdrawn'), ('returned', 'returned'), ('return undone', 'return undone'), ('accepted', 'accepted'), ('proposed', 'correction proposed'), ('corrected', 'corrected'), ('remapped', 'results moved to another player'), ('sheet deleted', 'draft results deleted'), ('sheet restored', 'draft results restored'), ('table deleted', 'table deleted'), ('table restored', 'table restored'), ('deleted', 'event deleted'), ('restored', 'event restored'), ('voided', 'event voided'), ('unvoided', 'event counts again'), ('shared', 'shared'), ('unshared', 'no longer shared'), ('reminded', 'organisers reminded of missing results')], max_length=20, verbose_name='what'),
        ),
        migrations.CreateModel(
            name='SubmissionComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.PositiveSmallIntegerField(verbose_name='row')),
                ('round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='round')),
                ('text', models.TextField(max_length=1000, verbose_name='text')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='at')),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn')),
                ('settled_at', models.DateTimeField(blank=True, null=True, verbose_name='settled')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('settled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='settled by')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='ratings.submission', verbose_name='submission')),
            ],
            options={
                'verbose_name': 'comment on results',
                'verbose_name_plural': 'comments on results',
                'ordering': ['row', 'round', 'pk'],
            },
        ),
    ]

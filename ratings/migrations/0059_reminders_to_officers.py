"""Steps by which organisers remind officers of waiting results."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0058_studies'),
    ]

    operations = [
        migrations.AlterField(
            model_name='eventstep',
            name='what',
            field=models.CharField(choices=[('announced', 'announced'), ('unannounced', 'taken out of the calendar'), ('read', 'results read from a file'), ('hall', 'results taken over from the hall'), ('replaced', 'draft replaced by a newer file'), ('submitted', 'submitted'), ('edited', 'results changed by an officer'), ('withdrawn', 'submission withdrawn'), ('returned', 'returned'), ('return undone', 'return undone'), ('accepted', 'accepted'), ('proposed', 'correction proposed'), ('corrected', 'corrected'), ('remapped', 'results moved to another player'), ('sheet deleted', 'draft results deleted'), ('sheet restored', 'draft results restored'), ('table deleted', 'table deleted'), ('table restored', 'table restored'), ('deleted', 'event deleted'), ('restored', 'event restored'), ('voided', 'event voided'), ('unvoided', 'event counts again'), ('shared', 'shared'), ('unshared', 'no longer shared'), ('reminded', 'organisers reminded of missing results'), ('officers reminded', 'officers reminded of waiting results')], max_length=20, verbose_name='what'),
        ),
    ]

"""Store the notes of the steps of approvals as messages and typed texts; notes stored before are typed texts."""

from django.db import migrations

import ratings.models.message_fields


class Migration(migrations.Migration):
    dependencies = [("ratings", "0073_erasure_requests")]

    operations = [
        migrations.AlterField(
            model_name="approvalstep",
            name="note",
            field=ratings.models.message_fields.MessagesField(blank=True, verbose_name="note"),
        ),
    ]

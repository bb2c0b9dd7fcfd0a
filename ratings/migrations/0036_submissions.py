"""The model Sheet becomes Submission. Table and column keep their names, so the old code works until an upgrade ends."""

import django.db.models.deletion
from django.db import migrations, models

OLD, NEW = "sheet", "submission"
ACTIONS = ("add", "change", "delete", "view")


def rename_permissions(apps, schema_editor):
    """Rename the four permissions of the model, so that users and groups keep them."""
    _rename(apps, OLD, NEW)


def restore_permissions(apps, schema_editor):
    """Give the permissions their old names again."""
    _rename(apps, NEW, OLD)


def _rename(apps, old, new):
    rows = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="ratings")
    for action in ACTIONS:
        rows.filter(codename=f"{action}_{old}").update(codename=f"{action}_{new}")


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0035_more_steps"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelTable(name="sheet", table="ratings_sheet"),
        migrations.RenameModel(old_name="Sheet", new_name="Submission"),
        migrations.AlterField(
            model_name="upload",
            name="sheet",
            field=models.ForeignKey(
                db_column="sheet_id",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="uploads",
                to="ratings.submission",
                verbose_name="submission",
            ),
        ),
        migrations.RenameField(model_name="upload", old_name="sheet", new_name="submission"),
        migrations.AlterModelOptions(
            name="submission",
            options={
                "ordering": ["last_day", "name", "pk"],
                "verbose_name": "submission",
                "verbose_name_plural": "submissions",
            },
        ),
        migrations.AlterField(
            model_name="submission",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="submissions",
                to="ratings.event",
                verbose_name="event",
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="table",
            field=models.ForeignKey(
                blank=True,
                help_text="The table that these results became, or that they correct.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="submissions",
                to="ratings.table",
                verbose_name="table",
            ),
        ),
        migrations.RunPython(rename_permissions, restore_permissions),
    ]

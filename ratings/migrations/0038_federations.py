"""Replace the name of a federation on each list by a row of its own.

The column of the name stays, with an empty default, for the code before an upgrade ends; the model no longer has it.
"""

from anyascii import anyascii
from django.conf import settings
from django.db import migrations, models
from django.utils.text import slugify

import ratings.models.players.people


def create_federations(apps, schema_editor):
    """Create a federation for each name on a list, with an address made of the name."""
    RatingList = apps.get_model("ratings", "RatingList")
    Federation = apps.get_model("ratings", "Federation")
    for rating_list in RatingList.objects.order_by("pk"):
        name = rating_list.federation_name.strip() or rating_list.name
        federation = Federation.objects.filter(name=name).first()
        if federation is None:
            slug = base = slugify(anyascii(name))[:40] or "federation"
            number = 1
            while Federation.objects.filter(slug=slug).exists():
                number += 1
                slug = f"{base}-{number}"
            federation = Federation.objects.create(name=name, slug=slug)
        RatingList.objects.filter(pk=rating_list.pk).update(federation=federation)


def restore_names(apps, schema_editor):
    """Write the name of each list's federation to the list."""
    RatingList = apps.get_model("ratings", "RatingList")
    for rating_list in RatingList.objects.select_related("federation"):
        rating_list.federation_name = rating_list.federation.name
        rating_list.save(update_fields=["federation_name"])


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("ratings", "0037_upload_format"),
    ]
    operations = [
        migrations.CreateModel(
            name="Federation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("slug", models.SlugField(unique=True, verbose_name="short name in addresses")),
                ("name", models.CharField(max_length=100, unique=True, validators=[ratings.models.players.people.validate_name], verbose_name="name")),
                ("short_name", models.CharField(blank=True, help_text="Shown where space is short; empty: the name.", max_length=30, verbose_name="short name")),
                ("description", models.CharField(blank=True, help_text="For example “Official shogi ratings”.", max_length=80, verbose_name="line below the name")),
                ("house", models.CharField(choices=[("indigo", "indigo"), ("pine", "pine"), ("plum", "plum"), ("ocean", "ocean"), ("slate", "slate")], default="indigo", max_length=10, verbose_name="house colour")),
                ("crest", models.TextField(blank=True, editable=False, verbose_name="crest")),
                ("home", models.URLField(blank=True, verbose_name="home page")),
                ("contact", models.URLField(blank=True, verbose_name="contact page")),
                ("rules", models.URLField(blank=True, verbose_name="rules")),
                ("privacy", models.URLField(blank=True, verbose_name="privacy policy")),
                ("imprint", models.URLField(blank=True, verbose_name="imprint")),
                ("languages", models.JSONField(blank=True, default=list, help_text="Offered on the federation's pages; none chosen: all.", verbose_name="languages")),
                ("administrators", models.ManyToManyField(blank=True, help_text="They edit this federation's page, beside the administrators of the portal.", related_name="administrator_of", to=settings.AUTH_USER_MODEL, verbose_name="administrators")),
            ],
            options={"verbose_name": "federation", "verbose_name_plural": "federations", "ordering": ["name"]},
        ),
        migrations.AlterField(
            "ratinglist", "federation", models.CharField(max_length=100, db_default="", db_column="federation")
        ),
        migrations.RenameField("ratinglist", "federation", "federation_name"),
        migrations.AddField(
            "ratinglist",
            "federation",
            models.ForeignKey(
                null=True,
                on_delete=models.deletion.PROTECT,
                related_name="lists",
                to="ratings.federation",
                verbose_name="federation",
            ),
        ),
        migrations.RunPython(create_federations, restore_names),
    ]

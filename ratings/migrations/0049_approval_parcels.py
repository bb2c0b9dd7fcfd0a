"""Add letters to approving bodies with their answer links, who answers, and who signs certificates."""

import django.db.models.deletion
import ratings.models.players.people
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0048_event_entries"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="approval",
            name="signer_office",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="office of the signer",
            ),
        ),
        migrations.AddField(
            model_name="approvalstep",
            name="person",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=100, verbose_name="person without an account"
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="approving_body",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="It answers approvals of high grades. Leave empty for the one that the rules name.",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="approving body",
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="approving_mail",
            field=models.EmailField(
                blank=True,
                db_default="",
                default="",
                help_text="Must not belong to an account.",
                max_length=254,
                verbose_name="email of this person",
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="approving_office",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="For example “Chair of the Grades Committee”. Printed on certificates.",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="office of this person",
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="approving_person",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="They receive the letters, and answer by a link in them and a code told by phone.",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="person who answers for the approving body",
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="signer",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The person who signs certificates for the federation.",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="signer of certificates",
            ),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="signer_office",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="For example “Rating officer, European Shogi Federation”.",
                max_length=100,
                validators=[ratings.models.players.people.validate_name],
                verbose_name="office of the signer",
            ),
        ),
        migrations.AlterField(
            model_name="approvalstep",
            name="what",
            field=models.CharField(
                choices=[
                    ("requested", "requested"),
                    ("sent", "sent"),
                    ("not sent", "marked as not sent"),
                    ("answered", "answer entered"),
                    ("taken back", "unconfirmed answer withdrawn"),
                    ("confirmed", "confirmed"),
                    ("reopened", "reopened"),
                    ("withdrawn", "request withdrawn"),
                    ("mailed", "letter sent by email"),
                    ("revoked", "answer link revoked"),
                    ("locked", "answer link locked after wrong codes"),
                ],
                max_length=10,
                verbose_name="step",
            ),
        ),
        migrations.CreateModel(
            name="AnswerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(max_length=100, verbose_name="person")),
                ("office", models.CharField(blank=True, max_length=100, verbose_name="office")),
                ("mail", models.EmailField(max_length=254, verbose_name="email")),
                ("token_digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("code_digest", models.CharField(editable=False, max_length=64)),
                ("wrong_codes", models.PositiveSmallIntegerField(default=0, verbose_name="wrong codes")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="sent")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="used")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answer_links",
                        to="ratings.approval",
                        verbose_name="approval",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="sent by",
                    ),
                ),
                (
                    "revoked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="revoked by",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer link",
                "verbose_name_plural": "answer links",
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="approval",
            name="answered_link",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ratings.answerlink",
                verbose_name="answered by link",
            ),
        ),
        migrations.CreateModel(
            name="OutgoingFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("content_type", models.CharField(max_length=50)),
                ("data", models.BinaryField()),
                (
                    "mail",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="ratings.outgoingmail",
                        verbose_name="mail",
                    ),
                ),
            ],
            options={
                "verbose_name": "file of an outgoing mail",
                "verbose_name_plural": "files of outgoing mails",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Parcel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(max_length=100, verbose_name="person")),
                ("address", models.EmailField(max_length=254, verbose_name="email")),
                ("subject", models.CharField(max_length=300, verbose_name="subject")),
                ("body", models.TextField(verbose_name="letter")),
                ("reference", models.CharField(max_length=100, verbose_name="reference")),
                ("dossier", models.BinaryField(null=True)),
                ("certificate", models.BinaryField(null=True)),
                ("sent_at", models.DateTimeField(auto_now_add=True, verbose_name="sent")),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parcels",
                        to="ratings.approval",
                        verbose_name="approval",
                    ),
                ),
                (
                    "link",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="parcel",
                        to="ratings.answerlink",
                        verbose_name="answer link",
                    ),
                ),
                (
                    "mail",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="parcel",
                        to="ratings.outgoingmail",
                    ),
                ),
                (
                    "sent_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="sent by",
                    ),
                ),
            ],
            options={
                "verbose_name": "letter to the approving body",
                "verbose_name_plural": "letters to the approving body",
                "ordering": ["-pk"],
            },
        ),
    ]

"""Add questions about approvals, answers saved for later, the day to answer by, and bulk changes of entries."""

import django.core.validators
import django.db.models.deletion
import ratings.models.grades.questions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", '0053_helpers_and_previews'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="evententry",
            name="batch",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=12),
        ),
        migrations.AddField(
            model_name="evententry",
            name="was_matched",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="approval",
            name="answer_by",
            field=models.DateField(blank=True, null=True, verbose_name="answer by"),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="answer_within",
            field=models.PositiveSmallIntegerField(
                db_default=30,
                default=30,
                help_text="The letter names the last of these days. On that day the approvers are reminded.",
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(90)],
                verbose_name="days in which approvals are to be answered",
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
                    ("asked", "question asked"),
                    ("unasked", "question withdrawn"),
                    ("replied", "question answered"),
                    ("unreplied", "answer to the question withdrawn"),
                ],
                max_length=10,
                verbose_name="step",
            ),
        ),
        migrations.CreateModel(
            name="ApprovalQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=1000, verbose_name="question")),
                ("person", models.CharField(blank=True, max_length=100, verbose_name="person without an account")),
                ("asked_at", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                ("reply", models.CharField(blank=True, max_length=1000, verbose_name="answer")),
                ("replied_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="ratings.approval",
                        verbose_name="approval",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ratings.answerlink",
                        verbose_name="asked by link",
                    ),
                ),
                (
                    "replied_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
            ],
            options={
                "verbose_name": "question about an approval",
                "verbose_name_plural": "questions about approvals",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replied_at__isnull", True), ("withdrawn_at__isnull", True)),
                        fields=("case",),
                        name="one_open_question_per_approval",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("values", models.JSONField(default=ratings.models.grades.questions.no_values, verbose_name="fields")),
                ("saved_at", models.DateTimeField(auto_now=True, verbose_name="saved")),
                ("deleted_at", models.DateTimeField(blank=True, null=True, verbose_name="deleted")),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_answers",
                        to="ratings.approval",
                        verbose_name="approval",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="saved by",
                    ),
                ),
            ],
            options={
                "verbose_name": "saved answer",
                "verbose_name_plural": "saved answers",
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("case", "user"), name="one_saved_answer_per_approver")],
            },
        ),
    ]

"""The tables of release 0036 in one step, for new databases; others ran the replaced migrations, or continue them.

Migrations of data are left out, since a new database has none. The index of 0017 stays: models do not describe it.
"""

import datetime
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
import django_countries.fields
import ratings.models.grades.approvals
import ratings.models.lists.lists
import ratings.models.message_fields
import ratings.models.players.merges
import ratings.models.players.people
import ratings.models.runs.runs
import ratings.models.site.held_forms
import ratings.models.site.recorded_steps
import ratings.systems.values
from django.conf import settings
from django.db import migrations, models


SEARCHED = ("ratings_player", "ratings_club", "ratings_event")


def create_trigram_indexes(apps, schema_editor):
    """Add the extension pg_trgm, which the owner of a database may add, and indexes for parts of names and near misses."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        for table in SEARCHED:
            schema_editor.execute(f"CREATE INDEX {table}_trigrams ON {table} USING gin (search_name gin_trgm_ops)")


def drop_trigram_indexes(apps, schema_editor):
    """Drop the indexes; the extension stays, since others may use it."""
    if schema_editor.connection.vendor == "postgresql":
        for table in SEARCHED:
            schema_editor.execute(f"DROP INDEX {table}_trigrams")


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("ratings", "0001_initial"),
        ("ratings", "0002_six_systems"),
        ("ratings", "0003_runs"),
        ("ratings", "0004_lean_rows"),
        ("ratings", "0005_sheets"),
        ("ratings", "0006_customs"),
        ("ratings", "0007_merges"),
        ("ratings", "0008_reports"),
        ("ratings", "0009_rights"),
        ("ratings", "0010_given_tables"),
        ("ratings", "0011_report_declined"),
        ("ratings", "0012_claims"),
        ("ratings", "0013_names_out_of_texts"),
        ("ratings", "0014_approvals"),
        ("ratings", "0015_prior_evidence"),
        ("ratings", "0016_last_before_waiting"),
        ("ratings", "0017_search_names"),
        ("ratings", "0018_statistics"),
        ("ratings", "0019_api_keys"),
        ("ratings", "0020_player_indexes"),
        ("ratings", "0021_keep_and_undo"),
        ("ratings", "0022_list_options_help"),
        ("ratings", "0023_recorded_steps"),
        ("ratings", "0024_record_earlier_steps"),
        ("ratings", "0025_two_persons"),
        ("ratings", "0026_versions"),
        ("ratings", "0027_key_scopes"),
        ("ratings", "0028_held_forms"),
        ("ratings", "0029_outbox"),
        ("ratings", "0030_erased_people_and_result_imports"),
        ("ratings", "0031_message_columns"),
        ("ratings", "0032_messages_as_data"),
        ("ratings", "0033_plain_labels"),
        ("ratings", "0034_rate_handicaps_again"),
        ("ratings", "0035_more_steps"),
        ("ratings", "0036_submissions"),
    ]

    dependencies = [
        ("auth", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Notification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="written")),
                ("attempts", models.PositiveIntegerField(default=0, verbose_name="attempts")),
                ("next_try_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="next try")),
                ("given_up_at", models.DateTimeField(blank=True, null=True, verbose_name="given up")),
                ("error", models.TextField(blank=True, verbose_name="error")),
                ("kind", models.CharField(max_length=20, verbose_name="kind")),
                ("object_id", models.BigIntegerField(verbose_name="id")),
            ],
            options={
                "verbose_name": "notification",
                "verbose_name_plural": "notifications",
                "ordering": ["next_try_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "label",
                    models.CharField(
                        help_text="For example the pairing program.", max_length=100, verbose_name="purpose"
                    ),
                ),
                ("prefix", models.CharField(editable=False, max_length=12, verbose_name="begins with")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("scopes", models.JSONField(default=list, verbose_name="allowed to")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("last_used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used")),
                ("revoked_at", models.DateTimeField(editable=False, null=True, verbose_name="revoked")),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
            ],
            options={
                "verbose_name": "key",
                "verbose_name_plural": "keys",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Approval",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "public_id",
                    models.CharField(
                        default=ratings.models.players.people.new_public_id,
                        editable=False,
                        max_length=12,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9]+$")],
                        verbose_name="public id",
                    ),
                ),
                ("grade", models.CharField(max_length=10, verbose_name="grade")),
                ("earned_on", models.DateField(verbose_name="earned on")),
                (
                    "evidence",
                    models.CharField(
                        blank=True,
                        help_text="Set where an officer requested the approval; empty where results earned the grade.",
                        max_length=300,
                        verbose_name="evidence of the grade held elsewhere",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("proposed", "waiting for the second approver"),
                            ("approved", "approved"),
                            ("declined", "declined"),
                            ("fallen", "fallen away: the results that earned it were corrected"),
                            ("withdrawn", "request withdrawn"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("opened_at", models.DateTimeField(auto_now_add=True, verbose_name="waiting since")),
                ("reminded_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("sent_on", models.DateField(blank=True, null=True, verbose_name="sent on")),
                (
                    "sent_reference",
                    models.CharField(blank=True, max_length=100, verbose_name="reference of the letter sent"),
                ),
                ("granted", models.BooleanField(blank=True, null=True, verbose_name="approved")),
                ("answered_on", models.DateField(blank=True, null=True, verbose_name="day of the answer")),
                ("effective", models.DateField(blank=True, null=True, verbose_name="counts from")),
                ("signed_by", models.CharField(blank=True, max_length=100, verbose_name="signed by")),
                ("reference", models.CharField(blank=True, max_length=100, verbose_name="reference of the answer")),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("letter", models.BinaryField(blank=True, null=True)),
                ("letter_name", models.CharField(blank=True, max_length=200, verbose_name="letter")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="entered")),
                ("confirmed_at", models.DateTimeField(blank=True, null=True, verbose_name="confirmed")),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed by",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="entered by",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="requested by",
                    ),
                ),
                (
                    "sent_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="sent by",
                    ),
                ),
            ],
            options={
                "verbose_name": "approval of a grade",
                "verbose_name_plural": "approvals of grades",
                "ordering": ["-pk"],
                "permissions": [("approve_grade", "Can approve grades")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["waiting", "sent", "proposed", "approved", "declined", "fallen", "withdrawn"],
                            )
                        ),
                        name="approval_state_is_one_of_the_states",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApprovalStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("requested", "requested"),
                            ("sent", "sent"),
                            ("not sent", "marked as not sent"),
                            ("answered", "answer entered"),
                            ("taken back", "unconfirmed answer withdrawn"),
                            ("confirmed", "confirmed"),
                            ("reopened", "reopened"),
                            ("withdrawn", "request withdrawn"),
                        ],
                        max_length=10,
                        verbose_name="step",
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=1000, verbose_name="note")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "counted_from",
                    models.DateField(
                        blank=True,
                        editable=False,
                        null=True,
                        verbose_name="day from which the withdrawn answer counted",
                    ),
                ),
                ("letter", models.BinaryField(blank=True, null=True)),
                ("letter_name", models.CharField(blank=True, max_length=200, verbose_name="letter")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="ratings.approval",
                        verbose_name="approval",
                    ),
                ),
            ],
            options={
                "verbose_name": "step of an approval",
                "verbose_name_plural": "steps of approvals",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("search_name", models.TextField(default="", editable=False)),
                (
                    "public_id",
                    models.CharField(
                        default=ratings.models.players.people.new_public_id,
                        editable=False,
                        max_length=12,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9]+$")],
                        verbose_name="public id",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=100,
                        unique=True,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="name",
                    ),
                ),
                (
                    "city",
                    models.CharField(
                        blank=True,
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="city",
                    ),
                ),
                ("country", django_countries.fields.CountryField(blank=True, max_length=2, verbose_name="country")),
                ("website", models.URLField(blank=True, verbose_name="website")),
                ("closed", models.DateField(blank=True, null=True, verbose_name="closed on")),
                (
                    "organisers",
                    models.ManyToManyField(
                        blank=True,
                        help_text="They manage the club's events together.",
                        related_name="clubs",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="organisers",
                    ),
                ),
            ],
            options={
                "verbose_name": "club",
                "verbose_name_plural": "clubs",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="DatedList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "day",
                    models.DateField(help_text="The list as it stands at the end of this day.", verbose_name="day"),
                ),
                ("published_at", models.DateTimeField(auto_now_add=True, verbose_name="published")),
                ("revised_at", models.DateTimeField(editable=False, null=True, verbose_name="published again")),
                (
                    "published_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="published by",
                    ),
                ),
            ],
            options={
                "verbose_name": "dated list",
                "verbose_name_plural": "dated lists",
                "ordering": ["-day"],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("date", models.DateField(verbose_name="date")),
                ("reason", ratings.models.message_fields.MessageField(max_length=300, verbose_name="reason")),
                ("source", models.CharField(blank=True, max_length=200, verbose_name="source")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="entered")),
                ("grade", models.CharField(max_length=10, verbose_name="grade")),
                (
                    "ruling",
                    models.CharField(
                        choices=[
                            (ratings.systems.values.Ruling["PRINTED"], "printed"),
                            (ratings.systems.values.Ruling["GIVEN"], "given"),
                            (ratings.systems.values.Ruling["KEPT"], "kept"),
                            (ratings.systems.values.Ruling["WITHHELD"], "withheld"),
                            (ratings.systems.values.Ruling["APPROVED"], "approved"),
                            (ratings.systems.values.Ruling["DECLINED"], "declined"),
                        ],
                        max_length=10,
                        verbose_name="ruling",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "decision on a grade",
                "verbose_name_plural": "decisions on grades",
                "ordering": ["date", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "ruling__in",
                                (
                                    ratings.systems.values.Ruling["PRINTED"],
                                    ratings.systems.values.Ruling["GIVEN"],
                                    ratings.systems.values.Ruling["KEPT"],
                                    ratings.systems.values.Ruling["WITHHELD"],
                                    ratings.systems.values.Ruling["APPROVED"],
                                    ratings.systems.values.Ruling["DECLINED"],
                                ),
                            )
                        ),
                        name="ruling_is_one_of_the_rulings",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="approval",
            name="decision",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="approval",
                to="ratings.decision",
                verbose_name="decision",
            ),
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("search_name", models.TextField(default="", editable=False)),
                (
                    "public_id",
                    models.CharField(
                        default=ratings.models.players.people.new_public_id,
                        editable=False,
                        max_length=12,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9]+$")],
                        verbose_name="public id",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=200, validators=[ratings.models.players.people.validate_name], verbose_name="name"
                    ),
                ),
                (
                    "place",
                    models.CharField(
                        blank=True,
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="place",
                    ),
                ),
                ("country", django_countries.fields.CountryField(blank=True, max_length=2, verbose_name="country")),
                ("start", models.DateField(verbose_name="first day")),
                ("end", models.DateField(verbose_name="last day")),
                (
                    "organiser",
                    models.CharField(
                        blank=True,
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="organiser",
                    ),
                ),
                ("time_control", models.CharField(blank=True, max_length=100, verbose_name="time control")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("submitted", "submitted"),
                            ("returned", "returned"),
                            ("accepted", "accepted"),
                            ("void", "void"),
                            ("deleted", "deleted"),
                        ],
                        default="draft",
                        help_text="Only accepted events are rated and shown to the public.",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("board", "over the board"),
                            ("online", "online"),
                            ("correspondence", "by correspondence"),
                        ],
                        default="board",
                        max_length=15,
                        verbose_name="mode",
                    ),
                ),
                ("link", models.URLField(blank=True, verbose_name="link to the announcement")),
                (
                    "announced_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="Since then the calendar shows it.",
                        null=True,
                        verbose_name="announced",
                    ),
                ),
                (
                    "void_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rules", "The event did not meet the rules."),
                            ("not genuine", "The results are not genuine."),
                            ("twice", "The event was rated twice."),
                            ("request", "The organiser asked for it."),
                            ("other", "Another reason."),
                        ],
                        editable=False,
                        max_length=20,
                        verbose_name="reason for voiding",
                    ),
                ),
                (
                    "void_explanation",
                    models.TextField(
                        blank=True, editable=False, max_length=2000, verbose_name="explanation for voiding"
                    ),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="deleted")),
                (
                    "token",
                    models.UUIDField(
                        editable=False,
                        help_text="Of the form that made it, so that it makes one event only.",
                        null=True,
                        unique=True,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        help_text="Whose organisers look after the event together.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="ratings.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisers",
                    models.ManyToManyField(
                        blank=True,
                        help_text="They may enter and change its results like whoever made it.",
                        related_name="shared_events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="shared with",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["-end", "-start", "name"],
                "permissions": [("accept_event", "Can accept events, and so have them rated")],
                "indexes": [models.Index(fields=["state", "-end"], name="ratings_eve_state_3261fd_idx")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gte", models.F("start"))),
                        name="event_ends_after_its_start",
                        violation_error_message="The last day is before the first day.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["draft", "submitted", "returned", "accepted", "void", "deleted"])
                        ),
                        name="state_is_one_of_the_states",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("announced", "announced"),
                            ("unannounced", "taken out of the calendar"),
                            ("read", "results read from a file"),
                            ("replaced", "draft replaced by a newer file"),
                            ("submitted", "submitted"),
                            ("withdrawn", "submission withdrawn"),
                            ("returned", "returned"),
                            ("return undone", "return undone"),
                            ("accepted", "accepted"),
                            ("proposed", "correction proposed"),
                            ("corrected", "corrected"),
                            ("remapped", "results moved to another player"),
                            ("sheet deleted", "draft results deleted"),
                            ("sheet restored", "draft results restored"),
                            ("table deleted", "table deleted"),
                            ("table restored", "table restored"),
                            ("deleted", "event deleted"),
                            ("restored", "event restored"),
                            ("voided", "event voided"),
                            ("unvoided", "event counts again"),
                            ("shared", "shared"),
                            ("unshared", "no longer shared"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                ("note", ratings.models.message_fields.MessageField(blank=True, verbose_name="note")),
                (
                    "data",
                    models.JSONField(
                        blank=True, default=dict, editable=False, help_text="Data needed to undo the step."
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="ratings.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "step of an event",
                "verbose_name_plural": "steps of events",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="HeldForm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        default=ratings.models.site.held_forms.new_key, editable=False, max_length=32, unique=True
                    ),
                ),
                ("path", models.CharField(max_length=1000)),
                ("fields", models.JSONField(default=ratings.models.site.held_forms.no_fields)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held_forms",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [models.Index(fields=["at"], name="ratings_hel_at_21861d_idx")],
            },
        ),
        migrations.CreateModel(
            name="HeldFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("field", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=255)),
                ("content_type", models.CharField(blank=True, max_length=255)),
                ("data", models.BinaryField()),
                (
                    "form",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="ratings.heldform"
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("start", models.DateField(blank=True, null=True, verbose_name="since")),
                ("end", models.DateField(blank=True, null=True, verbose_name="until")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="ratings.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "ordering": ["player", models.OrderBy(models.F("start"), nulls_first=True)],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gte", models.F("start"))), name="membership_ends_after_its_start"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OutgoingMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="written")),
                ("attempts", models.PositiveIntegerField(default=0, verbose_name="attempts")),
                ("next_try_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="next try")),
                ("given_up_at", models.DateTimeField(blank=True, null=True, verbose_name="given up")),
                ("error", models.TextField(blank=True, verbose_name="error")),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "account"), (1, "normal"), (2, "low")], default=1, verbose_name="priority"
                    ),
                ),
                ("sender", models.CharField(max_length=320, verbose_name="sender")),
                ("recipients", models.JSONField(verbose_name="recipients")),
                ("subject", models.TextField(verbose_name="subject")),
                ("body", models.TextField()),
                ("html", models.TextField(blank=True)),
                ("headers", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name": "outgoing mail",
                "verbose_name_plural": "outgoing mails",
                "ordering": ["priority", "next_try_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("given_up_at", None)),
                        fields=["priority", "next_try_at"],
                        name="mails_to_deliver",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("search_name", models.TextField(default="", editable=False)),
                (
                    "public_id",
                    models.CharField(
                        default=ratings.models.players.people.new_public_id,
                        editable=False,
                        max_length=12,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9]+$")],
                        verbose_name="public id",
                    ),
                ),
                (
                    "family_name",
                    models.CharField(
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="family name",
                    ),
                ),
                (
                    "given_name",
                    models.CharField(
                        blank=True,
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="given name",
                    ),
                ),
                (
                    "native_name",
                    models.CharField(
                        blank=True,
                        help_text="For example 山本 太一.",
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="name in the player's own script",
                    ),
                ),
                ("country", django_countries.fields.CountryField(blank=True, max_length=2, verbose_name="country")),
                ("birth_date", models.DateField(blank=True, null=True, verbose_name="birth date")),
                (
                    "birth_year",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Where the full date is not known.", null=True, verbose_name="birth year"
                    ),
                ),
                (
                    "birth_public",
                    models.BooleanField(default=False, verbose_name="birth year may be shown to the public"),
                ),
                (
                    "shown",
                    models.CharField(
                        choices=[("full", "full name"), ("initials", "initials"), ("anonymous", "anonymous")],
                        default="full",
                        max_length=10,
                        verbose_name="name shown to the public",
                    ),
                ),
                (
                    "erased_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the person's data was erased.",
                        null=True,
                        verbose_name="erased",
                    ),
                ),
                (
                    "account",
                    models.OneToOneField(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="player",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "clubs",
                    models.ManyToManyField(related_name="players", through="ratings.Membership", to="ratings.club"),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merged",
                        to="ratings.player",
                        verbose_name="merged into",
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "ordering": ["family_name", "given_name", "public_id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("shown", "full"), _negated=True),
                        fields=["public_id"],
                        name="players_not_shown_in_full",
                    ),
                    models.Index(
                        condition=models.Q(("birth_public", True)),
                        fields=["public_id"],
                        name="players_whose_age_is_shown",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("family_name", ""), _negated=True), name="player_has_a_family_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("shown__in", ["full", "initials", "anonymous"])),
                        name="player_is_shown_in_a_known_way",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "whole",
                    models.BooleanField(
                        default=True,
                        help_text="If not set, only the results of some tables were moved.",
                        verbose_name="merged",
                    ),
                ),
                (
                    "moved",
                    models.JSONField(blank=True, default=ratings.models.players.merges.nothing_moved, editable=False),
                ),
                ("reason", models.CharField(max_length=300, verbose_name="reason")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
                (
                    "gone",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges_away",
                        to="ratings.player",
                        verbose_name="from player",
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merges_here",
                        to="ratings.player",
                        verbose_name="to player",
                    ),
                ),
            ],
            options={
                "verbose_name": "merge of players",
                "verbose_name_plural": "merges of players",
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("gone", models.F("kept")), _negated=True),
                        name="nobody_is_merged_into_himself",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True), ("whole", True)),
                        fields=("gone",),
                        name="merged_into_one_at_a_time",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="memberships",
                to="ratings.player",
                verbose_name="player",
            ),
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(verbose_name="table number")),
                (
                    "macmahon",
                    models.DecimalField(
                        blank=True, decimal_places=1, max_digits=5, null=True, verbose_name="MacMahon points"
                    ),
                ),
                (
                    "fixed_rating",
                    models.FloatField(
                        blank=True,
                        help_text="Set for a player whose past is unknown: this rating is used in this table and never changes.",
                        null=True,
                        verbose_name="rating as an outsider",
                    ),
                ),
                (
                    "guest",
                    models.BooleanField(
                        default=False,
                        help_text="Rated as a player without history; no rating is stored for them.",
                        verbose_name="gave a simultaneous display",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "ordering": ["table", "number"],
            },
        ),
        migrations.AddField(
            model_name="decision",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to="ratings.player",
                verbose_name="player",
            ),
        ),
        migrations.CreateModel(
            name="DatedLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rank", models.PositiveIntegerField(null=True)),
                ("rating", models.FloatField(null=True)),
                ("grade", models.CharField(blank=True, max_length=10)),
                ("games", models.PositiveIntegerField(null=True)),
                ("category", models.CharField(blank=True, max_length=12)),
                ("revised_rank", models.PositiveIntegerField(null=True)),
                ("revised_rating", models.FloatField(null=True)),
                ("revised_grade", models.CharField(blank=True, max_length=10)),
                ("revised_games", models.PositiveIntegerField(null=True)),
                ("revised_category", models.CharField(blank=True, max_length=12)),
                (
                    "dated",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="ratings.datedlist"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="dated_lines", to="ratings.player"
                    ),
                ),
            ],
            options={
                "ordering": ["rank", "player__family_name", "player__given_name", "player"],
                "indexes": [models.Index(fields=["dated", "rank"], name="ratings_dat_dated_i_956483_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("dated", "player"), name="one_line_per_dated_list_and_player")
                ],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("note", models.TextField(max_length=2000, verbose_name="How can the officers know that it is you?")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("granted", "granted"),
                            ("declined", "declined"),
                            ("released", "taken back"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="open",
                        editable=False,
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("answer", models.TextField(blank=True, max_length=2000, verbose_name="answer")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="claimed by",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "page claim",
                "verbose_name_plural": "page claims",
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("user",),
                        name="one_open_claim_per_user",
                        violation_error_message="You have already claimed a page. Wait for the answer.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "granted", "declined", "released", "withdrawn"])),
                        name="claim_has_a_known_state",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="approval",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="approvals",
                to="ratings.player",
                verbose_name="player",
            ),
        ),
        migrations.CreateModel(
            name="RatingList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("slug", models.SlugField(unique=True, verbose_name="short name in addresses")),
                (
                    "federation",
                    models.CharField(
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="federation",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=100, validators=[ratings.models.players.people.validate_name], verbose_name="name"
                    ),
                ),
                (
                    "system",
                    models.CharField(
                        choices=ratings.models.lists.lists.system_choices, max_length=20, verbose_name="rating system"
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Only the options that differ from the default. The list's rules page shows all of them.",
                        verbose_name="options of the system",
                    ),
                ),
                (
                    "active_years",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Leave empty for the system's default (FESA 2, RIF 5, others 2).",
                        null=True,
                        verbose_name="years without a game until a player becomes inactive",
                    ),
                ),
                (
                    "announced_before",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="FESA: 14.",
                        null=True,
                        verbose_name="days before an event by which it must be announced",
                    ),
                ),
                (
                    "results_within",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="FESA: 14.",
                        null=True,
                        verbose_name="days after an event by which its results must be submitted",
                    ),
                ),
                (
                    "least_time",
                    models.CharField(
                        blank=True,
                        help_text='Minutes and seconds, one of them is enough: "30+30 20+40" (FESA).',
                        max_length=60,
                        verbose_name="minimum time controls",
                    ),
                ),
                (
                    "public",
                    models.BooleanField(
                        default=True,
                        help_text="Until then only staff see the list, no grade is announced, and no correction is logged.",
                        verbose_name="open to the public",
                    ),
                ),
                (
                    "announce_after",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=7,
                        help_text="Leave empty to announce grades only by hand or with a dated list.",
                        null=True,
                        verbose_name="days after acceptance until grades are announced automatically",
                    ),
                ),
                (
                    "second_approver",
                    models.BooleanField(
                        default=False,
                        help_text="For grades that need approval.",
                        verbose_name="a second approver confirms",
                    ),
                ),
                (
                    "four_eyes",
                    models.BooleanField(
                        default=False,
                        help_text="Decisions, adjustments and corrections wait until another officer confirms them.",
                        verbose_name="a second officer confirms",
                    ),
                ),
                (
                    "remind_after",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=30,
                        null=True,
                        verbose_name="days until approvers are reminded of open approvals",
                    ),
                ),
                (
                    "publish_on",
                    models.CharField(
                        blank=True,
                        help_text='Months and days, for example "01-01 06-01": the list is published every year as of the end of these days.',
                        max_length=100,
                        verbose_name="publish the list automatically on",
                    ),
                ),
                ("publish_from", models.DateField(default=datetime.date.today, editable=False)),
                (
                    "out_of_date_from",
                    models.DateField(
                        blank=True,
                        editable=False,
                        help_text="The first day to rate again.",
                        null=True,
                        verbose_name="out of date from",
                    ),
                ),
                (
                    "revision",
                    models.PositiveBigIntegerField(
                        default=0,
                        editable=False,
                        help_text="Number of changes of inputs. A run stores its results only if this has not changed meanwhile.",
                    ),
                ),
                (
                    "problem",
                    ratings.models.message_fields.MessageField(
                        blank=True,
                        editable=False,
                        help_text="The next run tries again.",
                        verbose_name="why it could not be rated",
                    ),
                ),
                (
                    "approvers",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Leave empty for all approvers.",
                        related_name="approver_of",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="approvers of grades",
                    ),
                ),
                (
                    "comparison_to",
                    models.ForeignKey(
                        blank=True,
                        help_text="Takes over the tables and prior grades of that list, and rates them by its own system and options, to be compared. It awards no grades.",
                        limit_choices_to={"comparison_to": None},
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comparisons",
                        to="ratings.ratinglist",
                        verbose_name="comparison to",
                    ),
                ),
                (
                    "officers",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Leave empty for all rating officers.",
                        related_name="officer_of",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="rating officers",
                    ),
                ),
                (
                    "trusted",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Their results are accepted automatically if no problem is found.",
                        related_name="trusted_on",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="trusted organisers",
                    ),
                ),
            ],
            options={
                "verbose_name": "rating list",
                "verbose_name_plural": "rating lists",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("decision", "decision on a grade"),
                            ("adjustment", "adjustment"),
                            ("listplayer", "player of the list"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("add", "add"), ("change", "change"), ("remove", "remove")],
                        max_length=6,
                        verbose_name="what to do",
                    ),
                ),
                ("target", models.PositiveBigIntegerField(blank=True, null=True, verbose_name="id of the stored row")),
                (
                    "content",
                    models.JSONField(
                        blank=True,
                        default=ratings.models.grades.approvals.no_content,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        verbose_name="content",
                    ),
                ),
                (
                    "before",
                    models.JSONField(
                        blank=True,
                        default=ratings.models.grades.approvals.no_content,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        verbose_name="stored content",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting for a second person"),
                            ("confirmed", "confirmed"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="proposed at")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="confirmed or withdrawn at")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="proposed by",
                    ),
                ),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed or withdrawn by",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
            ],
            options={
                "verbose_name": "proposal",
                "verbose_name_plural": "proposals",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting"), ("target__isnull", False)),
                        fields=("kind", "target"),
                        name="one_waiting_proposal_per_row",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "confirmed", "withdrawn"])),
                        name="proposal_state_is_one_of_the_states",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ListStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveBigIntegerField()),
                ("computed_at", models.DateTimeField()),
                ("figures", models.JSONField()),
                (
                    "list",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="statistics", to="ratings.ratinglist"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "list statistics",
            },
        ),
        migrations.CreateModel(
            name="ListPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                (
                    "prior_grade",
                    models.CharField(
                        blank=True,
                        help_text="An official grade held before the first rated table, or the declared rank.",
                        max_length=10,
                        verbose_name="prior grade",
                    ),
                ),
                (
                    "prior_evidence",
                    models.CharField(
                        blank=True,
                        help_text="Diploma, federation's list …",
                        max_length=200,
                        verbose_name="how the prior grade is known",
                    ),
                ),
                ("start_year", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="start year")),
                ("member", models.BooleanField(default=True, verbose_name="member")),
                ("withdrawn", models.BooleanField(default=False, verbose_name="rating withdrawn")),
                (
                    "fixed_rating",
                    models.FloatField(
                        blank=True,
                        help_text="Set for an outsider: this rating is used for their opponents and never changes.",
                        null=True,
                        verbose_name="rating as an outsider",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="on_lists",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
            ],
            options={
                "verbose_name": "player of the list",
                "verbose_name_plural": "players of the list",
                "constraints": [models.UniqueConstraint(fields=("list", "player"), name="one_row_per_list_and_player")],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="lists",
            field=models.ManyToManyField(
                blank=True,
                limit_choices_to={"comparison_to": None},
                related_name="events",
                to="ratings.ratinglist",
                verbose_name="rated on the lists",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="decisions",
                to="ratings.ratinglist",
                verbose_name="list",
            ),
        ),
        migrations.AddField(
            model_name="datedlist",
            name="list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="dated",
                to="ratings.ratinglist",
                verbose_name="list",
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="approvals",
                to="ratings.ratinglist",
                verbose_name="list",
            ),
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("date", models.DateField(verbose_name="date")),
                ("reason", ratings.models.message_fields.MessageField(max_length=300, verbose_name="reason")),
                ("source", models.CharField(blank=True, max_length=200, verbose_name="source")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="entered")),
                (
                    "set",
                    models.JSONField(
                        blank=True,
                        help_text='For example {"rating": 1500, "games": 50}; see the docs.',
                        null=True,
                        verbose_name="state",
                    ),
                ),
                ("shift", models.FloatField(blank=True, null=True, verbose_name="shift of every rated player")),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjustments",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjustments",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
            ],
            options={
                "verbose_name": "adjustment",
                "verbose_name_plural": "adjustments",
                "ordering": ["date", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player__isnull", False), ("set__isnull", False), ("shift__isnull", True)),
                            models.Q(("player__isnull", True), ("set__isnull", True), ("shift__isnull", False)),
                            _connector="OR",
                        ),
                        name="adjustment_sets_one_or_shifts_all",
                        violation_error_message="Either a state for one player or a shift of the whole list.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                (
                    "public_id",
                    models.CharField(
                        default=ratings.models.players.people.new_public_id,
                        editable=False,
                        max_length=12,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("^[A-Za-z0-9]+$")],
                        verbose_name="public id",
                    ),
                ),
                ("text", models.TextField(max_length=2000, verbose_name="what is wrong")),
                (
                    "mail",
                    models.EmailField(
                        blank=True,
                        help_text="Enter it to be notified of the answer.",
                        max_length=254,
                        verbose_name="your email address",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("mended", "problem fixed"),
                            ("right", "not an error"),
                            ("declined", "closed without an answer"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("answer", models.TextField(blank=True, max_length=2000, verbose_name="answer")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="ratings.event",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="ratings.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "reported error",
                "verbose_name_plural": "reported errors",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                (
                    "preview",
                    models.BooleanField(default=False, help_text="Computed and not stored.", verbose_name="preview"),
                ),
                (
                    "reasons",
                    ratings.models.message_fields.MessagesField(blank=True, db_column="reason", verbose_name="reasons"),
                ),
                ("since", models.DateField(null=True, verbose_name="from the day")),
                ("to_do", models.PositiveIntegerField(default=0, verbose_name="tables to do")),
                ("done", models.PositiveIntegerField(default=0, verbose_name="tables done")),
                ("visited", models.PositiveIntegerField(default=0, verbose_name="tables rated")),
                ("players_changed", models.PositiveIntegerField(default=0, verbose_name="players changed")),
                (
                    "biggest",
                    models.JSONField(
                        default=ratings.models.runs.runs.no_rows,
                        help_text="[player, before, after], biggest first",
                        verbose_name="biggest changes",
                    ),
                ),
                (
                    "histogram",
                    models.JSONField(
                        default=ratings.models.runs.runs.no_rows,
                        help_text="[from, to, players] of the changes",
                        verbose_name="histogram",
                    ),
                ),
                (
                    "grades",
                    models.JSONField(
                        default=ratings.models.runs.runs.no_rows,
                        help_text="[player, before, after]",
                        verbose_name="changed grades",
                    ),
                ),
                ("cancel", models.BooleanField(default=False, verbose_name="cancellation requested")),
                ("error", models.TextField(blank=True, verbose_name="error")),
                ("asked_at", models.DateTimeField(auto_now_add=True, verbose_name="queued")),
                ("started_at", models.DateTimeField(null=True, verbose_name="started")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="queued by",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
            ],
            options={
                "verbose_name": "rating run",
                "verbose_name_plural": "rating runs",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["list", "-ended_at"], name="ratings_run_list_id_b53313_idx")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("preview", False), ("state", "waiting")),
                        fields=("list",),
                        name="one_waiting_run_per_list",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("before", models.FloatField(null=True, verbose_name="before")),
                ("after", models.FloatField(null=True, verbose_name="after")),
                ("hidden", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="corrections",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="corrections",
                        to="ratings.run",
                        verbose_name="run",
                    ),
                ),
            ],
            options={
                "verbose_name": "correction",
                "verbose_name_plural": "corrections",
                "ordering": ["-run", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "player"), name="one_correction_per_run_and_player")
                ],
            },
        ),
        migrations.CreateModel(
            name="Spelling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("written", models.CharField(max_length=320)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spellings", to="ratings.player"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="spellings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "written"), name="one_meaning_per_spelling_and_user")
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rating", models.FloatField(null=True, verbose_name="rating")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                ("grade", models.CharField(blank=True, max_length=10, verbose_name="grade")),
                ("grade_index", models.SmallIntegerField(default=-1)),
                ("waiting", models.CharField(blank=True, max_length=10, verbose_name="waiting for approval")),
                ("category", models.CharField(max_length=12, verbose_name="category")),
                ("published", models.BooleanField()),
                ("last_played", models.DateField(null=True, verbose_name="last played")),
                ("last_change", models.FloatField(null=True, verbose_name="±")),
                (
                    "list",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="standings",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="standings",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "standing",
                "verbose_name_plural": "standings",
                "ordering": ["-rating", "player"],
                "indexes": [models.Index(fields=["list", "-rating"], name="ratings_sta_list_id_a77a2d_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("list", "player"), name="one_standing_per_list_and_player")
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                (
                    "name",
                    models.CharField(
                        blank=True,
                        help_text="Needed where an event has several.",
                        max_length=100,
                        validators=[ratings.models.players.people.validate_name],
                        verbose_name="name",
                    ),
                ),
                ("first_day", models.DateField(verbose_name="first day")),
                ("last_day", models.DateField(verbose_name="last day")),
                (
                    "position",
                    models.SmallIntegerField(
                        default=0,
                        help_text="Orders tables that end on the same day.",
                        verbose_name="position within the day",
                    ),
                ),
                ("rated", models.BooleanField(default=True, verbose_name="rated")),
                (
                    "tournament",
                    models.BooleanField(
                        default=True, help_text="Otherwise games of a club.", verbose_name="tournament"
                    ),
                ),
                (
                    "minutes",
                    models.FloatField(
                        blank=True,
                        help_text="Per player and game, without overtime. Leave empty if unknown: it is then accepted.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="thinking time in minutes",
                    ),
                ),
                (
                    "overtime_moves",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="1 is byo-yomi, more are Canadian overtime.",
                        null=True,
                        verbose_name="overtime: moves",
                    ),
                ),
                (
                    "overtime_seconds",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="overtime: seconds for them"),
                ),
                (
                    "increment",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Added with every move, in place of overtime.",
                        null=True,
                        verbose_name="increment in seconds",
                    ),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="deleted")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="ratings.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "table",
                "verbose_name_plural": "tables",
                "ordering": ["last_day", "first_day", "position", "event__name", "name"],
                "indexes": [models.Index(fields=["last_day"], name="ratings_tab_last_da_4daa35_idx")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("last_day__gte", models.F("first_day"))),
                        name="table_ends_after_its_start",
                        violation_error_message="The last day is before the first day.",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at", None)),
                        fields=("event", "name"),
                        name="one_table_of_a_name_per_event",
                        violation_error_message="Another table of this event has the same name.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("overtime_moves__isnull", True), ("overtime_seconds__isnull", True)),
                            models.Q(
                                ("increment__isnull", True),
                                ("overtime_moves__gte", 1),
                                ("overtime_moves__isnull", False),
                                ("overtime_seconds__gte", 1),
                                ("overtime_seconds__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="overtime_has_moves_and_seconds",
                        violation_error_message="Overtime needs moves and seconds, and excludes an increment.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        blank=True, help_text="Needed where an event has several.", max_length=100, verbose_name="name"
                    ),
                ),
                ("first_day", models.DateField(verbose_name="first day")),
                ("last_day", models.DateField(verbose_name="last day")),
                ("content", models.JSONField(default=dict, verbose_name="results")),
                (
                    "warnings",
                    models.JSONField(
                        default=list, editable=False, help_text="Confirmed warnings: [row, round, message, reason]."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("working", "being entered"),
                            ("submitted", "submitted"),
                            ("returned", "returned"),
                            ("accepted", "accepted"),
                            ("deleted", "deleted"),
                        ],
                        default="working",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                (
                    "reason",
                    ratings.models.message_fields.MessageField(
                        blank=True, max_length=300, verbose_name="reason for the correction"
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "version",
                    models.PositiveIntegerField(default=0, editable=False, help_text="Number of times it was saved."),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="deleted")),
                ("accepted_at", models.DateTimeField(blank=True, null=True, verbose_name="accepted")),
                (
                    "accepted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="accepted by",
                    ),
                ),
                (
                    "changed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="changed by",
                    ),
                ),
                (
                    "deleted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="deleted by",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="submissions",
                        to="ratings.event",
                        verbose_name="event",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="entered by",
                    ),
                ),
                (
                    "replaced_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="replaced",
                        to="ratings.submission",
                        verbose_name="replaced by",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        help_text="The table that these results became, or that they correct.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="submissions",
                        to="ratings.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "db_table": "ratings_sheet",
                "verbose_name": "submission",
                "verbose_name_plural": "submissions",
                "ordering": ["last_day", "name", "pk"],
                "indexes": [models.Index(fields=["state"], name="ratings_she_state_823b44_idx")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("last_day__gte", models.F("first_day"))),
                        name="sheet_ends_after_its_start",
                        violation_error_message="The last day is before the first day.",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["accepted", "deleted"]), _negated=True),
                        fields=("table",),
                        name="one_open_correction_per_table",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatedTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("place", models.PositiveIntegerField()),
                ("rounds", models.PositiveIntegerField()),
                ("settled", models.BooleanField()),
                ("warnings", ratings.models.message_fields.MessagesField(blank=True)),
                (
                    "stale",
                    models.BooleanField(default=False, help_text="The table, or data of its players, has changed."),
                ),
                (
                    "list",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rated_tables",
                        to="ratings.ratinglist",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="ratings",
                        to="ratings.table",
                    ),
                ),
            ],
            options={
                "ordering": ["day", "place"],
                "indexes": [models.Index(fields=["list", "day"], name="ratings_rat_list_id_e187be_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "list"), name="one_rating_per_list_and_table")
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                (
                    "score",
                    models.FloatField(
                        choices=[(1.0, "1"), (0.5, "½"), (0.0, "0")], verbose_name="score of the first player"
                    ),
                ),
                ("played", models.BooleanField(default=True, verbose_name="played")),
                (
                    "handicap",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("s", "sente"),
                            ("l", "lance"),
                            ("b", "bishop"),
                            ("r", "rook"),
                            ("rl", "rook and lance"),
                            ("2p", "2 pieces"),
                            ("4p", "4 pieces"),
                            ("5p", "5 pieces"),
                            ("6p", "6 pieces"),
                        ],
                        max_length=2,
                        null=True,
                        verbose_name="handicap",
                    ),
                ),
                (
                    "giver",
                    models.CharField(
                        blank=True,
                        choices=[("a", "first player"), ("b", "second player")],
                        max_length=1,
                        null=True,
                        verbose_name="handicap giver",
                    ),
                ),
                ("stones", models.PositiveSmallIntegerField(default=0, verbose_name="handicap stones")),
                (
                    "black",
                    models.CharField(
                        blank=True,
                        choices=[("a", "first player"), ("b", "second player")],
                        max_length=1,
                        null=True,
                        verbose_name="black",
                    ),
                ),
                (
                    "board",
                    models.PositiveSmallIntegerField(
                        default=19, validators=[django.core.validators.MinValueValidator(2)], verbose_name="board size"
                    ),
                ),
                ("online", models.BooleanField(default=False, verbose_name="online")),
                ("correspondence", models.BooleanField(default=False, verbose_name="by correspondence")),
                (
                    "a",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games_as_a",
                        to="ratings.entry",
                        verbose_name="first player",
                    ),
                ),
                (
                    "b",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games_as_b",
                        to="ratings.entry",
                        verbose_name="second player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="ratings.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "ordering": ["table", "round", "a__number"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("b__isnull", True), models.Q(("a", models.F("b")), _negated=True), _connector="OR"
                        ),
                        name="no_game_against_oneself",
                        violation_error_message="Players cannot play against themselves.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("score__in", (0.0, 0.5, 1.0))), name="score_is_0_half_or_1"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("played", False), ("b__isnull", False), _connector="OR"),
                        name="a_played_game_has_two_players",
                        violation_error_message="A played game needs two players.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("giver__isnull", True), ("handicap__isnull", True)),
                            models.Q(
                                ("b__isnull", False),
                                ("giver__in", ["a", "b"]),
                                ("giver__isnull", False),
                                ("handicap__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_handicap_has_a_giver",
                        violation_error_message="Enter both the handicap and the handicap giver, or neither.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("stones", 0),
                            models.Q(("b__isnull", False), ("black__in", ["a", "b"]), ("black__isnull", False)),
                            _connector="OR",
                        ),
                        name="stones_are_for_black",
                        violation_error_message="Enter who has Black: handicap stones require it.",
                    ),
                    models.UniqueConstraint(
                        models.F("table"),
                        models.F("round"),
                        django.db.models.functions.comparison.Least("a", "b"),
                        django.db.models.functions.comparison.Greatest("a", "b"),
                        condition=models.Q(("b__isnull", False)),
                        name="one_game_per_pair_and_round",
                        violation_error_message="These two have another game in this round.",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("b__isnull", True)),
                        fields=("table", "round", "a"),
                        name="one_unpaired_result_per_round",
                        violation_error_message="This player has another result without an opponent in this round.",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="entry",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="ratings.table",
                verbose_name="table",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="before",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty: at the start of the day.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="ratings.table",
                verbose_name="just before the table",
            ),
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(verbose_name="day")),
                ("place", models.PositiveIntegerField()),
                ("category", models.CharField(max_length=12, verbose_name="category")),
                ("category_after", models.CharField(max_length=12, verbose_name="category after")),
                ("before", models.FloatField(null=True, verbose_name="rating before")),
                ("after", models.FloatField(null=True, verbose_name="rating after")),
                ("change", models.FloatField(null=True, verbose_name="±")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                ("games_after", models.PositiveIntegerField(null=True, verbose_name="games so far")),
                ("performance", models.FloatField(null=True, verbose_name="performance")),
                ("grade_before", models.CharField(blank=True, max_length=10, verbose_name="grade before")),
                ("grade", models.CharField(blank=True, max_length=10, verbose_name="grade")),
                ("published", models.BooleanField(default=True)),
                (
                    "hidden",
                    models.BooleanField(default=False, help_text="Not shown: withdrawn, or not to be published."),
                ),
                ("note", ratings.models.message_fields.MessageField(blank=True)),
                ("state", models.TextField(help_text="State after the step, as canonical JSON.")),
                (
                    "adjustment",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="changes",
                        to="ratings.adjustment",
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="changes",
                        to="ratings.decision",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="%(class)ss",
                        to="ratings.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "change",
                "verbose_name_plural": "changes",
                "ordering": ["day", "place"],
                "indexes": [models.Index(fields=["list", "day"], name="ratings_cha_list_id_7e4f1f_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "list", "day", "place"), name="one_change_per_step"),
                    models.UniqueConstraint(fields=("table", "list", "player"), name="one_change_per_table"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Award",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(verbose_name="day")),
                ("place", models.PositiveIntegerField()),
                ("grade", models.CharField(max_length=10, verbose_name="grade")),
                ("how", models.CharField(max_length=20, verbose_name="how")),
                ("game", models.PositiveIntegerField(null=True, verbose_name="game")),
                ("needs_approval", models.BooleanField(default=False, verbose_name="needs approval")),
                (
                    "last_of_step",
                    models.BooleanField(default=True, help_text="The public notice names the last grade only."),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="%(class)ss",
                        to="ratings.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "award",
                "verbose_name_plural": "awards",
                "ordering": ["day", "place", "pk"],
                "indexes": [
                    models.Index(fields=["list", "day"], name="ratings_awa_list_id_fa82c4_idx"),
                    models.Index(fields=["player", "list"], name="ratings_awa_player__395b0a_idx"),
                ],
            },
        ),
        migrations.AddField(
            model_name="approval",
            name="table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ratings.table",
                verbose_name="earned in",
            ),
        ),
        migrations.AddField(
            model_name="adjustment",
            name="before",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty: at the start of the day.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="ratings.table",
                verbose_name="just before the table",
            ),
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200, verbose_name="file name")),
                ("form", models.CharField(max_length=20, verbose_name="format")),
                ("data", models.BinaryField()),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="uploads",
                        to="ratings.event",
                        verbose_name="event",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="uploads",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        db_column="sheet_id",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="uploads",
                        to="ratings.submission",
                        verbose_name="submission",
                    ),
                ),
            ],
            options={
                "verbose_name": "upload",
                "verbose_name_plural": "uploads",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="RecordedStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("list imported", "rating list imported"),
                            ("results imported", "results imported"),
                            ("grade announced", "grade announced"),
                            ("claim answered", "claim answered"),
                            ("page released", "page disconnected from its account"),
                            ("person erased", "person erased"),
                            ("visibility changed", "visibility changed"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                ("values", models.JSONField(default=ratings.models.site.recorded_steps.no_values, editable=False)),
                (
                    "reason",
                    ratings.models.message_fields.MessageField(blank=True, max_length=300, verbose_name="reason"),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="at")),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone")),
                ("undone_reason", models.CharField(blank=True, max_length=300, verbose_name="why it was undone")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recorded_steps",
                        to="ratings.ratinglist",
                        verbose_name="list",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recorded_steps",
                        to="ratings.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
                (
                    "upload",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="recorded_steps",
                        to="ratings.upload",
                        verbose_name="file",
                    ),
                ),
            ],
            options={
                "verbose_name": "recorded step",
                "verbose_name_plural": "recorded steps",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["what", "list", "-at"], name="ratings_rec_what_9fb808_idx")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("player__isnull", False), ("list__isnull", False), _connector="OR"),
                        name="recorded_step_has_a_player_or_a_list",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                condition=models.Q(("end__isnull", True)), fields=("player",), name="one_present_membership_per_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="datedlist",
            constraint=models.UniqueConstraint(fields=("list", "day"), name="one_dated_list_a_day"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("table", "player"), name="one_entry_per_player_and_table"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("table", "number"), name="one_entry_per_number_and_table"),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("before__isnull", True)),
                fields=("list", "player", "grade", "date", "ruling"),
                name="one_decision_per_grade_and_date",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("before__isnull", False)),
                fields=("list", "player", "grade", "before", "ruling"),
                name="one_decision_per_grade_and_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["waiting", "sent", "proposed"])),
                fields=("list", "player", "grade"),
                name="one_open_approval_per_grade",
            ),
        ),
        migrations.RunPython(create_trigram_indexes, drop_trigram_indexes),
    ]

"""Kinds of data that the portal stores about a person, with the fields that the person can download."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.models import (
    Adjustment,
    ApiKey,
    Approval,
    ApprovalQuestion,
    ApprovalStep,
    Award,
    BatchFile,
    Change,
    Claim,
    DatedLine,
    Decision,
    EventEntry,
    EventStep,
    FederationMembership,
    FileBatch,
    Follow,
    FollowSettings,
    FormerName,
    HallLink,
    HallResult,
    ListPlayer,
    Membership,
    OutsideId,
    PairingSecret,
    Parcel,
    RecordedStep,
    Report,
    RuleProposal,
    SavedAnswer,
    Standing,
    Study,
    Submission,
    SubmissionComment,
    Upload,
    WebhookSubscription,
)


@dataclass(frozen=True)
class Source:
    """Rows of a model that belong to a person: `owner` is the field that leads to the account or the player."""

    key: str
    title: str | Promise
    model: type[models.Model]
    owner: str
    fields: str
    """Names of the fields and properties, separated by spaces."""
    related: str = ""
    """Relations that the texts of these need, beside the fields that are relations, separated by spaces."""

    @property
    def names(self) -> list[str]:
        return self.fields.split()


OF_ACCOUNT = (
    Source("email_addresses", _("Email addresses"), EmailAddress, "user", "email verified primary"),
    Source("second_factors", _("Second factors"), Authenticator, "user", "type created_at last_used_at"),
    Source("sessions", _("Sessions"), UserSession, "user", "ip user_agent created_at last_seen_at"),
    Source("claims", _("Claimed pages"), Claim, "user", "player note at state answer answered_at"),
    Source(
        "followed_pages", _("Followed pages"), Follow, "user", "target frequency created_at", "player club event list"
    ),
    Source("email_settings", _("Email settings"), FollowSettings, "user", "own_corrections"),
    Source(
        "reports_sent",
        _("Errors that I reported"),
        Report,
        "by",
        "public_id about text mail at state answer",
        "event player",
    ),
    Source(
        "api_keys", _("API keys"), ApiKey, "owner", "label prefix scopes made_at expires_at last_used_at revoked_at"
    ),
    Source("event_steps", _("My actions on events"), EventStep, "by", "event what at note"),
    Source("comments", _("My comments on results"), SubmissionComment, "by", "at row round text"),
    Source("uploads", _("My uploaded files"), Upload, "by", "name format at"),
    Source("batches", _("Files that I uploaded together"), FileBatch, "made_by", "made_at"),
    Source(
        "batch_files",
        _("Each of the files that I uploaded together"),
        BatchFile,
        "batch__made_by",
        "batch name state event",
    ),
    Source("submissions", _("Results that I entered"), Submission, "made_by", "event name made_at state"),
    Source("hall_results", _("Results that I sent from the hall"), HallResult, "by", "code name device at"),
    Source(
        "hall_links", _("Links for helpers in the hall"), HallLink, "made_by", "label made_at expires_at revoked_at"
    ),
    Source(
        "pairing_secrets",
        _("Secrets of pairing programs"),
        PairingSecret,
        "made_by",
        "event prefix made_at last_used_at",
    ),
    Source("webhooks", _("Webhooks"), WebhookSubscription, "owner", "name address kinds state created_at"),
    Source(
        "saved_answers", _("Answers that I have not sent"), SavedAnswer, "user", "case values saved_at", "case__player"
    ),
    Source("rule_proposals", _("Proposed changes of rules"), RuleProposal, "made_by", "list title reason state"),
    Source("studies", _("Studies in the laboratory"), Study, "made_by", "list made_at state"),
)
OF_PLAYER = (
    Source("clubs", _("Clubs"), Membership, "player", "club start end"),
    Source("memberships", _("Memberships of federations"), FederationMembership, "player", "federation until"),
    Source("former_names", _("Former names"), FormerName, "player", "family_name given_name until"),
    Source("outside_ids", _("Ids in other registries"), OutsideId, "player", "registry country value confirmed_at"),
    Source(
        "lists",
        _("Data on rating lists"),
        ListPlayer,
        "player",
        "list prior_grade prior_evidence start_year member withdrawn",
    ),
    Source("ratings", _("Ratings"), Standing, "player", "list rating games grade category last_played"),
    Source(
        "rating_changes",
        _("Rating changes"),
        Change,
        "player",
        "list day table before after grade_before grade performance",
        "table__event",
    ),
    Source(
        "published_lists",
        _("Lines of published lists"),
        DatedLine,
        "player",
        "dated rank rating grade games revised_rank revised_rating revised_grade revised_games",
        "dated__list",
    ),
    Source("grades", _("Grades"), Award, "player", "list day grade how"),
    Source("decisions", _("Decisions on grades"), Decision, "player", "list date grade ruling reason source"),
    Source("adjustments", _("Adjustments"), Adjustment, "player", "list date set reason source"),
    Source(
        "approvals",
        _("Approvals of grades"),
        Approval,
        "player",
        "list grade earned_on evidence state granted answered_on effective reference reason letter",
    ),
    Source(
        "approval_steps",
        _("Steps of approvals"),
        ApprovalStep,
        "case__player",
        "case what at note letter",
        "case__player",
    ),
    Source(
        "approval_questions",
        _("Questions about approvals"),
        ApprovalQuestion,
        "case__player",
        "case text asked_at reply replied_at",
        "case__player",
    ),
    Source(
        "approval_letters",
        _("Letters to approving bodies"),
        Parcel,
        "case__player",
        "case subject body reference sent_at dossier certificate",
        "case__player",
    ),
    Source(
        "entries",
        _("Entries for events"),
        EventEntry,
        "player",
        "event family_name given_name country club email message is_listed state entered_at",
    ),
    Source("reports_about", _("Errors reported about my page"), Report, "player", "public_id text at state answer"),
    Source("steps", _("Actions on my data"), RecordedStep, "player", "what list at reason undone_at undone_reason"),
)
LOGGED_WITH_PLAYER: tuple[type[models.Model], ...] = (
    Membership,
    FederationMembership,
    OutsideId,
    FormerName,
    EventEntry,
)
"""Models with a player whose changes are in the audit trail."""
PLAYER_FIELDS = [
    "public_id",
    "family_name",
    "given_name",
    "native_name",
    "country",
    "birth_date",
    "birth_year",
    "birth_public",
    "gender",
    "gender_public",
    "shown",
]
USER_FIELDS = ["username", "first_name", "last_name", "email", "date_joined", "last_login"]
LABELS = {
    "target": _("page"),
    "about": _("page"),
    "dated": _("published list"),
    "at": _("time"),
    "what": _("step"),
    "ip": _("network address"),
    "user_agent": _("browser"),
    "created_at": _("since"),
    "last_seen_at": _("last used"),
    "dossier": _("dossier"),
    "certificate": _("draft of the certificate"),
    "letter": _("letter"),
}
"""Labels of properties, and of fields that have none."""

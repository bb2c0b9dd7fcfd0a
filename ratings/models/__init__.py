from ratings.models.events.entries import EntryList, EventEntry
from ratings.models.events.events import Event
from ratings.models.events.pairing_programs import ErasedWord, PairingPage, PairingSecret
from ratings.models.events.tables import Entry, Game, Table
from ratings.models.grades.approvals import Approval, ApprovalStep, Proposal
from ratings.models.grades.parcels import AnswerLink, Parcel
from ratings.models.grades.questions import ApprovalQuestion, SavedAnswer
from ratings.models.lists.adjustments import Adjustment, Decision
from ratings.models.lists.dated import DatedLine, DatedList
from ratings.models.lists.federation_memberships import FederationMembership
from ratings.models.lists.federations import Federation
from ratings.models.lists.lists import ListPlayer, RatingList
from ratings.models.lists.rule_proposals import RuleEffect, RuleProposal, RuleProposalStep
from ratings.models.lists.statistics import ListStatistics
from ratings.models.lists.studies import Study
from ratings.models.players.claims import Claim
from ratings.models.players.former_names import FormerName
from ratings.models.players.merges import Merge
from ratings.models.players.outside_ids import OutsideId, Registry
from ratings.models.players.people import (
    ANONYMOUS_NAME,
    Club,
    Gender,
    Membership,
    NameVisibility,
    Player,
    new_public_id,
    public_name_parts,
    use_full_names,
)
from ratings.models.players.searchable import Searchable, folded_name
from ratings.models.results.batches import BatchFile, FileBatch
from ratings.models.results.comments import SubmissionComment
from ratings.models.results.halls import Hall, HallBoard, HallLink, HallResult
from ratings.models.results.submissions import EventStep, Spelling, Submission, Upload
from ratings.models.runs.checkpoints import Checkpoint, LeafBlock, LogKey, WitnessedLog
from ratings.models.runs.derived import Award, Change, RatedTable, Standing
from ratings.models.runs.facts import TableFacts
from ratings.models.runs.runs import Correction, Heartbeat, Run
from ratings.models.site.change_messages import ChangeKind, ChangeMessage
from ratings.models.site.following import TARGETS, Follow, FollowedChange, FollowSettings, MailFrequency
from ratings.models.site.held_forms import HeldFile, HeldForm
from ratings.models.site.keys import ApiKey
from ratings.models.site.mails import Notification, OutgoingFile, OutgoingMail
from ratings.models.site.recorded_steps import RecordedStep
from ratings.models.site.reports import Report
from ratings.models.site.versioned import Versioned, VersionedQuerySet
from ratings.models.site.webhooks import WebhookDelivery, WebhookSubscription

__all__ = [
    "ANONYMOUS_NAME",
    "TARGETS",
    "Adjustment",
    "AnswerLink",
    "ApiKey",
    "Approval",
    "ApprovalQuestion",
    "ApprovalStep",
    "Award",
    "BatchFile",
    "Change",
    "ChangeKind",
    "ChangeMessage",
    "Checkpoint",
    "Claim",
    "Club",
    "Correction",
    "DatedLine",
    "DatedList",
    "Decision",
    "Entry",
    "EntryList",
    "ErasedWord",
    "Event",
    "EventEntry",
    "EventStep",
    "Federation",
    "FederationMembership",
    "FileBatch",
    "Follow",
    "FollowSettings",
    "FollowedChange",
    "FormerName",
    "Game",
    "Gender",
    "Hall",
    "HallBoard",
    "HallLink",
    "HallResult",
    "Heartbeat",
    "HeldFile",
    "HeldForm",
    "LeafBlock",
    "ListPlayer",
    "ListStatistics",
    "LogKey",
    "MailFrequency",
    "Membership",
    "Merge",
    "NameVisibility",
    "Notification",
    "OutgoingFile",
    "OutgoingMail",
    "OutsideId",
    "PairingPage",
    "PairingSecret",
    "Parcel",
    "Player",
    "Proposal",
    "RatedTable",
    "RatingList",
    "RecordedStep",
    "Registry",
    "Report",
    "RuleEffect",
    "RuleProposal",
    "RuleProposalStep",
    "Run",
    "SavedAnswer",
    "Searchable",
    "Spelling",
    "Standing",
    "Study",
    "Submission",
    "SubmissionComment",
    "Table",
    "TableFacts",
    "Upload",
    "Versioned",
    "VersionedQuerySet",
    "WebhookDelivery",
    "WebhookSubscription",
    "WitnessedLog",
    "folded_name",
    "new_public_id",
    "public_name_parts",
    "use_full_names",
]

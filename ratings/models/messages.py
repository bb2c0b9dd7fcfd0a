"""Messages that the portal stores with runs, adjustments and decisions."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class RunReason(MessageCode, namespace="run"):
    """Reasons why a list is rated again."""

    TABLE_CHANGED = _("{table} was changed")
    TABLE_ADDED = _("{table} was added")
    TABLE_DELETED = _("{table} was deleted")
    TABLE_RESTORED = _("{table} was restored")
    EVENT_VOIDED = _("{event} was voided")
    ACCEPTANCE_UNDONE = _("the acceptance of {event} was undone")
    EVENT_CHANGED = _("{event} was accepted or changed")
    OF_PLAYER = _("player {player}")
    OF_LIST = _("the list")
    DECISION_WITHDRAWN = _("decision of {date} for {whom} withdrawn")
    DECISION_CHANGED = _("decision of {date} for {whom} added or changed")
    ADJUSTMENT_WITHDRAWN = _("adjustment of {date} for {whom} withdrawn")
    ADJUSTMENT_CHANGED = _("adjustment of {date} for {whom} added or changed")
    OPTIONS_CHANGED = _("the list's system or options were changed")
    RATED_FROM_THE_START = _("rated again from the beginning, as requested")
    LIST_IMPORT_UNDONE = _("import of {source} of {day} undone")
    RESULTS_IMPORT_UNDONE = _("import of {files} undone")
    PLAYERS_MERGED = _("{gone} was merged into {kept}")
    MERGE_UNDONE = _("the merge of {gone} into {kept} was undone")
    MOVE_UNDONE = _("undone: {what}")
    SEED_LIST_CHANGED = _("ratings of {list} were changed")
    SUCCESSOR_STARTED = _("started with the ratings of {list}")
    PLAYER_CHANGED = _("the data of {player} on this list were changed")
    HISTORY_RECORDS_ADDED = _("records of a history file were added")
    HISTORY_RECORDS_REMOVED = _("records of a history file were removed")


class ApprovalNote(MessageCode, namespace="approval"):
    """Notes of the steps of an approval."""

    APPROVED = _("approved, counts from {day}")
    DECLINED = _("declined")
    ANSWERED = _("answer of {day}")
    SENT = _("on {day}")
    REPLIED = _("days until the answer: {days}")


class RecordReason(MessageCode, namespace="record"):
    """Reasons of adjustments and decisions that the portal records itself."""

    ANNOUNCED = _("announced")
    CONTINUED = _("rating on {list}")
    ANNOUNCED_AFTER_TERM = _("announced after the term")
    ANNOUNCED_WITH_LIST = _("announced with the list of {day}")
    EARNED = _("{reason}; earned {day} ({how})")
    OPENING = _("starting rating from the federation's list")
    OPENED_BY_LIST = _("added with the list {source} of {day}")
    CARRIED_OVER = _("starting rating, carried over from the {year} list")
    CORRECTION_UNDONE = _("correction undone")
    FROM_HISTORY = _("from a history file")
    SEE_COMMENTS = _("see the comments on the results")
    PUBLISHED_RATING = _("published rating")
    PUBLISHED_PROMOTIONS = _("published promotions")

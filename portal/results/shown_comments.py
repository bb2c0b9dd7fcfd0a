"""Comments of officers on the results page: their places, their buttons, and the form that adds one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ratings.access import Action, may
from ratings.domain.results.comments import (
    CLOSED,
    COMMENT_STEPS,
    OF_AUTHOR,
    add_comment,
    comments_of,
    describe_comment_place,
)
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import Submission, SubmissionComment

BUTTON = "comment-do"
"""Name of the buttons of comments; their values are a step and a primary key, such as “settle:5”."""
STEP = re.compile(r"(?P<step>[a-z]+):(?P<pk>\d{1,18})", re.ASCII)


@dataclass(frozen=True)
class ShownComment:
    """A comment on the page with its place in words, the id of its field, and its buttons as (value, label).

    The id is empty for a comment on a draft that this one replaced.
    """

    comment: SubmissionComment
    place: str
    field_id: str
    buttons: Sequence[tuple[str, str]]

    @property
    def row(self) -> int:
        """The row of the table beside which the comment stands; 0 if it stands in the list only."""
        return self.comment.row if self.field_id and self.comment.is_open else 0


@dataclass(frozen=True)
class CommentEntry:
    """Texts of the form that adds a comment, as typed."""

    row: str = ""
    round: str = ""
    text: str = ""

    @classmethod
    def from_post(cls, post: QueryDict) -> CommentEntry:
        return cls(*(post.get(f"comment-{name}", "") for name in ("row", "round", "text")))


def may_comment(user: Any, submission: Submission) -> bool:
    """Return True if a user may comment on a submission: an officer of its lists, until it is accepted or deleted."""
    return submission.state not in CLOSED and may(user, Action.REVIEW, submission)


def list_comments(submission: Submission, content: SheetContent, user: Any) -> list[ShownComment]:
    """Return all comments on a submission and on the drafts that it replaced, by row and round."""
    comments = list(comments_of(submission))
    if not comments:
        return []
    settles, reviews = (may(user, action, submission) for action in (Action.SETTLE, Action.REVIEW))
    contents = {submission.pk: content}
    shown = []
    for comment in comments:
        own = contents.get(comment.submission_id)
        if own is None:
            own = contents[comment.submission_id] = content_from_json(comment.submission.content)
        buttons = _list_buttons(comment, settles, reviews and comment.by_id == user.pk)
        place = describe_comment_place(comment, own)
        shown.append(ShownComment(comment, place, _get_field_id(comment, submission), buttons))
    return shown


def _get_field_id(comment: SubmissionComment, submission: Submission) -> str:
    if comment.submission_id != submission.pk:
        return ""
    return f"id_row-{comment.row}-" + ("family" if comment.round is None else f"round-{comment.round}")


def _list_buttons(comment: SubmissionComment, settles: bool, is_author: bool) -> list[tuple[str, str]]:
    labels = {
        "settle": pgettext("comment", "Settled"),
        "reopen": _("Open again"),
        "withdraw": _("Withdraw the comment"),
        "restore": _("Restore the comment"),
    }
    steps = []
    if settles and comment.withdrawn_at is None:
        steps.append("settle" if comment.settled_at is None else "reopen")
    if is_author:
        steps.append("withdraw" if comment.withdrawn_at is None else "restore")
    return [(f"{step}:{comment.pk}", labels[step]) for step in steps]


def take_comment_step(user: Any, submission: Submission, button: str) -> None:
    """Do the step of a comment's button.

    Raise PermissionDenied if the user may not, Http404 if there is no such comment, and ValidationError with a reason.
    """
    match = STEP.fullmatch(button)
    if not match or match["step"] not in COMMENT_STEPS:
        raise ValidationError(_("Unknown button: reload the page."))
    if not may(user, Action.REVIEW if match["step"] in OF_AUTHOR else Action.SETTLE, submission):
        raise PermissionDenied
    COMMENT_STEPS[match["step"]](get_object_or_404(comments_of(submission), pk=int(match["pk"])))


def add_posted_comment(user: Any, submission: Submission, entry: CommentEntry) -> None:
    """Add the comment that was typed.

    Raise PermissionDenied if the user may not comment, and ValidationError if it cannot be added.
    """
    if not may(user, Action.REVIEW, submission):
        raise PermissionDenied
    round_ = _read_number(entry.round) if entry.round else None
    add_comment(submission, _read_number(entry.row), round_, entry.text)


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0

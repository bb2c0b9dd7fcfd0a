"""Comments of officers on cells and rows of submissions: added, withdrawn and settled, each of which can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import Event, Submission, SubmissionComment

from .edit_lines import name_row

MAX_LENGTH = 1000
"""Maximum number of characters of a comment."""
CLOSED = (Submission.State.ACCEPTED, Submission.State.DELETED)


@transaction.atomic
def add_comment(submission: Submission, row: int, round_: int | None, text: str) -> SubmissionComment:
    """Add a comment of the acting user to a cell of a submission, or to a whole row if `round_` is None.

    Raise ValidationError if the text is empty or too long, if the table has no such row or round, or if the results
    were accepted or deleted.
    """
    stored = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    content = content_from_json(stored.content)
    if stored.state in CLOSED:
        text_ = _("The comment is not saved: these results are %(state)s.")
        raise ValidationError(text_ % {"state": stored.get_state_display()})
    if not 0 < row <= len(content.rows) or not (round_ is None or 0 < round_ <= content.rounds):
        places = {"rows": len(content.rows), "rounds": content.rounds}
        raise ValidationError(_("Choose a row from 1 to %(rows)d, and a round from 1 to %(rounds)d or none.") % places)
    if not 0 < len(text.strip()) <= MAX_LENGTH:
        raise ValidationError(_("Enter a comment of at most %(most)d characters.") % {"most": MAX_LENGTH})
    comment = SubmissionComment(submission=stored, row=row, round=round_, text=text.strip(), by=acting_user())
    comment.save()
    return comment


@transaction.atomic
def withdraw_comment(comment: SubmissionComment) -> None:
    """Withdraw a comment; it stays recorded. Raise ValidationError unless the acting user wrote it."""
    _check_author(comment)
    comment.withdrawn_at = comment.withdrawn_at or timezone.now()
    comment.save(update_fields=["withdrawn_at"])


@transaction.atomic
def restore_comment(comment: SubmissionComment) -> None:
    """Restore a withdrawn comment. Raise ValidationError unless the acting user wrote it."""
    _check_author(comment)
    comment.withdrawn_at = None
    comment.save(update_fields=["withdrawn_at"])


@transaction.atomic
def settle_comment(comment: SubmissionComment) -> None:
    """Mark a comment as settled by the acting user."""
    comment.settled_at, comment.settled_by = timezone.now(), acting_user()
    comment.save(update_fields=["settled_at", "settled_by"])


@transaction.atomic
def reopen_comment(comment: SubmissionComment) -> None:
    """Mark a settled comment as open again."""
    comment.settled_at = comment.settled_by = None
    comment.save(update_fields=["settled_at", "settled_by"])


COMMENT_STEPS: Mapping[str, Callable[[SubmissionComment], None]] = {
    "withdraw": withdraw_comment,
    "restore": restore_comment,
    "settle": settle_comment,
    "reopen": reopen_comment,
}
"""Functions of the buttons of a comment."""
OF_AUTHOR = ("withdraw", "restore")
"""Steps that only the author of a comment can take."""


def _check_author(comment: SubmissionComment) -> None:
    if comment.by != acting_user():
        raise ValidationError(_("Only the author can withdraw or restore a comment: mark it as settled instead."))


def comments_of(submission: Submission) -> QuerySet[SubmissionComment]:
    """Return the comments on a submission, and on the drafts that it replaced."""
    replaced = Q(submission__replaced_by=submission.pk) | Q(submission__replaced_by__replaced_by=submission.pk)
    comments = SubmissionComment.objects.filter(Q(submission=submission.pk) | replaced)
    return comments.select_related("submission", "by", "settled_by").order_by("row", "round", "pk")


def open_comments(event: Event) -> QuerySet[SubmissionComment]:
    """Return the comments on the results of an event that were not withdrawn or settled."""
    submissions = event.submissions.exclude(state__in=CLOSED)
    comments = SubmissionComment.objects.filter(submission__in=submissions, withdrawn_at=None, settled_at=None)
    return comments.select_related("submission", "by").order_by("submission", "row", "round", "pk")


def describe_comment_place(comment: SubmissionComment, content: SheetContent) -> str:
    """Return the place of a comment on a submission with this content, such as “Lind Eva, round 3”."""
    name = name_row(content, comment.row)
    if comment.round is None:
        return name
    return _("%(name)s, round %(round)s") % {"name": name, "round": comment.round}


def describe_open_comments(event: Event) -> list[str]:
    """Return the open comments on the results of an event in words, each with its place."""
    contents: dict[int, SheetContent] = {}
    lines = []
    for comment in open_comments(event):
        content = contents.setdefault(comment.submission_id, content_from_json(comment.submission.content))
        lines.append(f"{describe_comment_place(comment, content)}: {comment.text}")
    return lines

"""Permission checks on all lists that a step affects, called by the functions that make the step."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.site.acting import acting_user
from ratings.localize import join_clauses, join_parts
from ratings.models import RatingList


class NotOfficerError(PermissionDenied):
    """Error if the acting user is not an officer of all lists that a step affects; `lists` are the missing ones."""

    def __init__(self, lists: list[RatingList]) -> None:
        self.lists = lists
        parts = (f"{each} ({join_parts(each.officers.order_by('username'))})" for each in lists)
        message = _(
            "This also concerns %(lists)s. Ask an administrator, or an officer who looks after all of these lists."
        )
        super().__init__(message % {"lists": join_clauses(parts)})


def check_officer(lists: Iterable[RatingList] = ()) -> None:
    """Raise PermissionDenied unless the acting user is a rating officer of each of these lists.

    Commands and tasks have no acting user and may do everything.
    """
    user = acting_user()
    if user is None:
        return
    if not may(user, Action.KEEP_PLAYERS):
        raise PermissionDenied
    if missing := [each for each in lists if not may(user, Action.KEEP_LIST, each)]:
        raise NotOfficerError(missing)

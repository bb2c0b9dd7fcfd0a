"""The arguments --as and --second, which name the users who record grades that need approval."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from ratings.domain.grades.grade_approval import ListStart, get_list_start
from ratings.domain.site.acting import act_as
from ratings.models import RatingList


def people_arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a command that starts lists."""
    parser.add_argument(
        "--as", dest="as_user", metavar="USER", help="the administrator who records grades that need approval"
    )
    parser.add_argument("--second", metavar="USER", help="the second person for these grades, if the list requires two")


@contextmanager
def named_people(options: dict[str, Any], rating_list: RatingList) -> Iterator[ListStart]:
    """Act as the named administrator, and yield the ListStart that says which grades an import may record."""
    if options["as_user"] is None:
        if options["second"] is not None:
            raise CommandError("--second needs --as: name the administrator as well")
        yield get_list_start(rating_list)
        return
    with act_as(_user(options["as_user"])):
        yield get_list_start(rating_list, second=_user(options["second"]) if options["second"] else None)


def _user(name: str) -> User:
    try:
        return User.objects.get(username=name, is_active=True)
    except User.DoesNotExist:
        raise CommandError(f"no active account {name!r}") from None

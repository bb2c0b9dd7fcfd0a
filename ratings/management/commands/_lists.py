"""The --list argument that several commands share."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError

from ratings.models import RatingList


def list_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--list", required=True, metavar="SLUG", help="the rating list")


def the_list(slug: str) -> RatingList:
    try:
        return RatingList.objects.get(slug=slug)
    except RatingList.DoesNotExist:
        known = ", ".join(RatingList.objects.values_list("slug", flat=True)) or "none yet; make one with create_list"
        raise CommandError(f"no list {slug!r} (lists: {known})") from None

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ratings.formats.rating_list import ListLine, write_rating_list
from ratings.queries.lists import list_as_of

from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = (
        "Write a rating list as text, in the federation's columns; encode it as Latin-1 for FESA. For the federation's"
        " own use: it names players whom the public does not see by name."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        list_argument(parser)
        parser.add_argument("--date", type=dt.date.fromisoformat, metavar="YYYY-MM-DD", help="default: today")
        parser.add_argument("--all", action="store_true", help="also who has not played for years")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        day = options["date"] or timezone.now().date()
        changes = list_as_of(rating_list, day)
        prior = dict(rating_list.members.values_list("player", "prior_grade"))
        if not options["all"]:
            played = rating_list.changes.filter(games__gt=0, day__gte=rating_list.active_since(day), day__lte=day)
            changes = changes.filter(player__in=played.values("player"))
        lines = [
            ListLine(
                change.player.family_name,
                change.player.given_name,
                change.grade or None,
                prior.get(change.player_id) or None,
                round(change.after or 0),
                change.games_after or 0,
                str(change.player.country),
            )
            for change in changes
        ]
        self.stdout.write(write_rating_list(day, lines), ending="")

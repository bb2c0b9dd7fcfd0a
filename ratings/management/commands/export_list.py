from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Q
from django.utils import timezone

from ratings.formats.fesa.rating_list import ListLine, write_rating_list
from ratings.models import RatingList
from ratings.queries.lists.activity import active_by_import
from ratings.queries.lists.lists import list_as_of

from ._days import read_day_argument
from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = (
        "Write a rating list as text, in the federation's columns; encode it as Latin-1 for FESA. For internal use:"
        " it contains the true names of hidden players."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        list_argument(parser)
        parser.add_argument("--date", type=read_day_argument, metavar="YYYY-MM-DD", help="default: today")
        parser.add_argument("--all", action="store_true", help="include inactive players")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        day = options["date"] or timezone.now().date()
        changes = list_as_of(rating_list, day)
        prior = dict(rating_list.members.values_list("player", "prior_grade"))
        if not options["all"]:
            played = rating_list.changes.filter(games__gt=0, day__gte=rating_list.active_since(day), day__lte=day)
            active = Q(player__in=played.values("player")) | Q(player__in=active_by_import(rating_list, day))
            changes = changes.filter(active)
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
        if not lines:
            self.stderr.write(self.hint(rating_list, day, everybody=options["all"]))
        self.stdout.write(write_rating_list(day, lines), ending="")

    def hint(self, rating_list: RatingList, day: dt.date, *, everybody: bool) -> str:
        """Return why the file has no players, and what to do."""
        if everybody:
            return f"The list has no players on {day}."
        since = rating_list.active_since(day)
        return f"No player has a rated game from {since} to {day}. Use --all to write inactive players too."

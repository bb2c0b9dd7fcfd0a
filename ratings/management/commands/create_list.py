from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.models import RatingList
from ratings.systems import SYSTEMS

from ._lists import the_list


class Command(BaseCommand):
    help = "Create a rating list."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="short name in addresses")
        parser.add_argument("--system", required=True, metavar="KEY", help=", ".join(SYSTEMS))
        parser.add_argument("--name", help="default: the slug")
        parser.add_argument("--federation", help="default: the name")
        parser.add_argument("--compare-with", metavar="SLUG", help="rate that list's tables, for comparison only")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of the system")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"] or options["slug"]
        rating_list = RatingList(
            slug=options["slug"],
            name=name,
            federation=get_or_create_federation(options["federation"] or name),
            system=options["system"],
            options=dict(map(self.option, options["option"])),
            comparison_to=the_list(options["compare_with"]) if options["compare_with"] else None,
        )
        try:
            save_list(rating_list)
        except ValidationError as error:
            raise CommandError(
                "\n".join(f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items())
            ) from None
        self.stdout.write(f"List {rating_list.slug} created ({rating_list.rating_system.name}).")

    def option(self, text: str) -> tuple[str, Any]:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise CommandError(f"invalid option {text!r}: expected KEY=VALUE")
        try:
            return key, json.loads(value)
        except ValueError:
            return key, value

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.announcing import announce_due
from ratings.domain.rerating import rerate
from ratings.management import demo
from ratings.management.demo import on_the_way
from ratings.management.demo.published import come_late, publish_past, rate_all
from ratings.models import Player, RatingList

SIZE = 1.0  # the tests make a smaller one
PASSWORD = "demo"  # noqa: S105 - printed for everybody, and made on one's own machine only
LOGINS = {"admin": None, "officer": OFFICERS, "approver": APPROVERS, "organiser": ORGANISERS}


class Command(BaseCommand):
    help = "Fill an empty database with an invented federation, and print the demo logins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="leave a database with players as it is")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("the demo has public passwords and is made with DEBUG=1 only")
        if not Player.objects.exists() and not RatingList.objects.exists():
            self.fill()
        elif not options["if_empty"]:
            raise CommandError("the database is not empty; give it another by DATABASE_URL")
        if User.objects.filter(username="organiser").exists():
            self.stdout.write(
                f"Logins at /organise/ and /admin/: {', '.join(LOGINS)}; the password of each is {PASSWORD}."
            )

    @transaction.atomic
    def fill(self) -> None:
        self.stdout.write("Making the demo federation …")
        for told in demo.build(timezone.now().date(), SIZE):
            self.stdout.write(f"  {told}")
        for rating_list in demo.lists():
            rerate(rating_list.pk)
            self.stdout.write(f"  {rating_list.label}: {rating_list.standings.count()} players")
        self.stdout.write(f"  {announce_due()} grades announced")
        today = timezone.now().date()
        rate_all()
        publish_past(today)
        come_late(demo.lists()[0], today)
        for name, group in LOGINS.items():
            address = f"{name}@example.org"
            user = User.objects.create_user(name, address, PASSWORD, is_staff=True, is_superuser=group is None)
            EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
            if group is not None:
                user.groups.add(Group.objects.get(name=group))
        on_the_way.make(User.objects.get(username="organiser"), today)

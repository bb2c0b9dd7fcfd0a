from __future__ import annotations

from argparse import ArgumentParser
from importlib.util import find_spec
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.runs.checkpoints import write_missing_checkpoints
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.management import demo
from ratings.management.demo.after_rating import add_late_event, announce_past_grades, publish_past, rate_all
from ratings.management.demo.approvals import answer_old_approvals
from ratings.management.demo.events_in_progress import create_events
from ratings.management.demo.hidden_players import hide_players
from ratings.management.demo.messages_of_visitors import create_messages
from ratings.management.demo.rule_proposals import propose_rules
from ratings.management.demo.running_hall import create_hall
from ratings.models import Hall, Notification, Player, RatingList

SIZE = 1.0  # the tests make a smaller one
PASSWORD = "demo"  # noqa: S105 - printed to the console, and created only with DEBUG=1
LOGINS = {"admin": None, "officer": OFFICERS, "approver": APPROVERS, "organiser": ORGANISERS}


class Command(BaseCommand):
    help = "Fill an empty database with an invented federation, and print the demo logins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing if the database has players")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("the demo has public passwords: it needs DEBUG=1")
        if find_spec("faker") is None:
            command = "pip install --no-deps --require-hashes -r requirements-demo.txt"
            raise CommandError(f"the demo needs more packages: {command}")
        if not Player.objects.exists() and not RatingList.objects.exists():
            self.fill()
        elif not options["if_empty"]:
            raise CommandError("the database is not empty: set DATABASE_URL to an empty one")
        if User.objects.filter(username="organiser").exists():
            self.stdout.write(
                f"Logins at /organise/ and /admin/: {', '.join(LOGINS)}; the password of each is {PASSWORD}."
            )
        for hall in Hall.objects.select_related("event").filter(event__end=timezone.now().date()):
            self.stdout.write(
                f"Played today: {hall.event}; the organiser enters results at /hall/{hall.event.public_id}/."
            )

    @transaction.atomic
    def fill(self) -> None:
        self.stdout.write("Creating the demo federation …")
        today = timezone.now().date()
        create_key()
        for progress in demo.build(today, SIZE):
            self.stdout.write(f"  {progress}")
        for rating_list in demo.lists():
            rerate(rating_list.pk)
            self.stdout.write(f"  {rating_list.label}: {rating_list.standings.count()} players")
        users = create_users()
        hide_players(users["officer"], users["admin"], today)
        rate_all()
        answer_old_approvals(users["approver"], today)
        self.stdout.write(f"  {announce_past_grades()} grades announced")
        rate_all()
        publish_past(today)
        add_late_event(demo.lists()[0], today)
        create_events(users["organiser"], today)
        create_hall(users["organiser"], today)
        propose_rules(next(one for one in demo.lists() if one.system == "icu-1989"), users["officer"], today)
        create_messages(users["officer"], users["organiser"], users["approver"], today)
        write_missing_checkpoints()
        Notification.objects.all().delete()  # nobody has asked for mails about invented events


def create_users() -> dict[str, User]:
    """Create the users of `LOGINS` with their roles, and return them by their names."""
    users = {}
    for name, group in LOGINS.items():
        address = f"{name}@example.org"
        user = User.objects.create_user(name, address, PASSWORD, is_staff=True, is_superuser=group is None)
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
        if group is not None:
            user.groups.add(Group.objects.get(name=group))
        users[name] = user
    return users

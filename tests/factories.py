"""Objects for tests, made with the portal's own domain functions, but without entries of the audit trail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress
from auditlog.context import disable_auditlog
from django.contrib.auth.models import User
from django.db import transaction

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.grade_approval import get_decided_grade
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.table_facts import complete_facts
from ratings.models import Adjustment, Event, Player, RatingList, Table

numbers = count(1)


@disable_auditlog()
def make_list(slug: str = "fesa", **fields: Any) -> RatingList:
    """Create a list; `federation` is given by its name, which is created if there is none."""
    fields["federation"] = get_or_create_federation(fields.get("federation", "FESA"))
    return RatingList.objects.create(
        **{"slug": slug, "name": slug.upper(), "system": "fesa-2016", "tie_breaks": "sos,sodos"} | fields
    )


def rate_every_list() -> None:
    """Do the work that is pending on every list, as the worker would, but let errors through."""
    for list_id in RatingList.objects.values_list("pk", flat=True):
        rerate(list_id)
        complete_facts(list_id)


@disable_auditlog()
def make_player(family_name: str = "", given_name: str = "", **fields: Any) -> Player:
    number = next(numbers)
    return Player.objects.create(
        **{"family_name": family_name or f"<script>{number}</script>", "given_name": given_name, "country": "FR"}
        | fields
    )


@disable_auditlog()
def make_event(name: str = "", day: str = "2024-01-06", lists: Any = (), **fields: Any) -> Event:
    values = {"name": name or f"Event {next(numbers)}", "start": day, "end": day, "state": Event.State.ACCEPTED}
    event = Event(**values | fields)
    event.start, event.end = dt.date.fromisoformat(str(event.start)), dt.date.fromisoformat(str(event.end))
    event.save()
    event.lists.set(lists)
    return event


@disable_auditlog()
def make_table(
    rating_list: RatingList | None,
    players: list[Player],
    games: list[tuple[Any, ...]],
    day: str = "2024-01-06",
    **fields: Any,
) -> Table:
    """`games` are (round, a, b, score) with players' places in `players` from 1; b is None for a bye."""
    event = fields.pop("event", None) or make_event(
        fields.pop("event_name", ""), day, [rating_list] if rating_list else []
    )
    last = dt.date.fromisoformat(day)
    table = Table(event=event, first_day=last, last_day=last, **fields)
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    pairings = [
        NumberedGame(round_, a, b, score, **{"played": b is not None} | (extra[0] if extra else {}))
        for round_, a, b, score, *extra in games
    ]
    return save_table(table, seats, pairings)


def give_rating(
    rating_list: RatingList, player: Player, rating: int, day: str = "2020-01-01", **state: Any
) -> Adjustment:
    """Give a rating as the domain would, in few queries and without an entry of the audit trail.

    A grade that needs approval is given as if an administrator had recorded it when the list started.
    """
    given = {"rating": rating, "games": 100, "bonus_games": 100} | state
    adjustment = Adjustment(
        list=rating_list, player=player, date=dt.date.fromisoformat(day), set=given, reason="opening"
    )
    if get_decided_grade(adjustment):
        adjustment.source = "federation's list"
    adjustment.clean()
    Adjustment.objects.bulk_create([adjustment])
    if not RatingList.objects.filter(pk=rating_list.pk, out_of_date_from__lte=adjustment.date).exists():
        mark_lists_out_of_date([rating_list], adjustment.date)
    return adjustment


def set_state(rating_list: RatingList, player: Player, day: str = "2024-01-01", **state: Any) -> None:
    """Give a player these values of the list's system on a day, such as the rating alone."""
    first = dt.date.fromisoformat(day)
    Adjustment.objects.bulk_create(
        [Adjustment(list=rating_list, player=player, date=first, set=state, reason="opening")]
    )
    mark_lists_out_of_date([rating_list], first)


@transaction.atomic
def give_ratings(rating_list: RatingList, players: Iterable[Player], rating: int, day: str = "2020-01-01") -> None:
    """Give several players the same rating, in one step: where tasks run after a commit, the list is rated once."""
    for player in players:
        give_rating(rating_list, player, rating, day)


@disable_auditlog()
def make_user(name: str = "user", **fields: Any) -> User:
    user = User.objects.create_user(name, password="secret", **fields)
    address = user.email or f"{name}@example.org"
    EmailAddress.objects.bulk_create([EmailAddress(user=user, email=address, verified=True, primary=True)])
    return user

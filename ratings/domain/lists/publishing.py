"""Publication of the list of a day: frozen as it is, and again after corrections, with both values stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.domain.grades.announcing import announce_grades_until
from ratings.domain.runs.checkpoints import write_published_checkpoint
from ratings.domain.runs.copy_rows import insert_instances
from ratings.domain.site.acting import acting_user
from ratings.domain.site.change_messages import queue_messages, sends_changes
from ratings.models import ChangeKind, ChangeMessage, DatedLine, DatedList, RatingList
from ratings.queries.lists.activity import active_by_import
from ratings.queries.lists.deviations import category_reader, set_deviations, with_deviation_states
from ratings.queries.lists.lists import list_as_of
from ratings.time_zones import find_today

REVISED = ("rank", "rating", "grade", "games", "category")
"""Values of a line that are saved again, beside the published ones, when a list is published again."""


@dataclass(frozen=True)
class Line:
    """A player's row on the list of a day."""

    rank: int
    rating: float
    grade: str
    games: int
    category: str
    deviation: float | None


@transaction.atomic
def publish(dated: DatedList, *, at: dt.datetime | None = None) -> DatedList:
    """Freeze the list of a day that is over.

    `at` is the time of publication, for lists that were published earlier than they are saved; by default now.
    ValidationError: the day was not over then, or the list is out of date or published already.
    """
    check_ready(dated.list, dated.day, at)
    dated.published_by = acting_user()
    dated.full_clean()
    dated.save()
    if at is not None:
        dated.published_at = at
        dated.save(update_fields=["published_at"])  # the field sets itself when the row is added
    lines = _lines(dated.list, dated.day)
    insert_instances([DatedLine(dated=dated, player_id=pk, **vars(line)) for pk, line in lines.items()])
    write_published_checkpoint(dated)
    announce_grades_until(dated.list, dated.day)
    _queue_list_messages(dated, len(lines))
    return dated


@transaction.atomic
def publish_revision(dated: DatedList) -> None:
    """Save the present values of a published list beside the published ones, which do not change."""
    check_ready(dated.list, dated.day)
    current = _lines(dated.list, dated.day)
    changed = []
    for stored in dated.lines.select_for_update():
        line = current.pop(stored.player_id, None)
        for name in REVISED:
            setattr(
                stored,
                f"revised_{name}",
                getattr(line, name) if line else "" if name in ("grade", "category") else None,
            )
        changed.append(stored)
    revised = [f"revised_{name}" for name in REVISED]
    DatedLine.objects.bulk_update(changed, revised, 500)
    new_values = ({f"revised_{name}": getattr(line, name) for name in REVISED} for line in current.values())
    insert_instances(
        [DatedLine(dated=dated, player_id=pk, **values) for pk, values in zip(current, new_values, strict=True)]
    )
    dated.revised_at = timezone.now()
    dated.save(update_fields=["revised_at"])
    write_published_checkpoint(dated)
    _queue_list_messages(dated, dated.lines.exclude(revised_rating=None).count())


def _queue_list_messages(dated: DatedList, players: int) -> None:
    """Queue a message that a list was published, or published again with corrections, with its number of players."""
    rating_list = dated.list
    if not sends_changes(rating_list):
        return
    data = {
        "list": rating_list.slug,
        "day": dated.day.isoformat(),
        "players": players,
        "revised": dated.revised_at is not None,
    }
    kind = ChangeKind.LIST_PUBLISHED
    message = ChangeMessage(kind, {rating_list.federation_id}, data)
    queue_messages([message], kinds={kind}, federation=rating_list.federation_id)


def check_ready(rating_list: RatingList, day: dt.date, at: dt.datetime | None = None) -> None:
    """Raise ValidationError if the list of a day cannot be published yet, or could not at the time `at`."""
    if day >= find_today(rating_list.federation.time_zone, at):
        raise ValidationError({"day": _("This day is not over yet.")})
    if rating_list.out_of_date_from is not None and rating_list.out_of_date_from <= day:
        raise ValidationError({"list": _("The list must be rated again first.")})


def _lines(rating_list: RatingList, day: dt.date) -> dict[int, Line]:
    """Return the list at the end of a day by player: players active then; equal ratings share a rank."""
    since = rating_list.active_since(day)
    changes = rating_list.changes.filter(day__lte=day)
    played = changes.filter(day__gte=since, games__gt=0).order_by().values_list("player", flat=True)
    active = set(played.union(active_by_import(rating_list, day)))
    games_by_player: dict[int, int] = {}
    if not rating_list.rating_system.rating.counts_games:
        totals = changes.order_by().values("player").annotate(total=Sum("games"))
        games_by_player = dict(totals.values_list("player", "total"))
    lines: dict[int, Line] = {}
    last: Any = None
    listed = list(with_deviation_states(list_as_of(rating_list, day), rating_list, until=day))
    read_category = category_reader(rating_list)
    active_changes = [change for change in set_deviations(listed, rating_list, day) if change.player_id in active]
    for place, change in enumerate(active_changes, 1):
        rank = last[1] if last and last[0] == change.after else place
        last = change.after, rank
        games = games_by_player.get(change.player_id, change.games_after or 0)
        category = read_category(change.state, change.category_after, day)
        lines[change.player_id] = Line(rank, change.after or 0, change.grade, games, category, change.deviation)
    return lines


def publish_scheduled() -> Iterator[DatedList]:
    """Publish every list for its latest scheduled day that is over, once the list is up to date; yield the results.

    Earlier days that were missed are not published.
    """
    for rating_list in RatingList.objects.exclude(publish_on="").select_related("federation"):
        today = find_today(rating_list.federation.time_zone)
        days = [
            dt.date(year, *month_and_day)
            for year in (today.year - 1, today.year)
            for month_and_day in rating_list.publish_days
        ]
        due = max((day for day in days if day < today), default=None)
        if due is None or due < rating_list.publish_from or rating_list.dated.filter(day=due).exists():
            continue
        if rating_list.out_of_date_from is None:
            yield publish(DatedList(list=rating_list, day=due))

"""Publishing the list of a day: frozen as it is then, and again after corrections, with both values kept."""

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

from ratings.models import DatedLine, DatedList, RatingList
from ratings.queries.lists import list_as_of

from .acting import acting_user
from .announcing import announce_until
from .bulk import insert


@dataclass(frozen=True)
class Line:
    """A player's place on the list of a day."""

    rank: int
    rating: float
    grade: str
    games: int
    category: str


@transaction.atomic
def publish(dated: DatedList) -> DatedList:
    """Freeze the list of a day that is over; ValidationError while it is to be rated again, or is published already."""
    check_ready(dated.list, dated.day)
    dated.published_by = acting_user()
    dated.full_clean()
    dated.save()
    lines = _lines(dated.list, dated.day)
    insert([DatedLine(dated=dated, player_id=pk, **vars(line)) for pk, line in lines.items()])
    announce_until(dated.list, dated.day)
    return dated


@transaction.atomic
def publish_again(dated: DatedList) -> None:
    """Lay what the list of that day is now beside what was published; the original stays."""
    check_ready(dated.list, dated.day)
    now = _lines(dated.list, dated.day)
    changed = []
    for stored in dated.lines.select_for_update():
        line = now.pop(stored.player_id, None)
        for name in ("rank", "rating", "grade", "games", "category"):
            setattr(
                stored,
                f"revised_{name}",
                getattr(line, name) if line else "" if name in ("grade", "category") else None,
            )
        changed.append(stored)
    revised = [f"revised_{name}" for name in ("rank", "rating", "grade", "games", "category")]
    DatedLine.objects.bulk_update(changed, revised, 500)
    came = ({f"revised_{name}": value for name, value in vars(line).items()} for line in now.values())
    insert([DatedLine(dated=dated, player_id=pk, **values) for pk, values in zip(now, came, strict=True)])
    dated.revised_at = timezone.now()
    dated.save(update_fields=["revised_at"])


def check_ready(rating_list: RatingList, day: dt.date) -> None:
    """ValidationError while the list of a day cannot be published."""
    if day >= timezone.now().date():
        raise ValidationError({"day": _("This day is not over yet.")})
    if rating_list.out_of_date_from is not None and rating_list.out_of_date_from <= day:
        raise ValidationError({"list": _("The list is to be rated again first.")})


def _lines(rating_list: RatingList, day: dt.date) -> dict[int, Line]:
    """The list at the end of a day by player: those active then; equal ratings share a rank."""
    since = rating_list.active_since(day)
    changes = rating_list.changes.filter(day__lte=day)
    active = set(changes.filter(day__gte=since, games__gt=0).order_by().values_list("player", flat=True).distinct())
    counted: dict[int, int] = {}
    if not rating_list.rating_system.counts_games:
        totals = changes.order_by().values("player").annotate(total=Sum("games"))
        counted = dict(totals.values_list("player", "total"))
    lines: dict[int, Line] = {}
    last: Any = None
    shown = [change for change in list_as_of(rating_list, day) if change.player_id in active]
    for place, change in enumerate(shown, 1):
        rank = last[1] if last and last[0] == change.after else place
        last = change.after, rank
        games = counted.get(change.player_id, change.games_after or 0)
        lines[change.player_id] = Line(rank, change.after or 0, change.grade, games, change.category_after)
    return lines


def publish_scheduled() -> Iterator[DatedList]:
    """Publish for every list the last of its days that is over, once the list is rated; those before it are gone by."""
    today = timezone.now().date()
    for rating_list in RatingList.objects.exclude(publish_on=""):
        days = [dt.date(year, *given) for year in (today.year - 1, today.year) for given in rating_list.publish_days]
        due = max((day for day in days if day < today), default=None)
        if due is None or due < rating_list.publish_from or rating_list.dated.filter(day=due).exists():
            continue
        if rating_list.out_of_date_from is None:
            yield publish(DatedList(list=rating_list, day=due))

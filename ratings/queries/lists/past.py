"""Lists of past days, as they are computed today or as they were published: one row of numbers a player, kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import F, Sum, TextField, Value, Window
from django.db.models.functions import RowNumber
from numpy.typing import NDArray

from ratings.formats.list_rows import ListRow
from ratings.models import DatedList, Player, RatingList, public_parts

from .dated import lines_of
from .kept import kept_alone
from .names import by_public_name
from .ranks import Ranks
from .states import LAST_PLAYED, is_absent
from .values import MANY

Rows = NDArray[Any]
KIND = np.dtype([
    ("player", np.int64), ("rating", np.float64), ("grade", np.int16), ("games", np.int32), ("category", "S12"),
    ("active", np.bool_),
])  # fmt: skip
"""`grade` is its place in the system's scale, -1 for none; `active`: whoever is not is on the list of all only."""


NOT_READ = Value(None, TextField())
DAYS_KEPT = 16  # of a list, at some 3 MB for 100,000 players


def past_rows(rating_list: RatingList, day: dt.date, dated: DatedList | None = None) -> Rows:
    """Who stood on a list at the end of a day, by number: by what is known today, or as the dated list has it."""
    places = {grade: place for place, grade in enumerate(rating_list.rating_system.grades)}

    def read() -> Rows:
        found = _published(dated) if dated else _computed(rating_list, day)
        rows = [(player, rating, places.get(grade, -1), *rest) for player, rating, grade, *rest in found]
        return np.sort(np.array(rows, dtype=KIND), order="player")

    name = f"past {day.toordinal() % DAYS_KEPT}"
    return kept_alone(rating_list, name, f"{day}:{dated and dated.pk}:{rating_list.years_active}", read)


def _published(dated: DatedList) -> Iterator[tuple[Any, ...]]:
    lines = lines_of(dated).filter(rating__isnull=False).order_by()
    for line in lines.values_list("player", "rating", "grade", "games", "category"):
        yield (*line, True)


def _computed(rating_list: RatingList, day: dt.date) -> Iterator[tuple[Any, ...]]:
    """From everybody's last change until the day; who is not published then is not on the list."""
    changes = rating_list.changes.filter(day__lte=day).order_by()
    played = changes.filter(games__gt=0, day__gte=rating_list.active_since(day))
    active = set(played.values_list("player", flat=True).distinct())
    counted: Mapping[int, int] = {}
    if not rating_list.rating_system.counts_games:
        counted = dict(changes.values("player").annotate(total=Sum("games")).values_list("player", "total"))
    absent = rating_list.rating_system.absent_since(day)
    newest = Window(RowNumber(), partition_by=F("player"), order_by=[F("day").desc(), F("place").desc()])
    last = (
        changes.annotate(back=newest, last_played=LAST_PLAYED if absent else NOT_READ)
        .filter(back=1)
        .values_list(
            "player", "after", "grade", "games_after", "category_after", "published", "hidden", "last_played"
        )
    )  # fmt: skip
    for player, rating, grade, games, category, published, hidden, last_played in last.iterator(chunk_size=5000):
        if published and not hidden and rating is not None and not is_absent(last_played, absent):
            yield player, rating, grade, counted.get(player, games) or 0, category, player in active


def ranks_among(rows: Rows) -> Ranks:
    return Ranks(np.sort(rows["rating"]))


def by_rating(rows: Rows) -> Rows:
    """From the highest rating down."""
    return rows[np.argsort(-rows["rating"], kind="stable")]


@dataclass(frozen=True)
class PastLine:
    rank: int
    player: Player
    rating: float
    grade: str
    games: int
    category: str


def past_page(rating_list: RatingList, rows: Rows, ranks: Ranks, first: int, end: int) -> list[PastLine]:
    """Places from `first` on and before `end` of rows that stand from the highest rating down; equals by name."""
    if not len(rows[first:end]):
        return []
    down = -rows["rating"]
    low, high = np.searchsorted(down, down[first]), np.searchsorted(down, down[end - 1 : end][0], side="right")
    named = _in_order_of_names(rows[low:high], Player.objects.all())
    read = [_line(rating_list, row, ranks, player) for row, player in named]
    return read[first - low : end - low]


def _line(rating_list: RatingList, row: Any, ranks: Ranks, player: Player) -> PastLine:
    grades, rating = rating_list.rating_system.grades, float(row["rating"])
    grade = grades[row["grade"]] if row["grade"] >= 0 else ""
    return PastLine(ranks.rank(rating), player, rating, grade, int(row["games"]), row["category"].decode())


def _in_order_of_names(rows: Rows, players: Any) -> list[tuple[Any, Any]]:
    """Rows that stand from the highest rating down with their players; equals in the order of their public names."""
    numbers = rows["player"].tolist()
    wanted = players.filter(pk__in=numbers) if len(numbers) <= MANY else players
    named = {player.pk: (place, player) for place, player in enumerate(wanted.order_by(*by_public_name()))}
    there = [(row, *named[number]) for row, number in zip(rows, numbers, strict=True) if number in named]
    there.sort(key=lambda one: (-one[0]["rating"], one[1]))
    return [(row, player) for row, _, player in there]


NAMES = ("public_id", "family_name", "given_name", "shown", "country")


def past_file_rows(rating_list: RatingList, rows: Rows, ranks: Ranks) -> Iterator[ListRow]:
    """The same as lines of a file."""
    only = Player.objects.only(*NAMES)
    for row, player in _in_order_of_names(rows, only):
        line = _line(rating_list, row, ranks, player)
        name = public_parts(player.family_name, player.given_name, player.public_id, player.shown)
        yield ListRow(
            line.rank,
            player.public_id,
            *name,
            str(player.country),
            "",
            line.grade,
            line.rating,
            line.games,
            line.category,
        )

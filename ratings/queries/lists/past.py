"""Lists of past days, as computed today or as published: arrays with one row per player, which are cached."""

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
from ratings.models import DatedList, Player, RatingList, public_name_parts
from ratings.queries.players.names import by_public_name
from ratings.queries.runs.states import LAST_PLAYED, is_absent
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID

from .activity import active_by_import
from .dated import lines_of
from .deviations import category_reader, deviation_reader, with_deviation_states
from .list_cache import cached, version_of
from .ranks import Ranks

Rows = NDArray[Any]
KIND = np.dtype(
    [
        ("player", np.int64),
        ("rating", np.float64),
        ("grade", np.int16),
        ("games", np.int32),
        ("category", "S12"),
        ("active", np.bool_),
        ("deviation", np.float64),
    ]
)
"""Columns of a row: `player` is a primary key, and `grade` the position in the system's grades, -1 for none.

Players who are not `active` are only on the list of all players. `deviation` is NaN on lists without deviations.
"""


LAST_VALUES = (
    "player", "after", "grade", "games_after", "category_after", "published", "hidden", "last_played",
    "deviation_state", "own_state",
)  # fmt: skip
NOT_READ = Value(None, TextField())
STATE_NOT_READ = Value("none", TextField())  # differs, because Django reads equal expressions beside a window once
CACHED_DAYS = 16  # per list, at some 3 MB each for 100,000 players


def past_rows(rating_list: RatingList, day: dt.date, dated: DatedList | None = None) -> Rows:
    """Return the players on a list at the end of a day, ordered by primary key.

    Ratings are as computed today, or as published in the dated list if one is given.
    """
    grade_index = {grade: index for index, grade in enumerate(rating_list.rating_system.grading.grades)}

    def read_rows() -> bytes:
        values = _read_published(dated) if dated else _read_computed(rating_list, day)
        rows = [(player, rating, grade_index.get(grade, -1), *rest) for player, rating, grade, *rest in values]
        return np.sort(np.array(rows, dtype=KIND), order="player").tobytes()

    name = f"past {day.toordinal() % CACHED_DAYS}"
    source = rating_list.deviation_source
    of_source = version_of(source) if source else ""
    detail = f"{day}:{dated and dated.pk}:{rating_list.effective_active_years}:{of_source}"
    return np.frombuffer(cached(rating_list, name, read_rows, detail=detail), dtype=KIND)


def _read_published(dated: DatedList) -> Iterator[tuple[Any, ...]]:
    lines = lines_of(dated).filter(rating__isnull=False).order_by()
    for *line, deviation in lines.values_list("player", "rating", "grade", "games", "category", "deviation"):
        yield (*line, True, np.nan if deviation is None else deviation)


def _read_computed(rating_list: RatingList, day: dt.date) -> Iterator[tuple[Any, ...]]:
    """Yield the values of a row from each player's last change until the day, if the player was published then."""
    changes = rating_list.changes.filter(day__lte=day).order_by()
    played = changes.filter(games__gt=0, day__gte=rating_list.active_since(day))
    active = set(played.values_list("player", flat=True).union(active_by_import(rating_list, day)))
    games_played: Mapping[int, int] = {}
    if not rating_list.rating_system.rating.counts_games:
        games_played = dict(changes.values("player").annotate(total=Sum("games")).values_list("player", "total"))
    absent = rating_list.rating_system.rating.absence_cutoff(day)
    newest = Window(RowNumber(), partition_by=F("player"), order_by=[F("day").desc(), F("place").desc()])
    last = changes.annotate(back=newest, last_played=LAST_PLAYED if absent else NOT_READ).filter(back=1)
    source = rating_list.deviation_source
    read = deviation_reader(source) if source else None
    read_category = category_reader(rating_list)
    own_state = F("state") if rating_list.rating_system.rating.category_depends_on_day else STATE_NOT_READ
    last = with_deviation_states(last.annotate(own_state=own_state), rating_list, until=day)
    rows: Any = last.values_list(*LAST_VALUES).iterator(chunk_size=5000)
    for player, rating, grade, games, category, published, hidden, last_played, state, own in rows:
        if published and not hidden and rating is not None and not is_absent(last_played, absent):
            deviation = read(state, day) if read else None
            known = np.nan if deviation is None else deviation
            games_so_far, present = games_played.get(player, games) or 0, read_category(own, category, day)
            yield player, rating, grade, games_so_far, present, player in active, known


def ranks_among(rows: Rows) -> Ranks:
    return Ranks(np.sort(rows["rating"]))


def by_rating(rows: Rows) -> Rows:
    """Return rows ordered by rating, highest first."""
    return rows[np.argsort(-rows["rating"], kind="stable")]


@dataclass(frozen=True)
class PastLine:
    rank: int
    player: Player
    rating: float
    grade: str
    games: int
    category: str
    deviation: float | None


def past_page(rating_list: RatingList, rows: Rows, ranks: Ranks, first: int, end: int) -> list[PastLine]:
    """Return the lines from position `first` until before `end` of rows ordered by rating, highest first.

    Players with equal ratings are ordered by name.
    """
    if not len(rows[first:end]):
        return []
    negated = -rows["rating"]
    low = np.searchsorted(negated, negated[first])
    high = np.searchsorted(negated, negated[end - 1 : end][0], side="right")
    ordered = _order_by_name(rows[low:high], Player.objects.all())
    lines = [_make_line(rating_list, row, ranks, player) for row, player in ordered]
    return lines[first - low : end - low]


def _make_line(rating_list: RatingList, row: Any, ranks: Ranks, player: Player) -> PastLine:
    grades, rating = rating_list.rating_system.grading.grades, float(row["rating"])
    grade = grades[row["grade"]] if row["grade"] >= 0 else ""
    deviation = None if np.isnan(row["deviation"]) else float(row["deviation"])
    return PastLine(ranks.rank(rating), player, rating, grade, int(row["games"]), row["category"].decode(), deviation)


def _order_by_name(rows: Rows, players: Any) -> list[tuple[Any, Any]]:
    """Return rows with their players, highest rating first, and players with equal ratings by public name."""
    pks = rows["player"].tolist()
    selected = players.filter(pk__in=pks) if len(pks) <= MAX_PLAYERS_BY_ID else players
    by_name = {player.pk: (position, player) for position, player in enumerate(selected.order_by(*by_public_name()))}
    ordered = [(row, *by_name[pk]) for row, pk in zip(rows, pks, strict=True) if pk in by_name]
    ordered.sort(key=lambda entry: (-entry[0]["rating"], entry[1]))
    return [(row, player) for row, _, player in ordered]


NAMES = ("public_id", "family_name", "given_name", "shown", "country")


def past_file_rows(rating_list: RatingList, rows: Rows, ranks: Ranks) -> Iterator[ListRow]:
    """Yield rows of a past list as rows of a file, highest rating first, and equal ratings by public name."""
    players = Player.objects.only(*NAMES)
    for row, player in _order_by_name(rows, players):
        line = _make_line(rating_list, row, ranks, player)
        name = public_name_parts(player.family_name, player.given_name, player.public_id, player.shown)
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
            deviation=line.deviation,
        )

"""Lines of rating lists in FIDE's formats, as the public may see them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from django.db.models import Q

from ratings.batches import BATCH, in_batches
from ratings.formats.fide.rating_list import CHAPTERS, FideDetails, FideFigures, FideLine, make_line
from ratings.formats.list_rows import ListRow
from ratings.models import DatedList, Gender, NameVisibility, Player, RatingList, Registry, public_name_parts
from ratings.queries.players.names import by_public_name
from ratings.queries.players.outside_ids import read_public_ids
from ratings.queries.runs.states import known_state, latest_changes
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID, load_players

from .choices import birth_year
from .lists import public_lists
from .past import Rows, past_rows

SEXES = {Gender.FEMALE: "F", Gender.MALE: "M"}


def read_fide_lines(rating_list: RatingList, rows: Iterable[ListRow], day: dt.date) -> Iterator[FideLine]:
    """Yield the lines of a list of one chapter in the order of its rows; K and games are those of the day's month."""
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        details = read_fide_details(rating_list, [row.id for row in batch], day)
        yield from (make_line(row, details[row.id]) for row in batch)


def read_fide_details(rating_list: RatingList, ids: Sequence[str], day: dt.date) -> dict[str, FideDetails]:
    """Return the details of at most BATCH players, given by public id.

    Sex, birth year and FIDE id are those that the public may see beside a full name; a sex also needs a federation that
    records it.
    """
    players = Player.objects.filter(public_id__in=ids).annotate(year=birth_year(""))
    fields = ("pk", "public_id", "shown", "gender", "gender_public", "year", "birth_public")
    read = {pk: rest for pk, *rest in players.values_list(*fields)}
    numbers = read_public_ids(read, Registry.FIDE)
    entries = _read_list_entries(rating_list, ids, list(read), day)
    details = {}
    for pk, (id, shown, gender, gender_public, year, birth_public) in read.items():
        is_named = shown == NameVisibility.FULL
        shows_sex = is_named and gender_public and rating_list.federation.records_gender
        entry = entries.get(id, {})
        details[id] = FideDetails(
            pk,
            numbers.get(pk, ""),
            entry.get("k"),
            entry.get("games"),
            SEXES.get(gender, "") if shows_sex else "",
            (year or 0) if is_named and birth_public else 0,
        )
    return details


def _read_list_entries(
    rating_list: RatingList, ids: Sequence[str], pks: Sequence[int], day: dt.date
) -> dict[str, Mapping[str, Any]]:
    """Return the players' entries on the list of the month of a day, by public id; see `RatingRules.list_entry`."""
    rating = rating_list.dated_system.on(day).rating
    values = load_players(rating_list, ids)
    changes = latest_changes(rating_list, Q(day__lte=day), pks)
    entries = {}
    for id, stored in changes.values_list("player__public_id", "state"):
        state = known_state(rating_list, stored) if id in values else None
        entry = None if state is None else rating.list_entry(state, values[id], day.replace(day=1))
        if entry is not None:
            entries[id] = entry
    return entries


def chapter_of(rating_list: RatingList) -> str:
    """Return which games a list by FIDE's rules rates: standard, rapid or blitz; "" for lists by other rules."""
    return str(getattr(rating_list.rating_system.rating, "chapter", ""))


def find_chapter_lists(rating_list: RatingList) -> list[RatingList]:
    """Return a standard list with the rapid and the blitz list of its federation; none if one is missing.

    Of several lists of a chapter, one that takes its first ratings from the standard list is meant, else the oldest.
    """
    if chapter_of(rating_list) != CHAPTERS[0] or rating_list.comparison_to_id:
        return []
    others = public_lists().filter(federation=rating_list.federation, system=rating_list.system, comparison_to=None)
    ordered = sorted(others, key=lambda other: (other.seed_list_id != rating_list.pk, other.pk))
    found = [rating_list]
    for chapter in CHAPTERS[1:]:
        found += [other for other in ordered if chapter_of(other) == chapter][:1]
    return found if len(found) == len(CHAPTERS) else []


def read_combined_lines(lists: Sequence[RatingList], day: dt.date, *, published: bool = False) -> Iterator[FideLine]:
    """Yield the lines of the combined list at the end of a day, by name: all players with a rating on any of the lists.

    `published` takes the ratings as published on that day from those of the lists that were. A player is inactive if
    they are on each list on which they have a rating.
    """
    rows = []
    for rating_list in lists:
        dated = DatedList.objects.filter(list=rating_list, day=day).first() if published else None
        rows.append(_rows_by_player(past_rows(rating_list, day, dated)))
    for batch in in_batches(_read_players(set().union(*rows))):
        ids = [row.id for _pk, row in batch]
        details = [read_fide_details(rating_list, ids, day) for rating_list in lists]
        for pk, row in batch:
            chapters = [
                make_line(_complete_row(row, of_list[pk]), of_details[row.id]) if pk in of_list else None
                for of_list, of_details in zip(rows, details, strict=True)
            ]
            yield _join_chapters(chapters)


def _rows_by_player(rows: Rows) -> dict[int, Any]:
    return dict(zip(rows["player"].tolist(), rows, strict=True))


def _read_players(pks: AbstractSet[int]) -> list[tuple[int, ListRow]]:
    """Return players with rows that hold their public name and country, by name."""
    players = Player.objects.order_by(*by_public_name())
    if len(pks) <= MAX_PLAYERS_BY_ID:
        players = players.filter(pk__in=pks)
    fields = ("pk", "public_id", "family_name", "given_name", "shown", "country")
    return [
        (pk, ListRow(None, id, *public_name_parts(family, given, id, shown), str(country), "", "", 0, 0, ""))
        for pk, id, family, given, shown, country in players.values_list(*fields)
        if pk in pks
    ]


def _complete_row(row: ListRow, figures: Any) -> ListRow:
    rating, games = float(figures["rating"]), int(figures["games"])
    return row._replace(rating=rating, games=games, category=figures["category"].decode())


def _join_chapters(chapters: Sequence[FideLine | None]) -> FideLine:
    """Return the line of a player from those of the lists, None for a list without a rating; one has a rating."""
    known = [line for line in chapters if line is not None]
    figures = tuple(line.figures[0] if line else FideFigures() for line in chapters)
    return known[0]._replace(figures=figures, inactive=all(line.inactive for line in known))

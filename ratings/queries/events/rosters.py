"""Rosters for pairing programs: the entered players of an event with ids and the ratings valid on its first day."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ratings.formats.list_rows import ListRow
from ratings.formats.roster import RosterRow
from ratings.matching import fold
from ratings.models import (
    EntryList,
    Event,
    EventEntry,
    ListPlayer,
    Membership,
    NameVisibility,
    OutsideId,
    Player,
    RatingList,
)
from ratings.queries.lists.past import past_rows
from ratings.queries.lists.valid_lists import ValidList, find_valid_list

from .entries import EnteredPlayer, list_publicly
from .events import WITH_RESULTS


@dataclass(frozen=True)
class Roster:
    """The entered players of an event, the highest rating first, then by name.

    `valid` is the list of the ratings, None for an event without lists. `unnamed` is the number of entered players who
    are left out because they are not listed publicly.
    """

    event: Event
    valid: ValidList | None
    rows: Sequence[RosterRow]
    unnamed: int = 0


@dataclass(frozen=True)
class _Line:
    """Figures of a player on a list."""

    rating: float
    grade: str
    games: int
    category: str


def read_roster(event: Event, rating_list: RatingList | None, today: dt.date, *, public: bool) -> Roster:
    """Return the roster of an event; with `public`, only names and clubs that everybody may see.

    Without `public` it has the full names, for the organisers and their programs.
    """
    entries = list(event.player_entries.filter(state=EventEntry.State.CONFIRMED).select_related("player__merged_into"))
    listed = _list_publicly(entries) if public else entries
    valid = find_valid_list(rating_list, event.start, today)
    players = {player.pk: player for entry in listed if (player := _find_player(entry))}
    reader = _RowReader(
        _read_lines(valid, players) if valid else {},
        _read_clubs(players),
        _read_outside_ids(players),
        _read_prior_grades(rating_list, players),
        public,
    )
    rows = [reader.read(entry) for entry in listed]
    rows.sort(key=lambda row: (row.rating is None, -(row.rating or 0), fold(f"{row.family} {row.given}")))
    return Roster(event, valid, rows, len(entries) - len(listed))


def has_public_roster(event: Event) -> bool:
    """Return True if everybody may see the entered players of an event: it is announced, and its results are not."""
    if event.announced_at is None or event.state in WITH_RESULTS:
        return False
    return EntryList.objects.filter(event=event, is_public=True).exists()


def _list_publicly(entries: Sequence[EventEntry]) -> list[EventEntry]:
    listed = [line.entry for line in list_publicly(map(EnteredPlayer, entries))]
    return [entry for entry in listed if not ((player := _find_player(entry)) and player.is_anonymous)]


@dataclass(frozen=True)
class _RowReader:
    """Data of the players by primary key, from which their rows are made."""

    lines: Mapping[int, _Line]
    clubs: Mapping[int, str]
    outside: Mapping[int, Mapping[str, str]]
    prior: Mapping[int, str]
    is_public: bool

    def read(self, entry: EventEntry) -> RosterRow:
        player = _find_player(entry)
        if player is None:
            return RosterRow(entry.pk, "", entry.family_name, entry.given_name, str(entry.country), entry.club)
        family, given = player.family_name, player.given_name
        if self.is_public:
            family, given = player.public_family, player.public_given
        row = RosterRow(
            entry.pk,
            player.public_id,
            family,
            given,
            str(player.country),
            self.clubs.get(player.pk, ""),
            prior_grade=self.prior.get(player.pk, ""),
            outside=self.outside.get(player.pk, {}),
        )
        line = self.lines.get(player.pk)
        if line is None:
            return row
        return row._replace(rating=line.rating, grade=line.grade, games=line.games, category=line.category)


def _find_player(entry: EventEntry) -> Player | None:
    return None if entry.player is None else entry.player.merged_into or entry.player


def _read_lines(valid: ValidList, players: Collection[int]) -> dict[int, _Line]:
    """Return what a valid list says of players, by primary key; those without a rating are left out.

    Inactive players, who are on no published list, have their rating at the end of its day.
    """
    published = _read_published(valid, players) if valid.dated else {}
    missing = [pk for pk in players if pk not in published]
    return published | _read_computed(valid, missing) if missing else published


def _read_published(valid: ValidList, players: Collection[int]) -> dict[int, _Line]:
    assert valid.dated is not None
    hidden = valid.rating_list.members.filter(withdrawn=True).values("player")
    lines = valid.dated.lines.filter(player__in=players, rating__isnull=False).exclude(player__in=hidden)
    values = lines.order_by().values_list("player", "rating", "grade", "games", "category")
    return {pk: _Line(rating or 0, grade, games or 0, category) for pk, rating, grade, games, category in values}


def _read_computed(valid: ValidList, players: Collection[int]) -> dict[int, _Line]:
    grades = valid.rating_list.rating_system.grading.grades
    rows = past_rows(valid.rating_list, valid.day)
    found = rows[np.isin(rows["player"], np.fromiter(players, dtype=np.int64))]
    return {
        int(row["player"]): _Line(
            float(row["rating"]),
            grades[row["grade"]] if row["grade"] >= 0 else "",
            int(row["games"]),
            row["category"].decode(),
        )
        for row in found
    }


def _read_clubs(players: Collection[int]) -> dict[int, str]:
    current = Membership.objects.filter(player__in=players, end__isnull=True)
    return dict(current.values_list("player", "club__name"))


def _read_outside_ids(players: Collection[int]) -> dict[int, dict[str, str]]:
    """Return the confirmed ids of players who are shown by full name, by primary key and registry.

    The id in a national federation has the country's code as its registry.
    """
    confirmed = OutsideId.objects.filter(player__in=players, player__shown=NameVisibility.FULL)
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for pk, registry, country, value in confirmed.exclude(confirmed_at=None).values_list(
        "player", "registry", "country", "value"
    ):
        found[pk][str(country) or registry] = value
    return found


def _read_prior_grades(rating_list: RatingList | None, players: Collection[int]) -> Mapping[int, str]:
    """Return the grades that players had or declared before they came onto a list."""
    if rating_list is None:
        return {}
    members = ListPlayer.objects.filter(list=rating_list.source, player__in=players).exclude(prior_grade="")
    return dict(members.values_list("player", "prior_grade"))


def make_list_row(row: RosterRow, rating: float) -> ListRow:
    """Return a known player of a roster as a row of a rating list."""
    names = row.id, row.family, row.given, row.country, row.club
    return ListRow(None, *names, row.grade, rating, row.games, row.category)

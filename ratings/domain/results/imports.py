"""Bringing a parsed results table in: match, compare with what is there, save, and explain published ratings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django_countries import countries

from ratings.formats.new_players import NewPlayer
from ratings.formats.parsed import ParsedTable, Problems
from ratings.models import Event, Game, ListPlayer, Player, RatingList, Table

from .matching import Matched, NameKey, match_players, name_key
from .published import Explained, explain_published
from .rerating import rerate
from .tables import Pairing, results_of, save_event, save_table


@dataclass
class Imported:
    """What came of a file. `event` is None where nothing was stored; `there` is the event that already has it."""

    event: Event | None = None
    there: Event | None = None
    new: list[Player] = field(default_factory=list)
    explained: Explained | None = None


@transaction.atomic
def import_table(
    parsed: ParsedTable,
    rating_list: RatingList,
    problems: Problems,
    *,
    source: str,
    announced: Mapping[NameKey, NewPlayer] | None = None,
) -> Imported:
    """Store a parsed table as an accepted event of a list. With an error in `problems` nothing is stored."""
    announced = announced or {}
    _check_countries(parsed, problems)
    _check_stones(parsed, rating_list, problems)
    _check_new_players(rating_list, announced, problems)
    matched = match_players(parsed, announced, problems)
    if problems.fatal:
        return Imported()
    seats, pairings = results_of(parsed.rows, matched.players)
    if there := _already_there(parsed, matched, pairings):
        _check_there(there, rating_list, problems)
        return Imported(there=there)
    if _check_event(parsed, rating_list, matched, problems):
        return Imported()
    new = list(matched.new.values())
    event = _event(parsed)
    if _refused(parsed, event, matched, problems):
        return Imported()
    for player in new:
        player.save()
    _keep_prior_grades(rating_list, matched, announced, problems)
    save_event(event, [rating_list])
    table = save_table(Table(event=event, first_day=parsed.first_day, last_day=parsed.last_day), seats, pairings)
    explained = None
    if parsed.published:
        explained = explain_published(parsed, table, rating_list, matched.players, problems, source=source)
    else:
        rerate(rating_list.pk)
    return Imported(event, None, new, explained)


def _event(parsed: ParsedTable) -> Event:
    return Event(
        name=parsed.name,
        place=parsed.place,
        country=countries.by_name(parsed.country) or (parsed.country if len(parsed.country) == 2 else ""),
        start=parsed.first_day,
        end=parsed.last_day,
        time_control=parsed.time_control,
        state=Event.State.ACCEPTED,
    )


def _refused(parsed: ParsedTable, event: Event, matched: Matched, problems: Problems) -> bool:
    """Whether the database would refuse a name or an event as it is written, told as problems."""
    lines = {row.number: row.line for row in parsed.rows}
    for number, record in (*matched.new.items(), (None, event)):
        try:
            record.full_clean()
        except ValidationError as error:
            for name, messages in error.message_dict.items():
                problems.error(f"{name}: {' '.join(messages)}", lines.get(number or 0), number)
    return problems.fatal


def _check_there(there: Event, rating_list: RatingList, problems: Problems) -> None:
    """An event that has these results already, but is not rated on this list, has to be told."""
    if there.state != Event.State.ACCEPTED:
        problems.error(f"“{there}” has these results already, as a draft; accept it instead")
    elif not there.lists.filter(pk=rating_list.pk).exists():
        problems.error(f"“{there}” has these results already; add the list {rating_list.slug} to it instead")


def _check_countries(parsed: ParsedTable, problems: Problems) -> None:
    for row in parsed.rows:
        if row.country and row.country not in countries:
            problems.warn(f"“{row.country}” is no country's code of two letters", row.line, row.number)
            row.country = ""


def _check_stones(parsed: ParsedTable, rating_list: RatingList, problems: Problems) -> None:
    if "stones" in rating_list.rating_system.asks:
        return
    for row in parsed.rows:
        for round_ in (number for number, cell in enumerate(row.cells, 1) if cell.stones):
            problems.error("handicap stones are for go; this list rates another game", row.line, row.number, round_)


def _check_new_players(rating_list: RatingList, announced: Mapping[NameKey, NewPlayer], problems: Problems) -> None:
    grades = rating_list.rating_system.grades
    for new in announced.values():
        if new.prior_grade and new.prior_grade not in grades:
            told = f"prior grade “{new.prior_grade}” is not one of {grades[0]} to {grades[-1]}"
            problems.error(f"new players' file, line {new.line}: {told}")


def _already_there(parsed: ParsedTable, matched: Matched, pairings: list[Pairing]) -> Event | None:
    """An event that ends on the same day and has the very same results of the same players."""
    if matched.new:
        return None
    there = already_there({number: player.pk for number, player in matched.players.items()}, pairings, parsed.last_day)
    return there.event if there else None


def already_there(players: Mapping[int, int], pairings: Sequence[Pairing], last_day: dt.date) -> Table | None:
    """A table that ends on the day and has the very same results; `players` are database ids by number."""
    given = {
        _one_way((p.round, players[p.a], None if p.b is None else players[p.b], p.score, p.played, p.handicap, p.giver))
        for p in pairings
    }
    for table in Table.objects.filter(last_day=last_day).select_related("event"):
        if given == {_one_way(stored) for stored in _stored(table)}:
            return table
    return None


Result = tuple[int, int, int | None, float, bool, str | None, str | None]
"""Round, both players' ids, score of the first, played, handicap, giver."""


def _stored(table: Table) -> list[Result]:
    games = Game.objects.filter(table=table)
    return list(games.values_list("round", "a__player", "b__player", "score", "played", "handicap", "giver"))


def _one_way(result: Result) -> Result:
    """A game from the side of the lower id, so that both ways of writing it are equal."""
    round_, a, b, score, played, handicap, giver = result
    if b is None or a < b:
        return result
    return round_, b, a, 1 - score, played, handicap, {"a": "b", "b": "a", None: None}[giver]


def _check_event(parsed: ParsedTable, rating_list: RatingList, matched: Matched, problems: Problems) -> bool:
    """Whether another event stands in the way; players who played later are a warning."""
    if Event.objects.filter(name__iexact=parsed.name, end=parsed.last_day).exists():
        problems.error(f"an event “{parsed.name}” of {parsed.last_day} is there with other results; correct it there")
        return True
    known = [player for player in matched.players.values() if player.pk]
    later = Player.objects.filter(
        pk__in=[player.pk for player in known],
        entries__table__event__lists=rating_list,
        entries__table__last_day__gte=parsed.last_day,
    ).distinct()
    if names := [player.name for player in later]:
        shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        problems.warn(f"not after the last rated event of {shown}; later tables are rated again")
    return False


def _keep_prior_grades(
    rating_list: RatingList, matched: Matched, announced: Mapping[NameKey, NewPlayer], problems: Problems
) -> None:
    """What the new players' file says of prior grades, unless the list knows of one already."""
    for number, player in matched.players.items():
        new = announced.get(name_key(player.family_name, player.given_name))
        if not new or not new.prior_grade:
            continue
        known, created = ListPlayer.objects.get_or_create(
            list=rating_list, player=player, defaults={"prior_grade": new.prior_grade}
        )
        if not created and known.prior_grade != new.prior_grade:
            kept = known.prior_grade or "none"
            problems.warn(f"{player.name} has the prior grade {kept} already; it was kept", row=number)

"""Import of parsed results tables: match players, find duplicates, save, and explain published ratings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django_countries import countries

from ratings.domain.events.tables import Pairing, build_seats_and_pairings, save_event, save_table
from ratings.domain.grades.grade_approval import ListStart, get_list_start, needs_approval
from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.rerating import rerate
from ratings.formats.fesa.new_players import NewPlayer
from ratings.formats.parsed import ParsedTable, Problems
from ratings.models import Event, Game, ListPlayer, Player, RatingList, Table

from .matching import MatchedPlayers, NameKey, match_players, name_key
from .published_ratings import Explanation, explain_published


@dataclass
class ImportResult:
    """The result of an import.

    `event` is None if nothing was stored; `duplicate` is the event that already has these results.
    """

    event: Event | None = None
    duplicate: Event | None = None
    new: list[Player] = field(default_factory=list)
    explained: Explanation | None = None


@transaction.atomic
def import_table(
    parsed: ParsedTable,
    rating_list: RatingList,
    problems: Problems,
    *,
    source: str,
    announced: Mapping[NameKey, NewPlayer] | None = None,
    start: ListStart | None = None,
) -> ImportResult:
    """Store a parsed table as an accepted event of a list; nothing is stored if `problems` contains an error.

    `start` allows grades that need approval; an import of several tables creates it before the first table.
    """
    lock_seats(exclusive=False)
    announced, start = announced or {}, start or get_list_start(rating_list)
    _check_countries(parsed, problems)
    _check_stones(parsed, rating_list, problems)
    _check_new_players(rating_list, announced, problems)
    matched = match_players(parsed, announced, problems)
    _check_prior_grades(matched, announced, start, source, problems)
    _check_published_grades(parsed, start, source, problems)
    if problems.fatal:
        return ImportResult()
    seats, pairings = build_seats_and_pairings(parsed.rows, matched.players)
    if duplicate := _find_duplicate_event(parsed, matched, pairings):
        _check_duplicate(duplicate, rating_list, problems)
        return ImportResult(duplicate=duplicate)
    if _check_event(parsed, rating_list, matched, problems):
        return ImportResult()
    new = list(matched.new.values())
    event = _build_event(parsed)
    if _has_invalid_records(parsed, event, matched, problems):
        return ImportResult()
    for player in new:
        player.save()
    _save_prior_grades(matched, announced, start, source, problems)
    save_event(event, [rating_list])
    table = save_table(Table(event=event, first_day=parsed.first_day, last_day=parsed.last_day), seats, pairings)
    explained = None
    if parsed.published:
        explained = explain_published(parsed, table, start, matched.players, problems, source=source)
    else:
        rerate(rating_list.pk)
    return ImportResult(event, None, new, explained)


def _build_event(parsed: ParsedTable) -> Event:
    return Event(
        name=parsed.name,
        place=parsed.place,
        country=countries.by_name(parsed.country) or (parsed.country if len(parsed.country) == 2 else ""),
        start=parsed.first_day,
        end=parsed.last_day,
        time_control=parsed.time_control,
        state=Event.State.ACCEPTED,
    )


def _has_invalid_records(parsed: ParsedTable, event: Event, matched: MatchedPlayers, problems: Problems) -> bool:
    """Return True if a new player or the event fails validation, and report why."""
    lines = {row.number: row.line for row in parsed.rows}
    for number, record in (*matched.new.items(), (None, event)):
        try:
            record.full_clean()
        except ValidationError as error:
            for name, messages in error.message_dict.items():
                problems.error(f"{name}: {' '.join(messages)}", lines.get(number or 0), number)
    return problems.fatal


def _check_duplicate(duplicate: Event, rating_list: RatingList, problems: Problems) -> None:
    """Report an error if the event with the same results is not accepted or is not rated on this list."""
    if duplicate.state != Event.State.ACCEPTED:
        problems.error(f"“{duplicate}” has these results already, as a draft; accept it instead")
    elif not duplicate.lists.filter(pk=rating_list.pk).exists():
        problems.error(f"“{duplicate}” has these results already; add the list {rating_list.slug} to it instead")


def _check_countries(parsed: ParsedTable, problems: Problems) -> None:
    for row in parsed.rows:
        if row.country and row.country not in countries:
            problems.warn(f"“{row.country}” is not a two-letter country code", row.line, row.number)
            row.country = ""


def _check_stones(parsed: ParsedTable, rating_list: RatingList, problems: Problems) -> None:
    if "stones" in rating_list.rating_system.required_values:
        return
    for row in parsed.rows:
        for round_ in (number for number, cell in enumerate(row.cells, 1) if cell.stones):
            problems.error("handicap stones are for go; this list rates another game", row.line, row.number, round_)


def _check_new_players(rating_list: RatingList, announced: Mapping[NameKey, NewPlayer], problems: Problems) -> None:
    grades = rating_list.rating_system.grades
    for new in announced.values():
        if new.prior_grade and new.prior_grade not in grades:
            message = f"prior grade “{new.prior_grade}” is not one of {grades[0]} to {grades[-1]}"
            problems.error(f"new players' file, line {new.line}: {message}")


def _find_duplicate_event(parsed: ParsedTable, matched: MatchedPlayers, pairings: list[Pairing]) -> Event | None:
    """Return the event that ends on the same day and has exactly the same results of the same players."""
    if matched.new:
        return None
    ids = {number: player.pk for number, player in matched.players.items()}
    table = find_duplicate_table(ids, pairings, parsed.last_day)
    return table.event if table else None


def find_duplicate_table(players: Mapping[int, int], pairings: Sequence[Pairing], last_day: dt.date) -> Table | None:
    """Return a table that ends on the day and has exactly the same results, or None.

    `players` holds the players' primary keys by their numbers in the pairings.
    """
    results = {
        _normalize_result(
            (p.round, players[p.a], None if p.b is None else players[p.b], p.score, p.played, p.handicap, p.giver)
        )
        for p in pairings
    }
    for table in Table.objects.filter(last_day=last_day).select_related("event"):
        if results == {_normalize_result(stored) for stored in _load_results(table)}:
            return table
    return None


Result = tuple[int, int, int | None, float, bool, str | None, str | None]
"""Round, primary keys of both players, score of the first player, played, handicap, giver."""


def _load_results(table: Table) -> list[Result]:
    games = Game.objects.filter(table=table)
    return list(games.values_list("round", "a__player", "b__player", "score", "played", "handicap", "giver"))


def _normalize_result(result: Result) -> Result:
    """Return a game with the lower primary key first, so that both ways of writing it are equal."""
    round_, a, b, score, played, handicap, giver = result
    if b is None or a < b:
        return result
    return round_, b, a, 1 - score, played, handicap, {"a": "b", "b": "a", None: None}[giver]


def _check_event(parsed: ParsedTable, rating_list: RatingList, matched: MatchedPlayers, problems: Problems) -> bool:
    """Return True if another event has the same name and day; warn of players with later tables."""
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
        listed = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        problems.warn(f"not after the last rated event of {listed}; later tables are rated again")
    return False


def _iterate_announced_grades(
    matched: MatchedPlayers, announced: Mapping[NameKey, NewPlayer], rating_list: RatingList
) -> Iterator[tuple[int, Player, str, ListPlayer | None]]:
    """Yield number, player, announced prior grade and stored list data of each player announced with a prior grade."""
    for number, player in matched.players.items():
        new = announced.get(name_key(player.family_name, player.given_name))
        if new and new.prior_grade:
            known = ListPlayer.objects.filter(list=rating_list, player=player).first() if player.pk else None
            yield number, player, new.prior_grade, known


def _check_prior_grades(
    matched: MatchedPlayers, announced: Mapping[NameKey, NewPlayer], start: ListStart, source: str, problems: Problems
) -> None:
    """Report announced prior grades that need approval, unless `start` allows recording them."""
    for number, player, grade, known in _iterate_announced_grades(matched, announced, start.rating_list):
        if known is None and needs_approval(start.rating_list, grade):
            message = start.problem(grade, player if player.pk else None, source)
            if message:
                problems.error(f"{player.name}: {message}", row=number)


def _check_published_grades(parsed: ParsedTable, start: ListStart, source: str, problems: Problems) -> None:
    """Report printed grades that need approval at the start of a list; after it, approvals decide on them."""
    if not parsed.published or not start.empty:
        return
    for row in parsed.rows:
        for grade in dict.fromkeys([row.grade, row.promoted]):
            message = start.problem(grade, None, source) if grade and needs_approval(start.rating_list, grade) else ""
            if message:
                problems.error(f"{row.name}: {message}", row.line, row.number)


def _save_prior_grades(
    matched: MatchedPlayers, announced: Mapping[NameKey, NewPlayer], start: ListStart, source: str, problems: Problems
) -> None:
    """Store the prior grades from the new players' file, unless the list has data of the player already."""
    for number, player, grade, known in _iterate_announced_grades(matched, announced, start.rating_list):
        if known is None:
            evidence = source[:200] if needs_approval(start.rating_list, grade) else ""
            row = ListPlayer(list=start.rating_list, player=player, prior_grade=grade, prior_evidence=evidence)
            save_list_player(row, start=start)
        elif known.prior_grade != grade:
            stored_grade = known.prior_grade or "none"
            problems.warn(f"{player.name} has the prior grade {stored_grade} already; it was kept", row=number)

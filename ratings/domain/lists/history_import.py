"""Import of a whole history (ratings-history/1) into an empty list, compared with its own export afterwards."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django_countries import countries

from ratings import models
from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.grades.grade_approval import ListStart
from ratings.domain.players.outside_ids import save_ids_of_history
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.result import rate_history
from ratings.queries.lists.history import export_history
from ratings.systems.values import Adjustment, Decision, Game, History, Player, Table

from .adjustments import save_adjustment, save_list, save_list_player

PROBLEMS_AT_MOST = 20
"""Problems that one error names."""


class HistoryImport(NamedTuple):
    """Result of an import: the numbers of what was stored, and the digest of all ratings."""

    tables: int
    players: int
    new_players: int
    adjustments: int
    decisions: int
    digest: str


class HistoryImportError(ValueError):
    """Error for a history that cannot be stored as it is; `problems` names each place in the file."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


@transaction.atomic
def import_history(history: History, start: ListStart, *, source: str) -> HistoryImport:
    """Store all inputs of a history in an empty list and rate it, all in one transaction.

    Options come from the file. Afterwards the list is exported again, and its ratings are compared with those computed
    from the file. Raise HistoryImportError if the list is not empty, has another system, cannot hold a value of the
    file, or gives other inputs or ratings than the file.
    """
    rating_list = models.RatingList.objects.select_for_update().get(pk=start.rating_list.pk)
    problems = [*_find_list_problems(rating_list, history), *_find_value_problems(history)]
    if problems:
        raise HistoryImportError(problems)
    rating_list.options = dict(history.options)
    rating_list.set_option_changes(history.option_changes)
    save_list(rating_list)
    start = replace(start, rating_list=rating_list)
    players, new = _save_players(history, start, source)
    tables = _save_tables(history, rating_list, players)
    _save_records(history, start, players, tables, source)
    rerate(rating_list.pk)
    digest = _compare(history, rating_list)
    return HistoryImport(len(tables), len(players), new, len(history.adjustments), len(history.decisions), digest)


def _find_list_problems(rating_list: models.RatingList, history: History) -> Iterator[str]:
    if rating_list.comparison_to_id:
        yield f"{rating_list.slug} is a comparison, which takes its tables from another list; import into that one"
    if rating_list.system != history.system:
        yield f"system: {history.system} in the file, but {rating_list.slug} is rated by {rating_list.system}"
    counts = {
        "events": rating_list.events.count(),
        "adjustments": rating_list.adjustments.count(),
        "decisions": rating_list.decisions.count(),
        "players with data": rating_list.members.count(),
    }
    if present := ", ".join(f"{number} {what}" for what, number in counts.items() if number):
        yield f"{rating_list.slug} is not empty ({present}); a history is imported into a new list"


def _find_value_problems(history: History) -> Iterator[str]:
    """Yield the places of values that the database has no room for."""
    for number, player in enumerate(history.players.values()):
        place = f"players[{number}]"
        if player.opening is not None and not player.fixed:
            yield f"{place}.opening: give the rating as an adjustment before the first table instead"
        if player.country and not _find_country(player.country):
            yield f"{place}.country: {player.country} is not the code or name of a country"
    for number, table in enumerate(history.tables):
        place = f"tables[{number}]"
        unknown = [id for id in sorted(table.under_21) if history.players[id].birth_date is None]
        if unknown:
            yield f"{place}.under_21: add birth_date to the players {', '.join(unknown)} instead"
        if any(game.round is None or game.score is None for game in table.games):
            yield f"{place}.games: every game needs a round and a score"
        if not table.event:
            yield f"{place}.event: is missing; name the event"


def _find_country(text: str) -> str:
    return str(countries.alpha2(text) or countries.by_name(text))


def _split_name(player: Player) -> tuple[str, str]:
    """Return last and first name of “Last, First” or “Last First”."""
    if "," in player.name:
        family, _comma, given = (part.strip() for part in player.name.partition(","))
        return family, given
    family, _blank, given = player.name.strip().rpartition(" ")
    return (family, given) if family else (given or player.id, "")


def _public_id(id: str) -> str:
    """Return the id of a player without the table that follows the id of a guest."""
    return id.partition("~")[0]


def _save_players(history: History, start: ListStart, source: str) -> tuple[dict[str, models.Player], int]:
    """Save the players who are not known by their id, and the list's data about all; return all, and how many are new.

    The row of a guest, who gave a simultaneous display, is that of the player.
    """
    known = {player.public_id: player for player in models.Player.objects.all()}
    players: dict[str, models.Player] = {}
    new, problems = 0, []
    for number, value in enumerate(history.players.values()):
        id = _public_id(value.id)
        if id in players:
            continue
        player = known.get(id)
        if player is None:
            family, given = _split_name(value)
            player = models.Player(public_id=id, family_name=family, given_name=given)
            player.birth_date, player.birth_year = value.birth_date, value.birth_year
            player.country = _find_country(value.country) if value.country else ""
            try:
                player.full_clean()
            except ValidationError as error:
                problems += [f"players[{number}]: {' '.join(error.messages)}"]
                continue
            player.save()
            new += 1
        problems += [f"players[{number}].outside_ids: {it}" for it in save_ids_of_history(player, value.outside_ids)]
        players[id] = player
    if problems:
        raise HistoryImportError(problems)
    for value in history.players.values():
        if "~" not in value.id:
            _save_list_player(value, players[value.id], start, source)
    return players, new


def _save_list_player(value: Player, player: models.Player, start: ListStart, source: str) -> None:
    row = models.ListPlayer(
        list=start.rating_list,
        player=player,
        prior_grade=value.prior_grade or "",
        prior_evidence=source[:200] if value.prior_grade else "",
        start_year=value.start_year,
        member=not value.unlisted,
        fixed_rating=(value.opening or {}).get("rating") if value.fixed else None,
        fixed_deviation=(value.opening or {}).get("deviation") if value.fixed else None,
    )
    if value.prior_grade or value.start_year or value.unlisted or value.fixed:
        _save(lambda: save_list_player(row, start=start), f"player {value.id}")


def _save(save: Callable[[], object], place: str) -> None:
    """Call a function that saves a row; raise HistoryImportError with the place in the file if it is invalid."""
    try:
        save()
    except ValidationError as error:
        raise HistoryImportError([f"{place}: {' '.join(error.messages)}"]) from None


def _save_tables(
    history: History, rating_list: models.RatingList, players: Mapping[str, models.Player]
) -> dict[str, models.Table]:
    """Save each table as an accepted event of its own; return them by their ids in the file."""
    saved: dict[str, models.Table] = {}
    positions: dict[tuple[dt.date, dt.date], int] = defaultdict(int)
    for value in history.tables:
        days = (value.last_day, value.date)
        positions[days] += 1
        event = models.Event(name=value.event, start=value.date, end=value.last_day, state=models.Event.State.ACCEPTED)
        table = models.Table(event=event, position=positions[days], **_table_fields(value))

        _save(partial(_save_table, event, table, value, rating_list, players), f"table {value.id}")
        saved[value.id] = table
    return saved


def _save_table(
    event: models.Event,
    table: models.Table,
    value: Table,
    rating_list: models.RatingList,
    players: Mapping[str, models.Player],
) -> None:
    save_event(event, [rating_list])
    table.event = event
    save_table(table, _entries(value, players), _games(value))


def _table_fields(value: Table) -> dict[str, object]:
    overtime = value.overtime or {}
    return {
        "first_day": value.date,
        "last_day": value.last_day,
        "rated": value.rated,
        "tournament": value.tournament,
        "minutes": value.minutes,
        "overtime_moves": overtime.get("moves"),
        "overtime_seconds": overtime.get("seconds"),
        "increment": overtime.get("increment"),
        "time_class": value.time_class,
        "list_day": value.list_day,
    }


def _entries(value: Table, players: Mapping[str, models.Player]) -> list[NewEntry]:
    return [
        NewEntry(players[_public_id(id)], number, fixed_rating=value.fixed.get(id), guest="~" in id)
        for number, id in enumerate(value.players, 1)
    ]


def _games(value: Table) -> list[NumberedGame]:
    numbers = {id: number for number, id in enumerate(value.players, 1)}
    return [_game(game, numbers) for game in value.games]


def _game(game: Game, numbers: Mapping[str, int]) -> NumberedGame:
    assert game.round is not None
    assert game.score is not None
    return NumberedGame(
        game.round,
        numbers[game.a],
        None if game.b is None else numbers[game.b],
        game.score,
        game.played,
        game.handicap,
        game.giver,
        game.stones,
        game.black,
        game.board,
        game.online,
        game.correspondence,
        game.kind,
    )


def _save_records(
    history: History,
    start: ListStart,
    players: Mapping[str, models.Player],
    tables: Mapping[str, models.Table],
    source: str,
) -> None:
    """Save the adjustments and decisions; grades that need approval are allowed as at the start of a list."""
    entries: dict[str, Iterable[Adjustment | Decision]] = {
        "adjustments": history.adjustments,
        "decisions": history.decisions,
    }
    for kind, several in entries.items():
        for number, entry in enumerate(several):
            row = _record(entry, start.rating_list, players, tables)
            row.source, row.made_by = source[:200], start.by
            _save(partial(save_adjustment, row, start=start), f"{kind}[{number}]")


def _record(
    entry: Adjustment | Decision,
    rating_list: models.RatingList,
    players: Mapping[str, models.Player],
    tables: Mapping[str, models.Table],
) -> models.Adjustment | models.Decision:
    before = tables[entry.before] if entry.before else None
    player = players[_public_id(entry.player)] if entry.player else None
    common = {"list": rating_list, "date": entry.date, "before": before, "reason": entry.reason or "imported"}
    if isinstance(entry, Decision):
        return models.Decision(player=player, grade=entry.grade, ruling=entry.ruling, **common)
    state = None if entry.set is None else dict(entry.set)
    return models.Adjustment(player=player, set=state, shift=entry.shift, **common)


def _compare(history: History, rating_list: models.RatingList) -> str:
    """Return the digest of all ratings; raise HistoryImportError if inputs or ratings differ from those of the file."""
    exported = export_history(models.RatingList.objects.get(pk=rating_list.pk), true_names=True)
    differences = list(_find_differences(_comparable(history), _comparable(exported)))
    expected, stored = compute_history_digest(rate_history(history)), stored_digest(rating_list)
    if not differences and expected != stored:
        differences = [f"the ratings differ: digest {expected} of the file, {stored} of the list"]
    if differences:
        more = len(differences) - PROBLEMS_AT_MOST
        raise HistoryImportError(
            [*differences[:PROBLEMS_AT_MOST], *([f"and {more} more differences"] if more > 0 else [])]
        )
    return stored


def _comparable(history: History) -> dict[str, dict[str, object]]:
    """Return the inputs of a history in a form that does not depend on the ids of tables or the order in the file."""
    ordered = sorted(history.tables, key=lambda table: (table.last_day, table.date))
    names = {table.id: f"t{number}" for number, table in enumerate(ordered, 1)}

    def rename(id: str) -> str:
        public_id, tilde, table = id.partition("~")
        return f"{public_id}~{names.get(table, table)}" if tilde else id

    def normalize(table: Table) -> Table:
        games = [replace(game, a=rename(game.a), b=game.b and rename(game.b)) for game in table.games]
        return replace(
            table,
            id=names[table.id],
            players=tuple(map(rename, table.players)),
            games=tuple(sorted(games, key=repr)),
            end_date=table.last_day,
            fixed={rename(id): float(rating) for id, rating in table.fixed.items()},
            under_21=frozenset(),
        )

    return {
        "players": {rename(id): (_find_country(player.country), player.prior_grade, player.start_year,
                                 player.fixed, player.unlisted) for id, player in history.players.items()},
        "tables": {names[table.id]: normalize(table) for table in ordered},
        "adjustments": _count([(a.date, a.player, names.get(a.before or ""), a.set and sorted(a.set.items()), a.shift)
                               for a in history.adjustments]),
        "decisions": _count([(d.date, d.player, names.get(d.before or ""), d.grade, d.ruling)
                             for d in history.decisions]),
    }  # fmt: skip


def _count(entries: list[object]) -> dict[str, object]:
    """Return how often each entry occurs, by its text."""
    counts: dict[str, object] = {}
    for text in map(repr, entries):
        counts[text] = int(str(counts.get(text, 0))) + 1
    return counts


def _find_differences(
    expected: Mapping[str, Mapping[str, object]], stored: Mapping[str, Mapping[str, object]]
) -> Iterator[str]:
    """Yield a line for each input that differs; players of the file who occur nowhere are not exported."""
    for kind, entries in expected.items():
        for key in [*entries, *(set(stored[kind]) - set(entries))]:
            if kind == "players" and key not in stored[kind]:
                continue
            if entries.get(key) != stored[kind].get(key):
                yield f"{kind}: {key} is {entries.get(key)} in the file, but {stored[kind].get(key)} when exported"

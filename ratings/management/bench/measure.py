"""Benchmark of rating runs, relative to the time the database alone needs to read the games and store the rows."""

from __future__ import annotations

import datetime as dt
import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F

from ratings.domain.events.tables import NewEntry, NumberedGame, save_details, save_event, save_table
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs.rerating import rerate, without_garbage_collection
from ratings.models import Award, Change, Checkpoint, Event, Game, Player, RatedTable, RatingList, Run, Standing, Table
from ratings.queries.lists.history import load_history
from ratings.systems import get_system_of
from ratings.systems.replay import opening_states, replay

from .history import Size
from .workers import Worker, load_engine, rate

FLOOR, ROWS_IN = "floor: games out, rows into a bare table", "games out, all rows of a run in"
"""The figures that others are compared with: nothing is computed."""
FROM_NOTHING, LATE = "from nothing", "one late table a year back"
ENGINE, ENGINE_LATE = "the engine alone, from nothing", "the engine alone, from the late table on"
DERIVED = (Award, Change, RatedTable, Standing, Run)
DERIVED_NAMES = ", ".join(model._meta.db_table for model in DERIVED)


@dataclass(frozen=True)
class Figure:
    """One line of the printed table: seconds, number of rated tables, and memory in megabytes."""

    what: str
    seconds: float
    tables: int | None = None
    megabytes: int | None = None


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(rating_list: RatingList, size: Size) -> Iterator[Figure]:
    """Yield figures of rating from nothing, of a late table a year back, and of a correction that changes no state.

    If a run from nothing takes long (`size.rated_once`), it is the only one, and what needs others is left out.
    """
    load_engine(rating_list.pk)
    with Worker(rating_list) as worker:  # the memory of its process is that of its runs
        if not size.rated_once:
            for process in (None, worker):  # not measured: they load code and write the rows that the floor copies
                rate_from_nothing(rating_list, process)
            yield Figure(FLOOR, measure_floor(rating_list, "DEFAULTS"))
            yield Figure("the same with the real one's indexes", measure_floor(rating_list, "ALL"))
            yield Figure(ROWS_IN, copy_all_rows(rating_list))
        seconds, run, megabytes = rate_from_nothing(rating_list, worker)
    yield Figure(FROM_NOTHING, seconds, run.visited, megabytes)
    assert run.started_at is not None
    assert run.ended_at is not None
    yield Figure("of this, its entry in the signed log", seconds - (run.ended_at - run.started_at).total_seconds())
    first = hash_changes(rating_list)
    with connection.cursor() as cursor:  # as autovacuum does within a minute, if it runs
        cursor.execute(f"ANALYZE {DERIVED_NAMES}")
    table = add_late_table(rating_list, size)
    seconds, run = rate_pending(rating_list)
    yield Figure(LATE, seconds, run.visited)
    if not size.rated_once:
        yield from measure_after_late_table(rating_list, table)
    event = table.event
    delete_table(table)
    event.delete()
    rate_pending(rating_list)
    check_same(first, hash_changes(rating_list), "taking the table back")


def measure_after_late_table(rating_list: RatingList, table: Table) -> Iterator[Figure]:
    """Yield figures of the engine and of a correction of the late table; compare digests with a run from nothing."""
    if not rating_list.rating_system.rating.compiled:  # a run of compiled rules does not use what is measured
        whole, since = measure_engine(rating_list, table.last_day)
        yield Figure(ENGINE, whole)
        yield Figure(ENGINE_LATE, since)
    late = hash_changes(rating_list)
    rate_from_nothing(rating_list)
    check_same(late, hash_changes(rating_list), "the late table")
    table.games.update(round=F("round") + 100)
    save_details(table)
    seconds, run = rate_pending(rating_list)
    yield Figure("a correction that changes no state", seconds, run.visited)
    check_same(late, hash_changes(rating_list), "the correction")


def hash_changes(rating_list: RatingList) -> str:
    """Return a hash of all rating changes of a list, without holding them in memory."""
    columns = "day, place, player_id, before, after, change, games, state"
    rows = f"SELECT {columns} FROM ratings_change WHERE list_id = {rating_list.pk:d} ORDER BY day, place, player_id"
    hashed = hashlib.sha256()
    with connection.cursor() as cursor, cursor.copy(f"COPY ({rows}) TO STDOUT") as parts:
        for part in parts:
            hashed.update(part)
    return hashed.hexdigest()


def check_same(first: str, second: str, after: str) -> None:
    if first != second:
        raise AssertionError(f"after {after} the list is not what it is from nothing")


def rate_from_nothing(rating_list: RatingList, worker: Worker | None = None) -> tuple[float, Run, int]:
    """Rate a list in a worker or here; return seconds and run, and the peak memory of the process in megabytes."""
    delete_derived(rating_list)
    megabytes = worker.rate(rating_list).result() if worker else rate(rating_list.pk)
    return *rate_pending(rating_list), megabytes


def measure_engine(rating_list: RatingList, since: dt.date) -> tuple[float, float]:
    """Return the seconds in which the engine rates a list in memory, and the part of them from a day on."""
    history = load_history(rating_list).history
    dated = get_system_of(history)
    states = opening_states(dated.first, history.players)
    began = None
    with without_garbage_collection():
        start = time.perf_counter()
        for step in replay(dated, history, states, lambda _day, _cause: None):
            if began is None and step.day >= since:
                began = time.perf_counter()
        end = time.perf_counter()
    return end - start, end - (began or end)


def delete_derived(rating_list: RatingList) -> None:
    """Delete all derived rows of a list, and mark it to be rated from the beginning.

    The tables are vacuumed, as if the rows had never been: a run would read the dead rows otherwise.
    """
    for model in DERIVED:
        model._default_manager.filter(list=rating_list).delete()
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM ANALYZE {DERIVED_NAMES}")
    RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=dt.date.min)


def rate_pending(rating_list: RatingList) -> tuple[float, Run]:
    """Rate a list, and return the run and the seconds from its start until its entry in the signed log is made.

    Nothing is rated here if a worker has done it, or the change of a table without a broker.
    """
    rerate(rating_list.pk)
    run = rating_list.runs.finished().latest("ended_at")
    assert run.started_at is not None
    return (Checkpoint.objects.get(run=run).made_at - run.started_at).total_seconds(), run


def add_late_table(rating_list: RatingList, size: Size) -> Table:
    last = Table.objects.filter(event__lists=rating_list).latest("last_day").last_day
    day = last - dt.timedelta(days=365)
    event = Event(name="Late", start=day, end=day, state=Event.State.ACCEPTED)
    save_event(event, [rating_list])
    players = Player.objects.filter(standings__list=rating_list).order_by("public_id")[: size.seats]
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    games = [
        NumberedGame(round_, 2 * pair + 1, 2 * pair + 2, 1.0)
        for round_ in range(1, 6)
        for pair in range(len(seats) // 2)
    ]
    return save_table(Table(event=event, first_day=day, last_day=day), seats, games)


def copy_all_rows(rating_list: RatingList) -> float:
    """Return the seconds to COPY all games out, and all rows of a run into copies of its tables with their indexes."""
    with transaction.atomic(), connection.cursor() as cursor:
        rows: dict[str, bytes] = {}
        for model in (RatedTable, Change, Award, Standing):
            table = model._meta.db_table
            with cursor.copy(f"COPY (SELECT * FROM {table} WHERE list_id = {rating_list.pk:d}) TO STDOUT") as out:
                rows[table] = b"".join(bytes(part) for part in out)
            cursor.execute(f"CREATE TABLE again_{table} (LIKE {table} INCLUDING ALL)")

        def copy_rows() -> None:
            with cursor.copy(f'COPY (SELECT * FROM "{Game._meta.db_table}") TO STDOUT') as games:
                for _ in games:
                    pass
            for table, lines in rows.items():
                with cursor.copy(f"COPY again_{table} FROM STDIN") as into:
                    into.write(lines)

        seconds = timed(copy_rows)
        transaction.set_rollback(True)
    return seconds


def measure_floor(rating_list: RatingList, including: str) -> float:
    """Return the seconds to COPY all games out, and the list's changes into an empty copy of their table.

    There is one change for each player and table, with its state.
    """
    fields = ", ".join(f'"{field.column}"' for field in Change._meta.concrete_fields)
    with connection.cursor() as cursor:
        with cursor.copy(
            f"COPY (SELECT {fields} FROM ratings_change WHERE list_id = {rating_list.pk:d}) TO STDOUT"
        ) as out:
            rows = [bytes(part) for part in out]
        cursor.execute(f"CREATE TEMP TABLE floor (LIKE ratings_change INCLUDING {including})")

        def copy_rows() -> None:
            with cursor.copy(f'COPY (SELECT * FROM "{Game._meta.db_table}") TO STDOUT') as games:
                for _ in games:
                    pass
            with cursor.copy(f"COPY floor ({fields}) FROM STDIN") as into:
                for row in rows:
                    into.write(row)

        seconds = timed(copy_rows)
        cursor.execute("DROP TABLE floor")
    return seconds

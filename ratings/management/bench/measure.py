"""Measuring rating runs against the floor: what the database alone needs to give the games and take the rows."""

from __future__ import annotations

import datetime as dt
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F

from ratings.domain.rerating import rerate
from ratings.domain.tables import Pairing, Seat, delete_table, save_details, save_event, save_table
from ratings.domain.verifying import stored_digest
from ratings.models import Award, Change, Event, Game, Player, RatedTable, RatingList, Run, Standing, Table

from .history import Size

DERIVED = (Award, Change, RatedTable, Standing, Run)


@dataclass(frozen=True)
class Figure:
    """One line of the table; `tables` is how many were rated."""

    what: str
    seconds: float
    tables: int | None = None
    megabytes: int | None = None


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def megabytes() -> int:
    """The most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(rating_list: RatingList, size: Size) -> Iterator[Figure]:
    """From nothing, then one late table a year back, then a correction after which every state is as it was."""
    from_nothing(rating_list)  # once unmeasured: compiled code and the rows that the floor copies
    yield Figure("floor: games out, rows into a bare table", floor(rating_list, "DEFAULTS"))
    yield Figure("the same with the real one's indexes", floor(rating_list, "ALL"))
    yield Figure("games out, all rows of a run in", everything_again(rating_list))
    seconds, run = from_nothing(rating_list)
    yield Figure("from nothing", seconds, run.visited, megabytes())
    first = stored_digest(rating_list)
    table = late_table(rating_list, size)
    seconds, run = pending(rating_list)
    yield Figure("one late table a year back", seconds, run.visited)
    late = stored_digest(rating_list)
    from_nothing(rating_list)
    same(late, stored_digest(rating_list), "the late table")
    table.games.update(round=F("round") + 100)
    save_details(table)
    seconds, run = pending(rating_list)
    yield Figure("a correction that changes no state", seconds, run.visited)
    same(late, stored_digest(rating_list), "the correction")
    event = table.event
    delete_table(table)
    event.delete()
    pending(rating_list)
    same(first, stored_digest(rating_list), "taking the table back")


def same(one: str, other: str, after: str) -> None:
    if one != other:
        raise AssertionError(f"after {after} the list is not what it is from nothing")


def from_nothing(rating_list: RatingList) -> tuple[float, Run]:
    empty(rating_list)
    return pending(rating_list)


def empty(rating_list: RatingList) -> None:
    """Take away all that was derived, and have everything rated again."""
    for model in DERIVED:
        model._default_manager.filter(list=rating_list).delete()
    RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=dt.date.min)


def pending(rating_list: RatingList) -> tuple[float, Run]:
    """Seconds of the run that was pending, and its record; without a broker it has been done already."""
    rerate(rating_list.pk)
    run = Run.objects.filter(list=rating_list, state=Run.State.FINISHED).latest("ended_at")
    assert run.started_at is not None
    assert run.ended_at is not None
    return (run.ended_at - run.started_at).total_seconds(), run


def late_table(rating_list: RatingList, size: Size) -> Table:
    last = Table.objects.filter(event__lists=rating_list).latest("last_day").last_day
    day = last - dt.timedelta(days=365)
    event = Event(name="Late", start=day, end=day, state=Event.State.ACCEPTED)
    save_event(event, [rating_list])
    players = Player.objects.filter(standings__list=rating_list).order_by("public_id")[: size.seats]
    seats = [Seat(player, number) for number, player in enumerate(players, 1)]
    games = [
        Pairing(round_, 2 * pair + 1, 2 * pair + 2, 1.0) for round_ in range(1, 6) for pair in range(len(seats) // 2)
    ]
    return save_table(Table(event=event, first_day=day, last_day=day), seats, games)


def everything_again(rating_list: RatingList) -> float:
    """COPY of the games out, and of all that a run stores into empty tables like the real ones, with their indexes."""
    with transaction.atomic(), connection.cursor() as cursor:
        rows: dict[str, bytes] = {}
        for model in (RatedTable, Change, Award, Standing):
            table = model._meta.db_table
            with cursor.copy(f"COPY (SELECT * FROM {table} WHERE list_id = {rating_list.pk:d}) TO STDOUT") as out:
                rows[table] = b"".join(bytes(part) for part in out)
            cursor.execute(f"CREATE TABLE again_{table} (LIKE {table} INCLUDING ALL)")

        def there_and_back() -> None:
            with cursor.copy(f'COPY (SELECT * FROM "{Game._meta.db_table}") TO STDOUT') as games:
                for _ in games:
                    pass
            for table, lines in rows.items():
                with cursor.copy(f"COPY again_{table} FROM STDIN") as into:
                    into.write(lines)

        seconds = timed(there_and_back)
        transaction.set_rollback(True)
    return seconds


def floor(rating_list: RatingList, including: str) -> float:
    """COPY of the list's games out, and of its changes, one a player and table with its state, into another table."""
    fields = ", ".join(f'"{field.column}"' for field in Change._meta.concrete_fields)
    with connection.cursor() as cursor:
        with cursor.copy(
            f"COPY (SELECT {fields} FROM ratings_change WHERE list_id = {rating_list.pk:d}) TO STDOUT"
        ) as out:
            rows = [bytes(part) for part in out]
        cursor.execute(f"CREATE TEMP TABLE floor (LIKE ratings_change INCLUDING {including})")

        def there_and_back() -> None:
            with cursor.copy(f'COPY (SELECT * FROM "{Game._meta.db_table}") TO STDOUT') as games:
                for _ in games:
                    pass
            with cursor.copy(f"COPY floor ({fields}) FROM STDIN") as into:
                for row in rows:
                    into.write(row)

        seconds = timed(there_and_back)
        cursor.execute("DROP TABLE floor")
    return seconds

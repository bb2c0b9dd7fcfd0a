"""Messages about a run: events rated, ratings changed, and ratings corrected without a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ratings.domain.site.change_messages import queue_messages, round_rating, sends_changes, split_rows
from ratings.models import ChangeKind, ChangeMessage, Event, Run, Table

from .corrections import NO_LINE, Lines
from .outcome import Outcome

KINDS = frozenset({ChangeKind.EVENT_RATED, ChangeKind.RATING_CHANGED, ChangeKind.RATING_CORRECTED})


def queue_run_messages(run: Run, outcome: Outcome, before: Lines, after: Lines) -> None:
    """Queue messages about what a run has stored on a public list, with the lines before and after it.

    Without subscriptions and followers, this costs three queries.
    """
    if sends_changes(run.list):
        queue_messages(_describe_run(run, outcome, before, after), kinds=KINDS, federation=run.list.federation_id)


def _describe_run(run: Run, outcome: Outcome, before: Lines, after: Lines) -> Iterator[ChangeMessage]:
    yield from _describe_events(run, outcome)
    changes = _list_changes(run, outcome, before, after)
    yield from split_rows(ChangeKind.RATING_CHANGED, run.list, {"run": run.pk}, "changes", changes)
    corrected = set(run.corrections.filter(hidden=False).values_list("player__public_id", flat=True))
    corrections = [row for row in changes if row["player"] in corrected]
    yield from split_rows(ChangeKind.RATING_CORRECTED, run.list, {"run": run.pk}, "corrections", corrections)


def _describe_events(run: Run, outcome: Outcome) -> Iterator[ChangeMessage]:
    """Yield a message for each event with tables that were rated for the first time, in order of their days."""
    tables: dict[str, list[int]] = {}
    new = {row.table_id: (row.day, row.place) for row in outcome.tables if row.table_id in outcome.new_tables}
    events = Table.objects.filter(pk__in=new, event__state=Event.State.ACCEPTED).order_by()
    rows = dict(events.values_list("pk", "event__public_id"))
    for pk in sorted(rows, key=lambda pk: new[pk]):
        tables.setdefault(rows[pk], []).append(pk)
    for event, rated in tables.items():
        data = {"list": run.list.slug, "run": run.pk, "event": event, "tables": rated}
        yield ChangeMessage(ChangeKind.EVENT_RATED, {run.list.federation_id}, data)


def _list_changes(run: Run, outcome: Outcome, before: Lines, after: Lines) -> list[dict[str, Any]]:
    """Return all published ratings that a run changed, by public id; null stands for a player not on the list.

    A change that disappears when the ratings are rounded is none.
    """
    ids = {pk: player.id for pk, player in outcome.players.items()}
    rows = []
    for pk in sorted(outcome.states.keys() & ids.keys(), key=lambda pk: ids[pk]):
        lines = before.get(pk, NO_LINE), after.get(pk, NO_LINE)
        old, new = (round_rating(run.list, line.rating if line.published else None) for line in lines)
        if old != new:
            rows.append({"player": ids[pk], "before": old, "after": new})
    return rows

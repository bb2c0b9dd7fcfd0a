"""Facts of a rated table that pages show: winner, upset, best performance, new highest ratings, and results."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, Subquery

from ratings.models import Change, Event, Player, RatedTable, RatingList, TableFacts
from ratings.queries.lists.deviations import deviation_reader
from ratings.systems.protocol import System

from .crosstables import Crosstable, CrosstableRow, public_changes_filter
from .performances import compute_performances, stored_facts

EVEN = 0.5
"""Expected score from which on a win is no upset."""
LEAST_GAMES = 3
"""Number of rated games below which a performance says little."""
MARKS = {1: "1", 0.5: "½", 0: "0"}
FORM = 6
"""Number of results that are a player's form."""


class BiggestUpset(NamedTuple):
    """The biggest upset of a table: both players' rating changes there, and the loser's expected score (0..1)."""

    winner: Change
    loser: Change
    chance: float


class _Upset(NamedTuple):
    """A win against the odds: the loser's expected score (0..1), and both rows."""

    chance: float
    winner: CrosstableRow
    loser: CrosstableRow


def compute_facts(
    crosstable: Crosstable,
    system: System[Any],
    peaks: Mapping[int, float] | None = None,
    deviations: Mapping[int, float] | None = None,
) -> TableFacts:
    """Return the facts of a table, not saved.

    `peaks` are the highest published ratings before the table, `deviations` those of the ratings before it where the
    system has deviations, both by the players' primary keys.
    """
    upset = max(_list_upsets(crosstable, system, deviations or {}), key=lambda upset: upset.chance, default=None)
    performances = compute_performances(crosstable, system)
    best = _find_best(crosstable, performances)
    return TableFacts(
        rated=crosstable.rated,
        winner=_find_winner(crosstable),
        upset_winner=upset.winner.entry.player if upset else None,
        upset_loser=upset.loser.entry.player if upset else None,
        upset_chance=upset.chance if upset else None,
        best_player=best.entry.player if best else None,
        best_performance=performances[best.entry.number] if best else None,
        players={
            str(row.entry.player_id): {
                "results": _format_results(row),
                "performance": performances[row.entry.number],
                "peak": _is_peak(row.change, peaks or {}),
            }
            for row in crosstable.rows
        },
    )


def _find_winner(crosstable: Crosstable) -> Player | None:
    first = [row for row in crosstable.rows if getattr(crosstable.placings.get(row.entry.number), "place", 0) == 1]
    return first[0].entry.player if len(first) == 1 else None


def _list_upsets(crosstable: Crosstable, system: System[Any], deviations: Mapping[int, float]) -> Iterator[_Upset]:
    """Yield the rated wins of players whom their rating before the table expected to lose."""
    before = {
        row.entry.pk: (row, row.change.before)
        for row in crosstable.rows
        if row.change and row.change.games and row.change.before is not None
    }
    for row, own in before.values():
        for cell in (cell for round_ in row.rounds for cell in round_):
            if cell.opponent is None or cell.opponent.pk not in before or not cell.played or cell.cell.points != 1:
                continue
            loser, other = before[cell.opponent.pk]
            pair = deviations.get(row.entry.player_id, 0.0), deviations.get(loser.entry.player_id, 0.0)
            expected = system.rating.predict(own, other, cell.cell.to_game(1, cell.board), "a", pair)
            if expected is not None and expected < EVEN:
                yield _Upset(1 - expected, row, loser)


def _find_best(crosstable: Crosstable, performances: Mapping[int, float | None]) -> CrosstableRow | None:
    """Return the row whose performance exceeds the rating most, among at least two players with enough rated games."""
    gains: list[tuple[float, CrosstableRow]] = []
    for row in crosstable.rows:
        performance, change = performances[row.entry.number], row.change
        if performance is not None and change and change.before is not None and change.games >= LEAST_GAMES:
            gains.append((performance - change.before, row))
    if len(gains) < 2:
        return None
    gain, best = max(gains, key=lambda pair: pair[0])
    return best if gain > 0 else None


def _format_results(row: CrosstableRow) -> str:
    """Return a player's results of played games, latest first."""
    cells = [cell for round_ in row.rounds for cell in round_ if cell.opponent is not None and cell.played]
    return "".join(MARKS.get(cell.cell.points, "") for cell in reversed(cells))


def _is_peak(change: Change | None, peaks: Mapping[int, float]) -> bool:
    """Return True if a change led to a higher rating than any published one before it."""
    if change is None or not change.published or change.after is None or change.before is None:
        return False
    return change.after > max(change.before, peaks.get(change.player_id, change.before))


def highest_ratings_before(tables: Sequence[RatedTable], rating_list: RatingList) -> dict[int, dict[int, float]]:
    """Return the highest rating of each player on a list before each table, by primary keys of table and player."""
    earlier = Change.objects.filter(
        Q(day__lt=OuterRef("day")) | Q(day=OuterRef("day"), place__lt=OuterRef("place")),
        public_changes_filter(),
        list=rating_list,
        player=OuterRef("player"),
        published=True,
        after__isnull=False,
    )
    changes = Change.objects.filter(list=rating_list, table__in=[rated.table_id for rated in tables]).order_by()
    highest: dict[int, dict[int, float]] = {}
    peak = Subquery(earlier.order_by("-after").values("after")[:1])
    for table, player, rating in changes.annotate(peak=peak).values_list("table", "player", "peak"):
        if table is not None and rating is not None:
            highest.setdefault(table, {})[player] = rating
    return highest


def read_deviations_before(tables: Sequence[RatedTable], rating_list: RatingList) -> dict[int, dict[int, float]]:
    """Return the deviation of each player's rating before each table, by primary keys of table and player.

    It is empty in systems without deviations.
    """
    if not rating_list.rating_system.rating.has_deviations:
        return {}
    earlier = Change.objects.filter(
        Q(day__lt=OuterRef("day")) | Q(day=OuterRef("day"), place__lt=OuterRef("place")),
        list=rating_list,
        player=OuterRef("player"),
    )
    changes = Change.objects.filter(list=rating_list, table__in=[rated.table_id for rated in tables]).order_by()
    states = changes.annotate(last=Subquery(earlier.order_by("-day", "-place").values("state")[:1]))
    read = deviation_reader(rating_list)
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for table, player, day, state in states.values_list("table", "player", "day", "last"):
        if table is not None and (deviation := read(state, day)) is not None:
            found[table][player] = deviation
    return found


def is_new_peak(rated: RatedTable, player: int) -> bool:
    """Return True if a player's rating after a table is the highest so far, by the stored facts of the table."""
    facts = stored_facts(rated)
    return bool(facts and facts.player_facts(player).get("peak"))


def read_biggest_upset(rating_list: RatingList, since: dt.date) -> BiggestUpset | None:
    """Return the biggest upset on a list since a day, by the stored facts of its tables; None without one."""
    upsets = TableFacts.objects.filter(rated__list=rating_list, rated__day__gte=since, upset_chance__isnull=False)
    facts = upsets.select_related("rated").order_by("-upset_chance", "-rated__day").first()
    if facts is None:
        return None
    changes = Change.objects.filter(public_changes_filter(), list=rating_list, table=facts.rated.table_id)
    players = [facts.upset_winner_id, facts.upset_loser_id]
    read = changes.filter(player__in=players).select_related("player", "table__event")
    found: dict[int | None, Change] = {change.player_id: change for change in read}
    winner, loser = (found.get(player) for player in players)
    return BiggestUpset(winner, loser, facts.upset_chance or 0) if winner and loser else None


def add_winners(events: Sequence[Event]) -> Sequence[Event]:
    """Return these events, each with `winner`, the winner of its only rated table, or None."""
    facts = TableFacts.objects.filter(rated__table__event__in=[event.pk for event in events], rated__list__public=True)
    found: dict[int, dict[int, Player | None]] = defaultdict(dict)
    for one in facts.select_related("winner", "rated__table"):
        found[one.rated.table.event_id][one.rated.table_id] = one.winner
    for event in events:
        winners = list(found[event.pk].values())
        event.winner = winners[0] if len(winners) == 1 else None  # type: ignore[attr-defined] # templates read it
    return events


def read_form(rating_list: RatingList, player: Player, until: dt.date) -> str:
    """Return a player's last results on a list until a day (at most FORM, latest first), such as “1½0”.

    Return an empty text while the facts of one of the player's last tables are missing.
    """
    played = Change.objects.filter(
        public_changes_filter(), list=rating_list, player=player, games__gt=0, table__isnull=False, day__lte=until
    )
    rated = RatedTable.objects.filter(list=rating_list, table=OuterRef("table"))
    latest = played.annotate(facts=Subquery(rated.values("facts__players")[:1])).order_by("-day", "-place")
    tables = list(latest.values_list("facts", flat=True)[:FORM])
    if None in tables:
        return ""
    return "".join(facts.get(str(player.pk), {}).get("results", "") for facts in tables)[:FORM]

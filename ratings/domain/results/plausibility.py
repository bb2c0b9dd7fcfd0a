"""Checks of a submission against what is known: other events on its days, ratings, and names of new players."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ratings.formats.parsed import ParsedRow, points_text
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.matching import fold
from ratings.models import Entry, Event, FederationMembership, Player, RatingList, Standing, Submission
from ratings.queries.lists.deviations import deviations_before
from ratings.systems.messages import limit_items
from ratings.systems.performance import list_rated_games, sum_expected_scores

from .announced_players import get_name_key, read_announced_memberships

MAX_NAMES = 3
MAX_SPAN = dt.timedelta(days=14)
"""Longest time in which an event is played every day; the players of a league also play elsewhere."""
FEW_GAMES = 4
"""Least number of rated games of a score that can be implausible."""
FAR_SCORE, FAR_DEVIATIONS = 2.5, 4.0
"""Difference from the expected score, in points and in standard deviations, from which on a score is implausible."""
FAR_RATING = 300
"""Difference between a printed rating and the list, in rating points, from which on it is reported."""
LOST_LETTER = re.compile(r"\ufffd|(?<=\w)[?”“„†‡‰‹›•™¤¢£¥§©®¶±×÷¿¡](?=\w)")
"""Signs inside a name that stand for a letter which a program could not read."""
MIN_AGE, MAX_AGE = 4, 105
MAX_LENGTH, MAX_INITIALS = 100, 2
MAX_MEMBERS = 50
"""Names in a question about memberships: each is needed to answer it."""


@dataclass(frozen=True)
class Doubt:
    """A question about a submission, with the row that it is about, if it is about one."""

    message: str
    row: int | None = None
    fix: str = ""


def find_doubtful_names(rows: Mapping[int, SheetRow], last_day: dt.date) -> Iterator[Doubt]:
    """Yield questions about names that were damaged, and about the data of new players."""
    new_by_name: dict[str, int] = {}
    for number, row in rows.items():
        if LOST_LETTER.search(row.name):
            yield Doubt(SubmissionProblem.LETTER_LOST(text=row.name), number)
        if not row.new or row.player:
            continue
        if row.birth_year is not None and not MIN_AGE <= last_day.year - row.birth_year <= MAX_AGE:
            yield Doubt(SubmissionProblem.BIRTH_YEAR_DOUBTFUL(name=row.name, year=row.birth_year), number)
        better = f"{capitalize_name(row.family)} {capitalize_name(row.given)}".strip()
        if better != row.name and len(better) <= MAX_LENGTH:
            yield Doubt(SubmissionProblem.NAME_CAPITALS(text=row.name, better=better), number, "capitals")
        name = fold(row.name)
        if name and name in new_by_name:
            yield Doubt(SubmissionProblem.NEW_PLAYERS_OF_ONE_NAME(name=row.name, also=new_by_name[name]), number)
        new_by_name.setdefault(name, number)


def capitalize_name(name: str) -> str:
    """Return a name that is written in capitals or in small letters with capitals at the beginning of its parts."""
    return name.title() if len(name) > MAX_INITIALS and name in (name.upper(), name.lower()) else name


def find_other_places(
    submission: Submission, players: Mapping[int, Player], waiting: Iterable[Submission]
) -> Iterator[Doubt]:
    """Yield a question for each event in another place, accepted or waiting, in which players played on the same days.

    `waiting` are submissions of other events that overlap with the days.
    """
    event = submission.event
    if not event.place or submission.last_day - submission.first_day > MAX_SPAN:
        return
    row_by_pk = {player.pk: number for number, player in players.items() if player.pk is not None}
    rows_by_event: dict[Event, set[int]] = {}
    entries = Entry.objects.filter(
        player__in=row_by_pk,
        table__first_day__lte=submission.last_day,
        table__last_day__gte=submission.first_day,
        table__event__state=Event.State.ACCEPTED,
    ).exclude(table__event=submission.event_id)
    for entry in entries.select_related("table__event"):
        rows_by_event.setdefault(entry.table.event, set()).add(row_by_pk[entry.player_id])
    for other in waiting:
        numbers = _find_common_rows(content_from_json(other.content), players)
        if numbers and other.event_id != submission.event_id:
            rows_by_event.setdefault(other.event, set()).update(numbers)
    for other_event, numbers in rows_by_event.items():
        is_elsewhere = other_event.place and fold(other_event.place) != fold(event.place)
        if is_elsewhere and other_event.end - other_event.start <= MAX_SPAN and other_event.mode == event.mode:
            yield _describe_other_place(other_event, [players[number] for number in sorted(numbers)], min(numbers))


def _find_common_rows(content: SheetContent, players: Mapping[int, Player]) -> set[int]:
    """Return the numbers of the players who are also in the rows of another submission."""
    rows = [row for row in content.rows if not row.empty]
    ids = {row.player for row in rows if row.player}
    names = {fold(row.name) for row in rows if not row.player and row.name}
    return {
        number
        for number, player in players.items()
        if (player.pk is not None and player.public_id in ids) or fold(player.name) in names
    }


def _describe_other_place(event: Event, players: Sequence[Player], row: int) -> Doubt:
    values = {"event": event.name, "place": event.place, "day": event.start}
    if len(players) == 1:
        return Doubt(SubmissionProblem.IN_TWO_PLACES(name=players[0].name, **values), row)
    names = limit_items([player.name for player in players], MAX_NAMES)
    return Doubt(SubmissionProblem.PLAYERS_IN_TWO_PLACES(count=len(players), names=names, **values))


def find_lapsed_members(
    submission: Submission, players: Mapping[int, Player], lists: Iterable[RatingList]
) -> Iterator[Doubt]:
    """Yield a question about players whose membership had lapsed on the last day, and one about those without any.

    Only lists that require membership are looked at, and each federation once. Days of new players are those of the
    files of new players that came with the results.
    """
    federations = {each.federation_id: each.federation for each in lists if each.requires_membership}
    if not federations:
        return
    known = FederationMembership.objects.filter(
        federation__in=federations, player__in=[player.pk for player in players.values() if player.pk is not None]
    )
    until = {
        (federation, player): day for federation, player, day in known.values_list("federation", "player", "until")
    }
    is_new = any(player.pk is None for player in players.values())
    announced = read_announced_memberships(submission) if is_new else {}

    def find_day(federation: int, player: Player) -> dt.date | None:
        if player.pk is None:
            return announced.get(get_name_key(player.family_name, player.given_name))
        return until.get((federation, player.pk))

    for pk, federation in federations.items():
        days = [(player.name, find_day(pk, player)) for _number, player in sorted(players.items())]
        lapsed = [
            SubmissionProblem.NAME_WITH_DAY(name=name, day=day)
            for name, day in days
            if day is not None and day < submission.last_day
        ]
        missing = [name for name, day in days if day is None]
        if lapsed:
            yield Doubt(
                SubmissionProblem.MEMBERSHIP_LAPSED(federation=federation.name, names=limit_items(lapsed, MAX_MEMBERS))
            )
        if missing:
            yield Doubt(
                SubmissionProblem.MEMBERSHIP_MISSING(
                    federation=federation.name, names=limit_items(missing, MAX_MEMBERS)
                )
            )


def find_implausible_results(
    submission: Submission,
    content: SheetContent,
    rows: Sequence[ParsedRow],
    players: Mapping[int, Player],
    lists: Sequence[RatingList],
) -> Iterator[Doubt]:
    """Yield questions about scores and printed ratings that the players' ratings on the lists make implausible."""
    numbers = {player.pk: number for number, player in players.items() if player.pk is not None}
    standings = Standing.objects.filter(list__in=[each.pk for each in lists], player__in=numbers, rating__isnull=False)
    by_list: dict[int, dict[int, Standing]] = {}
    for standing in standings:
        by_list.setdefault(standing.list_id, {})[numbers[standing.player_id]] = standing
    for rating_list in lists:
        known = by_list.get(rating_list.pk, {})
        ratings = {number: standing.rating for number, standing in known.items() if standing.rating is not None}
        uncertain = deviations_before(numbers, rating_list, submission.last_day)
        deviations = {numbers[pk]: deviation for pk, deviation in uncertain.items()}
        yield from _find_implausible_scores(rating_list, rows, players, ratings, deviations)
        for number, standing in known.items():
            printed = content.rows[number - 1].printed.get("rating")
            is_current = standing.last_played is None or standing.last_played <= submission.last_day
            if printed and is_current and abs(printed - ratings[number]) > FAR_RATING:
                yield Doubt(
                    SubmissionProblem.PRINTED_RATING_FAR(
                        name=players[number].name, printed=printed, rating=round(ratings[number]), list=rating_list
                    ),
                    number,
                )


def _find_implausible_scores(
    rating_list: RatingList,
    rows: Sequence[ParsedRow],
    players: Mapping[int, Player],
    ratings: Mapping[int, float],
    deviations: Mapping[int, float],
) -> Iterator[Doubt]:
    def find_both(number: int, opponent: int) -> tuple[float, float] | None:
        own, other = deviations.get(number), deviations.get(opponent)
        return None if own is None or other is None else (own, other)

    system = rating_list.rating_system
    for row in rows:
        played = [
            (
                ratings.get(row.number),
                ratings.get(cell.opponent),
                cell.to_game(round_, 1),
                find_both(row.number, cell.opponent),
            )
            for round_, cell in enumerate(row.cells, 1)
            if cell.readable and cell.opponent and cell.opponent != row.number
        ]
        rated = list_rated_games(system, played) if row.number in ratings and row.number in players else []
        if len(rated) < FEW_GAMES:
            continue
        expected = sum_expected_scores(system, rated)
        score = sum(each.game.score or 0.0 for each in rated)
        spread = sum(chance * (1 - chance) for chance in (sum_expected_scores(system, [each]) for each in rated))
        if abs(score - expected) >= FAR_SCORE and abs(score - expected) > FAR_DEVIATIONS * spread**0.5:
            opponents = round(sum(each.opponent for each in rated) / len(rated))
            yield Doubt(
                SubmissionProblem.SCORE_IMPLAUSIBLE(
                    name=players[row.number].name,
                    rating=round(ratings[row.number]),
                    score=points_text(score),
                    games=len(rated),
                    opponents=opponents,
                    expected=f"{expected:.1f}",
                ),
                row.number,
            )

"""Starting a federation: its present rating list becomes one opening adjustment for each player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_countries import countries

from ratings.formats.parsed import Problems
from ratings.formats.rating_list_reader import ParsedList, ParsedPlayer
from ratings.models import Adjustment, Event, ListPlayer, Player, RatingList, Table
from ratings.queries.states import latest_changes
from ratings.systems.texts import state_of
from ratings.systems.words import Words

from .matching import Listed, match_listed
from .outside import lay_down_all, save_list_player, save_player
from .rerating import rerate

SHOWN = 5  # names in a message


@dataclass
class Opened:
    """What came of a list: who got an adjustment, who of them is new, for how many it was there, other details."""

    given: list[Player] = field(default_factory=list)
    new: list[Player] = field(default_factory=list)
    there: int = 0
    details: int = 0

    @property
    def nothing(self) -> bool:
        return not (self.given or self.details)


@transaction.atomic
def import_opening_list(
    parsed: ParsedList, rating_list: RatingList, problems: Problems, *, day: dt.date, source: str
) -> Opened:
    """Give everybody on a list his rating at the start of a day. With an error in `problems` nothing is stored."""
    parsed = _known_countries(parsed, problems)
    _check_list(rating_list, day, problems)
    members = {member.player_id: member for member in rating_list.members.all()}
    listed = match_listed(parsed, problems)
    _check_lines(listed, members, problems)
    openings = _openings(listed, rating_list, day, problems)
    there = _already_there(listed, openings, rating_list, day, problems)
    _warn(listed, rating_list, problems)
    if problems.fatal:
        return Opened()
    opened = Opened(there=len(there))
    for line, player in listed:
        if player.pk is None:
            player.save()
            opened.new.append(player)
        if line.line not in there:
            opened.given.append(player)
        opened.details += _keep_details(line, player, rating_list, members)
    given = {
        "list": rating_list,
        "date": day,
        "reason": Words("opening by the federation's list"),
        "source": source[:200],
    }
    several = [
        Adjustment(player=player, set=openings[line.line], **given) for line, player in listed if line.line not in there
    ]
    lay_down_all(several, reason=Words("opened by the list {source} of {day}", source=source, day=day))
    if not opened.nothing:
        rerate(rating_list.pk)
    return opened


def _known_countries(parsed: ParsedList, problems: Problems) -> ParsedList:
    """With countries as codes of two letters; empty where the file names none that is known."""
    players = []
    for line in parsed.players:
        code = countries.alpha2(line.country) or countries.by_name(line.country)
        if line.country and not code:
            problems.warn(f"“{line.country[:30]}” is no country's code of two letters; it was left out", line.line)
        players.append(replace(line, country=code))
    return replace(parsed, players=tuple(players))


def _check_list(rating_list: RatingList, day: dt.date, problems: Problems) -> None:
    """Whether a list can be opened on a day."""
    if rating_list.comparison_to:
        told = f"{rating_list.slug} is a comparison and takes its ratings from {rating_list.comparison_to.slug}"
        problems.error(f"{told}; open that list instead")
    if day > timezone.now().date():
        problems.error(f"the day {day} is in the future; name the day of the list")
    tables = Table.objects.filter(event__lists=rating_list, event__state=Event.State.ACCEPTED).order_by("last_day")
    earlier = tables.filter(last_day__lt=day)
    if first := earlier.first():
        problems.error(
            f"{earlier.count()} tables of the list {rating_list.slug} end before {day}, the first on {first.last_day};"
            " a list is opened before its first table. Choose a day up to that one, or make a new list"
        )
    elif on_day := tables.filter(last_day=day).count():
        problems.warn(
            f"{on_day} tables of {day} itself are rated after this list; if it has them already, choose the next day"
        )


def _check_lines(listed: list[Listed], members: Mapping[int, ListPlayer], problems: Problems) -> None:
    """Whether the database would refuse a new player, and what is known otherwise of the others."""
    for line, player in listed:
        if player.pk is None:
            try:
                player.full_clean()
            except ValidationError as error:
                for name, messages in error.message_dict.items():
                    problems.error(f"{line.name[:50]}: {name}: {' '.join(messages)}", line.line)
            continue
        if line.country and str(player.country) and line.country != str(player.country):
            problems.warn(f"{line.name} is known with the nationality {player.country}; it was kept", line.line)
        if line.birth_year and player.year_of_birth not in (None, line.birth_year):
            problems.warn(f"{line.name} is known as born in {player.year_of_birth}; it was kept", line.line)
        member = members.get(player.pk)
        if member and line.prior_grade and member.prior_grade not in ("", line.prior_grade):
            problems.warn(f"{line.name} has the prior grade {member.prior_grade} already; it was kept", line.line)
        if member and member.fixed_rating is not None:
            problems.error(f"{line.name} is an outsider with a fixed rating on this list; empty that first", line.line)


def _openings(
    listed: list[Listed], rating_list: RatingList, day: dt.date, problems: Problems
) -> dict[int, dict[str, Any]]:
    """The state to be set for every line, as the list's system reads it."""
    system = rating_list.rating_system
    known = [player.pk for _, player in listed if player.pk]
    states = dict(latest_changes(rating_list, Q(day__lt=day), known).values_list("player", "state"))
    openings = {}
    for line, player in listed:
        try:
            given = {**system.listed(line.rating, line.games, line.grade)}
            system.adjust(state_of(system, states[player.pk]) if player.pk in states else system.newcomer(), given)
        except ValueError as error:
            problems.error(f"{line.name} cannot be given this on a list of {system.key}: {error}", line.line)
        else:
            openings[line.line] = given
    return openings


def _already_there(
    listed: list[Listed],
    openings: Mapping[int, dict[str, Any]],
    rating_list: RatingList,
    day: dt.date,
    problems: Problems,
) -> set[int]:
    """Lines whose very adjustment was laid down before; another one for that player and day is an error."""
    stored: dict[int | None, list[Any]] = {}
    for pk, state in rating_list.adjustments.filter(date=day, player__isnull=False, before__isnull=True).values_list(
        "player", "set"
    ):
        stored.setdefault(pk, []).append(state)
    there = set()
    for line, player in listed:
        states = stored.get(player.pk) if player.pk else None
        if not states:
            continue
        if states[-1] == openings.get(line.line):
            there.add(line.line)
        elif line.line in openings:
            state = dict(sorted(states[-1].items()))
            told = f"{line.name} has another adjustment of {day}, {state}; change or delete that one in the admin"
            problems.error(told, line.line)
    return there


def _warn(listed: list[Listed], rating_list: RatingList, problems: Problems) -> None:
    """What the list tells and cannot be continued, once for all of its lines."""
    system = rating_list.rating_system
    few = [line for line, _ in listed if line.games is not None and line.games < system.needs_opponents_below]
    if few:
        problems.warn(
            f"{len(few)} players with fewer than {system.needs_opponents_below} games ({_names(few)}) are taken as"
            " rated: the list does not tell their opponents, from whom their ratings would go on"
        )
    graded = [line for line, _ in listed if line.grade or line.prior_grade]
    if graded and not system.grades:
        problems.warn(f"{system.key} has no grades; those of {len(graded)} players were left out")
    strange = [
        line for line, _ in listed if system.grades and (line.prior_grade or system.grades[0]) not in system.grades
    ]
    for line in strange:
        told = f"{line.name}: the prior grade {line.prior_grade} is none of {system.grades[0]} to {system.grades[-1]}"
        problems.warn(f"{told}; it was left out", line.line)


def _names(lines: list[ParsedPlayer]) -> str:
    return ", ".join(line.name for line in lines[:SHOWN]) + (" …" if len(lines) > SHOWN else "")


def _keep_details(
    line: ParsedPlayer, player: Player, rating_list: RatingList, members: Mapping[int, ListPlayer]
) -> bool:
    """Prior grade, birth year and country where none is known; whether anything was stored."""
    kept = False
    if (line.birth_year and not player.year_of_birth) or (line.country and not str(player.country)):
        if player.year_of_birth is None:
            player.birth_year = line.birth_year
        player.country = str(player.country) or line.country
        save_player(player)
        kept = True
    member = members.get(player.pk) or ListPlayer(list=rating_list, player=player)
    if line.prior_grade and line.prior_grade in rating_list.rating_system.grades and not member.prior_grade:
        member.prior_grade = line.prior_grade
        save_list_player(member)
        kept = True
    return kept

"""States that the import of a rating list sets for its players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from ratings.formats.fesa.rating_list_reader import ParsedPlayer
from ratings.formats.list_problems import ListProblem
from ratings.formats.parsed import Problems
from ratings.models import Player, RatingList
from ratings.queries.runs.states import latest_changes
from ratings.systems import values
from ratings.systems.state_json import state_from_json

from .matching import MatchedListLine


def find_starting_states(
    listed: list[MatchedListLine], rating_list: RatingList, day: dt.date, problems: Problems
) -> dict[int, dict[str, Any]]:
    """Return the state to set for each line number, in the form that the list's system reads."""
    system = rating_list.rating_system
    known = [player.pk for _, player in listed if player.pk]
    states = dict(latest_changes(rating_list, Q(day__lt=day), known).values_list("player", "state"))
    openings = {}
    for line, player in listed:
        try:
            state = {**system.rating.listed(line.rating, line.games, line.grade)}
            adjusted = system.rating.adjust(
                state_from_json(system, states[player.pk]) if player.pk in states else system.rating.newcomer(), state
            )
            _check_k(line, system.rating.list_entry(adjusted, _make_value(line, player), day), problems)
        except ValueError as error:
            problems.error(ListProblem.STATE_INVALID(name=line.name, system=system.key, error=error), line.line)
        else:
            openings[line.line] = state
    return openings


def _make_value(line: ParsedPlayer, player: Player) -> values.Player:
    year = player.year_of_birth or line.birth_year
    return values.Player(player.public_id, line.name, line.country, player.birth_date, year)


def _check_k(line: ParsedPlayer, entry: Mapping[str, Any] | None, problems: Problems) -> None:
    """Warn of a K in the file that does not follow from rating and birth year, which alone are stored."""
    own = (entry or {}).get("k")
    if line.k is not None and own is not None and line.k != own:
        problems.warn(ListProblem.K_DIFFERS(name=line.name, k=line.k, own=own), line.line)

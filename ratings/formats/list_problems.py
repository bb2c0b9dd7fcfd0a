"""Catalogue of the problems that the import of a federation's rating list reports."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class ListProblem(MessageCode, namespace="list"):
    """Problems of a rating list that is imported: its players, its ratings, and the list that takes them."""

    LINE_TWICE = _("{name} stands in line {line} too; keep one of them")
    NAMESAKES_WITHOUT_ID = _(
        "{name} stands in line {line} too; keep one of them, or give the list as CSV with an id for each of these "
        "namesakes"
    )
    ID_OF_OTHER = _("the id {id} is that of {player}, not of {name}; correct one")
    OUTSIDE_ID_OF_OTHER = _("{id} is {player}, not {name}; correct one")
    OUTSIDE_ID_LEFT_OUT = _("{id} of {name} is left out: it belongs to another player")
    NAME_AMBIGUOUS = _("{name} may be several players: {players}. Give the list as CSV, with the id of the one meant")
    NAME_UNKNOWN = _(
        "{name} is unknown; is one of these meant? {players}. Correct the name in the file, or add the new player in "
        "the admin first"
    )
    COUNTRY_LEFT_OUT = _("“{country}” is not a two-letter country code; it was left out")
    IS_COMPARISON = _("{list} is a comparison and takes its ratings from {source}; open that list instead")
    DAY_IN_FUTURE = _("the day {day} is in the future; name the day of the list")
    TABLES_BEFORE = _(
        "tables of the list {list} that end before {day}: {tables}, the first on {first}; a list is opened before its "
        "first table. Choose a day up to that one, or make a new list"
    )
    TABLES_ON_DAY = _(
        "tables of {day} itself that are rated after this list: {tables}; if it has them already, choose the next day"
    )
    PLAYER_INVALID = _("{name}: {field}: {problem}")
    COUNTRY_KEPT = _("{name} is known with the nationality {country}; it was kept")
    BIRTH_YEAR_KEPT = _("{name} is known as born in {year}; it was kept")
    GENDER_KEPT = _("{name} is known with the gender {gender}; it was kept")
    GENDER_LEFT_OUT = _("{federation} does not record the gender of players; it was left out")
    MEMBER_UNTIL_KEPT = _("{name} is known as a member until {day}, which is later; it was kept")
    PRIOR_GRADE_KEPT = _("{name} has the prior grade {grade} already; it was kept")
    FIXED_OUTSIDER = _("{name} is an outsider with a fixed rating on this list; empty that first")
    STATE_INVALID = _("{name} cannot be given this on a list of {system}: {error}")
    OTHER_ADJUSTMENT = _("{name} has another adjustment of {day}, {state}; change or delete that one in the admin")
    FEW_GAMES = _(
        "players with fewer than {games} games are taken as rated: {players} ({names}); the list does not tell their "
        "opponents, from whom their ratings would go on"
    )
    K_DIFFERS = _(
        "{name} has K {k} in the file, but {own} here, as players of a list are taken to have 30 games or more and no "
        "rating above the present one; if their games are known, import the list as CSV with a column of games"
    )
    NO_GRADES = _("{system} has no grades; players whose grade was left out: {players}")
    PRIOR_GRADE_LEFT_OUT = _("{name}: the prior grade {grade} is none of {first} to {last}; it was left out")

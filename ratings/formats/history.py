"""ratings-history/1: a rating history as one JSON file, read strictly and written in a fixed order.

Read errors are HistoryError; each names its place, as `tables[3].games[7].score: 2 is not one of 0, 0.5, 1`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError
from pydantic import BeforeValidator as Before

from ratings.systems import SYSTEMS, get_system
from ratings.systems.fesa_tables import HANDICAPS
from ratings.systems.replay import opening_state
from ratings.systems.values import RULINGS, Adjustment, Decision, Game, History, Player, Table

FORMAT = "ratings-history/1"


class HistoryError(ValueError):
    """All that is wrong with a file, one line each, in `problems`."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def one_of(*allowed: object) -> AfterValidator:
    def check(value: object) -> object:
        if value not in allowed or isinstance(value, bool):
            raise ValueError(f"{json.dumps(value)} is not one of {', '.join(str(a) for a in allowed)}")
        return value

    return AfterValidator(check)


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{json.dumps(value)} is not a number")  # noqa: TRY004 - pydantic reports ValueError only
    return value


def _day(value: object) -> dt.date:
    try:
        if isinstance(value, str) and len(value) == 10:
            return dt.date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError(f"{json.dumps(value)} is not a date (YYYY-MM-DD)")


Number = Annotated[float, Before(_number)]
Count = Annotated[int, Field(strict=True, ge=0)]
Day = Annotated[dt.date, Before(_day)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Player(_Strict):
    id: StrictStr
    name: StrictStr = ""
    country: StrictStr = ""
    birth_date: Day | None = None
    start_year: Annotated[int, Field(strict=True)] | None = None
    prior_grade: StrictStr | None = None
    fixed: StrictBool = False
    unlisted: StrictBool = False
    opening: dict[str, Any] | None = None


class _Game(_Strict):
    round: Count | None = None
    a: StrictStr
    b: StrictStr | None
    score: Annotated[Any, one_of(0, 0.5, 1)] = None
    played: StrictBool = True
    handicap: Annotated[StrictStr, one_of(*HANDICAPS)] | None = None
    giver: Annotated[StrictStr, one_of("a", "b")] | None = None
    stones: Count = 0
    black: Annotated[StrictStr, one_of("a", "b")] | None = None
    board: Count = 19
    online: StrictBool = False
    correspondence: StrictBool = False


class _Table(_Strict):
    id: StrictStr
    event: StrictStr = ""
    date: Day
    end_date: Day | None = None
    players: list[StrictStr]
    tournament: StrictBool = True
    minutes: Number | None = None
    overtime: dict[Literal["moves", "seconds", "increment"], Number] | None = None
    fixed: dict[str, Number] = {}
    under_21: list[StrictStr] = []
    rated: StrictBool = True
    games: list[_Game]


class _Adjustment(_Strict):
    date: Day
    player: StrictStr | None = None
    before: StrictStr | None = None
    set: dict[str, Any] | None = None
    shift: Number | None = None
    reason: StrictStr = ""


class _Decision(_Strict):
    date: Day
    player: StrictStr
    grade: StrictStr
    ruling: Annotated[StrictStr, one_of(*RULINGS), Field(alias="is")]
    before: StrictStr | None = None
    reason: StrictStr = ""


class _History(_Strict):
    format: Annotated[StrictStr, one_of(FORMAT)]
    system: Annotated[StrictStr, one_of(*SYSTEMS)]
    options: dict[str, Any] = {}
    players: list[_Player]
    adjustments: list[_Adjustment] = []
    decisions: list[_Decision] = []
    tables: list[_Table]


def read_history(data: bytes) -> History:
    """Parse a file; HistoryError lists everything that is wrong with its form, then with its sense."""
    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise HistoryError([f"not JSON in UTF-8: {error}"]) from None
    return history_of(document)


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def history_of(document: object) -> History:
    """The same for JSON that is already parsed."""
    try:
        parsed = _History.model_validate(document)
    except ValidationError as error:
        raise HistoryError(_in_words(error)) from None
    problems = [*_unknown_players(parsed), *_bad_games(parsed), *_bad_adjustments(parsed), *_unfit(parsed)]
    if problems:
        raise HistoryError(problems)
    return History(
        parsed.system,
        {player.id: Player(**dict(player)) for player in parsed.players},
        tuple(_table_value(table) for table in parsed.tables),
        tuple(Adjustment(**dict(adjustment)) for adjustment in parsed.adjustments),
        tuple(Decision(**dict(decision)) for decision in parsed.decisions),
        parsed.options,
    )


def _unfit(parsed: _History) -> Iterable[str]:
    """What the system refuses: options, openings, grades that it does not have."""
    try:
        system = get_system(parsed.system, parsed.options)
    except ValueError as error:
        yield f"options: {error}"
        return
    for i, player in enumerate(parsed.players):
        if player.prior_grade is not None and player.prior_grade not in system.grades:
            yield f"players[{i}].prior_grade: {json.dumps(player.prior_grade)} is not a grade of {system.key}"
        try:
            opening_state(system, player)
        except ValueError as error:
            yield f"players[{i}].opening: {error}"
    for i, decision in enumerate(parsed.decisions):
        if decision.grade not in system.grades:
            yield f"decisions[{i}].grade: {json.dumps(decision.grade)} is not a grade of {system.key}"


def _table_value(table: _Table) -> Table:
    given = dict(table) | {
        "players": tuple(table.players),
        "under_21": frozenset(table.under_21),
        "games": tuple(Game(**dict(game)) for game in table.games),
    }
    return Table(**given)


def _in_words(error: ValidationError) -> list[str]:
    words = {"extra_forbidden": "unknown key", "missing": "is missing"}
    problems = []
    for problem in error.errors():
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).lstrip(".")
        message = words.get(problem["type"], problem["msg"].removeprefix("Value error, "))
        problems.append(f"{place}: {message}" if place else message)
    return problems


def _unknown_players(parsed: _History) -> Iterable[str]:
    ids = {player.id for player in parsed.players}
    yield from _twice("players", [player.id for player in parsed.players])
    yield from _twice("tables", [table.id for table in parsed.tables])
    tables = {table.id for table in parsed.tables}
    outside: dict[str, Sequence[_Adjustment | _Decision]] = {
        "adjustments": parsed.adjustments,
        "decisions": parsed.decisions,
    }
    for kind, several in outside.items():
        for i, given in enumerate(several):
            if given.player is not None and given.player not in ids:
                yield f"{kind}[{i}].player: no player has the id {given.player}"
            if given.before is not None and given.before not in tables:
                yield f"{kind}[{i}].before: no table has the id {given.before}"
    for i, table in enumerate(parsed.tables):
        yield from (
            f"tables[{i}].players: no player has the id {id}" for id in dict.fromkeys(table.players) if id not in ids
        )
        if len(set(table.players)) < len(table.players):
            yield f"tables[{i}].players: a player stands twice"
        if table.end_date and table.end_date < table.date:
            yield f"tables[{i}].end_date: {table.end_date} is before {table.date}"


def _twice(kind: str, ids: Sequence[str]) -> Iterable[str]:
    seen: set[str] = set()
    for i, id in enumerate(ids):
        if id in seen:
            yield f"{kind}[{i}].id: {id} stands twice"
        seen.add(id)


def _bad_games(parsed: _History) -> list[str]:
    problems = []
    for i, table in enumerate(parsed.tables):
        pairs: set[tuple[int | None, frozenset[str | None]]] = set()
        here = set(table.players)
        for j, game in enumerate(table.games):
            place = f"tables[{i}].games[{j}]"
            problems += [f"{place}.{p}" for p in _bad_game(game, here)]
            pair = (game.round, frozenset((game.a, game.b)))
            if game.b is not None and pair in pairs:
                problems.append(f"{place}: {game.a} and {game.b} have two games in round {game.round}")
            pairs.add(pair)
    return problems


def _bad_game(game: _Game, here: set[str]) -> Iterable[str]:
    for side in ("a", "b"):
        id = getattr(game, side)
        if id is not None and id not in here:
            yield f"{side}: {id} does not stand in the table's players"
    if game.a == game.b:
        yield f"b: a game of {game.a} against himself"
    if game.played:
        if game.b is None:
            yield "b: a played game needs an opponent"
        if game.round is None:
            yield "round: is missing"
        if game.score is None:
            yield "score: is missing"
    if (game.handicap is None) != (game.giver is None):
        yield "giver: handicap and giver go together"


def _bad_adjustments(parsed: _History) -> list[str]:
    problems = []
    for i, adjustment in enumerate(parsed.adjustments):
        if (adjustment.set is None) == (adjustment.shift is None):
            problems.append(f"adjustments[{i}]: either set or shift")
        if (adjustment.set is None) != (adjustment.player is None):
            problems.append(f"adjustments[{i}]: set is for one player, shift for the whole list")
    return problems


def write_history(history: History) -> str:
    """The file for a history, a line an entry, byte for byte the same for the same inputs in the same order."""
    parts: dict[str, list[Mapping[str, Any]]] = {
        "players": [_named(player, Player("")) for player in history.players.values()],
        "adjustments": [_named(a, Adjustment(dt.date.min), {"id"}) for a in history.adjustments],
        "decisions": [_named(d, Decision(dt.date.min, "", "", ""), {"id"}) for d in history.decisions],
        "tables": [_table_document(table) for table in history.tables],
    }
    head = {"format": FORMAT, "system": history.system, "options": dict(history.options)}
    lines = [f"{json.dumps(key)}: {_dump(value)}" for key, value in head.items()]
    for key, entries in parts.items():
        body = ",\n  ".join(_dump(entry) for entry in entries)
        lines.append(f"{json.dumps(key)}: [" + (f"\n  {body}\n" if entries else "") + "]")
    return "{" + ",\n".join(lines) + "}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


REQUIRED = {"id", "date", "players", "games", "round", "a", "b", "score", "player", "grade", "ruling"}


def _named(value: Any, default: Any, omit: Iterable[str] = ()) -> dict[str, Any]:
    """The fields of a value that differ from the default or are required."""
    fields = ((name, getattr(value, name)) for name in value.__slots__ if name not in omit)
    return {
        "is" if name == "ruling" else name: given
        for name, given in fields
        if given != getattr(default, name) or (name in REQUIRED and given is not None)
    }


def _table_document(table: Table) -> dict[str, Any]:
    document = _named(table, Table("", dt.date.min, (), ()))
    games = [_named(game, Game(None, "", None, None)) for game in table.games]
    document["games"] = [game | ({} if "b" in game else {"b": None}) for game in games]
    if table.under_21:
        document["under_21"] = sorted(table.under_21)
    return document

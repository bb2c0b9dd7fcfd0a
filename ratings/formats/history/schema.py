"""The schema of ratings-history/1, with its keys and their values as pydantic models."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError
from pydantic import BeforeValidator as Before

from ratings.formats.people.outside_ids import FORMS
from ratings.systems import SYSTEMS
from ratings.systems.handicaps import SHOGI_HANDICAPS
from ratings.systems.values import RULINGS, GameKind

FORMAT = "ratings-history/1"
PROBLEMS_AT_MOST = 10_000


class HistoryError(ValueError):
    """All problems of an invalid history file, in `problems` with one line each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def allow_values(*allowed: object) -> AfterValidator:
    def check(value: object) -> object:
        if value not in allowed or isinstance(value, bool):
            raise ValueError(f"{json.dumps(value)} is not one of {', '.join(str(a) for a in allowed)}")
        return value

    return AfterValidator(check)


def _validate_number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{json.dumps(value)} is not a number")  # noqa: TRY004 - pydantic reports ValueError only
    return value


def _validate_year(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not FIRST_BIRTH <= value <= LAST_BIRTH:
        raise ValueError(f"{json.dumps(value)} is not a year from {FIRST_BIRTH} to {LAST_BIRTH}")
    return value


def _validate_day(value: object) -> dt.date:
    try:
        if isinstance(value, str) and len(value) == 10:
            return dt.date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError(f"{json.dumps(value)} is not a date (YYYY-MM-DD)")


FIRST_BIRTH, LAST_BIRTH = 1850, 2200
"""Years of birth that are read."""
JUNIOR_K = 40
"""The only K that is told in place of a birth year (fide-2024)."""
Number = Annotated[float, Before(_validate_number)]
Count = Annotated[int, Field(strict=True, ge=0)]
Day = Annotated[dt.date, Before(_validate_day)]


class StrictForm(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OutsideIdForm(StrictForm):
    registry: Annotated[StrictStr, allow_values(*FORMS)]
    value: StrictStr
    country: StrictStr = ""


class PlayerForm(StrictForm):
    id: StrictStr
    name: StrictStr = ""
    country: StrictStr = ""
    birth_date: Day | None = None
    birth_year: Annotated[int, Before(_validate_year)] | None = None
    start_year: Annotated[int, Field(strict=True)] | None = None
    prior_grade: StrictStr | None = None
    fixed: StrictBool = False
    unlisted: StrictBool = False
    opening: dict[str, Any] | None = None
    standard: tuple[tuple[Day, Number | None], ...] = ()
    k: dict[Annotated[int, Field(ge=FIRST_BIRTH, le=LAST_BIRTH)], Annotated[Any, allow_values(JUNIOR_K)]] = {}
    outside_ids: tuple[OutsideIdForm, ...] = ()


class GameForm(StrictForm):
    round: Count | None = None
    a: StrictStr
    b: StrictStr | None
    score: Annotated[Any, allow_values(0, 0.5, 1)] = None
    played: StrictBool = True
    handicap: Annotated[StrictStr, allow_values(*SHOGI_HANDICAPS)] | None = None
    giver: Annotated[StrictStr, allow_values("a", "b")] | None = None
    stones: Count = 0
    black: Annotated[StrictStr, allow_values("a", "b")] | None = None
    board: Count = 19
    online: StrictBool = False
    correspondence: StrictBool = False
    kind: Annotated[StrictStr, allow_values("", *GameKind)] = ""


class TableForm(StrictForm):
    id: StrictStr
    event: StrictStr = ""
    date: Day
    end_date: Day | None = None
    players: list[StrictStr]
    tournament: StrictBool = True
    minutes: Number | None = None
    overtime: dict[Literal["moves", "seconds", "increment"], Number] | None = None
    time_class: Annotated[StrictStr, allow_values(*"ABCD"), Field(alias="class")] = ""
    list_day: Annotated[Day | None, Field(alias="list")] = None
    fixed: dict[str, Number] = {}
    under_21: list[StrictStr] = []
    rated: StrictBool = True
    games: list[GameForm]


class AdjustmentForm(StrictForm):
    date: Day
    player: StrictStr | None = None
    before: StrictStr | None = None
    set: dict[str, Any] | None = None
    shift: Number | None = None
    reason: StrictStr = ""


class DecisionForm(StrictForm):
    date: Day
    player: StrictStr
    grade: StrictStr
    ruling: Annotated[StrictStr, allow_values(*RULINGS), Field(alias="is")]
    before: StrictStr | None = None
    reason: StrictStr = ""


class OptionChangeForm(StrictForm):
    date: Day
    options: dict[str, Any]
    reason: StrictStr = ""


class HistoryForm(StrictForm):
    format: Annotated[StrictStr, allow_values(FORMAT)]
    system: Annotated[StrictStr, allow_values(*SYSTEMS)]
    options: dict[str, Any] = {}
    option_changes: list[OptionChangeForm] = []
    players: list[PlayerForm]
    adjustments: list[AdjustmentForm] = []
    decisions: list[DecisionForm] = []
    tables: list[TableForm]


def format_validation_errors(error: ValidationError) -> list[str]:
    if error.error_count() > PROBLEMS_AT_MOST:  # all messages would be far larger than the file
        return [f"{error.error_count():,} keys and values are missing or wrong; is this {FORMAT} at all?"]
    messages = {"extra_forbidden": "unknown key", "missing": "is missing"}
    problems = []
    for problem in error.errors():
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).lstrip(".")
        message = messages.get(problem["type"], problem["msg"].removeprefix("Value error, "))
        problems.append(f"{place}: {message}" if place else message)
    return problems

"""Reader and writer of the TOML file of a set-up: the same answers as the guided set-up in the browser."""

from __future__ import annotations

import datetime as dt
import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, StrictStr, ValidationError

from ratings.formats.history.schema import allow_values, format_validation_errors
from ratings.systems import SYSTEMS

ROLES = ("officer", "organiser", "approver")


class SetupFileError(ValueError):
    """All problems of a set-up file, in `problems` with one line each, beginning with the key."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def _check_day(value: object) -> object:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    raise ValueError(f"{value} is not a date; write it without quotes, as 2026-11-01")


Day = Annotated[dt.date, BeforeValidator(_check_day)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FederationPart(Part):
    """The federation; `crest` is the path of an SVG file."""

    name: StrictStr
    short_name: StrictStr = ""
    description: StrictStr = ""
    house: StrictStr = "indigo"
    crest: StrictStr = ""
    home: StrictStr = ""
    contact: StrictStr = ""
    rules: StrictStr = ""
    privacy: StrictStr = ""
    imprint: StrictStr = ""
    languages: list[StrictStr] = []
    time_zone: StrictStr = "UTC"
    records_gender: StrictBool = False


class ListPart(Part):
    """A rating list; `ratings` is the path of its present ratings, `day` the day of a file that has none."""

    slug: StrictStr
    name: StrictStr
    system: Annotated[StrictStr, allow_values(*SYSTEMS)]
    options: dict[str, Any] = {}
    publish_on: StrictStr = ""
    least_time: StrictStr = ""
    tie_breaks: StrictStr = ""
    requires_membership: StrictBool = False
    public: StrictBool = True
    ratings: StrictStr = ""
    day: Day | None = None


class PersonPart(Part):
    mail: StrictStr
    role: Annotated[StrictStr, allow_values(*ROLES)]


class EventPart(Part):
    """The first event: announced, or imported with its results if `results` is the path of a file."""

    name: StrictStr
    start: Day
    end: Day | None = None
    place: StrictStr = ""
    country: StrictStr = ""
    time_control: StrictStr = ""
    list: StrictStr
    results: StrictStr = ""


class SetupFile(Part):
    federation: FederationPart
    lists: list[ListPart] = []
    people: list[PersonPart] = []
    event: EventPart | None = None


def read_setup_file(data: bytes) -> SetupFile:
    """Return the content of a set-up file; raise SetupFileError with all problems of its form."""
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupFileError([f"not TOML in UTF-8: {error}"]) from None
    try:
        return SetupFile.model_validate(document)
    except ValidationError as error:
        raise SetupFileError(format_validation_errors(error)) from None


def write_setup_file(content: SetupFile) -> str:
    """Return a set-up file as TOML, without values that are the default."""
    parts = [_write_table("[federation]", content.federation)]
    parts += [_write_table("[[lists]]", each) for each in content.lists]
    parts += [_write_table("[[people]]", each) for each in content.people]
    parts += [_write_table("[event]", content.event)] if content.event else []
    return "\n".join(parts)


def _write_table(head: str, part: Part) -> str:
    values: Mapping[str, Any] = part.model_dump(exclude_defaults=True)
    lines = [f"{key} = {_write_value(value)}" for key, value in values.items()]
    return "\n".join([head, *lines, ""])


def _write_value(value: Any) -> str:
    """Return a value as TOML; texts of JSON are texts of TOML, except for the delete character, which no name has."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_write_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)

"""Schemas of the API's replies: ratings in rating points, days in ISO 8601, times in UTC."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from typing import Annotated, Generic, Literal, TypeVar

from ninja import Schema
from pydantic import (
    AwareDatetime,
    BeforeValidator,
    Field,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

T = TypeVar("T")
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]", re.ASCII)


def iso_day(value: object) -> object:
    """Raise ValueError for text that is not YYYY-MM-DD: a bare number would be read as seconds."""
    if isinstance(value, str) and not ISO_DAY.fullmatch(value):
        raise ValueError("write the day as YYYY-MM-DD")
    return value


def iso_time(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """Raise ValueError unless a day, a time and its zone are given: a bare number would be read as seconds."""
    if isinstance(value, str) and ISO_TIME.match(value):
        with suppress(OverflowError):  # too close to an end of the calendar to be converted to UTC
            return read(value).astimezone(dt.UTC)
    raise ValueError("write the time as YYYY-MM-DDThh:mm:ssZ")


Day = Annotated[dt.date, BeforeValidator(iso_day), WithJsonSchema({"type": "string", "format": "date"})]
Time = Annotated[AwareDatetime, WrapValidator(iso_time)]
Id = Annotated[str, Field(description="Public id, which never changes and contains no name", examples=["K7QW2RT"])]
Rating = Annotated[float | None, Field(description="Rating in rating points, with the decimals of the list")]
Deviation = Annotated[
    float | None,
    Field(description="Deviation of the rating (one standard deviation), in rating points; null on lists without one"),
]
Difference = Annotated[float | None, Field(description="± in rating points; null without a rating before")]
Country = Annotated[str, Field(description="ISO 3166 code of two letters, empty if not known", examples=["FR"])]
Grade = Annotated[str, Field(description="Grade; empty without one", examples=["3 Dan"])]


class Page(Schema, Generic[T]):
    """A page of results; “next” and “previous” are full addresses, as in the “Link” header."""

    items: list[T]
    next: str | None = Field(None, description="Address of the next page; null on the last one")
    previous: str | None = Field(None, description="Address of the page before; null on the first one")


class Fault(Schema):
    """An error of one value."""

    where: str = Field(description="The parameter or field", examples=["size"])
    message: str = Field(description="What is wrong, or what to do")


class Problem(Schema):
    """The reason of a failed request (RFC 9457)."""

    type: str = Field("about:blank", description="Always about:blank: the status says what is wrong")
    title: str = Field(description="The status in words", examples=["Not Found"])
    status: int = Field(description="The status of the reply", examples=[404])
    detail: str = Field(description="What is wrong in this case, and what to do")
    errors: list[Fault] = Field(default_factory=list, description="The values that are wrong, one by one")


class Named(Schema):
    """A club or an event."""

    id: Id
    name: str = Field(examples=["Shogi Lyon"])
    url: str = Field(description="Address of its page")


class PlayerRef(Schema):
    """A player as shown to the public: some are shown by initials or anonymously."""

    id: Id
    name: str = Field(description="Family name first; initials, or “Player” and the id, if the player chose so")
    country: Country
    url: str = Field(description="Address of the player's page")


class Standing(Schema):
    """A line of a list."""

    rank: int = Field(
        description="Place on the list, among active players unless active=false; equal ratings share a rank"
    )
    player: PlayerRef
    club: Named | None = Field(description="Current club; null for players who are shown anonymously")
    grade: Grade
    rating: Rating
    deviation: Deviation
    category: str = Field(description="How the system rates the player, for example provisional")
    games: int = Field(description="Rated games so far")
    change: Difference = Field(description="± of the last event, in rating points")
    last_played: dt.date | None = Field(description="Last day of the last rated event")


class PastRating(Schema):
    """A player's rating at the end of a day, computed with today's results, corrections included."""

    player: PlayerRef
    rating: Rating
    deviation: Deviation
    grade: Grade
    since: dt.date = Field(description="The day of the last change until then")


class Change(Schema):
    """A rating before and after an event, an adjustment, a decision or a closing day."""

    list: str = Field(description="Slug of the list", examples=["fesa"])
    player: PlayerRef
    day: dt.date = Field(description="Last day of the table")
    kind: Literal["table", "adjustment", "decision", "closing"] = Field(
        description="Cause: results, an adjustment, a decision on a grade, or a closing day"
    )
    event: Named | None
    table: int | None = Field(description="Id of the table within its event")
    before: Rating
    after: Rating
    change: Difference = Field(
        description="± in rating points; null where there was no rating before. On a list whose ratings move on closing"
        " days a table leaves the rating as it was (before = after), and the closing day repeats the sum of its tables"
    )
    games: int = Field(description="Rated games in the table")
    performance: float | None = Field(
        description="Performance in rating points, if the rules compute one; crosstables have others, too"
    )
    grade_before: Grade
    grade: Grade


class Promotion(Schema):
    """A grade that a player won or was given."""

    list: str = Field(description="Slug of the list")
    player: PlayerRef
    grade: Grade
    day: dt.date
    how: str = Field(description="By which rule, or by which kind of decision")
    final: bool = Field(description="False while a correction can still withdraw it")
    event: Named | None


class Correction(Schema):
    """A rating that changed without a game of the player."""

    player: PlayerRef
    run: int = Field(description="The run that corrected it")
    at: dt.datetime | None = Field(description="When that run ended")
    before: Rating
    after: Rating
    change: Difference


class Run(Schema):
    """A rating run: all changes on or after “changes_from” may have been replaced."""

    run: int
    ended_at: dt.datetime | None
    changes_from: dt.date | None = Field(description="Read the changes again from this day on; null: all of them")
    tables: int = Field(description="Tables looked at")
    players_changed: int = Field(description="Players whose present rating or grade changed")


class GamePlayer(Schema):
    """One side of a game."""

    id: Id
    name: str
    country: Country
    rating: Rating = Field(description="Before the event, on the list asked for; null if there was none, or no list")


class Game(Schema):
    """A game, or a round without one, in which “b” is null or “played” is false."""

    event: Named
    table: int = Field(description="Id of the table within its event")
    day: dt.date = Field(description="Last day of the table")
    round: int
    a: GamePlayer
    b: GamePlayer | None = Field(description="Null for a bye or an absence")
    score: float = Field(description="Of the first player (a): 1, 0.5 or 0")
    played: bool = Field(description="False: a forfeit, never rated")
    handicap: str | None = Field(description="Shogi: s l b r rl 2p 4p 5p 6p")
    giver: str | None = Field(description="Who gave the handicap: a or b")
    stones: int = Field(description="Go: handicap stones")
    black: str | None = Field(description="Who had Black, where known: a or b")
    kind: str = Field(
        description="Only for games that are not rated: “unrated” if it was played, “both lost” or “both won” if the "
        "score holds for both players, “full bye” for a full point that is not the bye of the pairing"
    )

"""Schemas of lists, players' pages, events with their tables, the calculator, and uploaded results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .schemas import Country, Day, Deviation, Difference, Grade, Id, Named, PlayerRef, Rating

Slug = Annotated[str, Field(max_length=50, pattern="^[-A-Za-z0-9_]+$")]


class RatingList(Schema):
    """A rating list of a federation, with its rating system."""

    slug: str = Field(examples=["fesa"])
    name: str
    federation: str
    system: str = Field(description="Key of the rating system", examples=["fesa-2016"])
    system_name: str
    comparison_to: str | None = Field(description="Slug of the list whose results it rates by another system")
    decimals: int = Field(description="Decimals of its ratings")
    grades: list[str] = Field(description="Names of its grades, lowest first")
    out_of_date_from: dt.date | None = Field(description="Results from this day on are being rated again")
    url: str


class DatedList(Schema):
    """A list as it was published on a day."""

    day: dt.date
    published_at: dt.datetime
    revised_at: dt.datetime | None = Field(description="When it was published again after corrections")
    url: str


class DatedLine(Schema):
    """A line of a dated list, as published and after corrections."""

    player: PlayerRef
    rank: int | None
    rating: Rating
    deviation: Deviation
    grade: Grade
    games: int | None
    revised_rank: int | None
    revised_rating: Rating
    revised_grade: Grade


class PlayerStanding(Schema):
    """A player's rank and rating on one list."""

    list: str = Field(description="Slug of the list")
    rank: int | None = Field(
        description="Place among the active players of the list; equal ratings share a rank; null for inactive players"
    )
    rating: Rating
    grade: Grade
    category: str
    games: int
    change: Difference
    last_played: dt.date | None


class OutsideId(Schema):
    """The id of a player in another registry."""

    registry: str = Field(description="egd, fide, aga, uscf, rif, fesa or national")
    country: Country
    value: str


class Player(PlayerRef):
    """A player with their rank, rating and grade on each public list that shows them."""

    native_name: str = Field(description="Name in the player's own script; empty if unknown or not shown in full")
    club: Named | None
    outside_ids: list[OutsideId] = Field(
        description="Confirmed ids in other registries; the country is that of a national federation, else empty"
    )
    standings: list[PlayerStanding]


class PlayerPast(Schema):
    """A player's rating on a list at the end of a day, as it is computed today."""

    list: str
    rating: Rating
    grade: Grade
    since: dt.date


class Event(Named):
    """An accepted event."""

    start: dt.date
    end: dt.date
    place: str
    country: Country
    organiser: str
    time_control: str
    mode: str = Field(description="board, online or correspondence")
    lists: list[str] = Field(description="Slugs of the lists it is rated on")


class TableRef(Schema):
    """A table: results that count as simultaneous."""

    id: int
    name: str
    first_day: dt.date
    last_day: dt.date
    rated: bool
    players: int


class ValidList(Schema):
    """A list as it is valid on the first day of an event."""

    list: str = Field(description="Slug of the list")
    day: dt.date = Field(description="Day of the published list; without one, the day before the event")
    url: str
    csv: str = Field(description="Address of the list as a file")


class EventTables(Event):
    """An event with its tables."""

    tables: list[TableRef]
    valid_lists: Sequence[ValidList] = Field(description="The lists that were valid on the first day")


class Round(Schema):
    """One round of one player."""

    opponent: int | None = Field(description="The opponent's number in this table; null without an opponent")
    points: float
    played: bool
    text: str = Field(description="As the federation writes it: 2+ won against number 2, (-2p) gave two pieces")


class CrosstableRow(Schema):
    """A player of a table: the results of each round and the change of the rating."""

    number: int
    place: int | None = Field(
        description="Official place, or the place by the tie-breaks of the event or its list; null without either"
    )
    player: PlayerRef
    points: float = Field(description="Score, including the initial MacMahon points")
    macmahon: float | None
    grade_before: Grade
    before: Rating
    after: Rating
    change: Difference
    performance: float | None = Field(
        description="Rating at which these results were to be expected, also if the list's rules compute none; null if"
        " there is none"
    )
    promoted_to: str | None = Field(description="Grade won in this table")
    rounds: list[list[Round]] = Field(description="A list for every round; a player may have several games in one")


class Crosstable(TableRef):
    """A table with all its results."""

    event: Named
    list: str | None = Field(description="The list whose ratings are shown")
    rounds: int
    rows: Sequence[CrosstableRow]


class Term(Schema):
    """A number of the calculation, with a label in the terms of the rating system."""

    label: str
    value: float | str | None


class Calculation(Schema):
    """The effect of hypothetical games on a player's rating."""

    list: str
    player: PlayerRef
    category: str
    before: Rating
    after: Rating
    change: Difference
    performance: float | None
    grade: Grade = Field(description="Grade after the games")
    games: Sequence[Sequence[Term]] = Field(description="The terms of every game")
    sum: Sequence[Term] = Field(description="The lines from the games to the new rating")
    notes: Sequence[str]


class NewEvent(Schema):
    """An event to be announced: a draft until its results are accepted."""

    name: str = Field(max_length=200, examples=["Lyon Open"])
    start: Day
    end: Day
    start_time: dt.time | None = Field(
        None, description="When play starts on the first day, in local time", examples=["19:30"]
    )
    place: str = Field("", max_length=100)
    address: str = Field("", max_length=200, description="Building, street and town of the venue")
    country: str = Field("", description="ISO 3166 code of two letters", examples=["FR"])
    time_control: str = Field("", max_length=100, examples=["30min + 30sec"])
    mode: Literal["board", "online", "correspondence"] = "board"
    organiser: str = Field("", max_length=100)
    schedule: str = Field("", max_length=2000, description="Times of the rounds, one line per entry")
    contact: str = Field("", max_length=200, description="An email address or a text, which everybody can see")
    registration: str = Field("", description="Address of the registration")
    link: str = Field("", description="Address of the announcement")
    lists: list[Slug] = Field(min_length=1, description="Slugs of the lists on which it will be rated")
    announce: bool = Field(False, description="Show it in the public calendar at once")


class NameCandidate(Schema):
    """A known player whom an unclear name may mean."""

    id: str = Field(description="Public id of the player")
    description: str = Field(description="Name, country, rating, club, birth year and last event, as far as known")


class Finding(Schema):
    """A problem of results: an error, a warning or a hint."""

    level: str = Field(
        description="error: must be fixed; warning: the organiser must confirm it; hint: for information"
    )
    message: str = Field(description="What is wrong, and what to do")
    line: int | None = Field(description="Line of the file")
    row: int | None = Field(description="Row of the table")
    round: int | None
    candidates: list[NameCandidate] = Field(description="For an unclear name: who may be meant, most likely first")


class Submission(Schema):
    """Results that have not been accepted yet."""

    id: int
    name: str
    state: str = Field(description="working, submitted or returned")
    first_day: dt.date
    last_day: dt.date
    ready: bool = Field(description="True if the results can be submitted")
    problems: list[Finding]
    url: str = Field(description="Address of the page where the organiser checks, corrects and submits the results")


class Draft(Schema):
    """An event as its organisers see it."""

    id: Id
    name: str
    state: str = Field(description="draft, submitted, returned or accepted")
    start: dt.date
    end: dt.date
    lists: list[str]
    sheets: list[Submission] = Field(description="Results that are not accepted yet")
    url: str = Field(description="The organisers' page")

"""Schemas of the messages to webhooks, which the OpenAPI document describes (docs/webhooks.md has examples)."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from .schemas import Grade, Id

Slug = Annotated[str, Field(description="Slug of the list")]
RunNumber = Annotated[int, Field(description="Number of the rating run")]
Rating = Annotated[float | None, Field(description="Rating with the decimals of the list; null for a player not on it")]


class Message(Schema):
    """The values that all messages have."""

    id: str = Field(description="Unique; the same in every attempt")
    sequence: int | None = Field(description="Number within the webhook, from 1; null in test messages")
    created: dt.datetime = Field(description="When the change was stored")
    federation: str = Field(description="Short name of the federation in addresses")


class Parts(Schema):
    """The number of a part; messages that list many players are split into parts."""

    list: Slug
    part: int = Field(description="From 1 to “parts”")
    parts: int


class ListPublishedData(Schema):
    """The published list."""

    list: Slug
    day: dt.date
    players: int
    revised: bool = Field(description="True if it was published again with corrections")


class ListPublished(Message):
    """A list was published as of the end of a day."""

    kind: Literal["list.published"]
    data: ListPublishedData


class EventRatedData(Schema):
    """The tables of an event that were rated."""

    run: RunNumber
    event: Id
    tables: list[int]
    list: Slug


class EventRated(Message):
    """Tables of an event were rated for the first time on a list."""

    kind: Literal["event.rated"]
    data: EventRatedData


class RatingMove(Schema):
    """A player's current rating before and after a run."""

    player: Id
    before: Rating
    after: Rating


class RatingChangedData(Parts):
    """The current ratings that a run has changed."""

    run: RunNumber
    changes: list[RatingMove]


class RatingChanged(Message):
    """A rating run has changed current ratings, for any reason."""

    kind: Literal["rating.changed"]
    data: RatingChangedData


class RatingCorrectedData(Parts):
    """The current ratings that a run has changed without a game."""

    run: RunNumber
    corrections: list[RatingMove]


class RatingCorrected(Message):
    """A corrected or late result has changed the ratings of players who had not played."""

    kind: Literal["rating.corrected"]
    data: RatingCorrectedData


class AnnouncedGrade(Schema):
    """A grade of a player, with the day from which it counts."""

    player: Id
    grade: Grade
    since: dt.date = Field(alias="from")


class GradeAnnouncedData(Parts):
    """Grades that were announced or approved, or taken back."""

    withdrawn: bool = Field(description="True if the grades were taken back")
    grades: list[AnnouncedGrade]


class GradeAnnounced(Message):
    """Grades were announced or approved."""

    kind: Literal["grade.announced"]
    data: GradeAnnouncedData


class PlayerMergedData(Schema):
    """A merge of two players."""

    player: Id
    into: Id
    undone: bool = Field(description="True if the players were separated again")


class PlayerMerged(Message):
    """A player was merged into another one, which has the results of both."""

    kind: Literal["player.merged"]
    data: PlayerMergedData


class PlayerHiddenData(Schema):
    """Players whose names are to be deleted."""

    players: list[Id]
    shown: Literal["initials", "anonymous"]
    erased: bool = Field(description="True if all their data were erased")


class PlayerHidden(Message):
    """Players are shown by initials or anonymously from now on."""

    kind: Literal["player.hidden"]
    data: PlayerHiddenData


class Ping(Message):
    """A test message, sent at the owner's request."""

    kind: Literal["ping"]
    data: dict[str, Any]


MESSAGES: tuple[type[Message], ...] = (
    ListPublished,
    EventRated,
    RatingChanged,
    RatingCorrected,
    GradeAnnounced,
    PlayerMerged,
    PlayerHidden,
    Ping,
)


def describe_messages() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the entries of `webhooks` in the OpenAPI document by kind, and the schemas that they refer to."""
    entries: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    for message in MESSAGES:
        schema = message.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= schema.pop("$defs", {})
        schemas[message.__name__] = schema
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{message.__name__}"}}}
        entries[schema["properties"]["kind"]["const"]] = {
            "post": {
                "summary": schema["description"],
                "requestBody": {"required": True, "content": content},
                "responses": {"2XX": {"description": "Any status from 200 to 299 accepts the message"}},
            }
        }
    return entries, schemas

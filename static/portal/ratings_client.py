"""Python client of the API of a rating portal, version 1, in one file without dependencies, for Python 3.11 or later.

Made from the OpenAPI document of the API by `manage.py api_client`. Do not edit it.

    from ratings_client import ApiError, Client

    portal = Client("https://ratings.example.org")
    for line in portal.get_list_standings("fesa", country="FR"):
        print(line["rank"], line["player"]["name"], line["rating"])

Methods that read long lists return iterators, which request the next page when it is needed. For requests that need an
API key, use `Client(address, key="rk_…")`. A refused request raises `ApiError`, which names every invalid value. Days
and times in replies are strings in ISO 8601; arguments may be strings or objects of `datetime`.
"""

from __future__ import annotations

import datetime as dt
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict


class RatingList(TypedDict):
    """A rating list of a federation, with its rating system."""

    slug: str
    name: str
    federation: str
    # Key of the rating system
    system: str
    system_name: str
    # Slug of the list whose results it rates by another system
    comparison_to: str | None
    # Decimals of its ratings
    decimals: int
    # Names of its grades, lowest first
    grades: list[str]
    # Results from this day on are being rated again
    out_of_date_from: str | None
    url: str


class Named(TypedDict):
    """A club or an event."""

    # Public id, which never changes and contains no name
    id: str
    name: str
    # Address of its page
    url: str


class PlayerRef(TypedDict):
    """A player as shown to the public: some are shown by initials or anonymously."""

    # Public id, which never changes and contains no name
    id: str
    # Family name first; initials, or “Player” and the id, if the player chose so
    name: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    # Address of the player's page
    url: str


class Standing(TypedDict):
    """A line of a list."""

    # Place on the list, among active players unless active=false; equal ratings share a rank
    rank: int
    player: PlayerRef
    # Current club; null for players who are shown anonymously
    club: Named | None
    # Grade; empty without one
    grade: str
    # Rating in rating points, with the decimals of the list
    rating: float | None
    # Deviation of the rating (one standard deviation), in rating points; null on lists without one
    deviation: float | None
    # How the system rates the player, for example provisional
    category: str
    # Rated games so far
    games: int
    # ± of the last event, in rating points
    change: float | None
    # Last day of the last rated event
    last_played: str | None


class PastRating(TypedDict):
    """A player's rating at the end of a day, computed with today's results, corrections included."""

    player: PlayerRef
    # Rating in rating points, with the decimals of the list
    rating: float | None
    # Deviation of the rating (one standard deviation), in rating points; null on lists without one
    deviation: float | None
    # Grade; empty without one
    grade: str
    # The day of the last change until then
    since: str


Change = TypedDict(
    "Change",
    {
        # Slug of the list
        "list": str,
        "player": "PlayerRef",
        # Last day of the table
        "day": str,
        # Cause: results, an adjustment, a decision on a grade, or a closing day; one of table, adjustment, decision,
        # closing
        "kind": str,
        "event": "Named | None",
        # Id of the table within its event
        "table": int | None,
        # Rating in rating points, with the decimals of the list
        "before": float | None,
        # Rating in rating points, with the decimals of the list
        "after": float | None,
        # ± in rating points; null where there was no rating before. On a list whose ratings move on closing days a
        # table leaves the rating as it was (before = after), and the closing day repeats the sum of its tables
        "change": float | None,
        # Rated games in the table
        "games": int,
        # Performance in rating points, if the rules compute one; crosstables have others, too
        "performance": float | None,
        # Grade; empty without one
        "grade_before": str,
        # Grade; empty without one
        "grade": str,
    },
)
"""A rating before and after an event, an adjustment, a decision or a closing day."""


Promotion = TypedDict(
    "Promotion",
    {
        # Slug of the list
        "list": str,
        "player": "PlayerRef",
        # Grade; empty without one
        "grade": str,
        "day": str,
        # By which rule, or by which kind of decision
        "how": str,
        # False while a correction can still withdraw it
        "final": bool,
        "event": "Named | None",
    },
)
"""A grade that a player won or was given."""


class DatedList(TypedDict):
    """A list as it was published on a day."""

    day: str
    published_at: str
    # When it was published again after corrections
    revised_at: str | None
    url: str


class DatedLine(TypedDict):
    """A line of a dated list, as published and after corrections."""

    player: PlayerRef
    rank: int | None
    # Rating in rating points, with the decimals of the list
    rating: float | None
    # Deviation of the rating (one standard deviation), in rating points; null on lists without one
    deviation: float | None
    # Grade; empty without one
    grade: str
    games: int | None
    revised_rank: int | None
    # Rating in rating points, with the decimals of the list
    revised_rating: float | None
    # Grade; empty without one
    revised_grade: str


class Correction(TypedDict):
    """A rating that changed without a game of the player."""

    player: PlayerRef
    # The run that corrected it
    run: int
    # When that run ended
    at: str | None
    # Rating in rating points, with the decimals of the list
    before: float | None
    # Rating in rating points, with the decimals of the list
    after: float | None
    # ± in rating points; null without a rating before
    change: float | None


class Run(TypedDict):
    """A rating run: all changes on or after “changes_from” may have been replaced."""

    run: int
    ended_at: str | None
    # Read the changes again from this day on; null: all of them
    changes_from: str | None
    # Tables looked at
    tables: int
    # Players whose present rating or grade changed
    players_changed: int


Calculation = TypedDict(
    "Calculation",
    {
        "list": str,
        "player": "PlayerRef",
        "category": str,
        # Rating in rating points, with the decimals of the list
        "before": float | None,
        # Rating in rating points, with the decimals of the list
        "after": float | None,
        # ± in rating points; null without a rating before
        "change": float | None,
        "performance": float | None,
        # Grade after the games
        "grade": str,
        # The terms of every game
        "games": "list[list[Term]]",
        # The lines from the games to the new rating
        "sum": "list[Term]",
        "notes": list[str],
    },
)
"""The effect of hypothetical games on a player's rating."""


class Term(TypedDict):
    """A number of the calculation, with a label in the terms of the rating system."""

    label: str
    value: float | str | None


class FoundPlayer(TypedDict):
    """A player who was looked up, with the standing on the list."""

    # Public id, which never changes and contains no name
    id: str
    # Family name first; initials, or “Player” and the id, if the player chose so
    name: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    # Address of the player's page
    url: str
    # Name in the player's own script; empty if unknown or not shown in full
    native_name: str
    # Current club; null for players who are shown anonymously
    club: Named | None
    # Confirmed ids in other registries; the country is that of a national federation, else empty
    outside_ids: list[OutsideId]
    # Null for a player who is not on the list
    standing: FoundStanding | None


class FoundStanding(TypedDict):
    """The line of a player on the list that was asked for."""

    # Place among the active players of the list; equal ratings share a rank; null for inactive players
    rank: int | None
    # Rating in rating points, with the decimals of the list
    rating: float | None
    # Deviation of the rating (one standard deviation), in rating points; null on lists without one
    deviation: float | None
    # Grade; empty without one
    grade: str
    # How the system rates the player, for example provisional
    category: str
    # Rated games so far
    games: int
    # Last day of the last rated event
    last_played: str | None


class LookedUp(TypedDict):
    """The player whom a text means, or those whom it may mean."""

    # As it was sent
    text: str
    # One player; several whom it means equally; only players with similar names; or nobody; one of found, several,
    # similar, unknown
    verdict: str
    # True if the name only resembles that of the player who was found
    similar: bool
    # The player, if one was found
    player: FoundPlayer | None
    # Else those whom it may mean, likeliest first, at most 5: ask again with an id
    candidates: list[FoundPlayer]


class OutsideId(TypedDict):
    """The id of a player in another registry."""

    # egd, fide, aga, uscf, rif, fesa or national
    registry: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    value: str


class Checkpoint(TypedDict):
    """A signed entry of a list's log, after a rating run or about a published list."""

    # Number of the checkpoint in the log, from 1
    number: int
    time: str
    # SHA-256 of the previous checkpoint's text, in base64; empty in the first one
    previous: str
    # Number of the rating run; null for a published list
    run: int | None
    # First day on which the run changed anything; null if it may be any day
    since: str | None
    # Day of the published list; null for a run, or if the list was withdrawn
    day: str | None
    trees: list[TreeRoot]
    # Names of the other sites that cosigned the checkpoint
    witnesses: list[str]


class TreeRoot(TypedDict):
    """The root of a Merkle tree (RFC 6962) over rows of a list."""

    # options, tables, adjustments, decisions, results, or published and its day
    name: str
    # Number of leaves
    leaves: int
    # SHA-256 in base64
    root: str


class SignedCheckpoint(TypedDict):
    """A checkpoint with the text that was signed, and its signatures."""

    # Number of the checkpoint in the log, from 1
    number: int
    time: str
    # SHA-256 of the previous checkpoint's text, in base64; empty in the first one
    previous: str
    # Number of the rating run; null for a published list
    run: int | None
    # First day on which the run changed anything; null if it may be any day
    since: str | None
    # Day of the published list; null for a run, or if the list was withdrawn
    day: str | None
    trees: list[TreeRoot]
    # Names of the other sites that cosigned the checkpoint
    witnesses: list[str]
    # The text that was signed, which ends with a line break
    text: str
    # Signatures as lines of a signed note (C2SP), that of the site first
    signatures: list[str]
    # Address of the public keys of the site
    keys: str


class RuleProposal(TypedDict):
    """A published proposal to change the rules of a list."""

    number: int
    title: str
    # open: for comments; one of open, adopted, rejected, withdrawn
    state: str
    proposed_by: str
    reason: str
    # Key of the rating system
    system: str
    # New values of the options that change; all options of a successor
    options: dict[str, Any]
    # Slug of the list that continues this one if it is adopted; null if this list only changes options
    successor: str | None
    # Day from which the rules apply, if adopted
    in_force: str
    comments_until: str | None
    # Effects are computed as if the rules had applied from this day on
    since: str
    published_at: str | None
    # Last change of its state
    changed_at: str | None
    url: str


class ProposedRules(TypedDict):
    """A proposal with its steps, and the figures of the current and the proposed rules."""

    number: int
    title: str
    # open: for comments; one of open, adopted, rejected, withdrawn
    state: str
    proposed_by: str
    reason: str
    # Key of the rating system
    system: str
    # New values of the options that change; all options of a successor
    options: dict[str, Any]
    # Slug of the list that continues this one if it is adopted; null if this list only changes options
    successor: str | None
    # Day from which the rules apply, if adopted
    in_force: str
    comments_until: str | None
    # Effects are computed as if the rules had applied from this day on
    since: str
    published_at: str | None
    # Last change of its state
    changed_at: str | None
    url: str
    steps: list[RuleStep]
    present: RuleFigures
    proposed: RuleFigures
    # Games in the study of the laboratory that gave log_loss; null without a study
    games: int | None
    # Digest of that study; empty without a study
    digest: str
    # Active players for whom effects were computed; 0 until they are
    players: int
    # Median of the absolute effects on these players, in rating points
    typical_effect: float | None


class RuleFigures(TypedDict):
    """Figures of the current or of the proposed rules; null where a figure is missing."""

    # Mean log loss of predicted games in the study; lower is better
    log_loss: float | None
    # Largest change in one event, in rating points
    largest_change: float | None
    # Mean change in one event, in rating points
    mean_change: float | None
    grades_won: int | None


class RuleStep(TypedDict):
    """A step of a proposal."""

    # published, adopted, rejected, withdrawn, reopened or started (a successor list)
    what: str
    at: str
    reason: str


class RuleEffect(TypedDict):
    """The effect of proposed rules on an active player, in rating points of the proposed rules."""

    player: PlayerRef
    # Rating by the current rules
    present: float
    # Rating by the proposed rules
    proposed: float
    # ± in rating points; null without a rating before
    difference: float | None
    # Rating on the day the rules come into force; null for a player who leaves the list then
    on_day: float | None
    # Grade; empty without one
    grade_present: str
    # Grade; empty without one
    grade: str


class Player(TypedDict):
    """A player with their rank, rating and grade on each public list that shows them."""

    # Public id, which never changes and contains no name
    id: str
    # Family name first; initials, or “Player” and the id, if the player chose so
    name: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    # Address of the player's page
    url: str
    # Name in the player's own script; empty if unknown or not shown in full
    native_name: str
    club: Named | None
    # Confirmed ids in other registries; the country is that of a national federation, else empty
    outside_ids: list[OutsideId]
    standings: list[PlayerStanding]


PlayerStanding = TypedDict(
    "PlayerStanding",
    {
        # Slug of the list
        "list": str,
        # Place among the active players of the list; equal ratings share a rank; null for inactive players
        "rank": int | None,
        # Rating in rating points, with the decimals of the list
        "rating": float | None,
        # Grade; empty without one
        "grade": str,
        "category": str,
        "games": int,
        # ± in rating points; null without a rating before
        "change": float | None,
        "last_played": str | None,
    },
)
"""A player's rank and rating on one list."""


PlayerPast = TypedDict(
    "PlayerPast",
    {
        "list": str,
        # Rating in rating points, with the decimals of the list
        "rating": float | None,
        # Grade; empty without one
        "grade": str,
        "since": str,
    },
)
"""A player's rating on a list at the end of a day, as it is computed today."""


class Game(TypedDict):
    """A game, or a round without one, in which “b” is null or “played” is false."""

    event: Named
    # Id of the table within its event
    table: int
    # Last day of the table
    day: str
    round: int
    a: GamePlayer
    # Null for a bye or an absence
    b: GamePlayer | None
    # Of the first player (a): 1, 0.5 or 0
    score: float
    # False: a forfeit, never rated
    played: bool
    # Shogi: s l b r rl 2p 4p 5p 6p
    handicap: str | None
    # Who gave the handicap: a or b
    giver: str | None
    # Go: handicap stones
    stones: int
    # Who had Black, where known: a or b
    black: str | None
    # Only for games that are not rated: “unrated” if it was played, “both lost” or “both won” if the score holds for
    # both players, “full bye” for a full point that is not the bye of the pairing
    kind: str


class GamePlayer(TypedDict):
    """One side of a game."""

    # Public id, which never changes and contains no name
    id: str
    name: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    # Before the event, on the list asked for; null if there was none, or no list
    rating: float | None


ProvableRating = TypedDict(
    "ProvableRating",
    {
        # Slug of the list
        "list": str,
        # Day of the list
        "day": str,
        # Public id, which never changes and contains no name
        "player": str,
        # Rating in rating points, with the decimals of the list
        "rating": float | None,
        # Number of the checkpoint in the log, from 1
        "checkpoint": int,
        # Address of the proof as a text file
        "url": str,
    },
)
"""A rating in a published list for which there is a proof."""


Proof = TypedDict(
    "Proof",
    {
        # Slug of the list
        "list": str,
        # Day of the list
        "day": str,
        # Public id, which never changes and contains no name
        "player": str,
        # Rating in rating points, with the decimals of the list
        "rating": float | None,
        # Number of the checkpoint in the log, from 1
        "checkpoint": int,
        # Address of the proof as a text file
        "url": str,
        # Proof as text, in the format ratings-inclusion/1, with the signed checkpoint
        "proof": str,
    },
)
"""A rating in a published list with its proof."""


class Event(TypedDict):
    """An accepted event."""

    # Public id, which never changes and contains no name
    id: str
    name: str
    # Address of its page
    url: str
    start: str
    end: str
    place: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    organiser: str
    time_control: str
    # board, online or correspondence
    mode: str
    # Slugs of the lists it is rated on
    lists: list[str]


class Draft(TypedDict):
    """An event as its organisers see it."""

    # Public id, which never changes and contains no name
    id: str
    name: str
    # draft, submitted, returned or accepted
    state: str
    start: str
    end: str
    lists: list[str]
    # Results that are not accepted yet
    sheets: list[Submission]
    # The organisers' page
    url: str


class Finding(TypedDict):
    """A problem of results: an error, a warning or a hint."""

    # error: must be fixed; warning: the organiser must confirm it; hint: for information
    level: str
    # What is wrong, and what to do
    message: str
    # Line of the file
    line: int | None
    # Row of the table
    row: int | None
    round: int | None
    # For an unclear name: who may be meant, most likely first
    candidates: list[NameCandidate]


class NameCandidate(TypedDict):
    """A known player whom an unclear name may mean."""

    # Public id of the player
    id: str
    # Name, country, rating, club, birth year and last event, as far as known
    description: str


class Submission(TypedDict):
    """Results that have not been accepted yet."""

    id: int
    name: str
    # working, submitted or returned
    state: str
    first_day: str
    last_day: str
    # True if the results can be submitted
    ready: bool
    problems: list[Finding]
    # Address of the page where the organiser checks, corrects and submits the results
    url: str


class EventTables(TypedDict):
    """An event with its tables."""

    # Public id, which never changes and contains no name
    id: str
    name: str
    # Address of its page
    url: str
    start: str
    end: str
    place: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    organiser: str
    time_control: str
    # board, online or correspondence
    mode: str
    # Slugs of the lists it is rated on
    lists: list[str]
    tables: list[TableRef]
    # The lists that were valid on the first day
    valid_lists: list[ValidList]


class TableRef(TypedDict):
    """A table: results that count as simultaneous."""

    id: int
    name: str
    first_day: str
    last_day: str
    rated: bool
    players: int


ValidList = TypedDict(
    "ValidList",
    {
        # Slug of the list
        "list": str,
        # Day of the published list; without one, the day before the event
        "day": str,
        "url": str,
        # Address of the list as a file
        "csv": str,
    },
)
"""A list as it is valid on the first day of an event."""


Crosstable = TypedDict(
    "Crosstable",
    {
        "id": int,
        "name": str,
        "first_day": str,
        "last_day": str,
        "rated": bool,
        "players": int,
        "event": "Named",
        # The list whose ratings are shown
        "list": str | None,
        "rounds": int,
        "rows": "list[CrosstableRow]",
    },
)
"""A table with all its results."""


class CrosstableRow(TypedDict):
    """A player of a table: the results of each round and the change of the rating."""

    number: int
    # Official place, or the place by the tie-breaks of the event or its list; null without either
    place: int | None
    player: PlayerRef
    # Score, including the initial MacMahon points
    points: float
    macmahon: float | None
    # Grade; empty without one
    grade_before: str
    # Rating in rating points, with the decimals of the list
    before: float | None
    # Rating in rating points, with the decimals of the list
    after: float | None
    # ± in rating points; null without a rating before
    change: float | None
    # Rating at which these results were to be expected, also if the list's rules compute none; null if there is none
    performance: float | None
    # Grade won in this table
    promoted_to: str | None
    # A list for every round; a player may have several games in one
    rounds: list[list[Round]]


class Round(TypedDict):
    """One round of one player."""

    # The opponent's number in this table; null without an opponent
    opponent: int | None
    points: float
    played: bool
    # As the federation writes it: 2+ won against number 2, (-2p) gave two pieces
    text: str


Roster = TypedDict(
    "Roster",
    {
        # Public id of the event
        "event": str,
        "name": str,
        "start": str,
        # Slug of the list of the ratings; null if the event is rated on none
        "list": str | None,
        # Day of that list: the latest published one up to the first day, else the day before it
        "list_day": str | None,
        "list_url": str | None,
        # Entered players who are not listed publicly
        "unnamed": int,
        # Highest rating first, then by name
        "players": "list[RosterPlayer]",
    },
)
"""The entered players of an event, with the ratings of the list that is valid on its first day."""


class RosterPlayer(TypedDict):
    """An entered player."""

    # Public id of the player; null for a name that is no known player
    id: str | None
    family_name: str
    given_name: str
    # ISO 3166 code of two letters, empty if not known
    country: str
    club: str
    # Grade; empty without one
    grade: str
    # Rating in rating points, with the decimals of the list
    rating: float | None
    # Rated games until that list
    games: int
    # Confirmed ids by registry (egd, fide, aga, uscf, rif, fesa), or by the country of a federation
    outside_ids: dict[str, Any]


class Webhook(TypedDict):
    """A webhook of the key's owner."""

    id: int
    # Its purpose
    name: str
    # Short name of the federation in addresses
    federation: str
    address: str
    # Kinds of changes that it is told of
    kinds: list[str]
    # disabled: switched off after a week of failures; one of active, paused, disabled
    state: str
    # First failure after the last success; null if there is none
    failing_since: str | None


class Delivery(TypedDict):
    """A message to a webhook, with the result of the last attempt."""

    # Id of the message
    id: str
    # Number of the message; null in test messages, and before it is sent
    sequence: int | None
    kind: str
    # When the change was stored
    created: str
    # one of waiting, delivered, given up
    status: str
    attempts: int
    # Status of the program's last response; null without one
    response: int | None
    # Duration of the last attempt
    milliseconds: int | None
    # Why the last attempt failed, as a word; empty if it did not
    error: str


Feed = TypedDict(
    "Feed",
    {
        # events, calendar, published, corrections, promotions, proposals, player, club, event, or a new one
        "kind": str,
        # Slug of the list; null for feeds that are not about one list
        "list": str | None,
        # Address; {id} in it stands for the public id of a player, club or event
        "url": str,
        # Address of the API that has these entries and earlier ones; null if there is none
        "entries": str | None,
    },
)
"""An Atom feed, or a calendar in the format iCalendar."""


class Fault(TypedDict):
    """An error of one value."""

    # The parameter or field
    where: str
    # What is wrong, or what to do
    message: str


ListPublishedData = TypedDict(
    "ListPublishedData",
    {
        # Slug of the list
        "list": str,
        "day": str,
        "players": int,
        # True if it was published again with corrections
        "revised": bool,
    },
)
"""The published list."""


class ListPublished(TypedDict):
    """A list was published as of the end of a day."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: ListPublishedData


EventRatedData = TypedDict(
    "EventRatedData",
    {
        # Number of the rating run
        "run": int,
        # Public id, which never changes and contains no name
        "event": str,
        "tables": list[int],
        # Slug of the list
        "list": str,
    },
)
"""The tables of an event that were rated."""


class EventRated(TypedDict):
    """Tables of an event were rated for the first time on a list."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: EventRatedData


RatingChangedData = TypedDict(
    "RatingChangedData",
    {
        # Slug of the list
        "list": str,
        # From 1 to “parts”
        "part": int,
        "parts": int,
        # Number of the rating run
        "run": int,
        "changes": "list[RatingMove]",
    },
)
"""The current ratings that a run has changed."""


class RatingMove(TypedDict):
    """A player's current rating before and after a run."""

    # Public id, which never changes and contains no name
    player: str
    # Rating with the decimals of the list; null for a player not on it
    before: float | None
    # Rating with the decimals of the list; null for a player not on it
    after: float | None


class RatingChanged(TypedDict):
    """A rating run has changed current ratings, for any reason."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: RatingChangedData


RatingCorrectedData = TypedDict(
    "RatingCorrectedData",
    {
        # Slug of the list
        "list": str,
        # From 1 to “parts”
        "part": int,
        "parts": int,
        # Number of the rating run
        "run": int,
        "corrections": "list[RatingMove]",
    },
)
"""The current ratings that a run has changed without a game."""


class RatingCorrected(TypedDict):
    """A corrected or late result has changed the ratings of players who had not played."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: RatingCorrectedData


AnnouncedGrade = TypedDict(
    "AnnouncedGrade",
    {
        # Public id, which never changes and contains no name
        "player": str,
        # Grade; empty without one
        "grade": str,
        "from": str,
    },
)
"""A grade of a player, with the day from which it counts."""


GradeAnnouncedData = TypedDict(
    "GradeAnnouncedData",
    {
        # Slug of the list
        "list": str,
        # From 1 to “parts”
        "part": int,
        "parts": int,
        # True if the grades were taken back
        "withdrawn": bool,
        "grades": "list[AnnouncedGrade]",
    },
)
"""Grades that were announced or approved, or taken back."""


class GradeAnnounced(TypedDict):
    """Grades were announced or approved."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: GradeAnnouncedData


class PlayerMergedData(TypedDict):
    """A merge of two players."""

    # Public id, which never changes and contains no name
    player: str
    # Public id, which never changes and contains no name
    into: str
    # True if the players were separated again
    undone: bool


class PlayerMerged(TypedDict):
    """A player was merged into another one, which has the results of both."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: PlayerMergedData


class PlayerHiddenData(TypedDict):
    """Players whose names are to be deleted."""

    players: list[str]
    # one of initials, anonymous
    shown: str
    # True if all their data were erased
    erased: bool


class PlayerHidden(TypedDict):
    """Players are shown by initials or anonymously from now on."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: PlayerHiddenData


class Ping(TypedDict):
    """A test message, sent at the owner's request."""

    # Unique; the same in every attempt
    id: str
    # Number within the webhook, from 1; null in test messages
    sequence: int | None
    # When the change was stored
    created: str
    # Short name of the federation in addresses
    federation: str
    kind: str
    data: dict[str, Any]


class Client:
    """Client of one portal.

    `address` is the address of the site, such as https://ratings.example.org, `key` an API key, and `timeout` a
    number of seconds. A request that only reads is sent again when the portal asks to wait (429, 503), at most
    `retries` times.
    """

    def __init__(self, address: str, key: str = "", *, timeout: float = 30, retries: int = 2) -> None:
        self._base = address.rstrip("/")
        if urllib.parse.urlsplit(self._base).scheme not in {"http", "https"}:
            raise ValueError(f"Invalid address {address!r}: expected one such as https://ratings.example.org.")
        self._key, self._timeout, self.retries = key, timeout, retries
        self._opener = urllib.request.build_opener(SameSiteRedirects)

    def get_lists(
        self,
    ) -> list[RatingList]:
        """Return all rating lists."""
        reply: list[RatingList] = self._get(
            "/api/v1/lists",
            {},
        )
        return reply

    def get_list(
        self,
        slug: str,
    ) -> RatingList:
        """Return one rating list.

        - slug: Slug of the list
        """
        reply: RatingList = self._get(
            f"/api/v1/lists/{_quote(slug)}",
            {},
        )
        return reply

    def get_list_standings(
        self,
        slug: str,
        *,
        country: str | None = None,
        club: str | None = None,
        grade: str | None = None,
        active: bool | None = None,
        size: int | None = None,
    ) -> Iterator[Standing]:
        """Return the current list.

        Return players, highest rating first. Equal ratings share a rank. Filters do not change the ranks.

        - slug: Slug of the list
        - country: Only players of this country
        - club: Only current members of the club with this id
        - grade: Only players with this grade
        - active: False: include inactive players
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/standings",
            {"country": country, "club": club, "grade": grade, "active": active, "size": size},
        )

    def get_list_ratings(
        self,
        slug: str,
        *,
        on: dt.date | str,
        size: int | None = None,
    ) -> Iterator[PastRating]:
        """Return all ratings as of a date.

        Return all ratings as of a date, in the order of the players' ids. They are computed with today's results,
        corrections included. What was published on a day is a dated list.

        - slug: Slug of the list
        - on: The end of this day
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/ratings",
            {"on": on, "size": size},
        )

    def get_list_changes(
        self,
        slug: str,
        *,
        since: dt.date | str | None = None,
        size: int | None = None,
    ) -> Iterator[Change]:
        """Return changes of ratings since a day.

        Return every rating change by the day of its event, oldest first. A rating run may replace past changes.
        “/runs” says from which day on to read them again.

        - slug: Slug of the list
        - since: From this day on
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/changes",
            {"since": since, "size": size},
        )

    def get_list_promotions(
        self,
        slug: str,
        *,
        since: dt.date | str | None = None,
        size: int | None = None,
    ) -> Iterator[Promotion]:
        """Return grades won, newest first.

        Return the last grade that each player won at each event, without grades that wait for approval.

        - slug: Slug of the list
        - since: From this day on
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/promotions",
            {"since": since, "size": size},
        )

    def get_list_dated(
        self,
        slug: str,
    ) -> list[DatedList]:
        """Return lists as they were published.

        Newest first.

        - slug: Slug of the list
        """
        reply: list[DatedList] = self._get(
            f"/api/v1/lists/{_quote(slug)}/dated",
            {},
        )
        return reply

    def get_list_dated_day(
        self,
        slug: str,
        day: dt.date | str,
        *,
        lines: str | None = None,
        size: int | None = None,
    ) -> Iterator[DatedLine]:
        """Return one dated list.

        Return each line as published and after corrections; one half is null if corrections added or removed it.

        - slug: Slug of the list
        - day: Day of the list, as YYYY-MM-DD
        - lines: Published lines by rank, or the players added by later corrections by their new rank
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/dated/{_quote(day)}",
            {"lines": lines, "size": size},
        )

    def get_list_corrections(
        self,
        slug: str,
        *,
        size: int | None = None,
    ) -> Iterator[Correction]:
        """Return corrected ratings, newest first.

        Present ratings that a run changed although their players had not played since.

        - slug: Slug of the list
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/corrections",
            {"size": size},
        )

    def get_list_runs(
        self,
        slug: str,
        *,
        since: dt.datetime | str | None = None,
        size: int | None = None,
    ) -> Iterator[Run]:
        """Get what has changed since a given time.

        Return the finished rating runs, oldest first. To keep a copy of a list: read the runs since your last visit,
        take the earliest “changes_from”, read “/changes” from that day on, and replace your changes from that day on.

        - slug: Slug of the list
        - since: Ended after this time: the last “ended_at” that you saw
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/runs",
            {"since": since, "size": size},
        )

    def get_list_calculator(
        self,
        slug: str,
        *,
        player: str,
        game: Sequence[str],
    ) -> Calculation:
        """Return what games would do to a rating.

        Return the effect of games played today in one table, after all games that the player has played.

        - slug: Slug of the list
        - player: The player's id
        - game: Opponent's rating and score, once for every game
        """
        reply: Calculation = self._get(
            f"/api/v1/lists/{_quote(slug)}/calculator",
            {"player": player, "game": game},
        )
        return reply

    def look_up(
        self,
        slug: str,
        *,
        players: Sequence[str],
    ) -> list[LookedUp]:
        """Return many players by name or id.

        Return the player for each text, in their order, with the standing on the list. Nothing is stored. Players who
        do not show their full name are found by their public id only. At most 20 requests per minute.

        - slug: Slug of the list
        - players: Names in any order, public ids, or confirmed ids in other registries such as EGD 12345678
        """
        fields = {
            "players": players,
        }
        reply: list[LookedUp] = self._send(
            "POST",
            f"/api/v1/lists/{_quote(slug)}/lookup",
            {},
            _encode(fields),
            "application/json",
        )
        return reply

    def get_list_checkpoints(
        self,
        slug: str,
        *,
        size: int | None = None,
    ) -> Iterator[Checkpoint]:
        """Return the signed log of a list.

        Return the checkpoints, oldest first. The number of a checkpoint never changes.

        - slug: Slug of the list
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/checkpoints",
            {"size": size},
        )

    def get_list_checkpoint(
        self,
        slug: str,
        checkpoint: int,
    ) -> SignedCheckpoint:
        """Return one checkpoint.

        Return a checkpoint with its text and its signatures.

        - slug: Slug of the list
        - checkpoint: Number of the checkpoint in the log
        """
        reply: SignedCheckpoint = self._get(
            f"/api/v1/lists/{_quote(slug)}/checkpoints/{_quote(checkpoint)}",
            {},
        )
        return reply

    def get_list_proposals(
        self,
        slug: str,
        *,
        size: int | None = None,
    ) -> Iterator[RuleProposal]:
        """Return proposed changes of the rules, newest first.

        Return the published proposals of a list.

        - slug: Slug of the list
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/proposals",
            {"size": size},
        )

    def get_list_proposal(
        self,
        slug: str,
        proposal: int,
    ) -> ProposedRules:
        """Return one proposal with its figures.

        Return a published proposal with its steps and the figures of its study in the laboratory.

        - slug: Slug of the list
        - proposal: Number of the proposal
        """
        reply: ProposedRules = self._get(
            f"/api/v1/lists/{_quote(slug)}/proposals/{_quote(proposal)}",
            {},
        )
        return reply

    def get_list_proposal_effects(
        self,
        slug: str,
        proposal: int,
        *,
        size: int | None = None,
    ) -> Iterator[RuleEffect]:
        """Return effects on players.

        Return the effects of a published proposal on the active players, highest current rating first.

        - slug: Slug of the list
        - proposal: Number of the proposal
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/lists/{_quote(slug)}/proposals/{_quote(proposal)}/effects",
            {"size": size},
        )

    def get_players(
        self,
        *,
        q: str | None = None,
        size: int | None = None,
    ) -> Iterator[PlayerRef]:
        """Return players by name.

        Return players in the order of their ids. Players who do not show their full name are not found by it.

        - q: Any parts of a name, or an id
        - size: Rows a page, at most 200
        """
        return self._iterate(
            "/api/v1/players",
            {"q": q, "size": size},
        )

    def get_player(
        self,
        public_id: str,
    ) -> Player:
        """Return one player.

        - public_id: Public id of the player or the event
        """
        reply: Player = self._get(
            f"/api/v1/players/{_quote(public_id)}",
            {},
        )
        return reply

    def get_player_standings(
        self,
        public_id: str,
        *,
        on: dt.date | str,
    ) -> list[PlayerPast]:
        """Return one player as of a date.

        Return the player's ratings at the end of a day, as computed today.

        - public_id: Public id of the player or the event
        - on: The end of this day
        """
        reply: list[PlayerPast] = self._get(
            f"/api/v1/players/{_quote(public_id)}/standings",
            {"on": on},
        )
        return reply

    def get_player_changes(
        self,
        public_id: str,
        *,
        list: str | None = None,
        size: int | None = None,
    ) -> Iterator[Change]:
        """Return one player's changes, newest first.

        Return the changes on the requested list, or by default on the first list that shows the player.

        - public_id: Public id of the player or the event
        - list: Slug of a list
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/players/{_quote(public_id)}/changes",
            {"list": list, "size": size},
        )

    def get_player_games(
        self,
        public_id: str,
        *,
        list: str | None = None,
        size: int | None = None,
    ) -> Iterator[Game]:
        """Return one player's games, newest first.

        Return the games of accepted events; with `list`, the games rated on it, with its ratings.

        - public_id: Public id of the player or the event
        - list: Slug of a list
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/players/{_quote(public_id)}/games",
            {"list": list, "size": size},
        )

    def get_player_proofs(
        self,
        public_id: str,
    ) -> list[ProvableRating]:
        """Return published ratings with a proof.

        Return the player's ratings in published lists for which there is a proof, newest first.

        - public_id: Public id of the player or the event
        """
        reply: list[ProvableRating] = self._get(
            f"/api/v1/players/{_quote(public_id)}/proofs",
            {},
        )
        return reply

    def get_player_proof(
        self,
        public_id: str,
        slug: str,
        day: dt.date | str,
    ) -> Proof:
        """Return the proof of a published rating.

        Return the proof that a player's rating is in a published list, for the id that the player has there.

        - public_id: Public id of the player or the event
        - slug: Slug of the list
        - day: Day of the list, as YYYY-MM-DD
        """
        reply: Proof = self._get(
            f"/api/v1/players/{_quote(public_id)}/proofs/{_quote(slug)}/{_quote(day)}",
            {},
        )
        return reply

    def get_events(
        self,
        *,
        list: str | None = None,
        country: str | None = None,
        since: dt.date | str | None = None,
        until: dt.date | str | None = None,
        size: int | None = None,
    ) -> Iterator[Event]:
        """Return accepted events, newest first.

        - list: Only events rated on this list
        - country: Only events in this country
        - since: Only those that ended on this day or later
        - until: Only those that ended on this day or before
        - size: Rows a page, at most 200
        """
        return self._iterate(
            "/api/v1/events",
            {"list": list, "country": country, "since": since, "until": until, "size": size},
        )

    def new_event(
        self,
        *,
        name: str,
        start: dt.date | str,
        end: dt.date | str,
        lists: Sequence[str],
        start_time: dt.time | str | None = None,
        place: str | None = None,
        address: str | None = None,
        country: str | None = None,
        time_control: str | None = None,
        mode: str | None = None,
        organiser: str | None = None,
        schedule: str | None = None,
        contact: str | None = None,
        registration: str | None = None,
        link: str | None = None,
        announce: bool | None = None,
    ) -> Draft:
        """Announce an event.

        Create a draft event that belongs to the key's owner; results can be sent to it.

        - name
        - start
        - end
        - lists: Slugs of the lists on which it will be rated
        - start_time: When play starts on the first day, in local time
        - place
        - address: Building, street and town of the venue
        - country: ISO 3166 code of two letters
        - time_control
        - mode: one of board, online, correspondence
        - organiser
        - schedule: Times of the rounds, one line per entry
        - contact: An email address or a text, which everybody can see
        - registration: Address of the registration
        - link: Address of the announcement
        - announce: Show it in the public calendar at once
        """
        fields = {
            "name": name,
            "start": start,
            "end": end,
            "lists": lists,
            "start_time": start_time,
            "place": place,
            "address": address,
            "country": country,
            "time_control": time_control,
            "mode": mode,
            "organiser": organiser,
            "schedule": schedule,
            "contact": contact,
            "registration": registration,
            "link": link,
            "announce": announce,
        }
        reply: Draft = self._send(
            "POST",
            "/api/v1/events",
            {},
            _encode(fields),
            "application/json",
        )
        return reply

    def get_events_coming(
        self,
    ) -> list[Event]:
        """Return announced events that are not over.

        List the announced events that are not over, the next one first.
        """
        reply: list[Event] = self._get(
            "/api/v1/events/coming",
            {},
        )
        return reply

    def get_event(
        self,
        public_id: str,
    ) -> EventTables:
        """Return one event.

        - public_id: Public id of the player or the event
        """
        reply: EventTables = self._get(
            f"/api/v1/events/{_quote(public_id)}",
            {},
        )
        return reply

    def get_event_table(
        self,
        public_id: str,
        table: int,
        *,
        list: str | None = None,
    ) -> Crosstable:
        """Return the crosstable of a table.

        With the ratings of the list asked for, else of the first it is rated on.

        - public_id: Public id of the player or the event
        - table: Id of the table
        - list: Slug of a list
        """
        reply: Crosstable = self._get(
            f"/api/v1/events/{_quote(public_id)}/tables/{_quote(table)}",
            {"list": list},
        )
        return reply

    def upload_results(
        self,
        public_id: str,
        file: bytes,
        *,
        name: str | None = None,
    ) -> Submission:
        """Upload results.

        Store the bytes of a file, in any format that the site reads, as results of the draft event. Errors in the
        file do not matter: they are reported and can be corrected on the site. Nothing is submitted or accepted.
        Status 200: the event already has results from the same bytes; the reply describes them. Status 422: nothing
        could be read, and nothing is stored.

        - public_id: Public id of the player or the event
        - name: Name of the file, kept beside the submission
        """
        reply: Submission = self._send(
            "POST",
            f"/api/v1/events/{_quote(public_id)}/results",
            {"name": name},
            file,
            "application/octet-stream",
        )
        return reply

    def get_event_draft(
        self,
        public_id: str,
    ) -> Draft:
        """Return how far an event is.

        For its organisers and officers: its state, and what is still to be mended.

        - public_id: Public id of the player or the event
        """
        reply: Draft = self._get(
            f"/api/v1/events/{_quote(public_id)}/draft",
            {},
        )
        return reply

    def get_event_roster(
        self,
        public_id: str,
        *,
        list: str | None = None,
    ) -> Roster:
        """Return the entered players of an announced event.

        Return the entered players, rated on the requested list, or on the event's first list by default. The ratings
        can change until the first day of the event: they follow the latest list that is published by then.

        - public_id: Public id of the player or the event
        - list: Slug of a list
        """
        reply: Roster = self._get(
            f"/api/v1/events/{_quote(public_id)}/roster",
            {"list": list},
        )
        return reply

    def get_webhooks(
        self,
    ) -> list[Webhook]:
        """Return your webhooks.

        Return the webhooks that belong to the key's owner.
        """
        reply: list[Webhook] = self._get(
            "/api/v1/webhooks",
            {},
        )
        return reply

    def get_webhook_deliveries(
        self,
        webhook: int,
        *,
        size: int | None = None,
    ) -> Iterator[Delivery]:
        """Return the log of a webhook, latest first.

        Return the messages of the last weeks, without their contents.

        - webhook: Id of the webhook
        - size: Rows a page, at most 200
        """
        return self._iterate(
            f"/api/v1/webhooks/{_quote(webhook)}/deliveries",
            {"size": size},
        )

    def get_feeds(
        self,
    ) -> list[Feed]:
        """Return feeds of the site and of each list.

        Return the feeds with the latest entries. Those of one player, club or event come last.
        """
        reply: list[Feed] = self._get(
            "/api/v1/feeds",
            {},
        )
        return reply

    def _get(self, path: str, query: Mapping[str, Any]) -> Any:
        left = self.retries
        while True:
            try:
                return self._send("GET", path, query)
            except ApiError as error:
                if not left or error.retry_after is None:
                    raise
                left -= 1
                time.sleep(error.retry_after)

    def _iterate(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._get(path, query if cursor is None else {**query, "cursor": cursor})
            yield from page["items"]
            if page["next"] is None:
                return
            (cursor,) = urllib.parse.parse_qs(urllib.parse.urlsplit(page["next"]).query)["cursor"]

    def _send(
        self, method: str, path: str, query: Mapping[str, Any], body: bytes | None = None, content_type: str = ""
    ) -> Any:
        sent = {name: _write(value) for name, value in query.items() if value is not None}
        url = self._base + path + (f"?{urllib.parse.urlencode(sent, doseq=True)}" if sent else "")
        headers = {"Accept": "application/json", "User-Agent": "ratings-client/1"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        if body is not None:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(url, body, headers, method=method)  # noqa: S310 - checked in __init__
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(error.code, error.reason, error.read(), error.headers.get("Retry-After")) from None


class ApiError(Exception):
    """Error for a request that the portal refused.

    `status` is the status of the reply, `detail` says what is wrong, `errors` has a message for each invalid value, and
    `retry_after` the seconds after which the request can be sent again (None: it would be refused again).
    """

    def __init__(self, status: int, reason: str, body: bytes, retry_after: str | None = None) -> None:
        try:
            problem = dict(json.loads(body))
        except ValueError:  # the reply of a proxy, not of the portal
            problem = {}
        self.status = status
        self.detail = str(problem.get("detail", reason))
        self.errors: list[Fault] = problem.get("errors", [])
        self.retry_after = int(retry_after) if retry_after and retry_after.isdecimal() else None
        faults = "".join(f" {fault['where']}: {fault['message']}" for fault in self.errors)
        super().__init__(f"{status}: {self.detail}{faults}")


class SameSiteRedirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects within the site only, so that the key is not sent to another site."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        sites = [urllib.parse.urlsplit(url)[:2] for url in (req.full_url, newurl)]
        if sites[0] != sites[1]:
            raise urllib.error.HTTPError(req.full_url, code, f"redirected to another site, {newurl}", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _write(value: Any) -> Any:
    """Return a value as the API reads it in an address or in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.date | dt.time):  # datetimes are dates
        return value.isoformat()
    return value


def _quote(value: Any) -> str:
    return urllib.parse.quote(str(_write(value)), safe="")


def _encode(fields: Mapping[str, Any]) -> bytes:
    sent = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(sent, default=_write).encode()

"""Conversion of query results to the API's schemas, with names and clubs as the public may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings

from ratings import models
from ratings.displayed_changes import round_change

from . import schemas
from .paging import rounded


def url_of(thing: Any) -> str:
    return f"{settings.SITE_ADDRESS}{thing.get_absolute_url()}"


def describe_player(player: models.Player) -> dict[str, str]:
    """Return the fields of `schemas.PlayerRef`."""
    return {
        "id": player.public_id,
        "name": player.public_name,
        "country": str(player.country),
        "url": url_of(player),
    }


def player_ref(player: models.Player) -> schemas.PlayerRef:
    return schemas.PlayerRef(**describe_player(player))


def named(thing: models.Event | models.Club) -> schemas.Named:
    return schemas.Named(id=thing.public_id, name=thing.name, url=url_of(thing))


def club_of(player: models.Player) -> schemas.Named | None:
    """Return the current club of a player prefetched with `present`; None for anonymous players."""
    memberships: list[models.Membership] = player.present  # type: ignore[attr-defined] # prefetched by the query
    return named(memberships[0].club) if memberships and not player.is_anonymous else None


def event_of(derived: models.Change | models.Award) -> schemas.Named | None:
    event = derived.table.event if derived.table else None
    return named(event) if event is not None and event.state == models.Event.State.ACCEPTED else None


def kind_of(change: models.Change) -> Any:
    if change.is_closing:
        return "closing"
    return "table" if change.table_id else "adjustment" if change.adjustment_id else "decision"


def difference(row: Any, decimals: int) -> float | None:
    """Return the difference of a change or explanation row, in rating points.

    It is None without a rating before, where some rules record a difference of 0.
    """
    return None if row.before is None else rounded(round_change(row, decimals), decimals)


def change(row: models.Change, rating_list: models.RatingList) -> schemas.Change:
    decimals, graded = rating_list.decimals, rating_list.has_grades
    return schemas.Change(
        list=rating_list.slug,
        player=player_ref(row.player),
        day=row.day,
        kind=kind_of(row),
        event=event_of(row),
        table=row.table_id,
        before=rounded(row.before, decimals),
        after=rounded(row.after, decimals),
        change=difference(row, decimals),
        games=row.games,
        performance=rounded(row.performance, decimals),
        grade_before=row.grade_before if graded else "",
        grade=row.grade if graded else "",
    )


def promotion(row: Any, rating_list: models.RatingList) -> schemas.Promotion:
    return schemas.Promotion(
        list=rating_list.slug,
        player=player_ref(row.player),
        grade=row.grade,
        day=row.day,
        how=row.how,
        final=row.state != "awarded",
        event=event_of(row),
    )


def correction(row: models.Correction, decimals: int) -> schemas.Correction:
    return schemas.Correction(
        player=player_ref(row.player),
        run=row.run_id,
        at=row.run.ended_at,
        before=rounded(row.before, decimals),
        after=rounded(row.after, decimals),
        change=rounded(round_change(row, decimals), decimals),
    )


Before = Mapping[tuple[int, int], float | None]


def games(rows: Iterable[models.Game], before: Before, decimals: int) -> list[schemas.Game]:
    return [game(row, before, decimals) for row in rows]


GAME_FIELDS = ("round", "score", "played", "handicap", "giver", "stones", "black", "kind")


def game(row: models.Game, before: Before, decimals: int) -> schemas.Game:
    def side(entry: models.Entry) -> schemas.GamePlayer:
        rating = rounded(before.get((row.table_id, entry.player_id)), decimals)
        ref = player_ref(entry.player)
        return schemas.GamePlayer(id=ref.id, name=ref.name, country=ref.country, rating=rating)

    return schemas.Game(
        event=named(row.table.event),
        table=row.table_id,
        day=row.table.last_day,
        a=side(row.a),
        b=side(row.b) if row.b else None,
        **{name: getattr(row, name) for name in GAME_FIELDS},
    )

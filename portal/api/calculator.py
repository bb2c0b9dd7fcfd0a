"""API endpoint that computes the effect of imagined games on a rating, with the engine that rates real games."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from ninja.errors import HttpError
from pydantic import Field

from portal.lists.forms import MAX_GAMES
from ratings.formats.typed_games import HIGHEST
from ratings.models import Player, RatingList
from ratings.queries.grades.progress import Simulation, simulate
from ratings.systems.values import RowExplanation

from . import page_schemas, serializers
from .paging import rounded
from .players import get_player, list_of

router = Router(tags=["Calculator"])
SCORES = {"1": 1.0, "0.5": 0.5, "0": 0.0}
ImaginedGame = Annotated[str, Field(pattern=r"^-?[0-9]{1,4}(\.[0-9])?:(1|0\.5|0)$", examples=["1800:1"])]


class ImaginedGames(Schema):
    player: str = Field(max_length=12, pattern="^[A-Za-z0-9]+$", description="The player's id")
    game: list[ImaginedGame] = Field(
        min_length=1, max_length=MAX_GAMES, description="Opponent's rating and score, once for every game"
    )


@router.get("/{slug}/calculator", response=page_schemas.Calculation, summary="What games would do to a rating")
def calculate(request: HttpRequest, slug: str, asked: Query[ImaginedGames]) -> page_schemas.Calculation:
    """Return the effect of games played today in one table, after all games that the player has played."""
    player = get_player(asked.player)
    the_list = list_of(player, slug)
    try:
        results = [parse_game(written, the_list) for written in asked.game]
        calculation = simulate(player, the_list, results, timezone.localdate())
    except ValueError as error:
        raise HttpError(422, str(error)) from None
    if calculation is None:
        raise HttpError(503, "This list is being rated again. Try again in a few minutes.")
    return serialize_calculation(player, the_list, calculation)


def parse_game(text: str, the_list: RatingList) -> tuple[float, float]:
    """Return the opponent's rating and the score of a game; raise ValueError if the system has no such rating."""
    rating, _, score = text.partition(":")
    number = float(rating)
    if number > HIGHEST:
        raise ValueError(f"A rating is at most {HIGHEST}.")
    value = int(number) if number.is_integer() else number
    the_list.rating_system.rating.read({"rating": value}, fixed=True)
    return value, SCORES[score]


def serialize_calculation(player: Player, the_list: RatingList, calculation: Simulation) -> page_schemas.Calculation:
    row, decimals = calculation.row, the_list.decimals
    return page_schemas.Calculation(
        list=the_list.slug,
        player=serializers.player_ref(player),
        category=row.category,
        before=rounded(row.before, decimals),
        after=rounded(row.after, decimals),
        change=serializers.difference(row, decimals),
        performance=rounded(row.performance, decimals),
        grade=(calculation.standing.grade or "") if the_list.has_grades else "",
        games=[terms_of(calculation.explained, term) for term in row.terms],
        sum=[page_schemas.Term(label=line.label, value=line.value) for line in calculation.explained.lines],
        notes=list(calculation.explained.notes),
    )


def terms_of(explained: RowExplanation, term: Any) -> list[page_schemas.Term]:
    return [page_schemas.Term(label=column.label, value=term.get(column.key)) for column in explained.columns]

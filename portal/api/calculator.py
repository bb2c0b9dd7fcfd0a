"""What imagined games would do to a rating, by the engine that rates the real ones."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from ninja.errors import HttpError
from pydantic import Field

from portal.forms import MOST_GAMES
from ratings.formats.typed_games import HIGHEST
from ratings.models import Player, RatingList
from ratings.queries.progress import Imagined, imagine
from ratings.systems.values import Explained

from . import schemas_more, shown
from .paging import rounded
from .players import list_of, player_called

router = Router(tags=["Calculator"])
SCORES = {"1": 1.0, "0.5": 0.5, "0": 0.0}
ImaginedGame = Annotated[str, Field(pattern=r"^-?[0-9]{1,4}(\.[0-9])?:(1|0\.5|0)$", examples=["1800:1"])]


class ImaginedGames(Schema):
    player: str = Field(max_length=12, pattern="^[A-Za-z0-9]+$", description="The player's id")
    game: list[ImaginedGame] = Field(
        min_length=1, max_length=MOST_GAMES, description="Opponent's rating and score, once for every game"
    )


@router.get("/{slug}/calculator", response=schemas_more.Calculation, summary="What games would do to a rating")
def calculate(request: HttpRequest, slug: str, asked: Query[ImaginedGames]) -> schemas_more.Calculation:
    """After everything that he has played, in one table, today."""
    player = player_called(asked.player)
    the_list = list_of(player, slug)
    try:
        results = [result_of(written, the_list) for written in asked.game]
        found = imagine(player, the_list, results, timezone.now().date())
    except ValueError as error:
        raise HttpError(422, str(error)) from None
    if found is None:
        raise HttpError(503, "This list is being rated anew; ask again in a while.")
    return shown_calculation(player, the_list, found)


def result_of(written: str, the_list: RatingList) -> tuple[float, float]:
    """ValueError: the list's system has no such rating."""
    rating, _, score = written.partition(":")
    number = float(rating)
    if number > HIGHEST:
        raise ValueError(f"A rating is at most {HIGHEST}.")
    value = int(number) if number.is_integer() else number
    the_list.rating_system.read({"rating": value}, fixed=True)
    return value, SCORES[score]


def shown_calculation(player: Player, the_list: RatingList, found: Imagined) -> schemas_more.Calculation:
    row, decimals = found.row, the_list.rating_system.decimals
    return schemas_more.Calculation(
        list=the_list.slug, player=shown.player_ref(player), category=row.category,
        before=rounded(row.before, decimals), after=rounded(row.after, decimals),
        change=shown.difference(row, decimals), performance=rounded(row.performance, decimals),
        grade=(found.standing.grade or "") if the_list.graded else "",
        games=[terms_of(found.explained, term) for term in row.terms],
        sum=[schemas_more.Term(label=line.label, value=line.value) for line in found.explained.lines],
        notes=list(found.explained.notes),
    )  # fmt: skip


def terms_of(explained: Explained, term: Any) -> list[schemas_more.Term]:
    return [schemas_more.Term(label=column.label, value=term.get(column.key)) for column in explained.columns]

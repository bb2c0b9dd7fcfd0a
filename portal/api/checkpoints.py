"""API endpoints of the signed log of a list: its checkpoints, and proofs that ratings are in published lists."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router, Schema
from ninja.errors import HttpError
from pydantic import Field

from ratings import models
from ratings.formats.proof.checkpoints import parse_checkpoint
from ratings.formats.proof.notes import encode, list_witnesses, parse_note
from ratings.queries.runs.logs import signed_checkpoints
from ratings.queries.runs.published_proofs import (
    ChangedLineError,
    ProvableLine,
    find_provable_line,
    list_provable_lines,
    prove_line,
)

from .lists import get_list
from .paging import Paging, paginate, rounded
from .players import get_player
from .problems import CONTENT, get_by_public_id
from .schemas import Day, Id, Page, Rating

router = Router(tags=["Proofs"])
player_router = Router(tags=["Proofs"])
Number = Annotated[int, Field(description="Number of the checkpoint in the log, from 1")]
CHANGED = {"description": "The stored rating is not the one that was published", "content": CONTENT}


class TreeRoot(Schema):
    """The root of a Merkle tree (RFC 6962) over rows of a list."""

    name: str = Field(description="options, tables, adjustments, decisions, results, or published and its day")
    leaves: int = Field(description="Number of leaves")
    root: str = Field(description="SHA-256 in base64")


class Checkpoint(Schema):
    """A signed entry of a list's log, after a rating run or about a published list."""

    number: Number
    time: dt.datetime
    previous: str = Field(description="SHA-256 of the previous checkpoint's text, in base64; empty in the first one")
    run: int | None = Field(description="Number of the rating run; null for a published list")
    since: dt.date | None = Field(description="First day on which the run changed anything; null if it may be any day")
    day: dt.date | None = Field(description="Day of the published list; null for a run, or if the list was withdrawn")
    trees: list[TreeRoot]
    witnesses: list[str] = Field(description="Names of the other sites that cosigned the checkpoint")


class SignedCheckpoint(Checkpoint):
    """A checkpoint with the text that was signed, and its signatures."""

    text: str = Field(description="The text that was signed, which ends with a line break")
    signatures: list[str] = Field(description="Signatures as lines of a signed note (C2SP), that of the site first")
    keys: str = Field(description="Address of the public keys of the site")


class ProvableRating(Schema):
    """A rating in a published list for which there is a proof."""

    list: str = Field(description="Slug of the list")
    day: dt.date = Field(description="Day of the list")
    player: Id
    rating: Rating
    checkpoint: Number
    url: str = Field(description="Address of the proof as a text file")


class Proof(ProvableRating):
    """A rating in a published list with its proof."""

    proof: str = Field(description="Proof as text, in the format ratings-inclusion/1, with the signed checkpoint")


@router.get("/{slug}/checkpoints", response=Page[Checkpoint], summary="The signed log of a list")
def checkpoints(request: HttpRequest, response: HttpResponse, slug: str, paging: Query[Paging]) -> Page[Checkpoint]:
    """Return the checkpoints, oldest first. The number of a checkpoint never changes."""
    rows = signed_checkpoints(get_list(slug)).select_related("dated")
    return paginate(
        request, response, paging, rows, ("number",), lambda page: [Checkpoint(**describe(row)) for row in page]
    )


@router.get("/{slug}/checkpoints/{int:checkpoint}", response=SignedCheckpoint, summary="One checkpoint")
def one_checkpoint(request: HttpRequest, slug: str, checkpoint: int) -> SignedCheckpoint:
    """Return a checkpoint with its text and its signatures."""
    row = signed_checkpoints(get_list(slug)).filter(number=checkpoint).select_related("dated").first()
    if row is None:
        raise Http404(f"The log of {slug} has no checkpoint {checkpoint}: see /api/v1/lists/{slug}/checkpoints.")
    signatures = [str(signature) for signature in parse_note(row.note).signatures]
    keys = f"{settings.SITE_ADDRESS}{reverse('log_keys', args=[slug])}"
    return SignedCheckpoint(**describe(row), text=row.text, signatures=signatures, keys=keys)


def describe(row: models.Checkpoint) -> dict[str, Any]:
    """Return the values of a checkpoint as its text has them."""
    parsed = parse_checkpoint(row.text)
    return {
        "number": row.number,
        "time": parsed.time,
        "previous": encode(parsed.previous) if parsed.previous else "",
        "run": parsed.run,
        "since": parsed.since,
        "day": row.dated.day if row.dated else None,
        "trees": [TreeRoot(name=name, leaves=tree.size, root=encode(tree.root)) for name, tree in parsed.trees.items()],
        "witnesses": list_witnesses(parse_note(row.note)),
    }


@player_router.get("/{public_id}/proofs", response=list[ProvableRating], summary="Published ratings with a proof")
def proofs(request: HttpRequest, public_id: str) -> list[ProvableRating]:
    """Return the player's ratings in published lists for which there is a proof, newest first."""
    return [ProvableRating(**describe_line(provable)) for provable in list_provable_lines(get_player(public_id))]


@player_router.get(
    "/{public_id}/proofs/{slug}/{day}",
    response=Proof,
    summary="The proof of a published rating",
    openapi_extra={"responses": {409: CHANGED}},
)
def proof(request: HttpRequest, public_id: str, slug: str, day: Day) -> Proof:
    """Return the proof that a player's rating is in a published list, for the id that the player has there."""
    players = models.Player.objects.select_related("merged_into")
    player = get_by_public_id(players, public_id, f"There is no player {public_id}.")
    provable = find_provable_line(player, slug, day)
    if provable is None:
        raise Http404(f"There is no proof of a rating of {public_id} in the list {slug} of {day}.")
    try:
        text = prove_line(provable)
    except ChangedLineError:
        raise HttpError(409, "The stored rating is not the one that was published.") from None
    return Proof(**describe_line(provable), proof=text)


def describe_line(provable: ProvableLine) -> dict[str, Any]:
    """Return the values of a line of a published list."""
    dated, public_id = provable.line.dated, provable.line.player.public_id
    path = reverse("player_proof_file", args=[public_id, dated.list.slug, dated.day])
    return {
        "list": dated.list.slug,
        "day": dated.day,
        "player": public_id,
        "rating": rounded(provable.rating, dated.list.decimals),
        "checkpoint": provable.checkpoint.number,
        "url": f"{settings.SITE_ADDRESS}{path}",
    }

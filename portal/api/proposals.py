"""API endpoints of the published results of the laboratory: proposed rules of a list, and their effects on players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from portal.lists.proposal_page import find_candidates
from ratings import models
from ratings.displayed_changes import round_difference
from ratings.queries.lists.rule_proposals import effects_on_active, measure_spread, published_proposals
from ratings.systems import get_system

from . import schemas, serializers
from .lists import get_list
from .paging import Paging, paginate, rounded
from .schemas import Difference, Grade, Page, PlayerRef

router = Router(tags=["Laboratory"])


class RuleProposal(Schema):
    """A published proposal to change the rules of a list."""

    number: int
    title: str
    state: Literal["open", "adopted", "rejected", "withdrawn"] = Field(description="open: for comments")
    proposed_by: str
    reason: str
    system: str = Field(description="Key of the rating system", examples=["fesa-2016"])
    options: dict[str, Any] = Field(description="New values of the options that change; all options of a successor")
    successor: str | None = Field(
        description="Slug of the list that continues this one if it is adopted; null if this list only changes options"
    )
    in_force: dt.date = Field(description="Day from which the rules apply, if adopted")
    comments_until: dt.date | None
    since: dt.date = Field(description="Effects are computed as if the rules had applied from this day on")
    published_at: dt.datetime | None
    changed_at: dt.datetime | None = Field(description="Last change of its state")
    url: str


class RuleStep(Schema):
    """A step of a proposal."""

    what: str = Field(description="published, adopted, rejected, withdrawn, reopened or started (a successor list)")
    at: dt.datetime
    reason: str


class RuleFigures(Schema):
    """Figures of the current or of the proposed rules; null where a figure is missing."""

    log_loss: float | None = Field(description="Mean log loss of predicted games in the study; lower is better")
    largest_change: float | None = Field(description="Largest change in one event, in rating points")
    mean_change: float | None = Field(description="Mean change in one event, in rating points")
    grades_won: int | None


class ProposedRules(RuleProposal):
    """A proposal with its steps, and the figures of the current and the proposed rules."""

    steps: list[RuleStep]
    present: RuleFigures
    proposed: RuleFigures
    games: int | None = Field(
        description="Games in the study of the laboratory that gave log_loss; null without a study"
    )
    digest: str = Field(description="Digest of that study; empty without a study")
    players: int = Field(description="Active players for whom effects were computed; 0 until they are")
    typical_effect: float | None = Field(
        description="Median of the absolute effects on these players, in rating points"
    )


class RuleEffect(Schema):
    """The effect of proposed rules on an active player, in rating points of the proposed rules."""

    player: PlayerRef
    present: float = Field(description="Rating by the current rules")
    proposed: float = Field(description="Rating by the proposed rules")
    difference: Difference
    on_day: schemas.Rating = Field(
        description="Rating on the day the rules come into force; null for a player who leaves the list then"
    )
    grade_present: Grade
    grade: Grade


@router.get("/{slug}/proposals", response=Page[RuleProposal], summary="Proposed changes of the rules, newest first")
def proposals(request: HttpRequest, response: HttpResponse, slug: str, paging: Query[Paging]) -> Page[RuleProposal]:
    """Return the published proposals of a list."""
    rows = published_proposals(get_list(slug)).select_related("list")
    keys = ("-published_at", "-pk")
    return paginate(request, response, paging, rows, keys, lambda page: [RuleProposal(**describe(row)) for row in page])


def describe(row: models.RuleProposal) -> dict[str, Any]:
    """Return the values of a proposal."""
    fields = (
        "title", "state", "proposed_by", "reason", "system", "options", "in_force", "comments_until", "since",
        "published_at", "changed_at",
    )  # fmt: skip
    values = {name: getattr(row, name) for name in fields}
    return values | {"number": row.pk, "successor": row.successor_slug or None, "url": serializers.url_of(row)}


def get_proposal(slug: str, number: int) -> models.RuleProposal:
    rows = published_proposals(get_list(slug)).select_related("list", "study")
    proposal = rows.filter(pk=number).first()
    if proposal is None:
        raise Http404(f"{slug} has no published proposal {number}: see /api/v1/lists/{slug}/proposals.")
    return proposal


@router.get("/{slug}/proposals/{int:proposal}", response=ProposedRules, summary="One proposal with its figures")
def one_proposal(request: HttpRequest, slug: str, proposal: int) -> ProposedRules:
    """Return a published proposal with its steps and the figures of its study in the laboratory."""
    row = get_proposal(slug, proposal)
    spread = measure_spread(row, effects_on_active(row, timezone.localdate()))
    present, proposed = find_candidates(row)
    study = row.study.result if row.study and present and proposed else None
    figures = row.figures or {"present": {}, "proposed": {}}
    return ProposedRules(
        **describe(row),
        steps=[RuleStep(what=step.what, at=step.at, reason=step.reason) for step in row.steps.all()],
        present=list_figures(figures["present"], present if study else None),
        proposed=list_figures(figures["proposed"], proposed if study else None),
        games=study["games"] if study else None,
        digest=study["digest"] if study else "",
        players=spread.players if spread else 0,
        typical_effect=rounded(spread.typical, count_decimals(row)) if spread else None,
    )


def list_figures(changes: Mapping[str, Any], candidate: Mapping[str, Any] | None) -> RuleFigures:
    """Return the figures of the current or the proposed rules, from the effects on the list and from the study."""
    return RuleFigures(
        log_loss=candidate["log_loss"]["mean"] if candidate else None,
        largest_change=changes.get("largest"),
        mean_change=changes.get("mean"),
        grades_won=changes.get("grades_won"),
    )


def count_decimals(row: models.RuleProposal) -> int:
    """Return the number of decimals of ratings by the proposed rules."""
    return get_system(row.system).presentation.decimals


@router.get("/{slug}/proposals/{int:proposal}/effects", response=Page[RuleEffect], summary="Effects on players")
def effects(
    request: HttpRequest, response: HttpResponse, slug: str, proposal: int, paging: Query[Paging]
) -> Page[RuleEffect]:
    """Return the effects of a published proposal on the active players, highest current rating first."""
    row = get_proposal(slug, proposal)
    decimals = count_decimals(row)
    rows, keys = effects_on_active(row, timezone.localdate()), ("-present", "player__public_id")
    return paginate(
        request, response, paging, rows, keys, lambda page: [describe_effect(one, decimals) for one in page]
    )


def describe_effect(effect: models.RuleEffect, decimals: int) -> RuleEffect:
    return RuleEffect(
        player=serializers.player_ref(effect.player),
        present=round(effect.present, decimals),
        proposed=round(effect.rating, decimals),
        difference=round_difference(effect.present, effect.rating, decimals),
        on_day=rounded(effect.on_day, decimals),
        grade_present=effect.grade_present,
        grade=effect.grade,
    )

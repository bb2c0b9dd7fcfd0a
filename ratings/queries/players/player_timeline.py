"""Recorded steps and merges, for timelines and for the pages on which the steps are taken."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from ratings.models import Merge, Player, RatingList, RecordedStep

MAX_STEPS = 100
"""Maximum number of steps of each kind on a page."""


def merges_of(player: Player) -> QuerySet[Merge]:
    """Return merges and moves of results from or to a player, newest first."""
    merges = Merge.objects.filter(Q(gone=player) | Q(kept=player))
    return merges.select_related("gone", "kept", "by", "undone_by")[:MAX_STEPS]


def steps_of(player: Player) -> QuerySet[RecordedStep]:
    """Return recorded steps of a player and of all players merged into them, newest first."""
    players = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).values("pk")
    return _select_related(RecordedStep.objects.filter(player__in=players))[:MAX_STEPS]


def announcements_on(lists: QuerySet[RatingList]) -> QuerySet[RecordedStep]:
    """Return the announcements of grades on some lists, newest first."""
    announcements = RecordedStep.objects.filter(what=RecordedStep.What.GRADE_ANNOUNCED, list__in=lists.order_by())
    return _select_related(announcements)[:MAX_STEPS]


def imports_of(rating_list: RatingList) -> QuerySet[RecordedStep]:
    """Return the imports of rating lists and of result files into a list, newest first."""
    kinds = (RecordedStep.What.LIST_IMPORTED, RecordedStep.What.RESULTS_IMPORTED)
    imports = rating_list.recorded_steps.filter(what__in=kinds)
    return _select_related(imports).defer("upload__data")[:MAX_STEPS]


def answered_claims() -> QuerySet[RecordedStep]:
    """Return the answers to claims, newest first."""
    return _select_related(RecordedStep.objects.filter(what=RecordedStep.What.CLAIM_ANSWERED))[:MAX_STEPS]


def own_visibility_steps(player: Player) -> QuerySet[RecordedStep]:
    """Return the changes of the visibility of a player's name that are not undone, newest first."""
    changes = player.recorded_steps.filter(what=RecordedStep.What.VISIBILITY_CHANGED, undone_at=None)
    return _select_related(changes)[:MAX_STEPS]


def _select_related(steps: QuerySet[RecordedStep]) -> QuerySet[RecordedStep]:
    return (
        steps.select_related("player", "list", "by", "undone_by", "upload").defer("upload__data").order_by("-at", "-pk")
    )

"""Reading what runs corrected."""

from __future__ import annotations

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.db.models.functions import Abs

from ratings.models import Correction, Player, RatingList, Run

FIRST = 5


def correcting_runs(rating_list: RatingList) -> QuerySet[Run]:
    """Runs that changed ratings of players who had not played, newest first; `lines` holds theirs, biggest first."""
    return _runs(rating_list).prefetch_related(Prefetch("corrections", _lines(), to_attr="lines"))


def lately_corrected(rating_list: RatingList) -> QuerySet[Run]:
    """The same with the biggest of the lines only, however many there are."""
    return _runs(rating_list).prefetch_related(Prefetch("corrections", _lines()[:FIRST], to_attr="lines"))


def _lines() -> QuerySet[Correction]:
    shown = Correction.objects.filter(hidden=False).select_related("player")
    return shown.order_by(Abs(F("after") - F("before")).desc(nulls_last=True), "pk")


def _runs(rating_list: RatingList) -> QuerySet[Run]:
    return (
        rating_list.runs.filter(state=Run.State.FINISHED)
        .annotate(players=Count("corrections", filter=Q(corrections__hidden=False)))
        .filter(players__gt=0)
        .order_by("-ended_at", "-pk")
    )


def corrections_of(player: Player, rating_list: RatingList) -> QuerySet[Correction]:
    """A player's lines on a list, newest first."""
    return player.corrections.filter(run__list=rating_list, hidden=False).select_related("run").order_by("-run", "-pk")

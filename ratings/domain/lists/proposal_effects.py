"""Effects of proposed rules on all players of a list, computed by a worker beside the studies."""

from __future__ import annotations

import datetime as dt
import logging
import time
from dataclasses import asdict
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from ratings.domain.runs.task_queue import send_task
from ratings.laboratory.candidates import Candidate
from ratings.laboratory.effects import Effects, change_options, compute_effects, start_successor
from ratings.models import Player, RatingList, RuleEffect, RuleProposal
from ratings.queries.lists.history import export_history
from ratings.systems.messages import RatingMessage, storable_message
from ratings.systems.values import History

logger = logging.getLogger(__name__)
Work = RuleProposal.Work
LATE = dt.timedelta(minutes=2)
"""Time after which waiting effects are requested again, because the message may be lost."""
ABANDONED = dt.timedelta(minutes=10)
"""Time without a sign of a running computation after which its worker counts as lost."""
SECONDS_BETWEEN_SIGNS = 5.0
ROWS_AT_ONCE = 1000


class ProposalGoneError(Exception):
    """Error by which a computation ends because the proposal was changed or deleted meanwhile."""


def request_effects(proposal: RuleProposal) -> None:
    send_task("ratings.effects", proposal.pk)


def request_late_effects() -> None:
    """Request again the effects whose message was lost or whose worker has given no sign for long."""
    now = timezone.now()
    RuleProposal.objects.filter(work=Work.RUNNING, work_at__lt=now - ABANDONED).update(work=Work.WAITING)
    for proposal in RuleProposal.objects.filter(work=Work.WAITING, made_at__lt=now - LATE):
        request_effects(proposal)


def store_effects(proposal_id: int) -> None:
    """Compute and store the effects of a proposal that waits for them, or the error; do nothing for others."""
    begun = timezone.now()
    if not RuleProposal.objects.filter(pk=proposal_id, work=Work.WAITING).update(work=Work.RUNNING, work_at=begun):
        return
    proposal = RuleProposal.objects.select_related("list__federation").get(pk=proposal_id)
    sign = _Sign(proposal_id, begun)
    try:
        effects = _compute(proposal, sign)
    except ProposalGoneError:
        return
    except ValueError as error:
        sign.running().update(work=Work.FAILED, error=storable_message(error))
    except (OperationalError, InterfaceError):
        raise  # the database was away: the effects are computed again
    except Exception:
        logger.exception("effects of proposal %s failed", proposal_id)
        sign.running().update(work=Work.FAILED, error=RatingMessage.UNEXPECTED())
    else:
        _store(proposal, effects, sign)


def _compute(proposal: RuleProposal, sign: _Sign) -> Effects:
    history = export_history(proposal.list, true_names=True)
    proposed = _propose(history, proposal)
    return compute_effects(history, proposed, proposal.since, sign.give, is_successor=proposal.starts_successor)


def _propose(history: History, proposal: RuleProposal) -> History:
    """Return the history by the proposed rules, as if they had come into force on the day `since`."""
    if proposal.starts_successor:
        return start_successor(history, Candidate(proposal.system, proposal.options), proposal.since)
    return change_options(history, proposal.options, proposal.since)


def _store(proposal: RuleProposal, effects: Effects, sign: _Sign) -> None:
    players = dict(Player.objects.values_list("public_id", "pk"))
    rows = [
        RuleEffect(
            proposal=proposal,
            player_id=players[effect.player],
            present=effect.present,
            on_day=effect.on_day,
            rating=effect.rating,
            grade_present=effect.grade_present,
            grade=effect.grade,
        )
        for effect in effects.players
        if effect.player in players
    ]
    figures: dict[str, Any] = {"present": asdict(effects.present), "proposed": asdict(effects.proposed), "on_day": True}
    with transaction.atomic():
        if not sign.running().update(work=Work.DONE, figures=figures, error=""):
            return
        RuleEffect.objects.filter(proposal=proposal).delete()
        RuleEffect.objects.bulk_create(rows, ROWS_AT_ONCE)


class _Sign:
    """Sign that the worker is alive, given now and then; it ends the computation of a proposal that was changed."""

    def __init__(self, proposal_id: int, begun: dt.datetime) -> None:
        self.proposal_id, self.work_at = proposal_id, begun
        self.next = time.monotonic() + SECONDS_BETWEEN_SIGNS

    def give(self) -> None:
        if time.monotonic() < self.next:
            return
        now = timezone.now()
        if not self.running().update(work_at=now):
            raise ProposalGoneError
        self.work_at, self.next = now, time.monotonic() + SECONDS_BETWEEN_SIGNS

    def running(self) -> Any:
        """Return the proposal as this worker left it: none if it was changed, or another worker took it over."""
        return RuleProposal.objects.filter(pk=self.proposal_id, work=Work.RUNNING, work_at=self.work_at)


def find_first_year(rating_list: RatingList) -> int | None:
    """Return the year of a list's first rated table; None without one."""
    first = rating_list.rated_tables.order_by("day").values_list("day", flat=True).first()
    return None if first is None else first.year

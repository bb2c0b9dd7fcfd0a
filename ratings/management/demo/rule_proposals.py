"""Demo data of proposed rules: a study, a proposal that is open for comments, and one that was rejected."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import User

from ratings.domain.lists.proposal_effects import store_effects
from ratings.domain.lists.rule_proposals import LEAST_NOTICE, publish_proposal, reject_proposal, save_proposal
from ratings.domain.lists.studies import make_study
from ratings.domain.site.acting import act_as
from ratings.models import RatingList, RuleProposal, Study

from .times import backdate, evening

RESAMPLES = 200
OPEN = {
    "title": "the bonus asks for eight games",
    "proposed_by": "Rating committee",
    "reason": (
        "The bonus for a good event is paid from four games on, and a good score in four games is often luck. If the"
        " bonus asked for eight games, the ratings would predict later results better."
    ),
}
REJECTED = {
    "title": "brackets for graded players too",
    "proposed_by": "Club of the capital",
    "reason": "Brackets limit what a single event can change. They would hold for graded players as well.",
}


def propose_rules(rating_list: RatingList, officer: User, today: dt.date) -> None:
    """Add a study of other options of a chess list, a proposal made from it, and an earlier one that was rejected."""
    published, earlier_published = today - dt.timedelta(days=3), today - dt.timedelta(days=300)
    with act_as(officer):
        study = _make_study(rating_list, officer)
        earlier = _publish(rating_list, study, {"bracket_for_graded": True}, earlier_published, REJECTED)
        reject_proposal(earlier, "Ratings would predict results less well: the difference is sure.")
        _date_steps(earlier, [earlier_published, today - dt.timedelta(days=250)])
        proposal = _publish(rating_list, study, {"min_bonus_games": 8}, published, OPEN)
        _date_steps(proposal, [published])


def _make_study(rating_list: RatingList, officer: User) -> Study:
    candidates = [{"system": rating_list.system, "options": {**rating_list.options, **options}} for options in CHANGES]
    definition = {"candidates": candidates, "sweep": None, "resamples": RESAMPLES}
    study = Study.objects.create(list=rating_list, definition=definition, made_by=officer)
    make_study(study.pk)
    study.refresh_from_db()
    return study


CHANGES: tuple[dict[str, Any], ...] = ({"min_bonus_games": 8}, {"bracket_for_graded": True})
"""Options of the chess list that the study compares, each with all others as they are."""


def _publish(
    rating_list: RatingList, study: Study, options: dict[str, Any], published: dt.date, texts: dict[str, str]
) -> RuleProposal:
    begins = _find_first_day(published + LEAST_NOTICE)
    proposal = RuleProposal(
        list=rating_list,
        study=study,
        system=rating_list.system,
        options=options,
        in_force=begins,
        comments_until=begins - dt.timedelta(days=10),
        since=dt.date(published.year - 2, 1, 1),
        **texts,
    )
    save_proposal(proposal)
    store_effects(proposal.pk)
    proposal.refresh_from_db()
    publish_proposal(proposal, on=published)
    return proposal


def _find_first_day(day: dt.date) -> dt.date:
    """Return the first day of a half-year on or after a day."""
    starts = [dt.date(day.year, 1, 1), dt.date(day.year, 7, 1), dt.date(day.year + 1, 1, 1)]
    return next(start for start in starts if start >= day)


def _date_steps(proposal: RuleProposal, days: list[dt.date]) -> None:
    """Date the steps of a proposal, which were made now, to past days."""
    for step, day in zip(proposal.steps.order_by("pk"), days, strict=True):
        backdate(proposal.steps.filter(pk=step.pk), day, "at")
    changed = {"published_at": evening(days[0]), "changed_at": evening(days[-1])}
    RuleProposal.objects.filter(pk=proposal.pk).update(**changed)

"""Published proposals for the tests of the API."""

import datetime as dt

from ratings.models import RuleEffect, RuleProposal, RuleProposalStep, Study

CANDIDATES = [
    {"system": "fesa-2016", "options": {}, "log_loss": {"mean": 0.61}},
    {"system": "fesa-2000", "options": {}, "log_loss": {"mean": 0.59}},
]
RESULT = {"candidates": CANDIDATES, "study": {"sweep": None}, "sweep": None, "games": 40, "digest": "abc123"}
FIGURES = {
    "present": {"largest": 40.0, "mean": 8.5, "grades_won": 3},
    "proposed": {"largest": 30.0, "mean": 7.5, "grades_won": None},
    "on_day": True,
}


def make_proposal(rating_list, players, **fields):
    """Return an open proposal to continue a list by another system, and its effects on the players."""
    values = {
        "title": "Other system",
        "reason": "Form changes.",
        "proposed_by": "Committee",
        "system": "fesa-2000",
        "successor_slug": "new",
        "in_force": dt.date(2025, 1, 1),
        "comments_until": dt.date(2024, 12, 1),
        "since": dt.date(2023, 1, 1),
        "state": "open",
        "figures": FIGURES,
        "published_at": dt.datetime(2024, 5, 1, tzinfo=dt.UTC),
        "changed_at": dt.datetime(2024, 5, 1, tzinfo=dt.UTC),
    } | fields
    study = Study.objects.create(list=rating_list, definition={}, result=RESULT, state="done")
    proposal = RuleProposal.objects.create(list=rating_list, study=study, **values)
    RuleProposalStep.objects.create(proposal=proposal, what="published")
    effects = [
        RuleEffect(proposal=proposal, player=player, present=1500 + 10 * number, on_day=1500 + 10 * number, rating=1520)
        for number, player in enumerate(players)
    ]
    return proposal, RuleEffect.objects.bulk_create(effects)

"""Claims of players' pages and reported errors, some of which wait for an officer."""

from __future__ import annotations

import datetime as dt
import random

from django.contrib.auth.models import User

from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.site.acting import act_as
from ratings.domain.site.reports import answer_report, report_error
from ratings.models import Claim, Event, NameVisibility, Player, RatingList, RecordedStep, Report

from .people import draw_public_id
from .times import backdate

DAYS_AGO = {"answered": 24, "answer": 22, "player": 5, "event": 2, "claim": 4, "granted": 60}
"""How long ago the messages were sent, and the answers."""


def create_messages(officer: User, organiser: User, approver: User, today: dt.date) -> None:
    """Report errors and claim pages of players of the first list; the latest reports and a claim wait."""
    rating_list = RatingList.objects.filter(comparison_to=None).order_by("pk")[0]
    days = {name: today - dt.timedelta(days=ago) for name, ago in DAYS_AGO.items()}
    shown = rating_list.standings.filter(published=True, player__shown=NameVisibility.FULL, player__erased_at=None)
    players = [standing.player for standing in shown.select_related("player").order_by("-games", "player")[:4]]
    event = Event.objects.filter(state=Event.State.ACCEPTED, lists=rating_list).order_by("-end")[0]
    answered = _report("I have joined another club in January.", days["answered"], player=players[0])
    with act_as(officer):
        answer_report(answered, state=Report.State.MENDED, answer="Thank you: your page shows the new club.")
    backdate(Report.objects.filter(pk=answered.pk), days["answer"], "answered_at")
    _report("My birth year is wrong, it should be one year earlier.", days["player"], player=players[1])
    _report("In the second round the two results are swapped.", days["event"], event=event)
    granted = create_claim(players[2], approver, "I am the secretary of my club; the president knows me.")
    with act_as(officer):
        answer_claim(granted, granted=True)
    waiting = create_claim(players[3], organiser, "You know me from the tournaments that I hold.")
    backdate(Claim.objects.filter(pk=waiting.pk), days["claim"], "at")
    backdate(Claim.objects.filter(pk=granted.pk), days["granted"], "at", "answered_at")
    backdate(RecordedStep.objects.filter(what=RecordedStep.What.CLAIM_ANSWERED), days["granted"], "at")


def _report(text: str, day: dt.date, *, player: Player | None = None, event: Event | None = None) -> Report:
    """Save an error that a visitor reported on a day."""
    public_id = draw_public_id(random.Random(text))
    report = report_error(Report(public_id=public_id, text=text, player=player, event=event))
    backdate(Report.objects.filter(pk=report.pk), day, "at")
    report.refresh_from_db()
    return report

"""Announcing grades: an act that makes an earned grade final, laid down as a decision that later corrections meet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from ratings.models import Award, Decision, RatingList
from ratings.queries.awards import unannounced
from ratings.systems.words import Words as _

from .acting import acting_user
from .outside import lay_down


@transaction.atomic
def announce_grades(rating_list: RatingList, awards: Iterable[Award], *, reason: str) -> list[Decision]:
    """Announce grades of a list; of each player only the highest, which holds those below it.

    Nothing where the list is not open to the public, or where grades follow corrected results.
    """
    if not announces(RatingList.objects.select_for_update().get(pk=rating_list.pk)):
        return []
    wanted = {award.pk for award in awards}
    awards = [award for award in unannounced(rating_list) if award.pk in wanted]  # once more, with the list held
    order = list(rating_list.rating_system.grades)
    highest: dict[int, Award] = {}
    for award in awards:
        known = highest.get(award.player_id)
        if known is None or order.index(known.grade) < order.index(award.grade):
            highest[award.player_id] = award
    return [_announce(rating_list, award, reason) for award in highest.values()]


def announces(rating_list: RatingList) -> bool:
    """Whether announcing means anything on a list."""
    kept = rating_list.rating_system.settings.get("corrections") == "kept"
    return rating_list.public and rating_list.graded and kept


def _announce(rating_list: RatingList, award: Award, reason: str) -> Decision:
    """From the day after the table on the grade is held, whatever becomes of the results."""
    earned = _("earned {day} ({how})", day=award.day, how=award.how)
    decision = Decision(
        list=rating_list,
        player_id=award.player_id,
        grade=award.grade,
        date=award.day + dt.timedelta(days=1),
        ruling="kept",
        reason=f"{reason}; {earned}"[:300],
        source=str(award.table or "")[:200],
        made_by=acting_user(),
    )
    lay_down(decision)
    return decision


def announce_due() -> int:
    """On every list that announces by itself: what was accepted or corrected long enough ago. The number announced."""
    count = 0
    for rating_list in RatingList.objects.filter(announce_after__isnull=False, out_of_date_from__isnull=True):
        if announces(rating_list):
            until = timezone.now() - dt.timedelta(days=rating_list.announce_after or 0)
            due = unannounced(rating_list).filter(settled_at__lte=until)
            count += len(announce_grades(rating_list, due, reason=_("announced after the term")))
    return count


def announce_until(rating_list: RatingList, day: dt.date) -> int:
    """With the list of a day: every grade earned until then."""
    due = unannounced(rating_list).filter(day__lte=day)
    return len(announce_grades(rating_list, due, reason=_("announced with the list of {day}", day=day)))

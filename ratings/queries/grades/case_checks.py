"""Facts about an approval that an approver would otherwise have to look up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ratings.models import Event, Submission
from ratings.queries.grades.dossiers import Dossier


@dataclass(frozen=True)
class CaseChecks:
    """Results of the checks of the games that earned a grade.

    `opponent` is the one against whom most of them were played, `repeated` their number of these games; it is 0 if no
    opponent occurs more than once.
    """

    is_rated: bool
    games: int
    are_accepted: bool
    corrections: int
    opponent: str
    repeated: int


def check_case(dossier: Dossier) -> CaseChecks:
    """Return whether the list is rated, the events accepted, corrections wait, and one opponent occurs often."""
    events = {game.event.pk: game.event for game in dossier.games}
    waiting = Submission.objects.filter(event__in=events, table__isnull=False, state=Submission.State.SUBMITTED)
    ((opponent, most),) = Counter(game.opponent for game in dossier.games).most_common(1) or [("", 0)]
    return CaseChecks(
        is_rated=dossier.case.list.out_of_date_from is None,
        games=len(dossier.games),
        are_accepted=all(event.state == Event.State.ACCEPTED for event in events.values()),
        corrections=waiting.count(),
        opponent=opponent,
        repeated=most if most > 1 else 0,
    )

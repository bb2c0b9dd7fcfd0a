"""A 4 Dan who earns 5 Dan, and the answer to it."""

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.approval_opening import update_approvals
from ratings.domain.grades.approvals import Answer, answer
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.models import Approval
from tests.factories import give_rating, make_player, make_table, make_user


def rated(rating_list):
    rerate(rating_list.pk)
    update_approvals(rating_list.pk)


def earn_5_dan(fesa):
    """Sato, and the table of 2025-02-01 in which he passes 2440."""
    sato, rival = make_player("Sato", "Ken", country="JP"), make_player("Rival")
    give_rating(fesa, sato, 2432, "2025-01-01", grade="4 Dan")
    give_rating(fesa, rival, 2430, "2025-01-01", grade="6 Dan")
    table = make_table(fesa, [sato, rival], [(1, 1, 2, 1), (2, 1, 2, 1)], "2025-02-01", event_name="Cup")
    rated(fesa)
    return sato, table


def decide(fesa, *, granted):
    """Approve or decline what waits, and rate the list."""
    given = (
        Answer(True, dt.date(2025, 6, 1), dt.date(2025, 2, 2), signed_by="A. Yonenaga", reference="NSR 12")
        if granted
        else Answer(False, dt.date(2025, 6, 1), reason="too few games in Japan")
    )
    with act_as(User.objects.filter(username="approver").first() or make_user("approver")):
        answer(Approval.objects.get(list=fesa, state="waiting"), given)
    rated(fesa)


def correct(fesa, table, *scores):
    """The first player's results against the second are others."""
    seats = [NewEntry(entry.player, entry.number) for entry in table.entries.select_related("player")]
    save_table(table, seats, [NumberedGame(number, 1, 2, score) for number, score in enumerate(scores, 1)])
    rated(fesa)

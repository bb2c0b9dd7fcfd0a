"""A small public list with a log: a key, three tables, an adjustment, a decision, and a published list."""

import datetime as dt

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.models import DatedList, Decision
from tests.factories import give_rating, make_list, make_player, make_table

PUBLISHED = dt.date(2024, 3, 31)


def make_logged_list(**fields):
    """Return a list with three runs, of which the last one is after the publication."""
    create_key("portal.example")
    fesa = make_list(**fields)
    players = [make_player(f"Name{number}", public_id=f"P{number}") for number in range(4)]
    for number, player in enumerate(players):
        give_rating(fesa, player, 1500 + 50 * number, grade="1 Kyu")
    make_table(fesa, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5)], "2024-01-07", event_name="Winter Cup")
    make_table(fesa, players, [(1, 1, 3, 0.0), (1, 2, 4, 1.0)], "2024-03-03", event_name="Spring Cup")
    Decision.objects.create(
        list=fesa, player=players[0], date=dt.date(2024, 2, 1), grade="1 Kyu", ruling="kept", reason="secret reason"
    )
    rerate(fesa.pk)
    publish(DatedList(list=fesa, day=PUBLISHED))
    make_table(fesa, players[:2], [(1, 1, 2, 0.0)], "2024-05-05", event_name="Summer Cup")
    rerate(fesa.pk)
    return fesa, players

"""A small public list with a log: a key, three tables, an adjustment, a decision, and a published list."""

import datetime as dt

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.rerating import rerate
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.formats.proof.checkpoints import TREES, TreeHead, parse_checkpoint
from ratings.formats.proof.leaves import make_all_leaves
from ratings.formats.proof.merkle import compute_root_of_leaves
from ratings.models import DatedList, Decision
from ratings.queries.lists.history import export_history
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


def read_last_trees(rating_list):
    """The heads of the trees in the checkpoint of the last run."""
    return dict(parse_checkpoint(rating_list.checkpoints.filter(tree="").last().text).trees)


def compute_trees(rating_list):
    """The heads of the trees that follow from the export of a list, computed without the database."""
    history = read_history(write_history(export_history(rating_list)).encode())
    leaves = make_all_leaves(rate_history(history))
    return {tree: TreeHead(len(leaves[tree]), compute_root_of_leaves(leaves[tree])) for tree in TREES}

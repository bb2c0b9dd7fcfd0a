"""Results kept until they are stored: the same from memory and from the temporary file."""

import pytest

from ratings.domain.runs import batch_store
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.models import Award, Change
from ratings.queries.runs.rows import AwardRow, ChangeRow
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def rate_a_new_list(slug):
    rating_list = make_list(slug)
    players = [make_player(public_id=f"{slug}{number}") for number in range(6)]
    for player in players[:3]:
        give_rating(rating_list, player, 1700)
    for day in ("2022-03-05", "2022-04-02", "2022-05-07", "2022-06-04"):
        games = [(round_, a, b, 1.0) for round_, (a, b) in enumerate([(1, 2), (3, 4), (5, 6), (1, 3), (2, 4)], 1)]
        make_table(rating_list, players, games, day)
    rerate(rating_list.pk)
    return rating_list


def read_rows(rating_list):
    """Changes and awards without the keys of the list, players and tables."""
    fields = ("player__public_id", *(name for name in ChangeRow._fields if not name.endswith("_id")))
    changes = [(id[-1], *values) for id, *values in rating_list.changes.order_by("pk").values_list(*fields)]
    fields = ("player__public_id", *(name for name in AwardRow._fields if not name.endswith("_id")))
    return changes, [(id[-1], *values) for id, *values in rating_list.awards.order_by("pk").values_list(*fields)]


@pytest.mark.parametrize("most_rows", [0, 10])
def test_rows_from_the_temporary_file_are_those_from_memory(most_rows, monkeypatch):
    expected = read_rows(rate_a_new_list("first"))
    monkeypatch.setattr(batch_store, "MOST_ROWS", most_rows)
    rating_list = rate_a_new_list("second")
    assert read_rows(rating_list) == expected
    assert expected[1]
    assert list(find_differences(rating_list)) == []
    assert (Change.objects.count(), Award.objects.count()) == tuple(2 * len(rows) for rows in expected)

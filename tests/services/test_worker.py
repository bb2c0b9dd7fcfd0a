"""Real workers on a real broker: rating happens elsewhere, and nothing lost with a message stays lost."""

import pytest

from ratings.models import Change, RatingList
from tests.factories import make_list, make_player, make_table

from .conftest import eventually

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


def up_to_date():
    return not RatingList.objects.filter(out_of_date_from__isnull=False).exists()


def test_saved_table_is_rated_by_the_worker(worker):
    fesa, a, b = make_list(), make_player(), make_player()
    with worker():
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
        eventually(up_to_date)
    assert Change.objects.count() == 2


def test_lost_message_is_found_by_the_sweep(worker, broker):
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    assert broker.waiting() > 0
    broker.client.flushdb()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-02-01")
    assert broker.waiting() > 0  # what is sent afterwards arrives
    broker.client.flushdb()
    assert not up_to_date()
    with worker(sweeping=True):
        eventually(up_to_date)
    assert Change.objects.count() == 4


def test_saving_goes_on_while_the_broker_is_away(worker, broker):
    fesa, a, b = make_list(), make_player(), make_player()
    broker.kill()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    assert not up_to_date()
    broker.start()
    with worker(sweeping=True):
        eventually(up_to_date)
    assert Change.objects.count() == 2

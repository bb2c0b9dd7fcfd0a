"""Erasing a person also removes the name from the halls of running events."""

import pytest

from ratings.domain.players.erasing import erase_person
from ratings.domain.results.hall.recording import Device
from ratings.models import Hall, HallResult, Player
from ratings.queries.results.halls import people_of
from tests.domain.results.hall.halls import make_hall, tap

pytestmark = pytest.mark.django_db(transaction=True)


def test_erased_person_has_no_name_in_the_hall():
    hall = make_hall()
    tap(hall, Device("lind", "Eva Lind"), 1, "first")
    lind = Player.objects.get(family_name="Lind")
    erase_person(lind, reason="asked")
    person = people_of(Hall.objects.get(pk=hall.pk))[3]
    assert (person.family, person.given, person.player) == ("Player", lind.public_id, lind.public_id)
    assert HallResult.objects.get().name == f"Player {lind.public_id}"

"""Every address costs the same for one row and for fifty."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.checkpoints import write_missing_checkpoints
from ratings.domain.runs.log_keys import create_key
from ratings.models import Club, Correction, DatedList, Membership
from tests.factories import give_rating, make_event, make_list, make_player, make_table

from .proposed import make_proposal

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(rate_all):
    """A list of `count` players, who each met the same opponent in an event of his own, and all in one."""

    def make(count):
        fesa, opponent = make_list(), make_player(public_id="ZZZ99")
        players = [make_player(public_id=f"P{n}") for n in range(count)]
        for number, player in enumerate([*players, opponent]):
            give_rating(fesa, player, 1000 + 5 * number)
            Membership.objects.create(player=player, club=Club.objects.get_or_create(name=f"Club {number % 3}")[0])
        for number, player in enumerate(players):
            make_table(fesa, [player, opponent], [(1, 1, 2, 0.5)], "2024-03-01", event_name=f"Cup {number}")
        event = make_event("All", "2024-04-01", [fesa])
        games = [(n, n, count + 1, 1.0) for n in range(1, count + 1)]
        table = make_table(fesa, [*players, opponent], games, "2024-04-01", event=event)
        rate_all()
        publish(DatedList(list=fesa, day=dt.date(2024, 5, 1)))
        run = fesa.runs.first()
        for player in players:
            Correction.objects.create(run=run, player=player, before=1, after=2)
        create_key("portal.example")
        write_missing_checkpoints()
        proposals = [make_proposal(fesa, players)[0] for _ in range(count)]
        return event, table, proposals[0]

    return make


QUERIES = {
    "/lists": 1,
    "/lists/fesa": 1,
    "/lists/fesa/standings?size=200": 3,
    "/lists/fesa/ratings?on=2024-04-01&size=200": 3,
    "/lists/fesa/changes?size=200": 3,
    "/lists/fesa/promotions?size=200": 2,
    "/lists/fesa/corrections?size=200": 2,
    "/lists/fesa/runs?size=200": 2,
    "/lists/fesa/dated": 2,
    "/lists/fesa/dated/2024-05-01?size=200": 3,
    "/lists/fesa/calculator?player=ZZZ99&game=1500:1": 6,
    "/players?size=200": 1,
    "/players/ZZZ99": 4,
    "/players/ZZZ99/standings?on=2024-04-01": 4,
    "/players/ZZZ99/changes?size=200": 4,
    "/players/ZZZ99/games?list=fesa&size=200": 11,
    "/events?size=200": 2,
    "/events/coming": 1,
    "/events/EVENT": 5,
    "/events/EVENT/tables/TABLE": 5,
    "/lists/fesa/checkpoints?size=200": 3,
    "/lists/fesa/checkpoints/1": 3,
    "/lists/fesa/proposals?size=200": 2,
    "/lists/fesa/proposals/PROPOSAL": 4,
    "/lists/fesa/proposals/PROPOSAL/effects?size=200": 3,
    "/players/ZZZ99/proofs": 5,
    "/players/ZZZ99/proofs/fesa/2024-05-01": 6,
    "/feeds": 1,
}
COLD = {"/lists/fesa/standings?size=200": 4, "/events/EVENT/tables/TABLE": 9}
"""Before ranks and crosstable are kept."""


@pytest.mark.parametrize("count", [1, 50])
def test_addresses_need_the_same_queries_for_any_number_of_rows(count, client, large):
    event, table, proposal = large(count)
    counted, cold = {}, {}
    for address in QUERIES:
        path = address.replace("EVENT", event.public_id).replace("TABLE", str(table.pk))
        path = path.replace("PROPOSAL", str(proposal.pk))
        for counts in (cold, counted):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/api/v1{path}").status_code == 200
            counts[address] = len(queries)
    assert counted == QUERIES
    assert {address: number for address, number in cold.items() if number != QUERIES[address]} == COLD

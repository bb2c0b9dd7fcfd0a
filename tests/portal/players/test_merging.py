import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Merge, Player
from tests.factories import make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair():
    fesa, ada, ade, ben = make_list(), make_player("Adalbert"), make_player("Adalbert"), make_player("Ben")
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)])
    make_table(fesa, [ade, ben], [(1, 1, 2, 1.0)], "2024-02-01")
    return ada, ade


def logged_in(client, group):
    user = make_user("user")
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)


def test_officer_looks_merges_and_undoes(client, pair):
    logged_in(client, OFFICERS)
    ada, ade = pair
    assert [(p.one, p.other) for p in client.get("/organise/duplicates/").context["pairs"]] == [(ada, ade)]
    ids = {"gone": ade.public_id, "kept": ada.public_id}
    response = client.get("/organise/merge/", ids)
    assert (response.status_code, len(response.context["previews"])) == (200, 1)
    assert client.post("/organise/merge/", ids | {"reason": "one"}).status_code == 302
    assert client.get(ade.get_absolute_url()).url == ada.get_absolute_url()
    record = Merge.objects.get()
    assert client.post(f"/organise/merges/{record.pk}/undo/").status_code == 302
    assert client.get(ade.get_absolute_url()).status_code == 200


def test_merge_without_a_reason_or_of_nobody_is_refused(client, pair):
    logged_in(client, OFFICERS)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id}
    assert client.post("/organise/merge/", ids | {"reason": ""}).status_code == 422
    assert client.get("/organise/merge/", ids | {"kept": "NOBODY"}).status_code == 404
    assert client.get("/organise/merge/", ids | {"kept": ids["gone"]}).status_code == 422
    assert Merge.objects.count() == 0


@pytest.mark.parametrize("group", [None, ORGANISERS])
def test_merging_is_for_officers(client, pair, group):
    if group:
        logged_in(client, group)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id, "reason": "r"}
    for method, address in (("get", "duplicates/"), ("get", "merge/"), ("post", "merge/"), ("post", "merges/1/undo/")):
        assert getattr(client, method)(f"/organise/{address}", ids).status_code == (403 if group else 302)
    assert not Player.objects.exclude(merged_into=None).exists()


def test_undoing_asks_for_a_merge_and_a_post(client):
    logged_in(client, OFFICERS)
    assert client.post("/organise/merges/9/undo/").status_code == 404
    assert client.get("/organise/merges/9/undo/").status_code == 405

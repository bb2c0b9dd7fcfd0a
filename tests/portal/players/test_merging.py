import re

import pytest
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from portal.players.views import merging as views
from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.runs import previewing
from ratings.models import Merge, Player, RatingList
from tests.factories import make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

MERGE_QUERIES, UNDO_QUERIES = 58, 31


@pytest.fixture
@reused
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
    pairs = client.get("/organise/duplicates/").context["pairs"]
    assert [(first.player, second.player) for first, second in pairs] == [(ada, ade)]
    ids = {"gone": ade.public_id, "kept": ada.public_id}
    response = client.get("/organise/merge/", ids)
    assert (response.status_code, len(response.context["previews"])) == (200, 1)
    assert client.post("/organise/merge/", ids | {"reason": "one"}).status_code == 302
    assert client.get(ade.get_absolute_url()).url == ada.get_absolute_url()
    record = Merge.objects.get()
    assert client.post(f"/organise/merges/{record.pk}/undo/").status_code == 302
    assert client.get(ade.get_absolute_url()).status_code == 200


def test_merge_without_a_reason_or_players_is_refused(client, pair):
    logged_in(client, OFFICERS)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id}
    assert client.post("/organise/merge/", ids | {"reason": ""}).status_code == 422
    assert client.get("/organise/merge/", ids | {"kept": "NOBODY"}).status_code == 404
    assert client.get("/organise/merge/", ids | {"kept": ids["gone"]}).status_code == 422
    assert Merge.objects.count() == 0


@pytest.mark.parametrize(
    ("births", "suggested", "warning"),
    [
        (({"birth_year": 1964}, {"birth_year": 2013}), False, "1964 (GONE2) and 2013 (KEPT2)"),
        (({"birth_year": 1964}, {"birth_date": "1965-01-01"}), False, "1964 (GONE2) and 1965 (KEPT2)"),
        (
            ({"birth_date": "1964-02-01"}, {"birth_date": "1964-02-10"}),
            False,
            "1 Feb 1964 (GONE2) and 10 Feb 1964 (KEPT2)",
        ),
        (({"birth_year": 1964}, {"birth_date": "1964-02-10"}), True, ""),
        (({"birth_year": 1964}, {}), True, ""),
    ],
)
def test_players_with_different_births_are_not_suggested_and_merging_them_warns(client, births, suggested, warning):
    logged_in(client, OFFICERS)
    for id, birth in zip(("GONE2", "KEPT2"), births, strict=True):
        make_player("Yamamoto", "Shohei", country="JP", public_id=id, **birth)
    page = client.get("/organise/duplicates/")
    assert len(page.context["pairs"]) == suggested
    assert ("(JP, 1964, no event yet, GONE2)" in markup(page)) == suggested
    page = markup(client.get("/organise/merge/", {"gone": "GONE2", "kept": "KEPT2"}))
    texts = re.findall(r"The dates of birth differ: (.*?)\. They are probably two different people\.", page)
    assert texts == ([warning] if warning else [])
    assert "of Yamamoto Shohei (GONE2) move to Yamamoto Shohei (KEPT2), and" in page


def test_merge_sent_twice_is_refused_as_one_player(client, pair):
    logged_in(client, OFFICERS)
    ada, ade = pair
    form = {"gone": ade.public_id, "kept": ada.public_id, "reason": "one"}
    client.post("/organise/merge/", form)
    response = client.post("/organise/merge/", form)  # the merged player's id leads to the other one now
    problems = [f"Choose two different players: both of these are {ada.name}."]
    assert (response.status_code, response.context["problems"], Merge.objects.count()) == (422, problems, 1)


@pytest.mark.parametrize("group", [None, ORGANISERS])
def test_merging_is_for_officers(client, pair, group):
    if group:
        logged_in(client, group)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id, "reason": "r"}
    for method, address in (("get", "duplicates/"), ("get", "merge/"), ("post", "merge/"), ("post", "merges/1/undo/")):
        assert getattr(client, method)(f"/organise/{address}", ids).status_code == (403 if group else 302)
    assert not Player.objects.exclude(merged_into=None).exists()


def find(client, **asked):
    return client.get("/organise/merge/", asked)


def test_players_are_found_by_name_or_public_id(client, pair):
    logged_in(client, OFFICERS)
    ada, ade = pair
    response = find(client, gone_name="adalb", kept_name=ada.public_id.lower())
    gone, kept = response.context["sides"]
    assert (response.status_code, gone.player, {player for player, _ in gone.candidates}) == (200, None, {ada, ade})
    assert (kept.player, kept.candidates) == (ada, [])
    response = find(client, gone=ade.public_id, gone_name="adalb", kept=ada.public_id, kept_name="")
    assert [side.player for side in response.context["sides"]] == [ade, ada]
    assert len(response.context["previews"]) == 1


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 200),
        ({"gone_name": "Adalbert"}, 200),
        ({"gone_name": "Xyz", "kept_name": "Ben"}, 404),
        ({"gone": "X"}, 404),
    ],
)
@pytest.mark.usefixtures("pair")
def test_page_asks_for_players_that_are_not_named_yet(client, asked, status):
    logged_in(client, OFFICERS)
    response = find(client, **asked)
    assert (response.status_code, "previews" in response.context) == (status, False)
    assert ("No player has" in response.content.decode()) == (status == 404)


def test_officer_of_another_list_learns_whose_officers_can_merge(client, pair):
    logged_in(client, OFFICERS)
    officer = make_user("of-fesa")
    RatingList.objects.get().officers.add(officer)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id, "reason": "one"}
    for response in (client.get("/organise/merge/", ids), client.post("/organise/merge/", ids)):
        assert response.status_code == 403
        assert response.context["problems"] == [
            "This also concerns FESA (of-fesa). Ask an administrator, or an officer who looks after all of these lists."
        ]
    assert Merge.objects.count() == 0
    record = merge_players(pair[1], pair[0], reason="one")
    response = client.post(f"/organise/merges/{record.pk}/undo/")
    assert (response.status_code, "This also concerns FESA" in response.content.decode()) == (403, True)


def test_ratings_are_previewed_at_once_only_where_few_tables_follow(client, pair, monkeypatch, rate_all):
    rate_all()
    logged_in(client, OFFICERS)
    ids = {"gone": pair[1].public_id, "kept": pair[0].public_id}
    monkeypatch.setattr(views, "TABLES_PER_REQUEST", 0)
    response = find(client, **ids)
    (one,) = response.context["previews"]
    assert (one.postponed, one.tables, str(one.since), one.moved) == (True, 1, "2024-02-01", [])
    page = response.content.decode()
    assert "1 table since 1 Feb 2024 may be rated again." in page
    address = f"/organise/merge/?gone={ids['gone']}&amp;kept={ids['kept']}&amp;ratings=1"
    assert f'href="{address}"' in page
    (one,) = find(client, **ids, ratings="1").context["previews"]
    assert (one.postponed, one.tables, len(one.moved)) == (False, 1, 2)
    monkeypatch.setattr(previewing, "TIMEOUT_SECONDS", -1)
    (one,) = find(client, **ids, ratings="1").context["previews"]
    assert one.problem == "There are too many later results to preview them here."


@pytest.mark.parametrize("more", [0, 8])
def test_queries_of_merging_do_not_grow_with_results(pair, django_assert_num_queries, more):
    fesa, (ada, ade) = RatingList.objects.get(), pair
    for day in range(more):
        make_table(fesa, [ade, make_player()], [(1, 1, 2, 1.0)], f"2024-03-0{day + 1}")
    ContentType.objects.get_for_models(Merge, Player)  # cached by the process, perhaps by the tests before
    lock = int(connection.vendor == "postgresql")  # of the seats
    with django_assert_num_queries(MERGE_QUERIES + lock):
        record = merge_players(ade, ada, reason="one")
    with django_assert_num_queries(UNDO_QUERIES + lock):
        undo_merge(record)


def test_undone_merge_leads_back_to_the_page_with_the_button(client, pair):
    logged_in(client, OFFICERS)
    ada, ade = pair
    pages = []
    for target in (f"/organise/players/{ada.public_id}/", "https://example.org/"):
        merge = merge_players(ade, ada, reason="one")
        pages.append(client.post(f"/organise/merges/{merge.pk}/undo/", {"next": target}).url)
    assert pages == [f"/organise/players/{ada.public_id}/", "/organise/duplicates/"]


def test_undoing_asks_for_a_merge_and_a_post(client):
    logged_in(client, OFFICERS)
    assert client.post("/organise/merges/9/undo/").status_code == 404
    assert client.get("/organise/merges/9/undo/").status_code == 405


def test_refused_merge_gives_the_reason_back(client, pair):
    logged_in(client, OFFICERS)
    ada, ade = pair
    sent = {"gone": ade.public_id, "kept": ada.public_id, "reason": "same birthday"}
    assert client.post("/organise/merge/", sent).status_code == 302
    response = client.post("/organise/merge/", sent)  # a second officer, at the same time
    assert response.status_code == 422
    assert 'value="same birthday"' in response.text

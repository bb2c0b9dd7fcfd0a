"""Watching and cancelling rating runs, and looking at what a change would do."""

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.runs import rerating
from ratings.domain.runs.computing import compute
from ratings.models import Adjustment, Change, RatingList, Run
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused
from tests.versions import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    several = [make_player(name) for name in ("Ada", "Ben")]
    for player in several:
        give_rating(fesa, player, 2000)
    return several


def test_run_is_shown_with_its_reason_and_changes(client, staff, fesa, players, rate_all):
    make_table(fesa, players, [(1, 1, 2, 1.0)], event_name="Cup")
    rate_all()
    run = Run.objects.get()
    page = client.get(f"/admin/ratings/run/{run.pk}/change/").content.decode()
    assert "Cup was added" in page
    assert "1 of 1" in page
    assert "Refresh" not in client.get("/admin/ratings/run/").headers


def test_page_of_a_run_that_goes_on_follows_it(client, staff, fesa):
    run = Run.objects.create(list=fesa, state="running", to_do=9, done=4)
    page = client.get(f"/admin/ratings/run/{run.pk}/change/")
    assert (page["Refresh"], "4 of 9" in page.content.decode()) == ("2", True)


def test_cancelled_run_stops_and_leaves_the_list_as_it_was(client, staff, fesa, players, rate_all, monkeypatch):
    rate_all()
    before = list(Change.objects.values())
    make_table(fesa, players, [(1, 1, 2, 1.0)])
    run = Run.objects.get(state="waiting")
    client.post("/admin/ratings/run/", {"action": "cancel", "_selected_action": [run.pk]})
    monkeypatch.setattr(rerating, "PROGRESS_INTERVAL", 0)
    rerating.rerate_and_log(fesa.pk)
    run.refresh_from_db()
    fesa.refresh_from_db()
    assert (run.state, fesa.out_of_date_from is not None, fesa.problem) == ("cancelled", True, "")
    assert list(Change.objects.values()) == before
    rerating.rerate_and_log(fesa.pk)  # the next one finishes the work
    fesa.refresh_from_db()
    assert (fesa.out_of_date_from, Change.objects.count()) == (None, len(before) + 2)


@pytest.mark.parametrize(("group", "status"), [(OFFICERS, 200), (ORGANISERS, 403), (None, 403)])
def test_runs_are_for_officers(group, status, client, fesa):
    user = make_user("somebody", is_staff=True)
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    run = Run.objects.create(list=fesa, state="running")
    assert client.get(f"/admin/ratings/run/{run.pk}/change/").status_code == status
    client.post("/admin/ratings/run/", {"action": "cancel", "_selected_action": [run.pk]})
    run.refresh_from_db()
    assert run.cancel == (status == 200)


def test_input_that_changes_while_a_run_computes_is_not_lost(fesa, players, monkeypatch):
    make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-06")
    times = []

    def meanwhile(*arguments):
        outcome = compute(*arguments)
        times.append(1)
        if len(times) == 1:
            make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-05")
        return outcome

    monkeypatch.setattr(rerating, "compute", meanwhile)
    run = rerating.rerate(fesa.pk)
    fesa.refresh_from_db()
    assert (len(times), run.done, fesa.out_of_date_from) == (2, 2, None)
    assert Change.objects.filter(games__gt=0).count() == 4


def test_record_of_a_worker_that_was_killed_is_taken_up(fesa, players):
    killed = Run.objects.create(list=fesa, state="running", reasons=["cut off"])
    make_table(fesa, players, [(1, 1, 2, 1.0)])
    rerating.rerate(fesa.pk)
    killed.refresh_from_db()
    assert set(Run.objects.values_list("state", flat=True)) == {"failed", "finished"}
    assert killed.error == "the worker was stopped; the next run did its work"


def test_preview_of_other_options_of_a_list_saves_nothing(client, staff, rate_all):
    go, players = make_list("go", system="bgf"), [make_player("Ada"), make_player("Ben")]
    for player in players:
        save_adjustment(Adjustment(list=go, player=player, date="2020-01-01", set={"rating": -500}, reason="r"))
    make_table(go, players, [(1, 1, 2, 1.0)])
    rate_all()
    runs = Run.objects.count()
    address = f"/admin/ratings/ratinglist/{go.pk}/system/"
    response = client.post(address, {"option_bonus": "epsilon"} | opened(go))
    (one,) = response.context["previews"]
    assert {(m.player.family_name, m.before != m.after) for m in one.moved} == {("Ada", True), ("Ben", True)}
    assert (RatingList.objects.get().options, Run.objects.count()) == ({}, runs)
    assert client.post(address, dict(response.context["posted"]) | {"_confirm": "1"}).status_code == 302
    assert RatingList.objects.get().options == {"bonus": "epsilon"}


def test_preview_of_an_adjustment_that_cannot_be_shows_the_form_again(client, staff, fesa, players):
    data = {"list": fesa.pk, "player": players[0].pk, "date_0": "", "set": '{"rating": 1500}', "reason": "r"}
    response = client.post("/admin/ratings/adjustment/add/", data | {"_preview": "Preview"})
    assert response.status_code == 200
    assert "previews" not in response.context
    assert "This field is required." in response.content.decode()

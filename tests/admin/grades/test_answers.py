"""Answers to what waits for approval are for approvers; officers' screens keep to their lists."""

import pytest

from ratings.models import Adjustment, Approval, Decision, Event, Run
from tests.admin.people import OFFICER, SUPERUSER, log_in
from tests.factories import make_event, make_list, make_player, make_user
from tests.versions import opened

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("who", [OFFICER, SUPERUSER])
@pytest.mark.parametrize("ruling", ["approved", "declined"])
def test_admin_refuses_answers_outside_approvals(ruling, who, client):
    fesa, player = make_list(), make_player()
    log_in(client, who)
    data = {
        "list": fesa.pk,
        "player": player.pk,
        "grade": "5 Dan",
        "ruling": ruling,
        "date": "2025-06-01",
        "reason": "r",
    }
    client.post("/admin/ratings/decision/add/", data)
    assert Decision.objects.count() == 0


def test_officer_takes_no_answer_back(client):
    answer = Decision.objects.create(
        list=make_list(), player=make_player(), grade="5 Dan", ruling="approved", date="2025-06-01", reason="r"
    )
    log_in(client, OFFICER)
    assert client.post(f"/admin/ratings/decision/{answer.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(
        "/admin/ratings/decision/", {"action": "delete_selected", "_selected_action": [answer.pk], "post": "yes"}
    )
    assert Decision.objects.count() == 1


def test_adjustment_that_does_not_fit_the_players_state_is_reported(client):
    log_in(client, OFFICER)
    data = {
        "list": make_list().pk,
        "player": make_player().pk,
        "date": "2025-06-01",
        "set": '{"games": 3}',
        "reason": "r",
    }
    page = client.post("/admin/ratings/adjustment/add/", data)
    assert (page.status_code, "games without a rating" in page.content.decode()) == (200, True)
    assert not Adjustment.objects.exists()


def test_users_an_event_is_shared_with_are_saved(client):
    fesa, friend = make_list(), make_user("friend")
    event = make_event("Cup", lists=[fesa], state="draft")
    log_in(client, OFFICER)
    data = {"name": "Cup", "start": "2024-01-06", "end": "2024-01-06", "mode": "board",
            "lists": [fesa.pk], "organisers": [friend.pk]}  # fmt: skip
    assert client.post(f"/admin/ratings/event/{event.pk}/change/", data | opened(event)).status_code == 302
    assert list(Event.objects.get().organisers.all()) == [friend]


def test_runs_of_other_lists_are_not_cancelled(client):
    fesa = make_list()
    fesa.officers.add(make_user("its-officer"))
    run = Run.objects.create(list=fesa, state="running")
    log_in(client, OFFICER)
    client.post("/admin/ratings/run/", {"action": "cancel", "_selected_action": [run.pk]})
    run.refresh_from_db()
    assert run.cancel is False


def test_approvals_are_read_in_the_admin_and_not_changed(client):
    case = Approval.objects.create(list=make_list(), player=make_player(), grade="5 Dan", earned_on="2025-02-01")
    log_in(client, OFFICER)
    assert client.get("/admin/ratings/approval/").status_code == 200
    assert client.post(f"/admin/ratings/approval/{case.pk}/change/", {"state": "approved"}).status_code == 403

"""The admin shows officers the objects of their lists only, as the organisers' pages do."""

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS
from ratings.models import Approval, EventStep, Submission, Upload
from tests.admin.people import OFFICER, SUPERUSER, log_in
from tests.factories import make_event, make_list, make_player, make_user

pytestmark = pytest.mark.django_db
MODELS = ("submission", "upload", "eventstep", "approval", "event")


@pytest.fixture
def rows():
    """A row of each kind on a list that has an officer of its own."""
    fesa, its_officer = make_list(), make_user("its-officer", is_staff=True)
    fesa.officers.add(its_officer)
    its_officer.groups.add(Group.objects.get(name=OFFICERS))
    event = make_event("Verborgen Cup", "2024-05-04", [fesa], state="submitted")
    submission = Submission.objects.create(
        event=event, first_day="2024-05-04", last_day="2024-05-04", content={"rounds": 1, "rows": []}
    )
    Upload.objects.create(list=fesa, name="Verborgen list", format="list", data=b"x")
    return {
        "officer": its_officer,
        "submission": submission,
        "upload": Upload.objects.create(
            event=event, submission=submission, name="Verborgen file", format="grid", data=b"x"
        ),
        "eventstep": EventStep.objects.create(event=event, what="submitted", note="Verborgen note"),
        "approval": Approval.objects.create(
            list=fesa, player=make_player("Verborgen"), grade="5 Dan", earned_on="2024-05-04"
        ),
        "event": event,
    }


def found(client, model):
    page = client.get(f"/admin/ratings/{model}/")
    assert page.status_code == 200
    return "Verborgen" in page.content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_officer_of_another_list_finds_no_submissions(model, client, rows):
    log_in(client, OFFICER)
    assert not found(client, model)
    assert client.get(f"/admin/ratings/{model}/{rows[model].pk}/change/").status_code == 302
    client.force_login(rows["officer"])
    assert found(client, model)
    log_in(client, SUPERUSER)
    assert found(client, model)


def test_officer_finds_accepted_events_of_other_lists(client, rows):
    rows["event"].state = "accepted"
    rows["event"].save()
    log_in(client, OFFICER)
    assert found(client, "event")

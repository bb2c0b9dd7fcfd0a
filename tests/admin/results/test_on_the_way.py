import pytest
from django.contrib.auth.models import Group

from ratings.access import ORGANISERS
from ratings.domain.site.reports import report_error
from ratings.models import Report
from tests.factories import make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", ["submission", "upload", "eventstep", "merge", "report", "claim"])
def test_officer_reads_what_is_on_its_way_and_changes_nothing(model, client, staff):
    report_error(Report(player=make_player(), text="wrong"))
    assert client.get(f"/admin/ratings/{model}/").status_code == 200
    assert client.get(f"/admin/ratings/{model}/add/").status_code == 403


def test_organiser_sees_none_of_it(client):
    organiser = make_user("organiser", is_staff=True)
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    client.force_login(organiser)
    assert client.get("/admin/ratings/report/").status_code == 403

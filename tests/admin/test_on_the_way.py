import pytest

from ratings.domain.reports import report_error
from ratings.formats.entered import content_of
from ratings.models import Report, Sheet
from tests.admin.test_results import address, event, fesa, officer, organiser, players, typed  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", ["sheet", "upload", "eventstep", "merge", "report"])
def test_officer_reads_what_is_on_its_way_and_changes_nothing(model, client, officer, players):  # noqa: F811
    report_error(Report(player=players[0], text="wrong"))
    assert client.get(f"/admin/ratings/{model}/").status_code == 200
    assert client.get(f"/admin/ratings/{model}/add/").status_code == 403


def test_organiser_sees_none_of_it(client, organiser):  # noqa: F811
    client.force_login(organiser)
    assert client.get("/admin/ratings/report/").status_code == 403


def test_results_typed_by_staff_keep_every_version(client, officer, event, players):  # noqa: F811
    client.post(address(event), typed(players[:2], ["2+"], [""]))
    table = event.tables.get()
    client.post(address(event, table.pk), typed(players[:2], ["2-"], [""]))
    versions = Sheet.objects.filter(table=table, state="accepted").order_by("pk")
    assert [content_of(version.content).rows[0].cells for version in versions] == [["2+"], ["2-"]]
    assert {version.accepted_by for version in versions} == {officer}
    client.post(address(event, table.pk), typed(players[:2], ["2?"], [""]))
    assert versions.count() == 2

"""The audit trail: every change of what people enter, with who made it; read by officers, edited by nobody."""

import datetime as dt

import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType

from ratings.domain.events.tables import save_event
from ratings.domain.lists.adjustments import rate_from_the_beginning, save_adjustment
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.players.reassign_results import move_results
from ratings.domain.site.audit import AUDITED_MODELS
from ratings.domain.site.reports import decline_report, report_error
from ratings.models import Adjustment, Event, Merge, Player, RatingList, Report
from tests.admin.people import OFFICER, ORGANISER, SUPERUSER, VISITOR, log_in
from tests.factories import make_event, make_list, make_player, make_table
from tests.versions import opened

pytestmark = pytest.mark.django_db

CREATE, UPDATE, DELETE = LogEntry.Action.CREATE, LogEntry.Action.UPDATE, LogEntry.Action.DELETE
TRAIL = "/admin/auditlog/logentry/"
PLAYER = {
    "family_name": "Ada", "given_name": "", "native_name": "", "country": "FR", "birth_date": "1970-05-01",
    "birth_year": "", "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0,
    "outside_ids-TOTAL_FORMS": 0, "outside_ids-INITIAL_FORMS": 0, "former_names-TOTAL_FORMS": 0, "former_names-INITIAL_FORMS": 0,
}  # fmt: skip


@pytest.fixture
def ada():
    player = make_player("Ada")
    LogEntry.objects.all().delete()
    return player


def list_entries(model):
    entries = LogEntry.objects.get_for_model(model).order_by("pk")
    return [(entry.action, entry.actor, entry.changes) for entry in entries]


def test_audit_trail_names_the_user_of_an_admin_change(client, ada):
    officer = log_in(client, OFFICER)
    client.post(f"/admin/ratings/player/{ada.pk}/change/", PLAYER | opened(ada))
    assert list_entries(Player) == [(UPDATE, officer, {"birth_date": ["None", "1970-05-01"]})]
    client.post(f"/admin/ratings/player/{ada.pk}/delete/", {"post": "yes"})
    action, actor, changes = list_entries(Player)[-1]
    assert (action, actor, changes["birth_date"]) == (DELETE, officer, ["1970-05-01", "None"])


def test_audit_trail_names_the_user_of_a_change_on_the_site(client):
    organiser = log_in(client, ORGANISER)
    data = {"name": "Cup", "start": "2024-01-06", "end": "2024-01-06", "mode": "board", "lists": [make_list().pk]}
    assert client.post("/organise/events/new/", data).status_code == 302
    (action, actor, changes), *_ = list_entries(Event)
    assert (action, actor, changes["name"]) == (CREATE, organiser, ["None", "Cup"])


def test_audit_trail_of_a_new_row_holds_only_the_entered_values():
    federation = get_or_create_federation("FESA")
    fesa = RatingList.objects.create(slug="fesa", name="FESA", system="fesa-2016", federation=federation)
    given = {"rating": 1500, "games": 100}
    save_adjustment(Adjustment(list=fesa, player=make_player(), date=dt.date(2020, 1, 1), set=given, reason="opening"))
    action, actor, changes = list_entries(Adjustment)[0]
    assert (action, actor) == (CREATE, None)
    assert set(changes) == {
        "id", "date", "before", "reason", "source", "made_by", "made_at", "list", "player", "set"
    }  # fmt: skip
    assert not set(list_entries(RatingList)[0][2]) & {
        "out_of_date_from",
        "revision",
        "problem",
        "publish_from",
        "tables",
    }


def test_lists_of_an_event_are_kept():
    fesa, event = make_list(), make_event("Cup")
    LogEntry.objects.all().delete()
    save_event(event, [fesa])
    assert list_entries(Event) == [(UPDATE, None, {"lists": {"type": "m2m", "operation": "add", "objects": ["FESA"]}})]


def test_passwords_and_log_ins_leave_no_trace(client):
    user = User.objects.create_user("somebody", password="secret")
    assert not set(list_entries(User)[0][2]) & {"password", "last_login"}
    LogEntry.objects.all().delete()
    user.set_password("another")
    user.save()
    client.force_login(user)
    assert list_entries(User) == []
    user.is_staff = True
    user.save()
    assert list_entries(User) == [(UPDATE, None, {"is_staff": ["False", "True"]})]


def test_report_of_a_visitor_is_stored_without_addresses(client, ada):
    report = report_error(Report(player=ada, text="wrong", mail="ann@example.org"))
    decline_report(report)
    (_, _, made), (_, _, changed) = list_entries(Report)
    assert "mail" not in made
    assert changed["state"] == ["open", "declined"]
    assert set(LogEntry.objects.values_list("remote_addr", "remote_port")) == {(None, None)}


def test_audit_trail_records_moved_results(ada):
    ade, ben = make_player("Ada"), make_player("Ben")
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)])
    LogEntry.objects.all().delete()
    record = move_results([table], ada, ade, reason="namesakes")
    ((action, _, changes),) = list_entries(Merge)
    assert (action, changes["gone"], changes["kept"], changes["reason"]) == (
        CREATE, ["None", str(record.gone_id)], ["None", str(record.kept_id)], ["None", "namesakes"]
    )  # fmt: skip


def test_rating_run_adds_nothing(rate_all):
    fesa = make_list()
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    LogEntry.objects.all().delete()
    rate_all()
    rate_from_the_beginning(fesa)
    rate_all()
    assert not LogEntry.objects.exists()


def test_reading_costs_no_query_of_the_trail(client, ada, django_assert_num_queries):
    address = ada.get_absolute_url()
    client.get(address)
    with django_assert_num_queries(6) as asked:
        client.get(address)
    assert not [query for query in asked if "auditlog" in query["sql"]]


def test_everything_followed_has_its_trail_as_its_history(client, ada):
    log_in(client, SUPERUSER)
    for model in AUDITED_MODELS:
        meta = model._meta
        kind = ContentType.objects.get_for_model(model)
        response = client.get(f"/admin/{meta.app_label}/{meta.model_name}/7/history/")
        assert response.url == f"{TRAIL}?resource_type={kind.pk}&object_id=7"
        assert client.get(response.url).status_code == 200


def test_officer_reads_the_audit_trail(client, ada):
    log_in(client, OFFICER)
    client.post(f"/admin/ratings/player/{ada.pk}/change/", PLAYER | {"country": "DE"} | opened(ada))
    page = client.get(f"/admin/ratings/player/{ada.pk}/history/", follow=True).content.decode()
    assert "<div>country: France → Germany</div>" in page
    assert "<div>birth date: None → 1970-05-01</div>" in page
    assert '<td class="field-actor nowrap">officer</td>' in page
    entry = LogEntry.objects.get_for_object(ada).get()
    assert "1970-05-01" in client.get(f"{TRAIL}{entry.pk}/change/").content.decode()
    for words, found in (("ada", 1), ("officer", 1), ("nobody", 0)):
        assert client.get(f"{TRAIL}?q={words}").context["cl"].result_count == found
    assert client.get(f"{TRAIL}?object_id=x").status_code == 302


def test_officer_reads_which_lists_were_added(client):
    log_in(client, OFFICER)
    save_event(make_event("Cup"), [make_list()])
    page = client.get(TRAIL).content.decode()
    assert "<td>add</td><td>FESA</td>" in page


def test_changes_of_accounts_are_for_those_who_see_accounts(client):
    user = log_in(client, OFFICER)
    user.email = "new@example.org"
    user.save()
    assert "new@example.org" not in client.get(TRAIL).content.decode()
    assert client.get(f"{TRAIL}{LogEntry.objects.get_for_object(user).first().pk}/change/").status_code == 302
    log_in(client, SUPERUSER)
    assert "new@example.org" in client.get(TRAIL).content.decode()


@pytest.mark.parametrize(("who", "status"), [(VISITOR, 302), (ORGANISER, 403), (OFFICER, 200), (SUPERUSER, 200)])
def test_trail_is_read_by_officers(who, status, client, ada):
    log_in(client, who)
    ada.save()
    ada.country = "DE"
    ada.save()
    entry = LogEntry.objects.get_for_object(ada).get()
    assert client.get(TRAIL).status_code == status
    assert client.get(f"{TRAIL}{entry.pk}/change/").status_code == status


def test_organisers_history_of_a_player_reveals_no_birth_date(client, ada):
    log_in(client, ORGANISER)
    ada.birth_year = 1970
    ada.save()
    response = client.get(f"/admin/ratings/player/{ada.pk}/history/")
    assert (response.status_code, "1970" in response.content.decode()) == (200, False)


@pytest.mark.parametrize(("who", "status"), [(VISITOR, 302), (ORGANISER, 403), (OFFICER, 403), (SUPERUSER, 403)])
def test_audit_trail_cannot_be_edited(who, status, client, ada):
    ada.country = "DE"
    ada.save()
    entry = LogEntry.objects.get()
    log_in(client, who)
    before = list(LogEntry.objects.order_by("pk").values())
    assert client.post(f"{TRAIL}add/", {"object_repr": "x"}).status_code == status
    assert client.post(f"{TRAIL}{entry.pk}/change/", {"object_repr": "x"}).status_code == status
    assert client.post(f"{TRAIL}{entry.pk}/delete/", {"post": "yes"}).status_code == status
    client.post(TRAIL, {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"})
    assert list(LogEntry.objects.order_by("pk").values()) == before


def test_audit_trail_outlives_its_objects(ada):
    ada.delete()
    (entry,) = LogEntry.objects.all()
    assert (entry.action, entry.object_repr) == (DELETE, "Ada")

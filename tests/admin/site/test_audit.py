"""The audit trail: every change of what people enter, with who made it; read by officers, edited by nobody."""

import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType

from ratings.domain.audit import FOLLOWED
from ratings.domain.giving import give_tables
from ratings.domain.outside import rate_from_the_beginning
from ratings.domain.reports import decline_report, report_error
from ratings.domain.tables import save_event
from ratings.models import Adjustment, Event, Merge, Player, RatingList, Report
from tests.admin.people import OFFICER, ORGANISER, SUPERUSER, VISITOR, log_in
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

CREATE, UPDATE, DELETE = LogEntry.Action.CREATE, LogEntry.Action.UPDATE, LogEntry.Action.DELETE
TRAIL = "/admin/auditlog/logentry/"
PLAYER = {
    "family_name": "Ada", "shown": "full", "given_name": "", "native_name": "", "country": "FR", "birth_date": "1970-05-01",
    "birth_year": "", "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0,
}  # fmt: skip


@pytest.fixture
def ada():
    player = make_player("Ada")
    LogEntry.objects.all().delete()
    return player


def kept(model):
    entries = LogEntry.objects.get_for_model(model).order_by("pk")
    return [(entry.action, entry.actor, entry.changes) for entry in entries]


def test_change_in_the_admin_is_kept_with_who_made_it(client, ada):
    officer = log_in(client, OFFICER)
    client.post(f"/admin/ratings/player/{ada.pk}/change/", PLAYER)
    assert kept(Player) == [(UPDATE, officer, {"birth_date": ["None", "1970-05-01"]})]
    client.post(f"/admin/ratings/player/{ada.pk}/delete/", {"post": "yes"})
    action, actor, changes = kept(Player)[-1]
    assert (action, actor, changes["birth_date"]) == (DELETE, officer, ["1970-05-01", "None"])


def test_change_on_the_portals_own_pages_is_kept_with_who_made_it(client):
    organiser = log_in(client, ORGANISER)
    data = {"name": "Cup", "start": "2024-01-06", "end": "2024-01-06", "mode": "board", "lists": [make_list().pk]}
    assert client.post("/organise/events/new/", data).status_code == 302
    (action, actor, changes), *_ = kept(Event)
    assert (action, actor, changes["name"]) == (CREATE, organiser, ["None", "Cup"])


def test_new_thing_is_kept_with_all_that_was_entered_and_nothing_else():
    list_ = make_list()
    give_rating(list_, make_player("Ada"), 1500)
    action, actor, changes = kept(Adjustment)[0]
    assert (action, actor) == (CREATE, None)
    assert set(changes) == {
        "id", "date", "before", "reason", "source", "made_by", "made_at", "list", "player", "set"
    }  # fmt: skip
    assert not set(kept(RatingList)[0][2]) & {"out_of_date_from", "revision", "problem", "publish_from", "tables"}


def test_lists_of_an_event_are_kept():
    fesa, event = make_list(), make_event("Cup")
    LogEntry.objects.all().delete()
    save_event(event, [fesa])
    assert kept(Event) == [(UPDATE, None, {"lists": {"type": "m2m", "operation": "add", "objects": ["FESA"]}})]


def test_passwords_and_log_ins_leave_no_trace(client):
    user = make_user("somebody")
    assert not set(kept(User)[0][2]) & {"password", "last_login"}
    LogEntry.objects.all().delete()
    user.set_password("another")
    user.save()
    client.force_login(user)
    assert kept(User) == []
    user.is_staff = True
    user.save()
    assert kept(User) == [(UPDATE, None, {"is_staff": ["False", "True"]})]


def test_report_of_a_visitor_is_kept_without_his_addresses(client, ada):
    report = report_error(Report(player=ada, text="wrong", mail="ann@example.org"))
    decline_report(report)
    (_, _, made), (_, _, changed) = kept(Report)
    assert "mail" not in made
    assert changed["state"] == ["open", "declined"]
    assert set(LogEntry.objects.values_list("remote_addr", "remote_port")) == {(None, None)}


def test_table_given_to_a_namesake_is_kept(ada):
    ade, ben = make_player("Ada"), make_player("Ben")
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)])
    LogEntry.objects.all().delete()
    record = give_tables([table], ada, ade, reason="namesakes")
    ((action, _, changes),) = kept(Merge)
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
    with django_assert_num_queries(4) as asked:
        client.get(address)
    assert not [query for query in asked if "auditlog" in query["sql"]]


def test_everything_followed_has_its_trail_as_its_history(client, ada):
    log_in(client, SUPERUSER)
    for model in FOLLOWED:
        meta = model._meta
        kind = ContentType.objects.get_for_model(model)
        response = client.get(f"/admin/{meta.app_label}/{meta.model_name}/7/history/")
        assert response.url == f"{TRAIL}?resource_type={kind.pk}&object_id=7"
        assert client.get(response.url).status_code == 200


def test_officer_reads_what_was_changed_by_whom(client, ada):
    log_in(client, OFFICER)
    client.post(f"/admin/ratings/player/{ada.pk}/change/", PLAYER | {"country": "DE"})
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
    make_event("Cup", lists=[make_list()])
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


def test_organisers_history_of_a_player_tells_no_birth_date(client, ada):
    log_in(client, ORGANISER)
    ada.birth_year = 1970
    ada.save()
    response = client.get(f"/admin/ratings/player/{ada.pk}/history/")
    assert (response.status_code, "1970" in response.content.decode()) == (200, False)


@pytest.mark.parametrize(("who", "status"), [(VISITOR, 302), (ORGANISER, 403), (OFFICER, 403), (SUPERUSER, 403)])
def test_nobody_edits_the_trail(who, status, client, ada):
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


def test_trail_outlives_what_it_tells_of(ada):
    ada.delete()
    (entry,) = LogEntry.objects.all()
    assert (entry.action, entry.object_repr) == (DELETE, "Ada")

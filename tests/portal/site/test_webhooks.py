"""The pages on which the administrators of a federation keep its webhooks."""

import datetime as dt

import pytest
from auditlog.models import LogEntry
from django.utils import timezone

from ratings.domain.site.webhook_secrets import decrypt_secret
from ratings.domain.site.webhooks import pause_subscription
from ratings.models import WebhookDelivery, WebhookSubscription
from tests.domain.site.webhooks import ALL_KINDS, store, subscribe
from tests.factories import make_list, make_user
from tests.markup import markup
from tests.versions import opened

pytestmark = pytest.mark.django_db
PAGE = "/organise/federations/fesa/webhooks/"
ACTS = ["pause", "resume", "test", "rotate", "end_overlap", "replay", "delete", "restore"]


@pytest.fixture
def federation():
    return make_list(federation="FESA").federation


@pytest.fixture
def keeper(client, federation):
    user = make_user("keeper")
    federation.administrators.add(user)
    client.force_login(user)
    return user


@pytest.fixture
def hook(federation, keeper):
    return subscribe(federation, owner=keeper)[0]


def form_of(keeper, **fields):
    values = {"name": "Club website", "address": "https://example.org/in", "kinds": ["event.rated", "list.published"]}
    return values | {"owner": keeper.pk, "create": "1"} | fields


def page_of(hook):
    return f"{PAGE}{hook.pk}/"


def act(client, hook, what, **data):
    return client.post(f"{page_of(hook)}{what}/", data, follow=True)


def test_administrator_creates_a_webhook_and_sees_its_secret_once(client, federation, keeper):
    page = client.get(PAGE)
    assert "No webhooks yet." in markup(page)
    assert page.context["form"]["kinds"].value() == ALL_KINDS
    response = client.post(PAGE, form_of(keeper))
    hook = WebhookSubscription.objects.get()
    secret = response.context["secret"]
    assert (response.status_code, secret in markup(response), decrypt_secret(hook.secret)) == (200, True, secret)
    assert "no-store" in response.headers["Cache-Control"]
    assert (hook.name, hook.address, hook.kinds, hook.owner, hook.federation, hook.state) == (
        "Club website", "https://example.org/in", ["event.rated", "list.published"], keeper, federation, "active",
    )  # fmt: skip
    later = markup(client.get(PAGE)) + markup(client.get(page_of(hook)))
    assert (secret in later, hook.secret in later, "Club website" in later) == (False, False, True)
    log = repr(list(LogEntry.objects.values()))
    assert ("Club website" in log, secret in log, hook.secret in log) == (True, False, False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"address": "http://example.org/in"}, "Enter an https address, for example https://example.org/ratings."),
        ({"address": "https://127.0.0.1/in"}, "This host is in a private network. Webhooks go to public addresses only."),
        ({"address": "https://me:pw@example.org"}, "Remove the user name and password: the signature identifies the portal."),
        ({"kinds": []}, "Choose at least one kind of change."),
        ({"kinds": ["x"]}, "Select a valid choice. x is not one of the available choices."),
        ({"name": ""}, "This field is required."),
        ({"owner": ""}, "This field is required."),
        ({"owner": "999999"}, "Select a valid choice. That choice is not one of the available choices."),
    ],
)  # fmt: skip
def test_invalid_webhook_is_explained_and_not_saved(wrong, message, client, keeper, hook):
    data = form_of(keeper) | wrong
    for address in (PAGE, page_of(hook)):
        response = client.post(address, data | opened(hook))
        assert response.status_code == 422
        assert [text for texts in response.context["form"].errors.values() for text in texts] == [message]
    assert WebhookSubscription.objects.values_list("name", "address").get() == (hook.name, hook.address)


def test_owner_is_an_administrator_of_the_federation(client, keeper, federation):
    other, stranger = make_user("other"), make_user("stranger")
    federation.administrators.add(other)
    assert client.post(PAGE, form_of(keeper, owner=stranger.pk)).status_code == 422
    assert client.post(PAGE, form_of(keeper, owner=other.pk)).status_code == 200
    assert WebhookSubscription.objects.get().owner == other


def test_number_of_webhooks_is_limited(client, keeper, federation):
    for number in range(20):
        subscribe(federation, f"https://example.org/{number}")
    response = client.post(PAGE, form_of(keeper))
    assert (response.status_code, WebhookSubscription.objects.count()) == (422, 20)
    assert response.context["form"].non_field_errors() == ["At most 20 webhooks are possible."]


def test_webhook_is_changed_and_others_changes_are_not_overwritten(client, keeper, hook):
    before = opened(hook)
    response = client.post(page_of(hook), form_of(keeper, name="Other") | before, follow=True)
    assert '<p class="message good" role="status">Saved.</p>' in markup(response)
    hook.refresh_from_db()
    assert (hook.name, hook.address, hook.kinds) == (
        "Other", "https://example.org/in", ["event.rated", "list.published"],
    )  # fmt: skip
    response = client.post(page_of(hook), form_of(keeper, name="Mine") | before)
    hook.refresh_from_db()
    assert (response.status_code, hook.name) == (422, "Other")


def test_sending_does_not_disturb_an_open_form(client, keeper, hook):
    """Workers write fields of their own, which are no change by a person."""
    before = opened(hook)
    WebhookSubscription.objects.update(failing_since=timezone.now(), failures=3, claimed_by="x", last_number=7)
    client.post(page_of(hook), form_of(keeper, name="Other") | before)
    hook.refresh_from_db()
    assert (hook.name, hook.failures, hook.claimed_by, hook.last_number) == ("Other", 3, "x", 7)


def test_webhook_is_paused_and_resumed(client, keeper, hook):
    WebhookSubscription.objects.update(failing_since=timezone.now(), failures=3)
    assert "Paused. Changes wait until you choose “Resume”." in markup(act(client, hook, "pause"))
    hook.refresh_from_db()
    assert hook.state == "paused"
    assert "Resumed. Everything that waits is sent now, in order." in markup(act(client, hook, "resume"))
    hook.refresh_from_db()
    assert (hook.state, hook.failing_since, hook.failures) == ("active", None, 0)


def test_test_message_is_stored(client, hook):
    assert "A test message is being sent." in markup(act(client, hook, "test"))
    assert WebhookDelivery.objects.values_list("kind", "status").get() == ("ping", "waiting")


def test_new_secret_is_shown_once_and_the_previous_one_ends(client, hook):
    first = hook.secret
    response = act(client, hook, "rotate")
    secret = response.context["secret"]
    hook.refresh_from_db()
    assert (secret in markup(response), decrypt_secret(hook.secret), hook.previous_secret) == (True, secret, first)
    assert dt.timedelta(days=2.9) < hook.previous_until - timezone.now() <= dt.timedelta(days=3)
    page = markup(client.get(page_of(hook)))
    assert (secret in page, "The previous secret is used until" in page) == (False, True)
    assert "The previous secret is no longer used." in markup(act(client, hook, "end_overlap"))
    hook.refresh_from_db()
    assert (hook.previous_secret, hook.previous_until) == ("", None)


def test_log_shows_each_message_with_its_result(client, hook):
    store(hook, 1, 2, 3)
    first, second, _third = hook.deliveries.order_by("pk")
    WebhookDelivery.objects.filter(pk=first.pk).update(
        number=1, status="delivered", attempts=2, milliseconds=84, response_status=204
    )
    WebhookDelivery.objects.filter(pk=second.pk).update(
        number=2, status="given up", attempts=7, milliseconds=10000, response_status=422, error="status"
    )
    page = markup(client.get(page_of(hook)))
    rows = [row.partition("</tr>")[0] for row in page.partition("<tbody")[2].split("<tr")[1:4]]
    texts = [" ".join(row.split()) for row in rows]
    assert ["waiting" in texts[0], "Send again" in texts[0]] == [True, False]
    assert all(
        text in texts[1]
        for text in ("no. 2", "not delivered", "The program answered with an error. (422)", "7", "10000 ms")
    )
    assert all(text in texts[2] for text in ("no. 1", "delivered", "204", "84 ms", "Send again"))
    assert "1 message is stored." in " ".join(page.split())


def test_one_message_or_all_since_a_time_are_sent_again(client, hook):
    store(hook, 1, 2, 3)
    WebhookDelivery.objects.update(status="delivered", created_at=timezone.now() - dt.timedelta(days=2))
    first, second, _third = hook.deliveries.order_by("pk")
    WebhookDelivery.objects.exclude(pk=first.pk).update(created_at=timezone.now())
    assert "1 message is sent again." in markup(act(client, hook, "replay", delivery=first.pk))
    since = (timezone.now() - dt.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert "2 messages are sent again." in markup(act(client, hook, "replay", since=since))
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"waiting"}
    assert "0 messages are sent again." in markup(act(client, hook, "replay", delivery=second.pk))
    for wrong in ({"delivery": "x"}, {"delivery": "999999"}, {"delivery": "9" * 30}):
        assert act(client, hook, "replay", **wrong).status_code == 404
    for wrong in ({"since": "soon"}, {"since": ""}, {}):
        assert act(client, hook, "replay", **wrong).status_code == 422


def test_deleted_webhook_can_be_restored(client, hook):
    pause_subscription(hook)
    page = markup(act(client, hook, "delete"))
    assert ("“Website” was deleted. You can restore it below." in page, "Deleted webhooks" in page) == (True, True)
    shown = markup(client.get(page_of(hook)))
    assert ("This webhook was deleted." in shown, "Delete webhook" in shown) == (True, False)
    assert "Restored." in markup(act(client, hook, "restore"))
    hook.refresh_from_db()
    assert (hook.deleted_at, hook.state) == (None, "paused")


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Changes are sent at once."),
        ({"state": "paused"}, "This webhook is paused. Changes are stored and sent when you resume."),
        (
            {"state": "disabled"},
            "This webhook was switched off, because the program did not accept any message for a week",
        ),
        ({"failing_since": dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)}, "The program has not accepted messages since"),
    ],
)
def test_state_is_explained(values, text, client, hook):
    WebhookSubscription.objects.update(**values)
    assert text in " ".join(markup(client.get(page_of(hook))).split())


def test_list_costs_a_fixed_number_of_queries(client, federation, keeper, hook, django_assert_num_queries):
    for number in range(5):
        store(subscribe(federation, f"https://example.org/{number}", owner=keeper)[0], 1, 2)
    client.get(PAGE)
    with django_assert_num_queries(13):
        client.get(PAGE)


def test_log_costs_a_fixed_number_of_queries(client, hook, django_assert_num_queries):
    store(hook, *range(60))
    client.get(page_of(hook))
    with django_assert_num_queries(15):
        page = client.get(page_of(hook))
    assert (len(page.context["page"].object_list), page.context["page"].paginator.num_pages) == (50, 2)


def test_strangers_and_other_federations_are_refused(client, federation, hook):
    other = make_list("chess", system="icu-1989", federation="ICU").federation
    theirs, _ = subscribe(other)
    assert client.get("/organise/federations/icu/webhooks/").status_code == 403
    assert client.get("/organise/federations/nobody/webhooks/").status_code == 404
    assert client.get(page_of(theirs)).status_code == 404  # the webhook of another federation
    assert client.post(f"{page_of(theirs)}pause/").status_code == 404
    assert client.post(f"{page_of(hook)}explode/").status_code == 404
    assert client.get(f"{PAGE}999999/").status_code == 404
    assert [client.delete(address).status_code for address in (PAGE, page_of(hook))] == [405, 405]
    assert [client.get(f"{page_of(hook)}{what}/").status_code for what in ACTS] == [405] * len(ACTS)
    client.force_login(make_user("stranger"))
    assert [client.get(address).status_code for address in (PAGE, page_of(hook))] == [403, 403]
    assert [client.post(f"{page_of(hook)}{what}/").status_code for what in ACTS] == [403] * len(ACTS)
    client.logout()
    assert client.get(PAGE).url == f"/accounts/login/?next={PAGE}"
    assert client.post(PAGE, {}).status_code == 403
    hook.refresh_from_db()
    assert (hook.state, hook.deleted_at, hook.deliveries.count()) == ("active", None, 0)


@pytest.mark.parametrize("is_staff", [True, False])
def test_deciding_needs_a_recent_sign_in(is_staff, client, keeper, hook, settings):
    settings.SIGN_IN_AGAIN = True
    keeper.is_staff = is_staff
    keeper.save()
    asked = [client.post(f"{page_of(hook)}{what}/").url for what in ("rotate", "delete")]
    asked += [client.post(address, form_of(keeper, save="1")).url for address in (PAGE, page_of(hook))]
    without_button = {name: value for name, value in form_of(keeper).items() if name not in ("create", "save")}
    asked += [client.post(address, without_button).url for address in (PAGE, page_of(hook))]
    assert all(url.startswith("/accounts/reauthenticate/") for url in asked)
    hook.refresh_from_db()
    assert (hook.previous_secret, hook.deleted_at, WebhookSubscription.objects.count()) == ("", None, 1)


def test_page_of_the_federation_leads_to_its_webhooks(client, federation, keeper):
    assert f'href="{PAGE}"' in markup(client.get("/organise/federations/fesa/"))

"""Following pages by a button, choosing emails, ending them by a link, and the feed of each page."""

import pytest
from django.test import Client
from django.utils import timezone

from ratings.domain.players.visibility import set_visibility
from ratings.domain.site import following
from ratings.domain.site.following import follow, sign_unsubscribing
from ratings.models import Club, Event, Follow, FollowSettings, MailFrequency, Membership
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
BUTTON = ">Follow</button>"


@pytest.fixture
def fesa():
    return make_list("shogi")


@pytest.fixture
def reader(client):
    user = make_user("reader", email="reader@example.org")
    client.force_login(user)
    return user


@pytest.fixture
def site(fesa, rate_all):
    """A player, their club, an event and the list, each with its address of following."""
    ada, ben = make_player("Ada", public_id="AAA2222"), make_player("Ben", public_id="BBB3333")
    club = Club.objects.create(name="Café", public_id="CCC4444")
    Membership.objects.create(player=ada, club=club)
    for player in (ada, ben):
        give_rating(fesa, player, 1500, "2023-01-01")
    table = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-03-02", event_name="Spring Cup")
    rate_all()
    return {
        "/me/follow/player/AAA2222/": ada,
        "/me/follow/club/CCC4444/": club,
        f"/me/follow/event/{table.event.public_id}/": table.event,
        "/me/follow/list/shogi/": fesa,
    }


def test_each_page_has_a_button_for_signed_in_people(client, site, reader):
    for address, target in site.items():
        page = markup(client.get(target.get_absolute_url()))
        assert f'<form method="post" action="{address}"' in page
        assert BUTTON in page
        visitors = markup(Client().get(target.get_absolute_url()))
        assert (address in visitors, BUTTON in visitors) == (False, False)


def test_button_follows_and_stops(client, site, reader):
    for address, target in site.items():
        assert client.post(address).url == target.get_absolute_url()
        page = markup(client.get(target.get_absolute_url()))
        assert (
            f"You now follow {target} and get emails immediately. You can change how often on “Pages I follow”." in page
        )
        assert ("Emails: immediately" in page, BUTTON in page) == (True, False)
        assert Follow.objects.get().target == target
        assert client.post(address, {"stop": "1"}).url == target.get_absolute_url()
        assert f"You no longer follow {target}." in markup(client.get(target.get_absolute_url()))
        assert Follow.objects.count() == 0


def test_signing_in_leads_back_to_the_page(client, site, reader):
    for address, target in site.items():
        assert client.get(address).url == target.get_absolute_url()
        assert Client().post(address).url == f"/accounts/login/?next={address}"
    assert Follow.objects.count() == 0


def test_button_costs_one_query(client, fesa, reader, django_assert_num_queries):
    page = make_list("empty").get_absolute_url()
    Client().get(page)
    with django_assert_num_queries(1) as found:
        from portal.templatetags.portal_following import follow_button  # noqa: PLC0415 - registered by then

        request = type("Request", (), {"user": reader})()
        follow_button({"request": request}, fesa)
    assert "ratings_follow" in found[0]["sql"]


@pytest.mark.parametrize(
    "address", ["/me/follow/player/ZZZ9999/", "/me/follow/list/none/", "/me/follow/event/AAA2222/", "/me/follow/run/1/"]
)
def test_unknown_page_is_404(address, client, site, reader):
    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(method, client, reader):
    for address in ("/me/following/", "/me/follow/list/shogi/", f"/unsubscribe/{sign_unsubscribing(reader)}/"):
        assert getattr(client, method)(address).status_code == 405


def test_hidden_pages_have_no_button_and_are_not_followed(client, site, fesa, reader):
    ada, *_others = site.values()
    set_visibility(ada, "anonymous")
    ada.refresh_from_db()
    comparison, draft = make_list("other", comparison_to=fesa), make_event(lists=[fesa], state=Event.State.DRAFT)
    for page in (ada, comparison):
        assert BUTTON not in markup(client.get(page.get_absolute_url()))
    assert client.post("/me/follow/player/AAA2222/").status_code == 302
    assert "This page cannot be followed." in markup(client.get("/me/following/"))
    assert client.post("/me/follow/list/other/").status_code == 302
    assert client.post(f"/me/follow/event/{draft.public_id}/").status_code == 404
    assert Follow.objects.count() == 0


def test_limit_is_named(client, site, reader, monkeypatch):
    monkeypatch.setattr(following, "MAX_FOLLOWS", 1)
    for address in site:
        client.post(address)
    assert Follow.objects.count() == 1
    assert "You follow 1 pages, which is the limit." in markup(client.get("/me/following/"))


def test_page_lists_everything_and_saves_how_often(client, site, reader):
    rows = [follow(reader, target) for target in site.values()]
    others = follow(make_user("other"), rows[0].player)
    page = markup(client.get("/me/following/"))
    for row in rows:
        assert f'<a href="{row.target.get_absolute_url()}">{row}</a>' in page
        assert f'for="id_follow-{row.pk}"' in page
    assert f"follow-{others.pk}" not in page
    data = {f"follow-{rows[0].pk}": "weekly", f"follow-{rows[1].pk}": "never", f"follow-{others.pk}": "never"}
    assert client.post("/me/following/", data).url == "/me/following/"
    chosen = dict(Follow.objects.values_list("pk", "frequency"))
    assert [chosen[row.pk] for row in (*rows, others)] == ["weekly", "never", "at once", "at once", "at once"]


def test_all_pages_get_the_same_frequency_and_one_is_stopped(client, site, reader):
    rows = [follow(reader, target) for target in site.values()]
    client.post("/me/following/", {"all": "weekly"})
    assert set(Follow.objects.values_list("frequency", flat=True)) == {"weekly"}
    client.post("/me/following/", {f"follow-{rows[1].pk}": "never", "stop": rows[0].pk})
    assert list(Follow.objects.order_by("pk").values_list("pk", "frequency")) == [
        (rows[1].pk, "never"),
        (rows[2].pk, "weekly"),
        (rows[3].pk, "weekly"),
    ]
    assert f"You no longer follow {rows[0].target}." in markup(client.get("/me/following/"))


def test_event_whose_announcement_was_withdrawn_is_not_listed(client, fesa, reader):
    event = make_event("Cup", "2024-07-01", [fesa], state="draft", announced_at=timezone.now())
    Follow.objects.create(user=reader, event=event)
    before = "Cup" in client.get("/me/following/").text
    Event.objects.filter(pk=event.pk).update(announced_at=None)
    assert (before, "Cup" in client.get("/me/following/").text) == (True, False)


def test_unknown_frequency_is_refused(client, site, reader):
    row = follow(reader, next(iter(site.values())))
    for data in ({f"follow-{row.pk}": "hourly"}, {"all": "hourly"}, {"own": "hourly"}):
        assert client.post("/me/following/", data).status_code == 422
    assert (Follow.objects.get().frequency, FollowSettings.objects.count()) == ("at once", 0)


def test_corrections_of_the_own_rating_are_chosen_by_players_only(client, site, reader):
    assert "My own rating" not in markup(client.get("/me/following/"))
    ada = next(iter(site.values()))
    type(ada).objects.filter(pk=ada.pk).update(account=reader)
    assert "My own rating" in markup(client.get("/me/following/"))
    client.post("/me/following/", {"own": "weekly"})
    assert FollowSettings.objects.get().own_corrections == "weekly"


def test_number_of_queries_of_the_page(client, site, reader, django_assert_num_queries):
    for target in site.values():
        follow(reader, target)
    client.get("/me/following/")
    with django_assert_num_queries(7):
        client.get("/me/following/")
    for _ in range(5):
        follow(reader, make_player())
    with django_assert_num_queries(7):
        client.get("/me/following/")


def test_my_page_and_the_menu_lead_there(client, site, reader):
    page = markup(client.get("/me/"))
    assert page.count('<a href="/me/following/"') == 2


# ending mails


@pytest.fixture
def link(site, reader):
    follow(reader, next(iter(site.values())))
    return f"/unsubscribe/{sign_unsubscribing(reader)}/"


def test_link_asks_first(link):
    """Mail scanners open links: reading changes nothing."""
    response = Client().get(link)
    assert "<button>End these emails</button>" in markup(response)
    assert (response.status_code, response.cookies, "no-store" in response["Cache-Control"]) == (200, {}, True)
    assert "reader" not in markup(response)
    assert Client().head(link).status_code == 200
    assert Follow.objects.get().frequency == MailFrequency.AT_ONCE


def test_one_click_ends_all_mails_without_a_session(link):
    """RFC 8058, 3.2: a POST with this body, without cookies and without a redirect."""
    browser = Client(enforce_csrf_checks=True)
    data = "List-Unsubscribe=One-Click"
    response = browser.post(link, data, content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response.cookies) == (200, {})
    assert "You get no more emails about pages that you follow" in markup(response)
    assert Follow.objects.get().frequency == MailFrequency.NEVER
    assert FollowSettings.objects.get().own_corrections == MailFrequency.NEVER
    assert browser.post(link).status_code == 200


def test_changed_link_is_404(link, reader):
    changed = link.replace("unsubscribe/", "unsubscribe/x")
    assert (Client().get(changed).status_code, Client().post(changed).status_code) == (404, 404)
    reader.delete()
    assert Client().post(link).status_code == 404

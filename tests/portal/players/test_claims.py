import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.core.cache import cache

from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.site.roles import OFFICERS, ORGANISERS
from ratings.models import Claim, FederationMembership, Player, Report
from tests.factories import make_list, make_player, make_user
from tests.markup import markup
from tests.versions import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return make_player("Adler", "Zoë", birth_date="1970-05-01")


@pytest.fixture
def user():
    return make_user("zoe", email="zoe@example.org")


@pytest.fixture
def zoe(client, user):
    client.force_login(user)
    return client


@pytest.fixture
def mine(ada, user):
    """The player whose page is the user's."""
    answer_claim(create_claim(ada, user, "me"), granted=True)
    return Player.objects.get(pk=ada.pk)


def logged_in(client, group=None, **fields):
    user = make_user("other", **fields)
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return user


def test_granted_claim_gives_the_page_to_the_user(zoe, client, ada, user):
    page = markup(client.get(ada.get_absolute_url()))
    address = f"/players/{ada.public_id}/claim/"
    assert f'<a href="{address}" rel="nofollow">This is me</a>' in page
    assert "How can the officers know that it is you?" in markup(client.get(address))
    assert client.post(address, {"note": "Ben knows me"}).url == "/me/"
    assert "Adler Zoë" in markup(client.get("/me/"))
    made = Claim.objects.get()
    EmailAddress.objects.create(user=user, email="unconfirmed@example.org", verified=False)
    officer = type(client)()
    logged_in(officer, OFFICERS)
    assert officer.get("/organise/queue/").context["claims"] == 1
    (waiting,) = officer.get("/organise/claims/").context["waiting"]
    assert (waiting.claim, waiting.description, waiting.addresses) == (
        made,
        "Adler Zoë (FR, 1970, no event yet)",
        ["zoe@example.org"],
    )
    assert officer.post(f"/organise/claims/{made.pk}/", {"grant": "1", "answer": "Welcome"}).url == "/organise/claims/"
    content = markup(client.get("/me/"))
    assert [text in content for text in ("granted", "Welcome", "The public sees you as")] == [True] * 3
    page = markup(client.get(ada.get_absolute_url()))
    assert ["This is me" in page, '<a href="/me/">My page</a></p>' in page] == [False, True]
    assert list(officer.get("/organise/claims/").context["waiting"]) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"decline": "1", "answer": ""}, "Enter the reason for declining."),
        ({"answer": "x"}, "Grant the claim or decline it."),
        ({"grant": "1", "decline": "1"}, "Grant the claim or decline it."),
        ({"grant": "1", "answer": "x" * 2001}, "at most 2000 characters"),
    ],
)
def test_invalid_answer_is_refused_and_keeps_the_entries(data, expected, client, ada, user):
    made = create_claim(ada, user, "me")
    logged_in(client, OFFICERS)
    response = client.post(f"/organise/claims/{made.pk}/", data)
    assert (response.status_code, Claim.objects.get().state) == (422, "open")
    assert expected in markup(response)
    assert response.context["typed"] == data.get("answer", "")


def test_claims_are_for_officers(client, ada, user):
    made = create_claim(ada, user, "me")
    for group, status in ((None, 302), (ORGANISERS, 403)):
        if group:
            logged_in(client, group)
        assert client.get("/organise/claims/").status_code == status
        assert client.post(f"/organise/claims/{made.pk}/", {"grant": "1"}).status_code == status
    assert Claim.objects.get().state == "open"


def test_answering_asks_for_a_claim_and_a_post(client):
    logged_in(client, OFFICERS)
    assert client.post("/organise/claims/9/", {"grant": "1"}).status_code == 404
    assert client.get("/organise/claims/9/").status_code == 405


def test_claiming_requires_a_sign_in(client, ada):
    address = f"/players/{ada.public_id}/claim/"
    for asked in (client.get(address), client.post(address, {"note": "me"})):
        assert asked.url == f"/accounts/login/?next={address}"
    for own in ("/me/", "/me/release/"):
        assert client.post(own).url.startswith("/accounts/login/")
    assert Claim.objects.count() == 0


def test_impossible_claim_is_refused_before_the_form(zoe, client, mine):
    ben = make_player("Ben")
    for player, expected in (
        (mine, "This page already belongs to an account."),
        (ben, "Your account already has a page"),
    ):
        address = f"/players/{player.public_id}/claim/"
        asked, sent = client.get(address), client.post(address, {"note": "I am <me>"})
        assert (asked.status_code, asked.context["form"], sent.status_code) == (200, None, 422)
        assert (expected in markup(asked), expected in markup(sent)) == (True, True)
        assert "I am &lt;me&gt;</textarea>" in markup(sent)  # what was typed meanwhile stays
    assert client.get("/players/NOBODY/claim/").status_code == 404


def test_open_claim_is_withdrawn_by_its_user_alone(zoe, client, ada, user):
    made = create_claim(ada, user, "me")
    address = f"/me/claims/{made.pk}/withdraw/"
    assert f'action="{address}"' in client.get("/me/").content.decode()
    client.force_login(make_user("other"))
    assert (client.post(address).status_code, client.get(address).status_code) == (404, 405)
    client.force_login(user)
    assert client.post(address, follow=True).status_code == 200
    made.refresh_from_db()
    assert made.state == "withdrawn"
    assert "This claim was already withdrawn." in client.post(address, follow=True).content.decode()
    create_claim(make_player("Ben"), user, "me")


def test_withdrawing_a_claim_requires_a_sign_in(client, ada, user):
    made = create_claim(ada, user, "me")
    address = f"/me/claims/{made.pk}/withdraw/"
    assert client.post(address).url == f"/accounts/login/?next={address}"


def test_empty_claim_is_refused(zoe, client, ada):
    assert client.post(f"/players/{ada.public_id}/claim/", {"note": " "}).status_code == 422
    assert Claim.objects.count() == 0


def test_claiming_reveals_no_hidden_name(zoe, client, ada, user):
    Player.objects.update(shown="anonymous")
    create_claim(ada, user, "me")
    for address in (f"/players/{ada.public_id}/claim/", "/me/"):
        content = markup(client.get(address))
        assert ["Adler" in content, f"Player {ada.public_id}" in content] == [False, True]


def test_player_chooses_how_they_are_shown(zoe, client, mine):
    content = markup(client.get("/me/"))
    for expected in ("full name: Adler Zoë", "initials: A. Z.", f"anonymous: Player {mine.public_id}"):
        assert expected in content
    assert client.post("/me/", {"shown": "initials", "birth_public": "on"} | opened(mine)).url == "/me/"
    mine.refresh_from_db()
    assert (mine.shown, mine.birth_public, mine.family_name) == ("initials", True, "Adler")
    assert "A. Z.</a>" in markup(client.get("/me/"))
    client.post("/me/", {"shown": "anonymous"} | opened(mine))
    mine.refresh_from_db()
    assert (mine.shown, mine.birth_public) == ("anonymous", False)


def test_birth_year_that_is_not_known_is_not_asked_for(zoe, client, mine):
    Player.objects.update(birth_date=None, birth_public=True)
    assert "birth_public" not in markup(client.get("/me/"))
    client.post("/me/", {"shown": "full"} | opened(mine))
    assert Player.objects.get().birth_public is True


def test_player_chooses_whether_their_recorded_gender_is_shown(zoe, client, mine):
    assert "gender" not in markup(client.get("/me/"))
    Player.objects.update(gender="female")
    mine.refresh_from_db()
    page = markup(client.get("/me/"))
    assert ("Show my gender (female)" in page, 'name="gender_public" checked' in page) == (True, False)
    assert client.post("/me/", {"shown": "full", "gender_public": "on"} | opened(mine)).url == "/me/"
    mine.refresh_from_db()
    assert (mine.gender, mine.gender_public, mine.birth_public) == ("female", True, False)
    assert "gender shown, chosen by the player" in markup(client.get("/me/"))
    client.post("/me/", {"shown": "full", "gender": "male"} | opened(mine))
    mine.refresh_from_db()
    assert (mine.gender, mine.gender_public) == ("female", False)


def test_visibility_form_does_not_undo_a_newer_choice(zoe, client, mine):
    old = {"shown": "full", "birth_public": "on"} | opened(mine, "shown", "birth_public")
    Player.objects.filter(pk=mine.pk).update(shown="anonymous")
    response = client.post("/me/", old)
    assert response.status_code == 422
    content = markup(response)
    assert "has been changed since you opened this form." in content
    assert "How my name appears on pages and in files is now: anonymous: Player" in content
    assert Player.objects.get().shown == "anonymous"
    again = old | {"opened_version": response.context["form"]["opened_version"].value()}
    assert client.post("/me/", again).url == "/me/"
    assert Player.objects.get().shown == "full"


@pytest.mark.parametrize("shown", ["", "invisible"])
def test_unknown_choice_is_refused(shown, zoe, client, mine):
    assert client.post("/me/", {"shown": shown}).status_code == 422
    assert Player.objects.get().shown == "full"


def test_only_ones_own_page_is_changed(client, mine):
    logged_in(client)
    assert "You have no player page yet." in markup(client.get("/me/"))
    assert client.post("/me/", {"shown": "anonymous"}).status_code == 403
    assert client.post("/me/release/").status_code == 403
    mine.refresh_from_db()
    assert (mine.shown, mine.account.username) == ("full", "zoe")


def test_own_page_shows_until_when_the_player_is_a_member(zoe, client, mine):
    assert "My memberships" not in client.get("/me/").text
    federation = make_list().federation
    FederationMembership.objects.create(federation=federation, player=mine, until="2026-12-31")
    assert f"{federation}: until 31 Dec 2026." in " ".join(client.get("/me/").text.split())
    client.logout()
    assert "2026-12-31" not in client.get(mine.get_absolute_url()).text


def test_page_is_given_up(zoe, client, mine):
    assert client.get("/me/release/").status_code == 405
    assert client.post("/me/release/").url == "/me/"
    assert Player.objects.get().account is None


def test_officer_hides_a_player_and_disconnects_the_page_in_the_admin(client, mine):
    officer = logged_in(client, OFFICERS, is_staff=True)
    hide = {"action": "show_anonymously", "_selected_action": [mine.pk]}
    assert client.post("/admin/ratings/player/", hide).status_code == 302
    action = {"action": "release_pages", "_selected_action": [mine.pk]}
    officer.groups.clear()
    officer.groups.add(Group.objects.get(name=ORGANISERS))
    client.post("/admin/ratings/player/", action)
    mine.refresh_from_db()
    assert (mine.shown, mine.account.username) == ("anonymous", "zoe")
    for name in ("shown", "account"):
        assert f"field-{name}" not in markup(client.get(f"/admin/ratings/player/{mine.pk}/change/"))
    officer.groups.add(Group.objects.get(name=OFFICERS))
    assert client.post("/admin/ratings/player/", action).status_code == 302
    mine.refresh_from_db()
    assert (mine.shown, mine.account) == ("anonymous", None)


@pytest.mark.parametrize("claimed", [True, False])
def test_report_of_a_user_needs_no_waiting_and_names_them(claimed, zoe, client, ada, user):
    if claimed:
        answer_claim(create_claim(ada, user, "me"), granted=True)
    Player.objects.update(shown="anonymous")
    cache.clear()
    address = f"/report/players/{ada.public_id}/"
    assert 'value="zoe@example.org"' in markup(client.get(address))
    sent = [client.post(address, {"text": "wrong", "mail": "zoe@example.org"}).status_code for _ in range(6)]
    cache.clear()
    assert (sent, {report.by for report in Report.objects.all()}) == ([302] * 5 + [429], {user})
    page = Report.objects.first().get_absolute_url()
    for_himself = markup(client.get(page))
    assert ["Adler" in for_himself, "by zoe" in for_himself] == [False, False]
    logged_in(client, OFFICERS)
    expected = "by zoe, who is Adler Zoë" if claimed else "by zoe<"
    assert expected in markup(client.get(page))


@pytest.mark.parametrize("known", [True, False])
def test_header_leads_to_ones_own_page(known, client):
    if known:
        logged_in(client)
    page = markup(client.get("/"))
    assert ('<a href="/me/">My page</a>' in page) is known
    assert '<a href="/privacy/">Privacy</a>' in page


def test_privacy_page_describes_what_the_site_does(client):
    response = client.get("/privacy/")
    assert response.status_code == 200
    for expected in (
        "Birth dates are never public.",
        "Reading the site sets no cookies.",
        '<a href="/accounts/signup/">',
    ):
        assert expected in markup(response)
    assert "Set-Cookie" not in response.headers

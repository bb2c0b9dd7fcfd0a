"""A player's time line, and the buttons that undo a step where it was made."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.players.merging import merge_players
from ratings.domain.players.reassign_results import move_results
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import act_as
from ratings.models import Claim, Decision, Player, RecordedStep
from tests.factories import make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.versions import opened

pytestmark = pytest.mark.django_db


def logged_in(client, group, name="user"):
    user = make_user(name)
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return user


@pytest.fixture
def ada():
    return make_player("Adler", "Zoë", public_id="ADLER")


def history(client, player):
    response = client.get(f"/organise/players/{player.public_id}/history/")
    assert response.status_code == 200
    return response


def undo(client, step, **data):
    return client.post(f"/organise/steps/{step.pk}/undo/", data, follow=True)


def get_messages(response):
    return [str(message) for message in response.context["messages"]]


def announced(ada, rating_list):
    decision = Decision(
        list=rating_list, player=ada, grade="1 Kyu", date=dt.date(2026, 5, 3), ruling="kept", reason="r"
    )
    save_adjustment(decision)
    values = {"decision": decision.pk, "grade": "1 Kyu", "day": "2026-05-02"}
    return RecordedStep.objects.create(what="grade announced", player=ada, list=rating_list, values=values)


def test_time_line_lists_the_steps_with_undo_or_the_reason_why_not(client, ada):
    officer, fesa, ben, cal = logged_in(client, OFFICERS), make_list(), make_player("Ben"), make_player("Cal")
    table = make_table(fesa, [ada, make_player()], [(1, 1, 2, 1.0)])
    announced(ada, fesa)
    with act_as(officer):
        move_results([table], ada, cal, reason="a namesake")
        answer_claim(create_claim(ada, make_user("zoe"), "me"), granted=False, answer="Who are you?")
        set_visibility(ada, "initials")
        set_visibility(ada, "anonymous", reason="a letter")
        merge_players(ben, ada, reason="the same passport")
    steps = history(client, ada).context["steps"]
    assert [(step.title, step.reason, step.by, bool(step.undo_url), step.undo_blocked_reason) for step in steps] == [
        ("Name shown as: full name → anonymous", "", officer, False, "This player was merged into another; undo that merge first."),
        (f"Ben ({ben.public_id}) merged into this player", "the same passport", officer, True, ""),
        ("Name shown as: initials → anonymous", "a letter", officer, True, ""),
        ("Name shown as: full name → initials", "", officer, False, "It was changed again later: undo the later change first."),
        ("Claim of the page declined", "Who are you?", officer, True, ""),
        (f"Results of 1 table moved to Cal ({cal.public_id})", "a namesake", officer, True, ""),
        ("1 Kyu announced on FESA", "", None, True, ""),
    ]  # fmt: skip


def test_time_line_shows_true_names_and_links_to_merged_players(client, ada):
    logged_in(client, OFFICERS)
    ben = make_player("Ben", shown="anonymous")
    merge_players(ben, ada, reason="one")
    page = markup(history(client, ben))
    assert "Merged into Adler Zoë (ADLER)" in page
    assert '<a href="/organise/players/ADLER/history/">' in page
    assert "<h1>History of Ben</h1>" in page


def test_every_kind_of_step_is_undone_by_its_button(client, ada):
    officer, fesa, user = logged_in(client, OFFICERS), make_list(), make_user("zoe")
    grade = announced(ada, fesa)
    with act_as(officer):
        answer_claim(create_claim(ada, user, "me"), granted=True)
    claimed = RecordedStep.objects.get(what="claim answered")
    set_visibility(ada, "initials")
    seen = RecordedStep.objects.get(what="visibility changed")
    assert get_messages(undo(client, claimed)) == ["Enter a reason: it is sent to the person who claimed the page."]
    for step in (grade, claimed, seen):
        response = undo(client, step, reason="a mistake")
        assert (get_messages(response), response.redirect_chain[0][0]) == (
            ["Undone."],
            "/organise/players/ADLER/history/",
        )
        step.refresh_from_db()
        assert (step.undone_by, step.undone_reason) == (officer, "a mistake")
    ada.refresh_from_db()
    assert (ada.account, ada.shown, Claim.objects.get().state, Decision.objects.count()) == (
        None,
        "full",
        "released",
        0,
    )
    assert get_messages(undo(client, grade)) == ["This step was already undone."]
    lines = history(client, ada).context["steps"]
    assert [(line.undo_url, line.undo_blocked_reason, line.undone_reason) for line in lines] == [
        ("", "", "a mistake")
    ] * 3


@pytest.mark.parametrize(
    ("address", "context"),
    [("/organise/grades/", "announced"), ("/organise/claims/", "answered_steps"), ("/organise/lists/fesa/import/", "imports")],
)  # fmt: skip
def test_steps_are_undone_on_the_page_where_they_are_made(client, ada, address, context):
    officer, fesa = logged_in(client, OFFICERS), make_list()
    announced(ada, fesa)
    with act_as(officer):
        answer_claim(create_claim(ada, make_user("zoe"), "me"), granted=False, answer="no")
    values = {"adjustments": [], "new": [], "details": [], "prior_grades": [], "tables": [], "day": "2026-06-01", "source": "x"}  # fmt: skip
    RecordedStep.objects.create(what="list imported", list=fesa, values=values, reason="list.txt")
    page = client.get(address)
    (step,) = page.context[context]
    step = step[0] if isinstance(step, tuple) else step
    action = f"/organise/steps/{step.pk}/undo/"
    button = f'<form method="post" action="{action}" class="one">'
    link = f'<a href="{action}">Undo …</a>'  # an import is undone after a question
    assert (button in markup(page), link in markup(page)) == (context != "imports", context == "imports")
    response = client.post(action, {"next": address}, follow=True)
    assert (response.redirect_chain, get_messages(response)) == ([(address, 302)], ["Undone."])
    assert action not in markup(response)


def test_undoing_leads_to_pages_of_this_site_only(client, ada):
    logged_in(client, OFFICERS)
    set_visibility(ada, "initials")
    response = client.post(f"/organise/steps/{RecordedStep.objects.get().pk}/undo/", {"next": "https://evil.example/"})
    assert response.url == "/organise/players/ADLER/history/"


def test_player_undoes_changes_on_their_own_page(client, ada):
    user = logged_in(client, None)
    Player.objects.update(account=user)
    client.post("/me/", {"shown": "anonymous"} | opened(ada))
    step = RecordedStep.objects.get()
    page = client.get("/me/")
    assert ([line.pk for line in page.context["visibility"]], step.values["own"]) == ([step.pk], True)
    assert f'action="/me/undo/{step.pk}/"' in markup(page)
    assert client.get(f"/me/undo/{step.pk}/").status_code == 405
    response = client.post(f"/me/undo/{step.pk}/", follow=True)
    assert (get_messages(response), Player.objects.get().shown) == (["Undone."], "full")
    assert client.get("/me/").context["visibility"] == []


def test_officers_name_does_not_show_on_the_players_own_page(client, ada):
    officer = make_user("secret-officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    Player.objects.update(account=logged_in(client, None))
    with act_as(officer):
        set_visibility(ada, "initials", reason="secret reason")
    page = markup(client.get("/me/"))
    assert ("by a rating officer" in page, "secret" in page) == (True, False)


def test_strangers_undo_nothing(client, ada):
    other = make_player("Other")
    set_visibility(ada, "anonymous")
    step = RecordedStep.objects.get()
    assert client.post(f"/me/undo/{step.pk}/").url.startswith("/accounts/login/")
    user = logged_in(client, ORGANISERS)
    assert client.post(f"/me/undo/{step.pk}/").status_code == 403
    Player.objects.filter(pk=other.pk).update(account=user)
    assert client.post(f"/me/undo/{step.pk}/").status_code == 404
    assert client.get("/organise/players/ADLER/history/").status_code == 403
    assert client.post(f"/organise/steps/{step.pk}/undo/").status_code == 403
    assert Player.objects.get(pk=ada.pk).shown == "anonymous"


def test_unknown_players_steps_and_other_methods(client, ada):
    logged_in(client, OFFICERS)
    set_visibility(ada, "anonymous")
    assert client.get("/organise/players/NOBODY/history/").status_code == 404
    assert client.post("/organise/steps/999/undo/").status_code == 404
    step = RecordedStep.objects.get()
    assert client.get(f"/organise/steps/{step.pk}/undo/").url == "/organise/players/ADLER/history/"  # has a button
    assert (client.put(f"/organise/steps/{step.pk}/undo/").status_code, step.undone_at) == (405, None)


def test_page_of_announcements_without_any(client):
    logged_in(client, OFFICERS)
    assert list(client.get("/organise/grades/").context["announced"]) == []


@pytest.fixture
def admin(client):
    user = make_user("root", is_superuser=True)
    client.force_login(user)
    return user


def test_administrator_erases_a_person_after_typing_the_public_id(client, admin, ada):
    address = "/organise/players/ADLER/erase/"
    assert f'href="{address}"' in markup(history(client, ada))
    assert client.get(address).status_code == 200
    response = client.post(address, {"reason": "letter of 2026-11-20", "public_id": "ADLR"})
    assert (response.status_code, Player.objects.get().family_name) == (422, "Adler")
    text = markup(response)
    assert "This is not the public id of this player: ADLER." in text
    assert 'value="letter of 2026-11-20"' in text
    response = client.post(address, {"reason": "letter of 2026-11-20", "public_id": "adler"}, follow=True)
    assert get_messages(response) == ["The person was erased. Their results stay without a name."]
    text = markup(response)
    assert ("Person erased" in text, address in text, "Adler" in text) == (True, False, False)
    response = client.post(address, {"reason": "again", "public_id": "ADLER"})
    assert (response.status_code, "data was already erased." in markup(response)) == (422, True)


@pytest.mark.django_db(transaction=True)  # PostgreSQL locks rows in transactions only
def test_page_that_erases_opens_outside_of_a_transaction(client, ada):
    Player.objects.filter(pk=make_player("Gone").pk).update(merged_into=ada)
    client.force_login(make_user("boss", is_superuser=True, is_staff=True))
    page = client.get("/organise/players/ADLER/erase/")
    assert (page.status_code, [str(player) for player in page.context["merged"]]) == (200, ["Gone"])


def test_page_that_erases_is_for_administrators_alone(client, ada):
    address, data = "/organise/players/ADLER/erase/", {"reason": "x", "public_id": "ADLER"}
    assert client.get(address).status_code == 302
    logged_in(client, OFFICERS)
    assert (client.get(address).status_code, client.post(address, data).status_code) == (403, 403)
    assert address not in markup(history(client, ada))
    make_user("root", is_superuser=True)
    client.force_login(make_user("second", is_superuser=True))
    assert (client.get("/organise/players/NOBODY/erase/").status_code, client.put(address).status_code) == (404, 405)
    assert Player.objects.get().family_name == "Adler"

"""Download of everything that the portal stores about the signed-in person."""

import json
import re

import pytest
from allauth.mfa.models import Authenticator
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.test import override_settings

from portal.middleware.limits import is_costly
from ratings.access import ORGANISERS
from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import act_as
from ratings.models import (
    Claim,
    DatedList,
    EventEntry,
    EventStep,
    Follow,
    OutgoingMail,
    OutsideId,
    Player,
    RecordedStep,
    Report,
    Spelling,
)
from ratings.queries.players.personal_data_fields import OF_ACCOUNT, OF_PLAYER
from tests.factories import give_ratings, make_event, make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db

ELSEWHERE = {
    "Player": "the first section", "Entry": "its games", "Correction": "the rating changes", "RuleEffect": "shown beside a proposal",
    "Merge": "steps of officers on two players", "Spelling": "names that an organiser typed for others",
    "Proposal": "waits for a second officer, whose answer it could anticipate", "Club": "a role", "Event": "a role",
    "Federation": "a role", "RatingList": "a role", "FollowSettings": "a choice on the page of followed pages",
    "HeldForm": "deleted within a day", "LogEntry": "the changes by me",
}  # fmt: skip
"""Models that refer to people and are no section, with the reason."""


def test_every_model_that_refers_to_a_person_is_in_the_file_or_has_a_reason():
    models = {relation.related_model.__name__ for kind in (User, Player) for relation in kind._meta.related_objects}
    sources = {source.model.__name__ for source in (*OF_ACCOUNT, *OF_PLAYER)}
    assert models - sources - ELSEWHERE.keys() == set()
    assert ELSEWHERE.keys() - models == set()


@pytest.fixture
def anna(rate_all):
    """An organiser with a player, who is in every section; her opponent is shown anonymously."""
    fesa, user = make_list(), person("anna", ORGANISERS)
    anna = make_player("Anders", "Anna", account=user, birth_date="1980-02-03", native_name="アンナ")
    rival = make_player("Geheim", "Rudolf", public_id="RIVAL22")
    give_ratings(fesa, [anna, rival], 1700)
    table = make_table(fesa, [anna, rival], [(1, 1, 2, 1.0)], "2024-05-04", event_name="Cup")
    rate_all()
    with act_as(user):
        set_visibility(rival, "anonymous")
        anna.country = "AT"
        save_player(anna)
    LogEntry.objects.get_for_object(anna).update(actor=user)
    OutsideId.objects.create(player=anna, registry="egd", value="18273645")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "TOPSECRET"})
    Claim.objects.create(player=anna, user=user, note="It is me", state="granted")
    coming = make_event("Next Cup", "2999-01-01", [fesa], created_by=user)
    EventEntry.objects.create(event=coming, player=anna, email="anna@example.org", message="Vegetarian")
    EventEntry.objects.create(event=coming, player=rival, email="rudolf@example.org", message="Not for Anna")
    Follow.objects.create(user=user, player=rival)
    EventStep.objects.create(event=table.event, what="submitted", by=user, note="all done")
    Report.objects.create(event=coming, text="Wrong town", by=user, mail="anna@example.org")
    Report.objects.create(player=anna, text="Too young", by=make_user("reporter"), mail="reporter@example.org")
    OutgoingMail.objects.create(sender="x@y", recipients=["anna@example.org"], subject="To Anna", body="Hello")
    OutgoingMail.objects.create(sender="x@y", recipients=["rudolf@example.org"], subject="To Rudolf", body="Hello")
    Spelling.objects.create(user=user, written="geheim rudolf", player=rival)
    RecordedStep.objects.create(what="claim answered", player=anna, values={}, reason="known")
    return anna


OTHERS = ("Geheim", "Rudolf", "rudolf@", "reporter", "TOPSECRET", "Not for Anna", "secret")
"""Texts of other people and secrets."""


def test_json_file_has_everything_about_the_person_and_nothing_private_of_others(client, anna):
    client.force_login(anna.account)
    response = client.post("/me/data.json")
    assert (response["Content-Type"], re.sub(r"\d", "0", response["Content-Disposition"]), response["Cache-Control"]) == (
        "application/json", 'attachment; filename="my-data-0000-00-00.json"',
        "max-age=0, no-cache, no-store, must-revalidate, private",
    )  # fmt: skip
    text = response.content.decode()
    assert [each for each in OTHERS if each in text] == []
    content = json.loads(text)
    data = content["data"]
    assert (content["format"], sorted(data)) == ("personal-data/1", [
        "account", "adjustments", "changes_by_me", "changes_of_my_data", "claims", "email_addresses", "entries",
        "event_steps", "followed_pages", "games", "grades", "mails", "outside_ids", "players", "rating_changes", "ratings",
        "reports_about", "reports_sent", "second_factors", "steps",
    ])  # fmt: skip
    assert data["players"][0] | {"public_id": ""} == {
        "public_id": "", "family_name": "Anders", "given_name": "Anna", "native_name": "アンナ", "country": "AT",
        "birth_date": "1980-02-03", "birth_year": None, "birth_public": False, "gender": "", "gender_public": False,
        "shown": "full",
    }  # fmt: skip
    assert [(row["opponent"], row["points"], row["played"]) for row in data["games"]] == [("RIVAL22", 1.0, True)]
    assert [row["subject"] for row in data["mails"]] == ["To Anna"]
    assert [row["message"] for row in data["entries"]] == ["Vegetarian"]
    assert [row["target"] for row in data["followed_pages"]] == ["Player RIVAL22"]
    assert data["account"][0]["groups"] == [ORGANISERS]


@pytest.mark.parametrize(
    ("language", "headings", "texts"),
    [
        ("en", ["Event", "Day", "Round", "Opponent", "Points", "Played"], ("Player RIVAL22", "5 May 2024")),
        ("de", ["Turnier", "Tag", "Runde", "Gegner", "Punkte", "Gespielt"], ("Spieler RIVAL22", "05.05.2024")),
        ("ja", ["大会", "日付", "回戦", "相手", "得点", "対局あり"], ("選手 RIVAL22", "2024年5月5日")),
    ],
)
def test_html_file_is_in_the_language_of_the_reader(client, anna, rate_all, language, headings, texts):
    opponent = Player.objects.get(public_id="RIVAL22")
    make_table(anna.standings.get().list, [anna, opponent], [(1, 1, 2, 0.0)], "2024-05-05")
    rate_all()
    client.force_login(anna.account)
    response = client.post("/me/data.html", headers={"Accept-Language": language})
    text = response.content.decode()
    assert (response["Content-Type"], f'lang="{language}"' in text) == ("text/html; charset=utf-8", True)
    assert [each for each in OTHERS if each in text] == []
    assert "<script" not in text
    assert [each in text for each in ("アンナ", "Vegetarian", "18273645")] == [True] * 3
    games = text.partition('<h2 id="games">')[2].partition("</table>")[0]
    assert re.findall('<th scope="col">(.*?)</th>', games) == headings
    rival, day = texts
    assert (games.count("<tr>"), games.count(rival), games.count(f"<td>{day}</td>")) == (3, 2, 1)


def test_number_of_queries_does_not_grow_with_the_games(client, anna, rate_all, django_assert_max_num_queries):
    fesa = anna.standings.get().list
    make_table(fesa, [anna, make_player()], [(n, 1, 2, 1.0) for n in range(1, 9)], "2024-06-04")
    rate_all()
    client.force_login(anna.account)
    with django_assert_max_num_queries(50):
        client.post("/me/data.json")


@pytest.mark.parametrize("count", [1, 5])
def test_number_of_queries_is_the_same_for_any_number_of_rows(count, client, anna, rate_all, django_assert_num_queries):
    fesa = anna.standings.get().list
    for number in range(count):
        rival = make_player(f"Rival{number}")
        event = make_table(fesa, [anna, rival], [(1, 1, 2, 1.0)], f"2024-06-{number + 1:02}", name="A").event
        dated = DatedList.objects.create(list=fesa, day=f"2024-07-{number + 1:02}")
        dated.lines.create(player=anna, rank=1, rating=1700, games=1)
        Follow.objects.create(user=anna.account, player=rival)
        Follow.objects.create(user=anna.account, event=event)
        Report.objects.create(event=event, text="Wrong town", by=anna.account)
    rate_all()
    client.force_login(anna.account)
    with django_assert_num_queries(40):
        client.post("/me/data.json")


def test_user_without_a_player_gets_their_account(client):
    client.force_login(make_user("other", email="other@example.org"))
    data = client.post("/me/data.json").json()["data"]
    assert sorted(data) == ["account", "email_addresses"]


def test_page_offers_both_files_to_those_who_are_signed_in(client, anna):
    assert [client.get("/me/data/").status_code, client.post("/me/data.json").status_code] == [302, 302]
    client.force_login(anna.account)
    page = markup(client.get("/me/data/"))
    assert ("/me/data.html" in page, "/me/data.json" in page, "/me/data/" in markup(client.get("/me/"))) == (True,) * 3
    assert [client.post("/me/data/").status_code, client.get("/me/data.json").status_code] == [405, 405]
    assert client.post("/me/data.xml").status_code == 404


@override_settings(SIGN_IN_AGAIN=True)
def test_file_needs_a_recent_sign_in(client, anna):
    client.force_login(anna.account)
    assert client.post("/me/data.json")["Location"].startswith("/accounts/reauthenticate/")


def test_files_count_as_costly():

    assert (is_costly("/me/data.json"), is_costly("/me/data.html")) == (True, True)

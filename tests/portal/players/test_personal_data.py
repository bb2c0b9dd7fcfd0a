"""Download of everything that the portal stores about the signed-in person."""

import json
import re
from base64 import b64encode

import pytest
from allauth.mfa.models import Authenticator
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from portal.middleware.limits import is_costly
from ratings.access import ORGANISERS
from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.submissions import create_submission
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import SheetContent
from ratings.models import (
    Approval,
    BatchFile,
    Claim,
    Club,
    DatedList,
    EventEntry,
    EventStep,
    FileBatch,
    Follow,
    FollowSettings,
    Membership,
    OutgoingMail,
    OutsideId,
    PairingSecret,
    Parcel,
    Player,
    RecordedStep,
    Report,
    SavedAnswer,
    Spelling,
    WebhookSubscription,
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
    "Federation": "a role", "RatingList": "a role",
    "HeldForm": "deleted within a day", "LogEntry": "the changes by me",
    "AnswerLink": "links that an officer sent to others", "DatedList": "officers' work on a list, not on a person",
    "Run": "officers' work on a list, not on a person", "RuleProposalStep": "officers' work on a list, not on a person",
    "Hall": "its event, which the steps name", "FollowedChange": "copies of changes for a mail, deleted after 30 days",
    "TableFacts": "computed from the games", "Club_organisers": "a role", "Event_organisers": "a role",
    "Federation_administrators": "a role", "RatingList_approvers": "a role", "RatingList_officers": "a role",
    "RatingList_trusted": "a role", "User_groups": "the roles of the account", "User_user_permissions": "nobody has any",
}  # fmt: skip
"""Models that refer to people and are no section, with the reason."""


def test_every_model_that_refers_to_a_person_is_in_the_file_or_has_a_reason():
    relations = [each for kind in (User, Player) for each in kind._meta.get_fields(include_hidden=True)]
    models = {each.related_model.__name__ for each in relations if each.auto_created and not each.concrete}
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
    anna.former_names.create(family_name="Ahlers", given_name="Anna", until="2020-05-01")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "TOPSECRET"})
    Claim.objects.create(player=anna, user=user, note="It is me", state="granted")
    coming = make_event("Next Cup", "2999-01-01", [fesa], created_by=user)
    EventEntry.objects.create(event=coming, player=anna, email="anna@example.org", message="Vegetarian")
    EventEntry.objects.create(event=coming, player=rival, email="rudolf@example.org", message="Not for Anna")
    Follow.objects.create(user=user, player=rival)
    FollowSettings.objects.create(user=user, own_corrections="weekly")
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
        "account", "adjustments", "changes_by_me", "changes_of_my_data", "claims", "email_addresses", "email_settings", "entries",
        "event_steps", "followed_pages", "former_names", "games", "grades", "mails", "outside_ids", "players", "rating_changes", "ratings",
        "reports_about", "reports_sent", "second_factors", "steps",
    ])  # fmt: skip
    assert data["former_names"] == [{"family_name": "Ahlers", "given_name": "Anna", "until": "2020-05-01"}]
    assert data["players"][0] | {"public_id": ""} == {
        "public_id": "", "family_name": "Anders", "given_name": "Anna", "native_name": "アンナ", "country": "AT",
        "birth_date": "1980-02-03", "birth_year": None, "birth_public": False, "gender": "", "gender_public": False,
        "shown": "full",
    }  # fmt: skip
    assert [(row["opponent"], row["points"], row["played"]) for row in data["games"]] == [("RIVAL22", 1.0, True)]
    assert [row["subject"] for row in data["mails"]] == ["To Anna"]
    assert [row["message"] for row in data["entries"]] == ["Vegetarian"]
    assert [row["target"] for row in data["followed_pages"]] == ["Player RIVAL22"]
    assert data["email_settings"] == [{"own_corrections": "weekly"}]
    assert data["account"][0]["groups"] == [ORGANISERS]


@pytest.mark.parametrize(
    ("language", "headings", "texts"),
    [
        ("en", ["Event", "Day", "Round", "Opponent", "Points", "Played", "Kind"], ("Player RIVAL22", "5 May 2024")),
        ("de", ["Turnier", "Tag", "Runde", "Gegner", "Punkte", "Gespielt", "Art"], ("Spieler RIVAL22", "05.05.2024")),
        ("ja", ["大会", "日付", "回戦", "相手", "得点", "対局あり", "種類"], ("選手 RIVAL22", "2024年5月5日")),
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
    with django_assert_max_num_queries(64):
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
    with django_assert_num_queries(64):
        client.post("/me/data.json")


def test_letters_and_files_of_approvals_are_in_both_files(client, anna):
    case = Approval.objects.create(
        list=anna.standings.get().list, player=anna, grade="5 Dan", earned_on="2024-05-04", state="approved",
        letter=b"%PDF answer", letter_name="answer.pdf",
    )  # fmt: skip
    case.steps.create(what="answered", note=["agreed"], letter=b"%PDF earlier", letter_name="earlier.pdf")
    case.questions.create(text="Which games?", reply="All of 2024", replied_at=timezone.now())
    letter = {"subject": "Approval of Anders Anna", "body": "Dear board", "reference": "F-1"}
    Parcel.objects.create(case=case, person="Board Member", address="board@example.org", dossier=b"%PDF d", **letter)
    client.force_login(anna.account)
    data = client.post("/me/data.json").json()["data"]
    assert data["approvals"][0]["letter"] == {"name": "answer.pdf", "base64": b64encode(b"%PDF answer").decode()}
    assert [(row["what"], row["letter"]["name"]) for row in data["approval_steps"]] == [("answered", "earlier.pdf")]
    assert [(row["text"], row["reply"]) for row in data["approval_questions"]] == [("Which games?", "All of 2024")]
    stored = data["approval_letters"][0]
    assert {key: stored[key] for key in letter} == letter
    assert (stored["dossier"]["name"], stored["certificate"]) == ("dossier.pdf", None)
    text = client.post("/me/data.html").text
    assert f'href="data:application/octet-stream;base64,{b64encode(b"%PDF d").decode()}">\ndossier.pdf</a>' in text
    assert "board@example.org" not in text


def test_files_uploaded_together_are_listed(client, anna):
    batch = FileBatch.objects.create(made_by=anna.account)
    BatchFile.objects.create(batch=batch, name="cup.txt", data=b"", digest="1")
    BatchFile.objects.create(
        batch=FileBatch.objects.create(made_by=make_user("other")), name="of-others.txt", data=b"", digest="2"
    )
    client.force_login(anna.account)
    data = client.post("/me/data.json").json()["data"]
    assert [(row["name"], row["state"], row["event"]) for row in data["batch_files"]] == [("cup.txt", "waiting", None)]


def test_changes_of_memberships_ids_and_entries_are_in_the_file(client, anna):
    """Changes of rows that were deleted are there, too; those of other players are left out."""
    rival = Player.objects.get(public_id="RIVAL22")
    LogEntry.objects.all().delete()
    club = Club.objects.create(name="Go Club", country="AT")
    for player in (anna, rival):
        with act_as(make_user(f"officer of {player.pk}")):
            membership = Membership.objects.create(player=player, club=club, start="2024-01-01")
            outside = OutsideId.objects.create(player=player, registry="fide", value=f"150301{player.pk % 10}")
            outside.value = f"160301{player.pk % 10}"
            outside.save()
            outside.delete()
    client.force_login(anna.account)
    changes = client.post("/me/data.json").json()["data"]["changes_of_my_data"]
    assert [(row["content_type"].split(" | ")[-1], row["action"]) for row in changes] == [
        ("membership", 0), ("id in another registry", 0), ("id in another registry", 1), ("id in another registry", 2),
    ]  # fmt: skip
    assert changes[0]["changes"]["club"] == ["None", str(club.pk)]
    assert {row["changes"].get("player", [""])[-1] for row in changes[:2]} == {str(anna.pk)}
    assert membership.player == rival


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


def test_work_of_an_organiser_and_an_officer_is_in_the_file(client, anna):
    user, fesa = anna.account, anna.standings.get().list
    event = make_event("Open", "2024-06-01", [fesa], state="draft")
    with act_as(user):
        create_submission(event, SheetContent(1, []), name="A", days=(event.start, event.end))
    PairingSecret.objects.create(event=event, prefix="abc", digest="TOPSECRET", made_by=user)
    case = Approval.objects.create(list=fesa, player=anna, grade="5 Dan", earned_on="2024-05-04")
    SavedAnswer.objects.create(case=case, user=user, values={"reason": "strong"})
    WebhookSubscription.objects.create(
        federation=fesa.federation, name="Site", address="https://example.org/", owner=user, secret="TOPSECRET"
    )
    client.force_login(user)
    response = client.post("/me/data.json")
    assert "TOPSECRET" not in response.content.decode()
    data = response.json()["data"]
    assert [row["name"] for row in data["submissions"]] == ["A"]
    assert [row["prefix"] for row in data["pairing_secrets"]] == ["abc"]
    assert [row["values"] for row in data["saved_answers"]] == [{"reason": "strong"}]
    assert [row["address"] for row in data["webhooks"]] == ["https://example.org/"]
    assert client.post("/me/data.html").status_code == 200

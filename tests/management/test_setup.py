"""Set-up from a file: the same as in the browser, checked first, and the same when it is applied again."""

import io

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command

from ratings.domain.site.roles import ensure_roles
from ratings.formats.setup_file import read_setup_file
from ratings.management.commands import setup
from ratings.models import Event, Federation, OutgoingMail, Player, RatingList, Standing
from ratings.queries.lists.lists import published_standings
from tests.factories import make_list, make_user

pytestmark = pytest.mark.django_db(transaction=True)

CREST = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 34"><rect width="34" height="34" fill="#e3f2ec"/></svg>'
)
MEMBERS = "Name;Vorname;Land;GoR\nEgger;Nora;AT;144\nBaumann;Luca;DE;-87\n"
RESULTS = "Nr;Last name;First name;Country;1\n1;Egger;Nora;AT;2+\n2;Baumann;Luca;DE;1-\n"
ANSWERS = """
[federation]
name = "Alpine Go Association"
short_name = "AGA"
house = "pine"
crest = "aga.svg"

[[lists]]
slug = "go"
name = "Go"
system = "bgf"
options = {bonus = "epsilon"}
requires_membership = true
ratings = "members.csv"
day = 2026-01-01

[[people]]
mail = "Nora@aga.example"
role = "officer"

[event]
name = "Spring Cup"
start = 2026-02-07
country = "AT"
list = "go"
results = "cup.csv"
"""
STORED = [
    "federation Alpine Go Association: created",
    "lists[0] go: created",
    "lists[0].ratings: 2 players given their ratings on go on 1 Jan 2026; 2 of them new",
    "people[0] nora@aga.example: invited as officer",
    "event Spring Cup: 2 players, 1 rounds, rated",
    "log key: created; print it with `manage.py log_key`",
]
AGAIN = [
    "federation Alpine Go Association: unchanged",
    "lists[0] go: unchanged",
    "lists[0].ratings: already there: all 2 players have these ratings on go on 1 Jan 2026; nothing to store",
    "people[0] nora@aga.example: is officer already",
    "event Spring Cup: is there already",
]


@pytest.fixture
def folder(tmp_path):
    ensure_roles()
    for name, text in {"aga.svg": CREST, "members.csv": MEMBERS, "cup.csv": RESULTS, "aga.toml": ANSWERS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder, text=None, **options):
    if text is not None:
        (folder / "aga.toml").write_text(text, encoding="utf-8")
    out = io.StringIO()
    call_command("setup", folder / "aga.toml", stdout=out, **options)
    return out.getvalue().splitlines()


def counts():
    return [model.objects.count() for model in (Federation, RatingList, Player, User, Event, OutgoingMail)]


def fails(folder, text):
    before = counts()
    with pytest.raises(CommandError) as error:
        run(folder, text, save=True)
    assert counts() == before
    first, *problems = str(error.value).splitlines()
    assert first == "nothing was stored:"
    return [problem.removeprefix("aga.toml: ") for problem in problems]


def test_setup_stores_everything_that_the_file_says(folder):
    assert run(folder, save=True) == STORED
    federation, rating_list = Federation.objects.get(), RatingList.objects.get()
    assert (federation.label, federation.house, "e3f2ec" in federation.crest) == ("AGA", "pine", True)
    assert (rating_list.system, rating_list.options, rating_list.public) == ("bgf", {"bonus": "epsilon"}, True)
    assert rating_list.requires_membership
    assert sorted(Standing.objects.values_list("player__family_name", "games")) == [("Baumann", 1), ("Egger", 1)]
    assert published_standings(rating_list, None).count() == 2
    assert [sent.to for sent in mail.outbox] == [["nora@aga.example"]]


def test_setup_is_a_dry_run_without_save(folder):
    assert run(folder) == [*STORED, "Dry run: nothing was stored. Add --save to store."]
    assert (counts(), mail.outbox) == ([0] * 6, [])


TO = "host@aga.example"


@pytest.mark.parametrize("save", [False, True])
def test_setup_sends_a_test_mail_at_once(save, folder):
    printed = run(folder, save=save, test_mail=TO)[-1]
    assert printed == f"test mail to {TO}: only printed, because EMAIL_URL names no mail server"
    assert [sent.to for sent in mail.outbox] == [["nora@aga.example"]] * save + [[TO]]
    assert Federation.objects.count() == int(save)


def test_setup_says_which_server_accepted_the_test_mail(folder, monkeypatch):
    monkeypatch.setattr(setup, "describe_mail_server", lambda: "mail.aga.example, port 587")
    assert run(folder, test_mail=TO)[-1] == f"test mail to {TO}: accepted by mail.aga.example, port 587"


@pytest.mark.parametrize(("save", "stored"), [(False, ""), (True, "; everything else was stored")])
def test_setup_fails_with_the_servers_answer_if_the_test_mail_is_refused(save, stored, folder, monkeypatch):
    def refuse(_backend, _messages):
        raise ConnectionRefusedError(111, "Connection refused")

    run(folder, save=save)  # the invitation is sent
    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    with pytest.raises(CommandError) as error:
        run(folder, save=save, test_mail=TO)
    assert str(error.value) == (
        f"test mail to {TO}: not sent{stored}: [Errno 111] Connection refused. "
        "No mail server answers there. Check host name and port in EMAIL_URL."
    )
    assert Federation.objects.count() == int(save)


def test_setup_refuses_an_invalid_address_for_the_test_mail_before_it_stores_anything(folder):
    with pytest.raises(CommandError, match="--test-mail: nobody is not an email address; nothing was stored"):
        run(folder, save=True, test_mail="nobody")
    assert (counts(), mail.outbox) == ([0] * 6, [])


def test_setup_names_tie_breaks_that_do_not_exist(folder):
    answers = ANSWERS.replace('name = "Go"', 'name = "Go"\ntie_breaks = "sos,buchholz"', 1)
    with pytest.raises(CommandError) as error:
        run(folder, answers, save=True)
    assert "lists[0].tie_breaks: Unknown tie-breaks: buchholz. Possible are: sos, sos-1, sos-median," in str(
        error.value
    )
    assert counts() == [0] * 6


def test_setup_again_changes_nothing(folder):
    run(folder, save=True)
    before = counts()
    assert run(folder, save=True) == AGAIN
    assert (counts(), len(mail.outbox)) == (before, 1)


def test_changed_answers_are_stored(folder):
    run(folder, save=True)
    changed = ANSWERS.replace('"pine"', '"plum"').replace('name = "Go"', 'name = "Go ratings"')
    assert run(folder, changed, save=True)[:2] == [
        "federation Alpine Go Association: changed: house", "lists[0] go: changed: name",
    ]  # fmt: skip


def test_event_without_results_is_announced_once(folder):
    text = ANSWERS.replace('results = "cup.csv"\n', "")
    assert run(folder, text, save=True)[-2] == "event Spring Cup: announced for 2026-02-07"
    assert run(folder, text, save=True)[-1] == "event Spring Cup: is there already"
    event = Event.objects.get()
    assert (event.announced_at is not None, str(event.country), event.end) == (True, "AT", event.start)


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        ('"pine"', '"pink"', ["federation.house: Value 'pink' is not a valid choice."]),
        ("aga.svg", "none.svg",
         ["federation.crest: none.svg: No such file or directory; paths are relative to the set-up file"]),
        ("aga.svg", "cup.csv", ["federation.crest: The file is not an SVG drawing. Export the crest as plain SVG."]),
        ('"epsilon"', '"lots"', ["lists[0].options: bonus: lots cannot be; it takes none / epsilon / egf2021"]),
        ('"members.csv"', '"cup.csv"',
         ["lists[0].ratings: cup.csv: line 1: error: the first line names the columns; “Rating” or “Elo” is missing",
          "lists[0].ratings: cup.csv: line 1: warning: the column “Nr” was not read",
          "lists[0].ratings: cup.csv: line 1: warning: the column “1” was not read"]),
        ("day = 2026-01-01\n", "",
         ["lists[0].ratings: members.csv does not contain its day; add day = 2026-11-01 below it"]),
        ("Nora@aga.example", "nora", ["people[0].mail: Enter a valid email address."]),
        ('list = "go"', 'list = "chess"', ["event.list: no list chess; lists of Alpine Go Association: go"]),
        ('"AT"', '"Utopia"', []),
    ],
)  # fmt: skip
def test_answer_that_cannot_be_is_refused_with_file_and_key(old, new, problems, folder):
    text = ANSWERS.replace(old, new)
    if problems:
        assert fails(folder, text) == problems
    else:
        text = text.replace('results = "cup.csv"\n', "")
        assert [line.partition(":")[0] for line in fails(folder, text)] == ["event.country"]


def test_results_that_do_not_fit_are_refused(folder):
    (folder / "cup.csv").write_text(RESULTS.replace("1-", "2+"), encoding="utf-8")
    assert all(line.startswith("event.results: cup.csv: ") for line in fails(folder, ANSWERS))


def test_list_of_another_federation_is_left_alone(folder):
    other = make_list("go", name="Other", system="bgf")
    assert fails(folder, ANSWERS) == [f"lists[0].slug: go is a list of {other.federation}; choose another short name"]


def test_system_of_a_list_with_results_stays(folder):
    run(folder, save=True)
    text = ANSWERS.replace('"bgf"', '"icu-1989"').replace('options = {bonus = "epsilon"}\n', "")
    (problem,) = fails(folder, text)
    assert problem.startswith("lists[0].system: The rating system is fixed, because results have been rated")


def test_closed_account_is_not_invited(folder):
    make_user("nora", email="nora@aga.example", is_active=False)
    assert [line.partition(":")[0] for line in fails(folder, ANSWERS)] == ["people[0].mail"]


def test_page_offers_its_answers_as_such_a_file(folder, client):
    run(folder, save=True)
    client.force_login(User.objects.create_superuser("anna", "anna@aga.example", "secret"))
    response = client.get("/organise/setup/answers.toml")
    assert response["Content-Disposition"] == 'attachment; filename="alpine-go-association.toml"'
    answers = read_setup_file(response.content)
    assert (answers.federation.short_name, answers.lists[0].options, answers.people[0].role, answers.event.name) == (
        "AGA", {"bonus": "epsilon"}, "officer", "Spring Cup",
    )  # fmt: skip
    assert run(folder, response.text, save=True)[:2] == [AGAIN[0], AGAIN[1]]
    assert client.post("/organise/setup/answers.toml").status_code == 405
    assert client.get("/organise/setup/answers.toml?federation=new").status_code == 404

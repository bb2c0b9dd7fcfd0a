"""Records that a uploaded history holds beside results: offered to officers of the list, accepted by nobody else."""

import datetime as dt
import json
from unittest import mock

import pytest
from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.grades.proposals import confirm, withdraw
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results import uploaded_records
from ratings.domain.results.record_acceptance import accept_records, undo_records
from ratings.domain.runs import marking
from ratings.domain.site.acting import act_as
from ratings.models import Adjustment, BatchFile, Decision, Player, Proposal, RatingList
from ratings.queries.lists.history import export_history
from tests.factories import give_rating, give_ratings, make_list, make_player
from tests.formats.test_archives import make_history
from tests.markup import markup

from .way import person

pytestmark = pytest.mark.django_db(transaction=True)
OPENING = {"rating": 1500, "games": 40, "bonus_games": 40}


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def known(fesa):
    return [make_player("Adler", "Zoë", public_id="A2"), make_player("Bauer", "Max", country="DE", public_id="B2")]


def drop_history(client, user, **more):
    """Drop a history of two tables with an opening, a shift and a decision, and return the file of the rest."""
    document = json.loads(make_history("2022-01-01", "2022-02-01"))
    document["players"][0]["opening"] = OPENING
    document["adjustments"] = [{"date": "2022-03-01", "shift": 10, "reason": "deflation"}]
    document["decisions"] = [
        {"date": "2022-06-01", "player": "b", "grade": "1 Dan", "is": "given", "reason": "diploma"}
    ]
    client.force_login(user)
    data = json.dumps(document | more).encode()
    client.post("/organise/files/", {"uploads": [SimpleUploadedFile("h.json", data)]})
    return BatchFile.objects.get(name="h.json")


def address_of(file):
    return f"/organise/lists/fesa/uploaded-records/{file.pk}/"


def state_of(page):
    """Each record as (kind, player or name, day, what, problem, accepted)."""
    return [
        (str(record.kind), str(record.player or record.name), str(record.day), what, record.problem, record.is_accepted)
        for group in page.context["groups"]
        for record, what in group.records
    ]


def test_dropped_history_offers_its_records_and_saves_none(client, fesa, known):
    file = drop_history(client, person("officer", OFFICERS))
    page = client.get(file.batch.get_absolute_url())
    line = next(line for line in page.context["page"] if line.file == file)
    assert (line.title, line.address, line.button) == (
        "Starting ratings, adjustments and decisions", address_of(file), "Review records",
    )  # fmt: skip
    page = client.get(address_of(file))
    assert state_of(page) == [
        ("opening", "Adler Zoë", "2022-01-01", "rating 1500, bonus_games 40, games 40", "", False),
        ("adjustment", "", "2022-03-01", "all ratings +10", "", False),
        ("decision", "Bauer Max", "2022-06-01", "1 Dan: given", "", False),
    ]
    assert (Adjustment.objects.count(), Decision.objects.count()) == (0, 0)


def test_officer_accepts_a_kind_once_and_undoes_it(client, fesa, known):
    officer = person("officer", OFFICERS)
    file = drop_history(client, officer)
    response = client.post(address_of(file), {"accept": "opening"}, follow=True)
    assert [str(message) for message in response.context["messages"]] == [
        "1 record was accepted. The list is being rated again."
    ]
    row = Adjustment.objects.get()
    assert (row.list, row.player, row.date, row.set, row.source, row.made_by, row.reason) == (
        fesa, known[0], dt.date(2022, 1, 1), OPENING, "h.json", officer, "starting rating from the federation's list",
    )  # fmt: skip
    assert [entry[-1] for entry in state_of(response)] == [True, False, False]
    again = client.post(address_of(file), {"accept": "opening"})
    assert (again.status_code, Adjustment.objects.count()) == (422, 1)
    client.post(address_of(file), {"accept": "decision"})
    decision = Decision.objects.get()
    assert (decision.player, decision.grade, decision.ruling, decision.reason) == (
        known[1],
        "1 Dan",
        "given",
        "diploma",
    )
    undone = client.post(address_of(file), {"undo": "1"}, follow=True)
    assert [str(message) for message in undone.context["messages"]][-1] == "2 records were removed again."
    assert (Adjustment.objects.count(), Decision.objects.count()) == (0, 0)
    assert [entry[-1] for entry in state_of(undone)] == [False] * 3


def test_record_of_an_unknown_player_waits_until_the_player_is_known(client, fesa, known):
    officer = person("officer", OFFICERS)
    known[0].family_name = "Adlerova"
    known[0].save()
    file = drop_history(client, officer)
    problem = "Unknown player: accept the results first, or add the player."
    assert state_of(client.get(address_of(file)))[0][1:5:3] == ("Adler, Zoë", problem)
    assert client.post(address_of(file), {"accept": "opening"}).status_code == 422
    make_player("Adler", "Zoë")
    client.post(address_of(file), {"accept": "opening"})
    assert Adjustment.objects.get().player.family_name == "Adler"


@pytest.mark.parametrize("shown", ["anonymous", "initials"])
def test_records_of_the_own_export_are_accepted_for_hidden_players(shown, client, fesa, known):
    officer = person("officer", OFFICERS)
    with act_as(officer):
        set_visibility(known[0], shown)
    give_rating(fesa, known[0], 1400, "2021-01-01")
    name = export_history(fesa).players["A2"].name
    assert name == {"anonymous": "Player A2", "initials": "A. Z."}[shown]
    text = make_history("2022-01-01", "2022-02-01").decode()
    for before, after in (('"id": "a"', '"id": "A2"'), ('"a": "a"', '"a": "A2"'), ('["a", ', '["A2", ')):
        text = text.replace(before, after)
    document = json.loads(text)
    document["players"][0]["name"] = name
    given = {"date": "2022-03-01", "player": "A2", "set": OPENING, "reason": "r"}
    more = {"players": document["players"], "tables": document["tables"], "decisions": []}
    file = drop_history(client, officer, **more, adjustments=[given])
    client.post(address_of(file), {"accept": "opening"})
    assert Adjustment.objects.exclude(reason="opening").get().player == known[0]


def test_records_with_a_name_from_before_a_merge_are_accepted_for_the_player_who_stays(client, fesa, known):
    officer = person("officer", OFFICERS)
    gone = make_player("Adler", "Zoe", public_id="a")
    Player.objects.filter(pk=known[0].pk).update(family_name="Falke")
    Player.objects.filter(pk=gone.pk).update(merged_into=known[0])
    file = drop_history(client, officer)
    client.post(address_of(file), {"accept": "opening"})
    assert Adjustment.objects.get().player == known[0]


def test_record_that_the_list_has_is_not_offered_again(client, fesa, known):
    officer = person("officer", OFFICERS)
    Adjustment.objects.create(list=fesa, player=known[0], date="2022-01-01", set=OPENING, reason="before")
    file = drop_history(client, officer)
    assert state_of(client.get(address_of(file)))[0][4] == "This entry is already on the list."
    client.post(address_of(file), {"accept": "opening"})
    assert Adjustment.objects.count() == 1


def test_record_that_the_list_has_with_decimals_is_not_offered_again(client, fesa, known):
    officer = person("officer", OFFICERS)
    decimals = {name: float(value) for name, value in OPENING.items()}
    Adjustment.objects.create(list=fesa, player=known[0], date="2022-01-01", set=decimals, reason="before")
    file = drop_history(client, officer)
    assert state_of(client.get(address_of(file)))[0][4] == "This entry is already on the list."


def test_record_that_a_file_has_twice_is_accepted_once(client, fesa, known):
    shift = {"date": "2022-03-01", "shift": 10, "reason": "deflation"}
    file = drop_history(client, person("officer", OFFICERS), adjustments=[shift, shift | {"shift": 10.0}])
    assert [entry[4] for entry in state_of(client.get(address_of(file)))[1:3]] == [
        "This entry is in the file twice.",
        "",
    ]
    page = client.post(address_of(file), {"accept": "adjustment"}, follow=True)
    assert [entry[4:] for entry in state_of(page)[1:3]] == [("This entry is already on the list.", False), ("", True)]
    assert (client.post(address_of(file), {"accept": "adjustment"}).status_code, Adjustment.objects.count()) == (422, 1)


def test_refused_record_says_why_and_the_others_are_accepted(client, fesa, known):
    officer = person("officer", OFFICERS)
    five_dan = {"date": "2022-07-01", "player": "a", "grade": "5 Dan", "is": "given", "reason": "diploma"}
    one_dan = {"date": "2022-06-01", "player": "b", "grade": "1 Dan", "is": "given", "reason": "diploma"}
    file = drop_history(client, officer, decisions=[five_dan, one_dan])
    page = client.post(address_of(file), {"accept": "decision"})
    assert page.status_code == 422
    assert [problem.partition(": ")[0] for problem in page.context["problems"]] == ["Adler, Zoë"]
    assert "5 Dan needs approval on FESA" in page.text
    assert [decision.grade for decision in Decision.objects.all()] == ["1 Dan"]


def test_list_of_two_persons_gets_proposals_which_undo_withdraws(client, fesa, known):
    fesa.four_eyes = True
    fesa.save()
    officer = person("officer", OFFICERS)
    file = drop_history(client, officer)
    client.post(address_of(file), {"accept": "opening"})
    assert (Adjustment.objects.count(), Proposal.objects.get().state) == (0, "waiting")
    client.post(address_of(file), {"undo": "1"})
    assert Proposal.objects.get().state == "withdrawn"


@pytest.fixture
def two_persons(fesa):
    """Return two officers of a list that requires two persons."""
    RatingList.objects.update(four_eyes=True)
    return person("officer", OFFICERS), person("second", OFFICERS)


def texts_of(page):
    return [str(message) for message in page.context["messages"]]


def tags_of(page):
    return [tag for tag in TAGS if tag in markup(page)]


TAGS = (">Accepted<", ">Waiting for a second person<", ">Removal waits for a second person<")


def test_undo_proposes_to_remove_a_record_that_a_second_person_confirmed(client, known, two_persons):
    officer, second = two_persons
    file = drop_history(client, officer)
    page = client.post(address_of(file), {"accept": "opening"}, follow=True)
    assert tags_of(page) == [">Waiting for a second person<"]
    with act_as(second):
        confirm(Proposal.objects.get())
    assert tags_of(client.get(address_of(file))) == [">Accepted<"]
    page = client.post(address_of(file), {"undo": "1"}, follow=True)
    assert (page.status_code, tags_of(page)) == (200, [">Removal waits for a second person<"])
    assert texts_of(page) == ["1 record is removed when a second person confirms it."]
    removal = Proposal.objects.get(state="waiting")
    assert (removal.what, removal.target, Adjustment.objects.count()) == ("remove", Adjustment.objects.get().pk, 1)
    again = client.post(address_of(file), {"undo": "1"})
    assert (again.status_code, texts_of(again)) == (422, [])
    assert again.context["problems"] == ["Another change of this is already waiting for a second person."]
    with act_as(second):
        confirm(removal)
    assert (tags_of(client.get(address_of(file))), Adjustment.objects.count()) == ([], 0)
    client.post(address_of(file), {"accept": "opening"})
    assert Proposal.objects.filter(state="waiting", what="add").count() == 1


def test_record_that_a_second_person_refused_is_offered_again(client, known, two_persons):
    officer, second = two_persons
    file = drop_history(client, officer)
    client.post(address_of(file), {"accept": "opening"})
    with act_as(second):
        withdraw(Proposal.objects.get())
    page = client.get(address_of(file))
    assert (state_of(page)[0][4:], page.context["accepted"]) == (("", False), 0)
    client.post(address_of(file), {"accept": "opening"})
    assert list(Proposal.objects.values_list("state", flat=True)) == ["withdrawn", "waiting"]


def test_record_that_was_removed_by_hand_after_the_second_person_is_offered_again(client, known, two_persons):
    officer, second = two_persons
    file = drop_history(client, officer)
    client.post(address_of(file), {"accept": "opening"})
    with act_as(second):
        confirm(Proposal.objects.get())
    Adjustment.objects.all().delete()
    assert state_of(client.get(address_of(file)))[0][4:] == ("", False)
    page = client.post(address_of(file), {"undo": "1"})
    assert page.context["problems"] == ["Nothing is left to undo: the records were removed meanwhile."]
    client.post(address_of(file), {"accept": "opening"})
    assert Proposal.objects.filter(state="waiting").count() == 1


def test_undo_on_a_list_that_requires_two_persons_since_proposes_the_removal(client, fesa, known):
    file = drop_history(client, person("officer", OFFICERS))
    client.post(address_of(file), {"accept": "opening"})
    RatingList.objects.update(four_eyes=True)
    page = client.post(address_of(file), {"undo": "1"}, follow=True)
    assert texts_of(page)[-1] == "1 record is removed when a second person confirms it."
    assert (Adjustment.objects.count(), state_of(page)[0][5]) == (1, True)


def test_records_are_accepted_and_undone_for_each_list_alone(client, fesa, known):
    other = make_list("other")
    mine, theirs = person("mine", OFFICERS), person("theirs", OFFICERS)
    fesa.officers.add(mine)
    other.officers.add(theirs)
    file = drop_history(client, mine)
    client.force_login(theirs)
    client.post(address_of(file).replace("fesa", "other"), {"accept": "opening"})
    client.force_login(mine)
    assert address_of(file) in client.get("/organise/queue/").text
    assert state_of(client.get(address_of(file)))[0][4:] == ("", False)
    client.post(address_of(file), {"accept": "opening"})
    client.post(address_of(file), {"accept": "decision"})
    assert sorted(Adjustment.objects.values_list("list__slug", flat=True)) == ["fesa", "other"]
    page = client.post(address_of(file), {"undo": "1"}, follow=True)
    assert texts_of(page)[-1] == "2 records were removed again."
    assert (Adjustment.objects.get().list, Decision.objects.count()) == (other, 0)
    client.force_login(theirs)
    assert state_of(client.get(address_of(file).replace("fesa", "other")))[0][5]


def test_organiser_learns_that_officers_see_the_records_in_their_queue(client, fesa, known):
    file = drop_history(client, person("organiser", ORGANISERS))
    page = markup(client.get(file.batch.get_absolute_url()))
    assert "The officers of the list see them in their queue." in page
    assert address_of(file) not in page
    data = {"accept": "opening"}
    assert [client.get(address_of(file)).status_code, client.post(address_of(file), data).status_code] == [403, 403]
    client.force_login(person("officer", OFFICERS))
    assert f'<a href="{address_of(file)}">h.json</a>' in markup(client.get("/organise/queue/"))
    for kind in ("opening", "adjustment", "decision"):
        assert address_of(file) in client.get("/organise/queue/").text
        client.post(address_of(file), {"accept": kind})
    assert (Adjustment.objects.count(), Decision.objects.count()) == (2, 1)
    assert address_of(file) not in client.get("/organise/queue/").text
    client.post(address_of(file), {"undo": "1"})
    assert address_of(file) in client.get("/organise/queue/").text


def copy_for_another_system(file, count):
    """Store files of a system that has a list of others, later than a file."""
    make_list("chess", system="fide-2024").officers.add(person("chess", OFFICERS))
    head = {"records": {"system": "fide-2024", "number": 3}}
    BatchFile.objects.bulk_create(
        BatchFile(
            batch=file.batch, name="x", data=b"", digest=f"{number}", state="failed", problems=file.problems, head=head
        )
        for number in range(count)
    )


def test_queue_names_files_of_own_lists_without_reading_files(client, fesa, known):
    chief = person("chief", OFFICERS)
    fesa.officers.add(chief)
    file = drop_history(client, person("organiser", ORGANISERS))
    copy_for_another_system(file, 110)
    client.force_login(chief)
    with mock.patch.object(uploaded_records, "read_history", side_effect=AssertionError):
        page = client.get("/organise/queue/")
    assert [waiting.file for waiting in page.context["history_files"]] == [file]
    client.force_login(person("every", OFFICERS, is_superuser=True))
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/organise/queue/")
    assert (len(page.context["history_files"]), page.context["more_files"]) == (100, 11)
    assert "11 more are not listed." in page.text
    assert not [query for query in queries if '"ratings_batchfile"."data"' in query["sql"]]


def test_file_whose_other_records_the_list_has_leaves_the_queue(client, fesa, known):
    Adjustment.objects.create(list=fesa, player=known[0], date="2022-01-01", set=OPENING, reason="before")
    file = drop_history(client, person("officer", OFFICERS), decisions=[])
    client.post(address_of(file), {"accept": "adjustment"})
    assert address_of(file) not in client.get("/organise/queue/").text


def test_officer_dismisses_a_file_for_a_list_and_undoes_it(client, fesa, known):
    other = make_list("other")
    mine, theirs = person("mine", OFFICERS), person("theirs", OFFICERS)
    fesa.officers.add(mine)
    other.officers.add(mine, theirs)
    file = drop_history(client, mine)
    page = client.post(address_of(file), {"dismiss": "list"}, follow=True)
    assert "Dismissed for FESA: the queue does not name this file for them." in markup(page)
    assert address_of(file) not in client.get("/organise/queue/").text
    other_address = address_of(file).replace("fesa", "other")
    assert other_address in client.get("/organise/queue/").text
    client.post(address_of(file), {"dismiss": "all"})
    assert "h.json" not in client.get("/organise/queue/").text
    client.force_login(theirs)
    assert client.post(address_of(file), {"restore": "all"}).status_code == 403
    page = client.post(other_address, {"restore": "all"}, follow=True)
    assert page.context["dismissed"] == []
    assert other_address in client.get("/organise/queue/").text
    client.force_login(mine)
    page = client.post(address_of(file), {"restore": "all"}, follow=True)
    assert address_of(file) in client.get("/organise/queue/").text


def test_page_refuses_officers_of_other_lists_other_files_and_methods(client, fesa, known):
    other = person("other", OFFICERS)
    fesa.officers.add(person("chief", OFFICERS))
    file = drop_history(client, person("organiser", ORGANISERS))
    client.force_login(other)
    assert client.get(address_of(file)).status_code == 403
    assert client.post(address_of(file), {"accept": "opening"}).status_code == 403
    client.force_login(fesa.officers.get())
    assert client.put(address_of(file)).status_code == 405
    results = BatchFile.objects.exclude(pk=file.pk).first()
    assert [client.get(address_of(results)).status_code, client.get(f"{address_of(file)}9/").status_code] == [404, 404]
    other_system = make_list("chess", system="fide-2024")
    assert client.get(address_of(file).replace("fesa", other_system.slug)).status_code in (403, 404)
    client.logout()
    assert client.get(address_of(file)).url.startswith("/accounts/login/")
    assert Adjustment.objects.count() == 0


def drop_adjustments(client, officer, count):
    """Drop a history with so many adjustments that set the ratings of two players, and an opening."""
    days = [dt.date(2022, 3, 1) + dt.timedelta(days=number // 2) for number in range(count)]
    adjustments = [
        {"date": f"{day}", "player": "ab"[number % 2], "set": {"games": number + 1}, "reason": "r"}
        for number, day in enumerate(days)
    ]
    return drop_history(client, officer, adjustments=adjustments)


def count_queries(queries):
    """Return the numbers of queries that read, and of kinds of others: SQLite writes about 90 rows by a query."""
    reading = [query["sql"] for query in queries if query["sql"].lstrip("(").startswith("SELECT")]  # also of unions
    changes = [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    writing = {tuple(sql.split()[:3]) for sql in changes}
    return len(reading), len(writing)


@pytest.mark.parametrize("four_eyes", [False, True])
@pytest.mark.parametrize("count", [3, 300])
def test_many_records_are_accepted_with_few_queries(count, four_eyes, client, fesa, known):
    RatingList.objects.update(four_eyes=four_eyes)
    officer = person("officer", OFFICERS)
    give_ratings(fesa, known, 1400)
    file = drop_adjustments(client, officer, count)
    ContentType.objects.clear_cache()
    with act_as(officer), CaptureQueriesContext(connection) as queries, mock.patch.object(marking, "send_task") as sent:
        accepted = accept_records(file, RatingList.objects.get(), "adjustment")
    more = connection.vendor == "sqlite"  # permissions are read once more there
    assert count_queries(queries) == ((19 + more, 3) if four_eyes else (22 + more, 5))
    numbers = (0, count) if four_eyes else (count, 0)
    assert (accepted.saved, accepted.proposed, accepted.refused) == (*numbers, [])
    assert (Adjustment.objects.exclude(reason="opening").count(), Proposal.objects.count()) == numbers
    assert sent.mock_calls == ([] if four_eyes else [mock.call("ratings.rerate", fesa.pk)])
    made = Proposal if four_eyes else Adjustment
    logged = LogEntry.objects.get_for_model(made).filter(actor=officer)
    assert logged.filter(action=LogEntry.Action.CREATE).count() == count
    with act_as(officer), CaptureQueriesContext(connection) as queries, mock.patch.object(marking, "send_task") as sent:
        undone = undo_records(file, RatingList.objects.get())
    assert count_queries(queries) == ((11, 3) if four_eyes else (17, 5))
    assert (undone.removed, undone.proposed, undone.problems) == (count, 0, [])
    assert (Adjustment.objects.exclude(reason="opening").count(), len(sent.mock_calls)) == (0, 0 if four_eyes else 1)
    assert logged.exclude(action=LogEntry.Action.CREATE).count() == count

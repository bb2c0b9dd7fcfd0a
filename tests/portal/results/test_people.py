"""The page of a submission's names."""

import re

import pytest
from django.db import connection
from django.test import Client

from ratings.domain.results.officer_edits import list_edits
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, Spelling, Submission
from tests.factories import give_ratings, make_event, make_player, make_user
from tests.shared import reused

from .way import paste, person

QUERIES = 13

pytestmark = pytest.mark.django_db(transaction=True)

GRID = """[Autumn Cup, Lyon, France, 2024-05-04]
[2024-05-04]
[Time control: 30min + 30sec]
1 [Adler][Zoë] FR [2+ 3+ 4+] 3
2 [Bauerr][Maximilian] DE [1- 4+ 3+] 2
3 [Capkova][J.] CZ [4+ 1- 2-] 1
4 [Nobody][Atall] FR [3- 2- 1-] 0
5 [Martin][] FR [] 0
"""


@pytest.fixture
@reused
def players(fesa):
    several = [
        make_player("Adler", "Zoë", public_id="A2"),
        make_player("Bauer", "Maximilian", country="DE", public_id="B2"),
        make_player("Čapková", "Jana", country="CZ", public_id="C2"),
        make_player("Martin", "Hua", public_id="M2"),
        make_player("Martin", "Jean", country="BE", public_id="M3"),
    ]
    give_ratings(fesa, several, 2000)
    return several


@pytest.fixture
@reused
def submission(client, event, players):
    paste(client, event, GRID)
    return event.submissions.get()


def address(submission):
    return f"/organise/sheets/{submission.pk}/people/"


def choices(submission):
    submission.refresh_from_db()
    return [row.player or ("new" if row.new else "") for row in content_from_json(submission.content).rows]


def press(client, submission, button, **more):
    data = {"version": submission.version, button: more.pop("value", "1")} | more
    response = client.post(address(submission), data)
    submission.refresh_from_db()
    return response


def test_upload_with_open_names_leads_to_them_and_one_without_to_the_results(client, event, players):
    response = paste(client, event, GRID)
    submission = event.submissions.get()
    assert response.url == address(submission)
    known = GRID.replace("[Bauerr]", "[Bauer]").replace("[Capkova][J.]", "[Čapková][Jana]")
    known = known.replace("4 [Nobody][Atall] FR [3- 2- 1-] 0\n5 [Martin][] FR [] 0\n", "").replace("4+", "0+")
    other = make_event("Winter Cup", "2024-05-04", event.lists.all(), state="draft", created_by=event.created_by)
    assert paste(client, other, known).url == other.submissions.get().get_absolute_url()


def test_page_groups_names_and_gives_reasons(client, submission, players):
    response = client.get(address(submission))
    rows = [(row.number, row.group, row.player, row.choice) for row in response.context["people"].rows]
    adler, bauer, capek, *_ = players
    assert rows == [
        (1, "known", adler, ""),
        (2, "likely", bauer, ""),
        (3, "likely", capek, ""),
        (4, "not found", None, ""),
        (5, "not found", None, ""),
    ]
    text = " ".join(response.content.decode().split())
    for part in (
        "one letter differs; same country",
        "Known: 1. To check: 4.",
        "First name missing",
        "Similar: Martin, Hua (FR); Martin, Jean (BE)",
        "No player with a similar name on any list",
        "surer than 95 %",
    ):
        assert part in text, part
    assert " checked" not in text  # nothing is preselected


def test_accept_all_likely_takes_those_above_the_threshold_and_is_undone(client, submission):
    response = press(client, submission, "accept")
    assert (response.status_code, response.url) == (302, f"{address(submission)}?done=1")
    assert choices(submission) == ["", "B2", "", "", ""]
    assert list(Spelling.objects.values_list("written", "player__public_id")) == [("bauerr maximilian", "B2")]
    text = " ".join(client.get(response.url).content.decode().split())
    assert "1 likely player surer than 95 % was accepted." in text
    press(client, submission, "undo")
    assert (choices(submission), Spelling.objects.count()) == (["", "", "", "", ""], 0)


def test_undo_leaves_choices_that_were_changed_since(client, submission):
    press(client, submission, "accept")
    press(client, submission, "save", **{"row-3-choice": "C2"})
    assert choices(submission) == ["", "B2", "C2", "", ""]
    press(client, submission, "undo")
    assert choices(submission) == ["", "B2", "", "", ""]
    press(client, submission, "undo")  # nothing is left to undo
    assert choices(submission) == ["", "B2", "", "", ""]


def test_all_unknown_are_new_but_names_without_first_name(client, submission):
    press(client, submission, "new")
    assert choices(submission) == ["", "", "", "new", ""]


def test_bulk_button_saves_the_choices_of_the_page_first(client, submission):
    press(client, submission, "accept", **{"row-2-choice": "new", "row-3-choice": "C2"})
    assert choices(submission) == ["", "new", "C2", "", ""]


def test_check_goes_on_only_when_no_name_is_open(client, submission):
    response = press(client, submission, "check", **{"row-2-choice": "B2"})
    assert response.context["problems"] == ["3 names still need you."]
    decided = {"row-3-choice": "new", "row-4-choice": "new", "row-5-choice": "other", "row-5-other": "M3"}
    response = press(client, submission, "check", **decided)
    assert response.url == submission.get_absolute_url()
    assert choices(submission) == ["", "B2", "new", "new", "M3"]
    assert press(client, submission, "leave").url == f"/organise/events/{submission.event.public_id}/"


def test_another_player_is_searched_by_name_and_chosen(client, submission):
    response = press(client, submission, "find", value="4", **{"row-4-choice": "other", "row-4-q": "mar"})
    line = next(line for line in response.context["not_found"] if line.named.number == 4)
    assert [each.player.public_id for each in line.offered] == ["M2", "M3"]
    assert choices(submission)[3] == ""
    response = press(client, submission, "enter", **{"row-4-q": "m3"})
    line = next(line for line in response.context["not_found"] if line.named.number == 4)
    assert [each.player.public_id for each in line.offered] == ["M3"]


def test_known_player_can_be_changed(client, submission):
    assert "row-1-choice" not in client.get(address(submission)).content.decode()
    assert "row-1-choice" in client.get(f"{address(submission)}?show=all&change=1").content.decode()
    press(client, submission, "save", **{"row-1-choice": "new"})
    assert choices(submission)[0] == "new"


def test_filters_show_some_of_the_names(client, submission):
    press(client, submission, "save", **{"row-4-choice": "new"})

    def listed(query):
        context = client.get(address(submission) + query).context
        return [line.named.number for key in ("likely", "not_found", "known") for line in context[key]]

    assert listed("") == [2, 3, 4, 5, 1]
    assert listed("?show=open") == [2, 3, 5]
    assert listed("?show=decided") == [4]
    assert listed("?show=all&q=mart") == [5]
    assert listed("?show=nonsense&q=nobody%20else") == []


def test_two_rows_of_one_player_are_not_accepted_together(client, event, players):
    paste(client, event, GRID.replace("[Nobody][Atall] FR", "[Bauer][Maximilan] DE"))
    submission = event.submissions.get()
    assert "the same player as row 4" in " ".join(client.get(address(submission)).content.decode().split())
    press(client, submission, "accept")
    assert choices(submission) == [""] * 5


def test_stale_page_keeps_its_choices_and_saves_nothing(client, submission):
    stale = submission.version
    press(client, submission, "save", **{"row-3-choice": "C2"})
    response = client.post(address(submission), {"version": stale, "save": "1", "row-4-choice": "new"})
    assert response.status_code == 409
    assert "Your choices are shown below: check them and save again." in response.context["problems"]
    assert [row.choice for row in response.context["people"].rows] == ["", "", "same", "new", ""]
    assert choices(submission) == ["", "", "C2", "", ""]
    for button in ("accept", "new", "undo"):
        assert client.post(address(submission), {"version": stale, button: "1"}).status_code == 409
    assert choices(submission) == ["", "", "C2", "", ""]


def test_same_form_sent_twice_changes_nothing_more(client, submission):
    data = {"version": submission.version, "accept": "1"}
    assert client.post(address(submission), data).status_code == 302
    first = choices(submission)
    assert client.post(address(submission), data | {"version": submission.version}).status_code == 302
    assert (choices(submission), submission.version) == (first, 1)


def test_invalid_choices_change_nothing(client, submission):
    wrong = {
        "row-2-choice": "NOBODY1",
        "row-3-choice": "other",
        "row-99-choice": "new",
        "row-4-choice": "<b>",
        "find": "x",
    }
    assert press(client, submission, "save", **wrong).status_code == 302
    assert choices(submission) == [""] * 5


def test_strangers_and_wrong_addresses_and_methods_are_refused(client, submission, officer):
    assert client.get("/organise/sheets/999999/people/").status_code == 404
    assert client.delete(address(submission)).status_code == 405
    stranger = Client()
    assert stranger.get(address(submission)).status_code == 302
    response = stranger.post(address(submission), {"accept": "1"})
    assert (response.status_code, choices(submission)) == (403, [""] * 5)
    client.force_login(make_user("nobody"))
    assert client.get(address(submission)).status_code == 403
    client.force_login(person("elsewhere", "Organisers"))
    assert client.post(address(submission), {"accept": "1"}).status_code == 403
    assert choices(submission) == [""] * 5


def test_submitted_results_are_shown_without_fields(client, submission):
    Submission.objects.filter(pk=submission.pk).update(state="submitted")
    Event.objects.filter(pk=submission.event.pk).update(state="submitted")
    assert b'type="radio"' not in client.get(address(submission)).content
    response = client.post(address(submission), {"row-4-choice": "new"})
    assert response.status_code == 403
    assert response.context["problems"] == ["Your choices are not saved: these results are submitted."]
    assert choices(submission) == [""] * 5


@pytest.fixture
@reused
def first_grid(client, event, fesa):
    rows = "\n".join(f"{n} [Family{chr(65 + n % 26)}{n}][Given] FR [0-] 0" for n in range(1, 103))
    paste(client, event, f"[Autumn Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n{rows}\n")
    return event.submissions.get()


def test_first_grid_of_102_unknown_players_needs_two_clicks(client, first_grid):
    assert press(client, first_grid, "new").status_code == 302
    assert choices(first_grid) == ["new"] * 102
    assert press(client, first_grid, "check").url == first_grid.get_absolute_url()


def test_page_of_102_names_needs_the_same_queries_as_of_few(client, first_grid, django_assert_num_queries):
    # PostgreSQL also looks for similar names by the hundred; other databases read all names
    second_batch = int(connection.vendor == "postgresql")
    with django_assert_num_queries(QUERIES + second_batch):
        client.get(address(first_grid))


@pytest.fixture
def waiting(client, submission, officer):
    """Results with open names that wait for an officer, who is logged in."""
    act_as_officer(client, submission, officer)
    return submission


def act_as_officer(client, submission, officer):
    Submission.objects.filter(pk=submission.pk).update(state="submitted")
    Event.objects.filter(pk=submission.event_id).update(state="submitted")
    submission.refresh_from_db()
    client.force_login(officer)


def edits(submission):
    """Return the lines of each change of an officer, oldest first."""
    return [list(map(str, lines)) for step, lines in reversed(list_edits(submission))]


def test_officer_chooses_players_of_waiting_results(client, waiting):
    assert client.get(address(waiting)).context["editable"] is True
    press(client, waiting, "save", waiting="1", **{"row-2-choice": "B2", "row-4-choice": "new"})
    assert choices(waiting) == ["", "B2", "", "new", ""]
    assert edits(waiting) == [[
        "Bauerr Maximilian, player: – → Bauer Maximilian",
        "Nobody Atall, player: – → new player"]]  # fmt: skip
    assert waiting.state == "submitted"


def test_officer_accepts_likely_players_of_waiting_results_and_undoes_it(client, waiting, officer, mailoutbox):
    version = waiting.version
    response = press(client, waiting, "accept", waiting="1")
    page = client.get(response.url)
    assert [change.row for change in page.context["step"].rows] == [
        number for number, choice in enumerate(choices(waiting), 1) if choice
    ]
    assert (len(edits(waiting)), waiting.version) == (1, version + 1)
    press(client, waiting, "undo", waiting="1")
    assert (choices(waiting), len(edits(waiting))) == ([""] * 5, 2)
    assert client.get(address(waiting)).context["step"] is None
    assert not Spelling.objects.filter(user=officer).exists()


def test_officer_is_not_offered_to_undo_the_choices_of_the_organiser(client, submission, officer):
    press(client, submission, "new")
    stored = choices(submission)
    act_as_officer(client, submission, officer)
    assert client.get(address(submission)).context["step"] is None
    press(client, submission, "undo", waiting="1")
    assert (choices(submission), edits(submission)) == (stored, [])


def test_outdated_choices_of_an_officer_are_refused(client, waiting):
    stale = waiting.version
    press(client, waiting, "new", waiting="1")
    stored = choices(waiting)
    response = press(client, waiting, "save", waiting="1", version=stale, **{"row-2-choice": "B2"})
    assert (response.status_code, choices(waiting)) == (409, stored)
    Submission.objects.filter(pk=waiting.pk).update(state="returned")
    response = press(client, waiting, "save", waiting="1", **{"row-2-choice": "B2"})
    assert response.context["problems"] == ["Your choices are not saved: these results are returned."]
    assert (response.status_code, choices(waiting)) == (409, stored)


def test_organiser_cannot_choose_players_of_waiting_results(client, submission, officer):
    organiser = submission.event.created_by
    act_as_officer(client, submission, officer)
    client.force_login(organiser)
    for more in ({}, {"waiting": "1"}):
        assert press(client, submission, "save", **{"row-2-choice": "B2"}, **more).status_code == 403
    assert choices(submission) == [""] * 5


def test_whole_names_in_one_column_are_offered_first(client, event, players):
    namesakes = [make_player("Martin", "Luc", public_id=f"M{number}") for number in (4, 5)]
    give_ratings(event.lists.get(), namesakes, 1800)
    csv = "Nr,Name,Country,1\n1,Bauer Maximilian,DE,2+\n2,Zoë Adler,FR,1-\n3,Martin Luc,FR,4+\n4,Martin Hua,BE,3-\n"
    paste(client, event, csv)
    submission = event.submissions.get()
    page = client.get(address(submission))
    shown = [
        (line.named.row.name, str(line.named.candidate.player.public_id), line.named.is_sure)
        for line in page.context["likely"]
    ]
    assert shown == [
        ("Bauer Maximilian", "B2", True),
        ("Zoë Adler", "A2", True),
        ("Martin Hua", "M2", False),  # known with another country
    ]
    (twice,) = page.context["not_found"]
    assert (twice.named.row.name, [each.player.public_id for each in twice.rivals]) == ("Martin Luc", ["M4", "M5"])
    assert re.findall(r'name="row-[12]-choice" value="(.*?)"', page.text)[::3] == ["B2", "A2"]  # “Same”
    assert choices(submission) == ["", "", "", ""]
    press(client, submission, "accept")
    assert choices(submission) == ["B2", "A2", "", ""]

"""Buttons that fix problems of the results page, each with undo."""

import pytest

from ratings.domain.results.fixes import FIXES
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from tests.markup import markup
from tests.shared import reused

from .way import CLEAN, GRID, act, list_findings, paste, posted, save

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
@reused
def submission(client, event, players):
    paste(client, event)
    return event.submissions.get()


def press(client, submission, value, **more):
    response = client.post(submission.get_absolute_url(), posted(submission, **more) | {"fix": value})
    submission.refresh_from_db()
    return response


def cells(submission):
    return [row.cells for row in content_from_json(submission.content).rows]


def buttons(response):
    """Return the buttons of each finding: its message and their values with labels."""
    groups = [group for section in response.context["sections"] for group in section.groups]
    return {str(shown.finding.message): shown.buttons for group in groups for shown in group.findings}


def test_two_results_of_a_game_are_fixed_by_one_button_and_undone(client, submission):
    """Organisers' finding 10: problems name people, and buttons fix them."""
    response = client.get(submission.get_absolute_url())
    offered = dict(buttons(response))["Adler Zoë and Bauer Max both won"]
    assert offered == [
        ("win:1:1:2", "Adler won"),
        ("loss:1:1:2", "Bauer won"),
        ("draw:1:1:2", "Draw"),
        ("forfeit:1:1", "Not played: 0+ and 0-"),
    ]
    response = press(client, submission, "loss:1:1:2")
    assert [row[0] for row in cells(submission)] == ["2-", "1+", "0-"]
    assert response.context["fixed"] == ["Adler Zoë, round 1: “2+” became “2-”"]
    assert 'value="undo"' in response.content.decode()
    response = press(client, submission, "undo")
    assert [row[0] for row in cells(submission)] == ["2+", "1+", "0-"]
    assert response.context["fixed"] == []


@pytest.mark.parametrize(
    ("fix", "expected"),
    [
        ("win:1:1:2", ["2+", "1-", "0-"]),
        ("draw:1:1:2", ["2=", "1=", "0-"]),
        ("forfeit:1:1", ["0+", "0-", "0-"]),
        ("absent:1:1", ["0-", "1+", "0-"]),
        ("bye:3:1", ["2+", "1+", "0+"]),
        ("mirror:2:1", ["2-", "1+", "0-"]),
        ("win:1:1:9", ["2+", "1+", "0-"]),
        ("win:9:1", ["2+", "1+", "0-"]),
        ("absent:1:9", ["2+", "1+", "0-"]),
        ("forfeit:0:1", ["2+", "1+", "0-"]),
        ("mirror:1:0", ["2+", "1+", "0-"]),
        ("<script>", ["2+", "1+", "0-"]),
    ],
)
def test_fix_changes_both_rows_and_an_invalid_one_nothing(client, submission, fix, expected):
    assert press(client, submission, fix).status_code == 200
    assert [row[0] for row in cells(submission)] == expected
    press(client, submission, "undo")
    assert [row[0] for row in cells(submission)] == ["2+", "1+", "0-"]


@pytest.mark.parametrize(
    ("typed", "results"), [(["2+!/w", "1-/b"], ["2+/w", "1-/b"]), (["2-!/w", "1-!/b"], ["2+/w", "1-/b"])]
)
def test_fix_keeps_the_colours_of_a_game_by_default(typed, results):
    content = SheetContent(1, [SheetRow(f"Player {number}", cells=[text]) for number, text in enumerate(typed, 1)])
    FIXES["win"](None, content, 1, 1, 2)
    assert [row.cells[0] for row in content.rows] == results


def test_fix_keeps_what_was_typed_and_undo_what_was_typed_since(client, submission):
    press(client, submission, "draw:1:1:2", **{"row-3-round-1": "x?"})
    assert [row[0] for row in cells(submission)] == ["2=", "1=", "x?"]
    press(client, submission, "undo", **{"row-2-round-1": "0-", "row-3-round-2": "y"})
    assert cells(submission) == [["2+", "3+"], ["0-", "0+"], ["x?", "y"]]


def test_fix_keeps_the_handicap_of_a_game(client, submission):
    save(client, submission, **{"row-1-round-1": "2+(-2p)"})
    press(client, submission, "loss:1:1:2")
    assert [row[0] for row in cells(submission)] == ["2-(-2p)", "1+(+2p)", "0-"]


def test_opponents_who_disagree_are_fixed_by_a_row(client, submission):
    response = client.get(submission.get_absolute_url())
    offered = buttons(response)["Adler Zoë has Čapek Jan as opponent, but Čapek Jan has Bauer Max"]
    assert offered == [
        ("mirror:1:2", "As in the row of Adler"),
        ("forfeit:1:2", "Not played: 0+ and 0-"),
        ("absent:1:2", "Adler was absent: 0-"),
    ]


def test_missing_results_of_two_players_may_be_their_game(client, submission):
    response = save(client, submission, **{"row-1-round-1": "", "row-2-round-1": ""})
    finding = next(one for one in list_findings(response) if one[3].startswith("the result is missing"))
    assert finding[1:3] == (1, 1)
    offered = [value for value, _label in buttons(response)[finding[3]]]
    assert offered[:3] == ["win:2:1:1", "loss:2:1:1", "draw:2:1:1"]
    groups = [group for section in response.context["sections"] for group in section.groups]
    assert [group.buttons for group in groups if group.buttons] == [[("absent:0:1", "Round 1: all 2 absent")]]
    press(client, submission, "absent:0:1")
    assert [row[0] for row in cells(submission)] == ["0-", "0-", "0-"]


def test_empty_last_rounds_are_one_question_with_one_button(client, event, players):
    """Organisers' finding 14: a tournament in a template with more rounds."""
    paste(client, event, CLEAN.replace("[2+ 0+]", "[2+ 0- 0-]").replace("[1- 3+]", "[1- 0- 0-]")
          .replace("[0- 2-]", "[0+ 0- 0-]"))  # fmt: skip
    submission = event.submissions.get()
    response = client.get(submission.get_absolute_url())
    message = "nobody has a game in rounds 2 to 3: were fewer rounds played?"
    assert [text for _level, _row, _round, text in list_findings(response) if "nobody" in text] == [message]
    assert buttons(response)[message] == [("shorten:0:2", "Only 1 round was played")]
    press(client, submission, "shorten:0:2")
    assert cells(submission) == [["2+"], ["1-"], ["0+"]]
    press(client, submission, "undo")
    assert cells(submission) == [["2+", "0-", "0-"], ["1-", "0-", "0-"], ["0+", "0-", "0-"]]


def test_rounds_with_games_are_not_removed(client, submission):
    press(client, submission, "shorten:0:2")
    assert len(cells(submission)[0]) == 2


def test_days_of_the_event_replace_those_of_the_file(client, event, players):
    paste(client, event, GRID.replace("2024-05-04", "2016-05-04"))
    submission = event.submissions.get()
    press(client, submission, "days:0:0")
    assert (str(submission.first_day), str(submission.last_day)) == ("2024-05-04", "2024-05-04")
    press(client, submission, "undo")
    assert (str(submission.first_day), str(submission.last_day)) == ("2016-05-04", "2016-05-04")


def test_capitals_of_a_new_player_are_fixed(client, submission):
    save(client, submission, **{"row-3-family": "LIND", "row-3-given": "eva", "row-3-player": "new"})
    press(client, submission, "capitals:3:0", **{"row-3-player": "new"})
    row = content_from_json(submission.content).rows[2]
    assert (row.family, row.given) == ("Lind", "Eva")
    press(client, submission, "undo")
    assert content_from_json(submission.content).rows[2].family == "LIND"


def test_findings_are_shown_by_level_and_check_with_links_to_the_catalogue(client, submission):
    response = client.get(submission.get_absolute_url())
    sections = [
        (section.title, section.count, [group.check.code for group in section.groups])
        for section in response.context["sections"]
    ]
    assert sections == [("Errors", 3, ["contradiction", "opponent"]), ("Questions", 1, ["points"])]
    assert 'href="/rules/checks/#contradiction"' in response.content.decode()


def test_file_cut_off_is_one_error(client, event, players):
    rows = "".join(f"{number} [Adler][Zoë] FR [{number + 10}+] 1\n" for number in range(1, 5))
    paste(client, event, f"{CLEAN[: CLEAN.index('1 [')]}{rows}")
    response = client.get(event.submissions.get().get_absolute_url())
    found = [text for _level, _row, round_, text in list_findings(response) if round_ or "cut off" in text]
    assert found == ["the file seems cut off after player 4: opponents 5–14 are missing"]


def test_unclear_name_asks_for_the_candidate_and_one_click_chooses_them(client, event, players, organiser):
    paste(client, event, CLEAN.replace("[Bauer]", "[Baur]"))
    submission = event.submissions.get()
    page = client.get(submission.get_absolute_url())
    shown = next(
        shown for section in page.context["sections"] for group in section.groups for shown in group.findings
        if shown.finding.row == 2 and shown.asked
    )  # fmt: skip
    assert shown.asked == "Did you mean Bauer Max (DE, 2000, no event yet)?"
    assert shown.buttons == [("choose:2:B2", "Yes, Bauer Max")]
    assert f"<p>{shown.asked}</p>" in markup(page)
    page = press(client, submission, "choose:2:B2")
    assert content_from_json(submission.content).rows[1].player == "B2"
    assert page.context["checked"].ready
    assert "Baur Max, player: now “Bauer Max”" in markup(page)
    press(client, submission, "undo")
    assert content_from_json(submission.content).rows[1].player == ""


@pytest.mark.parametrize("fix", ["choose:9:B2", "choose:0:B2", "choose:2:NONE", "choose:2:b2'", "choose:2"])
def test_choice_of_an_unknown_row_or_player_changes_nothing(fix, client, event, players, organiser):
    paste(client, event, CLEAN.replace("[Bauer]", "[Baur]"))
    submission = event.submissions.get()
    page = press(client, submission, fix)
    assert (page.status_code, content_from_json(submission.content).rows[1].player) == (200, "")
    assert content_from_json(submission.content).last_fix is None


def test_refused_submission_names_the_candidates(client, event, players, organiser):
    paste(client, event, CLEAN.replace("[Bauer]", "[Baur]"))
    page = act(client, event, "submit")
    assert page.status_code == 422
    assert "Did you mean Bauer Max (DE, 2000, no event yet)?" in page.text

"""Findings of the results page about results and players."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import create_submission
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.management.bench.history import pairings
from ratings.models import ListPlayer, Player, RatingList, Submission, Upload
from tests.factories import make_event, make_player, make_table

from .way import CLEAN, GRID, act, list_findings, paste, posted, save

pytestmark = pytest.mark.django_db(transaction=True)


def test_faults_of_a_pasted_grid_are_reported_all_at_once_with_their_places(client, event, players):
    response = client.get(paste(client, event).url)
    assert list_findings(response) == [
        ("error", 1, 1, "Adler Zoë and Bauer Max both won"),
        ("error", 1, 2, "Adler Zoë has Čapek Jan as opponent, but Čapek Jan has Bauer Max"),
        ("error", 3, 2, "Čapek Jan has Bauer Max as opponent, but Bauer Max has no game in this round"),
        ("warning", 2, None, "points 1, but MacMahon and results give 2"),
    ]
    upload = Upload.objects.get()
    assert (bytes(upload.data), upload.format, upload.submission) == (GRID.encode(), "grid", event.submissions.get())


def test_row_after_the_end_of_a_grid_is_kept_and_reported(client, event, players):
    """Organisers' finding 10: nothing of a file is left out of the draft."""
    paste(client, event, CLEAN + "Thanks to all\n4 [Late][Er] FR [0- 0-] 0\n")
    submission = event.submissions.get()
    response = client.get(submission.get_absolute_url())
    rows = content_from_json(submission.content).rows
    assert [(row.family, row.given, row.cells) for row in rows][3:] == [("Late", "Er", ["0-", "0-"])]
    moved = "a player row after the end of the table; move it up or delete the text between"
    assert [finding[0] for finding in list_findings(response) if finding[3] == moved] == ["warning"]
    assert not response.context["checked"].ready


@pytest.fixture
def many_rows():
    """The rows of 40 known players with 9 rounds."""
    rows = [SheetRow(family=f"Family {number}", given="Ada", cells=[""] * 9) for number in range(1, 41)]
    for round_, a, b in pairings(40, 9):
        rows[a].cells[round_ - 1], rows[b].cells[round_ - 1] = f"{b + 1}+", f"{a + 1}-"
    for row in rows:
        make_player(row.family, row.given)
    return rows


def test_check_of_forty_players_and_nine_rounds_takes_ten_queries(
    event, organiser, django_assert_num_queries, many_rows
):
    submission = create_submission(event, SheetContent(9, many_rows), days=(event.start, event.end))
    event.place = "Lyon"
    with django_assert_num_queries(10):
        checked = check_submission(submission, content_from_json(submission.content), organiser)
    assert (checked.ready, len(checked.players), checked.findings) == (True, 40, [])


def test_check_of_a_list_that_requires_membership_takes_one_query_more(
    event, organiser, django_assert_num_queries, many_rows
):
    RatingList.objects.update(requires_membership=True)
    submission = create_submission(event, SheetContent(9, many_rows), days=(event.start, event.end))
    event.place = "Lyon"
    with django_assert_num_queries(11):
        checked = check_submission(submission, content_from_json(submission.content), organiser)
    (finding,) = checked.findings
    assert finding.message.endswith("Family 40 Ada. Enter it, or say why the results count")


def test_cure_writes_the_other_side_of_a_game(client, event, players):
    paste(client, event)
    submission = event.submissions.get()
    client.post(f"/organise/sheets/{submission.pk}/", posted(submission) | {"fix": "mirror:1:1"})
    submission.refresh_from_db()
    assert [row.cells for row in content_from_json(submission.content).rows] == [
        ["2+", "3+"],
        ["1-", "0+"],
        ["0-", "2-"],
    ]
    client.post(f"/organise/sheets/{submission.pk}/", posted(submission) | {"fix": "forfeit:1:2"})
    submission.refresh_from_db()
    assert [row.cells for row in content_from_json(submission.content).rows] == [
        ["2+", "0+"],
        ["1-", "0+"],
        ["0-", "0-"],
    ]


def test_new_player_is_made_when_the_results_are_accepted(client, event, players, officer):
    text = (
        GRID.replace("[1+ 0+] 1", "[1- 3+] 1")
        .replace("[2+ 3+] 2", "[2+ 0+] 2")
        .replace("[Capek][Jan] CZ", "[Neu][Eva] CZ")
    )
    paste(client, event, text)
    submission = event.submissions.get()
    response = client.get(f"/organise/sheets/{submission.pk}/")
    assert ("error", 3, None, "Neu Eva is unknown: correct the name, or choose “new player”") in list_findings(response)
    save(client, submission, **{"row-3-player": "new"})
    response = save(client, submission, **{"row-3-prior_grade": "3 Kyu", "row-3-evidence": "diploma"})
    for finding in response.context["checked"].warnings:
        save(client, submission, **{f"confirm-{finding.key}": "yes", "row-3-prior_grade": "3 Kyu",
                               "row-3-evidence": "diploma"})  # fmt: skip
    assert not Player.objects.filter(family_name="Neu").exists()
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    neu = Player.objects.get(family_name="Neu")
    assert (str(neu.country), ListPlayer.objects.get(player=neu).prior_grade) == ("CZ", "3 Kyu")


def test_choice_for_a_spelling_is_offered_again_to_the_same_user_only(client, event, players, officer):
    text = GRID.replace("[Bauer][Max]", "[Baur][Max]")
    paste(client, event, text)
    submission = event.submissions.get()
    response = client.get(f"/organise/sheets/{submission.pk}/")
    (candidate,) = response.context["checked"].candidates[2]
    assert (candidate.player, candidate.reason) == (players[1], "one letter differs; same country")
    save(client, submission, **{"row-2-player": players[1].public_id})
    other = make_event("Winter Cup", "2024-05-04", event.lists.all(), state="draft", created_by=event.created_by)
    paste(client, other, f"{text}\n")
    again = other.submissions.latest("pk")
    response = client.get(f"/organise/sheets/{again.pk}/")
    assert [c.reason for c in response.context["checked"].candidates[2]] == ["you chose this before"]
    assert ("error", 2, None, "Baur Max is unknown: choose a player, or “new player”") in list_findings(response)
    client.force_login(officer)
    response = client.get(f"/organise/sheets/{again.pk}/")
    assert "you chose this before" not in [c.reason for c in response.context["checked"].candidates[2]]


@pytest.mark.parametrize("text", ["", "nothing at all", "[x]", "PK\x03\x04", "{}"])
def test_unreadable_file_is_refused_with_a_reason(client, event, text):
    response = paste(client, event, text)
    assert (response.status_code, Submission.objects.count(), Upload.objects.count()) == (422, 0, 0)


def test_invalid_days_and_names_are_reported_and_keep_the_other_entries(client, event, players):
    paste(client, event)
    submission = event.submissions.get()
    assert save(client, submission, first_day="yesterday", name="A").status_code == 200
    assert (submission.name, str(submission.first_day)) == ("A", "2024-05-04")
    assert "the last day is before the first day" in {
        f[3] for f in list_findings(save(client, submission, first_day="2024-05-05"))
    }
    assert "this text has 101 characters; at most 100 can be stored" in {
        f[3] for f in list_findings(save(client, submission, name="A" * 101))
    }
    response = save(client, submission, **{"row-3-family": "X" * 101, "row-3-player": "new"})
    assert ("error", 3, None, "a name has at most 100 letters") in list_findings(response)


def test_files_of_an_event_are_listed_without_their_bytes(client, event, players):
    paste(client, event)
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/organise/events/{event.public_id}/")
    assert [q["sql"] for q in queries if '"ratings_upload"."data"' in q["sql"]] == []


@pytest.mark.parametrize("count", [2, 50])
def test_submission_takes_as_many_queries_for_many_rows_as_for_few(count, client, event):
    names = [make_player(f"Known{n}", "A").family_name for n in range(count)]
    rows = "".join(f"{n} [{name}][A] FR [0-] 0\n" for n, name in enumerate(names, 1))
    paste(client, event, f"[Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n[Time control: 30min + 30sec]\n{rows}")
    submission = event.submissions.get()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/organise/sheets/{submission.pk}/").context["checked"].errors == []
    assert len(queries) == 23


def test_announced_as_new_but_known_is_taken_as_the_same_and_wants_a_word(client, event, players):
    text = CLEAN.replace("3 [Capek][Jan] CZ", "3 N [Čapek][Jan] CZ")
    paste(client, event, text)
    submission = event.submissions.get()
    response = client.get(f"/organise/sheets/{submission.pk}/")
    findings = [one for one in list_findings(response) if one[0] != "hint"]
    assert findings == [("warning", 3, None, "announced as new, but Čapek Jan is known: taken as the same person")]
    assert response.context["checked"].players[3] == players[2]


def test_results_that_come_after_later_ones_are_reported(client, event, players, fesa):
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-06-01", event_name="Later")
    paste(client, event, CLEAN)
    response = client.get(event.submissions.get().get_absolute_url())
    late = "not after the last rated event of Adler Zoë, Bauer Max; later tables are rated again"
    assert ("warning", None, None, late) in list_findings(response)


def test_page_of_a_hostile_file_lists_500_findings_and_counts_the_others(client, event):
    rows = "".join(f"{n} [{'Long' * 25}{n}][<b>{n}] FR [{' '.join(['999+'] * 30)}] 0\n" for n in range(1, 201))
    assert paste(client, event, f"[Autumn Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n{rows}").status_code == 302
    submission = event.submissions.get()
    response = client.get(f"/organise/sheets/{submission.pk}/")
    found, text = len(response.context["checked"].findings), response.content.decode()
    assert found > 5_000
    assert text.count('id="finding-') == 500
    assert f"{found - 500} more problems are not listed." in text
    assert all(finding.level == "error" for finding in response.context["findings"])
    assert len(response.content) < 500 * 2_000 + 200 * 30 * 250


def test_table_that_is_too_large_for_one_page_is_refused(client, event):
    list_findings = "401 players × 30 rounds exceed the limit of 12000 results per table"
    rows = "".join(f"{n} [Name{n}][] FR [{' '.join(['0+'] * 30)}] 0\n" for n in range(1, 402))
    response = paste(client, event, f"[Autumn Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n{rows}")
    assert (response.status_code, list_findings in response.content.decode()) == (422, True)
    assert "Name401" in response.content.decode()  # what was pasted is still in the form
    address = f"/organise/events/{event.public_id}/results/"
    response = client.post(address, {"blank": "1", "players": "401", "rounds": "30"})
    assert (response.status_code, list_findings in response.content.decode()) == (422, True)
    assert not event.submissions.exists()
    client.post(address, {"blank": "1", "players": "4", "rounds": "3"})
    submission = event.submissions.get()
    response = save(client, submission, rows="401", rounds="30", resize="1")
    assert (response.status_code, list_findings in response.content.decode()) == (422, True)
    assert (len(submission.content["rows"]), submission.content["rounds"]) == (4, 3)

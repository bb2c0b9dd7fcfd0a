"""Typed data stays as typed, marked, until a person changes it."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.access import OFFICERS
from ratings.domain.results import submissions
from ratings.formats.sheet_content import content_from_json
from ratings.models import Submission
from tests.factories import make_player
from tests.markup import markup
from tests.submissions import begin
from tests.thorough import share

from .way import CLEAN, act, enter_confirmed_results, list_findings, paste, person, posted, save

pytestmark = pytest.mark.django_db

BAD = {"x": "“x” is not a result. Write the opponent’s row and + − or =, for example 7+",
       "9": "“9” is not a result. Write the opponent’s row and + − or =, for example 7+",
       "2+(-q)": "handicap “q” is not one of s l b r rl 2p 4p 5p 6p",
       "2#": "# stands for a no-show and can only follow 0",
       "2+ 3+": "several results in one round: write one, for example 7+"}  # fmt: skip


def cells(submission):
    submission.refresh_from_db()
    return [row.cells for row in content_from_json(submission.content).rows]


def row_of(name, *texts, row=1):
    return {f"row-{row}-family": name} | {f"row-{row}-round-{n}": text for n, text in enumerate(texts, 1)}


@pytest.mark.parametrize("text", BAD)
def test_check_keeps_an_invalid_cell_and_reports_it_every_time(text, client, event, players):
    submission = begin(client, event, 3, 1)
    for _ in range(2):
        response = save(client, submission, **{"row-1-family": "Adler", "row-1-round-1": text})
        assert cells(submission)[0] == [text]
        assert ("error", 1, 1, BAD[text]) in list_findings(response)
    assert act(client, event, "submit").status_code == 422
    assert cells(submission)[0] == [text]


def test_check_keeps_a_no_show_as_typed(client, event, players):
    submission = begin(client, event, 3, 1)
    response = save(client, submission, **{"row-1-family": "Adler", "row-1-round-1": "0#"})
    assert cells(submission)[0] == ["0#"]
    assert ("hint", 1, 1, "0# was read as an absence (0-)") in list_findings(response)


def test_one_invalid_cell_hides_no_other_problem(client, event, players):
    """Organisers' finding 10: both won, self-play, a missing opponent and unmirrored games beside an unreadable one."""
    submission = begin(client, event, 6, 3)
    for number in range(4, 7):
        make_player(f"Extra{number}")
    texts = {
        1: ("2+", "1+", "x"),
        2: ("1+", "0-", "0-"),
        3: ("99+", "4+", "0-"),
        4: ("0-", "5+", "0-"),
        5: ("0-", "4-", "0-"),
        6: ("0-", "0-", "0-"),
    }
    names = ("Adler", "Bauer", "Čapek", "Extra4", "Extra5", "Extra6")
    more = {}
    for number, row in texts.items():
        more |= row_of(names[number - 1], *row, row=number)
    response = save(client, submission, **more)
    assert [problem for problem in list_findings(response) if problem[0] == "error" and problem[2]] == [
        ("error", 1, 1, "Adler and Bauer both won"),
        ("error", 1, 2, "Adler plays against themselves"),
        ("error", 1, 3, BAD["x"]),
        ("error", 3, 1, "Čapek: opponent 99 does not exist; the table has 6 rows"),
        ("error", 3, 2, "Čapek has Extra4 as opponent, but Extra4 has Extra5"),
    ]


def test_upload_keeps_an_unreadable_result(client, event, players):
    paste(client, event, CLEAN.replace("[2+ 0+] 2", "[2? 0+] 2"))
    submission = event.submissions.get()
    assert cells(submission)[0] == ["2?", "0+"]
    response = client.get(submission.get_absolute_url())
    assert (
        "error",
        1,
        1,
        "“2?” is not a result. Write the opponent’s row and + − or =, for example 7+",
    ) in list_findings(response)
    assert [finding[:3] for finding in list_findings(response) if finding[0] == "error"] == [("error", 1, 1)]


def test_upload_keeps_a_line_that_cannot_be_read(client, event, players):
    paste(client, event, CLEAN.replace("2 [Bauer][Max] DE [1- 3+] 1", "2 [Bauer [Max] DE [1- 3+] 1"))
    submission = event.submissions.get()
    row = content_from_json(submission.content).rows[1]
    assert (row.family, row.unread) == ("", "2 [Bauer [Max] DE [1- 3+] 1")
    message = "this line of the file could not be read: “2 [Bauer [Max] DE [1- 3+] 1”; fill in the row"
    assert ("error", 2, None, message) in list_findings(client.get(submission.get_absolute_url()))


def test_upload_keeps_a_date_that_cannot_be_read(client, event, players):
    csv = "Event;Cup\nFirst day;2024-13-04\nNr;Last name;First name;Country;1\n1;Adler;Zoë;FR;2+\n2;Bauer;Max;DE;1-\n"
    paste(client, event, csv)
    submission = event.submissions.get()
    page = client.get(submission.get_absolute_url())
    assert (
        "error",
        None,
        None,
        "“2024-13-04” is not a date; write year, month and day, for example 2026-03-07",
    ) in list_findings(page)
    assert 'value="2024-13-04" aria-invalid="true"' in markup(page)
    save(client, submission, first_day="2024-05-04", last_day="2024-05-04")
    assert (submission.first_day, content_from_json(submission.content).typed) == (dt.date(2024, 5, 4), {})


def test_days_in_impossible_years_are_not_dates(client, event, players):
    submission = begin(client, event, 2, 1)
    response = save(client, submission, first_day="0001-01-01", last_day="9999-12-31")
    messages = [message for level, _row, _round, message in list_findings(response) if "is not a date" in message]
    assert [message[:12] for message in messages] == ["“0001-01-01”", "“9999-12-31”"]


def test_results_page_keeps_invalid_days_and_names(client, event, players):
    submission = begin(client, event, 3, 1)
    long = "N" * 101
    response = save(client, submission, first_day="someday", last_day="2024-05-04", name=long, **row_of("Adler", "0+"))
    assert content_from_json(submission.content).typed == {"first_day": "someday", "name": long}
    assert {problem[3] for problem in list_findings(response) if problem[1] is None} >= {
        "“someday” is not a date; write year, month and day, for example 2026-03-07",
        "this text has 101 characters; at most 100 can be stored",
    }
    page = markup(client.get(submission.get_absolute_url()))
    assert ('value="someday"' in page, f'value="{long}"' in page) == (True, True)
    response = save(client, submission, first_day="2024-05-05", last_day="2024-05-04", name="A")
    assert ("error", None, None, "the last day is before the first day") in list_findings(response)
    assert (submission.name, content_from_json(submission.content).typed["first_day"]) == ("A", "2024-05-05")


def test_years_of_a_new_player_are_kept_as_typed(client, fesa, event, players):
    fesa.system = "icu-1989"
    fesa.save()
    submission = begin(client, event, 3, 1)
    response = save(client, submission, **row_of("Neu", "0+"), **{"row-1-player": "new", "row-1-birth_year": "19x7"})
    assert content_from_json(submission.content).rows[0].typed == {"birth_year": "19x7"}
    assert ("error", 1, None, "“19x7” is not a year: write four digits, for example 1987") in list_findings(response)
    assert 'value="19x7"' in markup(client.get(submission.get_absolute_url()))
    save(client, submission, **{"row-1-player": "new", "row-1-birth_year": "1987"})
    row = content_from_json(submission.content).rows[0]
    assert (row.birth_year, row.typed) == (1987, {})


def test_table_is_not_made_smaller_over_entries(client, event, players):
    submission = begin(client, event, 3, 3)
    save(client, submission, **row_of("Adler", "2+", "0+", row=3))
    response = client.post(submission.get_absolute_url(), posted(submission, resize="1", rows="2", rounds="1"))
    assert (response.status_code, cells(submission)[2]) == (422, ["2+", "0+", ""])
    assert response.context["problems"] == [
        "Row 3 and round 2 still hold entries: clear them before you make the table smaller."
    ]
    client.post(submission.get_absolute_url(), posted(submission, resize="1", rows="3", rounds="2"))
    assert cells(submission)[2] == ["2+", "0+"]


def test_table_above_the_limit_is_saved_and_not_made_larger(client, event, players, monkeypatch):
    submission = begin(client, event, 3, 2)
    monkeypatch.setattr(submissions, "MAX_CELLS", 4)
    assert save(client, submission, **row_of("Adler", "2+")).status_code == 200
    assert cells(submission)[0] == ["2+", ""]
    response = save(client, submission, **row_of("Bauer", "3+"), **row_of("Čapek", "1-", row=4))
    assert (response.status_code, "exceed the limit of 4 results" in response.text) == (422, True)
    assert cells(submission)[0] == ["2+", ""]


def test_unused_rounds_of_a_template_are_left_out_with_one_hint(client, event, players, officer):
    """Organisers' finding 14: a tournament of three rounds in a template of five."""
    submission = begin(client, event, 3, 5)
    rows = row_of("", "2+", "0+", row=1) | row_of("", "1-", "3+", row=2) | row_of("", "0-", "2-", row=3)
    rows |= {f"row-{number}-player": player.public_id for number, player in enumerate(players, 1)}
    response = save(client, submission, **rows)
    assert list_findings(response) == [("hint", None, None, "rounds 3 to 5 are empty and are left out")]
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    assert list(event.tables.get().games.values_list("round", flat=True).distinct().order_by("round")) == [1, 2]


def test_blank_results_page_opens_without_an_error(client, event, players):
    """Organisers' finding 24."""
    submission = begin(client, event, 3, 2)
    page = client.get(submission.get_absolute_url())
    assert (list_findings(page), page.context["checked"].ready) == ([], False)
    assert "Type the players and results" in markup(page)
    assert act(client, event, "submit").status_code == 422


def test_second_save_of_an_outdated_page_is_not_saved_and_shows_both(client, event, players):
    submission = begin(client, event, 3, 1)
    old = submission.version
    save(client, submission, **row_of("Adler", "2+"))
    response = client.post(
        submission.get_absolute_url(),
        posted(submission, version=old, check="1") | row_of("Adler", "2-") | {"version": str(old)},
    )
    assert (response.status_code, cells(submission)[0]) == (409, ["2+"])
    assert response.context["problems"] == [
        "These results were changed meanwhile by organiser; your entries are not saved."
    ]
    assert [(c.round, c.names, c.old, c.new) for c in response.context["conflicts"]] == [(1, " – Adler", "0–1", "1–0")]
    page = markup(response)
    assert 'value="2-"' in page
    version = response.context["submission"].version
    response = client.post(
        submission.get_absolute_url(), posted(submission) | row_of("Adler", "2-") | {"version": str(version)}
    )
    assert (response.status_code, cells(submission)[0]) == (200, ["2-"])


def test_entries_for_submitted_results_are_shown_and_not_saved(client, event, players):
    paste(client, event, CLEAN)
    submission = event.submissions.get()
    assert act(client, event, "submit").status_code == 302
    response = client.post(submission.get_absolute_url(), posted(submission) | {"row-1-round-1": "2="})
    assert (response.status_code, cells(submission)[0]) == (403, ["2+", "0+"])
    assert ('value="2="' in markup(response), response.context["problems"]) == (
        True, ["Your entries are not saved: these results are submitted. You still see your entries below."],
    )  # fmt: skip


def test_post_after_a_lost_session_returns_the_entries(client, event, players):
    submission = begin(client, event, 3, 1)
    entries = posted(submission) | row_of("Adler “Zoë”", "2+") | {"row-2-family": "<b>"}
    client.logout()
    response = client.post(submission.get_absolute_url(), entries)
    page = markup(response)
    assert response.status_code == 403
    assert dict(response.context["fields"]) == {name: str(value) for name, value in entries.items()}
    assert 'name="row-2-family" value="&lt;b&gt;"' in page
    assert f"/accounts/login/?next=%2Forganise%2Fsheets%2F{submission.pk}%2F" in page
    client.force_login(User.objects.get(username="organiser"))
    client.post(submission.get_absolute_url(), dict(response.context["fields"]))
    assert content_from_json(submission.__class__.objects.get(pk=submission.pk).content).rows[0].family == "Adler “Zoë”"


def test_outdated_token_returns_the_entries_of_the_same_site_only(client, event, players):
    submission = begin(client, event, 3, 1)
    client.handler.enforce_csrf_checks = True
    own = client.post(submission.get_absolute_url(), row_of("Adler", "2+"), headers={"origin": "http://testserver"})
    assert (own.status_code, dict(own.context["fields"])) == (403, row_of("Adler", "2+"))
    other = client.post(submission.get_absolute_url(), row_of("Adler", "2+"), headers={"origin": "http://evil.example"})
    assert (other.status_code, "Adler" in markup(other)) == (403, False)


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
CELL = st.one_of(TEXT, st.from_regex(r"\A\d{0,3}[-+=#?]?(\([-+]?\w{0,2}\))?\Z"), st.sampled_from(["x", "9", "0#", "&"]))


@settings(max_examples=share(25, 3), deadline=None, suppress_health_check=list(HealthCheck))
@given(entries=st.dictionaries(st.tuples(st.integers(1, 3), st.integers(1, 3)), CELL, min_size=1, max_size=9),
       names=st.lists(TEXT, min_size=3, max_size=3), day=TEXT)  # fmt: skip
def test_random_texts_survive_check_save_reload_and_submit(entries, names, day, client, event, players):
    Submission.objects.all().delete()
    submission = begin(client, event, 3, 3)
    typed = {f"row-{row}-round-{round_}": text for (row, round_), text in entries.items()}
    typed |= {f"row-{number}-family": name for number, name in enumerate(names, 1)}
    if day.strip():
        typed["last_day"] = day
    for button in ("check", "done", "preview"):
        client.post(submission.get_absolute_url(), {**typed, button: "1"})
        act(client, event, "submit")
        submission.refresh_from_db()
        content = content_from_json(submission.content)
        stored = {
            f"row-{row}-round-{round_}": content.rows[row - 1].cells[round_ - 1]
            for (row, round_), text in entries.items()
            if text.strip()
        }
        stored |= {f"row-{number}-family": content.rows[number - 1].family for number in range(1, 4)}
        if day.strip():
            stored["last_day"] = content.typed.get("last_day", str(submission.last_day))
        assert stored == {name: text.strip() for name, text in typed.items() if text.strip() or "family" in name}


def test_invisible_characters_of_a_new_name_are_reported_and_kept(client, event, players):
    submission = begin(client, event, 2, 1)
    response = save(client, submission, **row_of("Ada\u202enaD", "2+"), **{"row-1-player": "new"})
    message = "the name contains invisible characters: U+202E RIGHT-TO-LEFT OVERRIDE"
    assert ("error", 1, None, message) in list_findings(response)
    assert content_from_json(submission.content).rows[0].family == "Ada\u202enaD"


def test_results_page_says_nothing_of_submitting_once_they_are_submitted(client, event, players):
    submission, response = enter_confirmed_results(client, event)
    assert "No problems found." in response.text
    act(client, event, "submit")
    shown = client.get(submission.get_absolute_url()).text
    assert ("No problems found." in shown, "Submit the results" in shown) == (False, False)
    client.force_login(person("officer", OFFICERS))
    shown = client.get(submission.get_absolute_url()).text
    assert ("No problems found." in shown, "Submit the results" in shown) == (True, False)

"""Findings that compare a submission with other events, with ratings, and with the names of new players."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ratings.domain.results.findings import Finding
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import create_submission
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Event, Federation, FederationMembership, RatingList, Submission
from tests.factories import give_rating, make_event, make_player, make_table

from .way import CLEAN, list_findings, paste

pytestmark = pytest.mark.django_db(transaction=True)


def check(event, *rows, days=None):
    """Return the questions about a submission with these rows."""
    days = days or (event.start, event.end)
    submission = create_submission(event, SheetContent(len(rows[0].cells), list(rows)), days=days)
    checked = check_submission(submission, content_from_json(submission.content), None)
    return [(finding.row, str(finding.message)) for finding in checked.warnings]


def new(family, given, **more):
    return SheetRow(family, given, "FR", new=True, **{"cells": ["0-"]} | more)


def questions(response):
    return [(row, text) for level, row, _round, text in list_findings(response) if level == "warning"]


def test_player_in_two_places_on_one_day_is_asked_about(client, event, players, fesa):
    event.place = "Lyon"
    event.save()
    for place in ("Lyon", "", "Paris"):
        other = make_event(f"Cup {place}", "2024-05-04", [fesa], place=place)
        make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-05-04", event=other)
    paste(client, event, CLEAN)
    found = questions(client.get(event.submissions.get().get_absolute_url()))
    text = "2 players also played in “Cup Paris” in Paris on 2024-05-04: Adler Zoë, Bauer Max; which is right?"
    assert (None, text) in found
    assert not [each for each in found if "in Lyon" in each[1] or "“Cup ”" in each[1]]


def test_player_in_a_waiting_event_elsewhere_is_asked_about(client, event, players, fesa):
    event.place = "Lyon"
    event.save()
    other = make_event("Cup", "2024-05-03", [fesa], end="2024-05-05", place="Bern", state="submitted")
    rows = [SheetRow(player=players[0].public_id, cells=["0-"]), SheetRow("Someone", "Else", cells=["0-"])]
    waiting = create_submission(other, SheetContent(1, rows), days=(other.start, other.end))
    Submission.objects.filter(pk=waiting.pk).update(state="submitted")
    paste(client, event, CLEAN)
    found = questions(client.get(event.submissions.get().get_absolute_url()))
    assert (1, "Adler Zoë also played in “Cup” in Bern on 2024-05-03: is it the right player?") in found


def test_two_new_players_of_one_name_are_asked_about(event):
    found = check(event, new("Lind", "Ada"), new("Lind", "Bo"), new("Lind", "Ada"))
    assert (3, "Lind Ada is also new in row 1: are they two people?") in found
    assert [row for row, text in found if "two people" in text] == [3]


def test_damaged_and_unusual_names_are_asked_about(event):
    rows = (new("S�rensen", "Bo"), new("LIND", "Ada"), new("Berg", "X"), new("Dahl", "Eva", birth_year=2023))
    found = [each for each in check(event, *rows) if each[0] and "has no game" not in each[1]]
    assert found == [
        (1, "a letter of “S�rensen Bo” was lost or read wrongly: type the name again"),
        (2, "“LIND Ada” is a new player: should the name be written “Lind Ada”?"),
        (4, "Dahl Eva is a new player, born in 2023: is that right?"),
    ]


def test_score_far_from_the_ratings_is_asked_about(event, fesa):
    ratings = (800, 2000, 2000, 2000, 2000)
    players = [make_player(f"Player{number}", "A") for number in range(1, 6)]
    for player, rating in zip(players, ratings, strict=True):
        give_rating(fesa, player, rating)
    cells = [["2+", "3+", "4+", "5+"], *([""] * i + ["1-"] + ["0-"] * (3 - i) for i in range(4))]
    cells = [[text or "0-" for text in row] for row in cells]
    rows = [SheetRow(player.family_name, "A", cells=row) for player, row in zip(players, cells, strict=True)]
    (found,) = [text for _row, text in check(event, *rows) if "expected" in text]
    assert found.startswith("Player1 A, rated 800, scored 4 of 4 against opponents rated 2000 on average, where 0.0")


def test_printed_rating_far_from_the_list_is_asked_about(event, players):
    printed = {"grade": "", "rating": 1200, "starred": False, "change": 0, "promoted": None}
    rows = [SheetRow("Adler", "Zoë", cells=["2+"], printed=printed), SheetRow("Bauer", "Max", cells=["1-"])]
    text = f"the file gives Adler Zoë the rating 1200, {event.lists.get()} has 2000: is it the right player?"
    assert (1, text) in check(event, *rows)


def test_file_of_another_year_is_asked_about(client, event, players):
    """Organisers' finding 11: a 2016 file in a 2026 event."""
    paste(client, event, CLEAN.replace("2024-05-04", "2016-05-04"))
    found = questions(client.get(event.submissions.get().get_absolute_url()))
    text = "these results are from 2016-05-04, but the event is on 2024-05-04: is it the right file?"
    assert (None, text) in found


def test_days_outside_an_event_of_several_days_are_named(client, event, players):
    Event.objects.filter(pk=event.pk).update(end=event.start + dt.timedelta(days=1))
    paste(client, event, CLEAN.replace("2024-05-04", "2016-05-04", 1).replace("2024-05-04", "2016-05-06"))
    found = questions(client.get(event.submissions.get().get_absolute_url()))
    days, event_days = "2016-05-04 – 2016-05-06", "2024-05-04 – 2024-05-05"
    assert (None, f"these results are from {days}, but the event is on {event_days}: is it the right file?") in found


def test_encoding_is_remarked_for_files_only(client, event, players):
    remark = "the file is in UTF-8; the federation's own program reads ISO-8859-1 only"
    paste(client, event, CLEAN)
    pasted = list_findings(client.get(event.submissions.get().get_absolute_url()))
    assert remark not in [finding[3] for finding in pasted]
    file = SimpleUploadedFile("grid.txt", f"{CLEAN}\n".encode())
    client.post(f"/organise/events/{event.public_id}/results/", {"file": file})
    uploaded = list_findings(client.get(event.submissions.latest("pk").get_absolute_url()))
    assert remark in [finding[3] for finding in uploaded]


def require_membership(event, *days):
    """Let the event's list require membership; `days` are players with the last day of each."""
    RatingList.objects.update(requires_membership=True)
    for player, day in days:
        FederationMembership.objects.create(federation=event.lists.get().federation, player=player, until=day)


def test_lapsed_and_missing_memberships_are_asked_about_where_the_list_requires_them(event, players):
    rows = [SheetRow("Adler", "Zoë", cells=["2+"]), SheetRow("Bauer", "Max", cells=["1-"])]
    rows += [SheetRow("Čapek", "Jan", cells=["4+"]), new("Lind", "Ada", cells=["3-"])]
    FederationMembership.objects.create(
        federation=Federation.objects.create(name="Other", slug="other"), player=players[2], until="2030-12-31"
    )
    assert [text for _row, text in check(event, *rows) if "membership" in text] == []
    require_membership(event, (players[0], event.end), (players[1], "2024-05-03"))
    assert [each for each in check(event, *rows) if "membership" in each[1]] == [
        (None, "the membership of FESA ended before the last day of these results: Bauer Max (2024-05-03). Renew it, or say why the "
               "results count"),
        (None, "no membership of FESA is recorded for Čapek Jan, Lind Ada. Enter it, or say why the results count"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", "Adler Zoë (3 May 2024), Bauer Max (2 May 2024)"),
        ("ja", "Adler Zoë（2024年5月3日）、Bauer Max（2024年5月2日）"),
    ],
)
def test_lapsed_memberships_are_enumerated_in_the_language_of_the_page(language, names, client, event, players):
    require_membership(event, (players[0], "2024-05-03"), (players[1], "2024-05-02"), (players[2], event.end))
    paste(client, event, CLEAN)
    page = client.get(event.submissions.get().get_absolute_url(), headers={"Accept-Language": language})
    assert names in page.text


def test_confirmation_of_an_earlier_release_counts(event, players):
    """Lists of names were stored as one text, from which the identifier of a warning is made."""
    names = ["Adler Zoë", "Bauer Max"]
    old, new = (
        Finding("warning", SubmissionProblem.MEMBERSHIP_MISSING(federation="FESA", names=each))
        for each in (", ".join(names), names)
    )
    assert (new.key, new.message) == (old.key, old.message)


def test_lapsed_membership_of_submitted_results_only_informs(event, players):
    require_membership(event, (players[0], "2024-01-01"))
    rows = [SheetRow("Adler", "Zoë", cells=["2+"]), SheetRow("Bauer", "Max", cells=["1-"])]
    submission = create_submission(event, SheetContent(1, rows), days=(event.start, event.end))
    submission.state = Submission.State.SUBMITTED
    checked = check_submission(submission, content_from_json(submission.content), None)
    assert checked.warnings == []
    assert [finding.level for finding in checked.findings if "membership" in finding.message] == ["hint", "hint"]

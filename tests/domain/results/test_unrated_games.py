"""Games that are not rated, on their way from a file to a table and back: by default, without rating, byes."""

import datetime as dt
import json

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.events.tables import build_games
from ratings.domain.results.accepting import accept
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.crosstable_input import TypedRow, read_crosstable
from ratings.domain.results.deleting import delete_table, restore_table
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.results.table_versions import build_content_from_table, list_changes
from ratings.domain.runs.rerating import sweep
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.history.file import write_history
from ratings.formats.history.table import read_history_table
from ratings.formats.lossless import lossless_formats
from ratings.formats.opengotha.written import write_opengotha
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.formats.trf.table import write_trf
from ratings.models import Change, Event, Game, Table
from ratings.queries.events.crosstables import crosstables
from ratings.queries.events.parsed_tables import parsed_table
from ratings.queries.lists.history import export_history
from ratings.systems.values import GameKind, invert_score
from tests.factories import make_event, make_list, make_user
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 3, 7)
ROUNDS = [
    ["   2 w 1", "   3 b +", "   4 w W", "0000 - U"],
    ["   1 b 0", "   4 w -", "   3 - D", "0000 - F"],
    ["   4 w =", "   1 w -", "   2 - D", "0000 - H"],
    ["   3 b =", "   2 b -", "   1 b L", "0000 - Z"],
]
"""Rounds of four players: played, by default (both lost the second game), without rating, all kinds of byes."""
NAMES = ["Adler, Zoë", "Berg, Jan", "Cruz, Eva", "Dorn, Luc"]
POINTS = [4, 1.5, 1.5, 0.5]


def make_trf(rounds):
    head = ["012 Cup", "042 2026/03/07", "052 2026/03/07", "062 4"]
    rows = [
        f"001 {number:>4}      {name:<33}      GER {'':11} {'':10} {points:>4.1f}       {'  '.join(cells)}"
        for number, (name, points, cells) in enumerate(zip(NAMES, POINTS, rounds, strict=True), 1)
    ]
    return "\r\n".join([*head, *rows, ""]).encode()


@pytest.fixture
def user():
    return make_user("organiser", is_superuser=True)


def accept_file(data, user, rating_list):
    """Return the table of a file whose warnings are confirmed and whose unknown players are new."""
    event = make_event("Cup", str(DAY), [rating_list], state=Event.State.DRAFT, created_by=user)
    with act_as(user):
        found = read_results_file(data, Head("Cup", DAY, DAY), DAY)
        file = ResultsFile("x", data, found.format, found.table, found.problems)
        submission, _ = create_submission_from_file(event, file)
        content = content_from_json(submission.content)
        known = check_submission(submission, content, None)
        for number, row in enumerate(content.rows, 1):
            row.new = number not in known.players
            row.country = row.country or "DE"
        for warning in check_submission(submission, content, None).warnings:
            content.confirmed[warning.key] = "yes"
        save_submission(submission, content)
        submit(event)
        accept(event)
    return Table.objects.get(event=event)


def list_games(table):
    games = Game.objects.filter(table=table).select_related("a", "b")
    return [(g.round, g.a.number, g.b and g.b.number, g.score, g.played, g.black, g.kind) for g in games]


def export(table):
    return parsed_table(crosstables(table.event, None)[0], published=False)


def test_trf_is_written_as_it_was_accepted(user):
    table = accept_file(make_trf(ROUNDS), user, make_list(system="icu-1989"))
    lines = [line[91:] for line in write_trf(export(table)).splitlines() if line.startswith("001")]
    assert lines == ["  ".join(cells) for cells in ROUNDS]
    assert list_games(table) == [
        (1, 1, 2, 1, True, "b", ""), (1, 3, 4, 0.5, True, "b", ""),
        (2, 1, 3, 1, False, "a", ""), (2, 2, 4, 0, False, "b", GameKind.BOTH_LOST),
        (3, 1, 4, 1, False, "b", GameKind.UNRATED), (3, 2, 3, 0.5, False, None, GameKind.UNRATED),
        (4, 1, None, 1, False, None, ""), (4, 2, None, 1, False, None, GameKind.FULL_BYE),
        (4, 3, None, 0.5, False, None, ""), (4, 4, None, 0, False, None, ""),
    ]  # fmt: skip
    assert [row.points for row in crosstables(table.event, None)[0].rows] == POINTS


def test_ratings_are_those_of_the_table_with_byes_in_place_of_these_games(user):
    byes = [[cells[0], *(f"0000 - {sign}" for sign in signs)] for cells, signs in
            zip(ROUNDS, ["FFF", "ZHF", "ZHH", "ZZZ"], strict=True)]  # fmt: skip
    states = []
    for name, rounds in (("one", ROUNDS), ("two", byes)):
        rating_list = make_list(name, system="fesa-2016")
        accept_file(make_trf(rounds), user, rating_list)
        sweep()
        changes = Change.objects.filter(list=rating_list)
        states.append(sorted((str(each.after), str(each.change), each.games, str(each.state)) for each in changes))
        Event.objects.all().update(state=Event.State.VOID)
        day = DAY - dt.timedelta(days=1)  # the results of the other file are the same
        Table.objects.all().update(first_day=day, last_day=day)
    assert len(states[0]) == 4
    assert states[0] == states[1]


def test_correction_starts_from_the_same_results_and_shows_no_change(user):
    table = accept_file(make_trf(ROUNDS), user, make_list(system="icu-1989"))
    content = build_content_from_table(table)
    assert [row.cells for row in content.rows] == [
        ["2+/w", "3+!/b", "4+u/w", "0+"],
        ["1-/b", "4-!/w", "3=u", "0+f"],
        ["4=/w", "1-!/w", "2=u", "0="],
        ["3=/b", "2-!/b", "1-u/b", "0-"],
    ]
    with act_as(user):
        correction = get_or_create_correction(table)
    assert list_changes(correction, content) == []
    content.rows[1].cells[1], content.rows[3].cells[1] = "4+!/w", "2-!/b"
    changes = [(change.round, change.old, change.new) for change in list_changes(correction, content)]
    assert changes in ([(2, "0–0! /b", "0–1! /b")], [(2, "0–0! /w", "1–0! /w")])  # the first by the random id is first


def test_deleted_table_is_restored_with_its_unrated_games(user):
    table = accept_file(make_trf(ROUNDS), user, make_list(system="icu-1989"))
    games = list_games(table)
    with act_as(user):
        delete_table(table, reason="entered twice")
        restore_table(Table.with_deleted.get(pk=table.pk))
    assert list_games(table) == games


def test_other_formats_are_offered_where_they_tell_these_games_apart(user):
    table = export(accept_file(make_trf(ROUNDS), user, make_list(system="icu-1989")))
    assert set(lossless_formats(table)) == {"trf", "csv", "xlsx"}
    for row in table.rows:  # without the games played without rating, and the half-point bye
        del row.cells[2:]
    assert set(lossless_formats(table)) == {
        "trf",
        "opengotha",
        "chessresults",
        "csv",
        "xlsx",
    }  # .h9 has no colours here


H9 = b"""; EV[Cup]
; DT[2026-03-07,2026-03-07]
1 Adler Ada 5d DE Saml 2 0 0 0 2+/w0 3+!
2 Berg Jan 4d DE Saml 0 0 0 0 1-/b0 4-!
3 Cruz Eva 3d DE Saml 0 0 0 0 4-/w0 1-!
4 Dorn Luc 2d DE Saml 1 0 0 0 3+/b0 2-!
"""


def test_h9_is_written_with_the_opponents_of_games_by_default(user):
    table = accept_file(H9, user, make_list(system="bgf"))
    assert list_games(table)[2:] == [
        (2, 1, 3, 1, False, None, ""), (2, 2, 4, 0, False, None, GameKind.BOTH_LOST)]  # fmt: skip
    parsed = export(table)
    assert "h9" in lossless_formats(parsed)
    assert "tou" not in lossless_formats(parsed)
    xml = write_opengotha(parsed)
    assert [part.split('"')[1] for part in xml.split("result=")[1:]] == [
        "RESULT_WHITEWINS", "RESULT_BLACKWINS", "RESULT_WHITEWINS_BYDEF", "RESULT_BOTHLOSE_BYDEF"]  # fmt: skip
    second = make_list("second", system="bgf")
    with pytest.raises(ValidationError, match="already has exactly these results"):
        accept_file(xml.encode(), user, second)
    again = accept_file(xml.encode().replace(b"BLACKWINS", b"WHITEWINS"), user, second)
    assert list_games(again)[2:] == list_games(table)[2:]


MACMAHON = (SAMPLES / "macmahon" / "by-referee.xml").read_bytes()


def test_macmahon_game_decided_by_the_referee_has_its_opponent(user):
    table = accept_file(MACMAHON, user, make_list(system="bgf"))
    assert [game for game in list_games(table) if not game[4] and game[2]] == [(1, 1, 3, 1, False, "b", "")]


def test_history_names_the_kinds(user):
    rating_list = make_list(system="icu-1989")
    table = accept_file(make_trf(ROUNDS), user, rating_list)
    sweep()
    document = json.loads(write_history(export_history(rating_list)))
    assert [game.get("kind") for game in document["tables"][0]["games"]] == [
        None, None, None, "both lost", "unrated", "unrated", None, "full bye", None, None]  # fmt: skip
    parsed, problems = read_history_table(json.dumps(document).encode(), Head("Cup", DAY, DAY), DAY)
    assert problems.fatal is False
    assert build_games(parsed.rows) == build_games(export(table).rows)


def test_same_file_is_recognised_after_an_earlier_release_stored_it_without_opponents(user):
    fesa = make_list(system="icu-1989")
    table = accept_file(make_trf(ROUNDS), user, fesa)
    for game in table.games.filter(played=False):
        if game.b:
            Game.objects.create(
                table=table, round=game.round, a=game.b, score=invert_score(game.score, game.kind), played=False
            )
        game.b, game.kind, game.black = None, "", None
        game.save()
    event = make_event("Cup again", str(DAY), [fesa], state=Event.State.DRAFT, created_by=user)
    found = read_results_file(make_trf(ROUNDS), Head("Cup again", DAY, DAY), DAY)
    with act_as(user):
        file = ResultsFile("x", b"x", found.format, found.table, found.problems)
        submission, _ = create_submission_from_file(event, file)
        checked = check_submission(submission, content_from_json(submission.content), None)
    assert checked.duplicate == table


@pytest.mark.parametrize(
    ("cells", "stored"),
    [
        (("2+!/w4", "1-!/b4"), (1, "b", 4, None, None)),
        (("2+u/b2", "1-u/w2"), (1, "a", 2, None, None)),
        (("2-!(-r)", "1+!(+r)"), (0, None, 0, "r", "a")),
    ],
)
def test_handicap_and_stones_of_a_game_that_is_not_rated_stay(cells, stored):
    typed = [TypedRow(number, None, "", (text,), f"Player {number}") for number, text in enumerate(cells, 1)]
    read = read_crosstable(typed)
    [game] = build_games(read.rows)
    assert (game.score, game.black, game.stones or 0, game.handicap, game.giver) == stored
    assert game.played is False


@pytest.mark.parametrize(
    "cells", [("2+!/w4", "1-!/b2"), ("2+u(-r)", "1-u(-r)"), ("2+!(-r)", "1-!"), ("2+u/w", "1-u/w")]
)
def test_contradiction_in_a_game_that_is_not_rated_is_an_error(cells):
    typed = [TypedRow(number, None, "", (text,), f"Player {number}") for number, text in enumerate(cells, 1)]
    problems = read_crosstable(typed).problems.all
    assert [(problem.level, problem.row, problem.round) for problem in problems if problem.level == "error"] == [
        ("error", 1, 1)
    ]


@pytest.mark.parametrize(
    ("rounds", "reported"),
    [
        ((("2+u", "2-u"), ("1-u", "1+u")), []),
        ((("2+u", "2+!"), ("1-u", "1-!")), ["nobody has a game in the last round, 2: were fewer rounds played?"]),
        ((("2+", "0+"), ("1-", "0-")), ["nobody has a game in the last round, 2: were fewer rounds played?"]),
    ],
)
def test_games_played_without_rating_are_games_and_those_by_default_are_none(rounds, reported):
    typed = [TypedRow(number, None, "", cells, f"Player {number}") for number, cells in enumerate(rounds, 1)]
    assert [str(problem.message) for problem in read_crosstable(typed).problems.all] == reported

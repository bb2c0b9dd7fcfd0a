"""Tables as TRF26: what is public about the players, places, byes, and what the accepted file says of the pairing."""

import datetime as dt

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.results.accepting import accept
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.localize import translate_message
from ratings.models import Adjustment, Entry, Event, Game, OutsideId, Player
from tests.factories import make_event, make_list, make_player, make_table, make_user
from tests.formats.test_samples import SAMPLES

from .chess_tables import give_starting_ratings, make_chess_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def chess(rate_all):
    """A table of four players: one publishes all, one nothing, one is shown by initials, one has no rating."""
    standard = make_chess_list()
    standard.federation.records_gender = True
    standard.federation.save()
    facts = {"birth_date": dt.date(1990, 5, 1), "gender": "female"}
    players = [
        make_player("Adler", "Änne", country="DE", birth_public=True, gender_public=True, **facts),
        make_player("Bauer", "Bea", country="FR", **facts),
        make_player("Curie", "Cleo", country="FR", birth_public=True, gender_public=True, shown="initials", **facts),
        make_player("Duval", "Dan", country="FR", gender="male", gender_public=True),
    ]
    for number, player in enumerate(players):
        OutsideId.objects.create(player=player, registry="fide", value=f"123456{number}", confirmed_at=timezone.now())
    give_starting_ratings(standard, players[:3])
    for player, confirmed in ((players[0], timezone.now()), (players[1], None), (players[2], timezone.now())):
        OutsideId.objects.create(
            player=player, registry="national", country="DE", value=f"{player.pk}77", confirmed_at=confirmed
        )
    event = make_event("Cup", "2024-05-04", [standard], place="Gent", country="BE")
    games = [
        (1, 1, 2, 1.0, {"black": "b"}),
        (1, 3, None, 1.0),
        (1, 4, None, 0.5),
        (2, 1, 3, 1.0, {"black": "a"}),
        (2, 4, None, 1.0),
        (2, 2, None, 1.0),
    ]
    table = make_table(None, players, games, "2024-05-04", event=event, minutes=90, increment=30)
    rate_all()
    return event, table, players


def download(client, event, table):
    cache.clear()
    response = client.get(f"/events/{event.public_id}/{table.pk}/trf.trf")
    assert response.status_code == 200
    return response.content.decode().split("\r\n")


def test_file_has_ratings_ids_places_and_only_public_data(chess, client):
    event, table, players = chess
    *lines, end = download(client, event, table)
    assert (lines[:9], end) == ([
        "012 Cup", "022 Gent", "032 BEL", "042 2024/05/04", "052 2024/05/04", "062 4",
        "132" + " " * 88 + "24/05/04  24/05/04", "142 2", "222 5400+30",
    ], "")  # fmt: skip
    assert lines[9:] == [
        "001    1 w    Adler, Änne                       1900 GER     1234560 1990/00/00  2.0    1     2 w 1     3 b 1",
        "001    2      Bauer, Bea                        1890 FRA     1234561             1.0    3     1 b 0  0000 - F",
        "001    3      C., C.                            1880 FRA                         1.0    3  0000 - U     1 w 0",
        "001    4 m    Duval, Dan                             FRA     1234563             1.5    2  0000 - H  0000 - F",
        f"GER    1 w    Adler, Änne                                {players[0].pk}77 1990/00/00".replace(
            f"{players[0].pk}77", f"{players[0].pk}77".rjust(11)),
    ]  # fmt: skip


def test_sex_is_not_written_where_the_federation_does_not_record_it(chess, client):
    event, table, _players = chess
    federation = event.lists.get().federation
    federation.records_gender = False
    federation.save()
    assert [line[9] for line in download(client, event, table) if line.startswith("001")] == [" "] * 4


def test_list_of_other_rules_gives_its_ratings_as_the_national_ones(client, rate_all):
    irish = make_list("icu", system="icu-1989", federation="ICU")
    players = [make_player("Adler", "A", country="IE"), make_player("Bauer", "B", country="IE")]
    for player, rating in zip(players, (1500, 1400), strict=True):
        save_adjustment(
            Adjustment(list=irish, player=player, date=dt.date(2024, 3, 1), reason="opening", set={"rating": rating})
        )
    OutsideId.objects.create(
        player=players[1], registry="national", country="IE", value="4711", confirmed_at=timezone.now()
    )
    event = make_event("Cup", "2024-05-04", [irish])
    table = make_table(None, players, [(1, 1, 2, 0.5)], "2024-05-04", event=event)
    rate_all()
    assert [line for line in download(client, event, table) if line.startswith("IRL")] == [
        "IRL    2      Bauer, B                          1400            4711"
    ]


def test_game_won_by_default_names_the_opponent_where_it_is_stored(chess, client):
    event, table, _players = chess
    Game.objects.filter(table=table, round=1, b__isnull=False).update(played=False)
    lines = download(client, event, table)
    assert [line[91:99] for line in lines if line.startswith("001")] == ["   2 w +", "   1 b -", "0000 - U", "0000 - H"]


@pytest.fixture
def accepted(request):
    """Results of a file in TRF26, accepted, and the user who did it."""
    user = make_user("officer", is_superuser=True)
    rating_list = make_chess_list()
    event = make_event(
        "Spring Cup", "2026-03-07", [rating_list], state=Event.State.DRAFT, created_by=user, end="2026-03-08"
    )
    data = (SAMPLES / "trf" / getattr(request, "param", "good-26.trf")).read_bytes()
    with act_as(user), time_machine.travel(dt.datetime(2026, 4, 1, tzinfo=dt.UTC), tick=False):
        found = read_results_file(data, Head(event.name, event.start, event.end), dt.date(2026, 4, 1))
        file = ResultsFile("cup.trf", data, found.format, found.table, found.problems)
        submission, _is_new = create_submission_from_file(event, file)
        content = content_from_json(submission.content)
        for row in content.rows:
            row.new = True
        save_submission(submission, content, version=submission.version)
        yield event, submission, user


def accept_results(event, submission):
    """Accept the results with all their warnings; return their table."""
    submission.refresh_from_db()
    content = content_from_json(submission.content)
    checked = save_submission(submission, content, version=submission.version)
    content.confirmed = dict.fromkeys((finding.key for finding in checked.findings if finding.key), "ok")
    save_submission(submission, content, version=submission.version)
    submit(event)
    accept(event)
    event.refresh_from_db()
    return event.tables.get()


def list_organisation(client, event, table):
    return [line for line in download(client, event, table) if line[:3] in ("102", "132")]


@pytest.mark.parametrize("accepted", ["good-26-organisation.trf"], indirect=True)
def test_accepted_file_gives_the_arbiter_and_the_days_of_the_rounds(accepted, client):
    event, submission, _user = accepted
    table = accept_results(event, submission)
    days = "132" + " " * 88 + "26/03/07  26/03/07  26/03/08"
    assert list_organisation(client, event, table) == ["102 Beispiel, Ida", days]
    table.last_day = event.end = dt.date(2026, 3, 7)
    event.save()
    table.save()
    assert list_organisation(client, event, table) == ["102 Beispiel, Ida", days.replace("26/03/08", "26/03/07")]


@pytest.mark.parametrize("accepted", ["good-26-organisation.trf"], indirect=True)
def test_arbiter_who_may_be_a_hidden_player_is_left_out(accepted, client):
    event, submission, _user = accepted
    table = accept_results(event, submission)
    make_player("Beispiel", "Ida", shown="initials")
    assert [line[:3] for line in list_organisation(client, event, table)] == ["132"]


def test_draft_has_time_control_birth_years_and_ids_of_the_file(accepted):
    _event, submission, _user = accepted
    content = content_from_json(submission.content)
    assert {name: content.details.get(name) for name in ("minutes", "increment")} == {"minutes": 90, "increment": 30}
    assert [(row.birth_year, row.outside, row.printed) for row in content.rows] == [
        (1990, {"fide": "1234567"}, {}), (2012, {"fide": "7654321"}, {}), (None, {}, {}), (None, {}, {}),
    ]  # fmt: skip


@pytest.mark.parametrize("accepted", ["good-26-national.trf"], indirect=True)
def test_national_numbers_of_a_file_are_stored_and_identify_players_of_later_files(accepted):
    """In the second file the number is on the line of another player: a person has to choose."""
    event, submission, user = accepted
    data = bytes(submission.uploads.get().data)
    accept_results(event, submission)
    assert {str(each): each.player.family_name for each in OutsideId.objects.all()} == {
        "FIDE 1234567": "Muster", "FIDE 7654321": "van Beispiel", "DE 10012345": "Muster",
    }  # fmt: skip
    later = make_event("Summer Cup", "2026-03-07", list(event.lists.all()), state=Event.State.DRAFT, end="2026-03-08")
    moved = data.replace(b"GER    1", b"GER    3")
    found = read_results_file(moved, Head(later.name, later.start, later.end), dt.date(2026, 4, 1))
    file = ResultsFile("cup.trf", moved, found.format, found.table, found.problems)
    again, _is_new = create_submission_from_file(later, file)
    checked = check_submission(again, content_from_json(again.content), user)
    messages = [translate_message(finding.message) for finding in checked.findings]
    assert [message for message in messages if "10012345" in message] == [
        "DE 10012345 is Muster Anna, but the name is Novák Petra: choose the player"
    ]


def test_announced_time_control_stays(accepted):
    event, submission, _user = accepted
    event.time_control = "60min"
    event.save()
    data = bytes(submission.uploads.get().data) + b"### again\r"
    found = read_results_file(data, Head(event.name, event.start, event.end), dt.date(2026, 4, 1))
    file = ResultsFile("cup.trf", data, found.format, found.table, found.problems)
    again, _is_new = create_submission_from_file(event, file)
    details = content_from_json(again.content).details
    assert (details["minutes"], "increment" in details) == (60, False)


def test_accepted_file_gives_its_lines_about_the_pairing_and_corrections_are_comments(accepted, client):
    event, submission, _user = accepted
    table = accept_results(event, submission)
    head = [
        line for line in download(client, event, table) if line[:3] in ("142", "152", "172", "182", "192", "222", "###")
    ]
    paired = ["142 3", "152 W", "172     FIDE", "182 Example Pairings 1.0", "192 FIDE_DUTCH_2026", "222 5400+30"]
    assert head == paired
    with time_machine.travel(dt.datetime(2026, 5, 2, tzinfo=dt.UTC), tick=False):
        correction = get_or_create_correction(table)
        correction.reason = "The last round was a bye"
        correction.save()
        content = content_from_json(correction.content)
        content.rows[3].cells[2] = "0+"
        content.rows[3].points = ""
        save_submission(correction, content, version=correction.version)
        submit(event)
        accept(event)
    lines = download(client, event, table)
    assert [line for line in lines if line[:3] in ("142", "152", "172", "182", "192", "222", "###")] == [
        "### Corrected on 2026-05-02", *paired
    ]  # fmt: skip
    assert [line[111:119] for line in lines if line.startswith("001")] == [
        "0000 - F",
        "   3 b =",
        "   2 w =",
        "0000 - F",
    ]


def list_kept(lines):
    return [line for line in lines if line[:3] in ("202", "240", "250", "260")]


@pytest.mark.parametrize("accepted", ["26-whole.trf"], indirect=True)
def test_accepted_file_gives_titles_tie_breaks_byes_and_accelerations(accepted, client):
    event, submission, _user = accepted
    table = accept_results(event, submission)
    lines = download(client, event, table)
    kept = ["202 PTS,BH:C1,SB", "240 Z   3    4", "250 1.0 1.0   1   2    1    2", "260   1   3    1    4"]
    assert list_kept(lines) == kept
    assert [line[9:13] for line in lines if line.startswith("001")] == [" WFM", "    ", "    ", "    "]
    Player.objects.filter(entries__table=table, entries__number=1).update(shown="initials")
    assert [line[9:13] for line in download(client, event, table) if line.startswith("001")] == ["    "] * 4
    Game.objects.filter(table=table, round=3, a__number=4).update(score=1)
    assert list_kept(download(client, event, table)) == [kept[0], *kept[2:]]


@pytest.mark.parametrize("accepted", ["26-whole.trf"], indirect=True)
def test_lines_with_starting_ranks_are_left_out_for_a_table_with_other_rows(accepted, client):
    event, submission, _user = accepted
    table = accept_results(event, submission)
    Game.objects.filter(table=table, a__number=4).delete()
    Game.objects.filter(table=table, b__number=4).delete()
    Entry.objects.filter(table=table, number=4).delete()
    lines = download(client, event, table)
    assert list_kept(lines) == ["202 PTS,BH:C1,SB"]
    assert [line[9:13] for line in lines if line.startswith("001")] == [" WFM", "    ", "    "]

"""Grades on a player's page: the requirements for the next one, and the history."""

import datetime as dt
import re
from html import unescape

import pytest

from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.lists.adjustments import save_adjustment
from ratings.localize import format_day
from ratings.models import Adjustment, Award, Decision, RatingList
from ratings.queries.grades.progress import simulate
from tests.approvals import correct, decide, earn_5_dan, rated
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list(announce_after=0)


def text_of(response):
    """The page's words, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split()).replace(" :", ":")


def progress_of(client, player, **query):
    progress = client.get(player.get_absolute_url(), query).context["progress"]
    return progress and (
        progress.grade,
        progress.sentence,
        progress.notes,
        [(b.text, b.low, b.high, b.value) for b in progress.bars],
    )


def with_state(rating_list, **state):
    player = make_player("Kuma")
    give_rating(rating_list, player, state.pop("rating"), **state)
    rated(rating_list)
    return player


MOMENT = "The rating after each game counts. Reaching a limit exactly is enough."


def test_next_grade_is_reported_by_every_way_with_what_is_missing(client, fesa):
    kuma = with_state(fesa, rating=1850, grade="1 Dan", lb_run=[5, True], mp_run=3)
    assert progress_of(client, kuma) == (
        "2 Dan",
        "at a rating of 1920; or after 4 more games in a row at 1860 or higher; or after 9 more games in a row at 1800"
        " or higher",
        [MOMENT],
        [
            ("rating 1850, 70 points below 1920", "1680", "1920", "1850"),
            ("so far 3 of 7 games in a row at 1860 or higher", "0", "7", "3"),
            ("so far 5 of 14 games in a row at 1800 or higher, one of them at 1860 or higher", "0", "14", "5"),
        ],
    )
    page = client.get(kuma.get_absolute_url())
    assert "2 Dan: at a rating of 1920; or after 4 more games" in text_of(page)
    assert page.content.decode().count("<meter ") == 3


@pytest.mark.parametrize(
    ("run", "missing", "done"),
    [
        ([0, False], "after 14 more games in a row at 1800 or higher, one of them at 1860 or higher",
         "so far 0 of 14 games in a row at 1800 or higher"),
        ([5, False], "after 9 more games in a row at 1800 or higher, one of them at 1860 or higher",
         "so far 5 of 14 games in a row at 1800 or higher, none at 1860 or higher"),
        ([20, False], "after 1 more game at 1860 or higher",
         "so far 14 of 14 games in a row at 1800 or higher, none at 1860 or higher"),
    ],
)  # fmt: skip
def test_one_at_the_midpoint_is_asked_for(run, missing, done, client, fesa):
    _grade, sentence, _notes, bars = progress_of(client, with_state(fesa, rating=1850, grade="1 Dan", lb_run=run))
    assert (sentence.rpartition("; or ")[2], bars[-1][0]) == (missing, done)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"rating": 1500, "games": 12, "grade": "3 Kyu", "bonus_games": 12},
         ("2 Kyu", "at a rating of 1680", ["Provisional (fewer than 18 games): a rating alone counts, and it is to be that of"
                                        " the grade above."], [("rating 1500, 180 points below 1680", "1360", "1680", "1500")])),
        ({"rating": 2600, "games": 12, "grade": "5 Dan", "bonus_games": 12},
         ("6 Dan", "not within the reach of provisional players",
          ["Provisional (fewer than 18 games): a rating alone counts, and it is to be that of the grade above.",
           "6 Dan needs the approval of Nihon Shogi Renmei."], [])),
        ({"rating": 2300, "grade": "4 Dan"},
         ("5 Dan", "at a rating of 2440; or after 10 more games in a row at 2340 or higher",
          [MOMENT, "5 Dan needs the approval of Nihon Shogi Renmei."],
          [("rating 2300, 140 points below 2440", "2080", "2440", "2300"), ("so far 0 of 10 games in a row at 2340 or higher", "0", "10", "0")])),
        ({"rating": 2700, "grade": "6 Dan"}, ("", "The highest grade is reached.", [], [])),
    ],
)  # fmt: skip
def test_progress_of_other_kinds_of_players(state, expected, client, fesa):
    assert progress_of(client, with_state(fesa, **state)) == expected


def test_progress_says_how_many_games_a_first_grade_needs(client, fesa):
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 0.5)])
    rated(fesa)
    assert progress_of(client, a)[2][0] == "A grade needs 6 more rated games."


@pytest.mark.parametrize("scores", [(1.0, 0.0, 0.5), (1.0, 0.0, 0.5, 1.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0)])
def test_as_many_games_as_the_page_names_win_a_grade_in_the_calculator(scores, client, fesa):
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(number, 1, 2, score) for number, score in enumerate(scores, 1)])
    rated(fesa)
    missing = int(re.search(r"A grade needs (\d+) more rated games?\.", progress_of(client, a)[2][0])[1])
    grades = [
        client.get("/api/v1/lists/fesa/calculator", {"player": a.public_id, "game": ["1500:1"] * games}).json()["grade"]
        for games in (missing - 1, missing)
    ]
    assert (grades[0], bool(grades[1])) == ("", True)


def set_rating(rating_list, player, rating, **state):
    given = {"rating": rating} | state
    save_adjustment(Adjustment(list=rating_list, player=player, date="2020-01-01", set=given, reason="opening"))


def test_go_grade_is_won_above_its_band_and_lost_far_below(client):
    go, player = make_list("go", system="bgf"), make_player()
    set_rating(go, player, 95)
    rated(go)
    assert progress_of(client, player) == (
        "2 Dan", "at a rating above 100.0", ["1 Dan is lost below −100.0."], [("rating 95.0, 5.0 points below 100.0", "0", "100", "95")]
    )  # fmt: skip


def test_lists_without_grades_do_not_mention_grades(client):
    chess, player = make_list("chess", system="icu-1989"), make_player()
    set_rating(chess, player, 1500, games=30)
    rated(chess)
    page = client.get(player.get_absolute_url())
    assert (page.context["progress"], page.context["grades"]) == (None, [])
    assert [title in text_of(page) for title in ("Next grade", "Grade history")] == [False, False]


def test_list_with_a_new_system_shows_no_progress_until_it_is_rated(client, fesa):
    kuma = with_state(fesa, rating=1850, grade="1 Dan")
    RatingList.objects.update(system="bgf")
    assert progress_of(client, kuma) is None


def lines_of(client, player):
    """Lines of the grade history as a reader has them, but for the one of the grade that he came with."""
    return [line for line in all_lines_of(client, player) if not line.endswith(" by adjustment")]


def all_lines_of(client, player):
    section = client.get(player.get_absolute_url()).content.decode().partition('id="grades-title"')[2]
    lines = re.findall(r"<li>(.*?)</li>", section.partition("</section>")[0], re.DOTALL)
    texts = [" ".join(unescape(re.sub(r"<[^>]+>", " ", line)).split()) for line in lines]
    return [text.partition(" · certificate")[0] for text in texts]  # tests/portal/grades/test_certificates.py has those


def test_grades_from_elsewhere_are_explained(client, fesa, rate_all):
    player = make_player("Sato")
    give_rating(fesa, player, 2250, "2025-01-01", grade="4 Dan")
    give_rating(fesa, player, 2260, "2025-03-01", grade="4 Dan")
    give_rating(fesa, player, 2400, "2025-04-01", grade="5 Dan")
    rate_all()
    assert all_lines_of(client, player) == [
        "1 Apr 2025 5 Dan by adjustment",
        "1 Jan 2025 4 Dan by adjustment",
    ]


def test_waiting_grade_is_reported_with_its_day(client, fesa):
    sato, _ = earn_5_dan(fesa)
    assert "5 Dan earned on 1 Feb 2025, waiting for approval." in text_of(client.get(sato.get_absolute_url()))
    assert lines_of(client, sato) == ["1 Feb 2025 5 Dan rating passed the grade above · waiting for approval · Cup"]
    assert progress_of(client, sato) == (
        "", "", ["The current grade remains until the answer arrives."], []
    )  # fmt: skip


def test_approved_grade_is_one_line_with_approver_and_day(client, fesa):
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=True)
    assert lines_of(client, sato) == [
        "1 Feb 2025 5 Dan rating passed the grade above · approved by A. Yonenaga on 1 Jun 2025, counts from 2 Feb 2025 · Cup"
    ]
    assert progress_of(client, sato)[0] == "6 Dan"


def test_declined_grade_is_reported_with_the_reason(client, fesa):
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=False)
    assert lines_of(client, sato) == [
        "1 Feb 2025 5 Dan rating passed the grade above · declined on 1 Jun 2025: too few games in Japan · Cup"
    ]
    assert "waiting for approval" not in text_of(client.get(sato.get_absolute_url()))


def test_correction_while_it_waits_is_reported(client, fesa):
    sato, table = earn_5_dan(fesa)
    correct(fesa, table, 0, 0)
    assert lines_of(client, sato) == [
        "1 Feb 2025 5 Dan fell away: the results that earned it were corrected · Cup"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("kept", "2 Feb 2025 5 Dan approved by A. Yonenaga on 1 Jun 2025, counts from 2 Feb 2025; earned by a result"
                 " later corrected · Cup"),
        ("revised", "1 Feb 2025 5 Dan approved by A. Yonenaga on 1 Jun 2025, counts from 2 Feb 2025; fell away: the"
                    " results that earned it were corrected · Cup"),
    ],
)  # fmt: skip
def test_correction_after_the_approval_follows_the_rule_of_the_list(rule, expected, client, fesa):
    RatingList.objects.update(options={"corrections": rule})
    sato, table = earn_5_dan(RatingList.objects.get())
    decide(RatingList.objects.get(), granted=True)
    correct(RatingList.objects.get(), table, 0, 0)
    assert lines_of(client, sato) == [expected]


@pytest.fixture
@reused
def kuma(fesa):
    """A 1 Kyu who wins several grades in one table, and the table."""
    kuma, sato = make_player("Kuma"), make_player("Sato")
    give_rating(fesa, kuma, 1650, grade="2 Kyu")
    give_rating(fesa, sato, 2000, grade="3 Dan")
    table = make_table(fesa, [kuma, sato], [(n, 1, 2, 1) for n in range(1, 6)], "2025-02-01", event_name="Cup")
    rated(fesa)
    return kuma, table


def test_several_grades_of_one_table_share_their_state(client, fesa, kuma):
    player, _ = kuma
    assert lines_of(client, player) == [
        "1 Feb 2025 1 Dan rating passed the grade above · awarded, not yet announced · Cup",
    ]
    announce_due_grades()
    rated(fesa)
    day = Decision.objects.get().made_at.date()
    assert lines_of(client, player) == [
        f"1 Feb 2025 1 Dan rating passed the grade above · announced on {format_day(day)} · Cup",
    ]


def test_grade_kept_after_a_correction_says_so(client, fesa, kuma):
    player, table = kuma
    announce_due_grades()
    rated(fesa)
    correct(fesa, table, 0, 0, 0, 0, 0)
    kept = "2 Feb 2025 1 Dan earned by a result later corrected, kept because it was announced"
    assert kept in lines_of(client, player)


def test_grades_that_follow_the_results_are_simply_awarded(client, fesa, kuma):
    RatingList.objects.update(options={"corrections": "revised"})
    assert [line.rpartition(" · ")[0] for line in lines_of(client, kuma[0])] == [
        "1 Feb 2025 1 Dan rating passed the grade above · awarded"
    ]  # fmt: skip


def test_decisions_of_people_are_reported_with_their_reasons(client, fesa):
    kuma = with_state(fesa, rating=1700, grade="1 Kyu")
    for ruling, grade, date in (("withheld", "2 Dan", "2025-03-01"), ("given", "1 Dan", "2025-02-01")):
        save_adjustment(Decision(list=fesa, player=kuma, grade=grade, ruling=ruling, date=date, reason="for merit"))
    rated(fesa)
    assert lines_of(client, kuma) == [
        "1 Mar 2025 2 Dan withheld by decision: for merit",
        "1 Feb 2025 1 Dan given by decision: for merit",
    ]


def test_bound_to_get_it_is_explained(client, fesa, kuma):
    Award.objects.filter(grade="1 Dan").update(how="bound to get it")
    assert "losing the next games could not have prevented this promotion" in lines_of(client, kuma[0])[0]


def test_demotion_is_in_the_history_and_on_the_graph(client):
    go, a, b = make_list("go", system="bgf"), make_player(), make_player()
    set_rating(go, a, -90, grade="1 Dan")
    set_rating(go, b, -90)
    make_table(go, [a, b], [(1, 1, 2, 0.0)], "2024-03-02", event_name="Cup")
    rated(go)
    assert lines_of(client, a) == ["2 Mar 2024 1 Kyu demotion · Cup"]
    graph = client.get(a.get_absolute_url()).context["graph"]["graph"]
    assert [point["mark"] for point in graph.points[0]] == [None, {"grade": "1 Kyu", "kind": "demotion"}]


def test_graph_and_its_table_show_what_waits(client, fesa):
    sato, table = earn_5_dan(fesa)
    page = client.get(sato.get_absolute_url())
    marks = [point["mark"] for point in page.context["graph"]["graph"].points[0]]
    assert marks == [None, {"grade": "5 Dan", "kind": "waiting"}]
    assert "5 Dan earned, needs approval" in text_of(page)
    assert (
        re.findall(r"<title>(5 Dan [^<]*)</title>", page.text)
        == [f"5 Dan (earned, needs approval) · {format_day(table.last_day)}"] * 4
    )  # badge and point, broad and narrow


@pytest.mark.parametrize(
    ("granted", "expected"),
    [
        (None, (["waiting"], "waiting for approval", "4 Dan 5 Dan awaits approval", {("promoted", "→ 5 Dan?")}, 1)),
        (True, (["dan"], "approved", "4 Dan 5 Dan: approved", {("promoted", "→ 5 Dan")}, 2)),
        (False, (["refused"], "declined", "4 Dan 5 Dan: declined", {("refused", "→ 5 Dan")}, 0)),
    ],
)
def test_grade_shows_its_approval_everywhere(granted, expected, client, fesa):
    sato, table = earn_5_dan(fesa)
    if granted is not None:
        decide(fesa, granted=granted)
    page = client.get(sato.get_absolute_url())
    badges = re.findall(r'class="grade (\w+)">5 Dan<', page.text.partition('class="timeline"')[2])
    marks = [point["mark"]["grade"] for point in page.context["graph"]["graph"].points[0] if point["mark"]]
    explanation = text_of(client.get(f"/lists/fesa/tables/{table.pk}/{sato.public_id}/"))
    (explained,) = re.findall(
        r"5 Dan – rating passed the grade above \(at game 2\) – (.*?) For grades, the change", explanation
    )
    results = text_of(client.get(table.event.get_absolute_url()))
    (result,) = set(re.findall(r"4 Dan 5 Dan(?: awaits approval|: \w+)", results))
    games = client.get(f"/players/{sato.public_id}/events/").text
    steps = set(re.findall(r'<span class="(\w+)" title="[^"]*">(→ [^<]*)<', games))
    assert (badges, explained, result, steps, marks.count("5 Dan")) == expected


def test_events_show_promotions_in_the_federations_words_with_their_state(client, fesa, kuma):
    table = earn_5_dan(fesa)[1]

    def read_promotions(table):
        page = client.get(f"/events/{table.event.public_id}/grades/").text
        page = page.partition('<ul class="news">')[2].partition("</ul>")[0]
        return [
            " ".join(unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in re.findall(r"<li>(.*?)</li>", page)
        ]

    assert read_promotions(kuma[1]) == [
        "Promoting Kuma to 1 Dan (rating passed the grade above; awarded, not yet announced)"
    ]
    assert read_promotions(table) == ["Sato Ken has earned 5 Dan (rating passed the grade above; waiting for approval)"]
    announce_due_grades()
    rated(fesa)
    decide(fesa, granted=True)
    assert read_promotions(kuma[1]) == ["Promoting Kuma to 1 Dan (rating passed the grade above; announced)"]
    assert read_promotions(table) == ["Sato Ken has earned 5 Dan (rating passed the grade above; approved)"]


def test_progress_of_an_unrated_player_asks_for_games_only(client, fesa):
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(r, 1, 2, float(r % 2)) for r in range(1, 5)], "2024-01-06")
    give_rating(fesa, b, 2000)
    rated(fesa)
    assert progress_of(client, a) == ("", "", ["A grade needs 5 more rated games."], [])
    won = [simulate(a, fesa, [(1500, 1)] * games, dt.date(2024, 2, 1)).row.awards for games in (4, 5)]
    assert [bool(awards) for awards in won] == [False, True]  # the calculator says the same


def test_player_at_the_rating_needs_one_more_game(client, fesa):
    kuma = with_state(fesa, rating=1590, games=17, grade="3 Kyu")
    assert progress_of(client, kuma)[:2] == (
        "2 Kyu",
        "after one more rated game that leaves the rating at 1560 or higher; the higher, the higher the grade; or after 6"
        " more games in a row at 1510 or higher; or after 12 more games in a row at 1460 or higher, one of them at 1510 or"
        " higher",
    )


@pytest.mark.parametrize(
    ("rating", "grade", "expected"),
    [
        (180, "3 Dan", ("rating 180.0, 120.0 points below 300.0", "100", "300", "180")),
        (-1329.4, "13 Kyu", ("rating −1329.4, 129.4 points below −1200.0", "-1400", "-1200", "-1329.4")),
        (-1329.4, "14 Kyu", None),
        (-5000, "14 Kyu", ("rating −5000.0, 3700.0 points below −1300.0", "-5001", "-1300", "-5000")),
    ],
)
def test_progress_has_a_bar_also_below_the_band_of_the_present_grade(rating, grade, expected, client):
    go, player = make_list("go", system="bgf"), make_player()
    set_rating(go, player, rating, grade=grade)
    rated(go)
    bars = progress_of(client, player)[3]
    page = client.get(player.get_absolute_url()).content.decode()
    assert page.count("<meter ") == len(bars) == 1
    assert expected is None or bars == [expected]


def test_progress_bar_of_a_dan_player_who_fell_below_the_grade(client, fesa):
    kuma = with_state(fesa, rating=1500, grade="1 Dan")
    bar = progress_of(client, kuma)[3][0]
    assert bar == ("rating 1500, 420 points below 1920", "1460", "1920", "1500")

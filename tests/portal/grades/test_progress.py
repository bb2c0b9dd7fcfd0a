"""What a player's page tells of grades: what is missing to the next, and the history of those he has."""

import re
from html import unescape

import pytest
from django.template.loader import render_to_string

from portal.progress import Bar, Told
from ratings.domain.announcing import announce_due
from ratings.domain.outside import lay_down
from ratings.models import Adjustment, Award, Decision, RatingList
from tests.approvals import correct, decide, earn_5_dan, rated
from tests.factories import give_rating, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list(announce_after=0)


def text_of(response):
    """The page's words, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split()).replace(" :", ":")


def progress_of(client, player, **query):
    told = client.get(player.get_absolute_url(), query).context["progress"]
    return told and (told.grade, told.sentence, told.notes, [(b.text, b.low, b.high, b.value) for b in told.bars])


def with_state(rating_list, **state):
    player = make_player("Kuma")
    give_rating(rating_list, player, state.pop("rating"), **state)
    rated(rating_list)
    return player


MOMENT = "What counts is the rating of the moment, after each game; a bound that is met exactly counts."


def test_next_grade_is_told_by_every_way_with_what_is_missing(client, fesa):
    kuma = with_state(fesa, rating=1850, grade="1 Dan", lb_run=[5, True], mp_run=3)
    assert progress_of(client, kuma) == (
        "2 Dan",
        "a rating of 1920; or 4 more games in a row at or above 1860 (has 3 of 7); or 9 more at or above 1800 (has 5 of"
        " 14, one above 1860 among them)",
        [MOMENT],
        [
            ("rating 1850 of 1920", "1680", "1920", "1850"),
            ("3 of 7 games at or above 1860", "0", "7", "3"),
            ("5 of 14 games at or above 1800", "0", "14", "5"),
        ],
    )
    page = client.get(kuma.get_absolute_url())
    assert "2 Dan: a rating of 1920; or 4 more games" in text_of(page)
    assert page.content.decode().count("<meter ") == 3
    kuma.account = make_user()
    kuma.save()
    client.force_login(kuma.account)
    assert "(you have 3 of 7); or 9 more at or above 1800 (you have 5 of 14, one" in progress_of(client, kuma)[1]


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ([5, False], "9 more at or above 1800, one of them at or above 1860 (has 5 of 14, none above 1860 among them yet)"),
        ([20, False], "1 more at or above 1800, and at or above 1860 (has 14 of 14, none above 1860 among them yet)"),
    ],
)  # fmt: skip
def test_one_at_the_midpoint_is_asked_for(run, told, client, fesa):
    kuma = with_state(fesa, rating=1850, grade="1 Dan", lb_run=run)
    assert progress_of(client, kuma)[1].endswith(f"; or {told}")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ({"rating": 1500, "games": 12, "grade": "3 Kyu", "bonus_games": 12},
         ("2 Kyu", "a rating of 1680", ["Provisional (fewer than 18 games): a rating alone counts, and it is to be that of"
                                        " the grade above."], [("rating 1500 of 1680", "1360", "1680", "1500")])),
        ({"rating": 2600, "games": 12, "grade": "5 Dan", "bonus_games": 12},
         ("6 Dan", "not within the reach of provisional players",
          ["Provisional (fewer than 18 games): a rating alone counts, and it is to be that of the grade above.",
           "6 Dan needs the approval of Nihon Shogi Renmei."], [])),
        ({"rating": 2300, "grade": "4 Dan"},
         ("5 Dan", "a rating of 2440; or 10 more games in a row at or above 2340 (has 0 of 10)",
          [MOMENT, "5 Dan needs the approval of Nihon Shogi Renmei."],
          [("rating 2300 of 2440", "2080", "2440", "2300"), ("0 of 10 games at or above 2340", "0", "10", "0")])),
        ({"rating": 2700, "grade": "6 Dan"}, ("", "The highest grade is reached.", [], [])),
    ],
)  # fmt: skip
def test_progress_of_other_kinds_of_players(state, told, client, fesa):
    assert progress_of(client, with_state(fesa, **state)) == told


def test_newcomer_reads_after_how_many_games_a_grade_can_be_won(client, fesa):
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 0.5)])
    rated(fesa)
    assert progress_of(client, a)[2][0] == "After 5 more rated games a grade can be won."


def set_rating(rating_list, player, rating, **state):
    given = {"rating": rating} | state
    lay_down(Adjustment(list=rating_list, player=player, date="2020-01-01", set=given, reason="opening"))


def test_go_grade_is_won_above_its_band_and_lost_far_below(client):
    go, player = make_list("go", system="bgf"), make_player()
    set_rating(go, player, 95)
    rated(go)
    assert progress_of(client, player) == (
        "2 Dan", "a rating above 100.0", ["1 Dan is lost below -100.0."], [("rating 95.0 of 100.0", "0", "100", "95")]
    )  # fmt: skip


def test_lists_without_grades_tell_nothing_of_them(client):
    chess, player = make_list("chess", system="icu-1989"), make_player()
    set_rating(chess, player, 1500, games=30)
    rated(chess)
    page = client.get(player.get_absolute_url())
    assert (page.context["progress"], page.context["grades"]) == (None, [])
    assert [title in text_of(page) for title in ("Next grade", "Grade history")] == [False, False]


def test_list_that_comes_to_another_system_tells_no_progress_until_it_is_rated(client, fesa):
    kuma = with_state(fesa, rating=1850, grade="1 Dan")
    RatingList.objects.update(system="bgf")
    assert progress_of(client, kuma) is None


def lines_of(client, player):
    """Lines of the grade history as a reader has them, but for the one of the grade that he came with."""
    return [line for line in all_lines_of(client, player) if not line.endswith(" adjustment from outside")]


def all_lines_of(client, player):
    section = client.get(player.get_absolute_url()).content.decode().partition('id="grades-title"')[2]
    lines = re.findall(r"<li>(.*?)</li>", section.partition("</section>")[0], re.DOTALL)
    texts = [" ".join(unescape(re.sub(r"<[^>]+>", " ", line)).split()) for line in lines]
    return [text.partition(" · certificate")[0] for text in texts]  # tests/views/test_certificates.py has those


def test_grades_that_came_from_outside_are_told(client, fesa, rate_all):
    player = make_player("Sato")
    give_rating(fesa, player, 2250, "2025-01-01", grade="4 Dan")
    give_rating(fesa, player, 2260, "2025-03-01", grade="4 Dan")
    give_rating(fesa, player, 2400, "2025-04-01", grade="5 Dan")
    rate_all()
    assert all_lines_of(client, player) == [
        "2025-04-01 5 Dan adjustment from outside",
        "2025-01-01 4 Dan adjustment from outside",
    ]


def test_waiting_grade_is_told_with_its_day(client, fesa):
    sato, _ = earn_5_dan(fesa)
    assert "5 Dan earned on 2025-02-01, waiting for approval." in text_of(client.get(sato.get_absolute_url()))
    assert lines_of(client, sato) == ["2025-02-01 5 Dan upper bound · waiting for approval · Cup"]
    assert progress_of(client, sato) == (
        "", "", ["Until the answer comes the present grade stays, and no further one is counted."], []
    )  # fmt: skip


def test_approved_grade_is_one_line_with_who_and_when(client, fesa):
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=True)
    assert lines_of(client, sato) == [
        "2025-02-01 5 Dan upper bound · approved by A. Yonenaga on 2025-06-01, counts from 2025-02-02 · Cup"
    ]
    assert progress_of(client, sato)[0] == "6 Dan"


def test_declined_grade_is_told_with_the_reason(client, fesa):
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=False)
    assert lines_of(client, sato) == [
        "2025-02-01 5 Dan upper bound · declined on 2025-06-01: too few games in Japan · Cup"
    ]
    assert "waiting for approval" not in text_of(client.get(sato.get_absolute_url()))


def test_correction_while_it_waits_is_told(client, fesa):
    sato, table = earn_5_dan(fesa)
    correct(fesa, table, 0, 0)
    assert lines_of(client, sato) == [
        "2025-02-01 5 Dan fell away: the results that earned it were corrected · Cup"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("kept", "2025-02-02 5 Dan approved by A. Yonenaga on 2025-06-01, counts from 2025-02-02; earned by a result"
                 " later corrected · Cup"),
        ("revised", "2025-02-01 5 Dan approved by A. Yonenaga on 2025-06-01, counts from 2025-02-02; fell away: the"
                    " results that earned it were corrected · Cup"),
    ],
)  # fmt: skip
def test_correction_after_the_approval_is_told_by_the_rule_of_the_list(rule, told, client, fesa):
    RatingList.objects.update(options={"corrections": rule})
    sato, table = earn_5_dan(RatingList.objects.get())
    decide(RatingList.objects.get(), granted=True)
    correct(RatingList.objects.get(), table, 0, 0)
    assert lines_of(client, sato) == [told]


@pytest.fixture
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
        "2025-02-01 1 Dan upper bound · awarded, not yet announced · Cup",
    ]
    announce_due()
    rated(fesa)
    day = Decision.objects.get().made_at.date()
    assert lines_of(client, player) == [
        f"2025-02-01 1 Dan upper bound · announced on {day} · Cup",
    ]


def test_grade_kept_though_corrected_says_so(client, fesa, kuma):
    player, table = kuma
    announce_due()
    rated(fesa)
    correct(fesa, table, 0, 0, 0, 0, 0)
    kept = "2025-02-02 1 Dan earned by a result later corrected, kept because it was announced"
    assert kept in lines_of(client, player)


def test_grades_that_follow_the_results_are_simply_awarded(client, fesa, kuma):
    RatingList.objects.update(options={"corrections": "revised"})
    assert [line.rpartition(" · ")[0] for line in lines_of(client, kuma[0])] == [
        "2025-02-01 1 Dan upper bound · awarded"
    ]  # fmt: skip


def test_decisions_of_people_are_told_with_their_reasons(client, fesa):
    kuma = with_state(fesa, rating=1700, grade="1 Kyu")
    for ruling, grade, date in (("withheld", "2 Dan", "2025-03-01"), ("given", "1 Dan", "2025-02-01")):
        lay_down(Decision(list=fesa, player=kuma, grade=grade, ruling=ruling, date=date, reason="for merit"))
    rated(fesa)
    assert lines_of(client, kuma) == [
        "2025-03-01 2 Dan withheld by decision: for merit",
        "2025-02-01 1 Dan given by decision: for merit",
    ]


def test_bound_to_get_it_is_explained(client, fesa, kuma):
    Award.objects.filter(grade="1 Dan").update(how="bound to get it")
    assert "losing the next games could not have prevented this promotion" in lines_of(client, kuma[0])[0]


def test_demotion_stands_in_the_history_and_on_the_graph(client):
    go, a, b = make_list("go", system="bgf"), make_player(), make_player()
    set_rating(go, a, -90, grade="1 Dan")
    set_rating(go, b, -90)
    make_table(go, [a, b], [(1, 1, 2, 0.0)], "2024-03-02", event_name="Cup")
    rated(go)
    assert lines_of(client, a) == ["2024-03-02 1 Kyu demotion · Cup"]
    graph = client.get(a.get_absolute_url()).context["graph"]["data"]
    assert [point["mark"] for point in graph["series"][0]["points"]] == [None, {"grade": "1 Kyu", "kind": "demotion"}]


def test_graph_and_its_table_tell_what_waits(client, fesa):
    sato, _ = earn_5_dan(fesa)
    page = client.get(sato.get_absolute_url())
    marks = [point["mark"] for point in page.context["graph"]["data"]["series"][0]["points"]]
    assert marks == [None, {"grade": "5 Dan", "kind": "waiting"}]
    assert "5 Dan earned, needs approval" in text_of(page)


def test_events_tell_promotions_in_the_federations_words_with_their_state(client, fesa, kuma):
    table = earn_5_dan(fesa)[1]

    def told(of):
        page = client.get(of.event.get_absolute_url()).content.decode().partition("<h3>Promotions</h3>")[2]
        return [
            " ".join(unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in re.findall(r"<li>(.*?)</li>", page)
        ]

    assert told(kuma[1]) == ["Promoting Kuma to 1 Dan (upper bound; awarded, not yet announced)"]
    assert told(table) == ["Sato Ken has earned 5 Dan (upper bound; waiting for approval)"]
    announce_due()
    rated(fesa)
    decide(fesa, granted=True)
    assert told(kuma[1]) == ["Promoting Kuma to 1 Dan (upper bound; announced)"]
    assert told(table) == ["Sato Ken has earned 5 Dan (upper bound; approved)"]


def test_unrated_player_lacks_games_and_no_rating_that_he_has(client, fesa):
    a, b = make_player(), make_player()
    make_table(fesa, [a, b], [(r, 1, 2, float(r % 2)) for r in range(1, 5)], "2024-01-06")
    give_rating(fesa, b, 2000)
    rated(fesa)
    assert progress_of(client, a) == ("", "", ["After 4 more rated games a grade can be won."], [])


def test_who_has_the_rating_already_lacks_one_more_game_with_it(client, fesa):
    kuma = with_state(fesa, rating=1590, games=17, grade="3 Kyu")
    assert progress_of(client, kuma)[:2] == (
        "2 Kyu",
        "one more rated game that leaves the rating at 1560 or more; the higher, the higher the grade; or 6 more games"
        " in a row at or above 1510 (has 0 of 6); or 12 more at or above 1460, one of them at or above 1510 (has 0 of 12, none above 1510 among"
        " them yet)",
    )


@pytest.mark.parametrize(("bar", "shown"), [(("1406", "1680", "1406"), 0), (("0", "8", "0"), 1), (("0", "8", "3"), 1)])
def test_rating_below_where_its_way_begins_is_no_empty_bar(bar, shown):
    told = Told("1 Dan", "a rating of 1680", [], [Bar("rating 1406 of 1680", *bar)])
    page = render_to_string("portal/progress.html", {"progress": told})
    assert (page.count("<meter "), "rating 1406 of 1680" in page) == (shown, True)

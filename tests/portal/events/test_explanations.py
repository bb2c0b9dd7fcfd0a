"""Page that explains a rating change: the sentences, the games, and the changes beside it."""

import datetime as dt
import re
from dataclasses import replace

import pytest

from portal.events.change_sentences import describe_games
from portal.templatetags.portal_format import signed
from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Award, Change, Event, ListPlayer
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_list, make_player, make_table, set_state
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db


def explain(client, table, player, slug="fesa"):
    return client.get(f"/lists/{slug}/tables/{table.pk}/{player.public_id}/")


def heading(page):
    return " ".join(re.search(r"<h1>(.*?)</h1>", page, re.DOTALL)[1].split())


def sentences(page):
    """The sentences at the head of the page, and those about its games, without tags."""
    found = [re.search(f'<p class="{kind}">(.*?)</p>', page, re.DOTALL) for kind in ("say", "message honour")]
    return [" ".join(re.sub(r"<[^>]+>", "", match[1]).split()) if match else "" for match in found]


def figures(page):
    """The cells of the table of games, without tags and drawings."""
    body = page.partition('<tbody role="rowgroup">')[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr.*?</tr>", re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL), re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def players(fesa):
    """Four players with ratings by the rules of 2016: K is 16 from 2000 on, 24 from 1400 on."""
    players = [
        make_player(name, given, country="DE") for name, given in (("Ada", "A."), ("Ben", ""), ("Cy", ""), ("Di", ""))
    ]
    for player, rating in zip(players, (2000, 2000, 300, 2100), strict=True):
        give_rating(fesa, player, rating, "2020-01-01")
    return players


def test_change_is_explained_game_by_game(client, fesa, players, rate_all):
    ada, ben, *_ = players
    table = make_table(fesa, players, [(1, 1, 4, 0.0), (2, 1, 2, 1.0), (3, 1, 3, 1.0)], "2024-01-06", event_name="Open")
    rate_all()
    response = explain(client, table, ada)
    page, change = markup(response), Change.objects.get(table=table, player=ada)
    terms = response.context["explanation"].row.terms
    expected, total = sum(term["expected"] for term in terms), sum(term["change"] for term in terms)
    head, games = sentences(page)
    assert head.startswith(f"Ada, A. was expected to score {expected:.2f} of 3 at Open and scored 2. That ")
    signs = [f"{term['change']:+.2f}".replace("-", "−") for term in terms]
    assert [(row[0], row[1], row[-1]) for row in figures(page)] == [
        ("0 lost", "Di", signs[0]), ("1 won", "Ben", signs[1]), ("1 won", "Cy", "0.00"),
        ("", "All together", f"{total:+.2f}".replace("-", "−")),
    ]  # fmt: skip
    assert f"Beating Cy, {2000 - terms[2]['opponent_rating']} points lower, was worth nothing: it was certain." in games
    assert f'href="{ben.get_absolute_url()}?list=fesa"' in page
    assert change.after == round(2000 + total)


def test_first_rating_stands_on_a_scale(client, fesa, players, rate_all):
    new = make_player("New")
    table = make_table(
        fesa, [new, *players], [(1, 1, 2, 0.0), (2, 1, 3, 0.5), (3, 1, 4, 1.0)], "2024-01-06", event_name="Open"
    )
    rate_all()
    page = markup(explain(client, table, new))
    after = Change.objects.get(table=table, player=new).after
    assert heading(page) == f"Why the first rating is {after:.0f}"
    assert sentences(page) == [
        f"New scored 1½ of 3 at Open. The first rating is {after:.0f}.",
        "The draw with Ben brought 606.75 points, more than any other game changed. The loss to Ada, A. cost 185.82."
        " The points of a game are the value calculated with all games, minus the value without that game.",
    ]
    assert [row[:2] for row in figures(page)] == [
        ["0 lost", "Ada , A."], ["½ draw", "Ben"], ["1 won", "Cy"], ["", "Rating that these games lead to"],
    ]  # fmt: skip
    assert re.findall(r'<rect class="(\w+)"', page) == ["lost", "drawn", "won", "sum"]


def test_first_rating_says_why_it_names_no_game(client, fesa, players, rate_all):
    """A player who loses all games gets the rating 1; three games are needed by the rules of 1995."""
    new = make_player("New")
    lost = make_table(fesa, [new, *players], [(1, 1, 2, 0.0), (2, 1, 3, 0.0)], "2024-01-06", event_name="Open")
    one = make_table(fesa, [make_player("One"), *players], [(1, 1, 2, 0.0)], "2024-02-06", event_name="Cup")
    renju = make_list("renju", system="rif-1995")
    for player in players:
        set_state(renju, player, "1996-01-01", rating=2000)
    games = [(n, 1, n + 1, score) for n, score in enumerate((1.0, 0.0, 0.5), 1)]
    three = make_table(renju, [new, *players], games, "1996-05-05", event_name="Three")
    rate_all()
    assert sentences(markup(explain(client, lost, new)))[1] == (
        "Leaving out any one of these games would not change the rating, so no single game is named."
    )
    assert sentences(markup(explain(client, one, one.entries.get(number=1).player)))[1] == ""
    assert sentences(markup(explain(client, three, new, "renju")))[1] == (
        "There would be no rating without some of these games, so no single game is named."
    )


def test_average_of_a_performance_names_the_game_that_mattered(client, rate_all):
    renju, *four = make_list("renju", system="rif-1995"), *(make_player(name) for name in ("Ara", "Bel", "Cai", "Dov"))
    for player, rating in zip(four, (2000, 1900, 2100, 2300), strict=True):
        set_state(renju, player, "1996-01-01", rating=rating)
    table = make_table(renju, four, [(1, 1, 2, 1.0), (2, 1, 3, 0.0), (3, 1, 4, 1.0)], "1996-05-05", event_name="Open")
    rate_all()
    response = explain(client, table, four[0], "renju")
    assert response.context["rows"][-1].points is None
    assert sentences(markup(response))[1].startswith("The win against Dov brought ")
    assert "more than any other game changed. The loss to Cai cost " in sentences(markup(response))[1]


def test_grades_won_in_the_same_way_stand_on_one_line(client, fesa, players, rate_all):
    new = make_player("New")
    games = [(round_, 1, 2 + round_ % 2, 1.0) for round_ in range(1, 10)]
    table = make_table(fesa, [new, players[0], players[1]], games, "2024-01-06")
    rate_all()
    page = markup(explain(client, table, new))
    promotions = page.partition("<h2>Promotions</h2>")[2].partition("</ul>")[0]
    lines = [" ".join(re.sub(r"<[^>]+>", "", line).split()) for line in promotions.split("<li>")[1:]]
    awards = list(Award.objects.filter(player=new).values_list("grade", flat=True))
    assert len(awards) > 10
    assert lines == [f"20 Kyu – {awards[-1]} – early results well above the grade (at game 9)"]
    assert "For grades, the change of an event is spread evenly over its games" in page.partition("</ul>")[2]


def test_points_that_count_later_say_when(client, rate_all):
    renju, ara, bel = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (ara, bel):
        given = {"rating": 2300}
        save_adjustment(Adjustment(list=renju, player=player, date=dt.date(1996, 1, 1), set=given, reason="opening"))
    table = make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "1996-06-01", event_name="Open")
    rate_all()
    page = markup(explain(client, table, bel, "renju"))
    assert heading(page) == "Why −16 counts from 31 Aug 1996"
    assert sentences(page)[0] == (
        "Bel was expected to score 0.50 of 1 at Open and scored 0."
        " That costs 16 points, which count from the list of 31 Aug 1996."
    )


def test_new_highest_rating_is_said_once(client, fesa, players, rate_all):
    ada, ben, *_ = players
    tables = [make_table(fesa, [ada, ben], [(1, 1, 2, score)], day) for score, day in (
        (1.0, "2024-01-01"), (0.0, "2024-02-01"), (1.0, "2024-03-01"),
    )]  # fmt: skip
    rate_all()
    heads = [sentences(markup(explain(client, table, ada)))[0] for table in tables]
    assert ["highest" in head for head in heads] == [True, False, False]


def test_bonus_is_a_row_of_its_own(client, fesa, rate_all):
    ada, ben = make_player("Ada"), make_player("Ben")
    give_rating(fesa, ada, 500, "2020-01-01", bonus_games=0)
    give_rating(fesa, ben, 500, "2020-01-01", bonus_games=0)
    table = make_table(
        fesa, [ada, ben], [(number, 1, 2, number % 2) for number in range(1, 7)], "2024-01-06", event_name="Open"
    )
    rate_all()
    page, change = markup(explain(client, table, ada)), Change.objects.get(table=table, player=ada)
    assert change.change > 0
    assert ["", "Bonus of the first 100 rated games"] in [row[:2] for row in figures(page)]


def test_no_game_is_said_to_matter_most_where_two_are_equal(client, fesa, rate_all):
    ada, ben, cy = (make_player(name) for name in ("Ada", "Ben", "Cy"))
    for player in (ada, ben, cy):
        give_rating(fesa, player, 2000)
    table = make_table(fesa, [ada, ben, cy], [(1, 2, 3, 0.5), (2, 1, 2, 1.0), (3, 1, 3, 1.0)], event_name="Open")
    rate_all()
    rows = explain(client, table, ben).context["rows"]
    assert [row.score for row in rows] == [0.5, 0, None]
    assert "more than any other game changed" in sentences(markup(explain(client, table, ben)))[1]
    equal = [replace(row, points=-5.0) if row.player else row for row in rows]
    assert [re.sub(r"<[^>]+>", "", text) for text in describe_games(equal, 2000, fesa)] == [
        "The draw with Cy cost 5.00."
    ]


def test_player_without_rated_games_has_a_note_and_no_sentence(client, fesa, rate_all):
    ada, ben = make_player("Ada"), make_player("Ben")
    ListPlayer.objects.create(list=fesa, player=ada, fixed_rating=1800)
    table = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], event_name="Open")
    rate_all()
    response = explain(client, table, ada)
    assert (response.status_code, response.context["sentences"], response.context["rows"]) == (200, [], [])
    assert 'class="say"' not in response.text


def test_changes_beside_lead_on_and_hidden_ones_are_left_out(client, fesa, players, rate_all):
    ada, ben, cy, di = players
    first = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="First")
    second = make_table(fesa, players, [(1, 1, 2, 1.0), (1, 3, 4, 1.0)], "2024-02-03", event_name="Second")
    rate_all()
    Change.objects.filter(player=di, table=second).update(hidden=True)
    nearby = explain(client, second, ada).context["nearby"]
    assert [change.table_id for change in nearby.own] == [second.pk, first.pk]
    assert [change.player for change in nearby.others] == [cy, ben]
    assert nearby.players == 3
    assert explain(client, second, di).status_code == 404


def test_calculator_opens_with_the_opponents_and_results(client, fesa, players, rate_all):
    ada = players[0]
    table = make_table(fesa, players, [(1, 1, 4, 0.0), (2, 1, 2, 0.5)], "2024-01-06", event_name="Open")
    rate_all()
    response = explain(client, table, ada)
    games = client.get(response.context["calculator"]).context["games"]
    typed = [(form.cleaned_data["rating"], form.cleaned_data["score"]) for form in games if form.is_valid()]
    assert typed == [(term["opponent_rating"], term["score"]) for term in response.context["explanation"].row.terms]


def test_page_needs_the_same_queries_for_any_number_of_games(
    client, fesa, players, rate_all, django_assert_num_queries
):
    ada, *_ = players
    table = make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-06", event_name="Open")
    large = [make_player(f"P{number}") for number in range(12)]
    for player in large:
        give_rating(fesa, player, 2000)
    games = [(number, 1, number + 1, 1.0) for number in range(1, 13)]
    other = make_table(fesa, [ada, *large], games, "2024-02-06", event_name="Open")
    rate_all()
    for shown, expected in ((table, 17), (other, 18)):  # the present rating has a rank
        explain(client, shown, ada)
        with django_assert_num_queries(expected):  # one asks if the player has a calculator
            explain(client, shown, ada)


def test_explanation_can_only_be_read(client, fesa, players, rate_all):
    ada, *_ = players
    table = make_table(fesa, players, [(1, 1, 2, 1.0)], "2024-01-06", event_name="Open")
    rate_all()
    assert client.post(f"/lists/fesa/tables/{table.pk}/{ada.public_id}/").status_code == 405


def explained_calculator(client, page):
    """The calculator at the address in an explanation."""
    response = client.get(page.context["calculator"])
    assert (response.status_code, response.context.get("problem")) == (200, None)
    return response.context["imagined"]


def test_calculator_has_the_opponents_handicaps_and_draws_filled_in(client, fesa, players, rate_all):
    ada, *_ = players
    games = [(1, 1, 4, 0.5), (2, 1, 2, 1.0, {"handicap": "r", "giver": "a"}), (3, 1, 3, 0.0)]
    table = make_table(fesa, players, games, "2024-01-06", event_name="Open")
    rate_all()
    page = explain(client, table, ada)
    terms = page.context["explanation"].row.terms
    assert terms[1]["opponent_rating"] != 2000  # with the worth of the handicap
    german = markup(client.get(page.wsgi_request.path, headers={"Accept-Language": "de"}))
    assert f"(gab {terms[1]['handicap']} Grade vor)".replace(".", ",") in german
    imagined = explained_calculator(client, page)
    assert [(term["opponent_rating"], term["score"]) for term in imagined.row.terms] == [
        (pytest.approx(term["opponent_rating"], abs=0.01), term["score"]) for term in terms
    ]


GO = [
    (1, 1, 2, 1.0, {"stones": 4, "black": "a"}), (2, 3, 1, 1.0, {"stones": 2, "black": "a"}), (3, 1, 2, 0.0),
    (4, 1, 4, 0.5, {"stones": 9, "black": "b", "board": 13}), (5, 1, 3, 1.0, {"online": True}),
    (6, 1, 4, 0.0, {"stones": 1, "black": "a"}),
]  # fmt: skip
SHOGI = [
    (1, 1, 2, 1.0, {"handicap": "6p", "giver": "a"}), (2, 1, 3, 0.0, {"handicap": "2p", "giver": "a"}),
    (3, 4, 1, 0.0, {"handicap": "r", "giver": "a"}), (4, 1, 3, 1.0), (5, 2, 1, 0.5, {"handicap": "s", "giver": "b"}),
]  # fmt: skip
"""Games of four players with handicaps given and taken by the first one, who is not always named first."""
WITH_HANDICAPS = {
    "fesa-2016": (SHOGI, {}),
    "bgf": (GO, {"minutes": 40}),
    "bgf by round": (GO, {"minutes": 60, "tournament": False}),
    "egf-2021": (GO, {"time_class": "B"}),
}


@pytest.mark.parametrize("case", WITH_HANDICAPS)
def test_filled_calculator_shows_the_explained_change_of_games_with_handicaps(case, client, rate_all):
    games, details = WITH_HANDICAPS[case]
    system = case.partition(" ")[0]
    made = make_list("one", system=system, options={"within": "round"} if "round" in case else {})
    assert made.rating_system.rating.rated_handicaps
    four = [make_player(name) for name in ("Ada", "Ben", "Cy", "Di")]
    for player, rating in zip(
        four, (1250, 700, 420, 1555) if system == "fesa-2016" else (155, -210, 90, 300), strict=True
    ):
        give_rating(made, player, rating) if system == "fesa-2016" else set_state(
            made, player, "2020-01-01", rating=rating
        )
    make_table(made, four, [(1, 1, 2, 1.0), (1, 3, 4, 0.5)], "2024-01-06")
    table = make_table(made, four, games, "2024-02-06", event_name="Open", **details)
    make_table(made, four, [(1, 1, 4, 0.0), (1, 3, 2, 0.5)], "2024-03-06")
    rate_all()
    for player in four:
        page = explain(client, table, player, "one")
        explained = page.context["explanation"].row
        calculator = client.get(page.context["calculator"])
        row = calculator.context["imagined"].row
        assert calculator.context.get("problem") is None
        assert (row.before, row.change) == (explained.before, pytest.approx(explained.change, abs=0.001))
        assert signed(row.change, made) == signed(explained.change, made)
        assert f">{signed(explained, made)}</span>" in markup(calculator)


def test_systems_that_rate_handicaps_have_a_filled_calculator_tested():
    """A system that rates no handicaps offers none in its calculator."""
    rated = {key for key, system in SYSTEMS.items() if system({}).rating.rated_handicaps}
    assert rated == {case.partition(" ")[0] for case in WITH_HANDICAPS}


def test_filled_calculator_begins_before_the_event_and_can_be_changed(client, fesa, players, rate_all):
    ada, *_ = players
    table = make_table(
        fesa, players, [(1, 1, 4, 0.0), (2, 1, 2, 1.0, {"handicap": "r", "giver": "a"})], event_name="Open"
    )
    make_table(fesa, players, [(1, 1, 4, 0.0)], "2024-02-06")
    rate_all()
    address = explain(client, table, ada).context["calculator"]
    page = client.get(address)
    text = markup(page)
    assert "This calculator begins with the rating of Ada, A. before Open." in text
    assert "All games count as games of this event, with its day and its time control." in text
    assert f'<input type="hidden" name="table" value="{table.pk}">' in text
    assert '<option value="gave r" selected>gave rook</option>' in text
    assert page.context["imagined"].row.before == 2000
    changes = [
        client.get(address.replace(*other)).context["imagined"].row.change
        for other in (("gave+r", "took+r"), ("gave+r", "gave+s"), ("gave+r", "gave+r"), ("score=0", "score=1"))
    ]
    assert changes == sorted(changes)
    assert len(set(changes)) == 4
    today = client.get(f"/players/{ada.public_id}/calculator/?list=fesa&rows=1&game-0-rating=2000&game-0-score=1")
    assert today.context["imagined"].row.before == Change.objects.get(table__first_day="2024-02-06", player=ada).after


def test_calculator_before_an_event_needs_a_public_change_there(client, fesa, players, rate_all):
    ada, ben, *_ = players
    table = make_table(fesa, players[:1] + players[2:], [(1, 1, 2, 0.0)], event_name="Open")
    rate_all()
    address = f"/players/{{}}/calculator/?list=fesa&table={table.pk}"
    assert client.get(address.format(ada.public_id)).status_code == 200
    assert client.get(address.format(ben.public_id)).status_code == 404
    for invalid in ("x", "-1", "²", "9" * 30, f"{table.pk + 1}"):
        assert client.get(f"/players/{ada.public_id}/calculator/?list=fesa&table={invalid}").status_code == 404
    Change.objects.filter(table=table, player=ada).update(hidden=True)
    assert client.get(address.format(ada.public_id)).status_code == 404


def test_filled_calculator_has_all_games_of_the_event(client, fesa, players, rate_all):
    ada, ben, *_ = players
    scores = [(1.0, 0.5, 0.0)[number % 3] for number in range(12)]
    table = make_table(
        fesa, [ada, ben], [(number, 1, 2, score) for number, score in enumerate(scores, 1)], "2024-01-06"
    )
    rate_all()
    imagined = explained_calculator(client, explain(client, table, ada))
    assert [term["score"] for term in imagined.row.terms] == scores
    assert len(client.get(explain(client, table, ada).context["calculator"]).context["games"].forms) == 12


def test_calculator_rounds_ratings_for_a_system_of_whole_ratings(client, rate_all):
    chess, ada, ben = make_list("chess", system="icu-1989"), make_player("Ada"), make_player("Ben")
    for player, games in ((ada, 40), (ben, 10)):
        given = {"rating": 1500, "games": games}
        save_adjustment(Adjustment(list=chess, player=player, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    table = make_table(chess, [ada, ben], [(number, 1, 2, 1.0) for number in (1, 2, 3)], "2024-01-06")
    rate_all()
    page = explain(client, table, ada, "chess")
    used = page.context["explanation"].row.terms[0]["opponent_rating"]
    assert used != round(used)
    assert explained_calculator(client, page).row.terms[0]["opponent_rating"] == round(used)


def test_average_of_old_and_new_games_is_not_said_to_be_worth_points(client, rate_all):
    chess, ada, ben = make_list("chess", system="icu-1989"), make_player("Ada"), make_player("Ben")
    for player, games in ((ada, 10), (ben, 40)):
        given = {"rating": 1500, "games": games}
        save_adjustment(Adjustment(list=chess, player=player, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    table = make_table(chess, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="Open")
    rate_all()
    after = Change.objects.get(table=table, player=ada).after
    assert sentences(markup(explain(client, table, ada, "chess")))[0] == (
        f"Ada scored 1 of 1 at Open. A new rating was calculated from earlier games and these together: {after:.0f}"
        " instead of 1500."
    )


def test_points_that_count_later_are_in_brackets_beside_the_rating(client, rate_all):
    """Visitors' finding V14: a rating of 2300 and +16 beside it, which is not in it yet."""
    renju, ara, bel = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (ara, bel):
        given = {"rating": 2300}
        save_adjustment(Adjustment(list=renju, player=player, date=dt.date(1996, 1, 1), set=given, reason="opening"))
    table = make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "1996-06-01", event_name="Open")
    rate_all()
    pages = [
        explain(client, table, ara, "renju"),
        client.get(f"{ara.get_absolute_url()}?list=renju&on=1996-06-30"),
    ]
    for response in pages:
        links = re.findall(r'<span title="added on the next list">\(<a class="change.*?>(.*?)</a>\)</span>',
                           markup(response))  # fmt: skip
        assert links
        assert set(links) <= {"+16", "−16"}
    counted = markup(client.get(f"{ara.get_absolute_url()}?list=renju")).partition("</header>")[0]
    assert "2316" in counted
    assert "added on the next list" not in counted.partition('class="now"')[2].partition("</div>")[0]
    page = markup(pages[0])
    tiles = page.partition('<dl class="facts big">')[2].partition("</dl>")[0]
    assert re.findall(r"<dt>\s*(.*?)\s*</dt>", tiles) == [
        "Before", "Points won or lost", "Rating until 31 Aug 1996", "Rating on 31 Aug 1996", "Expected", "Scored",
        "Rated as",
    ]  # fmt: skip


def make_earlier_events(fesa, new, players):
    """Two events of a new player, one lost and one drawn game, before the third one in which they get a rating."""
    ada, ben, *_ = players
    make_table(fesa, [new, ada], [(1, 1, 2, 0.0)], "2023-01-07", event_name="Winter")
    make_table(fesa, [ben, new], [(1, 1, 2, 0.5)], "2023-07-01", event_name="Summer")
    games = [(number, 1, 2 + number % 2, 1.0) for number in range(1, 6)]
    return make_table(fesa, [new, *players[2:]], games, "2024-01-06", event_name="Open")


def test_first_rating_names_opponent_event_and_day_of_earlier_games(client, fesa, players, rate_all):
    new = make_player("New")
    table = make_earlier_events(fesa, new, players)
    rate_all()
    page = markup(explain(client, table, new))
    assert [row[1] for row in figures(page)[:3]] == [
        "Ada , A. earlier game: Winter , 7 Jan 2023", "Ben earlier game: Summer , 1 Jul 2023", "Di",
    ]  # fmt: skip
    winter = Event.objects.get(name="Winter")
    assert f'<a href="{winter.get_absolute_url()}?list=fesa">Winter</a>' in page
    terms = page.partition('<table class="listing terms">')[2].partition("</tbody>")[0]
    assert f'earlier game (<a href="{players[0].get_absolute_url()}?list=fesa"><b>Ada</b>, A.</a>, 7 Jan 2023)' in terms


def test_earlier_game_without_a_public_event_stays_without_a_name(client, fesa, players, rate_all):
    new = make_player("New")
    given = {"rating": 1500, "past": [[1500, 0.5]]}
    save_adjustment(Adjustment(list=fesa, player=new, date=dt.date(2022, 1, 1), set=given, reason="opening"))
    table = make_earlier_events(fesa, new, players)
    rate_all()
    Event.objects.filter(name="Winter").update(state=Event.State.DRAFT)
    page = markup(explain(client, table, new))
    assert [row[1] for row in figures(page)[:3]] == [
        "earlier game", "earlier game", "Ben earlier game: Summer , 1 Jul 2023",
    ]  # fmt: skip


def test_results_that_a_grade_on_joining_adds_are_no_earlier_games(client, fesa, players, rate_all):
    new = make_player("New")
    ListPlayer.objects.create(list=fesa, player=new, prior_grade="1 Dan")
    games = [(number, 1, 2 + number % 2, 1.0) for number in range(1, 4)]
    table = make_table(fesa, [new, *players[:2]], games, "2024-01-06", event_name="Open")
    rate_all()
    page = markup(explain(client, table, new))
    assert [row[1] for row in figures(page)] == [
        "added for the grade on joining", "added for the grade on joining", "Ben", "Ada , A.", "Ben",
        "Rating that these games lead to",
    ]  # fmt: skip
    assert page.count("added for the grade on joining") == 4
    assert "earlier game" not in page

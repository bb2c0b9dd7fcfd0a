"""The calculators of a list: anybody's games, and a whole tournament."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from ratings.domain.lists.adjustments import save_adjustment
from ratings.formats.problems import FileProblem
from ratings.localize import translate_message
from ratings.models import Adjustment, Change, NameVisibility, Table
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
CSV = """number,last name,first name,country,r1,r2,r3
1,Ito,Ana,ES,2+,3+,0-
2,Bo,Bea,FR,1-,0-,3=
3,Nobody,Known,DE,0-,1-,2=
"""


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def known(fesa, rate_all):
    ana, bea = make_player("Ito", "Ana"), make_player("Bo", "Bea")
    give_rating(fesa, ana, 1600)
    give_rating(fesa, bea, 1700)
    rate_all()
    return ana, bea


def calculate_tournament(client, text, **more):
    return client.post("/lists/fesa/calculator/tournament/", {"text": text} | more)


def test_tournament_calculator_matches_the_rated_tournament(client, fesa, known, rate_all):
    imagined = calculate_tournament(client, CSV).context["imagined"]
    assert imagined.problems.all == []
    assert not Table.objects.exists()
    table = make_table(
        fesa, [*known, make_player()], [(1, 1, 2, 1.0), (2, 1, 3, 1.0), (3, 2, 3, 0.5)], "2024-05-04"
    )  # fmt: skip
    rate_all()
    rated = Change.objects.filter(table=table).order_by("player_id")
    assert [(line.row.before, line.row.after, line.row.change) for line in imagined.rows] == [
        (change.before, change.after, change.change) for change in rated
    ]
    assert [line.player for line in imagined.rows] == [*known, None]


def test_tournament_explains_every_number(client, known):
    page = markup(calculate_tournament(client, CSV))
    assert page.count('<details id="made-') == 3
    assert "Nobody Known" in page


def test_tournament_takes_a_file_and_a_public_id(client, known):
    ana, bea = known
    ana.shown = NameVisibility.ANONYMOUS
    ana.save()
    text = CSV.replace("Ito,Ana", f"{ana.public_id},")
    response = calculate_tournament(client, "", file=SimpleUploadedFile("cup.csv", text.encode()))
    assert [line.player for line in response.context["imagined"].rows] == [ana, bea, None]
    assert "Ito" not in markup(response)


def test_anonymous_player_is_not_matched_by_name(client, known):
    ana, bea = known
    ana.shown = NameVisibility.INITIALS
    ana.save()
    assert [line.player for line in calculate_tournament(client, CSV).context["imagined"].rows] == [None, bea, None]


def test_namesakes_are_reported(client, known):
    other = make_player("Ito", "Ana", public_id="ZZ9", birth_year=1990)
    imagined = calculate_tournament(client, CSV).context["imagined"]
    (problem,) = imagined.problems.all
    assert problem.message.startswith("Ito Ana may be several players; write the public id in place of the name: ")
    described = {
        f"{known[0].public_id} Ito Ana (FR, 1600, no event yet)",
        f"{other.public_id} Ito Ana (FR, no event yet)",
    }
    assert set(problem.message.values["players"]) == described  # the public sees no birth year


def test_id_typed_twice_does_not_name_a_hidden_player(client, known):
    ana, _bea = known
    ana.shown = NameVisibility.INITIALS
    ana.save()
    text = CSV.replace("Ito,Ana", f"{ana.public_id},").replace("Bo,Bea", f"{ana.public_id},")
    imagined = calculate_tournament(client, text).context["imagined"]
    named = [
        problem.message.values["players"] for problem in imagined.problems.all if "players" in problem.message.values
    ]
    assert named == [[ana.public_id]]


@pytest.mark.parametrize("text", ["", "   ", "hello", "1,2,3\n\0", "number,last name,r1\n1,A,9+\n", "<script>"])
def test_rubbish_is_reported(text, client, known):
    response = calculate_tournament(client, text)
    assert response.status_code == 200
    page = markup(response)
    assert 'class="message bad"' in page or 'class="errorlist' in page
    assert "<h2>Result</h2>" not in page


def test_problems_of_a_tournament_are_translated(client, known):
    address = "/lists/fesa/calculator/tournament/"
    page = markup(client.post(address, {"text": "hello"}, HTTP_ACCEPT_LANGUAGE="de"))
    with override("de"):
        expected = translate_message(FileProblem.UNKNOWN_FORMAT())
    assert not expected.startswith("unknown format")
    assert expected in page


def test_many_tournaments_in_a_minute_are_slowed(client, known):
    answers = [calculate_tournament(client, "x").status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]


def test_tournament_calculator_of_a_closed_list_is_404(client, fesa):
    fesa.public = False
    fesa.save()
    assert client.get("/lists/fesa/calculator/tournament/").status_code == 404
    assert client.get("/lists/fesa/calculator/").status_code == 404
    assert client.put("/lists/none/calculator/tournament/").status_code == 405


def test_visitor_with_a_rating_gets_the_same_result_as_a_player(client, known):
    """100 games and a rating of 1600 are what Ana came with."""
    ana, _ = known
    fields = {"rating": "1600", "played": "100", "games": "1700+ 1650= 1800-"}
    mine = client.get("/lists/fesa/calculator/", fields).context["imagined"].row
    hers = (
        client.get(f"/players/{ana.public_id}/calculator/", {"games": "1700 1, 1650 ½, 1800 0"}).context["imagined"].row
    )
    assert (mine.before, mine.after, mine.performance) == (hers.before, hers.after, hers.performance)


def test_unrated_visitor_gets_a_first_rating(client, fesa):
    row = client.get("/lists/fesa/calculator/", {"games": "1500+ 1500-"}).context["imagined"].row
    assert (row.before, row.after) == (None, 1500)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"games": "abc"}, "line 1: “abc” is not a game; write rating and result, for example 1650+ 1720= 1800-"),
        ({"games": "1500+ " * 41}, "41 games; at most 40 are calculated at once"),
        ({"games": "1500+", "rating": "9999999"}, "Ensure this value is less than or equal to 5000."),
        ({"games": "1500+", "rating": "nan"}, "Enter a number."),
        ({"games": "1500+", "grade": "99 Dan"}, "Select a valid choice. 99 Dan is not one of the available choices."),
    ],
)
def test_wrong_fields_are_reported(fields, expected, client, fesa):
    response = client.get("/lists/fesa/calculator/", fields)
    assert [str(error) for errors in response.context["form"].errors.values() for error in errors] == [expected]


@pytest.mark.parametrize(
    "system",
    [
        "fesa-2016",
        "fesa-2000",
        "icu-1989",
        "rif-1995",
        "rif-1997",
        "bgf",
        "egf-2021",
        "glicko-2",
        "rif-2021",
        "fide-2024",
    ],
)
def test_every_system_reckons(system, client):
    make_list("any", system=system)
    rating = "-250" if system == "bgf" else "1500"
    response = client.get("/lists/any/calculator/", {"rating": rating, "games": f"{rating}+ {rating}-"})
    context = response.context
    assert "imagined" in context or context["problem"]
    tournament = client.post("/lists/any/calculator/tournament/", {"text": CSV})
    assert tournament.status_code == 200


def test_days_in_a_file_do_not_count_and_so_tell_no_birth_year(client, rate_all):
    """FIDE's K of 40 ends with the 18th birthday: days of the visitor's choice would find an unpublished year."""
    fide, zoe = make_list("fide", system="fide-2024"), make_player("Wolf", "Zoe", birth_year=1980)
    opening = {"rating": 2000, "games": 50}
    save_adjustment(Adjustment(list=fide, player=zoe, date="2024-05-01", set=opening, reason="r"))
    rate_all()
    found = []
    for year in (1997, 1999, 2024):
        lines = [f"012 Cup|042 {year}/06/10|052 {year}/06/10", player_line(1, "Wolf, Zoe", 0, "2 w 1")]
        text = "|".join([*lines, player_line(2, "Foo, Bar", 2000, "1 b 0")]).replace("|", "\n")
        imagined = client.post("/lists/fide/calculator/tournament/", {"text": text}).context["imagined"]
        found.append((imagined.problems.all, imagined.rows[0].row, imagined.counts_on))
    problems, row, _counts_on = found[0]
    assert (problems, row.figures["k"]) == ([], 20)
    assert found[1:] == [found[0], found[0]]


def player_line(number, name, rating, game):
    """Return the line of a player in TRF."""
    return (
        f"001 {number:4}      {name:33} {rating:4}".ljust(80) + f"{1.0 if number == 1 else 0.0:4}{number:5}  {game:>8}"
    )


def test_warnings_of_the_rules_name_the_players(client):
    make_list("icu", system="icu-1989")
    ana = make_player("Ito", "Ana")
    text = f"number,last name,first name,country,r1\n1,{ana.public_id},,ES,2+\n2,Nobody,Known,DE,1-\n"
    imagined = client.post("/lists/icu/calculator/tournament/", {"text": text}).context["imagined"]
    assert [problem.message for problem in imagined.problems.all] == [
        "Ito Ana and all their opponents are unrated: these games are not counted",
        "Nobody Known and all their opponents are unrated: these games are not counted",
    ]


def test_player_with_games_has_a_rating(client, fesa):
    response = client.get("/lists/fesa/calculator/", {"played": "200", "games": "1650+"})
    assert response.context["form"].errors == {
        "rating": ["Enter the rating of a player who has rated games or a grade."]
    }


GAMES = "1650+ 1720= 1800-"


def calculate(client, **fields):
    return client.get("/lists/fesa/calculator/", {"games": GAMES} | fields)


def test_calculator_without_games_takes_an_established_player(client, fesa):
    # rules/fesa-2016.md, step 3: K 28 from 1280; below 1800 the first 100 games bring a bonus, later ones none
    rows = {
        played: calculate(client, rating="1524", played=played).context["imagined"].row for played in ("", "150", "18")
    }
    assert [rows[played].change for played in ("", "150", "18")] == [23, 23, 27]
    assert [term["bonus"] for term in rows[""].terms] == [0, 0, 0]


ESTABLISHED = "The player is established, with at least 100 rated games: their number was left empty."
NO_GRADE = "No grade was entered, so no promotions are calculated."
ALWAYS = [
    "The opponents keep the ratings that were entered.", "All games are even games of one event, played today.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "assumed"),
    [
        ({"rating": "1524"}, [ESTABLISHED, NO_GRADE]),
        ({"rating": "1524", "played": "18", "grade": "4 Kyu"}, []),
        ({"rating": "1524", "grade": "none"}, [ESTABLISHED]),
        ({}, ["The player is unrated and has played no rated games."]),
    ],
)
def test_calculator_says_what_it_assumes(fields, assumed, client, fesa):
    response = calculate(client, **fields)
    assert response.context["assumptions"] == [*assumed, *ALWAYS]
    assert [text for text in response.context["assumptions"] if f"<li>{text}</li>" not in markup(response)] == []


def test_calculator_of_a_system_without_settled_games_says_what_it_assumes(client):
    make_list("go", system="bgf")
    response = client.get("/lists/go/calculator/", {"rating": "100", "games": "100+"})
    assert response.context["assumptions"][0] == "The player is established: the number of rated games was left empty."


def test_calculator_without_grade_reveals_no_promotion(client, fesa):
    response = calculate(client, rating="1524")
    assert response.context["imagined"].row.awards == ()
    assert "passed on the way" not in markup(response)
    none_yet = calculate(client, rating="1524", grade="none").context["imagined"].row
    assert [award.grade for award in none_yet.awards][-1] == "3 Kyu"
    assert calculate(client, grade="none").context["form"].errors == {}


@pytest.mark.parametrize("played", ["3", "12", "150", ""])
@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000", "icu-1989"])
def test_calculator_says_that_opponents_count_with_the_ratings_entered(system, played, client):
    make_list("fesa", system=system)
    page = markup(calculate(client, rating="1524", played=played))
    assert ("with the ratings entered" in page, "after this table" in page, "after this event" in page) == (
        True, False, False,
    )  # fmt: skip


@pytest.mark.parametrize("system", ["glicko-2", "rif-2021"])
def test_calculator_asks_how_sure_the_rating_is(system, client):
    make_list("sure", system=system)
    address = "/lists/sure/calculator/"
    responses = [
        client.get(address, {"rating": 1500, "games": "1700+ 1800+", "deviation": text}) for text in ("40", "", "200")
    ]
    assumed = "The deviation was left empty: ±{} is assumed, as for a player who is new on the list."
    newcomer = {"glicko-2": 350, "rif-2021": 100}[system]
    assert [[text for text in one.context["assumptions"] if "deviation" in text] for one in responses] == [
        [], [assumed.format(newcomer)], [],
    ]  # fmt: skip
    changes = [one.context["imagined"].next_list or one.context["imagined"] for one in responses]
    moved = [(one[1] if isinstance(one, tuple) else one.row).after for one in changes]
    surest, *others = moved
    assert 1500 < surest < min(others)
    wrong = client.get(address, {"rating": 1500, "games": "1700+", "deviation": "0"})
    assert wrong.context["form"].errors == {"deviation": ["Ensure this value is greater than or equal to 1."]}


def test_calculator_of_a_system_without_deviations_does_not_ask_for_one(client, fesa):
    assert "deviation" not in calculate(client, rating="1524").context["form"].fields

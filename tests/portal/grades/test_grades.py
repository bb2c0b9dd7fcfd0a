"""The page of a list's grades: the scale, who holds them, and how often they were won."""

import pytest

from ratings.domain.lists.adjustments import save_list, save_list_player
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.players.visibility import set_visibility
from ratings.models import ListPlayer, RatingList
from tests.approvals import rated
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


def held(rating_list, **grades):
    """Players of these names who hold these grades, all at 2000 points, rated."""
    players = {name: make_player(name) for name in grades}
    for name, grade in grades.items():
        give_rating(rating_list, players[name], 2000, grade=grade)
    rated(rating_list)
    return players


def scale_of(response):
    """The rows of the scale without the labels of their cells, each with the number of its holders."""
    return [(tuple(value for _, value in cells), number) for cells, number in response.context["rows"]]


def test_scale_is_shown_with_how_many_hold_each_grade(client, fesa):
    held(fesa, Ada="3 Dan", Ben="3 Dan", Cleo="1 Kyu", Dan="2 Kyu", Eve="18 Kyu")
    response = client.get("/lists/fesa/grades/")
    rows = {row[0]: (*row[1:], number) for row, number in scale_of(response)}
    assert (rows["3 Dan"], rows["2 Dan"], len(rows)) == (
        (1920, 2000, 2080, 16, 8, 2), (1800, 1860, 1920, 14, 7, 0), 26
    )  # fmt: skip
    assert [(one.grade, one.player.family_name) for one in response.context["highest"]] == [
        ("3 Dan", "Ada"), ("3 Dan", "Ben"), ("1 Kyu", "Cleo"), ("2 Kyu", "Dan")
    ]  # fmt: skip
    link = "/lists/fesa/?active=all&amp;grade=3%20Dan"
    assert f'<a href="{link}">2</a>' in response.content.decode()
    assert client.get(link.replace("&amp;", "&")).context["listing"].paginator.count == 2


def test_withdrawn_players_are_not_counted_and_hidden_names_not_shown(client, fesa):
    players = held(fesa, Ada="3 Dan", Ben="3 Dan")
    save_list_player(ListPlayer(list=fesa, player=players["Ada"], withdrawn=True))
    rated(fesa)
    set_visibility(players["Ben"], "anonymous")
    response = client.get("/lists/fesa/grades/")
    assert [(str(one.player), one.grade) for one in response.context["highest"]] == [
        (f"Player {players['Ben'].public_id}", "3 Dan")
    ]
    assert {row[0]: number for row, number in scale_of(response)}["3 Dan"] == 1


def test_promotions_are_counted_by_year_and_grade(client, fesa):
    opponent = make_player("Opponent")
    give_rating(fesa, opponent, 2000, grade="3 Dan")
    for name, rating, grade, day in (
        ("Ada", 1799, "1 Kyu", "2024-02-01"), ("Ben", 1799, "1 Kyu", "2024-03-01"), ("Cleo", 1679, "2 Kyu", "2023-03-01")
    ):  # fmt: skip
        player = make_player(name)
        give_rating(fesa, player, rating, grade=grade)
        make_table(fesa, [player, opponent], [(1, 1, 2, 1.0)], day)
    rated(fesa)
    response = client.get("/lists/fesa/grades/")
    assert [(year.year, year.total, year.grades) for year in response.context["years"]] == [
        (2024, 2, [("1 Dan", 2)]), (2023, 1, [("1 Kyu", 1)])
    ]  # fmt: skip
    assert '<a href="/lists/fesa/promotions/?year=2024">2</a>' in markup(response)


def test_go_grades_are_shown_with_promotion_and_demotion(client):
    go = make_list("go", system="bgf", options={"top_label": "7 Dan"})
    context = client.get(f"/lists/{go.slug}/grades/").context
    rows = [row for row, _ in scale_of(client.get(f"/lists/{go.slug}/grades/"))]
    assert context["scale"].columns == ("Grade", "Band from", "Next grade above", "Lost below")
    assert rows[:2] == [("7 Dan", 600, None, 500), ("6 Dan", 500, 600, 400)]
    assert rows[6:8] == [("1 Dan", 0, 100, -100), ("1 Kyu", -100, 0, -200)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "by itself 7 days after the results were accepted"),
        ({"announce_after": None}, "A grade is announced by a rating officer or with a published list."),
        ({"options": {"corrections": "revised"}}, "Grades follow the results"),
        ({"system": "bgf"}, "Grades follow the results"),
        ({"system": "bgf", "options": {"corrections": "kept"}}, "A grade stays once it is announced"),
    ],
)
def test_rule_on_corrections_is_explained_in_words(fields, expected, client):
    make_list(**fields)
    for address in ("/lists/fesa/grades/", "/lists/fesa/rules/"):
        assert expected in client.get(address).content.decode()


def test_page_is_linked_from_the_rules_and_promotions(client, fesa):
    for address in ("/lists/fesa/rules/", "/lists/fesa/promotions/"):
        assert 'href="/lists/fesa/grades/"' in client.get(address).content.decode()


@pytest.mark.parametrize("count", [1, 50])
def test_grades_need_the_same_queries_for_any_number_of_holders(count, client, fesa, django_assert_num_queries):
    held(fesa, **{f"P{number}": "3 Dan" for number in range(count)})
    with django_assert_num_queries(6):
        client.get("/lists/fesa/grades/")


def test_lists_without_grades_have_no_such_page(client, fesa):
    make_list("chess", system="icu-1989")
    save_list(
        RatingList(
            slug="other", name="Other", federation=get_or_create_federation("F"), system="fesa-2000", comparison_to=fesa
        )
    )
    for slug in ("chess", "other", "nope"):
        assert client.get(f"/lists/{slug}/grades/").status_code == 404
    assert 'href="/lists/chess/grades/"' not in client.get("/lists/chess/rules/").content.decode()

import datetime as dt

import pytest

from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.values import Player, Row, Standing, Table

DAY = dt.date(2024, 1, 6)
STANDING = Standing(1500, 12, "2 Dan", "rated", published=True)


def table(**fields):
    return Table("t", DAY, ("ada",), (), **fields)


def test_rating_of_an_outsider_is_that_of_the_table_or_of_the_list():
    assert get_outsider_rating(table(fixed={"ada": 1800}), Player("ada"), 1500) == 1800
    assert get_outsider_rating(table(fixed={"ada": 1800}), Player("ada", fixed=True), 1500) == 1800
    assert get_outsider_rating(table(), Player("ada", fixed=True), 1500) == 1500
    assert get_outsider_rating(table(fixed={"ben": 1800}), Player("ada"), 1500) is None


def test_outsider_without_a_rating_is_an_error():
    with pytest.raises(ValueError, match=r"^ada is a fixed outsider without a rating$"):
        get_outsider_rating(table(), Player("ada", fixed=True), None)


def test_outsider_has_the_rating_of_the_table_and_no_grade():
    row = make_idle_row(table(), Player("ada"), STANDING, 1800)
    assert row == Row("ada", "fixed", "fixed", 1800, 1800, 0, games_after=12, note=row.note)
    assert str(row.note) == "fixed outsider"


@pytest.mark.parametrize(
    ("rated", "note", "reason"),
    [(True, "", "no rated game"), (False, "", "these results are not rated"), (True, "too fast", "too fast")],
)
def test_player_without_a_rated_game_keeps_the_standing_and_reads_why(rated, note, reason):
    row = make_idle_row(table(rated=rated), Player("ada"), STANDING, None, note)
    kept = {"games_after": 12, "grade_before": "2 Dan", "grade": "2 Dan", "note": row.note}
    assert row == Row("ada", "rated", "rated", 1500, 1500, 0, **kept)
    assert str(row.note) == reason

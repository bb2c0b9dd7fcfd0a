import pytest

from ratings.formats.typed_games import read_typed_games


@pytest.mark.parametrize(("text", "told"), [("99999+", "99999+"), ("1600+ 12345- 3", "12345- 3"), ("x1500+", "x")])
def test_what_is_no_game_is_told_whole(text, told):
    _, problems = read_typed_games(text)
    assert [problem.message for problem in problems.all] == [
        f"“{told}” is no game; write rating and result, as 1650+ 1720= 1800-"
    ]


@pytest.mark.parametrize("rating", ["5001", "9999", "-5001", "5000.1"])
def test_rating_that_cannot_be_is_told(rating):
    _, problems = read_typed_games(f"1600+\n{rating}+")
    assert [(problem.line, problem.message) for problem in problems.all] == [
        (2, f"a rating of {rating} cannot be; it is at most 5000")
    ]
    assert read_typed_games("5000+ -5000-")[0] == [(5000, 1.0), (-5000, 0.0)]

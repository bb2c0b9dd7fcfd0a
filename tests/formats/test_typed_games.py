import pytest

from ratings.formats.typed_games import read_typed_games


@pytest.mark.parametrize(("text", "expected"), [("99999+", "99999+"), ("1600+ 12345- 3", "12345- 3"), ("x1500+", "x")])
def test_invalid_game_is_quoted_in_full(text, expected):
    _, problems = read_typed_games(text)
    assert [problem.message for problem in problems.all] == [
        f"“{expected}” is not a game; write rating and result, for example 1650+ 1720= 1800-"
    ]


@pytest.mark.parametrize("rating", ["5001", "9999", "-5001", "5000.1"])
def test_impossible_rating_is_reported(rating):
    _, problems = read_typed_games(f"1600+\n{rating}+")
    assert [(problem.line, problem.message) for problem in problems.all] == [
        (2, f"invalid rating {rating}: at most 5000")
    ]
    assert read_typed_games("5000+ -5000-")[0] == [(5000, 1.0), (-5000, 0.0)]

import pytest

from ratings.formats.typed_games import read_typed_games


@pytest.mark.parametrize(("text", "told"), [("99999+", "99999+"), ("1600+ 12345- 3", "12345- 3"), ("x1500+", "x")])
def test_what_is_no_game_is_told_whole(text, told):
    _, problems = read_typed_games(text)
    assert [problem.message for problem in problems.all] == [
        f"“{told}” is no game; write rating and result, as 1650+ 1720= 1800-"
    ]

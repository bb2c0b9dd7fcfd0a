"""Result tokens as organisers write them."""

import pytest

from ratings.formats.tokens import read_cell


@pytest.mark.parametrize("text", ["3-", "3-(-2p)", "3+(-r)", "0-", "3-/w4"])
def test_minus_signs_of_pages_are_read_as_hyphens(text):
    cell = read_cell(text)
    assert cell is not None
    copied = read_cell(text.replace("-", "−"))
    assert (copied.token(), copied.mark, copied.points) == (cell.token(), cell.mark, cell.points)


@pytest.mark.parametrize("text", ["3+!", "3-!/w", "3=!", "3+u/b", "3=u", "0+f", "3-!/b4", "3+!(-2p)", "12-!(+r)"])
def test_results_that_are_not_rated_are_read_and_written_alike(text):
    cell = read_cell(text)
    assert cell is not None
    assert (cell.opponent, cell.typed) == (0, text)
    assert cell.forfeit == (0 if text == "0+f" else int(text.split("+")[0].split("-")[0].split("=")[0]))


@pytest.mark.parametrize(
    ("text", "row", "mirrored"),
    [("3+!/w", 1, "1-!/b"), ("3=u", 2, "2=u"), ("3-!/b4", 1, "1+!/w4"), ("3-(+r)", 1, "1+(-r)")],
)
def test_mirrored_result_stays_unrated(text, row, mirrored):
    assert read_cell(text).mirrored(row).typed == mirrored


@pytest.mark.parametrize("text", ["0+!", "0-u", "3+f", "0-f", "0=f", "0!", "3+?"])
def test_marks_that_do_not_fit_are_errors(text):
    assert read_cell(text) is None

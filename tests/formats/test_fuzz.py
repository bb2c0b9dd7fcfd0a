"""Broken files give problems, never a traceback: seeded mutations of our own good files."""

import datetime as dt
import random
import time

import pytest

from ratings.formats.grid import looks_like_grid, read_grid, write_grid
from ratings.formats.history import HistoryError, history_of, read_history, write_history
from ratings.formats.new_players import read_new_players
from ratings.formats.published import looks_published, read_published, write_published
from tests.formats.test_grid import GOOD
from tests.formats.test_grid import HANDICAP as GRID_HANDICAP
from tests.formats.test_published import HANDICAP, PLAIN
from tests.histories import document, rated_player

TODAY = dt.date(2026, 11, 21)
PIECES = ["[", "]", "(", ")", "+", "-", "=", "0", "9" * 24, "&", "#", "é", "\n", ";", "*", "Promoting ", "/", "(+2p)", "N ",
          "\x1c", "\x85", "²", " ", "Nr ", "1/0", "1e999", "nan", "٣", "{", "}", '"', ":", ",", "null"]  # fmt: skip
CSV = "last_name,first_name,country,prior_grade\nMuster,Anna,DE,3 Dan\n"


def mutated(text, chance):
    for _ in range(chance.randint(1, 6)):
        at, kind = chance.randrange(len(text) + 1), chance.random()
        if kind < 0.5:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind < 0.75:
            text = text[:at] + text[at + chance.randint(1, 30) :]
        else:
            other = chance.randrange(len(text) + 1)
            text = text[:at] + text[other : other + chance.randint(1, 60)] + text[at:]
    return text


def read_all(data):
    looks_like_grid(data)
    looks_published(data)
    read_new_players(data)
    for read, write in ((read_grid, write_grid), (read_published, write_published)):
        table, problems = read(data, TODAY)
        if table is not None and not problems.fatal:
            write(table)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_results_give_problems_and_no_traceback(seed):
    chance = random.Random(seed)
    for _ in range(700):
        text = mutated(chance.choice([GOOD, GRID_HANDICAP, PLAIN, HANDICAP, CSV]), chance)
        read_all(text.encode(chance.choice(["utf-8", "latin-1"]), "replace"))


def test_mutated_histories_give_problems_and_no_traceback():
    chance = random.Random(5)
    players = {"A": rated_player(1500), "B": {"prior_grade": "3 Dan"}}
    good = document(players, [("A", "B", 0.5), ("A", None, 1, {"played": False})])
    text = write_history(history_of(good))
    refused = 0
    for _ in range(1500):
        try:
            write_history(read_history(mutated(text, chance).encode()))
        except HistoryError as error:
            refused += bool(error.problems)
    assert refused > 1000


@pytest.mark.parametrize(
    "text",
    ["1 " + "[a]" * 300_000, "[x]\n[2026-01-01]\n1 [a][b] [" + "1 " * 200_000 + "]", "1 " + " " * 900_000 + "x",
     "t : 2026-01-01\n1 " + "a " * 300_000, "t : 2026-01-01\n 1 A B FR 1500  " + "2+(+2p) " * 20_000,
     "t : 2026-01-01\n" + (" 1 " + "a " * 490 + "\n") * 300],
)  # fmt: skip
def test_lines_without_end_are_refused_quickly(text):
    start = time.monotonic()
    read_all(text.encode())
    assert read_grid(text.encode(), TODAY)[1].fatal
    assert time.monotonic() - start < 5

"""Broken files give problems, never a traceback, and never cost much: seeded mutations of our own good files."""

import random
import subprocess
import sys

import pytest

from ratings.formats.history.file import HistoryError, parse_history, read_history, write_history
from tests.formats.fuzz import STEPS
from tests.histories import document, rated_player
from tests.limits import Costs
from tests.mutations import slipped
from tests.thorough import share

FILES = share(20_000, 200)
SLICES = share(8, 2)
HOSTILE = share(1, 23)  # 23 has no factor in common with the numbers of kinds and sizes


def fuzzed(*what):
    """Return the output of `tests.formats.fuzz`, run in a process of its own to measure its memory."""
    command = [sys.executable, "-W", "error", "-m", "tests.formats.fuzz", *map(str, what)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("part", range(SLICES))
def test_mutated_files_give_problems_in_every_reader_within_the_limits(part):
    first, last = FILES * part // SLICES, FILES * (part + 1) // SLICES
    *wrong, good = fuzzed(first, last)
    assert wrong == []
    assert 0 < int(good.split()[0]) < last - first


def test_files_made_to_hurt_are_read_within_the_limits():
    *wrong, good = fuzzed("hostile", HOSTILE)
    assert wrong == []
    assert int(good.split()[0]) < 5


def test_every_reader_is_tried():
    assert set(STEPS) == {
        "whole", "looks", "xlsx", "history", "trf", "h9", "tou", "opengotha", "macmahon", "rif", "aga", "published", "grid", "csv", "new players", "rating list",
        "rating CSV", "RIF's database", "history file", "FIDE's list", "FIDE's XML", "EGD's list", "FFG's list",
        "AGA's list",
    }  # fmt: skip


def test_costs_beyond_the_limits_are_noticed():
    with Costs() as little:
        pass
    with Costs() as much:
        bytearray(b"x" * 250_000_000)
    assert little.beyond == ""
    assert "MB" in much.beyond


def test_mutated_histories_give_problems_and_no_traceback():
    chance = random.Random(5)
    players = {"A": rated_player(1500), "B": {"prior_grade": "3 Dan"}}
    text = write_history(parse_history(document(players, [("A", "B", 0.5), ("A", None, 1, {"played": False})])))
    refused = 0
    for _ in range(1500):
        try:
            write_history(read_history(slipped(text, chance).encode("utf-8", "replace")))
        except HistoryError as error:
            refused += bool(error.problems)
    assert refused > 1000

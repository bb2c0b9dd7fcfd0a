"""Broken files give problems, never a traceback: seeded mutations of our own good files."""

import datetime as dt
import io
import random
import time
import zipfile

import pytest

from ratings.formats.grid import looks_like_grid, read_grid, write_grid
from ratings.formats.h9 import write_h9
from ratings.formats.history import HistoryError, history_of, read_history, write_history
from ratings.formats.new_players import read_new_players
from ratings.formats.published import looks_published, read_published, write_published
from ratings.formats.recognise import READERS
from ratings.formats.recognise import read as read_any
from ratings.formats.sheets import write_csv, write_xlsx
from ratings.formats.trf import write_trf
from tests.formats.test_grid import GOOD
from tests.formats.test_grid import HANDICAP as GRID_HANDICAP
from tests.formats.test_published import HANDICAP, PLAIN
from tests.formats.test_samples import EXPECTED, HEAD, SAMPLES
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


SEEDS = [(SAMPLES / form / file).read_bytes() for form, file in EXPECTED if file.startswith("good")]
WRITERS = (write_grid, write_published, write_trf, write_h9, write_csv, write_xlsx)


def survives(data):
    """Whether the file is read without an error; whatever it is, no reader raises."""
    found = read_any(data, HEAD, TODAY)
    assert found.table is not None or found.problems.fatal
    good = found.table is not None and not found.problems.fatal
    if good:
        for write in WRITERS:
            write(found.table)
    return good


@pytest.mark.parametrize("seed", range(4))
def test_mutated_samples_give_problems_in_every_reader(seed):
    chance = random.Random(seed)
    good = 0
    for _ in range(250):
        text = mutated(chance.choice(SEEDS).decode("utf-8", "replace"), chance)
        data = text.encode(chance.choice(["utf-8", "latin-1"]), "replace")
        good += survives(data)
        for reader in READERS.values():
            reader(data, HEAD, TODAY)
    assert 0 < good < 250


def test_mutated_bytes_of_workbooks_give_problems():
    chance = random.Random(1)
    book = write_xlsx(read_any(SEEDS[0], HEAD, TODAY).table)
    for _ in range(150):
        data = bytearray(book)
        for _ in range(chance.randint(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        survives(bytes(data[: chance.randint(1, len(data))] if chance.random() < 0.2 else data))
        READERS["xlsx"](bytes(data), HEAD, TODAY)


def test_mutated_parts_of_workbooks_give_problems():
    chance = random.Random(2)
    book = write_xlsx(read_any(SEEDS[0], HEAD, TODAY).table)
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    for _ in range(120):
        name = chance.choice([name for name in parts if not name.startswith("docProps")])
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for part, text in parts.items():
                archive.writestr(part, mutated(text, chance).encode("utf-8", "replace") if part == name else text)
        survives(stream.getvalue())


@pytest.mark.parametrize(
    "text",
    ["001 " + "9" * 900 + "\n", ("001    1 " + " 1 w 1" * 150 + "\n") * 1_500, "1 a b 5d DE " + "2+ " * 320,
     ("1 " + "a " * 300 + "5d DE 2+\n") * 900, "; EV[" * 180 + "\n1 a b 5d DE 2+", "Nr,Name," + "1," * 480,
     "Nr,Name,1\n" + '1,"' * 300_000, "Round,Player,Opponent,Result\n" + "1,a,b,1\n" * 40_000, "{" * 900_000,
     "[" * 900_000, "Nr,Name,1\n" + "1,a,2+\n" * 40_000],
)  # fmt: skip
def test_files_without_end_are_refused_quickly_by_every_reader(text):
    start = time.monotonic()
    assert not survives(text.encode())
    for reader in READERS.values():
        reader(text.encode(), HEAD, TODAY)
    assert time.monotonic() - start < 8

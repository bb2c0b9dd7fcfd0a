"""Files made to hurt: each as large as is read, and of what takes a reader most."""

import zipfile
from functools import partial
from itertools import chain

from ratings.formats.spreadsheet.templates import template_xlsx
from tests.formats.test_samples import SAMPLES
from tests.mutations import packed, parts_of

GOOD = {path.parent.name: path.read_bytes().decode("utf-8", "replace") for path in sorted(SAMPLES.glob("*/good.*"))
        if path.suffix != ".xlsx"}  # fmt: skip
MOST = 2_000_000
HISTORY = '{"format":"ratings-history/1","system":"fesa-2016","players":[%s],"tables":[%s]}'
PLAYERS = '{"id":"a"},{"id":"b"}'
TABLE = '{"id":"t","date":"2026-01-01","players":["a","b"],"games":[%s]}'
MARKS = "\u0301\u0323"  # in an order that composing has to turn
CROSSTABLE = "Nr,Last name," + ",".join(map(str, range(1, 31))) + "\n"


def crosstable(cell):
    """A thousand players and thirty rounds."""
    return CROSSTABLE + "".join(
        f"{row},A{row},{','.join(cell(row, round_) for round_ in range(30))}\n" for row in range(1, 1_001)
    )


LONG = {
    "brackets": "1 " + "[a]" * 300_000,
    "one line": "[x]\n[2026-01-01]\n1 [a][b] [" + "1 " * 200_000 + "]",
    "blanks": "1 " + " " * 900_000 + "x",
    "words": "t : 2026-01-01\n1 " + "a " * 300_000,
    "published cells": "t : 2026-01-01\n 1 A B FR 1500  " + "2+(+2p) " * 20_000,
    "published rows": "t : 2026-01-01\n" + (" 1 " + "a " * 490 + "\n") * 2_000,
    "a number": "001 " + "9" * 900 + "\n",
    "rounds of TRF": ("001    1 " + " 1 w 1" * 150 + "\n") * 1_500,
    "rounds of h9": "1 a b 5d DE " + "2+ " * 320,
    "rows of h9": ("1 " + "a " * 300 + "5d DE 2+\n") * 900,
    "headers of h9": "; EV[" * 180 + "\n1 a b 5d DE 2+",
    "columns": "Nr,Name," + "1," * 480,
    "quotes": "Nr,Name,1\n" + '1,"' * 300_000,
    "an open quote": "last_name,first_name\n" + '"' + "A;1\n" * 45_000,
    "games": "Round,Player,Opponent,Result\n" + "1,a,b,1\n" * 45_000,
    "players in games": "Round,Player,Opponent,Result\n" + "".join(f"{n % 30 + 1},a{n},b{n},1\n" for n in range(45_000)),
    "bad games": "Round,Player,Opponent,Result\n" + "".join(f"{n % 30 + 1},a{n % 999},b{n % 998},2\n" for n in range(45_000)),
    "bad tokens": GOOD["grid"] + ("9 [a][b] [" + "x " * 480 + "] 1\n") * 1_900,
    "bad handicaps": GOOD["grid"] + ("9 [a][b] [" + "9+(-q) " * 130 + "] 1\n") * 1_900,
    "bad results of h9": GOOD["h9"] + ("9 a b 5d DE " + "x+ " * 320 + "\n") * 1_900,
    "unreadable cells": crosstable(lambda row, round_: "9q"),
    "unmirrored cells": crosstable(lambda row, round_: f"{(row + round_) % 1_000 + 1}+(-r)"),
    "marks in a line": "a" + MARKS * 450_000,
    "marks in cells": ("Nr,Name,1\n1,a" + MARKS * 200 + ",2+\n") * 2_000,
    "open braces": "{" * 900_000,
    "open lists": "[" * 900_000,
    "nested lists": "{" + '"a":[' * 300_000,
    "wrong players": HISTORY % ("1," * 900_000 + "1", ""),
    "empty players": HISTORY % ("{}," * 600_000 + "{}", ""),
    "empty games": HISTORY % (PLAYERS, TABLE % ("{}," * 600_000 + "{}")),
    "the same game": HISTORY % (PLAYERS, TABLE % ('{"a":"a","b":"b","round":1,"score":1},' * 39_000 + '{"a":"a","b":"b"}')),
    "unknown keys": HISTORY % ("{" + ",".join(f'"{n}":1' for n in range(180_000)) + "}", ""),
    "marks in a name": HISTORY % (f'{{"id":"a","name":"{"a" + MARKS * 450_000}"}},{{"id":"b"}}', TABLE % '{"a":"a","b":"b","round":1,"score":1}'),
} | {
    f"{form} and {kind}": text + line * ((MOST - len(text.encode())) // len(line))
    for form, text in GOOD.items()
    for kind, line in (("x", "x\n"), ("1", "1 \n"), ("1,,", "1,,\n"), ("long lines", "1 " + "x" * 997 + "\n"))
}  # fmt: skip


def _books():
    """Workbooks of which far more is unpacked than they tell, or that take openpyxl long."""
    parts = parts_of(template_xlsx())
    name = "xl/styles.xml"
    large = parts | {name: parts[name] + b" " * 300_000_000}
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield f"lying, method {method}", partial(packed, large, method, stated_sizes={name: len(parts[name])})
    filler = b"<!--" + bytes(range(97, 123)) * 2_000 + b"-->"
    for name, before, element in (
        ("xl/styles.xml", b"</cellXfs>", b"<xf/>"), ("xl/worksheets/sheet1.xml", b"</row>", b"<c/>"),
        ("xl/worksheets/sheet1.xml", b"</sheetData>", b"<row/>"), ("xl/worksheets/sheet1.xml", b"</row>", b"<c><v>1</v></c>"),
        ("xl/workbook.xml", b"</sheets>", b'<sheet name="x" sheetId="9" r:id="rId1"/>'),
    ):  # fmt: skip
        for times in (1_900, 19_000, 55_000, 95_000, 390_000, 900_000):
            part = parts[name].replace(before, filler + element * times + before, 1)
            yield f"{name}, {times} {element.decode()}", partial(packed, parts | {name: part})


def hostile_files(every=1):
    """Yield every n-th file with its name; it is made only then, since packing takes longer than reading."""
    texts = ((name, text.encode) for name, text in LONG.items())
    for number, (name, make) in enumerate(chain(texts, _books())):
        if number % every == 0:
            yield name, make()

"""The readers on broken files, in a process of its own that may be measured: `python -m tests.formats.fuzz FROM TO`,
or `… hostile EVERY` for every n-th of the files made to hurt.

Every file has a number, which alone decides what it is. Prints each file that raised, or that took one reader more
seconds or more memory than it may; and at the end how many were good.
"""

import contextlib
import datetime as dt
import gc
import random
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

from ratings.formats.aga.rating_list import looks_like_tdlist, read_tdlist
from ratings.formats.aga.results import looks_like_aga
from ratings.formats.chess_results.written import holds_results, write_chess_results
from ratings.formats.egf.rating_list_reader import looks_like_egf_list, read_egf_list
from ratings.formats.event_head import Head
from ratings.formats.fesa.grid import looks_like_grid, write_grid
from ratings.formats.fesa.published import looks_like_published, write_published
from ratings.formats.fesa.rating_list_reader import looks_like_rating_list, read_rating_list
from ratings.formats.ffg.rating_list import looks_like_ffg_list, read_ffg_list
from ratings.formats.fide.rating_list_reader import looks_like_fide_list, read_fide_list
from ratings.formats.fide.xml_list import looks_like_fide_xml, read_fide_xml
from ratings.formats.h9.table import looks_like_h9, write_h9
from ratings.formats.history.file import HistoryError, read_history, write_history
from ratings.formats.macmahon.table import looks_like_macmahon
from ratings.formats.opengotha.table import looks_like_opengotha
from ratings.formats.opengotha.written import holds_table, write_opengotha
from ratings.formats.people.new_players import read_new_players
from ratings.formats.people.rating_sheet import looks_like_rating_sheet, looks_like_table, read_rating_sheet
from ratings.formats.recognise import READERS, read_results_file
from ratings.formats.rif.database import looks_like_rif
from ratings.formats.rif.split import split_rif
from ratings.formats.spreadsheet.table import looks_like_csv, looks_like_xlsx, write_csv, write_xlsx
from ratings.formats.tou.table import looks_like_tou, write_tou
from ratings.formats.trf.table import looks_like_trf, write_trf
from tests.formats.hostile import hostile_files
from tests.limits import MEGABYTES_AT_MOST, SECONDS_AT_MOST, Costs
from tests.mutations import mutated_book, mutated_text, packed, parts_of

SEED = 11
TODAY = dt.date(2026, 11, 21)
HEAD = Head("Event of the portal", dt.date(2026, 3, 7), dt.date(2026, 3, 8))
SAMPLES = Path(__file__).parent / "samples"
WRITERS = (write_grid, write_published, write_trf, write_h9, write_tou, write_csv)
LOOKS = (
    looks_like_grid, looks_like_h9, looks_like_published, looks_like_rating_sheet, looks_like_table, looks_like_rating_list, looks_like_csv,
    looks_like_xlsx, looks_like_trf, looks_like_fide_list, looks_like_fide_xml,
    looks_like_egf_list, looks_like_ffg_list, looks_like_tou, looks_like_opengotha, looks_like_macmahon, looks_like_aga, looks_like_rif,
    looks_like_tdlist,
)  # fmt: skip
TEXTS = [
    path.read_bytes().decode("utf-8", "replace") for path in sorted(SAMPLES.glob("*/good*")) if path.suffix != ".xlsx"
]
STRINGS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def books():
    """A workbook as the portal writes it, and one with its texts shared, as spreadsheet programs do."""
    found = read_results_file((SAMPLES / "csv-crosstable" / "good.csv").read_bytes(), HEAD, TODAY)
    made = write_xlsx(found.table)
    parts = parts_of(made)
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{STRINGS}"><si><t>Nr</t></si><si><t>Name</t></si></sst>'.encode()
    shared = b'PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"'
    types = parts["[Content_Types].xml"]
    parts["[Content_Types].xml"] = types.replace(b"</Types>", b"<Override " + shared + b"/></Types>")
    return [made, packed(parts)]


def file_of(number, workbooks):
    chance = random.Random(f"{SEED}-{number}")
    return mutated_book(workbooks, chance) if number % 8 == 0 else mutated_text(TEXTS, chance)


def history(data):
    if len(data) < 200_000:  # a command's, for histories of any size
        with contextlib.suppress(HistoryError):
            write_history(read_history(data))


def whole(data):
    """Return True if the file is read without an error and can be written again."""
    found = read_results_file(data, HEAD, TODAY)
    good = found.table is not None and not found.problems.fatal
    assert found.table is not None or found.problems.fatal
    if good:
        for write in (write_xlsx,) if found.format == "xlsx" else WRITERS:
            write(found.table)
        if holds_table(found.table):
            write_opengotha(found.table)
        if holds_results(found.table):
            write_chess_results(found.table)
    return good


def looks(data):
    for look in LOOKS:
        look(data)


class TooSlow(BaseException):
    """Not an Exception: nothing on the way may catch it."""


def stop(signal_number, frame):
    raise TooSlow


STEPS = {
    "whole": whole, "looks": looks, "new players": read_new_players, "rating list": read_rating_list,
    "rating CSV": read_rating_sheet, "FIDE's list": read_fide_list, "FIDE's XML": read_fide_xml,
    "EGD's list": read_egf_list, "FFG's list": read_ffg_list, "history file": history, "RIF's database": split_rif,
    "AGA's list": read_tdlist,
} | {form: lambda data, reader=reader: reader(data, HEAD, TODAY) for form, reader in READERS.items()}  # fmt: skip


def wrongs(data, came):
    """Return the faults of the readers for a file; count the outcomes in `came`."""
    with Costs() as all_of_it:
        for name, step in STEPS.items():
            signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS_AT_MOST)
            started = time.process_time()
            try:
                came[name] = step(data)
            except TooSlow:
                yield f"{name}: does not end"
            except Exception:  # noqa: BLE001 - whatever is raised is what is looked for
                yield f"{name}: {traceback.format_exc()}"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if (seconds := time.process_time() - started) > SECONDS_AT_MOST:
                yield f"{name}: {seconds:.1f} s"
    if all_of_it.megabytes > MEGABYTES_AT_MOST:
        yield f"{all_of_it.megabytes:.0f} MB"


def main(files):
    signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_DATA, (3 << 30, 3 << 30))  # the machine goes on, whatever is read
    gc.freeze()  # what is imported is no garbage
    good = 0
    for name, data in files:
        came = {}
        for wrong in wrongs(data, came):
            sys.stdout.write(f"{name}, {len(data):,} bytes: {wrong}\n")
        good += came.get("whole") is True
    sys.stdout.write(f"{good} good\n")


def numbered(first, last):
    workbooks = books()
    return ((f"file {number}", file_of(number, workbooks)) for number in range(first, last))


if __name__ == "__main__":
    main(hostile_files(int(sys.argv[2])) if sys.argv[1] == "hostile" else numbered(int(sys.argv[1]), int(sys.argv[2])))

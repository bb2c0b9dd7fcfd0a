"""Writer of rating reports for US Chess, format 2C: three dBASE tables of event, section and players in a zip archive.

Source: the federation's description of the format (draft 2C of 2006, corrected in 2025) and files that it accepted.
What the portal does not know stays blank: ids of affiliate and directors, state, zip code, school level, Grand Prix.
"""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping

from anyascii import anyascii

from ratings.formats.ffg.rating_list import capitalize_name
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.people.outside_ids import US_CHESS

from .dbf import FIRST_YEAR, write_dbf

FORMAT = "2C"
EVENT = {
    "H_FORMAT": 5, "H_PROGRAM": 10, "H_EVENT_ID": 12, "H_NAME": 35, "H_TOT_SECT": 2, "H_BEG_DATE": 8, "H_END_DATE": 8,
    "H_AFF_ID": 8, "H_CITY": 21, "H_STATE": 2, "H_ZIPCODE": 10, "H_COUNTRY": 21, "H_SENDCROS": 1, "H_CTD_ID": 8,
    "H_ATD_ID": 8, "H_OTHER_TD": 255,
}  # fmt: skip
SECTION = {
    "S_EVENT_ID": 12, "S_SEC_NUM": 2, "S_SEC_NAME": 30, "S_R_SYSTEM": 1, "S_TIMECTL": 40, "S_CTD_ID": 8, "S_ATD_ID": 8,
    "S_TRN_TYPE": 1, "S_TOT_RNDS": 2, "S_LST_PAIR": 4, "S_BEG_DATE": 8, "S_END_DATE": 8, "S_SCH_LVL": 1,
    "S_GR_PRIX": 1, "S_GP_PTS": 3, "S_FIDE": 1,
}  # fmt: skip
PLAYER = {
    "D_EVENT_ID": 12, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_MEM_ID": 8, "D_NAME": 30, "D_STATE": 2, "D_RATING": 4,
}  # fmt: skip
ROUND_WIDTH = 7
SYSTEMS = ((66, "R"), (30, "D"), (11, "Q"), (5, "D"))
"""Rating systems by the least sum of minutes and seconds for each move; blitz is sent as D."""
LETTERS: Mapping[float, str] = {1: "W", 0.5: "D", 0: "L"}
BYES: Mapping[float, str] = {1: "B0", 0.5: "H0", 0: "U0"}
FORFEITS: Mapping[float, str] = {1: "X0", 0: "F0"}
LAST_YEAR = FIRST_YEAR + 255


def write_report(table: ParsedTable) -> bytes:
    """Return the report of a table as a zip archive with THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF."""
    rounds = {f"D_RND{round_:02}": ROUND_WIDTH for round_ in range(1, table.rounds + 1)}
    files = {
        "THEXPORT.DBF": write_dbf(EVENT, [_describe_event(table)], table.last_day),
        "TSEXPORT.DBF": write_dbf(SECTION, [_describe_section(table)], table.last_day),
        "TDEXPORT.DBF": write_dbf(PLAYER | rounds, [_describe_player(row) for row in table.rows], table.last_day),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            day = max(table.last_day, dt.date(1980, 1, 1))  # the first day that an archive can hold
            archive.writestr(zipfile.ZipInfo(name, (day.year, day.month, day.day, 0, 0, 0)), data)
    return stream.getvalue()


def _describe_event(table: ParsedTable) -> dict[str, str]:
    return {
        "H_FORMAT": FORMAT,
        "H_NAME": anyascii(table.name),
        "H_TOT_SECT": "1",
        "H_BEG_DATE": f"{table.first_day:%Y%m%d}",
        "H_END_DATE": f"{table.last_day:%Y%m%d}",
        "H_CITY": anyascii(table.place),
        "H_COUNTRY": "USA" if table.code == "US" else "",
    }


def _describe_section(table: ParsedTable) -> dict[str, str]:
    increment, name = table.increment or 0, anyascii(table.name)
    total = None if table.minutes is None else table.minutes + increment
    return {
        "S_SEC_NUM": "1",
        "S_SEC_NAME": name if len(name) <= SECTION["S_SEC_NAME"] else "",
        "S_R_SYSTEM": "" if total is None else next((letter for least, letter in SYSTEMS if total >= least), ""),
        "S_TIMECTL": f"G/{table.minutes:g};+{increment}" if table.minutes and increment else "",
        "S_TRN_TYPE": "R" if table.is_round_robin else "S",
        "S_TOT_RNDS": str(table.rounds),
        "S_LST_PAIR": str(max((row.number for row in table.rows), default=0)),
        "S_BEG_DATE": f"{table.first_day:%Y%m%d}",
        "S_END_DATE": f"{table.last_day:%Y%m%d}",
    }


def _describe_player(row: ParsedRow) -> dict[str, str]:
    rounds = {f"D_RND{round_:02}": _describe_cell(cell) for round_, cell in enumerate(row.cells, 1)}
    return {
        "D_SEC_NUM": "1",
        "D_PAIR_NUM": str(row.number),
        "D_MEM_ID": row.outside.get(US_CHESS, ""),
        "D_NAME": _join_name(row),
        "D_RATING": "" if row.rating is None or row.rating < 0 else str(row.rating),
        **rounds,
    }


def _join_name(row: ParsedRow) -> str:
    return (f"{row.family}, {row.given}" if row.given else row.family).upper()


def _describe_cell(cell: Cell) -> str:
    if cell.opponent:
        return f"{LETTERS[cell.points]}{cell.opponent}{'B' if cell.black else 'W'}"
    return (FORFEITS if cell.forfeit and cell.points in FORFEITS else BYES)[cell.points]


def holds_report(table: ParsedTable) -> bool:
    """Return True if the format can hold a table: names in ASCII that capitals keep, colours, years from 1900.

    Names of events and places are written in ASCII letters, and have to fit into their fields.
    """
    return (
        len(anyascii(table.name)) <= EVENT["H_NAME"]
        and len(anyascii(table.place)) <= EVENT["H_CITY"]
        and FIRST_YEAR <= table.last_day.year < LAST_YEAR
        and 0 < table.rounds < 100
        and all(_holds_name(row) for row in table.rows)
        and not any(cell.opponent and cell.black is None for row in table.rows for cell in row.cells)
        and not any(cell.stones for row in table.rows for cell in row.cells)
        and not any(cell.forfeit and cell.points not in FORFEITS for row in table.rows for cell in row.cells)
    )


def _holds_name(row: ParsedRow) -> bool:
    name = _join_name(row)
    capitals = all(capitalize_name(part.upper()) == part for part in (row.family, row.given))
    return bool(row.family) and "," not in row.family and name.isascii() and len(name) <= PLAYER["D_NAME"] and capitals

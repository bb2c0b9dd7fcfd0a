"""Results files of real federations, which are stored beside the checkout on machines that have them."""

import datetime as dt
from pathlib import Path

import pytest

from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
needs_real_files = pytest.mark.skipif(not SHARED.is_dir(), reason="the federations' files are not beside this checkout")


def list_files(pattern):
    return sorted((SHARED / "real").glob(pattern))


def announce_players(paths):
    """Return a file that announces everybody in results files as a new player."""
    lines = ["last_name,first_name,country"]
    for path in paths:
        table = read_results_file(path.read_bytes(), Head("", None, None), dt.date(2026, 11, 21)).table
        lines += [f"{row.family},{row.given},{row.country}" for row in table.rows]
    return "\n".join(dict.fromkeys(lines)) + "\n"

"""QR codes of addresses, for certificates on pages and in PDF files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode


@dataclass(frozen=True)
class Code:
    """A QR code: the number of modules on each side, and its dark runs as (column, row, length), in modules."""

    size: int
    runs: list[tuple[int, int, int]]

    @property
    def path(self) -> str:
        """The dark modules as the path of an SVG whose units are modules."""
        return "".join(f"M{x} {y}h{length}v1h-{length}z" for x, y, length in self.runs)


def make_code(text: str) -> Code:
    """Return the QR code of a text, with the error correction M (15 %)."""
    code: QRCode[object] = QRCode(border=0, error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    code.make(fit=True)
    rows = code.get_matrix()
    return Code(len(rows), [run for y, row in enumerate(rows) for run in _find_runs(row, y)])


def _find_runs(row: list[bool], y: int) -> Iterator[tuple[int, int, int]]:
    x = 0
    for dark, modules in groupby(row):
        length = len(list(modules))
        if dark:
            yield x, y, length
        x += length

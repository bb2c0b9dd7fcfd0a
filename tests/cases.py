"""Files with the federations' reference figures, and the number of figures in each."""

from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
FIGURES = {
    "fesa-2016-random": 3990,
    "fesa-2016-published": 218,
    "fesa-2016-club": 289,
    "fesa-2000": 468,
    "icu-1989": 68,
    "rif-1995": 69,
    "rif-1997": 51,
    "bgf": 34,
    "egf-2021": 1126,
    "egf-2021-alone": 16,
    "glicko-2": 1353,
    "glicko-2-alone": 27,
    "rif-2021": 4080,
    "rif-2021-alone": 55,
    "fide-2024": 877,
}
beside_the_checkout = pytest.mark.skipif(
    not CASES.is_dir(), reason="the reference figures are not beside this checkout"
)

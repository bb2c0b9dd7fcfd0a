"""The federations' own figures, where the folder with them stands beside the checkout."""

import json
from pathlib import Path

import pytest

from ratings.formats.result import differences

CASES = Path(__file__).resolve().parent.parent.parent / "shared" / "cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="the reference figures are not beside this checkout")
@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("fesa-2016-random", 3990),
        ("fesa-2016-published", 218),
        ("fesa-2016-club", 289),
        ("fesa-2000", 468),
        ("icu-1989", 68),
        ("rif-1995", 69),
        ("rif-1997", 51),
        ("bgf", 34),
    ],
)
def test_every_reference_figure_comes_out(name, figures):
    compared = list(differences(json.loads((CASES / f"{name}.json").read_text())))
    assert [line for line in compared if line] == []
    assert len(compared) == figures

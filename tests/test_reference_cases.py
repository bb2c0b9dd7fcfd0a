"""The federations' own figures, where the folder with them stands beside the checkout."""

import json

import pytest

from ratings.formats.history.result import compare_figures
from tests.cases import CASES, FIGURES, beside_the_checkout


@beside_the_checkout
@pytest.mark.parametrize(("name", "figures"), FIGURES.items())
def test_every_reference_figure_is_reproduced(name, figures):
    compared = list(compare_figures(json.loads((CASES / f"{name}.json").read_text())))
    assert [line for line in compared if line] == []
    assert len(compared) == figures

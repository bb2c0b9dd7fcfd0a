"""The federations' own figures, where the folder with them stands beside the checkout."""

import json

import pytest

from ratings.formats.result import differences
from tests.cases import CASES, FIGURES, beside_the_checkout


@beside_the_checkout
@pytest.mark.parametrize(("name", "figures"), FIGURES.items())
def test_every_reference_figure_comes_out(name, figures):
    compared = list(differences(json.loads((CASES / f"{name}.json").read_text())))
    assert [line for line in compared if line] == []
    assert len(compared) == figures

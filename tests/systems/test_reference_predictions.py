"""Expected scores and refused histories of the federations' reference cases, which lie beside the checkout."""

import json

import pytest

from ratings.formats.history.file import HistoryError, parse_history
from ratings.formats.history.result import rate_history
from ratings.systems import get_system
from ratings.systems.values import Game
from tests.cases import CASES, beside_the_checkout

pytestmark = beside_the_checkout


def read_cases(name, key):
    path = CASES / name
    return json.loads(path.read_text())[key] if path.is_file() else []


@pytest.mark.parametrize("case", read_cases("predictions.json", "predictions"), ids=lambda case: case["system"])
def test_expected_score_is_the_reference_figure(case):
    game = Game(1, "a", "b", None, **case["game"])
    deviations = case.get("own_deviation", 0.0), case.get("opponent_deviation", 0.0)
    rating = get_system(case["system"], case.get("options", {})).rating
    expected = rating.predict(case["own"], case["opponent"], game, case.get("side", "a"), deviations)
    assert expected == (None if case["expected"] is None else pytest.approx(case["expected"], abs=1e-9))


@pytest.mark.parametrize(
    "case", read_cases("bad-inputs-new-systems.json", "histories"), ids=lambda case: case["because"]
)
def test_invalid_history_is_refused(case):
    with pytest.raises((HistoryError, ValueError)) as raised:
        rate_history(parse_history(case["history"]))
    assert str(raised.value)

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import SYSTEMS, get_system
from ratings.systems.bgf.state import BgfState
from ratings.systems.egf.state import EgfState
from ratings.systems.fesa.grades import GradeState, Run
from ratings.systems.fesa.state import FesaState
from ratings.systems.fesa.state_rows import STATE_FORM
from ratings.systems.rif.state import State1997
from ratings.systems.state_arrays import OBJECTS, StateRows

STATES = {
    "fesa-2016": [
        FesaState(),
        FesaState(1500),  # an outsider
        FesaState(1203, ((1400, 1), (1387.5, 0.5)), bonus_games=2, grade_state=GradeState(4, Run(3, True), 2, 6)),
        FesaState(1650, games=45, grade_state=GradeState(7, Run(0, False), 0, -1)),
    ],
    "fesa-2000": [FesaState(1203, ((1400, 0.5, 1), (1388.25, 0, 0.75)))],
    "egf-2021": [EgfState(), EgfState(1513.25), EgfState(-900)],
    "bgf": [BgfState(), BgfState(1050.5, -7), BgfState(2400, 3)],
    "rif-1997": [State1997(), State1997(0), State1997(2100, last_played=dt.date(2024, 2, 29)),
                 State1997(None, ((2000, 0.5), (1912, 1)), dt.date(1998, 1, 1))],
}  # fmt: skip


@pytest.mark.parametrize("key", SYSTEMS)
def test_states_come_back_from_rows_as_they_were(key):
    rating = get_system(key).rating
    states = {f"P{n}": state for n, state in enumerate(STATES.get(key, ()))}
    states["new"] = rating.newcomer()
    assert StateRows.of(rating.state_form, states) == states


@given(st.data())
def test_rows_hold_what_a_mapping_holds_after_the_same_steps(data):
    past = st.lists(st.tuples(st.integers(900, 1100), st.sampled_from([0, 0.5, 1])), max_size=2).map(tuple)
    some_state = st.builds(FesaState, st.none() | st.integers(1000, 2000), past)
    ids = st.lists(st.sampled_from("ABCDEFGH"), unique=True)
    rows, expected = StateRows(STATE_FORM), dict[str, FesaState]()
    for _ in range(data.draw(st.integers(1, 8))):
        if data.draw(st.booleans()):
            removed = data.draw(ids)
            for id in removed:
                rows.discard(id)
            expected = {id: state for id, state in expected.items() if id not in removed}
        else:
            new = data.draw(st.dictionaries(st.sampled_from("ABCDEFGH"), some_state))
            rows.update(StateRows.of(STATE_FORM, new))
            expected |= new
        assert rows == expected
        chosen = [id for id in data.draw(ids) if id in expected]
        assert list(rows.select(chosen).items()) == [(id, expected[id]) for id in chosen]


def test_copies_do_not_change_with_the_rows():
    rows = StateRows.of(STATE_FORM, {"A": FesaState(1500, games=20)})
    copy = rows.select(["A"])
    rows.update(StateRows.of(STATE_FORM, {"A": FesaState(1600, games=22)}))
    assert (copy["A"], rows["A"]) == (FesaState(1500, games=20), FesaState(1600, games=22))


def test_systems_without_compiled_rules_hold_their_states_as_they_are():
    state = get_system("icu-1989").rating.newcomer()
    assert StateRows.of(OBJECTS, {"A": state})["A"] is state

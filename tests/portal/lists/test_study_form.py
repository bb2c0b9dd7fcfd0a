"""Form of a study: sets of options as fields, added and removed without a script."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from portal.lists.study_form import StudyForm
from portal.lists.study_names import name_system
from ratings.access import OFFICERS
from ratings.laboratory.candidates import Candidate
from ratings.models import Study
from ratings.systems.values import OptionChange
from tests.factories import make_list, make_player, make_table
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db
EMPTY = {"candidates": [], "sweep": None, "resamples": 100}


@pytest.fixture
def rating_list():
    made = make_list(system="glicko-2")
    make_table(made, [make_player("Ada"), make_player("Ben")], [(1, 1, 2, 1.0)], "2024-02-24")
    return made


@pytest.fixture
def officer(client):
    client.force_login(person("officer", OFFICERS))
    return client


def address(rating_list):
    return reverse("laboratory", args=[rating_list.slug])


def set_of(number, system, **options):
    """Return the fields of a set of options as the form sends them."""
    return {f"set-{number}": system} | {f"set-{number}-option-{key}": text for key, text in options.items()}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "Choose a system, change an option, or name an option to sweep."),
        (set_of(0, "glicko-2", tau="0.5"), "Choose a system, change an option, or name an option to sweep."),
        (set_of(0, "elo"), "Choose a system, change an option, or name an option to sweep."),
        (set_of(3, "glicko-2", tau="9"), "Invalid value “9”: expected a number from 0.2 to 1.5."),
        ({"sweep": "tau=1:2"}, "tau: “1:2” is not written as first:last:step"),
        ({"sweep": "tau=0.3,0.4", "sweep_of": "fesa-2016"}, "“tau” is not an option of fesa-2016"),
        ({"systems": ["elo"]}, "Select a valid choice. elo is not one of the available choices."),
    ],
)
def test_invalid_form_is_shown_again_with_what_was_typed(rating_list, officer, data, problem):
    response = officer.post(address(rating_list), data)
    page = response.content.decode()
    assert response.status_code == 422
    assert problem in page
    typed = [text for name, text in data.items() if name == "sweep" or "option" in name]
    assert [text for text in typed if f'value="{text}"' not in page] == []
    assert not Study.objects.exists()


def test_study_has_a_limited_number_of_candidates(rating_list, officer):
    sets = [set_of(number, "glicko-2", idle_days=str(number + 40)) for number in range(20)]
    data = {name: text for one in sets for name, text in one.items()} | {"systems": ["fesa-2000"]}
    response = officer.post(address(rating_list), data)
    assert response.context["form"].non_field_errors() == ["A study has at most 20 candidates."]
    assert not response.context["form"].can_add


def test_new_form_has_the_present_options_of_the_list(rating_list, officer):
    rating_list.options = {"tau": 0.3}
    rating_list.save()
    (first,) = officer.get(address(rating_list)).context["form"].sets
    assert (first.number, first.system, first.name) == (0, "glicko-2", name_system("glicko-2"))
    values = {field.name.removeprefix("set-0-option-"): field.value() for field in first.fields if field.value()}
    assert values == {
        "period": "table", "tau": "0.3", "initial_rating": "1500", "initial_deviation": "350",
        "initial_volatility": "0.06", "idle_days": "30", "provisional_above": "110", "outsider_deviation": "0",
    }  # fmt: skip


def test_stored_study_fills_the_form(rating_list, officer):
    definition = EMPTY | {
        "candidates": [
            {"system": "fesa-2016", "options": {}},
            {"system": "glicko-2", "options": {"tau": 0.3}},
            {"system": "glicko-2", "options": {"period": "month"}},
        ],
        "sweep": {"system": "rif-2021", "options": {}, "values": {"w2": [1, 10]}},
    }
    study = Study.objects.create(list=rating_list, definition=definition)
    form = officer.get(address(rating_list), {"from": study.pk}).context["form"]
    assert form.initial == {"systems": ["fesa-2016"], "sweep_of": "rif-2021", "sweep": "w2=1,10"}
    fields = {field.name: field.value() for one in form.sets for field in one.fields}
    assert fields | {
        "set-0-option-tau": "0.3", "set-0-option-period": "table", "set-1-option-tau": "0.5",
        "set-1-option-period": "month",
    } == fields  # fmt: skip


@pytest.mark.parametrize(
    ("button", "sets"),
    [
        (
            {"add": "1", "add_system": "glicko-2"},
            [(0, "glicko-2", "typed", "350"), (1, "glicko-2", "0.7", "350"), (2, "fesa-2016", None, None)],
        ),
        ({"add": "1", "add_system": "elo"}, [(0, "glicko-2", "typed", "350"), (2, "fesa-2016", None, None)]),
        ({"remove": "0"}, [(2, "fesa-2016", None, None)]),
        ({"remove": "x"}, [(0, "glicko-2", "typed", "350"), (2, "fesa-2016", None, None)]),
    ],
    ids=["add", "unknown system", "remove", "unknown set"],
)
def test_sets_of_options_are_added_and_removed_without_losing_what_was_typed(rating_list, officer, button, sets):
    rating_list.options = {"tau": 0.7}
    rating_list.save()
    data = set_of(0, "glicko-2", tau="typed", initial_deviation="350") | set_of(2, "fesa-2016", corrections="revised")
    response = officer.post(address(rating_list), data | button | {"systems": ["rif-1995"], "sweep": "typed too"})
    form = response.context["form"]
    assert (response.status_code, form.errors, Study.objects.count()) == (200, {}, 0)
    shown = [(one.number, one.system, {field.name: field.value() for field in one.fields}) for one in form.sets]
    assert (
        sorted(
            (
                number,
                system,
                fields.get(f"set-{number}-option-tau"),
                fields.get(f"set-{number}-option-initial_deviation"),
            )
            for number, system, fields in shown
        )
        == sets
    )
    assert [fields["set-2-option-corrections"] for number, _system, fields in shown if number == 2] == ["revised"]
    assert (form["systems"].value(), form["sweep"].value()) == (["rif-1995"], "typed too")


def test_equal_sets_are_compared_once(rating_list):
    data = set_of(0, "glicko-2", tau="0.3") | set_of(1, "glicko-2", tau="0.30") | set_of(2, "fesa-2000")
    form = StudyForm(
        MultiValueDict({name: [text] for name, text in data.items()} | {"systems": ["fesa-2000"]}), rating_list
    )
    assert form.is_valid(), form.errors
    assert form.study.candidates == [Candidate("fesa-2000"), Candidate("glicko-2", {"tau": 0.3})]


def test_all_problems_of_a_form_are_shown_at_once(rating_list, officer):
    data = set_of(0, "glicko-2", tau="9", idle_days="x") | {"sweep": "tau"}
    assert officer.post(address(rating_list), data).context["form"].errors == {
        "set-0-option-tau": ["Invalid value “9”: expected a number from 0.2 to 1.5."],
        "set-0-option-idle_days": ["Invalid value “x”: expected a whole number from 1 to 3650."],
        "sweep": ["“tau” is not written as option=first:last:step or option=value,value"],
    }


@pytest.mark.parametrize("number", ["x", "0", "99999999999", "-1", ""])
def test_unknown_study_leaves_the_form_empty(rating_list, officer, number):
    form = officer.get(address(rating_list), {"from": number}).context["form"]
    assert (form.initial, [one.system for one in form.sets]) == ({}, ["glicko-2"])


def test_present_options_are_those_of_the_last_table(rating_list):
    changes = [OptionChange(dt.date(2024, 2, 10), {"tau": 0.9}), OptionChange(dt.date(2999, 1, 1), {"tau": 0.3})]
    rating_list.set_option_changes(tuple(changes))
    (first,) = StudyForm(None, rating_list).sets
    assert [field.value() for field in first.fields if field.name == "set-0-option-tau"] == ["0.9"]
    form = StudyForm(set_of(0, "glicko-2", tau="0.9"), rating_list)
    assert form.errors == {"__all__": ["Choose a system, change an option, or name an option to sweep."]}

import pytest
from django.core.management import CommandError, call_command

from ratings.models import RatingList

pytestmark = pytest.mark.django_db


def test_create_list_makes_a_list(capsys):
    call_command("create_list", "fesa", system="fesa-2016", name="FESA list", federation="FESA")
    made = RatingList.objects.get()
    assert (made.slug, made.name, made.federation.name, made.system, made.options) == (
        "fesa",
        "FESA list",
        "FESA",
        "fesa-2016",
        {},
    )
    assert capsys.readouterr().out == "List fesa created (FESA/USSF Elo system (2016)).\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"system": "elo"}, "system: Value 'elo' is not a valid choice."),
        ({"system": "fesa-2016", "option": ["k=2"]}, "options: “k” is not an option of fesa-2016"),
        ({"system": "fesa-2016", "option": ["k"]}, "invalid option 'k': expected KEY=VALUE"),
        ({"system": "icu-1989", "option": ["cap=99999"]}, "options: cap: 99999 cannot be; it takes a rating from 1"),
        ({"system": "bgf", "compare_with": "none"}, "no list 'none'"),
    ],
)
def test_create_list_refuses_in_words(arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("create_list", "fesa", **arguments)
    assert not RatingList.objects.exists()


def test_create_list_twice_is_refused():
    call_command("create_list", "fesa", system="fesa-2016")
    with pytest.raises(CommandError, match="already exists"):
        call_command("create_list", "fesa", system="fesa-2016")


@pytest.mark.parametrize(
    ("system", "given", "options"),
    [
        ("icu-1989", ["cap=2200", "bracket_for_graded=true"], {"cap": 2200, "bracket_for_graded": True}),
        ("rif-1995", ["zero_rule=off", "new_vs_new=joint"], {"zero_rule": "off", "new_vs_new": "joint"}),
        ("rif-1997", [], {}),
        ("bgf", ["board_2021=2020-07-01", "top_label=7 Dan"], {"board_2021": "2020-07-01", "top_label": "7 Dan"}),
        ("egf-2021", ["unknown_time=B", "max_stones=0"], {"unknown_time": "B", "max_stones": 0}),
        ("glicko-2", ["period=month", "tau=0.8"], {"period": "month", "tau": 0.8}),
        ("rif-2021", ["w2=10.5", "lists=monthly", "online=yes"], {"w2": 10.5, "lists": "monthly", "online": "yes"}),
    ],
)
def test_create_list_takes_the_options_of_each_system(system, given, options):
    call_command("create_list", "one", system=system, option=given)
    made = RatingList.objects.get()
    assert (made.system, made.options) == (system, options)
    assert {key: made.rating_system.settings[key] for key in options} == options


def test_create_list_makes_a_comparison_that_is_rated_at_once():
    call_command("create_list", "fesa", system="fesa-2016")
    call_command("create_list", "first", system="fesa-2000", compare_with="fesa")
    made = RatingList.objects.get(slug="first")
    assert (made.comparison_to.slug, made.out_of_date_from is not None) == ("fesa", True)
    with pytest.raises(CommandError, match="comparison_to: rating list instance with id"):
        call_command("create_list", "second", system="fesa-2000", compare_with="first")

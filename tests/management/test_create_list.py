import pytest
from django.core.management import CommandError, call_command

from ratings.models import RatingList

pytestmark = pytest.mark.django_db


def test_create_list_makes_a_list(capsys):
    call_command("create_list", "fesa", system="fesa-2016", name="FESA list", federation="FESA")
    made = RatingList.objects.get()
    assert (made.slug, made.name, made.federation, made.system, made.options) == (
        "fesa",
        "FESA list",
        "FESA",
        "fesa-2016",
        {},
    )
    assert capsys.readouterr().out == "List fesa made (FESA/USSF Elo system (2016)).\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"system": "elo"}, "system: Value 'elo' is not a valid choice."),
        ({"system": "fesa-2016", "option": ["k=2"]}, "options: 'k' is not an option of fesa-2016"),
        ({"system": "fesa-2016", "option": ["k"]}, "--option k: write KEY=VALUE"),
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

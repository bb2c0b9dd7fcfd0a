"""Import of FIDE's own lists: the chapter of the list, FIDE ids, and a K that does not follow from the rating."""

import datetime as dt

import pytest

from ratings.domain.lists.list_import_files import check_list_import, confirm_list_import
from ratings.models import Adjustment, OutsideId, Player
from tests.factories import make_list

pytestmark = pytest.mark.django_db
TITLES = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def make_file(*rows):
    lines = [
        f"{id:<15}{name:<61}GER {sex:4}{'':29}{standard:<6}0   {k:<3}{rapid:<6}0   20 0     0   0  {born:<6}    "
        for id, name, sex, standard, k, rapid, born in rows
    ]
    return "\r\n".join([TITLES, *lines, ""]).encode()


FILE = make_file(
    (1234567, "Muster, Anna", "F", 2101, 20, 2050, 1990),
    (7654321, "Beispiel, Jan", "M", 1655, 40, 0, 1985),
    (2222222, "Novak, Petra", "F", 2380, 10, 2300, 1985),
    (3333333, "Dupont, Luc", "M", 1800, 40, 0, 2012),
)


@pytest.mark.parametrize(
    ("chapter", "ratings", "warnings"),
    [
        ("standard", {"Muster": 2101, "Beispiel": 1655, "Novak": 2380, "Dupont": 1800}, [(3, 40, 20), (4, 10, 20)]),
        ("rapid", {"Muster": 2050, "Novak": 2300}, []),
    ],
)
def test_fide_list_gives_the_ratings_of_the_lists_chapter(chapter, ratings, warnings):
    rating_list = make_list("chess", system="fide-2024", options={"chapter": chapter}, federation="Chess")
    found = check_list_import(rating_list, "list.txt", FILE, day=dt.date(2024, 11, 1))
    assert [p.line for p in found.problems.all if p.level == "error"] == []
    values = [(p.line, p.message.values) for p in found.problems.all if p.message.code == "list.k_differs"]
    assert [(line, given["k"], given["own"]) for line, given in values] == warnings
    assert confirm_list_import(rating_list, found.upload.pk, day=found.day).is_ready
    set_ratings = Adjustment.objects.filter(list=rating_list).values_list("player__family_name", "set__rating")
    assert dict(set_ratings) == ratings


def test_fide_ids_and_birth_years_are_stored_and_a_second_file_finds_the_players_by_them():
    rating_list = make_list("chess", system="fide-2024", federation="Chess")
    found = check_list_import(rating_list, "list.txt", FILE, day=dt.date(2024, 11, 1))
    confirm_list_import(rating_list, found.upload.pk, day=found.day)
    ids = OutsideId.objects.filter(registry="fide").values_list("player__family_name", "value")
    assert dict(ids) == {"Muster": "1234567", "Beispiel": "7654321", "Novak": "2222222", "Dupont": "3333333"}
    muster = Player.objects.get(family_name="Muster")
    assert (muster.birth_year, muster.birth_public, muster.gender, str(muster.country)) == (1990, False, "", "DE")
    again = check_list_import(rating_list, "list.txt", FILE, day=found.day)
    assert (again.result.is_empty, again.result.unchanged) == (True, 4)

import pytest

from ratings.models import Club, Player
from ratings.queries.lists.keyset import slice_of
from tests.factories import make_player

pytestmark = pytest.mark.django_db
KEYS = ("-birth_year", "public_id")


@pytest.fixture
def players():
    """By birth year, the youngest first; four of one year."""
    for public_id, year in (("A", 1980), ("B", 1990), ("C", 1980), ("D", 1980), ("E", 1980), ("F", 1970)):
        make_player(public_id=public_id, birth_year=year)


def ids(found):
    return "".join(player.public_id for player in found.rows)


@pytest.mark.parametrize("own_keys", [0, 1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 7])
def test_pages_hold_every_row_once_and_lead_back(size, own_keys, players):
    pages, position = [], None
    while True:
        page = slice_of(Player.objects.all(), KEYS, size, position, own_keys=own_keys)
        pages.append(page)
        if page.after is None:
            break
        position = page.after
    assert "".join(map(ids, pages)) == "BACDEF"
    assert [len(page.rows) for page in pages[:-1]] == [size] * (len(pages) - 1)
    assert pages[0].before is None
    back = pages[-1]
    for page in reversed(pages[:-1]):
        back = slice_of(Player.objects.all(), KEYS, size, back.before, backwards=True, own_keys=own_keys)
        assert (ids(back), back.after) == (ids(page), page.after)
    assert back.before is None


def test_next_page_follows_when_rows_are_added_or_deleted(players):
    first = slice_of(Player.objects.all(), KEYS, 3)
    Player.objects.filter(public_id="A").delete()  # of the year in which the page ends
    make_player(public_id="AA", birth_year=1980)
    make_player(public_id="CC", birth_year=1980)
    assert (ids(first), ids(slice_of(Player.objects.all(), KEYS, 10, first.after))) == ("BAC", "CCDEF")


def test_empty_page_has_no_neighbours():
    found = slice_of(Club.objects.all(), ("pk",), 10)
    assert (found.rows, found.before, found.after) == ([], None, None)


def test_position_is_in_json(players):
    make_player(public_id="G", birth_year=1960, birth_date="1960-05-01")
    page = slice_of(Player.objects.filter(birth_date__isnull=False), ("birth_date", "pk"), 1, ["1950-01-01", 1])
    assert page.before == ["1960-05-01", page.rows[0].pk]

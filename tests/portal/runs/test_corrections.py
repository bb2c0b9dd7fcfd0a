import pytest

from ratings.domain.outside import save_list_player
from ratings.domain.tables import save_details
from ratings.models import ListPlayer
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def corrected(rate_all, others=1, withdrawn=False):
    """A table of A and B is taken back later; whoever met B since then is corrected, and did not play."""
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    behind = [make_player(f"C{number}") for number in range(others)]
    for player in (a, b, *behind):
        give_rating(fesa, player, 2000)
    first = make_table(fesa, [a, b], [(r, 1, 2, 1.0) for r in range(1, 13)], "2024-01-01", event_name="First Cup")
    games = [(round_, 1, round_ + 1, 1.0) for round_ in range(1, others + 1)]
    make_table(fesa, [b, *behind], games, "2024-02-01")
    if withdrawn:
        save_list_player(ListPlayer(list=fesa, player=behind[0], withdrawn=True))
    rate_all()
    first.rated = False
    save_details(first)
    rate_all()
    return fesa, behind


def test_corrections_say_when_why_and_whose(client, rate_all):
    _, (c,) = corrected(rate_all)
    page = client.get("/lists/fesa/corrections/")
    (run,) = page.context["runs"]
    text = page.content.decode()
    assert (run.reason, run.visited) == ("First Cup was changed", 2)
    assert [line.player.family_name for line in run.lines] == ["Ada", "Ben", "C0"]
    assert "First Cup was changed." in text
    assert "2 tables from 2024-01-01 on were rated again." in text
    own = client.get(c.get_absolute_url()).content.decode()
    assert "because First Cup was changed" in own
    german = client.get("/lists/fesa/corrections/", headers={"accept-language": "de"}).content.decode()
    assert "First Cup wurde geändert." in german
    assert 'href="/lists/fesa/corrections/"' in client.get("/lists/fesa/").content.decode()


def test_withdrawn_players_are_not_named(client, rate_all):
    corrected(rate_all, withdrawn=True)
    (run,) = client.get("/lists/fesa/corrections/").context["runs"]
    assert [line.player.family_name for line in run.lines] == ["Ada", "Ben"]
    assert run.corrections.count() == 3


def test_nothing_corrected_says_so(client):
    make_list()
    assert "Nothing has been corrected yet." in client.get("/lists/fesa/corrections/").content.decode()
    assert client.get("/lists/none/corrections/").status_code == 404


@pytest.mark.parametrize("others", [1, 40])
def test_corrections_need_the_same_queries_for_any_number(others, client, rate_all, django_assert_num_queries):
    corrected(rate_all, others)
    with django_assert_num_queries(5):
        client.get("/lists/fesa/corrections/")

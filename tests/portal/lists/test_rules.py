"""How ratings are made, and two lists compared: pages for everybody."""

import pytest
from django.core.management import call_command

from ratings.domain.outside import save_list, save_list_player
from ratings.models import ListPlayer, RatingList
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def compared(base, system="fesa-2000"):
    rating_list = RatingList(slug="other", name="Other", federation="F", system=system, comparison_to=base)
    save_list(rating_list)
    return rating_list


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_show_every_table_and_setting_of_the_system(system, client):
    make_list("one", system=system)
    page = client.get("/lists/one/rules/").content.decode()
    rules = SYSTEMS[system]().rules()
    assert page.count("<h2>") == len(rules.tables) + 1 + bool(SYSTEMS[system].options)
    assert page.count("<tr>") == sum(len(table.rows) + 1 for table in rules.tables) + (
        len(SYSTEMS[system].options) + 1 if SYSTEMS[system].options else 0
    )
    for option in SYSTEMS[system].options:
        assert f"<code>{option.key}</code>" in page


def test_rules_show_the_options_that_a_list_has_chosen(client):
    make_list("chess", system="icu-1989", options={"cap": 2200})
    page = client.get("/lists/chess/rules/").content.decode()
    assert '<td>2200 <span class="quiet">chosen</span></td>' in page
    assert "Nobody passes 2200 by bonus points" in page


def test_rules_name_players_of_whom_something_is_not_known(client, rate_all):
    chess = make_list("chess", system="icu-1989")
    known, by_year, unknown = (
        make_player("Known", birth_date="1990-01-01"), make_player("Year", birth_year=1990), make_player("Unknown")
    )  # fmt: skip
    save_list_player(ListPlayer(list=chess, player=known, start_year=2010))
    make_table(chess, [known, by_year, unknown], [(1, 1, 2, 1.0), (2, 1, 3, 1.0)])
    rate_all()
    lacking = client.get("/lists/chess/rules/").context["lacking"]
    assert {words: [player.family_name for player in players] for words, players in lacking.items()} == {
        "birth date unknown: taken as 21 or older": ["Unknown"],
        "start year unknown: taken as settled": ["Unknown", "Year"],
    }


def test_list_that_cannot_start_says_why(client):
    make_list("renju", system="rif-1997")
    assert "cannot start by itself" in client.get("/lists/renju/").content.decode()


def test_comparison_is_marked_everywhere_and_has_no_grades(client, rate_all):
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 1900)
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    compared(fesa)
    rate_all()
    page = client.get("/lists/other/?active=all").content.decode()
    assert "<h1>Other (comparison)</h1>" in page
    assert "For comparison only: the tables of" in page
    assert "Grade" not in page
    assert 'href="/lists/other/comparison/"' in client.get("/lists/fesa/").content.decode()
    event = client.get(f"{table.event.get_absolute_url()}?list=other").content.decode()
    assert "Other (comparison)</a>" in event
    assert "3 Dan" not in event
    player = client.get(f"{a.get_absolute_url()}?list=other").content.decode()
    assert "<strong>Other (comparison)</strong>" in player
    assert "3 Dan" not in player
    explained = client.get(f"/lists/other/tables/{table.pk}/{a.public_id}/")
    assert (explained.status_code, explained.context["explanation"].agrees) == (200, True)


def test_comparison_page_tells_counts_and_losses(client, rate_all):
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    give_rating(fesa, a, 2000)
    give_rating(fesa, b, 2000)
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    compared(fesa)
    rate_all()
    page = client.get("/lists/other/comparison/").content.decode()
    assert "Over 1 game between players rated on both lists." in page
    assert page.count('<td class="number strong">0.6931</td><td class="number strong">0.2500</td>') == 2


@pytest.mark.parametrize("address", ["/lists/none/rules/", "/lists/none/comparison/", "/lists/fesa/comparison/"])
def test_unknown_lists_are_404(address, client):
    make_list()
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("size", [2, 30])
def test_comparison_needs_the_same_queries_for_any_number_of_players(size, client, rate_all, django_assert_num_queries):
    fesa, players = make_list(), [make_player() for _ in range(size)]
    for player in players:
        give_rating(fesa, player, 2000)
    make_table(fesa, players, [(1, n, n + 1, 1.0) for n in range(1, size, 2)])
    compared(fesa)
    rate_all()
    with django_assert_num_queries(9):
        client.get("/lists/other/comparison/")


def test_anybody_can_compute_the_list_again(client, rate_all, tmp_path, capsys):
    chess, a, b = make_list("chess", system="icu-1989"), make_player(birth_date="2000-05-01"), make_player()
    make_table(chess, [a, b], [(1, 1, 2, 1.0)])
    rate_all()
    history = client.get("/lists/chess/history.json")
    assert "birth_date" not in history.content.decode()
    (tmp_path / "history.json").write_bytes(history.content)
    call_command("rate", tmp_path / "history.json", digest=True)
    assert client.get("/lists/chess/digest.txt").content.decode() == capsys.readouterr().out
    again = client.get("/lists/chess/history.json", headers={"If-None-Match": history["ETag"]})
    assert again.status_code == 304
    assert client.get("/lists/none/history.json").status_code == 404
    assert client.get("/lists/none/digest.txt").status_code == 404


def test_all_systems_in_use_are_listed(client):
    make_list("chess", system="icu-1989", name="<b>Chess</b>")
    fesa = make_list()
    compared(fesa)
    make_list("closed", system="bgf", public=False)
    response = client.get("/rules/")
    assert [(system.key, [one.slug for one in lists]) for system, lists in response.context["systems"]] == [
        ("icu-1989", ["chess"]), ("fesa-2016", ["fesa"]), ("fesa-2000", ["other"])
    ]  # fmt: skip
    page = response.content.decode()
    for slug in ("chess", "fesa", "other"):
        assert f'<a href="/lists/{slug}/rules/">' in page
    assert "<b>" not in page

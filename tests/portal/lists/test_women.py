"""Women on a list: only where the federation publishes the gender of players, and only those who show theirs."""

import csv
import datetime as dt
import io
import re

import pytest
import time_machine

from ratings.domain.lists.publishing import publish
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, DatedList, Federation, Membership, Player
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db

LENS = re.compile(r'<a class="chip" href="([^"]*)"( aria-current="true")?>([^<]*)')
PEOPLE = {
    "Open": {"gender": "female", "gender_public": True},
    "Hidden": {"gender": "female"},
    "Initials": {"gender": "female", "gender_public": True, "shown": "initials"},
    "Anonymous": {"gender": "female", "gender_public": True, "shown": "anonymous"},
    "Man": {"gender": "male", "gender_public": True},
    "Other": {"gender": "other", "gender_public": True},
    "Unknown": {"gender_public": True},
    "Young": {"gender": "female", "gender_public": True, "birth_year": 2010, "birth_public": True, "country": "DE"},
}
"""Players by family name, highest rating first."""


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
@reused
def fesa(rate_all):
    """A list whose federation publishes the gender of players; all played in 2024, and it was published in April."""
    fesa = make_list()
    Federation.objects.update(records_gender=True)
    players = [make_player(name, **fields) for name, fields in PEOPLE.items()]
    for number, player in enumerate(players):
        give_rating(fesa, player, 2000 - 100 * number)
    games = [(round_, round_, len(players) - round_ + 1, 0.5) for round_ in range(1, 5)]
    make_table(fesa, players, games, "2024-03-01")
    rate_all()
    publish(DatedList(list=fesa, day=dt.date(2024, 4, 1)))
    return fesa


def lenses(client, query=""):
    return lenses_on(client, f"?{query}")


def lenses_on(client, address):
    found = LENS.findall(markup(client.get(f"/lists/fesa/{address}")))
    return {text.strip(): (address, bool(chosen)) for address, chosen, text in found}


def listed(client, query):
    rows = client.get(f"/lists/fesa/?{query}").context["listing"].paginated_rows
    return [(row.record.rank, row.record.player.family_name) for row in rows]


def filed(client, query, address="list"):
    response = client.get(f"/lists/fesa/{address}.csv?{query}")
    assert response.status_code == 200
    return [row["Last name"] for row in csv.DictReader(io.StringIO(response.content.decode()))]


def test_women_are_those_who_show_their_gender_and_name_and_keep_their_rank(client, fesa):
    assert lenses(client)["Women"] == ("?gender=female", False)
    assert listed(client, "gender=female") == [(1, "Open"), (8, "Young")]


def test_women_are_combined_with_the_other_filters(client, fesa):
    assert listed(client, "gender=female&age=u20") == [(8, "Young")]
    assert listed(client, "gender=female&country=DE&q=young") == [(8, "Young")]
    assert listed(client, "gender=female&country=FR") == [(1, "Open")]
    chosen = lenses(client, "country=FR&gender=female&sort=name")
    assert chosen == {
        "Everyone": ("?sort=name", False),
        "Juniors": ("?country=FR&amp;gender=female&amp;sort=name&amp;age=u20", False),
        "Newcomers": ("?country=FR&amp;gender=female&amp;sort=name&amp;new=1", False),
        "Women": ("?country=FR&amp;sort=name", True),
    }
    assert "Clear filters" in markup(client.get("/lists/fesa/?country=FR&gender=female"))


@pytest.mark.parametrize("address", ["list", "dated/2024-04-01/list", "list.csv?on=2024-05-01"])
def test_files_hold_the_chosen_women_and_no_gender(address, client, fesa):
    path, _, query = address.partition(".csv?")
    assert filed(client, f"gender=female&{query}", path) == ["Open", "Young"]
    for suffix in ("csv", "txt", "json"):
        content = client.get(f"/lists/fesa/{path}.{suffix}?{query}").content.decode().lower()
        assert re.findall(r"female|gender|\bmale\b", content) == []
    page = markup(client.get("/lists/fesa/?gender=female"))
    assert 'href="/lists/fesa/list.csv?gender=female"' in page


@pytest.mark.parametrize("address", ["?on=2024-05-01&", "dated/2024-04-01/?"])
def test_lists_of_past_days_offer_women(address, client, fesa):
    lines = client.get(f"/lists/fesa/{address}gender=female").context["lines"]
    assert [line.player.family_name for line in lines] == ["Open", "Young"]
    assert (lenses_on(client, address)["Women"][1], lenses_on(client, f"{address}gender=female")["Women"][1]) == (
        False,
        True,
    )


@pytest.mark.parametrize("public", [False, True])
def test_federation_that_does_not_publish_gender_has_no_women(public, client, fesa):
    Player.objects.filter(family_name="Hidden").update(gender_public=public)
    federation = Federation.objects.get()
    federation.records_gender = False
    federation.save()
    assert "Women" not in lenses(client)
    assert (listed(client, "gender=female"), filed(client, "gender=female")) == ([], [])
    assert lenses(client, "gender=female")["Women"] == (
        "?",
        True,
    )  # the address stays valid, and the lens can be removed


def test_list_without_public_women_has_no_women(client, fesa):
    for player in Player.objects.filter(gender="female"):
        set_visibility(player, "full", gender_public=False)
    assert "Women" not in lenses(client)
    assert listed(client, "gender=female") == []


def test_inactive_women_are_offered_only_among_all_players(client, fesa):
    with time_machine.travel(dt.datetime(2027, 6, 1, tzinfo=dt.UTC), tick=False):
        assert (set(lenses(client)), listed(client, "gender=female")) == ({"Everyone", "Newcomers"}, [])
        assert set(lenses(client, "active=all")) == {"Everyone", "Juniors", "Newcomers", "Women"}


def test_choosing_to_hide_takes_effect_at_once(client, fesa, django_capture_on_commit_callbacks):
    assert listed(client, "gender=female") == [(1, "Open"), (8, "Young")]
    with django_capture_on_commit_callbacks(execute=True):
        for player in Player.objects.filter(family_name__in=["Open", "Young"]):
            set_visibility(player, "full", gender_public=False)
    assert (listed(client, "gender=female"), "Women" in lenses(client)) == ([], False)


def test_unknown_gender_is_refused_in_files(client, fesa):
    response = client.get("/lists/fesa/list.csv?gender=male")
    assert (response.status_code, response.content.decode().partition(":")[0]) == (400, "Women")


def test_erased_woman_leaves_the_women(client, fesa, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(Player.objects.get(family_name="Open"), reason="asked by letter")
    assert listed(client, "gender=female") == [(8, "Young")]
    assert Player.objects.filter(shown="anonymous", gender="", gender_public=False).exists()


def test_merged_woman_stays_one_of_the_women(client, fesa, rate_all):
    double = make_player("Opem")
    give_rating(fesa, double, 2100)
    make_table(fesa, [double, Player.objects.get(family_name="Man")], [(1, 1, 2, 0.5)], "2024-05-01")
    merge_players(Player.objects.get(family_name="Young"), double, reason="one")
    rate_all()
    assert [name for _rank, name in listed(client, "gender=female")] == ["Opem", "Open"]


def test_pages_of_players_and_the_api_hold_no_gender(client, fesa):
    young = Player.objects.get(family_name="Young")
    Membership.objects.create(player=young, club=Club.objects.create(name="Club"))
    for address in (
        young.get_absolute_url(), f"/api/v1/players/{young.public_id}", "/api/v1/players?q=young",
        "/api/v1/lists/fesa/standings", "/api/v1/lists/fesa/ratings?on=2024-05-01", "/lists/fesa/history.json",
    ):  # fmt: skip
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        assert re.findall(r"(?i)female|gender", response.content.decode()) == [], address


def test_juniors_are_offered_where_a_birth_year_is_public(client, fesa, django_capture_on_commit_callbacks):
    assert lenses(client)["Juniors"] == ("?age=u20", False)
    for fields in ({"birth_public": False}, {"birth_public": True, "birth_year": 1990}, {"birth_year": None}):
        Player.objects.filter(family_name="Young").update(**fields)
        with django_capture_on_commit_callbacks(execute=True):
            Federation.objects.get().save()  # the choices are cached until something is edited
        assert "Juniors" not in lenses(client), fields
        assert listed(client, "age=u20") == []


def test_last_year_of_juniors_ends_with_the_year(client, fesa, django_capture_on_commit_callbacks):
    Player.objects.filter(family_name="Young").update(birth_year=2005)
    with django_capture_on_commit_callbacks(execute=True):
        Federation.objects.get().save()
    assert ("Juniors" in lenses(client), listed(client, "age=u20")) == (True, [(8, "Young")])
    with time_machine.travel(dt.datetime(2025, 1, 1, tzinfo=dt.UTC), tick=False):
        assert ("Juniors" in lenses(client), listed(client, "age=u20")) == (False, [])

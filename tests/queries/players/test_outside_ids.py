"""Ids of players in other registries: their form, who sees them, and who is found by them."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.outside_ids import confirm_outside_id, save_outside_ids
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import SheetRow
from ratings.localize import translate_message
from ratings.models import NameVisibility, OutsideId, Player
from ratings.queries.players.outside_ids import find_by_outside_id, find_players_by_outside_ids, public_outside_ids
from ratings.queries.players.roster import Roster
from ratings.queries.site.search import search
from tests.factories import give_rating, make_list, make_player, make_user, rate_every_list

pytestmark = pytest.mark.django_db
TODAY = dt.date(2026, 11, 26)


def add_id(player, registry, value, country="", *, confirmed=True):
    outside = OutsideId(player=player, registry=registry, country=country, value=value)
    if confirmed:
        confirm_outside_id(outside)
    outside.full_clean()
    outside.save()
    return outside


@pytest.fixture
def ada():
    player = make_player("Adler", "Zoë", public_id="AAA")
    give_rating(make_list(), player, 1500)
    rate_every_list()
    return player


# examples in the forms that ../shared/formats/go.md (EGD, AGA) and chess-renju.md (FIDE, US Chess) describe
@pytest.mark.parametrize(
    ("registry", "typed", "stored"),
    [
        ("egd", " 1234 5678 ", "12345678"),
        ("fide", "1503014", "1503014"),
        ("aga", "25517", "25517"),
        ("uscf", "12641216", "12641216"),
        ("rif", "7", "7"),
        ("fesa", "310", "310"),
    ],
)
def test_id_is_stored_without_blanks(registry, typed, stored, ada):
    assert add_id(ada, registry, typed).value == stored


def test_id_of_a_national_federation_names_its_country(ada):
    outside = add_id(ada, "national", "a-12/b", "FR")
    assert (str(outside), outside.page) == ("FR A-12/B", "")


@pytest.mark.parametrize(
    ("registry", "country", "value", "problem"),
    [
        ("egd", "", "1234567", {"value": ["Enter the PIN: 8 digits."]}),
        ("egd", "", "00000000", {"value": ["Enter the PIN: 8 digits."]}),
        ("fide", "", "0123456", {"value": ["Enter the FIDE id: 4 to 10 digits, the first one not 0."]}),
        ("aga", "", "x", {"value": ["Enter the AGA id: 1 to 6 digits, the first one not 0."]}),
        ("uscf", "", "1234567", {"value": ["Enter the US Chess id: 8 digits, the first one not 0."]}),
        (
            "national",
            "FR",
            "é1",
            {"value": ["Enter up to 20 digits, Latin letters, points, hyphens and slashes."]},
        ),
        (
            "national",
            "",
            "12",
            {"country": ["Choose the country of the national federation; leave it empty for any other registry."]},
        ),
        (
            "fide",
            "FR",
            "1503014",
            {"country": ["Choose the country of the national federation; leave it empty for any other registry."]},
        ),
        ("none", "", "1", {"registry": ["Value 'none' is not a valid choice."]}),
    ],
)
def test_invalid_id_is_refused_with_what_would_be_right(registry, country, value, problem, ada):
    with pytest.raises(ValidationError) as refused:
        add_id(ada, registry, value, country)
    assert refused.value.message_dict == problem


def test_id_of_a_registry_belongs_to_one_player(ada):
    add_id(ada, "egd", "12345678")
    other = make_player("Bauer")
    add_id(other, "uscf", "12345678")
    with pytest.raises(ValidationError, match="This id belongs to another player already"):
        add_id(other, "egd", "12345678")


def test_confirmed_ids_are_public_with_the_page_of_the_registry(ada):
    add_id(ada, "egd", "12345678")
    add_id(ada, "fide", "1503014", confirmed=False)
    assert [(str(each), each.page) for each in public_outside_ids(ada)] == [
        ("EGD 12345678", "https://www.europeangodatabase.eu/EGD/Player_Card.php?&key=12345678")
    ]


@pytest.mark.parametrize("shown", [NameVisibility.INITIALS, NameVisibility.ANONYMOUS])
def test_ids_of_players_without_a_full_name_are_neither_shown_nor_found(shown, ada):
    add_id(ada, "egd", "12345678")
    Player.objects.update(shown=shown)
    ada.refresh_from_db()
    assert public_outside_ids(ada) == []
    assert search("12345678", TODAY).keys["players"] == []


def test_player_is_found_by_a_confirmed_id(ada, django_assert_num_queries):
    add_id(ada, "egd", "12345678")
    add_id(make_player("Bauer"), "fide", "1503014", confirmed=False)
    assert search("1234 5678", TODAY).keys["players"] == [ada.pk]
    assert search("1503014", TODAY).keys["players"] == []
    with django_assert_num_queries(0):
        assert list(find_by_outside_id("adler")) == []


CONTRADICTION = "EGD 12345678 is Adler Zoë, but the name is Bauer Max: choose the player"


@pytest.mark.parametrize(
    ("family", "given", "problem"),
    [
        ("Adler", "Zoë", ""),
        ("Adlar", "Zoe", ""),  # the id beats a name that is only similar
        ("Zoë", "Adler", ""),
        ("", "", ""),
        ("Bauer", "Max", CONTRADICTION),  # another player has exactly this name
        (
            "Quirke",
            "Siobhan",
            CONTRADICTION.replace("Bauer Max", "Quirke Siobhan"),
        ),  # nobody has, and it is no typing error
    ],
)
def test_id_beats_a_similar_name_and_asks_where_it_contradicts_the_name(family, given, problem, ada):
    add_id(ada, "egd", "12345678")
    make_player("Bauer", "Max")
    row = SheetRow(family, given, "FR", outside={"egd": "12345678", "fide": "1503014"})
    roster = Roster([row], ())
    match = roster.match(1, row)
    assert (match.player, translate_message(match.problem)) == (None if problem else ada, problem)
    first = roster.candidates[1][0]
    assert (first.player, first.reason) == (ada, "EGD 12345678")


def test_ids_of_two_players_in_one_row_are_a_question(ada):
    other = make_player("Bauer", "Max")
    add_id(ada, "egd", "12345678")
    add_id(other, "fide", "1503014")
    for family, given, named in (("Adler", "Zoë", "FIDE 1503014 is Bauer Max"), ("Bauer", "Max", CONTRADICTION[:25])):
        row = SheetRow(family, given, "FR", outside={"egd": "12345678", "fide": "1503014"})
        roster = Roster([row], ())
        match = roster.match(1, row)
        assert match.player is None
        assert translate_message(match.problem) == f"{named}, but the name is {family} {given}: choose the player"
        assert [candidate.player for candidate in roster.candidates[1]] == [ada, other]


@pytest.mark.parametrize("text", ["FR A-12/B", "fr a-12/b", "A-12/B", "national"])
def test_player_is_found_by_a_national_id_with_or_without_its_country(text, ada):
    add_id(ada, "national", "A-12/B", "FR")
    assert search(text, TODAY).keys["players"] == ([] if text == "national" else [ada.pk])
    assert search("DE A-12/B", TODAY).keys["players"] == []


def test_national_id_beats_a_similar_name_and_asks_where_it_contradicts_the_name(ada):
    add_id(ada, "national", "77", "FR")
    bauer = make_player("Bauer", "Max")
    add_id(bauer, "national", "77", "DE")
    rows = [
        SheetRow("Adlar", "Zoe", "FR", outside={"FR": "77"}),
        SheetRow("Bauer", "Max", "DE", outside={"FR": "77"}),
        SheetRow("Bauer", "Max", "DE", outside={"DE": "78"}),
        SheetRow("Bauer", "Max", "DE", outside={"AT": "77"}),
    ]
    matches = [
        (match.player, translate_message(match.problem)) for match in map(Roster(rows, ()).match, range(4), rows)
    ]
    assert matches == [
        (ada, ""),
        (None, "FR 77 is Adler Zoë, but the name is Bauer Max: choose the player"),
        (None, matches[2][1]),
        (bauer, ""),
    ]
    assert "Bauer Max" in matches[2][1]


def test_national_ids_of_a_file_are_stored_with_their_country(ada):
    with act_as(make_user("admin", is_superuser=True)) as _user:
        saved = save_outside_ids(ada, {"FR": "77", "fide": "1503014", "XQ": "1"})
    assert [(each.registry, each.country, each.value) for each in saved] == [
        ("national", "FR", "77"), ("fide", "", "1503014"),
    ]  # fmt: skip
    assert find_players_by_outside_ids([{"FR": "77"}, {"DE": "77"}]) == {("FR", "77"): "AAA"}


def test_id_that_nobody_confirmed_names_nobody(ada):
    add_id(ada, "egd", "12345678", confirmed=False)
    row = SheetRow("Bauer", "Max", "FR", outside={"egd": "12345678"})
    roster = Roster([row], ())
    assert (roster.match(1, row).player, roster.candidates[1]) == (None, [])


def test_player_whom_a_person_chose_stays_chosen(ada):
    add_id(ada, "egd", "12345678")
    other = make_player("Bauer", "Max", public_id="BBB")
    row = SheetRow("Bauer", "Max", "FR", "BBB", outside={"egd": "12345678"})
    assert Roster([row], ()).match(1, row).player == other


@pytest.mark.parametrize("count", [1, 40])
def test_ids_of_a_table_need_one_more_query_for_any_number(count, ada):
    rows = [SheetRow(f"Player{number}", "A", "FR") for number in range(count)]
    with CaptureQueriesContext(connection) as without:
        Roster(rows, ())
    for number, row in enumerate(rows):
        row.outside = {"egd": f"{10_000_000 + number}"}
    with CaptureQueriesContext(connection) as queries:
        Roster(rows, ())
    assert len(queries) == len(without) + 1


def test_ids_move_with_a_merge_and_back(ada):
    gone = make_player("Adler", "Zoe")
    outside = add_id(gone, "egd", "12345678")
    with act_as(make_user("admin", is_superuser=True)):
        record = merge_players(gone, ada, reason="the same person")
        outside.refresh_from_db()
        assert outside.player == ada
        undo_merge(record)
    outside.refresh_from_db()
    assert outside.player == gone


def test_ids_of_an_erased_person_are_deleted(ada):
    add_id(ada, "egd", "12345678")
    with act_as(make_user("admin", is_superuser=True)):
        erase_person(ada, reason="asked by mail")
    assert OutsideId.objects.count() == 0

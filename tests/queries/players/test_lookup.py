"""Many players looked up at once: by ids, by names in any order, and what the public may not learn by it."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import act_as
from ratings.models import Club, Membership, OutsideId, Player
from ratings.queries.players.lookup import look_up_players
from tests.factories import give_rating, make_list, make_player, make_table, make_user, rate_every_list

pytestmark = pytest.mark.django_db
TODAY = dt.date(2024, 6, 1)
CONFIRMED = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _cold():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def players(fesa):
    """Five players who played lately: Adler, Maes, Van der Berg, 山本 and Martin Paul."""
    made = {
        "adler": make_player("Adler", "Ina", public_id="BBB22", country="DE"),
        "maes": make_player("Maes", "Jörg", public_id="BBB33", country="BE"),
        "berg": make_player("Van der Berg", "Jan", public_id="BBB44", country="NL"),
        "yama": make_player("Yamamoto", "Taichi", public_id="BBB55", country="JP", native_name="山本 太一"),
        "paul": make_player("Martin", "Paul", public_id="BBB66", country="FR"),
    }
    for number, player in enumerate(made.values()):
        give_rating(fesa, player, 1500 + 100 * number, grade="3 Kyu")
    make_table(fesa, list(made.values()), [(1, 1, 2, 1.0), (1, 3, 4, 1.0), (2, 1, 5, 1.0)], "2024-05-01")
    rate_every_list()
    return made


def add_id(player, registry, value, country="", confirmed_at=CONFIRMED):
    OutsideId.objects.create(player=player, registry=registry, value=value, country=country, confirmed_at=confirmed_at)


def look_up(rating_list, *lines):
    """Return verdict, whether the name is only similar, and the public ids of the player or the candidates."""
    return [
        (
            line.verdict.value,
            line.is_similar,
            [one.player.public_id for one in ([line.found] if line.found else line.candidates)],
        )
        for line in look_up_players(lines, rating_list, TODAY)
    ]


def found(id, *, similar=False):
    return ("found", similar, [id])


UNKNOWN = ("unknown", False, [])


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("BBB22", found("BBB22")),
        ("bbb22", found("BBB22")),
        ("Adler, Ina", found("BBB22")),
        ("Adler Ina", found("BBB22")),
        ("Ina Adler", found("BBB22")),
        ("  ADLER,\tina ", found("BBB22")),
        ("Adler\tIna", found("BBB22")),
        ("Adler\u200b, \x00Ina\x07", found("BBB22")),
        ("Maes, Jorg", found("BBB33")),
        ("Jan Van der Berg", found("BBB44")),
        ("van der berg jan", found("BBB44")),
        ("Yamamoto Taichi", found("BBB55")),
        ("山本 太一", found("BBB55")),
        ("山本太一", found("BBB55")),
        ("山本, 太一", found("BBB55")),
        ("Maes, Joerg", found("BBB33", similar=True)),
        ("Ina, Adler", found("BBB22", similar=True)),
        ("Jan Van der Berk", found("BBB44", similar=True)),
        ("Adler", ("similar", False, ["BBB22"])),
        ("Adler, I.", ("similar", False, ["BBB22"])),
        ("Nobody, Atall", UNKNOWN),
        ("BBB99", UNKNOWN),
        ("", UNKNOWN),
        (",", UNKNOWN),
        ("\x00\u200b", UNKNOWN),
        ("1", UNKNOWN),
    ],
)
def test_line_is_an_id_or_a_name_in_any_order(typed, expected, fesa, players):
    assert look_up(fesa, typed) == [expected]


def test_lines_keep_their_order_and_their_text(fesa, players):
    lines = ["Maes, Jörg", " Nobody ", "BBB22", "Maes, Jörg"]
    assert [line.text for line in look_up_players(lines, fesa, TODAY)] == lines
    assert look_up(fesa, *lines) == [found("BBB33"), UNKNOWN, found("BBB22"), found("BBB33")]


def test_namesakes_are_a_question_with_at_most_five_candidates(fesa, players):
    for number in range(6):
        give_rating(fesa, make_player("Martin", "Paul", public_id=f"CC{number}"), 1000)
    rate_every_list()
    ((verdict, similar, ids),) = look_up(fesa, "Paul Martin")
    assert (verdict, similar, len(ids), ids[0]) == ("several", False, 5, "BBB66")  # who has played is likelier
    assert look_up(fesa, "cc3") == [found("CC3")]


def test_name_that_is_two_players_in_two_orders_is_a_question(fesa, players):
    give_rating(fesa, make_player("Paul", "Martin", public_id="CCC22"), 1000)
    rate_every_list()
    assert look_up(fesa, "Martin Paul", "Martin, Paul", "Paul, Martin") == [
        ("several", False, ["BBB66", "CCC22"]),
        found("BBB66"),
        found("CCC22"),
    ]


# forms of ../shared/formats/go.md (EGD, AGA) and chess-renju.md (FIDE, US Chess)
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("12345678", ("several", False, ["BBB22", "BBB33"])),
        ("EGD 12345678", found("BBB22")),
        ("egd pin: 1234 5678", found("BBB22")),
        ("US Chess 12345678", found("BBB33")),
        ("1503014", found("BBB33")),
        ("FIDE ID 1503014", found("BBB33")),
        ("FIDE:1503014", found("BBB33")),
        ("AGA 1503014", UNKNOWN),
        ("FR a-12", found("BBB66")),
        ("A-12", found("BBB66")),
        ("DE A-12", UNKNOWN),
        ("RIF 7", UNKNOWN),  # nobody has confirmed it
    ],
)
def test_line_is_a_confirmed_id_of_a_registry(typed, expected, fesa, players):
    add_id(players["adler"], "egd", "12345678")
    add_id(players["maes"], "uscf", "12345678")
    add_id(players["maes"], "fide", "1503014")
    add_id(players["paul"], "national", "A-12", "FR")
    add_id(players["paul"], "rif", "7", confirmed_at=None)
    assert look_up(fesa, typed) == [expected]


def test_public_id_beats_the_same_id_of_a_registry(fesa, players):
    give_rating(fesa, make_player("Zorn", public_id="1503014"), 1000)
    rate_every_list()
    add_id(players["maes"], "fide", "1503014")
    assert look_up(fesa, "1503014", "FIDE 1503014") == [found("1503014"), found("BBB33")]


def test_player_has_the_standing_on_the_list_and_confirmed_ids(fesa, players):
    adler = players["adler"]
    add_id(adler, "egd", "12345678")
    add_id(adler, "fide", "1503014", confirmed_at=None)
    Membership.objects.create(player=adler, club=Club.objects.create(name="Bonn"))
    (line,) = look_up_players(["BBB22"], fesa, TODAY)
    assert line.found.player == adler
    assert line.found.standing == adler.standings.get(list=fesa)
    assert (line.found.standing.games, line.found.standing.last_played) == (102, dt.date(2024, 5, 1))
    assert (line.found.club.name, [str(each) for each in line.found.outside_ids]) == ("Bonn", ["EGD 12345678"])
    higher = fesa.standings.filter(rating__gt=line.found.standing.rating).count()
    assert line.found.rank == higher + 1


def test_inactive_player_has_no_rank_and_one_of_another_list_no_standing(fesa, players):
    other = make_list("other")
    old = make_player("Old", "Timer", public_id="CCC22")
    give_rating(other, old, 1000, "2001-01-01")
    give_rating(fesa, old, 1000, "2001-01-01")
    rate_every_list()
    (line,) = look_up_players(["Old, Timer"], fesa, TODAY)
    assert (line.found.rank, line.found.standing.rating) == (None, 1000)
    (line,) = look_up_players(["Adler, Ina"], other, TODAY)
    assert (line.found.player, line.found.standing, line.found.rank) == (players["adler"], None, None)


def test_deviation_is_that_of_the_day():
    chess = make_list("chess", system="glicko-2")
    player = make_player("Adler", "Ina", public_id="BBB22")
    other = make_player("Maes", "Jörg", public_id="BBB33")
    make_table(chess, [player, other], [(1, 1, 2, 1.0)], "2024-05-01")
    rate_every_list()
    now, later = (look_up_players(["BBB22"], chess, day)[0].found for day in (TODAY, dt.date(2026, 6, 1)))
    assert 0 < now.deviation < later.deviation


def test_too_many_or_too_long_lines_are_refused(fesa):
    assert look_up(fesa, *["x" * 100] * 200) == [UNKNOWN] * 200
    for lines in (["x"] * 201, ["x" * 101]):
        with pytest.raises(ValueError, match="at most 200 lines of at most 100 characters"):
            look_up_players(lines, fesa, TODAY)


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL looks for names in batches")
@pytest.mark.parametrize("count", [1, 50])
def test_queries_do_not_depend_on_the_number_of_lines(count, fesa, players, rate_all):
    add_id(players["adler"], "egd", "12345678")
    lines = []
    for number in range(count):
        for name in ("Kowal", "Kowal"):
            give_rating(fesa, make_player(f"{name}{number}", "Ewa", public_id=f"K{len(lines)}N{number}"), 1000)
            lines.append("")
        lines[-2:] = [
            f"Kowal{number}, Ewa",
            f"Kowal{number} Eva",
            f"K{len(lines) - 2}N{number}",
            f"EGD 1234567{number % 10}",
        ]
    rate_every_list()
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        assert len(look_up_players(lines, fesa, TODAY)) == 4 * count
    assert len(queries) == 12


# what the public may not learn


@pytest.mark.parametrize("shown", ["initials", "anonymous"])
def test_hidden_player_is_found_by_the_public_id_only(shown, fesa, players):
    yama = players["yama"]
    add_id(yama, "egd", "12345678")
    Membership.objects.create(player=yama, club=Club.objects.create(name="Kyoto"))
    set_visibility(yama, shown)
    lines = ["Yamamoto, Taichi", "Taichi Yamamoto", "Yamamoto", "Yamamotto, Taichi", "山本 太一", "12345678",
             "EGD 12345678", "Player BBB55", "Y. T.", "Y., T."]  # fmt: skip
    assert look_up(fesa, *lines) == [UNKNOWN] * len(lines)
    (line,) = look_up_players(["bbb55"], fesa, TODAY)
    public = {"initials": "Y. T.", "anonymous": "Player BBB55"}[shown]
    assert (line.verdict, line.found.player.public_name, line.found.outside_ids) == ("found", public, [])
    assert (line.found.club is None) == (shown == "anonymous")


def test_answer_for_a_hidden_name_is_that_for_a_name_nobody_has(fesa, players):
    set_visibility(players["maes"], "anonymous")
    with CaptureQueriesContext(connection) as hidden:
        answer = look_up(fesa, "Maes, Jörg", "Jörg Maes", "Maes", "Mäs, Jörg")
    cache.clear()
    with CaptureQueriesContext(connection) as unknown:
        assert look_up(fesa, "Hutt, Jabba", "Jabba Hutt", "Hutt", "Hütt, Jabba") == answer == [UNKNOWN] * 4
    assert len(hidden) == len(unknown)


def test_two_namesakes_of_whom_one_is_hidden_count_as_one(fesa, players):
    hidden = make_player("Adler", "Ina", public_id="CCC22")
    give_rating(fesa, hidden, 1000)
    rate_every_list()
    typed = ("Adler, Ina", "Ina Adler", "Adler", "Adler, I.", "Adlr, Ina", "Adler, Ino")
    assert look_up(fesa, "Adler, Ina")[0][0] == "several"
    set_visibility(hidden, "anonymous")
    beside = look_up(fesa, *typed)
    Player.objects.filter(pk=hidden.pk).update(family_name="Other", search_name="other")
    assert look_up(fesa, *typed) == beside
    assert beside[0] == found("BBB22")


def test_hidden_name_does_not_change_how_sure_a_similar_one_is(fesa, players):
    """A word that is itself a known name is hardly a typing error: a hidden name must not count as known."""
    give_rating(fesa, make_player("Schmidt", "Karl", public_id="CCC22"), 1000)
    make_table(fesa, [Player.objects.get(public_id="CCC22"), players["adler"]], [(1, 1, 2, 1.0)], "2024-05-02")
    schmitt = make_player("Schmitt", "Bo", public_id="CCC33")
    give_rating(fesa, schmitt, 1000)
    rate_every_list()
    assert look_up(fesa, "Schmitt, Karl")[0] != found("CCC22", similar=True)
    set_visibility(schmitt, "initials")
    assert look_up(fesa, "Schmitt, Karl") == [found("CCC22", similar=True)]


def test_former_name_leads_to_the_remaining_player_unless_either_is_hidden(fesa, players):
    gone = make_player("Maiden", "Ina", public_id="CCC22")
    give_rating(fesa, gone, 1000)
    rate_every_list()
    with act_as(make_user("admin", is_superuser=True)):
        merge_players(gone, players["adler"], reason="married")
    rate_every_list()
    assert look_up(fesa, "Maiden, Ina", "CCC22") == [found("BBB22"), found("BBB22")]
    set_visibility(players["adler"], "initials")
    assert look_up(fesa, "Maiden, Ina", "Adler, Ina", "CCC22") == [UNKNOWN, UNKNOWN, found("BBB22")]
    Player.objects.filter(public_id="CCC22").update(shown="full")
    assert look_up(fesa, "Maiden, Ina") == [UNKNOWN]
    Player.objects.filter(public_id="CCC22").update(shown="anonymous")
    Player.objects.filter(public_id="BBB22").update(shown="full")
    assert look_up(fesa, "Maiden, Ina", "Adler, Ina") == [UNKNOWN, found("BBB22")]


def test_player_of_no_public_list_is_not_found_by_name(fesa, players):
    closed = make_list("closed", public=False)
    secret = make_player("Secret", "Sue", public_id="CCC22")
    give_rating(closed, secret, 1000)
    make_player("Unlisted", "Una", public_id="CCC33")
    add_id(secret, "egd", "12345678")
    rate_every_list()
    assert look_up(fesa, "Secret, Sue", "EGD 12345678", "Unlisted, Una") == [UNKNOWN] * 3
    assert look_up(fesa, "CCC22") == [found("CCC22")]
    assert look_up_players(["CCC22"], fesa, TODAY)[0].found.standing is None


def test_rating_that_was_withdrawn_is_not_shown(fesa, players):
    players["adler"].standings.update(published=False)
    (line,) = look_up_players(["Adler, Ina"], fesa, TODAY)
    assert (line.found.player, line.found.standing) == (players["adler"], None)

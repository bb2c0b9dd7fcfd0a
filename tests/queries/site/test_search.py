import datetime as dt

import pytest
from django.utils import timezone

from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Player, Standing
from ratings.queries.site import search as searching
from ratings.queries.site.search import (
    SearchResult,
    is_searchable,
    parts_of,
    rows_of,
    search,
    similarity,
    with_public_id,
)
from tests.factories import make_event, make_list, make_player

pytestmark = pytest.mark.django_db
TODAY = dt.date(2024, 6, 1)


@pytest.fixture
def fesa():
    return make_list()


def listed(rating_list, family, given="", *, rating=1500, **fields):
    """Somebody on a list; without a rating he has played, and has no line on it yet."""
    player = make_player(family, given, **fields)
    Standing.objects.create(
        list=rating_list, player=player, rating=rating, games=1, category="", published=rating is not None
    )
    return player


def players(text, **options):
    keys = search(text, TODAY, kinds=["players"], **options).keys["players"]
    rows = rows_of("players", keys)
    return [str(rows[key]) for key in keys]


def similar(text, kinds=("players",)):
    return [str(rows_of(kind, [key])[key]) for kind, key in search(text, TODAY, kinds=kinds).similar]


def test_parts_are_the_folded_words():
    assert parts_of(" Müller-Łoś, Étienne  (O'Neill) müller") == ["muller", "los", "etienne", "o", "neill"]
    assert parts_of("100% _ \0 \N{SNOWMAN} ' \" [(*") == ["100"]
    assert parts_of("a " * 5000) == ["a"]
    assert len(parts_of(" ".join(map(str, range(1000))))) == 8


@pytest.mark.parametrize(
    ("text", "enough"), [("", False), ("%", False), ("é", False), ("li", True), ("a b", True), ("太", True)]
)
def test_two_letters_or_one_ideograph_are_enough(text, enough):
    assert is_searchable(parts_of(text)) is enough


@pytest.mark.parametrize(
    "text", ["Müller", "MULLER", "mu\u0308ller jür", "jurgen MÜLLER", "ler", "müller-łoś", "los mul", "Mü", "mü jü"]
)
def test_any_parts_in_any_order_find_a_player(text, fesa):
    listed(fesa, "Müller-Łoś", "Jürgen")
    listed(fesa, "Other", "Ann")
    assert players(text) == ["Müller-Łoś Jürgen"]


@pytest.mark.parametrize("text", ["山本", "太一", "本太", "山", "yamamoto"])
def test_names_of_the_players_own_script_are_found(text, fesa):
    listed(fesa, "Yamamoto", "Taichi", native_name="山本太一")
    assert players(text) == ["Yamamoto Taichi"]


def test_one_or_two_letters_begin_a_word(fesa):
    listed(fesa, "Li", "Wei")
    listed(fesa, "Alice", "Bo")
    assert players("li") == ["Li Wei"]
    assert players("bo") == ["Alice Bo"]


def test_whole_words_come_before_beginnings_and_these_before_what_is_within(fesa):
    for family, given in (("Johanna", "B"), ("Annabel", "C"), ("Anna", "D"), ("Adler", "Anna"), ("Anna-Lena", "E")):
        listed(fesa, family, given)
    assert players("anna") == ["Adler Anna", "Anna D", "Anna-Lena E", "Annabel C", "Johanna B"]
    assert players("anna", limit=2) == ["Adler Anna", "Anna D"]


def test_search_reports_truncated_results(fesa):
    for number in range(3):
        listed(fesa, "Anna", f"X{number}")
    assert search("anna", TODAY, limit=3).truncated == {"players"}
    assert search("anna", TODAY, limit=4).truncated == set()


@pytest.mark.parametrize(
    ("written", "name"),
    [("Mueller", "Müller Jürgen"), ("Jurgen Muler", "Müller Jürgen"), ("Hans Müler", "Müller Johann"),
     ("Smtih", "Smith John"), ("obrien", "O'Brien Pat"), ("Andersen", "Anderson Eva"), ("Ивонов", "Иванов Иван")],
)  # fmt: skip
def test_small_typos_are_forgiven(written, name, fesa):
    for full in (
        "Müller Jürgen",
        "Müller Johann",
        "Smith John",
        "O'Brien Pat",
        "Anderson Eva",
        "Иванов Иван",
        "Zhou Li",
    ):
        listed(fesa, *full.split())
    assert players(written) == []
    assert name in similar(written)
    assert "Zhou Li" not in similar(written)


def test_likeness_is_the_mean_of_the_parts():
    # indel ratios by hand, with doubled letters once: "mulder" in "muler" 2·5/11; "hans" in "johan" 2·3/9
    assert similarity(["mulder", "hans"], "muller johann") == pytest.approx((100 * 10 / 11 + 100 * 6 / 9) / 2)
    assert similarity(["a"], "") == 0


@pytest.mark.parametrize(
    ("typed", "name", "ratio"),
    [
        ("flin", "flynn", 100),
        ("meier", "meyer", 100),
        ("anna", "ana", 100),
        ("lil", "lyll", 100),
        ("ada", "ida", 200 / 3),
    ],
)
def test_doubled_letters_and_y_for_i_make_no_difference(typed, name, ratio):
    assert similarity([typed], name) == pytest.approx(ratio)


def test_similar_names_are_offered_only_where_little_is_found(fesa):
    listed(fesa, "Andersen", "Eva")
    listed(fesa, "Anderson", "Bo")
    assert (players("andersen"), similar("andersen")) == (["Andersen Eva"], ["Anderson Bo"])
    for number in range(2):
        listed(fesa, "Andersen", f"X{number}")
    assert similar("andersen") == []


@pytest.mark.parametrize("shown", ["initials", "anonymous"])
def test_anonymous_player_is_not_found_by_name(shown, fesa):
    hidden = listed(fesa, "Geheimrat", "Zoë", native_name="山本")
    set_visibility(hidden, shown)
    for text in ("geheimrat", "Geheim", "Zoë", "Zoe Geheimrat", "山本", "Geheimrath", "G Z"):
        assert search(text, TODAY) == SearchResult({"players": [], "clubs": [], "events": []}, [])
    assert with_public_id(hidden.public_id.lower(), TODAY) == hidden


def test_old_name_redirects_to_the_remaining_player(fesa):
    gone, kept = listed(fesa, "Born", "Eva"), listed(fesa, "Wed", "Eva")
    merge_players(gone, kept, reason="one")
    assert (players("born"), players("wed"), players("eva")) == (["Wed Eva"],) * 3
    assert similar("Bornn") == ["Wed Eva"]
    assert with_public_id(gone.public_id, TODAY) == kept


@pytest.mark.parametrize("shown", ["initials", "anonymous"])
def test_old_name_of_a_hidden_player_leads_nowhere(shown, fesa):
    gone, kept = listed(fesa, "Born", "Eva"), listed(fesa, "Wed", "Eva")
    merge_players(gone, kept, reason="one")
    set_visibility(kept, shown)
    assert players("born") == players("eva") == similar("bornn") == []
    Player.objects.filter(pk=gone.pk).update(shown="full")  # as no function of ours leaves it
    assert players("born") == similar("bornn") == []


def test_player_on_no_public_list_is_not_found_by_name(fesa):
    listed(make_list("secret", public=False), "Unseen", "Ann")
    unseen = make_player("Unseen", "Bob")
    listed(fesa, "Unseen", "Cid", rating=None)
    assert players("unseen") == ["Unseen Cid"]
    assert with_public_id(unseen.public_id, TODAY) == unseen


def test_clubs_are_found_by_name_and_city():
    Club.objects.create(name="Shogi-Klub „Ōsho“", city="Łódź")
    found = search("lodz osho", TODAY).keys["clubs"]
    assert [club.name for club in rows_of("clubs", found).values()] == ["Shogi-Klub „Ōsho“"]


def events(text):
    keys = search(text, TODAY).keys["events"]
    rows = rows_of("events", keys)
    return [rows[key].name for key in keys]


def test_events_are_found_by_name_place_and_year_the_last_first():
    make_event("Paris Open", "2022-05-01")
    make_event("Paris Open", "2023-05-01")
    make_event("Ligue", "2024-05-01", place="Paris")
    assert events("paris") == ["Ligue", "Paris Open", "Paris Open"]
    assert [event.end for event in rows_of("events", search("open paris 2023", TODAY).keys["events"]).values()] == [
        dt.date(2023, 5, 1)
    ]
    assert similar("Pariss Opne 2022", ["events"])[0] == "Paris Open"


def test_events_that_are_neither_accepted_nor_announced_are_not_found():
    for state in ("draft", "submitted", "returned"):
        make_event(f"Cup {state}", "2024-07-01", state=state)
    make_event("Cup announced", "2024-07-01", state="draft", announced_at=timezone.now())
    past = make_event("Cup over", "2024-05-01", state="draft", announced_at=timezone.now())
    make_event("Cup accepted", "2024-07-01")
    assert sorted(events("cup")) == ["Cup accepted", "Cup announced"]
    assert sorted(similar("cupp", ["events"])) == ["Cup accepted", "Cup announced"]
    assert similar("overr", ["events"]) == similar("submited", ["events"]) == []
    assert with_public_id(past.public_id, TODAY) is None


def test_search_columns_follow_every_change():
    club, event, player = Club.objects.create(name="Ä"), make_event("Ö", "2024-01-01"), make_player("Ü", "X")
    club.name, event.place, player.given_name = "Zürich", "Køge", "Ægir"
    club.save(update_fields=["name"])
    event.save(update_fields=["place"])
    player.save(update_fields=["given_name"])
    stored = [type(row).objects.get(pk=row.pk).search_name for row in (club, event, player)]
    assert stored == ["zurich", "o koge 2024", "u aegir"]


def test_public_ids_are_exact():
    club, event, player = Club.objects.create(name="A"), make_event("B"), make_player("C")
    assert [with_public_id(row.public_id.lower(), TODAY) for row in (club, event, player)] == [club, event, player]
    for text in ("", player.public_id[:-1], f"{player.public_id}'", "a" * 5000, "\0", "ａ"):
        assert with_public_id(text, TODAY) is None


@pytest.mark.parametrize(
    "text",
    ["", "%", "%%%", "_", "a_b%", "\0", "'; drop", '"', "\\", "[(*", "😀😀", "x" * 10_000, "é " * 5000, "\u0301" * 50],
)
def test_odd_texts_find_nothing(text, fesa):
    listed(fesa, "Player", "Ann")
    assert players(text) == []


def test_ratio_from_which_a_name_is_similar_is_reached_by_one_letter_of_four():
    assert similarity(["anna"], "anne") == searching.MIN_SIMILARITY  # 2·3/8

"""Meta tags and cards of players and of comparisons of two players."""

import io

import pytest
from PIL import Image

from ratings.models import Federation, NameVisibility, Standing
from tests.cards import expected_meta, read_shared_meta
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
CREST = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'


@pytest.fixture
def fesa():
    the_list = make_list(name="Shogi")
    Federation.objects.update(description="Official ratings", house="pine", crest=CREST)
    return the_list


@pytest.fixture
@reused
def players(fesa, rate_all):
    soeren = make_player("Ericsson", "Sören", native_name="山本 太一", country="SE")
    anna = make_player("Lind", "Anna", country="FI")
    give_rating(fesa, soeren, 1800, "2025-11-01", grade="1 Dan")
    give_rating(fesa, anna, 1790, "2025-11-01", grade="1 Dan")
    games = [(1, 1, 2, 1.0), (2, 1, 2, 0.5), (3, 1, 2, 1.0)]
    make_table(fesa, [soeren, anna], games, "2026-09-26", event_name="Ljubljana Open")
    rate_all()
    return soeren, anna


def test_player_page_has_its_own_title_description_and_card(client, players):
    player = players[0]
    standing = player.standings.get()
    description = (
        f"Ericsson Sören has a rating of {standing.rating:.0f} on Shogi and holds 1 Dan. That is rank 1 of 2 active"
        f" players. The last event, Ljubljana Open on 26 Sep 2026, changed the rating by +{standing.last_change:.0f}."
    )
    assert read_shared_meta(client.get(player.get_absolute_url())) == expected_meta(
        f"Ericsson, Sören: {standing.rating:.0f}, 1 Dan – FESA", description, player.get_absolute_url(),
        f"/players/{player.public_id}/card.png?list=fesa", kind="profile",
    )  # fmt: skip


def test_player_without_a_rating_says_so(client, drawn, fesa):
    player = make_player("Ono", "Kenji", country="JP")
    address = f"/players/{player.public_id}/card.png"
    assert read_shared_meta(client.get(player.get_absolute_url())) == expected_meta(
        "Ono, Kenji – FESA", "Ono Kenji has no public rating.", player.get_absolute_url(), address, kind="profile"
    )
    assert drawn(address) == ["FESA", "Official ratings", "Ono, Kenji", "Japan", "No public rating."]


def test_player_card_has_federation_name_rating_grade_rank_and_change(drawn, players):
    standing = players[0].standings.get()
    assert drawn(f"/players/{players[0].public_id}/card.png") == [
        "Shogi", "FESA", "Official ratings", "Ericsson, Sören", "山本 太一 · Sweden", f"{standing.rating:.0f}", "1 Dan",
        f"+{standing.last_change:.0f}", "Rank", "1 of 2", "Last event", "Ljubljana Open,", "26\u00a0Sep\u00a02026",
    ]  # fmt: skip


def test_card_of_a_new_player_names_the_first_event(drawn, fesa, rate_all):
    new, strong = make_player("Ono", "Kenji", country="JP"), make_player("Lind", country="FI")
    give_rating(fesa, strong, 1700, "2025-11-01")
    games = [(number, 1, 2, number % 2) for number in range(1, 10)]
    make_table(
        fesa, [new, strong], [(r, a, b, float(score)) for r, a, b, score in games], "2026-09-26", event_name="Cup"
    )
    rate_all()
    assert drawn(f"/players/{new.public_id}/card.png") == [
        "Shogi", "FESA", "Official ratings", "Ono, Kenji", "Japan", "provisional",
        f"{new.standings.get().rating:.0f}", "2 Kyu", "Rank", "1 of 2",
        "Last event", "Cup, 26\u00a0Sep\u00a02026", "The first rating came from Cup on 26 Sep 2026.",
    ]  # fmt: skip


def test_card_is_a_picture_of_1200_by_630_pixels(client, players):
    for address in ("card.png", f"versus/{players[1].public_id}/card.png"):
        content = client.get(f"/players/{players[0].public_id}/{address}").content
        picture = Image.open(io.BytesIO(content))
        assert (picture.format, picture.size) == ("PNG", (1200, 630))


@pytest.mark.parametrize("shown", [NameVisibility.INITIALS, NameVisibility.ANONYMOUS])
def test_cards_respect_how_a_player_is_shown(shown, client, drawn, players):
    player, rival = players
    player.shown = shown
    player.save()
    name = {"initials": "E. S.", "anonymous": f"Player {player.public_id}"}[shown]
    texts = drawn(f"/players/{player.public_id}/card.png")
    assert texts[3:5] == [name, "Sweden"]
    texts = drawn(f"/players/{player.public_id}/versus/{rival.public_id}/card.png")
    assert not any(part in text for text in texts for part in ("Ericsson", "Sören", "山本"))
    page = read_shared_meta(client.get(player.get_absolute_url()))
    assert not any(part in text for text in page.values() for part in ("Ericsson", "Sören", "山本"))


def test_card_tells_nothing_of_a_hidden_list(drawn, players, fesa):
    fesa.public = False
    fesa.save()
    for query in ("", "?list=fesa"):
        texts = drawn(f"/players/{players[0].public_id}/card.png{query}")
        assert texts == ["Ratings", "Ericsson, Sören", "山本 太一 · Sweden", "No public rating."]


def test_cards_of_unknown_and_merged_players_and_of_one_against_oneself_are_404(client, players):
    player, rival = players
    for address in ("NOBODY/card.png", f"{player.public_id}/versus/{player.public_id}/card.png"):
        assert client.get(f"/players/{address}").status_code == 404
    player.merged_into = rival
    player.save()
    assert client.get(f"/players/{player.public_id}/card.png").status_code == 404
    assert client.get(f"/players/{player.public_id}/versus/{rival.public_id}/card.png").status_code == 404


def test_head_to_head_tells_the_score_and_both_ratings(client, drawn, players):
    one, other = players
    standings = [player.standings.get() for player in players]
    ratings = [f"{standing.rating:.0f}" for standing in standings]
    gained, lost = f"+{standings[0].last_change:.0f}", f"\N{MINUS SIGN}{-standings[1].last_change:.0f}"
    address = f"/players/{one.public_id}/versus/{other.public_id}/"
    description = (
        "Ericsson Sören against Lind Anna: the score is 2½ – ½. 3 games: Ericsson Sören won 2, drew 1 and lost 0."
        f" Their ratings are {ratings[0]} and {ratings[1]}. Ericsson Sören · Rank: 1 of 2 · Last event: {gained}."
        f" Lind Anna · Rank: 2 of 2 · Last event: {lost}."
    )
    assert read_shared_meta(client.get(address)) == expected_meta(
        "Ericsson, Sören against Lind, Anna – FESA", description, address, f"{address}card.png?list=fesa"
    )
    assert drawn(f"{address}card.png") == [
        "Shogi", "FESA", "Official ratings", "Head to head",
        "Ericsson,", "Sören", f"{ratings[0]} · 1 Dan", "Rank: 1 of 2", f"Last event: {gained}",
        "Lind, Anna", f"{ratings[1]} · 1 Dan", "Rank: 2 of 2", f"Last event: {lost}",
        "2½ – ½", "3 games: Ericsson Sören won 2, drew 1 and lost 0.",
    ]  # fmt: skip


def test_head_to_head_says_who_is_not_ranked(client, drawn, players, fesa):
    one, other = players
    Standing.objects.filter(player=other).update(last_played="2001-01-01", last_change=None)
    rating = f"{other.standings.get().rating:.0f}"
    address = f"/players/{one.public_id}/versus/{other.public_id}/"
    assert read_shared_meta(client.get(address))["description"].endswith(". Lind Anna · not ranked.")
    assert drawn(f"{address}card.png")[-5:-1] == ["Lind, Anna", f"{rating} · 1 Dan", "not ranked", "2½ – ½"]


def test_head_to_head_of_players_who_never_met_says_so(client, drawn, players):
    other = make_player("Ono", "Kenji")
    address = f"/players/{players[0].public_id}/versus/{other.public_id}/"
    sentence = "Ericsson Sören and Ono Kenji share no list and have not played each other."
    assert read_shared_meta(client.get(address))["description"] == sentence
    assert drawn(f"{address}card.png")[-2:] == [
        "Ericsson Sören and Ono Kenji share no list and have not", "played each other."
    ]  # fmt: skip

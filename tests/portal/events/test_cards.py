"""Meta tags and cards of events and of explained rating changes."""

import pytest

from ratings.models import Change, Event, Federation, ListPlayer
from tests.cards import expected_meta, read_shared_meta
from tests.factories import give_rating, make_event, make_list, make_player, make_table, set_state
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    the_list = make_list(name="Shogi")
    Federation.objects.update(description="Official ratings")
    return the_list


@pytest.fixture
@reused
def table(fesa, rate_all):
    players = [make_player("Ericsson", "Sören"), make_player("Lind", "Anna"), make_player("Ono", "Kenji")]
    for player, rating in zip(players, (1800, 1790, 1700), strict=True):
        give_rating(fesa, player, rating, "2025-11-01")
    event = make_event("Ljubljana Open", "2026-09-26", [fesa], place="Ljubljana", country="SI")
    games = [(1, 1, 2, 1.0), (2, 2, 3, 0.5), (3, 1, 3, 1.0)]
    table = make_table(None, players, games, "2026-09-26", event=event)
    rate_all()
    return table


def test_event_page_names_place_day_and_podium(client, table):
    event = table.event
    card = f"/events/{event.public_id}/card.png"
    description = (
        "Ljubljana Open took place in Ljubljana, Slovenia (26 Sep 2026). First places: 1. Ericsson Sören, 2. Lind Anna,"
        " 2. Ono Kenji."
    )
    assert read_shared_meta(client.get(event.get_absolute_url())) == expected_meta(
        "Ljubljana Open – FESA", description, event.get_absolute_url(), card
    )
    address = f"/events/{event.public_id}/crosstable/"
    assert read_shared_meta(client.get(address)) == expected_meta(
        "Ljubljana Open – Crosstable – FESA", description, address, card
    )


def test_event_card_has_federation_name_day_place_and_podium(drawn, table):
    assert drawn(f"/events/{table.event.public_id}/card.png") == [
        "Shogi", "FESA", "Official ratings", "Ljubljana Open", "26 Sep 2026 · Ljubljana, Slovenia",
        "1", "Ericsson, Sören", "2 of 3", "2", "Lind, Anna", "½ of 3", "2", "Ono, Kenji", "½ of 3",
    ]  # fmt: skip


def test_coming_event_has_no_podium(client, drawn, fesa):
    event = make_event("Winter Open", "2027-01-03", [fesa], state=Event.State.DRAFT, announced_at="2026-01-01T00:00Z")
    meta = read_shared_meta(client.get(event.get_absolute_url()))
    assert meta["description"] == "Winter Open takes place (3 Jan 2027)."
    assert drawn(f"/events/{event.public_id}/card.png") == [
        "Shogi", "FESA", "Official ratings", "Winter Open", "3 Jan 2027", "Announced"
    ]  # fmt: skip


def test_void_event_has_no_podium(client, drawn, table):
    Event.objects.update(state=Event.State.VOID)
    meta = read_shared_meta(client.get(table.event.get_absolute_url()))
    assert (
        meta["description"] == "Ljubljana Open took place in Ljubljana, Slovenia (26 Sep 2026). The results are void."
    )
    assert drawn(f"/events/{table.event.public_id}/card.png")[-1] == "The results are void."


def test_cards_of_hidden_events_and_changes_are_404(client, table):
    change = Change.objects.get(table=table, player__family_name="Lind")
    address = f"/lists/fesa/tables/{table.pk}/{change.player.public_id}/card.png"
    assert client.get(address).status_code == 200
    change.hidden = True
    change.save()
    assert client.get(address).status_code == 404
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(f"/events/{table.event.public_id}/card.png").status_code == 404


def test_explanation_has_its_sentence_and_the_change(client, drawn, table):
    change = Change.objects.get(table=table, player__family_name="Ericsson")
    address = f"/lists/fesa/tables/{table.pk}/{change.player.public_id}/"
    response = client.get(address)
    description = read_shared_meta(response)["description"]
    sentence = description.removesuffix(" That is rank 1 of 3 active players.")
    assert sentence != description
    assert sentence.startswith("Ericsson, Sören was expected to score ")
    assert sentence.endswith(
        f"of 2 at Ljubljana Open and scored 2. That is worth {change.change:.0f} points, and a new highest rating."
    )
    assert read_shared_meta(response) == expected_meta(
        f"Ericsson, Sören: Why {change.before:.0f} became {change.after:.0f} – FESA", description, address,
        f"{address}card.png", kind="article",
    )  # fmt: skip
    texts = drawn(f"{address}card.png")
    assert texts[:7] == [
        "Shogi", "FESA", "Official ratings", "Ericsson, Sören", "Ljubljana Open, 26 Sep 2026",
        f"{change.before:.0f} → {change.after:.0f}", f"+{change.change:.0f}",
    ]  # fmt: skip
    assert texts[7:9] == ["Rank", "1 of 3"]
    assert " ".join(texts[9:]) == sentence


def test_explained_list_day_has_its_sentence_and_the_change(client, drawn, rate_all):
    renju, ara, bel = make_list("renju", name="Renju", system="rif-1995"), make_player("Ara", "Lia"), make_player("Bel")
    for player in (ara, bel):
        set_state(renju, player, "1996-01-01", rating=2300)
    for day in ("1996-06-01", "1996-07-01"):
        make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], day)
    rate_all()
    address = f"/lists/renju/closings/1996-08-31/{ara.public_id}/"
    sentence = "With the list of 31 Aug 1996, the rating of Ara, Lia rose by 32 to 2332."
    assert read_shared_meta(client.get(address)) == expected_meta(
        "Ara, Lia: Why 2300 became 2332 – FESA", sentence, address, f"{address}card.png", kind="article"
    )
    texts = drawn(f"{address}card.png")
    assert texts[:6] == ["Renju", "FESA", "Ara, Lia", "List of 31 Aug 1996", "2300 → 2332", "+32"]
    assert " ".join(texts[6:]) == sentence


def test_cards_of_hidden_and_missing_list_days_are_404(client, rate_all):
    renju, ara, bel = make_list("renju", system="rif-1995"), make_player("Ara"), make_player("Bel")
    for player in (ara, bel):
        set_state(renju, player, "1996-01-01", rating=2300)
    make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], "1996-06-01")
    rate_all()
    address = "/lists/renju/closings/{}/{}/card.png"
    assert client.get(address.format("1996-08-31", ara.public_id)).status_code == 200
    assert client.post(address.format("1996-08-31", ara.public_id)).status_code == 405
    for day, player in (("1996-08-30", ara.public_id), ("1996-08-31", "NOBODY")):
        assert client.get(address.format(day, player)).status_code == 404
    ListPlayer.objects.update_or_create(list=renju, player=ara, defaults={"withdrawn": True})
    Change.objects.filter(player=ara).update(hidden=True)
    assert client.get(address.format("1996-08-31", ara.public_id)).status_code == 404

"""Page that explains a player's rating change without a game: what was corrected, and the way to the player."""

import datetime as dt
import re
from html import unescape

import pytest

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.results.deleting import delete_table
from ratings.domain.results.steps import record_event_step
from ratings.domain.runs.rerating import rerate
from ratings.models import Adjustment, Change, Correction, EventStep, ListPlayer, Player, Standing
from tests.cards import expected_meta, read_shared_meta
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
WINS = [(round_, 1, 2, 1.0) for round_ in range(1, 13)]


def words(text):
    """The text of a page or a part of it, without tags and drawings."""
    text = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def part(page, start, end):
    return words(page.partition(start)[2].partition(end)[0])


def rows(page):
    """The cells of the table of steps that a wide screen shows, as text."""
    body = page.partition('<tbody role="rowgroup">')[2].partition("</tbody>")[0]
    cells = [re.findall(r'<td role="cell" class="(.*?)">(.*?)</td>', row, re.DOTALL) for row in body.split("</tr>")]
    return [
        [words(text) for kind, text in row if kind not in {"bar", "second-line only-narrow"}] for row in cells if row
    ]


def after(table, player):
    return f"{Change.objects.get(table=table, player=player).after:.0f}"


def difference(old, new):
    return f"{int(new) - int(old):+}".replace("-", "−")


class World:
    """Ada and Di play in the First Cup; Ben meets Ada in the Second Cup, and Cy meets Ben in the Third Cup.

    Corrected later, the First Cup is not rated any more.
    """

    def __init__(self, rate_all, names=("Ada", "Ben", "Cy", "Di")):
        self.list, self.rate_all = make_list(), rate_all
        self.players = [make_player(name) for name in names]
        for player in self.players:
            give_rating(self.list, player, 2000)
        ada, ben, cy, di = self.players
        tables = (([ada, di], "2024-01-01", "First Cup"), ([ben, ada], "2024-02-01", "Second Cup"),
                  ([cy, ben], "2024-03-01", "Third Cup"))  # fmt: skip
        self.tables = [make_table(self.list, seats, WINS, day, event_name=name) for seats, day, name in tables]
        rate_all()

    def correct(self, note="the clocks were wrong"):
        self.old = [after(table, player) for table, player in zip(self.tables, self.players, strict=False)]
        first = self.tables[0]
        first.rated = False
        save_details(first)
        record_event_step(first.event, EventStep.What.CORRECTED, note)
        self.run = rerate(self.list.pk)
        self.new = [
            "2000",
            *(after(table, player) for table, player in zip(self.tables[1:], self.players[1:], strict=False)),
        ]
        return self

    def address(self, player, run=None):
        return f"/lists/fesa/corrections/{(run or self.run).pk}/{player.public_id}/"


@pytest.fixture
@reused
def world(rate_all):
    return World(rate_all)


def test_correction_is_explained_from_the_corrected_event_to_the_player(client, world):
    world.correct()
    *_, cy, _ = world.players
    response = client.get(world.address(cy))
    page, (old, new) = markup(response), (world.old, world.new)
    day = f"{world.run.ended_at.day} {world.run.ended_at:%b %Y}"
    assert words(re.search(r"<h1>(.*?)</h1>", page, re.DOTALL)[1]) == f"Why {old[2]} became {new[2]}"
    assert part(page, '<p class="say">', "</p>").replace(" .", ".").replace(" ,", ",") == (
        f"The rating of Cy changed from {old[2]} to {new[2]} on {day} because results of First Cup were corrected."
        " The correction reached Cy through Ada, Ben."
    )
    assert part(page, '<dl class="facts big">', "</dl>") == (
        f"Before {old[2]} After {new[2]} {difference(old[2], new[2])} It began with First Cup 1 Jan 2024"
        f" Corrected on {day} Reason First Cup was changed First Cup: the clocks were wrong"
    )
    steps = [
        ["", "Ada First Cup , 1 Jan 2024: corrected. Why? Ada"],
        ["1 won " * 12, "Ben met Ada at Second Cup , 1 Feb 2024. Why? Ben"],
        ["1 won " * 12, "Cy met Ben at Third Cup , 1 Mar 2024. Why? Cy"],
        ["", "Rating on the list"],
    ]
    numbers = zip([*old, old[2]], [*new, new[2]], strict=True)
    assert rows(page) == [
        [step[0].strip(), step[1], a, b, difference(a, b)] for step, (a, b) in zip(steps, numbers, strict=True)
    ]
    assert re.findall(r'<rect class="(\w+)"', page) == ["down", "up" if int(new[1]) > int(old[1]) else "down",
                                                        "up" if int(new[2]) > int(old[2]) else "down", "sum"]  # fmt: skip
    for player, table in zip(world.players, world.tables, strict=False):
        assert f'href="/lists/fesa/tables/{table.pk}/{player.public_id}/"' in page
        assert f'href="{table.event.get_absolute_url()}?list=fesa"' in page


def test_correction_is_linked_from_every_page_that_shows_it(client, world):
    world.correct()
    *_, cy, _ = world.players
    link = f'href="{world.address(cy)}"'
    for page in (
        cy.get_absolute_url(), f"/players/{cy.public_id}/events/", "/lists/fesa/corrections/",
        f"/lists/fesa/corrections/{world.run.pk}/", world.address(world.players[0]),
    ):  # fmt: skip
        assert link in markup(client.get(page))
    assert link not in markup(client.get(f"/players/{cy.public_id}/events/?page=1&on=2024-12-31"))


def test_correction_of_a_player_of_the_corrected_event_says_that_they_played(client, world):
    world.correct()
    ada = world.players[0]
    page = markup(client.get(world.address(ada)))
    assert part(page, '<p class="say">', "</p>").endswith("results of First Cup were corrected. Ada had played there.")


def test_late_and_deleted_results_are_named_as_such(client, world):
    ada, ben, _, di = world.players
    late = make_table(world.list, [ada, di], WINS, "2024-01-10", event_name="Late Cup")
    run = rerate(world.list.pk)
    added = markup(client.get(world.address(ben, run)))
    assert "because results of Late Cup were added late." in part(added, '<p class="say">', "</p>")
    assert rows(added)[0][1].startswith("Ada Late Cup , 10 Jan 2024: added late")
    delete_table(late, reason="entered twice")
    run = rerate(world.list.pk)
    removed = markup(client.get(world.address(ben, run)))
    assert "because results of Late Cup do not count any more." in part(removed, '<p class="say">', "</p>")
    assert rows(removed)[0][1] == "Ada Late Cup , 10 Jan 2024: does not count any more"


def test_correction_by_an_adjustment(client, world):
    ada, ben, *_ = world.players
    save_adjustment(
        Adjustment(list=world.list, player=ada, date=dt.date(2024, 1, 20), set={"rating": 1500}, reason="wrong rating")
    )
    run = rerate(world.list.pk)
    page = markup(client.get(world.address(ben, run)))
    assert part(page, '<p class="say">', "</p>").endswith(
        "because an adjustment of 20 Jan 2024 was added, changed or withdrawn. The correction reached Ben through Ada ."
    )
    assert rows(page)[0][1] == "Ada Adjustment of 20 Jan 2024"
    own = markup(client.get(world.address(ada, run)))
    assert part(own, '<p class="say">', "</p>").endswith("was added, changed or withdrawn.")


def test_points_that_count_later_are_in_brackets(client, rate_all):
    renju, ara, bel, cai = make_list("renju", system="rif-1995"), *(make_player(name) for name in ("Ara", "Bel", "Cai"))
    for player in (ara, bel, cai):
        given = {"rating": 2300}
        save_adjustment(Adjustment(list=renju, player=player, date=dt.date(1996, 1, 1), set=given, reason="opening"))
    first = make_table(renju, [ara, bel], WINS, "1996-06-01", event_name="Open")
    make_table(renju, [cai, bel], WINS, "1996-10-01", event_name="Cup")
    rate_all()
    (old,) = Change.objects.filter(table=first, player=bel).values_list("change", flat=True)
    first.rated = False
    save_details(first)
    run = rerate(renju.pk)
    page = markup(client.get(f"/lists/renju/corrections/{run.pk}/{cai.public_id}/"))
    bel_row, cai_row, _ = rows(page)
    assert bel_row[2:] == [f"({old:.0f})".replace("-", "−"), "(±0)", f"{-old:+.0f}"]
    assert [cell[0] for cell in cai_row[2:4]] == ["(", "("]
    assert page.count("In brackets: points of the event, which count from the next official list.") == 1


def test_hidden_players_are_not_named(client, rate_all):
    world = World(rate_all, ("Secretname", "Ben", "Cy", "Di")).correct(note="Secretname had not played")
    hidden, _, cy, _ = world.players
    hidden.shown = "anonymous"
    hidden.save()
    page = markup(client.get(world.address(cy)))
    assert "Secretname" not in page
    assert f"through Player {hidden.public_id} , Ben ." in part(page, '<p class="say">', "</p>")
    assert 'name="robots"' in markup(client.get(world.address(hidden)))


def test_ratings_of_withdrawn_players_are_not_displayed(client, world):
    world.correct()
    ada, _, cy, _ = world.players
    save_list_player(ListPlayer(list=world.list, player=ada, withdrawn=True))
    rerate(world.list.pk)
    page = markup(client.get(world.address(cy)))
    assert rows(page)[0][1:] == ["Ada First Cup , 1 Jan 2024: corrected", "–", "–", ""]
    assert f"/tables/{world.tables[0].pk}/{ada.public_id}/" not in page


def test_correction_without_a_recorded_path_says_so(client, world):
    world.correct()
    *_, cy, _ = world.players
    Correction.objects.update(path=None)
    page = markup(client.get(world.address(cy)))
    assert "because First Cup was changed." in part(page, '<p class="say">', "</p>")
    assert "How the correction reached this player was not recorded." in page
    assert "<table" not in page


def test_correction_page_is_404_for_what_was_not_corrected(client, world):
    world.correct()
    _, ben, cy, _ = world.players
    make_list("other")
    stranger = make_player("Eve")
    for address in (
        world.address(stranger), world.address(cy).replace("fesa", "other"), world.address(cy).replace("fesa", "none"),
        f"/lists/fesa/corrections/{world.run.pk + 1}/{cy.public_id}/", f"/lists/fesa/corrections/{world.run.pk}/NOBODY/",
    ):  # fmt: skip
        assert client.get(address).status_code == 404
    Correction.objects.filter(player=ben).update(hidden=True)
    assert client.get(world.address(ben)).status_code == 404
    assert client.post(world.address(cy)).status_code == 405
    world.list.public = False
    world.list.save()
    assert client.get(world.address(cy)).status_code == 404


def test_officers_read_corrections_of_lists_that_are_not_public(client, world, staff):
    world.correct()
    world.list.public = False
    world.list.save()
    assert client.get(world.address(world.players[2])).status_code == 200


@pytest.mark.parametrize("others", [0, 30])
def test_correction_page_needs_the_same_queries_for_any_number(others, client, world, django_assert_num_queries):
    behind = [make_player() for _ in range(others)]
    for player in behind:
        give_rating(world.list, player, 2000)
    if behind:
        make_table(
            world.list, [world.players[2], *behind],
            [(round_, 1, round_ + 1, 1.0) for round_ in range(1, others + 1)], "2024-04-01",
        )  # fmt: skip
        world.rate_all()
    world.correct()
    with django_assert_num_queries(15):  # two read the standing and whether it is ranked
        assert client.get(world.address(world.players[2])).status_code == 200


def test_correction_is_shared_with_its_reason_change_and_rank(client, drawn, world):
    world.correct()
    Standing.objects.update(last_played="2999-01-01")
    *_, cy, _ = world.players
    (old, new), day = (world.old[2], world.new[2]), f"{world.run.ended_at.day} {world.run.ended_at:%b %Y}"
    sentence = (
        f"The rating of Cy changed from {old} to {new} on {day} because results of First Cup were corrected."
        " The correction reached Cy through Ada, Ben."
    )
    rank = Standing.objects.filter(rating__gt=Standing.objects.get(player=cy).rating).count() + 1
    address = world.address(cy)
    assert read_shared_meta(client.get(address)) == expected_meta(
        f"Cy: Why {old} became {new} – FESA", f"{sentence} That is rank {rank} of 4 active players.", address,
        f"{address}card.png", kind="article",
    )  # fmt: skip
    texts = drawn(f"{address}card.png")
    assert texts[:8] == [
        "FESA", "FESA", "Cy", f"Correction of {day}", f"{old} → {new}", difference(old, new), "Rank", f"{rank} of 4",
    ]  # fmt: skip
    assert " ".join(texts[8:]) == sentence


def test_correction_before_the_present_rating_is_shared_without_a_rank(client, drawn, world):
    world.correct()
    *_, cy, _ = world.players
    Standing.objects.update(last_played="2999-01-01")
    Standing.objects.filter(player=cy).update(rating=1234)
    assert "rank" not in read_shared_meta(client.get(world.address(cy)))["description"]
    assert "Rank" not in drawn(f"{world.address(cy)}card.png")


def test_titles_of_corrections_and_proofs_have_a_comma_in_the_name(client, world):
    world.correct()
    *_, cy, _ = world.players
    Player.objects.filter(pk=cy.pk).update(family_name="Cyr", given_name="Zoë")
    addresses = (world.address(cy), f"/players/{cy.public_id}/proof/")
    titles = [read_shared_meta(client.get(address))["title"] for address in addresses]
    assert [title.partition(":")[0] for title in titles] == ["Cyr, Zoë", "Cyr, Zoë"]


def test_card_of_a_correction_is_404_for_what_is_not_public(client, world, staff):
    world.correct()
    *_, cy, _ = world.players
    card = f"{world.address(cy)}card.png"
    assert client.get(card).status_code == 200
    assert client.post(card).status_code == 405
    assert client.get(f"/lists/fesa/corrections/{world.run.pk}/NOBODY/card.png").status_code == 404
    Correction.objects.filter(player=cy).update(hidden=True)
    assert client.get(card).status_code == 404
    Correction.objects.update(hidden=False)
    world.list.public = False
    world.list.save()
    assert client.get(card).status_code == 404

"""The story of the latest result on the front page, for events with many groups."""

import re

import pytest

from portal.events.stories import MAX_PODIUMS, MAX_WINNERS
from ratings.models import Change
from tests.factories import give_rating, make_event, make_list, make_player, make_table
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


def add_group(event, rating_list, name, ratings, games, grade="4 Dan", **fields):
    """Add a group to an event, whose players have the first letter of its name and a number as their names.

    With their grade of 4 Dan they win no other in it.
    """
    players = [make_player(f"{name[0]}{number}") for number, _ in enumerate(ratings, 1)]
    for player, rating in zip(players, ratings, strict=True):
        give_rating(rating_list, player, rating, grade=grade)
    return make_table(rating_list, players, games, "2024-02-06", event=event, name=name, **fields)


def read_story(client):
    return markup(client.get("/")).partition('id="latest-result"')[2].partition("</section>")[0]


def text_of(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").split())


def test_event_of_five_groups_has_the_winner_of_each_and_the_highlights_of_all(client, fesa, rate_all):
    event = make_event("Open", "2024-02-06", [fesa])
    games = [(1, 1, 2, 1.0)]
    tables = [
        add_group(event, fesa, "Adept", (2000, 1900), games),
        add_group(event, fesa, "Basic", (1850, 1800), games),
        add_group(event, fesa, "Club", (1700, 1600), [(1, 1, 2, 0.0)]),
        add_group(event, fesa, "Draws", (1400, 1400), [(1, 1, 2, 0.5)]),
        add_group(event, fesa, "Entry", (1000, 1400), [(1, 1, 2, 1.0)]),
    ]
    rate_all()
    story = read_story(client)
    changes = {str(change.player): f"+{change.change:.0f}" for change in Change.objects.filter(table__isnull=False)}
    sentences = text_of(story.partition('<ul class="rows">')[2])
    # 400 points less: 1 / (1 + 10 ** (400 / 400)) = 9 %
    assert sentences == (
        f"Adept A1 won with 1 of 1 {changes['A1']} Basic B1 won with 1 of 1 {changes['B1']}"
        f" Club C2 won with 1 of 1 {changes['C2']} Draws D1 , D2 shared first place"
        f" Entry E1 won with 1 of 1 {changes['E1']}"
        " Biggest upset E1 (1000) beat E2 (1400); the chance of that was 9 %"
    )
    first, *others = [f"{event.get_absolute_url()}?list=fesa" + (f"&amp;table={table.pk}" if at else "")
                      for at, table in enumerate(tables)]  # fmt: skip
    assert re.findall(r'<a class="plain strong" href="([^"]*)"', story) == [first, *others]
    assert ('class="podium"' in story, "groups</a>" in story) == (False, False)


def test_event_of_many_groups_names_some_winners_and_links_to_all_groups(client, fesa, rate_all):
    event = make_event("Open", "2024-02-06", [fesa])
    add_group(event, fesa, "Practice", (1500, 1500), [(1, 1, 2, 1.0)], tournament=False)
    names = [f"{letter} group" for letter in "ABCDEFGH"]
    for name in names:
        add_group(event, fesa, name, (1500, 1400), [(1, 1, 2, 1.0)])
    rate_all()
    story = read_story(client)
    assert re.findall(r'<a class="plain strong"[^>]*>([^<]*)</a>', story) == names[:MAX_WINNERS]
    link = re.search(r'<a href="([^"]*)">\s*All 9 groups</a>', story)
    assert link[1] == f"{event.get_absolute_url()}?list=fesa"


def test_best_performance_and_new_grades_are_those_of_all_groups(client, fesa, rate_all):
    event = make_event("Open", "2024-02-06", [fesa])
    games = [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)]
    groups = (("A", (1700, 1600)), ("B", (1790, 1900)), ("C", (1300, 1800)), ("D", (1790, 1900)))
    for name, ratings in groups:
        add_group(event, fesa, name, ratings, games, grade="1 Kyu" if name in "BD" else "4 Dan")
    rate_all()
    gains = {change.player: change.performance - change.before for change in Change.objects.filter(table__isnull=False)
             if change.performance is not None}  # fmt: skip
    best = max(gains, key=gains.get)
    story = text_of(read_story(client))
    assert story.count("Best performance") == 1
    assert f"Best performance {best} , rated 1300, played like" in story
    # the ratings of 1790 and 1900 passed or had passed that of 1 Dan, 1800
    assert story.endswith("New grades B1 1 Dan , B2 1 Dan , D1 1 Dan , D2 1 Dan")


def test_event_of_few_groups_has_a_podium_for_each(client, fesa, rate_all):
    event = make_event("Open", "2024-02-06", [fesa])
    for name in "ABCD"[:MAX_PODIUMS]:
        add_group(event, fesa, name, (1500, 1400), [(1, 1, 2, 1.0)])
    rate_all()
    assert read_story(client).count('class="podium"') == MAX_PODIUMS


def test_event_of_many_groups_without_places_has_no_story(client, fesa, rate_all):
    event = make_event("Club nights", "2024-02-06", [fesa])
    for name in "ABCDE":
        add_group(event, fesa, name, (1500, 1400), [(1, 1, 2, 1.0)], tournament=False)
    rate_all()
    assert 'id="latest-result"' not in markup(client.get("/"))

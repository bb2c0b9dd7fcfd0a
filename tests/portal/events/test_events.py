"""The list of events."""

import re

import pytest

from ratings.models import Club, Event
from tests.factories import make_event, make_list, make_player, make_table
from tests.markup import markup
from tests.thorough import take_share_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


def listed(client, query=""):
    response = client.get(f"/events/{query}")
    assert response.status_code == 200
    return [row.record.name for row in response.context["listing"].paginated_rows]


@pytest.fixture
def several(fesa):
    club = Club.objects.create(name="Shogi Lyon")
    make_event("Lyøn Open", "2023-05-01", [fesa], country="FR", club=club)
    make_event("Open de Paris", "2024-05-01", [make_list("other")], country="FR")
    make_event("Berlin Cup", "2024-06-01", [fesa], country="DE")
    make_event("Draft Open", "2024-07-01", [fesa], country="DE", state=Event.State.DRAFT)
    return club


def test_events_are_filtered_by_the_address(client, several):
    assert listed(client) == ["Berlin Cup", "Open de Paris", "Lyøn Open"]
    assert listed(client, "?q=open+lyon") == ["Lyøn Open"]
    assert listed(client, "?country=FR&year=2024") == ["Open de Paris"]
    assert listed(client, "?list=fesa") == ["Berlin Cup", "Lyøn Open"]
    assert listed(client, f"?club={several.public_id}") == ["Lyøn Open"]
    assert listed(client, "?q=nothing") == []
    assert "No event with results matches these filters." in markup(client.get("/events/?q=nothing"))


def test_events_and_their_filter_are_in_the_order_of_countries_names(client, fesa):
    for name, country in (("A", "DK"), ("B", "DE"), ("C", "ES"), ("D", "")):
        make_event(name, "2024-05-01", [fesa], country=country)
    make_event("E", "2024-06-01", [fesa], country="DE")
    assert listed(client, "?sort=country") == ["A", "E", "B", "C", "D"]
    assert listed(client, "?sort=-country") == ["C", "E", "B", "A", "D"]
    offered = client.get("/events/").context["filter"].form.fields["country"].choices
    assert [code for code, _ in offered] == ["", "DK", "DE", "ES"]
    german = client.get("/events/", headers={"accept-language": "de"}).context["filter"].form.fields["country"].choices
    assert [label for _, label in german][1:] == ["Dänemark (DK)", "Deutschland (DE)", "Spanien (ES)"]


def test_events_without_countries_are_ordered_by_country(client, fesa):
    make_event("A", "2024-05-01", [fesa], country="")
    assert listed(client, "?sort=country") == ["A"]


@pytest.mark.parametrize(
    "query",
    take_share_of(
        ["page=abc", "page=99999", "page=-1", "per_page=0", "per_page=-1", "per_page=1000000", "sort=nope", "sort=players",
         "year=1492", "year=abc", "year=99999999999", "country=X", "country=[]", "club=%00", "club=" + "x" * 5000, "list=%00",
         "q=%00", "q=" + "x+" * 3000, "q=(", "sort=-name&page=2"],
        0, 3,
    ),
)  # fmt: skip
def test_odd_parameters_show_events(query, client, several):
    assert set(listed(client, f"?{query}")) <= {"Berlin Cup", "Open de Paris", "Lyøn Open"}
    assert client.get(f"/calendar/?{query}").status_code == 200
    assert client.get(f"/calendar.ics?{query}").status_code in (200, 404)
    assert client.get(f"/events.atom?{query}").status_code in (200, 404)


@pytest.mark.parametrize("size", [1, 60])
def test_events_need_the_same_queries_for_any_number(size, client, fesa, django_assert_num_queries):
    players = [make_player(), make_player()]
    for number in range(size):
        make_table(fesa, players, [(1, 1, 2, 1.0)], event_name=f"Event {number}")
    with django_assert_num_queries(9):
        response = client.get("/events/")
    assert {row.record.players for row in response.context["listing"].paginated_rows} == {2}


@pytest.mark.parametrize(("query", "sorted_by"), [
    ("", [("Last day", "descending")]), ("?sort=name", [("Event", "ascending")]), ("?sort=end", [("Last day", "ascending")]),
    ("?sort=end&sort=name", [("Event", "ascending")]),
])  # fmt: skip
def test_events_mark_one_column_as_sorted(query, sorted_by, client, several):
    page = markup(client.get(f"/events/{query}"))
    assert [(name, how) for how, name in re.findall(r'aria-sort="(\w+)"[^>]*>\s*<a[^>]*>([\w ]+)<', page)] == sorted_by
    assert page.count("aria-sort") == 1


def test_events_are_sorted_by_day_in_both_directions(client, several):
    assert listed(client, "?sort=end") == ["Lyøn Open", "Open de Paris", "Berlin Cup"]
    assert listed(client, "?sort=-end") == listed(client)


def test_row_of_an_event_shows_day_flag_place_and_players(client, fesa):
    event = make_event("Lyøn Open", "2023-05-01", [fesa], place="Lyon", country="FR")
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2023-05-01", event=event)
    (row,) = client.get("/events/").context["listing"].paginated_rows
    flag = '<img class="flag" src="/static/vendor/flags/FR.svg" alt="" width="22" height="15" loading="lazy">'
    cells = {column.name: " ".join(str(cell).split()) for column, cell in row.items()}
    assert cells == {
        "end": '<time class="day" datetime="2023-05-01"><b>1</b> <small>May 2023</small></time>',
        "name": f'<a href="{event.get_absolute_url()}">Lyøn Open</a>',
        "line": f'{flag} <span class="cut">Lyon · 2 players</span>',
        "place": "Lyon", "country": f"{flag} France", "players": "2",
    }  # fmt: skip


def test_events_of_several_lists_name_the_list_and_keep_it(client, several):
    pages = [client.get(f"/events/{query}") for query in ("", "?list=fesa&country=FR")]
    last = [[column.name for column in page.context["listing"].columns][-2:] for page in pages]
    assert last == [["lists", "players"], ["country", "players"]]
    page = pages[1]
    assert page.context["rating_list"].slug == "fesa"
    text = markup(page)
    for address in ("/calendar/?list=fesa&country=FR", "/events.atom?list=fesa&country=FR",
                    "http://testserver/calendar.ics?list=fesa&country=FR"):  # fmt: skip
        assert f'href="{address}"' in text.replace("&amp;", "&")


def test_tabs_and_feeds_stand_on_results_and_on_coming_events(client, fesa):
    for page, current in (("/events/", "Results"), ("/calendar/", "Coming")):
        text = markup(client.get(page))
        tabs = re.findall(
            r'<a href="([^"]*)"( aria-current="page")?>(\w+)</a>', text.partition('class="tabs"')[2][:500]
        )
        assert [(address, name, bool(is_current)) for address, is_current, name in tabs] == [
            ("/events/", "Results", current == "Results"), ("/calendar/", "Coming", current == "Coming")
        ]  # fmt: skip
        for address in ("/events.atom", "http://testserver/calendar.ics", "webcal://testserver/calendar.ics"):
            assert f'<a href="{address}">' in text


def test_empty_pages_say_what_was_sought_and_lead_on(client, several):
    filtered = markup(client.get("/events/?q=nothing&country=FR"))
    assert 'href="/calendar/?country=FR">Look among coming events' in filtered
    assert "No coming event is announced." in markup(client.get("/calendar/"))
    assert 'href="/events/?country=FR">Look among past events' in markup(client.get("/calendar/?country=FR"))
    Event.objects.all().delete()
    assert "No event has results yet." in markup(client.get("/events/"))

"""Complete replies of each address. Two players of 2000 points meet: the winner gains 10 (K 20, expected one half)."""

import datetime as dt

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, DatedList, Event, RatingList
from tests.factories import give_rating, make_event, make_list, make_player, make_table

SITE = "http://127.0.0.1:8000"


def ref(player):
    return {"id": player.public_id, "name": player.public_name, "country": str(player.country),
            "url": f"{SITE}{player.get_absolute_url()}"}  # fmt: skip


def named(thing):
    return {"id": thing.public_id, "name": thing.name, "url": f"{SITE}{thing.get_absolute_url()}"}


def only(items):
    return {"items": items, "next": None, "previous": None}


def test_lists_describe_themselves(site, get):
    actual = get("/lists")
    grades = actual[0].pop("grades")
    assert (grades[0], grades[-1]) == (
        site.list.rating_system.grading.grades[0],
        site.list.rating_system.grading.grades[-1],
    )
    assert actual == [
        {"slug": "fesa", "name": "FESA", "federation": "FESA", "system": "fesa-2016",
         "system_name": site.list.rating_system.name, "comparison_to": None, "decimals": 0, "out_of_date_from": None,
         "url": f"{SITE}/lists/fesa/"}
    ]  # fmt: skip
    assert get("/lists/fesa") == actual[0] | {"grades": grades}


def test_standings_have_a_line_a_player(site, get):
    common = {"grade": "3 Dan", "deviation": None, "games": 101, "last_played": "2024-03-01"}
    category = site.list.standings.first().category
    assert get("/lists/fesa/standings") == only([
        common | {"rank": 1, "player": ref(site.ada), "club": named(site.club), "rating": 2010.0, "change": 10.0,
                  "category": category},
        common | {"rank": 2, "player": ref(site.ben), "club": None, "rating": 1990.0, "change": -10.0,
                  "category": category},
    ])  # fmt: skip


def ids(reply):
    return [(line["rank"], line["player"]["id"]) for line in reply["items"]]


def test_filters_leave_the_ranks_of_the_whole_list(site, get, rate_all):
    idle = make_player("Idle", country="FR", public_id="CCC44")
    give_rating(site.list, idle, 2000, grade="3 Dan")
    rate_all()
    assert ids(get("/lists/fesa/standings?country=FR")) == [(2, "BBB33")]
    assert ids(get("/lists/fesa/standings?country=FR&active=false")) == [(2, "CCC44"), (3, "BBB33")]
    assert ids(get(f"/lists/fesa/standings?club={site.club.public_id}")) == [(1, "AAA22")]
    assert ids(get("/lists/fesa/standings?grade=3%20Dan")) == [(1, "AAA22"), (2, "BBB33")]
    assert ids(get("/lists/fesa/standings?grade=1%20Dan")) == []


def test_equals_share_a_rank(get, rate_all):
    fesa = make_list()
    for public_id, rating in (("A2", 1900), ("B2", 1900), ("C2", 1800), ("D2", 2000)):
        give_rating(fesa, make_player(public_id=public_id), rating)
    rate_all()
    assert ids(get("/lists/fesa/standings?active=false")) == [(1, "D2"), (2, "A2"), (2, "B2"), (4, "C2")]


def test_ranks_follow_a_run(site, get, rate_all):
    assert ids(get("/lists/fesa/standings"))[0] == (1, "AAA22")
    make_table(site.list, [site.ben, site.ada], [(1, 1, 2, 1.0), (2, 1, 2, 1.0), (3, 1, 2, 1.0)], "2024-04-01")
    rate_all()
    assert ids(get("/lists/fesa/standings")) == [(1, "BBB33"), (2, "AAA22")]


def test_ratings_as_of_a_date(site, get):
    opened = {"grade": "3 Dan", "rating": 2000.0, "since": "2020-01-01"}
    listed = opened | {"deviation": None}
    assert get("/lists/fesa/ratings?on=2024-02-29") == only(
        [listed | {"player": ref(site.ada)}, listed | {"player": ref(site.ben)}]
    )
    after = {"grade": "3 Dan", "since": "2024-03-01", "deviation": None}
    assert get("/lists/fesa/ratings?on=2024-03-01") == only([
        after | {"player": ref(site.ada), "rating": 2010.0}, after | {"player": ref(site.ben), "rating": 1990.0}
    ])  # fmt: skip
    assert get("/lists/fesa/ratings?on=2019-12-31") == only([])
    assert get("/players/AAA22/standings?on=2024-02-29") == [opened | {"list": "fesa"}]
    assert get("/players/AAA22/standings?on=2019-12-31") == []


def changes_of(site):
    common = {"list": "fesa", "performance": None, "grade": "3 Dan"}
    given = common | {"day": "2020-01-01", "kind": "adjustment", "event": None, "table": None, "before": None,
                      "after": 2000.0, "change": None, "games": 0, "grade_before": ""}  # fmt: skip
    played = common | {"day": "2024-03-01", "kind": "table", "event": named(site.event), "table": site.table.pk,
                       "before": 2000.0, "games": 1, "grade_before": "3 Dan"}  # fmt: skip
    return given, played


def test_changes_since_a_day(site, get):
    given, played = changes_of(site)
    won = played | {"player": ref(site.ada), "after": 2010.0, "change": 10.0}
    lost = played | {"player": ref(site.ben), "after": 1990.0, "change": -10.0}
    assert get("/lists/fesa/changes?since=2024-03-01") == only([won, lost])
    assert get("/players/AAA22/changes") == only([won, given | {"player": ref(site.ada)}])
    assert len(get("/lists/fesa/changes")["items"]) == 4
    get("/players/AAA22/changes?list=nope", 404)


def test_runs_name_the_first_day_of_changes(site, get, rate_all):
    (first,) = get("/lists/fesa/runs")["items"]
    assert (first["changes_from"], first["ended_at"]) == ("2020-01-01", "2024-06-01T00:00:00Z")
    assert get("/lists/fesa/runs?since=2024-06-01T00:00:00Z") == only([])
    assert get("/lists/fesa/runs?since=2024-05-31T23:59:59%2B00:00")["items"] == [first]


def test_last_end_that_was_seen_leaves_its_run_out(site, get):
    site.list.runs.update(ended_at=dt.datetime(2024, 6, 1, 12, 0, 0, 123456, tzinfo=dt.UTC))
    (run,) = get("/lists/fesa/runs")["items"]
    assert run["ended_at"] == "2024-06-01T12:00:00.123456Z"
    assert get(f"/lists/fesa/runs?since={run['ended_at']}") == only([])


def test_change_of_a_newcomer_and_performances_where_the_rules_reckon_none(site, get, rate_all):
    """The draw of two of 2000 points would tell 2000; games with a newcomer, who had no rating, tell nothing."""
    renju = make_list("renju", system="rif-1995")
    new = make_player("New", public_id="CCC44")
    for player in (site.ada, site.ben):
        save_adjustment(
            Adjustment(list=renju, player=player, date=dt.date(2020, 1, 1), set={"rating": 2000}, reason="opening")
        )
    games = [(1, 1, 3, 1.0), (2, 1, 2, 1.0), (3, 1, 3, 0.0), (4, 2, 3, 0.5)]
    table = make_table(renju, [new, site.ada, site.ben], games, "2024-03-01")
    rate_all()
    *_, change = get("/players/CCC44/changes?list=renju")["items"]
    row, *others = get(f"/events/{table.event.public_id}/tables/{table.pk}")["rows"]
    for actual in (change, row):
        assert (actual["before"], actual["after"] is None, actual["change"], actual["performance"]) == (
            None,
            False,
            None,
            None,
        )
    assert [other["performance"] for other in others] == [2000.0, 2000.0]
    games = get("/players/CCC44/games?list=renju")["items"]
    actual = {game[side]["id"]: game[side]["rating"] for game in games for side in "ab"}
    assert actual == {"CCC44": None, site.ada.public_id: 2000.0, site.ben.public_id: 2000.0}


def test_corrections_name_the_run(site, get, rate_all):
    carl = make_player("Carl", public_id="CCC44")
    give_rating(site.list, carl, 2000, grade="3 Dan")
    make_table(site.list, [site.ada, carl], [(1, 1, 2, 1.0)], "2024-05-01")
    rate_all()
    before = get("/lists/fesa/standings")["items"]
    make_table(site.list, [site.ben, carl], [(1, 1, 2, 0.5)], "2024-02-01", event_name="Forgotten")
    rate_all()
    after = {line["player"]["id"]: line["rating"] for line in get("/lists/fesa/standings")["items"]}
    (ada,) = [line for line in before if line["player"]["id"] == "AAA22"]
    actual = {line["player"]["id"]: line for line in get("/lists/fesa/corrections")["items"]}
    assert set(actual) <= {"AAA22", "BBB33", "CCC44"}
    for public_id, line in actual.items():
        assert (line["after"], line["change"]) == (after[public_id], line["after"] - line["before"])
    assert ("AAA22" in actual) == (after["AAA22"] != ada["rating"])


def test_promotions_are_the_grades_won(site, get, rate_all):
    eve = make_player("Eve", public_id="EEE55")
    give_rating(site.list, eve, 1000, grade="10 Kyu")
    make_table(site.list, [eve, site.ben], [(n, 1, 2, 1.0) for n in range(1, 10)], "2024-04-01", event_name="Cup")
    rate_all()
    award = site.list.awards.filter(player=eve, last_of_step=True, needs_approval=False).last()
    assert award is not None
    assert get("/lists/fesa/promotions?since=2024-04-01")["items"] == [
        {"list": "fesa", "player": ref(eve), "grade": award.grade, "day": "2024-04-01", "how": award.how,
         "final": False, "event": named(award.table.event)}
    ]  # fmt: skip
    assert get("/lists/fesa/promotions?since=2024-04-02") == only([])


def test_dated_list_keeps_what_was_published(site, get, rate_all):
    dated = publish(DatedList(list=site.list, day=dt.date(2024, 3, 1)))
    make_table(site.list, [site.ben, site.ada], [(1, 1, 2, 1.0)], "2024-04-01")
    rate_all()
    assert [one["day"] for one in get("/lists/fesa/dated")] == ["2024-03-01"]
    line = {
        "grade": "3 Dan",
        "games": 101,
        "deviation": None,
        "revised_rank": None,
        "revised_rating": None,
        "revised_grade": "",
    }
    assert dated.revised_at is None
    assert get("/lists/fesa/dated/2024-03-01") == only([
        line | {"rank": 1, "player": ref(site.ada), "rating": 2010.0},
        line | {"rank": 2, "player": ref(site.ben), "rating": 1990.0},
    ])  # fmt: skip
    assert get("/lists/fesa/dated/2024-03-01?lines=added") == only([])
    get("/lists/fesa/dated/2024-03-02", 404)


def test_players_are_found_by_any_parts_of_their_names(site, get):
    for asked in ("zoe lukasz", "ŁUK", "aaa22"):
        assert get(f"/players?q={asked}") == only([ref(site.ada)])
    assert get("/players?q=nobody") == only([])
    assert [one["id"] for one in get("/players")["items"]] == ["AAA22", "BBB33"]


def test_player_is_on_all_lists(site, get):
    category = site.list.standings.first().category
    assert get("/players/AAA22") == ref(site.ada) | {
        "native_name": "", "outside_ids": [], "club": named(site.club),
        "standings": [{"list": "fesa", "rank": 1, "rating": 2010.0, "grade": "3 Dan", "category": category,
                       "games": 101, "change": 10.0, "last_played": "2024-03-01"}],
    }  # fmt: skip


def test_ids_are_taken_in_small_letters(site, get):
    event, table = site.event.public_id, site.table.pk
    for path in (f"/events/{event}", f"/events/{event}/tables/{table}", "/players/AAA22", "/players/AAA22/games"):
        _, kind, public_id, rest = f"{path}/".split("/", 3)
        assert get(f"/{kind}/{public_id.lower()}/{rest}".removesuffix("/")) == get(path)
    assert get("/lists/fesa/calculator?player=aaa22&game=1500:1")["player"] == ref(site.ada)


def test_merged_player_leads_to_the_other(site, client):
    gone = make_player(public_id="GONE2", merged_into=site.ada)
    for asked in ("GONE2", "gone2"):
        response = client.get(f"/api/v1/players/{asked}/games?size=3")
        assert (response.status_code, response.url) == (302, "/api/v1/players/AAA22/games?size=3")
        response = client.get(f"/api/v1/lists/fesa/calculator?player={asked}&game=1500:1")
        assert (response.status_code, response.url) == (302, "/api/v1/lists/fesa/calculator?player=AAA22&game=1500:1")
    assert gone.public_id not in client.get("/api/v1/players").content.decode()


@pytest.mark.parametrize(("query", "rating"), [("", None), ("?list=fesa", 2000.0)])
def test_games_with_the_ratings_of_a_list(query, rating, site, get):
    def side(player):
        return {"id": player.public_id, "name": player.public_name, "country": str(player.country), "rating": rating}

    assert get(f"/players/BBB33/games{query}") == only([
        {"event": named(site.event), "table": site.table.pk, "day": "2024-03-01", "round": 1, "a": side(site.ada),
         "b": side(site.ben), "score": 1.0, "played": True, "handicap": None, "giver": None, "stones": 0,
         "black": None, "kind": ""}
    ])  # fmt: skip


def event_of(site):
    return named(site.event) | {"start": "2024-03-01", "end": "2024-03-01", "place": "", "country": "",
                                "organiser": "", "time_control": "", "mode": "board", "lists": ["fesa"]}  # fmt: skip


def test_events_are_the_accepted_ones(site, get):
    draft = make_event("Draft", lists=[site.list], state=Event.State.DRAFT)
    assert get("/events") == only([event_of(site)])
    assert get("/events?list=fesa&since=2024-03-01&until=2024-03-01") == only([event_of(site)])
    for query in ("country=FR", "since=2024-03-02", "until=2024-02-29", "list=nope"):
        assert get(f"/events?{query}") == only([])
    get(f"/events/{draft.public_id}", 404)


def test_coming_events_are_announced_ones(site, get):
    coming = make_event("Coming", "2024-07-01", [site.list], state="draft", announced_at="2024-05-01T00:00:00Z")
    make_event("Secret", "2024-07-01", [site.list], state="draft")
    assert [one["id"] for one in get("/events/coming")] == [coming.public_id]


def test_event_and_its_crosstable(site, get):
    table = {"id": site.table.pk, "name": "", "first_day": "2024-03-01", "last_day": "2024-03-01", "rated": True,
             "players": 2}  # fmt: skip
    address = "http://127.0.0.1:8000/lists/fesa/{}?on=2024-02-29"
    valid = {"list": "fesa", "day": "2024-02-29", "url": address.format(""), "csv": address.format("list.csv")}
    whole = event_of(site) | {"tables": [table], "valid_lists": [valid]}
    assert get(f"/events/{site.event.public_id}") == whole
    actual = get(f"/events/{site.event.public_id}/tables/{site.table.pk}")
    row = {"macmahon": None, "performance": None, "grade_before": "3 Dan", "before": 2000.0, "promoted_to": None}
    assert actual == table | {
        "event": named(site.event), "list": "fesa", "rounds": 1,
        "rows": [
            row | {"number": 1, "place": 1, "player": ref(site.ada), "points": 1.0, "after": 2010.0, "change": 10.0,
                   "rounds": [[{"opponent": 2, "points": 1.0, "played": True, "text": "2+"}]]},
            row | {"number": 2, "place": 2, "player": ref(site.ben), "points": 0.0, "after": 1990.0, "change": -10.0,
                   "rounds": [[{"opponent": 1, "points": 0.0, "played": True, "text": "1-"}]]},
        ],
    }  # fmt: skip
    get(f"/events/{site.event.public_id}/tables/999999", 404)
    get(f"/events/{site.event.public_id}/tables/{site.table.pk}?list=nope", 404)


def test_calculator_explains_itself(site, get):
    """2010 against 2010: one half expected, K 20."""
    actual = get("/lists/fesa/calculator?player=AAA22&game=2010:1")
    assert (actual["before"], actual["after"], actual["change"], actual["list"]) == (2010.0, 2020.0, 10.0, "fesa")
    assert actual["player"] == ref(site.ada)
    assert [len(game) > 2 for game in actual["games"]] == [True]
    get("/lists/fesa/calculator?player=AAA22", 422)
    get("/lists/fesa/calculator?player=nobody&game=1500:1", 404)
    get("/lists/nope/calculator?player=AAA22&game=1500:1", 404)


def test_calculator_takes_ratings_below_nought(site, get, rate_all):
    go = make_list("go", system="bgf")
    save_adjustment(
        Adjustment(list=go, player=site.ada, date=dt.date(2024, 1, 1), set={"rating": -747}, reason="opening")
    )
    rate_all()
    actual = get("/lists/go/calculator?player=AAA22&game=-747:1")
    assert (actual["before"], actual["after"] > actual["before"]) == (-747.0, True)


def test_crosstable_is_never_an_old_one(site, get, rate_all, client):
    address = f"/events/{site.event.public_id}/tables/{site.table.pk}"
    assert get(address) == get(address)
    RatingList.objects.update(slug="europe")
    assert get(address)["list"] == "europe"
    site.ben.family_name = "Bennett"
    site.ben.save()
    assert get(address)["rows"][1]["player"] == ref(site.ben)
    make_table(site.list, [site.ada, site.ben], [(1, 1, 2, 1.0)], "2024-02-01")
    assert get(address)["rows"][0]["before"] == 2000.0
    rate_all()
    assert get(address)["rows"][0]["before"] == 2010.0


def test_player_has_the_rank_among_active_players_of_each_list(site, get, rate_all):
    idle = make_player("Idle", public_id="CCC44")
    give_rating(site.list, idle, 2005, grade="3 Dan")
    rate_all()
    found = {one: get(f"/players/{one}")["standings"] for one in ("AAA22", "BBB33", "CCC44")}
    assert {one: [line["rank"] for line in lines] for one, lines in found.items()} == {
        "AAA22": [1], "BBB33": [2], "CCC44": [None],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("/lists", "none"),
        ("/lists/fesa/standings", "active, club, country, cursor, grade, size"),
        ("/players", "cursor, q, size"),
        ("/players/AAA22", "none"),
        ("/lists/fesa/calculator", "game, player"),
    ],
)
def test_unknown_parameters_are_refused_by_name(address, known, site, get):
    reply = get(f"{address}?limit=3", 422)
    assert reply["errors"] == [{"where": "limit", "message": f"Unknown parameter; this address takes {known}."}]

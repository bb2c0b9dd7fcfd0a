"""Import of whole histories: everything in one transaction, compared with the file afterwards."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history
from ratings.models import Adjustment, Decision, Event, ListPlayer, OutsideId, Player, RatingList, Table
from ratings.queries.lists.history import export_history
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.histories import document
from tests.shared import reused

pytestmark = pytest.mark.django_db

GAMES = [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 0.0)]


def exported(slug):
    out = io.StringIO()
    call_command("export_history", list=slug, stdout=out)
    return out.getvalue()


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "history.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


@pytest.fixture
@reused
def federation(rate_all):
    """Return the exported history of a list with all kinds of inputs; the list itself is gone."""
    fesa = make_list()
    players = [make_player(family, "Ann Marie", country="DE") for family in ("van Berg", "Ito", "Novák", "Li", "Out")]
    for player in players[:3]:
        give_rating(fesa, player, 1500)
    save_list_player(ListPlayer(list=fesa, player=players[3], prior_grade="3 Dan", member=False))
    save_list_player(ListPlayer(list=fesa, player=players[4], fixed_rating=1800))
    first = make_table(fesa, players, GAMES, "2024-01-06", event_name="Winter Cup")
    make_table(fesa, players[:4], GAMES, "2024-01-06", event_name="Alpine Cup")
    make_table(fesa, players[:4], GAMES, "2024-03-02", event_name="Spring Cup", rated=False)
    save_adjustment(Adjustment(list=fesa, shift=10, date="2024-02-01", reason="all"))
    save_adjustment(
        Adjustment(list=fesa, player=players[0], set={"rating": 1700}, date="2024-01-06", before=first, reason="r")
    )
    save_adjustment(
        Decision(list=fesa, player=players[1], grade="1 Dan", ruling="given", date="2024-02-02", reason="r")
    )
    rate_all()
    text, digest = exported("fesa"), stored_digest(fesa)
    forget_everything()
    return text, digest


def forget_everything():
    for model in (Adjustment, Decision, ListPlayer, Event, RatingList, Player):
        model.objects.all().delete()


def counts():
    return [model.objects.count() for model in (Player, Event, Table, Adjustment, Decision, ListPlayer)]


def run(path, slug="fesa", **options):
    out = io.StringIO()
    call_command("import_history", path, list=slug, stdout=out, **options)
    return out.getvalue().splitlines()


def fails(path, slug="fesa", **options):
    before = counts()
    with pytest.raises(CommandError) as error:
        run(path, slug, **{"save": True} | options)
    assert counts() == before
    return str(error.value).splitlines()


def test_exported_history_is_imported_and_exported_again_unchanged(federation, file):
    text, digest = federation
    fesa = make_list()
    (line,) = run(file(text), save=True)
    assert line == (
        "history.json: 3 tables, 5 players (5 new), 5 adjustments, 1 decisions. Exported again it is the same; digest"
        f" {digest}"
    )
    assert (exported("fesa"), stored_digest(fesa), list(find_differences(fesa))) == (text, digest, [])
    assert counts() == [5, 3, 3, 5, 1, 2]


def test_dry_run_is_the_default_and_stores_nothing(federation, file):
    make_list()
    lines = run(file(federation[0]))
    assert (lines[-1], counts()) == ("Dry run: nothing was stored. Add --save to store.", [0] * 6)


def test_second_import_is_refused(federation, file):
    make_list()
    run(file(federation[0]), save=True)
    assert fails(file(federation[0])) == [
        "nothing was stored:",
        "history.json: fesa is not empty (3 events, 5 adjustments, 1 decisions, 2 players with data); a history is"
        " imported into a new list",
    ]


def test_known_players_keep_their_rows(federation, file):
    make_list()
    id = json.loads(federation[0])["players"][0]["id"]
    known = Player.objects.create(public_id=id, family_name="Another", given_name="Spelling", country="DE")
    (line,) = run(file(federation[0]), save=True)
    known.refresh_from_db()
    assert ("5 players (4 new)" in line, known.family_name) == (True, "Another")


def give_id(text, value):
    """Return the text of a history whose first player has this FIDE id, and the player's id."""
    document = json.loads(text)
    document["players"][0]["outside_ids"] = [{"registry": "fide", "value": value}]
    return document, document["players"][0]["id"]


def test_ids_in_other_registries_are_imported_and_exported(federation, file):
    make_list()
    document, player = give_id(federation[0], "1503014")
    run(file(document), save=True)
    found = OutsideId.objects.get()
    assert (found.player.public_id, found.registry, found.value, found.confirmed_at is None) == (
        player, "fide", "1503014", False,
    )  # fmt: skip
    assert json.loads(exported("fesa"))["players"][0]["outside_ids"] == [{"registry": "fide", "value": "1503014"}]


def test_unconfirmed_id_of_the_player_is_confirmed(federation, file):
    make_list()
    document, player = give_id(federation[0], "1503014")
    known = Player.objects.create(public_id=player, family_name="van Berg", given_name="Ann Marie", country="DE")
    OutsideId.objects.create(player=known, registry="fide", value="1503014")
    run(file(document), save=True)
    assert OutsideId.objects.get().confirmed_at is not None


def test_id_of_another_player_is_refused(federation, file):
    make_list()
    OutsideId.objects.create(player=make_player("Other"), registry="fide", value="1503014")
    assert fails(file(give_id(federation[0], "1503014")[0])) == [
        "nothing was stored:",
        "history.json: players[0].outside_ids: FIDE 1503014: This id belongs to another player already.",
    ]


@pytest.mark.parametrize(
    ("more", "problems"),
    [
        ({"system": "fesa-2000"}, ["history.json: system: fesa-2000 in the file, but fesa is rated by fesa-2016"]),
        ({"tables": [{"id": "t1", "date": "2024-01-01", "players": ["A"], "games": []}]},
         ["history.json: tables[0].event: is missing; name the event"]),
        ({"players": [{"id": "A", "name": "A", "country": "Utopia"}, {"id": "B", "name": "B"}]},
         ["history.json: players[0].country: Utopia is not the code or name of a country"]),
        ({"players": [{"id": "A", "opening": {"rating": 1500, "games": 20}}, {"id": "B"}]},
         ["history.json: players[0].opening: give the rating as an adjustment before the first table instead"]),
        ({"players": [{"id": "A-1", "name": "A"}, {"id": "B", "name": "B"}],
          "tables": [{"id": "t1", "event": "Cup", "date": "2024-01-01", "players": ["A-1"], "games": []}]},
         ["history.json: players[0]: Enter a valid value."]),
    ],
)  # fmt: skip
def test_history_that_the_list_cannot_hold_is_refused_with_each_place(more, problems, file):
    make_list()
    cup = {"event": "Cup", "games": [("A", "B", 1)]}
    assert fails(file(document({"A": {}, "B": {}}, cup) | more)) == ["nothing was stored:", *problems]


def test_under_21_without_birth_dates_is_refused(file):
    make_list(system="icu-1989")
    cup = {"event": "Cup", "games": [("A", "B", 1)], "under_21": ["A"]}
    history = document({"A": {}, "B": {}}, cup, system="icu-1989")
    assert fails(file(history))[1:] == ["history.json: tables[0].under_21: add birth_date to the players A instead"]


def test_invalid_file_and_missing_file_are_reported(file, tmp_path):
    make_list()
    assert fails(file("[]")) == ["history.json: Input should be a valid dictionary or instance of HistoryForm"]
    assert fails(tmp_path / "none.json") == [f"{tmp_path}/none.json: No such file or directory"]
    with pytest.raises(CommandError, match="no list 'nope'"):
        run(file("{}"), "nope")


def test_grades_that_need_approval_need_an_administrator(file):
    make_list()
    history = document(
        {"A": {"name": "A"}, "B": {"name": "B"}}, {"event": "Cup", "games": [("A", "B", 1)]},
        decisions=[{"date": "2024-02-01", "player": "A", "grade": "5 Dan", "is": "given"}],
    )  # fmt: skip
    (_nothing, problem) = fails(file(history))
    assert problem.startswith("history.json: decisions[0]: 5 Dan needs approval on FESA: name the administrator")
    root = make_user("root", is_superuser=True)
    run(file(history), save=True, as_user="root")
    assert (Decision.objects.get().made_by, Decision.objects.get().source) == (root, "history.json")


@pytest.mark.parametrize("system", ["fesa-2016", "bgf", "rif-1995", "egf-2021", "glicko-2", "rif-2021", "fide-2024"])
def test_digest_is_that_of_the_file_in_every_kind_of_system(system, file):
    make_list(system=system)
    history = document(
        {"A": {"name": "Ada A"}, "B": {"name": "Ben B"}},
        {"event": "Cup", "games": [("A", "B", 1), ("B", "A", 0.5)]},
        {"event": "Open", "date": "2024-05-01", "games": [("B", "A", 1)]},
        system=system,
        adjustments=[{"date": "2023-01-01", "player": id, "set": {"rating": 1500}} for id in "AB"]
        if system != "fesa-2016" else
        [{"date": "2023-01-01", "player": id, "set": {"rating": 1500, "games": 30}} for id in "AB"],
    )  # fmt: skip
    run(file(history), save=True)
    expected = compute_history_digest(rate_history(read_history(json.dumps(history).encode())))
    assert stored_digest(RatingList.objects.get()) == expected


@pytest.mark.parametrize(
    ("system", "options", "table", "opening"),
    [
        ("egf-2021", {"max_stones": 4}, {"class": "B", "minutes": 10}, {"rating": 1600}),
        ("glicko-2", {"period": "month"}, {}, {"rating": 1600, "deviation": 120}),
        ("rif-2021", {"lists": "monthly"}, {}, {"rating": 1600}),
    ],
)
def test_class_of_a_table_and_deviation_of_an_outsider_are_imported_and_exported(system, options, table, opening, file):
    make_list(system=system, options=options)
    history = document(
        {"A": {"name": "Ada A"}, "B": {"name": "Ben B", "fixed": True, "opening": opening}},
        {"event": "Cup", "games": [("A", "B", 1), ("B", "A", 0.5)]} | table,
        system=system, options=options,
        adjustments=[{"date": "2023-01-01", "player": "A", "set": {"rating": 1500}, "reason": "known"}],
    )  # fmt: skip
    run(file(history), save=True)
    again = json.loads(exported("fesa"))
    outsider = next(player for player in again["players"] if player.get("fixed"))
    assert (again["options"], again["tables"][0].get("class"), outsider["opening"]) == (
        options, table.get("class"), opening
    )  # fmt: skip
    given, stored = (rate_history(read_history(json.dumps(one).encode())) for one in (history, again))
    assert compute_history_digest(stored) == stored_digest(RatingList.objects.get()) == compute_history_digest(given)


def test_export_has_only_birth_years_that_are_published(rate_all):
    """FIDE's K asks for the year; icu-1989 asks for the date, and a table names those under 21 instead."""
    fide, irish = make_list("fide", system="fide-2024"), make_list("icu", system="icu-1989")
    players = [
        make_player("Ada", public_id="A", birth_date="2010-05-01", birth_public=True),
        make_player("Ben", public_id="B", birth_year=2011),
        make_player("Cem", public_id="C", birth_year=2012, birth_public=True, shown="initials"),
    ]
    for rating_list in (fide, irish):
        make_table(rating_list, players, [(1, 1, 2, 1.0), (2, 2, 3, 0.5)], "2026-01-06")

    def years(text):
        return {player["id"]: player.get("birth_year") for player in json.loads(text)["players"]}

    assert years(public := write_history(export_history(fide))) == {"A": 2010, "B": None, "C": None}
    assert years(other := write_history(export_history(irish))) == {"A": None, "B": None, "C": None}
    assert "2010-05-01" not in public + other
    assert "under_21" not in public
    assert years(exported("fide")) == {"A": 2010, "B": 2011, "C": 2012}  # for the federation's own use
    assert years(exported("icu")) == {"A": None, "B": None, "C": None}


def test_export_tells_no_k_of_a_year_after_the_last_list(rate_all):
    """A junior's last year with 40 is that of the 18th birthday: a K ahead of its list would reveal the birth year."""
    fide, ben = make_list("fide", system="fide-2024"), make_player("Ben", public_id="B", birth_year=2011)
    opening = {"rating": 1900, "games": 50}
    save_adjustment(Adjustment(list=fide, player=ben, date="2025-01-01", set=opening, reason="r"))
    make_table(fide, [ben, make_player("Ada", public_id="A")], [(1, 1, 2, 1.0)], "2025-02-06")
    rate_all()
    (player,) = [one for one in json.loads(write_history(export_history(fide)))["players"] if one["id"] == "B"]
    assert (player["k"], player.get("birth_year")) == ({"2025": 40}, None)

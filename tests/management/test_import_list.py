import datetime as dt

import pytest
from django.core.management import CommandError, call_command

from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.runs.outcome import UnratableError
from ratings.domain.runs.rerating import rerate
from ratings.formats.fesa.rating_list import TITLES
from ratings.management.commands import import_list
from ratings.models import Adjustment, ListPlayer, OutsideId, Player, Standing
from tests.factories import give_rating, make_list, make_player
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db

TEXT = (
    f"Elo list for 2026-06-01\n\n{TITLES}\n"
    "  1 Muster            Anna             2 Dan        1860 140     DE\n"
    "  2 Novák             Petra                   3 Kyu 1400  12     CZ"
)
CSV = "Last name;First name;Rating\nMuster;Anna;1860\n"
FIX_ERRORS = "nothing was stored: fix the errors above and try again"


@pytest.fixture(autouse=True)
def fesa(db):
    return make_list()


@pytest.fixture
def file(tmp_path):
    def write(content, name="list.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
        return path

    return write


def run(path, capsys, **options):
    call_command("import_list", path, **{"list": "fesa", "save": True} | options)
    return capsys.readouterr()


def fails(path, capsys, **options):
    """Return the output of a command that must fail without storing anything."""
    before = Player.objects.count(), Adjustment.objects.count()
    with pytest.raises(CommandError) as error:
        run(path, capsys, **options)
    assert (Player.objects.count(), Adjustment.objects.count()) == before
    assert error.value.returncode == 1
    out = capsys.readouterr()
    assert out.out == ""
    return [*out.err.splitlines(), str(error.value)]


def test_text_list_opens_the_list_on_its_day(file, capsys):
    out = run(file(TEXT), capsys)
    assert (out.out, out.err) == (
        "list.txt: 2 players given their ratings on fesa on 1 Jun 2026; 2 of them new; prior grade, country, birth year, gender or membership stored for 1\n",
        "",
    )
    assert [(str(a.player), str(a.date), a.set) for a in Adjustment.objects.all()] == [
        ("Muster Anna", "2026-06-01", {"rating": 1860, "games": 140, "bonus_games": 100, "grade": "2 Dan"}),
        ("Novák Petra", "2026-06-01", {"rating": 1400, "games": 12, "bonus_games": 12}),
    ]
    assert [(str(known.player), known.prior_grade) for known in ListPlayer.objects.all()] == [("Novák Petra", "3 Kyu")]


def test_list_is_written_as_it_was_read(file, capsys):
    run(file(TEXT), capsys)
    call_command("export_list", list="fesa", date=dt.date(2026, 6, 1), all=True)
    assert capsys.readouterr().out == TEXT


def test_second_import_changes_nothing(file, capsys):
    run(file(TEXT), capsys)
    before = list(Adjustment.objects.values())
    out = run(file(TEXT), capsys)
    assert (
        out.out == "list.txt: already there: all 2 players have these ratings on fesa on 1 Jun 2026; nothing to store\n"
    )
    assert list(Adjustment.objects.values()) == before


@pytest.mark.parametrize("options", [{}, {"dry_run": True}])
def test_dry_run_is_the_default_and_stores_nothing(options, file, capsys):
    out = run(file(TEXT), capsys, save=False, **options)
    assert out.out.splitlines() == [
        "list.txt: 2 players given their ratings on fesa on 1 Jun 2026; 2 of them new; prior grade, country, birth year, gender or membership stored for 1",
        "Dry run: nothing was stored. Add --save to store.",
    ]
    assert [model.objects.count() for model in (Player, Adjustment, Standing, ListPlayer)] == [0, 0, 0, 0]


def test_given_day_overrides_that_of_the_file(file, capsys):
    run(file(TEXT), capsys, day=dt.date(2026, 6, 2))
    assert {str(adjustment.date) for adjustment in Adjustment.objects.all()} == {"2026-06-02"}


def test_csv_needs_the_day(file, capsys):
    path = file(CSV, "list.csv")
    assert fails(path, capsys) == ["list.csv does not contain its day; add --day YYYY-MM-DD"]
    out = run(path, capsys, day=dt.date(2026, 6, 1))
    assert out.out == "list.csv: 1 players given their ratings on fesa on 1 Jun 2026; 1 of them new\n"


def test_players_already_known_are_counted(file, capsys):
    anna = make_player("Muster", "Anna", country="DE")
    give_rating(make_list("other"), anna, 1000)
    run(file(TEXT.rpartition("\n")[0]), capsys)
    out = run(file(TEXT), capsys)
    assert (
        out.out
        == "list.txt: 1 players given their ratings on fesa on 1 Jun 2026; 1 of them new; 1 had them already; prior grade, country, birth year, gender or membership stored for 1\n"
    )


NEITHER = (
    "list.txt: error: no known rating list: expected FESA's text (“Elo list for 2026-06-01”, then a line of titles), FIDE's TXT with its line of titles"
    " or XML, the list of the European Go Database or of the French Go Federation with its day, TDList A or B of the American Go"
    " Association, or CSV or .xlsx whose first line names"
    " the columns (Last name, First name, Country, Rating, Games, Grade, Prior grade, Birth year, id)"
)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", [NEITHER, FIX_ERRORS]),
        (b"\x00\x01", [NEITHER, FIX_ERRORS]),
        (TEXT.replace("1400  12", "1400    "), ["list.txt: line 5: error: a player's line has rank, names, grades, rating, games, nationality; this cannot"
         " be read: “2 Novák             Petra                   3 Kyu 1400”", FIX_ERRORS]),
        (TEXT.replace("2 Dan", "7 Dan"), ['list.txt: line 4: error: Muster Anna cannot be given this on a list of fesa-2016: invalid grade: "7 Dan"', FIX_ERRORS]),
        (TEXT + "\n" * 2_000_000, ["list.txt: error: the file has 2,000,001 bytes or more; at most 2,000,000 are read", FIX_ERRORS]),
    ],
)  # fmt: skip
def test_bad_files_are_reported_and_nothing_stored(content, lines, file, capsys):
    assert fails(file(content), capsys) == lines


def test_lines_that_cannot_be_read_and_players_not_found_are_reported_together(file, capsys):
    known = make_player("Mustre", "Anna", country="DE")
    assert fails(file(TEXT.replace("1400  12", "1400    ")), capsys)[:2] == [
        f"list.txt: line 4: error: Muster Anna is unknown; is one of these meant? {known.public_id} Mustre Anna (DE, no"
        " event yet). Correct the name in the file, or add the new player in the admin first",
        "list.txt: line 5: error: a player's line has rank, names, grades, rating, games, nationality; this cannot be"
        " read: “2 Novák             Petra                   3 Kyu 1400”",
    ]


def test_missing_file_and_list_are_reported(file, capsys):
    path = file(TEXT)
    assert fails(path.with_name("none.txt"), capsys) == [f"{path.with_name('none.txt')}: No such file or directory"]
    with pytest.raises(CommandError, match=r"no list 'nope' \(lists: fesa\)"):
        call_command("import_list", path, list="nope")


def test_list_that_cannot_be_rated_with_it_is_reported(file, capsys, monkeypatch):
    def unratable(*args, **options):
        import_rating_list(*args, **options)
        raise UnratableError("table Cup of 2026-07-01: no")

    monkeypatch.setattr(import_list, "import_rating_list", unratable)
    assert fails(file(TEXT), capsys) == [
        "nothing was stored, because the list could not be rated with this file: table Cup of 2026-07-01: no"
    ]


def test_export_without_active_players_hints_at_all(capsys, fesa):
    player = make_player("Ito")
    give_rating(fesa, player, 1500, "2010-01-01")
    rerate(fesa.pk)
    call_command("export_list", list="fesa", date=dt.date(2026, 6, 1))
    written = capsys.readouterr()
    assert written.err.splitlines()[-1:] == [
        "No player has a rated game from 2024-06-01 to 2026-06-01. Use --all to write inactive players too."
    ]
    assert "Ito" not in written.out
    call_command("export_list", list="fesa", date=dt.date(2026, 6, 1), all=True)
    written = capsys.readouterr()
    assert ("Ito" in written.out, written.err) == (True, "")
    call_command("export_list", list="fesa", date=dt.date(2009, 6, 1), all=True)
    assert capsys.readouterr().err == "The list has no players on 2009-06-01.\n"


@pytest.mark.parametrize(
    "command", [["export_list", "--list", "fesa", "--date"], ["import_list", "x", "--list", "fesa", "--day"]]
)
@pytest.mark.parametrize("day", ["2026-13-45", "0001-01-01", "2026-03-07/08", "tomorrow"])
def test_impossible_days_are_refused_with_an_example(command, day, fesa):
    with pytest.raises(CommandError, match=f"“{day}” is no day; write it as 2026-03-07"):
        call_command(*command, day)


def test_active_since_of_the_first_years_is_a_day(fesa):
    assert fesa.active_since(dt.date(1, 5, 6)) == dt.date(1, 5, 6)
    assert fesa.active_since(dt.date(2024, 2, 29)) == dt.date(2022, 3, 1)


def test_dry_run_and_save_contradict_each_other(file, capsys):
    assert fails(file(TEXT), capsys, dry_run=True) == ["--dry-run and --save contradict each other: leave one out"]


FIDE = (SAMPLES / "rating-fide" / "good.txt").read_bytes()
UNRATED = b"%-15d%-61sNED %-35s0     0   0  0      "
FILLER = b"".join(
    (UNRATED % (3_000_000 + number, b"Nobody, Jan", b"M")).ljust(990) + b"\r\n" for number in range(2_100)
)


def test_large_fide_list_is_read_as_a_stream(file, capsys):
    make_list("chess", system="fide-2024", federation="Chess")
    large = file(FIDE + FILLER)
    assert large.stat().st_size > 2_000_000
    out = run(large, capsys, list="chess", country=["GER", "fr"])
    assert out.out.splitlines()[0] == "list.txt: 1 of 2,102 players are from the chosen federations"
    assert [(player.name, str(player.country)) for player in Player.objects.all()] == [("Muster Anna", "DE")]
    out = run(large, capsys, list="chess")
    assert "list.txt: warning: players without a rating, left out: 2100" in out.err
    assert sorted(str(player.country) for player in Player.objects.all()) == ["DE", "NL"]


def test_fides_list_beyond_the_limit_is_refused(file, capsys, monkeypatch):
    make_list("chess", system="fide-2024", federation="Chess")
    monkeypatch.setattr(import_list, "FIDE_BYTES_AT_MOST", 1_000)
    size = len(FIDE + FILLER)
    assert fails(file(FIDE + FILLER), capsys, list="chess") == [
        f"list.txt: error: the file has {size:,} bytes or more; at most 1,000 are read", FIX_ERRORS
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "country", "problem"),
    [(TEXT, "DE", "--country is for FIDE's list only"),
     (FIDE, "Utopia", "--country Utopia: expected FIDE's code of a federation, such as GER, or two letters, such as DE")],
)  # fmt: skip
def test_country_is_refused_for_other_lists_and_unknown_federations(content, country, problem, file, capsys):
    assert fails(file(content), capsys, country=[country]) == [problem]


def test_tdlist_gives_ratings_by_grade_and_ids(file, capsys):
    make_list("go", system="bgf", federation="BGF")
    path = file((SAMPLES / "rating-aga" / "good-a.txt").read_bytes())
    assert fails(path, capsys, list="go")[-1] == "list.txt does not contain its day; add --day YYYY-MM-DD"
    out = run(path, capsys, list="go", day=dt.date(2026, 11, 1))
    assert out.err.splitlines() == [
        "list.txt: warning: players without a rating, left out: 1",
        "list.txt: hint: AGA ratings are converted grade by grade: 1.0 and -1.0 both become 0",
    ]
    assert [(a.player.family_name, a.set["rating"]) for a in Adjustment.objects.order_by("player__family_name")] == [
        ("Muster", 245), ("Novák", 0), ("van Beispiel", -1906),
    ]  # fmt: skip
    ids = OutsideId.objects.order_by("value").values_list("player__family_name", "registry", "value")
    assert list(ids) == [("Muster", "aga", "15648"), ("van Beispiel", "aga", "20411"), ("Novák", "aga", "7")]

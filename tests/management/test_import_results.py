import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings.access import OFFICERS
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.sharing import share_event
from ratings.domain.results.steps import record_event_step
from ratings.domain.results.voiding import void_event
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.undoing import step_undo_problem
from ratings.formats import recognise
from ratings.formats.event_head import Head
from ratings.models import (
    Adjustment,
    Change,
    Decision,
    Entry,
    Event,
    EventStep,
    Game,
    ListPlayer,
    OutsideId,
    Player,
    RatingList,
    RecordedStep,
    Standing,
    Submission,
    Table,
    Upload,
)
from ratings.queries.events.crosstables import build_crosstables
from ratings.queries.events.parsed_tables import parsed_table
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.formats.test_samples import SAMPLES
from tests.shared import reused

DAY = dt.date(2026, 3, 7)

pytestmark = pytest.mark.django_db

HEAD = "[Cup {day}, Lyon, France, {day}]\n[{day}]\n[Time control: 30min + 30sec]\n"
GRID = (
    HEAD
    + "1 [Muster][Anna] DE [3+ 2+ 0+] 3\n2 [Beispiel][Jan] NL [0- 1- 3=] 1/2\n3 N [Novák][Petra] CZ [1- 0+ 2=] 3/2\n"
)


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def folder(tmp_path):
    def write(name, text, encoding="latin-1"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


@pytest.fixture
@reused
def known(fesa):
    players = make_player("Muster", "Anna", country="DE"), make_player("Beispiel", "Jan", country="NL")
    for player, rating in zip(players, (1500, 1600), strict=True):
        give_rating(fesa, player, rating)
    return players


NO_HEAD = "Nr,Last name,First name,Country,1,2\n1,Muster,Anna,DE,2+,0-\n2,Beispiel,Jan,NL,1-,0+\n"


def counted():
    return [model.objects.count() for model in (Event, Table, Entry, Game, Change, Standing, Decision, ListPlayer)]


def run(*files, capsys=None, **options):
    call_command("import_results", *files, list="fesa", **options)
    return capsys.readouterr() if capsys else None


def fails(*files, capsys, **options):
    before = [*counted(), Player.objects.count(), Adjustment.objects.count()]
    with pytest.raises(CommandError):
        run(*files, save=True, **options)
    assert [*counted(), Player.objects.count(), Adjustment.objects.count()] == before
    return capsys.readouterr().err.splitlines()


def test_grid_in_latin_1_is_stored_and_rated(folder, known, capsys):
    out = run(folder("a.txt", GRID.format(day="2026-03-08")), save=True, capsys=capsys)
    event = Event.objects.get()
    assert (event.name, event.place, event.country.code, str(event.start), event.state, event.time_control) == (
        "Cup 2026-03-08", "Lyon", "FR", "2026-03-08", "accepted", "30min + 30sec",
    )  # fmt: skip
    assert [(g.round, g.a.number, g.b and g.b.number, g.score, g.played) for g in Game.objects.all()] == [
        (1, 1, 3, 1.0, True),
        (1, 2, None, 0.0, False),
        (2, 1, 2, 1.0, True),
        (2, 3, None, 1.0, False),
        (3, 1, None, 1.0, False),
        (3, 2, 3, 0.5, True),
    ]
    new = Player.objects.get(family_name="Novák")
    assert (new.given_name, new.country.code) == ("Petra", "CZ")
    assert Standing.objects.get(player=new).category == "unrated"
    step = RecordedStep.objects.get().pk
    assert out.out == (
        "[1/1] a.txt: Cup 2026-03-08, 2026-03-08: 3 players, 3 rounds; new: Novák Petra\n"
        f"Stored as import {step}. To undo it: --list fesa --undo {step}\n"
    )


def test_file_of_days_that_another_list_rates_is_refused(folder, fesa, known, capsys):
    new = make_list("new", begins_on=dt.date(2026, 3, 8))
    RatingList.objects.filter(pk=fesa.pk).update(successor=new)
    lines = fails(folder("a.txt", GRID.format(day="2026-03-08")), capsys=capsys)
    assert lines == ["a.txt: error: NEW continues FESA and rates events that end on 8 Mar 2026 or later: choose NEW."]


@pytest.mark.parametrize(
    "file",
    ["grid/good.txt", "published/good.txt", "trf/good.trf", "trf/good-without-head.trf", "h9/good-without-head.h9",
     "csv-crosstable/good.csv", "csv-crosstable/good-without-head.csv", "csv-games/good.csv"],
)  # fmt: skip
def test_every_format_is_stored_as_it_is_read(file, fesa, folder, capsys):
    system = "bgf" if file.startswith("h9") else "fesa-2016"
    make_list("other", system=system)
    data = (SAMPLES / file).read_bytes()
    read = recognise.read_results_file(data, Head("Cup", DAY, DAY), DAY + dt.timedelta(100)).table
    new = "last_name,first_name,country\n" + "".join(f"{r.family},{r.given},{r.country}\n" for r in read.rows)
    call_command("import_results", SAMPLES / file, list="other", save=True, name="Cup", day=(DAY, DAY),
                 new_players=folder("new.csv", new, "utf-8"))  # fmt: skip
    table = Table.objects.get()
    assert (table.event.name, table.first_day, table.last_day) == (read.name, read.first_day, read.last_day)
    stored = parsed_table(build_crosstables({table: None}, None)[0], published=False)
    assert [(row.name, row.cells) for row in stored.rows] == [(row.name, row.cells) for row in read.rows]


def test_import_stores_an_accepted_submission_with_its_file_and_warnings(folder, known):
    path = folder("a.txt", GRID.format(day="2026-03-08").replace(" CZ", ""))
    run(path, save=True)
    submission = Submission.objects.get()
    assert (submission.state, submission.table, submission.uploads.get().data) == (
        "accepted",
        Table.objects.get(),
        path.read_bytes(),
    )
    assert submission.confirmed_warnings == [
        (3, None, "a new player needs a nationality of two letters", "import_results")
    ]
    steps = submission.event.steps.values_list("what", "note", "data")
    (new,) = Player.objects.exclude(pk__in=[player.pk for player in known])
    upload = submission.uploads.get()
    figures = {"players": 3, "rounds": 3, "games": 3, "new": 1, "answered": 0}
    read = {"upload": upload.pk, "figures": figures}
    stored = {"sheets": [submission.pk], "players": [new.pk], "list_players": [], "adjustments": [], "decisions": []}
    stored["figures"] = figures | {"answered": 1}
    assert list(steps) == [("read", "a.txt", read), ("accepted", "", stored)]


def test_days_that_are_none_are_refused(folder, fesa):
    for day in ("7 March", "2026-03-08/07"):
        with pytest.raises(CommandError, match="is no day; write 2026-03-07, or first and last day as 2026-03-07/08"):
            call_command(
                "import_results", str(folder("a.csv", NO_HEAD)), "--list", "fesa", "--name", "Cup", "--day", day
            )


def test_dry_run_is_the_default_and_stores_nothing(folder, known, capsys):
    before = [*counted(), Player.objects.count()]
    out = run(folder("a.txt", GRID.format(day="2026-03-08")), capsys=capsys)
    assert "Dry run: nothing was stored. Add --save to store." in out.out
    assert [*counted(), Player.objects.count()] == before


def test_second_import_is_already_there(folder, known, capsys):
    path = folder("a.txt", GRID.format(day="2026-03-08"))
    run(path, save=True)
    before = counted()
    capsys.readouterr()
    again = run(path, save=True, capsys=capsys)
    assert "already there as “Cup 2026-03-08”" in again.out
    assert counted() == before


def test_same_event_with_other_results_is_refused(folder, known, capsys):
    run(folder("a.txt", GRID.format(day="2026-03-08")), save=True)
    other = GRID.format(day="2026-03-08").replace("3=] 1/2", "3-] 0").replace("2=] 3/2", "2+] 2").replace("N [", "[")
    capsys.readouterr()
    assert fails(folder("b.txt", other), capsys=capsys) == [
        "b.txt: warning: not after the last rated event of Beispiel Jan, Muster Anna, Novák Petra; later tables are rated again",
        "b.txt: error: an event “Cup 2026-03-08” of 2026-03-08 exists with other results: correct it there",
    ]


def test_one_bad_file_keeps_the_others_out(folder, known, capsys):
    good = folder("good.txt", GRID.format(day="2026-03-08"))
    bad = folder("bad.txt", GRID.format(day="2026-04-08").replace("N [Novák]", "[Stranger]"))
    assert fails(good, bad, capsys=capsys)[-1] == (
        "bad.txt: line 6: error: row 3: Stranger Petra is unknown: correct the name, or choose “new player”. In the"
        " file, correct the name, or mark a new player with N or in the new players' file."
    )


def test_files_are_stored_in_the_order_of_their_days(folder, known, capsys):
    later = folder("a.txt", GRID.format(day="2026-04-08").replace("N [", "["))
    out = run(later, folder("b.txt", GRID.format(day="2026-03-08")), save=True, capsys=capsys)
    assert [line[:11] for line in out.out.splitlines()] == ["[1/2] b.txt", "[2/2] a.txt", "Stored as i"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no grid at all\n", "x.txt: error: unknown format: expected American Grid, a published FESA table, TRF, .h9, .tou,"
         " OpenGotha, MacMahon, .rif, AGA results, a crosstable or a list of games as CSV or .xlsx, or ratings-history/1"),
        ("", "x.txt: error: the file is empty"),
        ((SAMPLES / "csv-crosstable" / "both-won.csv").read_bytes(), "x.txt: line 5: error: row 1, round 2: Muster Anna"
         " and van Beispiel Jan both won"),
        ((SAMPLES / "h9" / "good.h9").read_bytes(), "x.txt: line 6: error: row 1, round 2: handicap stones are for go;"
         " a shogi handicap is 3+(-2p)"),
        (NO_HEAD, "x.txt: error: the file tells no name of the event; give it one by --name"),
        (NO_HEAD, "x.txt: error: the file has no dates; say when the event was (--day)"),
        (b"[x]" * 1_700_000, "x.txt: error: the file has 2,000,001 bytes or more; at most 2,000,000 are read"),
        (GRID.format(day="2026-03-08").replace("2+ 0+] 3", "2+ 3+] 3"), "x.txt: line 4: error: row 1, round 3: Muster"
         " Anna has Novák Petra as opponent, but Novák Petra has Beispiel Jan"),
        (GRID.format(day="2026-03-08").replace("1- 3=", "1+ 3="), "x.txt: line 4: error: row 1, round 2: Muster Anna"
         " and Beispiel Jan both won"),
        (GRID.format(day="2026-03-08").replace("[2026-03-08]", "[2026-13-08]"), "x.txt: line 2: error: “2026-13-08” is"
         " not the last day; write it as [2026-03-08]"),
        (GRID.format(day="2026-03-08").replace("[Beispiel][Jan]", "[Muster][Anna]"),
         "x.txt: line 5: error: row 2: Muster Anna is in row 1 too"),
        (GRID.format(day="2026-03-08").replace("[Muster]", "[Mustre]"), None),
    ],
)  # fmt: skip
def test_bad_input_is_reported_and_nothing_stored(content, message, folder, known, capsys):
    lines = fails(folder("x.txt", content), capsys=capsys)
    if message is None:
        message = (
            "x.txt: line 4: error: row 1: Mustre Anna is unknown: choose a player, or “new player”. Did you mean"
            f" {known[0].public_id} Muster Anna (DE, no event yet)? In the file, correct the name, or mark a new player"
            " with N or in the new players' file."
        )
    assert message in lines


def test_namesakes_stop_the_file(folder, known, capsys):
    twin = make_player("Muster", "Anna", country="AT")
    ids = [known[0].public_id, twin.public_id]  # the country of the file first
    line = fails(folder("x.txt", GRID.format(day="2026-03-08")), capsys=capsys)[0]
    assert line.startswith("x.txt: line 4: error: row 1: Muster Anna may be several players: choose one. Did you mean ")
    assert [line.index(id) for id in ids] == sorted(line.index(id) for id in ids)


def test_new_player_who_is_known_is_refused(folder, known, capsys):
    run(folder("a.txt", GRID.format(day="2026-03-08")), save=True)
    capsys.readouterr()
    lines = fails(folder("b.txt", GRID.format(day="2026-04-08")), capsys=capsys)
    assert lines[0].startswith(
        "b.txt: line 6: error: row 3: announced as new, but Novák Petra is known: taken as the same person"
    )


def test_new_players_file_brings_prior_grades(folder, known, fesa):
    csv = folder("new.csv", "last_name,first_name,country,prior_grade\nNovák,Petra,CZ,3 Dan\n", "utf-8")
    run(folder("a.txt", GRID.format(day="2026-03-08").replace("N [", "[")), save=True, new_players=csv)
    assert ListPlayer.objects.get().prior_grade == "3 Dan"
    assert Standing.objects.get(player__family_name="Novák").games == 4  # two games, and the pair of the prior grade


def test_new_players_file_brings_ids_in_other_registries(folder, known, fesa):
    csv = folder("new.csv", "last_name,first_name,egd\nNovák,Petra,12345678\n", "utf-8")
    run(folder("a.txt", GRID.format(day="2026-03-08").replace("N [", "[")), save=True, new_players=csv)
    found = OutsideId.objects.get()
    assert (found.player.family_name, found.registry, found.value) == ("Novák", "egd", "12345678")
    assert found.confirmed_at is not None


def test_id_of_an_announced_player_of_another_name_needs_confirmation(folder, known, fesa, capsys):
    petra = make_player("Petra", "Novak-Jones")
    OutsideId.objects.create(player=petra, registry="egd", value="12345678", confirmed_at=timezone.now())
    csv = folder("new.csv", "last_name,first_name,egd\nNovák,Petra,12345678\n", "utf-8")
    lines = fails(folder("a.txt", GRID.format(day="2026-03-08").replace("N [", "[")), new_players=csv, capsys=capsys)
    assert lines == [
        "a.txt: line 6: error: row 3: EGD 12345678 is Petra Novak-Jones, but the name is Novák Petra: choose the player"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("first name\nA\n", "new.csv: line 1: error: the first line names the columns; “Last name” or “Family name” is missing"),
        ("last_name,first_name\n,Petra\n", "new.csv: line 2: error: the last name is missing"),
        ('last_name,first_name\n"A,b\nC,d\n', "new.csv: line 2: error: invalid CSV from here on: unexpected end of data;"
         " look for a quote that is not closed"),
        ("last_name,first_name\na,b,c\n", "new.csv: line 2: error: 3 values below 2 titles"),
        ("last_name,first_name,prior_grade\nNovak,Petra,9 Dan\n", "new.csv: line 2: error: prior grade “9 Dan” is not"
         " one of 20 Kyu to 6 Dan"),
    ],
)  # fmt: skip
def test_bad_new_players_file_is_reported(text, message, folder, known, capsys):
    grid = folder("a.txt", GRID.format(day="2026-03-08"))
    assert message in fails(grid, capsys=capsys, new_players=folder("new.csv", text))


PUBLISHED = (
    "Open : {day}\n"
    "Nr Name             Nat  Grade  ELO    1   2   3  Pts   +/-\n"
    " 1 Muster   Anna    DE   2 Dan  1900   2+  3+  0-   2    {a}\n"
    " 2 Beispiel Jan     NL   1 Dan  1760   1-  0-  3+   1    {b}\n"
    " 3 Fremd    Mei-Lin CZ          1450*  0-  1-  2-   0  \n"
)


def test_published_ratings_become_adjustments_that_explain_them(folder, fesa, capsys):
    # rule 8 with 100 bonus games used and K 24, opponents after the table: Anna meets 1756 and 1450, from 1900
    # 7.31 + 1.59 = +9; Jan loses to 1909 and beats 1450, from 1760 -7.00 + 3.43 = -4
    path = folder("p.txt", PUBLISHED.format(day="2026-03-08", a=" +9", b=" -4"))
    out = run(path, save=True, capsys=capsys)
    assert "Fremd Mei-Lin has an unknown past and is fixed at 1450" in out.err
    anna, _ = Adjustment.objects.order_by("player__family_name").reverse()
    assert anna.set | {"games": 0, "bonus_games": 0} == {"rating": 1900, "grade": "2 Dan", "games": 0, "bonus_games": 0,
                                                          "lb_run": None, "mp_run": None}  # fmt: skip
    assert (anna.source, anna.reason, anna.before.event.name) == ("p.txt", "published rating", "Open")
    assert {change.player.family_name: (change.before, change.change) for change in Change.objects.filter(table__isnull=False)} == {
        "Muster": (1900, 9), "Beispiel": (1760, -4), "Fremd": (1450, 0),
    }  # fmt: skip
    assert "printed" not in out.err


def test_published_change_that_no_number_explains_is_reported(folder, fesa, capsys):
    out = run(folder("p.txt", PUBLISHED.format(day="2026-03-08", a="+99", b=" -4")), save=True, capsys=capsys)
    assert (
        "p.txt: line 3: warning: row 1: no number of bonus games explains the printed change of Muster Anna" in out.err
    )
    assert "p.txt: line 3: warning: row 1: printed rating 1999, computed 19" in out.err


def test_unknown_list_and_missing_file_are_reported(folder, fesa):
    with pytest.raises(CommandError, match=r"no list 'nope' \(lists: fesa\)"):
        call_command("import_results", folder("a.txt", ""), list="nope")
    with pytest.raises(CommandError, match="No such file"):
        run(folder("a.txt", "").with_name("b.txt"))


def test_event_known_on_another_list_is_reported(folder, known, capsys):
    make_list("other")
    path = folder("a.txt", GRID.format(day="2026-03-08"))
    run(path, save=True)
    capsys.readouterr()
    with pytest.raises(CommandError):
        call_command("import_results", path, list="other", save=True)
    message = "a.txt: error: “Cup 2026-03-08” has these results already: add the list other to it instead"
    assert capsys.readouterr().err.splitlines() == [message]
    Event.objects.update(state="draft")
    assert fails(path, capsys=capsys) == [
        "a.txt: error: “Cup 2026-03-08” has these results already, but they are not accepted: accept them instead"
    ]


def test_names_too_long_for_the_database_are_reported(folder, known, capsys):
    text = GRID.format(day="2026-03-08").replace("Novák", "N" * 150)
    assert fails(folder("a.txt", text), capsys=capsys)[-1] == (
        "a.txt: line 6: error: row 3: a name has at most 100 letters"
    )
    lines = fails(folder("b.txt", text.replace("[Cup", "[" + "C" * 250)), capsys=capsys)
    assert [line for line in lines if "error" in line] == [
        "b.txt: error: name: Ensure this value has at most 200 characters (it has 261)."
    ]


def test_new_players_who_resemble_each_other_are_both_new(folder, fesa):
    text = PUBLISHED.format(day="2026-03-08", a=" +9", b=" -4")
    text = text.replace("Muster   Anna   ", "Muster   Anna   ").replace("Beispiel Jan    ", "Muster   Anne   ")
    run(folder("p.txt", text), save=True)
    assert sorted(str(player) for player in Player.objects.all()) == ["Fremd Mei-Lin", "Muster Anna", "Muster Anne"]


def test_grade_alone_that_differs_leaves_the_games_known(folder, fesa, capsys):
    anna, jan = make_player("Muster", "Anna", country="DE"), make_player("Beispiel", "Jan", country="NL")
    give_rating(fesa, anna, 1900, "2020-01-01", games=77, grade="1 Dan")
    give_rating(fesa, jan, 1760, "2020-01-01", games=66, grade="1 Dan")
    run(folder("p.txt", PUBLISHED.format(day="2026-03-08", a=" +9", b=" -4")), save=True)
    made = Adjustment.objects.filter(source="p.txt")
    assert [(one.player, one.set) for one in made] == [(anna, {"grade": "2 Dan", "lb_run": None, "mp_run": None})]
    assert Standing.objects.get(player=anna).games == 79


def test_players_that_are_known_otherwise_or_played_later_are_warned_of(folder, known, capsys):
    run(folder("a.txt", GRID.format(day="2026-04-08")), save=True)
    capsys.readouterr()
    text = GRID.format(day="2026-03-08").replace("[Anna] DE", "[Anna] AT").replace("N [", "[").replace("CZ", "QQ")
    problems = run(folder("b.txt", text), capsys=capsys).err.splitlines()
    assert sorted(problems) == [
        "b.txt: line 4: hint: row 1: Muster Anna is known with the nationality DE",
        "b.txt: line 6: hint: row 3: Novák Petra is known with the nationality CZ",
        "b.txt: warning: not after the last rated event of Beispiel Jan, Muster Anna, Novák Petra; later tables are rated again",
    ]


@pytest.fixture
@reused
def imported(folder, known, capsys):
    """Two files that were imported together, with a new player, on a list that had a rated table."""
    make_table(known[0].adjustments.get().list, list(known), [(1, 1, 2, 1.0)], "2026-01-10")
    rerate_all()
    before = contents()
    first = GRID.format(day="2026-03-08").replace("Cup", "Cup 08")
    second = GRID.format(day="2026-03-15").replace("Cup", "Cup 15").replace("[Novák][Petra]", "[Nový][Pavel]")
    files = [folder("08.txt", first), folder("15.txt", second)]
    out = run(*files, save=True, capsys=capsys).out.splitlines()
    step = RecordedStep.objects.get()
    assert out[-1] == f"Stored as import {step.pk}. To undo it: --list fesa --undo {step.pk}"
    assert (step.what, step.reason, len(step.values["events"])) == ("results imported", "08.txt, 15.txt", 2)
    return step, before


def rerate_all():
    for rating_list in RatingList.objects.all():
        rerate(rating_list.pk)


def contents():
    """Return all data that an import stores, with the resulting ratings."""
    return {
        "events": sorted(Event.objects.values_list("name", flat=True)),
        "players": sorted(Player.objects.values_list("family_name", flat=True)),
        "given": [Adjustment.objects.count(), Decision.objects.count(), ListPlayer.objects.count()],
        "ratings": sorted(Standing.objects.values_list("player__family_name", "rating", "games", "grade")),
        "changes": Change.objects.count(),
        "submissions": [Submission.objects.count(), Upload.objects.count(), EventStep.objects.count()],
    }


def undone(step, **options):
    call_command("import_results", list="fesa", undo=step.pk, **options)


def test_import_of_several_files_is_undone_as_one(imported, folder, capsys):
    step, before = imported
    assert contents() != before
    undone(step)
    assert contents() == before
    assert capsys.readouterr().out == f"Import {step.pk} undone: 2 events deleted; fesa is rated again.\n"
    assert list(find_differences(RatingList.objects.get())) == []
    with pytest.raises(CommandError, match="This step was already undone"):
        undone(step)
    run(folder("again.txt", GRID.format(day="2026-03-08")), save=True, capsys=capsys)  # the files can be read again
    assert Event.objects.filter(name="Cup 2026-03-08").exists()


def test_published_ratings_and_decisions_of_an_import_are_undone(fesa, folder, capsys):
    before = contents()
    data = (SAMPLES / "published" / "good.txt").read_bytes()
    names = "last_name,first_name,country,prior_grade\n" + "".join(
        f"{row.family},{row.given},{row.country},\n"
        for row in recognise.read_results_file(data, Head("Cup", DAY, DAY), DAY).table.rows
    )
    new = folder("new.csv", names, "utf-8")
    run(folder("published.txt", data), save=True, new_players=new, capsys=capsys)
    stored = contents()
    assert stored["given"][0] > 0
    undone(RecordedStep.objects.get())
    assert contents() == before
    run(folder("published.txt", data), save=True, new_players=new, capsys=capsys)
    assert contents() == stored


@pytest.mark.parametrize(
    ("change", "expected"),
    [("void", r"“Cup 08 2026-03-08” was changed since \(event voided\)"), ("correct", "A correction of these results is open"),
     ("decide", "Grades of Muster Anna were decided or announced since"),
     ("adjust", "Adjustments or decisions refer to a table of this import")],
)  # fmt: skip
def test_import_that_something_depends_on_is_not_undone(change, expected, imported):
    step, _before = imported
    fesa, table = RatingList.objects.get(), Table.objects.get(event__name="Cup 08 2026-03-08")
    anna = Player.objects.get(family_name="Muster")
    if change == "void":
        void_event(table.event, reason="rules", explanation="x")
    elif change == "correct":
        get_or_create_correction(table)
    elif change == "decide":
        save_adjustment(Decision(list=fesa, player=anna, grade="1 Kyu", date="2026-04-01", ruling="given", reason="r"))
    else:
        save_adjustment(
            Adjustment(list=fesa, player=anna, date=table.last_day, before=table, set={"rating": 1}, reason="r")
        )
    before = contents()
    with pytest.raises(CommandError, match=expected):
        undone(step)
    assert contents() == before


def test_player_of_an_import_who_played_elsewhere_since_is_kept(imported, capsys):
    step, _before = imported
    novak = Player.objects.get(family_name="Novák")
    make_table(RatingList.objects.get(), [novak, make_player("New")], [(1, 1, 2, 1.0)], "2026-05-10")
    undone(step)
    assert "other data refers to them: Novák Petra." in capsys.readouterr().err
    assert Player.objects.filter(pk=novak.pk).exists()


def test_sharing_an_imported_event_does_not_keep_the_import(imported):
    step, _before = imported
    event = Event.objects.get(pk=step.values["events"][0])
    share_event(event, make_user("friend"))
    assert step_undo_problem(step) == ""
    record_event_step(event, EventStep.What.REMAPPED)
    assert "was changed since" in step_undo_problem(step)


def test_undo_wants_a_number_of_an_import_of_the_list_and_no_files(imported, folder):
    step, _before = imported
    make_list("other")
    with pytest.raises(CommandError, match="other has no import of results with the number"):
        call_command("import_results", list="other", undo=step.pk)
    with pytest.raises(CommandError, match="--undo takes neither files"):
        call_command("import_results", str(folder("a.txt", "x")), list="fesa", undo=step.pk)
    with pytest.raises(CommandError, match="give at least one file"):
        call_command("import_results", list="fesa")


def test_officer_undoes_an_import_of_results_on_the_page_of_the_list(imported, client):
    step, before = imported
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(officer)
    page = client.get("/organise/lists/fesa/import/").content.decode()
    assert ("Results of 2 events" in page, f"/organise/steps/{step.pk}/undo/" in page) == (True, True)
    question = client.get(f"/organise/steps/{step.pk}/undo/")
    assert question.context["depends"] == [
        "events with their tables: 2",
        "games: 6",  # three players, each against each, in both files
        "new players, unless other data refers to them: 2",  # Novák and Nový
    ]
    assert 'name="next" value="/organise/lists/fesa/import/"' in question.content.decode()
    assert client.post(f"/organise/steps/{step.pk}/undo/", {"reason": "wrong list"}).status_code == 302
    assert contents() == before
    assert client.get(f"/organise/steps/{step.pk}/undo/").url == "/organise/lists/fesa/import/"
    step.refresh_from_db()
    assert (step.undone_by, step.undone_reason) == (officer, "wrong list")


def test_printed_outsiders_alone_are_rated_as_outsiders(folder, fesa, capsys):
    text = (
        "Open : 2026-03-08\n"
        "Nr Name             Nat  Grade  ELO    1   2   Pts   +/-\n"
        " 1 Muster   Anna    DE          1500*  2+  2-   1  \n"
        " 2 Beispiel Jan     NL          1450*  1-  1+   1  \n"
    )
    run(folder("p.txt", text), save=True, capsys=capsys)
    assert list(find_differences(RatingList.objects.get(slug="fesa"))) == []
    rows = Change.objects.order_by("player__family_name").values_list("player__family_name", "category", "after")
    assert list(rows) == [("Beispiel", "fixed", 1450), ("Muster", "fixed", 1500)]

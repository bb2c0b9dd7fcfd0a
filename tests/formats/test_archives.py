"""Archives and histories, split into the results files that they hold."""

import datetime as dt
import io
import json
import zipfile

import pytest

from ratings.formats import archives
from ratings.formats.archives import SplitHistory, is_archive, split_history, unpack_archive
from ratings.formats.history.file import read_history
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.problems import FileProblem
from ratings.formats.spreadsheet.templates import template_xlsx
from ratings.systems.messages import has_code


def pack(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def unpack(data, most=50_000_000, history_most=BYTES_AT_MOST):
    return unpack_archive(data, most=most, history_most=history_most)


def test_archive_gives_its_files_without_folders_and_hidden_ones():
    data = pack(
        {"2024/a.txt": "one", "2024/b.csv": "two", "__MACOSX/2024/._a.txt": "x", ".DS_Store": "x", "empty/": ""}
    )
    assert is_archive(data)
    assert unpack(data) == ([("a.txt", b"one"), ("b.csv", b"two")], "")


def test_workbook_is_no_archive():
    assert not is_archive(template_xlsx())
    assert not is_archive(b"[Autumn Cup]")
    assert not is_archive(b"PK broken")


def test_archive_without_files_says_so():
    files, problem = unpack(pack({"empty/": ""}))
    assert files == []
    assert has_code(problem, FileProblem.ZIP_EMPTY)


def test_archive_with_too_many_files_is_refused(monkeypatch):
    monkeypatch.setattr(archives, "FILES_AT_MOST", 2)
    files, problem = unpack(pack(dict.fromkeys("abc", "x")))
    assert files == []
    assert has_code(problem, FileProblem.ZIP_TOO_LARGE)


def test_large_member_is_read_no_further_than_a_file_may_be_long():
    files, problem = unpack(pack({"a.txt": b"0" * (BYTES_AT_MOST + 1000)}))
    assert problem == ""
    assert [(name, len(data)) for name, data in files] == [("a.txt", BYTES_AT_MOST + 1)]


def test_history_in_an_archive_is_read_up_to_its_own_limit():
    data = pack({"a.json": b"{" + b"0" * BYTES_AT_MOST, "b.txt": b"0" * BYTES_AT_MOST})
    files, problem = unpack(data, history_most=BYTES_AT_MOST + 500)
    assert problem == ""
    assert [(name, len(part)) for name, part in files] == [("a.json", BYTES_AT_MOST + 1), ("b.txt", BYTES_AT_MOST)]
    files, problem = unpack(pack({"a.json": b"0" * 2000}), history_most=1000)
    assert ([len(part) for _name, part in files], problem) == ([1001], "")


def test_archive_that_unpacks_to_too_much_is_refused():
    data = pack({"a.json": b"0" * 10_000, "b.json": b"0" * 10_000})
    assert len(data) < 1000
    files, problem = unpack(data, most=15_000)
    assert (files, has_code(problem, FileProblem.ZIP_TOO_LARGE)) == ([], True)
    assert "at most 500 files and 0 MB" in str(problem)


def test_damaged_archive_says_so():
    data = pack({"a.txt": "one" * 100})
    files, problem = unpack(data[:40] + b"?" * 20 + data[60:])
    assert files == []
    assert has_code(problem, FileProblem.DAMAGED_ARCHIVE)


def make_history(*days):
    players = [{"id": "a", "name": "Adler, Zoë", "country": "FR"}, {"id": "b", "name": "Bauer, Max", "country": "DE"}]
    games = [{"round": 1, "a": "a", "b": "b", "score": 1}]
    tables = [
        {"id": f"t{number}", "date": day, "event": f"Cup {number}", "players": ["a", "b"], "games": games}
        for number, day in enumerate(days, 1)
    ]
    document = {
        "format": "ratings-history/1",
        "system": "fesa-2016",
        "options": {},
        "players": players,
        "tables": tables,
    }
    return json.dumps(document).encode()


def test_history_gives_a_file_for_each_table_in_date_order():
    parts = split_history(make_history("2024-05-04", "2023-01-02")).tables
    assert [name for name, _data in parts] == ["Cup 2 2023-01-02.json", "Cup 1 2024-05-04.json"]
    histories = [read_history(data) for _name, data in parts]
    assert [[table.event for table in history.tables] for history in histories] == [["Cup 2"], ["Cup 1"]]
    assert [player.name for player in histories[0].players.values()] == ["Adler, Zoë", "Bauer, Max"]


def test_what_a_history_has_beside_results_is_counted():
    document = json.loads(make_history("2024-05-04", "2023-01-02"))
    document["players"][0]["opening"] = {"rating": 1500, "games": 40, "bonus_games": 40}
    document["adjustments"] = [
        {"date": "2023-01-01", "player": "b", "set": {"rating": 1400}, "reason": "opening"},
        {"date": "2023-01-01", "shift": 10, "reason": "deflation"},
    ]
    document["decisions"] = [
        {"date": "2024-06-01", "player": "a", "grade": "1 Dan", "is": "given", "reason": "diploma"}
    ]
    split = split_history(json.dumps(document).encode())
    assert has_code(split.problem, FileProblem.HISTORY_HAS_MORE)
    assert split.problem.values == {"openings": 2, "adjustments": 1, "decisions": 1}
    history = read_history(split.rest)
    day = dt.date
    opening = {"rating": 1500, "games": 40, "bonus_games": 40}
    assert (history.tables, [(each.date, each.player, each.set, each.shift) for each in history.adjustments]) == (
        (),
        [
            (day(2023, 1, 2), "a", opening, None),  # on the day of the first table of the player
            (day(2023, 1, 1), "b", {"rating": 1400}, None),
            (day(2023, 1, 1), None, None, 10),
        ],
    )
    assert [(each.date, each.player, each.grade) for each in history.decisions] == [(day(2024, 6, 1), "a", "1 Dan")]
    assert [player.opening for player in history.players.values()] == [None, None]


def test_records_before_a_table_are_dated_on_its_last_day():
    document = json.loads(make_history("2024-05-04", "2023-01-02"))
    document["adjustments"] = [{"date": "2024-05-04", "player": "a", "before": "t1", "set": {"rating": 1400}}]
    rest = read_history(split_history(json.dumps(document).encode()).rest)
    assert [(each.date, each.before) for each in rest.adjustments] == [(dt.date(2024, 5, 4), None)]
    assert list(rest.players) == ["a"]


@pytest.mark.parametrize("data", [b"[Autumn Cup]", b'{"format": "x"}', make_history("2024-05-04")])
def test_file_with_one_table_or_none_is_not_split(data):
    assert split_history(data) == SplitHistory()

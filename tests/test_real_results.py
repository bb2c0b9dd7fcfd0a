"""The main job on real input: the federation's files in, its own ratings out. Needs the files beside the checkout."""

import datetime as dt
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import TestCase

from ratings.formats.event_head import Head
from ratings.formats.fesa.published import read_published
from ratings.formats.recognise import read_results_file
from ratings.models import Adjustment, Award, Change, Decision, Entry, Event, FileBatch, Game, Player, Table
from ratings.queries.lists.lists import list_as_of
from ratings.queries.results.workflow import page_version
from tests.factories import make_list, make_user, rate_every_list
from tests.thorough import take_share_of

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the federations' files are not beside this checkout"),
]


def files(pattern):
    return sorted((SHARED / "real").glob(pattern))


def test_published_tables_are_reproduced_exactly():
    make_list("fesa")
    call_command("import_results", *files("published-*.txt"), list="fesa", save=True)
    promotions = 0
    for path in files("published-*.txt"):
        parsed, _ = read_published(path.read_bytes(), dt.date(2026, 11, 21))
        table = Table.objects.get(event__name=parsed.name)
        entries = {entry.number: entry for entry in table.entries.select_related("player")}
        changes = {change.player_id: change for change in table.changes.all()}
        for row in parsed.rows:
            player = entries[row.number].player
            assert player.name == row.name
            change = changes[player.pk]
            if row.starred:
                assert change.after == row.rating, row
                assert change.category == "unrated" or entries[row.number].fixed_rating == row.rating
            else:
                assert (change.before, change.change) == (row.rating, row.change), row
                assert change.grade_before == (row.grade or "")
            awards = table.awards.filter(player=player, last_of_step=True)
            assert [award.grade for award in awards] == ([row.promoted] if row.promoted else []), row
            promotions += bool(row.promoted)
    assert promotions == 20
    assert Award.objects.filter(last_of_step=True).count() == 20
    fixed = Entry.objects.filter(fixed_rating__isnull=False)
    assert [(entry.player.name, entry.fixed_rating) for entry in fixed] == [("Gimenez Georges", 1690)]
    assert list(Decision.objects.values_list("ruling", flat=True)) == ["printed"] * 3


def test_events_known_from_grids_are_not_imported_again(capsys):
    make_list("fesa")
    call_command("import_results", *files("published-*.txt"), list="fesa", save=True)
    counted = [model.objects.count() for model in (Event, Player, Game, Adjustment, Decision, Change)]
    capsys.readouterr()
    call_command("import_results", *files("grid-*.txt"), list="fesa", save=True)
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("already there") == 2
    assert [model.objects.count() for model in (Event, Player, Game, Adjustment, Decision, Change)] == counted


def test_club_history_gives_the_federations_list_after_each_meeting():
    club = make_list("club")
    make_user("administrator", is_superuser=True)
    new_players = SHARED / "real" / "club-2016" / "new-players.csv"
    call_command(
        "import_results",
        *files("club-2016/*.txt"),
        list="club",
        save=True,
        new_players=new_players,
        as_user="administrator",
    )
    cases = json.loads((SHARED / "cases" / "fesa-2016-club.json").read_text())
    lines = 0
    for day, expected in cases["lists"].items():
        got = {
            change.player.family_name: {
                "rating": change.after,
                "games": change.games_after,
                "grade": change.grade or None,
            }
            for change in list_as_of(club, day)
        }
        assert got == expected
        lines += len(got)
    assert lines == 289


def drop_files(client, paths, **more):
    """Drop files as a person does, have them read, and return their batch."""
    uploads = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert client.post("/organise/files/", {"uploads": uploads, **more}).status_code == 302
    return FileBatch.objects.latest("pk")


def press(client, address, **data):
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.post(address, data)


def submit_and_accept_all(client, batch):
    """Answer all questions, submit all events of a batch, and accept them, each step with one button."""
    page = client.get(batch.get_absolute_url())
    questions = [question.key for draft in page.context["asking"] for question in draft.questions]
    if questions:
        press(client, batch.get_absolute_url(), confirm="1", question=questions, reason="it was so")
    page = client.get(batch.get_absolute_url())
    assert [choice.reason for choice in page.context["choices"]] == [""] * len(page.context["choices"])
    events = [choice.event for choice in page.context["choices"]]
    assert press(client, batch.get_absolute_url(), submit="1", event=[e.public_id for e in events]).status_code == 302
    chosen = {"event": [event.public_id for event in events], "confirmed": "1"}
    chosen |= {f"version-{event.public_id}": page_version(event) for event in events}
    response = press(client, "/organise/desk/accept/", **chosen)
    assert response.status_code == 302, " | ".join(str(message) for message in response.context["messages"])


@pytest.fixture
def announced(tmp_path):
    """A file that announces everybody in the federation's grids as a new player."""
    lines = ["last_name,first_name,country"]
    for path in files("grid-*.txt"):
        table = read_results_file(path.read_bytes(), Head("", None, None), dt.date(2026, 11, 21)).table
        lines += [f"{row.family},{row.given},{row.country}" for row in table.rows]
    people = tmp_path / "new-players.csv"
    people.write_text("\n".join(dict.fromkeys(lines)))
    return people


def list_changes_by_name(rating_list):
    """Return everything that the digest of a list covers, by the players' names.

    The public ids are random, and with them the order of adjustments within a day.
    """
    name = Concat("player__family_name", Value(" "), "player__given_name")
    fields = ("day", "name", "before", "after", "change", "games", "state")
    return sorted(map(str, rating_list.changes.annotate(name=name).values_list(*fields)))


@pytest.mark.parametrize(
    ("system", "pattern"),
    take_share_of([("club", "club-2016/*.txt"), ("fesa", "published-*.txt"), ("fesa", "grid-*.txt")], 0, 3),
)
def test_files_give_the_same_ratings_in_the_browser_as_on_the_command_line(
    client, announced, system, pattern, several_steps
):
    people = {"published-*.txt": None, "grid-*.txt": announced}.get(pattern, SHARED / "real/club-2016/new-players.csv")
    client.force_login(make_user("administrator", is_superuser=True))
    rating_list = make_list(system)
    changes = []
    for way in ("command", "browser"):
        with transaction.atomic():
            if way == "command":
                options = {"list": system, "save": True, "as_user": "administrator"}
                call_command(
                    "import_results", *files(pattern), **options, **({"new_players": people} if people else {})
                )
            else:
                batch = drop_files(client, [*files(pattern), *([people] if people else [])])
                submit_and_accept_all(client, batch)
                rate_every_list()
            changes.append(list_changes_by_name(rating_list))
            transaction.set_rollback(True)
    assert changes[0] == changes[1]
    assert len(changes[0]) > 50
    assert list_changes_by_name(rating_list) == []

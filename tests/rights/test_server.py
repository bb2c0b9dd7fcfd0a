"""Commands and tasks do what the document says, and nothing that a person decides."""

import datetime as dt
import json

import pytest
from django.core.management import CommandError, call_command, get_commands
from django.utils import timezone

from portal.celery import app
from ratings.domain.results.batch_previews import make_key
from ratings.domain.runs.log_keys import create_key
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import sweep
from ratings.models import (
    Approval,
    BatchFile,
    Claim,
    Decision,
    Event,
    EventStep,
    FileBatch,
    Follow,
    FollowedChange,
    Hall,
    Proposal,
    RatingList,
    Report,
    Submission,
)
from ratings.queries.runs.logs import describe_keys, read_log, read_witnessed_logs
from tests.factories import make_event
from tests.portal.results.way import CLEAN
from tests.shared import reused

from .server import COMMANDS, TASKS
from .trying import all_rows, name_of_table

pytestmark = pytest.mark.django_db
HISTORY = {
    "format": "ratings-history/1", "system": "fesa-2016", "players": [{"id": "AA1", "name": "Ito Jun"}, {"id": "BB1", "name": "Oki Rei"}],
    "decisions": [{"date": "2024-01-02", "player": "AA1", "grade": "1 Dan", "is": "given"}],
    "tables": [{"id": "t1", "event": "Old Cup", "date": "2023-01-01", "players": ["AA1", "BB1"],
                "games": [{"round": 1, "a": "AA1", "b": "BB1", "score": 1}]}],
}  # fmt: skip
SETUP = """
[federation]
name = "Alpine"
[[lists]]
slug = "go"
name = "Go"
system = "bgf"
[[people]]
mail = "nora@aga.example"
role = "officer"
[event]
name = "First Cup"
start = 2024-01-01
list = "go"
"""
FILES = {
    "import_history": json.dumps(HISTORY),
    "setup": SETUP,
    "import_list": "last_name,first_name,country,rating,games\nSato,Ken,JP,1450,90\n",
    "import_results": "[Late Cup, Lyon, France, 2024-05-11]\n[2024-05-11]\n[Time control: 30min]\n"
    "1 [Ada][] FR [2+] 1\n2 [Ben][] FR [1-] 0\n",
}


def decided():
    """Return everything that only a person decides."""
    return {
        "approvals": list(Approval.objects.order_by("pk").values_list("state", "decision", "decided_by")),
        "proposals": list(Proposal.objects.order_by("pk").values_list("state")),
        "claims": list(Claim.objects.order_by("pk").values_list("state")),
        "reports": list(Report.objects.values_list("state")),
        "grades that need approval": list(Decision.objects.filter(grade__in=["5 Dan", "6 Dan"]).values_list("pk")),
    }


def changed_by(act):
    """Return the tables that something changes."""
    before = all_rows()
    act()
    after = all_rows()
    return {name_of_table(name) for name, rows in after.items() if rows != before[name]}


def make_unpreviewed_batch(world):
    """Return the primary key of a batch with a draft whose ratings are to be previewed."""
    event = make_event("Draft", "2024-05-04", [world.list], state="draft")
    draft = Submission.objects.create(event=event, first_day=event.start, last_day=event.end)
    batch = FileBatch.objects.create(made_by=world.users["own"])
    file = BatchFile(batch=batch, name="a.txt", data=b"", digest="y", state="read", report={"ready": True})
    file.event, file.submission = event, draft
    file.preview_key = make_key(file)
    file.save()
    return batch.pk


@pytest.fixture
@reused
def pending(world, db):
    """Leave work for everybody: a list to rate, a publication day, submissions, deleted drafts of long ago."""
    world.put("accepted")
    long_ago = timezone.now() - dt.timedelta(days=400)
    Submission.objects.filter(pk=world.ids["deleted_submission"]).update(deleted_at=long_ago)
    yesterday = timezone.now().date() - dt.timedelta(days=1)
    RatingList.objects.filter(pk=world.list.pk).update(
        publish_on=f"{yesterday:%m-%d}", publish_from=dt.date(2024, 1, 1), announce_after=0
    )
    Approval.objects.update(opened_at=long_ago)
    followed = Follow.objects.create(user=world.users["ply"], list=world.list, frequency="weekly")
    data = {"list": world.list.slug, "day": "2024-01-01", "players": 1, "revised": False}
    last_week = timezone.now() - dt.timedelta(days=8)
    FollowedChange.objects.create(
        user=followed.user, follow=followed, kind="published", data=data, created_at=last_week
    )
    EventStep.objects.create(event=world.event, what="proposed")
    world.batch = FileBatch.objects.create(made_by=world.users["own"])
    BatchFile.objects.create(batch=world.batch, name="cup.txt", data=CLEAN.encode(), digest="x")
    world.previewed = make_unpreviewed_batch(world)
    return world


ARGUMENTS = {
    "create_list": ["new", "--system", "fesa-2016"], "export_history": ["--list", "fesa"], "export_list": ["--list", "fesa"],
    "verify": ["--list", "fesa"], "sweep": [], "log_key": ["--create"],
}  # fmt: skip


@pytest.mark.parametrize("name", [*ARGUMENTS, *FILES])
def test_command_changes_what_the_document_says(name, pending, tmp_path, capsys):
    arguments = ARGUMENTS.get(name)
    if arguments is None:
        (tmp_path / "file.csv").write_text(FILES[name])
        more = ["--day", "2024-01-01"] if name == "import_list" else []
        to = [] if name == "setup" else ["--list", "empty"]
        arguments = [str(tmp_path / "file.csv"), *to, "--save", *more]
    if name == "sweep":
        mark_lists_out_of_date([pending.list], dt.date(2024, 1, 1), "as asked")
    before = decided()
    changed = changed_by(lambda: call_command(name, *arguments))
    assert changed <= set(COMMANDS[name][1].split())
    assert bool(changed) == bool(COMMANDS[name][1])
    assert decided() == before


@pytest.mark.parametrize("name", TASKS)
def test_task_changes_what_the_document_says(name, pending):
    if name in ("ratings.rerate", "ratings.sweep"):
        mark_lists_out_of_date([pending.list], dt.date(2024, 1, 1), "as asked")
    arguments = {
        "ratings.rerate": [pending.list.pk], "ratings.facts": [pending.list.pk], "ratings.summarise": [pending.event.pk],
        "ratings.read_batch": [pending.batch.pk], "ratings.preview_batch": [pending.previewed],
        "ratings.evaluate": [pending.ids["study"]], "ratings.effects": [pending.ids["draft_rules"]],
        "ratings.webhook": [pending.ids["webhook"]], "ratings.webhook_ping": [pending.ids["ping"]],
        "ratings.hall": [Hall.objects.create(event=make_event("Evening", state="draft")).pk],
    }.get(name, [])  # fmt: skip
    before, state = decided(), Event.objects.get(pk=pending.event.pk).state
    changed = changed_by(lambda: app.tasks[name].apply(arguments).get())
    assert changed <= set(TASKS[name][1].split())
    assert bool(changed) == bool(TASKS[name][1])
    assert decided() == before
    assert Event.objects.get(pk=pending.event.pk).state == state
    assert Submission.objects.get(pk=pending.waiting.pk).state == "submitted"


@pytest.mark.parametrize(
    ("name", "debug"),
    [("demo", False), ("demo", True), ("bench", False), ("bench_web", False), ("bench_memory", False)],
)
def test_commands_for_empty_databases_refuse_this_one(name, debug, pending, settings):
    settings.DEBUG, settings.REDIS_URL = debug, ""
    with pytest.raises(CommandError):
        call_command(name)


def test_witness_stores_only_what_it_cosigned(tmp_path, pending, capsys):
    key = str(create_key("portal.example"))
    sweep()
    rating_list = RatingList.objects.filter(checkpoints__isnull=False).first()
    (tmp_path / "log.txt").write_text(read_log(rating_list))
    (tmp_path / "keys.txt").write_text(describe_keys())
    log = str(tmp_path / "log.txt")
    assert changed_by(lambda: call_command("verify", "--log", log)) == set()
    assert changed_by(lambda: call_command("witness", log, "--key", key)) == {"witnessedlog"}
    (tmp_path / "witnessed.txt").write_text(read_witnessed_logs())
    added = [str(tmp_path / "witnessed.txt"), "--add", "--key", key]
    assert changed_by(lambda: call_command("witness", *added)) == {"checkpoint"}


def test_rate_reads_no_database(tmp_path, pending, capsys):
    call_command("export_history", "--list", "fesa")
    (tmp_path / "history.json").write_text(capsys.readouterr().out)
    assert changed_by(lambda: call_command("rate", str(tmp_path / "history.json"))) == set()


def test_tables_of_the_document_exist(pending):
    known = {name_of_table(name) for name in all_rows()}
    named = {table for _, tables in (COMMANDS | TASKS).values() for table in tables.split()}
    assert named <= known


def test_every_command_and_task_is_in_the_document():
    app.loader.import_default_modules()
    own = {name for name, where in get_commands().items() if str(where).startswith(("ratings", "portal"))}
    assert own == set(COMMANDS)
    assert {name for name in app.tasks if not name.startswith("celery.")} == set(TASKS)

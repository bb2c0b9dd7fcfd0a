"""Rules that need two persons where officers decide: proposals, corrections, claims, grades at the start of a list."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from ratings.domain.grades.proposals import serialize_record
from ratings.models import (
    Adjustment,
    Claim,
    EventStep,
    Player,
    Proposal,
    RatingList,
    RecordedStep,
    Submission,
)
from tests.admin.site.test_versions import form_of
from tests.factories import make_player

from .screens import added

pytestmark = pytest.mark.django_db
DAY = dt.date(2025, 6, 1)


def own_proposal(world, user):
    """Propose something about a user."""
    Player.objects.filter(pk=world.late.pk).update(account=user)


@pytest.mark.parametrize("kind", ["decision", "adjustment"])
@pytest.mark.parametrize("what", ["add", "change", "delete"])
@pytest.mark.parametrize("four_eyes", [False, True])
def test_second_officer_confirms_what_another_one_entered(four_eyes, what, kind, trials):
    world, row = trials.world, getattr(trials.world, kind)
    RatingList.objects.update(four_eyes=four_eyes)
    client, args = trials.client("of1"), [] if what == "add" else [row.pk]
    data = {"add": lambda: added(world)[kind], "delete": lambda: {"post": "yes"},
            "change": lambda: form_of(client, row) | {"reason": "other"}}[what]()  # fmt: skip
    before, proposals = serialize_record(row), Proposal.objects.count()
    trials.remember()
    assert client.post(reverse(f"admin:ratings_{kind}_{what}", args=args), data).status_code == 302
    stored = type(row).objects.filter(pk=row.pk).first()
    if not four_eyes:
        assert Proposal.objects.count() == proposals
        assert what == "add" or stored is None or serialize_record(stored) != before
        return
    assert (serialize_record(stored), Proposal.objects.count()) == (before, proposals + 1)
    address = reverse("close_proposal", args=[Proposal.objects.latest("pk").pk, "confirm"])
    trials.remember()
    for column, status in {"of1": 422, "of2": 403, "own": 403, "ap1": 403, "adm": 302}.items():
        got = trials.send(column, "post", address)
        assert (got.status, kind in got.changed) == (status, status == 302), (column, got)
    own_proposal(world, world.users["adm"])
    trials.remember()
    assert trials.send("adm", "post", address).changed == set()
    assert "proposal" in trials.send("of1", "post", address.replace("confirm", "withdraw")).changed


@pytest.mark.parametrize("four_eyes", [False, True])
@pytest.mark.parametrize("part", ["made it", "changed it", "submitted it"])
def test_correction_is_accepted_by_another_officer(part, four_eyes, trials):
    world, user = trials.world, trials.world.users["of1"]
    world.put("accepted")
    RatingList.objects.update(four_eyes=four_eyes)
    submission = Submission.objects.filter(pk=world.waiting.pk)
    if part == "submitted it":
        EventStep.objects.create(event=world.event, what="proposed", by=user)
    else:
        submission.update(**{"made_by" if part == "made it" else "changed_by": user})
    trials.remember()
    address = f"/organise/events/{world.event.public_id}/accept/"
    in_admin = reverse("admin:ratings_event_changelist")
    chosen = {"action": "accept_submitted", "_selected_action": [world.event.pk]}
    for column, done in {"of1": not four_eyes, "adm": True}.items():
        assert ("table" in trials.send(column, "post", address).changed) == done, column
        assert ("table" in trials.send(column, "post", in_admin, chosen).changed) == done, column


def test_users_grant_no_claim_of_their_own(trials):
    world = trials.world
    Claim.objects.filter(pk=world.ids["claim"]).update(user=world.users["of1"])
    RecordedStep.objects.filter(pk=world.ids["answered"]).update(values={"claim": Claim.objects.get(user=world.helper).pk,
                                                                         "state": "declined"})  # fmt: skip
    Claim.objects.filter(user=world.helper).update(user=world.users["of2"])
    trials.remember()
    granting, undoing = (
        reverse("answer_claim", args=[world.ids["claim"]]),
        reverse("undo_step", args=[world.ids["answered"]]),
    )
    for column, grants, undoes in (("of1", False, True), ("of2", True, False), ("adm", True, True)):
        assert ("claim" in trials.send(column, "post", granting, {"grant": "1"}).changed) == grants, column
        assert ("claim" in trials.send(column, "post", undoing, {"reason": "x"}).changed) == undoes, column


START = "last_name,first_name,country,rating,games,grade\nOkada,Rin,JP,2450,90,5 Dan\n"
RECORDERS = [
    # list, second approver, --as, --second, recorded
    ("empty", False, None, None, False),
    ("empty", False, "of1", None, False),
    ("empty", False, "ap1", None, False),
    ("empty", False, "ina", None, False),
    ("empty", False, "adm", None, True),
    ("empty", True, "adm", None, False),
    ("empty", True, "adm", "adm", False),
    ("empty", True, "adm", "of1", False),
    ("empty", True, "adm", "ap2", False),
    ("empty", True, "adm", "ap1", True),
    ("empty", True, "ap1", "adm", False),
    ("fesa", False, "adm", None, False),
    ("fesa", True, "adm", "ap1", False),
]
"""Who records a grade that needs approval by command: an administrator, when the list starts, with a second person."""


def import_as(by, other, slug, path, capsys):
    """Import a rating list with a 5 Dan by command; return why it is refused, empty if it is stored."""
    (path / "list.csv").write_text(START)
    try:
        call_command("import_list", str(path / "list.csv"), list=slug, day=DAY, as_user=by, second=other, save=True)
    except CommandError as error:
        return f"{error} {capsys.readouterr().err}"
    return ""


@pytest.mark.parametrize("recorder", RECORDERS, ids=lambda recorder: " ".join(map(str, recorder)))
def test_command_records_grades_at_the_start_of_a_list(recorder, world, tmp_path, capsys):
    slug, second, by, other, recorded = recorder
    RatingList.objects.update(second_approver=second)
    output = import_as(by, other, slug, tmp_path, capsys)
    assert output == "" if recorded else ("no active account" if by == "ina" else "5 Dan needs approval") in output
    assert Adjustment.objects.filter(set__grade="5 Dan").exists() == recorded


@pytest.mark.parametrize("own", ["adm", "ap1"])
def test_command_records_no_grade_of_the_people_who_record_it(own, world, tmp_path, capsys):
    RatingList.objects.update(second_approver=True)
    make_player("Okada", "Rin", country="JP", account=world.users[own])
    assert "nobody records a grade of their own" in import_as("adm", "ap1", "empty", tmp_path, capsys)
    assert not Adjustment.objects.filter(set__grade="5 Dan").exists()


@pytest.mark.parametrize("second", [False, True])
def test_page_records_grades_at_the_start_of_a_list_for_administrators(second, trials):
    RatingList.objects.update(second_approver=second)
    for column, recorded in {"of1": False, "adm": not second}.items():
        client = trials.client(column)
        file = SimpleUploadedFile("list.csv", START.encode())
        page = client.post("/organise/lists/empty/import/", {"file": file, "day": str(DAY)})
        upload = page.context["opening"].upload
        assert (page.status_code, page.context["opening"].is_ready) == ((200, True) if recorded else (422, False))
        stored = {"store": "1", "upload": upload.pk, "day": str(DAY)}
        client.post("/organise/lists/empty/import/", stored)
        assert Adjustment.objects.filter(set__grade="5 Dan").exists() == recorded, column


@pytest.mark.parametrize("second", [False, True])
def test_prior_grade_waits_for_a_second_person(second, trials):
    world = trials.world
    RatingList.objects.update(second_approver=second)
    data = {
        "list": world.empty.pk,
        "player": world.late.pk,
        "prior_grade": "5 Dan",
        "prior_evidence": "diploma",
        "member": "on",
    }
    address = reverse("admin:ratings_listplayer_add")
    trials.remember()
    got = {
        column: trials.send(column, "post", address, data).changed & {"listplayer", "proposal"}
        for column in ("of1", "adm")
    }
    assert got == {"of1": set(), "adm": {"proposal"} if second else {"listplayer"}}


def test_decisions_that_answer_an_approval_are_entered_in_no_form(trials):
    world = trials.world
    for ruling in ("approved", "declined"):
        data = added(world)["decision"] | {"grade": "5 Dan", "ruling": ruling}
        for column in ("of1", "adm"):
            assert "decision" not in trials.send(column, "post", reverse("admin:ratings_decision_add"), data).changed

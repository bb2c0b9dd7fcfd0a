"""Every way by which a grade that needs approval could come into force, tried by every role."""

import datetime as dt
import json
from contextlib import suppress

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.grades.announcing import announce_due_grades, announce_grades
from ratings.domain.grades.approval_opening import request_approval, update_approvals
from ratings.domain.grades.approvals import Answer, answer, confirm, reopen
from ratings.domain.grades.bulk_records import submit_many
from ratings.domain.grades.grade_approval import get_list_start
from ratings.domain.grades.proposals import submit, submit_removal
from ratings.domain.lists.adjustments import (
    delete_adjustment,
    delete_list_player,
    save_adjustment,
    save_adjustments,
    save_list,
    save_list_player,
)
from ratings.domain.players.merging import merge_players
from ratings.domain.results.accepting import accept
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.domain.site.keys import create_key
from ratings.models import (
    Adjustment,
    Approval,
    Award,
    Decision,
    ListPlayer,
    Player,
    Proposal,
    RatingList,
    Standing,
    Submission,
)
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user
from tests.thorough import take_share_of

pytestmark = pytest.mark.django_db

ROLES = ("visitor", "organiser", "officer", "approver", "administrator", "the player, an approver and administrator")
DAY = dt.date(2025, 3, 1)
LIST = "last_name,first_name,country,rating,games,grade,prior_grade\nSato,Ken,JP,2450,90,{grade},{prior}\n"
PUBLISHED = (
    "Open 2025 : 2025-04-19\n"
    "Nr Name                Nat  Grade  ELO    1  Pts   +/-\n"
    " 1 Sato Ken            JP   {grade}  2446   2+  1     +8   {promoted}\n"
    " 2 Rival Max           FR   4 Dan  2430   1-  0     -8\n"
)


def rated(rating_list):
    rerate(rating_list.pk)
    update_approvals(rating_list.pk)


class Site:
    """A list on which Sato, a 4 Dan, has earned 5 Dan, which waits; another player holds 5 Dan by an approval."""

    def __init__(self, role, client):
        self.role, self.client = role, client
        self.fesa = make_list()
        self.sato, self.rival = make_player("Sato", "Ken", country="JP"), make_player("Rival", "Max")
        self.held = make_player("Held", "Ida")
        for player, rating in ((self.sato, 2432), (self.held, 2433)):
            give_rating(self.fesa, player, rating, "2025-01-01", grade="4 Dan")
        give_rating(self.fesa, self.rival, 2430, "2025-01-01", grade="4 Dan")
        games = [(1, 1, 2, 1), (2, 1, 2, 1), (3, 3, 2, 1), (4, 3, 2, 1)]
        self.table = make_table(self.fesa, [self.sato, self.rival, self.held], games, "2025-02-01", event_name="Cup")
        rated(self.fesa)
        self.case = Approval.objects.get(player=self.sato)
        with act_as(make_user("secretary", is_superuser=True)):
            given = Answer(True, dt.date(2025, 2, 5), dt.date(2025, 2, 3), signed_by="A. Yonenaga")
            answer(Approval.objects.get(player=self.held), given)
        rated(self.fesa)
        self.approved = Approval.objects.get(player=self.held)
        self.user = self.log_in()

    def log_in(self):
        if self.role == "visitor":
            return None
        user = make_user("somebody", is_staff=True, is_superuser="administrator" in self.role)
        groups = {"organiser": ORGANISERS, "officer": OFFICERS, "approver": APPROVERS}
        for role, group in groups.items():
            if role in self.role:
                user.groups.add(Group.objects.get(name=group))
        if self.role.startswith("the player"):
            Player.objects.filter(pk=self.sato.pk).update(account=user)
        self.client.force_login(user)
        return user

    def decision(self, ruling, grade="5 Dan", **more):
        given = {"list": self.fesa, "player": self.sato, "date": DAY, "reason": "r", "source": "s", **more}
        return Decision(ruling=ruling, grade=grade, **given)

    def adjustment(self, **state):
        return Adjustment(list=self.fesa, player=self.sato, date=DAY, reason="r", source="s", set=state)

    def post(self, address, **data):
        return self.client.post(address, data)

    def records(self):
        return {
            "decisions": list(Decision.objects.order_by("pk").values_list("player", "grade", "ruling", "date")),
            "adjustments": list(Adjustment.objects.order_by("pk").values_list("player", "set", "date")),
            "prior grades": list(ListPlayer.objects.order_by("pk").values_list("player", "prior_grade")),
            "approvals": list(Approval.objects.order_by("pk").values_list("player", "grade", "state", "decision")),
            "proposals": Proposal.objects.count(),
            "players": Player.objects.count(),
        }

    def in_force(self):
        """Standing and awards of 5 and 6 Dan of everybody, with the certificates that Sato's page offers."""
        rated(self.fesa)
        standings = Standing.objects.filter(list=self.fesa).order_by("player")
        awards = Award.objects.filter(list=self.fesa, needs_approval=False, grade__in=["5 Dan", "6 Dan"])
        page = self.client.get(self.sato.get_absolute_url(), follow=True).content.decode()
        return (
            list(standings.values_list("player", "grade", "waiting")),
            sorted(awards.values_list("player", "grade")),
            ".5-dan." in page,
        )


def admin_decision(ruling, grade="5 Dan"):
    def door(site):
        site.post(
            "/admin/ratings/decision/add/",
            list=site.fesa.pk, player=site.sato.pk, grade=grade, ruling=ruling, date=DAY, reason="r", source="s",
        )  # fmt: skip

    return door


def admin_adjustment(state):
    def door(site):
        site.post(
            "/admin/ratings/adjustment/add/",
            list=site.fesa.pk, player=site.sato.pk, date=DAY, set=json.dumps(state), reason="r", source="s",
        )  # fmt: skip

    return door


def admin_prior_grade(site):
    site.post(
        "/admin/ratings/listplayer/add/",
        list=site.fesa.pk, player=site.sato.pk, prior_grade="5 Dan", prior_evidence="diploma", member="on",
    )  # fmt: skip


def admin_delete(what):
    def door(site):
        row = site.approved if what == "approval" else site.approved.decision
        site.post(f"/admin/ratings/{what}/{row.pk}/delete/", post="yes")
        site.post(f"/admin/ratings/{what}/", action="delete_selected", _selected_action=[row.pk], post="yes")

    return door


def admin_change(what):
    def door(site):
        row = site.approved if what == "approval" else site.approved.decision
        data = {"list": site.fesa.pk, "player": site.sato.pk, "grade": "6 Dan", "ruling": "given", "date": DAY}
        site.post(f"/admin/ratings/{what}/{row.pk}/change/", **data, reason="r", state="approved")

    return door


def admin_derived(site):
    award = Award.objects.get(player=site.sato, needs_approval=True)
    standing = Standing.objects.get(player=site.sato)
    site.post(f"/admin/ratings/award/{award.pk}/change/", grade="5 Dan", how="given")
    site.post(f"/admin/ratings/standing/{standing.pk}/change/", grade="5 Dan")
    site.post("/admin/ratings/award/add/", list=site.fesa.pk, player=site.sato.pk, grade="5 Dan", how="given")


def admin_import(site):
    for model in ("decision", "adjustment", "listplayer", "player"):
        text = f"public_id,prior_grade,grade\n{site.sato.public_id},5 Dan,5 Dan\n"
        file = SimpleUploadedFile("x.csv", text.encode())
        site.post(f"/admin/ratings/{model}/import/", import_file=file, format="0")


def domain_decision(ruling, grade="5 Dan"):
    return lambda site: save_adjustment(site.decision(ruling, grade))


def domain_proposal(ruling):
    return lambda site: submit(site.decision(ruling))


def many_records(make):
    """Submit a record together with others, as an upload of a history does."""

    def submit_several(site):
        *_others, made = submit_many([make(site)], reason="r")
        if isinstance(made, ValidationError):
            raise made

    return submit_several


def own_decision_as_answer(site):
    """Store a decision beside the answer: the approval is not answered."""
    save_adjustment(site.decision("approved"), case=site.case)


def answer_of_another(site):
    """Store a decision for Sato by the approval of somebody else."""
    Approval.objects.filter(pk=site.approved.pk).update(decision=None)
    save_adjustment(site.decision("approved"), case=site.approved)


def changed_decision(site):
    decision = site.approved.decision
    decision.player = site.sato
    save_adjustment(decision)


def changed_adjustment(site):
    given = Adjustment.objects.get(player=site.sato)
    given.set = {**given.set, "grade": "5 Dan"}
    save_adjustment(given)


def changed_prior_grade(site):
    row = ListPlayer(list=site.fesa, player=site.sato, member=False)
    save_list_player(row)
    try:
        row.prior_grade, row.prior_evidence = "5 Dan", "diploma"
        save_list_player(row)
    finally:
        delete_list_player(ListPlayer.objects.get(pk=row.pk))


def results_page(site):
    """Accept results that bring a new player with 5 Dan."""
    event = make_event("Late", "2025-04-05", [site.fesa], state="submitted")
    rows = [
        {"family": "Newcomer", "given": "Kei", "country": "JP", "new": True, "prior_grade": "5 Dan", "evidence": "diploma",
         "cells": ["2+"]},
        {"family": "Sato", "given": "Ken", "country": "JP", "player": site.sato.public_id, "cells": ["1-"]},
    ]  # fmt: skip
    submission = Submission.objects.create(
        event=event,
        first_day="2025-04-05",
        last_day="2025-04-05",
        state="submitted",
        content={"rounds": 1, "rows": rows},
    )
    site.post(f"/organise/events/{event.public_id}/accept/")
    with suppress(ValidationError, PermissionDenied):
        accept(event)
    assert get_list_start(site.fesa).problem("5 Dan", None, "diploma") != ""
    if not Player.objects.filter(family_name="Newcomer").exists():
        submission.delete()
        event.delete()


def api_results(site):
    if site.user is None or not site.user.has_perm("ratings.add_event"):
        return
    key, secret = create_key(site.user, "x")
    event = make_event("Pushed", "2025-04-19", [site.fesa], state="draft", created_by=site.user)
    text = PUBLISHED.format(grade="5 Dan", promoted="6 Dan")
    site.client.post(
        f"/api/v1/events/{event.public_id}/results", text.encode(), content_type="application/octet-stream",
        HTTP_AUTHORIZATION=f"Bearer {secret}",
    )  # fmt: skip
    key.delete()


def command(name, text, **options):
    def door(site, tmp_path):
        path = tmp_path / "file.txt"
        path.write_text(text)
        named = site.user.username if site.user else None
        for as_user in {None, named}:
            with suppress(CommandError, ValidationError, PermissionDenied), transaction.atomic():
                call_command(name, path, list="fesa", as_user=as_user, **{"save": True} | options)
                taken_over.append((name, as_user))
                transaction.set_rollback(True)

    return door


def opening_page(site):
    file = SimpleUploadedFile("list.csv", LIST.format(grade="5 Dan", prior="5 Dan").encode())
    address = f"/organise/lists/{site.fesa.slug}/import/"
    page = site.post(address, file=file, day="2025-01-02")
    opening = (getattr(page, "context", None) or {}).get("opening")
    if opening and opening.upload:
        site.post(address, store="1", upload=opening.upload.pk, day="2025-01-02")


def merged(site):
    merge_players(site.held, site.sato, reason="r")


def merge_page(site):
    site.post("/organise/merge/", gone=site.held.public_id, kept=site.sato.public_id, reason="r")


def announced(site):
    award = Award.objects.get(player=site.sato, needs_approval=True)
    site.post("/organise/grades/", award=[award.pk])
    announce_grades(site.fesa, [award], reason="r")
    announce_due_grades()


def other_system(site):
    """Give the grade under rules without approvals, then bring the rules back."""
    with transaction.atomic():
        site.fesa.system = "bgf"
        save_list(site.fesa)
        save_adjustment(site.decision("given"))
        site.fesa.system = "fesa-2016"
        try:
            save_list(site.fesa)
        finally:
            transaction.set_rollback(True)


def answered_alone(site):
    """Answer and confirm alone where the list has a second approver."""
    RatingList.objects.update(second_approver=True)
    try:
        if site.user is not None and site.user.has_perm("ratings.approve_grade"):
            with suppress(ValidationError, PermissionDenied):
                answer(site.case, Answer(True, DAY, DAY, signed_by="x"))
                confirm(site.case)
    finally:
        with suppress(ValidationError, PermissionDenied):
            reopen(Approval.objects.get(pk=site.case.pk), "x")
        RatingList.objects.update(second_approver=False)


def requested_and_answered_alone(site):
    with suppress(ValidationError, PermissionDenied), transaction.atomic():
        case = request_approval(site.fesa, site.rival, "6 Dan", held_since=DAY, evidence="diploma")
        try:
            answer(case, Answer(True, DAY, DAY, signed_by="x"))
        finally:
            transaction.set_rollback(True)
        raise AssertionError


taken_over: list[tuple[str, str | None]] = []
RULINGS = ("given", "printed", "kept", "approved", "declined", "withheld")
DOORS = {
    **{f"admin: decision {ruling}": admin_decision(ruling) for ruling in RULINGS},
    "admin: decision that ends the waiting": admin_decision("given", "4 Dan"),
    "admin: adjustment": admin_adjustment({"grade": "5 Dan"}),
    "admin: adjustment that ends the waiting": admin_adjustment({"waiting": None}),
    "admin: adjustment that lets 6 Dan wait": admin_adjustment({"waiting": "6 Dan"}),
    "admin: prior grade": admin_prior_grade,
    "admin: delete an approved decision": admin_delete("decision"),
    "admin: delete an approval": admin_delete("approval"),
    "admin: change an approved decision": admin_change("decision"),
    "admin: change an approval": admin_change("approval"),
    "admin: awards and standings": admin_derived,
    "admin: import of files": admin_import,
    **{f"domain: decision {ruling}": domain_decision(ruling) for ruling in RULINGS},
    **{f"domain: proposed decision {ruling}": domain_proposal(ruling) for ruling in RULINGS},
    "domain: another grade ends the waiting": domain_decision("given", "3 Dan"),
    "domain: another answer ends the waiting": domain_decision("declined", "3 Dan"),
    "domain: decision beside the answer": own_decision_as_answer,
    "domain: decision by another's approval": answer_of_another,
    "domain: changed decision": changed_decision,
    "domain: changed adjustment": changed_adjustment,
    "domain: changed prior grade": changed_prior_grade,
    "domain: adjustment": lambda site: save_adjustment(site.adjustment(grade="5 Dan")),
    "domain: several adjustments": lambda site: save_adjustments([site.adjustment(grade="5 Dan")], reason="r"),
    "domain: many adjustments": many_records(lambda site: site.adjustment(grade="5 Dan")),
    **{f"domain: many records, {one}": many_records(lambda site, one=one: site.decision(one)) for one in RULINGS},
    "domain: many records, another grade": many_records(lambda site: site.decision("given", "3 Dan")),
    "domain: decision taken back": lambda site: delete_adjustment(site.approved.decision),
    "domain: proposed removal": lambda site: submit_removal(site.approved.decision),
    "domain: rules without approvals": other_system,
    "approval: answered and confirmed alone": answered_alone,
    "approval: requested and answered alone": requested_and_answered_alone,
    "results page": results_page,
    "API": api_results,
    "opening page": opening_page,
    "command: opening list": command("import_list", LIST.format(grade="5 Dan", prior=""), day=dt.date(2025, 1, 2)),
    "command: opening list, prior grade": command(
        "import_list", LIST.format(grade="", prior="5 Dan"), day=dt.date(2025, 1, 2)
    ),
    "merge": merged,
    "merge page": merge_page,
    "announcement": announced,
}


@pytest.mark.parametrize("role", ROLES)
def test_grade_that_needs_approval_takes_effect_only_by_approval(role, client, tmp_path):
    site = Site(role, client)
    before, in_force = site.records(), site.in_force()
    assert in_force[0] == [(site.sato.pk, "4 Dan", "5 Dan"), (site.rival.pk, "4 Dan", ""), (site.held.pk, "5 Dan", "")]
    assert in_force[1:] == ([(site.held.pk, "5 Dan")], False)
    wrong = {}
    taken_over.clear()
    for name, door in take_share_of(DOORS.items(), ROLES.index(role), len(ROLES)):
        site.case, site.approved = (Approval.objects.get(pk=case.pk) for case in (site.case, site.approved))
        with transaction.atomic():
            with act_as(site.user or AnonymousUser()):
                try:
                    with transaction.atomic():
                        door(site, tmp_path) if name.startswith("command") else door(site)
                except (ValidationError, IntegrityError, PermissionDenied) as error:
                    refusal = error
                else:
                    refusal = None
            if name.startswith("domain") and refusal is None:
                wrong[name] = "not refused"
            site.fesa.refresh_from_db()
            Approval.objects.filter(pk=site.approved.pk, decision=None).update(decision=Decision.objects.first())
            after, now = site.records(), site.in_force()
            if (before, in_force) != (after, now):
                wrong[name] = [key for key in before if before[key] != after[key]] or now
            transaction.set_rollback(True)
    assert wrong == {}
    assert taken_over == []


def test_table_has_a_door_for_every_ruling():
    assert {name.split()[-1] for name in DOORS if name.startswith("domain: decision ")} >= set(RULINGS)
    assert User.objects.count() == 0

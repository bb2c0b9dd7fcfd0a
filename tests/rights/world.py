"""A site with one object of each kind and a person for each column of the table of rights."""

import datetime as dt
import json
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, User
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.grades.announcing import announce_grades
from ratings.domain.grades.approval_opening import request_approval
from ratings.domain.grades.approvals import Answer, answer
from ratings.domain.grades.proposals import serialize_record
from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.lists.publishing import publish
from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.players.merging import merge_players
from ratings.domain.players.reassign_results import move_results
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.batches import create_batch
from ratings.domain.results.deleting import delete_submission, delete_table
from ratings.domain.runs.log_keys import create_first_key
from ratings.domain.site.acting import act_as
from ratings.domain.site.keys import create_key
from ratings.domain.site.reports import report_error
from ratings.domain.site.webhook_secrets import encrypt_secret, new_secret
from ratings.formats.problems import FileProblem
from ratings.models import (
    Adjustment,
    AnswerLink,
    ApiKey,
    Approval,
    ApprovalStep,
    BatchFile,
    Claim,
    Club,
    DatedList,
    Decision,
    EntryList,
    Event,
    EventEntry,
    EventStep,
    Federation,
    FederationMembership,
    Hall,
    HallLink,
    HallResult,
    ListPlayer,
    Membership,
    OutgoingMail,
    OutsideId,
    PairingSecret,
    Parcel,
    Proposal,
    RecordedStep,
    Report,
    RuleProposal,
    Study,
    Submission,
    SubmissionComment,
    Upload,
    WebhookDelivery,
    WebhookSubscription,
    WitnessedLog,
)
from ratings.queries.grades.awards import unannounced_awards
from ratings.systems.messages import message_to_json
from tests.approvals import earn_5_dan, rated
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

from .table import KEYS, PERSONS
from .trying import sign_in

GROUPS = {
    "oth": [ORGANISERS], "own": [ORGANISERS], "coo": [ORGANISERS], "clb": [ORGANISERS],
    "of2": [OFFICERS], "of1": [OFFICERS], "no2": [OFFICERS],
    "ap2": [APPROVERS], "ap1": [APPROVERS], "ina": [ORGANISERS, OFFICERS, APPROVERS],
}  # fmt: skip
DAY = "2024-05-04"


class World:
    """`users`, `sessions` (cookies) and `secrets` of API keys by column, `ids` of the objects as addresses name them."""

    def __init__(self):
        self.ids = {"form": "csv", "events": "events", "players": "players"}
        self.users = {name: self.person(name) for name in PERSONS if name != "vis"}
        self.secretary = make_user("secretary", is_superuser=True)
        self.helper = make_user("helper")
        self.friend = make_user("friend")
        self.friend.groups.add(Group.objects.get(name=ORGANISERS))
        EmailAddress.objects.filter(user=self.helper).update(verified=False)
        UserSession.objects.create(user=self.helper, ip="127.0.0.1", session_key="x", user_agent="x", data={})
        self.make_lists()
        with act_as(self.secretary):
            self.make_players()
            self.make_grades()
            self.make_event()
            self.make_hall()
            self.make_records()
        self.make_webhook()
        self.make_log()
        self.make_keys()
        rated(self.list)
        self.ids["award"] = unannounced_awards(self.list)[0].pk
        self.sessions = {name: sign_in(user) for name, user in self.users.items()}

    def person(self, name):
        """Return a user with a role; all but players have staff status, so that rights and not the admin's log-in refuse."""
        user = make_user(name, is_staff=name != "ply", is_superuser=name in ("adm", "ina"))
        user.groups.set(Group.objects.filter(name__in=GROUPS.get(name, [])))
        if name not in ("ply", "no2"):
            Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
        return user

    def make_lists(self):
        """The list of the table with its own officers and approvers, one with others, and one without results."""
        users = self.users
        self.list, other, self.empty = make_list(), make_list("other"), make_list("empty")
        for one in (self.list, self.empty):
            one.officers.set([users["of1"], users["no2"], users["ina"], self.secretary])
            one.approvers.set([users["ap1"], users["ina"]])
        other.officers.set([users["of2"]])
        other.approvers.set([users["ap2"]])
        self.ids |= {"list": "fesa", "empty": "empty", "list_id": self.list.pk, "federation": "fesa"}
        self.list.federation.administrators.add(self.helper)
        self.ids["administrator"] = self.helper.pk

    def make_players(self):
        self.ada, self.ben = make_player("Ada", public_id="AAA"), make_player("Ben", public_id="BBB")
        self.cal, self.dan = make_player("Cal", public_id="CCC"), make_player("Dan", public_id="DDD")
        for player in (self.ada, self.ben):
            give_rating(self.list, player, 1500, "2023-01-01")
        with act_as(self.users["ply"]):
            type(self.ada).objects.filter(pk=self.ada.pk).update(account=self.users["ply"])
            set_visibility(self.ada, "initials")
        own = RecordedStep.objects.latest("pk")
        self.ids |= {"player": "AAA", "own_step": own.pk, "free": "DDD", "kind": "player"}

    def make_grades(self):
        """Grades that wait for approval, were requested, settled and announced, and one that is not announced yet."""
        winner, rivals = make_player("Win"), [make_player() for _ in range(8)]
        for rival in rivals:
            give_rating(self.list, rival, 1500, "2022-01-01")
        games = [(n, 1, n + 1, 1.0) for n in range(1, 9)]
        make_table(self.list, [winner, *rivals], games, "2024-03-02", event_name="Spring")
        earn_5_dan(self.list)
        waiting = Approval.objects.get()
        requested = request_approval(self.list, self.cal, "5 Dan", held_since=dt.date(2024, 1, 1), evidence="diploma")
        settled = request_approval(self.list, self.dan, "5 Dan", held_since=dt.date(2024, 1, 1), evidence="diploma")
        with act_as(self.helper):
            answer(settled, Answer(False, dt.date(2024, 6, 1), reason="r", letter=("a.txt", b"x")))
        self.make_letter(waiting)
        letter = ApprovalStep.objects.create(case=settled, what="reopened", letter_name="x", letter=b"x")
        Approval.objects.filter(pk__in=[waiting.pk, settled.pk]).update(letter_name="a.txt", letter=b"x")
        rated(self.list)
        announce_grades(self.list, unannounced_awards(self.list)[:1], reason="r")
        rated(self.list)
        self.ids |= {
            "case": waiting.public_id, "requested": requested.public_id, "settled": settled.public_id,
            "letter": letter.pk, "announced": RecordedStep.objects.latest("pk").pk,
        }  # fmt: skip

    def make_letter(self, case):
        """A letter that was sent about an approval, with an open link."""
        type(self.list).objects.filter(pk=self.list.pk).update(approving_person="Ito", approving_mail="ito@example.org")
        link = AnswerLink.objects.create(
            case=case, person="Ito", mail="ito@example.org", expires_at=timezone.now() + dt.timedelta(days=9)
        )
        parcel = Parcel.objects.create(case=case, subject="s", body="b", dossier=b"x", certificate=b"x", link=link)
        self.ids |= {"answer_link": link.pk, "parcel": parcel.pk, "dossier": "dossier"}

    def make_event(self):
        """An event of the owner with two tables, of which one is deleted, and drafts, of which one is deleted."""
        club = Club.objects.create(name="Club")
        club.organisers.add(self.users["clb"])
        self.event = make_event("Cup", DAY, [self.list], club=club, created_by=self.users["own"], time_control="30min")
        self.event.organisers.add(self.users["coo"])
        seated = [make_player(), make_player()]
        self.table = make_table(None, seated, [(1, 1, 2, 1.0)], DAY, event=self.event, name="A")
        gone = make_table(None, seated, [(1, 1, 2, 1.0)], DAY, event=self.event, name="B")
        delete_table(gone)
        self.submission, self.waiting, deleted = (self.make_submission(name) for name in "CDE")
        delete_submission(deleted)
        self.comment = SubmissionComment.objects.create(submission=self.submission, row=1, text="x")
        upload = Upload.objects.create(event=self.event, submission=self.submission, name="x", format="grid", data=b"x")
        EntryList.objects.create(event=self.event)
        self.entry = EventEntry.objects.create(event=self.event, player=self.cal, email="cal@example.org")
        self.pairing_secret = PairingSecret.objects.create(event=self.event, prefix="pp_abcde", digest="x")
        self.ids |= {
            "entry": self.entry.pk, "event": self.event.public_id, "table": self.table.pk, "deleted_table": gone.pk, "submission": self.submission.pk,
            "deleted_submission": deleted.pk, "upload": upload.pk, "club": club.pk,
        }  # fmt: skip

    def make_hall(self):
        """A hall with one round of two boards, a result, and a link for helpers."""
        people = [{"id": number, "family": f"Guest{number}", "given": ""} for number in (1, 2, 3, 4)]
        hall = Hall.objects.create(event=self.event, rounds=2, people=people)
        board = hall.boards.create(round=1, number=1, first=1, second=2)
        hall.boards.create(round=1, number=2, first=3, second=4)
        link = HallLink.objects.create(
            hall=hall,
            label="Tim",
            expires_at=timezone.now() + dt.timedelta(days=9),
            helpers=[{"device": "phone", "name": "Tim", "at": "2024-05-04T12:00:00+00:00"}],
        )
        self.hall_result = HallResult.objects.create(board=board, uuid=uuid4(), code="first", device="tim", link=link)
        self.ids |= {"board": board.pk, "link": link.key, "round": 1}

    def make_log(self):
        """A key that signs the logs, and the log of another site that this one has cosigned."""
        create_first_key()
        WitnessedLog.objects.create(
            log="example.net/lists/fesa", key="example.net+00000000+key", number=1, seen_at=timezone.now()
        )

    def make_webhook(self):
        """A webhook that nothing can be sent to, with a message that arrived, one that waits, and a test message."""
        self.webhook = WebhookSubscription.objects.create(
            federation=self.list.federation, name="Website", address="https://127.0.0.1/", kinds=["list.published"],
            owner=self.users["adm"], secret=encrypt_secret(new_secret()),
        )  # fmt: skip
        made = [
            WebhookDelivery.objects.create(subscription=self.webhook, kind=kind, status=status)
            for kind, status in (("list.published", "delivered"), ("list.published", "waiting"), ("ping", "waiting"))
        ]
        self.ids |= {"webhook": self.webhook.pk, "delivery": made[0].pk, "ping": made[2].pk}

    def make_submission(self, name):
        rows = [
            {"family": one.family_name, "given": "", "country": "FR", "player": one.public_id, "cells": [cell]}
            for one, cell in ((make_player(), "2+"), (make_player(), "1-"))
        ]
        day = dt.date.fromisoformat(DAY)
        content = {"rounds": 1, "rows": rows}
        return Submission.objects.create(event=self.event, first_day=day, last_day=day, name=name, content=content)

    def make_records(self):
        """Create records that officers handle: a merge, moved results, claims, a report, a proposal, a published list."""
        fesa = self.list
        late = self.late = make_player("Late", public_id="LLL")
        moved = make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-02-03", event_name="Moved")
        given = move_results([moved], moved.entries.first().player, make_player(), reason="r")
        self.moved = moved
        give_rating(fesa, gone := make_player(), 1400, "2023-01-01")
        merged = merge_players(gone, make_player(), reason="r")
        give_rating(fesa, late, 1400, "2023-01-01")
        create_claim(self.cal, self.helper, "me")
        open_ = create_claim(self.dan, self.secretary, "me")
        answer_claim(Claim.objects.get(user=self.helper), granted=False, answer="no")
        answered = RecordedStep.objects.latest("pk")
        decision = Decision(list=fesa, player=late, grade="1 Kyu", ruling="given", date="2024-01-05", reason="r")
        save_adjustment(decision)
        rated(fesa)
        proposed = Decision(list=fesa, player=late, grade="1 Dan", ruling="given", date="2024-01-06", reason="r")
        proposal = Proposal.objects.create(
            list=fesa, player=late, kind="decision", what="add", content=serialize_record(proposed), by=self.secretary
        )
        self.decision, self.proposal = decision, proposal
        self.adjustment = Adjustment.objects.get(player=late)
        self.list_player = ListPlayer(list=fesa, player=late, member=True)
        save_list_player(self.list_player)
        rated(fesa)
        self.dated = publish(DatedList(list=fesa, day=dt.date(2024, 2, 28)))
        self.spare = {"player": make_player(), "club": Club.objects.create(name="Spare"), "ratinglist": make_list("spare"),
                      "federation": Federation.objects.create(name="Spare", slug="spare-federation"),
                      "user": self.friend}  # fmt: skip
        self.membership = Membership.objects.create(player=late, club=self.event.club)
        self.former_name = self.ben.former_names.create(family_name="Old", given_name="Ben")
        self.outside_id = OutsideId.objects.create(player=self.ben, registry="egd", value="12345678")
        self.federation_membership = FederationMembership.objects.create(
            federation=self.list.federation, player=late, until="2026-12-31"
        )
        self.mail = OutgoingMail.objects.create(sender="a@example.org", recipients=["b@example.org"], subject="s")
        report = report_error(Report(event=self.event, text="wrong"))
        self.ids |= {
            "move": given.pk, "merge": merged.pk, "claim": open_.pk, "answered": answered.pk, "report": report.public_id,
            "proposal": proposal.pk, "user": self.users["own"].pk, "officer": self.users["of2"].pk, "late": "LLL",
        }  # fmt: skip

    def make_keys(self):
        scopes = ApiKey.Scope
        usual = [scopes.READ, scopes.EVENTS, scopes.RESULTS]
        made = {
            "kre": ("own", [scopes.READ]), "kev": ("own", [scopes.EVENTS]), "krs": ("own", [scopes.RESULTS]),
            "kal": ("of1", [*usual, scopes.ALL_EVENTS]), "kno": ("no2", usual), "kin": ("adm", usual),
        }  # fmt: skip
        self.keys = {name: create_key(self.users[owner], name, scopes=given) for name, (owner, given) in made.items()}
        # the owners' accounts changed after the keys were made
        ApiKey.objects.filter(label="kno").update(scopes=[*usual, scopes.ALL_EVENTS])
        ApiKey.objects.filter(label="kin").update(owner=self.users["ina"])
        User.objects.filter(username="ina").update(is_active=False)
        self.users["ina"].refresh_from_db()
        ApiKey.objects.update(last_used_at=timezone.now() + dt.timedelta(days=1))  # so that use writes nothing
        self.secrets = {name: self.keys[name][1] for name in KEYS}
        with act_as(self.users["own"]):
            self.ids["batch"] = create_batch([("photo.jpg", b"x")]).pk
            file = BatchFile.objects.get(batch=self.ids["batch"])
            BatchFile.objects.filter(pk=file.pk).update(state="people", data=b"last_name,first_name\nDoe,Joe\n")
            self.ids["file"] = file.pk
            self.ids["history_file"] = self.make_history_file(file.batch).pk
        definition = {"candidates": [], "sweep": None, "resamples": 1}
        self.ids["study"] = Study.objects.create(list=self.list, definition=definition).pk
        for state in ("draft", "open", "rejected"):
            self.ids[f"{state}_rules"] = RuleProposal.objects.create(
                list=self.list, title=state, reason="r", proposed_by="p", system="fesa-2016", state=state, work="waiting",
                options={"corrections": "revised"}, in_force=dt.date(2999, 1, 1), since=dt.date(2024, 1, 1),
            ).pk  # fmt: skip
        self.ids["key"] = create_key(self.users["own"], "revoked next")[0].pk

    def make_history_file(self, batch):
        """Return a file of what a uploaded history has beside results: a starting rating of a known player."""
        given = {"date": "2022-01-01", "player": self.cal.public_id, "set": {"rating": 1500}, "reason": "r"}
        players = [{"id": self.cal.public_id, "name": self.cal.name}]
        document = {"format": "ratings-history/1", "system": "fesa-2016", "players": players, "adjustments": [given]}
        problem = message_to_json(FileProblem.HISTORY_HAS_MORE(openings=1, adjustments=0, decisions=0))
        return BatchFile.objects.create(
            batch=batch, name="h.json", digest="h", state="failed", problems=[["error", None, problem]],
            data=json.dumps(document | {"tables": []}).encode(), head={"records": {"system": "fesa-2016", "number": 1}},
        )  # fmt: skip

    def put(self, state):
        """Put the event into a state, with its drafts in the states that belong to it."""
        Event.objects.filter(pk=self.event.pk).update(state=state)
        submission = {"submitted": "submitted", "returned": "returned", "void": "returned"}.get(state, "working")
        Submission.objects.filter(pk=self.submission.pk).update(state=submission)
        waiting = "submitted" if state == "accepted" else "accepted"
        Submission.objects.filter(pk=self.waiting.pk).update(state=waiting)
        if state == "deleted":
            Event.objects.filter(pk=self.event.pk).update(deleted_at=timezone.now())
            EventStep.objects.create(event=self.event, what="deleted", data={"state": "draft", "announced_at": None})
        self.event.refresh_from_db()

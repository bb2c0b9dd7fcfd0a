"""Every page and API operation by which an action of the table is done, with a request that does it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ratings.models import Report, RuleProposal, Study
from tests.portal.results.way import CLEAN
from tests.versions import opened

from .preparing import (
    DAY,
    NEW_EVENT,
    announced,
    answered,
    asked,
    checked,
    chosen,
    edited,
    edited_by_officer,
    entry_settings,
    federation_form,
    imported,
    list_file,
    moved_tables,
    note,
    replied,
    report_form,
    result_files,
    results_imported,
    revoked,
    saved,
    saved_and_deleted,
    sent,
    settled,
    shared,
    submitted_from_a_file,
    tapped,
    webhook_deleted,
    webhook_form,
)
from .table import STATES

EVERY = "".join(STATES)
WAITING = {"waiting": "1"}
COMMENT = {"row-1-given": "", "comment-row": "1", "comment-text": "x"}
TYPED_RULES = "next=1&system=fesa-2016&option-corrections=revised"
NO_SWEEP = {"study": {"sweep": None}, "sweep": None}
ANSWER = {"granted": "yes", "on": "2025-06-01", "effective": "2025-06-01", "signed_by": "x"}


@dataclass(frozen=True)
class Door:
    """One way to do an action. `works` are the states in which it does it, where the action is allowed; elsewhere it
    answers with a reason. `changes` are the tables it changes. `refuses` are further answers that refuse: forms, and
    lists of which others' objects are not a part.
    """

    row: str
    address: str
    method: str = "get"
    args: str = ""
    data: Any = field(default_factory=dict)
    works: str = ""
    changes: str = ""
    states: str = ""
    before: Callable[[Any], None] = lambda world: None
    refuses: tuple[int, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self):
        return f"{self.method} {self.address}"


def make_reading_doors(row, *addresses, states=""):
    """Return doors that only read."""
    several = (address.partition(" ") for address in addresses)
    return [Door(row, name, args=args, states=states) for name, _, args in several]


def finished(world):
    """Give the study a result without games."""
    one = {"system": "fesa-2016", "options": {}, "log_loss": {"mean": 0.6}, "calibration": []}
    Study.objects.filter(pk=world.ids["study"]).update(result={"candidates": [one], "kinds": [], **NO_SWEEP})


def compared(world):
    """Give the study a result with a candidate that has other options than the list."""
    estimate = {"mean": 0.6, "interval": None, "verdict": "no difference"}
    lists = {"drift": None, "gains": [], "losses": []}
    ones = [
        {"system": "fesa-2016", "options": {"corrections": chosen}, "log_loss": estimate, "against": estimate,
         "calibration": [], "lists": lists}
        for chosen in ("kept", "revised")
    ]  # fmt: skip
    Study.objects.filter(pk=world.ids["study"]).update(result={"candidates": ones, "kinds": [], **NO_SWEEP})


def computed(world):
    """Let the effects of the proposals be known."""
    RuleProposal.objects.update(work="done")


PROPOSAL = {
    "title": "Sooner", "reason": "Form.", "proposed_by": "Committee", "in_force": "2999-01-01", "since_year": "2024",
}  # fmt: skip
SEE, CHANGE = "see an event and its drafts", "change, announce or share an event"
MAKE, GIVE, CORRECT = "make an event", "enter, upload and submit results", "correct a table"
WITHDRAW, DRAFT = "withdraw submitted results", "delete and restore a draft event"
REMIND = "remind the officers of waiting results"
REVIEW, VOID = "return and accept results", "void an event, delete a table, restore"
OPEN, DESK, KEYS = "open the organisers' pages", "open the officers' pages", "make an API key"
SETTLE = "settle comments on results"
FILES = "see and submit files of the organiser"
OWN, ANSWERS, MERGE = (
    "change how one's own page is shown",
    "answer claims and reports",
    "merge players of the list, move results",
)
FOLLOW = "follow pages, choose their emails"
INVITE, APPOINT = "invite and dismiss organisers", "appoint and dismiss officers, approvers"
CASE, APPROVE = "see an approval of the list", "send, answer, confirm, reopen approvals"
REPLY = "answer questions about an approval"
REQUEST, CONFIRM = "request an approval, withdraw a request", "confirm and withdraw proposals"
GRADES, IMPORT = "announce grades of the list, undo that", "import a rating list, undo an import"
LABORATORY = "study other rules on the list’s history"
PROPOSE = "propose, adopt and reject rules of the list"
ERASE = "erase a person for good"
SET_UP = "set up the portal"
HOOKS = "keep the webhooks of a federation"


def undo(row, what, works, changes, **more):
    """The button that undoes a step of an event, for one kind of step."""
    before = more.pop("before", None) or note(what, **more)
    return Door(row, "undo_event_step", "post", "event step", works=works, changes=changes, before=before)


EVENT_DOORS = [
    *make_reading_doors(
        SEE,
        "organise_event event",
        "event_history event",
        "event_history_file event form",
        "manage_entries event",
        "event_template event form",
        "managed_roster event form",
        "pairing_program event",
        "submission submission",
        "people submission",
        "upload upload",
        "hall event",
    ),
    Door(SEE, "preview_event", "post", "event"),
    *make_reading_doors(CHANGE, "edit_event event"),
    Door(CHANGE, "edit_event", "post", "event", edited, "dsrav", "event"),
    Door(CHANGE, "share_event", "post", "event", {"who": "friend"}, "dsrav", "event_organisers"),
    Door(CHANGE, "event_act announce", "post", "event", works="dsra", changes="event eventstep"),
    Door(CHANGE, "event_act unannounce", "post", "event", works="dr", changes="event", before=announced),
    Door(CHANGE, "manage_entries", "post", "event", entry_settings, "dr", "entrylist"),
    Door(CHANGE, "pairing_program", "post", "event", works="dr", changes="pairingsecret"),
    Door(CHANGE, "pairing_program", "post", "event", {"revoke": "1"}, "dsrav", "pairingsecret"),
    Door(CHANGE, "add_entry", "post", "event", {"family_name": "New"}, "dr", "evententry"),
    Door(CHANGE, "confirm_entries", "post", "event", lambda world: {"entry": [world.entry.pk]}, "dr", "evententry"),
    Door(CHANGE, "change_entry", "post", "event entry", {"do": "confirm"}, "dr", "evententry"),
    undo(CHANGE, "announced", "dr", "event", before=announced),
    undo(CHANGE, "shared", "dsrav", "event_organisers", before=shared),
    Door(GIVE, "upload_results", "post", "event", {"text": CLEAN}, "dra", "submission upload"),
    Door(GIVE, "submission", "post", "submission", {"row-1-family": "Changed"}, "dra", "submission"),
    Door(GIVE, "people", "post", "submission", {"row-1-choice": "new"}, "dra", "submission"),
    *make_reading_doors(
        GIVE, "hall_players event", "hall_pairings event round", "hall_links event", "hall_link event link"
    ),
    Door(GIVE, "hall_players", "post", "event", {"rounds": 3, "names": "Doe, Joe"}, "dr", "hall"),
    Door(GIVE, "hall_pairings", "post", "event round", {"pairings": "1-2\n3-4 (-l)"}, "dr", "hall hallboard"),
    Door(GIVE, "hall_tap", "post", "event", tapped, "dr", "hall hallresult", refuses=(422,)),
    Door(GIVE, "hall_links", "post", "event", {"label": "Eva"}, "dr", "halllink"),
    Door(GIVE, "hall_links", "post", "event", lambda world: {"revoke": world.ids["link"]}, "dra", "halllink"),
    Door(
        GIVE,
        "hall_links",
        "post",
        "event",
        lambda world: {"restore": world.ids["link"]},
        "dra",
        "halllink",
        before=revoked,
    ),
    Door(
        GIVE, "hall_links", "post", "event", lambda world: {"remove": f"{world.ids['link']}:phone"}, "dra", "halllink"
    ),
    Door(GIVE, "hall_submit", "post", "event", works="dr", changes="submission eventstep hall"),
    *make_reading_doors(GIVE, "delete_submission submission"),
    Door(GIVE, "delete_submission", "post", "submission", works="dra", changes="submission"),
    Door(GIVE, "restore_submission", "post", "deleted_submission", works="dra", changes="submission"),
    Door(GIVE, "event_act submit", "post", "event", works="dra", changes="submission eventstep"),
    undo(GIVE, "withdrawn", "dra", "submission"),
    undo(GIVE, "sheet deleted", "dra", "submission", sheet=True),
    undo(GIVE, "replaced", "dra", "submission", sheet=True),
    Door(CORRECT, "correct_table", "post", "table", works="a", changes="submission"),
    Door(WITHDRAW, "event_act withdraw", "post", "event", works="sa", changes="submission eventstep"),
    undo(WITHDRAW, "submitted", "sa", "submission"),
    undo(WITHDRAW, "proposed", "sa", "submission"),
    Door(REMIND, "remind_officers", "post", "event"),
    *make_reading_doors(DRAFT, "delete_event event"),
    Door(DRAFT, "delete_event", "post", "event", works="dr", changes="event"),
    Door(DRAFT, "restore_event", "post", "event", works="x", changes="event", states="dsrax"),
    undo(DRAFT, "deleted", "x", "event", state="draft", announced_at=None),
    Door(REVIEW, "event_act return", "post", "event", {"note": "x"}, "sa", "submission eventstep"),
    Door(REVIEW, "event_act accept", "post", "event", works="sa", changes="submission table"),
    Door(REVIEW, "accept_several", "post", data=chosen, works="sa", changes="submission table", refuses=(422,)),
    Door(REVIEW, "preview_several", "post", data=chosen, refuses=(422,)),
    Door(REVIEW, "remind_organisers", "post", "event"),
    undo(REVIEW, "returned", "r", "submission"),
    Door(
        REVIEW, "submission", "post", "submission", {"row-1-family": "Changed"} | WAITING, "s", "submission eventstep"
    ),
    Door(REVIEW, "people", "post", "submission", {"row-1-choice": "new"} | WAITING, "s", "submission eventstep"),
    Door(REVIEW, "submission", "post", "submission", COMMENT | WAITING, "s", "submissioncomment"),
    undo(REVIEW, "edited", "s", "submission eventstep", before=edited_by_officer),
    Door(SETTLE, "submission", "post", "submission", settled, "dsrav", "submissioncomment"),
    *make_reading_doors(VOID, "void_event event", "delete_table table"),
    Door(VOID, "void_event", "post", "event", {"reason": "rules", "explanation": "x", "read": "on"}, "a", "event"),
    Door(VOID, "restore_event", "post", "event", works="v", changes="event", states="v"),
    Door(VOID, "delete_table", "post", "table", {"reason": "x"}, "av", "table"),
    Door(VOID, "restore_table", "post", "deleted_table", works="av", changes="table"),
    undo(VOID, "table deleted", "av", "table"),
    undo(VOID, "voided", "v", "event"),
    undo(VOID, "corrected", "", ""),
]
"""Tried in each state of the event."""
# fmt: off
OTHER_DOORS = [
    *make_reading_doors(OPEN, "organise", "known_players", "new_event", "template_file form", "keys"),
    Door(MAKE, "new_event", "post", data=lambda world: NEW_EVENT | {"lists": [world.list.pk]}, works="a", changes="event"),
    *make_reading_doors(OPEN, "files"),
    Door(MAKE, "files", "post", data=result_files, works="a", changes="filebatch batchfile", refuses=(422,)),
    *make_reading_doors(FILES, "batch batch", "batch_people batch", "people_file batch file", "withdraw_batch batch"),
    Door(
        FILES, "withdraw_batch", "post", "batch", lambda world: {"event": world.event.public_id}, "a",
        "submission eventstep", before=submitted_from_a_file,
    ),
    Door(FILES, "batch_people", "post", "batch", {"new": "1"}, "a"),
    Door(
        FILES, "people_file", "post", "batch file", {"column": ["given", "family"], "shown_columns": ""}, "a",
        "batchfile",
    ),
    Door(FILES, "batch", "post", "batch", {"undo_all": "1"}, "a", "filebatch batchfile"),
    *make_reading_doors("open one's own page", "start", "me", "claim_page free", "request_own_erasure", "personal_data"),
    Door("report an error", "new_report", "post", "players player", report_form, "a", "report"),
    *make_reading_doors("report an error", "new_report players player", "report report"),
    Door("claim the page of a player", "claim_page", "post", "free", {"note": "me"}, "a", "claim", refuses=(422,)),
    *make_reading_doors(FOLLOW, "following", "follow kind free"),
    Door(FOLLOW, "follow", "post", "kind free", works="a", changes="follow"),
    Door(FOLLOW, "following", "post", data={"own": "weekly"}, works="a", changes="followsettings"),
    Door(OWN, "me", "post", data=lambda world: {"shown": "full"} | opened(world.ada), works="a", changes="player"),
    Door(OWN, "give_up_page", "post", works="a", changes="player"),
    Door(OWN, "request_own_erasure", "post", works="a", changes="recordedstep", refuses=(422,)),
    Door(OWN, "undo_own_step", "post", "own_step", works="a", changes="player recordedstep"),
    *make_reading_doors(DESK, "desk", "all_events", "queue", "workers", "duplicates", "merge_players", "proposals", "announcements", "claims", "split_player",
           "request_approval", "player_timeline player", "erasures", "request_erasure player", "processing_record"),
    Door(ANSWERS, "answer_claim", "post", "claim", {"grant": "1"}, "a", "claim player"),
    Door(ANSWERS, "request_erasure", "post", "player", {"reason": "x"}, "a", "recordedstep"),
    Door(ANSWERS, "undo_step", "post", "answered", {"reason": "x"}, "a", "claim recordedstep"),
    Door(ANSWERS, "report", "post", "report", lambda world: {"state": "mended", "answer": "x"} | opened(Report.objects.get()),
         "a", "report"),
    Door(MERGE, "merge_players", "post", data={"gone": "AAA", "kept": "BBB", "reason": "x"}, works="a", changes="player merge"),
    Door(MERGE, "undo_merge", "post", "merge", works="a", changes="player merge"),
    Door(MERGE, "undo_merge", "post", "move", works="a", changes="entry merge"),
    Door(MERGE, "split_player", "post", data=moved_tables, works="a", changes="entry merge"),
    *make_reading_doors(ERASE, "erase_person player"),
    Door(ERASE, "erase_person", "post", "player", {"reason": "x", "public_id": "AAA"}, "a", "player recordedstep"),
    *make_reading_doors("change a federation's pages", "edit_federation federation"),
    Door("change a federation's pages", "edit_federation", "post", "federation", federation_form, "a", "federation"),
    Door("change a federation's pages", "invite_administrator", "post", "federation", {"mail": "x@example.org"}, "a",
         "auth_user"),
    Door("change a federation's pages", "remove_administrator", "post", "federation administrator", works="a",
         changes="federation_administrators"),
    *make_reading_doors(HOOKS, "webhooks federation", "webhook federation webhook"),
    Door(HOOKS, "webhooks", "post", "federation", lambda world: webhook_form(world) | {"opened_version": ""}, "a",
         "webhooksubscription"),
    Door(HOOKS, "webhook", "post", "federation webhook", webhook_form, "a", "webhooksubscription"),
    *(Door(HOOKS, f"webhook_act {act}", "post", "federation webhook", works="a", changes="webhooksubscription")
      for act in ("pause", "resume", "rotate", "end_overlap", "delete")),
    Door(HOOKS, "webhook_act test", "post", "federation webhook", works="a", changes="webhookdelivery"),
    Door(HOOKS, "webhook_act replay", "post", "federation webhook", {"since": "2020-01-01T00:00"}, "a", "webhookdelivery"),
    Door(HOOKS, "webhook_act replay", "post", "federation webhook", lambda world: {"delivery": world.ids["delivery"]}, "a",
         "webhookdelivery"),
    Door(HOOKS, "webhook_act restore", "post", "federation webhook", works="a", changes="webhooksubscription",
         before=webhook_deleted),
    Door(KEYS, "keys", "post", data={"label": "x", "scopes": ["read"], "days": "90"}, works="a", changes="apikey"),
    Door("revoke an API key of the organiser", "revoke_key", "post", "key", works="a", changes="apikey"),
    *make_reading_doors("see the API keys of everybody", "all_keys"),
    Door(INVITE, "workers", "post", data={"mail": "x@example.org", "role": "Organisers"}, works="a", changes="auth_user"),
    Door(INVITE, "dismiss_worker", "post", "user", {"role": "Organisers"}, "a", "auth_user_groups"),
    *(Door(APPOINT, "workers", "post", data={"mail": "x@example.org", "role": role}, works="a", changes="auth_user_groups",
           refuses=(422,)) for role in ("Rating officers", "Approvers of grades")),
    Door(APPOINT, "dismiss_worker", "post", "officer", {"role": "Rating officers"}, "a", "auth_user_groups"),
    *make_reading_doors(SET_UP, "setup", "setup_answers", "site_health"),
    Door(SET_UP, "setup", "post", data=lambda world: {"step": "federation", "name": "Other", "house": "pine"}
         | opened(world.list.federation), works="a", changes="federation", refuses=(422,)),
    Door(SET_UP, "setup", "post", data=lambda world: {"step": "list", "name": "Other", "system": "fesa-2016"}
         | opened(world.list), works="a", changes="ratinglist", refuses=(422,)),
    Door(SET_UP, "setup", "post", data={"step": "invitations", "invite-TOTAL_FORMS": "1", "invite-INITIAL_FORMS": "0",
         "invite-0-mail": "x@example.org", "invite-0-role": "Rating officers"}, works="a", changes="auth_user"),
    *make_reading_doors("open the approvers' page", "approvals"),
    *make_reading_doors(CASE, "approval case", "dossier case", "approval_letter case", "step_letter settled letter",
                        "parcel_file case parcel dossier"),
    Door(APPROVE, "approval_act parcel", "post", "case", {"reference": "x"}, "a", "approval parcel answerlink"),
    Door(APPROVE, "revoke_answer_link", "post", "case answer_link", works="a", changes="answerlink"),
    Door(APPROVE, "approval_act send", "post", "case", {"on": "2025-06-01"}, "a", "approval"),
    Door(APPROVE, "approval_act unsend", "post", "case", works="a", changes="approval", before=sent),
    Door(APPROVE, "approval_act answer", "post", "case", ANSWER, "a", "approval decision"),
    Door(APPROVE, "approval_act reopen", "post", "settled", {"reason": "x"}, "a", "approval"),
    Door(APPROVE, "approval_act confirm", "post", "case", works="a", changes="approval decision", before=answered),
    Door(REQUEST, "request_approval", "post", data={"list": "fesa", "player": "AAA", "grade": "5 Dan",
         "held_since": "2024-01-01", "evidence": "x"}, works="a", changes="approval", refuses=(422,)),
    Door(REQUEST, "approval_act withdraw", "post", "requested", {"reason": "x"}, "a", "approval"),
    *(Door(APPROVE, f"approval_act {what}", "post", "case", {"reason": "x"}, "a", table, before=before)
      for what, table, before in (("ask", "approvalquestion", Door.before), ("unask", "approvalquestion", asked),
                                  ("save", "savedanswer", Door.before), ("unsave", "savedanswer", saved),
                                  ("restore", "savedanswer", saved_and_deleted))),
    Door(REPLY, "approval_act reply", "post", "case", {"reply": "x"}, "a", "approvalquestion", before=asked),
    Door(REPLY, "approval_act unreply", "post", "case", works="a", changes="approvalquestion", before=replied),
    Door(CONFIRM, "close_proposal confirm", "post", "proposal", works="a", changes="proposal decision"),
    Door(CONFIRM, "close_proposal withdraw", "post", "proposal", works="a", changes="proposal"),
    Door(GRADES, "announcements", "post", data=lambda world: {"award": [world.ids["award"]]}, works="a", changes="decision",
         refuses=(302,)),
    Door(GRADES, "undo_step", "post", "announced", works="a", changes="decision recordedstep"),
    *make_reading_doors(LABORATORY, "laboratory list", "study list study", "study_file list study"),
    *make_reading_doors(DESK, "laboratories"),
    Door(LABORATORY, "laboratory", "post", "list", {"systems": ["fesa-2000"]}, "a", "study"),
    Door(LABORATORY, "study_chart calibration", args="list study", before=finished),
    Door(LABORATORY, "study", "post", "list study", works="a", changes="study"),
    *make_reading_doors(PROPOSE, "edit_proposal list draft_rules"),
    Door(PROPOSE, "propose_rules", args="list study", before=compared, more={"QUERY_STRING": "candidate=1"}),
    Door(PROPOSE, "propose_rules", "post", "list study", PROPOSAL, "a", "ruleproposal", before=compared,
         more={"QUERY_STRING": "candidate=1"}),
    Door(PROPOSE, "new_proposal", args="list", more={"QUERY_STRING": TYPED_RULES}),
    Door(PROPOSE, "new_proposal", "post", "list", PROPOSAL, "a", "ruleproposal", more={"QUERY_STRING": TYPED_RULES}),
    Door(PROPOSE, "edit_proposal", "post", "list draft_rules", PROPOSAL, "a", "ruleproposal"),
    Door(PROPOSE, "rule_proposal", args="list draft_rules"),
    *(Door(PROPOSE, "decide_proposal", "post", f"list {which}", {button: "1", "reason": "x"}, "a", "ruleproposal", before=computed)
      for button, which in (("publish", "draft_rules"), ("discard", "draft_rules"), ("adopt", "open_rules"),
                            ("reject", "open_rules"), ("withdraw", "open_rules"), ("reopen", "rejected_rules"))),
    *make_reading_doors(IMPORT, "import_list empty"),
    *make_reading_doors(IMPORT, "uploaded_records empty history_file"),
    Door(IMPORT, "uploaded_records", "post", "empty history_file", {"accept": "opening"}, "a", "adjustment batchfile"),
    Door(IMPORT, "uploaded_records", "post", "empty history_file", {"dismiss": "list"}, "a", "batchfile"),
    Door(IMPORT, "import_list", "post", "empty", list_file, "a", "upload"),
    Door(IMPORT, "import_list", "post", "empty", lambda world: {"store": "1", "upload": world.ids["opening"], "day": str(DAY)},
         "a", "adjustment", before=checked),
    Door(IMPORT, "undo_step", "post", "imported", works="a", changes="adjustment recordedstep", before=imported),
    Door(IMPORT, "undo_step", "post", "imported", works="a", changes="event recordedstep", before=results_imported),
]
# fmt: on
JSON = {"content_type": "application/json"}
API_DOORS = [
    Door(MAKE, "api:new_event", "post", data=json.dumps(NEW_EVENT | {"lists": ["fesa"]}), works=EVERY, changes="event",
         states="a", more=JSON),
    Door(SEE, "api:draft", "get", "event"),
    Door(HOOKS, "api:list_webhooks", "get"),
    Door(HOOKS, "api:list_deliveries", "get", "webhook"),
    Door(GIVE, "api:upload_results", "post", "event", CLEAN, "dra", "submission upload",
         more={"content_type": "application/octet-stream"}),
]  # fmt: skip
"""Done with an API key in a header, and never with a session."""
CHANGES_NOTHING = {
    "closing_explanation": "a public page, tested in tests/portal/events/test_closing_explanations.py",
    "closing_card": "the picture of that page, tested in tests/portal/events/test_cards.py",
    "continue_form": "gives back, to its sender alone, a form that was interrupted",
    "answer_link": "for whoever has a link and its code, tested in tests/portal/grades/test_answers.py",
    "api": "describes the API",
    "hall_join": "lets a browser enter results that knows the secret address of a link, by a cookie of its own",
    "hall_worker": "a script, the same for everybody",
    "organise_worker": "a script, the same for everybody",
    "language": "sets a cookie of the visitor's own browser",
    "metrics": "for monitoring programs with a token, tested in tests/portal/site/test_metrics.py",
    "theme": "sets a cookie of the visitor's own browser",
}
"""Further addresses that are no door, beside public pages and those of one's own account."""

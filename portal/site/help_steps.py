"""Steps of the work on this site, by role: the headings of the screens and the help pages are made of them.

A text that changes here changes on its screen and on the help page, so that both say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from ratings.access import Action

from .help_screens import (
    CASE,
    CERTIFICATE,
    ENTRIES,
    EVENT,
    HELPERS,
    NAMES,
    RATING_CHANGE,
    REPORT,
    RESULTS_OF_OFFICER,
    RESULTS_OF_ORGANISER,
    SCREENS,
    DetailScreen,
)

Text = Any
"""A text that is translated when it is shown."""


@dataclass(frozen=True)
class HelpStep:
    """A step: its title, which is also the heading on its screen, and what happens in it.

    `address` is the name of the screen's address, empty where the screen belongs to one event or case, which `single`
    says; `anchor` is the place on it. `note` says in few words what the step is about, where the screen shows that.
    """

    key: str
    title: Text
    text: Text
    address: str = ""
    anchor: str = ""
    note: Text = ""
    single: DetailScreen | None = None

    @property
    def screen(self) -> Text:
        """Title of the screen of the step."""
        return self.single.title if self.single else SCREENS[self.address]

    @property
    def slug(self) -> str:
        """HTML id of the step on the help page."""
        return f"step-{self.key.replace(' ', '-')}"


@dataclass(frozen=True)
class BarStep:
    """A step of the bar on the screens of a role: its name, and a note below it.

    `explained` is the key of the help step that says more. On a screen, the note says what is done and what is missing.
    """

    key: str
    name: Text
    note: Text
    explained: str


@dataclass(frozen=True)
class HelpPage:
    """The help of a role. `action` is what only readers with the role may do; None for everybody.

    `bar` are the steps of the bar at the head of the role's screens, empty if they have none.
    """

    role: str
    title: Text
    lede: Text
    steps: Sequence[HelpStep]
    action: Action | None = None
    reading: Sequence[tuple[Text, str]] = ()
    """Titles and names of addresses of pages that explain more."""
    bar: Sequence[BarStep] = ()

    @property
    def shown_bar(self) -> list[tuple[BarStep, str]]:
        """The steps of the bar with the anchors of the help steps that explain them."""
        return [(step, self.find_step(step.explained).slug) for step in self.bar]

    def find_step(self, key: str) -> HelpStep:
        """Return a step; raise StopIteration for an unknown one."""
        return next(step for step in self.steps if step.key == key)


ANNOUNCE, RESULTS, CHECK, PREVIEW, SUBMIT = "announce", "results", "check", "preview", "submit"
EVENT_BAR = (
    BarStep(ANNOUNCE, _("Announce"), _("in the public calendar"), "announce"),
    BarStep(RESULTS, _("Results"), _("a file, or typed"), "upload"),
    BarStep(CHECK, _("Check"), _("errors and questions"), "check"),
    BarStep(PREVIEW, _("Preview"), _("what the ratings will do"), "submit"),
    BarStep(SUBMIT, _("Submit"), _("an officer accepts it"), "submit"),
)
"""Steps of the bar on the pages of an event and its results, in their order."""


RULES, API, PRIVACY = (
    (_("How ratings work"), "all_rules"),
    (_("API for programs"), "api"),
    (_("Privacy"), "privacy"),
)

EVERYBODY = HelpPage(
    "reader",
    _("Help"),
    _("Ratings, grades and results can be read by everybody, without an account."),
    [
        HelpStep("find", _("Find a player, club or event"), _("Type a part of the name, in any script."), "search"),
        HelpStep(
            "explain",
            _("See where a rating comes from"),
            _("Choose any + or − number: the page shows each game, the rule and the arithmetic."),
            single=RATING_CHANGE,
        ),
        HelpStep(
            "report",
            _("Report an error"),
            _("Each event and player has this link. A rating officer answers, and you can read the answer."),
            single=REPORT,
        ),
        HelpStep(
            "claim",
            _("Claim your page"),
            _("Sign in, then choose “This is me” on your page. Then you decide how your name is shown."),
            "me",
        ),
        HelpStep(
            "certificate",
            _("Check a certificate"),
            _("Scan its QR code, or type the address printed on it: the page says whether it is valid today."),
            single=CERTIFICATE,
        ),
    ],
    reading=[RULES, API, PRIVACY],
)
ORGANISER = HelpPage(
    "organiser",
    _("Help for organisers"),
    _("From the announcement of an event until its ratings are public."),
    [
        HelpStep(
            "announce",
            _("Announce an event"),
            _("Enter its name, days, place and time control, and choose the lists that rate it."),
            "new_event",
        ),
        HelpStep(
            "to do",
            _("To do"),
            _("Your events with what to do next: the most urgent first, with one button each."),
            "organise",
        ),
        HelpStep(
            "entries",
            _("Entries"),
            _(
                "Open entries on the page of an announced event. Players enter themselves, and you confirm them, add"
                " others, or set a limit with a waiting list."
            ),
            single=ENTRIES,
        ),
        HelpStep(
            "templates",
            _("Templates"),
            _(
                "Crosstables to fill in, as XLSX or CSV. Those of an event have its entered players, their ids and "
                "its rounds."
            ),
            "organise",
            "templates",
        ),
        HelpStep(
            "hall",
            _("In the hall"),
            _(
                "Enter results on a phone, round by round: tap the winner. Without a connection they stay on the phone"
                " until it is back."
            ),
            single=EVENT,
        ),
        HelpStep(
            "helpers",
            _("Helpers"),
            _(
                "Give helpers a link: they enter results on their own phones, without an account. It ends by itself,"
                " and you can end it at any time."
            ),
            single=HELPERS,
        ),
        HelpStep(
            "upload",
            _("Upload results"),
            _(
                "One file, twenty or a zip archive, pasted text, or a crosstable that you type. Nothing is submitted"
                " yet."
            ),
            "files",
        ),
        HelpStep(
            "known",
            _("Known"),
            _("Names that one player has. Look through them if the event had guests."),
            single=NAMES,
        ),
        HelpStep(
            "likely",
            _("Likely"),
            _("Names spelt much like a player’s. Accept the sure ones together, and choose the others."),
            single=NAMES,
        ),
        HelpStep(
            "not found",
            _("Not found"),
            _("Names without a player: make them new, or choose who they are by a search."),
            single=NAMES,
        ),
        HelpStep(
            "check",
            _("Check the results"),
            _(
                "All problems at once, named by players and rounds. Fix the errors, by buttons where there are some,"
                " and answer the questions: correct the results, or say why they are right."
            ),
            single=RESULTS_OF_ORGANISER,
        ),
        HelpStep(
            "submit",
            _("Submit to the rating officers"),
            _("Preview the ratings first. You can withdraw the submission until an officer accepts it."),
            single=EVENT,
        ),
        HelpStep(
            "with officer",
            _("With the officer"),
            _(
                "Results that wait, and for how long. If they wait longer than usual, send the officers a reminder by"
                " email."
            ),
            "organise",
        ),
        HelpStep(
            "reminders",
            _("Late results"),
            _(
                "Each list says within how many days it needs results, and how often you are reminded by email after"
                " that."
            ),
            "organise",
        ),
        HelpStep(
            "returned",
            _("Returned by the rating officer"),
            _("The officer’s note and comments say what to change. Change it, then submit again."),
            single=EVENT,
        ),
        HelpStep(
            "correct",
            _("Correct"),
            _("Results that were accepted are corrected the same way. An officer accepts the correction."),
            single=EVENT,
        ),
    ],
    Action.ORGANISE,
    [RULES, API],
    EVENT_BAR,
)
OFFICER = HelpPage(
    "officer",
    _("Help for rating officers"),
    _("What waits on your desk, and what happens with it."),
    [
        HelpStep(
            "results",
            _("Results to accept"),
            _(
                "One line for each event: players, new players, grades, the biggest change, and what is odd. Accept it,"
                " or open the event and return it with a note."
            ),
            "desk",
            "results",
        ),
        HelpStep(
            "several",
            _("Accept several events"),
            _(
                "Events with nothing to look at are chosen. You see the sum of their changes, also as one preview,"
                " before you accept them together. Each is accepted by itself."
            ),
            "desk",
            "results",
        ),
        HelpStep(
            "search",
            _("Search all events"),
            _("In any state, by name, place, player or organiser."),
            "all_events",
        ),
        HelpStep(
            "edit",
            _("Correct results that wait"),
            _(
                "Correct cells, names, players, or the number of rows and rounds, or comment on them. The organisers "
                "receive one email, and each change can be undone."
            ),
            single=RESULTS_OF_OFFICER,
        ),
        HelpStep("late", _("Late results"), _("Events without results. Remind their organisers."), "desk", "late"),
        HelpStep(
            "accepted",
            _("Accepted lately"),
            _(
                "Void an event that must not count, or undo a correction, on the event’s history page. Both can be"
                " taken back."
            ),
            "desk",
            "accepted",
        ),
        HelpStep(
            "announcements",
            _("Grades to announce"),
            _("Grades that results earned. Announced grades stay, whatever is corrected later."),
            "announcements",
        ),
        HelpStep(
            "laboratory",
            _("Try other rules"),
            _(
                "Compare systems and options on a list’s history. Publish a result as a proposal: everybody sees its"
                " effect on their rating before you adopt it."
            ),
            "laboratories",
        ),
        HelpStep(
            "proposals",
            _("Waiting for a second person"),
            _("Decisions and adjustments of another officer. Confirm them, or withdraw them."),
            "proposals",
        ),
        HelpStep("claims", _("Claimed pages"), _("Users who say that they are a player. Answer them."), "claims"),
        HelpStep(
            "duplicates",
            _("Possible duplicates"),
            _("Players who may be one person. A merge shows its consequences first, and can be undone."),
            "duplicates",
        ),
        HelpStep(
            "request",
            _("Request approval of a grade held elsewhere"),
            _("Name the player, the grade and the evidence. The approvers decide."),
            "request_approval",
        ),
    ],
    Action.KEEP_PLAYERS,
    [RULES, API],
)
APPROVER = HelpPage(
    "approver",
    _("Help for approvers of grades"),
    _("High grades are given by two persons, after an outside body has answered."),
    [
        HelpStep(
            "cases",
            _("Grades to be approved"),
            _(
                "A case is opened when a player earns a grade that needs approval. You receive an email. Cases are "
                "sorted by the day an answer is due; you receive a reminder on that day."
            ),
            "approvals",
        ),
        HelpStep(
            "evidence",
            _("Evidence"),
            _("The games that earned the grade, each with the rating after it, and the limit of the rule."),
            single=CASE,
        ),
        HelpStep(
            "letter",
            _("Letter"),
            _(
                "One email to the approving body with the letter, the dossier and a draft of the certificate. It has a"
                " link for one answer; tell the code that you see by phone."
            ),
            single=CASE,
        ),
        HelpStep(
            "answer",
            _("The answer"),
            _(
                "The person answers by the link, or you enter what they wrote. You can ask the rating officers of the"
                " list a question first: the case waits until they answer. What you save for later is seen only by you."
            ),
            single=CASE,
        ),
        HelpStep(
            "two people",
            _("Two people"),
            _(
                "An answer by link waits until an approver confirms it. Where the list has a second approver, that is"
                " not the one who sent the link or entered the answer. Nobody decides their own grade."
            ),
            single=CASE,
        ),
        HelpStep(
            "reopen",
            _("Reopen"),
            _("With a reason, also when the case is settled. Player, officers and approvers receive it by email."),
            single=CASE,
        ),
    ],
    Action.SEE_APPROVALS,
    [RULES],
)
SETUP = (
    HelpStep(
        "federation",
        _("Federation"),
        _("Its name, colours and crest stand at the head of every page."),
        "setup",
        "federation",
        _("name, colour and crest"),
    ),
    HelpStep(
        "list",
        _("First rating list"),
        _("Choose the rating system. It is fixed once the first results are in."),
        "setup",
        "list",
        _("its rating system and its options"),
    ),
    HelpStep(
        "people",
        _("People and present ratings"),
        _("Import the present list from a file, or begin with an empty list."),
        "setup",
        "people",
        _("a file, or the first event brings them"),
    ),
    HelpStep(
        "invitations",
        _("Invitations"),
        _("Invite officers, organisers and approvers by email."),
        "setup",
        "invitations",
        _("officers, organisers, approvers"),
    ),
    HelpStep(
        "mail",
        _("Mail"),
        _("Send a test mail to see whether the mail server works."),
        "setup",
        "mail",
        _("invitations and reminders need it"),
    ),
    HelpStep(
        "event",
        _("First event"),
        _("Announce it, upload its results and accept them: then the list is rated."),
        "setup",
        "event",
        _("the list comes alive"),
    ),
)
"""Steps of the set-up, in their order."""
ADMINISTRATOR = HelpPage(
    "administrator",
    _("Help for administrators"),
    _("The first day of a portal, in six steps. They are on one page, and each is saved by itself."),
    [
        *SETUP,
        HelpStep(
            "approving body",
            _("Approving body"),
            _("If the list has grades that need approval: who answers letters about them, and who signs certificates."),
            "admin:ratings_ratinglist_changelist",
        ),
        HelpStep(
            "webhooks",
            _("Webhooks"),
            _(
                "Notify other programs of changes on the lists: open the federation, then “Webhooks”. Administrators of"
                " the federation can do the same."
            ),
            "admin:ratings_federation_changelist",
        ),
    ],
    Action.SET_UP,
    [RULES, API, PRIVACY],
    [BarStep(step.key, step.title, step.note, step.key) for step in SETUP],
)
PAGES: Mapping[str, HelpPage] = {page.role: page for page in (ORGANISER, OFFICER, APPROVER, ADMINISTRATOR)}
"""Help of each role, by the name in its address."""


def find_step(role: str, key: str) -> HelpStep:
    """Return a step of a role; raise StopIteration for an unknown one."""
    return PAGES[role].find_step(key)

"""The page of a submission's names: who is meant by each."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from portal.site.offline import cache_offline
from portal.site.views.access import require, sign_in_required
from ratings.access import Action, may_edit, may_edit_waiting
from ratings.domain.results.people import (
    NEW,
    Button,
    Choice,
    Group,
    NamedRow,
    accept_likely_players,
    apply_choices,
    count_open_names,
    find_choices_to_undo,
    list_people,
    make_unknown_new,
    save_choices,
    undo_last_choices,
)
from ratings.domain.results.submissions import ConflictError
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import ChoiceStep, SheetContent, content_from_json
from ratings.matching import fold
from ratings.models import Player, RatingList, Submission
from ratings.name_certainty import ACCEPTED_ABOVE
from ratings.queries.events.events import lists_of
from ratings.queries.players.player_details import describe
from ratings.queries.players.roster import Candidate
from ratings.queries.players.suggestions import find_or_suggest

from .submissions import WAITING, get_submission, posted_version

OTHER = "other"
CHOICE = re.compile(r"row-(\d{1,15})-choice", re.ASCII)
SEARCH = re.compile(r"row-(\d{1,15})-q", re.ASCII)
PUBLIC_ID = re.compile(r"[A-Za-z0-9]{1,12}", re.ASCII)
MAX_DIGITS = 15
MOST_SIMILAR = 3
"""Similar players who are named beside an unknown name."""
SHOWN = ("check", "open", "all", "decided")


@dataclass
class Line:
    """A row of the page.

    `certainty` is in whole percent, rounded down. `offered` are the players to choose from as another one; the panel
    with them is open if `is_searching`. `where` says in which files a name of a batch is,
    and `was` is its choice as stored.
    """

    named: NamedRow
    certainty: int = 0
    offered: list[Candidate] = field(default_factory=list)
    searched: str = ""
    is_searching: bool = False
    has_fields: bool = True
    where: str = ""
    was: str = ""

    @property
    def rivals(self) -> list[Candidate]:
        """Candidates beside the likely one, to be named on the row."""
        start = 1 if self.named.candidate else 0
        return self.named.candidates[start : start + MOST_SIMILAR]


@sign_in_required
@cache_offline
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the names of a submission; every button saves the choices, then does its own action.

    The page of an officer saves the choices in submitted results, as steps of the event.
    """
    submission = get_submission(request, pk)
    content = content_from_json(submission.content)
    if request.method != "POST":
        return render_people(request, submission, content)
    choices = read_choices(request.POST, rows_of(content))
    is_waiting = WAITING in request.POST
    if is_waiting:
        require(request, Action.REVIEW, submission)
    if not (may_edit_waiting if is_waiting else may_edit)(request.user, submission):
        text = _("Your choices are not saved: these results are %(state)s.")
        problem = text % {"state": submission.get_state_display()}
        return render_people(request, submission, content, status=409 if is_waiting else 403, problems=[problem])
    try:
        return save_and_respond(request, submission, content, choices)
    except ConflictError as error:
        stored = content_from_json(error.stored.content)
        submission.version = error.stored.version
        apply_choices(stored, read_choices(request.POST, rows_of(stored)), acting_user())
        problems = [*error.messages, _("Your choices are shown below: check them and save again.")]
        return render_people(request, submission, stored, status=409, problems=problems)
    except ValidationError as error:
        return render_people(request, submission, content, status=422, problems=error.messages)


BULK = {"accept": accept_likely_players, "new": make_unknown_new}
"""Functions of the buttons that choose many players at once."""


def save_and_respond(
    request: HttpRequest, submission: Submission, content: SheetContent, choices: Mapping[int, str]
) -> HttpResponse:
    """Save the choices of the page and do the action of its button."""
    post, version = request.POST, posted_version(request.POST)
    waiting = WAITING in post
    if "undo" in post:
        undo_last_choices(submission, content, version, is_waiting=waiting)
        return redirect(page_address(request, submission))
    if choices and save_choices(submission, content, choices, ChoiceStep(Button.SAVE, []), version, is_waiting=waiting):
        version = submission.version
    for button in BULK.keys() & post.keys():
        BULK[button](submission, content, version, is_waiting=waiting)
        return redirect(page_address(request, submission, done=True))
    if number := searched_row(post, rows_of(content)):
        return render_people(request, submission, content, searched=(number, post.get(f"row-{number}-q", "")))
    if "leave" in post:
        return redirect("organise_event", submission.event.public_id)
    return check_names(request, submission, content) if "check" in post else redirect(page_address(request, submission))


def check_names(request: HttpRequest, submission: Submission, content: SheetContent) -> HttpResponse:
    """Go on to the results if no name is open, else show the page again."""
    if open_names := count_open_names(submission, content, acting_user()):
        return render_people(request, submission, content, problems=[describe_open(open_names)])
    return redirect("submission", submission.pk)


def describe_open(count: int) -> str:
    text = ngettext("%(count)d name still needs you.", "%(count)d names still need you.", count)
    return text % {"count": count}


def page_address(request: HttpRequest, submission: Submission, *, done: bool = False) -> str:
    """Return the address of the page with the same filter; `done` shows the notice of the last choices."""
    query = request.GET.copy()
    query.pop("done", None)
    if done:
        query["done"] = "1"
    address = reverse("people", args=[submission.pk])
    return f"{address}?{query.urlencode()}" if query else address


def rows_of(content: SheetContent) -> Container[int]:
    return range(1, len(content.rows) + 1)


def read_choices(post: QueryDict, rows: Container[int]) -> dict[int, str]:
    """Return the posted choices by row; a row without a choice, or with another player not yet chosen, has none."""
    choices: dict[int, str] = {}
    for name in post:
        match = CHOICE.fullmatch(name)
        if not match or int(match[1]) not in rows:
            continue
        number, choice = int(match[1]), post.get(name, "")
        chosen = post.get(f"row-{number}-other", "") if choice == OTHER else choice
        if chosen and PUBLIC_ID.fullmatch(chosen):
            choices[number] = chosen
    ids = {choice for choice in choices.values() if choice != NEW}
    known = set(Player.objects.filter(public_id__in=ids).values_list("public_id", flat=True)) if ids else set()
    return {number: choice for number, choice in choices.items() if choice == NEW or choice in known}


def searched_row(post: QueryDict, rows: Container[int]) -> int | None:
    """Return the row whose search button was pressed, or in whose search field Enter was; None if there is none."""
    wanted = post.get("find", "")
    if not wanted and "enter" in post:
        filled = (match[1] for name in post if (match := SEARCH.fullmatch(name)) and post.get(name, "").strip())
        wanted = next(filled, "")
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) <= MAX_DIGITS else 0
    return number if number in rows else None


def render_people(
    request: HttpRequest,
    submission: Submission,
    content: SheetContent,
    *,
    status: int = 200,
    searched: tuple[int, str] | None = None,
    **more: Any,
) -> HttpResponse:
    """Render the names that the filter shows; `searched` is a row and the text to search for another player."""
    listed = list_people(submission, content, acting_user())
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else SHOWN[0]
    name = request.GET.get("q", "").strip()
    changed = request.GET.get("change", "")
    lines = {row.number: make_line(row) for row in listed.rows}
    for line in lines.values():
        line.has_fields = line.named.group != Group.KNOWN or str(line.named.number) == changed
    if searched and searched[0] in lines:
        search_for(lines[searched[0]], lists_of(submission.event), searched[1])
    rows = {"check": listed.to_check, "open": listed.open, "all": listed.rows, "decided": listed.decided}
    wanted = [row for row in rows[shown] if fold(name) in fold(row.row.name)]
    by_group = {group: [lines[row.number] for row in wanted if row.group == group] for group in Group}
    known = listed.of(Group.KNOWN) if shown == "check" else [line.named for line in by_group[Group.KNOWN]]
    opened = shown == "all" or bool(changed)
    upload = submission.uploads.defer("data").first()
    reviewing = may_edit_waiting(request.user, submission)
    step = find_choices_to_undo(submission, content, is_waiting=reviewing)
    context = {
        "submission": submission,
        "event": submission.event,
        "file": upload.name if upload else "",
        "people": listed,
        "likely": by_group[Group.LIKELY],
        "not_found": by_group[Group.NOT_FOUND],
        "known": [lines[row.number] for row in known if fold(name) in fold(row.row.name)],
        "known_opened": opened or bool(searched and searched[0] in {row.number for row in known}),
        "counts": {name: len(rows) for name, rows in rows.items()},
        "groups": {
            "known": len(listed.of(Group.KNOWN)),
            "likely": len(listed.of(Group.LIKELY)),
            "not_found": len(listed.of(Group.NOT_FOUND)),
        },
        "unsure": sum(1 for row in listed.open if row.group == Group.LIKELY and not row.is_sure),
        "nameless": sum(1 for row in listed.open if row.group == Group.NOT_FOUND and not row.can_be_new),
        "step": step,
        "done": "done" in request.GET and step,
        "shown": shown,
        "name": name,
        "threshold": ACCEPTED_ABOVE,
        "editable": reviewing or may_edit(request.user, submission),
        "reviewing": reviewing,
        "action": page_address(request, submission),
    }
    return render(request, "results/people.html", context | more, status=status)


def make_line(row: NamedRow) -> Line:
    """Return a line with the certainty of the likely player and the other candidates."""
    line = Line(row)
    if row.candidate is not None:
        line.certainty = min(99, int(100 * row.candidate.certainty))
    line.offered = [each for each in row.candidates if each != row.candidate or row.choice == Choice.OTHER]
    line.is_searching = row.choice == Choice.OTHER
    return line


def search_for(line: Line, lists: Sequence[RatingList], text: str) -> None:
    """Open the panel of a line with the players that a text finds, by name or public id."""
    found = find_or_suggest(text, lists, line.named.row.country)
    line.offered = [Candidate(player, "", describe(player)) for player in found]
    line.searched, line.is_searching, line.has_fields = text, True, True

"""Invariants of the database after any fault: no step is half done, nothing acknowledged is missing or done twice."""

from collections import Counter, defaultdict

from django.contrib.auth.models import User

from ratings.access import OFFICERS
from ratings.domain.results.table_versions import build_content_from_table
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.mails import TO_OFFICERS, TO_ORGANISERS, get_officers, get_organisers
from ratings.formats.sheet_content import content_from_json
from ratings.models import (
    Adjustment,
    Decision,
    Entry,
    Event,
    EventStep,
    Merge,
    Player,
    RatingList,
    Run,
    Submission,
    Table,
    Upload,
)
from tests import invariants

What = EventStep.What
HANDED_IN, TAKEN_IN = {What.SUBMITTED, What.PROPOSED}, {What.ACCEPTED, What.CORRECTED}
MAKES = {
    "submit": HANDED_IN,
    "withdraw": {What.WITHDRAWN},
    "return": {What.RETURNED},
    "accept": TAKEN_IN,
    "void": {What.VOIDED},
    "restore": {What.UNVOIDED, What.RESTORED},
    "delete event": {What.DELETED},
    "delete submission": {What.DRAFT_DELETED},
    "restore submission": {What.DRAFT_RESTORED},
}
"""The steps that an action of a person makes."""
UNDOES = {
    What.SUBMITTED: {What.WITHDRAWN},
    What.PROPOSED: {What.WITHDRAWN},
    What.WITHDRAWN: HANDED_IN,
    What.RETURNED: {What.RETURN_UNDONE},
    What.ACCEPTED: {What.ACCEPTANCE_UNDONE},
    What.CORRECTED: TAKEN_IN,
    What.DRAFT_DELETED: {What.DRAFT_RESTORED},
    What.REPLACED: {What.DRAFT_RESTORED},
    What.VOIDED: {What.UNVOIDED, What.RESTORED},
    What.DELETED: {What.UNVOIDED, What.RESTORED},
}
"""The steps that undoing a step makes."""


def state_problems(began):
    """Yield what is half done. `began` holds the state of each event at the beginning, by primary key."""
    for event in Event.objects.all():
        yield from (f"{event}: {problem}" for problem in invariants.state_problems(event, began.get(event.pk)))
        yield from (f"{event}: {problem}" for problem in acceptance_problems(event))
    for record in Merge.objects.select_related("gone", "kept"):
        yield from (f"merge {record.pk} ({record.reason}): {problem}" for problem in merge_problems(record))
    active = Counter(Merge.objects.filter(undone_at=None).values_list("gone", flat=True))
    for player in Player.objects.filter(merged_into__isnull=False):
        if active[player.pk] != 1:
            yield f"{player} is merged away by {active[player.pk]} merges"


def acceptance_problems(event):
    """Yield a problem unless each accepted submission is in exactly one step that accepted it."""
    steps = event.steps.filter(what__in=TAKEN_IN)
    undone = event.steps.filter(what=What.ACCEPTANCE_UNDONE).count()
    first = event.steps.filter(what=What.ACCEPTED).order_by("pk")[:undone]  # each undoes the acceptance before it
    steps = steps.exclude(pk__in=first.values("pk"))
    taken_in = Counter(pk for step in steps for pk in step.data["sheets"])
    accepted = event.submissions.filter(state=Submission.State.ACCEPTED).exclude(accepted_at=None)
    if set(accepted.values_list("pk", flat=True)) != set(taken_in) or max(taken_in.values(), default=1) > 1:
        yield f"accepted submissions are {list(accepted)}, steps accepted {dict(taken_in)}"


def results(content):
    """Return who plays and the cells of each row; players who are duplicates of one another are the same."""
    return [(name_of(row.player), row.cells) for row in content.rows if not row.empty]


def name_of(public_id):
    return Player.objects.get(public_id=public_id).family_name


def merge_problems(record):
    record.gone.refresh_from_db()
    moved = Entry.objects.filter(table__in=record.moved["table"])
    if record.undone_at is None:
        if record.gone.merged_into_id != record.kept_id:
            yield "the player who is gone does not lead to the other one"
        if pointing := [model.__name__ for model in (Entry, Adjustment, Decision)
                        if model.objects.filter(player=record.gone).exists()]:  # fmt: skip
            yield f"rows still point at the player who is gone: {pointing}"
    elif not Merge.objects.filter(pk__gt=record.pk, gone__in=[record.gone, record.kept]).exists():
        if record.gone.merged_into_id is not None:
            yield "it is undone, and the player is still gone"
        later = Submission.objects.filter(table__in=record.moved["table"], accepted_at__gt=record.at)
        back = set(moved.filter(player=record.gone).values_list("table", flat=True))
        present = set(Table.objects.filter(pk__in=record.moved["table"]).values_list("pk", flat=True))
        if missing := present - back - set(later.values_list("table", flat=True)):
            yield f"it is undone, and the player does not sit in {sorted(missing)}"


def journal_problems(journal):
    """Yield what was acknowledged and is missing, or was done more often than it was asked for."""
    yield from saved_problems(journal)
    yield from step_problems(journal)
    for line in journal.sent("paste"):
        made = Upload.objects.filter(data=line.sent["text"].encode()).count()
        tries = [other for other in journal.sent("paste") if other.sent == line.sent]
        if made > 1 or (made == 0 and any(other.is_acknowledged for other in tries)):
            yield f"{line}: {made} uploads"
    for line in journal.sent("new event"):
        made = Event.objects.filter(name=line.sent["name"]).count()
        if made > 1 or (line.is_acknowledged and made == 0):
            yield f"{line}: {made} events"
    for line in journal.sent("merge"):
        made = Merge.objects.filter(reason=line.sent["reason"]).count()
        if made > 1 or (line.is_acknowledged and made == 0):
            yield f"{line}: {made} merges"
    for record in Merge.objects.filter(pk__in=journal.undone, undone_at=None):
        yield f"merge {record.pk} is not undone, and a person was told that it is"


def saved_problems(journal):
    """Yield saves whose texts are not in the database, though no later save replaced them."""
    saves, edits = defaultdict(list), versions_of_edits()
    for line in journal.sent("save"):
        saves[int(line.path.split("/")[3])].append(line)
    for submission in Submission.objects.filter(pk__in=saves):
        by_version = defaultdict(list)
        for line in saves[submission.pk]:
            if line.is_acknowledged or line.is_unknown:
                by_version[int(line.sent["version"]) + 1].append(line)
        for version, lines in by_version.items():
            acknowledged = makers_of_version(
                [line for line in lines if line.is_acknowledged], edits[submission.pk, version]
            )
            if len(acknowledged) > 1 or (acknowledged and version > submission.version):
                yield f"submission {submission.pk} is at version {submission.version}; saved: {[str(line) for line in acknowledged]}"
        last = by_version[submission.version]
        possible = [line for line in last if line.is_acknowledged] or last
        is_undone_edit = not last and edits[submission.pk, submission.version]
        if submission.version and not is_undone_edit and not any(holds(submission, line.sent) for line in possible):
            yield f"submission {submission.pk} at version {submission.version} does not hold {[str(line) for line in possible]}"
    lost = set(saves) - set(Submission.objects.values_list("pk", flat=True))
    if lost:
        yield f"submissions {sorted(lost)} are gone"


def versions_of_edits():
    """Return who made each version of waiting results by a change or its undo, by submission and version."""
    made = defaultdict(set)
    for step in EventStep.objects.filter(what=What.EDITED).select_related("by"):
        made[step.data["sheet"], step.data["version"]].add(step.by.username)
    return made


def makers_of_version(acknowledged, editors):
    """Return the saves that made a version.

    An officer who changed nothing in waiting results made none, nor did the second of two equal changes sent at once.
    """
    if len(acknowledged) < 2:
        return acknowledged
    officers = set(User.objects.filter(groups__name=OFFICERS).values_list("username", flat=True))
    made = []
    for line in acknowledged:
        is_repeated = any((line.who, line.sent) == (other.who, other.sent) for other in made)
        if line.who not in officers or (line.who in editors and not is_repeated):
            made.append(line)
    return made


def holds(submission, sent):
    """Return True if a submission holds what was sent: its name, reason and every cell."""
    rows = content_from_json(submission.content).rows
    cells = {
        f"row-{number}-round-{round_}": text
        for number, row in enumerate(rows, 1)
        for round_, text in enumerate(row.cells, 1)
    }
    typed = {name: text for name, text in sent.items() if name in cells}
    return bool(typed) and typed.items() <= cells.items() and sent["name"] == submission.name and (
        sent.get("reason", submission.reason) == submission.reason
    )  # fmt: skip


def step_problems(journal):
    """Yield events with fewer steps of a person than were acknowledged, or more than were asked for."""
    asked = defaultdict(Counter)
    events = dict(Event.objects.values_list("public_id", "pk"))
    of_submissions = dict(Submission.objects.values_list("pk", "event"))
    for line in journal.lines:
        parts = line.path.split("/")
        if line.what not in MAKES and line.what != "undo":
            continue
        event = of_submissions[int(parts[3])] if parts[2] == "sheets" else events[parts[3]]
        undone = EventStep.objects.get(pk=parts[5]).what if line.what == "undo" else None
        if undone == What.EDITED:  # an officer's save and its undo make steps of the same kind
            continue
        whats = UNDOES[undone] if undone else MAKES[line.what]
        kind = "done" if line.is_acknowledged else "unknown" if line.is_unknown else "refused"
        asked[event, line.who, frozenset(whats)][kind] += 1
    for (event, who, whats), counted in asked.items():
        made = EventStep.objects.filter(event=event, by__username=who, what__in=whats).count()
        if not counted["done"] <= made <= counted["done"] + counted["unknown"]:
            yield f"event {event}: {who} made {made} steps {sorted(whats)}, the answers said {dict(counted)}"


def is_about_edits(subject):
    """Return True for a mail about officers' changes: one mail tells of all changes of five minutes, if any are left."""
    return subject.endswith(f": {What.EDITED.label}")


def edit_mail_problems(delivered):
    """Yield mails about officers' changes of an event of which there are more than changes."""
    edits = EventStep.objects.filter(what=What.EDITED).select_related("event")
    made = Counter(f"{step.event.name}: {What.EDITED.label}" for step in edits)
    for (address, subject), count in delivered.items():
        if is_about_edits(subject) and count > made[subject]:
            yield f"{address} got {count} mails {subject!r}, for {made[subject]} changes"


def step_mail_problems(delivered):
    """Yield differences between the mails about steps that people got and those that they were to get.

    Those about a deleted event may be missing: nobody is told of a step that was gone before its mail was written.
    """
    deleted = {f"{event.name}: " for event in Event.objects.filter(state=Event.State.DELETED)}
    expected = mails_expected()
    for key in {*delivered, *expected}:
        address, subject = key
        least = 0 if subject.startswith(tuple(deleted)) else expected[key]
        if not is_about_edits(subject) and not least <= delivered[key] <= expected[key]:
            yield f"{address} got {delivered[key]} mails {subject!r}, not {expected[key]}"


def find_missing_steps(least):
    """Return the steps that were not taken as often as they must be, with their numbers."""
    steps = Counter(EventStep.objects.values_list("what", flat=True))
    return {what: steps[what] for what, number in least.items() if steps[what] < number}


def mails_expected():
    """Return how often each person is to get a mail of each subject: once a step that concerns them."""
    expected = Counter()
    for step in EventStep.objects.filter(what__in=[*TO_OFFICERS, *TO_ORGANISERS]).select_related("event"):
        if step.event.state == Event.State.DELETED:
            step.event.state = Event.State.DRAFT  # as when the step was taken: nobody reviews a deleted event
        people = get_officers(step.event) if step.what in TO_OFFICERS else get_organisers(step.event)
        for address in {user.email for user in people if user.pk != step.by_id}:
            expected[address, f"{step.event.name}: {step.get_what_display()}"] += 1
    return expected


def tables_made_twice():
    """Yield tables of one event that hold the same results."""
    seen = {}
    for table in Table.objects.order_by("pk"):
        content = build_content_from_table(table)
        key = table.event_id, str(results(content))
        if key in seen:
            yield f"tables {seen[key]} and {table.pk} of event {table.event_id} hold the same results"
        seen[key] = table.pk


def assert_nothing_lost(site, journal, began):
    for rating_list in RatingList.objects.all():
        assert (rating_list.out_of_date_from, rating_list.problem) == (None, "")
        assert list(find_differences(rating_list)) == []
    assert list(Run.objects.filter(state__in=["running", "waiting"])) == []
    assert list(state_problems(began)) == []
    assert list(tables_made_twice()) == []
    assert list(journal_problems(journal)) == []
    delivered = site.delivered()
    assert list(edit_mail_problems(delivered)) == []
    assert list(step_mail_problems(delivered)) == []

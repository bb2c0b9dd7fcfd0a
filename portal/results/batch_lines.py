"""Lines of the page of a batch: what became of each file, what it needs, and what can be submitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import as_sentence
from ratings.domain.results.accepted_records import read_accepted
from ratings.domain.results.announced_players import can_be_people
from ratings.domain.results.batch_previews import list_previewable
from ratings.domain.results.uploaded_records import holds_records, list_record_lists
from ratings.formats.changes import Difference, find_differences
from ratings.formats.problems import FileProblem
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.localize import format_days, format_moment, join_parts, translate_message
from ratings.models import BatchFile, Event, Submission
from ratings.queries.results.batches import load_contents
from ratings.queries.results.workflow import name_players, page_versions
from ratings.systems.messages import has_code, message_from_json

State, Found = BatchFile.State, BatchFile.Found
MAX_CHANGES = 5
MAX_REPAIRED = 3


@dataclass(frozen=True)
class Tag:
    text: str
    tone: str = ""


@dataclass
class FileLine:
    """One file of a batch with its tone (bad, ask, ok or none), title, tags, sentences and the page it leads to."""

    file: BatchFile
    tone: str
    title: str
    tags: list[Tag] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    address: str = ""
    button: str = ""
    changes: Sequence[Difference] = ()
    more_changes: int = 0
    replaced: Submission | None = None
    is_submitted: bool = False
    preview: dict[str, Any] | None = None
    typing: str = ""
    """Address for typing the results of a file that cannot be read; empty if its event is unknown."""
    is_previewed: bool = False
    """True if a worker computes the preview, which may not be ready yet."""
    has_draft: bool = False
    """True for a draft that can be changed."""


@dataclass(frozen=True)
class EventChoice:
    """An event of a batch that can be submitted, or `reason` why not yet; `version` is that of its page."""

    event: Any
    reason: str
    version: str


@dataclass(frozen=True)
class Question:
    """An open question about a draft: its key on the page, its message, and the round and player that it concerns.

    `place` is empty for a question about the whole table. `takes_days` is True if the event's days answer it.
    """

    key: str
    message: str
    place: str = ""
    takes_days: bool = False


@dataclass(frozen=True)
class DraftWithQuestions:
    """A draft with its open questions, the name of its file, and the page on which it is checked."""

    submission: Submission
    file_name: str
    questions: list[Question]


ORDER = ("bad", "ask", "ok", "")


def build_file_lines(files: Iterable[BatchFile], user: Any) -> list[FileLine]:
    """Return a line for each file, for its owner: what cannot be read first, then what asks, then what is ready.

    `add_details` completes the lines that are shown.
    """
    files = list(files)
    lines = [_build_records(file, user) if holds_records(file) else _build_line(file) for file in files]
    previewed = {file.pk for file in list_previewable(files)}
    for line in lines:
        line.is_previewed = line.file.pk in previewed
    return sorted(lines, key=lambda line: ORDER.index(line.tone))


def add_details(lines: Sequence[FileLine]) -> None:
    """Add to the lines of one page their previews, repaired texts, and what differs from the drafts they replaced."""
    summaries = name_players([line.file.preview if line.is_previewed else None for line in lines])
    for line, summary in zip(lines, summaries, strict=True):
        line.preview = summary
    drafts = [(line, line.file.submission) for line in lines if line.has_draft and line.file.submission]
    load_contents([draft for _line, draft in drafts], replaced=True)
    for line, draft in drafts:
        _add_repaired_texts(line, draft)
        _add_replaced(line, draft)


def _build_line(file: BatchFile) -> FileLine:
    builders: dict[str, Callable[[BatchFile], FileLine]] = {
        State.FAILED: _build_failed,
        State.ASKS: _build_asking,
        State.READ: _build_read,
    }
    if file.state in builders:
        return builders[file.state](file)
    if file.state == State.KNOWN:
        return _build_known(file)
    if file.state == State.PEOPLE:
        players = file.report.get("players", 0)
        text = ngettext("%(count)d player is announced for the other files.",
                        "%(count)d players are announced for the other files.", players)  # fmt: skip
        button = _("Columns and names")
        address = reverse("people_file", args=[file.batch_id, file.pk])
        line = FileLine(file, "ok", _("New players"), [Tag(_("People"))], [text % {"count": players}], address, button)
        if asked := file.report.get("names", 0):
            line.tone, line.tags = "ask", [*line.tags, Tag(_("Question"), "warn")]
            named = ngettext("%(count)d name equals or resembles that of a known player.",
                             "%(count)d names equal or resemble those of known players.", asked)  # fmt: skip
            line.sentences.append(named % {"count": asked})
        return line
    if file.state == State.UNDONE:
        return FileLine(
            file, "", file.name, [Tag(_("Undone"))], [_("No draft of this file is left. It can be read again.")]
        )
    return FileLine(file, "", file.name, [Tag(_("Not read yet"))])


def _build_failed(file: BatchFile) -> FileLine:
    if any(has_code(message_from_json(message), FileProblem.RIF_LEFT_OUT) for _level, _line, message in file.problems):
        return FileLine(file, "", file.name, [Tag(_("Partly read"))], list(_describe_problems(file)))
    tags = [Tag(_("Not read"), "bad")]
    line = FileLine(file, "bad", _("This file cannot be read"), tags, list(_describe_problems(file)))
    if file.event is not None and file.event.state in Event.CHANGEABLE:
        line.typing = f"{reverse('organise_event', args=[file.event.public_id])}#type"
    elif name := file.report.get("name", ""):
        line.typing = reverse("new_event", query={"name": name})
    if can_be_people(file):
        line.address = reverse("people_file", args=[file.batch_id, file.pk])
        line.button = _("It has new players: choose the columns")
    return line


def _build_records(file: BatchFile, user: Any) -> FileLine:
    """Return the line of what a history holds beside results; officers of the list find there how to accept it."""
    line = FileLine(file, "ask", _("Starting ratings, adjustments and decisions"), [Tag(_("For an officer"), "warn")])
    line.sentences = list(_describe_problems(file))
    if accepted := len(read_accepted(file)):
        text = ngettext("%(count)d record accepted.", "%(count)d records accepted.", accepted)
        line.sentences.append(text % {"count": accepted})
    if lists := list_record_lists(file, user):
        line.address, line.button = reverse("uploaded_records", args=[lists[0].slug, file.pk]), _("Review records")
    else:
        line.sentences.append(_("The officers of the list see them in their queue."))
    return line


def _describe_problems(file: BatchFile) -> Iterable[str]:
    for _level, line, message in file.problems[:MAX_CHANGES]:
        text = translate_message(message_from_json(message))
        yield _("Line %(line)d: %(text)s") % {"line": line, "text": text} if line else text


def _build_asking(file: BatchFile) -> FileLine:
    sentences = {
        ("name",): _("The file does not say the name of the event."),
        ("days",): _("The file does not say the days of the event."),
    }
    sentence = sentences.get(tuple(file.missing)) or _("The file does not say the name and the days of the event.")
    return FileLine(file, "ask", file.head.get("name") or file.name, [Tag(_("Answer needed"), "warn")], [sentence])


def _build_known(file: BatchFile) -> FileLine:
    event = file.event
    line = FileLine(file, "ok", str(event or file.name), [Tag(_("Already there"))])
    line.sentences.append(_("The portal has these results. Nothing was made from the file."))
    if event is not None and event.state == Event.State.ACCEPTED:
        line.address, line.button = event.get_absolute_url(), _("Results")
    elif file.submission is not None:
        line.address, line.button = file.submission.get_absolute_url(), _("Check")
    return line


def _build_read(file: BatchFile) -> FileLine:
    submission, event = file.submission, file.event
    if submission is None or event is None or submission.state == Submission.State.DELETED:
        return FileLine(file, "", file.name, [Tag(_("Draft deleted"))], [_("The draft of this file was deleted.")])
    line = FileLine(file, "ok", str(submission))
    line.tags = [Tag(_("New event"), "accent") if file.found == Found.NEW else Tag(_("Recognised"), "good")]
    line.sentences.append(_describe_draft(file, event))
    line.address, line.button = submission.get_absolute_url(), _("Check")
    if not submission.is_open:
        line.tags.append(Tag(submission.get_state_display().capitalize(), "good"))
        line.is_submitted, line.button = True, _("Open")
        return line
    line.has_draft = True
    _add_open_points(line, file)
    return line


def _describe_draft(file: BatchFile, event: Event) -> str:
    players, rounds, games = (file.report.get(name, 0) for name in ("players", "rounds", "games"))
    head = [event.place, format_days(event.start, event.end)]
    counts = [
        ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
        ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds},
        ngettext("%(count)d game", "%(count)d games", games) % {"count": games},
    ]
    return f"{as_sentence(', '.join(filter(None, [*head, event.time_control])))} {as_sentence(', '.join(counts))}"


def _add_replaced(line: FileLine, submission: Submission) -> None:
    """Say which draft a newer file replaced, and what differs."""
    replaced = next(iter(submission.replaced.all()), None)
    if replaced is None:
        return
    changes = find_differences(content_from_json(replaced.content), content_from_json(submission.content))
    line.replaced, line.changes = replaced, changes[:MAX_CHANGES]
    line.more_changes = max(0, len(changes) - MAX_CHANGES)
    line.tags[0] = Tag(_("Draft replaced"), "accent")
    line.sentences.insert(0, _("Replaces your draft of %(time)s.") % {"time": format_moment(replaced.changed_at)})


def _add_repaired_texts(line: FileLine, submission: Submission) -> None:
    """Say how texts were read whose letters were wrong in the file, at most `MAX_REPAIRED`."""
    messages = (message_from_json(remark["message"]) for remark in submission.content.get("remarks", ()))
    repaired = (message for message in messages if has_code(message, FileProblem.ENCODING_REPAIRED))
    line.sentences += [as_sentence(translate_message(message)) for message in islice(repaired, MAX_REPAIRED)]


def _add_open_points(line: FileLine, file: BatchFile) -> None:
    report = file.report
    points = describe_open_points(report)
    if not points:
        line.tags.append(Tag(_("Ready"), "good"))
        return
    line.tone = "ask"
    line.tags += [Tag(point, "bad" if tone == "bad" else "warn") for point, tone in points]
    if report.get("open") and file.submission is not None:
        line.address, line.button = reverse("people", args=[file.submission.pk]), _("Check names")


def describe_open_points(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a draft still needs, each with its tone."""
    names, errors, questions = report.get("open", 0), report.get("errors", 0), len(report.get("questions", ()))
    points = [
        (report.get("lists", 1) == 0, _("no rating list yet"), "warn"),
        (names, ngettext("%(count)d name to check", "%(count)d names to check", names), "warn"),
        (errors, ngettext("%(count)d error", "%(count)d errors", errors), "bad"),
        (questions, ngettext("%(count)d question", "%(count)d questions", questions), "warn"),
    ]
    found = [(text % {"count": count}, tone) for count, text, tone in points if count]
    return found if found or report.get("ready") else [(_("No results"), "bad")]


def list_event_choices(files: Iterable[BatchFile]) -> list[EventChoice]:
    """Return the events of a batch with open drafts, in date order, and what each needs before it can be submitted."""
    by_event: dict[int, tuple[Event, list[str]]] = {}
    for file in files:
        event, submission = file.event, file.submission
        if file.state != State.READ or event is None or submission is None or not submission.is_open:
            continue
        if event.state not in Event.CHANGEABLE:
            continue
        _event, reasons = by_event.setdefault(event.pk, (event, []))
        reasons += [point for point, _tone in describe_open_points(file.report)]
    versions = page_versions(by_event)
    choices = [
        EventChoice(event, join_parts(dict.fromkeys(reasons)), versions[event.pk])
        for event, reasons in by_event.values()
    ]
    return sorted(choices, key=lambda choice: (choice.event.end, choice.event.start, choice.event.pk))


def list_drafts_with_questions(files: Iterable[BatchFile]) -> list[DraftWithQuestions]:
    """Return the drafts of a batch with open questions, in the order of the files, each with its questions."""
    asking = [
        (file, file.submission)
        for file in files
        if file.state == State.READ and file.submission and file.submission.is_open and file.report.get("questions")
    ]
    load_contents([draft for _file, draft in asking])
    drafts = []
    for file, draft in asking:
        content = content_from_json(draft.content)
        questions = [_build_question(draft, content, entry) for entry in file.report["questions"]]
        drafts.append(DraftWithQuestions(draft, file.name, questions))
    return drafts


def _build_question(submission: Submission, content: SheetContent, entry: Sequence[Any]) -> Question:
    """Return a question from its entry in a report; those of earlier releases have neither its round nor its fix."""
    key, row, message, round_, fix = (*entry, None, "")[:5] if len(entry) < 5 else entry
    name = content.rows[row - 1].name if row and row <= len(content.rows) else ""
    parts = [
        _("Round %(round)s") % {"round": round_} if round_ else "",
        name,
        _("row %(row)s") % {"row": row} if row else "",
    ]
    text = translate_message(message_from_json(message))
    return Question(f"{submission.pk}:{key}", text, join_parts(parts), fix == "days")

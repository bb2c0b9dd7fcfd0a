"""Set-up of a portal from a file: federation, lists, present ratings, people and first event, all or nothing.

Applying a file again changes nothing: known rows are updated, stored ratings and invited people are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import validate_email
from django.db import models, transaction
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.crests import clean_crest
from ratings.domain.events.tables import save_event
from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.federations import find_free_slug
from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.lists.list_import_files import summarise_import
from ratings.domain.results.file_submissions import ResultsFile
from ratings.domain.results.imports import import_results_file
from ratings.domain.results.submitting import announce_event
from ratings.domain.runs.log_keys import create_first_key
from ratings.domain.runs.outcome import UnratableError
from ratings.domain.runs.rerating import rerate
from ratings.formats.event_head import Head
from ratings.formats.list_import import read_list_import
from ratings.formats.parsed import Problems
from ratings.formats.recognise import read_results_file
from ratings.formats.setup_file import EventPart, FederationPart, ListPart, PersonPart, SetupFile, SetupFileError
from ratings.models import Event, Federation, RatingList
from ratings.queries.lists.list_scales import scale_of

from .accounts import invite

GROUPS = {"officer": OFFICERS, "organiser": ORGANISERS, "approver": APPROVERS}
Reader = Callable[[str], bytes]
"""Returns the content of a file that is named in the set-up file; raises OSError."""


@transaction.atomic
def apply_setup(content: SetupFile, read: Reader) -> list[str]:
    """Store everything that a set-up file says, and return a line for each of its parts.

    Raise SetupFileError, with the key of the problem, if anything cannot be stored.
    """
    federation, line = _save_federation(content.federation, read)
    lines = [line]
    for number, part in enumerate(content.lists):
        lines += _save_list(part, f"lists[{number}]", federation, read)
    for number, person in enumerate(content.people):
        lines.append(_invite(person, f"people[{number}]"))
    if content.event:
        lines.append(_save_event(content.event, federation, read))
    if content.lists and create_first_key():
        lines.append("log key: created; print it with `manage.py log_key`")
    return lines


@contextmanager
def _located(place: str) -> Iterator[None]:
    """Turn an error of a row into one that names the key in the file."""
    try:
        yield
    except ValidationError as error:
        by_field = error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
        problems = [
            f"{place}{'' if field == NON_FIELD_ERRORS else f'.{field}'}: {' '.join(messages)}"
            for field, messages in by_field.items()
        ]
        raise SetupFileError(problems) from None


def _read_file(read: Reader, name: str, place: str) -> bytes:
    try:
        return read(name)
    except OSError as error:
        raise SetupFileError([f"{place}: {name}: {error.strerror}; paths are relative to the set-up file"]) from None


def _save_federation(part: FederationPart, read: Reader) -> tuple[Federation, str]:
    known = Federation.objects.filter(name=part.name).first()
    federation = known or Federation(slug=find_free_slug(Federation, part.name))
    values = part.model_dump(exclude={"crest"})
    if part.crest:
        with _located("federation.crest"):
            values["crest"] = clean_crest(_read_file(read, part.crest, "federation.crest"))
    changed = _set_values(federation, values)
    if changed or known is None:
        with _located("federation"):
            federation.full_clean()
            federation.save()
    return federation, f"federation {federation.name}: {_describe(known is None, changed)}"


def _set_values(row: models.Model, values: Mapping[str, Any]) -> list[str]:
    """Set the values of a row, and return the names of those that are new."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed


def _describe(is_new: bool, changed: list[str]) -> str:
    if is_new:
        return "created"
    return f"changed: {', '.join(changed)}" if changed else "unchanged"


def _save_list(part: ListPart, place: str, federation: Federation, read: Reader) -> Iterator[str]:
    known = RatingList.objects.filter(slug=part.slug).first()
    if known and known.federation_id != federation.pk:
        raise SetupFileError([f"{place}.slug: {part.slug} is a list of {known.federation}; choose another short name"])
    rating_list = known or RatingList(slug=part.slug, federation=federation)
    changed = _set_values(rating_list, part.model_dump(exclude={"slug", "ratings", "day"}))
    if changed or known is None:
        with _located(place):
            save_list(rating_list)
    yield f"{place} {part.slug}: {_describe(known is None, changed)}"
    if part.ratings:
        yield _import_ratings(part, place, rating_list, read)


def _import_ratings(part: ListPart, place: str, rating_list: RatingList, read: Reader) -> str:
    place = f"{place}.ratings"
    data = _read_file(read, part.ratings, place)
    parsed, problems = read_list_import(data, scale=scale_of(rating_list))
    _check_problems(problems, f"{place}: {part.ratings}")
    assert parsed is not None
    day = part.day or parsed.day
    if day is None:
        raise SetupFileError([f"{place}: {part.ratings} does not contain its day; add day = 2026-11-01 below it"])
    try:
        result = import_rating_list(parsed, rating_list, problems, day=day, source=part.ratings)
    except UnratableError as error:
        raise SetupFileError([f"{place}: {part.ratings}: the list could not be rated with it: {error}"]) from None
    _check_problems(problems, f"{place}: {part.ratings}")
    return f"{place}: {summarise_import(result, rating_list, day)}"


def _check_problems(problems: Problems, place: str) -> None:
    """Raise SetupFileError with all problems of a file that has errors."""
    if problems.fatal:
        raise SetupFileError([f"{place}: {problem}" for problem in problems.sorted_by_position()])


def _invite(part: PersonPart, place: str) -> str:
    with _located(f"{place}.mail"):
        validate_email(part.mail)
    group, mail = GROUPS[part.role], part.mail.lower()
    known = EmailAddress.objects.filter(email__iexact=mail, verified=True).values("user")
    if User.objects.filter(pk__in=known, groups__name=group).exists():
        return f"{place} {mail}: is {part.role} already"
    with _located(f"{place}.mail"):
        invite(mail, role=group)
    return f"{place} {mail}: invited as {part.role}"


def _save_event(part: EventPart, federation: Federation, read: Reader) -> str:
    rating_list = RatingList.objects.filter(slug=part.list, federation=federation).first()
    if rating_list is None:
        slugs = ", ".join(federation.lists.values_list("slug", flat=True)) or "none"
        raise SetupFileError([f"event.list: no list {part.list}; lists of {federation}: {slugs}"])
    if part.results:
        return _import_results(part, rating_list, read)
    if Event.objects.filter(name=part.name, start=part.start, lists=rating_list).exists():
        return f"event {part.name}: is there already"
    event = Event(**part.model_dump(exclude={"list", "results", "end"}), end=part.end or part.start)
    with _located("event"):
        announce_event(save_event(event, [rating_list]))
    return f"event {part.name}: announced for {part.start}"


def _import_results(part: EventPart, rating_list: RatingList, read: Reader) -> str:
    place, data = f"event.results: {part.results}", _read_file(read, part.results, "event.results")
    head = Head(part.name, part.start, part.end or part.start)
    found = read_results_file(data, head, timezone.now().date())
    _check_problems(found.problems, place)
    assert found.table is not None
    file = ResultsFile(part.results, data, found.format, found.table, found.problems)
    imported = import_results_file(file, rating_list)
    _check_problems(file.problems, place)
    if imported.duplicate:
        return f"event {part.name}: is there already"
    rerate(rating_list.pk)
    return f"event {part.name}: {len(found.table.rows)} players, {found.table.rounds} rounds, rated"

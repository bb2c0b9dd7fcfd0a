"""Starting a hall, its people, and the lock that orders all changes of a hall."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_countries import countries

from ratings.characters import invisible_characters
from ratings.domain.site.acting import acting_user
from ratings.formats.parsed import ROUNDS_AT_MOST, ROWS_AT_MOST
from ratings.formats.sheet_content import SheetRow
from ratings.localize import join_parts
from ratings.matching import fold
from ratings.models import Event, Hall
from ratings.queries.events.events import lists_of
from ratings.queries.players.roster import Roster
from ratings.queries.results.halls import Person, people_of, read_hall

MAX_NAME_LENGTH = 100


def lock_hall(hall: Hall) -> Hall:
    """Return the stored hall, locked until the transaction ends. Raise ValidationError if its event is not open."""
    hall = Hall.objects.select_for_update(of=("self",)).select_related("event").get(pk=hall.pk)
    if not hall.event.is_open:
        message = _("The results of this event are %(state)s: they can no longer be changed in the hall.")
        raise ValidationError(message % {"state": hall.event.get_state_display()})
    return hall


def save_changed(hall: Hall, *fields: str) -> None:
    """Save a locked hall with a new version."""
    hall.version += 1
    hall.changed_at = timezone.now()
    hall.save(update_fields=["version", "changed_at", *fields])


@transaction.atomic
def start_hall(event: Event, rounds: int) -> Hall:
    """Return the hall of an open event; start it if there is none. Raise ValidationError if the event is not open."""
    if not event.is_open:
        raise ValidationError(_("Results can be entered in the hall only before they are submitted."))
    check_rounds(rounds)
    hall, _made = Hall.objects.get_or_create(event=event, defaults={"rounds": rounds, "started_by": acting_user()})
    return hall


def check_rounds(rounds: int) -> None:
    """Raise ValidationError for an impossible number of rounds."""
    if not 1 <= rounds <= ROUNDS_AT_MOST:
        raise ValidationError(_("Enter a number of rounds from 1 to %(most)d.") % {"most": ROUNDS_AT_MOST})


@transaction.atomic
def set_rounds(hall: Hall, rounds: int) -> None:
    """Change the number of rounds. Raise ValidationError if a later round has boards."""
    check_rounds(rounds)
    hall = lock_hall(hall)
    if hall.boards.filter(round__gt=rounds).exists():
        raise ValidationError(_("Round %(round)d has pairings: delete them first.") % {"round": rounds + 1})
    hall.rounds = rounds
    save_changed(hall, "rounds")


def read_names(text: str) -> list[Person]:
    """Return the people of a text, one per line as “Family name, Given name, country”; their ids are 0.

    Raise ValidationError with all lines that are not a name.
    """
    people, problems = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        family, given, country, *more = [part.strip() for part in f"{line},,".split(",")]
        person = Person(0, family, given, country.upper())
        problem = find_name_problem(person)
        if not problem and any(more[:-1]):
            problem = _("Write one player per line, as “Family name, Given name, country”.")
        if problem:
            problems.append(_("Line %(line)d: %(problem)s") % {"line": number, "problem": problem})
        people.append(person)
    if problems:
        raise ValidationError(problems)
    return people


def find_name_problem(person: Person) -> str:
    """Return why a person cannot be stored under this name; empty if they can."""
    if not person.family:
        return _("Enter a family name.")
    if max(len(person.family), len(person.given)) > MAX_NAME_LENGTH:
        return _("A name can have at most %(most)d characters.") % {"most": MAX_NAME_LENGTH}
    if invisible := invisible_characters(f"{person.family} {person.given}"):
        return _("The name contains invisible characters: %(characters)s.") % {"characters": join_parts(invisible)}
    if person.country and person.country not in countries:
        return _("“%(code)s” is not a country: use two letters, for example FR.") % {"code": person.country[:20]}
    return ""


@transaction.atomic
def add_people(hall: Hall, people: Sequence[Person]) -> int:
    """Add people who are not in the hall yet, by name; return how many."""
    hall = lock_hall(hall)
    added = append_people(hall, people)
    save_changed(hall, "people")
    return len(added)


def append_people(hall: Hall, people: Sequence[Person]) -> list[Person]:
    """Add people to a locked hall without saving it; return those who were not in it."""
    present = people_of(hall)
    known = {fold(person.name) for person in present.values()}
    new: list[Person] = []
    next_id = max(present, default=0) + 1
    for person in people:
        if fold(person.name) not in known:
            known.add(fold(person.name))
            new.append(replace(person, id=next_id + len(new)))
    if len(present) + len(new) > ROWS_AT_MOST:
        raise ValidationError(_("At most %(most)d players.") % {"most": ROWS_AT_MOST})
    _set_people(hall, [*present.values(), *new])
    return new


def people_version(hall: Hall) -> str:
    """Return a text that changes with the people of a hall, for forms that were opened before another change."""
    return hashlib.sha256(json.dumps(hall.people).encode()).hexdigest()[:16]


@transaction.atomic
def change_people(hall: Hall, changes: Mapping[int, Person | None], version: str = "") -> None:
    """Rename people, or remove those for whom the change is None.

    `version` is the one of the page from which the form was sent. Raise ValidationError if the people were changed
    since, if a name is invalid or occurs twice, or if a person to remove has a board.
    """
    hall = lock_hall(hall)
    if version and version != people_version(hall):
        raise ValidationError(
            _("The players were changed meanwhile; your entries are not saved. Check and save again.")
        )
    state, people, problems = read_hall(hall), dict(people_of(hall)), []
    seated = {id for each in state.rounds for b in each.boards for id in (b.board.first, b.board.second)}
    for id, change in changes.items():
        if change is None and id in seated:
            message = _("%(name)s has a board: change the pairings before you remove them.")
            problems.append(message % {"name": people[id].name})
        elif change is None:
            people.pop(id, None)
        elif problem := find_name_problem(change):
            problems.append(f"{change.name or people[id].name}: {problem}")
        elif id in people:
            people[id] = replace(change, id=id)
    names = [fold(person.name) for person in people.values()]
    problems += [
        _("Two players are called %(name)s: add something that tells them apart.") % {"name": person.name}
        for place, person in enumerate(people.values())
        if fold(person.name) in names[:place]
    ]
    if problems:
        raise ValidationError(problems)
    _set_people(hall, list(people.values()))
    save_changed(hall, "people")


def _set_people(hall: Hall, people: Sequence[Person]) -> None:
    """Set the people of a hall, and assign the known players who are the only ones with exactly these names."""
    rows = [SheetRow(person.family, person.given, person.country, person.player) for person in people]
    roster = Roster(rows, (), lists_of(hall.event), hall.event.end)
    players = [roster.match(number, row).player for number, row in enumerate(rows, 1)]
    hall.people = [
        asdict(replace(person, player=player.public_id if player else ""))
        for person, player in zip(people, players, strict=True)
    ]

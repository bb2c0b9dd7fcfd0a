"""Columns and answers for a file of new players: saved, and used for the drafts of its batch."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.lists.file_reading import FileReading
from ratings.formats.people.new_players import NEW, NewPlayer
from ratings.formats.sheet_content import SheetRow, content_from_json
from ratings.models import BatchFile, FileBatch, Submission

from .announced_players import (
    PeopleFile,
    can_be_people,
    describe_people,
    get_name_key,
    read_people_file,
    store_people_reading,
)
from .batch_people import list_open_drafts, save_in_drafts
from .people import Button

State = BatchFile.State


@transaction.atomic
def save_people_reading(file: BatchFile, reading: FileReading) -> PeopleFile:
    """Save the columns and answers of a file, and use it for the open drafts of the batch.

    Players who were chosen in the drafts stay as they are; what changes can be undone like other choices of the batch.
    A draft that was changed or submitted meanwhile is left as it is.
    A file that cannot be read with these columns is saved, too, with its problems. Raise ValidationError for a file
    that is none of new players.
    """
    FileBatch.objects.select_for_update().get(pk=file.batch_id)
    file = BatchFile.objects.select_related("batch__made_by").get(pk=file.pk)
    if not can_be_people(file):
        raise ValidationError(_("%(file)s is not a file of new players.") % {"file": file})
    store_people_reading(file, reading)
    read = read_people_file(file)
    if read.players and not read.problems.fatal:
        file.state, file.report, file.problems = State.PEOPLE, describe_people(read), []
    file.save()
    if file.state == State.PEOPLE:
        _use_for_drafts(file, read)
    return read


def _use_for_drafts(file: BatchFile, read: PeopleFile) -> None:
    """Choose the announced players for the open names of the drafts of a batch."""
    announced = {get_name_key(player.family, player.given): player for player in read.players}
    unanswered = {question.line.line for question in read.names.open}
    wanted: dict[Submission, dict[int, str]] = {}
    for draft in list_open_drafts(file.batch):
        content, choices = content_from_json(draft.content), {}
        for number, row in enumerate(content.rows, 1):
            player = announced.get(get_name_key(row.family, row.given))
            if player is None or row.player or player.line in unanswered:
                continue
            if row.new and player.answer in ("", NEW):
                continue
            choices[number] = player.answer or _get_certain(read, player) or NEW
            if choices[number] == NEW:
                _fill_empty_fields(row, player, file.name)
        if choices:
            draft.content = content.to_json()
            wanted[draft] = choices
    save_in_drafts(wanted, Button.SAVE)


def _fill_empty_fields(row: SheetRow, player: NewPlayer, source: str) -> None:
    """Enter the announced data of a new player where a row has none; `source` names the file."""
    row.country = row.country or player.country
    row.outside = {**player.outside, **row.outside}
    if player.prior_grade and not row.prior_grade:
        row.prior_grade, row.evidence = player.prior_grade, source


def _get_certain(read: PeopleFile, player: NewPlayer) -> str:
    """Return the public id of the known player whom a line certainly means; empty if there is none."""
    certain = (each for each in read.names.questions if each.is_certain and each.line.line == player.line)
    return next((each.candidates[0].public_id for each in certain), "")

"""Import of a rating list from a file that an officer uploads: checked first, then confirmed and stored."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.runs.outcome import UnratableError
from ratings.domain.site.acting import acting_user
from ratings.formats.list_import import read_list_import
from ratings.formats.parsed import Problems
from ratings.formats.people.people_sheet import PeopleSheet
from ratings.formats.people.rating_sheet import read_titles
from ratings.localize import format_day, join_clauses
from ratings.models import RatingList, Upload
from ratings.queries.lists.list_scales import scale_of

from .file_reading import FileReading, describe_reading, find_earlier_columns, read_reading
from .list_import import ListImportResult, import_rating_list
from .matching import NameAnswers

WAITING_PERIOD = dt.timedelta(days=1)


@dataclass
class ListImport:
    """Problems of a file, and the result of importing it or a preview of that; `upload` waits for confirmation.

    `sheet` holds the columns of a file that has any, and `names` the questions about names.
    """

    problems: Problems
    day: dt.date | None = None
    result: ListImportResult = field(default_factory=ListImportResult)
    summary: str = ""
    upload: Upload | None = None
    sheet: PeopleSheet | None = None
    names: NameAnswers = field(default_factory=NameAnswers)

    @property
    def is_ready(self) -> bool:
        """Return True if the file can be imported as it is."""
        return not (self.problems.fatal or self.result.is_empty or self.names.open)

    @property
    def can_be_fixed(self) -> bool:
        """Return True if the file may be imported after a person says more: its columns, or who its names are."""
        return self.sheet is not None if self.problems.fatal else bool(self.names.open)


def check_list_import(
    rating_list: RatingList, name: str, data: bytes, *, day: dt.date | None, default_day: dt.date | None = None
) -> ListImport:
    """Return what importing a file would do, made and rolled back.

    The file is stored until it is confirmed, or until more is said about it. `default_day` is the day of a file that
    has none, if no `day` is given. The columns are those that were chosen for an earlier file with the same titles.
    """
    reading = FileReading(find_earlier_columns(rating_list, read_titles(data)))
    opening = _preview_file(rating_list, name, data, day, reading, default_day=default_day)
    if not (opening.is_ready or opening.can_be_fixed):
        return opening
    with transaction.atomic():
        Upload.objects.filter(format=Upload.WAITING, at__lt=timezone.now() - WAITING_PERIOD).delete()
        opening.upload = Upload.objects.create(
            list=rating_list,
            name=name[-200:],
            format=Upload.WAITING,
            data=data,
            by=acting_user(),
            reading=describe_reading(reading, read_titles(data)),
        )
    return opening


@transaction.atomic
def read_again(rating_list: RatingList, upload: int, reading: FileReading, *, day: dt.date | None) -> ListImport:
    """Store what a person says about a waiting file, and return what importing it would do then.

    ValidationError: the file no longer waits.
    """
    waiting = _get_waiting(rating_list, upload)
    data = bytes(waiting.data)
    waiting.reading = describe_reading(reading, read_titles(data))
    waiting.save(update_fields=["reading"])
    opening = _preview_file(rating_list, waiting.name, data, day, reading)
    opening.upload = waiting
    return opening


def get_reading(rating_list: RatingList, upload: int) -> FileReading:
    """Return what was said about a waiting file. ValidationError: the file no longer waits."""
    return read_reading(_get_waiting(rating_list, upload))


@transaction.atomic
def confirm_list_import(rating_list: RatingList, upload: int, *, day: dt.date) -> ListImport:
    """Import a file that was checked, after checking it again; from then on the file is stored permanently.

    ValidationError: the file no longer waits.
    """
    waiting = _get_waiting(rating_list, upload, lock=True)
    reading = read_reading(waiting)
    opening = _import_file(rating_list, waiting.name, bytes(waiting.data), day, reading, upload=waiting)
    if opening.is_ready:
        waiting.format = Upload.RATING_LIST
        waiting.save(update_fields=["format"])
    else:
        opening.upload = waiting
    return opening


def _get_waiting(rating_list: RatingList, upload: int, *, lock: bool = False) -> Upload:
    uploads = Upload.objects.select_for_update() if lock else Upload.objects.all()
    waiting = uploads.filter(pk=upload, format=Upload.WAITING, list=rating_list).first()
    if waiting is None:
        raise ValidationError(_("This file was imported already, or has expired: choose it again."))
    return waiting


def _preview_file(
    rating_list: RatingList,
    name: str,
    data: bytes,
    day: dt.date | None,
    reading: FileReading,
    *,
    default_day: dt.date | None = None,
) -> ListImport:
    with transaction.atomic():
        opening = _import_file(rating_list, name, data, day, reading, default_day=default_day)
        transaction.set_rollback(True)
    return opening


def _import_file(  # noqa: PLR0913 - the list, the file with what was said about it, and its day
    rating_list: RatingList,
    name: str,
    data: bytes,
    day: dt.date | None,
    reading: FileReading,
    *,
    default_day: dt.date | None = None,
    upload: Upload | None = None,
) -> ListImport:
    parsed, problems = read_list_import(data, reading.columns, scale_of(rating_list))
    names = NameAnswers(reading.people)
    opening = ListImport(problems, day or (parsed.day if parsed else None) or default_day, names=names)
    opening.sheet = read_titles(data, reading.columns)
    if parsed is None:
        return opening
    if opening.day is None:
        problems.error(_("the file does not contain the day of the list; enter the day"))
        return opening
    try:
        opening.result = import_rating_list(
            parsed, rating_list, problems, day=opening.day, source=name, upload=upload, answers=names
        )
    except UnratableError as error:
        problems.error(_("the list could not be rated with it: %(error)s") % {"error": error})
    if not (problems.fatal or names.open):
        opening.summary = summarise_import(opening.result, rating_list, opening.day)
    return opening


def summarise_import(opened: ListImportResult, rating_list: RatingList, day: dt.date) -> str:
    """Return one line that summarises an import."""
    existing, fields = opened.unchanged, {"list": rating_list.slug, "day": format_day(day)}
    if opened.is_empty:
        message = _("already there: all %(all)d players have these ratings on %(list)s on %(day)s; nothing to store")
        return message % {"all": existing, **fields}
    message = _("%(given)d players given their ratings on %(list)s on %(day)s")
    parts = [message % {"given": len(opened.adjusted), **fields}]
    if opened.new:
        parts.append(_("%(new)d of them new") % {"new": len(opened.new)})
    if existing:
        parts.append(_("%(there)d had them already") % {"there": existing})
    if opened.details:
        parts.append(
            _("prior grade, country, birth year, gender or membership stored for %(details)d")
            % {"details": opened.details}
        )
    return join_clauses(parts)

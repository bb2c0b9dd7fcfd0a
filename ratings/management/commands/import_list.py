from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.lists.list_import_files import summarise_import
from ratings.domain.runs.outcome import UnratableError
from ratings.formats.fesa.rating_list_reader import ParsedList
from ratings.formats.fide.country_codes import FEDERATION_BY_COUNTRY, country_code
from ratings.formats.fide.list_players import Selection
from ratings.formats.fide.rating_list_reader import looks_like_fide_list, read_fide_stream
from ratings.formats.fide.xml_list import looks_like_fide_xml, read_fide_xml_stream
from ratings.formats.list_import import read_list_import
from ratings.formats.parsed import BYTES_AT_MOST, Problems
from ratings.formats.problems import FileProblem
from ratings.models import RatingList
from ratings.queries.lists.list_scales import scale_of

from ._days import read_day_argument
from ._files import FIX_ERRORS, content, report
from ._lists import list_argument, the_list
from ._people import named_people, people_arguments
from ._saving import check_saving, report_dry_run, saving_argument

FIDE_BYTES_AT_MOST = 2_000_000_000
"""Maximum number of bytes of FIDE's list, which has two million players: more than twice its XML of 2026."""
FIDE_STREAMS = ((looks_like_fide_list, read_fide_stream), (looks_like_fide_xml, read_fide_xml_stream))


class Command(BaseCommand):
    help = (
        "Import a federation's rating list (FESA, FIDE, EGD, FFG, AGA, CSV or .xlsx) as one starting adjustment"
        " per player. A dry run without --save."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        list_argument(parser)
        parser.add_argument(
            "--country",
            action="append",
            default=[],
            metavar="CODE",
            help="only players of this federation, for FIDE's list; may be given several times",
        )
        parser.add_argument("--day", type=read_day_argument, metavar="YYYY-MM-DD", help="default: the day in the file")
        people_arguments(parser)
        saving_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path, rating_list = options["file"], the_list(options["list"])
        check_saving(options)
        parsed, problems = self.read(path, rating_list, options["country"])
        if parsed is None:
            report(self, path.name, problems)
            raise CommandError(FIX_ERRORS)
        day = options["day"] or parsed.day
        if day is None:
            report(self, path.name, problems)
            raise CommandError(f"{path.name} does not contain its day; add --day YYYY-MM-DD")
        with transaction.atomic(), named_people(options, rating_list) as start:
            try:
                opened = import_rating_list(parsed, rating_list, problems, day=day, source=path.name, start=start)
            except UnratableError as error:
                raise CommandError(
                    f"nothing was stored, because the list could not be rated with this file: {error}"
                ) from None
            report(self, path.name, problems)
            if problems.fatal:
                raise CommandError(FIX_ERRORS)
            if not options["save"]:
                transaction.set_rollback(True)
        self.stdout.write(f"{path.name}: {summarise_import(opened, rating_list, day)}")
        if not options["save"]:
            report_dry_run(self)

    def read(self, path: Path, rating_list: RatingList, countries: list[str]) -> tuple[ParsedList | None, Problems]:
        """Return the list of a file and its problems; FIDE's list is read as a stream if it is large, or in part."""
        data, scale = content(path), scale_of(rating_list)
        reader = next((read for looks_like, read in FIDE_STREAMS if looks_like(data)), None)
        if countries and reader is None:
            raise CommandError("--country is for FIDE's list only")
        if reader is None or (len(data) <= BYTES_AT_MOST and not countries):
            return read_list_import(data, scale=scale)
        selection = Selection(frozenset(map(read_country, countries)))
        with path.open("rb") as stream:
            if (size := path.stat().st_size) > FIDE_BYTES_AT_MOST:
                problems = Problems()
                problems.error(FileProblem.FILE_TOO_LARGE(data=size, most=FIDE_BYTES_AT_MOST))
                return None, problems
            parsed, problems = reader(stream, scale.chapter, selection)
        if countries:
            numbers = f"{selection.selected:,} of {selection.seen:,}"
            self.stdout.write(f"{path.name}: {numbers} players are from the chosen federations")
        return parsed, problems


def read_country(text: str) -> str:
    """Return a country's code of two letters for such a code or FIDE's; CommandError for another text."""
    code = country_code(text) or (text.upper() if text.upper() in FEDERATION_BY_COUNTRY else None)
    if not code:
        raise CommandError(
            f"--country {text}: expected FIDE's code of a federation, such as GER, or two letters, such as DE"
        )
    return code

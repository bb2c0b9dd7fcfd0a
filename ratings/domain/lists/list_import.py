"""Import of a federation's current rating list, as one starting adjustment for each player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django_countries import countries

from ratings.domain.grades.grade_approval import ListStart, get_list_start, needs_approval
from ratings.domain.players.outside_ids import save_outside_ids
from ratings.domain.runs.rerating import rerate
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.list_problems import ListProblem
from ratings.formats.parsed import Problems
from ratings.models import (
    Adjustment,
    Event,
    FederationMembership,
    ListPlayer,
    OutsideId,
    Player,
    RatingList,
    Table,
    Upload,
)
from ratings.models.messages import RecordReason
from ratings.queries.players.outside_ids import OutsideKey, find_players_by_outside_ids
from ratings.systems.messages import limit_items
from ratings.time_zones import find_today

from .adjustments import save_adjustments, save_list_player, save_player
from .import_records import Restored, read_details, record_import
from .matching import MatchedListLine, NameAnswers, match_listed
from .starting_states import find_starting_states

NAMES_AT_MOST = 5  # names in a message


@dataclass
class ListImportResult:
    """Result of an import: players with a new adjustment (`adjusted`), and those of them that are new.

    `unchanged` is the number of players whose adjustment existed already, `details` that of players with other new
    data.
    """

    adjusted: list[Player] = field(default_factory=list)
    new: list[Player] = field(default_factory=list)
    unchanged: int = 0
    details: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.adjusted or self.details)


@transaction.atomic
def import_rating_list(  # noqa: PLR0913 - the list, its day and file, and who records it
    parsed: ParsedList,
    rating_list: RatingList,
    problems: Problems,
    *,
    day: dt.date,
    source: str,
    upload: Upload | None = None,
    start: ListStart | None = None,
    answers: NameAnswers | None = None,
) -> ListImportResult:
    """Set the ratings of all players on a list at the start of a day. With an error in `problems` nothing is saved.

    Nor is anything with an open question about a name, if a person answers them (`answers`).

    `upload` is the file, if it was uploaded. The import is recorded, so that it can be undone. `start` says who
    records grades that need approval; by default only the acting user.
    """
    start = start or get_list_start(rating_list)
    parsed = _normalize_countries(parsed, problems)
    if not rating_list.federation.records_gender:
        parsed = _leave_out_gender(parsed, rating_list, problems)
    _check_list(rating_list, day, problems)
    members = {member.player_id: member for member in rating_list.members.all()}
    listed = match_listed(parsed, problems, answers, [rating_list])
    _check_lines(listed, members, problems)
    memberships = {row.player_id: row for row in rating_list.federation.memberships.all()}
    _check_memberships(listed, memberships, problems)
    owners = find_players_by_outside_ids(line.outside for line, _player in listed)
    _check_outside_ids(listed, owners, problems)
    openings = find_starting_states(listed, rating_list, day, problems)
    existing_lines = _find_existing(listed, openings, rating_list, day, problems)
    _check_grades([each for each in listed if each.line.line not in existing_lines], members, start, source, problems)
    _warn_of_unused_data(listed, rating_list, problems)
    if problems.fatal or (answers and answers.open):
        return ListImportResult()
    opened, changed = ListImportResult(unchanged=len(existing_lines)), Restored()
    for line, player in listed:
        if player.pk is None:
            player.save()
            opened.new.append(player)
            changed.new.append(player.pk)
        if line.line not in existing_lines:
            opened.adjusted.append(player)
        saved = _save_details(line, player, members, changed, start, source)
        new_ids = {registry: value for registry, value in line.outside.items() if (registry, value) not in owners}
        stored_ids = save_outside_ids(player, new_ids)
        changed.outside_ids += [(outside_id.pk, player.pk) for outside_id in stored_ids]
        saved |= bool(stored_ids)
        saved |= _save_membership(line, player, memberships, changed, rating_list)
        opened.details += saved
    common = {
        "list": rating_list,
        "date": day,
        "reason": RecordReason.OPENING(),
        "source": source[:200],
        "made_by": start.by,
    }
    adjustments = [
        Adjustment(player=player, set=openings[line.line], **common)
        for line, player in listed
        if line.line not in existing_lines
    ]
    save_adjustments(adjustments, reason=RecordReason.OPENED_BY_LIST(source=source, day=day), start=start)
    if not opened.is_empty:
        changed.adjustments = [(row.pk, row.player_id, row.set) for row in adjustments]
        record_import(rating_list, changed, day=day, source=source, upload=upload)
        rerate(rating_list.pk)
    return opened


def _normalize_countries(parsed: ParsedList, problems: Problems) -> ParsedList:
    """Return the list with countries as two-letter codes; unknown countries are left empty, with a warning."""
    players = []
    for line in parsed.players:
        code = countries.alpha2(line.country) or countries.by_name(line.country)
        if line.country and not code:
            problems.warn(ListProblem.COUNTRY_LEFT_OUT(country=line.country[:30]), line.line)
        players.append(replace(line, country=code))
    return replace(parsed, players=tuple(players))


def _leave_out_gender(parsed: ParsedList, rating_list: RatingList, problems: Problems) -> ParsedList:
    """Return the list without the gender of its players, with a warning if it has any."""
    if any(line.gender for line in parsed.players):
        problems.warn(ListProblem.GENDER_LEFT_OUT(federation=rating_list.federation))
    return replace(parsed, players=tuple(replace(line, gender="") for line in parsed.players))


def _check_list(rating_list: RatingList, day: dt.date, problems: Problems) -> None:
    """Report why a list cannot be imported on a day."""
    if rating_list.comparison_to:
        source = rating_list.comparison_to.slug
        problems.error(ListProblem.IS_COMPARISON(list=rating_list.slug, source=source))
    if day > find_today(rating_list.federation.time_zone):
        problems.error(ListProblem.DAY_IN_FUTURE(day=day))
    tables = Table.objects.filter(event__lists=rating_list, event__state=Event.State.ACCEPTED).order_by("last_day")
    earlier = tables.filter(last_day__lt=day)
    if first := earlier.first():
        count = earlier.count()
        message = ListProblem.TABLES_BEFORE(tables=count, list=rating_list.slug, day=day, first=first.last_day)
        problems.error(message)
    elif on_day := tables.filter(last_day=day).count():
        problems.warn(ListProblem.TABLES_ON_DAY(tables=on_day, day=day))


def _check_lines(listed: list[MatchedListLine], members: Mapping[int, ListPlayer], problems: Problems) -> None:
    """Report new players that are invalid, and stored data of known players that differ from the file."""
    for line, player in listed:
        if player.pk is None:
            try:
                player.full_clean()
            except ValidationError as error:
                for name, messages in error.message_dict.items():
                    message = ListProblem.PLAYER_INVALID(name=line.name[:50], field=name, problem=" ".join(messages))
                    problems.error(message, line.line)
            continue
        if line.country and str(player.country) and line.country != str(player.country):
            problems.warn(ListProblem.COUNTRY_KEPT(name=line.name, country=player.country), line.line)
        if line.birth_year and player.year_of_birth not in (None, line.birth_year):
            problems.warn(ListProblem.BIRTH_YEAR_KEPT(name=line.name, year=player.year_of_birth), line.line)
        if line.gender and player.gender not in ("", line.gender):
            problems.warn(ListProblem.GENDER_KEPT(name=line.name, gender=player.gender), line.line)
        member = members.get(player.pk)
        if member and line.prior_grade and member.prior_grade not in ("", line.prior_grade):
            problems.warn(ListProblem.PRIOR_GRADE_KEPT(name=line.name, grade=member.prior_grade), line.line)
        if member and member.fixed_rating is not None:
            problems.error(ListProblem.FIXED_OUTSIDER(name=line.name), line.line)


def _check_memberships(
    listed: list[MatchedListLine], memberships: Mapping[int, FederationMembership], problems: Problems
) -> None:
    """Warn of memberships that end before the stored day."""
    for line, player in listed:
        known = memberships.get(player.pk) if player.pk else None
        if known and line.member_until and line.member_until < known.until:
            problems.warn(ListProblem.MEMBER_UNTIL_KEPT(name=line.name, day=known.until), line.line)


def _check_outside_ids(listed: list[MatchedListLine], owners: Mapping[OutsideKey, str], problems: Problems) -> None:
    """Warn of ids that belong to another player already; a person said that this one is meant."""
    for line, player in listed:
        for registry, value in line.outside.items():
            if owners.get((registry, value), player.public_id) != player.public_id:
                outside_id = OutsideId.of_key(registry, value)
                problems.warn(ListProblem.OUTSIDE_ID_LEFT_OUT(id=outside_id, name=line.name), line.line)


def _check_grades(
    listed: list[MatchedListLine], members: Mapping[int, ListPlayer], start: ListStart, source: str, problems: Problems
) -> None:
    """Report grades that need approval, unless the people of `start` may record them when the list starts."""
    for line, player in listed:
        member = members.get(player.pk) if player.pk else None
        prior = line.prior_grade if member is None or not member.prior_grade else None
        for grade in dict.fromkeys([line.grade, prior]):
            if grade and needs_approval(start.rating_list, grade):
                message = start.problem(grade, player if player.pk else None, source)
                if message:
                    problems.error(f"{line.name}: {message}", line.line)


def _find_existing(
    listed: list[MatchedListLine],
    openings: Mapping[int, dict[str, Any]],
    rating_list: RatingList,
    day: dt.date,
    problems: Problems,
) -> set[int]:
    """Return the line numbers whose adjustment is stored already; another one for that player and day is an error."""
    stored: dict[int | None, list[Any]] = {}
    for pk, state in rating_list.adjustments.filter(date=day, player__isnull=False, before__isnull=True).values_list(
        "player", "set"
    ):
        stored.setdefault(pk, []).append(state)
    existing_lines = set()
    for line, player in listed:
        states = stored.get(player.pk) if player.pk else None
        if not states:
            continue
        if states[-1] == openings.get(line.line):
            existing_lines.add(line.line)
        elif line.line in openings:
            state = dict(sorted(states[-1].items()))
            message = ListProblem.OTHER_ADJUSTMENT(name=line.name, day=day, state=state)
            problems.error(message, line.line)
    return existing_lines


def _warn_of_unused_data(listed: list[MatchedListLine], rating_list: RatingList, problems: Problems) -> None:
    """Warn of data that cannot be carried on: few games without known opponents, and grades the system does not have.

    Missing opponents, and grades on a list without grades, are reported once for all lines.
    """
    system = rating_list.rating_system
    grades, least = system.grading.grades, system.rating.needs_opponents_below
    few = [line for line, _ in listed if line.games is not None and line.games < least]
    if few:
        problems.warn(
            ListProblem.FEW_GAMES(
                players=len(few), games=least, names=limit_items([line.name for line in few], NAMES_AT_MOST)
            )
        )
    graded = [line for line, _ in listed if line.grade or line.prior_grade]
    if graded and not grades:
        problems.warn(ListProblem.NO_GRADES(system=system.key, players=len(graded)))
    unknown = [line for line, _ in listed if grades and (line.prior_grade or grades[0]) not in grades]
    for line in unknown:
        message = ListProblem.PRIOR_GRADE_LEFT_OUT(
            name=line.name, grade=line.prior_grade, first=grades[0], last=grades[-1]
        )
        problems.warn(message, line.line)


def _save_details(
    line: ParsedPlayer,
    player: Player,
    members: Mapping[int, ListPlayer],
    changed: Restored,
    start: ListStart,
    source: str,
) -> bool:
    """Save prior grade, birth year, country and gender where none is known, and add them to `changed`.

    Return True if anything was saved.
    """
    rating_list = start.rating_list
    saved = False
    before = read_details(player)
    if player.year_of_birth is None:
        player.birth_year = line.birth_year
    player.country, player.gender = str(player.country) or line.country, player.gender or line.gender
    if read_details(player) != before:
        save_player(player)
        changed.details.append((player.pk, before, read_details(player)))
        saved = True
    member = members.get(player.pk) or ListPlayer(list=rating_list, player=player)
    if line.prior_grade and line.prior_grade in rating_list.rating_system.grading.ranks and not member.prior_grade:
        member.prior_grade = line.prior_grade
        is_new = member.pk is None
        if needs_approval(rating_list, line.prior_grade):
            member.prior_evidence = member.prior_evidence or source[:200]
        save_list_player(member, start=start)
        changed.prior_grades.append((member.pk, line.prior_grade, is_new))
        saved = True
    return saved


def _save_membership(
    line: ParsedPlayer,
    player: Player,
    memberships: Mapping[int, FederationMembership],
    changed: Restored,
    rating_list: RatingList,
) -> bool:
    """Store until when a player is a member, if no later day is known; return True if anything was stored."""
    known = memberships.get(player.pk)
    if line.member_until is None or (known and known.until >= line.member_until):
        return False
    row = known or FederationMembership(federation=rating_list.federation, player=player)
    before = known.until.isoformat() if known else ""
    row.until = line.member_until
    row.save()
    changed.memberships.append((row.pk, player.pk, before, row.until.isoformat()))
    return True

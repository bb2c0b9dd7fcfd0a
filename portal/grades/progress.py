"""Texts and bars that describe a player's progress to the next grade."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import rating
from ratings.models import RatingList
from ratings.queries.players.players import Facts
from ratings.systems.progress import Progress, Way
from ratings.systems.values import Category, Standing


@dataclass(frozen=True)
class Bar:
    """Progress bar of one way to a grade: `value` between `low` and `high`, with a text that says the same."""

    text: str
    low: str
    high: str
    value: str


@dataclass(frozen=True)
class ProgressText:
    """Progress as text: `grade` is the next one or empty, `sentence` what is missing, `notes` what else counts."""

    grade: str
    sentence: str
    notes: list[str]
    bars: list[Bar]


def describe_progress(progress: Progress, standing: Standing | Facts, rating_list: RatingList) -> ProgressText:
    """Return the progress of a player with this actual or hypothetical standing."""
    notes = progress_notes(progress, standing, rating_list)
    if progress.grade is None:
        return ProgressText("", "" if progress.waiting else _("The highest grade is reached."), notes, [])
    value = standing.rating or 0
    if progress.games_first and any(is_met(way, value) for way in progress.ways):
        return ProgressText("", "", notes, [])  # only games are missing, for this grade and perhaps for higher ones
    ways = [way_text(way, rating_list, met=is_met(way, value)) for way in progress.ways]
    sentence = _("; or ").join(ways) or _("not within the reach of provisional players")
    bars = [progress_bar(way, progress.grade, rating_list, value) for way in progress.ways if not is_met(way, value)]
    return ProgressText(progress.grade, sentence, notes, bars)


def is_met(way: Way, value: float) -> bool:
    """Return True if the present rating already suffices, so that only a game is missing."""
    return way.games is None and (value > way.rating if way.above else value >= way.rating)


def way_text(way: Way, rating_list: RatingList, *, met: bool = False) -> str:
    """Return what is missing to win a grade in this way, to follow the name of the grade."""
    known = {"rating": rating(way.rating, rating_list), "more": way.games_missing}
    if met:
        text = _(
            "after one more rated game that leaves the rating at %(rating)s or higher; the higher, the higher the grade"
        )
        return text % known
    if way.games is None:
        return (_("at a rating above %(rating)s") if way.above else _("at a rating of %(rating)s")) % known
    if way.peak_rating is None or way.peak_reached:
        more = ngettext(
            "after %(more)d more game at %(rating)s or higher",
            "after %(more)d more games in a row at %(rating)s or higher",
            way.games_missing,
        )
        return more % known
    known |= {"peak": rating(way.peak_rating, rating_list)}
    if way.games_missing == 1:
        return _("after %(more)d more game at %(peak)s or higher") % known
    return _("after %(more)d more games in a row at %(rating)s or higher, one of them at %(peak)s or higher") % known


def progress_notes(progress: Progress, standing: Standing | Facts, rating_list: RatingList) -> list[str]:
    """Return what else the player needs to know, one sentence each."""
    system, notes = rating_list.rating_system, []
    if progress.games_first:
        games = progress.games_first
        notes.append(
            ngettext(
                "A grade needs %(games)d more rated game.",
                "A grade needs %(games)d more rated games.",
                games,
            )
            % {"games": games}
        )
    if progress.waiting:
        notes.append(_("The current grade remains until the answer arrives."))
    if standing.category == Category.PROVISIONAL and not any(way.games for way in progress.ways) and progress.grade:
        meaning = _(system.presentation.legend.get(standing.category, standing.category))
        notes.append(
            _("Provisional (%(meaning)s): a rating alone counts, and it is to be that of the grade above.")
            % {"meaning": meaning}
        )
    if any(way.games for way in progress.ways):
        notes.append(_("The rating after each game counts. Reaching a limit exactly is enough."))
    if progress.needs_approval:
        approved = {"grade": progress.grade, "who": system.grading.approved_by}
        notes.append(_("%(grade)s needs the approval of %(who)s.") % approved)
    if progress.lost_below is not None:
        lost = {"grade": standing.grade, "rating": rating(progress.lost_below, rating_list)}
        notes.append(_("%(grade)s is lost below %(rating)s.") % lost)
    return notes


def progress_bar(way: Way, grade: str, rating_list: RatingList, value: float) -> Bar:
    """Return the bar of a way: games of those needed, or the rating from the start of the nearest band below it."""
    if way.games is not None:
        return Bar(games_so_far(way, rating_list), "0", str(way.games), str(min(way.games_done, way.games)))
    names = list(rating_list.rating_system.grading.grades)
    starts = [start for name, start in rating_list.rating_system.grading.bands]
    place = names.index(grade) if grade in names else len(names)  # go has grades beyond the listed ones
    low = max((start for start in starts[:place] if start < value), default=min(value - 1, 0))
    missing = rating(way.rating - value, rating_list)
    known = {"rating": rating(value, rating_list), "goal": rating(way.rating, rating_list), "missing": missing}
    text = _("rating %(rating)s, %(missing)s points below %(goal)s") % known
    return Bar(text, f"{low:g}", f"{way.rating:g}", f"{value:g}")


def games_so_far(way: Way, rating_list: RatingList) -> str:
    """Return how many of the games of a way are played."""
    text = _("so far %(have)d of %(games)d games in a row at %(rating)s or higher")
    if way.peak_rating is not None and way.games_done:
        text = (
            _("so far %(have)d of %(games)d games in a row at %(rating)s or higher, one of them at %(peak)s or higher")
            if way.peak_reached
            else _("so far %(have)d of %(games)d games in a row at %(rating)s or higher, none at %(peak)s or higher")
        )
    return text % {
        "have": min(way.games_done, way.games or 0),
        "games": way.games,
        "rating": rating(way.rating, rating_list),
        "peak": rating(way.peak_rating, rating_list),
    }

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


def describe_progress(
    progress: Progress, standing: Standing | Facts, rating_list: RatingList, *, own: bool
) -> ProgressText:
    """Return the progress of a player with this actual or hypothetical standing; `own`: the player is the reader."""
    notes = progress_notes(progress, standing, rating_list)
    if progress.grade is None:
        return ProgressText("", "" if progress.waiting else _("The highest grade is reached."), notes, [])
    value = standing.rating or 0
    if progress.games_first and any(is_met(way, value) for way in progress.ways):
        return ProgressText("", "", notes, [])  # only games are missing, for this grade and perhaps for higher ones
    ways = [way_text(way, rating_list, own=own, met=is_met(way, value)) for way in progress.ways]
    sentence = _("; or ").join(ways) or _("not within the reach of provisional players")
    bars = [progress_bar(way, progress.grade, rating_list, value) for way in progress.ways if not is_met(way, value)]
    return ProgressText(progress.grade, sentence, notes, bars)


def is_met(way: Way, value: float) -> bool:
    """Return True if the present rating already suffices, so that only a game is missing."""
    return way.games is None and (value > way.rating if way.above else value >= way.rating)


def way_text(way: Way, rating_list: RatingList, *, own: bool, met: bool = False) -> str:
    enough = min(way.games_done, way.games or 0)
    known = {"rating": rating(way.rating, rating_list), "more": way.games_missing, "have": enough, "games": way.games}
    if met:
        text = _("one more rated game that leaves the rating at %(rating)s or more; the higher, the higher the grade")
        return text % known
    if way.games is None:
        return (_("a rating above %(rating)s") if way.above else _("a rating of %(rating)s")) % known
    if way.peak_rating is None:
        more = ngettext(
            "%(more)d more game in a row at or above %(rating)s",
            "%(more)d more games in a row at or above %(rating)s",
            way.games_missing,
        )
        have = _("you have %(have)d of %(games)d") if own else _("has %(have)d of %(games)d")
        return f"{more} ({have})" % known
    known["one"] = rating(way.peak_rating, rating_list)
    if way.peak_reached:
        more = ngettext(
            "%(more)d more at or above %(rating)s", "%(more)d more at or above %(rating)s", way.games_missing
        )
        have = (
            _("you have %(have)d of %(games)d, one above %(one)s among them")
            if own
            else _("has %(have)d of %(games)d, one above %(one)s among them")
        )
        return f"{more} ({have})" % known
    more = ngettext(
        "%(more)d more at or above %(rating)s, and at or above %(one)s",
        "%(more)d more at or above %(rating)s, one of them at or above %(one)s",
        way.games_missing,
    )
    have = (
        _("you have %(have)d of %(games)d, none above %(one)s among them yet")
        if own
        else _("has %(have)d of %(games)d, none above %(one)s among them yet")
    )
    return f"{more} ({have})" % known


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
        notes.append(_("Until the answer comes the present grade stays, and no further one is counted."))
    if standing.category == Category.PROVISIONAL and not any(way.games for way in progress.ways) and progress.grade:
        meaning = _(system.presentation.legend.get(standing.category, standing.category))
        notes.append(
            _("Provisional (%(meaning)s): a rating alone counts, and it is to be that of the grade above.")
            % {"meaning": meaning}
        )
    if any(way.games for way in progress.ways):
        notes.append(_("What counts is the rating of the moment, after each game; a bound that is met exactly counts."))
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
        have = min(way.games_done, way.games)
        known = {"have": have, "games": way.games, "rating": rating(way.rating, rating_list)}
        text = _("%(have)d of %(games)d games at or above %(rating)s") % known
        return Bar(text, "0", str(way.games), str(have))
    names = list(rating_list.rating_system.grading.grades)
    starts = [start for name, start in rating_list.rating_system.grading.bands]
    place = names.index(grade) if grade in names else len(names)  # go has grades beyond the listed ones
    low = max((start for start in starts[:place] if start < value), default=min(value - 1, 0))
    missing = rating(way.rating - value, rating_list)
    known = {"rating": rating(value, rating_list), "goal": rating(way.rating, rating_list), "missing": missing}
    text = _("rating %(rating)s, %(missing)s points below %(goal)s") % known
    return Bar(text, f"{low:g}", f"{way.rating:g}", f"{value:g}")

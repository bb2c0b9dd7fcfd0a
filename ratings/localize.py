"""Translation of messages, categories and ways of winning grades into the reader's language.

What a person typed is never translated: only a `Message` and the fixed words of the rating systems are.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from ratings.characters import MINUS
from ratings.systems.messages import AwardMessage, Message
from ratings.systems.values import AwardHow, Category

CATEGORY_LABELS = {
    Category.UNRATED: gettext_noop("unrated"),
    Category.UNGRADED: gettext_noop("ungraded"),
    Category.PROVISIONAL: gettext_noop("provisional"),
    Category.UNOFFICIAL: gettext_noop("unofficial"),
    Category.NEW: gettext_noop("new"),
    Category.RATED: gettext_noop("rated"),
    Category.GRADED: gettext_noop("graded"),
    Category.ESTABLISHED: gettext_noop("established"),
    Category.OFFICIAL: gettext_noop("official"),
    Category.INACTIVE: gettext_noop("inactive"),
    Category.FIXED: gettext_noop("fixed"),
}

DAY_VALUES = frozenset({"day", "date", "first_day", "last_day", "start", "end", "first", "last"})
"""Names of the values of messages that are days."""
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def format_day(day: dt.date | None) -> str:
    """Return a day as pages and mails show it in the active language, such as 27 Sep 2026; empty for None."""
    return "" if day is None else _write_day(day, get_language())


def format_month(day: dt.date) -> str:
    """Return the month of a day with its short name in the active language: Mar 2024, März 2024, 2024年3月."""
    return date_format(day, get_format("SHORT_YEAR_MONTH_FORMAT", lang=get_language()))


@lru_cache(maxsize=10_000)  # a graph has some hundred days, and Django takes 0.1 ms for each
def _write_day(day: dt.date, language: str | None) -> str:
    """Return a day in the active language, which is part of the key."""
    return date_format(day, get_format("DAY_FORMAT", lang=language))


def format_days(start: dt.date, end: dt.date) -> str:
    """Return the days of an event in the active language: one day, or the first and the last."""
    return format_day(start) if start == end else format_range(format_day(start), format_day(end))


def format_number(text: str) -> str:
    """Return a number as Python writes it, such as -77.5, in the active language: −77,5 in German and French.

    The minus sign is U+2212. There are no marks between thousands.
    """
    text = text.replace("-", MINUS)
    return text.replace(".", get_format("DECIMAL_SIGN", lang=get_language())) if "." in text else text


def format_rating(rating: float | None, decimals: int = 0) -> str:
    """Return a rating with these decimals and the minus sign U+2212; a dash if there is none."""
    return "–" if rating is None else format_number(f"{rating:.{decimals}f}")


def format_change(change: float | None, decimals: int = 0) -> str:
    """Return a change in rating points with its sign: +12, −4 (with the minus sign U+2212), ±0; empty for None."""
    if change is None:
        return ""
    text = f"{change:+.{decimals}f}"
    return format_number(text if text.strip("+-0.") else f"±{text[1:]}")


def format_points(points: float) -> str:
    """Return points with a half as ½: 4, 4½ or ½."""
    whole, half = int(points), points != int(points)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def format_range(first: object, last: object, *, is_tight: bool = False) -> str:
    """Return a range in the active language: “first – last”, in Japanese “first～last”.

    With `is_tight` there are no spaces around the dash, as between ratings: “1312–1616”.
    """
    values = {"first": first, "last": last}
    return (pgettext("range", "%(first)s–%(last)s") if is_tight else pgettext("range", "%(first)s – %(last)s")) % values


def format_moment(moment: dt.datetime | None) -> str:
    """Return a time to the minute with its day, in the active language and the page's time zone; empty for None."""
    if moment is None:
        return ""
    local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    return date_format(local, get_format("DAY_TIME_FORMAT", lang=get_language()))


def format_moment_in_zone(moment: dt.datetime | None) -> str:
    """Return a time as `format_moment` does, with the short name of its time zone, such as CET; empty for None."""
    if moment is None:
        return ""
    name = (timezone.localtime(moment) if timezone.is_aware(moment) else moment).tzname() or ""
    return f"{format_moment(moment)} {f'UTC{name}' if name[:1] in ('+', '-') else name}".rstrip()


def translate_message(text: str) -> str:
    """Return a message in the current language; a text that a person typed is returned as it is."""
    if not isinstance(text, Message):
        return text
    values = {name: _translate_value(name, value) for name, value in text.values.items()}
    translation = gettext(text.pattern)
    return translation.format(**values) if values else translation


def _show_parts(parts: Iterable[object]) -> Iterator[str]:
    """Yield the parts that are not empty as texts; messages are in the active language."""
    return filter(None, (translate_message(part) if isinstance(part, Message) else str(part) for part in parts))


def join_parts(parts: Iterable[object]) -> str:
    """Return the parts that are not empty as an enumeration in the active language: “a, b”, in Japanese “a、b”."""
    return pgettext("between items of a list", ", ").join(_show_parts(parts))


def join_details(parts: Iterable[object]) -> str:
    """Return the details that are not empty in one line: “Berlin · Germany · 12 players”, in Japanese with “／”."""
    return pgettext("between details", " · ").join(_show_parts(parts))


def join_clauses(parts: Iterable[object]) -> str:
    """Return the clauses that are not empty in one line: “a, b; c”, in Japanese “a、b；c”."""
    return pgettext("between clauses", "; ").join(_show_parts(parts))


def _translate_value(name: str, value: object) -> object:
    """Return a value of a message in the current language; stored days are ISO, and are written as on pages."""
    if name in DAY_VALUES and ISO_DAY.fullmatch(str(value)):
        try:
            return format_day(dt.date.fromisoformat(str(value)))
        except ValueError:  # typed, such as 2026-02-30
            return value
    if isinstance(value, list):
        return join_parts(_translate_value(name, each) for each in value)
    if isinstance(value, float):
        return format_number(str(value))
    return translate_message(value) if isinstance(value, str) else value


def category_label(category: str) -> str:
    """Return the name of a player category in the current language."""
    return gettext(CATEGORY_LABELS[Category(category)])


def award_message(how: str) -> Message:
    """Return the message of a way in which a grade was won or lost."""
    return AwardMessage[AwardHow(how).name]()


def award_label(how: str) -> str:
    """Return the way in which a grade was won or lost, in the current language."""
    return translate_message(award_message(how))

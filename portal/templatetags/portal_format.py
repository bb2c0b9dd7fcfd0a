"""Template filters and tags that format ratings, changes and other values."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.db.models import QuerySet
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop, ngettext
from django_countries import countries

from portal.players.native_names import guess_language
from portal.results.event_stages import TONES, describe_stages, find_stage
from ratings.addresses import address_of
from ratings.characters import MINUS
from ratings.displayed_changes import Changed, round_change, round_difference
from ratings.localize import (
    category_label,
    format_change,
    format_day,
    format_moment_in_zone,
    format_number,
    format_points,
    format_range,
    format_rating,
    translate_message,
)
from ratings.matching import fold
from ratings.models import Correction, Event, NameVisibility, Player, RatingList, Standing
from ratings.queries.lists.lists import public_lists
from ratings.queries.lists.recent_changes import RecentChanges
from ratings.systems.values import Category

register = template.Library()
DECIMAL = re.compile(r"-?\d+\.\d+")
"""Decimal number in a table of the rules, stored as text to keep its trailing zeros."""
register.filter("translated", translate_message)
register.filter("moment_in_zone", format_moment_in_zone)
register.filter("category_label", category_label)


def decimals_of(rating_list: RatingList | None) -> int:
    return rating_list.decimals if rating_list else 0


LABEL_SUFFIX = gettext_noop(":")
"""Suffix of the labels of forms; Django's own catalogues have it without the spacing of French and Japanese."""


@register.filter(is_safe=True)
def colon(text: object) -> str:
    """Return a text with a colon behind it, as the reader's language writes it."""
    return gettext("%(text)s:") % {"text": text}


@register.filter
def as_sentence(text: object) -> str:
    """Return a text with one full stop behind it, as the reader's language writes it."""
    return gettext("%(text)s.") % {"text": str(text).rstrip(".。")}


@register.filter
def rating(value: float | None, rating_list: RatingList | None = None) -> str:
    """Return a rating with the decimals of the list's system and the minus sign U+2212; a dash if there is none."""
    return format_rating(value, decimals_of(rating_list))


MARKS: dict[str, str] = {Category.UNRATED: "*", Category.PROVISIONAL: "?"}


@register.simple_tag
def category_mark(category: str) -> SafeString | str:
    """Return the mark beside an unrated or provisional rating; empty for other categories."""
    if category not in MARKS:
        return ""
    return format_html('<abbr class="mark" title="{}">{}</abbr>', category_label(category), MARKS[category])


@register.filter
def signed(value: Changed | float | None, rating_list: RatingList | None = None) -> str:
    """Return a change in rating points with its sign: +12, −4 (with the minus sign U+2212), ±0; empty for None.

    The value is the change itself, or anything with the ratings `before` and `after` it.
    """
    return format_change(displayed_change(value, rating_list), decimals_of(rating_list))


@register.simple_tag
def rating_difference(before: float, after: float, rating_list: RatingList | None) -> SafeString:
    """Return the displayed difference between two ratings of a player with its sign, coloured by it."""
    difference = round_difference(before, after, decimals_of(rating_list))
    return format_html('<span class="{}">{}</span>', sign_class(difference), signed(difference, rating_list))


def displayed_change(value: Changed | float | None, rating_list: RatingList | None) -> float | None:
    """Return a change in rating points as it is displayed: the difference of the displayed ratings.

    Numbers are returned as they are.
    """
    if value is None or isinstance(value, int | float):
        return value
    return round_change(value, decimals_of(rating_list))


@register.simple_tag
def plus_minus(deviation: float | None, rating_list: RatingList | None = None) -> SafeString | str:
    """Return a deviation in rating points, such as ±152, to be shown behind its rating; empty if there is none."""
    if not isinstance(deviation, int | float):  # templates pass "" for a missing figure
        return ""
    return format_html('<span class="pm" title="{}">±{}</span>', gettext("deviation"), rating(deviation, rating_list))


@register.simple_tag
def rating_bounds(value: float, distance: float, rating_list: RatingList | None = None) -> dict[str, str]:
    """Return the ratings (low, high) at a distance, in rating points, below and above a rating."""
    return {"low": rating(value - distance, rating_list), "high": rating(value + distance, rating_list)}


@register.simple_tag
def rating_range(value: float, deviation: float, rating_list: RatingList | None = None) -> str:
    """Return the ratings one deviation below and above a rating, such as 1312–1616."""
    return format_range(*rating_bounds(value, deviation, rating_list).values(), is_tight=True)


@register.simple_tag
def rank_range(ranks: tuple[int, int]) -> str:
    """Return two ranks, the better one first, as a range such as 148–276; equal ones as a single rank."""
    best, worst = ranks
    return str(best) if best == worst else format_range(best, worst, is_tight=True)


@register.simple_tag
def probable_range(value: float, deviation: float, rating_list: RatingList | None = None) -> str:
    """Return in words between which ratings the true one probably is: one deviation to both sides."""
    bounds = rating_bounds(value, deviation, rating_list)
    return gettext("Probably between %(low)s and %(high)s: true in about 2 of 3 cases.") % bounds


@register.simple_tag
def change_link(
    changed: Changed | float, rating_list: RatingList, table: int, player: Player, counts_later: bool = False
) -> SafeString:
    """Return a change in rating points as a link to its explanation; `table` is the results table's primary key.

    `changed` is as for `signed`. Points that count on a later day are in brackets, except for no points.
    """
    change = displayed_change(changed, rating_list)
    text = signed(change, rating_list)
    label = _label_change(text, player)
    address = address_of("explanation", rating_list.slug, table, player.public_id)
    link = format_html(
        '<a class="change {}" href="{}" aria-label="{}">{}</a>', sign_class(change), address, label, text
    )
    if not counts_later or not change:
        return link
    return format_html('<span title="{}">({})</span>', gettext("added on the next list"), link)


@register.simple_tag
def first_rating_link(rating_list: RatingList, table: int, player: Player) -> SafeString:
    """Return the word “new” as a link to the explanation of a first rating; `table` is the results table's key."""
    address = address_of("explanation", rating_list.slug, table, player.public_id)
    label = gettext("new rating: why, %(player)s") % {"player": player.public_name}
    return format_html('<a class="change" href="{}" aria-label="{}">{}</a>', address, label, gettext("new"))


@register.simple_tag
def closing_link(
    changed: Changed | float | None, rating_list: RatingList, day: dt.date, player: Player, has_rating: bool = True
) -> SafeString:
    """Return a change on a closing day as a link to its explanation.

    `changed` is as for `signed`. The text is “new” for a first rating, and “no rating” where the player has none after
    the day (`has_rating`).
    """
    change = displayed_change(changed, rating_list)
    if has_rating and change is not None:
        text = signed(change, rating_list)
        label = _label_change(text, player)
    else:
        text = gettext("new") if has_rating else gettext("no rating")
        label = gettext("%(change)s: why, %(player)s") % {"change": text, "player": player.public_name}
        change = None
    address = reverse("closing_explanation", args=[rating_list.slug, day, player.public_id])
    return format_html(
        '<a class="change {}" href="{}" aria-label="{}">{}</a>', sign_class(change), address, label, text
    )


@register.simple_tag
def last_change_link(standing: Standing, recent: RecentChanges, rating_list: RatingList) -> SafeString:
    """Return the change by the last event as a link to its explanation, or to that of the day on which it counted.

    The text is “new” for a first rating; without a page that explains it, it is the change alone.
    """
    change, player = standing.last_change, standing.player
    if recent.table is None:
        return format_html('<span class="{}">{}</span>', sign_class(change), signed(change, rating_list))
    if recent.closing_day is not None:
        return closing_link(change, rating_list, recent.closing_day, player)
    if change is None:
        return first_rating_link(rating_list, recent.table, player)
    return change_link(change, rating_list, recent.table, player)


@register.simple_tag
def explanation_link(rating_list: RatingList, table: int, player: Player) -> SafeString:
    """Return a link in words to the explanation of a player's change; `table` is the results table's primary key."""
    address = address_of("explanation", rating_list.slug, table, player.public_id)
    why = gettext("Why?")
    return format_html('<a href="{}">{} <span class="hidden">{}</span></a>', address, why, player.public_name)


@register.simple_tag
def correction_link(correction: Correction, rating_list: RatingList, player: Player | None = None) -> SafeString:
    """Return the change by a correction as a link to its explanation; `player` saves reading the player."""
    player = player or correction.player
    change = displayed_change(correction, rating_list)
    address = reverse("player_correction", args=[rating_list.slug, correction.run_id, player.public_id])
    if change is None:
        return format_html('<a href="{}">{}</a>', address, gettext("no rating any more"))
    text = signed(change, rating_list)
    return format_html(
        '<a class="change {}" href="{}" aria-label="{}">{}</a>',
        sign_class(change),
        address,
        _label_change(text, player),
        text,
    )


def _label_change(text: str, player: Player) -> str:
    """Return the label of a link to the explanation of a change, such as “+12 points: why, Ana”."""
    is_one = text.lstrip(f"+{MINUS}±") == "1"
    label = ngettext("%(change)s point: why, %(player)s", "%(change)s points: why, %(player)s", 1 if is_one else 2)
    return label % {"change": text, "player": player.public_name}


@register.filter
def exact_change(value: float) -> str:
    """Return a part of a change in rating points with two decimals and its sign: +6.74, −9.08, 0.00."""
    return signed_decimals(value, 2)


@register.filter
def signed_decimals(value: float, decimals: int) -> str:
    """Return a number with its sign (the minus sign U+2212) and a number of decimals; zero has no sign."""
    text = f"{value:+.{decimals}f}"
    return format_number(text if text.strip("+-0.") else text.lstrip("+-"))


@register.filter
def marked_name(player: Player) -> SafeString:
    """Return a player's name as escaped HTML, with the family name marked and a comma before the given name.

    A player who is not shown in full has the name that the public may see, as it is.
    """
    if player.shown != NameVisibility.FULL or not player.given_name:
        return format_html("{}", player.public_name)
    return format_html("<b>{}</b>, {}", player.family_name, player.given_name)


@register.filter
def comma_name(player: Player) -> str:
    """Return a player's name with a comma before the given name, or the name that the public may see, as it is."""
    if player.shown != NameVisibility.FULL or not player.given_name:
        return player.public_name
    return f"{player.family_name}, {player.given_name}"


@register.filter
def native_name(player: Player) -> SafeString | str:
    """Return the name in the player's own script, in its language, as far as the public may see it; else empty."""
    name = player.public_native
    if not name:
        return ""
    return format_html('<span class="native quiet" lang="{}">{}</span>', guess_language(name, player.country), name)


def format_place(place: int, *, is_shared: bool) -> str:
    """Return a place in an event, with an equals sign behind it if several players share it: “4=”."""
    return f"{place}=" if is_shared else str(place)


@register.simple_tag
def time_format_data() -> SafeString:
    """Return the format of times and the names of the months as data attributes, for scripts that write times."""
    months = "|".join(date_format(dt.date(2000, month, 1), "SHORT_MONTH_FORMAT") for month in range(1, 13))
    return format_html('data-time="{}" data-months="{}"', get_format("DAY_TIME_FORMAT"), months)


UNHELD_BADGES = {"waiting": "waiting", "declined": "refused", "fallen": "refused", "withheld": "refused"}
"""CSS classes of badges for grades that are not held, by the state of the grade (see `GradeLine`)."""


@register.filter
def grade_badge(grade: str | None, state: str = "") -> SafeString | str:
    """Return a grade as a badge: dark for dan and outlined for kyu; empty without a grade.

    The badge is dashed if the grade waits for approval, and outlined and struck through if `state` is a refusal.
    """
    return _draw_badge(str(grade), UNHELD_BADGES.get(state, "")) if grade else ""


@lru_cache(maxsize=1000)
def _draw_badge(grade: str, unheld: str) -> SafeString:
    held = "dan" if grade.endswith("Dan") else "kyu"
    return format_html('<span class="grade {}">{}</span>', unheld or held, grade)


@register.filter
def flag(country: Any) -> SafeString | str:
    """Return the flag of a country as an image without alternative text, as the name stands beside it."""
    return _draw_flag(str(country)) if country else ""


@lru_cache(maxsize=1000)
def _draw_flag(code: str) -> SafeString:
    source = static(f"vendor/flags/{code}.svg")
    return format_html('<img class="flag" src="{}" alt="" width="22" height="15" loading="lazy">', source)


@register.filter
def announced_state(event: Event) -> str:
    """Return the state of an announced event without accepted results, in the words of its public page."""
    if event.end >= timezone.localdate():
        return gettext("announced")
    if event.state == Event.State.SUBMITTED:
        return gettext("finished, results being checked")
    return gettext("finished, results to come")


@register.filter
def progress(event: Any) -> str:
    """Return the state of an event for organisers and officers: its stage on the desk, or how far its rating is."""
    if event.state == Event.State.DELETED:
        return str(event.get_state_display())
    if event.state != Event.State.ACCEPTED:
        return describe_stages()[find_stage(event, timezone.localdate())]
    rated = gettext("rated") if event.is_rated else gettext("not rated")
    state = gettext("being rated") if event.is_pending else rated
    return gettext("%(state)s, corrected") % {"state": state} if event.is_corrected else state


@register.filter
def stage_tone(event: Any) -> str:
    """Return the class of the tag that shows the state of an event to its organisers."""
    return TONES.get(find_stage(event, timezone.localdate()), "accent")


FINDING_TONES = {"error": "bad", "warning": "warn"}


@register.filter
def finding_tone(level: str) -> str:
    """Return the class of the tag of a finding: red for errors, amber for questions, else none."""
    return FINDING_TONES.get(level, "")


@register.filter
def sign_class(value: float | None) -> str:
    return "" if not value else "gain" if value > 0 else "loss"


@register.filter
def points(value: float) -> str:
    """Return points with a half as ½: 4, 4½ or ½."""
    return format_points(value)


@register.simple_tag
def result_mark(score: float) -> SafeString:
    """Return the result of a game as a mark with 1, ½ or 0, and in words for screen readers."""
    kind, word = ("won", gettext("won")) if score == 1 else ("lost", gettext("lost"))
    if score not in {0, 1}:
        kind, word = "drawn", gettext("draw")
    mark = '<span class="result {}" title="{}"><span aria-hidden="true">{}</span><span class="hidden">{}</span></span>'
    return format_html(mark, kind, word, points(score), word)


@register.filter
def unrounded(value: float | None, decimals: int = 2) -> str:
    return "–" if value is None else format_number(f"{value:.{decimals}f}")


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    return "–" if share is None else format_number(f"{100 * share:.{decimals}f} %")


def chance_percent(chance: float) -> str:
    """Return the chance of something that happened in percent, with as many decimals as show that it is more than 0."""
    decimals = next((decimals for decimals in range(3) if round(100 * chance, decimals)), 3)
    return percent(chance, decimals)


@register.filter
def cell(value: str | float | None) -> str:
    """Return the text of a cell in a table of the rules."""
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        return format_number(value)
    if value is None or isinstance(value, str):
        return translate_message(value or "")
    return shortest(value)


def shortest(value: float) -> str:
    """Return a number with as few decimals as it needs, at most six digits."""
    return format_number(f"{value:g}")


@register.filter
def value(mapping: Mapping[Any, Any] | None, key: Any) -> Any:
    """Return the value of a key, or None; pages that share a template may have no mapping."""
    return mapping.get(key) if mapping else None


@register.simple_tag
def written(number: float | str | None, format: str, rating_list: RatingList) -> str:
    """Return a term of a rating's explanation in the format that its system names; empty for None.

    Days are ISO texts with the format “day”; other texts are returned in the reader's language.
    """
    if isinstance(number, str) and format == "day":
        return format_day(dt.date.fromisoformat(number))
    if number is None or isinstance(number, str):
        return translate_message(number or "")
    formats: dict[str, Callable[[float], str]] = {
        "rating": lambda n: rating(n, rating_list),
        "points": unrounded,
        "signed": lambda n: signed_decimals(n, 2),
        "exact": lambda n: unrounded(n, 3),
        "exact_signed": lambda n: signed_decimals(n, 3),
        "share": lambda n: unrounded(n, 4),
        "score": points,
        "plain": shortest,
    }
    return formats[format](number)


@register.filter
def lookup(mapping: dict[Any, Any], key: Any) -> Any:
    return mapping.get(key, key)


@register.filter
def country_name(code: str) -> str:
    return _name_country(code, get_language()) if code else ""


@lru_cache(maxsize=1000)
def _name_country(code: str, _language: str | None) -> str:
    """Return the name of a country in the active language, which is part of the key."""
    return str(countries.name(code))


def sorted_countries(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Return names and codes of countries, sorted by name in the language of the page."""
    return sorted(((country_name(code), code) for code in codes), key=lambda country: fold(country[0]))


@register.simple_tag
def rating_lists() -> QuerySet[RatingList]:
    """Return all public lists but comparisons, for the navigation."""
    return public_lists().filter(comparison_to=None)

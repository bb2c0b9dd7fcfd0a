"""How ratings, changes and grades are written on pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django_countries import countries

from ratings.matching import fold
from ratings.models import Event, RatingList
from ratings.queries.lists import navigation
from ratings.systems import SYSTEMS
from ratings.translating import translated

register = template.Library()
register.filter(translated)


def decimals_of(rating_list: RatingList | None) -> int:
    return SYSTEMS[rating_list.system].decimals if rating_list else 0


@register.filter
def rating(value: float | None, rating_list: RatingList | None = None) -> str:
    """With the decimals of the list's system; a dash where there is none."""
    return "–" if value is None else f"{value:.{decimals_of(rating_list)}f}"


MARKS = {"unrated": "*", "provisional": "?"}


@register.simple_tag
def category_mark(category: str) -> SafeString | str:
    """The sign beside a rating that is not settled yet."""
    if category not in MARKS:
        return ""
    return format_html('<abbr class="mark" title="{}">{}</abbr>', translated(category), MARKS[category])


@register.filter
def signed(value: float | None, rating_list: RatingList | None = None) -> str:
    """With its sign: +12, -4, ±0."""
    if value is None:
        return ""
    text = f"{value:+.{decimals_of(rating_list)}f}"
    return f"±{text[1:]}" if not text.strip("+-0.") else text


@register.filter
def progress(event: Any) -> str:
    """An event's state in words; of an accepted one whether it was corrected and is being rated."""
    if event.state != Event.State.ACCEPTED:
        return str(event.get_state_display())
    if event.is_corrected:
        return gettext("corrected, being rated") if event.is_pending else gettext("corrected")
    return gettext("accepted, being rated") if event.is_pending else gettext("rated")


@register.filter
def sign_class(value: float | None) -> str:
    return "" if not value else "gain" if value > 0 else "loss"


@register.filter
def points(value: float) -> str:
    """4, 4½ or ½."""
    whole, half = int(value), value != int(value)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


@register.filter
def unrounded(value: float | None, decimals: int = 2) -> str:
    return "–" if value is None else f"{value:.{decimals}f}"


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    return "–" if share is None else f"{100 * share:.{decimals}f} %"


@register.filter
def cell(value: str | float | None) -> str:
    """An entry of a table of the rules."""
    return "" if value is None else translated(value) if isinstance(value, str) else f"{value:g}"


@register.filter
def value(mapping: dict[str, Any], key: str) -> Any:
    return mapping.get(key)


@register.simple_tag
def written(number: float | str | None, form: str, rating_list: RatingList) -> str:
    """A term of the explanation in the form its system names; nothing where there is none."""
    if number is None or isinstance(number, str):
        return translated(number or "")
    forms: dict[str, Callable[[float], str]] = {
        "rating": lambda n: rating(n, rating_list),
        "points": lambda n: f"{n:.2f}",
        "signed": lambda n: f"{n:+.2f}",
        "share": lambda n: f"{n:.4f}",
        "score": points,
        "plain": lambda n: f"{n:g}",
    }
    return forms[form](number)


@register.filter
def lookup(mapping: dict[Any, Any], key: Any) -> Any:
    return mapping.get(key, key)


@register.filter
def country_name(code: str) -> str:
    return str(countries.name(code)) if code else ""


def countries_by_name(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Name and code, in the order of the names in the language of the page."""
    return sorted(((country_name(code), code) for code in codes), key=lambda one: fold(one[0]))


@register.simple_tag(takes_context=True)
def rating_lists(context: Context) -> list[RatingList]:
    """All lists but comparisons, for the navigation."""
    read: list[RatingList] | None = getattr(context.get("request"), "navigation", None)
    return navigation()[0] if read is None else read

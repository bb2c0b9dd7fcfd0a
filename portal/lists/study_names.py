"""Names of studies and of their candidates in words: systems, options with their labels, and the years of the games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.localize import format_range, join_clauses, join_parts, translate_message
from ratings.option_forms import option_label, write_value
from ratings.systems import SYSTEMS

Figures = Mapping[str, Any]
FEW_SYSTEMS = 2
"""Number of systems, with the list's own, up to which the title of a study names them."""
COUNTS = {
    3: gettext_lazy("Three systems"),
    4: gettext_lazy("Four systems"),
    5: gettext_lazy("Five systems"),
    6: gettext_lazy("Six systems"),
    7: gettext_lazy("Seven systems"),
    8: gettext_lazy("Eight systems"),
    9: gettext_lazy("Nine systems"),
    10: gettext_lazy("Ten systems"),
}


def name_system(key: str) -> str:
    return translate_message(SYSTEMS[key].name) if key in SYSTEMS else key


def name_option(system: str, key: str) -> str:
    """Return the label of an option in the reader's language; its key if the system has no such option."""
    known = {option.key: option for option in SYSTEMS[system].options} if system in SYSTEMS else {}
    return option_label(known[key]) if key in known else key


def list_options(system: str, options: Figures) -> list[tuple[str, str]]:
    """Return the label and the value of each of these options of a system."""
    return [(name_option(system, key), write_value(value)) for key, value in options.items()]


def describe_options(system: str, options: Figures) -> str:
    """Return options of a system in words, such as “Limit of volatility: 0.3, Rating period: month”."""
    pattern = _("%(option)s: %(value)s")
    return join_parts(pattern % {"option": name, "value": value} for name, value in list_options(system, options))


def name_systems(definition: Figures, own: str) -> str:
    """Return the names of the systems that a study compares with a list's own system, `own`; all with it if many."""
    keys = list(dict.fromkeys(candidate["system"] for candidate in definition["candidates"]))
    count = len({own, *keys})
    return str(COUNTS[count]) if count > FEW_SYSTEMS and count in COUNTS else join_parts(map(name_system, keys))


def name_sweep(definition: Figures) -> str:
    """Return the words for the options that a study sweeps; empty without a sweep."""
    sweep = definition["sweep"]
    if sweep is None:
        return ""
    options = " × ".join(name_option(sweep["system"], key) for key in sweep["values"])
    return _("sweep of %(options)s") % {"options": options}


def name_years(result: Figures | None) -> str:
    """Return the years of the games of a result, such as “2016–2026”; empty without games."""
    years = sorted(kind["name"] for kind in (result["kinds"] if result else ()) if kind["name"].isdecimal())
    return "" if not years else years[0] if len(years) == 1 else format_range(years[0], years[-1], is_tight=True)


def name_study(definition: Figures, own: str, result: Figures | None = None) -> str:
    """Return the title of a study: its systems, the options that it sweeps and, of a result, the years of its games.

    `own` is the system of the list. Three or more systems, with that one, are counted instead of named.
    """
    return join_parts([name_systems(definition, own), name_sweep(definition), name_years(result)])


def list_candidates_in_words(definition: Figures) -> list[str]:
    """Return the systems with their options that a study compares, and what it sweeps, each in words."""
    given = definition["candidates"]
    names = [join_parts([name_system(one["system"]), describe_options(one["system"], one["options"])]) for one in given]
    sweep = definition["sweep"]
    if sweep is None:
        return names
    pattern = _("%(option)s: %(value)s")
    values = [
        pattern % {"option": name_option(sweep["system"], key), "value": join_parts(map(write_value, tried))}
        for key, tried in sweep["values"].items()
    ]
    return [*names, join_clauses([name_system(sweep["system"]), *values])]


def list_names(definition: Figures, own: str) -> str:
    """Return the names of the systems that a title only counts; empty if it names them."""
    keys = dict.fromkeys(candidate["system"] for candidate in definition["candidates"])
    return join_parts(map(name_system, keys)) if len({own, *keys}) > FEW_SYSTEMS else ""

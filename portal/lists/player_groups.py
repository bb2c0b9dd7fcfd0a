"""Groups of a list's players by age and gender, and the links that choose a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from portal.site.filter_chips import Lens
from ratings.queries.lists.choices import PublicGroups

if TYPE_CHECKING:
    from .filters import ListFilter

JUNIORS, WOMEN = "u20", "female"
AGES = {
    "u12": (_("under 12"), 0, 11),
    "u16": (_("under 16"), 0, 15),
    "u20": (_("under 20"), 0, 19),
    "50": (_("50 and older"), 50, 150),
    "65": (_("65 and older"), 65, 150),
}
"""Labels of age groups with the lowest and the highest age in years, by the value in an address."""


def has_juniors(groups: PublicGroups, year: int) -> bool:
    """Return True if one of the players is a junior in a year and has a public birth year."""
    _label, _youngest, oldest = AGES[JUNIORS]
    return groups.has_age(year, oldest)


def build_lenses(chosen: ListFilter) -> list[Lens]:
    """Return the links to everyone and to the groups of players that a filter offers."""
    is_everyone, age = not set(chosen.values) - {"on", "active"}, chosen.values.get("age")
    everyone = chosen.address_with(**dict.fromkeys(set(chosen.filters) - {"on", "active"}, ""))
    lenses = [Lens(_("Everyone"), everyone, is_everyone)]
    if age == JUNIORS or has_juniors(chosen.groups, chosen.day.year):
        address = chosen.address_with(age="" if age == JUNIORS else JUNIORS)
        lenses.append(Lens(_("Juniors"), address, age == JUNIORS, removes=True))
    if "new" in chosen.filters:
        is_new = bool(chosen.values.get("new"))
        lenses.append(Lens(_("Newcomers"), chosen.address_with(new="" if is_new else "1"), is_new, removes=True))
    is_women = "gender" in chosen.values
    if is_women or chosen.groups.women:
        lenses.append(Lens(_("Women"), chosen.address_with(gender="" if is_women else WOMEN), is_women, removes=True))
    return lenses

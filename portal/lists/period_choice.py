"""Choice of the days between which the changes of a list are shown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from portal.site.filter_chips import Chip, Lens
from ratings.localize import format_day, format_range
from ratings.queries.lists.recent_changes import YEAR
from ratings.queries.lists.rises import PERIOD

from .forms import PeriodForm


def format_period(since: dt.date, until: dt.date) -> str:
    return format_range(format_day(since), format_day(until))


@dataclass(frozen=True)
class PeriodChoice:
    """Choice of the days between which the changes of a list are shown, as chips that keep the kind of changes."""

    form: PeriodForm
    dated_days: Sequence[dt.date]
    kind: str
    number_chosen: int = 0
    is_bound: bool = True

    @property
    def lenses(self) -> list[Lens]:
        """The last four and twelve months, since the latest dated list, and between the last two."""
        today, days = self.form.today, sorted(self.dated_days)
        periods = {_("Last 4 months"): (today - PERIOD, today), _("Last 12 months"): (today - YEAR, today)}
        lenses = [self._make_lens(label, *period) for label, period in periods.items()]
        if days:
            label = gettext("Since the list of %(day)s") % {"day": format_day(days[-1])}
            lenses.append(self._make_lens(label, days[-1], today))
        if len(days) > 1:
            lenses.append(self._make_lens(format_period(days[-2], days[-1]), days[-2], days[-1]))
        return lenses

    def _make_lens(self, label: StrOrPromise, since: dt.date, until: dt.date) -> Lens:
        return Lens(label, f"?since={since}&until={until}&show={self.kind}", self.form.days == (since, until))

    @property
    def chips(self) -> list[Chip]:
        """A chip with both days, which names them if no lens does."""
        since, until = self.form.days
        chosen = "" if any(lens.is_chosen for lens in self.lenses) else format_period(since, until)
        return [Chip(_("Other days"), list(self.form), chosen, [("show", self.kind)], bool(self.form.errors))]

"""Atom feed of new corrections."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page

from portal.lists.views.lists import get_visible_list
from portal.site.feeds import NEWEST, AtomFeed, FeedSelection, entry_id, summary
from portal.site.texts import strip_control_characters
from portal.templatetags.portal_format import colon, signed
from ratings.localize import translate_message
from ratings.models import RatingList, Run
from ratings.queries.runs.corrections import correcting_runs, named_reasons, reasons_of, with_biggest_corrections

MAX_CORRECTIONS_PER_RUN = 5
"""Number of corrections of a run that its entry shows."""


@dataclass(frozen=True)
class CorrectedRuns(FeedSelection):
    rating_list: RatingList
    runs: list[Run]


class CorrectionFeed(AtomFeed[Run, CorrectedRuns]):
    """Feed of ratings that changed without a game, and why."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> CorrectedRuns:
        the_list = get_visible_list(request, slug)
        runs = list(with_biggest_corrections(correcting_runs(the_list), MAX_CORRECTIONS_PER_RUN)[:NEWEST])
        return CorrectedRuns(request.get_full_path(), the_list.federation, the_list, runs)

    def name_content(self, corrected: CorrectedRuns) -> str:
        return _("Corrections – %(list)s") % {"list": corrected.rating_list.name}

    def link(self, corrected: CorrectedRuns) -> str:
        return reverse("corrections", args=[corrected.rating_list.slug])

    def items(self, corrected: CorrectedRuns) -> list[Run]:
        summaries, reasons = named_reasons(corrected.runs), reasons_of(corrected.rating_list, corrected.runs)
        for run in corrected.runs:
            run.list = corrected.rating_list
            run.cause, run.event_reasons = summaries[run.pk], reasons.get(run.pk, [])  # type: ignore[attr-defined] # for the entries
        return corrected.runs

    def item_title(self, item: Any) -> str:
        players = ngettext("%d player corrected", "%d players corrected", item.players) % item.players
        return strip_control_characters(f"{players}: {item.cause or _('rated again')}")

    def item_description(self, item: Any) -> str:
        lines = [f"{line.player} {signed(line, item.list)}".strip() for line in item.lines]
        more = item.players - len(lines)
        notes = [
            f"{colon(reason.event)} {translate_message(reason.note)}" for reason in item.event_reasons if reason.note
        ]
        return summary([*notes, *lines, *([_("and %d more") % more] if more else [])])

    def item_link(self, item: Run) -> str:
        return reverse("correction", args=[item.list.slug, item.pk])

    def item_guid(self, item: Run) -> str:
        return entry_id(dt.date(2000, 1, 1), f"{item.list.slug}/corrections/{item.pk}")

    def item_updateddate(self, item: Run) -> dt.datetime:
        assert item.ended_at
        return item.ended_at


corrections = conditional_page(CorrectionFeed())

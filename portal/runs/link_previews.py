"""Description and card of an explained correction."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.charts.card import Card
from portal.events.link_previews import RatingChange, change_card, describe_current_rank
from portal.site.link_preview import LinkPreview, as_text
from ratings.localize import format_day
from ratings.models import Correction, Federation, RatingList


def build_correction_preview(
    correction: Correction, sentences: Sequence[SafeString], rating_list: RatingList
) -> LinkPreview:
    """Return the preview of the page that explains a correction; the sentences are those on the page."""
    address = reverse("correction_card", args=[rating_list.slug, correction.run_id, correction.player.public_id])
    description = [as_text(sentences), *describe_current_rank(correction.player_id, correction.after, rating_list)]
    return LinkPreview(" ".join(description), address)


def correction_card(
    correction: Correction, sentences: Sequence[SafeString], rating_list: RatingList, federation: Federation | None
) -> Card:
    """Return the card of a correction; `federation` is the one whose identity it has."""
    assert correction.run.ended_at is not None
    changed = RatingChange(
        correction.player,
        correction.before,
        correction.after,
        correction.change,
        _("Correction of %(day)s") % {"day": format_day(correction.run.ended_at)},
        as_text(sentences),
    )
    return change_card(changed, rating_list, federation)

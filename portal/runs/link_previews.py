"""Description and card of an explained correction."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.charts.card import Card
from portal.events.link_previews import RatingChange, change_card
from portal.players.link_previews import describe_rank
from portal.site.link_preview import LinkPreview, as_text
from ratings.localize import format_day
from ratings.models import Correction, Federation, RatingList, Standing
from ratings.queries.players.players import RankAmong, rank_among_active


def find_rank(correction: Correction, rating_list: RatingList) -> RankAmong | None:
    """Return the player's rank with the corrected rating; None for an inactive player and after a later change."""
    standing = Standing.objects.filter(list=rating_list, player=correction.player_id, rating=correction.after).first()
    if standing is None:
        return None
    standing.list = rating_list
    return rank_among_active(standing, timezone.localdate())


def build_correction_preview(
    correction: Correction, sentences: Sequence[SafeString], rating_list: RatingList
) -> LinkPreview:
    """Return the preview of the page that explains a correction; the sentences are those on the page."""
    ranked = find_rank(correction, rating_list)
    description = [as_text(sentences), *([describe_rank(ranked)] if ranked else [])]
    address = reverse("correction_card", args=[rating_list.slug, correction.run_id, correction.player.public_id])
    return LinkPreview(" ".join(description), address)


def correction_card(
    correction: Correction, sentences: Sequence[SafeString], rating_list: RatingList, federation: Federation | None
) -> Card:
    """Return the card of a correction; `federation` is the one whose identity it has."""
    assert correction.run.ended_at is not None
    ranked = find_rank(correction, rating_list)
    facts = [(_("Rank"), _("%(rank)s of %(players)s") % ranked._asdict())] if ranked else []
    changed = RatingChange(
        correction.player,
        correction.before,
        correction.after,
        correction.change,
        _("Correction of %(day)s") % {"day": format_day(correction.run.ended_at)},
        as_text(sentences),
        facts,
    )
    return change_card(changed, rating_list, federation)

"""Template tags of the pages of a list."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from portal.templatetags.portal_format import (
    change_link,
    closing_link,
    correction_link,
    displayed_change,
    sign_class,
    signed,
)
from ratings.addresses import address_of
from ratings.displayed_changes import Changed
from ratings.models import Player, RatingList
from ratings.option_forms import write_value
from ratings.queries.lists.period_changes import Cause

register = template.Library()
register.filter("option_value", write_value)


@register.simple_tag
def period_change(
    changed: Changed | float | None, rating_list: RatingList, player: Player, causes: Mapping[int, Cause]
) -> SafeString:
    """Return the change in rating points between two days as a link to what explains it.

    `changed` is as for `signed`, `causes` are those of `read_period_causes`. The link leads to the explanation of the
    only event, closing day or correction, or to the player's events and corrections if there are several; for a player
    without any the change is plain text.
    """
    change = displayed_change(changed, rating_list)
    text = signed(change, rating_list)
    if change is None or player.pk not in causes:
        return format_html('<span class="{}">{}</span>', sign_class(change), text)
    cause = causes[player.pk]
    if signed(cause.change, rating_list) == text:
        if cause.table is not None:
            return change_link(change, rating_list, cause.table, player)
        if cause.closing_day is not None:
            return closing_link(change, rating_list, cause.closing_day, player)
        if cause.correction is not None:
            return correction_link(cause.correction, rating_list, player)
    label = gettext("%(change)s points: events of %(player)s") % {"change": text, "player": player.public_name}
    address = f"{address_of('player_events', player.public_id)}?list={rating_list.slug}"
    return format_html(
        '<a class="change {}" href="{}" aria-label="{}">{}</a>', sign_class(change), address, label, text
    )

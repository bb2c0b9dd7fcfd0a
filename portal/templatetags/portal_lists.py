"""Template tags of the pages of a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from portal.templatetags.portal_format import change_link, closing_link, sign_class, signed
from ratings.addresses import address_of
from ratings.models import Player, RatingList
from ratings.option_forms import label_of
from ratings.queries.lists.period_changes import Cause

register = template.Library()


@register.simple_tag
def period_change(
    change: float | None, rating_list: RatingList, player: Player, tables: Mapping[int, Cause]
) -> SafeString:
    """Return the change in rating points between two days as a link to what explains it.

    `tables` are those of `read_period_causes`. The link leads to the explanation of the only event or closing day,
    or to the player's events if there are several; for a player who did not play the change is plain text.
    """
    text = signed(change, rating_list)
    if change is None or player.pk not in tables:
        return format_html('<span class="{}">{}</span>', sign_class(change), text)
    cause = tables[player.pk]
    if isinstance(cause, dt.date):
        return closing_link(change, rating_list, cause, player)
    if cause is not None:
        return change_link(change, rating_list, cause, player)
    label = gettext("%(change)s points: events of %(player)s") % {"change": text, "player": player.public_name}
    address = f"{address_of('player_events', player.public_id)}?list={rating_list.slug}"
    return format_html(
        '<a class="change {}" href="{}" aria-label="{}">{}</a>', sign_class(change), address, label, text
    )


@register.filter
def option_value(value: Any) -> str:
    """Return the value of a system's option as text for people."""
    return label_of(value)

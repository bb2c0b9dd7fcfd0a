"""Template filters and tags of the pages on which organisers and officers work."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import template
from django.contrib.auth.models import Group
from django.template.context import RequestContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext

from portal.site.views.access import may_see
from ratings.access import Action
from ratings.domain.site.accounts import ROLE_NAMES
from ratings.formats.check_catalogue import find_check
from ratings.models import Event, Player

register = template.Library()
register.filter("find_check", find_check)


@register.filter
def waiting_time(since: dt.datetime | None) -> str:
    """Return the time since a moment in days, such as “9 days”, or hours or minutes; empty if it is not recorded."""
    if since is None:
        return ""
    waited = timezone.now() - since
    if waited < dt.timedelta(minutes=1):
        return gettext("less than a minute")
    if waited.days:
        return ngettext("%(count)d day", "%(count)d days", waited.days) % {"count": waited.days}
    return timesince(since, depth=1)


@register.filter
def heading_count(number: int) -> SafeString:
    """Return the number of things below a heading, or behind a link of a side list, as its badge."""
    return format_html('<span class="count{}">{}</span>', "" if number else " none", number)


@register.filter
def role_name(group: Group) -> str:
    """Return the role that a group gives, in the reader's language; other groups have the names they were given."""
    return str(capfirst(ROLE_NAMES.get(group.name, group.name)))


@register.simple_tag(takes_context=True)
def manage_address(context: RequestContext, about: Any) -> str:
    """Return the address where the reader manages an event, a player or a club; empty for readers without the right."""
    request = context["request"]
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not about:
        return ""
    if isinstance(about, Event):
        allowed = may_see(request, Action.SEE_EVENT, about)
        return reverse("organise_event", args=[about.public_id]) if allowed else ""
    if not may_see(request, Action.KEEP_PLAYERS):
        return ""
    if isinstance(about, Player):
        return reverse("player_timeline", args=[about.public_id])
    return reverse("admin:ratings_club_change", args=[about.pk])

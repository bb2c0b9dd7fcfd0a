"""What the frame of every page knows."""

from django import template
from django.conf import settings
from django.template.context import RequestContext

from ratings.models import Shown

register = template.Library()

THEME = "theme"
THEMES = ("light", "dark")


@register.simple_tag(takes_context=True)
def chosen_theme(context: RequestContext) -> str:
    """Light or dark, if the visitor chose one."""
    chosen = context["request"].COOKIES.get(THEME, "")
    return chosen if chosen in THEMES else ""


@register.simple_tag(takes_context=True)
def canonical(context: RequestContext) -> str:
    """The one address of a page, whatever was chosen on it."""
    return f"{settings.SITE_ADDRESS}{context['request'].path}"


@register.simple_tag(takes_context=True)
def is_about_hidden(context: RequestContext) -> bool:
    """Whether a page is about one player, who does not show his name."""
    return getattr(context.get("player"), "shown", Shown.FULL) != Shown.FULL

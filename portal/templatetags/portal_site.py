"""Template tags for the base template of all pages."""

from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from portal.site.icons import read_icon
from portal.site.navigation import Navigation, get_navigation
from ratings.models import Federation, NameVisibility, Player, RatingList

register = template.Library()

THEME = "theme"
THEMES = ("light", "dark")


@register.simple_tag(takes_context=True)
def chosen_theme(context: RequestContext) -> str:
    """Return the theme that the visitor chose, “light” or “dark”; empty for the system's."""
    chosen = context["request"].COOKIES.get(THEME, "")
    return chosen if chosen in THEMES else ""


@register.simple_tag(takes_context=True)
def canonical(context: RequestContext) -> str:
    """Return the canonical URL of a page, without its query."""
    return f"{settings.SITE_ADDRESS}{context['request'].path}"


@register.simple_tag(takes_context=True)
def is_about_hidden(context: RequestContext) -> bool:
    """Return True if a page is about one player, who is not shown by full name."""
    return getattr(context.get("player"), "shown", NameVisibility.FULL) != NameVisibility.FULL


@register.simple_tag(takes_context=True)
def navigation(context: RequestContext) -> Navigation:
    """Return the navigation of the page."""
    match = context["request"].resolver_match
    about = context.get("rating_list") or context.get("federation")
    is_told = isinstance(about, RatingList | Federation)
    return get_navigation(about if is_told else None, (match and match.url_name) or "")


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of lucide-static as inline SVG."""
    return read_icon(name)


MANAGING = gettext_lazy("Sign in to manage events, results and players. Then you return to the page you asked for.")
REASONS = {
    "me": gettext_lazy("Sign in to see your own page."),
    "report": gettext_lazy("Sign in to answer this report. Then you return to it."),
}


@register.simple_tag(takes_context=True)
def sign_in_reason(context: RequestContext) -> str:
    """Return why the visitor was asked to sign in, by the page they return to; empty if they came by themselves."""
    request = context["request"]
    path = urlsplit(request.POST.get("next") or request.GET.get("next") or "").path
    if not path or request.user.is_authenticated:
        return ""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    if match.url_name == "claim_page":
        return claim_reason(match)
    if path.startswith(("/organise/", "/admin/")):
        return str(MANAGING)
    return str(
        REASONS.get(match.url_name or "", gettext("Sign in to continue. Then you return to the page you asked for."))
    )


def claim_reason(match: ResolverMatch) -> str:
    player = Player.objects.filter(public_id=match.kwargs["public_id"]).first()
    if player is None:
        return gettext("Sign in to continue. Then you return to the page you asked for.")
    reason = gettext(
        "Sign in to say that you are %(player)s. Without an account, sign up first. Then you return to the page you"
        " asked for."
    )
    return reason % {"player": player}

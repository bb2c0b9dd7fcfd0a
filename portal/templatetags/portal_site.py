"""Template tags for the base template of all pages."""

from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.contrib.auth.models import User
from django.template.context import Context, RequestContext
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from portal.site.help_steps import HelpStep, find_step
from portal.site.icons import read_icon
from portal.site.link_preview import LinkPreview, add_card_version, describe_page
from portal.site.listing_rows import render_rows
from portal.site.navigation import Navigation, get_navigation
from portal.site.offline import compute_owner, may_cache_pages
from portal.site.remembered_heads import Head, find_head
from portal.site.sections import Section
from portal.site.whole_lists import list_parts, wants_whole_list
from portal.site.working_sections import list_working_sections
from ratings.domain.site.accounts import describe_roles
from ratings.localize import join_clauses
from ratings.models import Federation, NameVisibility, Player, RatingList

register = template.Library()
register.filter("listing_rows", render_rows)
register.simple_tag(list_parts)
register.filter(wants_whole_list)

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


@register.simple_block_tag
def attribute_text(content: str) -> SafeString:
    """Return rendered text in one line, for an attribute in double quotes."""
    return SafeString(" ".join(content.split()).replace('"', "&quot;"))


@register.simple_tag(takes_context=True)
def page_description(context: RequestContext, federation: Federation | None) -> str:
    """Return the description of a page: its own, else that of pages at an address of this name."""
    preview, about = context.get("link_preview"), context.get("rating_list")
    if isinstance(preview, LinkPreview):
        return preview.description
    match = context["request"].resolver_match
    return describe_page((match and match.url_name) or "", about if isinstance(about, RatingList) else None, federation)


@register.simple_tag(takes_context=True)
def card_address(context: RequestContext, federation: Federation | None) -> str:
    """Return the address of a page's card: its own, else that of the federation or of the portal.

    Sites that keep pictures fetch it again when the description, the ratings of the list or the federation change.
    """
    preview = context.get("link_preview")
    if isinstance(preview, LinkPreview):
        address = preview.card
    elif federation is not None:
        address = reverse("federation_card", args=[federation.slug])
    else:
        address = reverse("portal_card")
    about = context.get("rating_list")
    revision = about.revision if isinstance(about, RatingList) else None
    version = federation and (federation.pk, federation.version)
    shown = page_description(context, federation), revision, version
    return f"{settings.SITE_ADDRESS}{add_card_version(address, shown)}"


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


@register.simple_tag(takes_context=True)
def remembered_head(context: Context) -> Head | None:
    """Return the head of the federation that the address of an error page names, without a query."""
    request = context.get("request")
    return find_head(request.path_info if request else context.get("path") or "")


NOTICE_CLASSES = {"success": "good", "warning": "warn", "error": "bad"}


@register.filter
def notice_class(level: str) -> str:
    """Return the class of the notice of a message: green, amber, red, or grey for information."""
    return NOTICE_CLASSES.get(level, "info")


@register.simple_tag(takes_context=True)
def working_sections(context: RequestContext) -> list[Section]:
    """Return the sections of a page on which people work, for its reader; none on other pages.

    A page on which an officer reviews waiting results belongs to the queue: its context holds `reviewing`.
    """
    request = context["request"]
    user, match = getattr(request, "user", None), request.resolver_match
    if user is None:
        return []
    name = "queue" if context.get("reviewing") else (match and match.url_name) or ""
    return list_working_sections(user, request.path, name)


@register.simple_tag
def help_step(role: str, key: str) -> HelpStep:
    """Return a step of a role's work, whose title and note its screen and the help page share."""
    return find_step(role, key)


@register.simple_tag
def step_title(role: str, key: str) -> str:
    """Return the title of a step of a role's work in the reader's language."""
    return str(find_step(role, key).title)


@register.filter
def account_name(user: User) -> str:
    """Return the name of a user, family name first, separated by a comma; the user name if they gave no name."""
    return ", ".join(filter(None, [user.last_name, user.first_name])) or user.get_username()


@register.simple_tag(takes_context=True)
def offline_page(context: RequestContext) -> dict[str, str]:
    """Return the key of the reader (`owner`), and the address of the service worker, empty if no page may be kept."""
    request = context["request"]
    if not request.user.is_authenticated:
        return {"owner": "", "worker": ""}
    worker = reverse("organise_worker") if may_cache_pages(request) else ""
    return {"owner": compute_owner(request), "worker": worker}


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of lucide-static as inline SVG."""
    return read_icon(name)


@register.simple_tag
def invited_to(user: User | None) -> str:
    """Return the roles to which a user without a password is invited, separated by semicolons; else an empty text."""
    return join_clauses(describe_roles(user)) if user is not None and not user.has_usable_password() else ""


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

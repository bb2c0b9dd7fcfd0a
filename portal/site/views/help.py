from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from portal.site.help_steps import EVERYBODY, PAGES
from ratings.access import may


def help_front(request: HttpRequest) -> HttpResponse:
    """Show what everybody can do, and the help pages of the roles."""
    return render(request, "site/help.html", {"page": EVERYBODY, "pages": PAGES.values(), "links": True})


def help_role(request: HttpRequest, role: str) -> HttpResponse:
    """Show the steps of a role; only its members get links to the screens."""
    page = PAGES[role]
    links = page.action is None or (request.user.is_authenticated and may(request.user, page.action))
    return render(request, "site/help.html", {"page": page, "pages": PAGES.values(), "links": links})

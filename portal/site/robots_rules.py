"""Rules for search engines, which exclude personal pages, duplicates, and pages computed on demand."""

from django.http import HttpRequest

CLOSED = (
    "/accounts/",
    "/admin/",
    "/api/",
    "/desk/",
    "/embed/",
    "/hall/",
    "/lookup/",
    "/me/",
    "/organise/",
    "/report/",
    "/reports/",
    "/search/",
    "/unsubscribe/",
    "/.well-known/",
)
RULES = (
    *CLOSED,
    "/*?",  # filtered, sorted and further pages: the sitemap has what they link to
    "/*/calculator/",
    "/*/claim/",
    "/*/embed/",
    "/events/*/enter/",
    "/events/*/pairings/",
    "/events/*/entries/",  # says where somebody will be
    "/players/*/versus/",  # one for any two players
    "/lists/*/tables/",  # explanations, one for each result
    "/lists/*/closings/",  # explanations, one for each player and closing day
    "/lists/*/laboratory/",  # leads to the sign-in
    "/players/*/proof/",  # one for each player
    "/lists/*/corrections/*/*/",  # one for each corrected player
    *(
        f"/*.{extension}$"
        for extension in ("atom", "csv", "ffg", "h9", "ics", "json", "pdf", "tou", "trf", "txt", "xlsx", "zip")
    ),
    "/lists/*.xml$",
    "/events/*.xml$",
)
CARDS = (
    "/card.png",
    *(f"/{topic}/*/card.png" for topic in ("players", "lists", "events", "federations")),
    # longer, so they take precedence over the Disallow rules
    *(f"/lists/*/{topic}/*/card.png" for topic in ("closings", "corrections")),
)
"""Preview images of links, also of pages that are closed to search engines: sites that show a link fetch them.

Their addresses have a version in the query, which RULES close.
"""
CRAWL_DELAY = 5


def is_open(request: HttpRequest) -> bool:
    """Return True if search engines may index the address of a page."""
    return not request.GET and not request.path.startswith(CLOSED)


def robots_txt(sitemap: str) -> str:
    lines = ["User-agent: *", f"Crawl-delay: {CRAWL_DELAY}", *(f"Disallow: {rule}" for rule in RULES)]
    lines += [f"Allow: {path}" for path in ("/sitemap", *CARDS)]
    return "\n".join([*lines, "", f"Sitemap: {sitemap}", ""])

"""Rules for search engines, which exclude personal pages, duplicates, and pages computed on demand."""

from django.http import HttpRequest

CLOSED = ("/accounts/", "/admin/", "/api/", "/me/", "/organise/", "/report/", "/reports/", "/search/", "/.well-known/")
RULES = (
    *CLOSED,
    "/*?",  # filtered, sorted and further pages: the sitemap has what they link to
    "/*/calculator/",
    "/*/claim/",
    "/players/*/versus/",  # one for any two players
    "/lists/*/tables/",  # explanations, one for each result
    *(f"/*.{extension}$" for extension in ("atom", "csv", "h9", "ics", "json", "pdf", "trf", "txt", "xlsx")),
)
CRAWL_DELAY = 5


def is_open(request: HttpRequest) -> bool:
    """Return True if search engines may index the address of a page."""
    return not request.GET and not request.path.startswith(CLOSED)


def robots_txt(sitemap: str) -> str:
    lines = ["User-agent: *", f"Crawl-delay: {CRAWL_DELAY}", *(f"Disallow: {rule}" for rule in RULES)]
    return "\n".join([*lines, "Allow: /sitemap", "Allow: /players/*/card.png", "", f"Sitemap: {sitemap}", ""])

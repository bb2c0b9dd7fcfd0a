"""What search engines are asked to leave alone: what is one's own, the same page once more, what is made on demand."""

from django.http import HttpRequest

CLOSED = ("/accounts/", "/admin/", "/api/", "/me/", "/organise/", "/report/", "/reports/", "/search/")
RULES = (
    *CLOSED,
    "/*?",  # filtered, sorted and further pages: the sitemap names what is behind them
    "/*/calculator/",
    "/*/claim/",
    "/players/*/versus/",  # of any two players
    "/lists/*/tables/",  # explanations, as many as there are results
    *(f"/*.{extension}$" for extension in ("atom", "csv", "h9", "ics", "json", "pdf", "trf", "txt", "xlsx")),
)
CRAWL_DELAY = 5


def is_open(request: HttpRequest) -> bool:
    """Whether a page may stand in a search engine under its address."""
    return not request.GET and not request.path.startswith(CLOSED)


def robots_txt(sitemap: str) -> str:
    lines = ["User-agent: *", f"Crawl-delay: {CRAWL_DELAY}", *(f"Disallow: {rule}" for rule in RULES)]
    return "\n".join([*lines, "Allow: /sitemap", "Allow: /players/*/card.png", "", f"Sitemap: {sitemap}", ""])

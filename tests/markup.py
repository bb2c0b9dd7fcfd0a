"""A page's HTML with whitespace as a browser treats it, so that tests do not depend on the line breaks of templates."""

import re

from django.http import HttpResponse

BLOCKS = (
    "article|aside|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|legend|li|main|nav|ol|"
    "option|p|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
"""Elements whose edges swallow whitespace."""
BLOCK_TAG = re.compile(rf"\s*(</?(?:{BLOCKS})(?:\s[^<>]*)?>)\s*")


def markup(response: HttpResponse) -> str:
    """Return a page with one space for each run of whitespace, and none at the edges of blocks; a file as it is."""
    if not response["Content-Type"].startswith("text/html"):
        return response.content.decode()
    text = re.sub(r"\s+", " ", response.content.decode())
    return BLOCK_TAG.sub(r"\1", re.sub(r"\s+>", ">", text))

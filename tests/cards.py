"""Reading the tags of a page that other sites read when its link is shared, and the texts of cards."""

from __future__ import annotations

import html
import re

from defusedxml import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def read_meta(response):
    """Return the title of a page as `title`, and the content of its meta tags by name or property."""
    page = response.content.decode()
    tags = re.findall(r'<meta (?:name|property)="([^"]+)"\s+content="([^"]*)"', page)
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    return {"title": html.unescape(title[1])} | {name: html.unescape(content) for name, content in tags}


def read_texts(picture):
    """Return the lines of text in a card, in the order in which they are drawn."""
    return ["".join(element.itertext()) for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def expected_meta(title, description, address, card, *, kind="website", site="FESA"):
    """Return the meta tags for sharing that a page has; `address` and `card` are paths."""
    return {
        "title": title,
        "description": description,
        "og:type": kind,
        "og:site_name": site,
        "og:title": title,
        "og:description": description,
        "og:url": f"http://127.0.0.1:8000{address}",
        "og:image": f"http://127.0.0.1:8000{card}",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": description,
        "twitter:card": "summary_large_image",
    }


def read_shared_meta(response):
    """Return the meta tags of a page that are about sharing it, without the version in the address of its card."""
    meta = {name: content for name, content in read_meta(response).items() if name not in ("viewport", "robots")}
    card, _separator, version = meta["og:image"].rpartition("v=")
    assert re.fullmatch("[0-9a-f]{8}", version)
    return meta | {"og:image": card[:-1]}

"""Notices of what a person has just done: green, grey, amber and red."""

import pytest
from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("level", "shown"),
    [
        (messages.SUCCESS, 'class="message good" role="status"'),
        (messages.INFO, 'class="message info" role="status"'),
        (messages.WARNING, 'class="message warn" role="status"'),
        (messages.ERROR, 'class="message bad" role="alert"'),
        (messages.DEBUG, 'class="message info" role="status"'),
    ],
)
def test_notice_has_the_colour_of_its_level(level, shown, rf):
    request = rf.get("/")
    request.resolver_match = None
    page = render_to_string("site/base.html", {"messages": [Message(level, "Saved <b>.")]}, request)
    assert f"<p {shown}>Saved &lt;b&gt;.</p>" in page.replace("\n ", "")

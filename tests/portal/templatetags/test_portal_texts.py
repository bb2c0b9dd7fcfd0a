"""Texts that templates join as the reader's language does; markup is kept, and typed texts are escaped."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.utils.translation import override

LINKS = [SimpleNamespace(name=name, get_absolute_url=lambda name=name: f"/{name[0]}/") for name in ("A", "B & C")]


def render(text, language, **context):
    with override(language):
        return Template(f"{{% load portal_texts %}}{text}").render(Context(context))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "&lt;b&gt; · <i>x</i> · 3 a, 3"),
        ("de", "&lt;b&gt; · <i>x</i> · 3 a, 3"),
        ("ja", "&lt;b&gt;／<i>x</i>／3 a、3"),
    ],
)
def test_details_and_parts_leave_out_empty_texts_and_keep_markup(language, text):
    template = "{% details typed '' marked missing 3 %} {% enumerate_parts 'a' missing 3 %}{% details '' %}"
    marked = Template("<i>x</i>").render(Context())
    assert render(template, language, typed="<b>", marked=marked) == text


@pytest.mark.parametrize(("language", "comma"), [("en", ", "), ("ja", "、")])
def test_links_are_enumerated_with_escaped_names(language, comma):
    expected = f'<a href="/A/">A</a>{comma}<a href="/B/">B &amp; C</a>'
    assert (render("{{ objects|links }}", language, objects=LINKS), render("{{ objects|links }}", language)) == (
        expected,
        "",
    )


@pytest.mark.parametrize(
    ("language", "days"),
    [
        ("en", '<time datetime="2024-05-04">4 May 2024</time> – <time datetime="2024-05-05">5 May 2024</time>'),
        ("ja", '<time datetime="2024-05-04">2024年5月4日</time>～<time datetime="2024-05-05">2024年5月5日</time>'),
    ],
)
def test_time_elements_name_one_day_or_the_first_and_the_last(language, days):
    first, last = dt.date(2024, 5, 4), dt.date(2024, 5, 5)
    assert render("{% time_elements first last %}", language, first=first, last=last) == days
    assert render("{% time_elements first first %}", language, first=first) == days.partition("</time>")[0] + "</time>"

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from ratings.crests import MAX_BYTES, clean_crest

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 34"'


def drawing(content, head=HEAD):
    return f"{head}>{content}</svg>".encode()


def test_clean_crest_keeps_shapes_and_colours():
    shapes = '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff" /></linearGradient></defs><path d="M1 2h3z" fill="url(#g)" /><circle cx="1" cy="2" r="3.5" />'
    assert clean_crest(drawing(shapes)) == f'<svg viewBox="0 0 34 34" xmlns="http://www.w3.org/2000/svg">{shapes}</svg>'


def test_clean_crest_leaves_out_what_drawing_programs_add():
    inkscape = (
        '<?xml version="1.0"?><!-- made by hand --><svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/x"'
        ' width="64px" height="32" i:version="1"><i:view zoom="2"/><metadata>x</metadata>'
        '<rect i:label="a" style="fill:#123456; -inkscape-font: x;stroke : red" width="4"/></svg>'
    )
    assert clean_crest(inkscape.encode()) == (
        '<svg viewBox="0 0 64 32" xmlns="http://www.w3.org/2000/svg"><rect width="4" fill="#123456" stroke="red" /></svg>'
    )


@pytest.mark.parametrize(
    ("attribute", "kept"),
    [
        ('onload="alert(1)"', ""),
        ('fill="url(http://example.org/x)"', ""),
        ('fill="url(#a)"', ' fill="url(#a)"'),
        ('style="fill:url(//x);clip-path:url(#b)"', ' clip-path="url(#b)"'),
        ('href="javascript:alert(1)"', ""),
        ('xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="data:text/html,x"', ""),
        ('fill="red;background:x"', ""),
        ('class="a"', ""),
    ],
)
def test_clean_crest_leaves_out_attributes_that_load_or_run(attribute, kept):
    assert clean_crest(drawing(f"<g {attribute}/>")) == (
        f'<svg viewBox="0 0 34 34" xmlns="http://www.w3.org/2000/svg"><g{kept} /></svg>'
    )


@pytest.mark.parametrize(
    "name",
    ["script", "style", "foreignObject", "image", "use", "a", "animate", "set", "text", "iframe", "filter", "pattern"],
)
def test_clean_crest_refuses_other_elements_by_name(name):
    with pytest.raises(ValidationError) as refused:
        clean_crest(drawing(f"<g><{name}/></g>"))
    assert refused.value.messages == [
        f"The drawing contains <{name}>. A crest may contain shapes and colours only: convert texts to paths."
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is not an SVG drawing. Export the crest as plain SVG."),
        (b"\x89PNG", "The file is not an SVG drawing. Export the crest as plain SVG."),
        (b"<html/>", "The file is not an SVG drawing. Export the crest as plain SVG."),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
         "The file is not an SVG drawing. Export the crest as plain SVG."),
        (b'<?xml version="1.0" encoding="nothing"?><svg/>', "The file is not an SVG drawing. Export the crest as plain SVG."),
        (drawing("", '<svg xmlns="http://www.w3.org/2000/svg" width="100%"'),
         "The drawing has no size: it needs a viewBox, or a width and a height in pixels."),
        (drawing("<g/>" * 1001), "The drawing has more than 1000 shapes. Simplify it."),
        (drawing("<g>" * 30 + "</g>" * 30), "The groups of the drawing are nested too deeply. Ungroup its shapes."),
        (b" " * (MAX_BYTES + 1), "The file has more than 50 KB. Simplify the drawing."),
    ],
)  # fmt: skip
def test_clean_crest_refuses_files_with_a_reason(data, message):
    with pytest.raises(ValidationError) as refused:
        clean_crest(data)
    assert refused.value.messages == [message]


@given(st.binary() | st.text().map(drawing))
def test_clean_crest_accepts_its_own_result_or_refuses(data):
    try:
        cleaned = clean_crest(data)
    except ValidationError:
        return
    assert clean_crest(cleaned.encode()) == cleaned

import datetime as dt

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal.pdf.layout import Identity, Sheet, can_write, font_file
from tests.portal.pdf.read import pages


def test_missing_fonts_say_what_to_do(settings, tmp_path):
    settings.BASE_DIR = tmp_path
    with pytest.raises(ImproperlyConfigured) as error:
        font_file("serif", "B")
    assert str(error.value) == (
        f"The fonts of the PDF files are not installed ({tmp_path}/node_modules/@expo-google-fonts/eb-garamond/600SemiBold/"
        "EBGaramond_600SemiBold.ttf is missing): run npm ci --ignore-scripts in the project's folder, as make run does."
    )


@pytest.mark.parametrize(
    ("text", "known"), [("山本 太一", True), ("Ψαρράς", True), ("张伟", False), ("김", False), ("", True)]
)
def test_names_that_no_font_has_are_known(text, known):
    assert can_write(text) is known


def test_text_after_japanese_text_is_written_in_its_own_font():
    identity = Identity("Federation", "", "indigo", "")
    with Sheet("sans", identity=identity, title="Facts", dated=dt.date(2026, 1, 1)) as sheet:
        sheet.add_page()
        sheet.write_facts([("段位", "5 Dan sign"), ("Grade", "山本")])
        sheet.write_line("山本", 9)
        sheet.write_line("5 Dan", 9)
        assert pages(bytes(sheet.output())) == ["段位 5 Dan sign Grade 山本 山本 5 Dan"]

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal.pdf.layout import can_write, font_file


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

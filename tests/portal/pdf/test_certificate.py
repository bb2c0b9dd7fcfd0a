import datetime as dt
import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from portal.pdf.certificate import Certificate, Signer, write_certificate
from portal.site.federation_identity import Identity
from portal.site.houses import as_rgb

from .read import pages, with_pdftotext

CREST = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
ADDRESS = "https://ratings.example.org/certificates/fesa.8K3PQRW.2-dan.2024-05-04.0a1b2c3d4e5f/"
ADLER = Certificate(
    name="Zoë Adler",
    native="",
    grade="2 Dan",
    list="FESA",
    identity=Identity("Shogi Federation", "Official ratings", "pine", CREST),
    day=dt.date(2024, 5, 4),
    earned="Won by reaching the rating that this grade requires.\nCompleted on 2024-05-04 at Spring Cup.",
    address=ADDRESS,
    signers=[
        Signer("Hayashi, Naoko", "Chair of the Grades Committee, NSR"),
        Signer("Nilsson, Karin", "Rating officer"),
    ],
    references=["SF-2026-0051", "NSR 2026-118"],
)
TEXT = (
    "SHOGI FEDERATION Certificate of Grade This is to certify that Zoë Adler holds the grade of 2 Dan on the rating list"
    " “FESA” since 4 May 2024 Won by reaching the rating that this grade requires. Completed on 2024-05-04 at Spring Cup."
    " Hayashi, Naoko Chair of the Grades Committee, NSR Nilsson, Karin Rating officer SF-2026-0051 NSR 2026-118"
    f" Check whether this certificate is valid: {ADDRESS}"
)


def unspaced(text):
    """Letters that stand apart are read with blanks between them."""
    return text.replace(" ", "")


def test_certificate_is_one_landscape_sheet_that_says_all():
    pdf = write_certificate(ADLER)
    assert [unspaced(page) for page in pages(pdf)] == [unspaced(TEXT)]
    reader = PdfReader(io.BytesIO(pdf))
    (page,) = reader.pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (842, 595)
    assert reader.metadata.title == "Zoë Adler, 2 Dan"
    links = [annotation.get_object()["/A"]["/URI"] for annotation in page["/Annots"]]
    assert links == [ADDRESS] * 2


def test_draft_says_that_it_is_one_and_has_no_code_without_an_address():
    text = unspaced(pages(write_certificate(replace(ADLER, draft=True, address="")))[0])
    assert "Draft" in text
    assert "Checkwhether" not in text


def test_certificate_has_the_crest_the_name_and_the_colours_of_the_federation():
    reader = PdfReader(io.BytesIO(write_certificate(ADLER)))
    (page,) = reader.pages
    (crest,) = page.images
    assert (crest.image.size, reader.metadata.author) == ((512, 512), "Shogi Federation")
    drawn = page.get_contents().get_data().decode("latin-1")
    accent, head = (" ".join(f"{part / 255:.4f}".rstrip("0") for part in as_rgb(c)) for c in ("#19654c", "#102e28"))
    assert [f"{accent} rg" in drawn, f"{head} RG" in drawn] == [True, True]
    without = PdfReader(io.BytesIO(write_certificate(replace(ADLER, identity=ADLER.identity._replace(crest="")))))
    assert list(without.pages[0].images) == []


def test_same_certificate_is_the_same_file():
    assert write_certificate(ADLER) == write_certificate(ADLER)


@pytest.mark.parametrize(
    "name", ["Łukasz Żółć", "Đặng Thị Ngọc", "Τάκης Ψαρράς", "Їжакевич Ґалаґан", "Ağça Şişli", "გიორგი", "山本 太一"]
)
def test_names_of_many_scripts_can_be_read(name):
    assert unspaced(name) in unspaced(pages(write_certificate(replace(ADLER, name=name)))[0])


def test_native_name_is_below_the_name_unless_no_font_has_it():
    assert "ZoëAdler山本太一holds" in unspaced(pages(write_certificate(replace(ADLER, native="山本 太一")))[0])
    assert "ZoëAdlerholds" in unspaced(pages(write_certificate(replace(ADLER, native="张伟")))[0])


def test_long_names_shrink_to_their_line():
    long = replace(ADLER, name="Maximiliane " * 12, earned="A very long name of an event " * 9)
    (page,) = PdfReader(io.BytesIO(write_certificate(long))).pages
    places = []
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: places.append(tm[4]) if text.strip() else None)
    assert min(places) >= 96  # the margin, 34 mm


@pytest.mark.services
def test_pdftotext_reads_the_certificate():
    text = with_pdftotext(write_certificate(replace(ADLER, native="山本 太一")))
    for part in ("Zoë Adler 山本 太一", "Hayashi, Naoko", "SF-2026-0051", "certificates"):
        assert part in text

"""Texts of PDF files."""

import io
import shutil
import subprocess

from pypdf import PdfReader


def pages(pdf):
    """The words of each sheet, with single blanks between them."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def with_pdftotext(pdf):
    """Return the text of the whole file as read by pdftotext."""
    program = shutil.which("pdftotext")
    assert program, "install poppler-utils"
    ran = subprocess.run([program, "-layout", "-", "-"], input=pdf, capture_output=True, check=True)
    return " ".join(ran.stdout.decode().split())

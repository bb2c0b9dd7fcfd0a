"""What a reader of a PDF file sees."""

import io
import shutil
import subprocess

from pypdf import PdfReader


def pages(pdf):
    """The words of each sheet, with single blanks between them."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def with_pdftotext(pdf):
    """The same of the whole file by the program that many readers are made of."""
    program = shutil.which("pdftotext")
    assert program, "install poppler-utils"
    ran = subprocess.run([program, "-layout", "-", "-"], input=pdf, capture_output=True, check=True)
    return " ".join(ran.stdout.decode().split())

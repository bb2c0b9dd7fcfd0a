import zipfile
from io import BytesIO

import pytest

from ratings.formats.proof.export import ExportError, read_archive, write_archive


def test_archive_has_its_files():
    files = {"log.txt": b"1\n2\n", "keys.txt": b""}
    assert read_archive(write_archive({name: [data] for name, data in files.items()})) == files


def test_archive_with_damaged_content_is_an_export_error():
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.txt", b"0123456789" * 100)
    damaged = bytearray(written.getvalue())
    start = len("log.txt") + 30  # behind the header of the member
    damaged[start : start + 4] = b"\xff" * 4
    with pytest.raises(ExportError, match=r"^not a ZIP file: Error -3 while decompressing data"):
        read_archive(bytes(damaged))

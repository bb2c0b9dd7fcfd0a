"""Character encodings of files: UTF-16, UTF-8 and Windows-1252 are read, text that was decoded wrongly is repaired."""

from __future__ import annotations

import re

UTF_16_BOMS = (b"\xff\xfe", b"\xfe\xff")
SAMPLE = 2_000
"""Number of bytes that decide whether a file without a byte order mark is in UTF-16."""
MIN_ZERO_SHARE = 0.4
MAX_REPAIRS = 3
"""How often a text may have been decoded wrongly and saved again."""

_CONTINUATION = "[" + "".join(
    dict.fromkeys(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xC0))
) + "\x80-\x9f]"  # fmt: skip
_LATIN = f"[ÂÃÄÅ]{_CONTINUATION}|È[\u02dc\u2122\u0161\u203a\x98-\x9b]"
_GREEK_OR_CYRILLIC = f"(?:[ÎÏÐÑÒÓ]{_CONTINUATION}){{2,}}"
_CJK = f"(?:[ã-é]{_CONTINUATION}{{2}}){{2,}}"
MOJIBAKE = re.compile(f"{_CJK}|{_GREEK_OR_CYRILLIC}|(?:{_LATIN})+")
"""UTF-8 that was decoded as Windows-1252 or Latin-1; other scripts need two letters, which no other text has."""
WORD = re.compile(r"[^\s\[\](),;\"|]+")


def find_utf_16(data: bytes) -> str | None:
    """Return the name of the codec of a file in UTF-16, None for any other file."""
    if data.startswith(UTF_16_BOMS):
        return "utf-16"
    sample = data[:SAMPLE]
    half = len(sample) // 2
    if half < 2 or sample.startswith(b"PK"):
        return None
    if sample[1::2].count(0) >= MIN_ZERO_SHARE * half and not sample[::2].count(0):
        return "utf-16-le"
    return "utf-16-be" if sample[::2].count(0) >= MIN_ZERO_SHARE * half and not sample[1::2].count(0) else None


def convert_utf_16(data: bytes) -> bytes:
    """Return a file in UTF-16 as UTF-8; any other file, and one with invalid UTF-16, is returned as it is."""
    codec = find_utf_16(data)
    if codec is None:
        return data
    try:
        return data.decode(codec).encode()
    except UnicodeError:
        return data


def decode_single_bytes(data: bytes) -> tuple[str, bool]:
    """Return the text of a file that is not in UTF-8, and whether it is in Windows-1252 rather than Latin-1."""
    if any(0x80 <= byte <= 0x9F for byte in data):
        try:
            return data.decode("cp1252"), True
        except UnicodeDecodeError:
            pass
    return data.decode("latin-1"), False


def repair_text(text: str) -> str:
    """Return a text with each sequence such as “Ã¶”, UTF-8 that was decoded as Windows-1252, replaced by its letter."""
    for _ in range(MAX_REPAIRS):
        repaired = MOJIBAKE.sub(_repair_match, text)
        if repaired == text:
            break
        text = repaired
    return text


def list_repaired_words(text: str) -> list[tuple[str, str]]:
    """Return the words of a text that `repair_text` changes, each as (as in the file, as read)."""
    if text.isascii():
        return []
    words = [(word, repair_text(word)) for word in WORD.findall(text)]
    return [(word, repaired) for word, repaired in words if word != repaired]


def _repair_match(match: re.Match[str]) -> str:
    try:
        return b"".join(_encode(character) for character in match[0]).decode()
    except UnicodeError:
        return match[0]


def _encode(character: str) -> bytes:
    """Return the byte from which a character was decoded."""
    return bytes([ord(character)]) if ord(character) < 0x100 else character.encode("cp1252")

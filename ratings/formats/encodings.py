"""Character encodings of files: UTF-16, UTF-8 and single bytes are read, text that was decoded wrongly is repaired."""

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


UTF_8, WINDOWS_1252, ISO_8859_1, ISO_8859_15 = "utf-8", "cp1252", "latin-1", "iso8859-15"
"""Names of codecs."""
_LOWER, _UPPER = "a-zß-öø-ÿ", "A-ZÀ-ÖØ-Þ"
_LETTER = _LOWER + _UPPER
_VOWEL = "AEIOUYÀ-ÅÈ-ÏÒ-ÖØÙ-Ý"
LETTERS_OF_ISO_8859_15 = re.compile(
    rf"""(?<!\w) [¦´¾] (?: [{_LOWER}]{{2}} | [{_UPPER}]{{2}} )  # Š, Ž or Ÿ begins a word
    | (?<!\w) ¼ (?: [cdinrsu][{_LOWER}] | [CDINRSU][{_UPPER}] )  # Œ begins a word; not ¼final
    | (?<=[{_UPPER}]) [¦¼¾] (?=[{_UPPER}])  # in a word in capitals
    | (?<=[{_UPPER}][{_UPPER}]) ¦ (?!\w)  # at its end
    | (?<=[{_LETTER}][{_VOWEL}]) ´ (?=[{_UPPER}])  # BO´ENA is Božena, but O´NEILL has an apostrophe
    | (?<=[{_LETTER}]) ¨ (?!\d)
    | (?<=[{_LETTER}]) (?<![cC]) ¸ (?!\d)  # c¸ is a ç in two signs
    | (?<!\w) [¨¸] (?=[{_LOWER}]{{2}})  # š or ž begins a word
    | (?<=[{_LETTER}]) ½ (?=[{_LOWER}])
    | (?<!\w) ½ (?=[cdinrsu][{_LOWER}])  # œ begins a word; not ½min
    | (?<=\w) ¤ | ¤ (?=\w)""",
    re.VERBOSE,
)
"""A sign of Latin-1 where only its letter of ISO-8859-15 makes sense; ´ between letters is mostly an apostrophe."""


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


def decode_text(data: bytes) -> tuple[str, str]:
    """Return the text of a file that is not in UTF-16, and the name of its codec.

    Of the encodings with single bytes, Windows-1252 alone has letters from 0x80 to 0x9F. ISO-8859-15 has letters (Š š Ž
    ž Œ œ Ÿ) and the euro sign where Latin-1 has signs; a file in which such a sign is part of a word is in it.
    """
    try:
        return data.decode("utf-8-sig"), UTF_8
    except UnicodeDecodeError:
        pass
    text = data.decode(ISO_8859_1)
    if any(0x80 <= byte <= 0x9F for byte in data):
        try:
            return data.decode(WINDOWS_1252), WINDOWS_1252
        except UnicodeDecodeError:
            return text, ISO_8859_1
    return (data.decode(ISO_8859_15), ISO_8859_15) if LETTERS_OF_ISO_8859_15.search(text) else (text, ISO_8859_1)


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

"""Files made worse: seeded changes of good ones, small as of a slip and large as of an attack."""

import io
import zipfile
import zlib

PIECES = ["[", "]", "(", ")", "+", "-", "=", "0", "9" * 24, "&", "#", "é", "\n", ";", "*", "Promoting ", "/", "(+2p)", "N ",
          "\x1c", "\x85", "²", " ", "Nr ", "1/0", "1e999", "nan", "٣", "{", "}", '"', ":", ",", "null", "\0", "\t", "\v",
          "\ufeff", "\u2028", "a\u0301", "/b4", "12-", "<", "]]>", "0#", "001 ", "; EV[", "|1", "'=", "-0", "1_0", "½", "−1"]  # fmt: skip
ENCODINGS = ["utf-8"] * 6 + ["latin-1"] * 4 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp437", "cp1251", "utf-7"]
MOST = 2_100_000  # a little more than is read


def slipped(text, chance):
    """Some pieces put in, taken out or doubled."""
    for _ in range(chance.randint(1, 6)):
        at, kind = chance.randrange(len(text) + 1), chance.random()
        if kind < 0.5:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind < 0.75:
            text = text[:at] + text[at + chance.randint(1, 30) :]
        else:
            other = chance.randrange(len(text) + 1)
            text = text[:at] + text[other : other + chance.randint(1, 60)] + text[at:]
    return text


def _length(chance):
    """Seldom as much as may be sent at all."""
    return int(10 ** chance.uniform(1, 6.3)) if chance.random() < 0.1 else chance.randint(10, 5_000)


def block_repeated(text, chance):
    at, width = chance.randrange(len(text) + 1), chance.randint(1, 400)
    block = text[at : at + width] or "x"
    return text[:at] + block * (_length(chance) // len(block)) + text[at:]


def lines_repeated(text, chance):
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    some = lines[at : at + chance.randint(1, 4)]
    return "".join(lines[:at] + some * (_length(chance) // len("".join(some)) + 1) + lines[at:])


def piece_repeated(text, chance):
    at = chance.randrange(len(text) + 1)
    piece = chance.choice([*PIECES, "9", "a ", "[" * 9, '{"a":', "[[", " 1 w 1", "2+ ", "1,", '"",', "x\n", "\u0301"])
    return text[:at] + piece * (_length(chance) // len(piece)) + text[at:]


def numbers_grown(text, chance):
    """Digits become numbers beyond what anybody counts with."""
    grown = "9" * chance.choice([5, 20, 400, 990, 5_000])
    return "".join(grown if sign.isdigit() and chance.random() < 0.05 else sign for sign in text)


def quotes_opened(text, chance):
    """A quotation mark that swallows what follows, however long."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + ',"' + text[at:] + ("x" * 80 + "\n") * (_length(chance) // 81)


def columns_added(text, chance):
    more = chance.choice([",", ";", "\t", ",1", ";2+", " 2+", ", 31"]) * chance.choice([1, 5, 60, 300])
    return "\n".join(line + more for line in text.split("\n"))


def shuffled(text, chance):
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def ends_changed(text, chance):
    return text.replace("\n", chance.choice(["\r", "\r\n", "\x85", "\u2028", "\f", "\n\n", ""]))


STRONG = [
    block_repeated, lines_repeated, piece_repeated, numbers_grown, quotes_opened, columns_added, shuffled, ends_changed,
]  # fmt: skip


def mutated_text(texts, chance):
    """One of the texts, sometimes with the end of another, changed and encoded somehow."""
    text = chance.choice(texts)
    if chance.random() < 0.1:
        other = chance.choice(texts)
        text = text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other) + 1) :]
    if chance.random() < 0.25:
        text = chance.choice(STRONG)(text or "x", chance)
    if chance.random() < 0.8:
        text = slipped(text, chance)
    return text[:MOST].encode(chance.choice(ENCODINGS), "replace")


def mutated_bytes(data, chance):
    """Some bytes changed, taken out or doubled, and the end sometimes cut off."""
    changed = bytearray(data)
    for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
        at = chance.randrange(len(changed) or 1)
        match chance.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del changed[at : at + chance.randrange(1, 8)]
            case 2:
                changed[at:at] = changed[at : at + chance.randrange(1, 40)]
            case _:
                changed[at:at] = chance.choice((b"0+", b"[", b"\n", b"=", b"\xff", b";", b"12-", b"(-r)", b"\x00"))
    return bytes(changed[: chance.randint(0, len(changed))] if chance.random() < 0.1 else changed)


def parts_of(book):
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts, method=zipfile.ZIP_DEFLATED, *, stated_sizes=None):
    """Return an archive; `stated_sizes` holds wrong sizes of parts, with checksums that agree with them."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
        for name, size in (stated_sizes or {}).items():
            info = archive.getinfo(name)
            info.file_size, info.CRC = size, zlib.crc32(parts[name][:size])
    return stream.getvalue()


ENTITIES = "".join(
    f'<!ENTITY {one} "{"&" + other + ";" * 9}">' for one, other in zip("bcdefghi", "abcdefgh", strict=True)
)
DOCTYPES = [
    f'<!DOCTYPE x [<!ENTITY a "ha">{ENTITIES}]>', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
    f'<!DOCTYPE x [<!ENTITY a "{"h" * 100_000}">]>', '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
]  # fmt: skip
ELEMENTS = [b"<row/>", b"<c/>", b"<c><v>1</v></c>", b"<row><c/></row>", b"<si/>", b"<si><t>x</t></si>", b"<xf/>", b"<font/>",
            b'<submission name="x" sheetId="9" r:id="rId1"/>', b"<x><y/></x>", b"<a>", b'<row r="99999999"><c r="XFD1"/></row>']  # fmt: skip


def mutated_book(books, chance):
    """A workbook whose archive, parts or their insides are changed."""
    book = chance.choice(books)
    match chance.randrange(8):
        case 0:
            return mutated_bytes(book, chance)
        case 1:
            other = chance.choice(books)
            return book[: chance.randrange(len(book))] + other[chance.randrange(len(other)) :]
        case 2:
            return packed(_other_part(parts_of(book), chance))
        case 3:
            return _bomb(parts_of(book), chance)
        case _:
            parts = parts_of(book)
            name = chance.choice([name for name in parts if not name.startswith(("docProps", "xl/theme"))])
            parts[name] = slipped(parts[name].decode(), chance).encode("utf-8", "replace")
            return packed(parts)


def _other_part(parts, chance):
    """A part left out, put in the place of another, empty, or with a document type."""
    one, other = chance.choice(list(parts)), chance.choice(list(parts))
    match chance.randrange(5):
        case 0:
            del parts[one]
        case 1:
            parts[one] = parts[other]
        case 2:
            parts[one] = b""
        case 3:
            parts |= {f"{one}{number}": parts[one] for number in range(chance.choice([1, 50, 250]))}
        case _:
            root = parts[one].decode().removeprefix("<?xml version='1.0' encoding='UTF-8'?>")
            parts[one] = (chance.choice(DOCTYPES) + root.replace(">", ">&a;", 3)).encode()
    return parts


def _bomb(parts, chance):
    """A part that is far larger than it looks: many elements, or more bytes than it tells."""
    name = chance.choice([name for name in parts if name.startswith(("xl/", "[Content"))])
    part = parts[name]
    at = part.rindex(b"</") if chance.random() < 0.5 else part.find(b"</", chance.randrange(len(part)))
    filler = bytes(chance.choices(b"abcdefgh", k=30_000))  # against the limit of how tightly parts are packed
    unit = chance.choice(ELEMENTS)
    many = unit * (int(10 ** chance.uniform(3, 6.5)) // len(unit))
    parts[name] = part[:at] + b"<!--" + filler + b"-->" + many + part[at:]
    if chance.random() < 0.5:
        return packed(parts)
    parts[name] += b" " * chance.choice([10_000, 5_000_000])
    method = chance.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    return packed(parts, method, stated_sizes={name: chance.choice([0, 100, len(part), 2_000_000])})

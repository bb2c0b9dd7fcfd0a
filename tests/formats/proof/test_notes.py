import pytest

from ratings.formats.proof.notes import (
    COSIGNATURE,
    NoteError,
    SignedNote,
    cosign_text,
    encode,
    find_valid,
    is_valid,
    make_verifier_key,
    parse_key,
    parse_note,
    read_cosignature_time,
    sign_text,
)

# RFC 8032, section 7.1, tests 1 and 2: private key, public key, message, signature
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "\x72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]
# the example of the documentation of golang.org/x/mod/sumdb/note
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
PRIVATE = bytes(range(32))


@pytest.mark.parametrize(("private", "public", "message", "signature"), RFC_8032)
def test_signatures_are_those_of_rfc_8032(private, public, message, signature):
    key = make_verifier_key("name", bytes.fromhex(private))
    signed = sign_text(message, "name", bytes.fromhex(private))
    assert (key.public.hex(), signed.content.hex(), signed.id) == (public, signature, key.id)


def test_note_of_another_program_is_valid():
    key, note = parse_key(GO_KEY), parse_note(GO_NOTE)
    assert str(key) == GO_KEY
    assert str(note) == GO_NOTE
    assert find_valid(note, [key]) == [(key, note.signatures[0])]


@pytest.mark.parametrize(
    "changed",
    [GO_NOTE.replace("answer", "Answer"), GO_NOTE.replace("x08g", "x08h"), GO_NOTE.replace("PeterNeumann", "Peter")],
)
def test_changed_note_is_not_valid(changed):
    assert find_valid(parse_note(changed), [parse_key(GO_KEY)]) == []


def test_cosignature_names_its_time():
    key = make_verifier_key("witness", PRIVATE, COSIGNATURE)
    signature = cosign_text("a\n", "witness", PRIVATE, 1679315147)
    note = SignedNote("a\n", (signature,))
    assert signature.id == key.id != make_verifier_key("witness", PRIVATE).id
    assert len(signature.content) == 8 + 64
    assert read_cosignature_time(signature) == 1679315147
    assert find_valid(parse_note(str(note)), [key]) == [(key, signature)]
    # https://c2sp.org/tlog-cosignature: the signed message has a header, then the whole text of the note
    message = "cosignature/v1\ntime 1679315147\na\n"
    assert signature.content[8:] == sign_text(message, "witness", PRIVATE).content
    later = type(signature)(signature.name, signature.id, bytes(7) + b"\x01" + signature.content[8:])
    assert not is_valid("a\n", later, key)
    assert not is_valid("a\n", type(signature)(signature.name, signature.id, bytes(9)), key)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("abc", "'abc' is not a key: expected name+id+key"),
        ("a b+00000000+AAAA", "'a b+00000000+AAAA' is not a key: expected name+id+key"),
        ("a+00000000+§", "'§' is not base64"),
        ("a+00000000+AAAA", "the key of a is not an Ed25519 key"),
        (GO_KEY.replace("c74f20a3", "00000000"), "the key of PeterNeumann has the id c74f20a3, not 00000000"),
    ],
)
def test_invalid_key_is_refused(text, error):
    with pytest.raises(NoteError) as raised:
        parse_key(text)
    assert str(raised.value) == error


@pytest.mark.parametrize(
    "text",
    ["", "a\n", "a\n\n", "\n\n— a AAAAAAA=\n", "a\n\n— a AAAAAAA=", "a\n\n- a AAAAAAA=\n", "a\n\n— a\n", "a\n\n— a ?\n",
     "a\n\n— a AAAA\n", "a\n\n— a+b AAAAAAA=\n", "x" * 2_000_000],
)  # fmt: skip
def test_text_that_is_no_note_is_refused(text):
    with pytest.raises(NoteError):
        parse_note(text)


def test_key_id_is_that_of_the_specification():
    # https://c2sp.org/signed-note: SHA-256(name || 0x0A || type || public key), first four bytes
    key = parse_key(GO_KEY)
    assert encode(bytes([1]) + key.public) == "ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    assert key.id.hex() == "c74f20a3"

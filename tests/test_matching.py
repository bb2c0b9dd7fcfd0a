import pytest

from ratings.matching import NameIndex, NameMatch, fold

ROSTER = NameIndex(
    {
        "M": [("Müller", "Jürgen")],
        "L": [("Łukasiewicz", "Óscar")],
        "A1": [("Dupont", "Andriy (elder)")],
        "A2": [("Dupont", "Andriy")],
        "N1": [("Smith", "John")],
        "N2": [("Smith", "John")],
        "J": [("山本", "太一")],
        "C": [("Иванов", "Иван")],
        "B": [("N2", "")],
    }
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Müller", "muller"),
        ("MU\u0308LLER", "muller"),
        ("Łukasiewicz  Ø", "lukasiewicz o"),
        ("Straße GROẞ", "strasse gross"),
        ("Đorđe Æsop Þór Œuvre ıI İ", "dorde aesop thor oeuvre ii i"),
        ("Nguyễn", "nguyen"),
        ("ＡＢＣ ｶﾜ", "abc カワ"),
        (" de  la\tCruz ", "de la cruz"),
        ("山本", "山本"),
        ("Иванов", "иванов"),
    ],
)
def test_fold_leaves_case_accents_and_spaces_out(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("name", "match"),
    [
        (("MULLER", "jurgen"), NameMatch("exact", ("M",))),
        (("Lukasiewicz", "Oscar"), NameMatch("exact", ("L",))),
        (("Dupont", "Andriy (elder)"), NameMatch("exact", ("A1",))),
        (("Dupont", "Andriy"), NameMatch("exact", ("A2",))),
        (("Smith", "John"), NameMatch("several", ("N1", "N2"))),
        (("Smyth", "John"), NameMatch("likely", ("N1", "N2"))),
        (("Muller Jürgen", ""), NameMatch("likely", ("M",))),
        (("Jürgen Müller", ""), NameMatch("likely", ("M",))),
        (("John Smith", ""), NameMatch("likely", ("N1", "N2"))),
        (("John", "Smith"), NameMatch("likely", ("N1", "N2"))),
        (("Jürgen", "Müller"), NameMatch("likely", ("M",))),
        (("山本", "太一"), NameMatch("exact", ("J",))),
        (("Ivanov", "Ivan"), NameMatch("unknown")),
        (("N2", ""), NameMatch("exact", ("B",))),
        (("Nobody", "Atall"), NameMatch("unknown")),
    ],
)
def test_match_is_exact_after_folding_or_names_candidates(name, match):
    assert ROSTER.match(*name) == match

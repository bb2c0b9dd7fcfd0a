"""Language of a name in its own script, by which browsers choose the form of its letters."""

from __future__ import annotations

import unicodedata
from typing import Any

LANGUAGES = {
    "CYRILLIC": {"UA": "uk", "RU": "ru", "BY": "be", "BG": "bg", "RS": "sr", "MK": "mk", "KZ": "kk", "MN": "mn"},
    "CJK": {
        "JP": "ja",
        "CN": "zh-Hans",
        "SG": "zh-Hans",
        "TW": "zh-Hant",
        "HK": "zh-Hant",
        "MO": "zh-Hant",
        "KR": "ko",
    },
}
"""Languages by script and country; a name from another country has no known language."""
SCRIPTS = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "GREEK": "el",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "HEBREW": "he",
    "THAI": "th",
}
"""Languages by a script that tells them in any country."""
UNKNOWN = "und"


def guess_language(name: str, country: Any) -> str:
    """Return the language tag of a name by its script and the player's country; `und` if they do not tell it."""
    scripts = dict.fromkeys(unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha())
    for script in scripts:
        if script in SCRIPTS:
            return SCRIPTS[script]
    by_country = next((LANGUAGES[script] for script in scripts if script in LANGUAGES), {})
    return by_country.get(str(country or ""), UNKNOWN)

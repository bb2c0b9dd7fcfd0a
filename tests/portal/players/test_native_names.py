"""Names in a player's own script, with the language by which browsers choose the form of the letters."""

import pytest

from portal.players.native_names import guess_language
from portal.templatetags.portal_format import native_name
from ratings.models import Player


@pytest.mark.parametrize(
    ("name", "country", "language"),
    [
        ("山本 太一", "JP", "ja"), ("山本 太一", "TW", "zh-Hant"), ("山本 太一", "FR", "und"), ("山本 太一", "", "und"),
        ("山本 タイチ", "FR", "ja"), ("さくら", "", "ja"), ("김 민수", "US", "ko"), ("王 伟", "CN", "zh-Hans"),
        ("Єфименко Ілля", "UA", "uk"), ("Иванов", "DE", "und"), ("Παπάς", "CY", "el"), ("Łoś", "PL", "und"), ("·", "JP", "und"),
    ],
)  # fmt: skip
def test_language_is_that_of_the_script_and_country(name, country, language):
    assert guess_language(name, country) == language


def test_native_name_is_marked_and_escaped_and_only_of_full_names():
    player = Player(family_name="Yamamoto", native_name="山本 <太一>", country="JP")
    assert native_name(player) == '<span class="native quiet" lang="ja">山本 &lt;太一&gt;</span>'
    for shown in ("initials", "anonymous"):
        player.shown = shown
        assert native_name(player) == ""
    assert native_name(Player(family_name="Yamamoto", country="JP")) == ""

import copy

from ratings.systems.messages import Message


def test_words_are_their_english_text():
    words = Message("{count:,} games of {place} left out: 100 %", count=1200, place="board {1}")
    assert words == "1,200 games of board {1} left out: 100 %"
    assert (words.pattern, words.values) == (
        "{count:,} games of {place} left out: 100 %",
        {"count": 1200, "place": "board {1}"},
    )


def test_words_without_values_keep_their_braces():
    assert Message("{opponent} stands so") == "{opponent} stands so"


def test_words_survive_being_copied():
    words = copy.deepcopy(Message("{count} games", count=3))
    assert (words, words.pattern, words.values) == ("3 games", "{count} games", {"count": 3})

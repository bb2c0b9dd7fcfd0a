"""Messages: their codes, values and stored form."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.models.messages import RunReason
from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.messages import (
    CODES_BY_NAMESPACE,
    Message,
    MessageCode,
    RatingMessage,
    decode_message,
    encode_message,
    find_code,
    join_texts,
    limit_items,
    message_from_json,
    message_of,
    message_to_json,
    shorten,
    storable_message,
)

ALL_CODES = [member for codes in CODES_BY_NAMESPACE.values() for member in codes]


def test_message_is_its_english_text_with_code_and_values():
    message = FileProblem.NUMBER_OUT_OF_RANGE(number=1001, most=1000)
    assert (message, message.code, message.values) == (
        "the number 1001 is not one of 1 to 1,000", "file.number_out_of_range", {"number": 1001, "most": 1000}
    )  # fmt: skip


def test_codes_are_unique_and_patterns_are_not_aliases():
    assert len({member.code for member in ALL_CODES}) == len(ALL_CODES)
    for codes in CODES_BY_NAMESPACE.values():
        assert len(codes.__members__) == len(list(codes)), f"two names of {codes.__name__} have one pattern"
    assert all(find_code(member.code) is member for member in ALL_CODES)


def test_namespace_belongs_to_one_enum():
    with pytest.raises(TypeError, match=r"The namespace 'file' is used by FileProblem and .*Other\.$"):

        class Other(MessageCode, namespace="file"):
            A = "a"


@pytest.mark.parametrize("code", ["", "file", "file.no_such_thing", "nowhere.file_empty"])
def test_find_code_returns_none_for_unknown_code(code):
    assert find_code(code) is None


def test_encode_message_stores_code_and_values():
    message = RunReason.DECISION_CHANGED(date="2024-01-02", whom=RunReason.OF_PLAYER(player="K7QW2RT"))
    assert json.loads(encode_message(message)) == {
        "code": "run.decision_changed",
        "values": {"date": "2024-01-02", "whom": {"code": "run.of_player", "values": {"player": "K7QW2RT"}}},
    }
    assert encode_message(FileProblem.FILE_EMPTY()) == '{"code": "file.file_empty"}'


def test_encode_message_rejects_message_without_a_code():
    with pytest.raises(TypeError, match=r"A message without a code cannot be stored: 'a text'\."):
        encode_message(Message("a text"))


@given(st.text())
def test_typed_text_is_decoded_as_typed(text):
    decoded = decode_message(encode_message(text))
    assert (decoded, isinstance(decoded, Message)) == (text, False)


@pytest.mark.parametrize(
    "text", ['{"code": "file.file_empty"}', '{"text": "x"}', "{", "{}", '{"code": 1}', "[]", "{name} was here"]
)
def test_typed_text_that_looks_like_a_stored_message_is_decoded_as_typed(text):
    decoded = decode_message(encode_message(text))
    assert (decoded, isinstance(decoded, Message)) == (text, False)


@given(st.dictionaries(st.sampled_from(["name", "opponent"]), st.text() | st.integers(), min_size=2))
def test_decode_message_returns_equal_message(values):
    message = FileProblem.MEETS_TWICE(**values)
    decoded = decode_message(encode_message(message))
    assert (decoded, decoded.code, decoded.pattern, decoded.values) == (
        message, message.code, message.pattern, message.values
    )  # fmt: skip


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"code": "file.gone", "values": {"name": "Ada"}}, "file.gone {'name': 'Ada'}"),
        ({"code": "file.meets_twice", "values": {"player": "Ada"}}, "file.meets_twice {'player': 'Ada'}"),
        ({"code": "file.gone"}, "file.gone"),
        ("typed", "typed"),
        (None, None),
    ],
)
def test_message_from_json_shows_what_it_does_not_know(content, text):
    assert message_from_json(content) == text


def test_message_to_json_returns_typed_text_as_it_is():
    assert (message_to_json("typed"), message_to_json("{x}")) == ("typed", "{x}")


def test_change_texts_replaces_texts_and_not_the_pattern():
    message = BgfMessage.PLAYER_WITHOUT_RANK(id="A")
    outer = RatingMessage.TABLE_NOT_RATABLE(table="A", day=3, error=message)
    changed = outer.change_texts(lambda text: text.replace("A", "Ada"))
    assert changed == "table Ada of 3: Ada has neither a rating nor a declared rank: the games are not rated"
    assert (changed.code, changed.values["day"]) == ("rating.table_not_ratable", 3)


def test_message_of_error_is_the_message_with_which_it_was_raised():
    message = RatingMessage.GAMES_WITHOUT_RATING()
    nested = RatingMessage.TABLE_NOT_RATABLE(table="A", day="2024-01-02", error=ValueError(message))
    assert message_of(ValueError(message)) is message
    assert nested.values["error"] is message
    assert message_of(KeyError("a", "b")) == "('a', 'b')"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copied_message_keeps_its_code(duplicate):
    message = SubmissionProblem.PLAYER_TWICE(name="Ada", also=3)
    copied = duplicate(message)
    assert (copied, copied.code, copied.values) == (message, message.code, message.values)


def test_message_of_an_error_is_stored_with_its_code_or_as_text():
    coded, plain = FileProblem.FILE_EMPTY(), Message("no {what}", what="code")
    stored = [storable_message(ValueError(text)) for text in (coded, plain, "typed")]
    assert [(type(text), text) for text in stored] == [(Message, coded), (str, "no code"), (str, "typed")]


def test_shorten_cuts_typed_text_only():
    message = FileProblem.FILE_EMPTY()
    assert (shorten("typed", 2), shorten(message, 2)) == ("ty", message)


def test_join_texts_keeps_a_single_message():
    message = FileProblem.FILE_EMPTY()
    assert join_texts(["", message]) is message
    assert join_texts(["a", "", "b"]) == "a; b"


def test_message_stores_and_restores_lists():
    message = SubmissionProblem.MEMBERSHIP_LAPSED(
        federation="FESA", names=(SubmissionProblem.NAME_WITH_DAY(name="Ada", day="2024-05-04"), "Ben")
    )
    content = message_to_json(message)
    assert content["values"]["names"] == [
        {"code": "submission.name_with_day", "values": {"name": "Ada", "day": "2024-05-04"}}, "Ben"
    ]  # fmt: skip
    restored = message_from_json(json.loads(json.dumps(content)))
    assert (restored, restored.values) == (message, message.values)
    assert restored.join_lists().values == {"federation": "FESA", "names": "Ada (2024-05-04), Ben"}
    assert restored.join_lists() == message


def test_change_texts_changes_the_items_of_lists():
    message = RatingMessage.KEY_INVALID(key="a", keys=["b", RatingMessage.FIXED_OUTSIDER(), 1])
    assert message.change_texts(str.upper) == "A is not one of B, fixed outsider, 1"


@pytest.mark.parametrize(("items", "limited"), [([], []), (["a", "b"], ["a", "b"]), (["a", "b", "c"], ["a", "b", "…"])])
def test_limit_items_marks_what_it_leaves_out(items, limited):
    assert limit_items(items, 2) == limited

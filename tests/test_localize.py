"""Messages in the reader's language, and texts that a person typed, which are never translated."""

import datetime as dt

import pytest
from django.template import Context, Template
from django.utils import translation

from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.localize import (
    CATEGORY_LABELS,
    award_label,
    award_message,
    category_label,
    format_day,
    format_days,
    format_moment,
    format_range,
    join_clauses,
    join_details,
    join_parts,
    translate_message,
)
from ratings.models.messages import RecordReason, RunReason
from ratings.systems.messages import Message
from ratings.systems.values import AwardHow, Category

LANGUAGES = ("fr", "de", "ja")


def test_translate_message_returns_typed_text_unchanged():
    """“player returned from Japan” once became “Spieler returned from Japan”."""
    typed = ["player returned from Japan", "Spring Cup was accepted or changed", "announced", "provisional", ""]
    with translation.override("de"):
        assert [translate_message(text) for text in typed] == typed


def test_translate_message_translates_pattern_and_nested_messages_only():
    message = RunReason.DECISION_WITHDRAWN(date="2024-01-02", whom=RunReason.OF_LIST())
    with translation.override("de"):
        assert translate_message(message) == "Entscheidung vom 02.01.2024 für die Liste zurückgenommen"
        named = RunReason.EVENT_CHANGED(event="player was deleted")
        assert translate_message(named) == "player was deleted wurde angenommen oder geändert"
    assert translate_message(message) == "decision of 2 Jan 2024 for the list withdrawn"


@pytest.mark.parametrize(
    ("language", "day", "dash"),
    [
        ("en", "4 May 2024", " – "),
        ("de", "04.05.2024", " – "),
        ("fr", "4 mai 2024", " – "),
        ("ja", "2024年5月4日", "～"),
    ],
)
def test_days_of_messages_and_moments_are_written_as_on_pages(language, day, dash):
    moment = dt.datetime(2024, 5, 4, 9, 5, tzinfo=dt.UTC)
    with translation.override(language):
        assert format_day(dt.date(2024, 5, 4)) == day
        assert format_days(dt.date(2024, 5, 4), dt.date(2024, 5, 4)) == day
        assert format_days(dt.date(2024, 5, 4), dt.date(2025, 5, 4)) == f"{day}{dash}{day.replace('2024', '2025')}"
        assert format_moment(moment) == f"{day}{' ' if language == 'ja' else ', '}09:05"
        assert day in translate_message(FileProblem.DAY_IN_FUTURE(day="2024-05-04"))
        assert "2024-02-30" in translate_message(FileProblem.NO_DATE(day="2024-02-30"))


def test_translate_message_formats_numbers():
    assert translate_message(FileProblem.TOO_MANY_LINES(lines=60000, most=50000)) == (
        "the file has 60,000 lines; at most 50,000 are read"
    )


def test_translate_message_translates_reason_of_an_announced_grade():
    earned = RecordReason.EARNED(
        reason=RecordReason.ANNOUNCED(), day="2024-01-02", how=award_message(AwardHow.UPPER_BOUND)
    )
    assert str(earned) == "announced; earned 2024-01-02 (rating passed the grade above)"
    with translation.override("de"):
        assert (
            translate_message(earned)
            == "angekündigt; erworben am 02.01.2024 (Wertungszahl über dem nächsthöheren Grad)"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_category_and_award_has_a_translated_label(language):
    assert set(CATEGORY_LABELS) == set(Category)
    with translation.override(language):
        labels = [*map(category_label, Category), *map(award_label, AwardHow)]
    assert not {*map(str, Category), *map(str, AwardHow)} & set(labels) - {"provisional", "nouveau"}


def test_translate_message_translates_display_text_without_a_code():
    with translation.override("de"):
        assert translate_message(Message("{who}: {what}", who="x", what=Message("provisional"))) == "x: vorläufig"


def test_award_label_filter_translates_the_way_of_a_grade():
    template = Template("{% load portal_grades %}{{ how|award_label }}")
    with translation.override("de"):
        label = template.render(Context({"how": "games above MP"}))
    assert label not in ("", "games above MP")


@pytest.mark.parametrize(("language", "joined"), [("en", "a, b, %(c)s"), ("de", "a, b, %(c)s"), ("ja", "a、b、%(c)s")])
def test_parts_are_enumerated_as_the_language_does(language, joined):
    with translation.override(language):
        assert (join_parts(["a", "", "b", "%(c)s"]), join_parts([])) == (joined, "")


@pytest.mark.parametrize(
    ("language", "details", "clauses"),
    [
        ("en", "Berlin · Germany · 12 players", "a, b; c"),
        ("de", "Berlin · Germany · 12 players", "a, b; c"),
        ("fr", "Berlin · Germany · 12 players", "a, b\u202f; c"),
        ("ja", "Berlin／Germany／12 players", "a、b；c"),
    ],
)
def test_details_and_clauses_are_joined_as_the_language_does(language, details, clauses):
    with translation.override(language):
        assert join_details(["Berlin", "", "Germany", "12 players"]) == details
        assert join_clauses([join_parts(["a", "b"]), "", "c"]) == clauses
        assert (join_details([]), join_clauses([""])) == ("", "")


@pytest.mark.parametrize(
    ("language", "spaced", "tight"),
    [
        ("en", "1 – 7", "1312–1616"),
        ("de", "1 – 7", "1312–1616"),
        ("fr", "1 – 7", "1312–1616"),
        ("ja", "1～7", "1312～1616"),
    ],
)
def test_range_is_written_as_the_language_does(language, spaced, tight):
    with translation.override(language):
        assert (format_range(1, 7), format_range("1312", "1616", is_tight=True)) == (spaced, tight)


def test_translate_message_enumerates_lists_and_translates_their_items():
    names = [SubmissionProblem.NAME_WITH_DAY(name=name, day="2024-05-04") for name in ("Ada", "Ben")]
    message = SubmissionProblem.MEMBERSHIP_MISSING(federation="FESA", names=[*names, "…"])
    assert "for Ada (2024-05-04), Ben (2024-05-04), …." in message
    with translation.override("ja"):
        assert "Ada（2024年5月4日）、Ben（2024年5月4日）、…" in translate_message(message)


@pytest.mark.parametrize(("language", "text"), [("en", "fell by 0.5"), ("de", "fell by 0,5"), ("ja", "fell by 0.5")])
def test_decimals_in_messages_are_written_as_the_language_does(language, text):
    with translation.override(language):
        assert translate_message(Message("fell by {points}", points=0.5)) == text

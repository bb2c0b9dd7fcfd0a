"""Stored content of submissions, which the release before and the one after read too while both serve."""

from ratings.formats.sheet_content import (
    ADDED_FIELDS,
    ChoiceStep,
    FieldChange,
    FixStep,
    RowChoice,
    SheetContent,
    SheetRow,
    content_from_json,
)

ROW = {
    "family", "given", "country", "player", "new", "birth_year", "start_year", "prior_grade", "evidence", "fixed_rating", "macmahon",
    "points", "place", "cells", "line", "typed", "unread", "printed", "outside",
}  # fmt: skip
"""Fields of a row that every release knows which can serve beside this one."""


def make_content(**row):
    step = ChoiceStep("all", [RowChoice(1, "A2", new=False, old_player="", old_new=True)])
    fix = FixStep("mirror", [FieldChange(1, "round-1", "2+", "2-")])
    return SheetContent(1, [SheetRow("Adler", "Zoë", cells=["2+"], **row)], last_choices=step, last_fix=fix)


def test_row_has_the_fields_of_the_release_before_unless_new_ones_are_used():
    assert set(make_content().to_json()["rows"][0]) == ROW
    assert set(make_content(native="ゾエ", sex="w").to_json()["rows"][0]) == ROW | ADDED_FIELDS


def test_content_is_read_as_it_was_stored():
    for content in (make_content(), make_content(native="ゾエ", sex="w")):
        assert content_from_json(content.to_json()) == content


def test_fields_of_a_later_release_are_left_out():
    written = make_content().to_json()
    for row in (*written["rows"], *written["last_choices"]["rows"], *written["last_fix"]["changes"]):
        row["later"] = "x"
    assert content_from_json(written) == make_content()

import datetime as dt

import pytest

from ratings.formats.setup_file import (
    EventPart,
    FederationPart,
    ListPart,
    PersonPart,
    SetupFile,
    SetupFileError,
    read_setup_file,
    write_setup_file,
)

WHOLE = SetupFile(
    federation=FederationPart(name='Alpine “Go” "Association"', house="pine", languages=["en", "de"]),
    lists=[ListPart(slug="go", name="Go", system="bgf", options={"bonus": "epsilon"}, day=dt.date(2026, 11, 1)),
           ListPart(slug="chess", name="Chess", system="icu-1989", options={"cap": 2200, "bracket_for_graded": True}, public=False)],
    people=[PersonPart(mail="nora@aga.example", role="officer")],
    event=EventPart(name="Cup\\Open", start=dt.date(2026, 11, 21), list="go"),
)  # fmt: skip


def test_setup_file_is_read_as_it_was_written():
    assert read_setup_file(write_setup_file(WHOLE).encode()) == WHOLE


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("[federation\n", ["not TOML in UTF-8: Expected ']' at the end of a table declaration (at line 1, column 12)"]),
        ("", ["federation: is missing"]),
        ("[federation]\nname = 7\n", ["federation.name: Input should be a valid string"]),
        ('[federation]\nname = "A"\ncolour = "red"\n', ["federation.colour: unknown key"]),
        ('[federation]\nname = "A"\n[[lists]]\nslug = "go"\nname = "Go"\nsystem = "elo"\nday = "2026-01-01"\n',
         ['lists[0].system: "elo" is not one of fesa-2016, fesa-2000, icu-1989, rif-1995, rif-1997, bgf, egf-2021, glicko-2, rif-2021, fide-2024',
          "lists[0].day: 2026-01-01 is not a date; write it without quotes, as 2026-11-01"]),
        ('[federation]\nname = "A"\n[[people]]\nmail = "a@b.c"\nrole = "king"\n',
         ['people[0].role: "king" is not one of officer, organiser, approver']),
    ],
)  # fmt: skip
def test_bad_setup_file_is_refused_with_each_key(text, problems):
    with pytest.raises(SetupFileError) as error:
        read_setup_file(text.encode())
    assert list(error.value.problems) == problems


def test_file_in_another_encoding_is_refused():
    with pytest.raises(SetupFileError, match=r"^not TOML in UTF-8: "):
        read_setup_file('[federation]\nname = "Zürich"\n'.encode("latin-1"))

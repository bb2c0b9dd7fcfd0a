"""Names: ordinary names of all scripts are accepted, invisible and control characters are refused at every door."""

import xml.etree.ElementTree as ET

import pytest
from django.core.exceptions import ValidationError

from ratings.characters import has_visible_character, invisible_characters
from ratings.models import Club, Event, Federation, Player, RatingList, Table
from tests.admin.people import OFFICER, log_in
from tests.admin.site.test_import_export import given, problems
from tests.factories import give_rating, make_list, make_player, make_table

ORDINARY = [
    "Ada", "O'Neil", "Müller-Lüdenscheidt", "D’Arcy", "Nguyễn Văn An", "ÅSTRÖM", "Łukasz", "Иванов", "Ελένη", "山本 太一",
    "\u3000山本", "葛\U000e0100城", "\U00031350", "김민준", "אבי", "محمد", "علی\u200cرضا", "می\u200cروم", "ශ්\u200dරී",
    "क्\u200dष", "അവന്\u200d", "Zoe\u0308", "3rd", "?", "X Æ A-12", "J. R.",
]  # fmt: skip
INVISIBLE = {
    "Ada\u202enaD": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "\u2066Ada": "U+2066 LEFT-TO-RIGHT ISOLATE",
    "Ada\u200e": "U+200E LEFT-TO-RIGHT MARK",
    "Ada\u061c": "U+061C ARABIC LETTER MARK",
    "A\u200bda": "U+200B ZERO WIDTH SPACE",
    "Ada\ufeff": "U+FEFF ZERO WIDTH NO-BREAK SPACE",
    "A\u00adda": "U+00AD SOFT HYPHEN",
    "A\u2060da": "U+2060 WORD JOINER",
    "Ada\U000e0041": "U+E0041 TAG LATIN CAPITAL LETTER A",
    "Ada\U000e0002": "U+E0002",
    "Ada\x07": "U+0007",
    "Ada\x1b[0m": "U+001B",
    "A\nda": "U+000A",
    "Ada\x85": "U+0085",
    "A\u2028da": "U+2028 LINE SEPARATOR",
    "Ada\ue000": "U+E000",
    "Ada\ufffe": "U+FFFE",
    "Ada\ud800": "U+D800",
    "Ada\u3164": "U+3164 HANGUL FILLER",
    "Ada\u200d": "U+200D ZERO WIDTH JOINER",
    "Иван\u200c": "U+200C ZERO WIDTH NON-JOINER",
    "\u200cعلی": "U+200C ZERO WIDTH NON-JOINER",
}
FIELDS = [
    (Player, "family_name"), (Player, "given_name"), (Player, "native_name"), (Club, "name"), (Club, "city"),
    (Event, "name"), (Event, "place"), (Event, "organiser"), (Event, "address"), (Event, "contact"), (Table, "name"), (RatingList, "name"),
    (Federation, "name"),
]  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
def test_name_accepts_ordinary_names_of_all_scripts(name):
    assert (invisible_characters(name), has_visible_character(name)) == ([], True)


@pytest.mark.parametrize(("name", "character"), INVISIBLE.items())
def test_name_refuses_invisible_characters(name, character):
    assert invisible_characters(name) == [character]


@pytest.mark.parametrize("name", ["\u3000", " ", "\u0301", "\u200d", "\u200b", "\u3164"])
def test_name_needs_a_visible_character(name):
    assert not has_visible_character(name)


@pytest.mark.parametrize(("model", "field"), FIELDS)
def test_fields_of_names_refuse_invisible_characters(model, field):
    with pytest.raises(ValidationError) as refused:
        model(**{field: "Ada\u202enaD"}).clean_fields()
    assert refused.value.message_dict[field] == [
        "Invisible or control characters are not allowed in a name: U+202E RIGHT-TO-LEFT OVERRIDE. Type the name again."
    ]


def test_fields_of_names_need_a_visible_character():
    with pytest.raises(ValidationError) as refused:
        Player(family_name="\u3000").clean_fields()
    assert refused.value.message_dict["family_name"] == ["A name needs at least one visible character."]


@pytest.mark.django_db
def test_import_of_players_refuses_invisible_characters(client):
    log_in(client, OFFICER)
    message = "Invisible or control characters are not allowed in a name: U+200B ZERO WIDTH SPACE. Type the name again."
    assert problems(given(client, "player", "family_name\nA\u200bda\n")) == {1: {"family_name": [message]}}
    assert Player.objects.count() == 0


@pytest.mark.django_db
def test_graph_of_a_name_with_control_characters_is_valid_svg(client, rate_all):
    fesa, ada = make_list(), make_player("A\x07d\x1ba\ufffe", public_id="ADA2345")
    give_rating(fesa, ada, 1799)
    make_table(fesa, [ada, make_player("B\x02")], [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    response = client.get("/players/ADA2345/graph.svg")
    assert response.status_code == 200
    assert ET.fromstring(response.content).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own picture

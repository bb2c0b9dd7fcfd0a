"""The page on which many players are looked up at once, and its file."""

import datetime as dt

import pytest
import time_machine

from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership, OutsideId
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
HEAD = "Rank,ID,Last name,First name,Country,Club,Grade,Rating,Games,Category,Last played,Deviation,Typed,Verdict"
IDS = "EGD PIN,FIDE id,AGA id,US Chess id,RIF id,FESA id,National ids"
NO_IDS, FIDE_ID = "," * 7, ",,24663832,,,,,BE A-12"


@pytest.fixture(autouse=True)
def _today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
@reused
def players(rate_all):
    """Two namesakes and a third player, on a list with grades."""
    fesa = make_list()
    made = [
        make_player("Adler", "Ina", public_id="BBB22", country="DE"),
        make_player("Adler", "Ina", public_id="BBB33", country="AT"),
        make_player("Maes", "Jo", public_id="BBB44", country="BE"),
    ]
    for player, rating in zip(made, (1600, 1500, 1400), strict=True):
        give_rating(fesa, player, rating, grade="3 Kyu")
    club = Club.objects.create(name="Bonn")
    Membership.objects.create(player=made[0], club=club)
    for registry, country, value in (("fide", "", "24663832"), ("national", "BE", "A-12")):
        OutsideId.objects.create(
            player=made[2], registry=registry, country=country, value=value, confirmed_at=dt.datetime.now(dt.UTC)
        )
    make_table(fesa, made, [(1, 1, 3, 0.5)], "2024-05-01")
    rate_all()
    return made


def look_up(client, text, **more):
    return client.post("/lookup/", {"players": text, "list": "fesa"} | more)


def errors(response):
    return response.context["form"].errors.get("players", [])


def test_form_is_shown_with_the_list_of_the_address(client, players):
    make_list("other")
    response = client.get("/lookup/?list=other")
    assert response.status_code == 200
    assert '<option value="other" selected>' in markup(response)
    assert '<option value="fesa" selected>' in markup(client.get("/lookup/?list=%00"))
    assert "lines" not in response.context


def test_result_shows_ratings_grades_and_ids_and_keeps_the_text(client, players):
    text = "  Maes, Jo\r\n\r\nNobody, Atall"
    response = look_up(client, text)
    page = markup(response)
    assert response.status_code == 200
    assert response.context["form"]["players"].value() == text
    assert {number: line.text for number, line in response.context["lines"].items()} == {
        1: "  Maes, Jo",
        3: "Nobody, Atall",
    }
    assert "1 player found in 2 lines" in page
    for shown in ("BBB44", "FIDE 24663832", "3 Kyu", "no player found", "https://ratings.fide.com/profile/24663832"):
        assert shown in page, shown
    assert response.context["questions"] == {}


def test_candidate_replaces_the_line_and_is_looked_up_again(client, players):
    text = "Maes, Jo\nAdler, Ina"
    page = markup(look_up(client, text))
    assert '<input type="radio" name="choice-2" value="BBB33">' in page
    assert '<input type="hidden" name="typed-2" value="Adler, Ina">' in page
    response = look_up(client, text, **{"typed-2": "Adler, Ina", "choice-2": "BBB33"})
    assert response.context["form"]["players"].value() == "Maes, Jo\nBBB33"
    assert [line.found.player.public_id for line in response.context["lines"].values()] == ["BBB44", "BBB33"]


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        # a line was put above since
        ("x\nAdler, Ina\ny", {"typed-1": "Adler, Ina", "choice-1": "BBB22"}, "x\nBBB22\ny"),
        ("Maes, Jo", {"typed-1": "Adler, Ina", "choice-1": "BBB22"}, "Maes, Jo"),
        ("Adler, Ina", {"typed-1": "Adler, Ina", "choice-1": ""}, "Adler, Ina"),
        ("Adler, Ina", {"typed-1": "Adler, Ina", "choice-1": "<b>"}, "Adler, Ina"),
        ("Adler, Ina", {"choice-1": "BBB22"}, "Adler, Ina"),
        ("Adler, Ina", {"typed-7": "Adler, Ina", "choice-7": "BBB22"}, "BBB22"),  # lines above were deleted since
        ("Adler, Ina", {"typed-x": "Adler, Ina", "choice-x": "BBB22"}, "Adler, Ina"),
        (
            "Adler, Ina\nAdler, Ina",
            {"typed-1": "Adler, Ina", "choice-1": "BBB33", "typed-2": "Adler, Ina", "choice-2": "BBB22"},
            "BBB33\nBBB22",
        ),
    ],
)
def test_choice_is_applied_to_the_line_for_which_it_was_made(text, choices, expected, client, players):
    assert look_up(client, text, **choices).context["form"]["players"].value() == expected


def test_file_has_the_columns_of_the_list_and_what_was_typed(client, players):
    text = 'Maes Jo\nAdler, Ina\nBBB22\n=HYPERLINK("x")\nMaess, Jo\nAdler, I.'
    response = look_up(client, text, csv="1")
    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "text/csv; charset=utf-8",
        'attachment; filename="fesa-lookup.csv"',
    )
    of_list = client.get("/lists/fesa/list.csv").content.decode().splitlines()
    ada, maes = of_list[1:]  # the other one is inactive
    assert ada.startswith("1,BBB22,Adler,Ina,DE,Bonn,2 Kyu,")
    assert maes.startswith("2,BBB44,Maes,Jo,BE,,3 Kyu,")
    assert of_list[0] + ",Typed,Verdict" == HEAD
    assert response.content.decode().splitlines() == [
        f"{HEAD},{IDS}",
        f"{maes},Maes Jo,found{FIDE_ID}",
        f'{"," * 12}"Adler, Ina",several{NO_IDS}',
        f"{ada},BBB22,found{NO_IDS}",
        f'{"," * 12}"\'=HYPERLINK(""x"")",unknown{NO_IDS}',
        f'{maes},"Maess, Jo","found, similar name"{FIDE_ID}',
        f'{"," * 12}"Adler, I.",similar{NO_IDS}',
    ]


def test_file_of_a_player_who_is_not_on_the_list_has_no_rating(client, players):
    make_list("other")
    content = look_up(client, "BBB22", csv="1", list="other").content.decode()
    assert content.splitlines()[1] == ",BBB22,Adler,Ina,DE,Bonn,,,,,,,BBB22,found" + NO_IDS


def test_hidden_player_is_shown_as_the_public_sees_them(client, players):
    set_visibility(players[2], "anonymous")
    for more in ({}, {"csv": "1"}):
        content = look_up(client, "BBB44", **more).content.decode()
        assert "Maes" not in content
        assert "24663832" not in content
        assert "Player" in content
    response = look_up(client, "Maes, Jo")
    assert "BBB44" not in markup(response)
    assert response.context["lines"][1].verdict == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["This field is required."]),
        (" \n\t\n", ["Enter at least one name or id."]),
        ("x\n" * 10_000, ["Too many lines: 10000. Enter at most 200."]),
        (
            "x\n" + "y" * 101,
            ["Line 2 is too long: write a name or an id with at most 100 characters."],
        ),
        ("x\0", ["Null characters are not allowed."]),
        ("x" * 100_001, ["Ensure this value has at most 100000 characters (it has 100001)."]),
    ],
)
@pytest.mark.parametrize("more", [{}, {"csv": "1"}])
def test_wrong_text_is_refused_and_stays(text, expected, more, client, players):
    response = look_up(client, text, **more)
    assert (response.status_code, errors(response)) == (200, expected)
    assert response.context["form"]["players"].value() == text
    assert response["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "text", ["\x07\x1b[31m\u202e\ufeff", "\ud7ff\ufffe", "<script>alert(1)</script>", "'\"%_\\", "ﷺ" * 100]
)
def test_hostile_text_is_unknown(text, client, players):
    response = look_up(client, text)
    assert response.status_code == 200
    assert [line.verdict for line in response.context["lines"].values()] == ["unknown"] * len(text.splitlines())
    assert "<script>alert" not in response.content.decode()


def test_list_that_is_not_public_cannot_be_chosen(client, players):
    make_list("closed", public=False)
    response = look_up(client, "BBB22", list="closed")
    assert "list" in response.context["form"].errors
    assert response.context["form"]["players"].value() == "BBB22"
    assert "lines" not in response.context


def test_many_lookups_are_refused_for_a_minute(client, players):
    statuses = [look_up(client, "Maes, Jo").status_code for _ in range(21)]
    assert statuses == [200] * 20 + [429]
    response = look_up(client, "Maes, Jo", csv="1")
    assert (response.status_code, response.context["form"]["players"].value()) == (429, "Maes, Jo")
    assert "Try again in a minute" in markup(response)
    assert client.get("/lookup/").status_code == 200


def test_wrong_method_is_refused_and_a_site_without_lists_has_no_page(client, db):
    assert client.put("/lookup/").status_code == 405
    assert client.get("/lookup/").status_code == 404


def test_page_is_linked_from_the_players_and_the_foot(client, players):
    assert markup(client.get("/search/")).count('href="/lookup/?list=fesa"') == 2
    page = markup(client.get("/lookup/"))
    assert '<a href="/search/" aria-current="page">Players</a>' in page or 'aria-current="true">Players' in page

"""Public pages that explain the rules and compare two lists."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.utils.html import escape

from ratings.access import OFFICERS
from ratings.domain.lists.adjustments import save_adjustment, save_list, save_list_player
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.site.roles import ensure_roles
from ratings.models import Adjustment, ListPlayer, RatingList
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db


def compared(base, system="fesa-2000"):
    rating_list = RatingList(
        slug="other", name="Other", federation=get_or_create_federation("F"), system=system, comparison_to=base
    )
    save_list(rating_list)
    return rating_list


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_show_every_table_and_setting_of_the_system(system, client):
    make_list("one", system=system)
    page = markup(client.get("/lists/one/rules/"))
    rules = SYSTEMS[system]().presentation.rules()
    tables = [table for table in rules.tables if table is not rules.grades]  # grades have a page of their own
    assert sorted(re.findall(r"<h2>([^<]*)</h2>", page)) == sorted(escape(table.title) for table in tables)
    assert page.count("<tr>") == sum(len(table.rows) + 1 for table in tables)
    for option in SYSTEMS[system].options:
        assert f'<code class="small">{option.key}</code>' in page


def test_rules_have_days_and_decimals_of_the_language(client):
    make_list("shogi")
    make_list("renju", system="rif-2021")
    shogi, renju = (
        markup(client.get(f"/lists/{slug}/rules/", headers={"Accept-Language": "de"})) for slug in ("shogi", "renju")
    )
    assert "04.02.2016" in shogi
    assert re.search(r"Die Varianz der Drift ist \d+,\d+ ", renju)


def test_rules_show_the_options_that_a_list_has_chosen(client):
    make_list("chess", system="icu-1989", options={"cap": 2200})
    page = markup(client.get("/lists/chess/rules/"))
    assert 'Highest rating by bonus: 2200 <span class="quiet">chosen</span>' in page
    assert "Bonus points raise no rating above 2200." in page


def test_rules_count_players_with_missing_data_and_name_them_to_officers_only(client, rate_all, settings):
    chess = make_list("chess", system="icu-1989")
    known, by_year, unknown = (
        make_player("Known", birth_date="1990-01-01"), make_player("Year", birth_year=1990), make_player("Unknown")
    )  # fmt: skip
    save_list_player(ListPlayer(list=chess, player=known, start_year=2010))
    make_table(chess, [known, by_year, unknown], [(1, 1, 2, 1.0), (2, 1, 3, 1.0)])
    rate_all()
    page = markup(client.get("/lists/chess/rules/"))
    assert re.findall(r"<li>([^<]*unknown: taken[^<]*)</li>", page) == [
        "birth date unknown: taken as 21 or older – 1 player",
        "start year unknown: taken as settled – 2 players",
    ]
    assert [name in page for name in ("Unknown", "Year", "Known", unknown.public_id, by_year.public_id)] == [False] * 5
    for name, sees in (("stranger", False), ("officer", True)):
        user = make_user(name)
        if sees:
            ensure_roles()
            user.groups.add(Group.objects.get(name=OFFICERS))
        client.force_login(user)
        page = markup(client.get("/lists/chess/rules/"))
        assert (f">{unknown}</a>" in page, f">{by_year}</a>" in page) == (sees, sees)
    settings.SECOND_FACTOR = True
    assert f">{unknown}</a>" not in markup(client.get("/lists/chess/rules/"))


def test_explanation_does_not_say_whose_birth_date_is_unknown(client, rate_all):
    chess, a, b = make_list("chess", system="icu-1989"), make_player("Ada"), make_player("Ben")
    for player in (a, b):
        given = {"rating": 1500, "games": 30}
        save_adjustment(Adjustment(list=chess, player=player, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    table = make_table(chess, [a, b], [(1, 1, 2, 1.0)])
    rate_all()
    pages = (
        f"/lists/chess/tables/{table.pk}/{a.public_id}/",
        f"/players/{a.public_id}/calculator/?game-0-rating=1500&game-0-score=1&rows=1",
        f"/api/v1/lists/chess/calculator?player={a.public_id}&game=1500:1",
    )
    for address in pages:
        response = client.get(address)
        assert (response.status_code, "unknown" in markup(response)) == (200, False)
    imagined = client.post(
        "/lists/chess/calculator/tournament/", {"text": f"number,last name,r1\n1,{a.public_id},2+\n2,X,1-\n"}
    )
    assert "birth date unknown" not in markup(imagined)
    anybody = markup(client.get("/lists/chess/calculator/", {"rating": "1500", "games": "1500+"}))
    assert "birth date unknown: taken as 21 or older" in anybody.lower()


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
def test_rules_say_that_the_games_of_the_event_count_for_the_category(system, client):
    make_list("one", system=system)
    page = markup(client.get("/lists/one/rules/"))
    text = (
        "The games of the event itself count for its category. Unrated: the first event, fewer than 9 games with this"
        " event, or only wins or only losses before it. Provisional: fewer than 18 games with this event. Established:"
        " 18 games or more."
    )
    assert text in page


def test_explanation_says_how_many_games_the_category_counts(client, rate_all):
    # rules/fesa-2016.md: 7 games before and 3 in the event are 10: provisional, not unrated
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    past = [[1500, number % 2] for number in range(7)]
    save_adjustment(
        Adjustment(list=fesa, player=a, date=dt.date(2020, 1, 1), set={"rating": 1450, "past": past}, reason="r")
    )
    give_rating(fesa, b, 1500)
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0), (2, 1, 2, 0.0), (3, 1, 2, 1.0)])
    rate_all()
    page = markup(client.get(f"/lists/fesa/tables/{table.pk}/{a.public_id}/"))
    assert '<dt>Rated as</dt><dd>provisional <span class="quiet">10 games with this event</span></dd>' in page


def test_list_that_cannot_start_says_why(client):
    make_list("renju", system="rif-1997")
    assert "cannot start by itself" in markup(client.get("/lists/renju/"))


def test_comparison_is_marked_everywhere_and_has_no_grades(client, rate_all):
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 1900)
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    compared(fesa)
    rate_all()
    page = markup(client.get("/lists/other/?active=all"))
    assert "<h1>Other (comparison)</h1>" in page
    assert "For comparison: the results of" in page
    assert "Grade" not in page
    assert 'href="/lists/other/comparison/"' in markup(client.get("/lists/fesa/rules/"))
    event = markup(client.get(f"{table.event.get_absolute_url()}?list=other"))
    assert "Other (comparison)</a>" in event
    assert "3 Dan" not in event
    player = markup(client.get(f"{a.get_absolute_url()}?list=other"))
    assert "<strong>Other (comparison)</strong>" in player
    assert "3 Dan" not in player
    explained = client.get(f"/lists/other/tables/{table.pk}/{a.public_id}/")
    assert (explained.status_code, explained.context["explanation"].agrees) == (200, True)


def test_comparison_page_shows_counts_and_losses(client, rate_all):
    fesa, a, b = make_list(), make_player("Ada"), make_player("Ben")
    give_rating(fesa, a, 2000)
    give_rating(fesa, b, 2000)
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)])
    compared(fesa)
    rate_all()
    page = markup(client.get("/lists/other/comparison/"))
    assert "Over 1 game between players rated on both lists, predicted from the ratings before it." in page
    assert (page.count(">0.6931</td>"), page.count(">0.2500</td>")) == (2, 2)
    assert '<a href="/lists/other/comparison/" aria-current="page">Compare with Other</a>' in page


@pytest.mark.parametrize("address", ["/lists/none/rules/", "/lists/none/comparison/", "/lists/fesa/comparison/"])
def test_unknown_lists_are_404(address, client):
    make_list()
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("size", [2, 30])
def test_comparison_needs_the_same_queries_for_any_number_of_players(size, client, rate_all, django_assert_num_queries):
    fesa, players = make_list(), [make_player() for _ in range(size)]
    for player in players:
        give_rating(fesa, player, 2000)
    make_table(fesa, players, [(1, n, n + 1, 1.0) for n in range(1, size, 2)])
    compared(fesa)
    rate_all()
    with django_assert_num_queries(10):
        client.get("/lists/other/comparison/")


def test_exported_list_can_be_recomputed_by_visitors(client, rate_all, tmp_path, capsys):
    chess, a, b = make_list("chess", system="icu-1989"), make_player(birth_date="2000-05-01"), make_player()
    make_table(chess, [a, b], [(1, 1, 2, 1.0)])
    rate_all()
    history = client.get("/lists/chess/history.json")
    assert "birth_date" not in markup(history)
    (tmp_path / "history.json").write_bytes(history.content)
    call_command("rate", tmp_path / "history.json", digest=True)
    assert markup(client.get("/lists/chess/digest.txt")) == capsys.readouterr().out
    again = client.get("/lists/chess/history.json", headers={"If-None-Match": history["ETag"]})
    assert again.status_code == 304
    assert client.get("/lists/none/history.json").status_code == 404
    assert client.get("/lists/none/digest.txt").status_code == 404


def test_all_systems_in_use_are_listed(client):
    make_list("chess", system="icu-1989", name="<b>Chess</b>")
    fesa = make_list()
    compared(fesa)
    make_list("closed", system="bgf", public=False)
    response = client.get("/rules/")
    assert [(system.key, [one.slug for one in lists]) for system, lists in response.context["systems"]] == [
        ("icu-1989", ["chess"]), ("fesa-2016", ["fesa"]), ("fesa-2000", ["other"])
    ]  # fmt: skip
    page = markup(response)
    for slug in ("chess", "fesa", "other"):
        assert f'<a href="/lists/{slug}/rules/">' in page
    assert "<b>" not in page


@pytest.mark.parametrize("public", [True, False])
def test_rules_name_the_list_of_first_ratings_if_it_is_public(client, public):
    standard = make_list("standard", system="fide-2024", public=public)
    make_list("rapid", system="fide-2024", options={"chapter": "rapid"}, seed_list=standard)
    page = client.get("/lists/rapid/rules/").text
    link = '<a href="/lists/standard/">STANDARD</a>.'
    assert (f"are rated from their rating on {link}" in page) is public


def test_settings_are_written_in_words_with_their_key_in_small_print(client):
    make_list("go", system="egf-2021", name="Go", federation="EGF")
    make_list("icu", system="icu-1989", name="Chess", federation="ICU")
    settings = {}
    for slug in ("go", "icu"):
        page = client.get(f"/lists/{slug}/rules/")
        settings |= {one.key: one for one in page.context["options"]}
        assert [word for one in settings.values() for word in ("true", "false", "null")
                if word in f"{one.label} {one.value} {one.accepts}".split()] == []  # fmt: skip
    assert (settings["min_bonus_games"].value, settings["min_bonus_games"].accepts) == (
        "4",
        "a whole number from 4 to 50",
    )
    assert settings["min_bonus_games"].label != "min_bonus_games"
    assert '<code class="small">min_bonus_games</code>' in markup(page)


def test_numbers_and_days_of_settings_and_tables_follow_the_language(client):
    make_list("glicko", system="glicko-2", name="Glicko")
    make_list("fide", system="fide-2024", name="FIDE", federation="FIDE")
    german = {"Accept-Language": "de"}
    page = client.get("/lists/glicko/rules/", headers=german)
    assert "0,5" in [one.value for one in page.context["options"] if one.key == "tau"]
    text = markup(client.get("/lists/fide/rules/", headers=german))
    assert ">0,50</td>" in text
    assert ">0.50</td>" not in text

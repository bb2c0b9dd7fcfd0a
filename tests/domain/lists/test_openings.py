import datetime as dt

import pytest
from django.utils import timezone

from ratings.domain.lists.file_reading import NEW
from ratings.domain.lists.import_records import undo_import
from ratings.domain.lists.list_import import ListImportResult, import_rating_list
from ratings.domain.lists.matching import NameAnswers, match_listed
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.models import (
    Adjustment,
    Change,
    Federation,
    FederationMembership,
    ListPlayer,
    OutsideId,
    Player,
    RatingList,
    RecordedStep,
    Run,
    Standing,
)
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 6, 1)
FIELDS = {"country": "DE", "grade": None, "prior_grade": None, "rating": 1600, "games": 40}


def line(number, family, given="Anna", **fields):
    return ParsedPlayer(number, family, given, **FIELDS | fields)


def opened(rating_list, *lines, day=DAY):
    problems = Problems()
    result = import_rating_list(ParsedList(DAY, lines), rating_list, problems, day=day, source="list.txt")
    return result, [str(problem) for problem in problems.sorted_by_position()]


def refused(rating_list, *lines, day=DAY):
    """Return the errors of a list that cannot be imported, and check that nothing is stored."""
    models = (Player, Adjustment, ListPlayer, Change, Run, Standing)
    before = [model.objects.count() for model in models]
    result, problems = opened(rating_list, *lines, day=day)
    assert result == ListImportResult()
    assert [model.objects.count() for model in models] == before
    return [message for message in problems if "warning" not in message]


def test_opening_gives_every_player_their_rating():
    fesa, known = make_list(), make_player("Müster", "Anna", country="DE")
    result, problems = opened(
        fesa, line(4, "Muster", grade="1 Kyu"), line(5, "Novák", "Petra", country="CZ", games=140)
    )
    new = Player.objects.get(family_name="Novák")
    assert (result, problems) == (ListImportResult([known, new], [new]), [])
    assert [(a.player, a.date, a.set, a.source, a.reason, a.before) for a in fesa.adjustments.all()] == [
        (known, DAY, {"rating": 1600, "games": 40, "bonus_games": 40, "grade": "1 Kyu"}, "list.txt", "starting rating from the federation's list", None),
        (new, DAY, {"rating": 1600, "games": 140, "bonus_games": 100}, "list.txt", "starting rating from the federation's list", None),
    ]  # fmt: skip
    assert [(s.player, s.rating, s.games, s.grade, s.published) for s in fesa.standings.order_by("games")] == [
        (known, 1600, 40, "1 Kyu", True),
        (new, 1600, 140, "", True),
    ]
    assert (new.given_name, new.country.code, Run.objects.get().reasons) == (
        "Petra", "CZ", ("added with the list list.txt of 2026-06-01",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("system", "fields", "state"),
    [
        ("fesa-2016", {"games": 140, "grade": "1 Kyu"}, {"rating": 1600, "games": 140, "bonus_games": 100, "grade": "1 Kyu"}),
        ("fesa-2016", {"games": None, "grade": "1 Kyu"}, {"rating": 1600, "games": 18, "bonus_games": 18, "grade": "1 Kyu"}),
        ("fesa-2000", {}, {"rating": 1600, "games": 40}),
        ("icu-1989", {}, {"rating": 1600, "games": 40}),
        ("icu-1989", {"games": None}, {"rating": 1600, "games": 20}),
        ("rif-1995", {}, {"rating": 1600, "official": True}),
        ("rif-1997", {}, {"rating": 1600, "established": True}),
        ("bgf", {"rating": -250.5, "grade": "4 Kyu"}, {"rating": -250.5, "grade": "4 Kyu"}),
        ("bgf", {"rating": -250.5}, {"rating": -250.5, "grade": "3 Kyu"}),
        ("egf-2021", {"rating": 1600.5}, {"rating": 1600.5}),
        ("glicko-2", {}, {"rating": 1600, "deviation": 350, "volatility": 0.06, "games": 40}),
        ("rif-2021", {}, {"rating": 1600, "deviation": 100, "games": 40}),
        ("fide-2024", {}, {"rating": 1600, "games": 40, "began": True}),
    ],
)  # fmt: skip
def test_opening_is_in_the_form_of_the_lists_system(system, fields, state):
    rating_list = make_list(system=system)
    _, problems = opened(rating_list, line(4, "Muster", **fields))
    assert (Adjustment.objects.get().set, problems) == (state, [])
    assert Standing.objects.get().rating == state["rating"]


def test_second_time_changes_nothing():
    fesa = make_list()
    lines = line(4, "Muster", prior_grade="2 Dan", birth_year=1980), line(5, "Novák")
    opened(fesa, *lines)
    before = list(Adjustment.objects.values()), list(Player.objects.values()), list(ListPlayer.objects.values())
    result, problems = opened(fesa, *lines)
    assert (result, result.is_empty, problems) == (ListImportResult(unchanged=2), True, [])
    assert (
        list(Adjustment.objects.values()),
        list(Player.objects.values()),
        list(ListPlayer.objects.values()),
    ) == before
    assert Run.objects.count() == 1


def test_only_missing_rows_are_added():
    fesa = make_list()
    opened(fesa, line(4, "Muster"))
    result, _ = opened(fesa, line(4, "Muster"), line(5, "Novák"))
    new = Player.objects.get(family_name="Novák")
    assert result == ListImportResult([new], [new], unchanged=1)


def test_other_adjustment_of_the_day_is_not_overruled():
    fesa, anna = make_list(), make_player("Muster", "Anna", country="DE")
    give_rating(fesa, anna, 1500, "2026-06-01")
    assert refused(fesa, line(4, "Muster")) == [
        "line 4: error: Muster Anna has another adjustment of 2026-06-01, {'bonus_games': 100, 'games': 100, 'rating':"
        " 1500}; change or delete that one in the admin"
    ]


def test_namesakes_and_near_misses_name_the_candidates():
    fesa = make_list()
    one, two = make_player("Muster", "Anna", country="DE"), make_player("Muster", "Anna", country="AT")
    three = make_player("Beispiel", "Johannes", country="NL")
    first, second = sorted([one, two], key=lambda player: player.public_id)
    assert refused(fesa, line(4, "Muster"), line(5, "Beispeil", "Johannes"), line(6, "Novák")) == [
        f"line 4: error: Muster Anna may be several players: {first.public_id} Muster Anna ({first.country}, no event"
        f" yet), {second.public_id} Muster Anna ({second.country}, no event yet). Give the list as CSV, with the id of"
        " the one meant",
        f"line 5: error: Beispeil Johannes is unknown; is one of these meant? {three.public_id} Beispiel Johannes (NL,"
        " no event yet). Correct the name in the file, or add the new player in the admin first",
    ]
    result, _ = opened(fesa, line(4, "Muster", id=two.public_id))
    assert result.adjusted == [two]


def test_new_namesakes_are_distinguished_by_the_ids_they_keep():
    fesa = make_list()
    lines = [line(2, "Muster", id="A1"), line(3, "Muster", id="A2", rating=1700)]
    result, problems = opened(fesa, *lines)
    assert ([player.public_id for player in result.new], problems) == (["A1", "A2"], [])
    assert opened(fesa, *lines)[0] == ListImportResult(unchanged=2)
    assert refused(fesa, line(2, "Beispiel", id="A1")) == [
        "line 2: error: the id A1 is that of Muster Anna (DE, 1600, no event yet), not of Beispiel Anna; correct one"
    ]


def test_player_in_two_lines_is_refused():
    fesa = make_list()
    make_player("Muster", "Anna")
    assert refused(fesa, line(4, "Muster"), line(5, "Novák"), line(6, "Muster"), line(7, "Novák", id="N")) == [
        "line 6: error: Muster Anna stands in line 4 too; keep one of them",
        "line 7: error: Novák Anna stands in line 5 too; keep one of them, or give the list as CSV with an id for each"
        " of these namesakes",
    ]


def test_list_with_tables_before_the_day_is_refused():
    fesa = make_list()
    pair = [make_player(), make_player()]
    make_table(fesa, pair, [(1, 1, 2, 1)], "2026-03-08")
    make_table(fesa, pair, [(1, 1, 2, 1)], "2026-02-08")
    assert refused(fesa, line(4, "Muster")) == [
        "error: tables of the list fesa that end before 2026-06-01: 2, the first on 2026-02-08; a list is opened before"
        " its first table. Choose a day up to that one, or make a new list"
    ]


def test_tables_from_the_day_on_are_rated_again(rate_all):
    fesa, anna, jan = make_list(), make_player("Muster", "Anna"), make_player("Beispiel", "Jan")
    make_table(fesa, [anna, jan], [(1, 1, 2, 1)], "2026-06-01")
    rate_all()
    _, problems = opened(fesa, line(4, "Muster"), line(5, "Beispiel", "Jan", country="FR"))
    assert problems == [
        "warning: tables of 2026-06-01 itself that are rated after this list: 1; if it has them already, choose the next day",
        "line 4: warning: Muster Anna is known with the nationality FR; it was kept",
    ]
    changes = Change.objects.filter(table__isnull=False)
    assert {c.player: (c.before, c.games_after) for c in changes} == {anna: (1600, 41), jan: (1600, 41)}


def test_counts_of_one_are_reported_in_good_english():
    """Organisers' finding 25: “1 players with fewer than 9 games”."""
    problem = "warning: players with fewer than 9 games are taken as rated: 1 (Solo Jan); the list does not tell"
    _, problems = opened(make_list(), line(1, "Solo", "Jan", games=8))
    assert [text[: len(problem)] for text in problems] == [problem]


def test_few_games_are_reported_once():
    _, problems = opened(make_list(), *[line(n, f"Muster{'abcdefg'[n]}", str(n) * 9, games=8) for n in range(1, 7)], line(9, "Novák", games=9))  # fmt: skip
    assert problems == [
        "warning: players with fewer than 9 games are taken as rated: 6 (Musterb 111111111, Musterc 222222222, Musterd"
        " 333333333, Mustere 444444444, Musterf 555555555, …); the list does not tell their opponents, from whom their"
        " ratings would go on"
    ]
    assert set(Standing.objects.values_list("category", flat=True)) == {"provisional"}


def test_details_fill_missing_data_and_overwrite_nothing():
    fesa = make_list()
    make_player("Muster", "Anna", country="")
    full = make_player("Novák", "Anna", birth_date=dt.date(1981, 2, 3))
    ListPlayer.objects.create(list=fesa, player=full, prior_grade="1 Dan")
    details = {"prior_grade": "2 Dan", "birth_year": 1980}
    result, problems = opened(
        fesa, line(2, "Muster", **details), line(3, "Novák", **details), line(4, "Solo", **details)
    )
    assert (result.details, problems) == (
        2,
        [
            "line 3: warning: Novák Anna is known with the nationality FR; it was kept",
            "line 3: warning: Novák Anna is known as born in 1981; it was kept",
            "line 3: warning: Novák Anna has the prior grade 1 Dan already; it was kept",
        ],
    )
    assert [
        (p.family_name, p.country.code, p.birth_year, p.birth_date, p.on_lists.get().prior_grade)
        for p in Player.objects.all()
    ] == [
        ("Muster", "DE", 1980, None, "2 Dan"),
        ("Novák", "FR", None, dt.date(1981, 2, 3), "1 Dan"),
        ("Solo", "DE", 1980, None, "2 Dan"),
    ]


def test_values_that_cannot_be_imported_are_reported():
    _, problems = opened(make_list(), line(2, "Muster", prior_grade="7 Dan", country="Elbonia"))
    assert problems == [
        "line 2: warning: “Elbonia” is not a two-letter country code; it was left out",
        "line 2: warning: Muster Anna: the prior grade 7 Dan is none of 20 Kyu to 6 Dan; it was left out",
    ]
    _, problems = opened(make_list("icu", system="icu-1989"), line(2, "Muster", grade="1 Dan"))
    assert problems == ["warning: icu-1989 has no grades; players whose grade was left out: 1"]
    assert not ListPlayer.objects.exists()


@pytest.mark.parametrize(("written", "code"), [("DE", "DE"), ("DEU", "DE"), ("Germany", "DE"), ("", "")])
def test_countries_become_codes(written, code):
    opened(make_list(), line(2, "Muster", country=written))
    assert Player.objects.get().country.code == code


@pytest.mark.parametrize(
    ("system", "fields", "expected"),
    [
        ("fesa-2016", {"rating": 1500.5}, "cannot be given this on a list of fesa-2016: invalid rating: 1500.5"),
        ("fesa-2016", {"rating": -5}, "cannot be given this on a list of fesa-2016: invalid rating: -5"),
        ("fesa-2016", {"grade": "7 Dan"}, 'cannot be given this on a list of fesa-2016: invalid grade: "7 Dan"'),
        ("icu-1989", {"games": 0}, "cannot be given this on a list of icu-1989: a rating needs games"),
    ],
)
def test_values_that_the_system_does_not_know_are_refused(system, fields, expected):
    rating_list = make_list(system=system)
    assert refused(rating_list, line(4, "Muster", **fields)) == [f"line 4: error: Muster Anna {expected}"]


def test_names_too_long_outsiders_and_the_future_are_refused():
    fesa, outsider = make_list(), make_player("Beispiel", "Jan", country="NL")
    ListPlayer.objects.create(list=fesa, player=outsider, fixed_rating=1500)
    lines = line(4, "N" * 101), line(5, "Beispiel", "Jan", country="NL")
    assert refused(fesa, *lines, day=dt.date(2999, 1, 1)) == [
        "error: the day 2999-01-01 is in the future; name the day of the list",
        f"line 4: error: {'N' * 50}: family_name: Ensure this value has at most 100 characters (it has 101).",
        "line 5: error: Beispiel Jan is an outsider with a fixed rating on this list; empty that first",
    ]


def test_comparison_is_not_opened():
    first = make_list("first", system="fesa-2000", comparison_to=make_list())
    assert refused(first, line(4, "Muster")) == [
        "error: first is a comparison and takes its ratings from fesa; open that list instead"
    ]


def test_gender_is_imported_only_for_a_federation_that_records_it():
    fesa, lines = make_list(), (line(2, "Muster", gender="female"), line(3, "Solo"))
    _, problems = opened(fesa, *lines)
    assert problems == ["warning: FESA does not record the gender of players; it was left out"]
    assert set(Player.objects.values_list("gender", flat=True)) == {""}
    Federation.objects.update(records_gender=True)
    result, problems = opened(make_list("other"), *lines)
    assert (result.details, problems) == (1, [])
    assert list(Player.objects.values_list("family_name", "gender", "gender_public")) == [
        ("Muster", "female", False), ("Solo", "", False),
    ]  # fmt: skip


def test_imported_gender_replaces_none_that_is_known():
    fesa, known = make_list(), make_player("Muster", "Anna", gender="other", gender_public=True, country="DE")
    Federation.objects.update(records_gender=True)
    lines = (line(2, "Muster", gender="female"), line(3, "Novák", gender="male"))
    _, problems = opened(RatingList.objects.get(pk=fesa.pk), *lines)
    assert problems == ["line 2: warning: Muster Anna is known with the gender other; it was kept"]
    known.refresh_from_db()
    assert (known.gender, known.gender_public) == ("other", True)
    assert Player.objects.get(family_name="Novák").gender == "male"


def list_memberships():
    return [(row.player.family_name, f"{row.until}") for row in FederationMembership.objects.order_by("player")]


def test_imported_membership_extends_the_known_one_and_is_undone():
    fesa, names = make_list(), ("Early", "Late")
    for name, day in zip(names, ("2026-01-31", "2027-12-31"), strict=True):
        player = make_player(name, "Anna", country="DE")
        FederationMembership.objects.create(federation=fesa.federation, player=player, until=day)
    before = list_memberships()
    until = dt.date(2026, 12, 31)
    lines = [line(number, name, member_until=until) for number, name in enumerate((*names, "New"), 2)]
    result, problems = opened(fesa, *lines)
    assert problems == ["line 3: warning: Late Anna is known as a member until 2027-12-31, which is later; it was kept"]
    assert (result.details, list_memberships()) == (
        2, [("Early", "2026-12-31"), ("Late", "2027-12-31"), ("New", "2026-12-31")],
    )  # fmt: skip
    undo_import(RecordedStep.objects.get())
    assert (list_memberships(), Player.objects.count()) == (before, 2)


def list_outside_ids():
    return [(row.player.family_name, str(row)) for row in OutsideId.objects.order_by("registry", "value")]


def test_imported_ids_name_players_and_are_undone():
    fesa = make_list()
    known = make_player("Early", "Anna", country="DE")
    other = make_player("Early", "Anna", country="FR")  # a namesake: the name alone would be ambiguous
    for player, value in ((known, "10000001"), (other, "10000002")):
        OutsideId.objects.create(player=player, registry="egd", value=value, confirmed_at=timezone.now())
    before = list_outside_ids()
    lines = [
        line(2, "Early", outside={"egd": "10000001", "fide": "1503014"}),
        line(3, "New", outside={"egd": "10000003"}),
    ]
    result, problems = opened(fesa, *lines)
    assert problems == []
    assert [player.family_name for player in result.new] == ["New"]
    assert list_outside_ids() == [
        ("Early", "EGD 10000001"), ("Early", "EGD 10000002"), ("New", "EGD 10000003"), ("Early", "FIDE 1503014"),
    ]  # fmt: skip
    assert set(Adjustment.objects.values_list("player__country", flat=True)) == {"DE"}
    undo_import(RecordedStep.objects.get())
    assert (list_outside_ids(), Player.objects.count()) == (before, 2)


def test_national_ids_of_a_list_name_players_by_country_and_are_stored():
    fesa = make_list()
    known = make_player("Early", "Anna", country="DE")
    other = make_player("Early", "Anna", country="FR")
    for player, country in ((known, "DE"), (other, "FR")):
        national = {"registry": "national", "country": country, "value": "77"}
        OutsideId.objects.create(player=player, confirmed_at=timezone.now(), **national)
    lines = [line(2, "Early", outside={"FR": "77", "egd": "10000001"}), line(3, "New", outside={"AT": "77"})]
    result, problems = opened(fesa, *lines)
    assert problems == ["line 2: warning: Early Anna is known with the nationality FR; it was kept"]
    assert [player.family_name for player in result.new] == ["New"]
    assert set(Adjustment.objects.values_list("player", flat=True)) == {other.pk, result.new[0].pk}
    assert sorted(list_outside_ids()) == [
        ("Early", "DE 77"), ("Early", "EGD 10000001"), ("Early", "FR 77"), ("New", "AT 77"),
    ]  # fmt: skip
    assert refused(fesa, line(2, "Late", outside={"DE": "77"})) == [
        f"line 2: error: DE 77 is {known.public_id} Early Anna (DE, no event yet), not Late Anna; correct one"
    ]


def test_id_of_another_name_is_refused_or_asked():
    fesa = make_list()
    owner = make_player("Early", "Anna", country="DE", public_id="EEE")
    OutsideId.objects.create(player=owner, registry="egd", value="10000001", confirmed_at=timezone.now())
    wrong = line(2, "Late", outside={"egd": "10000001"})
    assert refused(fesa, wrong) == [
        "line 2: error: EGD 10000001 is EEE Early Anna (DE, no event yet), not Late Anna; correct one"
    ]
    for answer, matched in (("", []), ("EEE", ["Early"]), (NEW, ["Late"])):
        answers, problems = NameAnswers({2: answer} if answer else {}), Problems()
        listed = match_listed(ParsedList(DAY, (wrong,)), problems, answers)
        assert (problems.all, [player.family_name for _line, player in listed]) == ([], matched)
        assert [question.candidates for question in answers.questions] == [[owner]]


def test_ids_of_two_players_in_one_line_are_refused_with_the_wrong_one():
    fesa = make_list()
    for name, registry, value in (("Early", "egd", "10000001"), ("Late", "aga", "100000")):
        player = make_player(name, "Anna", country="DE", public_id=name[0] * 3)
        OutsideId.objects.create(player=player, registry=registry, value=value, confirmed_at=timezone.now())
    line_of_both = line(2, "Early", outside={"fide": "1503014", "egd": "10000001", "aga": "100000"})
    assert refused(fesa, line_of_both) == [
        "line 2: error: AGA 100000 is LLL Late Anna (DE, no event yet), not Early Anna; correct one"
    ]


def test_id_that_belongs_to_another_player_is_left_out():
    fesa = make_list()
    owner = make_player("Early", "Anna", country="DE")
    make_player("Late", "Anna", country="DE", public_id="LLL")
    OutsideId.objects.create(player=owner, registry="egd", value="10000001", confirmed_at=timezone.now())
    result, problems = opened(fesa, line(2, "Late", id="LLL", outside={"egd": "10000001"}))
    assert problems == ["line 2: warning: EGD 10000001 of Late Anna is left out: it belongs to another player"]
    assert ([player.family_name for player in result.adjusted], list_outside_ids()) == (
        ["Late"], [("Early", "EGD 10000001")],
    )  # fmt: skip

import json
import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from portal.lists.study_names import name_system
from portal.lists.study_pages import describe_panel, describe_result, list_kinds, list_other_scales
from ratings.access import OFFICERS
from ratings.domain.lists.studies import make_study
from ratings.laboratory.document import digest_result
from ratings.localize import translate_message
from ratings.models import Player, Study
from ratings.systems.messages import RatingMessage, message_to_json
from tests.factories import make_list, make_player, make_table
from tests.portal.results.way import person
from tests.shared import reused

pytestmark = pytest.mark.django_db
EMPTY = {"candidates": [], "sweep": None, "resamples": 100}


@pytest.fixture
@reused
def rating_list(rate_all):
    made = make_list(system="glicko-2")
    players = [make_player(name) for name in ("Ada", "Ben", "Cleo", "Dora")]
    for day in range(1, 25):
        make_table(made, players, [(1, 1, 2, 1.0), (1, 3, 4, float(day % 2)), (2, 1, 3, 0.5)], f"2024-02-{day:02}")
    rate_all()
    return made


@pytest.fixture
def officer(client):
    client.force_login(person("officer", OFFICERS))
    return client


def address(rating_list, study=None, name="study"):
    return reverse(name, args=[rating_list.slug, study.pk]) if study else reverse("laboratory", args=[rating_list.slug])


def set_of(number, system, **options):
    """Return the fields of a set of options as the form sends them."""
    return {f"set-{number}": system} | {f"set-{number}-option-{key}": text for key, text in options.items()}


def test_study_is_made_and_shown(rating_list, officer, django_capture_on_commit_callbacks):
    data = {
        "systems": ["fesa-2000"],
        **set_of(0, "glicko-2", initial_deviation="60", tau="0.5"),
        "sweep_of": "present",
        "sweep": "initial_deviation=50,350",
    }
    with django_capture_on_commit_callbacks(execute=True):
        response = officer.post(address(rating_list), data)
    study = Study.objects.get()
    assert response.url == address(rating_list, study)
    assert study.definition == {
        "candidates": [
            {"system": "fesa-2000", "options": {}},
            {"system": "glicko-2", "options": {"initial_deviation": 60}},
        ],
        "sweep": {"system": "glicko-2", "options": {}, "values": {"initial_deviation": [50, 350]}},
        "resamples": 2000,
    }
    assert (study.state, study.runs, study.runs_done, study.error) == ("done", 5, 5, "")
    page = officer.get(response.url).content.decode()
    for text in ("Glicko-2", "First deviation: 60", "All predictions use ratings from before the game.", "Sweep"):
        assert text in page
    assert study.result["digest"][:8] in page


def test_finished_study_is_reproduced_from_its_file(rating_list, officer, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        officer.post(address(rating_list), set_of(0, "glicko-2", tau="0.3"))
    study = Study.objects.get()
    response = officer.get(address(rating_list, study, "study_file"))
    assert response.headers["Content-Disposition"] == f'attachment; filename="study-{study.pk}.json"'
    document = json.loads(response.content)
    assert digest_result(document) == document["digest"] == study.result["digest"]


def test_public_address_leads_to_the_laboratory(rating_list, officer):
    assert officer.get(f"/lists/{rating_list.slug}/laboratory/").url == address(rating_list)


def test_study_needs_the_same_queries_for_any_number_of_candidates(rating_list, officer, django_assert_max_num_queries):
    counts = []
    for candidates in (["fesa-2000", "rif-1995"], ["fesa-2000", "rif-1995", "fesa-2016", "egf-2021"]):
        definition = EMPTY | {"candidates": [{"system": system, "options": {}} for system in candidates]}
        study = Study.objects.create(list=rating_list, definition=definition)
        make_study(study.pk)
        with django_assert_max_num_queries(30) as queries:
            officer.get(address(rating_list, study))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_failed_run_is_told_in_the_language_of_the_reader(rating_list, officer):
    make_study((study := Study.objects.create(list=rating_list, definition=EMPTY)).pk)
    study.refresh_from_db()
    error = message_to_json(RatingMessage.VALUE_INVALID(key="rating", value="-5"))
    Study.objects.update(result=study.result | {"failures": [{"system": "fesa-2016", "options": {}, "error": error}]})
    page = officer.get(address(rating_list, study), headers={"accept-language": "de"}).content.decode()
    with override("de"):
        expected = translate_message(RatingMessage.VALUE_INVALID(key="rating", value="-5"))
    assert expected != "invalid rating: -5"
    assert expected in page


def test_waiting_study_shows_its_progress_and_can_be_cancelled(rating_list, officer):
    study = Study.objects.create(list=rating_list, definition=EMPTY, state="running", runs=7, runs_done=3)
    page = officer.get(address(rating_list, study)).content.decode()
    assert "3 of 7 runs are finished." in " ".join(page.split())
    officer.post(address(rating_list, study))
    study.refresh_from_db()
    assert study.state == "cancelled"
    assert "The study had ended already." in officer.post(address(rating_list, study), follow=True).content.decode()


def test_laboratory_shows_progress_and_cancels(rating_list, officer):
    running = Study.objects.create(list=rating_list, definition=EMPTY, state="running", runs=8, runs_done=3)
    page = officer.get(address(rating_list)).content.decode()
    assert "3 of 8 runs are finished." in page
    assert f'<form method="post" action="{address(rating_list, running)}">' in page
    officer.post(address(rating_list, running))
    running.refresh_from_db()
    assert running.state == "cancelled"
    assert "runs are finished" not in officer.get(address(rating_list)).content.decode()


def test_failed_study_says_why_with_day_options_and_public_names(rating_list, officer):
    player = make_player("Lind", "Eva", public_id="EVA", shown="initials")
    error = RatingMessage.TABLE_NOT_RATABLE(
        table="Cup", day="2024-02-03", error=RatingMessage.OUTSIDER_WITHOUT_RATING(id="EVA")
    )
    definition = EMPTY | {
        "candidates": [{"system": "glicko-2", "options": {"tau": 0.3}}],
        "sweep": {"system": "fesa-2000", "options": {}, "values": {"corrections": ["kept", "revised"]}},
    }
    study = Study.objects.create(list=rating_list, definition=definition, state="failed", error=error)
    page = " ".join(officer.get(address(rating_list, study)).content.decode().split())
    assert (
        f"The study could not be made: table Cup of 3 Feb 2024: {player.public_name} is a fixed outsider without a rating"
    ) in page
    assert "EVA" not in page
    assert "<li>Glicko-2, Limit of volatility: 0.3</li>" in page
    system = name_system("fesa-2000")
    assert f"<li>{system}; Grades after late corrections: kept, revised</li>" in page


def test_failed_run_names_its_options_and_the_player(rating_list, officer):
    make_player("Lind", "Eva", public_id="EVA")
    make_study((study := Study.objects.create(list=rating_list, definition=EMPTY)).pk)
    study.refresh_from_db()
    opening = RatingMessage.OPENING_INVALID(player="EVA", error=RatingMessage.VALUE_INVALID(key="rating", value="-5"))
    failure = {"system": "glicko-2", "options": {"tau": 0.3}, "error": message_to_json(opening)}
    Study.objects.update(result=study.result | {"failures": [failure]})
    page = officer.get(address(rating_list, study)).content.decode()
    assert "<dt>Glicko-2, Limit of volatility: 0.3</dt><dd>opening of player Lind Eva: invalid rating: -5</dd>" in page


def test_study_of_another_list_is_not_found(rating_list, officer):
    study = Study.objects.create(list=make_list("other"), definition=EMPTY)
    assert officer.get(address(rating_list, study)).status_code == 404
    assert officer.get(address(rating_list, study, "study_file")).status_code == 404


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (["worse", "worse"], "The present rules predict best, and the difference is sure."),
        (["no difference"], "All differences from the present rules could be chance."),
        (
            ["worse", "no difference"],
            "The present rules predict best, but the difference from one or more candidates could be chance.",
        ),
        (
            ["unknown", "unknown"],
            "The present rules predict best, but there are too few events to judge whether that is chance.",
        ),
    ],
)
def test_sentence_says_whether_the_present_rules_are_surely_best(verdicts, sentence):
    others = [{"system": "glicko-2", "log_loss": {"mean": 0.7}, "against": {"verdict": each}} for each in verdicts]
    present = {"system": "fesa-2016", "log_loss": {"mean": 0.6}, "against": None}
    assert describe_result({"candidates": [present, *others]}) == sentence


def test_kinds_of_games_are_named_by_the_present_system():
    def name_kinds(system):
        candidate = {"system": system, "options": {}, "log_loss": {"mean": 0.6}, "against": None}
        kinds = [{"name": name, "games": 1, "log_losses": [0.6], "against": [None]} for name in ("provisional", "2024")]
        return [(kind.name, kind.cells) for kind in list_kinds({"candidates": [candidate], "kinds": kinds})]

    cells = [("European Go Federation rating (2021)", 0.6, "")]
    assert name_kinds("egf-2021") == [("A player with fewer than 30 rated games", cells), ("2024", cells)]
    assert name_kinds("glicko-2")[0][0] == "A player with a provisional rating"


def test_systems_of_another_scale_are_named():
    candidates = [{"system": system} for system in ("bgf", "egf-2021", "fide-2024", "glicko-2", "fide-2024")]
    assert list_other_scales({"candidates": candidates}) == [name_system("fide-2024"), name_system("glicko-2")]


def test_page_needs_the_same_queries_for_any_number_of_studies(rating_list, officer, django_assert_max_num_queries):
    officer.get(address(rating_list))
    counts = []
    for more in (1, 30):
        for _ in range(more):
            Study.objects.create(list=rating_list, definition=EMPTY)
        with django_assert_max_num_queries(30) as queries:
            officer.get(address(rating_list))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_studies_are_paged(rating_list, officer):
    Study.objects.bulk_create(Study(list=rating_list, definition=EMPTY) for _ in range(51))
    pages = [officer.get(address(rating_list), {"page": number}).content.decode() for number in (1, 2)]
    assert [page.count('class="tag') for page in pages] == [50, 1]
    assert 'rel="next" href="?page=2"' in pages[0]


def test_only_list_is_opened_at_once(rating_list, officer):
    assert officer.get(reverse("laboratories")).url == address(rating_list)
    other = make_list("other")
    page = officer.get(reverse("laboratories")).content.decode()
    assert address(rating_list) in page
    assert address(other) in page


@pytest.mark.parametrize(
    "sweep",
    [
        {"values": {"initial_deviation": [50, 200, 350]}},
        {"values": {"initial_deviation": [50, 350], "tau": [0.3, 0.5]}},
        {"system": "fesa-2000", "values": {"corrections": ["kept", "revised"]}},
    ],
    ids=["numbers", "two options", "words"],
)
def test_charts_show_calibration_and_sweep(rating_list, officer, sweep):
    definition = EMPTY | {
        "candidates": [{"system": "glicko-2", "options": {}}, {"system": "fesa-2000", "options": {}}],
        "sweep": {"system": "glicko-2", "options": {}} | sweep,
    }
    study = Study.objects.create(list=rating_list, definition=definition)
    assert chart_of(officer, study, "calibration").status_code == 404
    make_study(study.pk)
    for chart in ("calibration", "sweep"):
        drawn = [chart_of(officer, study, chart, query) for query in ("", "?narrow=1", "?theme=dark")]
        assert {(answer.status_code, answer["Content-Type"]) for answer in drawn} == {(200, "image/svg+xml")}
        assert len({answer.content for answer in drawn}) == 3
        assert f"{chart}.svg?theme=light" in officer.get(address(rating_list, study)).content.decode()
    assert chart_of(officer, study, "other").status_code == 404


@pytest.mark.parametrize(
    ("sweep", "present", "mark"),
    [
        ({"initial_deviation": [50, 350]}, {"initial_deviation": 120}, "today: 120"),
        ({"tau": [0.3, 0.5], "initial_deviation": [50, 350]}, {}, "today: 0.5 × 350"),  # as PostgreSQL orders keys
        ({"period": ["table", "month"]}, {}, "today: table"),
        ({"initial_deviation": [50, 350]}, {"initial_deviation": 400}, ""),
    ],
    ids=["between", "two options", "word", "beyond"],
)
def test_chart_of_a_sweep_marks_the_present_value(rating_list, officer, sweep, present, mark):
    rating_list.options = present
    rating_list.save()
    swept = {"system": "glicko-2", "options": {}, "values": sweep}
    study = Study.objects.create(list=rating_list, definition=EMPTY | {"sweep": swept})
    make_study(study.pk)
    drawn = chart_of(officer, study, "sweep").content.decode()
    assert "<!-- best: " in drawn
    assert re.findall("<!-- (today.*?) -->", drawn) == ([mark] if mark else [])


def test_study_page_draws_each_interval_and_names_the_panel(rating_list, officer):
    definition = EMPTY | {"candidates": [{"system": "glicko-2", "options": {"tau": tau}} for tau in (0.3, 1.2)]}
    study = Study.objects.create(list=rating_list, definition=definition)
    make_study(study.pk)
    page = " ".join(officer.get(address(rating_list, study)).content.decode().split())
    assert page.count('<svg class="intervals"') == 3
    assert "from 100 resamples of whole events" in page
    assert "Today’s rules" in page
    assert f"<h1>{name_system('glicko-2')}, 2024</h1>" in page


@pytest.mark.parametrize(("system", "is_told"), [("icu-1989", True), ("fesa-2000", False)])
def test_study_page_says_how_many_birth_years_are_unknown(rating_list, officer, system, is_told):
    definition = EMPTY | {"candidates": [{"system": system, "options": {}}]}
    study = Study.objects.create(list=rating_list, definition=definition)
    make_study(study.pk)
    page = " ".join(officer.get(address(rating_list, study)).content.decode().split())
    number = Player.objects.filter(entries__table__event__lists=rating_list).distinct().count()
    text = f"The birth years of {number} players are unknown: rules that depend on the age rate them as adults."
    assert (text in page) is is_told


def test_study_page_says_if_no_rating_would_be_higher_or_lower():
    line = {"label": "Glicko-2", "name": "Glicko-2", "figures": {"lists": {}}}
    page = render_to_string("lists/study_figures.html", {"moved": [(line, [], [])]})
    assert re.findall(r"<h3>(.*?)</h3><p>(.*?)</p>", page) == [
        ("Would gain most", "Nobody’s rating would be higher."),
        ("Would lose most", "Nobody’s rating would be lower."),
    ]


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ([0, None], ""),
        ([1, 1], "Drift: the mean change in a year of the 1 player who played in every year."),
        ([48, 48], "Drift: the mean change in a year of the 48 players who played in every year."),
        ([7, 8, 0], "Drift: the mean change in a year of the 7–8 players who played in every year."),
    ],
)
def test_note_names_the_size_of_the_panel(sizes, sentence):
    assert describe_panel([{"lists": {"panel": size}} for size in sizes]) == sentence


def test_sentence_names_the_options_of_systems_that_are_compared_twice():
    difference = {"mean": -0.01, "verdict": "better"}
    loss, none = {"mean": 0.6}, {}
    present = {"system": "fesa-2016", "options": none, "log_loss": {"mean": 0.7}, "against": None}
    others = [
        {"system": "glicko-2", "options": {"tau": tau}, "log_loss": loss, "against": difference} for tau in (0.3, 0.9)
    ]
    sentence = describe_result({"candidates": [present, *others]})
    assert sentence.startswith("Glicko-2, Limit of volatility: 0.3 predicts best: its log loss is 0.0100 lower than")


def test_study_without_a_sweep_has_no_chart_of_it(rating_list, officer):
    definition = EMPTY | {"candidates": [{"system": "fesa-2000", "options": {}}]}
    study = Study.objects.create(list=rating_list, definition=definition)
    make_study(study.pk)
    assert chart_of(officer, study, "sweep").status_code == 404
    assert "sweep.svg" not in officer.get(address(rating_list, study)).content.decode()


def chart_of(client, study, chart, query=""):
    return client.get(reverse("study_chart", args=[study.list.slug, study.pk, chart]) + query)

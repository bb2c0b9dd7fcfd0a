import json

import pytest
from django.urls import reverse
from django.utils.translation import override

from ratings.access import OFFICERS
from ratings.domain.lists.studies import make_study
from ratings.laboratory.document import digest_result
from ratings.localize import translate_message
from ratings.models import Study
from ratings.systems import SYSTEMS
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


def test_study_is_made_and_shown(rating_list, officer, django_capture_on_commit_callbacks):
    data = {
        "systems": ["fesa-2000"],
        "candidates": "glicko-2 initial_deviation=60\n\n",
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
    for text in ("Glicko-2", "initial_deviation=60", "All predictions use ratings from before the game.", "Sweep"):
        assert text in page
    assert study.result["digest"][:8] in page


def test_finished_study_is_reproduced_from_its_file(rating_list, officer, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        officer.post(address(rating_list), {"candidates": "present tau=0.3"})
    study = Study.objects.get()
    response = officer.get(address(rating_list, study, "study_file"))
    assert response.headers["Content-Disposition"] == f'attachment; filename="study-{study.pk}.json"'
    document = json.loads(response.content)
    assert digest_result(document) == document["digest"] == study.result["digest"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "Choose a system, write candidates, or name an option to sweep."),
        ({"candidates": "glicko-2\nelo"}, "Line 2: “elo” is not one of the systems"),
        ({"candidates": "glicko-2 tau=9"}, "Line 1: tau: 9 cannot be; it takes"),
        ({"candidates": "present\n" * 21}, "A study has at most 20 candidates."),
        ({"sweep": "tau=1:2"}, "tau: “1:2” is not written as first:last:step"),
        ({"sweep": "tau=0.3,0.4", "sweep_of": "fesa-2016"}, "“tau” is not an option of fesa-2016"),
        ({"systems": ["elo"]}, "Select a valid choice. elo is not one of the available choices."),
    ],
)
def test_invalid_form_is_shown_again_with_what_was_typed(rating_list, officer, data, problem):
    response = officer.post(address(rating_list), data)
    page = response.content.decode()
    assert response.status_code == 422
    assert problem in page
    for text in (data.get("candidates", ""), data.get("sweep", "")):
        assert text.strip() in page
    assert not Study.objects.exists()


def test_stored_study_fills_the_form(rating_list, officer):
    definition = EMPTY | {
        "candidates": [{"system": "fesa-2016", "options": {}}, {"system": "glicko-2", "options": {"tau": 0.3}}],
        "sweep": {"system": "rif-2021", "options": {}, "values": {"w2": [1, 10]}},
    }
    study = Study.objects.create(list=rating_list, definition=definition)
    form = officer.get(address(rating_list), {"from": study.pk}).context["form"]
    assert form.initial == {
        "systems": ["fesa-2016"], "candidates": "glicko-2 tau=0.3", "sweep_of": "rif-2021", "sweep": "w2=1,10",
    }  # fmt: skip


def test_all_problems_of_a_form_are_shown_at_once(rating_list, officer):
    data = {"candidates": "elo\n\nglicko-2 tau=9", "sweep": "tau"}
    assert officer.post(address(rating_list), data).context["form"].errors == {
        "candidates": [
            "Line 1: “elo” is not one of the systems " + ", ".join(SYSTEMS),
            "Line 3: tau: 9 cannot be; it takes a number from 0.2 to 1.5",
        ],
        "sweep": ["“tau” is not written as option=first:last:step or option=value,value"],
    }


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


@pytest.mark.parametrize("number", ["x", "0", "99999999999", "-1", ""])
def test_unknown_study_leaves_the_form_empty(rating_list, officer, number):
    assert officer.get(address(rating_list), {"from": number}).context["form"].initial == {}


def test_waiting_study_shows_its_progress_and_can_be_cancelled(rating_list, officer):
    study = Study.objects.create(list=rating_list, definition=EMPTY, state="running", runs=7, runs_done=3)
    page = officer.get(address(rating_list, study)).content.decode()
    assert "3 of 7 runs are finished." in " ".join(page.split())
    officer.post(address(rating_list, study))
    study.refresh_from_db()
    assert study.state == "cancelled"
    assert "The study had ended already." in officer.post(address(rating_list, study), follow=True).content.decode()


def test_failed_study_says_why(rating_list, officer):
    study = Study.objects.create(list=rating_list, definition=EMPTY, state="failed", error="table t1: too hot")
    assert "table t1: too hot" in officer.get(address(rating_list, study)).content.decode()


def test_study_of_another_list_is_not_found(rating_list, officer):
    study = Study.objects.create(list=make_list("other"), definition=EMPTY)
    assert officer.get(address(rating_list, study)).status_code == 404
    assert officer.get(address(rating_list, study, "study_file")).status_code == 404


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


def test_study_without_a_sweep_has_no_chart_of_it(rating_list, officer):
    definition = EMPTY | {"candidates": [{"system": "fesa-2000", "options": {}}]}
    study = Study.objects.create(list=rating_list, definition=definition)
    make_study(study.pk)
    assert chart_of(officer, study, "sweep").status_code == 404
    assert "sweep.svg" not in officer.get(address(rating_list, study)).content.decode()


def chart_of(client, study, chart, query=""):
    return client.get(reverse("study_chart", args=[study.list.slug, study.pk, chart]) + query)

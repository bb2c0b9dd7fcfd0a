import pytest

from ratings.laboratory.candidates import Candidate, parse_candidate, parse_sweep
from ratings.systems.values import History

HISTORY = History("glicko-2", {}, (), options={"tau": 0.6})


@pytest.mark.parametrize(
    ("text", "candidate"),
    [
        ("fesa-2016", Candidate("fesa-2016")),
        ("glicko-2 period=month tau=0.7", Candidate("glicko-2", {"period": "month", "tau": 0.7})),
        ("present", Candidate("glicko-2", {"tau": 0.6})),
        ("present period=month", Candidate("glicko-2", {"tau": 0.6, "period": "month"})),
    ],
)
def test_candidate_is_read_from_its_text(text, candidate):
    assert parse_candidate(text, HISTORY) == candidate
    assert parse_candidate(str(candidate), HISTORY) == candidate


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "“” is not one of the systems fesa-2016"),
        ("elo", "“elo” is not one of the systems fesa-2016"),
        ("glicko-2 tau", "“tau” is not written as option=value"),
        ("glicko-2 tau=", "“tau=” is not written as option=value"),
        ("glicko-2 tau=9", "tau: 9 cannot be; it takes"),
        ("glicko-2 tau=NaN", "tau: NaN cannot be; it takes"),
        ("glicko-2 k=9", "“k” is not an option of glicko-2"),
    ],
)
def test_invalid_candidate_is_refused(text, problem):
    with pytest.raises(ValueError, match="^" + problem.replace("(", r"\(")):
        parse_candidate(text, HISTORY)


def test_sweep_tries_all_values_of_two_options():
    sweep = parse_sweep(["tau=0.3:0.5:0.1", "period=table,month"], Candidate("glicko-2", {"idle_days": 60}))
    assert [str(candidate) for candidate in sweep] == [
        "glicko-2 idle_days=60 tau=0.3 period=table",
        "glicko-2 idle_days=60 tau=0.3 period=month",
        "glicko-2 idle_days=60 tau=0.4 period=table",
        "glicko-2 idle_days=60 tau=0.4 period=month",
        "glicko-2 idle_days=60 tau=0.5 period=table",
        "glicko-2 idle_days=60 tau=0.5 period=month",
    ]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ([], "a sweep is of one or two options"),
        (["tau=0.3,0.4", "idle_days=1,2", "period=table,month"], "a sweep is of one or two options"),
        (["tau=0.3,0.4", "tau=0.5,0.6"], "the two options of a sweep must differ"),
        (["tau=0.3"], "tau: a sweep needs at least two different values"),
        (["tau=0.3,0.3"], "tau: a sweep needs at least two different values"),
        (["tau"], "“tau” is not written as option=first:last:step or option=value,value"),
        (["tau=1:2"], "tau: “1:2” is not written as first:last:step"),
        (["tau=a:b:c"], "tau: “a:b:c” is not written as first:last:step"),
        (["tau=1:2:0"], "tau: in first:last:step the last value must exceed the first, and the step must be above 0"),
        (["tau=2:1:0.1"], "tau: in first:last:step the last value must exceed the first, and the step must be above 0"),
        (
            ["tau=NaN:1:0.1"],
            "tau: in first:last:step the last value must exceed the first, and the step must be above 0",
        ),
        (["idle_days=1:500:1"], "a sweep has at most 441 values or pairs of values, not 500"),
        (["tau=0.2:1e999999:0.1"], "tau: a sweep has at most 441 values or pairs of values"),
        (["tau=1e-999999:1:1e-999999"], "tau: a sweep has at most 441 values or pairs of values"),
        (["idle_days=1:30:1", "tau=0.2:1.2:0.05"], "a sweep has at most 441 values or pairs of values, not 630"),
        (["tau=0.2,9"], "tau: 9 cannot be; it takes"),
    ],
)
def test_invalid_sweep_is_refused(texts, problem):
    with pytest.raises(ValueError, match="^" + problem):
        parse_sweep(texts, Candidate("glicko-2"))

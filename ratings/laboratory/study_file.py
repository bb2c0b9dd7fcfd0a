"""Studies read from JSON, as documents of ratings-study/1 and stored studies contain them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .candidates import Candidate, Sweep, check_candidate, check_sweep
from .resampling import RESAMPLES
from .study import StudyDefinition

MAX_RESAMPLES = 100_000


class CandidateForm(BaseModel):
    """A system with its options."""

    model_config = ConfigDict(extra="forbid", strict=True)
    system: str
    options: dict[str, Any] = {}


class SweepForm(CandidateForm):
    """A system with its options, and the values of one or two further options."""

    values: Annotated[dict[str, list[Any]], Field(min_length=1, max_length=2)]


class StudyForm(BaseModel):
    """The candidates, the sweep and the number of resamples of a study."""

    model_config = ConfigDict(extra="forbid", strict=True)
    candidates: list[CandidateForm] = []
    sweep: SweepForm | None = None
    resamples: Annotated[int, Field(ge=1, le=MAX_RESAMPLES)] = RESAMPLES


def parse_study(document: object) -> StudyDefinition:
    """Return the study of a JSON object: of a study itself, or of a result, which contains its study.

    Raise ValueError that names the place of the first problem.
    """
    if isinstance(document, dict) and "study" in document:
        document = document["study"]
    try:
        parsed = StudyForm.model_validate(document)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "study"
        raise ValueError(f"{place}: {problem['msg']}") from None
    candidates = [check_candidate(Candidate(given.system, given.options)) for given in parsed.candidates]
    sweep = None
    if parsed.sweep is not None:
        sweep = Sweep(Candidate(parsed.sweep.system, parsed.sweep.options), parsed.sweep.values)
        check_sweep(sweep)
    return StudyDefinition(candidates, sweep, parsed.resamples)

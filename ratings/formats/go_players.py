"""Ranks, countries and ids of players as go programs write them."""

from __future__ import annotations

import re

from ratings.formats.parsed import ParsedRow, Problems
from ratings.formats.problems import FileProblem

RANK = re.compile(r"(?P<number>\d{1,2})\s*(?P<unit>[dk])(?:an|yu)?", re.ASCII | re.IGNORECASE)
MOST_DAN, MOST_KYU = 9, 40
COUNTRY_ALIASES = {"UK": "GB"}
"""Codes of the European Go Federation that differ from ISO 3166."""
OWN_COUNTRIES = {code: own for own, code in COUNTRY_ALIASES.items()}
NO_COUNTRY, NO_CLUB = "XX", "xxxx"
FIRST_DAN, OF_GRADE = 2050, 100
"""The rating at which 1 dan begins, and the width of a grade, in rating points of the European Go Database (GoR)."""
MOST_KYU_OF_RATING = 30
HIGHEST_AGA_ID = 50_000
"""Higher numbers are placeholders: OpenGotha numbers players without an AGA id from 99999 downwards."""


def read_grade(text: str, row: ParsedRow, problems: Problems) -> str | None:
    """Return a grade such as `3 Dan` for `3D`; None with a warning for another text."""
    match = RANK.fullmatch(text)
    number = int(match["number"]) if match else 0
    unit = match["unit"].lower() if match else ""
    if not 1 <= number <= (MOST_DAN if unit == "d" else MOST_KYU):
        message = FileProblem.GRADE_OUT_OF_RANGE(word=text[:20], lowest=MOST_KYU, highest=MOST_DAN)
        problems.warn(message, row.line, row.number)
        return None
    return f"{number} {'Dan' if unit == 'd' else 'Kyu'}"


def read_country(text: str, row: ParsedRow, problems: Problems) -> str:
    """Return a country's code of two letters; "" for none, with a warning for another text."""
    code = text.upper()
    if not code or code == NO_COUNTRY:
        return ""
    if not re.fullmatch("[A-Z]{2}", code):
        problems.warn(FileProblem.COUNTRY_LEFT_OUT(word=text[:20]), row.line, row.number)
        row.texts["country"] = text
        return ""
    return COUNTRY_ALIASES.get(code, code)


def format_grade(grade: str) -> str:
    """Return a grade such as `3 Dan` as `3d`; empty for none."""
    number, _, unit = grade.partition(" ")
    return f"{number}{unit[:1].lower()}"


def grade_of_rating(rating: int) -> str:
    """Return the grade whose middle is nearest to a rating: 1 dan is 2050 to 2149, 1 kyu 1950 to 2049."""
    above = (rating - FIRST_DAN) // OF_GRADE
    return f"{min(above + 1, MOST_DAN)}d" if above >= 0 else f"{min(-above, MOST_KYU_OF_RATING)}k"

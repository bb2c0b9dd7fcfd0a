"""Certificates of grades: which awards have one, and what of a printed one is true now.

A certificate hangs on list, player, grade and day, as awards are replaced by every run; its code names all four.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify

from ratings.models import Decision, Player, RatingList, Shown, Standing

from .awards import ANNOUNCED, FINAL, WAITING, with_state

SALT, LETTERS = "ratings.certificate", 12


class Finding(Enum):
    """What is true of a certificate; `KEPT`: its results were corrected, but the grade had been announced."""

    CONFIRMED = "confirmed"
    KEPT = "kept"
    NOT_ANNOUNCED = "not announced"
    WAITING = "waiting"
    LOWER = "lower"
    GONE = "gone"


@dataclass(frozen=True)
class Certificate:
    """`award` is none where results were corrected since."""

    code: str
    standing: Standing
    grade: str
    day: dt.date
    award: Any
    finding: Finding

    @property
    def confirmed(self) -> bool:
        return self.finding in (Finding.CONFIRMED, Finding.KEPT)

    @property
    def list(self) -> RatingList:
        return self.standing.list

    @property
    def player(self) -> Player:
        return self.standing.player

    @property
    def name(self) -> str:
        """The given name first, as on a diploma."""
        return f"{self.player.public_given} {self.player.public_family}".strip()

    @property
    def how(self) -> str:
        return self.award.how if self.award else "kept"

    @property
    def event(self) -> Any:
        return self.award.table.event if self.award and self.award.table else None


def codes_of(standing: Standing, awards: Iterable[Any]) -> dict[int, str]:
    """The codes of those awards, by id, that have a certificate; `awards` are all of the player's, with their state."""
    if not _has_certificates(standing.list, standing.player):
        return {}
    several = sorted(awards, key=_place)
    judge = _Judge(standing, several)
    return {
        award.pk: _code(standing, award.grade, award.day)
        for award in several
        if _is_won(award) and judge.finding(award) is Finding.CONFIRMED
    }


def find_certificate(code: str) -> Certificate | None:
    """What a code confirms or does not; none if it is no code of this site, or nothing of the player may be shown."""
    named, _, letters = code.rpartition(".")
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any(constant_time_compare(letters, _letters(named, key)) for key in keys):
        return None
    slug, public_id, written, day = named.split(".")
    standing = _standing(slug, public_id)
    if standing is None:
        return None
    grade = next((grade for grade in standing.list.rating_system.grades if slugify(grade) == written), None)
    return None if grade is None else _found(code, standing, grade, dt.date.fromisoformat(day))


def _found(code: str, standing: Standing, grade: str, day: dt.date) -> Certificate:
    own = with_state(standing.list.awards.filter(player=standing.player)).select_related("table__event")
    awards = sorted(own, key=_place)
    judge = _Judge(standing, awards)
    award = next((a for a in reversed(awards) if (a.grade, a.day) == (grade, day) and _is_won(a)), None)
    if award is not None:
        finding = judge.finding(award)
    elif not _is_kept(standing, grade, day):
        finding = Finding.GONE
    else:
        finding = Finding.LOWER if judge.is_lower(standing.grade, grade) else Finding.KEPT
    return Certificate(code, standing, grade, day, award, finding)


def _is_kept(standing: Standing, grade: str, day: dt.date) -> bool:
    """Whether it was announced, which holds from the next day on, or was kept from this very day on."""
    held = Decision.objects.filter(list=standing.list, player=standing.player, grade=grade, ruling="kept")
    return held.filter(date__in=[day, day + dt.timedelta(days=1)]).exists()


class _Judge:
    """What is true of one player's awards, oldest first."""

    def __init__(self, standing: Standing, awards: Sequence[Any]) -> None:
        system = standing.list.rating_system
        self.standing, self.awards, self.order = standing, awards, list(system.grades)
        self.announces = system.settings.get("corrections") == "kept"

    def finding(self, award: Any) -> Finding:
        if award.state == WAITING:
            return Finding.WAITING
        if self.announces and award.state not in {ANNOUNCED, FINAL}:
            return Finding.NOT_ANNOUNCED
        later = [a.grade for a in self.awards if _place(a) > _place(award) and not a.needs_approval]
        lower = any(self.is_lower(grade, award.grade) for grade in (*later, self.standing.grade))
        return Finding.LOWER if lower else Finding.CONFIRMED

    def is_lower(self, one: str, other: str) -> bool:
        return self.rank(one) < self.rank(other)

    def rank(self, grade: str) -> int:
        return self.order.index(grade) if grade in self.order else -1


def _place(award: Any) -> tuple[dt.date, int, int]:
    return award.day, award.place, award.pk


def _is_won(award: Any) -> bool:
    """Whether it is the grade that its step ended with, and no demotion."""
    return bool(award.last_of_step and award.how != "demotion")


def _has_certificates(rating_list: RatingList, player: Player) -> bool:
    return rating_list.public and rating_list.graded and player.shown == Shown.FULL


def _standing(slug: str, public_id: str) -> Standing | None:
    """The public line of who a player is by now, if he is shown by name."""
    player = Player.objects.filter(public_id=public_id).select_related("merged_into").first()
    now = player and (player.merged_into or player)
    lines = Standing.objects.filter(list__slug=slug, player=now, published=True, rating__isnull=False)
    standing = lines.select_related("list", "player").first()
    return standing if standing and _has_certificates(standing.list, standing.player) else None


def _code(standing: Standing, grade: str, day: dt.date) -> str:
    named = f"{standing.list.slug}.{standing.player.public_id}.{slugify(grade)}.{day}"
    return f"{named}.{_letters(named, settings.SECRET_KEY)}"


def _letters(named: str, key: str | bytes) -> str:
    """They show that a code was made here."""
    return salted_hmac(SALT, named, secret=key, algorithm="sha256").hexdigest()[:LETTERS]

"""Approving bodies of lists: the person outside who answers approvals of high grades."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from ratings.localize import join_parts
from ratings.models import RatingList


@dataclass(frozen=True)
class ApprovingBody:
    """The approving body of a list with the person who answers for it; texts are empty where nothing is known."""

    name: str
    person: str
    office: str
    mail: str

    @property
    def can_receive(self) -> bool:
        """Return True if letters can be sent to a person."""
        return bool(self.person and self.mail)

    @property
    def full_office(self) -> str:
        """The office of the person, with the body."""
        return join_parts([self.office, self.name])


def get_approving_body(rating_list: RatingList) -> ApprovingBody:
    """Return the approving body that a list names, or the one of its rules, in the reader's language."""
    by_rules = rating_list.rating_system.grading.approved_by
    name = rating_list.approving_body or (gettext(by_rules) if by_rules else "")
    return ApprovingBody(name, rating_list.approving_person, rating_list.approving_office, rating_list.approving_mail)

"""Record of processing activities (Regulation (EU) 2016/679, article 30): how the portal processes personal data.

The retention periods are those of `retention_rules.py`, and the measures those that the settings switch on.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .retention_rules import RETENTION_RULES, RetentionRule

UNTIL_ERASURE = _("everything else until the person requests erasure")


@dataclass(frozen=True)
class Activity:
    """One purpose, with the people and data concerned, who receives the data, and the keys of its retention rules."""

    purpose: str | Promise
    people: str | Promise
    data: str | Promise
    recipients: str | Promise
    rules: tuple[str, ...] = ()
    otherwise: str | Promise = UNTIL_ERASURE
    """How long data without a rule is stored."""

    @property
    def periods(self) -> list[tuple[str, str]]:
        """The titles of its retention rules, each with the period in words."""
        return [(str(rule.title), describe_period(rule)) for rule in RETENTION_RULES if rule.key in self.rules]


ACTIVITIES = (
    Activity(
        _("Calculating and publishing ratings and grades"),
        _("Players"),
        _(
            "Name and former names, country, club, membership, birth date or year, gender if the federation records it,"
            " ids in other registries; results, ratings, grades"
        ),
        _("The public, with the name shown as the player chose; other sites through files and the API"),
        otherwise=_("results and ratings: no limit; names and other personal data: until the person requests erasure"),
    ),
    Activity(
        _("Entries for events"),
        _("Players and people who enter them"),
        _("Name, country, club, email address, message"),
        _("Organisers of the event, rating officers; the public list of entries if the organiser shows it"),
        ("contacts", "unanswered_entries", "pairing_pages", "erased_words"),
    ),
    Activity(
        _("Entering and checking results"),
        _("Players, arbiters, organisers, helpers"),
        _("Results with names, original files, comments, who entered and accepted them"),
        _("Organisers of the event, rating officers"),
        (
            "deleted_events",
            "deleted_results",
            "drafts",
            "file_batches",
            "uploads",
            "hall_links",
            "previews",
            "unfinished_runs",
        ),
        _("accepted results: no limit, because ratings are calculated from them"),
    ),
    Activity(
        _("Approving grades"),
        _("Players, approvers"),
        _("Grade, evidence, letters, answers"),
        _("The body that approves the grade"),
        ("answer_links",),
    ),
    Activity(
        _("Accounts"),
        _("Users"),
        _(
            "User name, email address, password (hash), second factor, API keys; network address and browser of"
            " sessions"
        ),
        _("Nobody; administrators see user names and email addresses"),
        ("sessions", "session_details", "api_keys"),
    ),
    Activity(
        _("Emails and followed pages"),
        _("Users"),
        _("Email address, followed pages, text of the email"),
        _("The mail server of this site"),
        ("mails", "notifications", "followed_changes"),
    ),
    Activity(
        _("Answering error reports and claims of pages"),
        _("Players, visitors"),
        _("Text, email address if given, answer"),
        _("Rating officers; anyone who knows the number of a report can read it and its answer"),
        ("report_addresses",),
    ),
    Activity(
        _("Messages to other programs"),
        _("Players, by public id"),
        _("Public ids, ratings, grades, never names"),
        _("Programs that an administrator of the federation has registered"),
        ("webhook_deliveries", "deleted_webhooks"),
    ),
    Activity(
        _("Recording changes, so that each can be checked and undone"),
        _("Players, users"),
        _("Who changed which data, and when"),
        _("Administrators, rating officers"),
        ("audit_trail", "admin_log"),
    ),
)


def describe_period(rule: RetentionRule) -> str:
    """Return the period of a rule in the reader's language."""
    if rule.days is None:
        return gettext("no limit")
    return ngettext("%(days)d day", "%(days)d days", rule.days) % {"days": rule.days}


def list_measures() -> list[str]:
    """Return the technical measures that protect the data; those that a setting switches off are left out."""
    minutes = settings.ACCOUNT_REAUTHENTICATION_TIMEOUT // 60
    optional = (
        (settings.HTTPS, gettext("All connections are encrypted (HTTPS).")),
        (settings.SECOND_FACTOR, gettext("Rating officers and approvers need a second factor to sign in.")),
        (
            settings.SIGN_IN_AGAIN,
            gettext("Decisions need a sign-in within the last %(minutes)d minutes.") % {"minutes": minutes},
        ),
        (settings.PAGE_RATE or settings.COSTLY_RATE, gettext("Requests from one network address are limited.")),
    )
    always = (
        gettext("Passwords, API keys and links are stored as hashes; secrets of webhooks are encrypted."),
        gettext("Rights are tied to roles, and tested for every page."),
        gettext("Pages load nothing from other sites, and have no trackers and no third-party scripts."),
        gettext("Every change is recorded with the user and the time, without the network address."),
        gettext(
            "Expired data is deleted every night. When a person is erased, their name and ids are removed from results,"
            " texts and files."
        ),
    )
    return [text for switched_on, text in optional if switched_on] + list(always)

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from anyascii import anyascii
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_countries.fields import CountryField

from ratings.addresses import address_of, name_in_address
from ratings.characters import has_visible_character, invisible_characters
from ratings.localize import join_parts
from ratings.models.site.versioned import Versioned

from .searchable import Searchable

ID_LETTERS = "23456789BCDFGHJKLMNPQRSTVWXZ"  # none that are easily misread; no vowels, which could form words


def new_public_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(7))


def public_id_field() -> models.CharField[str, str]:
    """Return a field for the stable id in addresses and exports: it never changes and is never a name."""
    return models.CharField(
        _("public id"),
        max_length=12,
        unique=True,
        default=new_public_id,
        editable=False,
        validators=[RegexValidator(r"^[A-Za-z0-9]+$")],
    )


def validate_name(value: str) -> None:
    """Raise ValidationError for a name with invisible characters, or without any visible one."""
    if invisible := invisible_characters(value):
        raise ValidationError(
            _("Invisible or control characters are not allowed in a name: %(characters)s. Type the name again."),
            code="invisible",
            params={"characters": join_parts(invisible)},
        )
    if value and not has_visible_character(value):
        raise ValidationError(_("A name needs at least one visible character."), code="nothing_visible")


def validate_text(value: str) -> None:
    """Raise ValidationError for a text with invisible characters; it can have several lines and tabs."""
    invisible = invisible_characters(value.replace("\r\n", " ").replace("\n", " ").replace("\t", " "))
    if invisible:
        raise ValidationError(
            _("Invisible or control characters are not allowed: %(characters)s. Type the text again."),
            code="invisible",
            params={"characters": join_parts(invisible)},
        )


class Club(Versioned, Searchable):
    public_id = public_id_field()
    name = models.CharField(_("name"), max_length=100, unique=True, validators=[validate_name])
    city = models.CharField(_("city"), max_length=100, blank=True, validators=[validate_name])
    country = CountryField(_("country"), blank=True)
    website = models.URLField(_("website"), blank=True)
    closed = models.DateField(_("closed on"), null=True, blank=True)
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="clubs",
        blank=True,
        verbose_name=_("organisers"),
        help_text=_("They manage the club's events together."),
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def searched(self) -> str:
        return f"{self.name} {self.city}"

    def get_absolute_url(self) -> str:
        return address_of("club", self.public_id, name_in_address(self.name))


_true_names: ContextVar[bool] = ContextVar("true_names", default=False)


@contextmanager
def use_full_names(enabled: bool = True) -> Iterator[None]:
    """Write players by their true names within this context if `enabled`, as managing pages do.

    Elsewhere names are written as the public may see them.
    """
    token = _true_names.set(enabled)
    try:
        yield
    finally:
        _true_names.reset(token)


class NameVisibility(models.TextChoices):
    """Forms of a player's name that the public may see, the most hidden last."""

    FULL = "full", _("full name")
    INITIALS = "initials", _("initials")
    ANONYMOUS = "anonymous", _("anonymous")


class Gender(models.TextChoices):
    """Genders of players that a federation may record; empty: not recorded."""

    FEMALE = "female", _("female")
    MALE = "male", _("male")
    OTHER = "other", _("other")


ANONYMOUS_NAME = "Player"  # followed by the public id


def public_name_parts(family: str, given: str, public_id: str, shown: str) -> tuple[str, str]:
    """Return the family and the given name as the public may see them.

    They are for files and addresses, and so the same in every language. A name without any letter has no initials.
    """
    if shown == NameVisibility.FULL:
        return family, given
    if shown == NameVisibility.INITIALS and (first := initial(family)):
        return first, initial(given)
    return ANONYMOUS_NAME, public_id


def initial(name: str) -> str:
    """Return the first letter of a name, with a point; empty if it has none.

    A letter of a script without capitals is written in Latin, as one sign may be the whole name there.
    """
    letter = next((c for c in unicodedata.normalize("NFC", name) if c.isalnum()), "").upper()[:1]
    if letter and not letter.isupper():
        letter = anyascii(letter)[:1].upper()
    return f"{letter}." if letter else ""


class Player(Versioned, Searchable):
    Shown = NameVisibility

    public_id = public_id_field()
    family_name = models.CharField(_("family name"), max_length=100, validators=[validate_name])
    given_name = models.CharField(_("given name"), max_length=100, blank=True, validators=[validate_name])
    native_name = models.CharField(
        _("name in the player's own script"),
        max_length=100,
        blank=True,
        validators=[validate_name],
        help_text=_("For example 山本 太一."),
    )
    country = CountryField(_("country"), blank=True)
    birth_date = models.DateField(_("birth date"), null=True, blank=True)
    birth_year = models.PositiveSmallIntegerField(
        _("birth year"), null=True, blank=True, help_text=_("Where the full date is not known.")
    )
    birth_public = models.BooleanField(_("birth year may be shown to the public"), default=False)
    gender = models.CharField(
        _("gender"),
        max_length=6,
        choices=Gender,
        blank=True,
        default="",
        db_default="",
        help_text=_("Optional. Leave empty unless a federation of the player records it."),
    )
    gender_public = models.BooleanField(_("gender may be shown to the public"), default=False, db_default=False)
    shown = models.CharField(_("name shown to the public"), max_length=10, choices=Shown, default=Shown.FULL)
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="player",
        verbose_name=_("account"),
    )
    merged_into = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="merged",
        verbose_name=_("merged into"),
    )
    erased_at = models.DateTimeField(
        _("erased"), null=True, blank=True, editable=False, help_text=_("When the person's data was erased.")
    )
    clubs = models.ManyToManyField(Club, through="Membership", related_name="players")

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["family_name", "given_name", "public_id"]
        constraints = [
            models.CheckConstraint(condition=~Q(family_name=""), name="player_has_a_family_name"),
            models.CheckConstraint(condition=Q(shown__in=NameVisibility.values), name="player_is_shown_in_a_known_way"),
        ]
        indexes = [
            # the names of a results table are looked up exactly or by how they begin
            models.Index(fields=["search_name"], opclasses=["text_pattern_ops"], name="players_by_search_name"),
            # the filters of a list offer the countries of its players
            models.Index(fields=["country", "id"], name="players_by_country"),
            # many pages look for these few among all players
            models.Index(
                fields=["public_id"], condition=~Q(shown=NameVisibility.FULL), name="players_not_shown_in_full"
            ),
            models.Index(fields=["public_id"], condition=Q(birth_public=True), name="players_whose_age_is_shown"),
            models.Index(fields=["public_id"], condition=Q(gender_public=True), name="players_of_public_gender"),
        ]

    def __str__(self) -> str:
        return self.name if _true_names.get() else self.public_name

    def clean(self) -> None:
        super().clean()
        if self.erased_at is not None and (self.family_name, self.shown) != (ANONYMOUS_NAME, NameVisibility.ANONYMOUS):
            raise ValidationError(_("This person's data was erased, so no name can be shown."))

    @property
    def searched(self) -> str:
        return "" if self.erased_at else f"{self.family_name} {self.given_name} {self.native_name}"

    def get_absolute_url(self) -> str:
        return address_of("player", self.public_id, name_in_address(f"{self.public_family} {self.public_given}"))

    @property
    def year_of_birth(self) -> int | None:
        return self.birth_date.year if self.birth_date else self.birth_year

    @property
    def name(self) -> str:
        """The true name, for managing pages only."""
        return f"{self.family_name} {self.given_name}".strip()

    @property
    def public_name(self) -> str:
        return self.named_as(self.shown)

    @property
    def public_family(self) -> str:
        return public_name_parts(self.family_name, self.given_name, self.public_id, self.shown)[0]

    @property
    def public_given(self) -> str:
        return public_name_parts(self.family_name, self.given_name, self.public_id, self.shown)[1]

    @property
    def public_native(self) -> str:
        return self.native_name if self.shown == NameVisibility.FULL else ""

    @property
    def is_anonymous(self) -> bool:
        return self.shown == NameVisibility.ANONYMOUS

    def named_as(self, shown: str) -> str:
        """Return the name as the public would see it in the form `shown`, in the language of the page."""
        family, given = public_name_parts(self.family_name, self.given_name, self.public_id, shown)
        return f"{gettext('Player') if given == self.public_id else family} {given}".strip()


class Membership(Versioned):
    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships", verbose_name=_("player"))
    club = models.ForeignKey(Club, models.PROTECT, related_name="memberships", verbose_name=_("club"))
    start = models.DateField(_("since"), null=True, blank=True)
    end = models.DateField(_("until"), null=True, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ["player", F("start").asc(nulls_first=True)]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(end__isnull=True), name="one_present_membership_per_player"
            ),
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="membership_ends_after_its_start"),
        ]

    def __str__(self) -> str:
        return f"{self.player} – {self.club}"

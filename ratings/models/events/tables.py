from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.models.players.people import Player, validate_name
from ratings.models.site.versioned import Versioned, VersionedQuerySet
from ratings.systems.values import GameKind

from .events import Event


class PresentTables(models.Manager["Table"]):
    """Manager of the tables that are not deleted."""

    def get_queryset(self) -> models.QuerySet[Table]:
        return VersionedQuerySet["Table"](self.model, using=self._db).filter(deleted_at=None)


class Table(Versioned):
    """The unit of rating: results that count as simultaneous.

    A deleted table remains without entries and games, so that it can be restored; use the manager `with_deleted`.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="tables", verbose_name=_("event"))
    name = models.CharField(
        _("name"),
        max_length=100,
        blank=True,
        validators=[validate_name],
        help_text=_("Needed where an event has several."),
    )
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    position = models.SmallIntegerField(
        _("position within the day"), default=0, help_text=_("Orders tables that end on the same day.")
    )
    rated = models.BooleanField(pgettext_lazy("event", "rated"), default=True)
    tournament = models.BooleanField(_("tournament"), default=True, help_text=_("Otherwise games of a club."))
    minutes = models.FloatField(
        _("thinking time in minutes"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("Per player and game, without overtime. Leave empty if unknown: it is then accepted."),
    )
    overtime_moves = models.PositiveSmallIntegerField(
        _("overtime: moves"), null=True, blank=True, help_text=_("1 is byo-yomi, more are Canadian overtime.")
    )
    overtime_seconds = models.PositiveSmallIntegerField(_("overtime: seconds for them"), null=True, blank=True)
    increment = models.PositiveSmallIntegerField(
        _("increment in seconds"), null=True, blank=True, help_text=_("Added with every move, in place of overtime.")
    )
    time_class = models.CharField(
        _("class of the tournament"),
        max_length=1,
        blank=True,
        default="",
        db_default="",
        choices=[(name, name) for name in "ABCD"],
        help_text=_("Only if the federation set a class; otherwise the thinking time determines it."),
    )
    list_day = models.DateField(
        _("list on which it is rated"),
        null=True,
        blank=True,
        help_text=_("Only if it is not the first list after the end, for example for a late report."),
    )
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)

    objects = PresentTables()  # type: ignore[assignment, misc] # excludes deleted tables
    with_deleted = VersionedQuerySet["Table"].as_manager()

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["last_day", "first_day", "position", "event__name", "name"]
        indexes = [models.Index(fields=["last_day"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day__gte=F("first_day")),
                name="table_ends_after_its_start",
                violation_error_message=_("The last day is before the first day."),
            ),
            models.UniqueConstraint(
                fields=["event", "name"],
                condition=Q(deleted_at=None),
                name="one_table_of_a_name_per_event",
                violation_error_message=_("Another table of this event has the same name."),
            ),
            models.CheckConstraint(
                condition=Q(overtime_moves__isnull=True, overtime_seconds__isnull=True)
                | Q(
                    overtime_moves__isnull=False,
                    overtime_seconds__isnull=False,
                    overtime_moves__gte=1,
                    overtime_seconds__gte=1,
                    increment__isnull=True,
                ),
                name="overtime_has_moves_and_seconds",
                violation_error_message=_("Overtime needs moves and seconds, and excludes an increment."),
            ),
        ]

    def __str__(self) -> str:
        return name_table(str(self.event), self.name)

    @property
    def overtime(self) -> dict[str, float] | None:
        """Overtime as history-format writes it; None if there is none."""
        return describe_overtime(self.increment, self.overtime_moves, self.overtime_seconds)


def name_table(event: str, name: str) -> str:
    """Return the name of a table with that of its event."""
    return f"{event} – {name}" if name else event


def describe_overtime(increment: float | None, moves: float | None, seconds: float | None) -> dict[str, float] | None:
    """Return overtime as history-format writes it; None if there is none."""
    if increment is not None:
        return {"increment": increment}
    if moves is not None and seconds is not None:
        return {"moves": moves, "seconds": seconds}
    return None


class Entry(models.Model):
    """A player in a table."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="entries", verbose_name=_("table"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    number = models.PositiveSmallIntegerField(_("table number"))
    macmahon = models.DecimalField(_("MacMahon points"), max_digits=5, decimal_places=1, null=True, blank=True)
    place = models.PositiveSmallIntegerField(
        _("official place"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    fixed_rating = models.FloatField(
        _("rating as an outsider"),
        null=True,
        blank=True,
        help_text=_("Set for a player whose past is unknown: this rating is used in this table and never changes."),
    )
    guest = models.BooleanField(
        _("gave a simultaneous display"),
        default=False,
        help_text=_("Rated as a player without history; no rating is stored for them."),
    )

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "player"], name="one_entry_per_player_and_table"),
            models.UniqueConstraint(fields=["table", "number"], name="one_entry_per_number_and_table"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.player}"


class Game(models.Model):
    """A pairing of a round; without an opponent a bye, a half-point bye or an absence, with its points."""

    class Handicap(models.TextChoices):
        SENTE = "s", _("sente")
        LANCE = "l", _("lance")
        BISHOP = "b", _("bishop")
        ROOK = "r", _("rook")
        ROOK_LANCE = "rl", _("rook and lance")
        TWO_PIECES = "2p", _("2 pieces")
        FOUR_PIECES = "4p", _("4 pieces")
        FIVE_PIECES = "5p", _("5 pieces")
        SIX_PIECES = "6p", _("6 pieces")

    class Side(models.TextChoices):
        A = "a", _("first player")
        B = "b", _("second player")

    class Kind(models.TextChoices):
        UNRATED = GameKind.UNRATED.value, _("played, but not rated")
        BOTH_LOST = GameKind.BOTH_LOST.value, _("both lost by default")
        BOTH_WON = GameKind.BOTH_WON.value, _("full point for both")
        FULL_BYE = GameKind.FULL_BYE.value, _("full point, not the bye of the pairing")

    table = models.ForeignKey(Table, models.CASCADE, related_name="games", verbose_name=_("table"))
    round = models.PositiveSmallIntegerField(_("round"))
    a = models.ForeignKey(Entry, models.CASCADE, related_name="games_as_a", verbose_name=_("first player"))
    b = models.ForeignKey(
        Entry, models.CASCADE, null=True, blank=True, related_name="games_as_b", verbose_name=_("second player")
    )
    score = models.FloatField(_("score of the first player"), choices=[(1.0, "1"), (0.5, "½"), (0.0, "0")])
    played = models.BooleanField(_("played"), default=True)
    handicap = models.CharField(_("handicap"), max_length=2, choices=Handicap, null=True, blank=True)  # noqa: DJ001 - NULL means no value
    giver = models.CharField(_("handicap giver"), max_length=1, choices=Side, null=True, blank=True)  # noqa: DJ001 - NULL means no value
    stones = models.PositiveSmallIntegerField(_("handicap stones"), default=0)
    black = models.CharField(_("black"), max_length=1, choices=Side, null=True, blank=True)  # noqa: DJ001 - NULL means no value
    board = models.PositiveSmallIntegerField(_("board size"), default=19, validators=[MinValueValidator(2)])
    online = models.BooleanField(_("online"), default=False)
    correspondence = models.BooleanField(_("by correspondence"), default=False)
    kind = models.CharField(
        pgettext_lazy("game", "kind"),
        max_length=9,
        blank=True,
        default="",
        db_default="",
        choices=Kind,
        help_text=_("Only for games that are not rated; otherwise a game that was not played was won by default."),
    )

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["table", "round", "a__number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(b__isnull=True) | ~Q(a=F("b")),
                name="no_game_against_oneself",
                violation_error_message=_("Players cannot play against themselves."),
            ),
            models.CheckConstraint(condition=Q(score__in=(0.0, 0.5, 1.0)), name="score_is_0_half_or_1"),
            models.CheckConstraint(
                condition=Q(played=False) | Q(b__isnull=False),
                name="a_played_game_has_two_players",
                violation_error_message=_("A played game needs two players."),
            ),
            models.CheckConstraint(
                condition=Q(handicap__isnull=True, giver__isnull=True)
                | Q(handicap__isnull=False, giver__isnull=False, giver__in=["a", "b"], b__isnull=False),
                name="a_handicap_has_a_giver",
                violation_error_message=_("Enter both the handicap and the handicap giver, or neither."),
            ),
            models.CheckConstraint(
                condition=Q(stones=0) | Q(black__isnull=False, black__in=["a", "b"], b__isnull=False),
                name="stones_are_for_black",
                violation_error_message=_("Enter who has Black: handicap stones require it."),
            ),
            models.CheckConstraint(
                condition=Q(kind="")
                | Q(kind=GameKind.UNRATED.value, played=False, b__isnull=False)
                | Q(kind=GameKind.BOTH_LOST.value, played=False, b__isnull=False, score=0)
                | Q(kind=GameKind.BOTH_WON.value, played=False, b__isnull=False, score=1)
                | Q(kind=GameKind.FULL_BYE.value, played=False, b__isnull=True, score=1),
                name="only_unrated_games_have_a_kind",
                violation_error_message=_("This kind does not fit the score and the players of the game."),
            ),
            models.UniqueConstraint(
                F("table"),
                F("round"),
                Least("a", "b"),
                Greatest("a", "b"),
                name="one_game_per_pair_and_round",
                condition=Q(b__isnull=False),
                violation_error_message=_("These two have another game in this round."),
            ),
            models.UniqueConstraint(
                fields=["table", "round", "a"],
                name="one_unpaired_result_per_round",
                condition=Q(b__isnull=True),
                violation_error_message=_("This player has another result without an opponent in this round."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.a_id}–{self.b_id}"

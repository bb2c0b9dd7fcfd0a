"""Visibility of players: choices, initials, and the effect of merging."""

from importlib import import_module

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.merging import merge_players, preview_merge, undo_merge
from ratings.domain.players.visibility import set_visibility
from ratings.models import Player
from tests.factories import make_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("family", "given", "initials"),
    [("Adler", "Zoë", "A. Z."), ("E\u0301mile", "", "É."), ("van Beispiel", "łukasz", "V. Ł."), ("李", "明", "L. M."),
     ("Шевченко", "Ірина", "Ш. І."), ("ßen", "'Ada", "S. A."), ("***", "Ada", None)],
)  # fmt: skip
def test_initials_are_letters_of_the_name(family, given, initials):
    player = make_player(family, given, shown="initials")
    assert (str(player), f"{player.public_family} {player.public_given}".strip()) == (
        (initials or f"Player {player.public_id}",) * 2
    )


def test_visibility_takes_known_choices_only():
    ada = make_player()
    with pytest.raises(ValidationError, match="Choose how the name is shown"):
        set_visibility(ada, "invisible", birth_public=True)
    ada.refresh_from_db()
    assert (ada.shown, ada.birth_public) == ("full", False)
    set_visibility(ada, "initials", birth_public=True)
    set_visibility(ada, "anonymous")
    ada.refresh_from_db()
    assert (ada.shown, ada.birth_public) == ("anonymous", True)


@pytest.mark.parametrize(("gone", "kept"), [("anonymous", "full"), ("initials", "anonymous"), ("full", "anonymous")])
def test_merge_never_reveals_a_name(gone, kept):
    ben, ada = make_player("Ben", shown=gone), make_player("Ada", shown=kept)
    preview_merge(ben, ada)
    assert set(Player.objects.values_list("shown", flat=True)) == {gone, kept}
    record = merge_players(ben, ada, reason="one")
    assert set(Player.objects.values_list("shown", flat=True)) == {"anonymous"}
    undo_merge(record)
    assert set(Player.objects.values_list("shown", flat=True)) == {"anonymous"}


def test_merged_player_is_shown_like_the_remaining_player():
    first, second, third, other = (make_player(name) for name in ("First", "Second", "Third", "Other"))
    merge_players(first, second, reason="one")
    merge_players(second, third, reason="one")
    set_visibility(third, "anonymous")
    third.shown = "initials"
    save_player(third)
    assert list(Player.objects.order_by("pk").values_list("shown", flat=True)) == ["initials"] * 3 + ["full"]
    assert Player.objects.get(pk=other.pk).public_name == "Other"


@pytest.mark.parametrize(
    ("kept", "without"),
    [
        ("what is known of O'Neill Zoë was changed", "what is known of player – was changed"),
        (
            "Cup was saved; adjustment of 2024-01-02 for Lo Ada laid down or changed; x",
            "Cup was saved; adjustment of 2024-01-02 for player – laid down or changed; x",
        ),
        ("decision of 2024-01-02 for Lo Ada taken ba", "decision of 2024-01-02 for player –"),
        ("adjustment of 2024-01-02 for the list taken back", "adjustment of 2024-01-02 for the list taken back"),
        ("what is known of player K3M9XYZ was changed", "what is known of player K3M9XYZ was changed"),
    ],
)
def test_names_leave_the_reasons_that_were_kept(kept, without):
    migration = import_module("ratings.migrations.0013_names_out_of_texts")
    assert migration.without_names(kept) == without

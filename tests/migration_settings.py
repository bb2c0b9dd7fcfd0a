"""Settings of django-migration-linter: it checks that the old code works on until the upgrade to new migrations ends."""

from pathlib import Path

from tests.settings import *  # noqa: F403 - all settings but those below

LINTED_FROM = 31
"""Earlier migrations are older than this check."""

HARMLESS = {
    "0031_message_columns": "varchar to text: PostgreSQL changes no row, and the old code reads and writes on",
    "0039_list_needs_federation": "only administrators create lists, and none was without a federation after 0038",
    "0040_search_name_index": "takes a second for a million players, who are written seldom",
    "0042_player_gender": "its index is empty and takes a second for a million players, who are written seldom",
    "0054_questions_about_approvals": "its index belongs to a table that the same migration creates",
    "0057_deviations_of_comparisons": "its index is on the lists, of which a site has a few dozen",
    "0064_seed_list": "its index is on the lists, of which a site has a few dozen",
    "0074_approval_notes": "varchar to text: PostgreSQL changes no row, and the old code reads and writes on",
    "0081_players_by_country": "takes a second for a million players, who are written seldom",
    "0083_adjustments_by_day": "takes a fraction of a second for 100,000 adjustments, which are written seldom",
    "0084_active_standings": "takes a fraction of a second for 100,000 standings, for which runs wait",
    "0063_rule_proposals": "its index is on the lists, of which a site has a few dozen",
}
"""Migrations that the linter refuses and that the old code survives, with the reason."""

INSTALLED_APPS = [*INSTALLED_APPS, "django_migration_linter"]  # noqa: F405 - imported above
MIGRATION_LINTER_OPTIONS = {
    "include_apps": ["ratings"],
    "ignore_name": [
        path.stem
        for path in Path("ratings/migrations").glob("[0-9]*.py")
        if int(path.stem.partition("_")[0]) < LINTED_FROM or path.stem in HARMLESS
    ],
    "no_cache": True,
}

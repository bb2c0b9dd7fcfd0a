"""The import commands agree in their flags: a dry run by default, `--save` to store."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, load_command_class

from tests.factories import make_list

IMPORTS = ("import_list", "import_results", "import_history", "setup")
COMMON = {"--save", "--dry-run"}


def read_flags(command):
    """Return the help text of each flag of a command."""
    text = load_command_class("ratings", command).create_parser("manage.py", command).format_help()
    words = " ".join(text.split())
    found = re.findall(r" (--[a-z-]+)(?: [A-Z-]+)? ([a-z].*?)(?=\.? -|$)", words[words.index("options:") :])
    return dict(found)


def test_import_commands_have_the_same_flags_with_the_same_words():
    flags = {command: read_flags(command) for command in IMPORTS}
    assert {command: set(found) >= COMMON for command, found in flags.items()} == dict.fromkeys(IMPORTS, True)
    shared = {"--list", "--as", "--second"}
    assert [command for command in IMPORTS if not shared <= set(flags[command])] == ["setup"]
    for flag in COMMON | shared:
        assert len({found[flag] for found in flags.values() if flag in found}) == 1, flag
    assert flags["import_list"]["--save"] == "store (default: a dry run, which stores nothing)"


@pytest.mark.parametrize("command", IMPORTS)
def test_import_command_says_that_it_is_a_dry_run(command):
    assert load_command_class("ratings", command).help.endswith(" A dry run without --save.")
    line = next(line for line in Path("README.md").read_text().splitlines() if line.startswith(f"| `{command} "))
    assert re.search(r"\[--save\]", line)


@pytest.mark.django_db
@pytest.mark.parametrize("command", IMPORTS)
def test_both_flags_together_are_refused(command):
    make_list()
    options = {} if command == "setup" else {"list": "fesa"}
    with pytest.raises(CommandError, match="--dry-run and --save contradict each other"):
        call_command(command, "no-such-file", save=True, dry_run=True, **options)

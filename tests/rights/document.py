"""Writes docs/rights.md from the table: `python -m tests.rights.document`."""

from pathlib import Path

from .server import COMMANDS, TASKS
from .table import HEADINGS, SCREENS, STAFF_LETTERS, STATES, TABLE

ROLES = {
    "ply": "player with an account", "oth": "other organiser", "own": "organiser of the event", "of2": "officer of another list",
    "of1": "officer of the list", "ap1": "approver of the list", "adm": "administrator",
}  # fmt: skip
"""Columns of the document. Those left out are like another one, or are told in words."""
KEYS = {"kre": "see the state of my events", "kev": "announce events", "krs": "upload results into drafts",
        "kal": "all events of my lists"}  # fmt: skip
OPERATIONS = {
    "see": "look at",
    "add": "add",
    "change": "change",
    "delete": "delete",
    "export": "export",
    "import": "import",
}
LETTERS = {"o": "organiser", "w": "organiser of the event", "2": "officer of another list", "1": "officer of the list",
           "b": "approver of another list", "a": "approver of the list", "A": "administrator"}  # fmt: skip
HEAD = """# Rights

The rights of each role. `python -m tests.rights.document` generates this page from `tests/rights/table.py`. Tests try every
cell on every page, admin screen, API operation, command and task.

- **Organiser of the event**: the user who created it, users it is shared with, and organisers of its club.
- **Officer of the list**: an officer that the list names, or any officer if it names none; for an event, of all its lists.
- **Approver of the list**: an approver that the list names, or any approver if it names none.
- Visitors may only report errors. A closed account counts as a visitor.
- Officers, approvers and administrators need a second factor. Without one, all working pages refuse them.
- A state in a cell means: while the event is in this state. “Always” includes deleted events.
"""
RULES = """
## Two people

- Users cannot answer, confirm or reopen the approval of their own grade, of a grade earned by results that they entered or
  moved, or of a grade that they requested.
- If a list requires a second approver, one approver answers and another confirms.
- Questions about an approval are answered by the officers of the list, and by the approver who sent the letter; not by the
  player. A question or its answer counts as nobody's decision.
- The person whom the list names for the approving body may answer by the link in the letter and a code told by phone. That
  counts as one of two persons on every list: an approver confirms it, who is not the one who sent the link if the list
  requires a second approver. Only administrators name this person; their address belongs to no account.
- If a list requires a second officer, decisions, adjustments and their removal wait until another officer of the list
  confirms them. Users cannot confirm a proposal about themselves, and cannot accept a correction that they entered.
- Users cannot grant their own claim, or undo the answer to it.
- A grade that needs approval is recorded without one only at the start of a list: by an administrator, with a source, and
  not for themselves. If the list requires a second approver, two people record it.
"""
SERVER = """
## Commands and tasks

People with a shell on the server run commands; the worker runs tasks. Neither has a role. Both obey the rules of the
domain: they cannot answer approvals, confirm proposals, accept submissions or answer claims.

| command or task | what it may change |
|---|---|
"""


def written():
    """Return the document."""
    return "".join([HEAD, *actions(), keys(), screens(), RULES, SERVER, *server()])


def actions():
    """Yield one table for each heading."""
    heading = None
    for row, cells in TABLE.items():
        if HEADINGS[row] != heading:
            heading = HEADINGS[row]
            yield f"\n## {heading}\n\n| | {' | '.join(ROLES.values())} |\n|---|{'---|' * len(ROLES)}\n"
        yield f"| {row} | {' | '.join(in_words(cells[role]) for role in ROLES)} |\n"


def in_words(cell):
    """Return a cell as people read it."""
    states = set(STATES)
    if cell in ("-", "y"):
        return {"-": "–", "y": "yes"}[cell]
    if states - set(cell) <= {"x"}:
        return "not deleted" if "x" not in cell else "always"
    return ", ".join(STATES[state] for state in cell)


def keys():
    """Return the rows that API keys may do."""
    lines = [f"| {row} | {' | '.join(in_words(cells[key]) for key in KEYS)} |" for row, cells in TABLE.items()
             if any(cells[key] != "-" for key in KEYS)]  # fmt: skip
    head = f"| | {' | '.join(KEYS.values())} |\n|---|{'---|' * len(KEYS)}"
    note = "By scope of the key, for its owner's events; the last column is an officer's key with all scopes."
    return "\n".join(["\n## API keys\n", note + "\n", head, *lines, ""])


def screens():
    """Return who may use the screens of the admin, for people with staff status."""
    lines = [f"| {model} | {' | '.join(letters_in_words(cells[name]) for name in OPERATIONS)} |"
             for model, cells in SCREENS.items()]  # fmt: skip
    head = f"| | {' | '.join(OPERATIONS.values())} |\n|---|{'---|' * len(OPERATIONS)}"
    letters = "; ".join(f"{letter} {name}" for letter, name in LETTERS.items())
    note = f"With staff status: {letters}. Events and tables are added, changed and deleted by the rights above."
    return "\n".join(["\n## Admin\n", note + "\n", head, *lines, ""])


def letters_in_words(cell):
    assert set(cell) <= {*STAFF_LETTERS.values(), "-"}
    return "–" if cell == "-" else " ".join(letter for letter in LETTERS if letter in cell)


def server():
    for name, (what, _) in (COMMANDS | TASKS).items():
        yield f"| `{name}` | {what} |\n"


if __name__ == "__main__":
    (Path(__file__).parents[2] / "docs" / "rights.md").write_text(written())

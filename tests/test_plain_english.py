"""Names, docstrings and templates keep to the rules of CONTRIBUTING.md that a program can check."""

import ast
import re
from pathlib import Path

SOURCES = [
    path for folder in ("portal", "ratings") for path in Path(folder).rglob("*.py") if "migrations" not in path.parts
]
TESTS = list(Path("tests").rglob("*.py"))
BANNED_OPENINGS = (
    "Who", "What", "Whom", "Whose", "Of", "Whether", "How", "Where", "Which", "Why", "Everybody", "Everything", "Nobody",
    "Whoever", "The same", "It", "Its", "That", "Those", "These",
)  # fmt: skip
"""How no docstring begins: say what a function returns or does, or what a class or module is."""
LINE_LENGTH = 120
"""Longest line of a template, as of the code (line-length in pyproject.toml)."""
BANNED_NAMES = {
    "told", "tell", "tells", "nobody", "whoever", "lay_down", "laid_down", "reckon", "reckoned", "stand", "stands", "sit", "sits",
}  # fmt: skip
"""Names that say nothing to a newcomer."""

UNSAID = re.compile(r"\b(whoever|whose|thereof|such as|but for|has been reckoned|results? tables?)\b", re.IGNORECASE)
"""Words that no page shows to visitors."""
BANNED_IN_MESSAGES = re.compile(r"\b(whoever|thereof|such as|but for|has been reckoned)\b", re.IGNORECASE)
TRANSLATED = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext"}
"""Functions that mark a text of the code for translation."""
NOT_SHOWN = re.compile(r"\{% comment %\}.*?\{% endcomment %\}|\{#.*?#\}", re.DOTALL)
TOPICS = ("events", "grades", "lists", "players", "runs", "site")
"""Folders of templates of public pages; those of results are for organisers and officers."""


def docstrings(tree):
    """Yield the line and text of each docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), text


def names(tree):
    """Yield the line and name of each function, class, parameter and variable that is defined."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr


def test_docstrings_begin_with_a_verb_or_a_noun():
    found = [
        f"{path}:{line}: {text.splitlines()[0]}"
        for path in [*SOURCES, *TESTS]
        for line, text in docstrings(ast.parse(path.read_text()))
        if text.startswith(tuple(f"{opening} " for opening in BANNED_OPENINGS))
    ]
    assert found == []


def test_names_are_plain_words():
    found = [
        f"{path}:{line}: {name}"
        for path in [*SOURCES, *TESTS]
        for line, name in names(ast.parse(path.read_text()))
        if name.strip("_").lower() in BANNED_NAMES
    ]
    assert found == []


def test_template_lines_have_at_most_120_characters():
    found = [
        f"{path}:{number}: {len(line)} characters"
        for path in sorted(Path("templates").rglob("*"))
        if path.is_file()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LINE_LENGTH
    ]
    assert found == []


def test_public_templates_avoid_stiff_words():
    found = [
        f"{path}: {match[0]}"
        for topic in TOPICS
        for path in sorted((Path("templates") / topic).glob("*.html"))
        for match in UNSAID.finditer(" ".join(NOT_SHOWN.sub("", path.read_text()).split()))
    ]
    assert found == []


def list_messages(tree):
    """Yield the line and text of each text of the code that is translated."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TRANSLATED:
            for text in node.args:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.lineno, text.value


def test_messages_of_the_code_use_the_words_of_the_pages():
    sources = [path for path in SOURCES if "models" not in path.parts]  # their texts stand in migrations, too
    messages = [(path, *message) for path in sources for message in list_messages(ast.parse(path.read_text()))]
    assert len(messages) > 1000
    assert [message for message in messages if BANNED_IN_MESSAGES.search(message[2])] == []

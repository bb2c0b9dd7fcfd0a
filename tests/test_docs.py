"""Documents name only files, functions and classes that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED_FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|html|css|js|md|toml|txt|json|po|ini))`")
BASES = ("", "ratings", "portal", "tests", "docs", "static/portal", "templates", "ratings/formats")
NOT_IN_THE_REPOSITORY = {"portal/locale/es/LC_MESSAGES/django.po", "var/sbom.json"}
"""The example of a new language, and what a command writes."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_document_names_files_that_exist(document):
    named = set(NAMED_FILE.findall(document.read_text()))
    missing = {name for name in named if not any((ROOT / base / name).exists() for base in (*BASES, document.parent))}
    assert sorted(missing - NOT_IN_THE_REPOSITORY) == []


NAMED_CODE = re.compile(r"`([a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)`")
WALKS = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"]
EXAMPLES = {"test_thing_behaviour"}
"""Names that stand for others."""


@pytest.mark.parametrize("document", WALKS, ids=lambda path: path.name)
def test_document_names_functions_and_classes_that_exist(document):
    code = "".join(path.read_text() for folder in ("portal", "ratings") for path in (ROOT / folder).rglob("*.py"))
    others = "".join((ROOT / name).read_text() for name in ("Makefile", "pyproject.toml", "tests/conftest.py"))
    tests = "".join(path.read_text() for path in ROOT.glob("tests/**/test_*.py"))
    words = set(re.findall(r"\w+", code + others)) | set(re.findall(r"def (test_\w+)", tests))
    assert sorted(set(NAMED_CODE.findall(document.read_text())) - words - EXAMPLES) == []

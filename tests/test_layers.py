"""The import rules of docs/architecture.md that a contract file cannot show."""

import ast
import subprocess
import sys
from pathlib import Path


def test_pure_parts_load_without_django():
    code = (
        "import sys, ratings.systems, ratings.systems.replay, ratings.formats.history.file, ratings.formats.history.result, ratings.formats.recognise\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('django', 'celery', 'portal')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_only_gettext_functions_are_named_underscore():
    """`text, _, rest = …` makes `_` a variable of the whole function, where marking a text would fail."""
    both = []
    for path in [*Path("ratings").rglob("*.py"), *Path("portal").rglob("*.py")]:
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                targets = (node.target for node in ast.walk(function) if isinstance(node, ast.comprehension))
                own_scope = {id(name) for target in targets for name in ast.walk(target)}
                named = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == "_"]
                stored = [n for n in named if isinstance(n.ctx, ast.Store) and id(n) not in own_scope]
                if stored and any(isinstance(n.ctx, ast.Load) for n in named):
                    both.append(f"{path}: {function.name}")
    assert both == []

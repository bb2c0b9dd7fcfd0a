"""The import rules of docs/architecture.md that a contract file cannot show."""

import subprocess
import sys


def test_pure_parts_load_without_django():
    code = (
        "import sys, ratings.systems, ratings.systems.replay, ratings.formats.history, ratings.formats.result, ratings.formats.recognise\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('django', 'celery', 'portal')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"

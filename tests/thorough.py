"""Number of seeded cases that run: `make test` takes a share, which is always the same; `.ci/run` (THOROUGH=1) takes all."""

import os

THOROUGH = os.environ.get("THOROUGH") == "1"


def share(all_cases, quick):
    """Return the number of cases to try: all of them, or a smaller number without THOROUGH=1."""
    return all_cases if THOROUGH else quick

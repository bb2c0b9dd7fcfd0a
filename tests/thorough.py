"""Number of cases that run: a share, which is always the same, or all of them (THOROUGH=1), as at the end of `.ci/run`."""

import os

THOROUGH = os.environ.get("THOROUGH") == "1"


def share(all_cases, quick):
    """Return the number of cases to try: all of them, or a smaller number without THOROUGH=1."""
    return all_cases if THOROUGH else quick


def take_share_of(all_cases, number, one_in):
    """Return all of several cases, or one in so many without THOROUGH=1, beginning with the one of this number.

    Tests that combine two kinds of cases call it with the number of each case of the first kind, so that all cases of
    the second kind are tried somewhere. At least one case is returned where there are any.
    """
    cases = list(all_cases)
    return cases if THOROUGH else cases[number % min(one_in, max(len(cases), 1)) :: one_in]

import pytest

from ratings.domain.rerating import out_of_date, rerate


@pytest.fixture
def rate_all(db):
    """Do the work that is pending on every list, as the worker would."""

    def run():
        for list_id in out_of_date():
            rerate(list_id)

    return run

import pytest

from ratings.domain.rerating import rerate
from ratings.models import RatingList


@pytest.fixture
def rate_all(db):
    """Do the work that is pending on every list, as the worker would, but let errors through."""

    def run():
        for list_id in RatingList.objects.values_list("pk", flat=True):
            rerate(list_id)

    return run

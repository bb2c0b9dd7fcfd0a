"""Requests that no browser makes by itself: told, and never a traceback."""

import pytest
from django.test import Client

from tests.factories import make_event, make_list, make_player
from tests.submissions import begin, typed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("staff")]


@pytest.mark.parametrize(
    "address",
    ["players/%00/calculator/", "reports/%00/", "organise/events/%00/", "organise/approvals/%00/",
     "organise/split/?player=%00", "organise/merge/?gone=%00&kept=x", "certificates/%00/"],
)  # fmt: skip
def test_nul_in_an_address_is_404(address, client):
    assert client.get(f"/{address}").status_code == 404
    assert Client().get(f"/{address}").status_code == 404


def test_nul_in_a_submission_is_refused(client):
    submission = begin(client, make_event(lists=[make_list()], state="draft"), 2)
    data = typed([make_player(), make_player()], ["2+"], ["1-"]) | {"row-1-family": "A\0"}
    assert client.post(submission.get_absolute_url(), data).status_code == 404


def test_sizes_of_thousands_of_digits_are_reported(client):
    submission = begin(client, make_event(lists=[make_list()], state="draft"), 2)
    response = client.post(submission.get_absolute_url(), {"resize": "1", "rows": "9" * 5000, "rounds": "1"})
    assert response.context["problems"] == ["From 2 to 1000 players and from 1 to 30 rounds."]

"""Comparisons of a list that another list continues."""

import datetime as dt
import re
from html import unescape

import pytest
from django.urls import reverse

from ratings.access import OFFICERS
from ratings.models import RatingList
from tests.factories import make_list, make_user
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lists():
    """Return a list that is continued, its comparison, and its successor."""
    new = make_list("new", name="New", system="glicko-2", begins_on=dt.date(2024, 6, 1))
    old = make_list("old", name="Old", system="fesa-2016", successor=new)
    comparison = make_list("compared", name="Compared", system="fesa-2000", comparison_to=old)
    return old, comparison, new


def read(client, rating_list, page="list"):
    response = client.get(reverse(page, args=[rating_list.slug]))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize("page", ["list", "rules"])
def test_all_three_pages_say_where_the_comparison_stays(client, lists, page):
    old, comparison, new = lists
    link = '<a href="/lists/compared/">Compared</a>'
    assert f"The comparison {link} stays with this list and rates its events only." in read(client, old, page)
    text = 'Events that end on 1 Jun 2024 or later are rated on <a href="/lists/new/">New</a> and not compared here.'
    assert text in read(client, comparison, page)
    after = read(client, new, page)
    assert f"The comparison {link} stays with that list." in after
    assert "start a comparison" not in after.lower()


def test_officers_are_told_who_starts_a_comparison(client, lists):
    client.force_login(person("officer", OFFICERS))
    assert "Administrators can start a comparison of this list." in read(client, lists[2])


def test_administrators_start_a_comparison_with_the_earlier_system(client, lists):
    _old, _comparison, new = lists
    client.force_login(make_user("admin", is_superuser=True, is_staff=True))
    address = unescape(re.search(r'<a href="([^"]+)">Start a comparison of this list', read(client, new))[1])
    form = client.get(address).context["adminform"].form
    fields = ("comparison_to", "federation", "system", "name")
    assert {field: str(form[field].value()) for field in fields} == {
        "comparison_to": str(new.pk), "federation": str(new.federation_id), "system": "fesa-2000", "name": "Compared",
    }  # fmt: skip


def test_successor_with_a_comparison_offers_none(client, lists):
    _old, _comparison, new = lists
    make_list("own", name="Own", system="fesa-2000", comparison_to=new)
    client.force_login(make_user("admin", is_superuser=True, is_staff=True))
    page = read(client, new)
    assert ("stays with that list" in page, "Start a comparison" in page) == (True, False)


def test_comparison_that_is_not_public_is_not_named(client, lists):
    old, comparison, new = lists
    RatingList.objects.filter(pk=comparison.pk).update(public=False)
    assert ["comparison" in read(client, one).lower() for one in (old, new)] == [False, False]

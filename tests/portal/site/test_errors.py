"""What readers see where something is wrong, in their language."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def visitor():
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def test_failure_of_ours_needs_no_database_and_is_told_in_the_readers_language(
    visitor, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr("portal.views.front.render", None)
    with django_assert_num_queries(0):
        response = visitor.get("/privacy/", headers=GERMAN)
    assert response.status_code == 500
    assert '<html lang="de">' in response.content.decode()
    assert "Something went wrong" in visitor.get("/privacy/").content.decode()


def test_form_that_was_not_ours_is_told_in_the_frame_of_the_site(visitor):
    response = visitor.post("/accounts/login/", {"login": "x"}, headers=GERMAN)
    page = response.content.decode()
    assert (response.status_code, '<html lang="de"' in page, 'class="site"' in page) == (403, True, True)
    assert "DEBUG" not in page
    assert "This form could not be taken" in visitor.post("/accounts/login/", {"login": "x"}).content.decode()


def test_request_that_is_none_is_told_plainly(visitor):
    elsewhere = {"Host": "elsewhere.example"}
    response = visitor.get("/privacy/", headers=elsewhere)
    assert (response.status_code, "This request was not understood" in response.content.decode()) == (400, True)
    assert '<html lang="de">' in visitor.get("/privacy/", headers=GERMAN | elsewhere).content.decode()

"""Requests that announce too much are refused before their body is read."""

import io

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.test import RequestFactory

from portal.middleware.requests import BODY_SECONDS, BodyLimit


class Unread(io.BytesIO):
    """A body that must not be read."""

    def read(self, *arguments):
        pytest.fail("the body was read")


class Client:
    """The socket of a client, as gunicorn passes it on."""

    timeout = None

    def settimeout(self, seconds):
        self.timeout = seconds


def answer(path, length, client=None):
    environ = RequestFactory().post(path).environ | {"CONTENT_LENGTH": str(length), "wsgi.input": Unread()}
    if client:
        environ["gunicorn.socket"] = client
    return BodyLimit(lambda request: HttpResponse("read"))(WSGIRequest(environ))


@pytest.mark.parametrize(
    ("path", "most"),
    [("/organise/events/x/results/", 5_000_000), ("/admin/", 5_000_000), ("/organise/files/", 26_000_000), ("/organise/files/7/", 26_000_000), ("/api/v1/events", 3_000_000),
     ("/accounts/login/", 1_000_000), ("/report/players/x/", 1_000_000), ("/nothing/", 1_000_000)],
)  # fmt: skip
def test_length_is_limited_by_path(path, most):
    assert [answer(path, length).status_code for length in (0, most, most + 1, 400_000_000)] == [200, 200, 413, 413]


@pytest.mark.parametrize(("megabytes", "most"), [(40, 41_000_000), (1, 5_000_000)])
def test_length_of_uploads_follows_the_setting_for_histories(settings, megabytes, most):
    settings.HISTORY_MB = megabytes
    lengths = [most, most + 1]
    assert [answer("/organise/files/", length).status_code for length in lengths] == [200, 413]


@pytest.mark.parametrize("length", ["", "-1", "abc", "1e9"])
def test_length_that_is_no_number_is_left_to_django(length):
    assert answer("/organise/", length).status_code == 200


def test_refusal_of_the_api_is_a_problem_and_of_a_page_says_how_much():
    assert answer("/api/v1/events", 4_000_000)["Content-Type"] == "application/problem+json"
    assert "at most 5000&nbsp;kB" in answer("/organise/", 6_000_000).content.decode()


def test_client_that_stops_sending_is_cut_off():
    sending, reading = Client(), Client()
    answer("/organise/", 100, sending)
    answer("/organise/", 0, reading)
    assert (sending.timeout, reading.timeout) == (BODY_SECONDS, None)


@pytest.mark.django_db
def test_whole_site_refuses_large_bodies(client):
    response = client.post("/organise/", b"", content_type="text/plain", headers={}, CONTENT_LENGTH="400000000")
    assert (response.status_code, "Content-Security-Policy" in response.headers) == (413, True)

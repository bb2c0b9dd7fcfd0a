import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from ratings.access import OFFICERS
from ratings.domain.players.erased_mentions import find_unchanged_mentions
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.erasure_requests import end_request, may_erase, request_erasure
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import compose_mails
from ratings.models import Club, OutgoingMail, Player
from ratings.queries.players.erasure_requests import find_open_request
from tests.factories import make_event, make_list, make_player, make_user
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    """Anna with her account, and two officers."""
    mine = make_user("anna", email="anna@mail.example")
    return make_player("Anders", "Anna", account=mine), mine, person("one", OFFICERS), person("two", OFFICERS)


def mails():
    compose_mails()
    sent = [(mail.recipients, mail.subject) for mail in OutgoingMail.objects.order_by("pk")]
    OutgoingMail.objects.all().delete()
    return sent


def test_any_officer_may_erase_after_a_request_of_the_person(people):
    anna, mine, one, _two = people
    assert not may_erase(one, anna)
    with act_as(mine):
        step = request_erasure(anna, "I stopped playing")
        with pytest.raises(ValidationError, match="already requested"):
            request_erasure(anna, "")
    assert mails() == [
        ([address], f"Erasure requested: player {anna.public_id}") for address in ("one@example.org", "two@example.org")
    ]
    assert (step.values, find_open_request(anna), may_erase(mine, anna)) == ({"own": True}, step, False)
    with act_as(one):
        erase_person(anna, reason="requested")
    step.refresh_from_db()
    anna.refresh_from_db()
    assert (step.reason, anna.erased_at is None, find_open_request(anna)) == ("", False, None)
    with act_as(one), pytest.raises(ValidationError, match="already erased"):
        request_erasure(anna, "again")
    with act_as(one), pytest.raises(ValidationError, match="already erased"):
        end_request(step, reason="too late")


def test_officer_requests_and_another_confirms(people):
    anna, _mine, one, two = people
    with act_as(one):
        with pytest.raises(ValidationError, match="Enter who requested"):
            request_erasure(anna, " ")
        request_erasure(anna, "letter of 1 May")
        with pytest.raises(PermissionDenied):
            erase_person(anna, reason="letter of 1 May")
    assert mails() == [(["two@example.org"], f"Erasure requested: player {anna.public_id}")]
    with act_as(two):
        erase_person(anna, reason="letter of 1 May")
    assert Player.objects.get(pk=anna.pk).erased_at


def test_request_is_withdrawn_by_the_person_and_made_again(people):
    anna, mine, one, _two = people
    with act_as(mine):
        step = request_erasure(anna, "")
        mails()
        end_request(step)
        assert (find_open_request(anna), mails(), may_erase(one, anna)) == (None, [], False)
        with pytest.raises(ValidationError, match="already undone"):
            end_request(step)
        assert request_erasure(anna, "")


def test_request_is_declined_with_a_reason_that_the_person_gets(people):
    anna, mine, one, _two = people
    with act_as(mine):
        step = request_erasure(anna, "")
    mails()
    with act_as(one):
        with pytest.raises(ValidationError, match="Enter the reason"):
            end_request(step)
        end_request(step, reason="Your results are under appeal")
    assert mails() == [(["anna@mail.example"], "Your request for erasure was declined")]
    assert find_open_request(anna) is None


@pytest.mark.parametrize("who", ["stranger", "other player"])
def test_others_cannot_request_or_end_an_erasure(people, who):
    anna, mine, *_officers = people
    other = make_user("other")
    if who == "other player":
        make_player("Other", account=other)
    with act_as(mine):
        step = request_erasure(anna, "")
    with act_as(other):
        for attempt in (lambda: request_erasure(anna, "x"), lambda: end_request(step, reason="x")):
            with pytest.raises(PermissionDenied):
                attempt()


def test_names_of_events_and_clubs_that_name_the_person_are_listed(people):
    anna, *_people = people
    fesa = make_list(signer="Anna Anders")
    event, club = make_event("Anna Anders Memorial"), Club.objects.create(name="Friends of Anders, Anna")
    make_event("Anna Cup"), make_event("Manders Anna Cup")
    assert find_unchanged_mentions(anna) == [event, club, fesa]
    assert find_unchanged_mentions(make_player("Cup")) == []

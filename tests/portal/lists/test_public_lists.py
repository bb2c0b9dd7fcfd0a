"""A list that is not open to the public yet: nothing of it is shown, announced or corrected in public."""

import pytest
from allauth.mfa.models import Authenticator
from django.utils import timezone

from ratings.models import Correction, Event, Player, RatingList, Report
from tests.factories import make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def closed(rate_all):
    """A closed list beside an open one, with the same players in one event."""
    closed, open_ = make_list("closed", name="Closed list", public=False), make_list("open", name="Open list")
    players = [make_player("Ada"), make_player("Ben")]
    table = make_table(open_, players, [(1, 1, 2, 1.0), (2, 1, 2, 0.5)], event_name="Cup")
    table.event.lists.add(closed)
    RatingList.objects.update(out_of_date_from="2024-01-01")
    rate_all()
    return table, players


ADDRESSES = ["", "promotions/", "dated/", "corrections/", "rules/", "history.json", "digest.txt"]


@pytest.mark.parametrize("page", ADDRESSES)
def test_closed_list_is_404_for_visitors(page, client, closed):
    assert client.get(f"/lists/closed/{page}").status_code == 404
    assert client.get(f"/lists/open/{page}").status_code == 200


@pytest.mark.parametrize("page", ADDRESSES[:5])
def test_officers_see_it(page, client, closed, staff):
    assert client.get(f"/lists/closed/{page}").status_code == 200


def test_no_public_page_names_it(client, closed):
    table, players = closed
    pages = [
        "/",
        "/lists/open/",
        table.event.get_absolute_url(),
        players[0].get_absolute_url(),
        "/events/",
        "/calendar/",
    ]
    assert [page for page in pages if "Closed list" in client.get(page).content.decode()] == []
    assert client.get(f"{players[0].get_absolute_url()}?list=closed").context["standing"].list.slug == "open"
    explanation = f"/tables/{table.pk}/{players[0].public_id}/"
    assert [client.get(f"/lists/{slug}{explanation}").status_code for slug in ("closed", "open")] == [404, 200]


def test_comparison_to_a_closed_list_is_closed(client, closed):
    make_list("first", system="fesa-2000", comparison_to=RatingList.objects.get(slug="closed"))
    assert client.get("/lists/first/").status_code == 404


def test_no_correction_is_written_before_it_is_opened(closed, rate_all):
    table, players = closed
    make_table(RatingList.objects.get(slug="open"), players, [(1, 1, 2, 1.0)], "2024-02-03", event_name="Later")
    later = table.event.lists.get(slug="closed")
    for event in RatingList.objects.get(slug="open").events.all():
        event.lists.add(later)
    RatingList.objects.update(out_of_date_from="2024-01-01")
    rate_all()
    table.games.filter(round=2).update(score=0.0)
    RatingList.objects.update(out_of_date_from="2024-01-01")
    table.ratings.update(needs_rating=True)
    rate_all()
    actual = set(Correction.objects.values_list("run__list__slug", flat=True))
    assert actual == {"open"}


def test_organiser_does_not_see_it(client, closed):
    client.force_login(make_user("organiser"))
    assert client.get("/lists/closed/").status_code == 404


def test_officers_without_a_second_factor_see_public_pages_only(client, closed, staff, settings):
    table, players = closed
    settings.SECOND_FACTOR = True
    table.event.uploads.create(name="original.txt", format="grid", data=b"x")
    report = Report.objects.create(player=players[0], text="wrong")
    Player.objects.filter(pk=players[0].pk).update(shown="anonymous")
    Event.objects.filter(pk=table.event_id).update(announced_at=timezone.now())

    def sees():
        return [
            client.get("/lists/closed/").status_code == 200,
            "originals" in client.get(table.event.get_absolute_url()).context,
            "Ada" in client.get(report.get_absolute_url()).content.decode(),
        ]

    assert sees() == [False, False, False]
    Authenticator.objects.create(user=staff, type="webauthn", data={"name": "key", "credential": {}})
    assert sees() == [True, True, True]

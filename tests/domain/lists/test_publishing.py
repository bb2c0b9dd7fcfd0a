import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import F

from ratings import tasks
from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.lists.adjustments import save_list
from ratings.domain.lists.publishing import publish, publish_revision
from ratings.domain.results.deleting import delete_table
from ratings.models import DatedLine, DatedList
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
DAY = dt.date(2024, 1, 31)


@pytest.fixture
def fesa():
    return make_list()


def lines(**fields):
    shown = DatedLine.objects.order_by(F("rank").asc(nulls_last=True), "revised_rank", "player__family_name")
    return list(shown.values_list("player__family_name", *fields.get("of", ("rank", "rating", "games"))))


def three(fesa, rate_all):
    """A, B and C, all at 2000; A beats B in January, and again in March."""
    players = [make_player(name) for name in "ABC"]
    for player in players:
        give_rating(fesa, player, 2000, grade="3 Dan")
    table = make_table(fesa, players, [(1, 1, 2, 1.0), (2, 2, 3, 0.5)], "2024-01-10")
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-03-10")
    rate_all()
    return table


def test_published_list_is_that_of_its_day_and_stays(fesa, rate_all):
    table = three(fesa, rate_all)
    publish(DatedList(list=fesa, day=DAY))
    published = lines()
    assert [(name, rank) for name, rank, *_ in published] == [("A", 1), ("C", 2), ("B", 3)]
    assert [games for *_, games in published] == [101, 101, 102]
    delete_table(table)
    rate_all()
    assert lines() == published


def test_published_again_keeps_both_values(fesa, rate_all, client):
    table = three(fesa, rate_all)
    dated = publish(DatedList(list=fesa, day=DAY))
    before = lines()
    entry = table.entries.get(player__family_name="C")
    entry.games_as_b.all().delete()
    entry.delete()
    delete_table(table)
    d = make_player("D")
    make_table(fesa, [d, make_player("E")], [(1, 1, 2, 1.0)], "2024-01-20")
    rate_all()
    publish_revision(dated)
    assert lines()[:3] == before
    revised = lines(of=("rating", "revised_rating"))
    assert [line[0] for line in revised] == ["A", "C", "B", "D", "E"]
    assert [line[2] is None for line in revised] == [True, True, True, False, False]  # nobody of these played by then
    page = markup(client.get(dated.get_absolute_url()))
    assert "after corrections. Players added: 2. Players removed: 3." in page
    publish_revision(dated)
    assert len(lines()) == 5


def test_equal_ratings_share_a_rank_and_inactive_players_are_left_out(fesa, rate_all):
    a, b, away = make_player("A"), make_player("B"), make_player("Away")
    for player in (a, b, away):
        give_rating(fesa, player, 2000)
    make_table(fesa, [away, b], [(1, 1, 2, 0.5)], "2021-01-10")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-01-10")
    rate_all()
    publish(DatedList(list=fesa, day=DAY))
    assert [(name, rank) for name, rank, *_ in lines()] == [("A", 1), ("B", 1)]


def test_list_published_earlier_has_the_time_given(fesa, rate_all):
    three(fesa, rate_all)
    at = dt.datetime(2024, 2, 3, 18, 30, tzinfo=dt.UTC)
    assert DatedList.objects.get(pk=publish(DatedList(list=fesa, day=dt.date(2024, 2, 2)), at=at).pk).published_at == at
    with pytest.raises(ValidationError, match="not over yet"):
        publish(DatedList(list=fesa, day=at.date()), at=at)
    assert DatedList.objects.count() == 1


@pytest.mark.parametrize("reason", ["future", "pending", "twice"])
def test_unpublishable_list_is_refused(fesa, rate_all, reason):
    three(fesa, rate_all)
    if reason == "twice":
        publish(DatedList(list=fesa, day=DAY))
    if reason == "pending":
        make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-01-02")
        fesa.refresh_from_db()
    day = dt.date(2999, 1, 1) if reason == "future" else DAY
    count = DatedLine.objects.count()
    with pytest.raises(ValidationError):
        publish(DatedList(list=fesa, day=day))
    assert DatedLine.objects.count() == count


def test_scheduled_lists_are_published_once_when_the_day_is_over(fesa, rate_all, time_machine):
    three(fesa, rate_all)
    fesa.publish_on, fesa.publish_from = "01-01 06-01", dt.date(2024, 1, 2)
    save_list(fesa)
    for now, days in (
        ("2024-06-01 12:00", []), ("2024-06-02 00:10", ["2024-06-01"]), ("2024-12-31 12:00", ["2024-06-01"]),
        ("2025-01-02 12:00", ["2025-01-01", "2024-06-01"]),
    ):  # fmt: skip
        time_machine.move_to(f"{now} +0000")
        tasks.publish()
        assert [str(dated.day) for dated in DatedList.objects.all()] == days


def test_days_that_are_none_are_refused(fesa):
    fesa.publish_on = "02-29 13-01"
    with pytest.raises(ValidationError, match="Enter months and days"):
        save_list(fesa)


@pytest.mark.parametrize(("group", "status"), [(OFFICERS, 302), (ORGANISERS, 403)])
def test_officers_publish_in_the_admin(fesa, rate_all, client, group, status):
    three(fesa, rate_all)
    user = make_user("somebody", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    response = client.post("/admin/ratings/datedlist/add/", {"list": fesa.pk, "day": "2024-01-31"})
    assert response.status_code == status
    if group == OFFICERS:
        dated = DatedList.objects.get()
        assert dated.published_by == user
        again = {"action": "publish_again", "_selected_action": [dated.pk]}
        assert client.post("/admin/ratings/datedlist/", again).status_code == 302
        dated.refresh_from_db()
        assert dated.revised_at is not None
        page = client.post("/admin/ratings/datedlist/add/", {"list": fesa.pk, "day": "2999-01-31"}).content.decode()
        assert "This day is not over yet." in page


def test_pages_of_dated_lists(fesa, rate_all, client, django_assert_num_queries):
    assert "No list has been published yet." in client.get("/lists/fesa/dated/").content.decode()
    three(fesa, rate_all)
    dated = publish(DatedList(list=fesa, day=DAY))
    assert 'href="/lists/fesa/dated/2024-01-31/"' in client.get("/lists/fesa/dated/").content.decode()
    with django_assert_num_queries(10):
        page = client.get(dated.get_absolute_url()).content.decode()
    assert page.count('<tr role="row">') == 4
    for wrong in ("2024-02-01", "2024-02-30", "x"):
        assert client.get(f"/lists/fesa/dated/{wrong}/").status_code == 404

"""The approvers' pages: queue, dossier on a page and as a PDF, what was sent, the answer with its letter."""

import io

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile

from ratings.access import APPROVERS
from ratings.domain.approvals import follow_all
from ratings.models import Approval, Award, Decision, RatingList, Standing
from ratings.queries.awards import unannounced
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.pdf.read import pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def approver(client):
    user = make_user("approver")
    user.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(user)
    return user


@pytest.fixture
def case(rate_all):
    """Sato, a 4 Dan at 2432, beats an equal twice, and 5 Dan waits."""
    fesa = make_list(name="FESA list")
    sato, rival = make_player("Sato", "Ken", country="JP"), make_player("Rival", "Max")
    give_rating(fesa, sato, 2432, "2025-01-01", grade="4 Dan")
    give_rating(fesa, rival, 2430, "2025-01-01", grade="6 Dan")
    make_table(fesa, [sato, rival], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], "2025-02-01", event_name="Cup")
    make_table(fesa, [sato, rival], [(1, 1, 2, 0.5)], "2025-03-01", event_name="Later")
    rate_all()
    follow_all()
    return Approval.objects.get()


def page_of(client, case):
    return client.get(f"/organise/approvals/{case.public_id}/")


def act(client, case, what, **data):
    return client.post(f"/organise/approvals/{case.public_id}/{what}/", data)


GRANTED = {"granted": "yes", "on": "2025-06-01", "effective": "2025-02-01", "signed_by": "A. Yonenaga"}


def test_queue_and_dossier_tell_what_earned_the_grade(client, approver, case):
    assert list(client.get("/organise/approvals/").context["waiting"]) == [case]
    page = page_of(client, case)
    award = Award.objects.get(needs_approval=True)
    assert page.context["rule"] == "5 Dan: a rating of at least 2440"
    games = [(g.event.name, g.round, g.opponent, g.score) for g in page.context["dossier"].games]
    assert games == [("Cup", n, "Rival Max", 1.0) for n in range(1, award.game + 1)]
    assert [str(change.table.event) for change in page.context["dossier"].since] == ["Later"]


def test_dossier_as_a_pdf_shows_the_same(client, approver, case):
    file = client.get(f"/organise/approvals/{case.public_id}/dossier.pdf")
    assert file["Content-Type"] == "application/pdf"
    text = " ".join(" ".join(pages(file.content)).split())
    for part in ("Sato Ken: 5 Dan", "5 Dan: a rating of at least 2440", "2025-02-01", "Cup", "Rival Max", "Later"):
        assert part in text


def test_what_was_sent_and_answered_is_kept_and_gives_the_grade(client, approver, case, rate_all):
    assert act(client, case, "send", on="2025-05-01", reference="letter 3").status_code == 302
    letter = SimpleUploadedFile("nsr.pdf", b"%PDF-1.4 signed")
    assert act(client, case, "answer", **GRANTED, letter=letter).status_code == 302
    case.refresh_from_db()
    assert (case.state, case.sent_reference, case.signed_by, case.decided_by) == (
        "approved", "letter 3", "A. Yonenaga", approver
    )  # fmt: skip
    assert client.get(f"/organise/approvals/{case.public_id}/letter/").content == b"%PDF-1.4 signed"
    rate_all()
    assert Standing.objects.get(player=case.player).grade == "5 Dan"
    assert "signed by A. Yonenaga" in page_of(client, case).content.decode()


@pytest.mark.parametrize(
    ("what", "data", "told"),
    [
        ("send", {"on": "soon"}, "Enter a valid date."),
        ("answer", GRANTED | {"granted": "perhaps"}, "Select a valid choice."),
        ("answer", GRANTED | {"signed_by": ""}, "Say from which day on it counts, and who signed."),
        ("answer", GRANTED | {"effective": "2024-01-01"}, "This is before the day on which it was earned."),
        ("answer", {"granted": "no", "on": "2025-06-01"}, "Say why it was declined."),
        ("confirm", {}, "This has been settled meanwhile: waiting."),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_kept(what, data, told, client, approver, case):
    response = act(client, case, what, **data)
    assert (response.status_code, told in response.content.decode()) == (422, True)
    case.refresh_from_db()
    assert (case.state, Decision.objects.count()) == ("waiting", 0)


def test_letter_that_is_too_large_is_refused(client, approver, case):
    letter = io.BytesIO(b"x" * (2 * 1024 * 1024 + 1))
    letter.name = "big.pdf"
    assert "The file is too large" in act(client, case, "answer", **GRANTED, letter=letter).content.decode()


def test_second_approver_confirms(client, approver, case):
    RatingList.objects.update(second_approver=True)
    act(client, case, "answer", **GRANTED)
    assert "another approver confirms it" in act(client, case, "confirm").content.decode()
    other = make_user("other")
    other.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(other)
    assert act(client, case, "confirm").status_code == 302
    case.refresh_from_db()
    assert (case.state, case.confirmed_by) == ("approved", other)


def test_bad_ids_and_methods(client, approver, case):
    assert client.get("/organise/approvals/NOBODY/").status_code == 404
    assert act(client, case, "crown").status_code == 404
    assert client.get(f"/organise/approvals/{case.public_id}/send/").status_code == 405
    assert client.get(f"/organise/approvals/{case.public_id}/letter/").status_code == 404


def test_officer_announces_the_chosen_grades(client, staff, case, rate_all):
    fesa = case.list
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu")
    make_table(fesa, [kuma, case.player], [(n, 1, 2, 1) for n in range(1, 9)], "2025-04-01", event_name="Open")
    rate_all()
    (award,) = client.get("/organise/grades/").context["open"][fesa]
    client.post("/organise/grades/", {"award": ["nonsense"]})
    assert Decision.objects.count() == 0
    client.post("/organise/grades/", {"award": [award.pk]})
    decision = Decision.objects.get()
    assert (decision.player, decision.grade, decision.ruling, decision.made_by) == (kuma, award.grade, "kept", staff)
    rate_all()
    assert list(unannounced(fesa)) == []

"""Certificates: offered where a grade is final, and confirmed as long as it is true."""

import datetime as dt
import html
import re

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone

from portal.charts.qr import make_code
from ratings.access import APPROVERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.announcing import announce_grades_until
from ratings.domain.grades.approval_opening import update_approvals
from ratings.domain.grades.approvals import Answer, answer, reopen
from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment, save_list_player
from ratings.domain.players.merging import merge_players
from ratings.domain.site.acting import act_as
from ratings.localize import format_day
from ratings.models import Approval, Award, Decision, ListPlayer, RatingList
from tests.approvals import decide, earn_5_dan
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.portal.pdf.read import pages
from tests.shared import reused

pytestmark = pytest.mark.django_db
CONFIRMED = "This certificate is confirmed: Zoë Adler holds 1 Dan on the rating list “FESA” since 4 May 2024."


@pytest.fixture(params=["kept"])
def fesa(request):
    return make_list(federation="Shogi Federation", options={"corrections": request.param})


@pytest.fixture
@reused
def zoe(fesa):
    player = make_player("Adler", "Zoë", native_name="ゾエ", public_id="8K3PQRW")
    give_rating(fesa, player, 1790, grade="1 Kyu")
    return player


@pytest.fixture
@reused
def cup(fesa, zoe, rate_all):
    """Zoë wins 1 Dan."""
    ben = make_player("Ben")
    give_rating(fesa, ben, 1900, grade="2 Dan")
    table = make_table(fesa, [zoe, ben], [(1, 1, 2, 1.0)], "2024-05-04", event_name="Spring Cup")
    rate_all()
    return table


@pytest.fixture
@reused
def announced(fesa, cup, rate_all):
    assert announce_grades_until(fesa, dt.date(2024, 5, 4)) == 1
    rate_all()


@pytest.fixture
def code(client, zoe, announced):
    (code,) = offered(client, zoe)
    return code


def offered(client, player):
    """The codes that the player's page links."""
    response = client.get(player.get_absolute_url(), follow=True)
    return re.findall(r'href="/certificates/([^"/]+)/"', markup(response))


def read_statement(client, code, status=200):
    """Return the text of a certificate's page."""
    response = client.get(f"/certificates/{code}/")
    assert response.status_code == status
    (said,) = re.findall(r'<p class="message \w+">(.*?)</p>', markup(response))
    return html.unescape(said)


def correct(cup, rate_all):
    """The game was lost."""
    seats = [NewEntry(entry.player, entry.number) for entry in cup.entries.select_related("player")]
    save_table(cup, seats, [NumberedGame(1, 1, 2, 0.0)])
    rate_all()


def test_announced_grade_has_a_certificate_that_is_confirmed(client, code):
    assert re.fullmatch(r"fesa\.8K3PQRW\.1-dan\.2024-05-04\.[0-9a-f]{12}", code)
    assert read_statement(client, code) == CONFIRMED
    page = markup(client.get(f"/certificates/{code}/"))
    assert f'href="/certificates/{code}.pdf"' in page
    assert "<b>Adler</b>, Zoë</a>" in page
    assert "Spring Cup" in page
    assert "Won by reaching the rating that this grade requires." in page


def test_certificate_is_printed_with_its_address(client, code, settings):
    settings.SITE_ADDRESS = "https://ratings.example.org"
    response = client.get(f"/certificates/{code}.pdf")
    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "application/pdf",
        f'inline; filename="{code}.pdf"',
    )
    (text,) = pages(response.content)
    assert text.replace(" ", "") == (
        "SHOGIFEDERATIONCertificateofGradeThisistocertifythatZoëAdlerゾエholdsthegradeof1Danontheratinglist“FESA”since"
        "4May2024Wonbyreachingtheratingthatthisgraderequires.Completedon4May2024atSpringCup."
        "Checkwhetherthiscertificateisvalid:"
        f"https://ratings.example.org/certificates/{code}/"
    )


def test_grade_that_is_not_announced_has_none(client, zoe, cup):
    assert Award.objects.filter(player=zoe, grade="1 Dan").exists()
    assert offered(client, zoe) == []


def test_announcement_taken_back_is_not_confirmed(client, code, rate_all):
    Decision.objects.all().delete()
    rate_all()
    assert (
        read_statement(client, code)
        == "This certificate is not confirmed: 1 Dan has been earned, but is not announced."
    )


def test_announced_grade_is_confirmed_after_a_correction(client, zoe, cup, code, rate_all):
    correct(cup, rate_all)
    assert list(Award.objects.filter(player=zoe).values_list("grade", "how")) == [("1 Dan", "kept")]
    assert read_statement(client, code) == (
        f"{CONFIRMED} The results that earned the grade were corrected since; it had been announced, and is kept."
    )
    assert "Announcedbythefederation." in pages(client.get(f"/certificates/{code}.pdf").content)[0].replace(" ", "")
    (kept,) = offered(client, zoe)
    assert kept.startswith("fesa.8K3PQRW.1-dan.2024-05-05.")
    assert read_statement(client, kept) == CONFIRMED.replace("4 May", "5 May")


@pytest.mark.parametrize("fesa", ["revised"], indirect=True)
def test_certificate_of_a_list_without_announcements_follows_corrections(client, zoe, cup, rate_all):
    (code,) = offered(client, zoe)
    assert read_statement(client, code) == CONFIRMED
    correct(cup, rate_all)
    assert offered(client, zoe) == []
    assert read_statement(client, code) == (
        "This certificate is not confirmed any more: results were corrected, and Zoë Adler did not win 1 Dan on the rating"
        " list “FESA” on 4 May 2024."
    )
    response = client.get(f"/certificates/{code}.pdf")
    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_lower_grade_since_is_reported(client, fesa, zoe, code, rate_all):
    day = dt.date(2024, 6, 1)
    save_adjustment(Decision(list=fesa, player=zoe, grade="3 Kyu", ruling="given", date=day, reason="by mistake"))
    rate_all()
    assert read_statement(client, code) == (
        "This certificate is not confirmed any more: after 4 May 2024 Zoë Adler came to hold a lower grade than 1 Dan on the"
        " rating list “FESA”."
    )
    (lower,) = offered(client, zoe)
    assert read_statement(client, lower) == CONFIRMED.replace("1 Dan", "3 Kyu").replace("4 May", "1 Jun")


def test_higher_grade_since_confirms_both(client, fesa, zoe, code, rate_all):
    save_adjustment(
        Decision(list=fesa, player=zoe, grade="2 Dan", ruling="given", date=dt.date(2024, 6, 1), reason="match")
    )
    rate_all()
    assert read_statement(client, code) == CONFIRMED
    assert len(offered(client, zoe)) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [("1-dan", "6-dan"), ("2024-05-04", "2024-05-05"), ("8K3PQRW", "8K3PQRX"), ("fesa.", "other."), (".1-dan", "")],
)
def test_made_up_codes_are_not_confirmed(old, new, client, code):
    assert old in code
    assert read_statement(client, code.replace(old, new), 404).startswith(
        "This certificate is not confirmed: the address is not one"
    )
    assert client.get(f"/certificates/{code.replace(old, new)}.pdf").status_code == 404


@pytest.mark.parametrize("made_up", ["x", "...", "é.é", "fesa.8K3PQRW.1-dan.2024-05-04.", "0" * 500])
def test_codes_that_are_none_do_not_exist(made_up, client, code):
    assert read_statement(client, made_up, 404).startswith("This certificate is not confirmed: the address is not one")


def test_hidden_players_have_none(client, zoe, code):
    for shown in ("initials", "anonymous"):
        zoe.shown = shown
        zoe.save()
        assert offered(client, zoe) == []
        assert "Adler" not in read_statement(client, code, 404)
        assert client.get(f"/certificates/{code}.pdf").status_code == 404


def test_withdrawn_players_have_none(client, fesa, zoe, code, rate_all):
    save_list_player(ListPlayer(list=fesa, player=zoe, withdrawn=True))
    rate_all()
    assert "Adler" not in read_statement(client, code, 404)


@pytest.mark.parametrize("fields", [{"public": False}, {"system": "icu-1989", "options": {}}])
def test_lists_that_are_not_public_or_know_no_grades_have_none(fields, client, zoe, code):
    RatingList.objects.update(**fields)
    assert offered(client, zoe) == []
    assert "Adler" not in read_statement(client, code, 404)


def test_certificate_of_a_merged_player_shows_the_remaining_player(client, fesa, zoe, code, rate_all):
    other = make_player("Adler-Ruiz", "Zoë", public_id="9999999")
    merge_players(zoe, other, reason="one person")
    rate_all()
    assert read_statement(client, code) == CONFIRMED.replace("Adler", "Adler-Ruiz")


def test_5_dan_has_one_after_approval_only(client, fesa, rate_all):
    sato, rival = make_player("Sato", "Ken"), make_player("Rival")
    give_rating(fesa, sato, 2432, "2025-01-01", grade="4 Dan")
    give_rating(fesa, rival, 2430, "2025-01-01", grade="6 Dan")
    make_table(fesa, [sato, rival], [(1, 1, 2, 1), (2, 1, 2, 1)], "2025-02-01", event_name="Open")
    rate_all()
    update_approvals(fesa.pk)
    assert (Award.objects.get(player=sato).grade, offered(client, sato)) == ("5 Dan", [])
    approver = make_user("approver")
    approver.groups.add(Group.objects.get(name=APPROVERS))
    day = dt.date(2025, 3, 1)
    with act_as(approver):
        answer(Approval.objects.get(), Answer(granted=True, on=day, effective=day, signed_by="A. Yonenaga"))
    rate_all()
    (code,) = offered(client, sato)
    assert read_statement(client, code) == CONFIRMED.replace("Zoë Adler", "Ken Sato").replace("1 Dan", "5 Dan").replace(
        "4 May 2024", "1 Mar 2025"
    )
    text = pages(client.get(f"/certificates/{code}.pdf").content)[0]
    assert (
        "KenSatoholdsthegradeof5Danontheratinglist“FESA”since1Mar2025"
        "Wonbyreachingtheratingthatthisgraderequires.Completedon1Feb2025atOpen.ApprovedbyNihonShogiRenmeion1Mar2025."
        in text.replace(" ", "")
    )
    assert "by the federation" not in text
    assert "A. Yonenaga" in text
    assert Approval.objects.get().own_reference in text


def test_page_of_a_certificate_has_signer_references_and_qr_code(client, fesa, settings, rate_all):
    settings.SITE_ADDRESS = "https://ratings.example.org"
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=True)
    rate_all()
    (code,) = offered(client, sato)
    case = Approval.objects.get()
    certificate = markup(client.get(f"/certificates/{code}/")).partition('<article class="cert light"')[2]
    assert f'<p class="sign"><b>{case.signed_by}</b>' in certificate
    assert case.own_reference in certificate
    assert "by the federation" not in certificate
    assert f'<path d="{make_code(f"https://ratings.example.org/certificates/{code}/").path}"/>' in certificate


def test_certificate_of_a_reopened_approval_says_that_it_was_withdrawn(client, fesa, rate_all):
    sato, _ = earn_5_dan(fesa)
    decide(fesa, granted=True)
    (code,) = offered(client, sato)
    with act_as(User.objects.get(username="approver")):
        reopen(Approval.objects.get(), "another person")
    rate_all()
    assert offered(client, sato) == []
    today = timezone.now().date()
    assert read_statement(client, code) == (
        "This certificate is not confirmed any more: the approval of 5 Dan for Ken Sato on the rating list “FESA”, which"
        f" counted from 2 Feb 2025, was withdrawn on {format_day(today)}."
    )
    assert client.get(f"/certificates/{code}.pdf").status_code == 404


def test_certificate_without_results_or_approval_names_no_false_reason(client, fesa, zoe, code, rate_all):
    day = dt.date(2024, 6, 1)
    given = Decision(list=fesa, player=zoe, grade="2 Dan", ruling="given", date=day, reason="match")
    save_adjustment(given)
    rate_all()
    (code,) = set(offered(client, zoe)) - {code}
    delete_adjustment(given)
    rate_all()
    assert read_statement(client, code) == (
        "This certificate is not confirmed any more: what gave Zoë Adler 2 Dan on the rating list “FESA” on 1 Jun 2024 has"
        " been corrected or withdrawn."
    )


def test_certificates_outlive_the_sites_secret(client, code, settings):
    settings.SECRET_KEY, old = "another", settings.SECRET_KEY
    assert read_statement(client, code, 404).startswith("This certificate is not confirmed: the address is not one")
    settings.SECRET_KEY_FALLBACKS = [old]
    assert read_statement(client, code) == CONFIRMED


@pytest.mark.parametrize("more", [0, 30])
def test_certificate_needs_the_same_queries_for_any_number_of_awards(
    more, client, zoe, code, rate_all, django_assert_num_queries
):
    for after in range(more):
        day = dt.date(2024, 6, 1) + dt.timedelta(days=after)
        grade = ("2 Dan", "3 Dan")[after % 2]
        save_adjustment(
            Decision(list=RatingList.objects.get(), player=zoe, grade=grade, ruling="given", date=day, reason="match")
        )
    rate_all()
    with django_assert_num_queries(4):  # the player, his standing, his awards; the lists of the navigation
        client.get(f"/certificates/{code}/")
    with django_assert_num_queries(3):
        client.get(f"/certificates/{code}.pdf")

"""Federations: their front page, crest and the page on which administrators change them."""

import datetime as dt
import io
import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image

from ratings.domain.lists.statistics import refresh_due
from ratings.models import Event, Federation
from ratings.queries.lists.lists import promotions
from ratings.queries.lists.rises import read_rises_of_lists
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user, set_state
from tests.markup import markup
from tests.versions import opened

pytestmark = pytest.mark.django_db

CREST = '<svg viewBox="0 0 8 8" xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z" fill="#123456" /></svg>'
EDIT = "/organise/federations/fesa/"


@pytest.fixture
def fesa():
    return make_list().federation


@pytest.fixture
def administrator(client):
    user = make_user("admin", is_superuser=True)
    client.force_login(user)
    return user


def form_of(federation, **changed):
    return {"name": federation.name, "house": federation.house} | opened(federation) | changed


def test_front_page_of_the_only_federation_is_that_of_the_site(client, fesa):
    response = client.get("/federations/fesa/")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert "<h1>FESA</h1>" in markup(client.get("/"))


def test_front_page_of_one_of_several_federations_shows_its_own_lists(client, fesa):
    make_list("icu", system="icu-1989", name="Chess", federation="Chess Union")
    page = markup(client.get("/federations/chess-union/"))
    assert ("<h1>Chess Union</h1>" in page, "Top of Chess" in page, "Top of FESA" in page) == (True, True, False)
    assert "<h1>Ratings</h1>" in markup(client.get("/"))


def test_unknown_and_hidden_federations_are_404(client, fesa):
    make_list("secret", federation="Secret", public=False)
    assert [client.get(f"/federations/{slug}/").status_code for slug in ("secret", "nobody", "FESA")] == [404] * 3


def test_pages_carry_name_crest_colour_and_links(client, fesa):
    Federation.objects.update(
        name="European Shogi", short_name="FESA", description="Official shogi ratings", house="pine", crest=CREST,
        home="https://example.org/", imprint="https://example.org/imprint",
    )  # fmt: skip
    fesa.refresh_from_db()
    page = markup(client.get("/lists/fesa/"))
    for part in (
        'data-house="pine"',
        f'<img src="/federations/fesa/crest.svg?v={fesa.version}" alt=""',
        '<span class="long">European Shogi</span>',
        '<span class="short">FESA</span>',
        "<small>Official shogi ratings</small>",
        "– European Shogi</title>",
        '<a href="https://example.org/">Home page</a>',
        '<a href="https://example.org/imprint">Imprint</a>',
    ):
        assert part in page, part


def test_footer_offers_the_languages_of_the_federation(client, fesa):
    Federation.objects.update(languages=["en", "ja"])
    page = markup(client.get("/"))
    assert [f'value="{code}"' in page for code in ("en", "de", "fr", "ja")] == [True, False, False, True]


def test_crest_is_sandboxed_and_drawn_as_png(client, fesa):
    assert client.get("/federations/fesa/crest.svg").status_code == 404
    Federation.objects.update(crest=CREST)
    drawing = client.get("/federations/fesa/crest.svg")
    assert (drawing.content.decode(), drawing["Content-Type"]) == (CREST, "image/svg+xml")
    assert set(drawing["Content-Security-Policy"].split("; ")) == {
        "default-src 'none'", "frame-ancestors 'none'", "sandbox",
    }  # fmt: skip
    picture = Image.open(io.BytesIO(client.get("/federations/fesa/crest.png").content))
    assert (picture.format, picture.size, picture.convert("RGBA").getpixel((200, 20))) == (
        "PNG", (256, 256), (0x12, 0x34, 0x56, 255),
    )  # fmt: skip
    tag = {"If-None-Match": drawing["ETag"]}
    assert client.get("/federations/fesa/crest.svg", headers=tag).status_code == 304
    Federation.objects.update(crest=CREST.replace("123456", "654321"))
    assert client.get("/federations/fesa/crest.svg", headers=tag).status_code == 200


def test_administrator_changes_name_colour_crest_and_links(client, fesa, administrator):
    file = SimpleUploadedFile("crest.svg", CREST.replace("<path", '<path onload="x"').encode())
    data = form_of(
        fesa,
        name="European Shogi",
        short_name="ES",
        house="plum",
        crest_file=file,
        home="example.org",
        languages=["de"],
    )
    response = client.post(EDIT, data, follow=True)
    assert '<p class="message good" role="status">Saved.</p>' in markup(response)
    fesa.refresh_from_db()
    assert (fesa.name, fesa.short_name, fesa.house, fesa.crest, fesa.home, fesa.languages, fesa.slug) == (
        "European Shogi", "ES", "plum", CREST, "https://example.org", ["de"], "fesa",
    )  # fmt: skip
    client.post(EDIT, form_of(fesa, no_crest="on"))
    fesa.refresh_from_db()
    assert fesa.crest == ""


def test_administrator_chooses_whether_gender_is_recorded(client, fesa, administrator):
    assert 'name="records_gender"' in markup(client.get(EDIT))
    chosen = []
    for data in ({"records_gender": "on"}, {}):
        client.post(EDIT, form_of(fesa, **data))
        fesa.refresh_from_db()
        chosen.append(fesa.records_gender)
    assert chosen == [True, False]


def test_administrator_chooses_the_time_zone(client, fesa, administrator):
    assert '<option value="Europe/Berlin">' in markup(client.get(EDIT))
    client.post(EDIT, form_of(fesa, time_zone="America/New_York"))
    fesa.refresh_from_db()
    assert fesa.time_zone == "America/New_York"
    page = client.post(EDIT, form_of(fesa, time_zone="Moon/Crater"))
    assert page.status_code == 422
    errors = {"time_zone": ["Select a valid choice. Moon/Crater is not one of the available choices."]}
    assert page.context["form"].errors == errors
    fesa.refresh_from_db()
    client.post(EDIT, form_of(fesa))
    assert Federation.objects.get(pk=fesa.pk).time_zone == "America/New_York"


def test_form_offers_a_stored_zone_with_an_old_name(client, fesa, administrator):
    Federation.objects.update(time_zone="US/Pacific")
    fesa.refresh_from_db()
    assert '<option value="US/Pacific" selected>' in markup(client.get(EDIT))
    client.post(EDIT, form_of(fesa, time_zone="US/Pacific", short_name="F"))
    fesa.refresh_from_db()
    assert (fesa.time_zone, fesa.short_name) == ("US/Pacific", "F")


def test_preview_shows_the_typed_values_and_saves_nothing(client, fesa, administrator):
    data = form_of(fesa, name="Other name", house="ocean", crest_file=SimpleUploadedFile("c.svg", CREST.encode()))
    response = client.post(EDIT, data | {"preview": "1"})
    page = markup(response)
    assert '<div class="preview-head" data-house="ocean">' in page
    assert ("<b>Other name</b>" in page, 'src="data:image/svg+xml;base64,' in page) == (True, True)
    assert Federation.objects.get() == fesa
    assert Federation.objects.values_list("name", "crest", "version").get() == ("FESA", "", fesa.version)
    typed = response.context["form"]["crest_text"].value()
    client.post(EDIT, data | {"crest_text": typed, "crest_file": ""})
    assert Federation.objects.values_list("name", "crest").get() == ("Other name", CREST)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "ICU"}, "Federation with this Name already exists."),
        ({"house": "pink"}, "Select a valid choice. pink is not one of the available choices."),
        ({"home": "javascript:alert(1)"}, "Enter a valid URL."),
        ({"languages": ["xx"]}, "Select a valid choice. xx is not one of the available choices."),
        (
            {"crest_file": SimpleUploadedFile("x.svg", b"<svg/>")},
            "The file is not an SVG drawing. Export the crest as plain SVG.",
        ),
        ({"crest_text": "<svg onload='x'"}, "The file is not an SVG drawing. Export the crest as plain SVG."),
    ],
)
def test_invalid_values_are_explained_and_nothing_is_saved(data, message, client, fesa, administrator):
    make_list("icu", federation="ICU")
    response = client.post(EDIT, form_of(fesa) | {"description": "Kept"} | data)
    assert (response.status_code, Federation.objects.get(slug="fesa").description) == (422, "")
    assert message in [error for errors in response.context["form"].errors.values() for error in errors]
    assert 'value="Kept"' in markup(response)


def test_change_by_somebody_else_is_not_overwritten(client, fesa, administrator):
    data = form_of(fesa, name="Mine")
    Federation.objects.update(name="Theirs")
    response = client.post(EDIT, data)
    assert (response.status_code, Federation.objects.get().name) == (422, "Theirs")
    assert "Theirs" in str(response.context["form"].errors)


def test_administrators_of_the_federation_edit_it_and_no_other(client, fesa):
    user = make_user("ada")
    make_list("icu", federation="ICU")
    assert client.get(EDIT).status_code == 302
    client.force_login(user)
    assert client.get(EDIT).status_code == 403
    fesa.administrators.add(user)
    assert client.get(EDIT).status_code == 200
    assert client.post(EDIT, form_of(fesa, name="New")).status_code == 302
    assert client.post("/organise/federations/icu/", {"name": "New"}).status_code == 403
    assert client.get("/organise/federations/nobody/").status_code == 404
    assert client.delete(EDIT).status_code == 405


ADMINISTRATORS = f"{EDIT}administrators/"


def read_administrators(federation):
    return list(federation.administrators.order_by("username").values_list("username", flat=True))


@pytest.mark.django_db(transaction=True)
def test_administrators_are_invited_and_removed_on_the_page(client, fesa, administrator):
    response = client.post(ADMINISTRATORS, {"mail": "Ada@example.org"}, follow=True)
    assert (response.redirect_chain, read_administrators(fesa)) == ([(EDIT, 302)], ["ada"])
    page = markup(response)
    for part in ("ada was notified by email.", "ada@example.org", 'aria-label="Remove ada from the administrators"'):
        assert part in page, part
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    assert "You are invited as “ada”, with this role: administrator of FESA (change its pages)." in sent.body
    client.post(ADMINISTRATORS, {"mail": "ada@example.org"})  # twice in a row
    ada = fesa.administrators.get()
    response = client.post(f"{EDIT}remove-administrator/{ada.pk}/", follow=True)
    assert (response.redirect_chain, read_administrators(fesa)) == ([(EDIT, 302)], [])
    page = markup(response)
    assert "ada is no longer an administrator." in page
    assert "The federation has no administrators of its own." in page
    assert client.post(f"{EDIT}remove-administrator/{ada.pk}/").status_code == 404


def test_administrators_invite_each_other_and_cannot_remove_themselves(client, fesa):
    ada, ben = make_user("ada"), make_user("ben")
    fesa.administrators.set([ada, ben])
    client.force_login(ada)
    response = client.post(f"{EDIT}remove-administrator/{ada.pk}/", follow=True)
    assert "You cannot remove yourself. Ask another administrator." in markup(response)
    client.post(f"{EDIT}remove-administrator/{ben.pk}/")
    client.post(ADMINISTRATORS, {"mail": "cem@example.org"})
    assert read_administrators(fesa) == ["ada", "cem"]


def test_address_without_at_sign_and_closed_account_are_explained(client, fesa, administrator):
    make_user("gone", email="gone@example.org", is_active=False)
    pages = [client.post(ADMINISTRATORS, {"mail": address}) for address in ("ada", "gone@example.org")]
    assert [page.status_code for page in pages] == [422, 422]
    assert [page.context["invite"].errors["mail"] for page in pages] == [
        ["Enter a valid email address."],
        ["The account with this address is inactive: activate it again in the admin."],
    ]
    assert read_administrators(fesa) == []


def test_strangers_change_no_administrators(client, fesa):
    ada = make_user("ada")
    fesa.administrators.add(ada)
    addresses = (ADMINISTRATORS, f"{EDIT}remove-administrator/{ada.pk}/")
    assert [client.post(address, {"mail": "x@example.org"}).status_code for address in addresses] == [403, 403]
    client.force_login(make_user("stranger"))
    assert [client.post(address, {"mail": "x@example.org"}).status_code for address in addresses] == [403, 403]
    client.force_login(make_user("admin", is_superuser=True))
    assert [client.get(address).status_code for address in addresses] == [405, 405]
    unknown = "/organise/federations/nobody/administrators/"
    assert client.post(unknown, {"mail": "x@example.org"}).status_code == 404
    assert read_administrators(fesa) == ["ada"]


def test_preview_shows_links_and_languages_without_saving(client, fesa, administrator):
    before = markup(client.get(EDIT))
    assert "There are no links yet." in before
    assert "<p>English · Français · Deutsch · 日本語</p>" in before
    data = form_of(fesa, home="https://example.org/", imprint="https://example.org/imprint", languages=["en", "ja"])
    page = markup(client.post(EDIT, data | {"preview": "1"}))
    for part in (
        '<a href="https://example.org/" rel="noreferrer">Home page</a>',
        '<a href="https://example.org/imprint" rel="noreferrer">Imprint</a>',
        "<p>English · 日本語</p>",
        "The pages end with these links and languages.",
    ):
        assert part in page, part
    assert Federation.objects.get().home == ""


def test_my_page_leads_to_the_federations_that_a_user_administers(client, fesa):
    make_list("icu", system="icu-1989", federation="Chess Union")
    user, officer = make_user("keeper"), make_user("anna")
    fesa.administrators.add(user)
    links = []
    for person in (user, make_user("admin", is_superuser=True), officer):
        client.force_login(person)
        page = markup(client.get("/me/"))
        links.append(
            [address for address in (EDIT, "/organise/federations/chess-union/") if f'href="{address}"' in page]
        )
    assert links == [[EDIT], [EDIT, "/organise/federations/chess-union/"], []]
    assert "Federations you administer" not in page


def test_front_page_tells_the_latest_result_with_podium_and_highlights(client, fesa, rate_all):
    fesa_list = fesa.lists.get()
    ada, ben, cy = (make_player(name) for name in ("Ada", "Ben", "Cy"))
    for player, rating in ((ada, 2000), (ben, 1800), (cy, 1600)):
        give_rating(fesa_list, player, rating)
    make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="Older")
    latest = make_table(fesa_list, [ada, ben, cy], [(1, 1, 2, 0.0), (2, 2, 3, 1.0)], "2024-02-06", event_name="Newest")
    rate_all()
    page = markup(client.get("/"))
    story = page.partition('id="latest-result"')[2].partition("</section>")[0]
    assert f'href="{latest.event.get_absolute_url()}"' in story
    assert "Ben</a> (1800) beat" not in page  # rated again by the older event
    assert ("Biggest upset" in story, 'class="podium"' in story) == (True, True)
    others = page.partition('id="latest-events"')[2].partition("</section>")[0]
    assert ("Older" in others, "Newest" in others) == (True, False)


def test_front_page_of_several_federations_or_without_places_has_no_story(client, fesa, rate_all):
    fesa_list = fesa.lists.get()
    ada, ben = make_player("Ada"), make_player("Ben")
    make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], "2024-01-06", event_name="Club night", tournament=False)
    rate_all()
    assert 'id="latest-result"' not in markup(client.get("/"))
    make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], "2024-02-06", event_name="Cup")
    make_list("icu", system="icu-1989", federation="Chess Union")
    rate_all()
    page = markup(client.get("/"))
    assert ('id="latest-result"' in page, "Cup" in page) == (False, True)


def test_front_page_of_one_list_leads_to_the_players_of_each_country(client, fesa, rate_all):
    fesa_list = fesa.lists.get()
    players = [make_player(name, country=country) for name, country in (("Ada", "DE"), ("Ben", "FR"), ("Cy", "DE"))]
    make_table(fesa_list, players, [(1, 1, 2, 1.0), (2, 2, 3, 0.5)], timezone.now().date().isoformat())
    rate_all()
    page = markup(client.get("/")).partition('id="countries-fesa"')[2].partition("</section>")[0]
    assert re.findall(r'<a href="([^"]*)"><img[^>]*> (\w+)</a>', page) == [
        ("/lists/fesa/?country=FR", "France"), ("/lists/fesa/?country=DE", "Germany"),
    ]  # fmt: skip
    refresh_due()
    page = markup(client.get("/")).partition('id="countries-fesa"')[2].partition("</section>")[0]
    assert re.findall(r"> (\w+) <span class=\"quiet\">(\d+)</span>", page) == [("Germany", "2"), ("France", "1")]


def test_front_page_names_the_players_who_rose_most(client, fesa, rate_all):
    fesa_list, today = fesa.lists.get(), timezone.now().date()
    ada, ben, cy = (make_player(name) for name in ("Ada", "Ben", "Cy"))
    for player, rating in ((ada, 1500), (ben, 1800), (cy, 1600)):
        give_rating(fesa_list, player, rating, "2020-01-01")
    make_table(fesa_list, [ben, cy], [(1, 1, 2, 0.0)], "2021-01-01")  # long ago
    make_table(fesa_list, [ada, ben, make_player("New")], [(1, 1, 2, 1.0), (2, 1, 3, 1.0)], str(today))
    rate_all()
    ((_list, ((player, before, after),)),) = read_rises_of_lists([fesa_list], today, 4)
    assert (player, before, after) == (ada, 1500, ada.standings.get().rating)
    section = markup(client.get("/")).partition('id="rises-fesa"')[2].partition("</section>")[0]
    assert f"1500 → {after:.0f}" in section
    assert read_rises_of_lists([fesa_list], today + dt.timedelta(days=200), 4) == [(fesa_list, [])]


def test_front_page_draws_the_curve_of_a_rise_of_several_events(client, fesa, rate_all):
    fesa_list, today = fesa.lists.get(), timezone.now().date()
    ada, ben = make_player("Ada"), make_player("Ben")
    for player, rating in ((ada, 1500), (ben, 1800)):
        give_rating(fesa_list, player, rating, "2020-01-01")
    for days in (60, 30, 0):
        make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], str(today - dt.timedelta(days=days)), event_name=f"{days}")
    rate_all()
    section = markup(client.get("/")).partition('id="rises-fesa"')[2].partition("</section>")[0]
    (points,) = re.findall(r'class="spark".*?points="([^"]*)"', section)
    heights = [float(point.partition(",")[2]) for point in points.split()]
    assert len(heights) == 4
    assert heights == sorted(heights, reverse=True)  # upwards, as SVG counts from the top


def test_front_page_tells_the_upset_of_the_year_with_both_ratings(client, fesa, rate_all):
    fesa_list, today = fesa.lists.get(), timezone.now().date()
    ada, ben = make_player("Ada", "Anna"), make_player("Ben", "Bo")
    for player, rating in ((ada, 1500), (ben, 1800)):
        give_rating(fesa_list, player, rating, "2020-01-01")
    table = make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], str(today), event_name="Cup")
    rate_all()
    section = markup(client.get("/")).partition('class="upset"')[2].partition("</section>")[0]
    sentence = " ".join(re.sub("<[^>]*>", "", section.partition('class="say">')[2].partition("</p>")[0]).split())
    # 300 points less: 1 / (1 + 10 ** (300 / 400)) = 15 %
    assert sentence == "Ada, Anna (1500) beat Ben, Bo (1800) at Cup; the chance of that was 15 %."
    change = f"{ada.standings.get().rating - 1500:.0f}"
    assert re.findall(r'<a href="([^"]*)">\s*(Why [^<]*)</a>', section) == [
        (f"/lists/fesa/tables/{table.pk}/{ada.public_id}/", f"Why +{change}?")
    ]


def test_front_page_counts_the_promotions_of_events(client, fesa, rate_all):
    fesa_list, today = fesa.lists.get(), timezone.now().date()
    players = [make_player(name) for name in ("Ada", "Ben", "Cy")]
    for player in players:
        give_rating(fesa_list, player, 1795, "2020-01-01", grade="2 Kyu")
    make_list("old", system="fesa-2000", comparison_to=fesa_list, federation=fesa.name)  # counts nothing a second time
    days = [str(today - dt.timedelta(days=days)) for days in (30, 0)]
    older = make_table(fesa_list, players, [(1, 1, 2, 1.0), (2, 1, 3, 1.0)], days[0], event_name="Older")
    make_table(fesa_list, players[:2], [(1, 1, 2, 0.5)], days[1], event_name="Newer")
    rate_all()
    promoted = promotions(fesa_list).filter(table=older).count()
    assert promoted > 0
    page = markup(client.get("/"))
    assert re.findall(r'<a class="tag good" href="([^"]*)">\s*(\d+ promotions?)\s*</a>', page) == [
        (f"/events/{older.event.public_id}/grades/", f"{promoted} promotion{'s' if promoted > 1 else ''}")
    ]


def test_portal_front_page_has_a_card_for_each_federation(client, fesa, rate_all):
    fesa_list = fesa.lists.get()
    ada, ben = make_player("Ada"), make_player("Ben")
    for player in (ada, ben):
        give_rating(fesa_list, player, 1500, "2020-01-01")
    last = make_table(fesa_list, [ada, ben], [(1, 1, 2, 1.0)], timezone.now().date().isoformat(), event_name="Cup")
    icu = make_list("icu", system="icu-1989", name="Chess", federation="Chess Union")
    coming = make_event("Open", "2999-01-01", [icu], state=Event.State.DRAFT, announced_at=timezone.now())
    rate_all()
    response = client.get("/")
    assert [
        (card.federation.name, [one.slug for one in card.lists], card.players, card.last, card.next)
        for card in response.context["cards"]
    ] == [("FESA", ["fesa"], 2, last.event, None), ("Chess Union", ["icu"], 0, None, coming)]
    page = markup(response)
    assert re.findall(r'data-house="(\w+)" aria-labelledby', page) == ["indigo", "indigo"]
    card = page.partition('id="federation-fesa"')[2].partition("</section>")[0]
    assert card.index("Ada") < card.index("Ben")
    assert f"/lists/fesa/tables/{last.pk}/{ada.public_id}/" in card


def text_of(part):
    """The text of a part of a page that begins inside a tag."""
    return " ".join(re.sub("<[^>]*>", " ", part.lstrip(">")).split())


def make_two_lists(rate_all):
    """Two lists of one federation, on each of which a player of another country rises by a win of today."""
    lists = [make_list("fesa", name="Shogi"), make_list("quick", name="Quick")]
    today, tables = timezone.now().date(), []
    for number, rating_list in enumerate(lists):
        names = ("Ada", "Ben") if number == 0 else ("Cy", "Di")
        winner, loser = (make_player(name, country=country) for name, country in zip(names, ("DE", "FR"), strict=True))
        give_rating(rating_list, winner, 1790, "2020-01-01", grade="2 Kyu")
        give_rating(rating_list, loser, 1900 + 100 * number, "2020-01-01")
        day = str(today - dt.timedelta(days=1 - number))
        tables.append(make_table(rating_list, [winner, loser], [(1, 1, 2, 1.0)], day, event_name=f"{names[0]} Cup"))
    rate_all()
    return lists, tables


def test_front_page_of_several_lists_names_the_list_of_each_section(client, rate_all, django_assert_num_queries):
    (_shogi, quick), (_, newest) = make_two_lists(rate_all)
    refresh_due()
    client.get("/")
    cache.clear()
    with django_assert_num_queries(42):
        page = markup(client.get("/"))
    with django_assert_num_queries(26):
        client.get("/")
    story = page.partition('id="latest-result"')[2].partition("</section>")[0]
    assert text_of(story).startswith("Latest result Quick · ")
    assert f'href="{newest.event.get_absolute_url()}?list=quick"' in story
    assert ("Biggest upset" in story, 'class="podium"' in story) == (True, True)
    upset = page.partition('class="upset"')[2].partition("</section>")[0]
    assert text_of(upset).partition("Upset of the year ")[2].startswith("Quick Cy (1790) beat Di (2000) at Cy Cup")
    for slug, name, player in (("fesa", "Shogi", "Ada"), ("quick", "Quick", "Cy")):
        rises = page.partition(f'id="rises-{slug}"')[2].partition("</section>")[0]
        assert text_of(rises).startswith(f"On the rise {name} {player} 1790 → ")
        assert f'href="/lists/{slug}/moves/"' in rises
        countries = page.partition(f'id="countries-{slug}"')[2].partition("</section>")[0]
        assert text_of(countries) == f"Countries {name} France 1 Germany 1"
        assert f'href="/lists/{slug}/?country=DE"' in countries
    grades = page.partition('id="latest-promotions"')[2].partition("</section>")[0]
    assert [f"· {name}" in grades for name in ("Shogi", "Quick")] == [True, True]
    assert page.index('id="rises-fesa"') < page.index('id="rises-quick"')
    assert quick.federation.lists.count() == 2


def test_front_page_of_one_list_names_no_list_in_its_sections(client, fesa, rate_all):
    fesa_list, today = fesa.lists.get(), timezone.now().date()
    players = [make_player(name, country=country) for name, country in (("Ada", "DE"), ("Ben", "FR"))]
    for player in players:
        give_rating(fesa_list, player, 1790, "2020-01-01", grade="2 Kyu")
    make_table(fesa_list, players, [(1, 1, 2, 1.0)], str(today), event_name="Cup")
    rate_all()
    page = markup(client.get("/"))
    for start in ('id="rises-fesa"', 'id="countries-fesa"', 'id="upset"', 'id="latest-promotions"'):
        assert "FESA" not in page.partition(start)[2].partition("</section>")[0]


def test_portal_front_page_has_risers_and_new_grades_of_all_federations(client, rate_all, django_assert_num_queries):
    (_shogi, quick), _ = make_two_lists(rate_all)
    go = make_list("go", system="egf-2021", name="Go", federation="Go Union")
    winner, loser = make_player("Eva"), make_player("Fay")
    for player in (winner, loser):
        set_state(go, player, "2020-01-01", rating=1500)
    make_table(go, [winner, loser], [(1, 1, 2, 1.0)], str(timezone.now().date()), event_name="Go Cup")
    rate_all()
    client.get("/")
    cache.clear()
    with django_assert_num_queries(27):
        page = markup(client.get("/"))
    with django_assert_num_queries(16):  # one each for the players of the rises and for the promotions of all lists
        client.get("/")
    rises = page.partition('id="rises"')[2].partition("</section>")[0]
    rows = [text_of(row) for row in re.findall(r"<li>(.*?)</li>", rises, re.DOTALL)]
    assert [row.split()[0] for row in rows] == ["Ada", "Cy", "Eva"]
    assert ["· Shogi" in rows[0], "· Quick" in rows[1], "· Go" in rows[2]] == [True] * 3
    for rating_list, player in ((quick, "Cy"), (go, "Eva")):
        assert f'href="/lists/{rating_list.slug}/moves/"' in rises
        public_id = rating_list.standings.get(player__family_name=player).player.public_id
        assert f'href="/players/{public_id}/events/?list={rating_list.slug}"' in rises
    grades = page.partition('id="latest-promotions"')[2].partition("</section>")[0]
    assert [f"· {name}" in grades for name in ("Shogi", "Quick", "Go")] == [True, True, False]

"""Erasing a person: their name is stored nowhere any more, and no undo brings it back."""

import datetime as dt
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.events.pairing_programs import store_pairing_page
from ratings.domain.lists.adjustments import save_player
from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.players.erased_pairing_pages import erase_in_pairing_pages
from ratings.domain.players.erased_words import is_erased_name, read_erased_words, remember_erased_words
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.personal_texts import ErasedName, is_named_in
from ratings.domain.players.searched_texts import read_searched_texts
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import create_submission
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.domain.site.retention import delete_expired
from ratings.domain.site.undoing import step_undo_problem, undo_step
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.formats.spreadsheet.templates import template_xlsx
from ratings.formats.spreadsheet.workbook import UNPACKED_AT_MOST
from ratings.matching import fold
from ratings.models import (
    EntryList,
    ErasedWord,
    EventEntry,
    Federation,
    FederationMembership,
    FileBatch,
    OutgoingMail,
    OutsideId,
    PairingPage,
    Player,
    RatingList,
    RecordedStep,
    Standing,
    Submission,
    Upload,
)
from tests.factories import give_ratings, make_event, make_list, make_player, make_table, make_user
from tests.portal.results.way import CLEAN, act, paste, person

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLES = Path(__file__).parents[2] / "formats" / "samples"
NAMES = ("Schröder", "シュレーダー")
ZOE = ErasedName("X", ("Schröder", "Zoë"), "Player", "X")


def rows_naming(*texts):
    """Every row of the database in which one of these texts stands, in a field of any model."""
    wanted, found = [fold(text) for text in texts], []
    for model in apps.get_models():
        for values in model._base_manager.values():  # noqa: SLF001 - deleted tables as well
            actual = fold(" ".join(map(_text, values.values())))
            if any(text in actual for text in wanted):
                found.append((model.__name__, values.get("id"), actual))
    return found


def _text(value):
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode(errors="replace")
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


@pytest.fixture
def known(client):
    """Zoë Schröder, whose name stands in every place where people type; an administrator."""
    fesa, admin = make_list(), make_user("admin", is_superuser=True)
    officer, organiser = person("officer", OFFICERS), person("organiser", ORGANISERS)
    mine = make_user("zoe", email="zoe@example.org")
    zoe = make_player("Schröder", "Zoë", native_name="シュレーダー", country="DE", birth_year=1990, birth_public=True)
    others = make_player("Bauer", "Max", country="DE"), make_player("Čapek", "Jan", country="CZ")
    give_ratings(fesa, (zoe, *others), 2000)
    zoe.adjustments.update(reason="rating of Zoë Schröder", source="letter of Schröder, Zoë")
    RatingList.objects.update(out_of_date_from="2020-01-01")
    event = make_event("Autumn Cup", "2024-05-04", [fesa], state="draft", place="Lyon", country="FR",
                       time_control="30min + 30sec", created_by=organiser, contact="Ask Zoë Schröder")  # fmt: skip
    client.force_login(organiser)
    paste(client, event, CLEAN.replace("[Adler][Zoë] FR", "[Schröder][Zoë] DE"))
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "return", note="Zoë Schröder was absent, was she not?")
    client.force_login(organiser)
    act(client, event, "submit")
    client.force_login(officer)
    assert act(client, event, "accept").status_code == 302
    client.post(f"/organise/tables/{event.tables.get().pk}/correct/")
    with act_as(mine):
        asked = create_claim(zoe, mine, "I am Zoë Schröder")
    with act_as(admin):
        answer_claim(asked, granted=True, answer="Hello Zoë Schröder")
        set_visibility(zoe, "initials", reason="Schröder, Zoë asked")
        zoe.refresh_from_db()
        zoe.country = "AT"
        save_player(zoe)
    client.force_login(mine)
    report = {"text": "Zoë Schröder is from AT", "mail": "zoe@example.org"}
    client.post(f"/report/players/{zoe.public_id}/", report)
    return zoe, admin


def test_name_of_an_erased_person_is_in_no_row_of_the_database(known, rate_all):
    zoe, admin = known
    rate_all()
    before = dict(Standing.objects.values_list("player", "rating"))
    assert {name for name, _pk, _text in rows_naming(*NAMES)} == {
        "Adjustment", "Change", "Claim", "Event", "EventStep", "LogEntry", "Player", "RecordedStep", "Report", "Submission", "Upload",
    }  # fmt: skip
    with act_as(admin):
        erase_person(zoe, reason="asked by letter on 2026-11-20")
    assert rows_naming(*NAMES, "zoe@example.org") == []
    zoe = Player.objects.get(pk=zoe.pk)
    assert (str(zoe), zoe.name, zoe.country.code, zoe.year_of_birth, zoe.account, zoe.shown) == (
        f"Player {zoe.public_id}", f"Player {zoe.public_id}", "", None, None, "anonymous",
    )  # fmt: skip
    assert not User.objects.filter(username="zoe").exists()
    assert dict(Standing.objects.values_list("player", "rating")) == before
    assert list(find_differences(zoe.standings.get().list)) == []
    rows = [row["family"] for submission in Submission.objects.all() for row in submission.content["rows"]]
    assert sorted(set(rows)) == ["Bauer", "Capek", "Player", "Čapek"]
    assert [bytes(upload.data) for upload in Upload.objects.all()] == [b""]


def test_mails_of_others_are_kept_and_name_nobody_erased():
    li = make_player("Li", "Bo")
    for body in ("The list of Lisa", "Li Bo was promoted"):
        OutgoingMail.objects.create(sender="a@example.org", recipients=["b@example.org"], subject="News", body=body)
    with act_as(make_user("boss", is_superuser=True)):
        erase_person(li, reason="asked by letter")
    bodies = list(OutgoingMail.objects.order_by("pk").values_list("body", flat=True))
    assert (bodies[0], "Li Bo" in bodies[1], bodies[1].endswith("was promoted")) == ("The list of Lisa", False, True)


def test_no_undo_brings_an_erased_name_back(known):
    zoe, admin = known
    twin = make_player("Schröder", "Zoe")
    with act_as(admin):
        record = merge_players(twin, zoe, reason="Zoe Schröder is Zoë Schröder")
        erase_person(zoe, reason="asked")
        undo_merge(record)
        steps = RecordedStep.objects.filter(undone_at=None)
        assert {step.what: step_undo_problem(step) for step in steps} == {
            "claim answered": "The account was deleted, and its claim with it.",
            "visibility changed": "This person's data was erased, so no name can be shown.",
            "person erased": "Erased data cannot be restored: it is no longer stored.",
        }
        for step in steps:
            with pytest.raises(ValidationError):
                undo_step(step, reason="x")
        with pytest.raises(ValidationError, match="no name can be shown"):
            set_visibility(zoe, "full")
        with pytest.raises(ValidationError, match="cannot be claimed"):
            create_claim(zoe, make_user("other"), "me")
        with pytest.raises(ValidationError, match="One of these two was erased"):
            merge_players(make_player("New"), zoe, reason="x")
    zoe.refresh_from_db()
    zoe.family_name = "Schröder"
    with pytest.raises(ValidationError, match="no name can be shown"):
        zoe.full_clean()
    assert rows_naming(*NAMES) == []


@pytest.mark.parametrize("role", ["officer", "organiser"])
def test_only_administrators_erase(known, role):
    zoe, _admin = known
    with act_as(User.objects.get(username=role)), pytest.raises(PermissionDenied):
        erase_person(zoe, reason="x")
    assert Player.objects.get(pk=zoe.pk).name == "Schröder Zoë"


def test_erasing_requires_a_reason_and_a_player_who_was_not_merged(known):
    zoe, admin = known
    other = make_player("Schröder", "Z.")
    with act_as(admin):
        merge_players(other, zoe, reason="one")
        with pytest.raises(ValidationError, match="Enter who requested the erasure"):
            erase_person(zoe, reason=" ")
        with pytest.raises(ValidationError, match="Erase that player"):
            erase_person(Player.objects.get(pk=other.pk), reason="x")
        erase_person(zoe, reason="x")
        with pytest.raises(ValidationError, match="already erased"):
            erase_person(zoe, reason="x")


def test_worker_keeps_the_account_and_a_list_that_rates_by_age_the_birth_date(rate_all):
    ireland, officer = make_list("icu", system="icu-1989"), person("officer", OFFICERS)
    young = make_player("Young", "Una", birth_date="2014-03-01", account=officer)
    other = make_player("Old", birth_date="1960-01-01")
    make_table(ireland, [young, other], [(1, 1, 2, 1.0)], "2024-05-04")
    rate_all()
    erase_person(young, reason="asked")
    young.refresh_from_db()
    assert (str(young.birth_date), young.birth_public, young.account) == ("2014-03-01", False, None)
    assert User.objects.get(username="officer").is_active


@pytest.mark.parametrize(
    ("text", "erased"),
    [("Zoë Schröder", "Player X"), ("schröder, zoë won", "Player X won"), ("Schröderzoë", "Schröderzoë"),
     ("Zoë and Schröder", "Zoë and Schröder"), ("Schröder  Zoë", "Player X"), ("1_SCHRÖDER_Zoë.h9", "1_Player X.h9"),
     ("Schröder,Zoë", "Player X")],
)  # fmt: skip
def test_name_is_replaced_where_both_parts_stand_together(text, erased):
    assert ZOE.erase({"note": [text]}) == {"note": [erased]}


def test_entries_are_the_persons_by_id_or_if_nobody_was_chosen_by_name():
    own = {
        "family": "Schroeder",
        "given": "Z.",
        "player": "X",
        "evidence": "letter",
        "cells": ["2+"],
        "typed": {"a": "b"},
        "outside": {"egd": "12345678"},
    }
    blank = {"family": "SCHRODER", "given": "Zoe", "player": ""}
    namesake = {"family": "Schröder", "given": "Zoë", "player": "Y"}
    assert ZOE.erase([own, blank, namesake]) == [
        {"family": "Player", "given": "X", "player": "X", "evidence": "", "cells": ["2+"], "typed": {}, "outside": {}},
        {"family": "Player", "given": "X", "player": ""},
        namesake,
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252", "iso-8859-15"])
def test_files_that_name_a_person_are_found_in_every_encoding(encoding):
    assert is_named_in([ZOE], "1 [SCHRÖDER][Zoë]".encode(encoding))
    assert not is_named_in([ZOE], "1 [Schröder][Max]".encode(encoding))


def test_files_in_iso_8859_15_that_name_a_person_are_found():
    simon = ErasedName("X", ("Šimon", "Žofia"), "Player", "X")
    assert is_named_in([simon], "1 [ŠIMON][Žofia]".encode("iso8859-15"))


@pytest.mark.parametrize(
    "sample",
    [
        "macmahon/good.xml",
        "macmahon/good-one-line.xml",
        "h9/good.h9",
        "tou/good.tou",
        "opengotha/good.xml",
        "trf/good.trf",
    ],
)
@pytest.mark.parametrize("name", [("van Beispiel", "Jan"), ("Novák", "Petra")])
def test_samples_name_their_players_and_no_others(sample, name):
    data = (SAMPLES / sample).read_bytes()
    family, given = name
    assert is_named_in([ErasedName("X", name, "Player", "X")], data)
    assert not is_named_in([ErasedName("X", (family, "Quentin"), "Player", "X")], data)
    assert not is_named_in([ErasedName("X", ("Quill", given), "Player", "X")], data)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (("van Beispiel", "Jan"), "<FirstName>Jan</FirstName>\n<Surname>van Beispiel</Surname>"),
        (("van Beispiel", "Jan"), "<FirstName>J</FirstName>\n<Surname>van Beispiel</Surname>"),
        (("van Beispiel", "Jan"), '{"family": "van Beispiel",\n "given": "Jan"}'),
        (("van Beispiel", "Jan"), "2 VAN_BEISPIEL Jan 4K"),
        (("van Beispiel", "Jan"), "2 van Beispiel J. 4K"),
        (("van Beispiel", "Jan"), "2 J van Beispiel 4K"),
        (("van Beispiel", "Jan"), "Beispiel, Jan van"),
        (("van Beispiel", "Jan"), '<Game blackPlayer="VANBEISPIELJAN"/>'),
        (("van Beispiel", "Jan Peter"), "2 van Beispiel J.P. 4K"),
        (("van Beispiel", "Jan Peter"), "2 van_Beispiel Jan 4K"),
        (("Beispiel", "Jean-Luc"), "2 BEISPIEL Jean_Luc 4K"),
        (("Beispiel", "J."), "2 Beispiel Jan 4K"),
        (("O'Neill", "Anna"), '<Player firstName="Anna" name="O&apos;Neill"/>'),
        (("O'Neill", "Anna"), "Anna ONeill"),
        (("van Beispiel", "O'Neill"), "<Surname>van Beispiel</Surname>\n<FirstName>O'Neill</FirstName>"),
        (("Némo", "Anna"), '<Player firstName="Anna" name="N&#233;mo"/>'),
        (("Némo", "Anna"), r'{"family": "N\u00e9mo", "given": "Anna"}'),
        (("Müster", "Anna"), "Anna MÃ¼ster"),
        (("Müster", "Anna"), "Anna Muester"),
        (("Muester", "Anna"), "Anna Müster"),
        (("山田", "太郎"), "1 山田太郎 JP"),
        (("van Beispiel", ""), "2 Van_Beispiel 4K"),
    ],
)
def test_file_names_a_person_however_the_name_is_written(name, text):
    for data in (text.encode(), text.encode("utf-16-be"), text.encode("utf-16")):
        assert is_named_in([ErasedName("X", name, "Player", "X")], data)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (("van Beispiel", "Jan"), "2 van Beispiel Anna 4K 3+/j"),
        (("van Beispiel", "Jan"), "2 van Dijk Jan 4K"),
        (("Li", "Wu"), "2 Li Jun 3d 3+/w 4w 5-/w2"),
        (("Li", "Li"), "2 Li Jun"),
        (("Li", "Nora"), "2 Lin Jun"),
        (("Иванов", "Пётр"), "Иванов Анна"),
        (("Иванов", "Пётр"), "Иванов Павел"),
        (("?", ""), "anything"),
    ],
)
def test_file_of_another_person_is_kept(name, text):
    assert not is_named_in([ErasedName("X", name, "Player", "X")], text.encode())


def test_file_in_iso_8859_15_or_a_declared_encoding_is_found():
    simek = ErasedName("X", ("Šimek", "Žofia"), "Player", "X")
    assert is_named_in([simek], "1 Šimek Žofia".encode("iso-8859-15"))
    assert is_named_in([simek], '<?xml version="1.0" encoding="iso-8859-2"?><a>Šimek Žofia</a>'.encode("iso-8859-2"))
    assert is_named_in([simek], '<?xml version="1.0" encoding="zip"?><a>Šimek Žofia</a>'.encode())


def test_workbook_names_a_person_in_cells_far_apart():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("strings.xml", "<t>van Beispiel</t>\n" + "<t>Else</t>\n" * 100 + "<t>Jan</t>")
    assert is_named_in([ErasedName("X", ("van Beispiel", "Jan"), "Player", "X")], stream.getvalue())
    assert not is_named_in([ErasedName("X", ("van Beispiel", "Anna"), "Player", "X")], stream.getvalue())


PAGE = """<table><tr><th>#</th><th>Name</th><th>First name</th></tr>
<tr><td>1</td><td>van Beispiel</td><td>Jan</td><td>3d</td></tr><tr><td>2</td><td>Van_Beispiel Jan</td></tr>
<tr><td>3</td><td>van Beispiel J.</td></tr><tr><td>4</td><td>Muster</td><td>Anna</td></tr>
<tr><td>5</td><td>Muster Anna</td><td>beat VAN BEISPIEL</td></tr></table>"""


@pytest.mark.parametrize("shown", ["full", "anonymous"])
def test_erased_name_does_not_appear_again_on_the_pairings_page(client, shown):
    player = make_player("van Beispiel", "Jan", shown=shown)
    event = make_event("Cup", "2999-12-07", [make_list()], state="draft", announced_at=timezone.now())
    EntryList.objects.update_or_create({"is_public": True}, event=event)
    EventEntry.objects.create(event=event, player=player, state="confirmed")
    store_pairing_page(event, "standings", 1, PAGE)
    address = f"/events/{event.public_id}/pairings/"
    assert ("beispiel" in client.get(address).content.decode().lower()) is (shown == "full")
    with act_as(make_user("boss", is_superuser=True)):
        erase_person(player, reason="letter")
    page = client.get(f"{address}?round=1").content.decode().lower()
    assert ("beispiel" in page, "<td>anna</td>" in page, rows_naming("Beispiel")) == (False, True, [])


@pytest.mark.parametrize("sent_before", [True, False])
def test_erased_name_stays_hidden_when_the_program_sends_it_again(client, sent_before, settings):
    """The program has the name in its own file. Other events, and others of the same event, are not changed."""
    player = make_player("van Beispiel", "Jan", native_name="例太郎")
    lists = [make_list()]
    event, other = (
        make_event(name, "2999-12-07", lists, state="draft", announced_at=timezone.now()) for name in ("Cup", "Open")
    )
    EntryList.objects.update_or_create({"is_public": True}, event=event)
    EventEntry.objects.create(event=event, player=player, state="confirmed")
    if sent_before:
        store_pairing_page(event, "standings", 1, PAGE)
    with act_as(make_user("boss", is_superuser=True)):
        erase_person(player, reason="letter")
    assert store_pairing_page(event, "standings", 2, PAGE)
    assert not store_pairing_page(event, "standings", 2, PAGE)  # the same page is not new
    store_pairing_page(event, "pairings", 3, "<table><tr><td>vanBeÃ¯spiel 3d</td><td>例太郎さん</td></tr></table>")
    store_pairing_page(other, "pairings", 3, "<table><tr><td>van Dijk</td></tr></table>")
    assert PairingPage.objects.get(kind="standings", round=2).tables == [[
        ["#", "Name", "First name"], ["1", "… …", "…", "3d"], ["2", "…_… …"], ["3", "… … J."], ["4", "Muster", "Anna"],
        ["5", "Muster Anna", "beat … …"],
    ]]  # fmt: skip
    pages = PairingPage.objects.filter(kind="pairings").order_by("event")
    assert [page.tables for page in pages] == [[[["…¯… …", "…"]]], [[["van Dijk"]]]]
    text = client.get(f"/events/{event.public_id}/pairings/?round=2").content.decode().lower()
    assert ("beispiel" in text, "<td>anna</td>" in text, rows_naming("Beispiel", "例太郎")) == (False, True, [])
    assert set(ErasedWord.objects.values_list("event", flat=True)) == {event.pk}
    assert not any(
        "beispiel" in digest or "jan" in digest for digest in ErasedWord.objects.values_list("digest", flat=True)
    )


def test_new_player_with_an_erased_name_needs_confirmation():
    """The results of the event have the name: accepting them would store it again."""
    player = make_player("van Beispiel", "Jan")
    event = make_event("Cup", "2024-05-04", [make_list()], state="draft")
    EventEntry.objects.create(event=event, player=player, state="confirmed")
    boss = make_user("boss", is_superuser=True)
    with act_as(boss):
        erase_person(player, reason="letter")
    names = [
        ("Van Beispiel", "Jan"),
        ("Jan", "van Beispiel"),
        ("van Beispiel", "J."),
        ("van Dijk", "Jan"),
        ("Adler", ""),
    ]
    rows = [SheetRow(*name, "FR", new=True, cells=["0"]) for name in names]
    content = SheetContent(1, rows)
    checked = check_submission(create_submission(event, content, days=(event.start, event.end)), content, boss)
    found = [(finding.row, finding.level) for finding in checked.findings if "was erased" in finding.message]
    assert found == [(1, "warning"), (2, "warning"), (3, "warning")]


@pytest.mark.parametrize(
    ("name", "is_erased"),
    [("Иванов И.", True), ("Петрин Семин", False), ("И. Петров", False), ("山田太郎", True), ("山本太郎", False)],
)
def test_words_of_erased_names_do_not_hide_other_people(name, is_erased):
    event = make_event("Cup", "2024-05-04", [make_list()], state="draft")
    remember_erased_words({"иванов", "и", "山田"}, [event.pk])
    assert is_erased_name(read_erased_words(event), name) is is_erased


def test_hashes_of_erased_words_are_deleted_after_the_event(settings):
    settings.CONTACT_DAYS = 30
    states = {"2020-01-01": "accepted", "2020-01-02": "draft", "2999-01-01": "accepted"}
    for day, state in states.items():
        ErasedWord.objects.create(event=make_event(day, day, [], state=state), digest="0" * 32)
    delete_expired()
    assert sorted(ErasedWord.objects.values_list("event__name", flat=True)) == ["2020-01-02", "2999-01-01"]


@pytest.mark.parametrize(
    ("cells", "stored"),
    [
        (["Jan", "3d", "van Beispiel"], ["…", "3d", "… …"]),
        (["J", "3d", "van Beispiel"], ["J", "3d", "… …"]),
        (["van Beispiel, Jan (3d)", "van Dijk"], ["Player X (3d)", "… Dijk"]),
        (["vanBeispiel Jan"], ["… …"]),
        (["van Beispiel", "Anna"], ["van Beispiel", "Anna"]),
        (["van BeÃ¯spiel", "Jan"], None),
    ],
)
def test_pairing_pages_of_all_events_lose_the_words_of_a_name(cells, stored):
    event = make_event("Cup", lists=[make_list()])
    PairingPage.objects.create(event=event, kind="pairings", round=1, tables=[[cells]], received_at=timezone.now())
    erase_in_pairing_pages([ErasedName("X", ("van Beispiel", "Jan"), "Player", "X")], [])
    tables = list(PairingPage.objects.values_list("tables", flat=True))
    assert tables == ([[[stored]]] if stored else [])


def test_pairing_page_of_an_own_event_loses_a_family_name_that_stands_alone():
    event = make_event("Cup", lists=[make_list()])
    page = PairingPage(event=event, kind="pairings", round=1, tables=[[["Beispiel", "3d"]]], received_at=timezone.now())
    page.save()
    texts = [ErasedName("X", ("Beispiel", "Jan"), "Player", "X")]
    erase_in_pairing_pages(texts, [])
    page.refresh_from_db()
    assert page.tables == [[["Beispiel", "3d"]]]
    erase_in_pairing_pages(texts, [event.pk])
    page.refresh_from_db()
    assert page.tables == [[["…", "3d"]]]


def test_name_is_not_found_in_other_or_broken_workbooks():
    assert not is_named_in([ZOE], template_xlsx())
    assert not is_named_in([ZOE], b"PK\x03\x04broken")


def test_workbook_is_unpacked_no_further_than_its_reader_does():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.xml", "b.xml"):
            archive.writestr(name, b"x" * UNPACKED_AT_MOST)
    assert {len(text.folded) for text in read_searched_texts(stream.getvalue())} == {UNPACKED_AT_MOST}


def test_files_of_other_people_are_kept():
    short = ErasedName("X", ("Li", "Wu"), "Player", "X")
    assert is_named_in([short], b"1 [Li][Wu] CN [2+] 1")
    rows = b"1 [Lindqvist][Wulf] SE [2+] 1\n2 [Li][Jun] CN" + b"|".join([b"-" * 100] * 3) + b"\n3 [Chan][Wu] CN"
    assert not is_named_in([short], rows)
    uploads = [Upload.objects.create(name=name, format="grid", data=name.encode()) for name in ("Open Cup", "Wu Li")]
    batch = FileBatch.objects.create(made_by=make_user("organiser"))
    files = [batch.files.create(name=name, data=name.encode(), digest=name) for name in ("Open Cup", "Wu Li")]
    erase_person(make_player("Cup"), reason="asked")
    erase_person(make_player("Li", "Wu"), reason="asked")
    assert [bytes(batch.files.get(pk=one.pk).data) for one in files] == [b"Open Cup", b""]
    assert [bytes(Upload.objects.get(pk=one.pk).data) for one in uploads] == [b"Open Cup", b""]


def test_name_of_one_word_is_not_replaced_within_other_texts():
    one = ErasedName("X", ("Cup", ""), "Player", "X")
    assert one.erase(["Open Cup", "cup ", {"family": "Cup", "given": "", "player": ""}]) == [
        "Open Cup", "Player X", {"family": "Player", "given": "X", "player": ""},
    ]  # fmt: skip


def test_erasing_deletes_the_gender_everywhere():
    fesa, admin = make_list(), make_user("boss", is_superuser=True)
    Federation.objects.update(records_gender=True)
    known = make_player("Muster", "Anna", country="")
    lines = [
        ParsedPlayer(number, name, "Anna", "DE", None, None, 1600, 40, 1980, gender="female")
        for number, name in enumerate(("Muster", "Solo", "Other"), 2)
    ]
    other = make_player("Other", "Anna", country="")
    fesa = RatingList.objects.get(pk=fesa.pk)
    import_rating_list(ParsedList(None, tuple(lines)), fesa, Problems(), day=dt.date(2020, 1, 1), source="list.csv")
    solo = Player.objects.get(family_name="Solo")
    with act_as(admin):
        solo.gender_public = True
        save_player(solo)
        merge_players(solo, known, reason="one")
        erase_person(Player.objects.get(pk=known.pk), reason="asked")
    found = rows_naming("female")
    assert {name for name, _pk, _text in found} == {"LogEntry", "Player", "RecordedStep"}
    assert all("other anna" in text for name, _pk, text in found if name == "LogEntry")
    assert [pk for name, pk, _text in found if name == "Player"] == [other.pk]
    step = RecordedStep.objects.get(what="list imported")
    assert step.values["details"] == [[other.pk, ["", None, ""], ["DE", 1980, "female"]]]


def test_erasing_deletes_ids_of_other_registries_everywhere():
    fesa, admin, muster = make_list(), make_user("boss", is_superuser=True), make_player("Muster", "Anna", country="DE")
    OutsideId.objects.create(player=muster, registry="egd", value="12345678", confirmed_at=timezone.now())
    rows = [{"family": "Muster", "given": "Anna", "player": player, "cells": [], "outside": {"egd": "12345678"}}
            for player in (muster.public_id, "")]  # fmt: skip
    event = make_event("Cup", lists=[fesa])
    event.submissions.create(first_day=event.start, last_day=event.end, content={"rounds": 0, "rows": rows},
                             report={"first_error": [[1, None, "Muster Anna is unknown"]]})  # fmt: skip
    assert {name for name, _pk, _text in rows_naming("12345678")} == {"OutsideId", "Submission", "LogEntry"}
    with act_as(admin):
        erase_person(muster, reason="asked")
    assert rows_naming("12345678", "Muster") == []


def test_erasing_deletes_memberships_everywhere():
    fesa, admin = make_list(), make_user("boss", is_superuser=True)
    lines = [
        ParsedPlayer(number, name, "Anna", "DE", None, None, 1600, 40, member_until=dt.date(2026, 12, 31))
        for number, name in enumerate(("Muster", "Other"), 2)
    ]
    import_rating_list(ParsedList(None, tuple(lines)), fesa, Problems(), day=dt.date(2020, 1, 1), source="list.csv")
    muster, other = Player.objects.get(family_name="Muster"), Player.objects.get(family_name="Other")
    with act_as(admin):
        erase_person(muster, reason="asked")
    assert [row.player for row in FederationMembership.objects.all()] == [other]
    texts = [text for name, _pk, text in rows_naming("2026-12-31") if name == "LogEntry"]
    assert len(texts) == 1
    step = RecordedStep.objects.get(what="list imported")
    assert [row[1] for row in step.values["memberships"]] == [other.pk]

"""An erased player is in no row of the database and on no page; every field with text is searched for the name."""

import datetime as dt
import json
from pathlib import Path

import pytest
from auditlog.models import LogEntry
from django.apps import apps
from django.contrib.admin.models import LogEntry as AdminLogEntry
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.charts import card_pictures
from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.events.pairing_programs import store_pairing_page
from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.players.erased_rows import TEXTS
from ratings.domain.players.erasing import erase_person
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.domain.site.acting import act_as
from ratings.matching import fold
from ratings.models import (
    ApiKey,
    Checkpoint,
    EventEntry,
    FileBatch,
    FollowedChange,
    HallLink,
    HeldForm,
    OutgoingMail,
    OutsideId,
    Player,
    RatingList,
    Report,
    Spelling,
    Study,
    Submission,
    Upload,
    WebhookDelivery,
    WebhookSubscription,
)
from tests.domain.results.hall.halls import make_hall
from tests.factories import make_event, make_list, make_user
from tests.portal.players.test_visibility import crawl, named_everywhere, read_response
from tests.portal.results.way import CLEAN, paste, person

pytestmark = pytest.mark.django_db(transaction=True)

FAMILY, GIVEN, FORMER, TYPED = "van Wolkénstein", "O'Neill", "Silbermann", "Volkenstein"
MAIL, EGD_ID, OLD_ID, NATIVE = "cloud1971@mail.example", "18273645", "99118822", "オニール"
NAMES = {
    "wolkenstein", "silbermann", "volkenstein", "cloud1971", EGD_ID, OLD_ID, fold(NATIVE), "1971-05-01", "quillfeather",
}  # fmt: skip
"""Everything that identifies the person, folded; the last one is their user name."""
SAMPLE_FOLDER = Path(__file__).parents[2] / "formats" / "samples"
SAMPLES = {"macmahon/good.xml": "utf-8", "h9/good.h9": "latin-1", "tou/good.tou": "latin-1"}
"""Files of other programs, by their encoding, in which a player named van Beispiel, Jan is given the person's name."""
TEXT = f"{GIVEN} {FAMILY} ({MAIL}, EGD {EGD_ID}, {NATIVE}) was {FORMER}, {GIVEN}"
NO_TEXTS_OF_PEOPLE = {
    "public ids, numbers, codes, keys, digests": {
        "ratings": {
            "Approval": {"public_id", "grade", "sent_reference"}, "ApiKey": {"prefix", "digest", "scopes"}, "BatchFile": {"digest", "preview_key"},
            "Award": {"grade", "how"}, "Change": {"category", "category_after", "grade_before", "grade", "state"},
            "AnswerLink": {"token_digest", "code_digest"}, "Checkpoint": {"tree", "text", "signatures"},
            "Club": {"public_id"}, "Correction": {"path"}, "Decision": {"grade"}, "Event": {"public_id", "time_control"},
            "DatedLine": {"grade", "category", "revised_grade", "revised_category"}, "Adjustment": {"set"},
            "ErasedWord": {"digest"}, "EventEntry": {"batch", "key"}, "HallLink": {"key"}, "HallResult": {"device"}, "Heartbeat": {"name"},
            "HeldForm": {"key", "path"}, "LeafBlock": {"tree", "hashes", "root", "rows"}, "ListPlayer": {"prior_grade"},
            "ListStatistics": {"figures"}, "LogKey": {"name", "public", "private", "change"}, "Merge": {"moved"},
            "Notification": {"kind"}, "OutgoingFile": {"name", "content_type"}, "PairingSecret": {"prefix", "digest"},
            "Player": {"public_id"}, "Report": {"public_id"}, "RuleEffect": {"grade_present", "grade"},
            "RuleProposal": {"system", "options", "successor_slug", "successor_name", "figures"},
            "Run": {"biggest", "histogram", "grades"}, "Standing": {"grade", "waiting", "category"},
            "TableFacts": {"players"}, "Upload": {"format"}, "WebhookDelivery": {"message_id", "kind"},
            "WebhookSubscription": {"address", "kinds", "secret", "previous_secret", "claimed_by"},
            "WitnessedLog": {"log", "key", "text_hash", "note"},
        },
    },
    "deleted with the player, the account, the mail or the form": {
        "ratings": {
            "ApprovalStep": {"letter", "letter_name"}, "Claim": {"note", "answer"}, "EventEntry": {"family_name", "given_name", "email"},
            "HeldFile": {"field", "name", "content_type", "data"}, "HeldForm": {"fields"}, "OutgoingFile": {"data"},
            "OutgoingMail": {"recipients"}, "OutsideId": {"value"}, "FormerName": {"search_name", "family_name", "given_name"}, "Spelling": {"written"}, "Report": {"mail"},
            "Approval": {"letter", "letter_name"}, "Parcel": {"dossier", "certificate"},
        },
        "account": {"EmailAddress": {"email"}, "EmailConfirmation": {"key"}},
        "auth": {"User": {"password", "username", "first_name", "last_name", "email"}},
        "mfa": {"Authenticator": {"data"}}, "sessions": {"Session": {"session_key", "session_data"}},
        "usersessions": {"UserSession": {"ip", "session_key", "user_agent", "data"}},
    },
    "emptied or renamed": {
        "ratings": {"Player": {"search_name", "family_name", "given_name", "native_name"}, "Upload": {"data"}, "BatchFile": {"data"}},
    },
    "names of things, which the page of erasing shows to the officer": {
        "ratings": {
            "Club": {"search_name", "name", "city", "website"}, "Event": {"search_name", "name", "place", "link", "tie_breaks"},
            "Table": {"name"}, "RatingList": {"slug", "name", "options", "option_changes", "least_time", "tie_breaks", "approving_body",
            "approving_person", "approving_office", "approving_mail", "signer", "signer_office", "publish_on", "problem"},
            "Federation": {"slug", "name", "short_name", "description", "crest", "home", "contact", "rules", "privacy",
                           "imprint", "languages", "time_zone"}, "AnswerLink": {"office"}, "Approval": {"signer_office"},
        },
    },
    "written by the framework": {
        "admin": {"LogEntry": {"object_id"}}, "auditlog": {"LogEntry": {"object_pk", "cid", "remote_addr"}},
        "auth": {"Permission": {"name", "codename"}, "Group": {"name"}},
        "contenttypes": {"ContentType": {"app_label", "model"}},
    },
}  # fmt: skip
"""Fields that are not in TEXTS, by the reason why no name is left in them."""


def test_every_field_with_text_is_searched_or_has_a_reason():
    kinds = (
        models.CharField, models.TextField, models.JSONField, models.BinaryField, models.FileField,
        models.GenericIPAddressField,
    )  # fmt: skip
    actual = {
        (model._meta.app_label, model.__name__, field.name)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, kinds) and not field.choices and field.get_internal_type() != "CountryField"
    }
    searched = {(model._meta.app_label, model.__name__, name) for model, names in TEXTS for name in names}
    others = {
        (app, model, name)
        for by_app in NO_TEXTS_OF_PEOPLE.values()
        for app, by_model in by_app.items()
        for model, names in by_model.items()
        for name in names
    }
    assert actual - searched - others == set()
    assert others - actual == set()


def find_names():
    """Return the models and fields of the whole database in which something identifies the person."""
    found = set()
    for model in apps.get_models():
        for values in model._base_manager.values():  # noqa: SLF001 - deleted tables as well
            for field, value in values.items():
                text = fold(as_text(value))
                found |= {(model.__name__, field, name) for name in NAMES if name in text}
    return found


def as_text(value):
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode(errors="replace")
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return text.encode().decode("unicode_escape", errors="ignore") + text if "\\u" in text else text


def enter_results(client, player, fesa, organiser, officer):
    """Upload results that name the person in another spelling, return, accept, comment on and correct them."""
    event = make_event("Autumn Cup", "2024-05-04", [fesa], state="draft", place="Lyon", country="FR",
                       time_control="30min + 30sec", created_by=organiser, contact=TEXT, organiser=f"{GIVEN} {FAMILY}",
                       schedule=TEXT)  # fmt: skip
    client.force_login(organiser)
    paste(client, event, CLEAN.replace("[Adler][Zoë] FR", f"[{TYPED}][{GIVEN}] FR"))
    submission = event.submissions.get()
    for row in submission.content["rows"]:
        if row["family"] == TYPED:
            row |= {"player": player.public_id, "outside": {"egd": EGD_ID}, "typed": {"grade": TEXT}, "native": NATIVE}
    submission.save()
    submission.comments.create(row=1, text=TEXT, by=officer)
    event.steps.create(what="returned", note=TEXT, data={"before": submission.content}, by=officer)
    Spelling.objects.create(user=organiser, written=f"{TYPED} {GIVEN}", player=player)
    upload = submission.uploads.get()
    assert TYPED.encode() in bytes(upload.data)
    Upload.objects.create(event=event, name=f"{FAMILY} {GIVEN}.csv", format="csv", data=EGD_ID.encode())


def change_player(player, admin):
    """Give the player an earlier name, ids of other registries and an entry in both logs of changes."""
    with act_as(admin):
        player.family_name, name = FORMER, player.family_name
        save_player(player)
        player.family_name, player.country = name, "AT"
        save_player(player)
        OutsideId.objects.create(player=player, registry="fide", value=OLD_ID).delete()
        OutsideId.objects.create(player=player, registry="egd", value=EGD_ID, confirmed_at=timezone.now())
        player.former_names.create(family_name=FORMER, given_name=GIVEN, until=dt.date(2020, 1, 1))
    AdminLogEntry.objects.create(
        user=admin, action_flag=2, object_id=str(player.pk), object_repr=player.name,
        change_message=json.dumps([{"changed": {"name": "membership", "object": f"{player.name} – Club"}}]),
    )  # fmt: skip


def fill_all_texts(player, fesa, admin, mine):
    """Write the person's name wherever people or workers write texts."""
    with act_as(mine):
        claim = create_claim(player, mine, TEXT)
    with act_as(admin):
        answer_claim(claim, granted=True, answer=TEXT)
    player.refresh_from_db()
    event = make_event("Next Cup", "2999-01-01", [fesa], state="draft", announced_at=timezone.now())
    EventEntry.objects.create(event=event, player=player, email=MAIL, message=TEXT, state="confirmed", club=TEXT[:50])
    EventEntry.objects.create(
        event=event, family_name=GIVEN, given_name=FAMILY, message="My wife", state="confirmed", email=MAIL
    )
    Report.objects.create(player=player, text="born in May 1971", by=mine, mail=MAIL)
    Report.objects.create(event=event, text=TEXT, by=mine, mail=MAIL, answer=TEXT)
    OutgoingMail.objects.create(sender="portal@example.org", recipients=[MAIL], subject="Yours", body=TEXT)
    OutgoingMail.objects.create(
        sender="portal@example.org", recipients=["a@b.example", MAIL], subject=TEXT, body=TEXT, html=TEXT, error=TEXT
    )
    subscription = WebhookSubscription.objects.create(
        federation=fesa.federation, name=TEXT[:60], address="https://x.example/", kinds=["player hidden"]
    )
    WebhookDelivery.objects.create(subscription=subscription, kind="player hidden", data={"said": [TEXT]})
    FollowedChange.objects.create(user=admin, kind="rating", data={"said": TEXT})
    batch = FileBatch.objects.create(made_by=admin)
    batch.files.create(name=f"{FAMILY} {GIVEN}", data=b"", digest="1", head={TEXT: TEXT}, problems=[["error", 1, TEXT]],
                       report={"x": TEXT}, preview={"x": TEXT}, missing=[TEXT])  # fmt: skip
    batch.files.create(name="b", data=f"1 [{FAMILY.upper()}][{GIVEN}]".encode("utf-16"), digest="2")
    held = HeldForm.objects.create(user=admin, path="/", fields=[["row-1-family", FAMILY], ["row-1-given", GIVEN]])
    HeldForm.objects.create(user=admin, path="/other/", fields=[["x", "y"]])
    held.files.create(field="file", name="x", data=TEXT.encode())
    Study.objects.create(list=fesa, definition={"title": TEXT}, result={"rows": [TEXT]}, error=TEXT)
    ApiKey.objects.create(
        owner=admin, label=TEXT[:60], prefix="p", digest="d", scopes=["read"], expires_at=timezone.now()
    )
    pages = f"<tr><td>{FAMILY}</td><td>{GIVEN}</td></tr><tr><td>{FAMILY.replace(' ', '_')} {GIVEN[0]}.</td></tr>"
    store_pairing_page(event, "standings", 1, f"<table>{pages}<tr><td>{FORMER}</td></tr></table>")
    store_pairing_page(make_event("Other Cup", state="draft"), "pairings", 1, f"<table>{pages}</table>")
    for path, encoding in SAMPLES.items():
        text = (SAMPLE_FOLDER / path).read_bytes().decode(encoding)
        for blank in (" ", "_"):
            for family in (f"van{blank}Beispiel", f"VAN{blank}BEISPIEL"):
                text = text.replace(family, FAMILY.replace(" ", blank)).replace("Jan", GIVEN)
        assert FAMILY in text.replace("_", " ")
        Upload.objects.create(event=event, name=path, format="", data=text.encode(encoding))
    hall = make_hall()
    HallLink.objects.filter(hall=hall).update(label=f"{FAMILY} {GIVEN}", helpers=[f"{GIVEN} {FAMILY}"])


@pytest.fixture
def world(client, rate_all):
    """A player who is named in every place where a name can be, with the list, an administrator and the account."""
    fesa = make_list(publish_from=dt.date(2020, 1, 1))
    (player,) = named_everywhere(fesa, rate_all, FAMILY)
    Player.objects.filter(pk=player.pk).update(given_name=GIVEN)
    player.refresh_from_db()
    admin, organiser = make_user("admin", is_superuser=True), person("organiser", ORGANISERS)
    change_player(player, admin)
    fill_all_texts(player, fesa, admin, make_user("quillfeather", email=MAIL))
    enter_results(client, player, fesa, organiser, person("officer", OFFICERS))
    client.logout()
    rate_all()
    return player, fesa, admin


def test_erased_person_is_in_no_row_and_on_no_page(world, client, rate_all, monkeypatch):
    monkeypatch.setattr(card_pictures, "card_as_png", str.encode)  # to read the texts of cards
    player, fesa, admin = world
    fesa = RatingList.objects.get(pk=fesa.pk)
    digest, checkpoints = stored_digest(fesa), list(Checkpoint.objects.order_by("pk").values_list("text", flat=True))
    before = find_names()
    assert len({model for model, _field, _name in before}) >= 25
    assert {name for _model, _field, name in before} == NAMES
    client.get(player.get_absolute_url())
    with act_as(admin):
        erase_person(player, reason="letter of 1 May")
    # the second list rates by age: without the date its ratings would change
    assert find_names() == {("Player", "birth_date", "1971-05-01")}
    rate_all()
    fesa.refresh_from_db()
    assert (stored_digest(fesa), list(find_differences(fesa))) == (digest, [])
    texts = list(Checkpoint.objects.order_by("pk").values_list("text", flat=True))
    assert texts[: len(checkpoints)] == checkpoints
    assert not User.objects.filter(username="quillfeather").exists()
    mail = OutgoingMail.objects.get()
    assert (mail.recipients, FAMILY in mail.body, mail.body.startswith(f"Player {player.public_id}")) == (
        ["a@b.example"], False, True,
    )  # fmt: skip
    assert [bytes(upload.data) for upload in Upload.objects.filter(Q(name="(erased)") | Q(name__in=SAMPLES))] == [
        b""
    ] * 5
    assert [form.path for form in HeldForm.objects.all()] == ["/other/"]
    found = crawl(client) | {
        address: client.get(address)
        for address in (
            f"/api/v1/players/{player.public_id}/", "/api/v1/lists/fesa/standings/", "/api/v1/players/?search=wolken",
            "/search/?q=wolkenstein", "/search/suggest/?q=wolken", "/lists/fesa/history.json", "/lists/fesa/log/export.zip",
        )
    }  # fmt: skip
    texts = {address: fold(read_response(response)) for address, response in found.items()}
    searched = {"/search/?q=wolkenstein", "/search/suggest/?q=wolken"}  # they repeat the question
    assert [
        (address, name) for address, text in texts.items() for name in NAMES if name in text and address not in searched
    ] == []
    assert [address for address in searched if player.public_id.lower() in texts[address]] == []


def test_names_that_another_player_has_are_kept(world):
    player, _fesa, admin = world
    with act_as(admin):
        other = Player.objects.create(family_name=TYPED, given_name=GIVEN)
        erase_person(player, reason="letter of 1 May")
    other.refresh_from_db()
    assert other.name == f"{TYPED} {GIVEN}"
    assert any(TYPED.lower() in str(entry.changes).lower() for entry in LogEntry.objects.get_for_object(other))
    rows = [row["family"] for submission in Submission.objects.all() for row in submission.content["rows"]]
    assert TYPED not in rows

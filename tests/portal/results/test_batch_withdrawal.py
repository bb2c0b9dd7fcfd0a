"""All submitted events of a batch of files are withdrawn together, and submitted again."""

import pytest

from ratings.models import Event, EventStep, Submission

from .test_batches import SPRING, drop, get_batch, press
from .way import CLEAN, act, person

pytestmark = pytest.mark.django_db
WINTER = CLEAN.replace("Autumn Cup", "Winter Cup").replace("2024-05-04", "2024-01-06")
NONE_WAIT = "None of these events waits for an officer."


@pytest.fixture
def only_list(organiser, fesa):
    return fesa


@pytest.fixture
def batch(client, players, only_list):
    """A batch of three events, of which the later two are submitted."""
    drop(client, {"autumn.txt": CLEAN, "spring.txt": SPRING, "winter.txt": WINTER})
    batch = get_batch()
    submit(client, batch, "Spring Cup", "Autumn Cup")
    return batch


def submit(client, batch, *names):
    press(client, batch, "submit", event=[event.public_id for event in Event.objects.filter(name__in=names)])


def address(batch):
    return f"/organise/files/{batch.pk}/withdraw/"


def list_states():
    return {event.name: event.state for event in Event.objects.all()}


def list_rows(page):
    return [event.name for event, _version in page.context["rows"]]


def confirm(client, batch, page=None):
    """Send the form of the page as it is shown."""
    page = page or client.get(address(batch))
    versions = {f"version-{event.public_id}": version for event, version in page.context["rows"]}
    shown = [event.public_id for event, _version in page.context["rows"]]
    return client.post(address(batch), {"event": shown, **versions})


def test_submitted_events_are_withdrawn_together_and_submitted_again(client, batch):
    page = client.get(batch.get_absolute_url())
    assert ("2 events wait for an officer." in page.text, address(batch) in page.text) == (True, True)
    page = client.get(address(batch))
    assert (list_rows(page), page.context["others"]) == (["Spring Cup", "Autumn Cup"], [])
    assert "Winter Cup" not in page.text
    response = confirm(client, batch, page)
    assert response.url == batch.get_absolute_url()
    assert list_states() == {"Autumn Cup": "draft", "Spring Cup": "draft", "Winter Cup": "draft"}
    assert set(Submission.objects.values_list("state", flat=True)) == {"working"}
    page = client.get(batch.get_absolute_url())
    assert "2 events are withdrawn. They can be submitted again below." in page.text
    assert address(batch) not in page.text
    assert [(str(choice.event), choice.reason) for choice in page.context["choices"]] == [
        ("Winter Cup", ""),
        ("Spring Cup", ""),
        ("Autumn Cup", ""),
    ]
    submit(client, batch, "Spring Cup", "Autumn Cup")
    assert list_states() == {"Autumn Cup": "submitted", "Spring Cup": "submitted", "Winter Cup": "draft"}


def test_question_changes_nothing(client, batch):
    steps = EventStep.objects.count()
    client.get(address(batch))
    assert list_states() == {"Autumn Cup": "submitted", "Spring Cup": "submitted", "Winter Cup": "draft"}
    assert EventStep.objects.count() == steps


def test_accepted_events_are_named_and_stay(client, batch, officer):
    organiser = batch.made_by
    client.force_login(officer)
    act(client, Event.objects.get(name="Spring Cup"), "accept")
    client.force_login(organiser)
    page = client.get(address(batch))
    reason = "Already accepted. Only an officer can void it."
    assert list_rows(page) == ["Autumn Cup"]
    assert [(event.name, why) for event, why in page.context["others"]] == [("Spring Cup", reason)]
    assert confirm(client, batch, page).status_code == 302
    assert list_states() == {"Autumn Cup": "draft", "Spring Cup": "accepted", "Winter Cup": "draft"}


def test_event_accepted_since_the_page_was_shown_is_named(client, batch, officer):
    page = client.get(address(batch))
    client.force_login(officer)
    act(client, Event.objects.get(name="Spring Cup"), "accept")
    client.force_login(batch.made_by)
    response = confirm(client, batch, page)
    assert response.status_code == 422
    assert response.context["problems"] == ["Spring Cup: Already accepted. Only an officer can void it."]
    assert list_states() == {"Autumn Cup": "draft", "Spring Cup": "accepted", "Winter Cup": "draft"}


def test_event_changed_since_the_page_was_shown_stays_and_is_named(client, batch):
    page = client.get(address(batch))
    event = Event.objects.get(name="Spring Cup")
    act(client, event, "withdraw")
    submit(client, batch, "Spring Cup")
    response = confirm(client, batch, page)
    assert response.status_code == 422
    assert response.context["problems"][0].startswith("Spring Cup: Nothing was done: this event has been changed")
    assert list_states() == {"Autumn Cup": "draft", "Spring Cup": "submitted", "Winter Cup": "draft"}


def test_event_submitted_since_the_page_was_shown_is_not_withdrawn(client, batch):
    page = client.get(address(batch))
    submit(client, batch, "Winter Cup")
    confirm(client, batch, page)
    assert list_states() == {"Autumn Cup": "draft", "Spring Cup": "draft", "Winter Cup": "submitted"}


def test_withdrawing_twice_changes_nothing_the_second_time(client, batch):
    page = client.get(address(batch))
    confirm(client, batch, page)
    steps = EventStep.objects.count()
    assert confirm(client, batch, page).url == batch.get_absolute_url()
    assert NONE_WAIT in client.get(batch.get_absolute_url()).text
    assert EventStep.objects.count() == steps


def test_batch_without_submitted_events_says_so(client, players, only_list):
    drop(client, {"autumn.txt": CLEAN})
    page = client.get(address(get_batch()))
    assert (NONE_WAIT in page.text, list_rows(page)) == (True, [])
    assert "<button>Withdraw" not in page.text
    assert client.post(address(get_batch())).status_code == 422


def test_event_without_permission_is_listed(client, batch):
    event = Event.objects.get(name="Spring Cup")
    Event.objects.filter(pk=event.pk).update(created_by=person("other", "Organisers"))
    page = client.get(address(batch))
    assert list_rows(page) == ["Autumn Cup"]
    assert [(each.name, why) for each, why in page.context["others"]] == [
        ("Spring Cup", "You do not organise this event.")
    ]
    client.post(address(batch), {"event": [event.public_id]})
    assert list_states()["Spring Cup"] == "submitted"


def test_page_is_for_the_owner_of_the_batch(client, batch, officer):
    """An officer withdraws single events; a batch is seen by the person who uploaded it."""
    shown = [event.public_id for event in Event.objects.filter(state="submitted")]
    found = {}
    for name, user in {
        "officer": officer,
        "other": person("other", "Organisers"),
        "nobody": person("nobody", ""),
    }.items():
        client.force_login(user)
        found[name] = client.get(address(batch)).status_code, client.post(address(batch), {"event": shown}).status_code
    client.logout()
    assert found == {"officer": (404, 404), "other": (404, 404), "nobody": (403, 403)}
    assert client.get(address(batch)).url.startswith("/accounts/login/")
    client.post(address(batch), {"event": shown})
    assert list_states() == {"Autumn Cup": "submitted", "Spring Cup": "submitted", "Winter Cup": "draft"}


def test_unknown_batch_and_wrong_method_are_refused(client, batch):
    assert client.get("/organise/files/999999/withdraw/").status_code == 404
    assert client.delete(address(batch)).status_code == 405


def test_history_of_each_event_names_the_step(client, batch):
    confirm(client, batch)
    steps = EventStep.objects.filter(what=EventStep.What.WITHDRAWN)
    assert sorted(step.event.name for step in steps) == ["Autumn Cup", "Spring Cup"]
    assert {step.by for step in steps} == {batch.made_by}


def test_page_needs_the_same_queries_for_any_number_of_events(client, players, only_list, django_assert_num_queries):
    def make(number):
        texts = {
            f"{n}.txt": CLEAN.replace("Autumn", f"A{number}{n}").replace("2024-05-04", f"2024-{number:02}-{n:02}")
            for n in range(1, number + 1)
        }
        drop(client, texts)
        for n in range(1, number + 1):
            submit(client, get_batch(), f"A{number}{n} Cup")
        return address(get_batch())

    one, several = make(1), make(4)
    client.get(one)
    with django_assert_num_queries(10):
        client.get(one)
    with django_assert_num_queries(10):
        client.get(several)

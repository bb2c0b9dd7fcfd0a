"""Data of new players that a results file has beside their names."""

import datetime as dt

import pytest

from ratings.domain.results.accepting import accept
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.submissions import save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, Player
from tests.factories import make_event, make_list, make_user
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db

RIF = (SAMPLES / "rif" / "good.rif").read_bytes()
TRF = (SAMPLES / "trf" / "good-26.trf").read_bytes()


def accept_new_players(data, *, records_gender):
    """Accept a file of which all players are new; return their native names and genders by family name."""
    rating_list, user = make_list(), make_user("organiser", is_superuser=True)
    rating_list.federation.records_gender = records_gender
    rating_list.federation.save()
    event = make_event(
        "Spring Cup", "2026-03-07", [rating_list], state=Event.State.DRAFT, created_by=user, end="2026-03-08"
    )
    with act_as(user):
        found = read_results_file(data, Head("", event.start, event.end), dt.date(2026, 4, 1))
        file = ResultsFile("x", data, found.format, found.table, found.problems)
        submission, _is_new = create_submission_from_file(event, file)
        content = content_from_json(submission.content)
        for row in content.rows:
            row.new = True
        checked = save_submission(submission, content)
        content.confirmed = dict.fromkeys((finding.key for finding in checked.findings if finding.key), "ok")
        save_submission(submission, content)
        submit(event)
        accept(event)
    assert not Player.objects.filter(gender_public=True).exists()
    return {player.family_name: (player.native_name, player.gender) for player in Player.objects.all()}


def test_new_players_of_renjunet_have_their_name_in_their_own_script():
    data = RIF.decode().replace('surname="Muster" native_name=""', 'surname="Muster" native_name="山本 太一"').encode()
    others = {"van Beispiel": ("", ""), "Dupont": ("", "")}
    players = accept_new_players(data, records_gender=True)
    assert players == {**others, "Muster": ("山本 太一", "female"), "Novák": ("", "female")}


@pytest.mark.parametrize("records_gender", [True, False])
def test_gender_is_stored_where_a_federation_records_it(records_gender):
    genders = {"Muster": "female", "van Beispiel": "male", "Novák": "female", "Dupont": "male"}
    expected = {name: ("", gender if records_gender else "") for name, gender in genders.items()}
    assert accept_new_players(TRF, records_gender=records_gender) == expected

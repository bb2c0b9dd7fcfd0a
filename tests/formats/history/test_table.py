"""Crosstables of a history file: the ids of its players."""

import datetime as dt
import json

from ratings.formats.event_head import Head
from ratings.formats.history.table import read_history_table
from tests.formats.test_samples import SAMPLES

DAY = dt.date(2026, 3, 8)


def test_players_of_a_table_have_their_ids_by_registry_and_country():
    content = json.loads((SAMPLES / "history" / "good.json").read_text(encoding="utf-8-sig"))
    content["players"][0]["outside_ids"] = [
        {"registry": "egd", "value": "10000017"},
        {"registry": "national", "country": "FR", "value": "2600001"},
    ]
    table, _problems = read_history_table(json.dumps(content).encode(), Head("Cup", DAY, DAY), DAY)
    known = {row.family: row.outside for row in table.rows if row.outside}
    assert list(known.values()) == [{"egd": "10000017", "FR": "2600001"}]

import re
from collections import Counter

import pytest

from ratings.formats.check_catalogue import CHECKS

pytestmark = pytest.mark.django_db


def test_page_of_checks_describes_each_check_for_everybody(client):
    response = client.get("/rules/checks/")
    page = response.content.decode()
    assert response.status_code == 200
    assert [check.code for check in CHECKS if f'id="{check.code}"' not in page] == []
    assert f"pass {len(CHECKS)} checks" in page


def test_pages_of_rules_link_the_checks(client):
    assert 'href="/rules/checks/"' in client.get("/rules/").content.decode()


def test_findings_lead_to_their_check_and_not_to_a_section_of_the_page(client):
    page = client.get("/rules/checks/").content.decode()
    ids = Counter(re.findall(r'\bid="([^"]*)"', page))
    assert [id for id, number in ids.items() if number > 1] == []
    assert [check.code for check in CHECKS if f'<dt id="{check.code}">' not in page] == []

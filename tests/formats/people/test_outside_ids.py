"""Forms of the ids of players in other registries."""

from __future__ import annotations

from django_countries import countries

from ratings.formats.people.outside_ids import ISO_COUNTRIES


def test_national_federations_are_those_of_the_countries_of_the_site():
    assert set(dict(countries)) == ISO_COUNTRIES

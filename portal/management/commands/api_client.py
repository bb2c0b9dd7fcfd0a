"""Writes the Python client of the API, static/portal/ratings_client.py, from the API's document."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from portal.api.client_writer import CLIENT, write_client
from portal.api.site import api


class Command(BaseCommand):
    help = "Write static/portal/ratings_client.py, the Python client, after the API has changed."

    def handle(self, *args: Any, **options: Any) -> None:
        CLIENT.write_text(write_client(api.get_openapi_schema()), encoding="utf-8")
        self.stdout.write(f"{CLIENT}")

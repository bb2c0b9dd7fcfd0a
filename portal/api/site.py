"""The public API, version 1: its addresses, its errors, its description."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as RefusedError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder

from . import (
    calculator,
    events,
    lists,
    players,
    records,
    results,  # noqa: F401 - adds to the addresses of events
)
from .players import MergedError
from .problems import TYPE, FaultyError, problem
from .schemas import Fault, Problem

IN_PATHS = {
    "slug": "Slug of the list",
    "public_id": "Public id of the player or the event",
    "table": "Id of the table",
    "day": "Day of the list, as YYYY-MM-DD",
}
ALWAYS = ("400", "404", "405", "429")
BY_KEY = ("401", "403", "413")
DESCRIPTION = (
    "Rating lists, players, events, games, changes, promotions and corrections of this federation, to be read by"
    " programs without a key, and results to be given with one. Version 1 stays: fields may come, none goes or changes"
    " its meaning."
)


class Encoder(NinjaJSONEncoder):
    """Times to the microsecond: a run is not “since” its own end."""

    def default(self, o: Any) -> Any:
        return o.isoformat().replace("+00:00", "Z") if isinstance(o, dt.datetime) else super().default(o)


class InWords(JSONRenderer):
    """Names as they are, not as numbers of their letters."""

    encoder_class = Encoder
    json_dumps_params: Mapping[str, Any] = MappingProxyType({"ensure_ascii": False})


class PublicApi(NinjaAPI):
    """Tells in its description of the errors that every address shares."""

    def get_openapi_schema(self, **how: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**how)
        schemas = schema["components"].setdefault("schemas", {})
        parts = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        parts.pop("$defs")
        schemas |= {"Problem": parts, "Fault": Fault.model_json_schema()}
        answer = {"content": {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for operations in schema["paths"].values():
            for operation in operations.values():
                for parameter in operation["parameters"]:
                    parameter.pop("examples", None)  # its schema has them as a list; here OpenAPI wants a map
                    if parameter["in"] == "path":
                        parameter["description"] = IN_PATHS[parameter["name"]]
                statuses = [*ALWAYS, *(BY_KEY if operation.get("security") else ()), "422"]
                operation["responses"] |= {status: {"description": told(status), **answer} for status in statuses}
                operation["responses"] = {str(status): one for status, one in operation["responses"].items()}
        return schema

    def get_openapi_operation_id(self, operation: Any) -> str:
        return f"{operation.view_func.__module__.rpartition('.')[2]}_{operation.view_func.__name__}"


def told(status: str) -> str:
    return {"429": "Too many requests", "422": "A value is not what it has to be"}.get(status, "A problem")


api = PublicApi(
    title="Ratings", version="1", description=DESCRIPTION, urls_namespace="api", docs_url=None, renderer=InWords()
)
for router in (lists.router, records.router, calculator.router):
    api.add_router("/lists", router)
api.add_router("/players", players.router)
api.add_router("/events", events.router)


@api.exception_handler(Http404)
def absent(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, str(error))


@api.exception_handler(HttpError)
def refused(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem(error.status_code, "" if error.status_code == 401 else error.message)


@api.exception_handler(PermissionDenied)
def forbidden(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return problem(403)


@api.exception_handler(ValidationError)
def faulty(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem(422, errors={where(*one["loc"]): [one["msg"]] for one in error.errors})


def where(source: str, *parts: str | int) -> str:
    """A parameter or field as it is documented, without the argument of ours that holds it."""
    named = parts[1:] if source == "body" or len(parts) > 1 else parts
    return ".".join(map(str, named)) or source


@api.exception_handler(FaultyError)
def wrong(request: HttpRequest, error: FaultyError) -> HttpResponse:
    return problem(422, errors=error.errors)


@api.exception_handler(RefusedError)
def against_the_rules(request: HttpRequest, error: RefusedError) -> HttpResponse:
    return problem(422, " ".join(error.messages))


@api.exception_handler(MergedError)
def merged(request: HttpRequest, error: MergedError) -> HttpResponse:
    """A merge can be undone: the old address is not gone for ever."""
    return HttpResponseRedirect(request.get_full_path().replace(error.asked, error.into, 1))

"""The public API, version 1: its routers, error handlers and OpenAPI description."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps
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
    checkpoints,
    events,
    feeds,
    lists,
    lookup,
    pairing_programs,
    players,
    proposals,
    records,
    results,  # noqa: F401 - adds operations to the router of events
    rosters,  # noqa: F401 - adds an operation to the router of events
    webhooks,
)
from .players import MergedError
from .problems import CONTENT, InvalidValuesError, problem
from .schemas import Fault, Problem
from .webhook_messages import describe_messages

IN_PATHS = {
    "slug": "Slug of the list",
    "public_id": "Public id of the player or the event",
    "table": "Id of the table",
    "day": "Day of the list, as YYYY-MM-DD",
    "webhook": "Id of the webhook",
    "code": "Public id of the event",
    "number": "Number of the round",
    "checkpoint": "Number of the checkpoint in the log",
    "proposal": "Number of the proposal",
}
ALWAYS = ("400", "404", "405", "429")
BY_KEY = ("401", "403", "413")
DESCRIPTION = (
    "Programs can read rating lists, players, events, games, rating changes, promotions and corrections without a key,"
    " and upload results with one. Version 1 is stable: new fields may be added; existing ones keep their meaning."
)


class Encoder(NinjaJSONEncoder):
    """JSON encoder that writes times to the microsecond, so that “since” the end of a run excludes the run itself."""

    def default(self, o: Any) -> Any:
        return o.isoformat().replace("+00:00", "Z") if isinstance(o, dt.datetime) else super().default(o)


class UnicodeJSONRenderer(JSONRenderer):
    """JSON renderer that does not escape non-ASCII characters."""

    encoder_class = Encoder
    json_dumps_params: Mapping[str, Any] = MappingProxyType({"ensure_ascii": False})


class PublicApi(NinjaAPI):
    """API whose OpenAPI description includes the errors that all operations share."""

    def get_openapi_schema(self, **how: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**how)
        schemas = schema["components"].setdefault("schemas", {})
        parts = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        parts.pop("$defs")
        schemas |= {"Problem": parts, "Fault": Fault.model_json_schema()}
        schema["webhooks"], messages = describe_messages()
        schemas |= messages
        for operations in schema["paths"].values():
            for operation in operations.values():
                for parameter in operation["parameters"]:
                    parameter.pop("examples", None)  # its schema has them as a list; OpenAPI requires a map here
                    if parameter["in"] == "path":
                        parameter["description"] = IN_PATHS[parameter["name"]]
                statuses = [*ALWAYS, *(BY_KEY if operation.get("security") else ()), "422"]
                operation["responses"] |= {
                    status: {"description": status_description(status), "content": CONTENT} for status in statuses
                }
                if operation["tags"] == pairing_programs.router.tags:
                    describe_pairing_errors(operation["responses"])
                operation["responses"] = {str(status): response for status, response in operation["responses"].items()}
        return schema

    def get_openapi_operation_id(self, operation: Any) -> str:
        return f"{operation.view_func.__module__.rpartition('.')[2]}_{operation.view_func.__name__}"


def describe_pairing_errors(responses: dict[str, Any]) -> None:
    """Add the form in which pairing programs read errors to the descriptions of an operation's responses."""
    reply = {"application/json": {"schema": {"$ref": "#/components/schemas/PairingReply"}}}
    for status in ("401", "404", "413", "422"):
        responses[status] = {**responses[status], "content": responses[status]["content"] | reply}


def status_description(status: str) -> str:
    return {"429": "Too many requests", "422": "A value is not what it has to be"}.get(status, "A problem")


def refuse_unknown_parameters(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap an operation so that unknown query parameters are answered with 422 instead of being ignored."""
    operation: Any = getattr(run, "__self__")  # noqa: B009 - ninja passes the bound method
    parameters = {
        name
        for model in operation.models
        if model.__ninja_param_source__ == "query"
        for name in model.__ninja_flatten_map__
    }
    message = f"Unknown parameter; this address takes {', '.join(sorted(parameters)) or 'none'}."

    @wraps(run)
    def view(request: HttpRequest, **path: Any) -> HttpResponse:
        unknown = sorted(set(request.GET) - parameters)
        return problem(422, errors={name[:100]: [message] for name in unknown}) if unknown else run(request, **path)

    return view


api = PublicApi(
    title="Ratings",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    renderer=UnicodeJSONRenderer(),
)
api.add_decorator(refuse_unknown_parameters, mode="view")
for router in (lists.router, records.router, calculator.router, lookup.router, checkpoints.router, proposals.router):
    api.add_router("/lists", router)
for player_router in (players.router, checkpoints.player_router):
    api.add_router("/players", player_router)
api.add_router("/events", events.router)
api.add_router("/webhooks", webhooks.router)
api.add_router("/feeds", feeds.router)
api.add_router("/pairing", pairing_programs.router)
api.exception_handler(pairing_programs.PairingError)(pairing_programs.refuse_request)


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
    return problem(422, errors={field_path(*fault["loc"]): [fault["msg"]] for fault in error.errors})


def field_path(source: str, *parts: str | int) -> str:
    """Return the documented name of a parameter or field, without the view's argument that contains it."""
    named = parts[1:] if source == "body" or len(parts) > 1 else parts
    return ".".join(map(str, named)) or source


@api.exception_handler(InvalidValuesError)
def wrong(request: HttpRequest, error: InvalidValuesError) -> HttpResponse:
    return problem(422, errors=error.errors)


@api.exception_handler(RefusedError)
def against_the_rules(request: HttpRequest, error: RefusedError) -> HttpResponse:
    return problem(422, " ".join(error.messages))


@api.exception_handler(MergedError)
def merged(request: HttpRequest, error: MergedError) -> HttpResponse:
    """Redirect to the player merged into; not permanently, because a merge can be undone."""
    return HttpResponseRedirect(request.get_full_path().replace(error.asked, error.into, 1))

"""Writes the Python client of the API from its OpenAPI document."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Node = Mapping[str, Any]
TEMPLATE = Path(__file__).parent / "client_template.txt"
CLIENT = Path(__file__).parents[2] / "static/portal/ratings_client.py"
WIDTH = 118
PAGE = "Page_"
REFERENCE = "#/components/schemas/"
ROOT = "/api/v1/"
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
NAMES_OF_TYPES = {"list", "dict", "str", "int", "float", "bool"}
SENT = {"date": "dt.date | str", "date-time": "dt.datetime | str", "time": "dt.time | str"}
"""Types of arguments by the format of a string; replies contain the string itself."""
VERBS = {"Get", "Announce", "Upload"}
"""Verbs with which summaries of operations begin."""


def write_client(document: Node) -> str:
    """Return the source of the client for the operations of a document.

    Operations that need the secret of an event are left out: pairing programs have their own clients.
    """
    operations = list(_list_operations(document))
    replies = "\n\n".join(
        _write_reply(name, document["components"]["schemas"][name]) for name in _list_replies(document)
    )
    methods = "\n".join(_write_method(operation) for operation in operations)
    source = TEMPLATE.read_text(encoding="utf-8")
    if "NotRequired" not in replies:
        source = source.replace("NotRequired, ", "")
    return source.replace("{replies}\n", replies).replace("{operations}\n", methods)


class Operation(NamedTuple):
    """An operation of the document with the name of its method."""

    name: str
    method: str
    path: str
    details: Node
    document: Node


def _list_operations(document: Node) -> Iterator[Operation]:
    names: set[str] = set()
    for path, operations in document["paths"].items():
        for method, details in operations.items():
            if any("EventSecret" in key for key in details.get("security", ())):
                continue
            name = _name_method(path, names) if method == "get" else details["operationId"].partition("_")[2]
            names.add(name)
            yield Operation(name, method, path, details, document)


def _name_method(path: str, taken: Iterable[str]) -> str:
    """Return the name of the method that reads an address: get_list_standings for /lists/{slug}/standings.

    If it is taken, by the address above, the name of the last parameter is added.
    """
    parts = path.removeprefix(ROOT).split("/")
    following = [*parts[1:], ""]
    words = [
        part.removesuffix("s") if after.startswith("{") else part
        for part, after in zip(parts, following, strict=True)
        if not part.startswith("{")
    ]
    name = "_".join(["get", *words])
    return f"{name}_{parts[-1].strip('{}')}" if name in taken else name


def _list_replies(document: Node) -> list[str]:
    """Return the names of the schemas that occur in replies, errors and messages to webhooks, in their order."""
    wanted = {"Fault"}
    waiting: list[Any] = [operation.details["responses"] for operation in _list_operations(document)]
    waiting.append(document.get("webhooks", {}))
    schemas = document["components"]["schemas"]
    while waiting:
        found = set(re.findall(rf"'{REFERENCE}([^']+)'", repr(waiting.pop()))) - wanted - {"Problem"}
        wanted |= found
        waiting += [schemas[name] for name in found]
    return [name for name in schemas if name in wanted and not name.startswith(PAGE)]


def _write_reply(name: str, schema: Node) -> str:
    """Return the source of the type of a reply; fields named like a keyword or a type of Python become strings."""
    required = schema.get("required", ())
    fields = []
    for field, part in schema["properties"].items():
        kind = _find_type(part)
        fields.append((field, kind if field in required else f"NotRequired[{kind}]", _describe(part)))
    description = schema.get("description") or name
    if any(keyword.iskeyword(field) or field in NAMES_OF_TYPES for field, *_ in fields):
        lines = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
        for field, kind, text in fields:
            lines += [*_comment(text, 8), f'        "{field}": {_quote_names(kind)},']
        lines += ["    },", ")", *_docstring(description, 0)]
    else:
        lines = [f"class {name}(TypedDict):", *_docstring(description, 4), ""]
        for field, kind, text in fields:
            lines += [*_comment(text, 4), f"    {field}: {kind}"]
    return "\n".join([*lines, ""])


def _describe(part: Node) -> str:
    values = part.get("enum", ())
    words = [part.get("description", ""), f"one of {', '.join(map(str, values))}" if values else ""]
    return "; ".join(word for word in words if word)


def _comment(text: str, indent: int) -> list[str]:
    return [f"{' ' * indent}# {line}" for line in textwrap.wrap(text, WIDTH - indent - 2)]


def _docstring(text: str, indent: int) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - indent - 6)
    space = " " * indent
    if len(lines) == 1:
        return [f'{space}"""{lines[0]}"""']
    return [f'{space}"""{lines[0]}', *(f"{space}{line}" for line in lines[1:]), f'{space}"""']


def _quote_names(kind: str) -> str:
    """Return a type in quotes if it names another reply, which may be defined below."""
    return f'"{kind}"' if re.search(r"[A-Z]", kind.replace("Any", "").replace("None", "")) else kind


def _find_type(schema: Node, *, sent: bool = False) -> str:
    """Return the Python type of a value in a reply, or of an argument."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    if "anyOf" in schema:
        options = [_find_type(option, sent=sent) for option in schema["anyOf"]]
        return " | ".join(dict.fromkeys(options))
    if schema.get("type") == "array":
        return f"{'Sequence' if sent else 'list'}[{_find_type(schema['items'], sent=sent)}]"
    if schema.get("type") == "object":
        return "dict[str, Any]"
    if sent and schema.get("format") in SENT:
        return SENT[schema["format"]]
    return TYPES.get(schema.get("type", ""), "Any")


class Argument(NamedTuple):
    """An argument of a method: its name and type, whether it is required, and its description."""

    name: str
    kind: str
    required: bool
    text: str


def _list_arguments(operation: Operation, place: str) -> list[Argument]:
    """Return the arguments for the parameters in the path or query of an address, without the cursor of pages."""
    return [
        Argument(
            one["name"],
            _find_type(one["schema"], sent=True),
            one["required"],
            one.get("description") or _describe(one["schema"]),
        )
        for one in operation.details["parameters"]
        if one["in"] == place and one["name"] != "cursor"
    ]


def _list_fields(operation: Operation) -> tuple[list[Argument], bool]:
    """Return the arguments for the fields of a JSON body, and whether the body is a file instead."""
    content = operation.details.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return [], bool(content)
    name = content["application/json"]["schema"]["$ref"].removeprefix(REFERENCE)
    schema = operation.document["components"]["schemas"][name]
    fields = [
        Argument(field, _find_type(part, sent=True), field in schema.get("required", ()), _describe(part))
        for field, part in schema["properties"].items()
    ]
    return sorted(fields, key=lambda field: not field.required), False


def _write_method(operation: Operation) -> str:
    path, query = _list_arguments(operation, "path"), _list_arguments(operation, "query")
    fields, is_file = _list_fields(operation)
    named = [*query, *fields]
    success = next(reply for status, reply in operation.details["responses"].items() if status.startswith("2"))
    reply = _find_type(success["content"]["application/json"]["schema"])
    is_paged = reply.startswith(PAGE)
    if is_paged:
        reply = f"Iterator[{reply.removeprefix(PAGE).removesuffix('_')}]"
    lines = [f"    def {operation.name}(", "        self,"]
    lines += [f"        {one.name}: {one.kind}," for one in path]
    lines += ["        file: bytes,"] if is_file else []
    lines += ["        *,"] if named else []
    for one in named:
        kind = one.kind if one.required else f"{one.kind.removesuffix(' | None')} | None = None"
        lines.append(f"        {one.name}: {kind},")
    lines += [f"    ) -> {reply}:", *_write_docstring(operation, [*path, *named])]
    if fields:
        lines += ["        fields = {", *(f'            "{one.name}": {one.name},' for one in fields), "        }"]
    call = _write_call(operation, query, is_file=is_file, is_paged=is_paged)
    if is_paged:
        return "\n".join([*lines, f"        return {call}", ""])
    return "\n".join([*lines, f"        reply: {reply} = {call}", "        return reply", ""])


def _write_docstring(operation: Operation, arguments: Iterable[Argument]) -> list[str]:
    """Return the lines of a method's docstring: what the method does, and its arguments."""
    summary, description = operation.details["summary"], operation.details.get("description", "")
    if summary.partition(" ")[0] not in VERBS:
        summary = f"Return {summary[0].lower()}{summary[1:]}"
    lines = [f'        """{summary}.', ""]
    if description:
        lines += [*(f"        {line}" for line in textwrap.wrap(" ".join(description.split()), WIDTH - 8)), ""]
    for one in arguments:
        text = f"{one.name}: {one.text}" if one.text else one.name
        lines += [f"        {line}" for line in textwrap.wrap(f"- {text}", WIDTH - 8, subsequent_indent="  ")]
    while not lines[-1]:
        lines.pop()
    return [lines[0] + '"""'] if len(lines) == 1 else [*lines, '        """']


def _write_call(operation: Operation, query: Iterable[Argument], *, is_file: bool, is_paged: bool) -> str:
    """Return the expression of a method that sends the request, one value in each line."""
    path = re.sub(r"\{(\w+)\}", r"{_quote(\1)}", operation.path)
    prefix = "f" if "{" in path else ""
    values = [f'{prefix}"{path}"', _write_dict(query)]
    if operation.method == "get":
        function = "self._iterate" if is_paged else "self._get"
    else:
        function = "self._send"
        body = ["file", '"application/octet-stream"'] if is_file else ["_encode(fields)", '"application/json"']
        values = [f'"{operation.method.upper()}"', *values, *body]
    lines = "".join(f"            {value},\n" for value in values)
    return f"{function}(\n{lines}        )"


def _write_dict(arguments: Iterable[Argument]) -> str:
    pairs = [f'"{one.name}": {one.name}' for one in arguments]
    return f"{{{', '.join(pairs)}}}"

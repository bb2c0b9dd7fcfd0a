"""Comparison of two OpenAPI documents, which finds changes that break programs written for the old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Node = Mapping[str, Any]
LIMITS = {"maximum": 1, "maxLength": 1, "maxItems": 1, "minimum": -1, "minLength": -1, "minItems": -1}
"""Limits of values that are sent, with the direction in which they may move."""


def find_breaks(old: Node, new: Node) -> list[str]:
    """Return a line for each path, method, parameter, field or type of `old` that is missing or different in `new`.

    New paths, optional parameters, fields of replies and looser limits are compatible.
    """
    return list(_Comparison(old, new).compare_paths())


def _find_kind(part: Node) -> str:
    return str(part.get("format") or part.get("type") or "anything")


@dataclass(frozen=True)
class _Comparison:
    old: Node
    new: Node

    def compare_paths(self) -> Iterator[str]:
        for path, operations in self.old["paths"].items():
            for method, operation in operations.items():
                where = f"{method.upper()} {path}"
                found = self.new["paths"].get(path, {}).get(method)
                if found is None:
                    yield f"{where}: is missing"
                else:
                    yield from self.compare_operations(operation, found, where)

    def compare_operations(self, old: Node, new: Node, where: str) -> Iterator[str]:
        if new.get("security") and new["security"] != old.get("security"):
            yield f"{where}: needs another key than before"
        yield from self.compare_parameters(old, new, where)
        yield from self.compare_bodies(old.get("requestBody"), new.get("requestBody"), where)
        for status, reply in old["responses"].items():
            if status not in new["responses"]:
                yield f"{where}: status {status} is missing"
                continue
            here = f"{where} → {status}"
            yield from self.compare_contents(reply, new["responses"][status], here, is_sent=False)

    def compare_parameters(self, old: Node, new: Node, where: str) -> Iterator[str]:
        before = {(one["in"], one["name"]): one for one in old["parameters"]}
        after = {(one["in"], one["name"]): one for one in new["parameters"]}
        for (place, name), parameter in before.items():
            here = f"{where}: parameter {name}"
            if (place, name) not in after:
                yield f"{here} is missing"
                continue
            found = after[place, name]
            if found["required"] and not parameter["required"]:
                yield f"{here} is required now"
            yield from self.compare(parameter["schema"], found["schema"], here, is_sent=True)
        for (_place, name), parameter in after.items():
            if parameter["required"] and (_place, name) not in before:
                yield f"{where}: new parameter {name} is required"

    def compare_bodies(self, old: Node | None, new: Node | None, where: str) -> Iterator[str]:
        if new is None:
            return
        if old is None:
            if new.get("required"):
                yield f"{where}: a body is required now"
            return
        yield from self.compare_contents(old, new, f"{where}: body", is_sent=True)

    def compare_contents(self, old: Node, new: Node, where: str, *, is_sent: bool) -> Iterator[str]:
        for kind, content in old.get("content", {}).items():
            found = new.get("content", {}).get(kind)
            if found is None:
                yield f"{where}: content {kind} is missing"
            else:
                yield from self.compare(content["schema"], found["schema"], where, is_sent=is_sent)

    def compare(self, old: Node, new: Node, where: str, *, is_sent: bool) -> Iterator[str]:
        """Yield what differs between two schemas of values that programs send, or of values that they receive."""
        before, after = self.split(old, self.old), self.split(new, self.new)
        lost = before.keys() - after.keys() if is_sent else after.keys() - before.keys()
        if lost or not before.keys() & after.keys():
            yield f"{where}: the type was {' or '.join(sorted(before))}, and is {' or '.join(sorted(after))}"
        for kind in sorted(before.keys() & after.keys()):
            yield from self.compare_parts(before[kind], after[kind], where, is_sent=is_sent)

    def split(self, schema: Node, document: Node) -> dict[str, Node]:
        """Return the types that a schema allows, by their names."""
        if "$ref" in schema:
            return self.split(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
        if "anyOf" in schema:
            return {kind: part for option in schema["anyOf"] for kind, part in self.split(option, document).items()}
        return {_find_kind(schema): schema}

    def compare_parts(self, old: Node, new: Node, where: str, *, is_sent: bool) -> Iterator[str]:
        yield from _compare_values(old, new, where, is_sent=is_sent)
        if "items" in old:
            yield from self.compare(old["items"], new.get("items", {}), f"{where}[]", is_sent=is_sent)
        for name, field in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                yield f"{where}.{name}: is missing"
            else:
                yield from self.compare(field, new["properties"][name], f"{where}.{name}", is_sent=is_sent)
        required = {True: set(new.get("required", ())), False: set(old.get("required", ()))}[is_sent]
        optional = required - set((old if is_sent else new).get("required", ()))
        for name in sorted(optional & new.get("properties", {}).keys()):
            yield f"{where}.{name}: is {'required now' if is_sent else 'not always there'}"


def _compare_values(old: Node, new: Node, where: str, *, is_sent: bool) -> Iterator[str]:
    """Yield the values and limits that changed: accepted ones may be added, those of replies may be removed."""
    before, after = set(old.get("enum", ())), set(new.get("enum", ()))
    if before and after and (changed := before - after if is_sent else after - before):
        yield f"{where}: {'no longer accepts' if is_sent else 'may now be'} {', '.join(sorted(changed))}"
    if not before and after and is_sent:
        yield f"{where}: accepts only {', '.join(sorted(after))}"
    if before and not after and not is_sent:
        yield f"{where}: was one of {', '.join(sorted(before))}"
    if not is_sent:
        return
    if new.get("pattern") is not None and new["pattern"] != old.get("pattern"):
        yield f"{where}: the pattern was {old.get('pattern')}, and is {new['pattern']}"
    for name, direction in LIMITS.items():
        if name in new and (name not in old or direction * (new[name] - old[name]) < 0):
            yield f"{where}: {name} was {old.get(name)}, and is {new[name]}"

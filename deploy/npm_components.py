#!/usr/bin/env python3
"""Program that adds the npm packages which the site serves to the list of components of `make sbom`.

Usage: npm_components.py FILE. `cyclonedx-py` writes the Python packages into the file before.
"""

import base64
import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

LOCK = Path(__file__).resolve().parent.parent / "package-lock.json"
FREE_TEXT = ("SEE LICENSE", "UNLICENSED")
"""Beginnings of what npm has instead of an SPDX expression."""


def describe_package(path: str, package: dict[str, Any]) -> dict[str, Any]:
    """Return a package of the lock file as a component of CycloneDX."""
    name, version, text = path.rpartition("node_modules/")[2], package["version"], package["license"]
    algorithm, _, digest = package["integrity"].partition("-")
    address = f"pkg:npm/{quote(name)}@{version}"
    return {
        "bom-ref": address,
        "type": "library",
        "name": name,
        "version": version,
        "purl": address,
        "licenses": [{"license": {"name": text}} if text.startswith(FREE_TEXT) else {"expression": text}],
        "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": base64.b64decode(digest).hex()}],
    }


def add_packages(components: dict[str, Any], lock: dict[str, Any]) -> None:
    """Add all packages of a lock file to a list of components."""
    added = [describe_package(path, package) for path, package in lock["packages"].items() if path]
    components["components"] = components.get("components", []) + added
    components["dependencies"] = components.get("dependencies", []) + [{"ref": each["bom-ref"]} for each in added]


if __name__ == "__main__":
    path = Path(sys.argv[1])
    components = json.loads(path.read_text())
    add_packages(components, json.loads(LOCK.read_text()))
    path.write_text(json.dumps(components, indent=2) + "\n")

"""The software bill of materials, in SPDX 2.3 (JSON)."""

import datetime
import json
import os
import re

from archive import sha256
from program import LICENCES, packages, swift


def write(program, folder):
    """Writes what the program contains and what it loads, and returns the file."""
    document = Document(program)
    for package in packages():
        address = package["location"].removeprefix("https://")
        document.add(
            package["name"], package["version"], LICENCES["packages"][package["name"]], "STATIC_LINK",
            location=f"git+{package['location']}@{package['revision']}", purl=f"pkg:swift/{address}@{package['version']}",
        )
    document.add(
        "swift", swift()[0], "Apache-2.0 WITH Swift-exception", "STATIC_LINK", location="git+https://github.com/swiftlang/swift",
        purl=f"pkg:github/swiftlang/swift@swift-{swift()[0]}-RELEASE",
    )
    for part, (whole, licence) in LICENCES["parts"].items():
        document.add(part, None, licence, "CONTAINS", of=whole)
    for library in program.libraries:
        name, version = library.package or (None, None)
        purl = f"pkg:deb/debian/{name.split(':')[0]}@{version}" if name else None
        document.add(library.name, version, library.licence, "DYNAMIC_LINK", purl=purl)
    for library, (package, licence) in LICENCES["optional"].items():
        document.add_optional(library, licence, f"pkg:deb/debian/{package}")
    file = folder / f"footbridge-{program.version}-{program.platform}.spdx.json"
    file.write_text(json.dumps(document.content, indent=2) + "\n")
    return file


class Document:
    def __init__(self, program):
        created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
        digest = sha256(program.path)
        self.content = {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"footbridge-{program.version}-{program.platform}",
            # Each program has its own document.
            "documentNamespace": f"https://footbridge.invalid/spdx/{program.version}/{digest}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: footbridge-packaging"]},
            "packages": [],
            "relationships": [],
        }
        root = self._package("footbridge", program.version, "Apache-2.0")
        root["primaryPackagePurpose"] = "APPLICATION"
        root["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
        self._relate("SPDXRef-DOCUMENT", "DESCRIBES", root["SPDXID"])

    def add(self, name, version, licence, relationship, *, of="footbridge", location="NOASSERTION", purl=None):
        """Adds a component, and its relationship to another one."""
        package = self._package(name, version, licence, location, purl)
        self._relate(identifier(of), relationship, package["SPDXID"])

    def add_optional(self, name, licence, purl):
        """Adds a library that the program loads if it is there. Its version is that of the system on which the program runs."""
        self._relate(self._package(name, None, licence, purl=purl)["SPDXID"], "OPTIONAL_DEPENDENCY_OF", identifier("footbridge"))

    def _package(self, name, version, licence, location="NOASSERTION", purl=None):
        package = {
            "SPDXID": identifier(name),
            "name": name,
            "downloadLocation": location,
            "filesAnalyzed": False,
            "licenseConcluded": licence,
            "licenseDeclared": licence,
            "copyrightText": "NOASSERTION",
        }
        if version:
            package["versionInfo"] = version
        if purl:
            reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
            package["externalRefs"] = [reference]
        self.content["packages"].append(package)
        return package

    def _relate(self, subject, relationship, other):
        entry = {"spdxElementId": subject, "relationshipType": relationship, "relatedSpdxElement": other}
        self.content["relationships"].append(entry)


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)

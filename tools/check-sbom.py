"""Checks an SBOM made by tools/make-sbom: SPDX 2.3's required members, its references, and the version and checksum of the file.

Usage: check-sbom.py SBOM FILE, for convert-server or libconvert.so
"""

import ctypes
import hashlib
import json
import pathlib
import subprocess
import sys

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
expected = hashlib.sha256(pathlib.Path(sys.argv[2]).read_bytes()).hexdigest()
needed = ["swift-runtime", "libstdcxx", "glibc"]
if sys.argv[2].endswith(".so"):
    convert_version = ctypes.CDLL(sys.argv[2]).convert_version
    convert_version.restype = ctypes.c_char_p
    version = convert_version().decode()
else:
    version = subprocess.run([sys.argv[2], "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    needed.append("zlib")
errors = []

for member in ["spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships"]:
    if member not in document:
        errors.append(f"there is no {member}")
if document["spdxVersion"] != "SPDX-2.3" or document["dataLicense"] != "CC0-1.0":
    errors.append("this is not SPDX 2.3")

identifiers = ["SPDXRef-DOCUMENT"]
for package in document["packages"]:
    identifiers.append(package["SPDXID"])
    for member in ["name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"]:
        if not package.get(member):
            errors.append(f"{package['SPDXID']} has no {member}")
if len(set(identifiers)) != len(identifiers):
    errors.append("an identifier is used twice")
for relation in document["relationships"]:
    if {relation["spdxElementId"], relation["relatedSpdxElement"]} - set(identifiers):
        errors.append(f"nothing has the identifiers of {relation}")
for name in needed:
    if f"SPDXRef-{name}" not in identifiers:
        errors.append(f"{name} is missing")
if document["packages"][0]["versionInfo"] != version:
    errors.append(f"the version is {version}, not {document['packages'][0]['versionInfo']}")
checksum = document["packages"][0]["checksums"][0]["checksumValue"]
if checksum != expected:
    errors.append(f"the checksum is {expected}, not {checksum}")

print("\n".join(errors), end="\n" if errors else "")
sys.exit(1 if errors else 0)

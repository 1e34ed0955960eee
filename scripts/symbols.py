"""Writes the public symbols of a module as symbol graphs.

usage: symbols.py MODULE FOLDER        (behind `swift build`: it reads the modules in .build/debug)
"""

import json
import os
import pathlib
import re
import subprocess
import sys

# (See scripts/swift.sh.)
BUILD = pathlib.Path(".build-traits" if "APOLLO_TRAITS" in os.environ else ".build")
MODULES = BUILD / "debug/Modules"
SOURCES = pathlib.Path("Sources")
EXPORTED = re.compile(r"^\s*@_exported (?:public )?import (\w+)", re.MULTILINE)


def target_triple():
    info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout)
    return info["target"]["triple"]


def sdk_options():
    maps = [*BUILD.glob("checkouts/*/Sources/*/include/module.modulemap"),
            *BUILD.glob("checkouts/*/Sources/*/module.modulemap"), *BUILD.glob("debug/*.build/module.modulemap")]
    return [option for path in maps for option in ("-Xcc", f"-fmodule-map-file={path}")]


def parts(module):
    """The modules that this one exports, and that have no documentation of their own: to apps they are one module."""
    return [name for name in exported_modules(module)
            if (SOURCES / name).exists() and not (SOURCES / name / f"{name}.docc").exists()]


def extract(module, folder, *options):
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-target", target_triple(), "-I", str(MODULES),
         "-minimum-access-level", "public", "-output-dir", folder, *options,
         f"-experimental-allowed-reexported-modules={','.join(parts(module))}", *sdk_options()],
        check=True, capture_output=True)


def exported_modules(target):
    folder = SOURCES / target
    return sorted({name for file in folder.rglob("*.swift") for name in EXPORTED.findall(file.read_text())})


if __name__ == "__main__":
    extract(sys.argv[1], sys.argv[2], "-emit-extension-block-symbols")

"""Compares the names of Foundation that are used, and that do not say since when Apple has them, with a table.

Half of Foundation for Linux is swift-foundation, whose declarations have the versions of Apple's systems, so that the
compiler checks them. The other half has none: URLSession, NotificationCenter, FileHandle, … and Dispatch. The table
`foundation-symbols.tsv` has the versions for each of these that is used, and here it is compared with

- what is used, by the compiler's index of the sources: a name that is not in the table is reported at its place, and so
  is a line of the table for a name that is not used any more;
- the minimums that the package declares: a version above them is reported, unless the file is checked by hand and the
  line of the table says so.

What is without versions is read from the modules themselves (`swift-symbolgraph-extract`).

It does not see functions of C, signatures that differ from Apple's, names that are used without being written (a
conformance, a conversion), and whether the versions in the table are right: they are from Apple's documentation, as far
as it could be read, and from memory. Overloads with the same labels share a line.
"""

import json
import pathlib
import shutil
import subprocess
import time

from index_store import IndexStore
from library import MINIMUMS

TABLE = pathlib.Path(__file__).parent / "foundation-symbols.tsv"
MODULES = ["Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization", "Dispatch",
           "FoundationOfApple", "Network"]


def run(check, say):
    """Gives the number of problems."""
    begin, problems = time.monotonic(), []
    table, used = read_table(), uses(check, problems)
    known = {name for name in table}
    for name in sorted(set(used) - known):
        for system, place in sorted(used[name]):
            problems.append(f"{place}: {name} does not say since when {system} has it. Add it to {TABLE.name}")
            break
    if check.is_whole:
        problems += [f"{TABLE.name}: {name} is not used any more" for name in sorted(known - set(used))]
    for name, versions in table.items():
        for system, place in sorted(used.get(name, [])):
            if newer(versions[system], MINIMUMS[system]):
                problems.append(f"{place}: {name} needs {system} {versions[system]} ({TABLE.name})")
                break
    for problem in problems:
        say(problem)
    say(f"{len(used)} names of Foundation without versions are used, {len(problems)} problems", time.monotonic() - begin)
    return len(problems)


def newer(version, minimum):
    return version == "–" or [int(part) for part in version.split(".")] > [int(part) for part in minimum.split(".")]


def read_table():
    """{name: {system: version}}"""
    lines = [line.split("\t") for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return {line[0]: dict(zip(MINIMUMS, line[1:])) for line in lines}


def uses(check, unread):
    """{name: {(system, place)}} for the names without versions. Modules that cannot be read are put into `unread`."""
    found = {}
    targets = [target for target in check.targets if target.group in ("Sources", "Plugins")]
    for system in check.systems if check.is_whole else check.systems[:1]:
        if system.name not in ("macOS", "iOS", "tvOS"):
            continue
        for name, places in names_used(check, system, targets, unread).items():
            found.setdefault(name, set()).update((system.name, place) for place in places)
    return found


def names_used(check, system, targets, unread, more=()):
    """{name: {place}} for the names without versions that targets use on a system, with more files than theirs."""
    compiler, library = check.compilers[system], check.libraries[system]
    store = library.folder / "index"
    shutil.rmtree(store, ignore_errors=True)
    targets = [target for target in targets if target.version(system)]

    def index(target):
        return compiler.index(target, target.version(system), [*check.sources[target], *more], store)

    for target, is_read in zip(targets, check.pool.map(index, targets)):
        if not is_read:
            unread.append(f"{target.name}: what it uses on {system.name} could not be read")
    names, found = without_versions(check, library), {}
    for file, line, identifier in IndexStore(check.toolchain, store).uses():
        if identifier in names:
            found.setdefault(names[identifier], set()).add(f"{compiler.original(file)}:{line}")
    return found


def without_versions(check, library):
    """{identifier: name} for the declarations of the modules that have no versions."""
    folder, names = library.folder / "symbols", {}
    tool = check.toolchain.compiler.parent / "swift-symbolgraph-extract"
    if not folder.exists():
        folder.mkdir()
        for module in MODULES:
            flags = library.flags(MINIMUMS[library.system.name])
            flags = [flag for flag in flags if flag != "-enable-objc-interop"]
            at = flags.index("-plugin-path")
            subprocess.run([str(tool), "-module-name", module, "-minimum-access-level", "public", "-output-dir",
                            str(folder), *flags[:at], *flags[at + 2:]], check=True, capture_output=True)
    for file in folder.glob("*.symbols.json"):
        for symbol in json.loads(file.read_text())["symbols"]:
            if not any(entry.get("domain") in ("macOS", "iOS") for entry in symbol.get("availability", [])):
                names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    return names

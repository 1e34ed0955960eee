"""Compares what Package.swift declares with the sources and with README.

usage: swift package dump-package | check-package.py

- Imports. The compiler finds every module that was built before, declared or not, so an import that is not declared compiles
  or not as the order of the build has it.
- Dependencies of the library that no file imports.
- Products, which README lists with what they are for.
- The version, which README and the pages in Docs say to depend on.
"""

import json
import pathlib
import re
import sys

# Modules of the compiler and of the systems.
SYSTEM = {
    "Android", "Combine", "Darwin", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Musl", "Network", "Observation",
    "PackagePlugin", "Swift", "SwiftUI", "Testing", "WinSDK", "XCTest", "XcodeProjectPlugin", "os",
}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |private |fileprivate )?"
    r"import (?:struct |class |enum |protocol |func |typealias |var |let )?(\w+)", re.MULTILINE)
LONG_TEXT = re.compile(r'""".*?"""', re.DOTALL)


def folder(target):
    if target.get("path"):
        return pathlib.Path(target["path"])
    return pathlib.Path({"test": "Tests", "plugin": "Plugins"}.get(target["type"], "Sources")) / target["name"]


def declared(target):
    kinds = ("byName", "target", "product")
    return {next(dependency[kind][0] for kind in kinds if kind in dependency) for dependency in target["dependencies"]}


def imported(target):
    excluded = [folder(target) / path for path in target.get("exclude", [])]
    found = {}
    for file in sorted(folder(target).rglob("*.swift")):
        # The code of a tutorial is shown, and not compiled here.
        if any(part.endswith(".docc") for part in file.parts):
            continue
        if not any(file.is_relative_to(path) for path in excluded):
            for match in IMPORT.finditer(LONG_TEXT.sub("", file.read_text())):
                found.setdefault(match.group(1), file)
    return found


package = json.load(sys.stdin)
problems = []

for target in package["targets"]:
    dependencies, imports = declared(target), imported(target)
    for module, file in imports.items():
        names = {module, module.replace("_", "-")}
        if not names & (dependencies | SYSTEM | {target["name"]}):
            problems.append(f"{file}: imports {module}, which {target['name']} does not declare as a dependency")
    if folder(target).parts[0] == "Sources":
        for name in sorted(dependencies):
            if name.replace("-", "_") not in imports:
                problems.append(f"Package.swift: {target['name']} declares {name}, and imports it nowhere")

readme = pathlib.Path("README.md").read_text()
table = readme.split("## Products")[1].split("\n## ")[0]
listed = re.findall(r"^\| `([\w-]+)`", table, re.MULTILINE)
products = [product["name"] for product in package["products"]]
for name in sorted(set(products) ^ set(listed)):
    place = "Package.swift" if name in products else "the table of products in README.md"
    problems.append(f"{name}: it is only in {place}")

version = re.search(r'"([^"]+)"', pathlib.Path("Sources/ApolloVersion/ApolloVersion.swift").read_text()).group(1)
for page in [pathlib.Path("README.md"), *pathlib.Path("Docs").glob("*.md")]:
    for other in re.findall(r'apollo-swift", from: "([^"]+)"', page.read_text()):
        if other != version:
            problems.append(f"{page}: depends on {other}; the version is {version}")

for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)

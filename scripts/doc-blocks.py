"""Turns the code blocks of Docs/*.md and of all DocC articles into sources that a build can check.

usage: doc-blocks.py OUTPUT

OUTPUT receives a Swift file for each page that has Swift, with its blocks in one function, and in `Manifests` a
Package.swift for each block that is one. Blocks with AsyncHTTPSession are there with APOLLO_TRAITS=1 only (scripts/traits.sh).
"""

import os
import pathlib
import re
import shutil
import sys

# Blocks that are not compiled, by page and first line, with the reason.
SKIPPED = {
    ("Docs/requests.md", "import Apollo"): "Combine is there on Apple's systems only",
    ("Docs/subscriptions.md", "// Apple's systems: one delegate for HTTP and the WebSocket."): "Security is there on Apple's systems only",
    ("Docs/swiftui.md", "import SwiftUI"): "SwiftUI is there on Apple's systems only",
    ("Docs/sqlite.md", "import Crypto"): "swift-crypto is the app's choice",
    ("Sources/ApolloTestSupport/ApolloTestSupport.docc/MockingModels.md", "import Apollo"): "it is a test with a module of mocks",
}
# What a page without imports has imported.
IMPORTS = {
    "Apollo": "",
    "ApolloSQLite": "SQLite",
    "ApolloAsyncHTTP": "AsyncHTTPSession",
    "ApolloWebSocket": "[wW]ebSocket",
    "Foundation": "",
}
OUTER = re.compile(r"^(extension|protocol)\b", re.M)

HAS_EVERY_TRAIT = "APOLLO_TRAITS" in os.environ

output = pathlib.Path(sys.argv[1])
shutil.rmtree(output / "Manifests", ignore_errors=True)
pages = sorted([*pathlib.Path("Docs").glob("*.md"), *pathlib.Path("Sources").glob("*/*.docc/*.md")])
count, behind_traits, manifests, skipped, files = 0, 0, [], set(), {}
for page in pages:
    # (scripts/guides.py makes a file of what has a path.)
    blocks = re.findall(r"^```swift\n(?!// Sources/)(.*?)^```", page.read_text(), re.M | re.S)
    imports, outer, body, known, depth = set(), [], [], set(), 0
    for block in blocks:
        first = block.splitlines()[0]
        if (str(page), first) in SKIPPED:
            skipped.add((str(page), first))
            continue
        if not HAS_EVERY_TRAIT and re.search(r"AsyncHTTP(Session|Client)\b", block):
            behind_traits += 1
            continue
        count += 1
        if first.startswith("// swift-tools-version"):
            manifests.append(block)
            continue
        if first.startswith("."):
            # A line of a manifest.
            package = first if first.startswith(".package") else '.package(path: "apollo-swift")'
            products = first if first.startswith(".product") else ""
            manifests.append(
                "// swift-tools-version: 6.2\nimport PackageDescription\n"
                f'let package = Package(name: "A", dependencies: [{package}],\n'
                f'  targets: [.target(name: "A", dependencies: [{products}])])\n'
            )
            continue
        block = block.replace("…", "")
        imports.update(re.findall(r"^import (\w+)$", block, re.M))
        block = re.sub(r"^import \w+\n", "", block, flags=re.M).strip("\n")
        if OUTER.search(block):
            outer.append(block)
            continue
        # What a block makes is known to those behind it, until another block makes it anew.
        names = set(re.findall(r"^(?:let|var|struct|final class|class|enum|func) (\w+)", block, re.M))
        if names & known:
            body.append("do {")
            depth += 1
            known = set()
        known |= names
        body.append(block)
    if not body and not outer:
        continue
    text = "\n".join(body + outer)
    if not imports & {name for name in IMPORTS if name.startswith("Apollo")} and not any("GraphQL" in name for name in imports):
        imports |= {name for name, pattern in IMPORTS.items() if re.search(pattern, text)}
    if "Data(" in text or "URL(" in text or "Date(" in text:
        imports.add("Foundation")
    name = re.sub(r"\W", "", page.stem)
    files[f"{name}.swift"] = (
        f"// {page}\n"
        + "".join(f"import {name}\n" for name in sorted(imports))
        + "\n".join(outer)
        + f"\n@MainActor func page{name}() async throws {{\n"
        + "\n".join(body)
        + "\n}" * depth
        + "\n}\n"
    )
if unused := set(SKIPPED) - skipped:
    sys.exit(f"doc-blocks: there is no such block any more: {unused}")

output.mkdir(parents=True, exist_ok=True)
for old in output.glob("*.swift"):
    if old.name not in files:
        old.unlink()
for name, text in files.items():
    path = output / name
    # A build without changes has nothing to do.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
for number, text in enumerate(manifests):
    folder = output / "Manifests" / str(number)
    folder.mkdir(parents=True)
    (folder / "Package.swift").write_text(text)
print(f"documentation: {count} blocks of Swift in {len(pages)} pages, {len(manifests)} of them manifests; not compiled:")
for (page, first), reason in SKIPPED.items():
    print(f"  {page}, {first}: {reason}")
if behind_traits:
    print(f"  {behind_traits} blocks with AsyncHTTPSession: scripts/traits.sh compiles them")

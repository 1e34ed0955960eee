"""Turns each page with a whole program into the target that it describes, so that a build compiles it file by file.

usage: guides.py SOURCES TESTS MANIFESTS

In Docs/Guides a block has the path of its file behind the language, as in ```swift Sources/MyApp/MyApp.swift. In a DocC
article the path is a comment in the first line of the block. Files in `Sources` go to SOURCES/Guide<Page>, those in `Tests`
to TESTS/Guide<Page>Tests, and Package.swift to MANIFESTS. A page without a schema has that of the Star Wars example. The page
about AsyncHTTPSession is there with APOLLO_TRAITS=1 only (scripts/traits.sh).
"""

import os
import pathlib
import re
import shutil
import sys

sources, tests, manifests = (pathlib.Path(argument) for argument in sys.argv[1:])
example = pathlib.Path("Examples/StarWars/Sources/StarWars")
wanted = {}


def add(path, text):
    if path in wanted:
        sys.exit(f"guides: {path} is there twice")
    wanted[path] = text


count = 0
articles = sorted(pathlib.Path("Sources").glob("*/*.docc/*.md"))
for page in [*sorted(pathlib.Path("Docs/Guides").glob("*.md")), *articles]:
    module = "Guide" + page.stem.capitalize()
    text = page.read_text()
    if page in articles:
        blocks = re.findall(r"^```(?:swift|graphql)\n(?://|#) (Sources/\S+)\n(.*?)^```", text, re.M | re.S)
    else:
        blocks = re.findall(r"^```(?:swift|graphql)(?: (\S+))?\n(.*?)^```", text, re.M | re.S)
    names = [name for name, _ in blocks]
    if "" in names:
        sys.exit(f"guides: a block of {page} does not say which file it is")
    if not blocks:
        continue
    if "import ApolloAsyncHTTP" in text and "APOLLO_TRAITS" not in os.environ:
        print(f"guides: without {page}, which scripts/traits.sh compiles")
        continue
    if any(name.endswith("main.swift") for name in names):
        sys.exit(f"guides: {page} has a main.swift, where calls without a handler are not those with async")
    count += 1
    for name, text in blocks:
        path = pathlib.Path(name)
        text = text.replace("import MyApp\n", f"import {module}\n")
        if name == "Package.swift":
            add(manifests / page.stem / name, text)
        elif path.parts[0] == "Tests":
            add(tests / (module + "Tests") / path.name, text)
        else:
            add(sources / module / path.name, text)
    for name in ["schema.graphqls", "extensions.graphqls"]:
        if not any(name.endswith("/schema.graphqls") for name in names):
            add(sources / module / name, (example / name).read_text())

for folder in [sources, tests]:
    for old in folder.rglob("*"):
        if old.is_file() and old not in wanted:
            old.unlink()
    for old in folder.glob("*"):
        if not any(path.is_relative_to(old) for path in wanted):
            shutil.rmtree(old)
for path, text in wanted.items():
    path.parent.mkdir(parents=True, exist_ok=True)
    # A build without changes has nothing to do.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
print(f"guides: {len(wanted)} files in {count} pages")

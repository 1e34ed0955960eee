"""Writes the public declarations of each library into API/PRODUCT.txt, or compares them with what stands there.

usage: api.py [--check]        (behind `swift build`: it reads the modules in .build/debug)

With APOLLO_TRAITS=1 it does so for ApolloAsyncHTTP alone (scripts/traits.sh).

A line is the declaration of one symbol, below its module, sorted by path. --check changes nothing: it shows what differs, and ends
with status 1 if something does.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from symbols import SOURCES, exported_modules, extract, parts

def declarations(module):
    """(path, declaration) of every public symbol, those in extensions of other modules' types included."""
    with tempfile.TemporaryDirectory() as folder:
        extract(module, folder, "-skip-synthesized-members")
        for file in pathlib.Path(folder).glob(f"{module}*.symbols.json"):
            owner = file.name.removesuffix(".symbols.json").partition("@")[2]
            for symbol in json.loads(file.read_text())["symbols"]:
                path = ".".join(symbol["pathComponents"])
                text = "".join(part["spelling"] for part in symbol["declarationFragments"])
                yield path, (f"extension of {owner} " if owner else "") + text


def lines(module):
    seen = {f"{path}  |  {' '.join(text.split())}" for path, text in declarations(module)}
    # Within one path the order is that of the text: overloads stand beside each other.
    return sorted(seen, key=lambda line: (line.split("  |  ")[0].lower(), line))


def page(product, own):
    """The text of a product's file. What it shows of another product is only named."""
    text = []
    for target in product["targets"]:
        text += [f"# {target}", ""] + lines(target) + [""]
        for module in exported_modules(target):
            if module in parts(target):
                continue
            if module in own:
                text += [f"# {module}: see {module}.txt", ""]
            elif (SOURCES / module).exists():
                text += [f"# {module}, which {target} exports", ""] + lines(module) + [""]
    return "\n".join(text)


def main():
    is_check = sys.argv[1:] == ["--check"]
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], capture_output=True, check=True).stdout)
    products = [product for product in package["products"] if "library" in product["type"]]
    own = {product["name"] for product in products}
    folder = pathlib.Path("API")
    folder.mkdir(exist_ok=True)
    status = 0
    for product in products:
        # (What is behind traits is built with little else.)
        if (product["name"] == "ApolloAsyncHTTP") != ("APOLLO_TRAITS" in os.environ):
            continue
        file, new = folder / f"{product['name']}.txt", page(product, own)
        old = file.read_text() if file.exists() else ""
        if not is_check:
            file.write_text(new)
        elif old != new:
            status = 1
            print(f"{file} differs; if the change is wanted, run 'make api' and commit the file:", file=sys.stderr)
            changes = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
            print("\n".join(line for line in changes if not line.startswith(("---", "+++", "@@"))), file=sys.stderr)
    for file in folder.glob("*.txt"):
        # (Those in lower case are written by rooms.py.)
        if file.stem not in own and not file.stem.islower():
            status = 1
            print(f"{file}: there is no such product", file=sys.stderr)
    sys.exit(status)


main()

"""Turns the code blocks of README.md into sources that a build can check.

usage: readme.py README.md

Tests/Readme receives a file for the ```swift block that is a program, one with all others as functions, the operations of the
first ```graphql block, those of the Star Wars example and its schema, and in Manifest a Package.swift of the ```swift package
block.
"""

import pathlib
import re
import sys

readme = pathlib.Path(sys.argv[1]).read_text()
output = pathlib.Path("Tests/Readme")
example = pathlib.Path("Examples/StarWars/Sources/StarWars")
# The README's samples use these operations of the example.
OPERATIONS = ["HeroName", "RenameCharacter", "ReviewAdded"]


def write(name, text):
    """Writes only what has changed, so that a build without changes has nothing to do."""
    path = output / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


blocks = re.findall(r"^```(swift package|swift|graphql)\n(.*?)^```", readme, re.M | re.S)
imports, functions, programs, manifest = {"import Apollo"}, [], [], None
operations = [text for kind, text in blocks if kind == "graphql"]
assert operations, "README.md has no graphql block"

for kind, text in blocks:
    if kind == "swift package":
        manifest = text
    elif kind == "swift":
        if "@main" in text:
            programs.append(text)
            continue
        lines = text.splitlines()
        imports.update(line for line in lines if line.startswith("import "))
        body = [line for line in lines if not line.startswith("import ")]
        number = len(functions) + 1
        # A block may use what an earlier one made, which for all of them is the client.
        parameter = "" if any("let client =" in line for line in body) else "_ client: ApolloClient"
        functions.append(
            f"func block{number}({parameter}) async throws {{\n"
            + "\n".join("  " + line if line else "" for line in body).rstrip()
            + "\n}\n"
        )

assert manifest and functions and len(programs) == 1, "README.md has no Swift, or not one program"
write("Program.swift", programs[0])
write("Readme.swift", "\n".join(sorted(imports)) + "\n\n" + "\n".join(functions))
write("Readme.graphql", operations[0])
write("Manifest/Package.swift", manifest)
for file in [*example.glob("*.graphqls"), *example.glob("Fragments/*.graphql"),
             *(example / f"Operations/{name}.graphql" for name in OPERATIONS)]:
    write(file.name, file.read_text())
print(f"README.md: {len(functions) + 1} Swift blocks, {len(operations)} GraphQL blocks, 1 manifest")

"""Writes what no compiler holds: arrows between the folders of a target that run both ways, and `package` declarations.

usage: rooms.py [--check]

- API/rooms.txt: the pairs of folders of one target that use each other. A folder uses another one if a file in it names a type
  that is declared at the top level of a file there. The list may only become shorter.
- API/package.txt: the declarations that the targets of this package offer each other, each with the first line of its
  comment, so that a change of them is seen.

--check changes nothing: it shows what differs, and ends with status 1 if something does.
"""

import collections
import difflib
import pathlib
import re
import sys

SOURCES = pathlib.Path("Sources")
ROOMS = pathlib.Path("API/rooms.txt")
PACKAGE = pathlib.Path("API/package.txt")

TEXTS = re.compile(r'#"""(?:.|\n)*?"""#|"""(?:.|\n)*?"""|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"')
MODIFIERS = r"(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|open|final|indirect|nonisolated(?:\(\w+\))?)\s+)*"
TYPE = re.compile(rf"^\s*{MODIFIERS}(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)")
# A line above a declaration that belongs to it: of its comment, or with an attribute alone.
ABOVE = re.compile(r"\s*(///|@\w+(\([^)]*\))?$)")
OFFERED = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:final|static|override|convenience|mutating|nonmutating|indirect|"
    r"nonisolated(?:\(\w+\))?)\s+)*package\s+(?!import\b|=).*")


def files(target):
    return sorted(path for path in target.rglob("*.swift") if not any(part.endswith(".docc") for part in path.parts))


def room(target, path):
    parts = path.relative_to(target).parts
    return parts[0] if len(parts) > 1 else "."


def types(code):
    """The names of the types that a file declares at its top level."""
    depth, found = 0, []
    for line in code.split("\n"):
        match = TYPE.match(line) if depth == 0 else None
        if match:
            found.append(match.group(1))
        depth += line.count("{") - line.count("}")
    return found


def pairs(target):
    """The pairs of folders of a target that use each other."""
    code = {path: TEXTS.sub('""', path.read_text()) for path in files(target)}
    homes = collections.defaultdict(set)
    for path, text in code.items():
        for name in types(text):
            homes[name].add(room(target, path))
    arrows = set()
    for path, text in code.items():
        for name in set(re.findall(r"\b[A-Za-z_]\w*\b", text)):
            # (A name that several folders declare says nothing.)
            if len(homes.get(name, ())) == 1:
                arrows.add((room(target, path), next(iter(homes[name]))))
    return sorted((a, b) for a, b in arrows if a < b and (b, a) in arrows)


def offered(path):
    """The `package` declarations of a file, each with the first line of its comment."""
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines):
        if OFFERED.match(line):
            start = number
            while start and ABOVE.match(lines[start - 1]):
                start -= 1
            comment = lines[start].strip().removeprefix("///").strip() if lines[start].strip().startswith("///") else ""
            declaration = re.sub(r"\s*[{=].*", "", line.strip())
            yield f"{declaration}  |  {comment}".rstrip(" |")


def pages():
    rooms, package = [], []
    for target in sorted(path for path in SOURCES.iterdir() if path.is_dir()):
        rooms += [f"{target.name}: {a} <-> {b}" for a, b in pairs(target)]
        found = [f"{path.relative_to(target)}: {line}" for path in files(target) for line in offered(path)]
        if found:
            package += [f"# {target.name}: {len(found)}", "", *found, ""]
    return {ROOMS: "\n".join(rooms) + "\n", PACKAGE: "\n".join(package)}


def main():
    is_check, status = sys.argv[1:] == ["--check"], 0
    for path, new in pages().items():
        old = path.read_text() if path.exists() else ""
        if not is_check:
            path.write_text(new)
        elif old != new:
            status = 1
            print(f"{path} differs; if the change is wanted, run 'make api' and commit the file:", file=sys.stderr)
            changes = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
            print("\n".join(line for line in changes if not line.startswith(("---", "+++", "@@"))), file=sys.stderr)
            if path == ROOMS and set(new.splitlines()) - set(old.splitlines()):
                print("rooms: these folders used each other in one direction only, and should stay so", file=sys.stderr)
    sys.exit(status)


main()

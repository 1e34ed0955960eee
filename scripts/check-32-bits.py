#!/usr/bin/env python3
"""Runs the reader, tables, pages, the writer and the format of files where `Int` has 32 bits, as on Apple Watch up to Series 8.

usage: check-32-bits.py [--list] [PACKAGE]

Swift's toolchain for Linux has a standard library for WebAssembly, whose `Int` has 32 bits, and a machine for it
(wasmkit). That library is Embedded Swift, which cannot do all that ApolloAPI does: cast values of any type, throw errors
of any type, and a few more things. So a copy of the sources is compiled in which each function that Embedded Swift refuses
stops the program (--list shows these functions), and Tests/ThirtyTwoBits calls the others. The compiler checks
literals in all of them.

It needs Linux and a toolchain of swift.org. PACKAGE: the folder of another copy of the package.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
CHECKS = HERE / "Tests/ThirtyTwoBits"
# What is compiled into one module, of which a part belongs to another one.
SOURCES = ["ApolloAPI", "ApolloSQLite/Format/BlobReader.swift", "ApolloSQLite/Format/BlobWriter.swift"]
TARGET = "wasm32-unknown-none-wasm"


def fail(message):
    sys.exit(f"check-32-bits: {message}")


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def copy(package, work):
    """A copy of the sources, in which the few declarations are others that Embedded Swift does not parse."""
    for source in SOURCES:
        place = package / "Sources" / source
        if place.is_dir():
            shutil.copytree(place, work / place.name)
        else:
            shutil.copy(place, work)
    # What holds values of any type.
    for name in ["Compatibility/DataDict", "Compatibility/HashableJSON", "Compatibility/InputDict",
                 "Compatibility/OperationMembers", "Compatibility/ScalarJSON", "Definitions/Scalars/JSONScalar",
                 "Definitions/Schema/ObjectData+JSON"]:
        (work / f"ApolloAPI/{name}.swift").unlink()
    memory = work / "ApolloAPI/Memory/SystemMemory.swift"
    memory.write_text(memory.read_text() + ALLOCATED)
    for file in work.rglob("*.swift"):
        text = file.read_text()
        text = re.sub(r"^(public |package |internal )?import ApolloAPI\n", "", text, flags=re.M)
        # There is no module of this name.
        text = text.replace("  public typealias Variables = ApolloAPI.Variables\n", "")
        # There are no key paths: `map(\.key)`.
        text = re.sub(r"\(\\\.([\w.]+)\)", r"({ $0.\1 })", text)
        text = re.sub(r"@TaskLocal static var", "nonisolated(unsafe) static var", text)
        text = re.sub(r"\w+\.\$\w+\.withValue\(([^{]*)\) \{ (.*) \}", r"\2", text)
        # Nothing can be printed whose type is not known.
        text = re.sub(r"var description: String \{ .*String\(describing: .*", 'var description: String { "" }', text)
        # (Of the one noncopyable type that gives up its deinitializer: its count is set to 0 in place of that.)
        text = text.replace("    discard self\n", "    count = 0\n")
        # There is no library of C.
        text = text.replace("let memory = malloc(max(1, size))", "let memory = allocated(size)")
        text = text.replace("{ free(self) }", "{ deallocate() }")
        # Casts of which the compiler does not say where they are: in a generic function, and in the library.
        text = text.replace("try reader.cursor.value() as? JSONObject", "nil")
        text = re.sub(r"try (reader\.)?cursor\.value\(\) as\? Bool \?\? false", r"try \1cursor.bool()", text)
        text = text.replace("[String: CachedValue](elements) { $1 }", "[:]")
        text = text.replace("JSONObject(elements, uniquingKeysWith: { _, last in last })", "[:]")
        # JSON is equal by its text only.
        text = re.sub(r"guard let value = .*JSONScalar\(_jsonValue: value\) else \{\s+return text\s+\}\s+return scalar.description",
                      "text", text)
        # Lists and objects have no other forms, which are values of any type.
        text = re.sub(r"private func foundationObject.*?\n}\n", "", text, flags=re.S)
        text = re.sub(r"  case is JSONObject, is \[JSONValue\]:\n    \[\n.*?\n    \]\n", "", text, flags=re.S)
        # There are no schemas, which are types behind a protocol.
        text = re.sub(r"^ +(if let schema = Data\.schema|(sink|reader)\.\w+\.(schema|mergers|readers) = ).*\n", "", text, flags=re.M)
        file.write_text(text)


ALLOCATED = """
func allocated(_ size: Int) -> UnsafeMutableRawPointer? {
  UnsafeMutableRawPointer.allocate(byteCount: max(1, size), alignment: 8)
}
"""


class Text:
    """A Swift file as far as its braces."""

    DECLARATION = re.compile(
        r"^(@\S+(\([^)]*\))? |(public|package|private|fileprivate|internal|static|mutating|consuming|borrowing|override"
        r"|convenience|nonmutating)(\(\w+\))? )*((func|subscript|init|deinit)\b|(get|set|_read|_modify)( |$)|var \w+: [^=]*$)")
    STATEMENT = re.compile(
        r"^(if|guard|for|while|switch|case|default|do|catch|defer|return|repeat|else|let|var|try|self|struct|enum|class|final"
        r"|extension|protocol)\b")

    def __init__(self, file):
        self.file = file
        self.text = file.read_text()
        self.lines = [0]
        for line in self.text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.pairs = self.braces()

    def braces(self):
        text, pairs, open_, at = self.text, [], [], 0
        token = re.compile(r'//[^\n]*|"""(?:\\.|.)*?"""|"(?:\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\.|[^"\\])*"|[{}]', re.S)
        for match in token.finditer(text):
            if match[0] == "{":
                open_.append(match.start())
            elif match[0] == "}":
                pairs.append((open_.pop(), match.start()))
        return pairs

    def head(self, brace):
        """The declaration of a function whose body begins at a brace; None if something else begins there."""
        end = self.text.rfind("\n", 0, brace) + 1
        line = self.text[end:brace].strip()
        while not self.DECLARATION.match(line):
            # (What is left are lines with parameters.)
            if self.STATEMENT.match(line) or end == 0:
                return None
            start = self.text.rfind("\n", 0, end - 1) + 1
            line = self.text[start:end - 1].strip()
            end = start
            if line.endswith(("{", "}")) or not line:
                return None
        return line

    def function(self, line, column):
        at = self.lines[line - 1] + column - 1
        around = sorted((pair for pair in self.pairs if pair[0] <= at <= pair[1]), key=lambda pair: pair[1] - pair[0])
        behind = sorted(pair for pair in self.pairs if pair[0] > at)[:1]
        for pair in around + behind:
            if self.head(pair[0]) and self.text[pair[0]:pair[1] + 1] != "{ fatalError() }":
                return pair
        return None

    def empty(self, pairs):
        """Gives functions a body that stops the program."""
        pairs = {pair for pair in pairs if not any(other[0] < pair[0] and pair[1] < other[1] for other in pairs)}
        names = [f"{self.file.name}: {self.head(pair[0])}" for pair in sorted(pairs)]
        for start, end in sorted(pairs, reverse=True):
            self.text = self.text[:start] + "{ fatalError() }" + self.text[end + 1:]
        self.file.write_text(self.text)
        return names


def compile(work):
    """Compiles the copy; returns the functions that were emptied for that."""
    emptied = []
    command = [
        "swiftc", "-target", TARGET, "-enable-experimental-feature", "Embedded", "-wmo", "-parse-as-library",
        "-swift-version", "6", "-package-name", "apollo", "-module-name", "ThirtyTwoBits", "-suppress-warnings",
        "-Xcc", "-I", "-Xcc", CHECKS, "-I", CHECKS, "-Onone", "-assert-config", "Release", "-c", "-o", work / "checks.o",
        *sorted(work.rglob("*.swift")), *sorted(CHECKS.glob("*.swift")),
    ]
    for _ in range(60):
        status, output = run(*command)
        if status == 0:
            return emptied
        found = {}
        for match in re.finditer(r"^(\S+\.swift):(\d+):(\d+): error: (.*)$", output, re.M):
            if "EmbeddedRestrictions" not in match[4] or not match[1].startswith(str(work)):
                fail(f"this does not compile where Int has 32 bits\n{match[0].replace(str(work) + '/', '')}")
            found.setdefault(match[1], []).append((int(match[2]), int(match[3]), match[0]))
        before = len(emptied)
        for name, errors in found.items():
            text = Text(pathlib.Path(name))
            functions = {text.function(line, column) for line, column, _ in errors} - {None}
            emptied += text.empty(functions)
        if len(emptied) == before:
            fail(f"the compiler refuses something that is not in a function\n{output[-2000:]}")
    fail("the compiler refuses ever more functions")


def link(work):
    library = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/embedded" / TARGET
    status, output = run(
        "clang", "--target=wasm32", "-nostdlib", "-O1", "-fno-builtin", "-c", CHECKS / "runtime.c", "-I", CHECKS, "-o",
        work / "runtime.o")
    if status == 0:
        status, output = run(
            "wasm-ld", "--no-entry", "--export=_start", "-z", "stack-size=1048576", work / "checks.o", work / "runtime.o",
            library / "libswiftUnicodeDataTables.a", "-o", work / "checks.wasm")
    if status != 0:
        fail(f"the checks cannot be linked\n{output}")


def main():
    arguments = sys.argv[1:]
    lists = "--list" in arguments
    places = [argument for argument in arguments if argument != "--list"]
    for tool in ["swiftc", "clang", "wasm-ld", "wasmkit"]:
        if not shutil.which(tool):
            fail(f"'{tool}' is missing; it needs a toolchain of swift.org")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(os.path.realpath(name))
        copy(pathlib.Path(places[0]) if places else HERE, work)
        emptied = compile(work)
        link(work)
        status, output = run("wasmkit", "run", work / "checks.wasm")
    print(output, end="")
    if lists:
        print("\n".join(sorted(emptied)))
    if status != 0 or "passed" not in output or "FAILED" in output:
        fail(f"failed, with status {status}")
    print(f"check-32-bits: {len(emptied)} functions were left out, which Embedded Swift does not compile")


main()

#!/usr/bin/env python3
"""Type-checks what is generated for schemas of hostile names. Called by names.sh.

usage: names.py BUILD_FOLDER some|all|every
"""

import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests/AllNames"))
import documents  # noqa: E402

HERE = Path(__file__).resolve().parent.parent / "Tests/AllNames"
MODULES = [
    "ApolloAPI", "Apollo", "ApolloCache", "ApolloFoundation", "ApolloJSON", "ApolloWebSocket", "ApolloMocks",
    "ApolloTestSupport", "ApolloPagination", "ApolloSQLite",
]

# Where the files of operations go, by what the configuration calls it.
OPERATIONS = {
    "inSchemaModule": {},
    "relative": {"subpath": "Generated"},
    "absolute": {"path": "operations"},
}
# (kind of module, place of operations, access level)
CONFIGURATIONS = [
    ("embeddedInTarget", "inSchemaModule", "internal"),
    ("sameModule", "inSchemaModule", "internal"),
    ("other", "inSchemaModule", "public"),
    ("embeddedInTarget", "relative", "public"),
    ("sameModule", "relative", "public"),
    ("other", "absolute", "internal"),
    ("swiftPackage", "inSchemaModule", "public"),
    ("embeddedInTarget", "absolute", "internal"),
    ("swiftPackage", "relative", "public"),
    ("other", "relative", "public"),
]


class Toolchain:
    """Swift's compiler, with the modules that this package built."""

    def __init__(self, build):
        self.build = Path(build).resolve()
        self.flags = ["-I", str(self.build / "Modules")]
        # Clang modules of the packages that ours are built on.
        checkouts = self.build.parent.parent / "checkouts"
        for path in sorted(checkouts.glob("*/Sources/*/include")):
            self.flags += ["-I", str(path)]
        system_libraries = checkouts.glob("*/Sources/*/module.modulemap")
        for path in sorted([*self.build.glob("C*.build/module.modulemap"), *system_libraries]):
            self.flags += ["-Xcc", f"-fmodule-map-file={path}"]
        self.codegen = self.build / "apollo-codegen"

    def symbol_graphs(self, module, folder):
        target = json.loads(run(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
        run(["swift", "symbolgraph-extract", "-module-name", module, "-output-dir", str(folder), "-target", target,
             "-minimum-access-level", "public", "-skip-synthesized-members", *self.flags])

    def check(self, module, sources, folder, *flags):
        """Emits a module for others, and returns what the compiler has against it."""
        command = [
            "swiftc", "-emit-module", "-emit-module-path", str(folder / f"{module}.swiftmodule"), "-module-name", module,
            "-wmo", "-swift-version", "6", "-warnings-as-errors", "-diagnostic-style", "llvm", "-enable-testing",
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
            "-enable-upcoming-feature", "MemberImportVisibility", "-I", str(folder), *self.flags, *flags,
            *map(str, sorted(sources)),
        ]
        result = subprocess.run(command, capture_output=True, text=True)
        lines = [line for line in result.stderr.splitlines() if "error:" in line]
        return lines or ([result.stderr] if result.returncode else [])


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"names: {' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def public_names(toolchain, folder):
    """The top-level names of our modules, and the members that generated types may inherit or collide with."""
    names = set()
    for module in MODULES:
        toolchain.symbol_graphs(module, folder)
    owners = {"Mock", "GraphQLEnum", "GraphQLNullable", "__FieldTable", "DeferredFragment"}
    for path in sorted(folder.glob("*.symbols.json")):
        symbols = json.loads(path.read_text())["symbols"]
        protocols = {symbol["pathComponents"][0] for symbol in symbols if symbol["kind"]["identifier"] == "swift.protocol"}
        for symbol in symbols:
            path = symbol["pathComponents"]
            if len(path) == 1 or path[0] in owners | protocols or "swiftExtension" in symbol:
                names.add(path[-1].split("(")[0])
    return {name for name in names if documents.is_name(name)}


# What scalars are mapped to, in turn: types of Foundation, one of Swift, and none.
SWIFT_TYPES = ["Date", "URL", "UUID", "Data", "Decimal", "Int32", None]


def mapped_scalars(names, turn):
    """A Swift type for most scalars of a schema. A scalar with the name of such a type is not mapped to another one."""
    kinds = documents.Types(names, turn).kinds
    scalars = [name for name, kind in kinds.items() if kind == "scalar" and name not in SWIFT_TYPES]
    types = {name: SWIFT_TYPES[(index + turn) % len(SWIFT_TYPES)] for index, name in enumerate(scalars)}
    mapped = {name: {"type": type, "module": "Swift" if type == "Int32" else "Foundation"} for name, type in types.items() if type}
    return mapped | ({"Int": "Int32", "Float": "Float"} if turn % 2 else {})


def configuration(kind, operations, access, naming, scalars):
    module = {
        "embeddedInTarget": {"name": "App", "accessModifier": access},
        "sameModule": {"accessModifier": access},
        "other": {},
        "swiftPackage": {},
    }[kind]
    place = dict(OPERATIONS[operations])
    if operations != "inSchemaModule":
        place["accessModifier"] = access
    # Mocks import the module that the schema's types are in, which is called like the namespace unless it is a target.
    mocks = {"swiftPackage": {}} if kind == "swiftPackage" else {"absolute": {"path": "mocks", "accessModifier": access}}
    return {
        "schemaNamespace": "Names",
        "options": {"naming": naming, "customScalars": scalars},
        "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["documents/*.graphql"]},
        "output": {
            "schemaTypes": {"path": "out", "moduleType": {kind: module}}, "operations": {operations: place},
            "testMocks": mocks,
        },
    }


def generate(toolchain, folder, kind, operations, access, naming="standard", scalars={}):
    (folder / "codegen.json").write_text(json.dumps(configuration(kind, operations, access, naming, scalars)))
    result = subprocess.run(
        [str(toolchain.codegen), "generate", "--path", str(folder / "codegen.json"), "--quiet"], capture_output=True, text=True)
    return [result.stdout + result.stderr] if result.returncode else []


def check(toolchain, folder, names, number, turn, sections, naming):
    """Generates and type-checks one configuration. Returns what is wrong with it."""
    documents.write(folder, names, turn, sections)
    errors = generate(toolchain, folder, *CONFIGURATIONS[number], naming, mapped_scalars(names, turn))
    return errors or check_generated(toolchain, folder, number)


def check_generated(toolchain, folder, number):
    """Type-checks what was generated for one configuration."""
    kind, operations, access = CONFIGURATIONS[number]
    module = "App" if kind == "embeddedInTarget" else "Names"
    of = lambda *folders: [file for name in folders for file in (folder / name).rglob("*.swift")]
    mocks = of("out/TestMocks", "mocks")
    schema = [file for file in of("out") if file not in mocks and file != folder / "out/Package.swift"]
    apart = of("documents", "operations")
    # In an app, files without an isolation of their own may belong to the main actor.
    isolation = ["-default-isolation", "MainActor"] if number % 2 else []
    # (Those of a target import it if its types are public.)
    if apart and (kind in ("other", "swiftPackage") or (kind, access) == ("embeddedInTarget", "public")):
        errors = toolchain.check(module, schema, folder, *isolation)
        errors += toolchain.check("Operations", apart, folder, *isolation)
    else:
        errors = toolchain.check(module, schema + apart, folder, *isolation)
    # Of a module with errors there is none to import.
    return errors or toolchain.check("Mocks", mocks, folder, *isolation)


def share_of(names, extent, number, turn):
    """The names of one configuration in one turn."""
    match extent:
        # Each configuration has other names, every second one together an eighth.
        case "some": return names[number::4 * len(CONFIGURATIONS)]
        # A third, so that each configuration has each name in some turn, and each turn has each name somewhere.
        case "all": return names[(number + turn) % 3::3]
        case _: return names


def check_combine(toolchain, folder):
    """An app that imports a generated module and Combine has Combine's names, unless its schema has them."""
    (folder / "documents").mkdir(parents=True)
    (folder / "schema.graphqls").write_text("type Query { title: String }\n")
    (folder / "documents/title.graphql").write_text("query Title { title }\n")
    errors = generate(toolchain, folder, "other", "inSchemaModule", "public")
    errors = errors or toolchain.check("Names", (folder / "out").rglob("*.swift"), folder)
    errors = errors or toolchain.check("Combine", [HERE / "Combine.swift"], folder)
    return errors or toolchain.check("Client", [HERE / "CombineClient.swift"], folder)


NAMESPACE_SCHEMA = """
type Query { names: Thing node: Node }
interface Node { id: ID! }
type Thing implements Node { id: ID! name: String names: [Thing!] }
"""
NAMESPACE_DOCUMENT = """
fragment F on Query { names { id name } }
query Spread { ...F }
query Own { names { id names { name } } node { id ... on Thing { names { id } } } }
"""


def check_namespace(toolchain, folder, number):
    """A field is called like the namespace, so that the type of its objects would be, too."""
    (folder / "documents").mkdir(parents=True)
    (folder / "schema.graphqls").write_text(NAMESPACE_SCHEMA)
    (folder / "documents/names.graphql").write_text(NAMESPACE_DOCUMENT)
    errors = generate(toolchain, folder, *CONFIGURATIONS[number])
    return errors or check_generated(toolchain, folder, number)


def main():
    build, extent = sys.argv[1:]
    started = time.monotonic()
    toolchain = Toolchain(build)
    with tempfile.TemporaryDirectory() as temporary:
        temporary = Path(temporary)
        graphs = temporary / "graphs"
        graphs.mkdir()
        ours = public_names(toolchain, graphs)
        listed = documents.listed_names(HERE / "keywords.txt") + documents.listed_names(HERE / "library.txt")
        names = sorted(ours | set(listed), key=lambda name: (name.lower(), name))
        # Each configuration, with what types are in this turn, and the other places where names stand.
        sections = documents.SECTIONS
        jobs = []
        # Texts and default values, in both namings. (A few kinds of module differ in nothing that matters here.)
        namings = [(number, naming) for number in range(len(CONFIGURATIONS)) for naming in ["standard", "legacy"]]
        for number, naming in namings if extent != "some" else [(0, "standard"), (6, "legacy")]:
            jobs.append((number, 0, ["Texts", "Defaults"], naming))
        for number in range(len(CONFIGURATIONS)):
            if extent != "some":
                for turn in range(len(documents.KINDS)):
                    jobs.append((number, turn, [sections[turn % len(sections)]], "standard"))
            elif number % 4 == 0:
                jobs.append((number, number, sections, "standard"))

        def work(job):
            number, turn, sections, naming = job
            folder = temporary / f"{number}-{turn}-{sections[0]}-{naming}"
            chosen = [] if "Texts" in sections else share_of(names, extent, number, turn)
            errors = check(toolchain, folder, chosen, number, turn, sections, naming)
            return [line.replace(str(folder) + "/", "") for line in errors]

        failures = 0
        errors = check_combine(toolchain, temporary / "combine")
        if errors:
            failures += 1
            print("names: an app that imports Combine\n" + "\n".join(errors), flush=True)
        # In the namespace, outside of it, and in another module.
        for number in [0, 3, 5]:
            errors = check_namespace(toolchain, temporary / f"namespace-{number}", number)
            if errors:
                failures += 1
                print(f"names: {' '.join(CONFIGURATIONS[number])}, a field called like the namespace\n" + "\n".join(errors), flush=True)
        with ThreadPoolExecutor(2) as pool:
            for (number, turn, sections, naming), errors in zip(jobs, pool.map(work, jobs)):
                if errors:
                    failures += 1
                    print(f"names: {' '.join(CONFIGURATIONS[number])}, {naming}, turn {turn}, {' '.join(sections)}: {len(errors)} errors")
                    print("\n".join(errors[:40]), flush=True)
    if failures:
        sys.exit(f"names: {failures} of {len(jobs)} modules do not compile")
    print(f"names: {len(names)} names ({len(ours)} of our own) compile in {len(jobs)} modules ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()

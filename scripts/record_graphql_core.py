"""A plugin of pytest that records what graphql-core's public functions are given by its own tests, and what they give back.

Only calls by tests that pass are recorded, one JSON object a line, in a file for each function. The folder is the
environment variable RECORDINGS. `scripts/record.sh` runs it; Tests/GraphQLConformance reads the recordings.
"""
import functools
import hashlib
import inspect
import json
import os
import sys

import graphql
import graphql.validation
from graphql import language, utilities
from graphql.language import Node, print_ast

RULE_SUFFIX = "Rule"
recordings, schema_texts = {}, {}
of_this_test, sources_of_schemas = [], {}
kept_alive = []


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def plain(value):
    """A value as JSON has it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "formatted"):
        return plain(value.formatted)
    raise NotRecordable(repr(value))


class NotRecordable(Exception):
    """The call has something that no JSON and no text can say."""


def error(problem):
    record = {"name": type(problem).__name__, "message": str(getattr(problem, "message", problem))}
    places = getattr(problem, "locations", None)
    if places:
        record["locations"] = [{"line": place.line, "column": place.column} for place in places]
    return record


def tree(node):
    """A syntax tree, with the names of the reference implementation."""
    if isinstance(node, Node):
        kind = type(node).__name__.removesuffix("Node").removeprefix("Const")
        members = {"kind": kind}
        for key in node.keys:
            if key != "loc":
                members[camel(key)] = tree(getattr(node, key, None))
        members["loc"] = node.loc and {"start": node.loc.start, "end": node.loc.end}
        return members
    if isinstance(node, (list, tuple)):
        return [tree(item) for item in node]
    return getattr(node, "value", node)


def is_shallow(source):
    """Whether a tree can be read by every reader of JSON, some of which call themselves for each level."""
    depth = deepest = 0
    for character in source:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    return deepest < 20


def text_of(node):
    """The text that a document was parsed from, or else the document printed."""
    loc = getattr(node, "loc", None)
    return loc.source.body if loc and loc.start == 0 else print_ast(node)


def body(source):
    return source if isinstance(source, str) else source.body


def schema_text(schema):
    known = sources_of_schemas.get(id(schema))
    return known if known is not None else utilities.print_schema(schema)


def schema_id(schema):
    text = schema_text(schema)
    key = hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    schema_texts[key] = text
    return key


def options(arguments, *without):
    """What a call sets to something else than the default, by its name in camel case."""
    given = {camel(key): value for key, value in arguments.items() if key not in without}
    return {"options": plain(given)} if given else {}


# Each function says what of a call is recorded: of the arguments by name, and of the result or the error.


def outcome(result, problem, key="printed", form=print_ast):
    return {"ok": True, key: form(result)} if problem is None else {"ok": False, "error": error(problem)}


def parsing(arguments, result, problem):
    record = {"source": body(arguments["source"]), **options(arguments, "source"), **outcome(result, problem)}
    if problem is None and not arguments.get("no_location") and is_shallow(record["source"]):
        record["ast"] = tree(result)
    return record


def printing(arguments, result, problem):
    node = arguments["ast"]
    record = {"nodeKind": type(node).__name__.removesuffix("Node"), "output": result}
    if node.loc and node.kind == "document":
        record["input"] = text_of(node)
    return record


def stripping(arguments, result, problem):
    return {"source": body(arguments["source"]), **outcome(result, problem, "output", str)}


def separating(arguments, result, problem):
    return {"source": text_of(arguments["document_ast"]),
            "output": {name: print_ast(document) for name, document in result.items()}}


def validating(arguments, result, problem):
    rules = arguments.get("rules")
    record = {"schema": schema_id(arguments["schema"]), "document": text_of(arguments["document_ast"]),
              "rules": [rule.__name__ for rule in rules] if rules is not None else "specifiedRules",
              **options(arguments, "schema", "document_ast", "rules", "type_info")}
    return {**record, "errors": [error(e) for e in result] if problem is None else {"thrown": error(problem)}}


def validating_sdl(arguments, result, problem):
    rules = arguments.get("rules")
    extended = arguments.get("schema_to_extend")
    return {"sdl": text_of(arguments["document_ast"]), "schemaToExtend": extended and schema_id(extended),
            "rules": [rule.__name__ for rule in rules] if rules is not None else "specifiedSDLRules",
            "errors": [error(e) for e in result]}


def validating_schema(arguments, result, problem):
    schema = arguments["schema"]
    record = {"printed": schema_id(schema), "errors": [error(e) for e in result]}
    if id(schema) in sources_of_schemas:
        record["sdl"] = sources_of_schemas[id(schema)]
    return record


def building(arguments, result, problem):
    sdl = body(arguments["source"]) if "source" in arguments else text_of(arguments["document_ast"])
    if problem is None:
        remember(result, sdl)
    record = {"sdl": sdl, **options(arguments, "source", "document_ast")}
    return {**record, "ok": True} if problem is None else {**record, "ok": False, "error": error(problem)}


def extending(arguments, result, problem):
    return {"schema": schema_id(arguments["schema"]), "extension": text_of(arguments["document_ast"]),
            **options(arguments, "schema", "document_ast"), **outcome(result, problem, "result", utilities.print_schema)}


def building_client(arguments, result, problem):
    return {"introspection": plain(arguments["introspection"]), **options(arguments, "introspection"),
            **outcome(result, problem, "printed", utilities.print_schema)}


def printing_schema(arguments, result, problem):
    known = sources_of_schemas.get(id(arguments["schema"]))
    return {"output": result, **({"sdl": known} if known is not None else {})}


def sorting(arguments, result, problem):
    return {"sdl": schema_text(arguments["schema"]), "output": utilities.print_schema(result)}


def introspecting(arguments, result, problem):
    return {"sdl": schema_text(arguments["schema"]), **options(arguments, "schema"), "introspection": plain(result)}


def executing(arguments, result, problem):
    document = arguments.get("document", arguments.get("source"))
    record = {"schema": schema_id(arguments["schema"]),
              "document": text_of(document) if isinstance(document, Node) else body(document)}
    for key, name in (("variables", "variable_values"), ("operationName", "operation_name")):
        if arguments.get(name) is not None:
            record[key] = plain(arguments[name])
    others = ("schema", "document", "source", "variable_values", "operation_name", "root_value", "context_value",
              "field_resolver", "type_resolver", "subscribe_field_resolver", "execution_context_class", "middleware")
    given = options({key: value for key, value in arguments.items() if key not in others and value is not None})
    if problem is None:
        return {**record, **given, "result": plain(result)}
    return {**record, **given, "thrown": error(problem)}


def untyped(arguments, result, problem):
    record = {"value": print_ast(arguments["value_node"]), "output": plain(result)}
    if arguments.get("variables") is not None:
        record["variables"] = plain(arguments["variables"])
    return record


def simple(argument, key):
    return lambda arguments, result, problem: {key: plain(arguments[argument]), **options(arguments, argument),
                                               "output": plain(result)}


def query(arguments, result, problem):
    if problem is not None:
        raise NotRecordable(problem)
    return {**options(arguments), "output": result}


def coordinate(arguments, result, problem):
    return {"source": body(arguments["source"]), **outcome(result, problem)}


FUNCTIONS = {
    language.parse: ("parse", parsing),
    language.parse_value: ("parseValue", parsing),
    language.parse_const_value: ("parseConstValue", parsing),
    language.parse_type: ("parseType", parsing),
    language.parse_schema_coordinate: ("parseSchemaCoordinate", coordinate),
    language.print_ast: ("print", printing),
    sys.modules["graphql.language.block_string"].print_block_string: ("printBlockString", simple("value", "value")),
    sys.modules["graphql.language.block_string"].dedent_block_string_lines: ("dedentBlockStringLines", simple("lines", "lines")),
    sys.modules["graphql.language.print_string"].print_string: ("printString", simple("s", "value")),
    utilities.strip_ignored_characters: ("stripIgnoredCharacters", stripping),
    utilities.separate_operations: ("separateOperations", separating),
    utilities.value_from_ast_untyped: ("valueFromASTUntyped", untyped),
    graphql.validate: ("validate", validating),
    sys.modules["graphql.validation.validate"].validate_sdl: ("validateSDL", validating_sdl),
    graphql.validate_schema: ("validateSchema", validating_schema),
    utilities.build_schema: ("buildSchema", building),
    utilities.build_ast_schema: ("buildASTSchema", building),
    utilities.extend_schema: ("extendSchema", extending),
    utilities.build_client_schema: ("buildClientSchema", building_client),
    utilities.print_schema: ("printSchema", printing_schema),
    utilities.print_introspection_schema: ("printIntrospectionSchema", lambda a, result, p: {"output": result}),
    utilities.lexicographic_sort_schema: ("lexicographicSortSchema", sorting),
    utilities.introspection_from_schema: ("introspectionFromSchema", introspecting),
    utilities.get_introspection_query: ("getIntrospectionQuery", query),
    graphql.execute: ("execute", executing),
    graphql.execute_sync: ("executeSync", executing),
    graphql.graphql: ("graphql", executing),
    graphql.graphql_sync: ("graphqlSync", executing),
    graphql.execution.experimental_execute_incrementally: ("experimentalExecuteIncrementally", executing),
    graphql.subscribe: ("subscribe", executing),
}


def remember(schema, sdl):
    # The identity of an object is its own only while it lives.
    kept_alive.append(schema)
    sources_of_schemas[id(schema)] = sdl


def recorded(function, kind, describe):
    signature = inspect.signature(function)

    def add(arguments, result, problem):
        try:
            record = describe(arguments, result, problem)
        except (NotRecordable, AttributeError, TypeError, ValueError, KeyError, RecursionError) as reason:
            left_out[kind] = left_out.get(kind, 0) + 1
            reasons.setdefault(kind, str(reason)[:100])
        else:
            of_this_test.append((kind, record))

    @functools.wraps(function)
    def wrapper(*positional, **named):
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if not caller.startswith("tests.") or not is_in_test:
            result = function(*positional, **named)
            if kind == "buildSchema" and caller.startswith("tests."):
                remember(result, body(positional[0]))
            return result
        try:
            arguments = dict(signature.bind(*positional, **named).arguments)
        except TypeError:
            return function(*positional, **named)
        try:
            result = function(*positional, **named)
        except Exception as problem:
            add(arguments, None, problem)
            raise
        if inspect.isawaitable(result):
            return later(arguments, result)
        add(arguments, result, None)
        return result

    async def later(arguments, awaitable):
        try:
            result = await awaitable
        except Exception as problem:
            add(arguments, None, problem)
            raise
        add(arguments, result, None)
        return result

    return wrapper


left_out, reasons = {}, {}
is_in_test = False


def pytest_configure(config):
    wrappers = {}
    for function, (kind, describe) in FUNCTIONS.items():
        wrappers[id(function)] = recorded(function, kind, describe)
    for name, module in list(sys.modules.items()):
        # Only what the tests import is replaced: the package calls its own functions as ever.
        if name == "graphql" or name.startswith("graphql."):
            for key, value in list(vars(module).items()):
                if id(value) in wrappers:
                    setattr(module, key, wrappers[id(value)])


def pytest_runtest_setup(item):
    global is_in_test
    is_in_test = True
    of_this_test.clear()


def pytest_runtest_logreport(report):
    global is_in_test
    if report.when != "call":
        return
    is_in_test = False
    if not report.passed:
        return
    file, *parts = report.nodeid.split("::")
    name = " > ".join(part.removeprefix("describe_").removeprefix("test_").replace("_", " ") for part in parts)
    for kind, record in of_this_test:
        recordings.setdefault(kind, []).append({"file": file.removeprefix("tests/"), "test": name, **record})


def pytest_sessionfinish():
    folder = os.environ["RECORDINGS"]
    os.makedirs(folder, exist_ok=True)
    for kind, records in recordings.items():
        lines, seen = [], set()
        for record in records:
            line = json.dumps(record, ensure_ascii=True)
            if line not in seen:
                seen.add(line)
                lines.append(line)
        with open(os.path.join(folder, kind + ".jsonl"), "w") as file:
            file.write("".join(line + "\n" for line in lines))
    with open(os.path.join(folder, "schemas.json"), "w") as file:
        json.dump(schema_texts, file, indent=0, sort_keys=True)
    print("\nrecorded:", ", ".join(f"{kind} {len(recordings[kind])}" for kind in sorted(recordings)))
    print("left out:", ", ".join(f"{kind} {count} ({reasons[kind]})" for kind, count in sorted(left_out.items())))

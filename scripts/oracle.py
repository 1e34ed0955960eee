"""Compares parsing and validation with graphql-core, a port of the reference implementation.

usage: oracle.py VALIDATION-VERDICTS COUNT SEED SCHEMA…

Generates COUNT documents for the schemas in turn, about half of them with mistakes, always the same ones for a seed.
Both implementations must agree on each: the place of the first syntax error, or the places of all validation errors.
Differences that are understood are counted under their reason; any other is shown, and ends with exit status 1.
"""

import collections
import json
import random
import re
import subprocess
import sys

from graphql import (GraphQLEnumType, GraphQLError, GraphQLInputObjectType, GraphQLInterfaceType, GraphQLList,
                     GraphQLNonNull, GraphQLObjectType, GraphQLScalarType, GraphQLUnionType, build_client_schema,
                     build_schema, get_named_type, is_required_argument, is_required_input_field, parse,
                     specified_rules, validate)

program, count, seed, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]


def load(path):
    text = open(path, encoding="utf-8").read()
    if path.endswith(".json"):
        result = json.loads(text)
        return build_client_schema(result.get("data", result), assume_valid=True)
    # A published schema may have defects; both sides make the best of them.
    return build_schema(text, assume_valid=True)


class Writer:
    """Writes one random document for a schema, with mistakes at a given rate."""

    def __init__(self, schema, choose, mistakes):
        self.schema, self.choose, self.mistakes = schema, choose, mistakes
        self.fragments = {}
        # The variables of each fragment, with their types, and those of the fragment that is being written.
        self.parameters = {}
        self.scope = {}
        self.variables = {}
        self.is_in_fragment = False
        self.budget = choose.randint(5, 60)
        self.composites = [t for name, t in schema.type_map.items() if not name.startswith("__")
                           and isinstance(t, (GraphQLObjectType, GraphQLInterfaceType, GraphQLUnionType))]
        self.inputs = [t for name, t in schema.type_map.items() if not name.startswith("__")
                       and isinstance(t, (GraphQLInputObjectType, GraphQLEnumType, GraphQLScalarType))]

    def slip(self, share=1.0):
        return self.choose.random() < self.mistakes * share

    def document(self):
        choose, parts = self.choose, []
        operations = choose.choice([1, 1, 1, 2, 3])
        for index in range(operations):
            parts.append(self.operation(index, operations))
        while len(self.fragments) < 8 and any(body is None for body in self.fragments.values()):
            self.write_fragments()
        # Fragments that the last ones asked for when there were enough.
        for name, fragment in self.fragments.items():
            if fragment is None and not self.slip():
                self.parameters[name] = {}
                self.fragments[name] = f"fragment {name} on {name.rsplit('_', 1)[0]} {{ __typename }}"
        for name, fragment in self.fragments.items():
            if fragment is not None and not self.slip(0.3):
                parts.append(fragment)
        if self.slip(0.3):
            parts.append(choose.choice(parts))
        if self.slip(0.05):
            parts.append("type Extra { a: Int }")
        choose.shuffle(parts)
        text = "\n\n".join(parts)
        return self.damage(text) if self.mistakes and choose.random() < 0.15 else text

    def damage(self, text):
        """Makes a syntax error, or almost one."""
        at = self.choose.randrange(len(text))
        return self.choose.choice([
            lambda: text[:at] + text[at + 1:],
            lambda: text[:at] + self.choose.choice("{}()[]$!:=@|&.#\"\\01aé\n,") + text[at:],
            lambda: text[:at],
            lambda: text.replace("\n", "\r\n" if self.choose.random() < 0.5 else "\r"),
        ])()

    def operation(self, index, operations):
        choose, schema = self.choose, self.schema
        self.variables = {}
        kinds = [("query", schema.query_type)] * 8 + [("mutation", schema.mutation_type), ("subscription", schema.subscription_type)]
        kind, root = choose.choice(kinds)
        if root is None and not self.slip():
            kind, root = "query", schema.query_type
        body = self.selections(root or schema.query_type, 0)
        if kind == "subscription" and not self.slip(3):
            body = "{ " + self.field(root or schema.query_type, 0) + " }"
        definitions = [self.variable_definition(name, type_) for name, type_ in self.variables.items() if not self.slip(0.3)]
        if self.slip(0.3):
            definitions.append(f"$unused: {choose.choice(['Int', 'String!', '[Nope]', str(choose.choice(self.composites))])}")
        if definitions and self.slip(0.2):
            definitions.append(choose.choice(definitions))
        if operations == 1 and not definitions and kind == "query" and choose.random() < 0.3:
            return body
        name = "" if self.slip(0.2) or operations == 1 and choose.random() < 0.2 else f"Operation{0 if self.slip(0.2) else index}"
        return f"{kind} {name}{'(' + ', '.join(definitions) + ')' if definitions else ''}{self.directives('QUERY')} {body}"

    def variable_definition(self, name, type_):
        choose = self.choose
        text = str(type_)
        if self.slip(0.5):
            text = choose.choice([text.rstrip("!"), f"[{text}]", text + ("" if text.endswith("!") else "!"),
                                  str(choose.choice(self.inputs)), "Int", "Nope"])
        elif not text.endswith("!") and choose.random() < 0.2:
            text += "!"
        default = f" = {self.value(type_, True)}" if choose.random() < 0.2 else ""
        return f"${name}: {text}{default}{self.directives('VARIABLE_DEFINITION', 0.05)}"

    def selections(self, type_, depth):
        choose = self.choose
        if choose.random() < 0.01:
            return "{ }"
        items = [self.selection(type_, depth) for _ in range(choose.choice([1, 1, 2, 2, 3, 4]))]
        if choose.random() < 0.15:
            items.append("__typename")
        if self.slip(0.1):
            items.append(choose.choice(items))
        return "{\n" + "\n".join(items) + "\n}"

    def selection(self, type_, depth):
        choose = self.choose
        kind = choose.random()
        if isinstance(type_, GraphQLUnionType) and kind < 0.7:
            kind = 0.9
        if kind < 0.8 or depth > 6:
            return self.field(type_, depth)
        target = self.condition(type_)
        if kind < 0.92 or len(self.fragments) > 6:
            condition = f" on {target}" if choose.random() < 0.9 else ""
            inner = target if condition else type_
            return f"...{condition}{self.directives('INLINE_FRAGMENT')} {self.selections(inner, depth + 1)}"
        name = self.spread(target)
        return f"...{name}{self.spread_arguments(name)}{self.directives('FRAGMENT_SPREAD')}"

    def spread_arguments(self, name):
        choose, given = self.choose, []
        for variable, (type_, default) in self.parameters.get(name, {}).items():
            required = isinstance(type_, GraphQLNonNull) and not default
            if self.slip(0.3) if choose.random() < 0.5 and not required else not self.slip(0.3):
                given.append(f"{variable}: {self.value(type_, False)}")
        if self.slip(0.1):
            given.append("nope: 1")
        return f"({', '.join(given)})" if given else ""

    def parameter_list(self):
        choose, parameters = self.choose, {}
        if choose.random() < 0.6:
            return parameters
        for name in choose.sample(["x", "y", "v0", "v1"], choose.choice([1, 1, 2])):
            type_ = choose.choice([self.schema.type_map[n] for n in ("Int", "String", "Boolean", "ID")
                                   if n in self.schema.type_map] + [choose.choice(self.inputs)])
            if choose.random() < 0.3:
                type_ = GraphQLNonNull(type_)
            parameters[name] = (type_, f" = {self.value(type_, True)}" if choose.random() < 0.3 else "")
        return parameters

    def condition(self, type_):
        choose = self.choose
        if self.slip(0.4):
            return choose.choice(self.composites)
        if isinstance(type_, (GraphQLInterfaceType, GraphQLUnionType)):
            possible = self.schema.get_possible_types(type_)
            if possible:
                return choose.choice(possible)
        interfaces = getattr(type_, "interfaces", ())
        return choose.choice([type_, *interfaces]) if interfaces else type_

    def spread(self, target):
        known = [name for name in self.fragments if name.startswith(str(target) + "_")]
        if known and self.choose.random() < 0.6:
            return self.choose.choice(known)
        if self.slip(0.3):
            return self.choose.choice(list(self.fragments) + ["Nowhere"])
        if self.is_in_fragment and len(self.fragments) > 5:
            return self.choose.choice(known) if known and self.slip() else f"on {target} {{ __typename }}"
        name = f"{target}_{len(self.fragments)}"
        self.fragments[name] = None
        self.parameters[name] = self.parameter_list()
        return name

    def write_fragments(self):
        for name in [name for name, body in self.fragments.items() if body is None]:
            type_name = name.rsplit("_", 1)[0]
            self.fragments[name] = "…"
            condition = type_name
            if self.slip(0.2):
                condition = self.choose.choice(["Nope", "Int", str(self.choose.choice(self.inputs))])
            self.is_in_fragment = True
            self.scope = {variable: str(type_) for variable, (type_, _) in self.parameters[name].items()}
            body = self.selections(self.schema.type_map[type_name], 3)
            # One that is not used would be an error in most documents.
            variables = [f"${variable}: {type_}{default}{self.directives('FRAGMENT_VARIABLE_DEFINITION', 0.05)}"
                         for variable, (type_, default) in self.parameters[name].items()
                         if f"${variable}" in body or self.slip()]
            self.parameters[name] = {variable: declared for variable, declared in self.parameters[name].items()
                                     if f"${variable}:" in " ".join(variables)}
            self.fragments[name] = (f"fragment {name}{'(' + ', '.join(variables) + ')' if variables else ''} on {condition}"
                                    f"{self.directives('FRAGMENT_DEFINITION')} {body}")

    def field(self, type_, depth):
        choose = self.choose
        fields = getattr(type_, "fields", None)
        self.budget -= 1
        if not fields:
            return "__typename"
        if depth > 3 or self.budget < 0:
            leaves = [n for n, f in fields.items() if not hasattr(get_named_type(f.type), "fields")
                      and not isinstance(get_named_type(f.type), GraphQLUnionType)]
            name = choose.choice(leaves or list(fields))
        else:
            name = choose.choice(list(fields))
        if type_ is self.schema.query_type and choose.random() < 0.05:
            return choose.choice(["__type { name }", "__schema { types { fields { type { fields { type { fields { name } } } } } } }"]
                                 if self.slip() else ["__schema { types { name } }", '__type(name: "Query") { name fields { name } }'])
        field = fields[name]
        if self.slip(0.4):
            name = choose.choice([name + "x", name[:-1] or "y", "nope", name.swapcase()])
        alias = ""
        if choose.random() < 0.15:
            alias = choose.choice(["a", "b", "c", "name", "id"]) + ": "
        arguments = self.arguments(field.args)
        named = get_named_type(field.type)
        has_fields = isinstance(named, (GraphQLObjectType, GraphQLInterfaceType, GraphQLUnionType))
        if self.slip(0.2):
            has_fields = not has_fields
            named = named if not has_fields or hasattr(named, "fields") else self.schema.query_type
        body = ""
        if has_fields:
            body = " " + (self.selections(named, depth + 1) if self.budget > 0 or depth < 2 else "{ __typename }")
        return f"{alias}{name}{arguments}{self.directives('FIELD')}{body}"

    def arguments(self, definitions):
        choose, given = self.choose, []
        for name, argument in definitions.items():
            required = is_required_argument(argument)
            if self.slip(0.3) if not required else not self.slip(0.5):
                given.append(f"{name}: {self.value(argument.type, False)}")
            elif not required and choose.random() < 0.25:
                given.append(f"{name}: {self.value(argument.type, False)}")
        if self.slip(0.15):
            given.append(f"{choose.choice(['nope', 'first', 'id', 'ids'])}: 1")
        if given and self.slip(0.1):
            given.append(choose.choice(given))
        return f"({', '.join(given)})" if given else ""

    def directives(self, location, rate=0.06):
        choose = self.choose
        if choose.random() >= rate:
            return ""
        if self.slip(2):
            return " " + choose.choice(["@nope", "@skip", '@include(if: "yes")', "@deprecated", "@include(if: true) @include(if: false)",
                                        "@skip(unless: 1, if: true)", "@defer", "@stream(initialCount: 1)", '@defer(label: "a")',
                                        "@specifiedBy(url: 1)", "@skip(if: null)"])
        if location in ("FIELD", "INLINE_FRAGMENT", "FRAGMENT_SPREAD"):
            return f" @{choose.choice(['include', 'skip'])}(if: {self.value(GraphQLNonNull(self.schema.type_map['Boolean']), False)})"
        return ""

    def value(self, type_, is_const, depth=0):
        choose = self.choose
        own = [name for name, declared in self.scope.items() if declared.rstrip("!") == str(type_).rstrip("!")
               and (declared.endswith("!") or not isinstance(type_, GraphQLNonNull) or self.slip())]
        if own and not is_const and choose.random() < 0.7:
            return f"${choose.choice(own)}"
        if not is_const and choose.random() < 0.15 and (not self.is_in_fragment or self.slip()):
            name = f"v{choose.randrange(6)}" if self.slip(0.5) else f"v{len(self.variables)}"
            self.variables.setdefault(name, type_)
            return f"${name}"
        if self.slip(0.25):
            return choose.choice(["1", "-1.5", '"text"', "true", "null", "SOME", "[1, 2]", "{ a: 1 }", "2147483648", "[]", "{}",
                                  '"""\n block\n"""', "$nowhere"])
        if isinstance(type_, GraphQLNonNull):
            type_ = type_.of_type
        elif choose.random() < 0.05:
            return "null"
        if isinstance(type_, GraphQLList):
            if choose.random() < 0.2:
                return self.value(type_.of_type, is_const, depth)
            return "[" + ", ".join(self.value(type_.of_type, is_const, depth + 1) for _ in range(choose.randint(0, 2))) + "]"
        if isinstance(type_, GraphQLEnumType):
            name = choose.choice(list(type_.values))
            return choose.choice([name] * 9 + [f'"{name}"', name.lower()]) if self.slip(2) else name
        if isinstance(type_, GraphQLInputObjectType):
            fields = []
            for name, field in type_.fields.items():
                required = is_required_input_field(field)
                if required and not self.slip(0.5) or not required and depth < 2 and choose.random() < 0.15:
                    fields.append(f"{name}: {self.value(field.type, is_const, depth + 1)}")
            if self.slip(0.2):
                fields.append("nope: 1")
            if fields and self.slip(0.1):
                fields.append(fields[0])
            return "{ " + ", ".join(fields) + " }"
        return {"Int": "7", "Float": choose.choice(["1.5", "2", "1e3"]), "String": '"text"', "Boolean": choose.choice(["true", "false"]),
                "ID": choose.choice(['"id"', "4"])}.get(type_.name, choose.choice(['"custom"', "1", "{ a: [1] }", "true"]))


def reference(schema, text):
    """The same as the program answers."""
    def places(error):
        return sorted(f"{location.line}:{location.column}" for location in error.locations or [])
    try:
        document = parse(text, experimental_fragment_arguments=True)
    except GraphQLError as error:
        return {"syntax": True, "places": [places(error)], "messages": [error.message]}
    try:
        errors = validate(schema, document, specified_rules, max_errors=100_000)
    except (AttributeError, TypeError, KeyError) as error:
        return {"syntax": False, "places": [], "messages": [], "crash": repr(error)}
    return {"syntax": False, "places": [places(error) for error in errors], "messages": [error.message for error in errors]}


CRASHED = "graphql-core fails itself, with an AttributeError or the like"
UNPLACED = "graphql-core does not say where a list or object is that stands for a scalar or an enum value"
FRAGMENTS = "of two fragments with one name, ours follows the first and graphql-core the last"
INPUT_FIELDS = "of two input fields with one name, graphql-core looks at one only"
ARGUMENTS = "of two arguments with one name, graphql-core compares one only, and so takes equal fields for different ones"
ABORTED = "graphql-core gives up a document with fragments that spread themselves with arguments"
STREAM = "graphql-core says also of @stream at a fragment that its field is not a list"
UNUSED = "graphql-core checks the variables of a fragment only if an operation spreads it"
SPREADS = "of spreads of one fragment with different arguments, ours compares pairs that graphql-core does not"
CYCLE = "both find the cycle of fragments, and show another of two spreads that close it"
CONFLICT = "both find that fields conflict, and explain it by other pairs of the fields that they hold"


def fragment_around(place, document):
    """The name of the fragment that a place is in, or None."""
    line = int(place.split(":")[0])
    starts = [text for text in document.splitlines()[:line] if re.match(r"(fragment|query|mutation|subscription|\{)", text)]
    found = re.match(r"fragment (\w+)", starts[-1]) if starts else None
    return found and found[1]


def explanation(ours, theirs, document):
    """Why both differ, or None. Errors in the same places match; reasons must cover all others."""
    if "crash" in theirs:
        return CRASHED
    if "Validation aborted." in theirs["messages"] and any("within itself" in message for message in ours["messages"]):
        return ABORTED
    if ours["syntax"] or theirs["syntax"]:
        return None
    unify = lambda answer: [(tuple(places), message.replace("'", '"')) for places, message in zip(answer["places"], answer["messages"])]
    all_ours, all_theirs = unify(ours), unify(theirs)
    places = collections.Counter(error[0] for error in all_ours) & collections.Counter(error[0] for error in all_theirs)

    def rest(errors):
        matched = places.copy()
        for error in errors:
            matched[error[0]] -= 1
            if matched[error[0]] < 0:
                yield error

    ours, theirs = list(rest(all_ours)), list(rest(all_theirs))
    reasons = []

    def drop(reason, is_covered):
        """Takes away what a reason covers."""
        nonlocal ours, theirs
        covered = [error for error in ours + theirs if is_covered(error)]
        if covered:
            reasons.append(reason)
            ours, theirs = [e for e in ours if e not in covered], [e for e in theirs if e not in covered]

    drop(STREAM, lambda error: error[1].startswith("Stream directive cannot be used on non-list field"))
    unplaced = {message for place, message in theirs if not place}
    drop(UNPLACED, lambda error: error[1] in unplaced and "cannot represent" in error[1])
    # The response keys of a conflict, those of the subfields that explain it included.
    keys = lambda error: set(re.findall(r'ields "(\w+)" conflict', error[1]))
    conflicts = lambda errors: {key for error in errors for key in keys(error)}
    both = conflicts(all_ours) & conflicts(all_theirs)
    drop(CONFLICT, lambda error: keys(error) & both)
    unused = set(re.findall(r'Fragment "(\w+)" is never used', " ".join(message for _, message in all_theirs)))
    drop(UNUSED, lambda error: error in ours and "used in position expecting" in error[1]
         and fragment_around(error[0][0], document) in unused)
    drop(SPREADS, lambda error: error in ours and "have different fragment arguments" in error[1])
    cycles = {error[1] for error in ours} & {error[1] for error in theirs}
    drop(CYCLE, lambda error: error[1].startswith("Cannot spread fragment") and error[1] in cycles)
    twice = lambda what: any(f"There can be only one {what} named" in message for _, message in all_theirs)
    if twice("argument"):
        drop(ARGUMENTS, lambda error: keys(error) and "differing arguments" in error[1])
    if twice("fragment"):
        drop(FRAGMENTS, lambda error: True)
    if twice("input field"):
        drop(INPUT_FIELDS, lambda error: error in ours)
    return "; ".join(reasons) if not ours + theirs else None


schemas = [load(path) for path in paths]
questions = []
for index in range(count):
    choose = random.Random(seed * 1_000_003 + index)
    writer = Writer(schemas[index % len(schemas)], choose, 0.0 if index % 2 else choose.choice([0.02, 0.05, 0.1, 0.2]))
    questions.append({"schema": index % len(schemas), "document": writer.document()})

answers = subprocess.run([program, *paths], input="".join(json.dumps(q, ensure_ascii=False) + "\n" for q in questions).encode(),
                         stdout=subprocess.PIPE, check=True).stdout.splitlines()
assert len(answers) == count, f"{len(answers)} answers to {count} questions"
valid = syntax = invalid = unexplained = 0
errors = 0
explained = collections.Counter()
for question, answer in zip(questions, answers):
    ours, theirs = json.loads(answer), reference(schemas[question["schema"]], question["document"])
    valid += not theirs["places"] and "crash" not in theirs
    syntax += theirs["syntax"]
    invalid += bool(theirs["places"]) and not theirs["syntax"]
    errors += len(theirs["places"])
    if "crash" not in theirs and ours["syntax"] == theirs["syntax"] and sorted(ours["places"]) == sorted(theirs["places"]):
        continue
    reason = explanation(ours, theirs, question["document"])
    if reason:
        explained[reason] += 1
        continue
    unexplained += 1
    if unexplained <= 10:
        print(f"--- {paths[question['schema']]}\n{question['document']}\n- ours only:")
        for who, other in ((ours, theirs), (theirs, ours)):
            rest = collections.Counter(map(tuple, other["places"]))
            for place, message in zip(who["places"], who["messages"]):
                if rest[tuple(place)] > 0:
                    rest[tuple(place)] -= 1
                else:
                    print(f"  {', '.join(place)}: {message}")
            if who is ours:
                print("- graphql-core only:")
print(f"{count} documents over {len(paths)} schemas: {valid} valid, {invalid} invalid with {errors} errors, {syntax} not GraphQL")
for reason, number in explained.most_common():
    print(f"  {number} differ: {reason}")
print(f"{unexplained} differ without explanation")
sys.exit(1 if unexplained else 0)

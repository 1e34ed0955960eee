"""Schemas and documents that use every name in every place where GraphQL allows one, with texts and default values."""

from pathlib import Path

# What a type can be. In each turn every name is another one of these.
KINDS = ["composite", "scalar", "enum", "input"]
# What stands beside the types.
SECTIONS = ["Leaves", "Objects", "Arguments", "Definitions"]
# Names in one selection set. They are sorted, so that names which differ in case only stand together.
GROUP = 12
# Types that a schema cannot have again.
BUILT_IN = {"Int", "Float", "String", "Boolean", "ID"}


def is_name(text):
    """Whether GraphQL lets a schema use the name."""
    return text.isascii() and text.isidentifier() and not text.startswith("__")


def listed_names(path):
    lines = [line for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    names = [name for line in lines for name in line.split()]
    assert all(map(is_name, names)), path
    return names


def groups(names):
    return [names[start:start + GROUP] for start in range(0, len(names), GROUP)]


def each(template, names):
    """The template with each name in place of NAME."""
    return " ".join(template.replace("NAME", name) for name in names)


class Types:
    """A type for each name, in fields, arguments and variables that are called like it."""

    def __init__(self, names, turn):
        self.kinds = {}
        for index, name in enumerate(name for name in names if name not in BUILT_IN):
            kind = KINDS[(index + turn) % len(KINDS)]
            composite = ["object", "interface", "union"][(index // len(KINDS) + turn) % 3]
            self.kinds[name] = composite if kind == "composite" else kind
        self.groups = groups(list(self.kinds))

    def schema(self):
        definitions = {
            "object": "type NAME implements Node_ { id: ID! name: String me: NAME! all: [NAME!]! }",
            "interface": "interface NAME { id: ID! }",
            "union": "union NAME = Everything_ | Other_",
            "scalar": "scalar NAME",
            "enum": "enum NAME { ONE two Three }",
            "input": "input NAME { first: Int = 1 inner: NAME many: [NAME!] }",
        }
        interfaces = [name for name, kind in self.kinds.items() if kind == "interface"]
        text = [definitions[kind].replace("NAME", name) for name, kind in self.kinds.items()]
        text += [
            "interface Node_ { id: ID! }", "type Other_ implements Node_ { id: ID! }",
            f"type Everything_ implements {' & '.join(['Node_'] + interfaces)} {{ id: ID! }}",
            "extend type Query_ { node_: Node_ }",
        ]
        fields = {
            "input": "NAME(NAME: NAME): Int lists_NAME(NAME: [NAME!]! = []): Int",
            "leaf": "NAME(NAME: NAME): NAME! lists_NAME(NAME: [NAME!]): [NAME]",
            "composite": "NAME: NAME! lists_NAME: [NAME]",
        }
        for number, group in enumerate(self.groups):
            members = " ".join(fields[self.form(name)].replace("NAME", name) for name in group)
            text.append(f"type Types{number}_ {{ {members} }} extend type Query_ {{ types{number}_: Types{number}_! }}")
        return text

    def form(self, name):
        kind = self.kinds[name]
        return kind if kind == "input" else "leaf" if kind in ("scalar", "enum") else "composite"

    def documents(self):
        text = []
        for number, group in enumerate(self.groups):
            variables, fields, conditions = ["$detailed: Boolean!"], [], []
            for name in group:
                if self.form(name) == "composite":
                    fragment = f"Fragment_{name}"
                    text.append(f"fragment {fragment} on {name} {{ __typename }}")
                    if self.kinds[name] == "object":
                        fields.append(f"{name} {{ me {{ id }} }}")
                        conditions.append(f"... on {name} {{ name all {{ ...{fragment} }} }}")
                    else:
                        fields.append(f"{name} {{ ... on Everything_ {{ id }} }}")
                    fields.append(f"lists_{name} {{ ...{fragment} }}")
                else:
                    # The initializer of an operation makes an input object of the default value.
                    default = " = {first: 2}" if self.kinds[name] == "input" else ""
                    variables.append(f"${name}: {name}{default}")
                    fields.append(f"{name}({name}: ${name}) list_{name}: lists_{name}(NAME: []) ".replace("NAME", name))
            fields.append("__typename @include(if: $detailed)")
            selections = f"types{number}_ {{ {' '.join(fields)} }} node_ {{ id {' '.join(conditions)} }}"
            text.append(f"query Types{number}_({', '.join(variables)}) {{ {selections} }}")
        return text


class Leaves:
    """Fields without selections: in all objects, in some, in fragments, and under conditions of the same name."""

    def __init__(self, names):
        self.groups = groups(names)

    def schema(self):
        text = []
        for number, group in enumerate(self.groups):
            types = ["Int @deprecated", "String!", "[Float!]!"]
            fields = " ".join(f"{name}: {types[index % 3]}" for index, name in enumerate(group))
            text += [
                f"interface Leaf{number}_ {{ {fields} }}",
                f"type Leaves{number}_ implements Leaf{number}_ {{ {fields} }}",
                f"type OtherLeaves{number}_ implements Leaf{number}_ {{ {fields} }}",
                f"extend type Query_ {{ leaves{number}_: Leaves{number}_ leaf{number}_: Leaf{number}_! }}",
            ]
        return text

    def documents(self):
        text = []
        for number, group in enumerate(self.groups):
            fields, first, last = " ".join(group), group[0], group[-1]
            conditions = ", ".join(f"${name}: Boolean!" for name in group)
            text += [
                f"fragment LeafFields{number}_ on Leaf{number}_ {{ {fields} }}",
                f"query Leaves{number}_ {{ leaf{number}_ {{ {first} ... on Leaves{number}_ {{ {fields} }}"
                f" ... on OtherLeaves{number}_ {{ {last} }} }} }}",
                f"query Spread{number}_ {{ leaf{number}_ {{ ...LeafFields{number}_ {last} }}"
                f" leaves{number}_ {{ {fields} ...LeafFields{number}_ }} }}",
                f"query Included{number}_({conditions}) {{ leaves{number}_ {{ ... @include(if: ${first}) {{ {fields} }}"
                f" {each('... @include(if: $NAME) { NAME }', group[1:])} }} }}",
                # Properties that are deprecated are stored under another name.
                f"query Stored{number}_ {{ leaves{number}_ {{ {fields} {each('_NAME: NAME', [name for name in group if name[0] != '_'])} }} }}",
            ]
        return text


class Objects:
    """Fields of objects, and of lists of objects: in all objects, in some, in fragments, and under conditions."""

    def __init__(self, names):
        self.groups = groups(names)

    def schema(self):
        text = ["type Thing_ { id: ID! detail: String }"]
        for number, group in enumerate(self.groups):
            types = ["Thing_!", "[Thing_]"]
            fields = " ".join(f"{name}: {types[index % 2]}" for index, name in enumerate(group))
            text += [
                f"interface Object{number}_ {{ {fields} }}",
                f"type Objects{number}_ implements Object{number}_ {{ {fields} }}",
                f"extend type Query_ {{ object{number}_: Object{number}_ }}",
            ]
        return text

    def documents(self):
        text = []
        for number, group in enumerate(self.groups):
            objects, first = each("NAME { id }", group), group[0]
            text += [
                f"fragment ObjectFields{number}_ on Object{number}_ {{ {objects} }}",
                f"query Objects{number}_ {{ object{number}_ {{ {first} {{ id }}"
                f" ... on Objects{number}_ {{ {objects} }} }} }}",
                f"query SpreadObjects{number}_($detailed: Boolean!) {{ object{number}_ {{ ...ObjectFields{number}_"
                f" ... @include(if: $detailed) {{ {first} {{ detail }} }} }} }}",
            ]
        return text


class Arguments:
    """Arguments, variables, aliases, values of enums, fields of input objects, and labels of deferred fragments."""

    def __init__(self, names):
        self.names = names
        self.groups = groups(names)

    def schema(self):
        values = [name for name in self.names if name not in ("true", "false", "null")]
        text = [f"enum Values_ {{ {' '.join(values)} }}", "type Mutation_ { change_: Thing_ }"]
        text.append("type Thing_ { id: ID! detail: String }")
        for number, group in enumerate(self.groups):
            types = ["Int = 1", "[Values_!]!", f"Input{number}_", 'String! = ""']
            fields = " ".join(f"{name}: {types[index % 4]}" for index, name in enumerate(group))
            inputs = f"a: Input{number}_, b: Deprecated{number}_, c: Choice{number}_"
            text += [
                f"input Input{number}_ {{ {fields} }}",
                f"input Deprecated{number}_ {{ {each('NAME: Int @deprecated', group)} }}",
                f"input Choice{number}_ @oneOf {{ {each('NAME: Int', group)} }}",
                f"extend type Query_ {{ arguments{number}_({each('NAME: Int', group)}): Int }}",
                f"extend type Query_ {{ inputs{number}_({inputs}): Values_ thing{number}_: Thing_ }}",
            ]
        return text

    def documents(self):
        text = []
        for number, group in enumerate(self.groups):
            types = ["Int", "Int = 1", "Int!"]
            variables = ", ".join(f"${name}: {types[index % 3]}" for index, name in enumerate(group))
            inputs = f"$a: Input{number}_, $b: Deprecated{number}_, $c: Choice{number}_"
            deferred = " ".join(f'... @defer(label: "{name}") {{ id }}' for name in group)
            text += [
                f"query Arguments{number}_({variables}) {{ arguments{number}_({each('NAME: $NAME', group)}) }}",
                f"query Inputs{number}_({inputs}) {{ inputs{number}_(a: $a, b: $b, c: $c) }}",
                f"query Aliases{number}_ {{ {each('NAME: thing' + str(number) + '_ { id }', group)} }}",
                f"query LeafAliases{number}_ {{ thing{number}_ {{ {each('NAME: detail', group)} }} }}",
                f"mutation Deferred{number}_ {{ change_ {{ {deferred} }} }}",
            ]
        return text


class Definitions:
    """An operation and a fragment of each name, with a condition in the fragment, and one on a spread of it."""

    def __init__(self, names):
        self.names = names

    def schema(self):
        return ["type Thing_ { id: ID! detail: String } extend type Query_ { thing_: Thing_ }"]

    def documents(self):
        fragments = [name for name in self.names if name != "on"]
        text = [each("query NAME { thing_ { id } }", self.names)]
        text.append(each("fragment NAME on Thing_ { id ... @include(if: $detailed) { detail } }", fragments))
        for number, group in enumerate(groups(fragments)):
            # Two fragments with one condition have no property for it.
            things = " ".join(f"thing{index}_: thing_ {{ ...{name} }}" for index, name in enumerate(group))
            included = " ".join(
                f"thing{index}_: thing_ {{ ...{name} @include(if: $detailed) }}" for index, name in enumerate(group))
            text += [
                f"query {kind}{number}_($detailed: Boolean!) {{ {selections} }}"
                for kind, selections in [
                    ("Fragments", f"thing_ {{ {each('...NAME', group)} }}"), ("Things", things), ("IncludedThings", included)]]
        return text


# Texts that mean something in Swift, if they are not looked at scalar by scalar.
HOSTILE_TEXTS = [
    'Use "b" instead.', "a \\ b", "\\(x)", '"#', '"""', "*/ /* //", "line\nbreak\r\n\u2028\u2029\x85", "\0\x01\x1b[2J\x7f\x9b",
    '\u0600") var _x: Int = { 1 }() //', '\u0d4e"\u0d4e\\(x)\u0d4e"#', '"\u0301\\\u0301(x)', "\u202e\u2066\ufeff\u200b\U000e0041",
    "\ufdd0 \ufffe\U0001ffff\ue000\u0378", "\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea", "#if x\n#sourceLocation()\n`", "\\", '"', "",
]


def literal(text):
    """A text as a string of GraphQL."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\u{{{ord(c):x}}}" for c in text) + '"'


class Texts:
    """Texts in each place of a schema and a document that can have one."""

    def __init__(self, names):
        self.texts = [literal(text) for text in HOSTILE_TEXTS]

    def schema(self):
        schema = ["scalar Date_"]
        for number, text in enumerate(self.texts):
            schema.append(
                """TEXT type Text_ implements Named_ { TEXT a(TEXT b: String = TEXT, c: TextIn_ @deprecated(reason: TEXT)): Int
                @deprecated(reason: TEXT) TEXT me: [Text_!] @deprecated(reason: TEXT) TEXT kind: TextKind_ }
                TEXT interface Named_ { TEXT me: [Text_!] @deprecated(reason: TEXT) }
                TEXT enum TextKind_ { TEXT ONE @deprecated(reason: TEXT) TEXT TWO }
                TEXT input TextIn_ { TEXT a: String = TEXT @deprecated(reason: TEXT) TEXT b: [String!]! = [TEXT] c: Date_ }
                TEXT input TextChoice_ @oneOf { TEXT a: String TEXT b: Int }
                TEXT scalar TextScalar_ @specifiedBy(url: TEXT)
                extend type Query_ { TEXT text_(a: TextIn_, b: TextChoice_, c: TextScalar_): Text_ @deprecated(reason: TEXT) }
                """.replace("TEXT", text).replace("Text", f"Text{number}").replace("text_", f"text{number}_")
                .replace("Named_", f"Named{number}_"))
        return schema

    def documents(self):
        document = []
        for number, text in enumerate(self.texts):
            # An operation with a description, with defaults of its variables, and with arguments.
            document.append(
                """TEXT query Text_($a: TextIn_ = {b: [TEXT]}, $b: TextChoice_ = {a: TEXT}, $c: TextScalar_ = TEXT, $d: String! = TEXT) {
                text_(a: $a, b: $b, c: $c) { mine: a(b: $d) other: a(b: TEXT) kind ...TextPart_ } }
                TEXT fragment TextPart_ on Text_ { me { kind me { a } } a }
                mutation TextLabel_ { textChange_ { me { ...TextPart_ @defer(label: TEXT) } } }
                """.replace("textChange_", "text_").replace("TEXT", text).replace("Text", f"Text{number}")
                .replace("text_", f"text{number}_").replace("mutation", "query"))
        return document


class Defaults:
    """Variables with default values of each kind, nullable and not."""

    VALUES = {
        "Int": ["1", "-1", "null"], "Float": ["1", "1.5", "-1.5e3", "1e400"], "Boolean": ["true"], "ID": ['"x"', "7"],
        "String": ['"a"', '""', '"\\u{600}\\""', '"""a\n  "b" \\ """'], "DefaultDate_": ['"2020-01-01"', "1", "{a: 1}", "[1]"],
        "DefaultKind_": ["ONE", "default", "null"], "[Int]": ["[1, null]", "1", "[]", "null"], "[Int!]": ["[1]"],
        "[[Int]]": ["[[1, null], null]", "1"], "[DefaultKind_]": ["[ONE, null]", "ONE"], "[[DefaultKind_!]!]": ["[[ONE], [two]]"],
        "DefaultIn_": [
            "{required: 1}", '{n: null, f: 1, s: "x", id: 3, b: true, required: 2}', "{required: 1, kind: ONE, kinds: [two, ONE]}",
            "{required: 1, inner: {required: 2, inner: {required: 3, kind: default}}}", "{required: 1, many: [{required: 2}, {required: 3}]}",
            "{required: 1, many: {required: 2}}", '{required: 1, date: "x", dates: ["x"]}', "{required: 1, choice: {kind: ONE}}",
            "{required: 1, matrix: [[1]], choices: [{n: 1}, {many: [ONE]}]}", "{required: 1, old: 1}",
        ],
        "[DefaultIn_!]": ["[{required: 1}]", "{required: 1}", "[]"], "[DefaultIn_]": ["[null, {required: 1, kind: two}]"],
        "DefaultChoice_": ["{n: 1}", "{kind: default}", "{inner: {required: 1, kind: ONE}}", "{many: [ONE]}", "{self: {n: 1}}"],
        "[DefaultChoice_!]": ["[{n: 1}, {kind: two}]"],
    }

    def __init__(self, names):
        self.fields = {type: f"default{number}_" for number, type in enumerate(self.VALUES)}

    def schema(self):
        fields = " ".join(f"{field}(a: {type}): Int" for type, field in self.fields.items())
        return [
            "scalar DefaultDate_", "enum DefaultKind_ { ONE two default }", "enum DefaultNone_ @unused",
            "directive @unused on ENUM",
            "input DefaultChoice_ @oneOf { n: Int kind: DefaultKind_ inner: DefaultIn_ many: [DefaultKind_!] self: DefaultChoice_ }",
            """input DefaultIn_ { n: Int = 1 f: Float = 1.5 s: String! = "s" id: ID b: Boolean! = true kind: DefaultKind_ = ONE
            kinds: [DefaultKind_!] = [ONE] inner: DefaultIn_ many: [DefaultIn_!] matrix: [[Int]] date: DefaultDate_ dates: [DefaultDate_]
            choice: DefaultChoice_ = {n: 1} choices: [DefaultChoice_!] required: Int! old: Int @deprecated }""",
            f"extend type Query_ {{ {fields} defaultNone_: DefaultNone_ }}",
        ]

    def documents(self):
        document = ["query DefaultNone_ { defaultNone_ }"]
        for type, values in self.VALUES.items():
            for number, value in enumerate(values):
                for suffix, kind in [("", type), ("NonNull", type + "!")]:
                    if value == "null" and suffix:
                        continue
                    field = self.fields[type]
                    document.append(f"query {field.capitalize()}{number}{suffix}($a: {kind} = {value}) {{ {field}(a: $a) }}")
        return document


def write(folder, names, turn, sections):
    """Writes a schema, and documents for it."""
    parts = [Types(names, turn)] if names else []
    parts += [globals()[section](names) for section in sections]
    schema = ["schema { query: Query_ MUTATION } type Query_ { query_: Int }"]
    schema[0] = schema[0].replace("MUTATION", "mutation: Mutation_" if "Arguments" in sections else "")
    (folder / "documents").mkdir(parents=True)
    for part in parts:
        schema += [line for line in part.schema() if line not in schema]
        name = type(part).__name__
        (folder / "documents" / f"{name}.graphql").write_text("\n".join(part.documents()) + "\n")
    (folder / "schema.graphqls").write_text("\n".join(schema) + "\n")

"""Schemas and documents that use every name in every place where GraphQL allows one."""

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
                    variables.append(f"${name}: {name}")
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
    """An operation and a fragment of each name."""

    def __init__(self, names):
        self.names = names

    def schema(self):
        return ["type Thing_ { id: ID! detail: String } extend type Query_ { thing_: Thing_ }"]

    def documents(self):
        fragments = [name for name in self.names if name != "on"]
        text = [each("query NAME { thing_ { id } }", self.names), each("fragment NAME on Thing_ { id }", fragments)]
        for number, group in enumerate(groups(fragments)):
            text.append(f"query Fragments{number}_ {{ thing_ {{ {each('...NAME', group)} }} }}")
        return text


def write(folder, names, turn, sections):
    """Writes a schema, and documents for it."""
    parts = [Types(names, turn)] + [globals()[section](names) for section in sections]
    schema = ["schema { query: Query_ MUTATION } type Query_ { query_: Int }"]
    schema[0] = schema[0].replace("MUTATION", "mutation: Mutation_" if "Arguments" in sections else "")
    (folder / "documents").mkdir(parents=True)
    for part in parts:
        schema += [line for line in part.schema() if line not in schema]
        name = type(part).__name__
        (folder / "documents" / f"{name}.graphql").write_text("\n".join(part.documents()) + "\n")
    (folder / "schema.graphqls").write_text("\n".join(schema) + "\n")

"""Has graphql-core judge what mocks answer.

usage: mock-oracle.py MOCK-ANSWERS COUNT SEED SCHEMA…

Generates COUNT valid queries for the schemas in turn, always the same ones for a seed, and executes each in graphql-core over the
response of the mock: what it completes must be the response, without an error. So each value fits its type, nothing is null that may
not be, and each object has the fields that were selected on its type, and no others. Each query is also asked of a second mock,
after the others in reverse: its bytes must be equal.
"""

import json
import random
import subprocess
import sys

from graphql import (GraphQLEnumType, GraphQLInputObjectType, GraphQLInterfaceType, GraphQLList, GraphQLNonNull,
                     GraphQLObjectType, GraphQLUnionType, build_client_schema, build_schema, execute_sync,
                     get_named_type, is_composite_type, is_required_argument, is_required_input_field, parse, validate)

program, count, seed, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]


def load(path):
    text = open(path, encoding="utf-8").read()
    if path.endswith(".json"):
        result = json.loads(text)
        return build_client_schema(result.get("data", result), assume_valid=True)
    return build_schema(text, assume_valid=True)


class Writer:
    def __init__(self, schema, choose):
        self.schema, self.choose, self.number, self.fields = schema, choose, 0, 0

    def query(self):
        return "query Q " + self.selections(self.schema.query_type, 0)

    def selections(self, type_, depth):
        parts = ["__typename"]
        if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)):
            fields = [f for f in type_.fields.items() if depth < 5 or not is_composite_type(get_named_type(f[1].type))]
            self.choose.shuffle(fields)
            for name, field in fields[: self.choose.randint(1, 4)]:
                parts.append(self.field(name, field, depth))
        if isinstance(type_, (GraphQLInterfaceType, GraphQLUnionType)) and depth < 5:
            possible = list(self.schema.get_possible_types(type_))
            for one in self.choose.sample(possible, min(len(possible), 2)):
                parts.append(f"... on {one.name} {self.selections(one, depth + 1)}")
        return "{ " + " ".join(parts) + " }"

    def field(self, name, field, depth):
        # (An alias each, so that equal names never conflict.)
        self.number += 1
        text = f"f{self.number}: {name}"
        given = [f"{key}: {self.value(argument.type, 0)}" for key, argument in field.args.items()
                 if is_required_argument(argument) or self.chosen(key)]
        if given:
            text += "(" + ", ".join(given) + ")"
        inner = get_named_type(field.type)
        return f"{text} {self.selections(inner, depth + 1)}" if is_composite_type(inner) else text

    def chosen(self, key):
        # Two of these exclude each other.
        return key not in ("first", "last", "after", "before") and self.choose.random() < 0.2

    def value(self, type_, depth):
        if isinstance(type_, GraphQLNonNull):
            return self.value(type_.of_type, depth)
        if isinstance(type_, GraphQLList):
            return "[" + self.value(type_.of_type, depth + 1) + "]"
        if isinstance(type_, GraphQLEnumType):
            return self.choose.choice(list(type_.values))
        if isinstance(type_, GraphQLInputObjectType):
            fields = list(type_.fields.items())
            if getattr(type_, "is_one_of", False):
                name, field = self.choose.choice(fields)
                return "{ " + f"{name}: {self.value(field.type, depth + 1)}" + " }"
            return "{ " + ", ".join(f"{name}: {self.value(field.type, depth + 1)}" for name, field in fields
                                    if is_required_input_field(field)) + " }"
        return {"Int": str(self.choose.randint(1, 9)), "Float": "1.5", "Boolean": "true"}.get(
            type_.name, f'"{self.choose.randint(1, 9)}"')


def answers(path, queries):
    lines = "".join(json.dumps({"query": query}) + "\n" for query in queries)
    found = subprocess.run([program, str(seed), path], input=lines, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def resolve(source, info, /, **_):
    return source[info.path.key]


def judge(schema, query, response):
    if response.get("errors"):
        return f"errors: {response['errors'][0]['message']}"
    result = execute_sync(
        schema, parse(query), root_value=response["data"],
        field_resolver=resolve,
        type_resolver=lambda value, info, _: value["__typename"])
    if result.errors:
        return f"graphql-core: {result.errors[0]}"
    if result.data != response["data"]:
        return f"graphql-core completes {json.dumps(result.data)[:300]} of {json.dumps(response['data'])[:300]}"
    return None


failures, judged, values = 0, 0, 0
for index, path in enumerate(paths):
    schema, choose = load(path), random.Random(f"{seed} {index}")
    queries = []
    while len(queries) < count // len(paths):
        query = Writer(schema, choose).query()
        if not validate(schema, parse(query)):
            queries.append(query)
    first, again = answers(path, queries), answers(path, queries[::-1])[::-1]
    assert len(first) == len(queries) == len(again), f"{path}: {len(first)} answers to {len(queries)} queries"
    for query, text, other in zip(queries, first, again):
        judged += 1
        values += text.count(":")
        problem = judge(schema, query, json.loads(text)) or (text != other and "another answer in another order") or None
        if problem:
            failures += 1
            if failures <= 5:
                print(f"{path}\n{query}\n  {problem}", file=sys.stderr)
print(f"graphql-core has judged {judged} answers over {len(paths)} schemas, {values} members: {failures} do not fit")
sys.exit(1 if failures else 0)

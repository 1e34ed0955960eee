"""Writes Tests/JSONCases/json-test-suite.tsv: the files of JSONTestSuite, and what Python makes of each.

usage: json-cases.py FOLDER > Tests/JSONCases/json-test-suite.tsv

FOLDER is a clone of https://github.com/nst/JSONTestSuite (MIT licence, © 2016 Nicolas Seriot). A line has the name of a
file, its bytes in base64, and the value as JSON without white space, or nothing if it is to be refused. Numbers keep
their digits, and a surrogate without its pair is U+FFFD.
"""

import base64
import json
import pathlib
import sys

# These two are made in code: they are one opening bracket, and many more of them.
TOO_LARGE = 10_000


class Number(str):
    pass


def canonical(value):
    if value is None or value is True or value is False:
        return json.dumps(value)
    if isinstance(value, Number):
        return value
    if isinstance(value, str):
        whole = "".join("\ufffd" if 0xD800 <= ord(character) < 0xE000 else character for character in value)
        return json.dumps(whole, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return "{" + ",".join(canonical(name) + ":" + canonical(member) for name, member in value.items()) + "}"


def refuse(word):
    raise ValueError(word)


def read(data):
    text = data.decode("utf-8").removeprefix("\ufeff")
    return canonical(json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse))


sys.setrecursionlimit(100_000)
root = pathlib.Path(sys.argv[1])
for file in sorted(root.glob("test_parsing/*.json")) + sorted(root.glob("test_transform/*.json")):
    data = file.read_bytes()
    if len(data) > TOO_LARGE:
        continue
    try:
        value = read(data)
    except ValueError:
        value = ""
    expected = {"y": True, "n": False}.get(file.name[0]) if file.parent.name == "test_parsing" else None
    assert expected in (None, value != ""), file.name
    print(file.name.removesuffix(".json"), base64.b64encode(data).decode(), value, sep="\t")

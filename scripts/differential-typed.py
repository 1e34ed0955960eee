"""Compares typed reading with an evaluation of the same selection in Python, over responses in random styles of JSON.

usage: differential-typed.py JSON-VERDICTS [COUNT]

The query is Fuzzing/Sources/FuzzModels/Everything.graphql. COUNT responses (20,000 by default, always the same ones) are
made as Python values, evaluated, and written with white space anywhere, members in any order, escapes, other spellings of
numbers, unknown members, and members that are there twice, of which the last one counts. What is read from each, and what
the cache gives after it was written there, has to be what was evaluated. Any difference ends with exit status 1.
"""

import json
import random
import struct
import subprocess
import sys
import tempfile

program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
random.seed(11)
identifiers = iter(range(10 ** 9))

STRINGS = ["", "a", "Zoë", "😀", "日本語", "\n\t\"\\/", "x" * 40, "__typename", "</script>", "\u2028"]


def maybe(make, chance=0.8):
    return make() if random.random() < chance else None


def size():
    return {"__typename": "Size", "meters": random.choice([0, 1, 1.5, -2.25, 1e20]), "count": maybe(lambda: random.randint(-9, 10 ** 12))}


def episodes():
    return [random.choice(["NEWHOPE", "EMPIRE", "JEDI", "LATER"]) for _ in range(random.randint(0, 3))]


def character(depth, typename=None):
    """A character with all fields of the schema, as deep as the query goes."""
    typename = typename or random.choice(["Human", "Droid", "Wookiee"])
    value = {
        "__typename": typename, "id": str(next(identifiers)), "name": random.choice(STRINGS), "appearsIn": episodes(),
        "size": maybe(size),
        "friends": maybe(lambda: [maybe(lambda: character(depth - 1)) for _ in range(random.randint(0, 3))]) if depth else None,
    }
    if typename == "Human":
        value["height"] = maybe(lambda: random.choice([0.5, 2, 1e-7]))
    if typename == "Droid":
        value["primaryFunction"] = maybe(lambda: random.choice(STRINGS))
        value["grid"] = maybe(lambda: [[maybe(lambda: random.randint(-5, 5)) for _ in range(random.randint(0, 3))] for _ in range(2)])
        value["isOld"] = random.random() < 0.5
    return value


def only(value, *names):
    return {name: value[name] for name in names}


def friend(value, hero):
    """What the query, its fragment and its type conditions select of a friend of the hero."""
    if value is None:
        return None
    selected = only(value, "__typename", "name", "id")
    if value["__typename"] == "Human":
        selected["height"] = value["height"]
    if hero == "Droid":
        selected["appearsIn"] = value["appearsIn"]
    return selected


def selected_hero(value):
    if value is None:
        return None
    selected = only(value, "__typename", "id", "name", "appearsIn")
    selected["nick"] = value["name"]
    selected["size"] = value["size"] and only(value["size"], "__typename", "meters")
    selected["friends"] = value["friends"] and [friend(each, value["__typename"]) for each in value["friends"]]
    if value["friends"] == []:
        selected["friends"] = []
    if value["__typename"] == "Droid":
        selected |= only(value, "primaryFunction", "grid", "isOld")
    return selected


def selected_result(value):
    if value is None:
        return None
    names = {"Droid": ["__typename", "id", "name"], "Human": ["__typename", "id"], "Size": ["__typename", "meters", "count"]}
    return only(value, *names[value["__typename"]])


# Writing

INTEGERS = {"count", "grid"}
NUMBERS = INTEGERS | {"meters", "height"}


def space(style):
    return "".join(random.choice([" ", "\n", "\t", "\r\n"]) for _ in range(random.choice([0, 0, 0, 1, 2]))) if style["space"] else ""


def string(text, style):
    def escaped(character):
        if random.random() < style["escapes"]:
            units = character.encode("utf-16-be")
            return "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2))
        if character == "/" and style["escapes"]:
            return "\\/"
        return json.dumps(character, ensure_ascii=style["ascii"])[1:-1]

    return '"' + "".join(escaped(character) for character in text) + '"'


def number(value, name, style):
    if name not in NUMBERS or not style["numbers"] or abs(value) > 10 ** 14:
        return json.dumps(value)
    if isinstance(value, int):
        return random.choice([f"{value}", f"{value}.0", f"{value}e0", f"{value}0e-1", f"{value}.00E+0"]) if value else random.choice(["0", "0.0", "0e5"])
    return random.choice([json.dumps(value), f"{value:.20e}"])


def write(value, style, name=""):
    around = space(style)
    if isinstance(value, dict):
        names = list(value)
        if style["order"] == "shuffled":
            random.shuffle(names)
        if style["order"] == "last" and "__typename" in names:
            names.remove("__typename")
            names.append("__typename")
        members = [(key, write(value[key], style, key)) for key in names]
        if style["repeats"]:
            # What stands before the member of the same name does not count, whatever it is.
            for key, _ in list(members):
                if random.random() < 0.1:
                    end = next(i for i, member in enumerate(members) if member[0] == key)
                    wrong = random.choice(["null", "{}", '"x"', "7", "[{}]", '{"__typename":"Size","id":"1"}'])
                    members.insert(random.randint(0, end), (key, wrong))
        if style["unknown"]:
            members.insert(random.randint(0, len(members)), ("unknown", random.choice(["1e999", "[[]]", '{"a":{"b":"}"}}', "null"])))
        if style["response"] and "id" in value:
            members = [(key, json.loads(text) if key == "id" and text.strip('"').isdigit() and random.random() < 0.3 else text) for key, text in members]
        comma = random.choice([",", ", "]) if style["library"] else "," + space(style)
        colon = ": " if style["library"] else ":" + space(style)
        body = comma.join(f"{space(style)}{string(key, style)}{space(style)}{colon}{text}" for key, text in members)
        return f"{around}{{{body}{space(style)}}}{around}"
    if isinstance(value, list):
        return f"{around}[{(',' + space(style)).join(write(each, style, name) for each in value) or space(style)}]{around}"
    if isinstance(value, str):
        return string(value, style)
    if value is None or isinstance(value, bool):
        return around + json.dumps(value) + around
    return around + number(value, name, style) + around


def random_style():
    return {
        "space": random.random() < 0.5, "escapes": random.choice([0, 0, 0.1, 0.5]), "ascii": random.random() < 0.5,
        "numbers": random.random() < 0.5, "order": random.choice(["same", "shuffled", "last"]),
        "repeats": random.random() < 0.3, "unknown": random.random() < 0.3, "library": random.random() < 0.5,
        "response": True,
    }


def case():
    hero = maybe(lambda: character(1), 0.9)
    results = maybe(lambda: [maybe(lambda: random.choice([
        lambda: character(0, "Human"), lambda: character(0, "Droid"), size])()) for _ in range(random.randint(0, 3))])
    expected = {"hero": selected_hero(hero), "search": results and [selected_result(each) for each in results]}
    if results == []:
        expected["search"] = []
    # A response has what was selected, and a careless server sends more.
    response = {"data": expected if random.random() < 0.5 else {"hero": hero and {**hero, "nick": hero["name"]}, "search": results}}
    style = random_style()
    return expected, write(response, style).encode("utf-8")


cases = [case() for _ in range(count)]
with tempfile.NamedTemporaryFile() as file:
    for _, data in cases:
        file.write(struct.pack("<I", len(data)) + data)
    file.flush()
    run = subprocess.run([program, "--typed", file.name], capture_output=True, check=True)
lines = run.stdout.decode("utf-8").split("\n")

differences = []
for index, (expected, data) in enumerate(cases):
    for place, line in zip(("read", "cache"), lines[2 * index:2 * index + 2]):
        try:
            same = json.loads(line) == expected
        except ValueError:
            same = False
        if not same:
            differences.append((place, data.decode("utf-8"), json.dumps(expected, ensure_ascii=False), line))

print(f"{count} responses in random styles, read and cached")
for place, data, expected, line in differences[:5]:
    print(f"DIFFERENT ({place})\n  response {data[:1500]}\n  expected {expected[:1000]}\n  got      {line[:1000]}")
print(f"{len(differences)} differences")
sys.exit(1 if differences else 0)

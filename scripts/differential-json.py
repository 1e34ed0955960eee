"""Compares how we read JSON with Python's json module and with Foundation's JSONDecoder.

usage: differential-json.py JSON-VERDICTS [COUNT]

Generates COUNT documents (100,000 by default), half of them valid and half of them mutated, always the same ones. Every
difference must be one of the kinds that are explained below; any other ends with exit status 1.
"""

import json
import random
import re
import struct
import subprocess
import sys
import tempfile

program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
random.seed(7)

STRINGS = ["", "a", "Zoë", "😀", "日本語", "\u0000", "\n\t\"\\/", "\ud800", "x" * 40, "__typename", "id", "\u2028", "\x7f"]
NUMBERS = ["0", "-0", "1", "-17", "3.25", "0.1", "1e3", "1E-7", "2147483648", "9007199254740993", "9223372036854775807",
           "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "1.7976931348623157e308",
           "5e-324", "0.30000000000000004", "1e22", "1e23", "123456.789e-10"]


def text(value):
    escaped = random.random() < 0.5
    try:
        return json.dumps(value, ensure_ascii=escaped).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value).encode("ascii")


def space():
    return random.choice([b""] * 6 + [b" ", b"\n", b"\t ", b"\r\n"])


def document(depth=0):
    kind = random.random()
    if depth < 5 and kind < 0.25:
        members = [space() + text(random.choice(STRINGS)) + space() + b":" + document(depth + 1) for _ in range(random.randint(0, 5))]
        return space() + b"{" + (b",".join(members) or space()) + b"}" + space()
    if depth < 5 and kind < 0.5:
        return space() + b"[" + (b",".join(document(depth + 1) for _ in range(random.randint(0, 5))) or space()) + b"]" + space()
    if kind < 0.65:
        return space() + text(random.choice(STRINGS)) + space()
    if kind < 0.9:
        return space() + random.choice(NUMBERS).encode() + space()
    return space() + random.choice([b"true", b"false", b"null"]) + space()


ALPHABET = list(b'{}[],:"\\ \n0123456789.eE+-tfnulaxdD\x00\x1f\x80\xc3\xbf\xed\xa0\xf4/')


def mutated(data):
    data = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(data) + 1)
        action = random.random()
        if action < 0.35 and at < len(data):
            data[at] = random.choice(ALPHABET)
        elif action < 0.65:
            data.insert(at, random.choice(ALPHABET))
        elif action < 0.9 and at < len(data):
            del data[at]
        else:
            data = data[:at]
    return bytes(data)


def refuse(name):
    raise ValueError(name)


def by_python(data):
    """The value, whether Python accepts it, and whether a number in it became infinite. NaN and Infinity are not JSON."""
    infinite = False

    def number(text):
        nonlocal infinite
        value = float(text)
        infinite = infinite or value in (float("inf"), float("-inf"))
        return value

    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse, parse_float=number), True, infinite
    except (ValueError, RecursionError):
        return None, False, infinite


def normal(value):
    """-0 is 0; a lone surrogate is U+FFFD, as our reader documents."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [normal(v) for v in value]
    if isinstance(value, dict):
        return {normal(k): normal(v) for k, v in value.items()}
    return value


documents = [document() if n % 2 else mutated(document()) for n in range(count)]
with tempfile.NamedTemporaryFile() as file:
    for data in documents:
        file.write(struct.pack("<I", len(data)) + data)
    file.flush()
    lines = subprocess.run([program, file.name], capture_output=True, check=True).stdout.decode("utf-8").split("\n")

SCALAR = re.compile(rb'"(?:\\.|[^"\\])*"|[-+0-9.eE]+|true|false|null', re.DOTALL)
TRAILING_COMMA = re.compile(rb'("(?:\\.|[^"\\])*")|,(?=[ \t\r\n]*[\]}])', re.DOTALL)


def is_valid(data):
    return by_python(data)[1]


def has_lone_surrogate(value):
    if isinstance(value, str):
        return any(0xD800 <= ord(character) < 0xE000 for character in value)
    if isinstance(value, list):
        return any(has_lone_surrogate(v) for v in value)
    if isinstance(value, dict):
        return any(has_lone_surrogate(k) or has_lone_surrogate(v) for k, v in value.items())
    return False


def surrogates(data):
    """Whether a string of the document, of a repeated member as well, has half of a pair."""
    return any(has_lone_surrogate(json.loads(text)) for text in SCALAR.findall(data) if text[:1] == b'"' and is_valid(text))


def has_zero_with_exponent(data):
    """Such as 0E1, or 5e-325, which is too small for a double."""
    numbers = [text for text in SCALAR.findall(data) if text[:1] not in b'"tfn' and b"e" in text.lower()]
    return any(is_valid(text) and float(text) == 0 for text in numbers)


def is_wrong_in_repeated_member(data):
    """Whether all that is wrong are strings and numbers in members whose name the same object has once more."""
    position, wrong = 0, []

    def skip_space():
        nonlocal position
        while data[position:position + 1] in (b" ", b"\t", b"\r", b"\n") and position < len(data):
            position += 1

    def scalar(path):
        nonlocal position
        match = SCALAR.match(data, position)
        if not match:
            raise ValueError
        position = match.end()
        if not is_valid(match.group()):
            wrong.append(path)
        return match.group()

    def name(text):
        return json.loads(text) if is_valid(text) else text

    def elements(close, element):
        nonlocal position
        position += 1
        skip_space()
        while data[position:position + 1] != close:
            element()
            skip_space()
            if data[position:position + 1] == b",":
                position += 1
                skip_space()
            elif data[position:position + 1] != close:
                raise ValueError
        position += 1

    def parse(path):
        nonlocal position
        skip_space()
        start = data[position:position + 1]
        if start == b"[":
            elements(b"]", lambda: parse(path))
        elif start == b"{":
            names = []

            def member():
                nonlocal position
                here = (names, len(names))
                names.append(name(scalar(path + [here])))
                skip_space()
                if data[position:position + 1] != b":":
                    raise ValueError
                position += 1
                parse(path + [here])

            elements(b"}", member)
        else:
            scalar(path)

    try:
        parse([])
        skip_space()
    except ValueError:
        return False
    repeated = [any(names.count(names[index]) > 1 for names, index in path) for path in wrong]
    return position == len(data) and bool(wrong) and all(repeated)


def foundation_reason(data, ours, value, infinite):
    """Why Foundation's verdict is another one; None if no known reason fits."""
    if ours:
        if has_lone_surrogate(value) or surrogates(data):
            return "Foundation refuses half of a surrogate pair; we read U+FFFD, so that one broken emoji does not cost a response"
        if has_zero_with_exponent(data):
            return "Foundation refuses 0E1, and what is too small for a double; we read 0, as the grammar and IEEE 754 say"
        if infinite:
            return "Foundation refuses a number that is too large for a double; we keep its digits"
        return None
    if data.strip(b"\x00") != data and is_valid(data.strip(b"\x00")):
        return "Foundation takes a NUL at either end for another encoding; we refuse it (RFC 8259: UTF-8)"
    without = TRAILING_COMMA.sub(lambda match: match.group(1) or b"", data)
    if without != data and is_valid(without):
        return "Foundation accepts a comma behind the last element; the grammar does not"
    for text in (data, without):
        if is_wrong_in_repeated_member(text):
            return "Foundation reads one of several members of the same name, and never looks at the others; we check all"
    return None


explained, unexplained, accepted = {}, [], 0
for data, line in zip(documents, lines):
    verdicts, _, values = line.partition(" ")
    canonical, _, tree = values.partition("\t")
    ours, skipped, scalar, foundation = (verdicts[i] == "+" for i in (1, 3, 5, 7))
    value, valid, infinite = by_python(data)
    accepted += ours
    if (verdicts[9] == "+") != valid:
        unexplained.append(("GraphQLJSON disagrees with Python", data, line))
    elif valid and normal(json.loads(tree)) != normal(value):
        unexplained.append(("another value of GraphQLJSON than Python's", data, line))

    def explain(kind):
        explained[kind] = explained.get(kind, 0) + 1

    # The document in an envelope may be another document: `1,"b":2` is not a value, but is two members.
    _, valid_inside, _ = by_python(b'{"x":{"y":' + data + b"}}")
    if scalar != valid_inside:
        unexplained.append(("a custom scalar differs", data, line))
    if skipped != by_python(b'{"x":' + data + b"}")[1]:
        unexplained.append(("a member that is not selected differs", data, line))
    if ours != valid:
        unexplained.append(("Python disagrees", data, line))
    elif ours and normal(json.loads(canonical)) != normal(value):
        unexplained.append(("another value than Python's", data, line))
    if ours != foundation:
        reason = foundation_reason(data, ours, value, infinite)
        if reason:
            explain(reason)
        else:
            unexplained.append(("Foundation disagrees", data, line))

print(f"{count} documents, {accepted} accepted")
for kind, times in sorted(explained.items()):
    print(f"{times:7} {kind}")
for kind, data, line in unexplained[:10]:
    print("UNEXPLAINED", kind, data[:200], line[:100])
print(f"{len(unexplained)} unexplained differences")
sys.exit(1 if unexplained else 0)

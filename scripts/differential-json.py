"""Compares how we read JSON with Python's json module and with Foundation's JSONDecoder.

usage: differential-json.py JSON-VERDICTS [COUNT]

Generates COUNT documents (100,000 by default), half of them valid and half of them mutated, always the same ones. Every
difference must be one of the kinds that are explained below; any other ends with exit status 1.
"""

import json
import random
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
    """The value, or None with False where Python refuses; NaN and Infinity are no JSON."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse), True
    except (ValueError, RecursionError):
        return None, False


def normal(value):
    """-0 is 0; a lone surrogate is U+FFFD, as our reader documents."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [normal(v) for v in value]
    if isinstance(value, dict):
        return {normal(k): normal(v) for k, v in value.items()}
    return value


def has_infinity(value):
    if isinstance(value, float):
        return value in (float("inf"), float("-inf"))
    if isinstance(value, list):
        return any(map(has_infinity, value))
    if isinstance(value, dict):
        return any(map(has_infinity, value.values()))
    return False


documents = [document() if n % 2 else mutated(document()) for n in range(count)]
with tempfile.NamedTemporaryFile() as file:
    for data in documents:
        file.write(struct.pack("<I", len(data)) + data)
    file.flush()
    lines = subprocess.run([program, file.name], capture_output=True, check=True).stdout.decode("utf-8").split("\n")

explained, unexplained, accepted = {}, [], 0
for data, line in zip(documents, lines):
    verdicts, _, canonical = line.partition(" ")
    ours, skipped, scalar, foundation = (verdicts[i] == "+" for i in (1, 3, 5, 7))
    value, valid = by_python(data)
    accepted += ours

    def explain(kind):
        explained[kind] = explained.get(kind, 0) + 1

    if not ours == scalar or (ours and not skipped):
        unexplained.append(("our own ways differ", data, line))
    elif skipped and not ours:
        # Whether a number fits is only known when it is read.
        explain("number out of range in a member that is not selected") if has_infinity(value) else unexplained.append(("skipped", data, line))
    if ours != valid:
        if valid and has_infinity(value):
            explain("Python reads a number that is too large as infinity; we refuse it")
        else:
            unexplained.append(("Python disagrees", data, line))
    elif ours and normal(json.loads(canonical)) != normal(value):
        unexplained.append(("another value than Python's", data, line))
    if ours != foundation:
        if b"\\ud" in data.lower() or b"\\uD" in data:
            explain("Foundation refuses lone surrogates; we read U+FFFD")
        elif ours and not valid:
            unexplained.append(("Foundation disagrees", data, line))
        elif foundation and not valid:
            explain("Foundation accepts what Python and we refuse")
        elif ours and valid:
            explain("Foundation refuses what Python and we accept")
        else:
            explain("Foundation reads a number that is too large; we refuse it")

print(f"{count} documents, {accepted} accepted")
for kind, times in sorted(explained.items()):
    print(f"{times:7} {kind}")
for kind, data, line in unexplained[:20]:
    print("UNEXPLAINED", kind, data, line)
print(f"{len(unexplained)} unexplained differences")
sys.exit(1 if unexplained else 0)

#!/usr/bin/env python3
"""Finds what does not fit where `Int` has 32 bits, as on Apple Watch up to Series 8, in the modules that apps link.

usage: check-widths.py [FOLDER]      (by default the package)

1. A shift by 31 and more, and a literal from 2^31 on, on a line that names no type with room for it: an `Int` of 32 bits
   becomes 0 or negative, and the program stops or goes on with another number. (`as UInt64`, or a declaration.)
2. An `Int` made of a date, a time, or an age: it ends the program in 2038, or when a clock is wrong. `wholeSeconds` makes
   an `Int64`.
3. An `Int` of a size of a file, and `Int(UInt32.max)`.
"""

import pathlib
import re
import sys

MODULES = """ApolloAPI ApolloFoundation ApolloJSON ApolloCache Apollo ApolloWebSocket ApolloPagination ApolloSQLite
  ApolloMocks ApolloTestSupport ApolloUI ApolloAsyncHTTP ApolloCore GraphQLJSON GraphQLSyntax GraphQLSchema GraphQLValidation GraphQLExecution""".split()
SIZED = re.compile(r"\b(U?Int(32|64|128)|Double|TimeInterval|Date)\b")
# (Not those with a fraction or an exponent.)
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F_]+|0b[01_]+|[0-9][0-9_]*)(?!\.?\w)")
# Sixteen hexadecimal digits are the bits of a word, which is a UInt64.
WORD = re.compile(r"0x([0-9a-f]{4}_){3}[0-9a-f]{4}")
SHIFT = re.compile(r"&?<< ?&?(\d+)\b")
TIMES = re.compile(r"timeInterval|[sS]econds|\b[aA]ge\b|maxAge|Date\(")
SIZES = re.compile(r"\]\s*as[?!] Int\b|\bInt\(UInt32\.max\)")


def code(line):
    """The line without texts and comments. (What is in a text between `\\(` and `)` is code.)"""
    line = re.sub(r'"(?:\\\([^"]*\)|\\.|[^"\\])*"', lambda match: " ".join(re.findall(r"\\\(([^\"]*)\)", match[0])), line)
    return line.split("//")[0]


def conversions(line):
    """What stands in the parentheses of each `Int(…)`."""
    for match in re.finditer(r"\bInt\((?!\w+:)", line):
        depth, end = 1, match.end()
        while depth > 0 and end < len(line):
            depth += {"(": 1, ")": -1}.get(line[end], 0)
            end += 1
        yield line[match.end():end]


def problem(line):
    line = code(line)
    if any(TIMES.search(value) for value in conversions(line)):
        return "an Int of a time: use wholeSeconds"
    if SIZES.search(line):
        return "an Int of what may have more than 32 bits"
    if SIZED.search(line):
        return None
    if any(int(match[1]) >= 31 for match in SHIFT.finditer(line)):
        return "a shift beyond an Int of 32 bits: name a type that has room"
    literals = (match[1] for match in NUMBER.finditer(WORD.sub("", line)))
    if any(int(literal, 0 if literal[1:2] in ("x", "b") else 10) > 0x7FFF_FFFF for literal in literals):
        return "a literal beyond an Int of 32 bits: name a type that has room"
    return None


def main():
    package = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    found = 0
    for module in MODULES:
        for file in sorted(path for path in (package / "Sources" / module).rglob("*.swift") if path.is_file()):
            for number, line in enumerate(file.read_text().split("\n"), 1):
                if text := problem(line):
                    print(f"{file.relative_to(package)}:{number}: {text}\n  {line.strip()}")
                    found += 1
    sys.exit(1 if found else 0)


main()

#!/usr/bin/env python3
"""Finds words that plain English does without, in what is new.

usage: plain.py [--update]

The rules are in CONTRIBUTING.md. What stood there before
them is counted in scripts/plain.txt, file by file. A count may only become smaller; --update writes smaller ones.
"""
import pathlib
import re
import subprocess
import sys

RULES = {
    "is no": (
        r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|older\b|news\b|good\b|reason\b|use\b|such\b)",
        'say "is not a"'),
    "nobody": (r"(?<![\"\\])\b(?:[Nn]obody|[Nn]o one)\b", 'name the part: "no watcher", "no caller"'),
    "somebody": (r"\b(?:[Ss]omebody|[Ss]omeone)\b", 'name the part: "another caller", "a watcher"'),
    "whoever": (r"\b[Ww]hoever\b", 'name the part: "the caller that", "a client that"'),
}
FOLDERS = ["Sources", "Tests", "Plugins", "Examples", "Benchmarks", "Fuzzing", "Docs", "scripts", "*.md"]
GENERATED = re.compile(r"/(Fixtures|Generated|EarlierGeneratedCode)/|CHANGELOG|CONTRIBUTING|\.graphql\.swift$")
SUFFIXES = {".swift", ".md", ".py", ".sh"}
LIST = pathlib.Path(__file__).with_name("plain.txt")


def found():
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *FOLDERS],
        capture_output=True, text=True, check=True).stdout.split("\0")
    places = {}
    for name in sorted(set(names)):
        path = pathlib.Path(name)
        if path.suffix not in SUFFIXES or path.name == "plain.py" or GENERATED.search(name) or not path.exists():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for rule, (pattern, _) in RULES.items():
                for _ in re.finditer(pattern, line):
                    places.setdefault((name, rule), []).append((number, line.strip()))
    return places


def main():
    places = found()
    counts = {key: len(lines) for key, lines in places.items()}
    known = {}
    for line in LIST.read_text().splitlines() if LIST.exists() else []:
        count, name, rule = line.split("\t")
        known[name, rule] = int(count)
    if "--update" in sys.argv:
        grown = [key for key, count in counts.items() if LIST.exists() and count > known.get(key, 0)]
        if not grown:
            LIST.write_text("".join(f"{count}\t{name}\t{rule}\n" for (name, rule), count in sorted(counts.items())))
            return 0
    problems = 0
    for (name, rule), lines in sorted(places.items()):
        if len(lines) > known.get((name, rule), 0):
            problems += 1
            allowed = known.get((name, rule), 0)
            print(f"{name}: {len(lines)} times \"{rule}\", {allowed} are allowed: {RULES[rule][1]}", file=sys.stderr)
            for number, line in lines:
                print(f"  {name}:{number}: {line[:100]}", file=sys.stderr)
    stale = [key for key, count in known.items() if counts.get(key, 0) < count]
    if stale and not problems:
        print(f"plain: {len(stale)} counts have become smaller: run scripts/plain.py --update", file=sys.stderr)
        problems += 1
    return 1 if problems else 0


sys.exit(main())

#!/usr/bin/env python3
"""Finds words that plain English does without. The rules are in CONTRIBUTING.md.

usage: plain.py
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


def main():
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *FOLDERS],
        capture_output=True, text=True, check=True).stdout.split("\0")
    status = 0
    for name in sorted(set(names)):
        path = pathlib.Path(name)
        if path.suffix not in SUFFIXES or path.name == "plain.py" or GENERATED.search(name) or not path.exists():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for rule, (pattern, advice) in RULES.items():
                if re.search(pattern, line):
                    status = 1
                    print(f"{name}:{number}: \"{rule}\": {advice}: {line.strip()[:100]}", file=sys.stderr)
    return status


sys.exit(main())

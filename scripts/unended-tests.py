#!/usr/bin/env python3
"""Names the tests that began and did not end, from what `swift test` printed: unended-tests.py LOG"""
import re
import sys

TITLE = r'Test (?:case passing .* to )?("(?:[^"\\]|\\.)*"|\S+\(\))'
begun, ended = {}, set()
for line in open(sys.argv[1], errors="replace"):
    if found := re.search(rf"◇ {TITLE} started", line):
        begun[found[1]] = line.strip()
    elif found := re.search(rf"[✔✘] {TITLE}.* (?:passed|failed) after", line):
        ended.add(found[1])
unended = [line for title, line in begun.items() if title not in ended]
if unended:
    print("\nBegan and did not end:")
    print("\n".join(unended))

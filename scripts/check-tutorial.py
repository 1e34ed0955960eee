#!/usr/bin/env python3
"""Checks that the code of the tutorial is that of the example: each of its files is the example's, some with lines left out."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).parent.parent
code = root / "Sources/ApolloPagination/ApolloPagination.docc/Tutorial/Code"
example = root / "Examples/Feed/Sources/Feed"
mistakes = []
for file in sorted(code.iterdir()):
    original = example / re.sub(r"-\d+(?=\.)", "", file.name)
    rest = iter(original.read_text().splitlines())
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line not in rest:
            mistakes.append(f"{file.relative_to(root)}:{number}: not in {original.relative_to(root)}: {line}")
            break
print("\n".join(mistakes), file=sys.stderr, end="\n" if mistakes else "")
sys.exit(1 if mistakes else 0)
